//! Blocks under construction.

use crate::base::Loc;
use crate::ir::{Instr, Terminator};

/// A block whose end may not be known yet.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub instrs: Vec<Instr>,
    pub end: Option<(Terminator, Loc)>,
}
