//! Joins that are believed to end threads, on conditions that the order of threads has to meet.

use super::site::Site;
use crate::ir::{BlockId, FuncId};

/// Where it is known that threads have ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kill {
    /// Behind an instruction.
    At(Site),
    /// On the edge with this number out of a block.
    Edge(FuncId, BlockId, usize),
}

/// A join that ends all threads of some instructions, on conditions.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The class that joins, and creates.
    pub class: usize,
    /// The instructions whose threads it ends.
    pub ends: u128,
    pub kills: Vec<Kill>,
    /// Instructions before which none of these threads may be there: it is created, or the variable.
    pub fresh: Vec<Site>,
}
