//! Sites: instructions of a program, and knowledge of the accesses that they are.

use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::{BlockId, FuncId};

/// An instruction: its function, block, and index in that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

/// Knowledge of a program's accesses, by site.
#[derive(Clone, Default, Debug)]
pub struct Sites {
    /// Accesses that may race: the number of the component of each. Accesses of different components do not race.
    pub open: SortedMap<Site, u32>,
    /// Undisturbed accesses: while a thread is before one of them, no other is before an access that conflicts with it, be it
    /// atomic or not. So it can be exchanged with whatever others do next, which holds only of sequentially consistent memory.
    pub undisturbed: SortedSet<Site>,
}
