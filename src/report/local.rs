//! Local variables of a counterexample whose values show in what others can notice: those that the line of a later write names. Beside
//! them, pointers that a thread has stored where only it could see that, and that others follow.

use super::line::identifiers;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::ir::ty::Reading;
use crate::source::place::Places;
use crate::trace::{Action, TraceStep};

/// An activation of a function: the thread, and the calls that lead there.
type Activation<'a> = (ThreadId, &'a [Loc]);

/// Assignments of local variables, true for those that a later step of the same activation uses which is kept: its line names the
/// variable, and it writes, frees or violates something; and for pointers that another thread reads.
pub fn used(steps: &[TraceStep], kept: &[bool], places: &dyn Places) -> Vec<bool> {
    let mut lines: SortedMap<Loc, SortedSet<String>> = SortedMap::new();
    let mut wanted: SortedMap<Activation, SortedSet<String>> = SortedMap::new();
    let mut followed: SortedMap<&str, SortedSet<ThreadId>> = SortedMap::new();
    let mut used = vec![false; steps.len()];
    for (index, step) in steps.iter().enumerate().rev() {
        match &step.action {
            Action::Local { name, .. } => {
                let own = wanted.get_mut(&(step.thread, &step.calls));
                let is_named = own.is_some_and(|own| own.remove(name.as_str()));
                let by = followed.remove(name.as_str()).unwrap_or_default();
                used[index] = is_named || by.iter().any(|thread| *thread != step.thread);
            }
            Action::Read { place, value, .. } if value.reading == Reading::Pointer => {
                followed.entry(place).or_default().insert(step.thread);
            }
            // Earlier calls of the same place are other activations.
            Action::Call { .. } => wanted.retain(|(thread, calls), _| {
                *thread != step.thread || calls.len() <= step.calls.len()
            }),
            action if kept[index] && uses(action) => {
                let names = lines.entry(step.loc).or_insert_with(|| {
                    let line = places.line_text(step.loc).unwrap_or_default();
                    identifiers(&line).map(str::to_string).collect()
                });
                let own = wanted.entry((step.thread, &step.calls)).or_default();
                own.extend(names.iter().cloned());
            }
            _ => {}
        }
    }
    used
}

/// True if the values of variables show in an action.
fn uses(action: &Action) -> bool {
    matches!(
        action,
        Action::Write { .. }
            | Action::Issue { .. }
            | Action::Update { .. }
            | Action::Copy {
                is_private: false,
                ..
            }
            | Action::Free { .. }
            | Action::Attempt { .. }
            | Action::Violation { .. }
    )
}
