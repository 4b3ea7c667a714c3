//! The findings as SARIF 2.1.0 (`--sarif FILE`), for code scanning and editors.
//!
//! One run with a rule for each kind of violations of the checks that were asked for; a result for each finding, whose code flow has a
//! thread flow for each thread; and notifications for warnings, limits and checks without an answer. Files are named relative to the folder
//! of the run, as they were given. What the table of a counterexample leaves out is there, but unimportant, unless there is too much of
//! it: readers take so many steps at most ([`flow::MOST_STEPS`]), and findings share them.

mod file;
mod flow;
mod related;
mod shape;

use super::file::{Format, Report};
use super::rule::Rule;
use super::text::{coverage_line, finding_words, limit_name, reason_text, verdict_line};
use crate::base::WarningKind;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::outcome::{Finding, Outcome, Verdict, exit};
use file::{Files, ROOT, message};
use shape::*;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "sarif",
    help: "Write the findings to FILE as SARIF 2.1.0, for code scanning and editors",
    render,
};

/// Name of the fingerprint, with the version of what it is made of.
const FINGERPRINT: &str = "selvedgeFinding/v1";

/// Kinds of notifications: of a check without an answer, and of one within limits.
const UNKNOWN: &str = "unknown";
const BOUNDED: &str = "bounded";

/// Steps of a finding that are there however many findings there are, if it has so many.
const LEAST_STEPS: usize = 100;

/// Advice about a warning.
const WARNED: &str =
    "`--warn no-NAME` leaves a warning out, and `selvedge help warnings` lists all.";

/// The text of the file, with a newline at its end.
fn render(report: Report) -> String {
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [run(report)],
    };
    // Plain structures with string keys: there is nothing that could not be written.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn run(report: Report) -> Run {
    let Report {
        outcome, places, ..
    } = report;
    let rules = rules(outcome);
    let notices = notices(outcome);
    let mut files = Files::new(places);
    let mut results = Vec::new();
    let most = flow::MOST_STEPS / outcome.findings.len().max(1);
    for finding in &outcome.findings {
        let mut result = result(finding, outcome, &rules, &mut files);
        result.code_flows = vec![flow::of(&finding.trace, most.max(LEAST_STEPS), &mut files)];
        results.push(result);
    }
    for finding in &outcome.suppressed {
        let mut result = result(finding, outcome, &rules, &mut files);
        result.suppressions = vec![Suppression {
            kind: "external",
            justification: "Its fingerprint is in a file that --suppress names",
        }];
        results.push(result);
    }
    let invocation = invocation(report, &notices, &mut files);
    let base = Base {
        description: message("The folder in which selvedge was run"),
    };
    Run {
        invocations: [invocation],
        results,
        original_uri_base_ids: match files.has_relative() {
            true => SortedMap::from([(ROOT, base)]),
            false => SortedMap::new(),
        },
        artifacts: files.finish(),
        column_kind: "unicodeCodePoints",
        properties: RunProperties {
            verdict: verdict_line(outcome, places),
            covered: coverage_line(outcome, places),
        },
        tool: Tool {
            driver: Driver {
                name: "Selvedge",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: rules.iter().map(descriptor).collect(),
                notifications: notices.into_iter().map(|(_, notice)| notice).collect(),
            },
        },
    }
}

/// The rules of all checks that were asked for, and of what was found.
fn rules(outcome: &Outcome) -> Vec<Rule> {
    let mut rules: Vec<Rule> = outcome
        .subject
        .checks
        .iter()
        .flat_map(Rule::of_check)
        .collect();
    for finding in outcome.findings.iter().chain(&outcome.suppressed) {
        let rule = Rule::of(finding.property, finding.trace.misaccess());
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn descriptor(rule: &Rule) -> Descriptor {
    let mut name: Vec<char> = rule.name.chars().collect();
    name[..1].iter_mut().for_each(|c| c.make_ascii_uppercase());
    let name: String = name.into_iter().collect();
    Descriptor {
        id: rule.id(),
        name: Some(rule.word()),
        short_description: message(&name),
        full_description: message(rule.about),
        help: message(rule.help()),
        default_configuration: Some(Configuration {
            level: rule.level(),
        }),
        properties: Some(RuleProperties {
            tags: ["correctness", rule.check.name()],
            precision: "very-high",
            severity: rule.level(),
        }),
    }
}

/// Kinds of notifications, with their names.
fn notices(outcome: &Outcome) -> Vec<(&'static str, Descriptor)> {
    let mut kinds: Vec<WarningKind> = Vec::new();
    for warning in &outcome.coverage.warnings {
        if !kinds.contains(&warning.kind) {
            kinds.push(warning.kind);
        }
    }
    let warnings = kinds
        .into_iter()
        .map(|kind| (kind.name(), kind.about(), WARNED));
    let own = [
        (
            UNKNOWN,
            "A check has no answer",
            "More time or memory may give one; what is not modelled is named.",
        ),
        (
            BOUNDED,
            "A check has an answer within limits",
            "Greater bounds leave less out: `selvedge help bounds` explains them.",
        ),
    ];
    let notice = |(id, about, help): (&'static str, &str, &str)| {
        let descriptor = Descriptor {
            id: id.to_string(),
            name: None,
            short_description: message(about),
            full_description: message(about),
            help: message(help),
            default_configuration: None,
            properties: None,
        };
        (id, descriptor)
    };
    own.into_iter().chain(warnings).map(notice).collect()
}

fn invocation(
    report: Report,
    notices: &[(&'static str, Descriptor)],
    files: &mut Files,
) -> Invocation {
    let Report {
        outcome,
        places,
        exit_code,
    } = report;
    let reference = |id: &str| Reference {
        id: id.to_string(),
        index: notices
            .iter()
            .position(|(name, _)| *name == id)
            .unwrap_or_default(),
    };
    let mut notifications = Vec::new();
    for (check, verdict) in answers(outcome) {
        let (id, level, text) = match verdict {
            Verdict::Unknown { reason } => (UNKNOWN, "error", reason_text(reason, places)),
            Verdict::Successful { limits } if !limits.is_empty() => {
                let names = limits.iter().map(|limit| limit_name(limit, places));
                (BOUNDED, "note", names.collect::<Vec<_>>().join(", "))
            }
            _ => continue,
        };
        notifications.push(Notification {
            descriptor: reference(id),
            level,
            message: message(&format!("Check {check}: {id} ({text})")),
            locations: Vec::new(),
        });
    }
    for warning in &outcome.coverage.warnings {
        notifications.push(Notification {
            descriptor: reference(warning.kind.name()),
            level: "warning",
            message: message(&warning.message),
            locations: files.location(warning.loc, None, "").into_iter().collect(),
        });
    }
    let mut codes = exit::ALL.into_iter();
    Invocation {
        execution_successful: !matches!(outcome.verdict, Verdict::Unknown { .. }),
        exit_code_description: exit_code
            .and_then(|code| codes.find(|(known, _)| *known == code))
            .map(|(_, meaning)| meaning),
        exit_code,
        tool_execution_notifications: notifications,
    }
}

/// Checks with their answers; where there is none of a single check, that of all.
fn answers(outcome: &Outcome) -> Vec<(String, &Verdict)> {
    match outcome.by_check.as_slice() {
        [] => vec![(outcome.subject.checks.names(), &outcome.verdict)],
        all => all
            .iter()
            .map(|(check, verdict)| (check.name().to_string(), verdict))
            .collect(),
    }
}

/// A result without its code flow.
fn result(finding: &Finding, outcome: &Outcome, rules: &[Rule], files: &mut Files) -> ResultObject {
    let rule = Rule::of(finding.property, finding.trace.misaccess());
    let last = finding.trace.steps.last();
    let function = last.map(|step| step.function.as_str());
    // It has to have a place, if only a file.
    let location = files
        .location(finding.loc, function, "")
        .unwrap_or_else(|| files.whole(&outcome.subject.file));
    let schedule = finding.trace.schedule();
    ResultObject {
        rule_index: rules
            .iter()
            .position(|one| *one == rule)
            .unwrap_or_default(),
        rule_id: rule.id(),
        kind: "fail",
        level: rule.level(),
        message: message(&sentences(finding, outcome, schedule.as_deref(), files)),
        locations: [location],
        related_locations: related::of(finding, files),
        code_flows: Vec::new(),
        partial_fingerprints: SortedMap::from([(FINGERPRINT, finding.fingerprint.to_string())]),
        suppressions: Vec::new(),
        properties: schedule.map(|schedule| ResultProperties { schedule }),
    }
}

/// The violation in a sentence, and how to execute it again.
fn sentences(
    finding: &Finding,
    outcome: &Outcome,
    schedule: Option<&str>,
    files: &Files,
) -> String {
    let words = finding_words(finding, files.places());
    let mut text: String = words.chars().take(1).flat_map(char::to_uppercase).collect();
    text.extend(words.chars().skip(1));
    let is_of_one = finding.trace.race().is_none() && finding.trace.deadlock().is_none();
    if let Some(last) = finding.trace.steps.last().filter(|_| is_of_one) {
        text.push_str(&format!(", in {}", last.function));
        if last.thread.index() > 0 {
            text.push_str(&format!(", {}", last.thread.title()));
        }
    }
    text.push('.');
    if let Some(schedule) = schedule {
        let program = outcome.subject.file.replace(", ", " ");
        text.push_str(&format!(
            " To execute it again, with the options of reading that it was found with: selvedge replay {program} --schedule '{schedule}'"
        ));
    }
    text
}
