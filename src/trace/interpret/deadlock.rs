//! Deadlocks: the states in which threads are blocked for ever.
//!
//! - *Cycle*: a set of threads, each at a mutex, another lock or a join that only members of the set, or threads that have ended
//!   holding it, could release. Others may run on.
//! - *Final*: nobody runs: every thread has ended or is blocked, and not all have ended. All stores have reached memory.
//! - *Spin*: the same, but some threads spin (`spin.rs`).
//!
//! In each of them, the process lives: no thread has ended it. A thread that stopped for another reason (an assumption, a bound,
//! undefined behaviour) leaves it open what it would have done, so that nothing is final. Every thread stands before a step, as far
//! as local code leads.

use super::Effect;
use super::spin::{Loop, Together};
use super::stand::{Cause, Question, Stand, holders};
use super::state::{State, Status};
use crate::base::Loc;
use crate::event::ThreadId;
use crate::trace::deadlock::DeadlockKind;
use crate::trace::interpret::Interpreter;

/// Threads that are blocked for ever in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    pub kind: DeadlockKind,
    /// In the order of the threads.
    pub blocked: Vec<Blocked>,
}

/// A thread that is blocked for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocked {
    pub thread: ThreadId,
    pub why: Why,
}

/// Reason why a thread is blocked for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It waits where it stands; of several causes, the first.
    Waits(Cause),
    /// It spins.
    Spins(Loop),
}

impl Question<'_, '_> {
    /// The deadlocks of a state: the greatest cycle, if there is one, then what it is as a final state. `Err` says what the
    /// interpreter lacks to execute an attempt.
    pub fn deadlocks(&mut self, state: &State) -> Result<Vec<Deadlock>, Effect> {
        let stands = self.stands(state)?;
        if stands.iter().any(|(_, stand)| *stand == Stand::Exited) {
            return Ok(Vec::new());
        }
        let cycle = cycle(state, &stands);
        let end = self.final_state(state, &stands)?;
        Ok(cycle.into_iter().chain(end).collect())
    }

    fn stands(&mut self, state: &State) -> Result<Vec<(ThreadId, Stand)>, Effect> {
        let mut stands = Vec::new();
        for thread in state.thread_ids() {
            stands.push((thread, self.stand(state, thread)?));
        }
        Ok(stands)
    }

    fn final_state(
        &mut self,
        state: &State,
        stands: &[(ThreadId, Stand)],
    ) -> Result<Option<Deadlock>, Effect> {
        let is_open = |(_, stand): &(ThreadId, Stand)| *stand == Stand::Halted;
        let mut threads = state.thread_ids();
        if stands.iter().all(|(_, stand)| *stand == Stand::Ended)
            || stands.iter().any(is_open)
            || threads.any(|thread| self.interpreter.keeps_stores(state, thread))
        {
            return Ok(None);
        }
        let mut blocked = Vec::new();
        let mut waiting = Vec::new();
        let mut spinning = Vec::new();
        for (thread, stand) in stands {
            let why = match stand {
                Stand::Blocked(causes) => {
                    waiting.push((*thread, causes.as_slice()));
                    causes.first().copied().map(Why::Waits)
                }
                Stand::Moves => {
                    let Some(spin) = self.spin(state, *thread)? else {
                        return Ok(None);
                    };
                    let at = spin.at;
                    spinning.push((*thread, spin));
                    Some(Why::Spins(at))
                }
                Stand::Ended | Stand::Exited | Stand::Halted => None,
            };
            let thread = *thread;
            blocked.extend(why.map(|why| Blocked { thread, why }));
        }
        if blocked.len() > 1 {
            match self.all_spin_on(state, &waiting, &spinning)? {
                Together::Stuck => {}
                Together::Free => return Ok(None),
                Together::Heads(heads) => {
                    let stands = self.stands(&heads)?;
                    return self.final_state(&heads, &stands);
                }
            }
        }
        let kind = if spinning.is_empty() {
            DeadlockKind::Final
        } else {
            DeadlockKind::Spin
        };
        Ok(Some(Deadlock { kind, blocked }))
    }
}

/// The greatest set of threads that wait for each other, or for what a thread holds that has ended.
fn cycle(state: &State, stands: &[(ThreadId, Stand)]) -> Option<Deadlock> {
    let mut members: Vec<(ThreadId, &Vec<Cause>)> = Vec::new();
    for (thread, stand) in stands {
        if let Stand::Blocked(causes) = stand {
            members.push((*thread, causes));
        }
    }
    loop {
        let inside: Vec<ThreadId> = members.iter().map(|(thread, _)| *thread).collect();
        let never = |cause: &Cause| {
            let is_join = matches!(cause, Cause::Join { .. });
            holders(state, *cause).into_iter().any(|holder| {
                let status = state.exists(holder).then(|| state.thread(holder).status);
                let ended = matches!(status, Some(Status::Ended(_))) && !is_join;
                ended || inside.contains(&holder)
            })
        };
        members.retain(|(_, causes)| causes.iter().all(never));
        if members.len() == inside.len() {
            break;
        }
    }
    let blocked = members.iter().map(|(thread, causes)| Blocked {
        thread: *thread,
        why: Why::Waits(causes[0]),
    });
    (!members.is_empty()).then(|| Deadlock {
        kind: DeadlockKind::Cycle,
        blocked: blocked.collect(),
    })
}

impl Interpreter<'_> {
    /// Place at which a thread is blocked for ever, and those of the calls that led there, outermost first.
    pub fn place_of_blocked(&self, state: &State, blocked: &Blocked) -> (Loc, Vec<Loc>) {
        match blocked.why {
            Why::Spins(at) => self.place_of_loop(state, blocked.thread, at),
            Why::Waits(_) => {
                let (_, loc) = self.next(state, blocked.thread);
                self.place_of(state, blocked.thread, loc)
            }
        }
    }
}
