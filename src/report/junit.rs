//! The answer as JUnit XML (`--junit FILE`), as systems for continuous integration read it: a suite for the program, a case for each check
//! with a failure for each finding.
//!
//! A check without an answer is an error, unless a violation of another one has ended the search: then it was skipped. All checks are
//! looked for together, so that only the suite has a time.

use super::file::{Format, Report};
use super::rule::Rule;
use super::text::{
    Counterexample, Detail, check_words, counterexample, finding_words, reason_text, summary,
};
use crate::ir::Check;
use crate::outcome::{Coverage, Finding, Outcome, Reason, Verdict};
use crate::source::place::Places;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io::{self, Write};

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "junit",
    help: "Write the answer to FILE as JUnit XML, a test case for each check",
    render,
};

/// The text of the file, with a newline at its end.
fn render(report: Report) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // A vector takes all that is written to it.
    let _ = suites(&mut writer, report);
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

/// A check with its answer.
struct Case<'a> {
    check: Check,
    verdict: &'a Verdict,
    findings: Vec<&'a Finding>,
}

impl Case<'_> {
    /// Skipped: true if nobody has looked for an answer to the end, because of a violation of another check.
    fn is_skipped(&self) -> bool {
        let ended = Verdict::Unknown {
            reason: Reason::Ended,
        };
        *self.verdict == ended
    }

    /// Without an answer, and not skipped.
    fn is_error(&self) -> bool {
        matches!(self.verdict, Verdict::Unknown { .. }) && !self.is_skipped()
    }
}

/// All checks that were asked for; each has the answer of all where none has its own.
fn cases(outcome: &Outcome) -> Vec<Case<'_>> {
    let answers = outcome.by_check.iter();
    let mut answers: Vec<_> = answers.map(|(check, verdict)| (*check, verdict)).collect();
    if answers.is_empty() {
        let checks = outcome.subject.checks.iter();
        answers = checks.map(|check| (check, &outcome.verdict)).collect();
    }
    let case = |(check, verdict)| Case {
        check,
        verdict,
        findings: outcome
            .findings
            .iter()
            .filter(|finding| Check::of(finding.property) == check)
            .collect(),
    };
    answers.into_iter().map(case).collect()
}

fn suites<W: Write>(writer: &mut Writer<W>, report: Report) -> io::Result<()> {
    let Report {
        outcome, places, ..
    } = report;
    let cases = cases(outcome);
    let count = |is: fn(&Case) -> bool| cases.iter().filter(|case| is(case)).count().to_string();
    let numbers = [
        ("tests", cases.len().to_string()),
        ("failures", count(|case| !case.findings.is_empty())),
        ("errors", count(|case| case.is_error())),
        ("skipped", count(|case| case.is_skipped())),
        (
            "time",
            format!("{:.3}", outcome.statistics.wall.as_secs_f64()),
        ),
    ];
    let numbers = || numbers.iter().map(|(name, value)| (*name, value.as_str()));
    let file = visible(&outcome.subject.file);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = writer.create_element("testsuites");
    let suites = suites.with_attribute(("name", "selvedge"));
    suites
        .with_attributes(numbers())
        .write_inner_content(|writer| {
            let suite = writer.create_element("testsuite");
            let suite = suite.with_attribute(("name", file.as_str()));
            suite
                .with_attributes(numbers())
                .write_inner_content(|writer| {
                    properties(writer, outcome)?;
                    cases
                        .iter()
                        .try_for_each(|one| case(writer, one, outcome, places))?;
                    let lines = summary(outcome, places).join("\n");
                    let out = writer.create_element("system-out");
                    out.write_text_content(BytesText::new(&visible(&lines)))?;
                    Ok(())
                })?;
            Ok(())
        })?;
    Ok(())
}

/// Properties of the suite: the version, and what the answer covers.
fn properties<W: Write>(writer: &mut Writer<W>, outcome: &Outcome) -> io::Result<()> {
    let coverage = &outcome.coverage;
    let own = [
        ("version".to_string(), env!("CARGO_PKG_VERSION").to_string()),
        (
            "data-model".to_string(),
            outcome.subject.model.name().to_string(),
        ),
        (
            "memory-model".to_string(),
            coverage.memory.title().to_string(),
        ),
        ("scheme".to_string(), coverage.scheme.clone()),
        ("solver".to_string(), coverage.solver.clone()),
        ("threads".to_string(), threads(coverage)),
    ];
    let bounds = coverage.bounds.iter();
    let bounds = bounds.map(|bound| {
        let name = format!("bound-{}", bound.bound.name());
        (name, bound.value.to_string())
    });
    let all = own.into_iter().chain(bounds);
    let element = writer.create_element("properties");
    element.write_inner_content(|writer| {
        for (name, value) in all.filter(|(_, value)| !value.is_empty()) {
            let value = visible(&value);
            let property = writer.create_element("property");
            property
                .with_attributes([("name", name.as_str()), ("value", value.as_str())])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Number of threads that the answer covers; empty if it covers none.
fn threads(coverage: &Coverage) -> String {
    match coverage.threads {
        _ if coverage.of_any_number => "any number".to_string(),
        0 => String::new(),
        threads => threads.to_string(),
    }
}

fn case<W: Write>(
    writer: &mut Writer<W>,
    case: &Case,
    outcome: &Outcome,
    places: &dyn Places,
) -> io::Result<()> {
    let file = visible(&outcome.subject.file);
    let element = writer.create_element("testcase");
    let names = [("name", case.check.name()), ("classname", file.as_str())];
    element
        .with_attributes(names)
        .write_inner_content(|writer| {
            for finding in &case.findings {
                failure(writer, finding, places)?;
            }
            if let Verdict::Unknown { reason } = case.verdict {
                let name = if case.is_skipped() {
                    "skipped"
                } else {
                    "error"
                };
                let message = visible(&reason_text(reason, places));
                let kind = (!case.is_skipped()).then_some(("type", "unknown"));
                let element = writer.create_element(name);
                element
                    .with_attribute(("message", message.as_str()))
                    .with_attributes(kind)
                    .write_empty()?;
            }
            let words = check_words(outcome, case.check, case.verdict, places);
            let out = writer.create_element("system-out");
            out.write_text_content(BytesText::new(&visible(&words)))?;
            Ok(())
        })?;
    Ok(())
}

/// A finding, with the table of its counterexample.
fn failure<W: Write>(
    writer: &mut Writer<W>,
    finding: &Finding,
    places: &dyn Places,
) -> io::Result<()> {
    let message = visible(&finding_words(finding, places));
    let kind = Rule::of(finding.property, finding.trace.misaccess()).id();
    let shown = Counterexample::of(finding, places);
    let text = visible(&counterexample(&shown, places, Detail::default()));
    let element = writer.create_element("failure");
    element
        .with_attributes([("message", message.as_str()), ("type", kind.as_str())])
        .write_text_content(BytesText::new(&text))?;
    Ok(())
}

/// A text without characters that XML has no way to write; they are told as Rust writes them (`\u{1b}`).
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => shown.push(c),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn characters_that_xml_has_not_are_told() {
        assert_eq!(visible("a\u{1b}[0m\t<&\n"), "a\\u{1b}[0m\t<&\n");
        assert_eq!(visible("\0\u{ffff}ä"), "\\u{0}\\u{ffff}ä");
    }
}
