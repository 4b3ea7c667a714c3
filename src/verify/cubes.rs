//! Cubes of one level of bounds: all of them, which solvers with one formula divide among them, or one of them alone.

use super::ask::{self, Ask, Decision, Questions};
use super::findings::Findings;
use super::request::{Request, Split};
use super::result::Failure;
use crate::base::Budget;
use crate::event::EventProgram;
use crate::question::{self, Cutting, Options, Scheme};
use std::thread::available_parallelism;

/// Decides a program cube by cube, or one of its cubes.
pub(super) fn decide(
    request: &Request,
    split: Split,
    scheme: Scheme,
    events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Option<Decision>, Failure> {
    let options = ask::options(request, scheme);
    let Some(only) = split.only else {
        let options = Options {
            cubes: Some(Cutting {
                most: split.count,
                seed: request.seed,
            }),
            ..options
        };
        let ask = Ask {
            crew: Some(request.jobs.unwrap_or_else(processors)),
            ..Ask::of(request, options)
        };
        return ask.decide(events, findings, budget);
    };
    let questions: &Questions<'_> = &|program, options, solver, judge, budget| {
        let cube = (only - 1, split.count);
        question::check_cube(program, options, cube, solver, judge, budget).map(Some)
    };
    Ask::of(request, options).ask(questions, events, findings, budget)
}

/// Processors of this machine.
fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}
