//! The typed program: functions of basic blocks over virtual registers, explicit memory accesses.
//!
//! Registers hold bit-vectors of a fixed width (1 to 128 bits; a condition has 1). Signedness is in the
//! operators, never in the register. A scalar local whose address is never taken is a register; every
//! other object lives in memory and is reached through its address. Pointers are plain integers of the
//! data model's width: see [`address`] for how they name objects.
//!
//! Architecture invariant: nothing here knows a library function by name; calls without body stay
//! [`Callee::Extern`] until `library` gives them meaning.

pub mod address;
mod check;
mod define;
pub mod faults;
mod goal;
mod instr;
pub mod layout;
pub mod lower;
mod operand;
#[cfg(feature = "internals")]
pub mod parse;
pub mod position;
pub mod print;
mod program;
pub mod reach;
mod rvalue;
pub mod ty;
mod uses;

pub use crate::base::DataModel;
pub use crate::base::float::{Format as FloatFormat, Operation as FloatOp};
pub use check::{Check, Checks};
pub use goal::GoalKinds;
pub use instr::{
    ALLOCATION_ALIGN_BYTES, ALONE, Access, AllocKind, AwaitedLock, BlockSource, Callee, EBUSY,
    ExternCall, HANDLE_USES, Instr, InstrKind, LockHolders, MemOrder, NondetSource, Note,
    PointerCheck, Property, Undefined, update_align_bytes,
};
pub use operand::{BlockId, FuncId, GlobalId, Operand, Operands, Reg};
pub use program::{
    Block, Function, Global, InitPart, Origin, Program, RegInfo, Successors, Terminator,
};
pub use rvalue::{BinOp, RmwOp, Rvalue, UnOp};
