//! Automata of a program, as a search and the check of its certificate both build them.

use crate::base::Budget;
use crate::ir::Program;
use crate::race::Races;
use crate::transition::{self, Automata, Refusal};

/// The automata of a program, which tell of `races` if that is asked for.
pub(super) fn automata(
    program: &Program,
    races: bool,
    budget: &Budget,
) -> Result<Automata, Refusal> {
    if races {
        transition::racing(program, &Races::of(program).open(), budget)
    } else {
        transition::automata(program, budget)
    }
}
