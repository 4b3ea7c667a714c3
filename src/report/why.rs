//! Accesses whose order matters: what a thread read before another one wrote it, and went on with; or while what another one had
//! written was still in its store buffer.

use super::compare::{Unnoticed, unnoticed};
use super::effect::counted;
use super::line::line_of;
use super::relevant::{Shown, is_shared};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::source::place::{Places, file_line};
use crate::trace::{Action, Trace, TraceStep};

/// Most sentences.
const MOST: usize = 2;

/// Accesses of memory, by the indices of their steps.
#[derive(Default)]
struct Accesses<'a> {
    /// Reads and writes of each place, and whether one is a write.
    by_place: SortedMap<&'a str, Vec<(usize, bool)>>,
    /// Stores into buffers: who, where, from which step, and up to which if they have reached memory.
    stores: Vec<(ThreadId, &'a str, usize, Option<usize>)>,
    /// Steps of each thread that others can notice.
    noticed: SortedMap<ThreadId, Vec<usize>>,
}

/// A read that did not see a write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Missed<'a> {
    write: usize,
    read: usize,
    place: &'a str,
}

/// A sentence for each place that a thread read, before another one wrote it, and did not look at again before it went on; the last of
/// them first.
pub fn overtaken(trace: &Trace, steps: &[Shown], places: &dyn Places) -> Vec<String> {
    let all = accesses(steps);
    let mut found = buffered(&all, steps);
    found.extend(early(&all, steps));
    found.sort_unstable_by(|one, other| other.cmp(one));
    let mut told: SortedSet<(&str, ThreadId)> = SortedSet::new();
    found.retain(|one| {
        let reader = steps[one.read].step.thread;
        told.insert((one.place, reader)) && is_used(&all, steps, one.read, places)
    });
    let found = found.iter().map(|one| sentence(*one, &all, steps, places));
    let compared = compared(trace, places);
    compared.into_iter().chain(found).take(MOST).collect()
}

/// A sentence for each compare-and-exchange that succeeds although others have changed the place since its thread read it; the last of
/// them first.
fn compared(trace: &Trace, places: &dyn Places) -> Vec<String> {
    let found = unnoticed(&trace.steps).into_iter().rev();
    let sentence = |(index, Unnoticed { changes, read }): (usize, Unnoticed)| {
        let step = &trace.steps[index];
        let Action::Update { place, .. } = &step.action else {
            return None;
        };
        let (who, here) = (step.thread.title(), file_line(places, step.loc));
        let there = file_line(places, trace.steps[read].loc);
        let changed = counted(changes, "time");
        Some(format!(
            "{who}'s compare-and-exchange at {here} succeeded although others had changed {place} {changed} since it was read at {there}"
        ))
    };
    found.filter_map(sentence).collect()
}

fn accesses<'a>(steps: &[Shown<'a>]) -> Accesses<'a> {
    let mut all = Accesses::default();
    for (index, shown) in steps.iter().enumerate() {
        let step = shown.step;
        if let Some((place, is_write)) = access(step) {
            let own = all.by_place.entry(place).or_default();
            own.push((index, is_write));
        }
        if is_shared(&step.action) {
            all.noticed.entry(step.thread).or_default().push(index);
        }
        match &step.action {
            Action::Issue { place, .. } => all.stores.push((step.thread, place, index, None)),
            Action::Commit { place, .. } => {
                let mut stores = all.stores.iter_mut();
                let first = stores.find(|(thread, name, _, reached)| {
                    *thread == step.thread && name == place && reached.is_none()
                });
                if let Some(store) = first {
                    store.3 = Some(index);
                }
            }
            _ => {}
        }
    }
    all
}

/// Reads of a place while the store of another thread to it was in that thread's buffer.
fn buffered<'a>(all: &Accesses<'a>, steps: &[Shown]) -> Vec<Missed<'a>> {
    let mut found = Vec::new();
    for (thread, place, issued, reached) in &all.stores {
        let reads = all.by_place.get(place).into_iter().flatten();
        let is_missed = |read: usize| {
            read > *issued
                && reached.is_none_or(|reached| read < reached)
                && steps[read].step.thread != *thread
        };
        let mut reads = reads.filter(|(read, is_write)| !is_write && is_missed(*read));
        found.extend(reads.next_back().map(|(read, _)| Missed {
            write: reached.unwrap_or(*issued),
            read: *read,
            place,
        }));
    }
    found
}

/// Reads of a place before another thread wrote it, of threads that went on without looking again.
fn early<'a>(all: &Accesses<'a>, steps: &[Shown]) -> Vec<Missed<'a>> {
    // It does something that others can notice, or that violates the property, before it looks at the place again.
    let goes_on = |thread: ThreadId, behind: usize, place: &str| {
        let own = all.noticed.get(&thread)?;
        let next = own.get(own.partition_point(|index| *index <= behind))?;
        let again = access(steps[*next].step);
        Some(again.is_none_or(|(name, is_write)| name != place || is_write))
    };
    let mut found = Vec::new();
    for (place, accesses) in &all.by_place {
        let mut told: SortedSet<ThreadId> = SortedSet::new();
        for (position, (write, is_write)) in accesses.iter().enumerate().rev() {
            let before = accesses[..position].iter().rev();
            // Reads before the last write have seen what was there before that.
            let reads = before.take_while(|(_, is_write)| !is_write);
            for (read, _) in reads.filter(|_| *is_write) {
                let reader = steps[*read].step.thread;
                let is_other = reader != steps[*write].step.thread;
                if is_other && goes_on(reader, *write, place) == Some(true) && told.insert(reader) {
                    found.push(Missed {
                        write: *write,
                        read: *read,
                        place,
                    });
                }
            }
        }
    }
    found
}

/// False if the value that a step reads goes nowhere but into a place that nobody reads afterwards, as that of `total` in a last
/// `total += cost`.
fn is_used(all: &Accesses, steps: &[Shown], read: usize, places: &dyn Places) -> bool {
    let step = steps[read].step;
    let line = line_of(step, places);
    let is_here = |shown: &Shown| line_of(shown.step, places) == line;
    let mut mine = steps[read + 1..]
        .iter()
        .enumerate()
        .filter(|(_, shown)| shown.step.thread == step.thread);
    let is_read = |shown: &Shown| matches!(shown.step.action, Action::Read { .. });
    let next = mine.find(|(_, shown)| !(is_read(shown) && is_here(shown)));
    let Some((behind, shown)) = next.filter(|(_, shown)| is_here(shown)) else {
        return true;
    };
    let (Action::Write { place, .. } | Action::Issue { place, .. }) = &shown.step.action else {
        return true;
    };
    let write = read + 1 + behind;
    let accesses = all.by_place.get(place.as_str());
    let mut later = accesses.into_iter().flatten();
    later.any(|(index, is_write)| *index > write && !is_write)
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

fn sentence(missed: Missed, all: &Accesses, steps: &[Shown], places: &dyn Places) -> String {
    let (read, write) = (steps[missed.read].step, steps[missed.write].step);
    let (reader, writer) = (read.thread.title(), write.thread.title());
    let (place, here) = (missed.place, file_line(places, read.loc));
    let there = file_line(places, write.loc);
    let mut stores = all.stores.iter();
    let store = stores
        .find(|(_, _, issued, reached)| *reached == Some(missed.write) || *issued == missed.write);
    match store {
        Some((_, _, issued, _)) if *issued < missed.read => format!(
            "{reader} read {place} at {here} while {writer}'s write at {there} was in its store buffer"
        ),
        _ => format!("{reader} read {place} at {here} before {writer} wrote it at {there}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{Lines, int, read, step};
    use super::*;

    /// Steps: the thread, the line, and `r`ead, `w`rite, `i`ssue or `c`ommit of a place.
    fn sentences(steps: &[(u32, u32, &str)]) -> Vec<String> {
        let made = |(thread, line, what): &(u32, u32, &str)| {
            let (kind, name) = what.split_at(1);
            let (place, value) = (name.to_string(), int(0));
            let action = match kind {
                "r" => read(name, 0),
                "w" => Action::Write { place, value },
                "i" => Action::Issue { place, value },
                _ => Action::Commit { place, value },
            };
            step(*thread, *line, action)
        };
        let steps: Vec<TraceStep> = steps.iter().map(made).collect();
        let shown = steps.iter().enumerate();
        let shown = shown.map(|(index, step)| Shown {
            step,
            index,
            omitted: 0,
        });
        let trace = Trace {
            steps: steps.clone(),
            ..Trace::default()
        };
        overtaken(&trace, &shown.collect::<Vec<_>>(), &Lines)
    }

    #[test]
    fn both_halves_of_a_cycle_through_store_buffers_are_told() {
        let steps = [
            (1, 1, "ix"),
            (1, 2, "ry"),
            (2, 3, "iy"),
            (2, 4, "rx"),
            (2, 3, "cy"),
            (1, 5, "rz"),
        ];
        assert_eq!(
            sentences(&steps),
            [
                "thread 1 read y at a.c:2 before thread 2 wrote it at a.c:3",
                "thread 2 read x at a.c:4 while thread 1's write at a.c:1 was in its store buffer",
            ]
        );
    }

    #[test]
    fn what_nobody_reads_afterwards_is_not_told() {
        let mut steps = vec![
            (1, 1, "rx"),
            (2, 1, "rx"),
            (2, 1, "wx"),
            (1, 1, "wx"),
            (1, 2, "wy"),
        ];
        assert_eq!(sentences(&steps), [""; 0]);
        steps.push((2, 3, "rx"));
        assert_eq!(
            sentences(&steps),
            ["thread 1 read x at a.c:1 before thread 2 wrote it at a.c:1"]
        );
    }
}
