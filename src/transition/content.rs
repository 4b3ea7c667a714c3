//! Array objects, as passes come to know them.
//!
//! An array object is one whose size is not constant, or one in which accesses name too many places. Bytes at constant
//! offsets that accesses name are cells, as in other objects, as long as they are few; of the rest it is only known what was
//! ever written there. An object that has become an array stays one.

use super::automaton::Key;
use super::carry::Objects;
use super::knowledge::{Content, Knowledge, KnownBits};
use super::object::What;
use crate::base::sorted::SortedSet;
use crate::ir::address::Slot;
use crate::term::Fact;
use crate::transition::faults::{self, Fault};

/// Most accesses at constant offsets that make cells of one array object.
const NAMED: usize = 16;
/// Bytes from the start that may be named.
const NAMEABLE: u64 = 1 << 40;

impl Knowledge {
    /// Array object: true if the object in a slot is one.
    pub fn is_array(&self, slot: Slot) -> bool {
        self.object(slot).is_some_and(|object| object.is_array)
    }

    /// Heap object: true if the object in a slot is one.
    pub fn is_on_heap(&self, slot: Slot) -> bool {
        let object = self.object(slot);
        object.is_some_and(|object| matches!(object.what, What::Heap { .. }))
    }

    /// Makes an object an array from the next pass on, of this size if every one of it has that.
    pub fn become_array(&mut self, slot: Slot, size_bytes: Option<u64>) {
        let object = &mut self.objects[slot.0 as usize - 1];
        if !object.is_array {
            object.cells.clear();
        }
        object.is_array = true;
        object.size_varies |= size_bytes != Some(object.size_bytes);
        self.note_change();
    }

    /// Takes note of an access of an array object at a constant offset; true if the next pass has another cell for it.
    pub fn name(&mut self, slot: Slot, from: u64, to: u64) -> bool {
        let named = self.arrays.named.entry(slot).or_default();
        let is_new = named.len() < NAMED && to <= NAMEABLE && named.insert((from, to));
        if is_new {
            self.note_change();
        }
        is_new
    }

    /// Cells of array objects: what accesses have named, cut where they begin and end.
    pub fn refine_arrays(&mut self) {
        for (slot, named) in &self.arrays.named {
            let borders: SortedSet<u64> = named.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let borders: Vec<u64> = borders.into_iter().collect();
            let pairs = borders.windows(2).map(|pair| (pair[0], pair[1]));
            let pairs = pairs.filter(|(a, b)| named.iter().any(|(from, to)| from <= a && b <= to));
            // No access is wider than a word.
            let cells = pairs.map(|(a, b)| (a, (b - a) as u32));
            self.objects[slot.0 as usize - 1].cells = cells.collect();
        }
    }

    /// Array objects that nobody changes while threads run, but for their cells. One that is allocated in a loop stands for several.
    pub fn fixed_arrays(&self) -> SortedSet<Slot> {
        let all = (1..=self.objects.len() as u32).map(Slot);
        all.filter(|slot| self.is_array(*slot) && self.is_fixed(*slot))
            .collect()
    }

    fn is_fixed(&self, slot: Slot) -> bool {
        if faults::on(Fault::FreeArrayChanged) {
            return true;
        }
        let is_single = self
            .object(slot)
            .is_some_and(|object| object.loops.is_empty());
        is_single && !self.is_written_beside(&Key::Content(slot))
    }

    /// Content of an array object, as far as known.
    pub fn content(&self, slot: Slot) -> Content {
        let known = self.arrays.contents.get(&slot).copied();
        known.unwrap_or(Content::Zero)
    }

    fn set_content(&mut self, slot: Slot, content: Content) {
        if self.arrays.contents.insert(slot, content) != Some(content) {
            self.note_change();
        }
    }

    /// Takes note that anything may be in an array object.
    pub fn note_anything(&mut self, slot: Slot) {
        self.set_content(slot, Content::Anything);
    }

    /// Takes note of a value that is written somewhere in an array object; at a multiple of its width, if `aligned`.
    pub fn note_content(&mut self, slot: Slot, bits: u16, aligned: bool, fact: &Fact) {
        if faults::on(Fault::ArrayKnowledgeMissed) {
            return;
        }
        let known = match self.content(slot) {
            Content::Zero if fact.value() == Some(0) => return,
            Content::Zero => KnownBits::constant(0, bits),
            Content::Words(known) => known,
            Content::Anything => return,
        };
        if !aligned || known.bits != bits {
            return self.note_anything(slot);
        }
        let mut joined = known;
        joined.join(fact, self.space.object_bits());
        self.set_content(slot, Content::Words(joined));
    }

    /// Takes note of addresses that are written somewhere in an array object.
    pub fn note_anywhere(&mut self, slot: Slot, objects: &Objects) {
        let held = self.arrays.anywhere.entry(slot).or_default();
        let before = held.len();
        held.extend(objects);
        if held.len() > before {
            self.note_change();
        }
    }

    /// Objects whose addresses were written at offsets of an array object that are not constant.
    pub fn anywhere(&self, slot: Slot) -> Objects {
        self.arrays.anywhere.get(&slot).cloned().unwrap_or_default()
    }
}
