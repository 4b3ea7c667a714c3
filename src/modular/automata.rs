//! Automata of a program, as a search and the check of its certificate both build them.

use crate::base::Budget;
use crate::ir::Program;
use crate::race::Sites;
use crate::transition::{self, Automata, Refusal};

/// The automata of a program, which tell of races if there is knowledge of its accesses.
pub(super) fn automata(
    program: &Program,
    sites: Option<&Sites>,
    budget: &Budget,
) -> Result<Automata, Refusal> {
    match sites {
        Some(sites) => transition::racing(program, sites, budget),
        None => transition::automata(program, budget),
    }
}
