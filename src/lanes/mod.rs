//! Lanes: several ways to one answer, each on a thread of its own; the first answer wins and ends the others.
//!
//! The first lane begins at once. Each other one joins in when those before it have had a head start of processor time, so
//! that what is easy is decided by one thread and in the same way each time, or when a lane that it follows has ended without
//! an answer; and in any case not before there is a place for it ([`Lanes::at_once`]). With one place, lanes run one after
//! the other in their order, each until it ends or has spent its slice ([`Lane::slice`]).
//!
//! Losers are told to stop and not waited for. An error of any lane is the error of the run: one that has found the
//! program contradicting itself is not to be hidden by the speed of another. A lane that gives up leaves the answer to
//! the others.

#![cfg_attr(
    not(feature = "internals"),
    allow(dead_code, reason = "some rules are for lanes that are to come")
)]

#[cfg(test)]
mod tests;

use crate::base::Budget;
use crate::base::budget::process_cpu_time;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at the head starts.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Stack of a lane: terms and formulas nest less deep than programs.
const STACK_BYTES: usize = 256 << 20;

/// Work of a lane, under a budget of its own, which also ends where that of the run does.
pub type Body<T, E> = Box<dyn FnOnce(&Budget) -> Result<T, E> + Send>;

/// One way to the answer.
pub struct Lane<T, E> {
    name: &'static str,
    start: Start,
    memory_percent: u8,
    slice: Option<Duration>,
    body: Body<T, E>,
}

/// Start condition of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// This process has used so much processor time since the run began. Nobody waits for that where no lane runs: then
    /// the run is over.
    After(Duration),
    /// The lane of this name has ended without an answer.
    Behind(&'static str),
}

impl<T, E> Lane<T, E> {
    /// A lane that begins at once and may use all that the run may.
    pub fn new(
        name: &'static str,
        body: impl FnOnce(&Budget) -> Result<T, E> + Send + 'static,
    ) -> Lane<T, E> {
        Lane {
            name,
            start: Start::After(Duration::ZERO),
            memory_percent: 100,
            slice: None,
            body: Box::new(body),
        }
    }

    /// The lane with a start condition. (The first one of a run has none.)
    #[must_use]
    pub fn start(self, start: Start) -> Lane<T, E> {
        Lane { start, ..self }
    }

    /// The lane with a share of the memory: it gives up when the process holds more than so many percent of what the run
    /// may. If all lanes together need too much, those with more have the rest.
    #[must_use]
    pub fn memory_percent(self, memory_percent: u8) -> Lane<T, E> {
        Lane {
            memory_percent,
            ..self
        }
    }

    /// The lane with a slice of time: it gives up when the process has used so much processor time since the lane began.
    #[must_use]
    pub fn slice(self, slice: Duration) -> Lane<T, E> {
        Lane {
            slice: Some(slice),
            ..self
        }
    }

    /// The part of the run's budget that the lane has, if it begins now.
    fn budget(&self, whole: &Budget) -> Budget {
        let mut part = whole.part();
        if let Some(bytes) = whole.memory_limit()
            && self.memory_percent < 100
        {
            let share = u128::from(bytes) * u128::from(self.memory_percent) / 100;
            part = part.with_memory_limit(u64::try_from(share).unwrap_or(bytes));
        }
        match self.slice {
            Some(slice) => part.with_cpu_limit(process_cpu_time().saturating_add(slice)),
            None => part,
        }
    }
}

/// Lanes of one run; where several may begin, those first that come first.
pub struct Lanes<T, E> {
    first: Lane<T, E>,
    others: Vec<Lane<T, E>>,
    at_once: usize,
    stack_bytes: usize,
    is_answer: fn(&T) -> bool,
}

impl<T: Send + 'static, E: Send + 'static> Lanes<T, E> {
    /// A run that begins with this lane. `is_answer` tells answers from results that a lane gives up with.
    pub fn new(first: Lane<T, E>, is_answer: fn(&T) -> bool) -> Lanes<T, E> {
        Lanes {
            first,
            others: Vec::new(),
            at_once: usize::MAX,
            stack_bytes: STACK_BYTES,
            is_answer,
        }
    }

    /// The run with one more lane, whose name no other one has.
    #[must_use]
    pub fn and(mut self, lane: Lane<T, E>) -> Lanes<T, E> {
        self.others.push(lane);
        self
    }

    /// The run with at most so many lanes at a time, and at least one; without this, all may run together.
    #[must_use]
    pub fn at_once(self, lanes: usize) -> Lanes<T, E> {
        Lanes {
            at_once: lanes.max(1),
            ..self
        }
    }

    /// The first answer. Without one, the result of the first lane.
    ///
    /// # Errors
    /// The first error of a lane. A panic of a lane is one of the run.
    pub fn run(self, budget: &Budget) -> Result<T, E> {
        let (send, receive) = channel();
        let mut run = Run {
            budget,
            begin: process_cpu_time(),
            waiting: self.others,
            running: Vec::new(),
            ended: Vec::new(),
            at_once: self.at_once,
            stack_bytes: self.stack_bytes,
            send,
            receive,
        };
        let first = self.first.name;
        run.begin(0, self.first);
        let mut given_up = None;
        loop {
            if let Some((name, result)) = run.next() {
                let result = match result {
                    Ok(result) => result?,
                    Err(panic) => {
                        drop(run);
                        resume_unwind(panic)
                    }
                };
                if (self.is_answer)(&result) {
                    return Ok(result);
                }
                if name == first {
                    given_up = Some(result);
                }
            }
            run.begin_due();
            if run.running.is_empty()
                && let Some(result) = given_up.take()
            {
                return Ok(result);
            }
        }
    }
}

/// Message of a lane at its end: its name, and its result or what it panicked with.
type Message<T, E> = (&'static str, thread::Result<Result<T, E>>);

/// State of a run. Its end tells the lanes to stop that still run.
struct Run<'a, T, E> {
    budget: &'a Budget,
    /// Processor time of this process when the run began.
    begin: Duration,
    /// Lanes that have not begun, in their order.
    waiting: Vec<Lane<T, E>>,
    /// Names of the lanes that run, and the flags that stop them.
    running: Vec<(&'static str, Arc<AtomicBool>)>,
    /// Names of the lanes that have ended.
    ended: Vec<&'static str>,
    at_once: usize,
    stack_bytes: usize,
    send: Sender<Message<T, E>>,
    receive: Receiver<Message<T, E>>,
}

impl<T, E> Drop for Run<'_, T, E> {
    fn drop(&mut self) {
        for (_, stop) in &self.running {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<T: Send + 'static, E: Send + 'static> Run<'_, T, E> {
    /// The next lane that ends; `None` after a moment without one, if another lane may become due meanwhile.
    fn next(&mut self) -> Option<Message<T, E>> {
        let counts_time = |lane: &Lane<T, E>| matches!(lane.start, Start::After(_));
        let has_place = self.running.len() < self.at_once;
        let message = if has_place && self.waiting.iter().any(counts_time) {
            self.receive.recv_timeout(LOOK_EVERY).ok()?
        } else {
            self.receive.recv().ok()?
        };
        self.running.retain(|(name, _)| *name != message.0);
        self.ended.push(message.0);
        Some(message)
    }

    /// Begins the lanes that are due while there are places, unless the run has nothing left to spend.
    fn begin_due(&mut self) {
        let used = process_cpu_time().saturating_sub(self.begin);
        while self.running.len() < self.at_once
            && let Some(place) = self.waiting.iter().position(|lane| match lane.start {
                Start::After(head_start) => used >= head_start,
                Start::Behind(name) => self.ended.contains(&name),
            })
            && self.budget.check().is_none()
        {
            let lane = self.waiting.remove(place);
            self.begin(place, lane);
        }
    }

    /// Begins a lane that has waited at a place. Where the system has no thread for it, it goes on waiting until another
    /// lane ends, or if none runs, is run by this thread.
    fn begin(&mut self, place: usize, lane: Lane<T, E>) {
        let budget = lane.budget(self.budget);
        let (name, stop, send) = (lane.name, budget.cancel(), self.send.clone());
        let run = move |body: Body<T, E>| {
            let result = catch_unwind(AssertUnwindSafe(|| body(&budget)));
            // Nobody listens to whoever comes second.
            let _ = send.send((name, result));
        };
        // The body travels to its thread when there is one.
        let (hand_over, take) = channel::<Body<T, E>>();
        let there = run.clone();
        let spawned = thread::Builder::new()
            .name(name.to_string())
            .stack_size(self.stack_bytes)
            .spawn(move || {
                if let Ok(body) = take.recv() {
                    there(body);
                }
            });
        let unsent = match spawned {
            Ok(_) => hand_over.send(lane.body).err().map(|unsent| unsent.0),
            Err(_) => Some(lane.body),
        };
        match unsent {
            Some(body) if !self.running.is_empty() => {
                self.at_once = self.running.len();
                self.waiting.insert(place, Lane { body, ..lane });
            }
            Some(body) => {
                self.running.push((name, stop));
                run(body);
            }
            None => self.running.push((name, stop)),
        }
    }
}
