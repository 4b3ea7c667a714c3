//! Addresses: how an integer names a place in memory.
//!
//! The address space is cut into equal, aligned *slots*; every object (and every function) has a slot of
//! its own and starts in its middle, so that pointers may stand a little before the object, too. Slot 0 belongs
//! to nobody: it holds the null pointer and small integers. So a pointer is a plain integer, casts and copies
//! byte by byte need no care, and the object of an address is its upper bits. Addresses of freed objects are
//! never given out again.
//!
//! Pointer arithmetic ([`super::Rvalue::Offset`]) that leaves an object's slot is undefined behaviour; from the
//! null pointer and other addresses that are in no object's slot it is arithmetic of integers. An access outside
//! the object, but inside its slot, is an invalid access.

use super::DataModel;

/// Bits of an address within a page: operations on these alone leave a pointer in its object's slot.
pub const LOW_BITS: u16 = 12;

/// A slot of the address space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

impl Slot {
    /// The slot of the null pointer.
    pub const NULL: Slot = Slot(0);
}

/// Address space: widths of an address and of the offset within a slot, in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressSpace {
    /// Width of an address in bits.
    pub pointer_bits: u16,
    /// Width of the offset within a slot in bits; an object has half of a slot, see [`Self::object_bits`].
    pub offset_bits: u16,
}

impl AddressSpace {
    /// The space for a program whose largest object has `max_object_bytes` bytes: offsets of at least
    /// 17 bits (ILP32) or 40 bits (LP64). `None` if such an object leaves no room for others.
    pub fn new(model: DataModel, max_object_bytes: u64) -> Option<AddressSpace> {
        let pointer_bits = model.pointer_bits();
        let least = match model {
            DataModel::Ilp32 => 17,
            DataModel::Lp64 => 40,
        };
        // One byte more than the object, so that its past-the-end pointer stays in the slot.
        let need = 64 - max_object_bytes.leading_zeros() as u16;
        let offset_bits = (need + 1).max(least);
        (offset_bits + 8 <= pointer_bits).then_some(AddressSpace {
            pointer_bits,
            offset_bits,
        })
    }

    /// Number of slots, the null slot included, that this space can name (at most 2^32).
    pub fn slots(self) -> u64 {
        1 << (self.pointer_bits - self.offset_bits).min(32)
    }

    /// Width of an offset within an object in bits: an object is smaller than 2^object_bits bytes.
    pub fn object_bits(self) -> u16 {
        self.offset_bits - 1
    }

    /// Size of the largest object that an allocation gives, in bytes; larger ones are cut off.
    pub fn largest_allocation(self) -> u64 {
        (1 << self.object_bits().min(24)) - 1
    }

    /// The lowest machine address that an object may have: the first page belongs to nobody.
    pub fn lowest(self) -> u64 {
        1 << LOW_BITS
    }

    /// The first machine address that is above every object: 2^47 (LP64), 3 GiB (ILP32), as Linux on x86 has it.
    pub fn highest(self) -> u64 {
        match self.pointer_bits {
            32 => 3 << 30,
            _ => 1 << 47,
        }
    }

    /// Width of a machine address in bits.
    pub fn machine_bits(self) -> u16 {
        64 - (self.highest() - 1).leading_zeros() as u16
    }

    /// Bits of a machine address above its low bits.
    pub fn upper_bits(self) -> u64 {
        ((1 << self.machine_bits()) - 1) & !(self.lowest() - 1)
    }

    /// Masks for low bits: true if `and` with the mask changes nothing of a machine address above its low bits.
    pub fn is_low_mask(self, mask: u64) -> bool {
        mask & self.upper_bits() == self.upper_bits()
    }

    /// Upper bits of every address within the object in a slot: those above the offset within the object.
    pub fn prefix(self, slot: Slot) -> u64 {
        u64::from(slot.0) << 1 | 1
    }

    /// Address of the object in a slot.
    pub fn base(self, slot: Slot) -> u64 {
        match slot {
            Slot::NULL => 0,
            _ => self.prefix(slot) << self.object_bits(),
        }
    }

    /// Slot of an address; `None` if its upper bits exceed every slot number.
    pub fn slot(self, address: u64) -> Option<Slot> {
        u32::try_from(address >> self.offset_bits).ok().map(Slot)
    }

    /// Offset of an address from the start of the object in its slot, in bytes; `None` before it.
    pub fn offset(self, address: u64) -> Option<u64> {
        let within = address & ((1 << self.offset_bits) - 1);
        within.checked_sub(1 << self.object_bits())
    }
}
