//! Requests of accesses that may race: which bytes, of which kind, and by whom.

use crate::base::sorted::SortedMap;
use crate::event::{ThreadId, ThreadSet};
use crate::ir::address::Slot;
use crate::term::{TermId, Terms};
use crate::transition::faults::{self, Fault};

/// Kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Kind {
    pub writes: bool,
    /// Atomic by itself.
    pub is_atomic: bool,
    /// Within an atomic section.
    pub in_section: bool,
    /// Component of the candidate.
    pub component: u32,
}

impl Kind {
    /// Conflict: true if accesses of the same bytes race.
    pub fn conflicts(self, other: Kind) -> bool {
        let is_ordered = self.is_atomic && other.is_atomic || self.in_section && other.in_section;
        let writes = self.writes || other.writes && !faults::on(Fault::RaceSecondWrite);
        writes && !is_ordered && self.component == other.component
    }
}

/// Bytes that an access asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Request {
    /// Slot of the address: its upper bits.
    pub slot: TermId,
    /// Offset from the start of the object, as wide as a pointer.
    pub offset: TermId,
    /// Number of bytes, as wide as a pointer.
    pub bytes: TermId,
}

impl Request {
    /// The same with other terms.
    pub fn map(self, term: &mut dyn FnMut(TermId) -> TermId) -> Request {
        Request {
            slot: term(self.slot),
            offset: term(self.offset),
            bytes: term(self.bytes),
        }
    }

    /// Condition that two requests have a byte in common. Offsets may wrap.
    pub fn overlaps(&self, other: &Request, terms: &mut Terms) -> TermId {
        let same = terms.eq(self.slot, other.slot);
        if terms.as_constant(same) == Some(0) {
            return same;
        }
        let behind = follows(terms, self, other);
        let before = follows(terms, other, self);
        let met = terms.or(behind, before);
        terms.and(same, met)
    }
}

/// Condition that the first byte of a request is one of another's.
fn follows(terms: &mut Terms, first: &Request, of: &Request) -> TermId {
    let bits = terms.bits(first.offset);
    let none = terms.constant(0, bits);
    let some = terms.ult(none, first.bytes);
    let distance = terms.sub(first.offset, of.offset);
    let within = if faults::on(Fault::RaceFirstByte) {
        terms.eq(first.offset, of.offset)
    } else {
        terms.ult(distance, of.bytes)
    };
    terms.and(some, within)
}

/// Bytes of an object that an access may ask for, the first and the one behind the last, and how.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Range {
    pub from: u64,
    pub to: u64,
    pub kind: Kind,
}

/// Threads that make an access: main with the threads that may run then.
#[derive(Clone, Default, Debug)]
struct Users {
    threads: ThreadSet,
    beside_main: ThreadSet,
}

/// Requests that have been seen, by object.
#[derive(Default)]
pub(super) struct Requests {
    of: SortedMap<Slot, SortedMap<Range, Users>>,
}

impl Requests {
    /// Takes note of a request; whether that was news.
    pub fn note(&mut self, slot: Slot, range: Range, thread: u32, beside: &ThreadSet) -> bool {
        let users = self.of.entry(slot).or_default().entry(range).or_default();
        match thread {
            0 => users.beside_main.union(beside),
            _ => users.threads.insert(ThreadId(thread)),
        }
    }

    /// Conflict: true if another thread that may run then may ask for bytes of a request. One that `is_many` is beside itself.
    pub fn conflicts(
        &self,
        slot: Slot,
        range: &Range,
        (thread, is_many): (u32, bool),
        beside: &ThreadSet,
    ) -> bool {
        let mut known = self.of.get(&slot).into_iter().flatten();
        known.any(|(other, users)| {
            let overlap = range.from < other.to && other.from < range.to;
            let is_other = |id: ThreadId| id.0 != thread || is_many;
            let meet = match thread {
                0 => users.threads.meets(beside),
                _ => {
                    users.threads.iter().any(is_other)
                        || users.beside_main.contains(ThreadId(thread))
                }
            };
            overlap && meet && range.kind.conflicts(other.kind)
        })
    }
}
