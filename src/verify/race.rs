//! Data races that the program as it is written excludes: they are not asked for again of what is unrolled.

use super::request::Request;
use super::result::{Failure, Verified};
use crate::ir::{Check, Program};
use crate::outcome::{Coverage, Outcome, Statistics, Subject, Verdict};
use crate::race::Races;
use std::time::Instant;

/// Verifies a program of which races are asked, by `verify`, which is asked for races only where some are open.
pub(super) fn verify(
    program: &Program,
    request: &Request,
    verify: impl FnOnce(&Request) -> Result<Verified, Failure>,
) -> Result<Verified, Failure> {
    let start = Instant::now();
    if !Races::of(program).open().is_empty() {
        return verify(request);
    }
    let others = Request {
        checks: request.checks.without(Check::Race),
        ..request.clone()
    };
    let mut verified = if others.checks.is_empty() {
        nothing(program, &others, start)
    } else {
        verify(&others)?
    };
    let outcome = &mut verified.outcome;
    outcome.coverage.races_excluded = true;
    outcome.subject.checks = request.checks;
    let complete = Verdict::Successful { limits: Vec::new() };
    outcome.by_check.push((Check::Race, complete));
    outcome.by_check.sort_by_key(|(check, _)| *check);
    outcome.verdict = Verdict::worst(outcome.by_check.iter().map(|(_, verdict)| verdict));
    Ok(verified)
}

/// What is left behind where nothing else is asked.
fn nothing(program: &Program, request: &Request, start: Instant) -> Verified {
    let outcome = Outcome {
        subject: Subject::of(program, request.checks),
        verdict: Verdict::Successful { limits: Vec::new() },
        by_check: Vec::new(),
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage: Coverage::of(program, request.memory),
        statistics: Statistics {
            wall: start.elapsed(),
            ..Statistics::default()
        },
    };
    Verified {
        outcome,
        certificate: None,
        question: None,
        objects: Vec::new(),
    }
}
