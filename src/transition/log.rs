//! Log of what an edge has read and written in array objects at offsets that are not constant.

use crate::base::sorted::SortedMap;
use crate::ir::address::Slot;
use crate::term::{TermId, Terms};

/// Most entries of a log.
const ENTRIES: usize = 16;

/// An access of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub offset: TermId,
    pub bytes: u32,
    pub value: TermId,
    /// Condition that it has happened.
    pub when: TermId,
    pub write: bool,
}

/// Accesses of an edge by array object, oldest first. To forget the oldest is no error.
pub(super) type Log = SortedMap<Slot, Vec<Entry>>;

/// The log where two paths meet; `mine` is the condition to be on the first.
pub(super) fn join(terms: &mut Terms, mine: TermId, a: Log, b: Log) -> Log {
    if a == b {
        return a;
    }
    let theirs = terms.not(mine);
    let mut joined = Log::new();
    for slot in a.keys().chain(b.keys()) {
        let [a, b] = [&a, &b].map(|log| log.get(slot).map(Vec::as_slice).unwrap_or_default());
        let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let mut all = a[..shared].to_vec();
        for (rest, own) in [(&a[shared..], mine), (&b[shared..], theirs)] {
            for entry in rest {
                let when = terms.and(entry.when, own);
                all.push(Entry { when, ..*entry });
            }
        }
        shorten(&mut all);
        joined.insert(*slot, all);
    }
    joined
}

/// Forgets the oldest entries of a log that is too long.
pub(super) fn shorten(entries: &mut Vec<Entry>) {
    entries.drain(..entries.len().saturating_sub(ENTRIES));
}
