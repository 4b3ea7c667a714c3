//! Compare-and-exchanges that succeed although others have changed the place since their thread looked at it (the ABA problem): equal
//! contents are no proof that nothing has happened.

use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::trace::{Action, TraceStep, Value};

/// Changes that a compare-and-exchange has not noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unnoticed {
    /// Changes by other threads.
    pub changes: usize,
    /// Index of the step that read the place before them.
    pub read: usize,
}

/// Accesses of a place so far.
#[derive(Default)]
struct Place<'a> {
    value: Option<&'a Value>,
    /// Changes, by thread.
    changes: SortedMap<ThreadId, usize>,
    /// The last read of each thread: its index, and changes by others before it.
    reads: SortedMap<ThreadId, (usize, usize)>,
}

impl<'a> Place<'a> {
    /// Changes by others than a thread.
    fn by_others(&self, thread: ThreadId) -> usize {
        let others = self.changes.iter().filter(|(by, _)| **by != thread);
        others.map(|(_, count)| count).sum()
    }

    fn set(&mut self, thread: ThreadId, value: &'a Value) {
        if self.value.is_none_or(|before| before.value != value.value) {
            *self.changes.entry(thread).or_default() += 1;
        }
        self.value = Some(value);
    }
}

/// True if a read-modify-write has stored: of a compare-and-exchange, that both were equal.
pub fn stores(old: &Value, new: &Value, expected: Option<&Value>) -> bool {
    old != new || expected.is_some_and(|expected| expected.value == old.value)
}

/// The successful compare-and-exchanges that have not noticed something, by the indices of their steps.
pub fn unnoticed(steps: &[TraceStep]) -> SortedMap<usize, Unnoticed> {
    let mut places: SortedMap<&str, Place> = SortedMap::new();
    let mut found = SortedMap::new();
    for (index, step) in steps.iter().enumerate() {
        let thread = step.thread;
        match &step.action {
            Action::Read { place, value, .. } => {
                let place = places.entry(place).or_default();
                place.value = Some(value);
                let before = place.by_others(thread);
                place.reads.insert(thread, (index, before));
            }
            Action::Write { place, value } | Action::Commit { place, value } => {
                places.entry(place).or_default().set(thread, value);
            }
            Action::Update {
                place,
                old,
                new,
                expected,
                ..
            } => {
                let place = places.entry(place).or_default();
                let before = place.by_others(thread);
                let succeeds = expected.is_some() && stores(old, new, expected.as_ref());
                if let Some(&(read, seen)) = place.reads.get(&thread)
                    && succeeds
                    && before > seen
                {
                    let changes = before - seen;
                    found.insert(index, Unnoticed { changes, read });
                }
                place.value = Some(old);
                place.set(thread, new);
                place.reads.insert(thread, (index, before));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::example::{int, read, step};
    use super::*;

    /// Steps of a place: the thread, and values: one that is read, or the old one, the new one and the expected one of an update.
    fn found(steps: &[(u32, &[i32])]) -> Vec<(usize, usize, usize)> {
        let steps = steps.iter().map(|(thread, values)| {
            let action = match values {
                [old, new, expected] => Action::Update {
                    place: "head".to_string(),
                    old: int(*old),
                    new: int(*new),
                    expected: Some(int(*expected)),
                    from: None,
                },
                _ => read("head", values[0]),
            };
            step(*thread, 1, action)
        });
        let found = unnoticed(&steps.collect::<Vec<_>>()).into_iter();
        found
            .map(|(index, one)| (index, one.changes, one.read))
            .collect()
    }

    #[test]
    fn what_has_come_back_is_noticed_here() {
        let steps: [(u32, &[i32]); 6] = [
            (1, &[0]),
            (2, &[0]),
            (2, &[0, 1, 0]),
            (2, &[1, 0, 1]),
            (1, &[0, 1, 0]),
            (1, &[1, 2, 1]),
        ];
        assert_eq!(found(&steps), [(4, 2, 0)]);
        // One that fails has noticed it.
        let fails: [(u32, &[i32]); 3] = [(1, &[0]), (2, &[0, 1, 0]), (1, &[1, 1, 0])];
        assert_eq!(found(&fails), []);
        // One that stores what is there has not.
        let same: [(u32, &[i32]); 4] =
            [(1, &[0]), (2, &[0, 1, 0]), (2, &[1, 0, 1]), (1, &[0, 0, 0])];
        assert_eq!(found(&same), [(3, 2, 0)]);
    }
}
