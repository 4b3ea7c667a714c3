//! One pass's view of a program: threads and objects by name, and which of them touches what.

use super::list::List;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{FuncId, GlobalId, Note};
use crate::term::TermId;

/// A thread instance, by how it was created, so that it has the same name in every pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadKey(pub u64);

/// An object, by how it came to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKey {
    Global(GlobalId),
    ThreadLocal(GlobalId, ThreadKey),
    Function(FuncId),
    Alloc(ThreadKey, PosKey),
    /// The result of a thread.
    Result(ThreadKey),
    /// Words in which a thread announces accesses of a lane; see [`super::watch`].
    Watch(ThreadKey, u32),
}

/// Space of a cell: one of the parallel memories of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// Its bytes.
    Data,
    /// The synchronisation word of the mutex that starts at the offset.
    Sync,
    /// The note of this kind on the synchronisation object that starts at the offset.
    Note(Note),
    /// The thread's own note on it ([`Note::Own`]).
    Own(ThreadKey),
    /// Offset 0: one byte that is 1 once the object's life has ended.
    Ended,
    /// Offset 0: one byte that is 1 once the storage of an object of the heap may be another one's: `free` stores it
    /// behind what its thread has stored before. Where memory is weak; otherwise `Ended` says it.
    Released,
    /// Offset 0: one byte that is 1 once an object with a machine address has been allocated.
    Born,
    /// Offset n times the bytes of an address: the internal address that was stored as a whole from the n-th byte
    /// on, or 0; see [`super::word`].
    Word,
    /// All bits of a byte are 1 until the byte at the same offset is written, then 0; see [`super::fresh`].
    Fresh,
}

/// A place in memory: slot, space, first byte.
pub type CellStart = (Slot, Space, u64);

/// Threads that touched the bytes from a place on, once a second thread may have been running.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Touch {
    pub readers: SortedSet<ThreadKey>,
    pub writers: SortedSet<ThreadKey>,
}

/// Bytes `from .. to` of an object that is no array, touched unit by unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BlockTouch {
    pub slot: Slot,
    pub from: u64,
    pub to: u64,
    pub unit: u64,
    pub thread: ThreadKey,
    pub write: bool,
}

/// Touches of memory, and all else that one pass saw.
#[derive(Default)]
pub struct Touches {
    /// By place and width in bytes.
    pub accesses: SortedMap<(CellStart, u32), Touch>,
    /// Blocks that were filled or copied once a second thread may have been running.
    pub blocks: SortedSet<BlockTouch>,
    /// Places whose values matter for addresses, as far as they are news.
    pub followed: SortedSet<CellStart>,
    /// Values that were stored at places that are followed.
    pub stored: SortedMap<CellStart, Stored>,
    /// Objects that are given away where what is in them cannot be published, see [`super::escape`].
    pub exposed: SortedSet<Slot>,
    /// A thread is created where main was alone before, or by another thread than main.
    pub created_late: bool,
    /// Something was left out of a list because nobody had chosen it, see [`super::value`].
    pub hoped: bool,
    /// The size of an object has fewer zeros at its end than a pass took for granted.
    pub uneven: bool,
    /// Objects whose life ends somewhere while others may look.
    pub ended: SortedSet<Slot>,
    /// Objects that were accessed at more offsets than are listed, and what divides the offsets' differences.
    pub strides: Vec<(Slot, u64)>,
    /// Objects that are copied to.
    pub copied: SortedSet<Slot>,
    /// Objects in which something is used for synchronisation, and, of those that are copied to, where.
    pub synced: SortedSet<Slot>,
    pub sync_places: SortedSet<(Slot, u64)>,
    /// Objects of which some read needs a value, and those that are filled as blocks.
    pub asked: SortedSet<Slot>,
    pub filled: SortedSet<Slot>,
    /// Accesses of arrays: slot, first byte within an element, and the byte after the last.
    pub fields: SortedSet<(Slot, u64, u64)>,
    /// Machine addresses, as far as they are seen.
    pub machine: Machine,
    /// Who held addresses of blocks, where leaks are asked for.
    pub holders: Holders,
}

/// Machine addresses, as far as passes know of them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The program looks at an address as a number.
    pub observed: bool,
    /// Objects whose machine addresses matter.
    pub bases: SortedSet<Slot>,
    /// Places where numbers are stored that depend on machine addresses.
    pub numbers: SortedSet<CellStart>,
    /// A number is used as an address: it matters whose addresses are cast to integers.
    pub used: bool,
    /// A number leads some access to an object.
    pub reached: bool,
    /// Words that hold addresses and are also accessed in parts, by their first bytes.
    pub cut: SortedSet<(Slot, u64)>,
}

/// Lives of objects in a pass, by when they begin and end, in steps of each thread: enough to see that one ends before another begins.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Lives {
    /// Allocations: the thread, its step, and whether other threads may run.
    pub began: SortedMap<Slot, (ThreadKey, u64, bool)>,
    /// Ends: by thread, the step of the first one.
    pub ended: SortedMap<Slot, SortedMap<ThreadKey, u64>>,
    /// The same of ends where main is alone.
    pub ended_late: SortedMap<Slot, u64>,
    /// Objects that `realloc` ends, and those that may stand in their places.
    pub replaced: SortedSet<(Slot, Slot)>,
}

impl Lives {
    /// Ranks in place of steps, counted from 0 without gaps, so that two passes that see things in one order have equal lives.
    #[must_use]
    pub fn ranked(mut self) -> Lives {
        let main = ThreadKey(0);
        let began = self.began.values().map(|(thread, at, _)| (*thread, *at));
        let ended = self.ended.values().flatten().map(|(by, at)| (*by, *at));
        let late = self.ended_late.values().map(|at| (main, *at));
        let steps: SortedSet<(ThreadKey, u64)> = began.chain(ended).chain(late).collect();
        let ranks = steps.into_iter().zip(0..);
        let ranks: SortedMap<(ThreadKey, u64), u64> = ranks.collect();
        for (thread, at, _) in self.began.values_mut() {
            *at = ranks[&(*thread, *at)];
        }
        for (by, at) in self.ended.values_mut().flatten() {
            *at = ranks[&(*by, *at)];
        }
        for at in self.ended_late.values_mut() {
            *at = ranks[&(main, *at)];
        }
        self
    }

    /// Succession: true if the storage of `old` may become that of `new`.
    pub fn may_follow(&self, old: Slot, new: Slot) -> bool {
        self.may_precede(old, new) || self.replaced.contains(&(old, new))
    }

    /// Order of lives: true if `old` may have ended when `new` is allocated.
    pub fn may_precede(&self, old: Slot, new: Slot) -> bool {
        let Some(&(thread, at, concurrent)) = self.began.get(&new) else {
            return false;
        };
        let is_main = thread == ThreadKey(0);
        let late = self.ended_late.get(&old);
        if late.is_some_and(|&first| is_main && first < at) {
            return true;
        }
        let Some(ends) = self.ended.get(&old) else {
            return false;
        };
        // Ends of the thread itself are in the order of its instructions.
        ends.iter()
            .any(|(&by, &first)| if by == thread { first < at } else { concurrent })
    }
}

/// Addresses of blocks that an object has held.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Held {
    /// First bytes of words that were stored as such.
    pub places: SortedSet<u64>,
    /// Any of its words may be one.
    pub anywhere: bool,
    /// Some are in parts.
    pub parts: bool,
    /// The blocks.
    pub targets: SortedSet<Slot>,
}

impl Held {
    /// Adds what another pass has seen.
    pub fn add(&mut self, other: Held) {
        self.places.extend(other.places);
        self.targets.extend(other.targets);
        self.anywhere |= other.anywhere;
        self.parts |= other.parts;
    }
}

/// Addresses of blocks, as far as passes have seen who held them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Holders {
    /// By object.
    pub objects: SortedMap<Slot, Held>,
    /// By thread: blocks whose addresses it had.
    pub threads: SortedMap<ThreadKey, SortedSet<Slot>>,
    /// Blocks that threads were given that never run.
    pub given: SortedSet<Slot>,
    /// Places of allocations.
    pub sites: SortedMap<Slot, Loc>,
}

impl Holders {
    /// Adds what another pass has seen; true if any of it is news.
    pub fn learn(&mut self, seen: Holders) -> bool {
        let before = self.clone();
        for (slot, held) in seen.objects {
            self.objects.entry(slot).or_default().add(held);
        }
        for (thread, blocks) in seen.threads {
            self.threads.entry(thread).or_default().extend(blocks);
        }
        self.given.extend(seen.given);
        self.sites.extend(seen.sites);
        *self != before
    }
}

/// Most values that are kept of a place.
const STORED: usize = 64;

/// The values that a followed place may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stored {
    /// These, as words of the width of whoever stored them.
    Values(List),
    /// Too many, or unknown ones.
    Many,
}

impl Default for Stored {
    fn default() -> Stored {
        Stored::Values(List::default())
    }
}

impl Stored {
    /// Adds values.
    pub fn add(&mut self, more: &List) {
        if let Stored::Values(list) = self {
            list.add(more);
            if list.values.len() > STORED {
                *self = Stored::Many;
            }
        }
    }
}

/// Name of a mutex: the places that its address may be, each with slot, offset, element of an array, and condition.
pub(super) type MutexName = Vec<(Slot, u64, Option<TermId>, TermId)>;
