//! Data races: the two accesses that an execution ends before.

use super::value::Value;
use crate::base::Loc;
use crate::event::ThreadId;

/// Two accesses that are next, of two threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The accesses, by their places in the program.
    pub sides: [Side; 2],
}

/// Access of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The thread, by its place in [`Trace::threads`](super::Trace::threads).
    pub thread: ThreadId,
    /// The place in the program.
    pub loc: Loc,
    /// Positions of the calls on the stack, outermost first.
    pub calls: Vec<Loc>,
    /// Function the access is in.
    pub function: String,
    /// What is about to be done.
    pub action: Attempted,
    /// Name of the place in memory.
    pub place: String,
    /// Number of bytes.
    pub bytes: u64,
    /// The value that is there, or that is to be written; `None` of blocks, and of accesses that are invalid.
    pub value: Option<Value>,
    /// Atomic by itself.
    pub atomic: bool,
    /// Within an atomic section.
    pub section: bool,
    /// Locks that the thread holds, in the order in which it took them.
    pub locks: Vec<LockHeld>,
}

/// Kind of an access that is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempted {
    /// A read.
    Read,
    /// A write.
    Write,
    /// A read-modify-write.
    Update,
    /// `free` or `realloc`, which write all of a block.
    Free,
}

/// Lock that a thread holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockHeld {
    /// Its name.
    pub name: String,
    /// The place where it was taken.
    pub since: Loc,
}

impl Race {
    /// The race of two accesses.
    pub(super) fn of(one: Side, other: Side) -> Race {
        let mut sides = [one, other];
        sides.sort_by_key(|side| (side.loc, side.thread));
        Race { sides }
    }

    /// Places of both accesses, in order.
    pub fn places(&self) -> (Loc, Loc) {
        (self.sides[0].loc, self.sides[1].loc)
    }
}
