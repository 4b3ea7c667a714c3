//! Lives of objects: what is left of an object when it has ended, and who lived when.
//!
//! A pointer outlives its object, and goes on to mean the same machine address. Two objects may have overlapped only if
//! one had ended before the other was allocated.

use super::memory::Label;
use crate::base::sorted::SortedMap;
use crate::event::{Origin, ThreadId};
use crate::ir::FuncId;
use crate::ir::address::Slot;
use crate::trace::faults::{self, Fault};

/// An object, alive or not, as far as its machine address depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life {
    pub origin: Origin,
    /// `None` for a function.
    pub label: Option<Label>,
    /// At least 1.
    pub size_bytes: u64,
    pub align_bytes: u64,
    /// The era in which it was allocated.
    pub born: u32,
    /// The era in which it ended.
    pub ended: Option<u32>,
    /// The era from which on its storage may be that of another thread's object: where it was freed, later than its end if
    /// the stores before that wait in a buffer.
    pub released: Option<u32>,
    /// The thread that ended it.
    pub by: Option<ThreadId>,
    /// Its machine address, once somebody has asked for it.
    pub base: Option<u64>,
    /// The object that `realloc` ends once it has moved what is there, and in whose place it may be.
    pub instead: Option<Slot>,
}

impl Life {
    /// Order of lives: true if it had ended, as far as who allocated the other could know, before the other was
    /// allocated.
    pub fn precedes(&self, other: &Life) -> bool {
        let own = matches!(other.origin, Origin::Alloc(thread, _) if self.by == Some(thread));
        let gone = if own { self.ended } else { self.released };
        gone.is_some_and(|gone| gone < other.born)
    }

    /// Shared storage: true if some storage may have belonged to both.
    pub fn may_share(&self, other: &Life) -> bool {
        (self.precedes(other) || other.precedes(self)) && !faults::on(Fault::LivesNeverShare)
    }

    /// The first machine address behind it.
    pub fn end(&self) -> Option<u64> {
        self.base.map(|base| base + self.size_bytes)
    }
}

/// New object: what is known of it when it is allocated.
#[derive(Clone, Copy, Debug)]
pub struct New {
    pub origin: Origin,
    pub label: Option<Label>,
    pub size_bytes: u64,
    pub align_bytes: u64,
    pub instead: Option<Slot>,
}

impl New {
    fn life(self, born: u32) -> Life {
        Life {
            origin: self.origin,
            label: self.label,
            size_bytes: self.size_bytes.max(1),
            align_bytes: self.align_bytes.max(1),
            born,
            ended: None,
            released: None,
            by: None,
            base: None,
            instead: self.instead,
        }
    }
}

/// All lives of one execution. Its *eras* are runs of allocations and then of ends, so that they say who had ended
/// before which allocation, and no more.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    known: SortedMap<Slot, Life>,
    era: u32,
    /// True if an object has ended in this era, or its storage was released.
    over: bool,
}

impl Lives {
    /// An object is allocated.
    pub fn begin(&mut self, slot: Slot, new: New) {
        self.era += u32::from(std::mem::take(&mut self.over));
        self.known.insert(slot, new.life(self.era));
    }

    /// A function has always been there.
    pub fn begin_function(&mut self, slot: Slot, function: FuncId) {
        let new = New {
            origin: Origin::Function(function),
            label: None,
            size_bytes: 1,
            align_bytes: 1,
            instead: None,
        };
        self.known.entry(slot).or_insert(new.life(0));
    }

    /// An object ends.
    pub fn end(&mut self, slot: Slot, by: ThreadId) {
        if let Some(life) = self.known.get_mut(&slot) {
            life.ended = Some(self.era);
            life.released = life.ended;
            life.by = Some(by);
            self.over = true;
        }
    }

    /// The storage of an object that has ended is not to be had by other threads yet.
    pub fn delay(&mut self, slot: Slot) {
        if let Some(life) = self.known.get_mut(&slot) {
            life.released = None;
        }
    }

    /// Now it is.
    pub fn release(&mut self, slot: Slot) {
        if let Some(life) = self.known.get_mut(&slot) {
            life.released = Some(self.era);
            self.over = true;
        }
    }

    /// Life of the object in this slot, if it is recorded.
    pub fn get(&self, slot: Slot) -> Option<&Life> {
        self.known.get(&slot)
    }

    /// Gives an object its machine address.
    pub fn place(&mut self, slot: Slot, base: u64) {
        if let Some(life) = self.known.get_mut(&slot) {
            life.base = Some(base);
        }
    }

    /// All of them, by slot.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Life)> {
        self.known.iter().map(|(slot, life)| (*slot, life))
    }

    /// Predecessor: the last object that was where the object in a slot is; `None` if there was none.
    pub fn predecessor(&self, slot: Slot) -> Option<&Life> {
        let life = self.get(slot)?;
        let (base, end) = (life.base?, life.end()?);
        let before = self.placed().filter(|(old, other, at)| {
            let there = *at < end && base < at + other.size_bytes;
            let replaced = other.ended.is_some() && life.instead == Some(*old) && *at == base;
            there && (other.precedes(life) || replaced)
        });
        let last = before.max_by_key(|(_, other, _)| other.ended);
        last.map(|(_, other, _)| other)
    }

    /// True if an object is where another one still lives that it is to replace.
    pub fn waits(&self, life: &Life) -> bool {
        let old = life.instead.and_then(|slot| self.get(slot));
        old.is_some_and(|old| old.ended.is_none() && old.base == life.base)
    }

    /// Those with a machine address, which comes last.
    pub fn placed(&self) -> impl Iterator<Item = (Slot, &Life, u64)> {
        self.iter()
            .filter_map(|(slot, life)| Some((slot, life, life.base?)))
    }
}
