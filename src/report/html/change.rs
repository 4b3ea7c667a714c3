//! Changes that each row of a counterexample makes to what is known of the state: values of variables, store buffers, locks that are held.
//! The script of the page replays them up to the current row.

use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::HANDLE_USES;
use crate::report::compare::stores;
use crate::report::line::line_of;
use crate::report::relevant::Shown;
use crate::report::value::display;
use crate::source::place::Places;
use crate::trace::{Action, Trace, TraceStep};
use serde::Serialize;

/// A change. It is of the row's thread.
#[derive(Serialize, PartialEq, Eq, Debug)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Change {
    /// Memory that others see has a value.
    Shared { name: String, value: String },
    /// Memory that only this thread sees has a value.
    Own { name: String, value: String },
    /// A local variable has a value; `depth` is the number of calls that lead to its function.
    Local {
        depth: usize,
        function: String,
        name: String,
        value: String,
    },
    /// A function is called, which is that deep.
    Enter {
        depth: usize,
        function: String,
        arguments: Vec<(String, String)>,
    },
    /// A function returns to one that is that deep.
    Leave { depth: usize },
    /// A store goes into the buffer.
    Issue { name: String, value: String },
    /// The first store to this place in the buffer reaches memory.
    Commit { name: String, value: String },
    /// A lock is taken.
    Acquire { name: String },
    /// A lock is given back.
    Release { name: String },
    /// An object is freed: its places are gone.
    Free { name: String },
}

/// Values that memory has before the first step, as far as somebody reads them: those of objects that are always there.
pub fn initial(trace: &Trace) -> Vec<(String, String)> {
    let mut values: SortedMap<&str, String> = SortedMap::new();
    for step in &trace.steps {
        if let Action::Read {
            place,
            value,
            is_initial: true,
            ..
        } = &step.action
            && !place.contains('#')
            && !is_silent(place)
        {
            values.entry(place).or_insert_with(|| display(value));
        }
    }
    let values = values.into_iter();
    values
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}

/// Changes of each row. What a step that is not shown changes belongs to the row of its thread before it if it is of the same line, and to
/// the next one otherwise.
pub fn changes(trace: &Trace, steps: &[Shown], places: &dyn Places) -> Vec<Vec<Change>> {
    let row_of: SortedMap<usize, usize> = steps
        .iter()
        .enumerate()
        .map(|(row, shown)| (shown.index, row))
        .collect();
    let mut rows: Vec<Vec<Change>> = steps.iter().map(|_| Vec::new()).collect();
    let mut waiting: SortedMap<ThreadId, Vec<Change>> = SortedMap::new();
    let mut last: SortedMap<ThreadId, (usize, &TraceStep)> = SortedMap::new();
    let mut buffered: SortedMap<ThreadId, SortedSet<&str>> = SortedMap::new();
    for (index, step) in trace.steps.iter().enumerate() {
        if let Action::Issue { place, .. } = &step.action {
            buffered.entry(step.thread).or_default().insert(place);
        }
        let own = buffered.get(&step.thread);
        let is_own = |place: &str| own.is_some_and(|own| own.contains(place));
        let made = change(step, &is_own);
        let waiting = waiting.entry(step.thread).or_default();
        if let Some(row) = row_of.get(&index) {
            rows[*row].append(waiting);
            rows[*row].extend(made);
            last.insert(step.thread, (*row, step));
            continue;
        }
        match last.get(&step.thread) {
            Some((row, before)) if line_of(before, places) == line_of(step, places) => {
                rows[*row].append(waiting);
                rows[*row].extend(made);
            }
            _ => waiting.extend(made),
        }
    }
    for (thread, made) in waiting {
        if let Some((row, _)) = last.get(&thread) {
            rows[*row].extend(made);
        }
    }
    rows
}

/// Names of what the library keeps for itself.
fn is_silent(place: &str) -> bool {
    place.contains(".__") || place.starts_with(HANDLE_USES)
}

/// Change of a step; `is_own` is true of places that the thread has stored to, and may read out of its buffer.
fn change(step: &TraceStep, is_own: &dyn Fn(&str) -> bool) -> Option<Change> {
    let depth = step.calls.len();
    let found = match &step.action {
        Action::Read { place, .. } if is_own(place) || is_silent(place) => return None,
        Action::Write { place, .. } | Action::Local { name: place, .. } if is_silent(place) => {
            return None;
        }
        Action::Read {
            place,
            value,
            is_private,
            ..
        } => held(place, display(value), *is_private),
        Action::Write { place, value } => held(place, display(value), false),
        Action::Update {
            place,
            old,
            new,
            expected,
            ..
        } => {
            let is_stored = stores(old, new, expected.as_ref());
            let value = if is_stored { new } else { old };
            held(place, display(value), false)
        }
        Action::Copy {
            to: Some(place),
            bytes,
            value,
            is_private,
            ..
        } => {
            let words = || format!("({bytes} bytes written)");
            let value = value.as_ref().map_or_else(words, display);
            held(place, value, *is_private)
        }
        Action::Local {
            name,
            value,
            is_variable: true,
        } => Change::Local {
            depth,
            function: step.function.clone(),
            name: name.clone(),
            value: display(value),
        },
        Action::Local { name, value, .. } => held(name, display(value), true),
        Action::Call {
            function,
            arguments,
        } => Change::Enter {
            depth: depth + 1,
            function: function.clone(),
            arguments: arguments
                .iter()
                .filter(|(name, _)| !name.is_empty())
                .map(|(name, value)| (name.clone(), display(value)))
                .collect(),
        },
        Action::Return { .. } => Change::Leave { depth },
        Action::Issue { place, value } => Change::Issue {
            name: place.clone(),
            value: display(value),
        },
        Action::Commit { place, value } => Change::Commit {
            name: place.clone(),
            value: display(value),
        },
        Action::Lock { place } | Action::TryLock { place, taken: true } => Change::Acquire {
            name: place.clone(),
        },
        Action::Unlock { place } => Change::Release {
            name: place.clone(),
        },
        Action::Free { block } => Change::Free {
            name: block.clone(),
        },
        _ => return None,
    };
    Some(found)
}

fn held(place: &str, value: String, is_private: bool) -> Change {
    let name = place.to_string();
    match is_private {
        true => Change::Own { name, value },
        false => Change::Shared { name, value },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::{Lines, int, read, step};

    fn local(thread: u32, line: u32, name: &str, value: i32) -> TraceStep {
        let action = Action::Local {
            name: name.to_string(),
            value: int(value),
            is_variable: true,
        };
        step(thread, line, action)
    }

    /// Rows of the steps with these indices, as names and values of variables.
    fn rows(steps: Vec<TraceStep>, shown: &[usize]) -> Vec<Vec<String>> {
        let trace = Trace {
            steps,
            ..Trace::default()
        };
        let shown = shown.iter().map(|index| Shown {
            step: &trace.steps[*index],
            index: *index,
            omitted: 0,
        });
        let shown: Vec<Shown> = shown.collect();
        let words = |change: Change| match change {
            Change::Shared { name, value } => format!("{name} = {value}"),
            Change::Local { name, value, .. } => format!("local {name} = {value}"),
            Change::Issue { name, .. } => format!("issue {name}"),
            Change::Commit { name, .. } => format!("commit {name}"),
            other => format!("{other:?}"),
        };
        let rows = changes(&trace, &shown, &Lines).into_iter();
        rows.map(|row| row.into_iter().map(words).collect())
            .collect()
    }

    #[test]
    fn steps_that_are_not_shown_change_variables_all_the_same() {
        let steps = vec![
            local(1, 2, "early", 1),
            step(1, 3, read("x", 7)),
            local(1, 3, "same", 7),
            local(1, 4, "next", 8),
            local(2, 4, "other", 9),
            step(1, 5, read("y", 0)),
            local(1, 6, "late", 2),
        ];
        assert_eq!(
            rows(steps, &[1, 5]),
            [
                vec!["local early = 1", "x = 7", "local same = 7"],
                vec!["local next = 8", "y = 0", "local late = 2"],
            ]
        );
    }

    #[test]
    fn what_a_thread_reads_out_of_its_buffer_is_not_in_memory() {
        let place = || "x".to_string();
        let value = || int(1);
        let issue = Action::Issue {
            place: place(),
            value: value(),
        };
        let commit = Action::Commit {
            place: place(),
            value: value(),
        };
        let steps = vec![
            step(1, 2, issue),
            step(1, 3, read("x", 1)),
            step(2, 3, read("x", 0)),
            step(1, 2, commit),
        ];
        assert_eq!(
            rows(steps, &[0, 1, 2, 3]),
            [vec!["issue x"], vec![], vec!["x = 0"], vec!["commit x"]]
        );
    }
}
