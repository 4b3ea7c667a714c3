//! Beginnings and ends of objects in an execution: by whom, and where.

use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use hashbrown::HashMap;

/// Threads and places of the beginnings and ends of objects.
#[derive(Default)]
pub(super) struct Dates {
    pub made: HashMap<Slot, (ThreadId, Loc)>,
    pub ended: HashMap<Slot, (ThreadId, Loc)>,
}

impl Dates {
    pub fn begin(&mut self, slot: Slot, thread: ThreadId, loc: Loc) {
        self.made.insert(slot, (thread, loc));
        self.ended.remove(&slot);
    }

    pub fn end(&mut self, slot: Slot, thread: ThreadId, loc: Loc) {
        self.ended.insert(slot, (thread, loc));
    }
}
