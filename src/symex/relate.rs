//! Pointers in relation to objects: within one or one past its end, into one and the same (C17 6.5.6), and blocks that do not
//! overlap. That does not depend on whether the objects live, nor on where they stand.

use super::pass::Pass;
use super::state::PathState;
use super::touch::ObjectKey;
use crate::event::Cut;
use crate::exec::Address;
use crate::ir::PointerCheck;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// The path goes on where pointers are as an operation asks for.
    pub(super) fn pointers(
        &mut self,
        state: &mut PathState,
        check: PointerCheck,
        terms: &[TermId],
    ) {
        let fine = match (check, terms) {
            (PointerCheck::Within(_), [addr]) => self.is_within(*addr),
            (PointerCheck::Same(..), [left, right]) => self.are_in_one_object(*left, *right),
            (PointerCheck::Apart { .. }, [to, from, size]) => self.is_apart(*to, *from, *size),
            _ => return,
        };
        self.restrict_or_cut(state, fine, || Cut::Undefined(check.why()));
    }

    /// Objects in whose slots an address may be, and the condition for each.
    fn owners(&mut self, addr: TermId) -> Vec<(Slot, TermId)> {
        let space = self.knowledge.space;
        let upper = space.pointer_bits - space.offset_bits;
        let number = self.terms.extract(addr, space.offset_bits, upper);
        let is_numeric = self.is_numeric(addr);
        let mut found = Vec::new();
        for &slot in self.slots_of(addr).iter() {
            if self.knowledge.object(slot).is_none() {
                continue;
            }
            let own = self.terms.constant(u128::from(slot.0), upper);
            let mut here = self.terms.eq(number, own);
            if is_numeric {
                let internal = self.is_internal(addr);
                here = self.terms.and(here, internal);
            }
            if self.terms.as_constant(here) != Some(0) {
                found.push((slot, here));
            }
        }
        found
    }

    /// Condition that an address is within its object or one past its end, as far as it has one.
    fn is_within(&mut self, addr: TermId) -> TermId {
        let space = self.knowledge.space;
        let parts = Address::of(&mut self.terms, space, addr);
        let mut beyond = self.terms.fals();
        for (slot, here) in self.owners(addr) {
            let Some(known) = self.knowledge.object(slot) else {
                continue;
            };
            if matches!(known.key, ObjectKey::Function(_)) {
                continue;
            }
            let offset = self.terms.zero_extend(parts.offset, space.pointer_bits);
            let size = self.size_of(slot);
            let size = self.terms.fit(size, space.pointer_bits);
            // An object without bytes takes one.
            let one = self.terms.constant(1, space.pointer_bits);
            let is_empty = self.terms.ult(size, one);
            let size = self.terms.ite(is_empty, one, size);
            let behind = self.terms.ule(offset, size);
            let inside = parts.is_of(&mut self.terms, slot);
            let fine = self.terms.and(inside, behind);
            let not = self.terms.not(fine);
            let outside = self.terms.and(here, not);
            beyond = self.terms.or(beyond, outside);
        }
        if faults::on(Fault::BeyondEndAllowed) {
            return self.terms.tru();
        }
        self.terms.not(beyond)
    }

    /// Condition that both addresses are in an object, and that this is one.
    fn in_one(&mut self, left: TermId, right: TermId) -> (TermId, TermId) {
        let (lefts, rights) = (self.owners(left), self.owners(right));
        let (mut both, mut one) = (self.terms.fals(), self.terms.fals());
        for (slot, here) in &lefts {
            for (other, there) in &rights {
                let these = self.terms.and(*here, *there);
                both = self.terms.or(both, these);
                if slot == other {
                    one = self.terms.or(one, these);
                }
            }
        }
        (both, one)
    }

    fn are_in_one_object(&mut self, left: TermId, right: TermId) -> TermId {
        let (both, one) = self.in_one(left, right);
        let other = self.terms.not(both);
        self.terms.or(other, one)
    }

    fn is_apart(&mut self, to: TermId, from: TermId, size: TermId) -> TermId {
        let (_, one) = self.in_one(to, from);
        let bits = self.terms.bits(to);
        let size = self.terms.fit(size, bits);
        let (ahead, behind) = (self.terms.sub(to, from), self.terms.sub(from, to));
        let (ahead, behind) = (self.terms.ult(ahead, size), self.terms.ult(behind, size));
        let near = self.terms.or(ahead, behind);
        let same = self.terms.eq(to, from);
        let differ = self.terms.not(same);
        let overlap = self.terms.and_all(&[one, differ, near]);
        self.terms.not(overlap)
    }
}
