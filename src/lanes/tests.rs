//! Tests of runs of one to four lanes.

use super::*;
use crate::base::{StopReason, budget};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// `Ok` is an answer, `Err` the reason why there is none.
pub(super) type Word = Result<u32, StopReason>;
pub(super) type Work = Body<Word, String>;

pub(super) const AT_ONCE: Start = Start::After(Duration::ZERO);
const NEVER: Start = Start::After(Duration::from_secs(86_400));

pub(super) fn lane(name: &'static str, body: Work) -> Lane<Word, String> {
    Lane::new(name, body)
}

pub(super) fn answers(value: u32) -> Work {
    Box::new(move |_: &Budget| Ok(Ok(value)))
}

fn gives_up(reason: StopReason) -> Work {
    Box::new(move |_: &Budget| Ok(Err(reason)))
}

fn fails(text: &str) -> Work {
    let text = text.to_string();
    Box::new(move |_: &Budget| Err(text))
}

fn panics() -> Work {
    Box::new(|_: &Budget| resume_unwind(Box::new("on purpose")))
}

/// Works until its budget ends, and counts that it has noticed.
fn waits(noticed: &Arc<AtomicU64>) -> Work {
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

/// Words of lanes, in the order in which they were said.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    /// Says that a lane begins, gives it a moment, and says that it ends, which is without an answer.
    pub(super) fn of(&self, begin: &'static str, end: &'static str) -> Work {
        let log = self.clone();
        Box::new(move |_: &Budget| {
            log.say(begin);
            thread::sleep(Duration::from_millis(30));
            log.say(end);
            Ok(Err(StopReason::Timeout))
        })
    }

    fn say(&self, word: &'static str) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(word);
    }

    pub(super) fn words(&self) -> Vec<&'static str> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

pub(super) fn lanes<'a>(first: Work) -> Lanes<'a, Word, String> {
    Lanes::new(lane("first", first), Result::is_ok)
}

fn race(first: Work, second: Work, start: Start, budget: &Budget) -> Result<Word, String> {
    lanes(first)
        .and(lane("second", second).start(start))
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
fn one_lane_is_a_run() {
    let budget = Budget::unlimited();
    assert_eq!(lanes(answers(1)).run(&budget), Ok(Ok(1)));
    let given_up = lanes(gives_up(StopReason::Wall)).run(&budget);
    assert_eq!(given_up, Ok(Err(StopReason::Wall)));
    assert_eq!(lanes(fails("wrong")).run(&budget), Err("wrong".to_string()));
}

#[test]
fn an_easy_question_is_for_the_first_alone() {
    let budget = Budget::unlimited();
    let found = race(answers(1), fails("it ran"), NEVER, &budget);
    assert_eq!(found, Ok(Ok(1)));
}

#[test]
fn the_second_wins_and_the_first_is_stopped() {
    let (budget, noticed) = (Budget::unlimited(), Arc::default());
    let found = race(waits(&noticed), answers(2), AT_ONCE, &budget);
    assert_eq!(found, Ok(Ok(2)));
    wait_for(&noticed, 1);
    assert_eq!(budget.check(), None, "the race is over, the run is not");
}

#[test]
fn the_last_of_many_wins_and_all_others_are_stopped() {
    let (budget, noticed) = (Budget::unlimited(), Arc::default());
    let soon = |milliseconds| Start::After(Duration::from_millis(milliseconds));
    let found = lanes(waits(&noticed))
        .and(lane("second", waits(&noticed)).start(soon(20)))
        .and(lane("third", waits(&noticed)))
        .and(lane("fourth", answers(4)).start(soon(60)))
        .run(&budget);
    assert_eq!(found, Ok(Ok(4)));
    wait_for(&noticed, 3);
    assert_eq!(budget.check(), None);
}

#[test]
fn a_head_start_is_processor_time() {
    let (budget, noticed) = (Budget::unlimited(), Arc::default());
    let begin = process_cpu_time();
    let head_start = Duration::from_millis(200);
    let found = race(
        waits(&noticed),
        answers(2),
        Start::After(head_start),
        &budget,
    );
    assert_eq!(found, Ok(Ok(2)));
    assert!(process_cpu_time() - begin >= head_start);
}

#[test]
fn an_error_of_either_is_the_error_of_the_race() {
    let (budget, noticed) = (Budget::unlimited(), Arc::default());
    for (first, second) in [
        (fails("wrong"), waits(&noticed)),
        (waits(&noticed), fails("wrong")),
    ] {
        let found = race(first, second, AT_ONCE, &budget);
        assert_eq!(found, Err("wrong".to_string()));
    }
    assert_eq!(budget.check(), None);
}

#[test]
fn a_panic_of_either_is_a_panic_of_the_race() {
    let noticed = Arc::default();
    for (first, second) in [(panics(), waits(&noticed)), (waits(&noticed), panics())] {
        let budget = Budget::unlimited();
        let run = || race(first, second, AT_ONCE, &budget);
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
    }
    // The other one of the first pair had no time to begin.
    wait_for(&noticed, 1);
}

#[test]
fn a_lane_that_gives_up_leaves_the_answer_to_the_other() {
    let slow = || -> Work {
        Box::new(|_: &Budget| {
            thread::sleep(Duration::from_millis(100));
            Ok(Ok(7))
        })
    };
    let budget = Budget::unlimited();
    let memory = gives_up(StopReason::Memory);
    assert_eq!(race(slow(), memory, AT_ONCE, &budget), Ok(Ok(7)));
    // Before the second has begun, the first gives up because time is up for both.
    let found = race(gives_up(StopReason::Timeout), slow(), NEVER, &budget);
    assert_eq!(found, Ok(Err(StopReason::Timeout)));
}

#[test]
fn without_an_answer_the_result_is_that_of_the_first() {
    let budget = Budget::unlimited();
    let slow: Work = Box::new(|_: &Budget| {
        thread::sleep(Duration::from_millis(50));
        Ok(Err(StopReason::Wall))
    });
    let found = lanes(slow)
        .and(lane("second", gives_up(StopReason::Memory)))
        .and(lane("third", gives_up(StopReason::Timeout)))
        .run(&budget);
    assert_eq!(found, Ok(Err(StopReason::Wall)));
}

#[test]
fn limits_and_interrupts_end_both() {
    let noticed = Arc::default();
    let soon = Budget::unlimited().with_wall_limit(Duration::from_millis(50));
    let found = race(waits(&noticed), waits(&noticed), AT_ONCE, &soon);
    assert_eq!(found, Ok(Err(StopReason::Wall)));
    let budget = Budget::unlimited();
    let cancel = budget.cancel();
    let interrupt = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        cancel.store(true, Ordering::Relaxed);
    });
    let found = race(waits(&noticed), waits(&noticed), AT_ONCE, &budget);
    assert_eq!(found, Ok(Err(StopReason::Interrupted)));
    let _ = interrupt.join();
    wait_for(&noticed, 4);
}

#[test]
fn nobody_begins_after_the_budget_has_ended() {
    let spent = Budget::unlimited();
    spent.cancel().store(true, Ordering::Relaxed);
    let noticed = Arc::default();
    let raised = Start::Raised(Arc::new(AtomicBool::new(true)), Duration::ZERO);
    for start in [AT_ONCE, raised] {
        let found = race(waits(&noticed), fails("it ran"), start, &spent);
        assert_eq!(found, Ok(Err(StopReason::Interrupted)));
    }
}

#[test]
fn a_share_of_the_memory_is_a_limit_of_its_own() {
    let looks = || -> Work {
        Box::new(|budget: &Budget| Ok(Ok(budget.memory_limit().map_or(0, u64::ilog2))))
    };
    let noticed = Arc::default();
    let seen = |budget: &Budget| {
        lanes(waits(&noticed))
            .and(lane("second", looks()).memory_percent(50))
            .run(budget)
    };
    let budget = Budget::unlimited().with_memory_limit(1 << 50);
    assert_eq!(seen(&budget), Ok(Ok(49)));
    assert_eq!(seen(&Budget::unlimited()), Ok(Ok(0)));
    assert_eq!(lanes(looks()).run(&budget), Ok(Ok(50)));
}

#[test]
fn a_raised_lane_waits_for_its_flag_and_its_head_start() {
    let (raised, noticed) = (Flag::default(), Arc::default());
    let start = |head_start| Start::Raised(Arc::clone(&raised), head_start);
    let soon = || Budget::unlimited().with_wall_limit(Duration::from_millis(50));
    // Nobody raises it.
    let found = race(
        waits(&noticed),
        fails("it ran"),
        start(Duration::ZERO),
        &soon(),
    );
    assert_eq!(found, Ok(Err(StopReason::Wall)));
    let found = race(
        gives_up(StopReason::Memory),
        fails("it ran"),
        start(Duration::ZERO),
        &soon(),
    );
    assert_eq!(found, Ok(Err(StopReason::Memory)));
    // The head start is not over.
    raised.store(true, Ordering::Relaxed);
    let day = Duration::from_secs(86_400);
    let found = race(waits(&noticed), fails("it ran"), start(day), &soon());
    assert_eq!(found, Ok(Err(StopReason::Wall)));
    // Both are there.
    let budget = Budget::unlimited();
    let begin = process_cpu_time();
    let head_start = Duration::from_millis(50);
    let found = race(waits(&noticed), answers(2), start(head_start), &budget);
    assert_eq!(found, Ok(Ok(2)));
    assert!(process_cpu_time() - begin >= head_start);
    // Nobody runs any more, so that no processor time will pass.
    let found = race(
        gives_up(StopReason::Memory),
        answers(2),
        start(day),
        &budget,
    );
    assert_eq!(found, Ok(Ok(2)));
}

#[test]
fn the_first_lane_raises_the_second() {
    let (raised, noticed) = (Flag::default(), Arc::default());
    let raises = |flag: &Flag, then: Work| -> Work {
        let flag = Arc::clone(flag);
        Box::new(move |budget: &Budget| {
            flag.store(true, Ordering::Relaxed);
            then(budget)
        })
    };
    let start = Start::Raised(Arc::clone(&raised), Duration::ZERO);
    let first = raises(&raised, waits(&noticed));
    let found = race(first, answers(2), start, &Budget::unlimited());
    assert_eq!(found, Ok(Ok(2)));
    wait_for(&noticed, 1);
}

#[test]
fn patience_ends_where_the_first_has_given_up() {
    let (budget, noticed) = (Budget::unlimited(), Arc::default());
    let begin = process_cpu_time();
    let least = Duration::from_millis(50);
    let found = lanes(gives_up(StopReason::Memory))
        .and(lane("second", waits(&noticed)))
        .patience(least)
        .run(&budget);
    assert_eq!(found, Ok(Err(StopReason::Memory)));
    assert!(process_cpu_time() - begin >= least);
    wait_for(&noticed, 1);
    // The first one needs as long as it likes, and an answer in time counts.
    let works = spends(Duration::from_millis(100));
    let found = lanes(works)
        .and(lane("second", gives_up(StopReason::Memory)))
        .patience(Duration::ZERO)
        .run(&budget);
    assert_eq!(found, Ok(Ok(100)));
    let found = lanes(gives_up(StopReason::Memory))
        .and(lane("second", answers(2)))
        .patience(Duration::from_secs(60))
        .run(&budget);
    assert_eq!(found, Ok(Ok(2)));
}

/// Works for so much processor time of its own, and answers with its milliseconds.
fn spends(time: Duration) -> Work {
    Box::new(move |budget: &Budget| {
        let begin = budget::thread_cpu_time();
        while budget::thread_cpu_time() - begin < time {
            if let Some(reason) = budget.check() {
                return Ok(Err(reason));
            }
        }
        Ok(Ok(time.as_millis() as u32))
    })
}

/// A share that is nothing.
fn none(_: Duration) -> Duration {
    Duration::ZERO
}

#[test]
fn a_lane_waits_when_its_share_is_used_up() {
    let (noticed, much) = (Arc::default(), Duration::from_millis(100));
    let limited = Budget::unlimited().with_cpu_limit(Duration::from_secs(86_400));
    // The second one, which shall have nothing, has no answer while the first one works.
    let run = |first: Work, budget: &Budget| {
        lanes(first)
            .and(lane("second", spends(much / 2)).share(none))
            .run(budget)
    };
    assert_eq!(run(spends(much), &limited), Ok(Ok(100)));
    // It may be the first one that has begun when it was alone.
    let found = Lanes::new(lane("first", spends(much * 3)).share(none), Result::is_ok)
        .and(lane("second", spends(much * 4)))
        .run(&limited);
    assert_eq!(found, Ok(Ok(400)));
    // Nobody else works any more.
    let found = run(gives_up(StopReason::Memory), &limited);
    assert_eq!(found, Ok(Ok(50)));
    // Without a limit of processor time there are no shares.
    let found = run(waits(&noticed), &Budget::unlimited());
    assert_eq!(found, Ok(Ok(50)));
    wait_for(&noticed, 1);
}

#[test]
fn lanes_of_second_rank_wait_for_those_of_the_first() {
    let much = Duration::from_millis(100);
    let run = |first: Work| {
        let second = |name| lane(name, spends(much / 2)).second_rank(none);
        Lanes::new(second("second"), Result::is_ok)
            .and(lane("first", first))
            .and(second("third"))
            .run(&Budget::unlimited())
    };
    // It may be the first one that has begun when it was alone.
    let found = run(spends(much * 2));
    assert!(matches!(found, Ok(Ok(50 | 200))), "{found:?}");
    // Two of them do not wait for each other.
    assert_eq!(run(gives_up(StopReason::Memory)), Ok(Ok(50)));
}

#[test]
fn a_lane_that_waits_for_its_share_ends_with_its_budget() {
    let noticed = Arc::default();
    let sleeps: Work = Box::new(|budget: &Budget| {
        while budget.check().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(Err(StopReason::Wall))
    });
    let limited = Budget::unlimited()
        .with_cpu_limit(Duration::from_secs(86_400))
        .with_wall_limit(Duration::from_millis(50));
    let found = lanes(sleeps)
        .and(lane("second", waits(&noticed)).share(none))
        .run(&limited);
    assert_eq!(found, Ok(Err(StopReason::Wall)));
    wait_for(&noticed, 1);
}

#[test]
fn threads_of_a_lane_have_its_share_together() {
    let inner: Work = Box::new(|budget: &Budget| {
        let half = || spends(Duration::from_millis(25));
        lanes(half()).and(lane("other", half())).run(budget)
    });
    let limited = Budget::unlimited().with_cpu_limit(Duration::from_secs(86_400));
    let found = lanes(spends(Duration::from_millis(100)))
        .and(lane("second", inner).share(none))
        .run(&limited);
    assert_eq!(found, Ok(Ok(100)));
}

#[test]
fn a_head_start_within_a_lane_is_its_own_time() {
    let most = Duration::from_millis(50);
    let inner: Work = Box::new(move |budget: &Budget| {
        let first = move |budget: &Budget| {
            // It sleeps until it has been told of the end, or has worked itself for long enough.
            while budget::thread_cpu_time() < most {
                if budget.check().is_some() {
                    return Ok(Ok(1));
                }
                thread::sleep(Duration::from_millis(20));
            }
            Err("the process's time counts".to_string())
        };
        lanes(Box::new(first))
            .and(lane("inner", fails("it ran")).start(Start::After(most)))
            .run(budget)
    });
    // Other threads use more than the head start meanwhile.
    let found = lanes(spends(most * 2))
        .and(lane("second", inner).share(ALL))
        .run(&Budget::unlimited());
    assert_eq!(found, Ok(Ok(100)));
}

#[test]
fn a_watcher_sees_what_a_lane_has_said_before_its_end() {
    let (log, mut seen) = (Log::default(), Vec::new());
    let mut watcher = || seen.push(log.words().len());
    let found = lanes(log.of("begin", "end"))
        .watched(&mut watcher)
        .run(&Budget::unlimited());
    assert_eq!(found, Ok(Err(StopReason::Timeout)));
    assert_eq!(seen.last(), Some(&2));
    assert!(seen.is_sorted() && seen.len() > 1, "{seen:?}");
}

#[test]
fn without_threads_lanes_run_one_after_the_other() {
    let run = |first: Work, second: Work| {
        let without = |name, body| lane(name, body).stack_bytes(1 << 60);
        Lanes::new(without("first", first), Result::is_ok)
            .and(without("second", second))
            .run(&Budget::unlimited())
    };
    let here = thread::current().id();
    let where_is = move |result: Word| -> Work {
        Box::new(move |_: &Budget| {
            if thread::current().id() == here {
                Ok(result)
            } else {
                Err("there is a thread".to_string())
            }
        })
    };
    let timeout = StopReason::Timeout;
    assert_eq!(run(where_is(Ok(1)), fails("it ran")), Ok(Ok(1)));
    assert_eq!(run(where_is(Err(timeout)), where_is(Ok(2))), Ok(Ok(2)));
    assert_eq!(
        run(where_is(Err(timeout)), where_is(Err(StopReason::Wall))),
        Ok(Err(timeout))
    );
}
