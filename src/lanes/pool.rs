//! Pools: parts of one work, all of which count, by so many threads at once.

use super::{Body, STACK_BYTES};
use crate::base::Budget;
use crate::base::faults;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Results of all parts, in their order; `None` for those that have not begun, or not ended when one had a result that is enough.
/// With one job, no thread is begun.
///
/// # Errors
/// The first error of a part: then the others are told to stop. A panic of a part is one of the pool.
pub fn all<T: Send + 'static, E: Send + 'static>(
    name: &'static str,
    parts: Vec<Body<T, E>>,
    jobs: usize,
    is_enough: fn(&T) -> bool,
    budget: &Budget,
) -> Result<Vec<Option<T>>, E> {
    let whole = budget.part();
    let mut results: Vec<Option<T>> = parts.iter().map(|_| None).collect();
    let threads = jobs.min(parts.len());
    let queue = Arc::new(Mutex::new(parts.into_iter().enumerate().collect()));
    let (send, receive) = channel();
    let mut began = 0;
    if threads > 1 {
        for _ in 0..threads {
            let (queue, whole, send) = (Arc::clone(&queue), whole.clone(), send.clone());
            let fault = faults::current();
            let work = move || {
                while let Some((place, part)) = next(&queue, &whole) {
                    let run = || fault.with(|| run(name, part, &whole));
                    let result = catch_unwind(AssertUnwindSafe(run));
                    if send.send((place, result)).is_err() {
                        break;
                    }
                }
            };
            let thread = thread::Builder::new().name(name.to_string());
            began += usize::from(thread.stack_size(STACK_BYTES).spawn(work).is_ok());
        }
    }
    drop(send);
    if began == 0 {
        while let Some((place, part)) = next(&queue, &whole) {
            let result = run(name, part, &whole)?;
            let is_last = is_enough(&result);
            results[place] = Some(result);
            if is_last {
                break;
            }
        }
        return Ok(results);
    }
    let stop = || whole.cancel().store(true, Ordering::Relaxed);
    for (place, result) in receive {
        match result {
            Ok(Ok(result)) => {
                let is_last = is_enough(&result);
                results[place] = Some(result);
                if is_last {
                    stop();
                    break;
                }
            }
            Ok(Err(error)) => {
                stop();
                return Err(error);
            }
            Err(panic) => {
                stop();
                resume_unwind(panic)
            }
        }
    }
    Ok(results)
}

/// Parts that have not begun, with their places.
type Queue<T, E> = Mutex<VecDeque<(usize, Body<T, E>)>>;

/// The part that is next; `None` if there is none, or nothing is left to spend.
fn next<T, E>(queue: &Queue<T, E>, whole: &Budget) -> Option<(usize, Body<T, E>)> {
    if whole.reason().is_some() {
        return None;
    }
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.pop_front()
}

fn run<T, E>(name: &'static str, part: Body<T, E>, whole: &Budget) -> Result<T, E> {
    let budget = whole.part().lane(name);
    let result = part(&budget);
    budget.gauge().close();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread::ThreadId;

    type Part = Body<(u32, ThreadId), &'static str>;

    fn parts(count: u32) -> Vec<Part> {
        let one = |number| -> Part { Box::new(move |_| Ok((number, thread::current().id()))) };
        (0..count).map(one).collect()
    }

    /// A part that never ends by itself.
    fn endless() -> Part {
        Box::new(|budget| {
            while budget.check().is_none() {
                thread::yield_now();
            }
            Err("a part that was stopped has an error that nobody reads")
        })
    }

    fn never(_: &(u32, ThreadId)) -> bool {
        false
    }

    #[test]
    fn one_job_begins_no_thread_and_goes_in_order() {
        let all = all("part", parts(5), 1, never, &Budget::unlimited()).unwrap();
        let here = thread::current().id();
        let expected: Vec<_> = (0..5).map(|number| Some((number, here))).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn all_parts_have_a_place_whoever_is_first() {
        for jobs in [2, 3, 64] {
            let all = all("part", parts(20), jobs, never, &Budget::unlimited()).unwrap();
            let numbers: Vec<u32> = all.into_iter().map(|one| one.unwrap().0).collect();
            assert_eq!(numbers, (0..20).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn parts_run_at_once() {
        let both = Arc::new(Barrier::new(2));
        let meet = |number| -> Part {
            let both = Arc::clone(&both);
            Box::new(move |_| {
                both.wait();
                Ok((number, thread::current().id()))
            })
        };
        let all = all(
            "part",
            vec![meet(0), meet(1)],
            2,
            never,
            &Budget::unlimited(),
        )
        .unwrap();
        assert_ne!(all[0].unwrap().1, all[1].unwrap().1);
    }

    #[test]
    fn what_is_enough_ends_parts_that_would_never_end() {
        let mut some = parts(2);
        some.insert(0, endless());
        some.push(endless());
        let all = all("part", some, 2, |one| one.0 == 1, &Budget::unlimited()).unwrap();
        assert!(all[0].is_none() && all[3].is_none());
        assert_eq!(all[2].map(|one| one.0), Some(1));
    }

    #[test]
    fn an_error_is_that_of_the_pool() {
        for jobs in [1, 2] {
            let mut some = parts(2);
            some.push(Box::new(|_| Err("wrong")));
            some.push(endless());
            let all = all("part", some, jobs, never, &Budget::unlimited());
            assert_eq!(all, Err("wrong"));
        }
    }

    #[test]
    fn nothing_begins_when_the_budget_is_used_up() {
        for jobs in [1, 2] {
            let budget = Budget::unlimited();
            budget.cancel().store(true, Ordering::Relaxed);
            let all = all("part", parts(3), jobs, never, &budget).unwrap();
            assert!(all.iter().all(Option::is_none));
        }
    }
}
