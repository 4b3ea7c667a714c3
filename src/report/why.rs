//! Accesses whose order matters: what a thread read before another one wrote it, and went on with.

use super::effect::named;
use super::relevant::{Shown, is_shared};
use crate::event::ThreadId;
use crate::source::place::{Places, file_line};
use crate::trace::{Action, TraceStep};
use std::collections::BTreeSet;

/// Most sentences.
const MOST: usize = 2;

/// A sentence for each place that a thread read, before another one wrote it, and did not look at again before it went on; the last of
/// them first.
pub fn overtaken(steps: &[Shown], places: &dyn Places) -> Vec<String> {
    let mut told: BTreeSet<(ThreadId, &str)> = BTreeSet::new();
    let mut sentences = Vec::new();
    for (index, write) in steps.iter().enumerate().rev() {
        let Some((place, true)) = access(write.step) else {
            continue;
        };
        let writer = write.step.thread;
        let mut readers: BTreeSet<ThreadId> = BTreeSet::new();
        for read in steps[..index].iter().rev() {
            let reader = read.step.thread;
            let same = access(read.step).filter(|(name, _)| *name == place);
            let Some((_, is_write)) = same else {
                continue;
            };
            if reader == writer || is_write {
                // Earlier reads have seen what was there before this.
                break;
            }
            if readers.insert(reader)
                && goes_on(&steps[index + 1..], reader, place)
                && told.insert((reader, place))
            {
                sentences.push(sentence(read.step, write.step, place, places));
            }
        }
        if sentences.len() >= MOST {
            break;
        }
    }
    sentences.truncate(MOST);
    sentences
}

/// True if a thread does something that others can notice, or that violates the property, before it looks at a place again.
fn goes_on(steps: &[Shown], thread: ThreadId, place: &str) -> bool {
    let mut own = steps.iter().filter(|shown| shown.step.thread == thread);
    let next = own.find(|shown| is_shared(&shown.step.action));
    next.is_some_and(|shown| {
        let again = access(shown.step);
        again.is_none_or(|(name, is_write)| name != place || is_write)
    })
}

/// Place of a step that reads or writes memory, and whether it writes.
fn access(step: &TraceStep) -> Option<(&str, bool)> {
    match &step.action {
        Action::Read { place, .. } => Some((place, false)),
        Action::Write { place, .. } | Action::Commit { place, .. } => Some((place, true)),
        Action::Update {
            place, old, new, ..
        } => Some((place, old.value != new.value)),
        _ => None,
    }
}

fn sentence(read: &TraceStep, write: &TraceStep, place: &str, places: &dyn Places) -> String {
    format!(
        "{} read {place} at {} before {} wrote it at {}",
        named(read.thread),
        file_line(places, read.loc),
        named(write.thread),
        file_line(places, write.loc)
    )
}
