//! Notes on steps of a counterexample that other steps explain: which stores are still in buffers where a thread reads, who held a lock
//! that it comes to, what a compare-and-exchange has not noticed, and where an input goes to.

use super::compare::{Unnoticed, unnoticed};
use super::effect::counted;
use super::line::line_of;
use super::relevant::is_shared;
use super::value;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::source::place::Places;
use crate::trace::{Action, TraceStep, Value};

/// Stores that are named; further ones are counted.
const MOST: usize = 2;

/// Threads that hold each lock that is held.
type Holders<'a> = SortedMap<&'a str, SortedSet<ThreadId>>;

/// Stores of a thread that have not reached memory.
#[derive(Default)]
struct Buffer<'a> {
    stores: Vec<(&'a str, &'a Value)>,
    /// A read has told of them.
    is_told: bool,
}

/// The notes, one for each step; most are empty.
pub fn notes(steps: &[TraceStep], places: &dyn Places) -> Vec<String> {
    let unnoticed = unnoticed(steps);
    let mut buffers: SortedMap<ThreadId, Buffer> = SortedMap::new();
    let mut holders: Holders = SortedMap::new();
    // Who held a lock when a thread took its last step that others can notice: locks that others held.
    let mut held: SortedMap<ThreadId, Holders> = SortedMap::new();
    let mut notes = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let thread = step.thread;
        let mut note = String::new();
        match &step.action {
            Action::Issue { place, value } => {
                let buffer = buffers.entry(thread).or_default();
                buffer.stores.push((place, value));
                buffer.is_told = false;
            }
            Action::Commit { place, .. } => {
                let buffer = buffers.entry(thread).or_default();
                let mut stores = buffer.stores.iter();
                if let Some(first) = stores.position(|(name, _)| name == place) {
                    buffer.stores.remove(first);
                }
            }
            Action::Read {
                place,
                is_private: false,
                ..
            } => {
                let own = buffers.entry(thread).or_default();
                note = match own.has(place) {
                    false => others(&buffers, thread, place),
                    true => None,
                }
                .unwrap_or_else(|| buffers.entry(thread).or_default().note(place));
            }
            Action::Input { name: None, value } => {
                let mut later = steps[index + 1..].iter();
                let next = later.find(|later| later.thread == thread);
                if let Some(Action::Local {
                    name, value: taken, ..
                }) = next.map(|next| &next.action)
                    && taken.value == value.value
                {
                    note.clone_from(name);
                }
            }
            Action::Update { .. } => {
                if let Some(Unnoticed { changes, read }) = unnoticed.get(&index) {
                    let since = line_of(&steps[*read], places);
                    let since =
                        since.map_or(String::new(), |(_, line)| format!(" since line {line}"));
                    note = format!("changed {}{since}", counted(*changes, "time"));
                }
            }
            Action::Lock { place } | Action::TryLock { place, taken: true } => {
                let own = holders.entry(place).or_default();
                let before = held.get(&thread).and_then(|all| all.get(place.as_str()));
                // Readers may hold it still, beside this one.
                let gone = |other: &&ThreadId| **other != thread && !own.contains(*other);
                if let Some(other) = before.into_iter().flatten().find(gone) {
                    note = format!("{} held it before", other.title());
                }
                own.insert(thread);
            }
            Action::Unlock { place } => {
                let own = holders.entry(place).or_default();
                // A mutex may be released by a thread that has not taken it.
                if !own.remove(&thread) {
                    own.clear();
                }
                if own.is_empty() {
                    holders.remove(place.as_str());
                }
            }
            Action::Initialise { place } => {
                holders.remove(place.as_str());
            }
            Action::Create { child, .. } => {
                held.insert(*child, holders.clone());
            }
            _ => {}
        }
        if is_shared(&step.action) {
            held.insert(thread, holders.clone());
        }
        notes.push(note);
    }
    notes
}

/// Store of another thread to a place that has not reached memory, in words.
fn others(buffers: &SortedMap<ThreadId, Buffer>, thread: ThreadId, place: &str) -> Option<String> {
    let others = buffers.iter().filter(|(other, _)| **other != thread);
    let mut waiting = others.flat_map(|(other, buffer)| {
        let stores = buffer.stores.iter().filter(|(name, _)| *name == place);
        stores.map(|(_, value)| (*other, *value))
    });
    let (other, value) = waiting.next()?;
    let value = value::display(value);
    Some(format!(
        "{}'s {place} = {value} is still in its store buffer",
        other.title()
    ))
}

impl Buffer<'_> {
    /// True if a store to a place waits.
    fn has(&self, place: &str) -> bool {
        self.stores.iter().any(|(name, _)| *name == place)
    }

    /// Note on a read of a place.
    fn note(&mut self, place: &str) -> String {
        if self.has(place) {
            return "from its own store buffer".to_string();
        }
        if self.stores.is_empty() || std::mem::replace(&mut self.is_told, true) {
            return String::new();
        }
        let stores = self.stores.iter().take(MOST);
        let mut stores: Vec<String> = stores
            .map(|(place, value)| format!("{place} = {}", value::display(value)))
            .collect();
        if let Some(more @ 1..) = self.stores.len().checked_sub(MOST) {
            stores.push(format!("{more} more"));
        }
        format!("own {} still in the store buffer", stores.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, int, step};
    use super::*;
    use crate::source::place::NoPlaces;

    fn named(thread: u32, action: fn(String) -> Action, place: &str) -> TraceStep {
        step(thread, 1, action(place.to_string()))
    }

    fn read(place: String) -> Action {
        example::read(&place, 0)
    }

    fn issue(place: String) -> Action {
        let value = int(1);
        Action::Issue { place, value }
    }

    fn commit(place: String) -> Action {
        let value = int(1);
        Action::Commit { place, value }
    }

    #[test]
    fn a_read_tells_once_what_waits_in_the_own_buffer() {
        let steps = [
            named(1, issue, "x"),
            named(2, read, "x"),
            named(1, read, "y"),
            named(1, read, "y"),
            named(1, read, "x"),
            named(1, issue, "z"),
            named(1, read, "y"),
            named(1, commit, "x"),
            named(1, read, "x"),
        ];
        let notes = notes(&steps, &NoPlaces);
        assert_eq!(notes[1], "thread 1's x = 1 is still in its store buffer");
        assert_eq!(notes[2], "own x = 1 still in the store buffer");
        assert_eq!(notes[3], "");
        assert_eq!(notes[4], "from its own store buffer");
        assert_eq!(notes[6], "own x = 1 and z = 1 still in the store buffer");
        assert_eq!(notes[8], "");
    }

    #[test]
    fn a_lock_that_another_thread_held_says_so() {
        let lock = |place| Action::Lock { place };
        let unlock = |place| Action::Unlock { place };
        let steps = [
            named(1, lock, "a"),
            named(2, issue, "x"),
            named(1, unlock, "a"),
            named(2, lock, "a"),
            named(2, unlock, "a"),
            named(1, lock, "a"),
        ];
        let notes = notes(&steps, &NoPlaces);
        assert_eq!(notes[3], "thread 1 held it before");
        assert_eq!((notes[0].as_str(), notes[5].as_str()), ("", ""));
    }
}
