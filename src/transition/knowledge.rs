//! Knowledge that passes gather: bits that vary, accesses in conflict, objects, threads. It only grows.

use super::automaton::{Key, Point, Refusal, Stack};
use super::carry::{NUMBER, Objects, carries};
use super::family::Families;
use super::object::{SlotObject, What, cut_at};
use super::request::Requests;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{ThreadId, ThreadSet};
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::PosKey;
use crate::ir::{FuncId, Program};
use crate::term::Fact;
use crate::term::word::mask;
use crate::transition::faults::{self, Fault};

/// The values that a variable has been seen to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownBits {
    pub bits: u16,
    /// Bits that vary.
    pub unknown: u128,
    /// The others' values.
    pub value: u128,
    growth: u8,
}

/// Cells of an object whose values are known for each place.
const SMALL: usize = 16;
/// Cells of a thread whose values are known for each place.
const STEADY: usize = 512;
/// Growths of a variable by single bits, at most.
const PATIENCE: u8 = 6;

impl KnownBits {
    pub fn constant(value: u128, bits: u16) -> KnownBits {
        KnownBits {
            bits,
            unknown: 0,
            value,
            growth: 0,
        }
    }

    pub fn fact(&self) -> Fact {
        let known = mask(self.bits) & !self.unknown;
        Fact::of_bits(self.bits, known & !self.value, known & self.value)
    }

    /// Adds values; whether that was news. After some growth all bits up to a common width vary, so that this
    /// comes to an end.
    pub fn join(&mut self, fact: &Fact, object_bits: u16) -> bool {
        let full = mask(self.bits);
        let known = fact.zeros | fact.ones;
        let differ = self.unknown | (full & !known) | ((self.value ^ fact.ones) & known);
        let news = differ & !self.unknown;
        if news == 0 {
            return false;
        }
        self.unknown = differ;
        self.growth = self.growth.saturating_add(1);
        if self.growth > PATIENCE {
            // What an address is an address of does not get lost because its offset varies.
            let length = 128 - news.leading_zeros() as u16;
            let steps = [8, 16, 32, object_bits, object_bits + 1, self.bits];
            let up_to = steps.into_iter().filter(|s| *s >= length).min();
            self.unknown |= mask(up_to.unwrap_or(self.bits).min(self.bits));
        }
        self.value &= !self.unknown;
        true
    }
}

/// Content of an array object beside its cells: what was ever written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Zero,
    /// Words of one width, at multiples of it.
    Words(KnownBits),
    Anything,
}

/// Knowledge of array objects.
#[derive(Default)]
pub(super) struct Arrays {
    /// First byte of an access at a constant offset, and the first byte behind it.
    pub named: SortedMap<Slot, SortedSet<(u64, u64)>>,
    pub contents: SortedMap<Slot, Content>,
    /// Objects whose addresses were written at offsets that are not constant.
    pub anywhere: SortedMap<Slot, Objects>,
}

/// Accesses of a cell, as sets of threads. Accesses of main come with the threads that may run
/// then.
#[derive(Clone, Default, Debug)]
struct Accesses {
    readers: ThreadSet,
    writers: ThreadSet,
    main_reads_beside: ThreadSet,
    main_writes_beside: ThreadSet,
}

/// A creation of a thread.
#[derive(Clone, Debug)]
pub(super) struct Creation {
    pub at: Stack,
    pub position: PosKey,
    pub loc: Loc,
    pub function: FuncId,
    /// It creates threads without number, see `family`.
    pub many: bool,
}

/// Everything that is kept between passes.
pub(super) struct Knowledge {
    pub space: AddressSpace,
    values: SortedMap<Key, KnownBits>,
    /// Values of registers in locations.
    registers: SortedMap<(Point, Key), KnownBits>,
    /// Values of steady cells at places of threads.
    cells: SortedMap<(u32, Point), SortedMap<Key, KnownBits>>,
    accesses: SortedMap<Key, Accesses>,
    /// Accesses that may race.
    pub requests: Requests,
    /// By place of main: threads that may run while it is there.
    beside: SortedMap<Point, ThreadSet>,
    pub objects: Vec<SlotObject>,
    /// Borders of accesses of objects of the heap: the bytes where they begin or end.
    borders: SortedMap<Slot, SortedSet<u64>>,
    pub creations: Vec<Creation>,
    /// Objects whose addresses registers and results may hold.
    addresses: SortedMap<Key, Objects>,
    /// The same of memory, by the offset at which a word begins.
    pub words: SortedMap<Slot, SortedMap<u64, Objects>>,
    /// Static objects whose initial words are among these.
    pub read: SortedSet<Slot>,
    /// Cells that have held what the environment chose.
    free: SortedSet<Key>,
    /// Some number has the bits of an address.
    alike: bool,
    /// Ends of the lives of objects: threads and places.
    pub ends: SortedMap<Slot, SortedSet<(u32, Stack)>>,
    /// Calls that lead to an activation: that of the caller, and where.
    pub chains: Vec<(u32, Stack)>,
    /// Objects: whether they are copied to, and whether something in them is used for synchronisation.
    copies: SortedMap<Slot, (bool, bool)>,
    /// Array objects.
    pub arrays: Arrays,
    /// Registers that may hold far addresses at a place.
    far: SortedSet<(Point, Key)>,
    /// Loops that create threads without number; `None` if all threads are told apart.
    pub families: Option<Families>,
    changed: bool,
}

impl Knowledge {
    pub fn new(program: &Program) -> Result<Knowledge, Refusal> {
        let (size, loc) = super::object::largest(program);
        let space = AddressSpace::new(program.model, size).ok_or(Refusal::AddressSpace(loc))?;
        Ok(Knowledge {
            space,
            values: SortedMap::new(),
            registers: SortedMap::new(),
            cells: SortedMap::new(),
            accesses: SortedMap::new(),
            requests: Requests::default(),
            beside: SortedMap::new(),
            objects: Vec::new(),
            borders: SortedMap::new(),
            creations: Vec::new(),
            addresses: SortedMap::new(),
            words: SortedMap::new(),
            read: SortedSet::new(),
            free: SortedSet::new(),
            alike: false,
            ends: SortedMap::new(),
            chains: vec![(0, Vec::new())],
            copies: SortedMap::new(),
            arrays: Arrays::default(),
            far: SortedSet::new(),
            families: None,
            changed: false,
        })
    }

    /// Takes note of an object that is copied to, or used for synchronisation; whether it is both.
    pub fn note_copy(&mut self, slot: Slot, copied: bool) -> bool {
        let found = self.copies.entry(slot).or_default();
        let before = *found;
        if copied {
            found.0 = true;
        } else {
            found.1 = true;
        }
        let both = *found == (true, true);
        self.changed |= both && before != *found;
        both
    }

    /// Change since the last call: true if anything was new.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    pub fn note_change(&mut self) {
        self.changed = true;
    }

    /// Values of a variable, as far as known; a first value is given by who asks.
    pub fn value(&mut self, key: &Key, bits: u16, first: Option<u128>) -> Option<KnownBits> {
        if let Some(known) = self.values.get(key) {
            return Some(*known);
        }
        let known = KnownBits::constant(first?, bits);
        self.values.insert(key.clone(), known);
        self.changed = true;
        Some(known)
    }

    /// Takes note of a value of a variable.
    pub fn note_value(&mut self, key: &Key, fact: &Fact, bits: u16) {
        let object_bits = self.space.object_bits();
        self.changed |= learn(&mut self.values, key, fact, bits, object_bits);
    }

    /// Values of a register at a location, as far as known.
    pub fn register(&self, at: &Point, key: &Key) -> Option<KnownBits> {
        self.registers.get(&(at.clone(), key.clone())).copied()
    }

    /// Takes note of a register's value at a location.
    pub fn note_register(&mut self, at: &Point, key: &Key, fact: &Fact, bits: u16) {
        let object_bits = self.space.object_bits();
        let key = (at.clone(), key.clone());
        self.changed |= learn(&mut self.registers, &key, fact, bits, object_bits);
    }

    /// Takes note of a register that may hold a far address at a location.
    pub fn note_far(&mut self, at: &Point, key: &Key) {
        self.changed |= self.far.insert((at.clone(), key.clone()));
    }

    /// Far register: true if a register may hold a far address at a location.
    pub fn is_far(&self, at: &Point, key: &Key) -> bool {
        self.far.contains(&(at.clone(), key.clone()))
    }

    /// Values of steady cells where a thread is at a place, as far as known.
    pub fn cells(&self, thread: u32, at: &Point) -> SortedMap<Key, KnownBits> {
        let here = self.cells.get(&(thread, at.clone()));
        here.cloned().unwrap_or_default()
    }

    /// Takes note of values of steady cells where a thread is at a place, with their widths.
    pub fn note_cells(&mut self, thread: u32, at: &Point, values: &[(Key, Fact, u16)]) {
        let object_bits = self.space.object_bits();
        let here = self.cells.entry((thread, at.clone())).or_default();
        for (key, fact, bits) in values {
            self.changed |= learn(here, key, fact, *bits, object_bits);
        }
    }

    /// Steady cells of a thread: those of small objects that have been seen so far, and that nobody else changes while it runs.
    pub fn steady(&self, thread: u32) -> SortedSet<Key> {
        let cells = self.values.keys().filter(|key| self.is_steady(key, thread));
        cells.take(STEADY).cloned().collect()
    }

    fn is_steady(&self, key: &Key, thread: u32) -> bool {
        let Key::Cell { slot, .. } = key else {
            return false;
        };
        let is_small = |object: &SlotObject| !object.is_array && object.cells.len() <= SMALL;
        let is_own = |object: &SlotObject| match object.what {
            What::Global(_) => true,
            What::ThreadLocal(_, owner) => owner == thread,
            // Who allocates it changes it.
            What::Stack { thread: owner, .. } | What::Heap { thread: owner, .. } => owner == thread,
            What::Function(_) => false,
        };
        if !self.object(*slot).is_some_and(|o| is_small(o) && is_own(o)) {
            return false;
        }
        faults::on(Fault::CutSteadyChanged) || !self.is_shared(key, thread, false)
    }

    /// Registers and results with the objects whose addresses they may hold.
    pub fn held(&self) -> impl Iterator<Item = (&Key, &Objects)> {
        self.addresses.iter()
    }

    /// Objects whose addresses a register or result may hold.
    pub fn addresses(&self, key: &Key) -> Objects {
        self.addresses.get(key).cloned().unwrap_or_default()
    }

    /// Takes note of addresses that a register or result may hold.
    pub fn note_addresses(&mut self, key: &Key, objects: &Objects) {
        if !objects.is_empty() {
            let held = self.addresses.entry(key.clone()).or_default();
            self.changed |= grow(held, objects);
        }
    }

    /// Takes note of addresses that a word of memory may hold.
    pub fn note_word(&mut self, slot: Slot, offset: u64, objects: &Objects) {
        if !objects.is_empty() {
            let words = self.words.entry(slot).or_default();
            self.changed |= grow(words.entry(offset).or_default(), objects);
        }
    }

    /// Takes note of what the environment chose.
    pub fn note_free(&mut self, key: &Key) {
        match key {
            Key::Cell { .. } => self.changed |= self.free.insert(key.clone()),
            _ => self.note_addresses(key, &Objects::from([NUMBER])),
        }
    }

    /// Free cell: true if a cell has held what the environment chose.
    pub fn was_free(&self, key: &Key) -> bool {
        self.free.contains(key)
    }

    /// Takes note of a number that has the bits of an address.
    pub fn note_alike(&mut self) {
        self.changed |= !std::mem::replace(&mut self.alike, true);
    }

    /// Numbers like addresses: true if some number has the bits of an address.
    pub fn alike(&self) -> bool {
        self.alike
    }

    /// Takes note of a place where the life of an object may end.
    pub fn note_end(&mut self, slot: Slot, thread: u32, at: Stack) {
        self.changed |= self.ends.entry(slot).or_default().insert((thread, at));
    }

    /// Takes note of an access; `beside` are the threads that may run beside main.
    pub fn note_access(&mut self, key: &Key, thread: u32, beside: &ThreadSet, write: bool) {
        let found = self.accesses.entry(key.clone()).or_default();
        self.changed |= match (thread, write) {
            (0, true) => found.main_writes_beside.union(beside),
            (0, false) => found.main_reads_beside.union(beside),
            (n, true) => found.writers.insert(ThreadId(n)),
            (n, false) => found.readers.insert(ThreadId(n)),
        };
    }

    /// Threads that may run while main is at a place, as far as known.
    pub fn beside(&self, at: &Point) -> ThreadSet {
        self.beside.get(at).cloned().unwrap_or_default()
    }

    /// Takes note of threads that may run while main is at a place.
    pub fn note_beside(&mut self, at: &Point, threads: &ThreadSet) {
        match self.beside.get_mut(at) {
            Some(known) => self.changed |= known.union(threads),
            None => {
                self.changed |= !threads.is_empty();
                self.beside.insert(at.clone(), threads.clone());
            }
        }
    }

    /// Conflict: true if an access conflicts with one of another thread that may run then.
    pub fn conflicts(&self, key: &Key, thread: u32, beside: &ThreadSet, write: bool) -> bool {
        let Some(found) = self.accesses.get(key) else {
            return false;
        };
        let write = write && !faults::on(Fault::CutWriteMissed);
        let others = [Some(&found.writers), write.then_some(&found.readers)];
        let mut others = others.into_iter().flatten();
        if thread == 0 {
            return others.any(|set| set.meets(beside));
        }
        let thread = ThreadId(thread);
        let of_main = [
            Some(&found.main_writes_beside),
            write.then_some(&found.main_reads_beside),
        ];
        let mut of_main = of_main.into_iter().flatten();
        let own = self.own(key, thread);
        others.any(|set| !set.is_within(&own)) || of_main.any(|set| set.contains(thread))
    }

    /// Threads whose accesses of a variable are those of one thread alone: a thread that stands for others as well is beside
    /// itself, but for its own objects.
    fn own(&self, key: &Key, thread: ThreadId) -> ThreadSet {
        let is_one = !self.is_many(thread.0) || self.is_owner(key, thread.0);
        let is_one = is_one || faults::on(Fault::FamilyAlone);
        is_one.then_some(thread).into_iter().collect()
    }

    /// Shared change: true if a thread has been seen to change something, or main beside others.
    pub fn is_written_beside(&self, key: &Key) -> bool {
        let found = self.accesses.get(key);
        found.is_some_and(|f| !f.writers.is_empty() || !f.main_writes_beside.is_empty())
    }

    /// Private memory: true if only this thread has been seen to access a cell.
    pub fn is_private(&self, key: &Key, thread: u32) -> bool {
        if !matches!(key, Key::Cell { .. }) {
            return false;
        }
        faults::on(Fault::CutStopForgets) || !self.is_shared(key, thread, true)
    }

    /// Shared memory: true if another thread may write a cell while this one runs, or read it, if this one `writes`.
    fn is_shared(&self, key: &Key, thread: u32, writes: bool) -> bool {
        self.conflicts(key, thread, &self.everybody(), writes)
    }

    /// All threads.
    pub fn everybody(&self) -> ThreadSet {
        ThreadSet::first(1 + self.creations.len())
    }

    /// The chain of an activation that is called from `caller` at a place.
    pub fn chain(&mut self, caller: u32, at: Stack) -> u32 {
        let found = self
            .chains
            .iter()
            .position(|known| *known == (caller, at.clone()));
        found.unwrap_or_else(|| {
            self.chains.push((caller, at));
            self.chains.len() - 1
        }) as u32
    }

    /// Takes note of an access of an object of the heap; whether it begins or ends within a cell. The next pass has
    /// cells that fit.
    pub fn cut(&mut self, slot: Slot, from: u64, to: u64) -> bool {
        if self.is_array(slot) {
            return self.name(slot, from, to);
        }
        if !matches!(self.object(slot).map(|o| &o.what), Some(What::Heap { .. })) {
            return false;
        }
        let borders = self.borders.entry(slot).or_default();
        let is_new = borders.insert(from) | borders.insert(to);
        self.changed |= is_new;
        is_new
    }

    /// Cuts the objects of the heap where accesses have been seen to begin and end.
    pub fn refine(&mut self) {
        for (slot, borders) in &self.borders {
            let object = &mut self.objects[slot.0 as usize - 1];
            if !object.is_array {
                object.cells = cut_at(borders, object.size_bytes);
            }
        }
        self.refine_arrays();
    }

    /// Mutexes that are known to be in an object, and notes on what is in it.
    pub fn mutexes_in(&self, slot: Slot) -> Vec<Key> {
        let keys = self.values.keys();
        let inside = |key: &&Key| matches!(key, Key::Mutex { slot: s, .. } | Key::Note { slot: s, .. } if *s == slot);
        keys.filter(inside).cloned().collect()
    }

    /// Cells of the object in a slot.
    pub fn cells_of(&self, slot: Slot) -> impl Iterator<Item = Key> {
        let cells = self.object(slot).map(|object| object.cells.iter());
        cells
            .into_iter()
            .flatten()
            .map(move |&(offset, bytes)| Key::Cell {
                slot,
                offset,
                bytes,
            })
    }

    /// The object or function in a slot.
    pub fn object(&self, slot: Slot) -> Option<&SlotObject> {
        self.objects.get((slot.0 as usize).checked_sub(1)?)
    }
}

/// Adds objects to what a word holds; whether that was news. Of words without addresses nobody asks.
fn grow(held: &mut Objects, objects: &Objects) -> bool {
    let before = held.len();
    held.extend(objects);
    held.len() > before && carries(held)
}

/// Adds a value to what is known; whether that was news.
fn learn<K: Ord + Clone>(
    all: &mut SortedMap<K, KnownBits>,
    key: &K,
    fact: &Fact,
    bits: u16,
    object_bits: u16,
) -> bool {
    match all.get_mut(key) {
        Some(known) => known.join(fact, object_bits),
        None => {
            all.insert(key.clone(), of_fact(fact, bits));
            true
        }
    }
}

fn of_fact(fact: &Fact, bits: u16) -> KnownBits {
    KnownBits {
        bits,
        unknown: fact.open(bits),
        value: fact.ones,
        growth: 0,
    }
}
