//! Names of what a program consists of, and the values that need no computation.

use crate::ids;
use smallvec::SmallVec;

ids! {
    /// A function of the program.
    FuncId;
    /// An object with static storage duration (a global, a static local, a string literal).
    GlobalId;
    /// A virtual register of one function.
    Reg;
    /// A basic block of one function.
    BlockId;
}

/// A value that needs no computation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Reg(Reg),
    /// A constant of the given width; bits above it are zero.
    Const {
        value: u128,
        bits: u16,
    },
    /// Address of a global plus a byte offset.
    GlobalAddr(GlobalId, i64),
    /// Address of a function.
    FuncAddr(FuncId),
}

/// Operands of an instruction, in the order they are evaluated in. Only calls and operations on numbers with a fraction may have more
/// than fit without an allocation.
pub type Operands = SmallVec<[Operand; 3]>;
