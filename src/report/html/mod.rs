//! The outcome as one HTML file that asks for nothing else (`--html FILE`): the verdict and what it covers; for each finding its end in
//! words, the source beside the steps, which go down in lanes with an arrow from each write to the reads that took its value; variables,
//! locks and store buffers at the step that keys choose.
//!
//! `page.html` is the template, `style.css` and `page.js` stand in the page as they are. Without scripts, and in print, the page shows all
//! findings one below the other, with all their steps.
//!
//! Names of files, texts and names of the program, and all values are not to be trusted: the template escapes them, the script sets them
//! as texts, and what it reads is JSON that nothing in it can end (`embed.rs`). The page itself forbids to load anything.

mod change;
mod embed;
mod finding;
mod graph;
mod life;
mod listing;
mod ring;
mod tables;
mod taken;

use super::file::Format;
use super::text::{coverage_line, finding_words, verdict_line, verdict_words};
use crate::base::sorted::SortedMap;
use crate::base::{DataModel, Loc};
use crate::ir::Check;
use crate::outcome::{Finding, Outcome, Reason, Verdict};
use crate::report::{text, undefined_name};
use crate::source::place::Places;
use askama::Template;
use finding::{Context, View, view};
use listing::{Listing, Remark};
use serde::Serialize;
use tables::Memory;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "html",
    help: "Write verdict, coverage and counterexamples to FILE as one HTML page, to be stepped through in a browser",
    render: |report| render(report.outcome, report.places),
};

/// The page.
#[derive(Template)]
#[template(path = "report/html/page.html")]
struct Page<'a> {
    /// Words of the verdict, and its class.
    verdict: String,
    state: &'static str,
    covered: String,
    file: &'a str,
    checks: Vec<Answer>,
    findings: Vec<View>,
    listing: Listing,
    /// Facts about threads that a proof rests on, and states that it shows to be out of reach.
    learnt: &'a [String],
    never: &'a [String],
    suppressed: Vec<String>,
    /// Hint by which undefined behaviour that ends executions is seen.
    hint: Option<String>,
    style: &'static str,
    script: &'static str,
    data: String,
    version: &'static str,
}

/// Answer of a check.
struct Answer {
    name: &'static str,
    state: &'static str,
    words: String,
}

/// Data for the script.
#[derive(Serialize)]
struct Data {
    findings: Vec<finding::Data>,
}

/// The text of the file.
pub fn render(outcome: &Outcome, places: &dyn Places) -> String {
    let listing = listing(outcome, places);
    let command = command(outcome, places);
    let context = Context {
        listing: &listing,
        places,
    };
    let views = outcome.findings.iter().enumerate().map(|(index, finding)| {
        let title = finding_words(finding, places);
        view((index + 1, finding), (title, &command), &context)
    });
    let (findings, data) = views.unzip();
    let answers = outcome.by_check.iter().map(|(check, verdict)| {
        let of = |finding: &&Finding| Check::of(finding.property) == *check;
        let findings: Vec<&Finding> = outcome.findings.iter().filter(of).collect();
        Answer {
            name: check.name(),
            state: state(verdict),
            words: verdict_words(verdict, &findings, places),
        }
    });
    let suppressed = outcome.suppressed.iter().map(|finding| {
        let check = Check::of(finding.property).name();
        let words = finding_words(finding, places);
        format!("{check}: {words} ({})", finding.fingerprint)
    });
    let page = Page {
        verdict: verdict_line(outcome, places),
        state: state(&outcome.verdict),
        covered: coverage_line(outcome, places),
        file: &outcome.subject.file,
        checks: answers.collect(),
        findings,
        learnt: &outcome.coverage.learnt,
        never: &outcome.coverage.never,
        suppressed: suppressed.collect(),
        hint: text::hint(outcome),
        style: include_str!("style.css"),
        script: include_str!("page.js"),
        data: embed::json(&Data { findings: data }),
        version: env!("CARGO_PKG_VERSION"),
        listing,
    };
    // Writing to a string does not fail.
    page.render().unwrap_or_default()
}

/// Class of a verdict.
fn state(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Failed => "failed",
        Verdict::Successful { limits } if limits.is_empty() => "complete",
        Verdict::Successful { .. } => "bounded",
        Verdict::Unknown { .. } => "unknown",
    }
}

/// The command that replays a schedule, up to the schedule.
fn command(outcome: &Outcome, places: &dyn Places) -> String {
    let mut words = vec!["selvedge".to_string(), "replay".to_string()];
    if outcome.subject.model == DataModel::Ilp32 {
        words.push("--32".to_string());
    }
    let files = places.files();
    match files.is_empty() {
        true => words.push(outcome.subject.file.clone()),
        false => words.extend(files.into_iter().map(|(name, _)| name)),
    }
    shell_words::join(words)
}

/// The files that an outcome is about, with remarks where something is found, cut or warned of.
fn listing(outcome: &Outcome, places: &dyn Places) -> Listing {
    let remark = |kind, words: String| {
        Some(Remark {
            kind,
            words,
            finding: None,
        })
    };
    let mut mentioned: Vec<(Loc, Option<Remark>)> = Vec::new();
    for (index, finding) in outcome.findings.iter().enumerate() {
        let name = super::finding_name(finding);
        let words = match outcome.findings.len() {
            1 => name.to_string(),
            _ => format!("finding {}: {name}", index + 1),
        };
        let remark = Remark {
            kind: "hit",
            words,
            finding: Some(index + 1),
        };
        let at = finding.places().into_iter();
        mentioned.extend(at.map(|loc| (loc, Some(remark.clone()))));
        for step in &finding.trace.steps {
            mentioned.extend([(step.loc, None)]);
            mentioned.extend(step.calls.iter().map(|call| (*call, None)));
        }
        let threads = finding.trace.threads.iter();
        mentioned.extend(threads.filter_map(|thread| Some((thread.created_at?, None))));
    }
    let coverage = &outcome.coverage;
    for cut in &coverage.cuts {
        let limit = text::limit_name(&cut.limit, places);
        let what = match cut.number {
            Some(number) => format!("loop {number} of {}", cut.function),
            None => format!("call of {}", cut.function),
        };
        let verb = if cut.certain { "cuts" } else { "may cut" };
        let words = format!("{limit} {verb} {what} here");
        mentioned.push((cut.loc, remark("cut", words)));
    }
    for (kind, loc) in &coverage.undefined {
        let words = format!("{}: executions end here", undefined_name(*kind));
        mentioned.push((*loc, remark("cut", words)));
    }
    for warning in &coverage.warnings {
        let words = format!("warning: {}", warning.named());
        mentioned.push((warning.loc, remark("warning", words)));
    }
    mentioned.extend(place_of(&outcome.verdict).map(|loc| (loc, None)));
    let mut listing = Listing::of(mentioned.into_iter(), places);
    if outcome.findings.is_empty() {
        listing.add_own(places);
    }
    for (line, facts) in at_lines(&coverage.learnt, &coverage.never) {
        let fact = Remark {
            kind: "fact",
            words: several(&facts),
            finding: None,
        };
        listing.remark(line, fact);
    }
    listing
}

/// Place that the reason of an unknown verdict names.
fn place_of(verdict: &Verdict) -> Option<Loc> {
    match verdict {
        Verdict::Unknown {
            reason:
                Reason::Unsupported { loc, .. }
                | Reason::Abstracted { loc, .. }
                | Reason::Open { loc, .. },
        } => Some(*loc),
        _ => None,
    }
}

/// Facts of a line that are named; further ones are counted.
const MOST_FACTS: usize = 6;

/// Numbers of facts, in a few words.
fn several(facts: &[String]) -> String {
    match facts.len().checked_sub(MOST_FACTS) {
        Some(more @ 1..) => format!("{} and {more} more", facts[..MOST_FACTS].join(", ")),
        _ => facts.join(", "),
    }
}

/// Numbers of the facts that name each line: `1` of what was learnt, `N1` of what never is.
fn at_lines(learnt: &[String], never: &[String]) -> SortedMap<u32, Vec<String>> {
    let learnt = (1..)
        .zip(learnt)
        .map(|(number, fact)| (format!("{number}"), fact));
    let never = (1..)
        .zip(never)
        .map(|(number, fact)| (format!("N{number}"), fact));
    let mut found: SortedMap<u32, Vec<String>> = SortedMap::new();
    for (name, fact) in learnt.chain(never) {
        for line in lines_of(fact) {
            found.entry(line).or_default().push(name.clone());
        }
    }
    found
}

/// Lines that a fact names: those of the places in `t1#2 in {22:9, 23:16}`.
fn lines_of(fact: &str) -> Vec<u32> {
    let mut lines = Vec::new();
    for set in fact.split('{').skip(1) {
        let set = set.split('}').next().unwrap_or_default();
        let places = set
            .split(',')
            .filter_map(|place| place.trim().split_once(':'));
        lines.extend(places.filter_map(|(line, _)| line.parse::<u32>().ok()));
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::{at_lines, lines_of, several};

    #[test]
    fn facts_name_lines() {
        let fact = "if (t1#2 in {22:9, 23:16} && !claim1) assume(turn in {1, 22:4});";
        assert_eq!(lines_of(fact), [22, 23]);
        assert!(lines_of("assume(x >= 0);").is_empty());
        let at = at_lines(&[fact.to_string()], &["t0 in {22:1, failed}".to_string()]);
        let told: Vec<_> = at
            .iter()
            .map(|(line, facts)| (*line, facts.join(" ")))
            .collect();
        assert_eq!(told, [(22, "1 N1".to_string()), (23, "1".to_string())]);
        let many: Vec<String> = (1..9).map(|number| format!("N{number}")).collect();
        assert_eq!(several(&many[..6]), "N1, N2, N3, N4, N5, N6");
        assert_eq!(several(&many), "N1, N2, N3, N4, N5, N6 and 2 more");
    }
}
