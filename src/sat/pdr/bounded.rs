//! Bounded search: steps from the start one after the other, for violations that are near.

use super::copies::Copies;
use super::{System, Trace};
use crate::base::{Budget, StopReason};
use crate::circuit::Lit;
use crate::sat::{Answer, Solver};

/// Steps that are looked at before the unbounded search starts.
pub const STEPS: usize = 12;

/// Gates that all copies may have: beyond, the search ends.
const GATES: usize = 400_000;

/// Result of the bounded search near the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A shortest execution to a bad state.
    Reached(Trace),
    /// So many first steps are never bad.
    Nothing(usize),
}

/// Looks for an execution of at most `steps` steps to a bad state, shortest first, with a solver without clauses.
///
/// # Errors
/// The budget ended the search.
pub fn search(
    system: &System,
    solver: &mut dyn Solver,
    steps: usize,
    budget: &Budget,
) -> Result<Found, StopReason> {
    let mut copies = Copies::from_start(system);
    for done in 1..=steps {
        let bad = copies.step();
        if bad != Lit::FALSE {
            let bad = copies.lit(bad, solver);
            match solver.solve(&[bad], budget) {
                Answer::Stopped(reason) => return Err(reason),
                Answer::Unsat => solver.add_clause(&[-bad]),
                Answer::Sat => {
                    return Ok(Found::Reached(Trace {
                        start: copies.first(solver),
                        inputs: copies.inputs(solver),
                    }));
                }
            }
        }
        if copies.circuit.len() > GATES {
            return Ok(Found::Nothing(done));
        }
    }
    Ok(Found::Nothing(steps))
}
