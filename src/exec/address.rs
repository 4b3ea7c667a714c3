//! Addresses as terms: the part that names the object, and the offset within it ([`AddressSpace`]).

use crate::ir::address::{AddressSpace, Slot};
use crate::term::{TermId, Terms};

/// An address, cut in two.
#[derive(Clone, Copy)]
pub struct Address {
    space: AddressSpace,
    /// Upper bits, which all bytes of an object have in common.
    pub prefix: TermId,
    /// Lower bits.
    pub offset: TermId,
}

impl Address {
    /// Cuts an address.
    pub fn of(terms: &mut Terms, space: AddressSpace, addr: TermId) -> Address {
        let low = space.object_bits();
        Address {
            space,
            prefix: terms.extract(addr, low, space.pointer_bits - low),
            offset: terms.extract(addr, 0, low),
        }
    }

    /// Condition that the address is one of the object in a slot.
    pub fn is_of(self, terms: &mut Terms, slot: Slot) -> TermId {
        let upper = self.space.pointer_bits - self.space.object_bits();
        let own = terms.constant(u128::from(self.space.prefix(slot)), upper);
        terms.eq(self.prefix, own)
    }
}

/// Condition that an offset is this one, and something else besides.
pub fn is_at(terms: &mut Terms, also: TermId, offset: TermId, at: u64) -> TermId {
    let number = terms.constant(u128::from(at), terms.bits(offset));
    let same = terms.eq(offset, number);
    terms.and(also, same)
}
