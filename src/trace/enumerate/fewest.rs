//! Fewest turns of threads in which something is violated.

use crate::base::Loc;
use crate::ir::Property;
use hashbrown::HashMap;

/// Fewest turns by the place of a violation, and what it violates: an assertion, or undefined behaviour.
pub type Fewest = HashMap<(Loc, Property), usize>;

/// Turns of a search.
#[derive(Default)]
pub(super) struct Turns {
    /// Number of turns so far, that of the thread that moves included.
    pub number: usize,
    pub fewest: Fewest,
}

impl Turns {
    /// A thread has violated something.
    pub fn note(&mut self, loc: Loc, property: Property) {
        let fewest = self.fewest.entry((loc, property)).or_insert(self.number);
        *fewest = self.number.min(*fewest);
    }
}
