//! The end of a schedule that shows a data race: two threads, each of which stands before its access.

use super::record::Ending;
use super::{Divergence, LOCAL_INSTRUCTIONS, Reason, Replay, Taken};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, Note, Origin, Property, Terminator};
use crate::trace::interpret::Effect;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::race::Attempt;
use crate::trace::interpret::state::Status;
use crate::trace::name::Named;
use crate::trace::race::{Attempted, LockHeld, Race, Side};
use crate::trace::{Action, Move, TraceStep};

impl Replay<'_, '_> {
    /// True if this is the last step of a schedule that ends with a data race: its access is not executed.
    pub(super) fn is_race(&self, step: &Move) -> bool {
        let is_last = self.step + 1 == self.schedule.steps.len();
        is_last && self.schedule.violation == Property::Race && matches!(step, Move::Step(..))
    }

    /// Brings both threads to their accesses, and looks whether these race. Nobody need leave an atomic section for that.
    pub(super) fn race(&mut self, thread: ThreadId, position: PosKey) -> Result<(), Divergence> {
        let Some((rival, there)) = self.schedule.rival.filter(|(rival, _)| *rival != thread) else {
            return Err(self.diverged(thread, Reason::NoRace));
        };
        self.approach(rival, there)?;
        self.approach(thread, position)?;
        self.judge_race(thread, rival)
    }

    /// Looks whether the accesses race before which two threads stand, and shows it.
    pub(super) fn judge_race(
        &mut self,
        thread: ThreadId,
        rival: ThreadId,
    ) -> Result<(), Divergence> {
        let mine = self.interpreter.attempts(&self.state, thread);
        let others = self.interpreter.attempts(&self.state, rival);
        let pairs = mine
            .iter()
            .flat_map(|one| others.iter().map(move |other| (one, other)));
        let Some((own, other)) = pairs.into_iter().find(|(one, other)| one.conflicts(other)) else {
            return Err(self.diverged(thread, Reason::NoRace));
        };
        for (who, access) in [(thread, own), (rival, other)] {
            self.note_bytes(who, (access.address, access.bytes), access.write);
        }
        let (own, other) = (self.side(thread, own), self.side(rival, other));
        for side in [&other, &own] {
            let action = Action::Attempt {
                place: side.place.clone(),
                access: side.action,
                value: side.value.clone(),
            };
            self.show_side(side, action);
        }
        let action = Action::Violation {
            property: Property::Race,
            access: None,
            lost: None,
            race: Some(Box::new(Race::of(own.clone(), other.clone()))),
            deadlock: None,
        };
        self.show_side(&own, action);
        self.ended = Some(Ending::race(&own, &other));
        Ok(())
    }

    /// Runs a thread through local code to a position, where it stops.
    fn approach(&mut self, thread: ThreadId, position: PosKey) -> Result<(), Divergence> {
        let mut budget = LOCAL_INSTRUCTIONS;
        loop {
            let stands = self.state.exists(thread)
                && self.state.thread(thread).status == Status::Running
                && self.state.frame(thread).position() == position;
            if stands {
                return Ok(());
            }
            if self.advance(thread, position, &mut budget)?.1 {
                return Err(self.diverged(thread, Reason::NoRace));
            }
        }
    }

    /// What there is to say of the access before which a thread stands.
    fn side(&mut self, thread: ThreadId, attempt: &Attempt) -> Side {
        let (next, loc) = self.interpreter.next(&self.state, thread);
        let (loc, calls, function) = self.place(thread, loc);
        let action = match next {
            Next::Instr(InstrKind::Free { .. }) => Attempted::Free,
            Next::Instr(InstrKind::Rmw { .. } | InstrKind::CmpXchg { .. }) => Attempted::Update,
            _ if attempt.write => Attempted::Write,
            _ => Attempted::Read,
        };
        self.note_views(thread, next);
        // Tried on a copy, the instruction shows its value.
        let mut copy = self.state.clone();
        let effect = self
            .interpreter
            .execute(&mut copy, thread, &mut self.choices);
        let seen = match effect {
            Effect::Read { bits, value, .. } | Effect::Write { bits, value, .. } => {
                Some((bits, value))
            }
            Effect::Update { bits, new, .. } => Some((bits, new)),
            _ => None,
        };
        let seen = seen.filter(|(bits, _)| u64::from(bits.div_ceil(8)) == attempt.bytes);
        // What is no scalar has the name of its begin.
        let bits = seen.map_or(0, |(bits, _)| bits);
        let Named { place, reading } = self.name(attempt.address, bits);
        Side {
            thread,
            loc,
            calls,
            function,
            action,
            place,
            bytes: attempt.bytes,
            value: seen.map(|(bits, word)| self.shown(word, bits, reading)),
            atomic: attempt.atomic,
            section: attempt.section,
            locks: self.locks_of(thread),
        }
    }

    fn show_side(&mut self, side: &Side, action: Action) {
        self.trace.steps.push(TraceStep {
            thread: side.thread,
            loc: side.loc,
            calls: side.calls.clone(),
            function: side.function.clone(),
            atomic: side.section,
            action,
        });
    }

    fn locks_of(&self, thread: ThreadId) -> Vec<LockHeld> {
        let mine = self.taken.iter().filter(|lock| lock.thread == thread);
        let named = mine.map(|lock| LockHeld {
            name: self.lock_name(lock.address),
            since: lock.since,
        });
        named.collect()
    }

    /// Takes note of locks that an instruction has taken or released: mutexes, and others where their model `returns` that it
    /// succeeded, or the note on who `owns` them says so.
    pub(super) fn note_locks(
        &mut self,
        thread: ThreadId,
        (effect, since): (&Effect, Loc),
        returns: Option<(bool, u64)>,
        owns: Option<(bool, u64)>,
    ) {
        let (takes, address) = match (effect, returns.or(owns)) {
            (
                Effect::Lock { address }
                | Effect::TryLock {
                    address,
                    taken: true,
                },
                _,
            ) => (true, *address),
            (Effect::Unlock { address }, _) => (false, *address),
            (_, Some((takes, address))) => (takes, address),
            _ => return,
        };
        let is_it = |lock: &Taken| lock.thread == thread && lock.address == address;
        // A note says of a mutex what its operation has said. What a model returns is said once each time, and a thread may hold
        // a read-write lock several times.
        let again = returns.is_none() && self.taken.iter().any(is_it);
        if takes && again {
            return;
        }
        if takes {
            self.taken.push(Taken {
                thread,
                address,
                since,
            });
            return;
        }
        if let Some(index) = self.taken.iter().rposition(is_it) {
            self.taken.remove(index);
        }
    }

    /// Lock that a thread is about to hold, or no longer to hold, if it changes the note that says so.
    pub(super) fn owning(&mut self, thread: ThreadId, next: Next) -> Option<(bool, u64)> {
        let Next::Instr(InstrKind::SetNote {
            addr,
            what: Note::Own,
            value,
        }) = next
        else {
            return None;
        };
        let lock = self.interpreter.word(&self.state, thread, *addr);
        let address = self.interpreter.known(&self.state, lock)?;
        let times = self.interpreter.value(&self.state, thread, *value);
        Some((times > 0, address as u64))
    }

    /// Read-write lock that a thread has taken, or has released, if it is about to return from an operation that succeeded.
    pub(super) fn returning(&mut self, thread: ThreadId) -> Option<(bool, u64)> {
        if self.interpreter.program.deadlocks {
            return None;
        }
        let (Next::End(Terminator::Return(Some(result))), _) =
            self.interpreter.next(&self.state, thread)
        else {
            return None;
        };
        let frame = self.state.frame(thread);
        let function = self.interpreter.function(frame);
        let is_model = matches!(function.origin, Origin::Model { .. });
        let operation = function.name.strip_prefix("pthread_rwlock_")?;
        let takes = operation.ends_with("lock") && operation != "unlock";
        if !is_model || !takes && operation != "unlock" {
            return None;
        }
        let lock = frame.word(*function.params.first()?);
        let address = self.interpreter.known(&self.state, lock)?;
        let failed = self.interpreter.word(&self.state, thread, *result).value != 0;
        (!failed).then_some((takes, address as u64))
    }
}
