//! Places where threads may stand for good, as a pass notes them; [`super::rest`] says what they are.

use super::memory::Memory;
use super::touch::ThreadKey;
use crate::event::{EventId, ThreadId};
use crate::ir::LockHolders;
use crate::ir::address::Slot;
use crate::term::TermId;

/// A rest, as it is known while its thread is executed.
pub(super) struct Resting {
    pub event: EventId,
    pub thread: ThreadKey,
    pub kind: Kind,
    /// The condition that the thread stays here.
    pub stays: TermId,
    /// The first event of the step, or of the iteration.
    pub first: EventId,
    /// It may wait for something else than a lock that another thread holds.
    pub for_else: bool,
    /// What is read in it, with the condition that it is, and what is written.
    pub accesses: Vec<(EventId, TermId)>,
    /// The thread's memory here, which knows what it holds.
    pub memory: Memory,
}

/// Kinds of rests, as [`RestKind`] has them.
pub(super) enum Kind {
    /// Locks that are waited for.
    Wait(Vec<Lock>),
    Join(TermId),
    Spin {
        /// Number of the iteration, and its inputs.
        turn: u32,
        inputs: (usize, usize),
        /// The cut where its inputs are too many to be tried, if it has any.
        cut: Option<EventId>,
    },
    Ended,
    Created(Option<ThreadId>),
}

/// A lock that is waited for: its place, the condition that it is this one, who is in the way of those that hold it, and
/// whether it is a mutex without a model.
#[derive(Clone, Copy)]
pub(super) struct Lock {
    pub slot: Slot,
    pub offset: u64,
    pub when: TermId,
    pub of: LockHolders,
    pub plain: bool,
}

impl Kind {
    /// True if a thread that stays here is blocked.
    pub fn is_blocked(&self) -> bool {
        !matches!(self, Kind::Ended | Kind::Created(_))
    }
}
