//! Replays of schedules, also of those that lie, and of lines.

use super::*;
use crate::trace::replay::Divergence;
use crate::trace::replay::run::play;

#[test]
fn a_lost_update_replays() {
    let program = twice(vec![], vec![]);
    let steps = vec![
        at(0, 0),
        at(0, 1),
        at(1, 0),
        at(2, 0),
        at(2, 2),
        at(1, 2),
        end(1),
        end(2),
        at(0, 2),
        at(0, 3),
        at(0, 4),
        at(0, 6),
    ];
    let trace = replay(&program, &schedule(steps)).expect("the schedule is one of the program's");
    assert_eq!(trace.threads.len(), 3);
    let last = trace.steps.last().expect("steps");
    assert!(matches!(
        last.action,
        Action::Violation {
            property: Property::Assertion,
            ..
        }
    ));
    let reads = trace
        .steps
        .iter()
        .filter(|step| matches!(&step.action, Action::Read { place, .. } if place == "g0"));
    assert_eq!(reads.count(), 3);
}

#[test]
fn executions_are_made_short() {
    let program = twice(vec![], vec![]);
    let steps = vec![
        at(0, 0),
        at(0, 1),
        at(1, 0),
        at(2, 0),
        at(1, 2),
        at(2, 2),
        end(2),
        end(1),
        at(0, 2),
        at(0, 3),
        at(0, 4),
        at(0, 6),
    ];
    let trace = replay(&program, &schedule(steps)).expect("the schedule is one of the program's");
    // Both threads read before either writes; then one of them need not be left.
    let line = trace.schedule().expect("a line");
    assert_eq!(line.split('.').count(), 5, "{line}");
    let again = play(&program, &line.parse().expect("a schedule")).expect("the same execution");
    assert_eq!(again.schedule(), Some(line));
    assert_eq!(again.steps.len(), trace.steps.len());
}

#[test]
fn schedules_that_lie_diverge() {
    let program = twice(vec![], vec![]);
    let why = |steps| -> Divergence { replay(&program, &schedule(steps)).expect_err("a lie") };
    // Thread 1 would skip its read.
    assert_eq!(why(vec![at(0, 0), at(1, 2)]).why, Reason::OutOfTurn);
    // The join comes before the end.
    assert_eq!(why(vec![at(0, 0), at(0, 1), at(0, 2)]).why, Reason::Stuck);
    // Thread 2 does not exist yet.
    assert_eq!(why(vec![at(0, 0), at(2, 0)]).why, Reason::NotRunning);
    // Nothing is lost.
    let honest = vec![
        at(0, 0),
        at(0, 1),
        at(1, 0),
        at(1, 2),
        at(2, 0),
        at(2, 2),
        end(1),
        end(2),
        at(0, 2),
        at(0, 3),
        at(0, 4),
        at(0, 6),
    ];
    assert_eq!(why(honest).why, Reason::NoViolation);
}

#[test]
fn nobody_interrupts_a_section_in_a_replay() {
    let program = twice(
        vec![InstrKind::AtomicBegin { drains: true }],
        vec![InstrKind::AtomicEnd],
    );
    let mut steps = schedule(vec![at(0, 0), at(0, 1), at(1, 1), at(2, 1)]);
    for thread in [1, 2] {
        steps.visible[thread] = [1, 3].map(|i| at(1, i).1).into_iter().collect();
    }
    let divergence = replay(&program, &steps).expect_err("thread 2 interrupts thread 1");
    assert_eq!(divergence.why, Reason::InSection(ThreadId(1)));
}
