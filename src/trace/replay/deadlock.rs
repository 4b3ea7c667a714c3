//! The end of a schedule that shows a deadlock: every thread stands where its local code leads, and the one of the last step is
//! blocked there for ever.

use super::record::Ending;
use super::{Divergence, Reason, Replay};
use crate::event::ThreadId;
use crate::ir::position::PosKey;
use crate::ir::{InstrKind, Origin, Property, Terminator};
use crate::trace::deadlock::{Awaited, AwaitedKind, Deadlock, Holder, Waiter};
use crate::trace::interpret::deadlock::{self, Blocked, Why};
use crate::trace::interpret::digest::Digests;
use crate::trace::interpret::lookup::Next;
use crate::trace::interpret::script::Domain;
use crate::trace::interpret::spin::may_change;
use crate::trace::interpret::stand::{Cause, Question, Stand, holders};
use crate::trace::interpret::state::{State, Status};
use crate::trace::interpret::word::Word;
use crate::trace::interpret::{Effect, Interpreter};
use crate::trace::{Action, Move, TraceStep};

/// Instructions that a thread may execute behind its last step.
const INSTRUCTIONS: usize = 1_000_000;

/// Values that are tried for each choice of a thread that may be blocked.
const DOMAIN: Domain = Domain::Some {
    inputs: &[0, 1, -1, 2, 3, 4],
    uninitialised: &[0, 1],
};

impl<'p> Replay<'p, '_> {
    /// True if this is the last step of a schedule that ends with a deadlock: the thread does not get beyond it.
    pub(super) fn is_deadlock(&self, step: &Move) -> bool {
        let is_last = self.step + 1 == self.schedule.steps.len();
        is_last && self.schedule.violation == Property::Deadlock && matches!(step, Move::Step(..))
    }

    /// Brings all threads to where they stand, and looks whether this one is blocked there for ever.
    pub(super) fn deadlock(
        &mut self,
        thread: ThreadId,
        position: PosKey,
    ) -> Result<(), Divergence> {
        if let Some(inside) = self.inside
            && self.leave_section(inside)?
        {
            return Err(self.diverged(inside, Reason::NoViolation));
        }
        if !self.state.exists(thread) {
            return Err(self.diverged(thread, Reason::NotRunning));
        }
        let mut digests = Digests::new(self.interpreter.program);
        let blocked = &self.schedule.blocked;
        let stands = |id: &ThreadId| blocked.is_empty() || blocked.contains(id);
        let threads: Vec<ThreadId> = self.state.thread_ids().filter(stands).collect();
        // A schedule may leave out last steps that only look.
        for looks in [false, true] {
            for id in &threads {
                let until = (*id == thread).then_some(position);
                for _ in 0..self.local_instructions(*id, (until, looks), &mut digests) {
                    self.instruction(*id)?;
                }
            }
            if self.judge_deadlock(thread, &mut digests)? {
                return Ok(());
            }
        }
        Err(self.diverged(thread, Reason::NoViolation))
    }

    /// Looks whether a thread is blocked for ever where all stand, and shows it; false if it is not.
    pub(super) fn judge_deadlock(
        &mut self,
        thread: ThreadId,
        digests: &mut Digests<'p>,
    ) -> Result<bool, Divergence> {
        let blocks = |one: &&deadlock::Deadlock| one.blocked.iter().any(|b| b.thread == thread);
        let mut question = question(&mut self.interpreter, digests);
        let said = question.deadlocks(&self.state);
        let found = said.map_err(|_| self.diverged(thread, Reason::NoViolation))?;
        let Some(own) = found.iter().find(blocks) else {
            return Ok(false);
        };
        // Those who are blocked besides, where nobody runs, belong to it.
        let all = found.iter().filter(blocks).max_by_key(|d| d.blocked.len());
        let waiters = all.unwrap_or(own).blocked.iter();
        let deadlock = Deadlock {
            kind: own.kind,
            waiters: waiters.map(|blocked| self.waiter(blocked)).collect(),
            elsewhere: Default::default(),
        };
        self.ended = Some(Ending::deadlock(thread, &deadlock.waiters));
        self.show_deadlock(thread, deadlock);
        Ok(true)
    }

    /// Number of instructions that lead a thread to where it stands: before a step that the encoding knows, before one that blocks,
    /// before the end of the process or of what is defined, in a loop that it never leaves, or at this position. If it `looks`, it goes
    /// on where a step that the encoding knows changes nothing.
    fn local_instructions(
        &mut self,
        thread: ThreadId,
        (until, looks): (Option<PosKey>, bool),
        digests: &mut Digests<'p>,
    ) -> usize {
        let mut state = self.state.clone();
        let mut choices = self.choices.aside();
        // Within a section, it stands before it; a section that comes to its end is passed.
        let mut stands = 0;
        for count in 0..INSTRUCTIONS {
            let now = state.thread(thread);
            if now.status != Status::Running {
                // What stops a thread is left out.
                let ended = matches!(now.status, Status::Ended(_));
                return if ended { count } else { stands };
            }
            let position = state.frame(thread).position();
            let is_open = now.section > 0;
            if !is_open {
                stands = count;
                if until == Some(position) || self.stays(&state, thread, digests) {
                    return stands;
                }
            }
            let is_kept = self.schedule.kept[thread.0 as usize].contains(&position);
            if is_kept && !looks {
                return stands;
            }
            self.interpreter.needs_values = false;
            let next = self.interpreter.next(&state, thread).0;
            let is_fence = matches!(next, Next::Instr(InstrKind::Fence { .. }));
            let orders_nothing = is_fence && state.thread(thread).buffer.is_empty();
            let effect = self.interpreter.execute(&mut state, thread, &mut choices);
            match effect {
                Effect::Blocked | Effect::Misplaced(_) | Effect::Unwatched(_) => return stands,
                _ if is_kept && !orders_nothing && may_change(next, &effect) => return stands,
                _ => {}
            }
        }
        stands
    }

    /// True if a thread goes no further from here without others, or ends the process.
    fn stays(&mut self, state: &State, thread: ThreadId, digests: &mut Digests<'p>) -> bool {
        let next = self.interpreter.next(state, thread).0;
        if let Next::End(Terminator::Stop) = next {
            return true;
        }
        let number = state.frame(thread).iterations.last().copied();
        let matters = self.interpreter.matters_for_deadlocks(state, thread);
        let is_lock = matches!(next, Next::Instr(InstrKind::Lock { .. }));
        let mut question = question(&mut self.interpreter, digests);
        if let Ok(Stand::Blocked(_)) = question.stand(state, thread) {
            return true;
        }
        // At the head of a loop; it is asked now and then whether it goes on for ever.
        let is_asked = matters && !is_lock && number.is_some_and(u32::is_power_of_two);
        is_asked && matches!(question.spin(state, thread), Ok(Some(_)))
    }

    fn waiter(&mut self, blocked: &Blocked) -> Waiter {
        let thread = blocked.thread;
        let (loc, calls) = self.interpreter.place_of_blocked(&self.state, blocked);
        let frame = &self.state.thread(thread).frames[calls.len()];
        let function = self.interpreter.function(frame).name.clone();
        let awaited = match blocked.why {
            Why::Spins(_) => Awaited {
                kind: AwaitedKind::Loop,
                name: String::new(),
                holders: Vec::new(),
            },
            Why::Waits(cause) => self.awaited(thread, cause),
        };
        Waiter {
            thread,
            loc,
            calls,
            function,
            awaited,
        }
    }

    /// What a thread waits for that stands before a step that blocks.
    fn awaited(&mut self, thread: ThreadId, cause: Cause) -> Awaited {
        let operation = self.operation(thread);
        let (name, object) = operation.unwrap_or_default();
        let kind = match cause {
            Cause::Join { .. } => AwaitedKind::Thread,
            Cause::Mutex { .. } => AwaitedKind::Mutex,
            Cause::Lock { .. } | Cause::Wait => kind_of(&name),
        };
        let address = match cause {
            Cause::Mutex { address } => Some(address),
            // Within the object, a lock may be one of several.
            Cause::Lock { address, .. } => Some(object.unwrap_or(address)),
            Cause::Wait => object,
            Cause::Join { .. } => None,
        };
        let name = match address {
            Some(address) if kind != AwaitedKind::Thread => self.lock_name(address),
            _ => String::new(),
        };
        let mut holding = holders(&self.state, cause);
        if kind == AwaitedKind::Thread && holding.is_empty() {
            let joined = object.and_then(|number| u32::try_from(number).ok());
            let joined = joined.map(ThreadId).filter(|id| self.state.exists(*id));
            holding.extend(joined);
        }
        let taken = match cause {
            Cause::Mutex { address } | Cause::Lock { address, .. } => Some(address),
            _ => None,
        };
        let holder = |holder: ThreadId| Holder {
            thread: holder,
            since: self
                .taken
                .iter()
                .find(|lock| lock.thread == holder && Some(lock.address) == taken)
                .map(|lock| lock.since),
            ended: self.state.exists(holder)
                && matches!(self.state.thread(holder).status, Status::Ended(_)),
        };
        Awaited {
            kind,
            name,
            holders: holding.into_iter().map(holder).collect(),
        }
    }

    /// Name of the library's operation that a thread is in, and its first argument as an address, or as a number.
    fn operation(&self, thread: ThreadId) -> Option<(String, Option<u64>)> {
        let frames = &self.state.thread(thread).frames;
        let is_model = |frame: &&_| {
            let origin = self.interpreter.function(frame).origin;
            matches!(origin, Origin::Model { .. })
        };
        let frame = frames.iter().rev().take_while(is_model).last()?;
        let function = self.interpreter.function(frame);
        let word: Option<Word> = function.params.first().map(|param| frame.word(*param));
        let address = word.and_then(|word| self.interpreter.known(&self.state, word));
        let number = address.or(word.map(|word| word.value));
        let number = number.and_then(|number| u64::try_from(number).ok());
        Some((function.name.clone(), number))
    }

    fn show_deadlock(&mut self, thread: ThreadId, deadlock: Deadlock) {
        let (last, others): (Vec<&Waiter>, Vec<&Waiter>) = deadlock
            .waiters
            .iter()
            .partition(|one| one.thread == thread);
        let step = |one: &Waiter, action| TraceStep {
            thread: one.thread,
            loc: one.loc,
            calls: one.calls.clone(),
            function: one.function.clone(),
            atomic: false,
            action,
        };
        let mut steps = Vec::new();
        for waiter in others.into_iter().chain(last.iter().copied()) {
            let awaited = waiter.awaited.clone();
            steps.push(step(waiter, Action::Blocked { awaited }));
        }
        for waiter in last {
            let action = Action::Violation {
                property: Property::Deadlock,
                access: None,
                lost: None,
                race: None,
                deadlock: Some(Box::new(deadlock.clone())),
            };
            steps.push(step(waiter, action));
        }
        self.trace.steps.extend(steps);
    }
}

/// The question, with values for choices that nobody has made.
fn question<'q, 'p>(
    interpreter: &'q mut Interpreter<'p>,
    digests: &'q mut Digests<'p>,
) -> Question<'q, 'p> {
    Question {
        interpreter,
        digests,
        domain: DOMAIN,
    }
}

/// Kind of the object that an operation of the library waits for.
fn kind_of(operation: &str) -> AwaitedKind {
    let names = [
        ("rwlock", AwaitedKind::ReadWriteLock),
        ("cond", AwaitedKind::Condition),
        ("cnd", AwaitedKind::Condition),
        ("barrier", AwaitedKind::Barrier),
        ("sem_", AwaitedKind::Semaphore),
        ("once", AwaitedKind::Once),
        ("mutex", AwaitedKind::Mutex),
        ("mtx", AwaitedKind::Mutex),
        ("robust", AwaitedKind::Mutex),
        ("spin", AwaitedKind::Mutex),
        ("await_end", AwaitedKind::Thread),
        ("join", AwaitedKind::Thread),
    ];
    // "__selvedge_condition_join" is about a condition.
    let found = names.iter().find(|(part, _)| operation.contains(part));
    found.map_or(AwaitedKind::Other, |(_, kind)| *kind)
}
