//! Lanes: several ways to one answer, each on a thread of its own; the first answer wins and ends the others.
//!
//! The first lane begins at once. Each other one joins in when those before it have had a head start of processor time, so
//! that what is easy is decided by one thread and in the same way each time; one that is of use only to some programs waits
//! until another lane has met what it is for, too ([`Start::Raised`]).
//!
//! The system shares the processors among lanes. Where processor time is limited, a lane can have a part of it alone
//! ([`Lane::share`]), so that the others get about as far as they would without it.
//!
//! A run may have *seats* for so many threads ([`Budget::with_jobs`]): then a lane begins only when one is free. A thread that waits for
//! lanes of its own has none, so that the first of them takes its place. Lanes with a share of the time take none where there are
//! several, as they are there beside others; where there is one, they wait like all lanes, and the run is the same each time.
//!
//! Losers are told to stop and not waited for. An error of any lane is the error of the run: one that has found the
//! program contradicting itself is not to be hidden by the speed of another. A lane that gives up leaves the answer to
//! the others, for as long as these have ([`Lanes::patience`]).

#[cfg(test)]
mod seated;
#[cfg(test)]
mod tests;

use crate::base::budget::process_cpu_time;
use crate::base::faults;
use crate::base::{Budget, Share};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at the head starts, and between two calls of a watcher.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Stack of a lane: terms and formulas nest less deep than programs.
const STACK_BYTES: usize = 256 << 20;
/// Flag of one lane that starts others.
pub type Flag = Arc<AtomicBool>;
/// Processor time that a lane may have of so much that the run has used.
pub type Allowance = fn(Duration) -> Duration;
/// All of it.
pub const ALL: Allowance = |_| Duration::MAX;

/// Work of a lane, under a budget of its own, which also ends where that of the run does.
pub type Body<T, E> = Box<dyn FnOnce(&Budget) -> Result<T, E> + Send>;

/// One way to the answer.
pub struct Lane<T, E> {
    name: &'static str,
    start: Start,
    memory_percent: u8,
    allowance: Option<Allowance>,
    is_second_rank: bool,
    stack_bytes: usize,
    body: Body<T, E>,
}

/// Start condition of a lane.
#[derive(Clone, Debug)]
pub enum Start {
    /// So much processor time was used since the run began. Nobody waits for that where no lane runs: then
    /// the run is over.
    After(Duration),
    /// The same, and another lane has raised the flag. Where no lane runs any more, the flag is enough.
    Raised(Flag, Duration),
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
            allowance: None,
            is_second_rank: false,
            stack_bytes: STACK_BYTES,
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

    /// The lane with a share of processor time. Where that of the run is limited, it waits (when its budget is asked) while it
    /// has had as much as it may of what the run has used and lanes without such a limit run. In any case, lanes that it begins
    /// itself go by what it has used, and not by what its process has.
    #[must_use]
    pub fn share(self, allowance: Allowance) -> Lane<T, E> {
        Lane {
            allowance: Some(allowance),
            ..self
        }
    }

    /// The lane with such a share where processor time is not limited, too: it is there in case the others give up.
    #[must_use]
    pub fn second_rank(self, allowance: Allowance) -> Lane<T, E> {
        Lane {
            is_second_rank: true,
            ..self.share(allowance)
        }
    }

    /// The lane with a larger stack, for work on programs as they nest.
    #[must_use]
    pub fn stack_bytes(self, stack_bytes: usize) -> Lane<T, E> {
        Lane {
            stack_bytes,
            ..self
        }
    }

    /// The part of the run's budget that the lane has, if it begins now, and its share of a run that began at some
    /// processor time.
    fn budget(&self, whole: &Budget, begin: Duration) -> (Budget, Option<Arc<Share>>) {
        let mut part = whole.part().lane(self.name);
        if let Some(bytes) = whole.memory_limit()
            && self.memory_percent < 100
        {
            let share = u128::from(bytes) * u128::from(self.memory_percent) / 100;
            part = part.with_memory_limit(u64::try_from(share).unwrap_or(bytes));
        }
        let share = self.allowance.map(|allowance| {
            let is_limited = self.is_second_rank || whole.has_cpu_limit();
            Arc::new(Share::new(begin, if is_limited { allowance } else { ALL }))
        });
        if let Some(share) = &share {
            part = part.with_share(Arc::clone(share));
        }
        (part, share)
    }
}

/// Lanes of one run; where several may begin, those first that come first.
pub struct Lanes<'a, T, E> {
    first: Lane<T, E>,
    others: Vec<Lane<T, E>>,
    patience: Option<Duration>,
    watcher: Option<&'a mut dyn FnMut()>,
    is_answer: fn(&T) -> bool,
}

impl<'a, T: Send + 'static, E: Send + 'static> Lanes<'a, T, E> {
    /// A run that begins with this lane. `is_answer` tells answers from results that a lane gives up with.
    pub fn new(first: Lane<T, E>, is_answer: fn(&T) -> bool) -> Lanes<'a, T, E> {
        Lanes {
            first,
            others: Vec::new(),
            patience: None,
            watcher: None,
            is_answer,
        }
    }

    /// The run with one more lane.
    #[must_use]
    pub fn and(mut self, lane: Lane<T, E>) -> Self {
        self.others.push(lane);
        self
    }

    /// The run with an end of patience: when the first lane has given up, the others have as much processor time again as
    /// was used until then, and at least so much. Without this, they end by themselves.
    #[must_use]
    pub fn patience(self, least: Duration) -> Self {
        Lanes {
            patience: Some(least),
            ..self
        }
    }

    /// The run with a watcher, which this thread calls every moment, and after the end of each lane before anything is made
    /// of its result.
    #[must_use]
    pub fn watched(self, watcher: &'a mut dyn FnMut()) -> Self {
        Lanes {
            watcher: Some(watcher),
            ..self
        }
    }

    /// The first answer. Without one, the result of the first lane: when all have ended, or the budget or its patience has.
    ///
    /// # Errors
    /// The first error of a lane. A panic of a lane is one of the run.
    pub fn run(self, budget: &Budget) -> Result<T, E> {
        let (send, receive) = channel();
        let mut run = Run {
            next: 0,
            seats: 0,
            budget,
            begin: process_cpu_time(),
            used_before: budget.used(),
            waiting: self.others,
            running: Vec::new(),
            has_threads: true,
            is_watched: self.watcher.is_some(),
            send,
            receive,
        };
        let mut watcher = self.watcher;
        run.begin(0, self.first);
        // Result of the first lane, and the processor time that the others have from then on.
        let mut given_up = None;
        loop {
            let ended = run.next(given_up.is_some());
            if let Some(watcher) = &mut watcher {
                watcher();
            }
            if let Some((number, result)) = ended {
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
                if number == FIRST {
                    let used = run.used();
                    let until = self.patience.map(|least| used + used.max(least));
                    given_up = Some((result, until));
                }
            }
            run.begin_due();
            let is_over = |until: Option<Duration>| {
                run.running.is_empty()
                    || until.is_some_and(|until| run.used() >= until)
                    || budget.reason().is_some()
            };
            if let Some((result, until)) = given_up {
                if is_over(until) {
                    return Ok(result);
                }
                given_up = Some((result, until));
            }
        }
    }
}

/// Number of the lane that a run begins with: lanes are numbered as they begin.
const FIRST: usize = 0;

/// Message of a lane at its end: its number, and its result or what it panicked with.
type Message<T, E> = (usize, thread::Result<Result<T, E>>);

/// A lane that runs.
struct Running {
    number: usize,
    /// Flag that stops it.
    stop: Flag,
    share: Option<Arc<Share>>,
    /// True if it takes no seat.
    is_beside: bool,
}

/// State of a run. Its end tells the lanes to stop that still run.
struct Run<'a, T, E> {
    /// Number of the lane that begins next.
    next: usize,
    /// Seats that it has taken besides that of its own thread.
    seats: usize,
    budget: &'a Budget,
    /// Processor time of this process when the run began.
    begin: Duration,
    /// Processor time that was used of the run's budget then.
    used_before: Duration,
    /// Lanes that have not begun, in their order.
    waiting: Vec<Lane<T, E>>,
    running: Vec<Running>,
    /// False if the system had no thread for a lane: then no lane begins while another one runs.
    has_threads: bool,
    is_watched: bool,
    send: Sender<Message<T, E>>,
    receive: Receiver<Message<T, E>>,
}

impl<T, E> Drop for Run<'_, T, E> {
    fn drop(&mut self) {
        for lane in &self.running {
            lane.stop.store(true, Ordering::Relaxed);
        }
        if let Some(seats) = self.budget.seats() {
            seats.give(self.seats);
        }
    }
}

impl<T: Send + 'static, E: Send + 'static> Run<'_, T, E> {
    /// Processor time that was used since the run began.
    fn used(&self) -> Duration {
        self.budget.used().saturating_sub(self.used_before)
    }

    /// The next lane that ends; `None` after a moment without one, if something else may happen meanwhile: another lane
    /// becomes due, the time of a run that `has_given_up` is over, or somebody watches.
    fn next(&mut self, has_given_up: bool) -> Option<Message<T, E>> {
        let may_begin = self.has_threads && !self.waiting.is_empty();
        let message = if may_begin || has_given_up || self.is_watched {
            self.receive.recv_timeout(LOOK_EVERY).ok()?
        } else {
            self.receive.recv().ok()?
        };
        self.running.retain(|lane| lane.number != message.0);
        self.give_seats();
        self.share_out();
        Some(message)
    }

    /// Tells the lanes that run whether those with a limit are alone.
    fn share_out(&self) {
        let is_limited = |lane: &Running| lane.share.as_ref().is_some_and(|s| s.is_limited());
        let is_alone = self.running.iter().all(is_limited);
        for share in self.running.iter().filter_map(|lane| lane.share.as_ref()) {
            share.alone(is_alone);
        }
    }

    /// Lanes that run and sit somewhere.
    fn seated(&self) -> usize {
        let seated = self.running.iter().filter(|lane| !lane.is_beside);
        seated.count()
    }

    /// Takes a seat for a lane, unless this thread's is free, or it needs none; false if there is none.
    fn take_seat(&mut self, is_beside: bool) -> bool {
        let Some(seats) = self.budget.seats() else {
            return true;
        };
        let is_free = is_beside || self.seated() <= self.seats;
        if !is_free && seats.take() {
            self.seats += 1;
            return true;
        }
        is_free
    }

    /// Gives back seats that no lane has.
    fn give_seats(&mut self) {
        let needed = self.seated().saturating_sub(1);
        if let Some(seats) = self.budget.seats()
            && self.seats > needed
        {
            seats.give(self.seats - needed);
            self.seats = needed;
        }
    }

    /// Begins the lanes that are due, unless the run has nothing left to spend.
    fn begin_due(&mut self) {
        while (self.has_threads || self.running.is_empty())
            && self.budget.reason().is_none()
            && let Some(place) = self.next_due()
        {
            let lane = self.waiting.remove(place);
            self.begin(place, lane);
        }
    }

    /// Place of the first lane that is due and has a seat.
    fn next_due(&mut self) -> Option<usize> {
        let used = self.used();
        (0..self.waiting.len()).find(|&place| {
            let lane = &self.waiting[place];
            let is_due = match &lane.start {
                Start::After(head_start) => used >= *head_start,
                Start::Raised(flag, head_start) => {
                    flag.load(Ordering::Relaxed) && (used >= *head_start || self.running.is_empty())
                }
            };
            let is_beside = self.is_beside(lane);
            is_due && self.take_seat(is_beside)
        })
    }

    /// Lanes that need no seat: true of those with a share of the time where others have the rest.
    fn is_beside(&self, lane: &Lane<T, E>) -> bool {
        let is_part = |allowance: Allowance| allowance(Duration::MAX) < Duration::MAX;
        let seats = self.budget.seats();
        seats.is_some_and(|seats| !seats.is_single) && lane.allowance.is_some_and(is_part)
    }

    /// Begins a lane that has waited at a place. Where the system has no thread for it, it goes on waiting until no lane
    /// runs, and is run by this thread.
    fn begin(&mut self, place: usize, lane: Lane<T, E>) {
        let (budget, share) = lane.budget(self.budget, self.begin);
        let (name, stop, send) = (lane.name, budget.cancel(), self.send.clone());
        let (number, is_beside) = (self.next, self.is_beside(&lane));
        self.next += 1;
        let fault = faults::current();
        let run = move |body: Body<T, E>| {
            let run = || fault.with(|| body(&budget));
            let result = catch_unwind(AssertUnwindSafe(run));
            budget.gauge().close();
            // Nobody listens to whoever comes second.
            let _ = send.send((number, result));
        };
        // The body travels to its thread when there is one.
        let (hand_over, take) = channel::<Body<T, E>>();
        let there = run.clone();
        let spawned = thread::Builder::new()
            .name(name.to_string())
            .stack_size(lane.stack_bytes)
            .spawn(move || {
                if let Ok(body) = take.recv() {
                    there(body);
                }
            });
        let unsent = match spawned {
            Ok(_) => hand_over.send(lane.body).err().map(|unsent| unsent.0),
            Err(_) => Some(lane.body),
        };
        let running = Running {
            number,
            stop,
            share,
            is_beside,
        };
        match unsent {
            Some(body) if !self.running.is_empty() => {
                self.has_threads = false;
                self.waiting.insert(place, Lane { body, ..lane });
                self.give_seats();
            }
            Some(body) => {
                self.running.push(running);
                self.share_out();
                run(body);
            }
            None => {
                self.running.push(running);
                self.share_out();
            }
        }
    }
}
