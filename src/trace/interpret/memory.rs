//! Live objects and their bytes, and which of these are internal addresses.
//!
//! Objects that have ended are not kept: their slots are never given out again, so every later access
//! finds nothing there. An object is *private* until an address of it has been stored where another
//! thread can read it, or its machine address has been chosen; accesses of private objects are nobody else's business.

use super::word::Word;
use crate::base::faults::{self, Fault};
use crate::event::Origin;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::{BlockId, FuncId, GlobalId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What an object is called after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// An object with static storage duration, or a thread's copy of it.
    Static(GlobalId),
    /// The object of an `Alloc` instruction.
    Instruction(FuncId, BlockId, usize),
}

/// A live object.
#[derive(Clone, Debug)]
pub struct Object {
    pub origin: Origin,
    pub label: Label,
    /// `None` where no value has been chosen for an uninitialised byte.
    pub bytes: Vec<Option<u8>>,
    /// Where internal addresses start that nobody has written into since.
    pub words: BTreeSet<usize>,
    /// What its machine address is a multiple of.
    pub align_bytes: u64,
    /// Stores to it are undefined behaviour.
    pub read_only: bool,
    /// `free` may end it.
    pub heap: bool,
    /// Another thread may have its address.
    pub escaped: bool,
}

/// The objects of one state.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: BTreeMap<Slot, Rc<Object>>,
    /// Number of objects that have not escaped; there is nothing to look for if it is 0.
    private: usize,
}

impl Memory {
    /// Adds an object.
    pub fn insert(&mut self, slot: Slot, object: Object) {
        self.private += usize::from(!object.escaped);
        self.objects.insert(slot, Rc::new(object));
    }

    /// Ends an object's lifetime.
    pub fn remove(&mut self, slot: Slot) {
        if let Some(object) = self.objects.remove(&slot) {
            self.private -= usize::from(!object.escaped);
        }
    }

    /// The live object in this slot.
    pub fn get(&self, slot: Slot) -> Option<&Object> {
        self.objects.get(&slot).map(|object| &**object)
    }

    /// Live objects by slot.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Object)> {
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
        for covered in self.words(space, slot, offset, offset + count) {
            self.words_mut(slot).remove(&covered);
        }
        let width = usize::from(space.pointer_bits / 8);
        for lane in word.marked().filter(|_| !faults::on(Fault::MarksNotStored)) {
            self.words_mut(slot)
                .insert(offset + usize::from(lane) * width);
        }
        if self.private > 0 && self.objects[&slot].escaped {
            self.escape_from(space, slot, offset, offset + count);
        }
    }

    fn words_mut(&mut self, slot: Slot) -> &mut BTreeSet<usize> {
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
