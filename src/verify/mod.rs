//! From a typed program to an outcome: unrolling under rising bounds, deciding, replaying; the unbounded search; or both
//! side by side.
//!
//! Architecture invariant: no violation leaves this stage that the interpreter has not replayed.

mod ask;
mod auto;
mod chain;
mod cubes;
mod deadlock;
mod decision;
mod explicit;
pub mod faults;
mod findings;
mod level;
pub mod modular;
mod open;
mod outcome;
mod played;
mod race;
mod request;
mod result;
mod telling;
mod unrolled;
mod watch;

pub use played::{played, unplayed, unvalidated};
pub use request::{Ceiling, Engine, Loop, Request, Split};
pub use result::{Failure, Progress, Verified};
pub use unrolled::{first_encoding, first_level, unroller};

use crate::base::Budget;
use crate::ir::{Check, Checks, Program};
use race::Known;
use std::sync::Arc;

/// Verifies a program, and its other reading that is asked for deadlocks, if it has one. `progress` is told of every level of bounds that
/// is finished, and now and then how far the search without bounds has come.
pub fn verify(
    program: &Arc<Program>,
    waiting: Option<&Arc<Program>>,
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    if !request.levels.is_empty() {
        return chain::verify(program, waiting.is_some(), request, budget, progress);
    }
    let seated = request.jobs.map(|jobs| budget.part().with_jobs(jobs));
    let budget = seated.as_ref().unwrap_or(budget);
    match waiting {
        Some(waiting) if request.checks == Checks::of(&[Check::Deadlock]) => {
            alone(waiting, request, budget, progress)
        }
        Some(waiting) if request.checks.contains(Check::Deadlock) => {
            deadlock::beside((program, waiting), request, budget, progress, alone)
        }
        _ => alone(program, request, budget, progress),
    }
}

/// Verifies a program for deadlocks or for other checks, and before that its reading in which what C leaves open is any value, if it has
/// one.
fn alone(
    program: &Arc<Program>,
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    match &program.open {
        Some(open) => open::verify((program, open), request, budget, progress, reading),
        None => reading(program, request, budget, progress),
    }
}

/// Verifies one reading of a program.
fn reading(
    program: &Arc<Program>,
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    if !request.engine.knows(request.memory) {
        return Err(Failure::NoModel(request.engine.name(), request.memory));
    }
    if request.checks.contains(Check::Race) {
        if !request.engine.knows_races(request.memory) {
            return Err(Failure::NoRaces(request.engine.name(), request.memory));
        }
        return race::verify(program, request, |request, known| {
            engine(program, request, known, budget, progress)
        });
    }
    engine(program, request, &None, budget, progress)
}

/// Verifies a program by the engine that was asked for.
fn engine(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    match &request.engine {
        Engine::Modular { hierarchy } => {
            let hierarchy = hierarchy.as_deref();
            modular::verify(program, request, known, hierarchy, budget, progress)
        }
        Engine::Scheme(_) => unrolled::verify(program, request, known, budget, progress),
        Engine::Auto => auto::verify(program, request, known, budget, progress),
    }
}
