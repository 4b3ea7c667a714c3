//! Rests: places where a thread may stand for good, for the question whether threads are blocked for ever.
//!
//! A rest stands before a step that waits, behind an iteration of a loop that changes nothing, behind the end of a thread, and behind
//! a creation. It says of its thread alone what is known there; which threads wait for each other, and whether all do, is put together
//! from all rests (`question/deadlock.rs`).

use super::ThreadId;
use crate::ids;
use crate::term::TermId;

ids! {
    /// A lock that some thread waits for and that has owners.
    LockId;
}

/// A rest. Its event's guard says that the thread comes here.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Kind of the place.
    pub kind: RestKind,
    /// Width 1: the thread does not go on. Of a step that waits it is over what the step reads, as far as it comes: while that does not
    /// happen, nothing ties these values.
    pub stays: TermId,
    /// Width 1: what the step, or the iteration, reads is what memory holds in the end
    /// ([`EventProgram::last`](super::EventProgram::last)).
    pub settled: TermId,
    /// Locks that the thread holds here, if somebody waits for them.
    pub holds: Vec<Hold>,
}

/// Kinds of rests.
#[derive(Clone, Debug)]
pub enum RestKind {
    /// Before a step that waits; for these locks, each where its condition holds, or for something else.
    Wait(Vec<Awaited>),
    /// Before the join of one of these threads, each where its condition holds.
    Join(Vec<(ThreadId, TermId)>),
    /// Behind an iteration that changes nothing, of a loop that begins another one. In between it gives back these locks, each where
    /// its condition holds.
    Spin(Vec<(LockId, TermId)>),
    /// Behind the end of the thread.
    Ended,
    /// Behind the creation of a thread.
    Created(ThreadId),
}

/// A lock that is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awaited {
    /// The lock.
    pub lock: LockId,
    /// Width 1: it is this one.
    pub when: TermId,
    /// Who shares it is not in the way.
    pub shared: bool,
}

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: LockId,
    /// Width 1: the thread holds it.
    pub held: TermId,
    /// Width 1: nobody can share it.
    pub alone: TermId,
}

impl RestKind {
    /// True if a thread that stays here is blocked.
    pub fn is_blocked(&self) -> bool {
        matches!(
            self,
            RestKind::Wait(_) | RestKind::Join(_) | RestKind::Spin(_)
        )
    }

    /// One word.
    pub fn name(&self) -> &'static str {
        match self {
            RestKind::Wait(_) => "waits",
            RestKind::Join(_) => "joins",
            RestKind::Spin(_) => "spins",
            RestKind::Ended => "ended",
            RestKind::Created(_) => "created",
        }
    }
}

impl Rest {
    /// Its terms, to look at.
    pub fn terms(&self) -> Vec<TermId> {
        let mut copy = self.clone();
        let mut all = Vec::new();
        copy.for_terms(|t| all.push(*t));
        all
    }

    /// Its terms, to change.
    pub fn for_terms(&mut self, mut each: impl FnMut(&mut TermId)) {
        each(&mut self.stays);
        each(&mut self.settled);
        match &mut self.kind {
            RestKind::Wait(locks) => locks.iter_mut().for_each(|one| each(&mut one.when)),
            RestKind::Join(targets) => targets.iter_mut().for_each(|one| each(&mut one.1)),
            RestKind::Spin(opens) => opens.iter_mut().for_each(|one| each(&mut one.1)),
            RestKind::Ended | RestKind::Created(_) => {}
        }
        for hold in &mut self.holds {
            each(&mut hold.held);
            each(&mut hold.alone);
        }
    }
}
