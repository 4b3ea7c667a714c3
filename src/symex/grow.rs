//! Sizes and offsets that grow.

use super::pass::Pass;
use super::value::Values;
use crate::term::TermId;

impl Pass<'_> {
    /// The values of a number that threads count up in shared memory.
    pub(super) fn counted(&mut self, _term: TermId) -> Values {
        None
    }
}
