//! Reasons why an instruction does not come to its end.

use super::watch::Subject;
use crate::event::Origin;
use crate::ir::Undefined;

/// Reason why an instruction does not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Undefined(Undefined),
    Misplaced(Misplaced),
    /// Machine addresses depend on this, which is not in [`Watch`](super::watch::Watch).
    Unwatched(Subject),
}

impl From<Undefined> for Stop {
    fn from(why: Undefined) -> Stop {
        Stop::Undefined(why)
    }
}

/// Reason why an object cannot be at a machine address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Misplaced {
    /// It asks for another alignment.
    Alignment,
    /// It would be in the first page, or beyond what a process can have.
    Range,
    /// Another object is there that lived at the same time.
    Overlap(Origin),
    /// No address is left.
    Room,
}
