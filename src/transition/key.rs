//! Variables of a program, by what they stand for.

use crate::ir::address::Slot;
use crate::ir::{Note, Reg};

/// A variable of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// A register of a thread, in one activation of a function.
    Register { thread: u32, chain: u32, reg: Reg },
    /// Bytes of an object.
    Cell { slot: Slot, offset: u64, bytes: u32 },
    /// Mutex at this place: 1 if it is held; where deadlocks are asked for, the number of the thread that holds it, plus one.
    Mutex { slot: Slot, offset: u64 },
    /// Note on the synchronisation object at this place; the thread counts where each has its own.
    Note {
        slot: Slot,
        offset: u64,
        what: Note,
        thread: u32,
    },
    /// Life of a local variable or of an object of the heap: 1 while it lives.
    Live(Slot),
    /// Start of a thread: 1 once main has created it.
    Started(u32),
    /// End of a thread: 1 once it has ended.
    Ended(u32),
    /// Result that a thread has returned.
    Result(u32),
    /// Exact offset of an address that a register may hold, from the start of its object.
    Distance { thread: u32, chain: u32, reg: Reg },
    /// Bounds of the access of an array object that comes next, by its address: 1 if it is within them.
    Within { thread: u32, chain: u32, reg: Reg },
    /// Size of an array object in bytes.
    Size(Slot),
    /// Bytes of an array object beside its cells; no variable.
    Content(Slot),
}

impl Key {
    /// The variable for the exact offset of what a register holds.
    pub(super) fn distance(&self) -> Option<Key> {
        match *self {
            Key::Register { thread, chain, reg } => Some(Key::Distance { thread, chain, reg }),
            _ => None,
        }
    }

    /// The variable for the bounds of the next access through a register.
    pub(super) fn within(&self) -> Option<Key> {
        match *self {
            Key::Register { thread, chain, reg } => Some(Key::Within { thread, chain, reg }),
            _ => None,
        }
    }
}

/// Thread or object that a variable belongs to.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Thread(u32),
    Slot(Slot),
}

impl Key {
    /// The thread or object that the variable belongs to.
    pub(super) fn owner(&self) -> Owner {
        match self {
            Key::Register { thread, .. }
            | Key::Distance { thread, .. }
            | Key::Within { thread, .. }
            | Key::Started(thread)
            | Key::Ended(thread)
            | Key::Result(thread) => Owner::Thread(*thread),
            Key::Cell { slot, .. }
            | Key::Mutex { slot, .. }
            | Key::Note { slot, .. }
            | Key::Live(slot)
            | Key::Size(slot)
            | Key::Content(slot) => Owner::Slot(*slot),
        }
    }

    /// Makes it the variable of another thread or object.
    pub(super) fn set_owner(&mut self, owner: Owner) {
        match (self, owner) {
            (
                Key::Register { thread, .. }
                | Key::Distance { thread, .. }
                | Key::Within { thread, .. }
                | Key::Started(thread)
                | Key::Ended(thread)
                | Key::Result(thread),
                Owner::Thread(to),
            ) => *thread = to,
            (
                Key::Cell { slot, .. }
                | Key::Mutex { slot, .. }
                | Key::Note { slot, .. }
                | Key::Live(slot)
                | Key::Size(slot)
                | Key::Content(slot),
                Owner::Slot(to),
            ) => *slot = to,
            _ => unreachable!("a variable belongs to a thread or to an object"),
        }
    }
}
