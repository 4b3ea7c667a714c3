//! Facts about the program that need no bounds: loop structure, liveness, values that go nowhere, branches that are no tests.

pub mod faint;
pub mod literal;
pub mod liveness;
pub mod loops;

pub use loops::Loop;

use crate::base::IdVec;
use crate::ir::{BlockId, FuncId, Program, Reg};

/// Facts that symbolic execution wants to know, for each function.
pub struct Facts {
    pub functions: IdVec<FuncId, FunctionFacts>,
}

/// Facts about one function.
pub struct FunctionFacts {
    pub loops: loops::Loops,
    /// Blocks whose end decides nothing.
    pub literal_ends: IdVec<BlockId, bool>,
    /// Registers that the test at the end of each block depends on.
    pub tested: IdVec<BlockId, Vec<Reg>>,
    /// Registers live at the start of each block.
    pub live_in: IdVec<BlockId, liveness::RegSet>,
    /// Registers that some instruction or terminator reads.
    pub used: liveness::RegSet,
}

impl Facts {
    /// Analyses a program; linear but for nested loops.
    pub fn of(program: &Program) -> Facts {
        let functions = program
            .functions
            .iter()
            .map(|function| FunctionFacts {
                loops: loops::Loops::of(function),
                literal_ends: literal::literal_ends(function),
                tested: function.blocks.iter().map(literal::tested).collect(),
                live_in: liveness::live_in(function),
                used: liveness::used(function),
            })
            .collect();
        Facts { functions }
    }
}
