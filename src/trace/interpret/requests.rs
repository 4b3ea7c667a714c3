//! Requests of slots: the order in which objects and functions first need one, by which an execution without a schedule is told what
//! a schedule has chosen for them.

use crate::event::Origin;
use crate::ir::address::Slot;
use hashbrown::{HashMap, HashSet};

/// Objects and functions in the order in which they first need a slot, and what is known of those to come, by their place in it.
#[derive(Default)]
pub struct Requests {
    order: Vec<Origin>,
    seen: HashSet<Origin>,
    /// Slots; those behind the last are given out in turn.
    slots: Vec<u32>,
    /// Machine addresses.
    bases: HashMap<usize, u64>,
}

impl Requests {
    /// Requests of which something is known before.
    pub fn expecting(slots: &[u32], bases: &[(usize, u64)]) -> Requests {
        Requests {
            slots: slots.to_vec(),
            bases: bases.iter().copied().collect(),
            ..Requests::default()
        }
    }

    /// The slot of the next one that needs a slot for the first time, if it is known.
    pub(super) fn next_slot(&self) -> Option<Slot> {
        self.slots.get(self.order.len()).copied().map(Slot)
    }

    /// Takes note of a request: the machine address, if it is the first and that is known.
    pub(super) fn note(&mut self, origin: Origin) -> Option<u64> {
        if !self.seen.insert(origin) {
            return None;
        }
        self.order.push(origin);
        self.bases.get(&(self.order.len() - 1)).copied()
    }

    /// Objects and functions in the order of their first requests.
    pub fn order(&self) -> &[Origin] {
        &self.order
    }
}
