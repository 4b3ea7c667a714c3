//! Sites: instructions of a program.

use crate::ir::{BlockId, FuncId};

/// An instruction: its function, block, and index in that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}
