//! Programs as all interpreters of them know them: what is the same in every execution is found once.

use crate::analysis::loops::Loops;
use crate::base::IdVec;
use crate::ir::{FuncId, InstrKind, Program};
use std::sync::Arc;

/// A program with facts that all its executions share; a copy costs nothing.
#[derive(Clone)]
pub struct Code<'p> {
    pub program: &'p Program,
    pub(super) facts: Arc<Facts>,
}

/// Facts about a program.
pub(super) struct Facts {
    /// Loops of each function.
    pub loops: IdVec<FuncId, Loops>,
    /// True if some load needs a value.
    pub asks_values: bool,
    /// The program asks for blocks that are lost or not freed.
    pub leaks: bool,
}

impl<'p> Code<'p> {
    /// Finds the facts.
    pub fn of(program: &'p Program) -> Code<'p> {
        let facts = Facts {
            loops: program.functions.iter().map(Loops::of).collect(),
            asks_values: asks_values(program),
            leaks: program.asks_for_leaks(),
        };
        Code {
            program,
            facts: Arc::new(facts),
        }
    }
}

fn asks_values(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    let mut instrs = blocks.flat_map(|block| &block.instrs);
    instrs.any(|instr| matches!(&instr.kind, InstrKind::Load { access, .. } if access.needs_value))
}
