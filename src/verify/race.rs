//! A race: two ways to find the same answer, on two threads; the first answer wins and ends the other one.
//!
//! The second way joins in only when the first one has used a head start of processor time, so that what is
//! easy is decided by one thread, in the same way each time. Whoever loses is asked to stop and not waited for.
//! An error of either is the error of the race: one that has found the program contradicting itself is not to be
//! hidden by the speed of the other.

use crate::base::Budget;
use crate::base::budget::process_cpu_time;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at the head start.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Stack of a racer: terms and formulas nest less deep than programs.
const STACK_BYTES: usize = 256 << 20;

/// One way to an answer, under a budget of its own.
pub type Racer<T, E> = Box<dyn FnOnce(&Budget) -> Result<T, E> + Send>;

/// Two ways to an answer.
pub struct Race<T, E> {
    pub first: Racer<T, E>,
    pub second: Racer<T, E>,
    /// Processor time of this process after which the second joins in.
    pub head_start: Duration,
    /// Test for answers among the results; others mean that a budget ended the search.
    pub is_answer: fn(&T) -> bool,
}

/// Racers of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lane {
    First,
    Second,
}

/// Message of a racer at its end: its result, or what it panicked with.
type Message<T, E> = (Lane, thread::Result<Result<T, E>>);

impl<T: Send + 'static, E: Send + 'static> Race<T, E> {
    /// Runs the race. Without an answer from either, the result of the first.
    ///
    /// # Errors
    /// The first error of a racer. A panic of a racer is one of the race.
    pub fn run(self, budget: &Budget) -> Result<T, E> {
        let begin = process_cpu_time();
        let (send, receive) = channel();
        let budgets = [budget.part(), budget.part()];
        let [first, second] = budgets.clone();
        // If both together need too much, the first shall have the rest.
        let second = match budget.memory_limit() {
            Some(bytes) => second.with_memory_limit(bytes / 2),
            None => second,
        };
        let mut waiting = Some(self.second);
        // Without room for a thread, the race is a run.
        let started = start(Lane::First, self.first, first, &send);
        if let Err(racer) = started {
            return racer(budget);
        }
        let mut running = 1;
        let mut given_up: Option<T> = None;
        let result = loop {
            match next(&receive, waiting.is_some()) {
                Some((_, Err(panic))) => {
                    stop(&budgets);
                    resume_unwind(panic)
                }
                Some((_, Ok(Err(error)))) => break Err(error),
                Some((_, Ok(Ok(result)))) if (self.is_answer)(&result) => break Ok(result),
                Some((lane, Ok(Ok(result)))) => {
                    running -= 1;
                    if lane == Lane::First || given_up.is_none() {
                        given_up = Some(result);
                    }
                }
                None => {
                    let used = process_cpu_time().saturating_sub(begin);
                    if used >= self.head_start
                        && let Some(racer) = waiting.take()
                        && start(Lane::Second, racer, second.clone(), &send).is_ok()
                    {
                        running += 1;
                    }
                }
            }
            if running == 0
                && let Some(result) = given_up.take()
            {
                break Ok(result);
            }
        };
        stop(&budgets);
        result
    }
}

/// Tells both racers to stop.
fn stop(budgets: &[Budget]) {
    for budget in budgets {
        budget.cancel().store(true, Ordering::Relaxed);
    }
}

/// Starts a racer on a thread of its own; gives it back if the system has no thread for it.
fn start<T: Send + 'static, E: Send + 'static>(
    lane: Lane,
    racer: Racer<T, E>,
    budget: Budget,
    send: &Sender<Message<T, E>>,
) -> Result<(), Racer<T, E>> {
    let send = send.clone();
    // The racer travels to its thread when there is one.
    let (hand_over, take) = channel::<Racer<T, E>>();
    let spawned = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            if let Ok(racer) = take.recv() {
                let result = catch_unwind(AssertUnwindSafe(|| racer(&budget)));
                // Nobody listens to whoever comes second.
                let _ = send.send((lane, result));
            }
        });
    match spawned {
        Ok(_) => hand_over.send(racer).map_err(|unsent| unsent.0),
        Err(_) => Err(racer),
    }
}

/// The next message; `None` after a moment without one, if that is asked for.
fn next<M>(receive: &Receiver<M>, look: bool) -> Option<M> {
    if !look {
        return receive.recv().ok();
    }
    receive.recv_timeout(LOOK_EVERY).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::StopReason;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;
    use std::time::Instant;

    /// `Ok` is an answer, or why there is none.
    type Word = Result<u32, StopReason>;

    fn answers(value: u32) -> Racer<Word, String> {
        Box::new(move |_: &Budget| Ok(Ok(value)))
    }

    fn fails(text: &str) -> Racer<Word, String> {
        let text = text.to_string();
        Box::new(move |_: &Budget| Err(text))
    }

    /// Works until its budget ends, and counts that it has noticed.
    fn waits(noticed: &Arc<AtomicU64>) -> Racer<Word, String> {
        let noticed = Arc::clone(noticed);
        Box::new(move |budget: &Budget| {
            let start = Instant::now();
            loop {
                if let Some(reason) = budget.check() {
                    noticed.fetch_add(1, Ordering::Relaxed);
                    return Ok(Err(reason));
                }
                if start.elapsed() > Duration::from_secs(60) {
                    return Err("nobody stopped it".to_string());
                }
            }
        })
    }

    fn race(
        first: Racer<Word, String>,
        second: Racer<Word, String>,
        head_start: Duration,
        budget: &Budget,
    ) -> Result<Word, String> {
        Race {
            first,
            second,
            head_start,
            is_answer: Result::is_ok,
        }
        .run(budget)
    }

    /// Until so many have noticed; for at most a minute.
    fn wait_for(noticed: &AtomicU64, count: u64) {
        let start = Instant::now();
        while noticed.load(Ordering::Relaxed) < count {
            assert!(start.elapsed() < Duration::from_secs(60), "a loser goes on");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn what_is_easy_is_for_the_first_alone() {
        let budget = Budget::unlimited();
        let day = Duration::from_secs(86_400);
        let found = race(answers(1), fails("it ran"), day, &budget);
        assert_eq!(found, Ok(Ok(1)));
    }

    #[test]
    fn the_second_wins_and_the_first_is_stopped() {
        let (budget, noticed) = (Budget::unlimited(), Arc::default());
        let found = race(waits(&noticed), answers(2), Duration::ZERO, &budget);
        assert_eq!(found, Ok(Ok(2)));
        wait_for(&noticed, 1);
        assert_eq!(budget.check(), None, "the race is over, the run is not");
    }

    #[test]
    fn an_error_of_either_is_the_error_of_the_race() {
        let (budget, noticed) = (Budget::unlimited(), Arc::default());
        for (first, second) in [
            (fails("wrong"), waits(&noticed)),
            (waits(&noticed), fails("wrong")),
        ] {
            let found = race(first, second, Duration::ZERO, &budget);
            assert_eq!(found, Err("wrong".to_string()));
        }
        assert_eq!(budget.check(), None);
    }

    #[test]
    fn a_panic_of_either_is_a_panic_of_the_race() {
        let noticed = Arc::default();
        let panics = || -> Racer<Word, String> {
            Box::new(|_: &Budget| std::panic::resume_unwind(Box::new("on purpose")))
        };
        for (first, second) in [(panics(), waits(&noticed)), (waits(&noticed), panics())] {
            let budget = Budget::unlimited();
            let run = || race(first, second, Duration::ZERO, &budget);
            let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
        }
    }

    #[test]
    fn who_gives_up_leaves_the_answer_to_the_other() {
        let gives_up =
            |reason| -> Racer<Word, String> { Box::new(move |_: &Budget| Ok(Err(reason))) };
        let slow = || -> Racer<Word, String> {
            Box::new(|_: &Budget| {
                thread::sleep(Duration::from_millis(100));
                Ok(Ok(7))
            })
        };
        let budget = Budget::unlimited();
        let memory = StopReason::Memory;
        assert_eq!(
            race(slow(), gives_up(memory), Duration::ZERO, &budget),
            Ok(Ok(7))
        );
        // Before the second has begun, the first gives up because time is up for both.
        let day = Duration::from_secs(86_400);
        let found = race(gives_up(StopReason::Timeout), slow(), day, &budget);
        assert_eq!(found, Ok(Err(StopReason::Timeout)));
    }

    #[test]
    fn limits_and_interrupts_end_both() {
        let noticed = Arc::default();
        let soon = Budget::unlimited().with_wall_limit(Duration::from_millis(50));
        let found = race(waits(&noticed), waits(&noticed), Duration::ZERO, &soon);
        assert_eq!(found, Ok(Err(StopReason::Wall)));
        let budget = Budget::unlimited();
        let cancel = budget.cancel();
        let interrupt = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            cancel.store(true, Ordering::Relaxed);
        });
        let found = race(waits(&noticed), waits(&noticed), Duration::ZERO, &budget);
        assert_eq!(found, Ok(Err(StopReason::Interrupted)));
        let _ = interrupt.join();
        wait_for(&noticed, 4);
    }

    #[test]
    fn the_second_has_half_of_the_memory() {
        let budget = Budget::unlimited().with_memory_limit(1 << 50);
        let (noticed, looks): (_, Racer<Word, String>) = (
            Arc::default(),
            Box::new(|budget: &Budget| Ok(Ok(budget.memory_limit().map_or(0, u64::ilog2)))),
        );
        let found = race(waits(&noticed), looks, Duration::ZERO, &budget);
        assert_eq!(found, Ok(Ok(49)));
    }
}
