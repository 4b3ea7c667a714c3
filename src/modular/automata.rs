//! Automata of a program, as a search and the check of its certificate both build them.

use crate::base::Budget;
use crate::ir::Program;
use crate::transition::request::candidates;
use crate::transition::{self, Automata, Refusal};

/// The automata of a program, which tell of `races` if that is asked for.
pub(super) fn automata(
    program: &Program,
    races: bool,
    budget: &Budget,
) -> Result<Automata, Refusal> {
    if races {
        transition::racing(program, &candidates(program), budget)
    } else {
        transition::automata(program, budget)
    }
}
