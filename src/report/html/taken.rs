//! Rows of the writes whose values the steps of a counterexample took.

use crate::base::sorted::SortedMap;
use crate::report::relevant::Shown;
use crate::trace::{Action, Trace, TraceStep, Writer};

/// For each row, that of the write whose value it took: another thread's, if both are shown.
pub fn writers(trace: &Trace, steps: &[Shown]) -> Vec<Option<usize>> {
    let rows: SortedMap<usize, usize> = steps
        .iter()
        .enumerate()
        .map(|(row, shown)| (shown.index, row))
        .collect();
    let row = |shown: &Shown| {
        let (Action::Read {
            place,
            from: Some(from),
            ..
        }
        | Action::Update {
            place,
            from: Some(from),
            ..
        }) = &shown.step.action
        else {
            return None;
        };
        let write = last_write(&trace.steps[..shown.index], *from, place)?;
        rows.get(&write).copied()
    };
    steps.iter().map(row).collect()
}

/// Index of the last write of a place by this writer; of any place, if it has written a block that the place is in.
fn last_write(before: &[TraceStep], by: Writer, place: &str) -> Option<usize> {
    let is_by = |step: &TraceStep| step.thread == by.thread && step.loc == by.loc;
    let last = |is: &dyn Fn(&Action) -> bool| {
        before
            .iter()
            .rposition(|step| is_by(step) && is(&step.action))
    };
    let exact = last(&|action| written(action) == Some(place));
    exact.or_else(|| last(&|action| matches!(action, Action::Copy { to: Some(_), .. })))
}

/// Place that an action writes for others.
fn written(action: &Action) -> Option<&str> {
    match action {
        Action::Write { place, .. }
        | Action::Commit { place, .. }
        | Action::Update { place, .. }
        | Action::Copy {
            to: Some(place), ..
        }
        | Action::Local {
            name: place,
            is_variable: false,
            ..
        } => Some(place),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Loc;
    use crate::event::ThreadId;
    use crate::report::example::{int, step};
    use crate::report::relevant::relevant;
    use crate::source::place::NoPlaces;

    fn write_of(thread: u32, line: u32, place: &str) -> TraceStep {
        let place = place.to_string();
        let value = int(1);
        step(thread, line, Action::Write { place, value })
    }

    fn read_of(place: &str, thread: u32, line: u32) -> TraceStep {
        let action = Action::Read {
            place: place.to_string(),
            value: int(1),
            from: Some(Writer {
                thread: ThreadId(thread),
                loc: Loc(line),
            }),
            is_initial: false,
            is_private: false,
        };
        step(3, 9, action)
    }

    #[test]
    fn a_read_leads_to_the_last_write_at_that_place() {
        let trace = Trace {
            steps: vec![
                write_of(1, 4, "x"),
                write_of(2, 4, "x"),
                write_of(1, 4, "y"),
                write_of(1, 4, "x"),
                write_of(1, 5, "x"),
                read_of("x", 1, 4),
                read_of("y", 1, 4),
                read_of("z", 1, 4),
            ],
            ..Trace::default()
        };
        let steps = relevant(&trace, &NoPlaces, true);
        let found = writers(&trace, &steps);
        assert_eq!(found[5..], [Some(3), Some(2), None]);
    }
}
