//! Live objects and their bytes.
//!
//! Objects that have ended are not kept: their slots are never given out again, so every later access
//! finds nothing there. An object is *private* until an address of it has been stored where another
//! thread can read it; accesses of private objects are nobody else's business.

use crate::event::Origin;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::{BlockId, FuncId, GlobalId};
use std::collections::BTreeMap;
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

    /// Fills `count` bytes from `offset` with one byte, within the object.
    pub fn fill(&mut self, space: AddressSpace, slot: Slot, offset: usize, count: usize, byte: u8) {
        self.bytes_mut(slot, offset, count).fill(Some(byte));
        if self.private > 0 && self.objects[&slot].escaped {
            // Of words that have bytes of the block alone, one is like the others.
            let word = usize::from(space.pointer_bits / 8);
            let inner = count.min(word);
            self.escape_from(space, slot, offset, offset + inner);
            self.escape_from(space, slot, offset + count - inner, offset + count);
        }
    }

    /// Stores bytes at an offset, within the object.
    pub fn put(&mut self, space: AddressSpace, slot: Slot, offset: usize, bytes: &[u8]) {
        let places = self.bytes_mut(slot, offset, bytes.len());
        for (place, byte) in places.iter_mut().zip(bytes) {
            *place = Some(*byte);
        }
        if self.private > 0 && self.objects[&slot].escaped {
            self.escape_from(space, slot, offset, offset + bytes.len());
        }
    }

    /// Stores the low `count` bytes of `value`, lowest first, within the object.
    pub fn write(
        &mut self,
        space: AddressSpace,
        slot: Slot,
        offset: usize,
        count: usize,
        value: u128,
    ) {
        for (i, byte) in self.bytes_mut(slot, offset, count).iter_mut().enumerate() {
            *byte = Some((value >> (8 * i)) as u8);
        }
        if self.private > 0 && self.objects[&slot].escaped {
            self.escape_from(space, slot, offset, offset + count);
        }
    }

    /// Makes the object that an address points to, and all that can be reached from it, visible to others.
    pub fn escape(&mut self, space: AddressSpace, address: u64) {
        if self.private == 0 {
            return;
        }
        let Some(slot) = space.slot(address) else {
            return;
        };
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

    /// Lets escape what the words that overlap bytes `from .. to` of an object point to. Words are looked
    /// for at every offset, since addresses may be copied byte by byte.
    fn escape_from(&mut self, space: AddressSpace, slot: Slot, from: usize, to: usize) {
        let word = usize::from(space.pointer_bits / 8);
        let bytes = &self.objects[&slot].bytes;
        let starts = from.saturating_sub(word - 1)..to.min((bytes.len() + 1).saturating_sub(word));
        let addresses: Vec<u64> = starts
            .filter_map(|start| {
                bytes[start..start + word]
                    .iter()
                    .rev()
                    .try_fold(0_u64, |address, byte| {
                        byte.map(|byte| address << 8 | u64::from(byte))
                    })
            })
            .collect();
        for address in addresses {
            self.escape(space, address);
        }
    }
}
