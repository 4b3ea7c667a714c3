//! Sites: instructions of a program.

use crate::ir::{BlockId, FuncId};
use std::collections::BTreeMap;

/// An instruction: its function, block, and index in that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

/// Accesses that may race, by where they are: the number of the component of each. Accesses of different components do not race.
pub type Open = BTreeMap<Site, u32>;
