//! Tests of runs that have seats for so many threads.

use super::tests::{AT_ONCE, Log, Work, answers, lane, lanes};
use super::*;
use std::sync::Mutex;

/// Counts lanes that work at once, and keeps the most.
#[derive(Clone, Default)]
struct Crowd(Arc<Mutex<(usize, usize)>>);

impl Crowd {
    fn enter(&self, by: isize) {
        let mut crowd = self.0.lock().unwrap();
        crowd.0 = crowd.0.checked_add_signed(by).unwrap();
        crowd.1 = crowd.1.max(crowd.0);
    }

    /// Works for a moment, and has no answer.
    fn work(&self) -> Work {
        let crowd = self.clone();
        Box::new(move |_: &Budget| {
            crowd.enter(1);
            thread::sleep(Duration::from_millis(20));
            crowd.enter(-1);
            Ok(Err(crate::base::StopReason::Timeout))
        })
    }

    /// A race of its own within a lane, of so many lanes.
    fn race(&self, count: usize) -> Work {
        let works: Vec<Work> = (1..count).map(|_| self.work()).collect();
        let first = self.work();
        Box::new(move |budget: &Budget| {
            let mut all = lanes(first);
            for work in works {
                all = all.and(lane("more", work).start(AT_ONCE));
            }
            all.run(budget)
        })
    }

    fn most(&self) -> usize {
        self.0.lock().unwrap().1
    }
}

#[test]
fn with_one_job_lanes_run_one_after_the_other() {
    let budget = Budget::unlimited().with_jobs(1);
    let log = Log::default();
    let beside = lane("third", log.of("c", "C")).start(AT_ONCE);
    let found = lanes(log.of("a", "A"))
        .and(lane("second", log.of("b", "B")).start(AT_ONCE))
        .and(beside.share(|whole| whole / 2))
        .and(lane("fourth", answers(4)).start(AT_ONCE))
        .run(&budget);
    assert_eq!(found, Ok(Ok(4)));
    assert_eq!(log.words(), ["a", "A", "b", "B", "c", "C"]);
}

#[test]
fn no_more_work_at_once_than_there_are_seats() {
    for jobs in [1, 2, 3, 4] {
        let budget = Budget::unlimited().with_jobs(jobs);
        let crowd = Crowd::default();
        let found = lanes(crowd.race(4))
            .and(lane("second", crowd.race(3)).start(AT_ONCE))
            .and(lane("third", crowd.work()).start(AT_ONCE))
            .run(&budget);
        assert_eq!(found, Ok(Err(crate::base::StopReason::Timeout)));
        assert_eq!(crowd.most(), jobs, "{jobs} jobs");
        // All seats are given back.
        let seats = budget.seats().unwrap();
        assert_eq!((1..=jobs).take_while(|_| seats.take()).count(), jobs - 1);
    }
}

#[test]
fn lanes_with_a_share_need_no_seat_beside_others() {
    let budget = Budget::unlimited().with_jobs(2);
    let crowd = Crowd::default();
    let part = |name| lane(name, crowd.work()).start(AT_ONCE);
    let found = lanes(crowd.work())
        .and(part("second").share(|whole| whole / 2))
        .and(part("third").share(|whole| whole / 2))
        .and(part("fourth").share(ALL))
        .run(&budget);
    assert!(matches!(found, Ok(Err(_))));
    assert!(crowd.most() > 2, "{}", crowd.most());
}
