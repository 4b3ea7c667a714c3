//! Bounded search: steps from the start one after the other, for violations that are near.

use super::copies::Copies;
use super::system::{System, Trace};
use crate::base::StopReason;
use crate::circuit::Lit;
use crate::solve::Setup;

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

/// Looks for an execution of at most `steps` steps to a bad state, shortest first. `None` for a solver that this build
/// lacks.
///
/// # Errors
/// The budget ended the search.
pub fn search(system: &System, steps: usize, setup: &Setup) -> Option<Result<Found, StopReason>> {
    let mut copies = Copies::from_start(system, setup)?;
    Some(within(&mut copies, steps, setup))
}

fn within(copies: &mut Copies, steps: usize, setup: &Setup) -> Result<Found, StopReason> {
    for done in 1..=steps {
        let bad = copies.step();
        if bad != Lit::FALSE {
            let bad = copies.solver.assumption(bad);
            if copies.solver.check(&[bad], setup.budget).is_sat()? {
                return Ok(Found::Reached(Trace {
                    start: copies.first(),
                    inputs: copies.inputs(),
                }));
            }
            copies.solver.deny(bad);
        }
        if copies.solver.circuit().len() > GATES {
            return Ok(Found::Nothing(done));
        }
    }
    Ok(Found::Nothing(steps))
}
