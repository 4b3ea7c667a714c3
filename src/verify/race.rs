//! Data races that the program as it is written excludes: they are not asked for again of what is unrolled.

use super::request::Request;
use super::result::{Failure, Verified};
use crate::ir::{Check, Program};
use crate::outcome::{Coverage, Outcome, Statistics, Subject, Verdict};
use crate::race::Sites;
use std::sync::Arc;
use std::time::Instant;

/// Knowledge of a program's accesses; `None` if races were not asked for.
pub(super) type Known = Option<Arc<Sites>>;

/// The same, found out if races are asked for.
pub(super) fn known(program: &Program, request: &Request) -> Known {
    let is_asked = request.checks.contains(Check::Race);
    is_asked.then(|| Arc::new(Sites::of(program)))
}

/// Verifies a program of which races are asked, by `verify`, which is asked for races only where some are open.
pub(super) fn verify(
    program: &Program,
    request: &Request,
    verify: impl FnOnce(&Request, &Known) -> Result<Verified, Failure>,
) -> Result<Verified, Failure> {
    let start = Instant::now();
    let known = known(program, request);
    if known.as_ref().is_some_and(|sites| !sites.open.is_empty()) {
        return verify(request, &known);
    }
    let others = Request {
        checks: request.checks.without(Check::Race),
        ..request.clone()
    };
    let mut verified = if others.checks.is_empty() {
        nothing(program, &others, start)
    } else {
        verify(&others, &known)?
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
    Verified::of(outcome)
}
