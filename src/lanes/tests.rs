//! Tests of runs of one to four lanes.

use super::*;
use crate::base::StopReason;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// `Ok` is an answer, `Err` the reason why there is none.
type Word = Result<u32, StopReason>;
type Work = Body<Word, String>;

const AT_ONCE: Start = Start::After(Duration::ZERO);
const NEVER: Start = Start::After(Duration::from_secs(86_400));

fn lane(name: &'static str, body: Work) -> Lane<Word, String> {
    Lane::new(name, body)
}

fn answers(value: u32) -> Work {
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
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    /// Says that a lane begins, gives it a moment, and says that it ends, which is without an answer.
    fn of(&self, begin: &'static str, end: &'static str) -> Work {
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

    fn words(&self) -> Vec<&'static str> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn lanes(first: Work) -> Lanes<Word, String> {
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
        .and(lane("third", gives_up(StopReason::Timeout)).start(Start::Behind("first")))
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
    let behind = Start::Behind("first");
    for start in [AT_ONCE, behind] {
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
fn a_lane_follows_another_one_that_has_no_answer() {
    let log = Log::default();
    let found = lanes(log.of("first", "end of first"))
        .and(lane("third", answers(3)).start(Start::Behind("second")))
        .and(lane("second", log.of("second", "end of second")).start(Start::Behind("first")))
        .and(lane("fourth", fails("it ran")).start(Start::Behind("nobody")))
        .run(&Budget::unlimited());
    assert_eq!(found, Ok(Ok(3)));
    let expected = ["first", "end of first", "second", "end of second"];
    assert_eq!(log.words(), expected);
}

#[test]
fn with_one_place_lanes_run_one_after_the_other() {
    for at_once in [0, 1] {
        let log = Log::default();
        let found = lanes(log.of("1", "-1"))
            .and(lane("second", log.of("2", "-2")))
            .and(lane("never", fails("it ran")).start(NEVER))
            .and(lane("third", log.of("3", "-3")))
            .at_once(at_once)
            .run(&Budget::unlimited());
        assert_eq!(found, Ok(Err(StopReason::Timeout)));
        assert_eq!(log.words(), ["1", "-1", "2", "-2", "3", "-3"]);
    }
}

#[test]
fn a_place_that_is_free_again_is_for_the_next() {
    let noticed = Arc::default();
    let log = Log::default();
    let found = lanes(waits(&noticed))
        .and(lane("second", log.of("2", "-2")))
        .and(lane("third", log.of("3", "-3")))
        .and(lane("fourth", answers(4)))
        .at_once(2)
        .run(&Budget::unlimited());
    assert_eq!(found, Ok(Ok(4)));
    assert_eq!(log.words(), ["2", "-2", "3", "-3"]);
    wait_for(&noticed, 1);
}

#[test]
fn a_slice_that_is_spent_makes_room() {
    let noticed = Arc::default();
    let slice = Duration::from_millis(30);
    let run = |last: Work| {
        Lanes::new(lane("first", waits(&noticed)).slice(slice), Result::is_ok)
            .and(lane("second", waits(&noticed)).slice(slice))
            .and(lane("third", last))
            .at_once(1)
            .run(&Budget::unlimited())
    };
    assert_eq!(run(answers(3)), Ok(Ok(3)));
    let last = run(gives_up(StopReason::Memory));
    assert_eq!(last, Ok(Err(StopReason::Timeout)));
    assert_eq!(noticed.load(Ordering::Relaxed), 4);
}

#[test]
fn without_threads_lanes_run_one_after_the_other() {
    let run = |first: Work, second: Work| {
        Lanes {
            stack_bytes: 1 << 60,
            ..lanes(first).and(lane("second", second))
        }
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
