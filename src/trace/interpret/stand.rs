//! What a thread waits for in a state: the step before which it stands is tried, with every choice that it can make.
//!
//! The step is an instruction, or an atomic section as a whole with the local code in it. Only if every attempt ends at a
//! mutex, a join or a wait, the thread is blocked: one that an assumption stops for some choice is not.

use super::digest::Digests;
use super::lookup::Next;
use super::script::{Domain, Script};
use super::state::{State, Status};
use super::{Effect, Interpreter};
use crate::event::ThreadId;
use crate::ir::{AwaitedLock, InstrKind, LockHolders, Note, Terminator};

/// Instructions of one step.
const INSTRUCTIONS: usize = 100_000;

/// The question who is blocked for ever, with what it takes to answer it.
pub struct Question<'q, 'p> {
    pub interpreter: &'q mut Interpreter<'p>,
    pub digests: &'q mut Digests<'p>,
    /// Values that are tried for each choice.
    pub domain: Domain<'q>,
}

/// What a thread waits for where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A mutex that is held.
    Mutex { address: u64 },
    /// Another lock, by the notes on who holds it; `of` as in [`AwaitedLock`].
    Lock { address: u64, of: LockHolders },
    /// The end of a thread; `None` if there is no such thread.
    Join { thread: Option<ThreadId> },
    /// Anything else.
    Wait,
}

/// Stand of a thread in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stand {
    Ended,
    /// It has ended the process.
    Exited,
    /// It takes no further step, for another reason.
    Halted,
    /// It is blocked, whatever it chooses. Choices may lead to different causes.
    Blocked(Vec<Cause>),
    /// It can take a step.
    Moves,
}

impl Question<'_, '_> {
    /// Stand of a thread that is before a step.
    pub fn stand(&mut self, state: &State, thread: ThreadId) -> Result<Stand, Effect> {
        match state.thread(thread).status {
            Status::Ended(_) => return Ok(Stand::Ended),
            Status::Exited => return Ok(Stand::Exited),
            Status::Stopped | Status::NeverRuns => return Ok(Stand::Halted),
            Status::Running => {}
        }
        let in_section = state.thread(thread).section > 0;
        match self.interpreter.next(state, thread).0 {
            Next::Instr(
                InstrKind::Lock { .. }
                | InstrKind::Join { .. }
                | InstrKind::Wait { .. }
                | InstrKind::AtomicBegin { .. },
            ) => {}
            _ if in_section => {}
            _ => return Ok(Stand::Moves),
        }
        let mut script = Script::new(self.domain);
        let mut causes = Vec::new();
        loop {
            match self.attempt(state.clone(), thread, &mut script)? {
                Some(cause) if !causes.contains(&cause) => causes.push(cause),
                Some(_) => {}
                None => return Ok(Stand::Moves),
            }
            if !script.advance() {
                return Ok(Stand::Blocked(causes));
            }
        }
    }

    /// One attempt of a step: what it ends at, if it blocks.
    fn attempt(
        &mut self,
        mut state: State,
        thread: ThreadId,
        script: &mut Script,
    ) -> Result<Option<Cause>, Effect> {
        for _ in 0..INSTRUCTIONS {
            let cause = self.awaited(&state, thread);
            let digests = &mut *self.digests;
            match digests.execute(self.interpreter, &mut state, thread, script) {
                Effect::Blocked => return Ok(cause),
                effect @ (Effect::Misplaced(_) | Effect::Unwatched(_)) => return Err(effect),
                _ => {}
            }
            let thread = state.thread(thread);
            if thread.status != Status::Running || thread.section == 0 {
                return Ok(None);
            }
        }
        self.domain.give_up();
        Ok(None)
    }

    /// What the next instruction of a thread would wait for.
    fn awaited(&mut self, state: &State, thread: ThreadId) -> Option<Cause> {
        let Next::Instr(instr) = self.interpreter.next(state, thread).0 else {
            return None;
        };
        let mut address = |operand| {
            let word = self.interpreter.word(state, thread, operand);
            self.interpreter.known(state, word).unwrap_or(word.value) as u64
        };
        Some(match instr {
            InstrKind::Lock { addr } => Cause::Mutex {
                address: address(*addr),
            },
            InstrKind::Wait {
                lock: Some(AwaitedLock { addr, of }),
                ..
            } => Cause::Lock {
                address: address(*addr),
                of: *of,
            },
            InstrKind::Wait { lock: None, .. } => Cause::Wait,
            InstrKind::Join { thread: joined, .. } => {
                let joined = self.interpreter.value(state, thread, *joined);
                let joined = u32::try_from(joined).ok().map(ThreadId);
                Cause::Join {
                    thread: joined.filter(|id| state.exists(*id)),
                }
            }
            _ => return None,
        })
    }
}

impl Interpreter<'_> {
    /// Stops that the question needs beside those before visible steps: true if a thread may be blocked for ever here, by a mutex
    /// that nobody else has or in a loop of local code, or is about to end the process.
    pub fn matters_for_deadlocks(&self, state: &State, thread: ThreadId) -> bool {
        match self.next(state, thread).0 {
            Next::Instr(InstrKind::Lock { .. }) | Next::End(Terminator::Stop) => return true,
            _ => {}
        }
        let frame = state.frame(thread);
        frame.index == 0
            && self.facts.loops[frame.function].is_head(frame.block)
            && frame.iterations.last().is_some_and(|number| *number > 0)
    }
}

/// Threads one of which has to act before a thread can go on that waits for something; none if that is not known.
pub fn holders(state: &State, cause: Cause) -> Vec<ThreadId> {
    match cause {
        Cause::Mutex { address } => {
            let owner = state.mutexes.get(&address);
            let owner = owner.and_then(|owner| u32::try_from(owner.checked_sub(1)?).ok());
            owner.into_iter().map(ThreadId).collect()
        }
        Cause::Lock { address, of } => {
            let notes = state.notes.iter();
            let own = notes.filter(|((at, what, _), times)| {
                *at == address && *what == Note::Own && **times >= of.least()
            });
            own.map(|((_, _, thread), _)| ThreadId(*thread)).collect()
        }
        Cause::Join { thread } => thread.into_iter().collect(),
        Cause::Wait => Vec::new(),
    }
}
