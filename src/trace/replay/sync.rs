//! Operations of the library that synchronise, in traces: who begins to wait for a condition variable, who goes on, and whom a signal wakes;
//! read-write locks that are taken and released; values of semaphores.
//!
//! Waiters of a condition variable are known where deadlocks are asked for, by the library's notes (`library/models/condition.c`). Elsewhere,
//! waiting is unlocking and locking, and a signal is nothing.

use super::{Purpose, Replay};
use crate::event::ThreadId;
use crate::ir::ty::Reading;
use crate::ir::{Callee, InstrKind, Note, Operand, Origin};
use crate::trace::Action;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::word::Word;

/// Bits of the note on who waits.
const THREADS: u32 = 32;
/// Instructions behind a choice among which it is used.
const NEAR: usize = 4;

/// Operation of the library on a condition variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Join,
    Leave,
    Signal,
    Broadcast,
}

impl Operation {
    fn of(name: &str) -> Option<Operation> {
        Some(match name {
            "__selvedge_condition_join" => Operation::Join,
            "__selvedge_condition_leave" => Operation::Leave,
            "__selvedge_condition_signal" => Operation::Signal,
            "__selvedge_condition_broadcast" => Operation::Broadcast,
            _ => return None,
        })
    }
}

impl Replay<'_, '_> {
    /// Effect of an operation on a condition variable that is about to leave its atomic section; of one that enters it, takes note of who
    /// waits.
    pub(super) fn condition(&mut self, thread: ThreadId, next: Next) -> Option<Action> {
        let (Purpose::Show, Next::Instr(instr)) = (self.purpose, next) else {
            return None;
        };
        if !matches!(instr, InstrKind::AtomicBegin { .. } | InstrKind::AtomicEnd) {
            return None;
        }
        let frame = self.state.frame(thread);
        let function = self.interpreter.function(frame);
        let operation = Operation::of(&function.name)?;
        let object = frame.word(*function.params.first()?);
        let address = self.interpreter.known(&self.state, object)? as u64;
        let now = self.state.note(address, Note::Waiters, thread);
        if matches!(instr, InstrKind::AtomicBegin { .. }) {
            self.waiting.insert(thread, now);
            return None;
        }
        let before = self.waiting.remove(&thread)?;
        let place = self.lock_name(address);
        let waits = |id: u32| before >> id & 1 == 1;
        let woken = |id: &ThreadId| waits(id.0) && now >> id.0 & 1 == 0;
        Some(match operation {
            Operation::Join => Action::Await { place },
            // Whom a signal has taken out of the waiters is none of them any more.
            Operation::Leave => Action::Awake {
                place,
                signalled: thread.0 < THREADS && !waits(thread.0),
            },
            Operation::Signal | Operation::Broadcast => Action::Signal {
                place,
                all: operation == Operation::Broadcast,
                woken: (0..THREADS).map(ThreadId).filter(woken).collect(),
            },
        })
    }

    /// What a store in an operation of the library says of the object that the operation is about, which starts at its address: a
    /// read-write lock is taken or released, a semaphore has another value.
    pub(super) fn object_changed(
        &self,
        thread: ThreadId,
        (address, bits): (u64, u16),
        value: Word,
    ) -> Option<Action> {
        let frame = self.state.frame(thread);
        let function = self.interpreter.function(frame);
        if !matches!(function.origin, Origin::Model { .. }) {
            return None;
        }
        let name = function.name.as_str();
        let is_known = matches!(
            name,
            "__selvedge_take" | "sem_post" | "pthread_rwlock_unlock"
        ) || name.starts_with("__selvedge_rwlock_");
        let object = is_known.then(|| function.params.first()).flatten();
        let object = self.interpreter.known(&self.state, frame.word(*object?))?;
        if object != u128::from(address) {
            return None;
        }
        let place = self.lock_name(address);
        Some(match name {
            "__selvedge_take" | "sem_post" => Action::Write {
                place,
                value: self.shown(value, bits, Reading::Signed),
            },
            "pthread_rwlock_unlock" => Action::Unlock { place },
            _ => Action::Lock { place },
        })
    }

    /// True if a choice that a thread has just made is whether it stops waiting by itself, which shows in what it does.
    pub(super) fn chooses_to_wake(&self, thread: ThreadId, next: Next) -> bool {
        let Next::Instr(InstrKind::Nondet { dst, .. }) = next else {
            return false;
        };
        let frame = self.state.frame(thread);
        let block = &self.interpreter.function(frame).blocks[frame.block];
        let behind = block.instrs.iter().skip(frame.index).take(NEAR);
        let functions = &self.interpreter.program.functions;
        behind.into_iter().any(|instr| match &instr.kind {
            InstrKind::Wait { cond, .. } => *cond == Operand::Reg(*dst),
            InstrKind::Call {
                callee: Callee::Direct(function),
                ..
            } => Operation::of(&functions[*function].name) == Some(Operation::Leave),
            _ => false,
        })
    }
}
