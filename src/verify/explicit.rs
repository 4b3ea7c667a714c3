//! Exploration of a program's states, one by one, as a lane for the check of deadlocks.
//!
//! Few threads that wait for each other by conditions have few states, but many orders of their steps, which cost a solver more than
//! the states cost here; and a loop whose states come again has an end. What is found is left to the other lanes, which have it with
//! a schedule: this one proves that there is nothing, or says nothing.

use super::request::Request;
use super::result::{Failure, Verified};
use crate::base::Budget;
use crate::event::MemoryModel;
use crate::ir::{Check, Checks, Program};
use crate::lanes::{Lane, Start};
use crate::outcome::{Coverage, Outcome, Statistics, Subject, Verdict};
use crate::trace::enumerate::{self, Exploration, Limits};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Processor time that other lanes have before.
const HEAD_START: Duration = Duration::from_millis(50);
/// Most states: more take longer than most users wait.
const STATES: usize = 1_000_000;

/// Processor time that it may have of so much that the run has used.
fn allowance(whole: Duration) -> Duration {
    const AT_FIRST: Duration = Duration::from_secs(8);
    whole.min(AT_FIRST) / 2
}

/// True if the request is one that it can answer.
pub(super) fn suits(request: &Request) -> bool {
    request.checks == Checks::of(&[Check::Deadlock])
}

/// The lane, which `wraps` them if that is a proof.
pub(super) fn lane<T: Send + 'static>(
    program: &Arc<Program>,
    wraps: fn(Option<Exploration>) -> T,
) -> Lane<T, Failure> {
    let program = Arc::clone(program);
    let work = move |budget: &Budget| {
        let limits = Limits {
            states: STATES,
            deadlocks: true,
            budget: budget.clone(),
            ..Limits::default()
        };
        // An object too large for the address space is for others to say.
        let states = enumerate::free_of_deadlocks(&program, &limits).unwrap_or(None);
        Ok(wraps(states))
    };
    Lane::new("states", work)
        .start(Start::After(HEAD_START))
        .second_rank(allowance)
        .memory_percent(25)
}

/// The outcome: nothing was found in all these states.
pub(super) fn verified(
    program: &Program,
    request: &Request,
    all: &Exploration,
    start: Instant,
) -> Verified {
    let verdict = Verdict::Successful { limits: Vec::new() };
    let outcome = Outcome {
        subject: Subject::of(program, request.checks),
        by_check: vec![(Check::Deadlock, verdict.clone())],
        verdict,
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage: Coverage {
            scheme: format!("states, one by one ({})", all.states),
            threads: all.threads,
            ..Coverage::of(program, MemoryModel::Sc)
        },
        statistics: Statistics {
            wall: start.elapsed(),
            cpu: crate::base::budget::process_cpu_time(),
            ..Statistics::default()
        },
    };
    Verified::of(outcome)
}
