//! Executions that are given on one line: nothing is searched for, and what they end with is a finding like any other.

use crate::event::MemoryModel;
use crate::ir::{Check, Checks, Program};
use crate::outcome::{
    Coverage, Finding, Fingerprint, Outcome, Reason, Statistics, Subject, Verdict,
};
use crate::trace::race::Race;
use crate::trace::replay::{Divergence, run};
use crate::trace::tape::Tape;
use std::sync::Arc;

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
            trace: Arc::new(trace),
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

/// The outcome of a search for an execution by a witness that has found none.
pub fn unvalidated(program: &Program, checks: Checks, reason: Reason) -> Outcome {
    let verdict = Verdict::Unknown { reason };
    about(program, checks, MemoryModel::Sc, verdict)
}

fn outcome(program: &Program, tape: &Tape, verdict: Verdict) -> Outcome {
    about(program, Checks::of(&[tape.check]), tape.memory, verdict)
}

fn about(program: &Program, checks: Checks, memory: MemoryModel, verdict: Verdict) -> Outcome {
    Outcome {
        subject: Subject::of(program, checks),
        by_check: checks
            .iter()
            .map(|check| (check, verdict.clone()))
            .collect(),
        verdict,
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage: Coverage {
            is_one_execution: true,
            ..Coverage::of(program, memory)
        },
        statistics: Statistics::default(),
    }
}
