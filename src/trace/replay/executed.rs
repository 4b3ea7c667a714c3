//! Instructions of an execution, as far as they matter outside the interpreter.

use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::{BlockId, FuncId, NondetSource};

/// Instruction that a thread executes, or that is its next one.
#[derive(Clone, Debug)]
pub struct Executed {
    /// The thread.
    pub thread: ThreadId,
    /// Place in the text: its own, or that of the call of the library whose part it is.
    pub loc: Loc,
    /// End of the expression that makes the access, where one does.
    pub end: Loc,
    /// Number of the program's own functions on the stack.
    pub depth: usize,
    /// The instruction of the innermost of these.
    pub at: (FuncId, BlockId, usize),
    /// True if it is part of a library function that is called there.
    pub within: bool,
    /// True if others may notice it.
    pub is_step: bool,
    /// True if it begins a step that others notice in the state before it, where no object's address is looked at.
    pub is_noticed: bool,
    /// Within an atomic section.
    pub in_section: bool,
    /// Kind of instruction.
    pub kind: Kind,
}

/// Kind of instruction, as far as it matters outside the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A read of memory; true if bytes of a bit-field, or at any alignment.
    Load(bool),
    /// A write of memory, likewise.
    Store(bool),
    /// A release of a mutex.
    Unlock,
    /// A wait for the end of a thread.
    Join,
    /// A call.
    Call,
    /// A free value, of so many bits.
    Input(NondetSource, u128),
    /// A thread is created.
    Create(ThreadId),
    /// The thread ends.
    End,
    /// Another operation that may change something.
    Effect,
    /// Anything else: what the thread alone looks at, and checks of how synchronisation objects are used.
    Other,
}
