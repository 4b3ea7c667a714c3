//! Tables of how two schemes think of memory: the unwinding of `mu`, and the timestore of `timestamp`.
//!
//! Both are read off the replayed execution: the unwinding as `report/unwinding.rs` says; in a timestore, the time of a write is its number among all
//! writes.

use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::report::unwinding;
use crate::scheme::{Grain, Scheme};
use crate::trace::Trace;

/// A write: its time, the thread and the value.
pub struct Stamped {
    pub time: usize,
    pub thread: ThreadId,
    pub value: String,
}

/// A table.
pub enum Memory {
    /// Positions of an unwinding, and what one is: a write or a cluster of them.
    Unwinding(Vec<unwinding::Row>, &'static str),
    /// Values of each place, in the order of their times.
    Timestore(Vec<(String, Vec<Stamped>)>),
}

/// Table of a finding, if its scheme has one.
pub fn memory(trace: &Trace, scheme: Option<Scheme>) -> Option<Memory> {
    let scheme = scheme?;
    if let Some(grain) = scheme.grain() {
        let what = match grain {
            Grain::Writes => "write",
            Grain::Contexts | Grain::Turns => "cluster",
        };
        return Some(Memory::Unwinding(unwinding::rows(trace, grain), what));
    }
    matches!(scheme, Scheme::Timestamp(_)).then(|| Memory::Timestore(timestore(trace)))
}

fn timestore(trace: &Trace) -> Vec<(String, Vec<Stamped>)> {
    let mut store: SortedMap<String, Vec<Stamped>> = SortedMap::new();
    for (before, row) in unwinding::rows(trace, Grain::Writes)
        .into_iter()
        .enumerate()
    {
        let Some(thread) = row.threads.first().copied() else {
            continue;
        };
        for (place, value) in row.map {
            store.entry(place).or_default().push(Stamped {
                time: before + 1,
                thread,
                value,
            });
        }
    }
    store.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::{int, step};
    use crate::trace::Action;

    #[test]
    fn times_count_all_writes() {
        let write = |thread, place: &str, value| {
            let place = place.to_string();
            let value = int(value);
            step(thread, 1, Action::Write { place, value })
        };
        let create = Action::Create {
            child: ThreadId(1),
            function: "inc".to_string(),
            argument: int(0),
        };
        let trace = Trace {
            steps: vec![
                step(0, 1, create),
                write(1, "y", 1),
                write(2, "x", 2),
                write(1, "y", 3),
            ],
            ..Trace::default()
        };
        let store = timestore(&trace);
        let told: Vec<_> = store
            .iter()
            .flat_map(|(place, values)| {
                let told = move |one: &Stamped| format!("{place}@{} = {}", one.time, one.value);
                values.iter().map(told)
            })
            .collect();
        assert_eq!(told, ["x@2 = 2", "y@1 = 1", "y@3 = 3"]);
    }
}
