//! Live objects and their bytes, and which of these are internal addresses.
//!
//! Objects that have ended are not kept: their slots are never given out again, so every later access
//! finds nothing there. An object is *private* until an address of it has been stored where another
//! thread can read it, or its machine address has been chosen; accesses of private objects are nobody else's business.

use super::word::Word;
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::Origin;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::{BlockId, FuncId, GlobalId};
use crate::trace::faults::{self, Fault};
use std::rc::Rc;

/// Label of an object: the declaration or instruction that it is called after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// An object with static storage duration, or a thread's copy of it.
    Static(GlobalId),
    /// The object of an `Alloc` instruction.
    Instruction(FuncId, BlockId, usize),
}

/// A live object.
#[derive(Clone, Debug)]
pub struct LiveObject {
    pub origin: Origin,
    pub label: Label,
    /// `None` where no value has been chosen for an uninitialised byte.
    pub bytes: Vec<Option<u8>>,
    /// Bytes that have the value that was chosen when they were read before anybody had written them.
    pub chosen: SortedSet<usize>,
    /// Offsets at which internal addresses start that nobody has written into since.
    pub words: SortedSet<usize>,
    /// Alignment of its machine address in bytes.
    pub align_bytes: u64,
    /// Stores to it are undefined behaviour.
    pub read_only: bool,
    /// `free` may end it.
    pub heap: bool,
    /// Place of the allocation of a block that the program is to free; of others there is none.
    pub made: Loc,
    /// Another thread may have its address.
    pub escaped: bool,
}

/// Bytes that are moved together, and where internal addresses start in them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Bytes {
    pub values: Vec<u8>,
    pub words: SortedSet<usize>,
}

impl Bytes {
    /// Those of a word of `bits` bits.
    pub fn of(space: AddressSpace, word: Word, bits: u16) -> Bytes {
        let width = usize::from(space.pointer_bits / 8);
        let count = usize::from(bits.div_ceil(8));
        Bytes {
            values: (0..count).map(|i| (word.value >> (8 * i)) as u8).collect(),
            words: word
                .marked()
                .map(|lane| usize::from(lane) * width)
                .collect(),
        }
    }

    /// Number at an offset, `count` bytes wide, the lowest byte first.
    pub fn number_at(&self, offset: usize, count: usize) -> u128 {
        let bytes = self.values[offset..offset + count].iter().rev();
        bytes.fold(0, |number, byte| number << 8 | u128::from(*byte))
    }

    /// Bytes `from .. to`; internal addresses that the range cuts are left out.
    pub fn within(&self, space: AddressSpace, from: usize, to: usize) -> Bytes {
        let width = usize::from(space.pointer_bits / 8);
        let words = self.words.range(from..to.max(from));
        let whole = words.filter(|start| *start + width <= to);
        Bytes {
            values: self.values[from..to].to_vec(),
            words: whole.map(|start| start - from).collect(),
        }
    }

    /// Replaces those from an offset on by others.
    pub fn put(&mut self, offset: usize, bytes: &Bytes) {
        let end = offset + bytes.values.len();
        if self.values.len() < end {
            self.values.resize(end, 0);
        }
        self.values[offset..end].copy_from_slice(&bytes.values);
        self.words.retain(|start| !(offset..end).contains(start));
        self.words
            .extend(bytes.words.iter().map(|start| offset + start));
    }
}

/// The objects of one state.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: SortedMap<Slot, Rc<LiveObject>>,
    /// Sizes of all objects there have been, in bytes.
    sizes: Rc<SortedMap<Slot, u64>>,
    /// Number of objects that have not escaped; there is nothing to look for if it is 0.
    private: usize,
}

impl Memory {
    /// Adds an object.
    pub fn insert(&mut self, slot: Slot, object: LiveObject) {
        self.private += usize::from(!object.escaped);
        let size = object.bytes.len() as u64;
        Rc::make_mut(&mut self.sizes).insert(slot, size);
        self.objects.insert(slot, Rc::new(object));
    }

    /// Size in bytes of the object in a slot, alive or not.
    pub fn size(&self, slot: Slot) -> Option<u64> {
        self.sizes.get(&slot).copied()
    }

    /// Ends an object's lifetime.
    pub fn remove(&mut self, slot: Slot) {
        if let Some(object) = self.objects.remove(&slot) {
            self.private -= usize::from(!object.escaped);
        }
    }

    /// The live object in this slot.
    pub fn get(&self, slot: Slot) -> Option<&LiveObject> {
        self.objects.get(&slot).map(|object| &**object)
    }

    /// Live objects by slot.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &LiveObject)> {
        self.objects.iter().map(|(slot, object)| (*slot, &**object))
    }

    /// The bytes of `count` bytes from `offset`, which lie within the object.
    pub fn bytes_mut(&mut self, slot: Slot, offset: usize, count: usize) -> &mut [Option<u8>] {
        let object = self
            .objects
            .get_mut(&slot)
            .expect("the caller checked that the object lives");
        &mut Rc::make_mut(object).bytes[offset..offset + count]
    }

    /// Internal addresses in an object that overlap some of its bytes: where they start.
    pub fn words(&self, space: AddressSpace, slot: Slot, from: usize, to: usize) -> Vec<usize> {
        let width = usize::from(space.pointer_bits / 8);
        let Some(object) = self.get(slot).filter(|object| !object.words.is_empty()) else {
            return Vec::new();
        };
        let first = (from + 1).saturating_sub(width);
        object.words.range(first..to.max(first)).copied().collect()
    }

    /// The internal address that starts at an offset of an object.
    pub fn word_at(&self, space: AddressSpace, slot: Slot, offset: usize) -> u64 {
        let width = usize::from(space.pointer_bits / 8);
        let bytes = &self.objects[&slot].bytes[offset..offset + width];
        let bytes = bytes.iter().rev();
        bytes.fold(0, |word, byte| word << 8 | u64::from(byte.unwrap_or(0)))
    }

    /// Replaces an internal address by the number that it means.
    pub fn unmark(&mut self, space: AddressSpace, slot: Slot, offset: usize, number: u128) {
        let width = usize::from(space.pointer_bits / 8);
        for (i, byte) in self.bytes_mut(slot, offset, width).iter_mut().enumerate() {
            *byte = Some((number >> (8 * i)) as u8);
        }
        self.words_mut(slot).remove(&offset);
    }

    /// Bytes of an object, and the internal addresses that lie among them; bytes without value are 0.
    pub fn bytes(&self, space: AddressSpace, slot: Slot, from: usize, to: usize) -> Bytes {
        let width = usize::from(space.pointer_bits / 8);
        let object = &self.objects[&slot];
        let values = object.bytes[from..to].iter();
        let words = object.words.range(from..to.max(from));
        let whole = words.filter(|start| *start + width <= to);
        Bytes {
            values: values.map(|byte| byte.unwrap_or(0)).collect(),
            words: whole.map(|start| start - from).collect(),
        }
    }

    /// Fills `count` bytes from `offset` with one byte, within the object. Internal addresses that are there have been
    /// replaced, or are covered wholly.
    pub fn fill(&mut self, space: AddressSpace, slot: Slot, offset: usize, count: usize, byte: u8) {
        self.bytes_mut(slot, offset, count).fill(Some(byte));
        self.cover(space, slot, offset, count);
    }

    /// Stores bytes at an offset, within the object. Internal addresses that are there have been replaced, or are covered
    /// wholly.
    pub fn put(&mut self, space: AddressSpace, slot: Slot, offset: usize, bytes: &Bytes) {
        let count = bytes.values.len();
        let places = self.bytes_mut(slot, offset, count);
        for (place, byte) in places.iter_mut().zip(&bytes.values) {
            *place = Some(*byte);
        }
        self.cover(space, slot, offset, count);
        let words = bytes.words.iter().map(|start| offset + start);
        if !bytes.words.is_empty() {
            self.words_mut(slot).extend(words);
        }
        if self.private > 0 && self.objects[&slot].escaped {
            self.escape_from(space, slot, offset, offset + count);
        }
    }

    /// Choice of a value for bytes that nobody has written.
    pub fn choose(&mut self, slot: Slot, offset: usize, count: usize) {
        if let Some(object) = self.objects.get_mut(&slot) {
            let object = Rc::make_mut(object);
            let bytes = (offset..offset + count).filter(|at| object.bytes[*at].is_none());
            object.chosen.extend(bytes.collect::<Vec<usize>>());
        }
    }

    /// Fresh bytes: true if none of them has been written.
    pub fn is_fresh(&self, slot: Slot, offset: usize, count: usize) -> bool {
        let fresh = |object: &LiveObject, at: usize| {
            object.bytes[at].is_none() || object.chosen.contains(&at)
        };
        self.get(slot)
            .is_some_and(|object| (offset..offset + count).all(|at| fresh(object, at)))
    }

    /// Bytes have been written, and are no internal addresses any more.
    fn cover(&mut self, space: AddressSpace, slot: Slot, offset: usize, count: usize) {
        if self
            .get(slot)
            .is_some_and(|object| !object.chosen.is_empty())
        {
            let object = self.objects.get_mut(&slot).map(Rc::make_mut);
            if let Some(object) = object {
                object
                    .chosen
                    .retain(|at| !(offset..offset + count).contains(at));
            }
        }
        for covered in self.words(space, slot, offset, offset + count) {
            self.words_mut(slot).remove(&covered);
        }
    }

    /// Stores the low `count` bytes of a word, lowest first, within the object. Internal addresses that are there have been
    /// replaced, or are covered wholly.
    pub fn write(
        &mut self,
        space: AddressSpace,
        slot: Slot,
        offset: usize,
        count: usize,
        word: Word,
    ) {
        for (i, byte) in self.bytes_mut(slot, offset, count).iter_mut().enumerate() {
            *byte = Some((word.value >> (8 * i)) as u8);
        }
        self.cover(space, slot, offset, count);
        let width = usize::from(space.pointer_bits / 8);
        for lane in word.marked().filter(|_| !faults::on(Fault::MarksNotStored)) {
            self.words_mut(slot)
                .insert(offset + usize::from(lane) * width);
        }
        if self.private > 0 && self.objects[&slot].escaped {
            self.escape_from(space, slot, offset, offset + count);
        }
    }

    fn words_mut(&mut self, slot: Slot) -> &mut SortedSet<usize> {
        let object = self
            .objects
            .get_mut(&slot)
            .expect("the caller checked that the object lives");
        &mut Rc::make_mut(object).words
    }

    /// Makes an object, and all that can be reached from it, visible to others.
    pub fn escape(&mut self, space: AddressSpace, slot: Slot) {
        if self.private == 0 {
            return;
        }
        let Some(object) = self.objects.get_mut(&slot) else {
            return;
        };
        if object.escaped {
            return;
        }
        let object = Rc::make_mut(object);
        object.escaped = true;
        let size = object.bytes.len();
        self.private -= 1;
        self.escape_from(space, slot, 0, size);
    }

    /// Lets escape what a word points to.
    pub fn escape_word(&mut self, space: AddressSpace, word: Word) {
        for lane in word.marked() {
            let address = word.lane(lane, space.pointer_bits).value as u64;
            if let Some(slot) = space.slot(address) {
                self.escape(space, slot);
            }
        }
    }

    /// Lets escape what the internal addresses that overlap bytes `from .. to` of an object point to.
    fn escape_from(&mut self, space: AddressSpace, slot: Slot, from: usize, to: usize) {
        for offset in self.words(space, slot, from, to) {
            if let Some(slot) = space.slot(self.word_at(space, slot, offset)) {
                self.escape(space, slot);
            }
        }
    }
}
