//! Code flow of an execution: a thread flow for each thread that moves, with steps in the order in which they happen.

use super::file::{Files, location, message};
use super::shape::*;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::report::effect::{counted, told};
use crate::report::line::line_of;
use crate::report::note::notes;
use crate::report::relevant::relevant;
use crate::trace::{Action, Trace};

/// Steps of all code flows at most: what code scanning of GitHub accepts of one, and some megabytes.
pub const MOST_STEPS: usize = 10_000;

/// The code flow of an execution, with so many steps at most; the last ones tell most.
pub fn of(trace: &Trace, most: usize, files: &mut Files) -> CodeFlow {
    let places = files.places();
    let notes = notes(&trace.steps, places);
    let shown = relevant(trace, places, false);
    let shown: SortedSet<usize> = shown.iter().map(|one| one.index).collect();
    let all = trace.steps.len();
    let chosen: Vec<usize> = match all <= most {
        true => (0..all).collect(),
        false => shown.iter().copied().collect(),
    };
    let chosen = &chosen[chosen.len().saturating_sub(most)..];
    let mut flows: SortedMap<ThreadId, Vec<ThreadFlowLocation>> = SortedMap::new();
    for index in chosen.iter().copied() {
        let step = &trace.steps[index];
        let note = notes.get(index).map_or("", String::as_str);
        let words = told(&step.action, note, &line_of(step, places), places);
        let function = Some(step.function.as_str());
        let place = files.location(step.loc, function, &words);
        let step_of = ThreadFlowLocation {
            location: place.unwrap_or_else(|| location(None, function, &words)),
            kinds: kinds(&step.action),
            nesting_level: step.calls.len(),
            execution_order: index + 1,
            importance: match (&step.action, shown.contains(&index)) {
                (Action::Violation { .. } | Action::Attempt { .. } | Action::Blocked { .. }, _) => {
                    "essential"
                }
                (_, true) => "important",
                (_, false) => "unimportant",
            },
        };
        flows.entry(step.thread).or_default().push(step_of);
    }
    let flow = |(thread, locations): (ThreadId, Vec<ThreadFlowLocation>)| {
        let known = trace.threads.get(thread.0 as usize);
        let title = thread.title();
        let name = known.map(|known| known.function.as_str());
        let name = name.filter(|name| *name != title);
        ThreadFlow {
            message: message(&match name {
                Some(name) => format!("{title}: {name}"),
                None => title.clone(),
            }),
            id: title,
            locations,
        }
    };
    let left_out = all - chosen.len();
    CodeFlow {
        message: (left_out > 0)
            .then(|| message(&format!("{} are left out", counted(left_out, "step")))),
        thread_flows: flows.into_iter().map(flow).collect(),
    }
}

/// Kinds of a step, in the words of the standard.
fn kinds(action: &Action) -> &'static [&'static str] {
    match action {
        Action::Lock { .. } | Action::TryLock { taken: true, .. } => &["acquire", "lock"],
        Action::Unlock { .. } => &["release", "lock"],
        Action::Allocate { .. } => &["acquire", "memory"],
        Action::Free { .. } => &["release", "memory"],
        Action::Call { .. } => &["call", "function"],
        Action::Return { .. } => &["return", "function"],
        Action::Violation { .. } => &["danger"],
        _ => &[],
    }
}
