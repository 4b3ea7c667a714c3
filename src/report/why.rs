//! Accesses whose order matters: what a thread read before another one wrote it, and went on with.

use super::relevant::{Shown, is_shared};
use crate::event::ThreadId;
use crate::source::place::{Places, file_line};
use crate::trace::{Action, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

/// Most sentences.
const MOST: usize = 2;

/// A sentence for each place that a thread read, before another one wrote it, and did not look at again before it went on; the last of
/// them first.
pub fn overtaken(steps: &[Shown], places: &dyn Places) -> Vec<String> {
    let mut by_place: BTreeMap<&str, Vec<(usize, bool)>> = BTreeMap::new();
    let mut noticed: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
    for (index, shown) in steps.iter().enumerate() {
        if let Some((place, is_write)) = access(shown.step) {
            by_place.entry(place).or_default().push((index, is_write));
        }
        if is_shared(&shown.step.action) {
            noticed.entry(shown.step.thread).or_default().push(index);
        }
    }
    // It does something that others can notice, or that violates the property, before it looks at the place again.
    let goes_on = |thread: ThreadId, behind: usize, place: &str| {
        let own = noticed.get(&thread)?;
        let next = own.get(own.partition_point(|index| *index <= behind))?;
        let again = access(steps[*next].step);
        Some(again.is_none_or(|(name, is_write)| name != place || is_write))
    };
    let mut found = Vec::new();
    for (place, accesses) in &by_place {
        let mut told: BTreeSet<ThreadId> = BTreeSet::new();
        for (position, (write, is_write)) in accesses.iter().enumerate().rev() {
            let before = accesses[..position].iter().rev();
            // Reads before the last write have seen what was there before that.
            let reads = before.take_while(|(_, is_write)| !is_write);
            for (read, _) in reads.filter(|_| *is_write) {
                let reader = steps[*read].step.thread;
                let is_other = reader != steps[*write].step.thread;
                if is_other && goes_on(reader, *write, place) == Some(true) && told.insert(reader) {
                    found.push((*write, *read, *place));
                }
            }
        }
    }
    found.sort_unstable_by(|one, other| other.cmp(one));
    let found = found.into_iter().take(MOST);
    found
        .map(|(write, read, place)| sentence(steps[read].step, steps[write].step, place, places))
        .collect()
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
        read.thread.title(),
        file_line(places, read.loc),
        write.thread.title(),
        file_line(places, write.loc)
    )
}
