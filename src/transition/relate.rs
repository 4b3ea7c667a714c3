//! Pointers in relation to objects: within one or one past its end, into one and the same, and blocks that do not overlap.

use super::explore::Explorer;
use super::state::EdgeState;
use crate::exec::Domain;
use crate::ir::PointerCheck;
use crate::ir::address::Slot;
use crate::term::TermId;

impl Explorer<'_> {
    /// Goes on where pointers are as an operation asks for; `None` if no path goes on.
    pub fn relate(
        &mut self,
        state: &mut EdgeState,
        check: PointerCheck,
        terms: &[TermId],
    ) -> Option<()> {
        let mut owned = Vec::new();
        for (operand, term) in check.operands().into_iter().zip(terms) {
            let near = self.near(*term);
            let owner = self.owner(near);
            let Some(slots) = self.pointed(state, operand, near) else {
                self.unsupported(state, "a relation of pointers that are not known");
                return None;
            };
            let mut found: Vec<(Slot, TermId)> = Vec::new();
            for slot in slots {
                found.push((slot, self.is_owner(owner, slot)));
            }
            owned.push(found);
            if matches!(check, PointerCheck::Apart { .. }) && owned.len() == 2 {
                break;
            }
        }
        let fine = match (&owned[..], terms) {
            ([owners], [addr]) => self.is_within(state, owners, *addr)?,
            ([lefts, rights], _) => {
                let (both, one) = self.in_one(lefts, rights);
                match terms {
                    [to, from, size] => self.is_apart(one, (*to, *from), *size),
                    _ => {
                        let other = self.terms.not(both);
                        self.terms.or(other, one)
                    }
                }
            }
            _ => return None,
        };
        self.undefined_unless(state, fine, check.why());
        (!state.path.is_dead(&self.terms)).then_some(())
    }

    fn is_within(
        &mut self,
        state: &EdgeState,
        owners: &[(Slot, TermId)],
        addr: TermId,
    ) -> Option<TermId> {
        let exact = self.exact(addr);
        let bits = self.knowledge.space.pointer_bits;
        let mut fine = self.terms.tru();
        for (slot, here) in owners {
            let object = self.knowledge.object(*slot)?;
            if object.size_varies {
                self.unsupported(state, "a pointer into an object whose size is not known");
                return None;
            }
            if matches!(object.what, super::object::What::Function(_)) {
                continue;
            }
            let size = u128::from(object.size_bytes.max(1));
            let size = self.terms.constant(size, bits);
            let inside = self.terms.ule(exact, size);
            let elsewhere = self.terms.not(*here);
            let own = self.terms.or(elsewhere, inside);
            fine = self.terms.and(fine, own);
        }
        Some(fine)
    }

    /// Conditions that both addresses are in an object, and that this is one.
    fn in_one(&mut self, lefts: &[(Slot, TermId)], rights: &[(Slot, TermId)]) -> (TermId, TermId) {
        let (mut both, mut one) = (self.terms.fals(), self.terms.fals());
        for (slot, here) in lefts {
            for (other, there) in rights {
                let these = self.terms.and(*here, *there);
                both = self.terms.or(both, these);
                if slot == other {
                    one = self.terms.or(one, these);
                }
            }
        }
        (both, one)
    }

    fn is_apart(&mut self, one: TermId, (to, from): (TermId, TermId), size: TermId) -> TermId {
        let (to, from) = (self.exact(to), self.exact(from));
        let size = self.terms.fit(size, self.knowledge.space.pointer_bits);
        let (ahead, behind) = (self.terms.sub(to, from), self.terms.sub(from, to));
        let (ahead, behind) = (self.terms.ult(ahead, size), self.terms.ult(behind, size));
        let near = self.terms.or(ahead, behind);
        let same = self.terms.eq(to, from);
        let differ = self.terms.not(same);
        let overlap = self.terms.and_all(&[one, differ, near]);
        self.terms.not(overlap)
    }
}
