//! The outcome as text: the counterexample as a table, what was covered, and the verdict as last line.

use super::{deadlock, finding_name, race, trace, undefined_name, unwinding};
use crate::event::MemoryModel;
use crate::ir::{Check, Checks, Property, Undefined};
use crate::outcome::{
    Bound, Coverage, Cubes, CutAt, Finding, Fingerprint, Limit, Outcome, Reason, Verdict,
};
use crate::scheme::{Grain, Scheme};
use crate::source::place::{Places, file_line};
use crate::trace::Trace;
use std::borrow::Cow;

/// Detail: how much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detail {
    /// Show the counterexample.
    pub trace: bool,
    /// Show all of its steps.
    pub all_steps: bool,
    /// Width of the counterexample in characters.
    pub width: usize,
}

impl Default for Detail {
    fn default() -> Detail {
        Detail {
            trace: true,
            all_steps: false,
            width: 80,
        }
    }
}

/// A counterexample with what is told around it.
#[derive(Clone, Debug)]
pub(crate) struct Counterexample<'a> {
    /// The check that it violates, by its name.
    pub check: Cow<'a, str>,
    /// The violation, in a few words.
    pub title: Cow<'a, str>,
    /// Name of the finding.
    pub fingerprint: Fingerprint,
    /// The execution.
    pub trace: Cow<'a, Trace>,
    /// Memory model of the execution, if that is known.
    pub memory: Option<MemoryModel>,
    /// The execution on one line.
    pub schedule: Option<Cow<'a, str>>,
    /// Positions of its memory unwinding, if it has one.
    pub grain: Option<Grain>,
}

impl<'a> Counterexample<'a> {
    /// The counterexample of a finding.
    pub(crate) fn of(finding: &'a Finding, places: &dyn Places) -> Counterexample<'a> {
        Counterexample {
            check: Check::of(finding.property).name().into(),
            title: finding_words(finding, places).into(),
            fingerprint: finding.fingerprint,
            trace: Cow::Borrowed(&finding.trace),
            memory: finding.trace.memory(),
            schedule: finding.trace.schedule().map(Cow::Owned),
            grain: finding.scheme.and_then(Scheme::grain),
        }
    }
}

/// Everything that goes to standard output: the counterexample, what was covered, and the verdict as last line.
pub fn render(outcome: &Outcome, places: &dyn Places, detail: Detail) -> String {
    let findings = outcome.findings.iter();
    let all: Vec<_> = findings
        .map(|one| Counterexample::of(one, places))
        .collect();
    answer(&all, &summary(outcome, places), places, detail)
}

/// The same of counterexamples and the lines behind them.
pub(crate) fn answer(
    counterexamples: &[Counterexample],
    summary: &[String],
    places: &dyn Places,
    detail: Detail,
) -> String {
    let mut text = String::new();
    let count = counterexamples.len();
    for (index, one) in counterexamples.iter().enumerate() {
        if !detail.trace {
            continue;
        }
        if count > 1 {
            let (check, title) = (&one.check, &one.title);
            let number = index + 1;
            text.push_str(&format!("Finding {number} of {count} ({check}): {title}\n"));
        }
        text.push_str(&counterexample(one, places, detail));
        text.push('\n');
    }
    for line in summary {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A counterexample with its name, its schedule and its memory unwinding.
pub(crate) fn counterexample(of: &Counterexample, places: &dyn Places, detail: Detail) -> String {
    let Detail {
        all_steps, width, ..
    } = detail;
    let mut text = trace::render(&of.trace, of.memory, places, all_steps, width);
    text.push_str(&format!("\nFingerprint: {}\n", of.fingerprint));
    if let Some(schedule) = &of.schedule {
        text.push_str(&format!("Schedule: {schedule}\n"));
    }
    if let Some(grain) = of.grain {
        text.push('\n');
        text.push_str(&unwinding::render(&of.trace, grain));
    }
    text
}

/// The lines behind the counterexamples: what was learnt, suppressed and covered, the answer of each check, and the verdict.
pub(crate) fn summary(outcome: &Outcome, places: &dyn Places) -> Vec<String> {
    let learnt = outcome.coverage.learnt.iter();
    let mut lines: Vec<String> = learnt.map(|learnt| format!("Learnt: {learnt}")).collect();
    for finding in &outcome.suppressed {
        let what = finding_words(finding, places);
        let check = Check::of(finding.property).name();
        let fingerprint = finding.fingerprint;
        lines.push(format!("Suppressed ({check}): {what} ({fingerprint})"));
    }
    if outcome.by_check.len() > 1 {
        for (check, verdict) in &outcome.by_check {
            let words = check_words(outcome, *check, verdict, places);
            lines.push(format!("Check {}: {words}", check.name()));
        }
    }
    lines.push(coverage_line(outcome, places));
    lines.push(verdict_line(outcome, places));
    lines
}

/// The answer of a check, in a few words.
pub(crate) fn check_words(
    outcome: &Outcome,
    check: Check,
    verdict: &Verdict,
    places: &dyn Places,
) -> String {
    let of = |finding: &&Finding| Check::of(finding.property) == check;
    let findings: Vec<&Finding> = outcome.findings.iter().filter(of).collect();
    verdict_words(verdict, &findings, places)
}

/// The last line.
pub fn verdict_line(outcome: &Outcome, places: &dyn Places) -> String {
    let findings: Vec<&Finding> = outcome.findings.iter().collect();
    let words = verdict_words(&outcome.verdict, &findings, places);
    format!("VERIFICATION {words}")
}

/// A violation in one line, for people who wait for the others.
pub fn found(finding: &Finding, places: &dyn Places) -> String {
    let check = Check::of(finding.property).name();
    let what = finding_words(finding, places);
    format!("found: {check} {what} ({})", finding.fingerprint)
}

/// A violation in a few words.
pub(crate) fn finding_words(finding: &Finding, places: &dyn Places) -> String {
    let place = match (finding.trace.race(), finding.trace.deadlock()) {
        (Some(both), _) => race::places_of(both, places),
        (None, Some(all)) => deadlock::places_of(all, places),
        (None, None) => file_line(places, finding.loc),
    };
    format!("{} at {place}", finding_name(finding))
}

/// A verdict with its findings.
pub fn verdict_words(verdict: &Verdict, findings: &[&Finding], places: &dyn Places) -> String {
    match verdict {
        Verdict::Failed => match findings {
            [] => "FAILED".to_string(),
            [only] => format!("FAILED ({})", finding_words(only, places)),
            [first, more @ ..] => {
                let first = finding_words(first, places);
                format!("FAILED ({first}; {} more)", more.len())
            }
        },
        Verdict::Successful { limits } if limits.is_empty() => "SUCCESSFUL (complete)".to_string(),
        Verdict::Successful { limits } => {
            let names: Vec<String> = limits
                .iter()
                .map(|limit| limit_name(limit, places))
                .collect();
            format!("SUCCESSFUL (bounded: {})", names.join(", "))
        }
        Verdict::Unknown { reason } => {
            format!("UNKNOWN ({})", reason_text(reason, places))
        }
    }
}

/// A limit, as the last line names it.
pub fn limit_name(limit: &Limit, places: &dyn Places) -> String {
    match limit {
        Limit::Bound(bound, value) => format!("{} {value}", bound.title()),
        Limit::Held => "memory that running threads may hold".to_string(),
        Limit::Endless => "executions that may never end".to_string(),
        Limit::Unwritten => "values of arrays and copied blocks that may never be set".to_string(),
        Limit::Unset(loc) => format!(
            "unset memory that is taken for an address at {}",
            file_line(places, *loc)
        ),
        Limit::OnlyCycles => "threads that wait for each other in a circle alone".to_string(),
        Limit::Unwatched => "accesses by numbers that are no pointers".to_string(),
        Limit::Stays(loc) => {
            format!("threads that may be blocked at {}", file_line(places, *loc))
        }
        Limit::LoopBudget => "events per loop".to_string(),
        Limit::Undefined(Some(loc)) => {
            format!("undefined behaviour at {}", file_line(places, *loc))
        }
        Limit::Undefined(None) => "undefined behaviour".to_string(),
        Limit::Suppressed(count) => format!("suppressed findings {count}"),
        Limit::Cube { number, of } => format!("cube {number} of {of}"),
    }
}

/// A reason, as the last line names it.
pub fn reason_text(reason: &Reason, places: &dyn Places) -> String {
    match reason {
        Reason::Stopped(why) => why.to_string(),
        Reason::Unsupported { what, loc } => {
            format!("{what} is not supported, at {}", file_line(places, *loc))
        }
        Reason::Abstracted { what, loc } => format!(
            "the contents of memory allocated at {} are abstracted; {what} that may depend on them did not replay",
            file_line(places, *loc)
        ),
        Reason::Open { names, loc } => format!(
            "a violation at {} may hang on what {} returns, which C leaves open",
            file_line(places, *loc),
            names.join(" or ")
        ),
        Reason::Ended => "a violation of another check ended the search".to_string(),
        Reason::Other(text) => text.clone(),
    }
}

/// The line before the last: what the verdict covers.
pub fn coverage_line(outcome: &Outcome, places: &dyn Places) -> String {
    let mut parts = coverage_parts(&outcome.coverage, places);
    if matches!(
        outcome.verdict,
        Verdict::Unknown {
            reason: Reason::Stopped(_)
        }
    ) && outcome.coverage.threads > 0
    {
        parts.push("no violation so far, what the bounds cut is open".to_string());
    }
    format!("Covered: {}", parts.join("; "))
}

fn coverage_parts(coverage: &Coverage, places: &dyn Places) -> Vec<String> {
    let excluded = coverage
        .races_excluded
        .then(|| "data races excluded by the program as it is written".to_string());
    if coverage.is_one_execution {
        let title = coverage.memory.title().to_string();
        return vec![title, "one execution, that of the schedule".to_string()];
    }
    if coverage.threads == 0 && !coverage.of_any_number {
        if let Some(excluded) = excluded {
            return vec![coverage.memory.title().to_string(), excluded];
        }
        return vec![NOTHING.to_string()];
    }
    let mut parts = vec![coverage.memory.title().to_string()];
    if !coverage.scheme.is_empty() {
        parts.push(match coverage.solver.as_str() {
            "" => coverage.scheme.clone(),
            solver => format!("scheme {} with {solver}", coverage.scheme),
        });
    }
    parts.push(match coverage.threads {
        _ if coverage.of_any_number => "any number of threads".to_string(),
        1 => "1 thread".to_string(),
        threads => format!("{threads} threads"),
    });
    let mut enough = Vec::new();
    for in_force in &coverage.bounds {
        let bound = format!("{} {}", in_force.bound.title(), in_force.value);
        match in_force.reached {
            Some(true) => {
                let named =
                    |cut: &CutAt| matches!(cut.limit, Limit::Bound(of, _) if of == in_force.bound);
                parts.push(
                    cuts_text(coverage, named, places)
                        .unwrap_or(format!("{bound}, which cuts executions off")),
                );
            }
            Some(false) => enough.push(bound),
            None => parts.push(bound),
        }
    }
    parts.extend(coverage.cubes.map(|cubes| match cubes {
        Cubes {
            only: Some(number),
            count,
            ..
        } => format!("cube {number} of {count}, and nothing of the others"),
        Cubes { count, decided, .. } if decided == count => format!("all of {count} cubes"),
        Cubes { count, decided, .. } => format!("{decided} of {count} cubes"),
    }));
    let is_budget = |cut: &CutAt| cut.limit == Limit::LoopBudget;
    parts.extend(cuts_text(coverage, is_budget, places));
    if !enough.is_empty() {
        parts.push(format!("{} suffices", enough.join(", ")));
    }
    for (kind, loc) in &coverage.undefined {
        let (place, name) = (file_line(places, *loc), undefined_name(*kind));
        parts.push(match kind {
            Undefined::BuiltinUnreachable => format!("{name} at {place}: execution cut there"),
            _ => format!("undefined behaviour reachable at {place} ({name}): execution cut there"),
        });
    }
    parts.extend(excluded);
    if coverage.allocations_succeed {
        parts.push("no allocation fails".to_string());
    }
    if let Some(begins) = &coverage.begins {
        parts.push(begins.clone());
    }
    if coverage.signals_absent {
        parts.push("no signal arrives".to_string());
    }
    if !coverage.external.is_empty() {
        parts.push(names_text("no body, any result", &coverage.external));
    }
    if !coverage.open.is_empty() {
        parts.push(names_text("any result that C allows", &coverage.open));
    }
    if coverage.assertions_reachable == Some(false) {
        parts.push("no assertion is reachable".to_string());
    }
    parts
}

/// Coverage of a run that was ended before any bound was finished.
pub const NOTHING: &str = "nothing, no bound was finished";

/// Loops or calls that are named; further ones are counted.
const MOST_CUTS: usize = 4;

/// Loops and calls that a bound cuts; `None` if it cuts none.
fn cuts_text(
    coverage: &Coverage,
    of: impl Fn(&CutAt) -> bool,
    places: &dyn Places,
) -> Option<String> {
    let cuts: Vec<&CutAt> = coverage.cuts.iter().filter(|cut| of(cut)).collect();
    let (certain, unsure): (Vec<_>, Vec<_>) = cuts.into_iter().partition(|cut| cut.certain);
    if certain.is_empty() {
        return None;
    }
    let shown = &certain[..certain.len().min(MOST_CUTS)];
    let names = shown.iter().map(|cut| {
        let place = file_line(places, cut.loc);
        let limit = limit_name(&cut.limit, places);
        match cut.number {
            Some(number) => format!("{limit} at {place} (loop {number} of {})", cut.function),
            None => format!("{limit} at {place} (call of {})", cut.function),
        }
    });
    let mut text = names.collect::<Vec<String>>().join(", ");
    for (count, word) in [
        (certain.len() - shown.len(), ""),
        (unsure.len(), "perhaps "),
    ] {
        if count > 0 {
            text.push_str(&format!(" and {word}{count} more"));
        }
    }
    let verb = if certain.len() == 1 { "cuts" } else { "cut" };
    text.push_str(&format!(", which {verb} executions off"));
    let mut options: Vec<String> = shown.iter().filter_map(|cut| going_on(cut)).collect();
    options.dedup();
    if !options.is_empty() {
        let verb = if options.len() == 1 { "goes" } else { "go" };
        text.push_str(&format!(" ({} {verb} on there)", options.join(" ")));
    }
    Some(text)
}

/// The option with which executions go on twice as far where a bound cuts them.
fn going_on(cut: &CutAt) -> Option<String> {
    match (&cut.limit, cut.number) {
        (Limit::Bound(Bound::Unwind, most), Some(number)) => {
            let further = (2 * most).max(1);
            Some(format!("--unwindset {}.{number}:{further}", cut.function))
        }
        (Limit::Bound(Bound::Recursion, most), None) => {
            Some(format!("--recursion {}", (2 * most).max(1)))
        }
        _ => None,
    }
}

/// Hint by which is seen the undefined behaviour that ends executions and that nobody has asked for, if there is some.
pub fn hint(outcome: &Outcome) -> Option<String> {
    let undefined = outcome.coverage.undefined.iter();
    let properties = undefined.map(|(kind, _)| Property::Defined(*kind));
    let missing = properties.filter(|property| !outcome.subject.checks.asks(*property));
    let missing: Checks = missing.map(Check::of).collect();
    let names = missing.names();
    (!missing.is_empty()).then(|| {
        format!("executions end at undefined behaviour; --check {names} shows such executions")
    })
}

/// Functions without a body that are named; further ones are counted.
const MOST_EXTERNAL: usize = 8;

fn names_text(what: &str, names: &[String]) -> String {
    let shown = &names[..names.len().min(MOST_EXTERNAL)];
    let mut text = format!("{what}: {}", shown.join(", "));
    if names.len() > shown.len() {
        text.push_str(&format!(" and {} more", names.len() - shown.len()));
    }
    text
}

/// Sizes and times, one a line.
pub fn statistics_text(outcome: &Outcome) -> String {
    let statistics = &outcome.statistics;
    let mut rows: Vec<(String, String)> = vec![
        ("threads".to_string(), outcome.coverage.threads.to_string()),
        (
            "events".to_string(),
            format!(
                "{} ({} reads, {} writes)",
                statistics.events, statistics.reads, statistics.writes
            ),
        ),
        ("terms".to_string(), statistics.terms.to_string()),
        ("variables".to_string(), statistics.variables.to_string()),
        ("clauses".to_string(), statistics.clauses.to_string()),
    ];
    for (stage, time) in &statistics.stages {
        let mut text = format!("{:.3} s", time.as_secs_f64());
        if *stage == "unroll" && statistics.passes > 0 {
            text.push_str(&format!(", passes: {}", statistics.passes));
        }
        let terms = statistics.growth.iter().find(|(name, _)| name == stage);
        if let Some((_, terms)) = terms {
            text.push_str(&format!(", {terms} terms"));
        }
        rows.push((format!("time in {stage}"), text));
    }
    rows.push((
        "processor time".to_string(),
        format!("{:.3} s", statistics.cpu.as_secs_f64()),
    ));
    rows.push((
        "wall time".to_string(),
        format!("{:.3} s", statistics.wall.as_secs_f64()),
    ));
    if statistics.peak_memory_bytes > 0 {
        rows.push((
            "peak memory".to_string(),
            format!("{} MB", statistics.peak_memory_bytes >> 20),
        ));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter()
        .map(|(name, value)| format!("{name:width$}  {value}\n"))
        .collect()
}
