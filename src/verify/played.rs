//! Executions that are given on one line: nothing is searched for, and what they end with is a finding like any other.

use crate::ir::{Check, Checks, Program};
use crate::outcome::{
    Coverage, Finding, Fingerprint, Outcome, Reason, Statistics, Subject, Verdict,
};
use crate::trace::race::Race;
use crate::trace::replay::{Divergence, run};
use crate::trace::tape::Tape;

/// The outcome of an execution that ends with its violation.
///
/// # Errors
/// The program does something else.
pub fn played(program: &Program, tape: &Tape) -> Result<Outcome, Divergence> {
    let trace = run::play(program, tape)?;
    let property = trace.violation();
    let last = trace.steps.last().map(|step| step.loc);
    let lost = trace.lost().and_then(|lost| lost.made.map(|(_, loc)| loc));
    let race = trace.race().map(|race| Race::places(race).0);
    let findings = property
        .zip(race.or(lost).or(last))
        .map(|(property, loc)| Finding {
            property,
            loc,
            fingerprint: Fingerprint::of(program, Check::of(property), loc, &trace),
            trace,
            scheme: None,
        });
    let mut outcome = outcome(program, tape, Verdict::Failed);
    outcome.findings.extend(findings);
    Ok(outcome)
}

/// The outcome of an execution that is none of the program's.
pub fn unplayed(program: &Program, tape: &Tape, why: String) -> Outcome {
    let reason = Reason::Other(why);
    outcome(program, tape, Verdict::Unknown { reason })
}

fn outcome(program: &Program, tape: &Tape, verdict: Verdict) -> Outcome {
    Outcome {
        subject: Subject::of(program, Checks::of(&[tape.check])),
        by_check: vec![(tape.check, verdict.clone())],
        verdict,
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage: Coverage {
            is_one_execution: true,
            ..Coverage::of(program, tape.memory)
        },
        statistics: Statistics::default(),
    }
}
