//! Pointer arithmetic, and addresses of places that lie further in an array object than a slot tells.
//!
//! An array object may be larger than the slots of the address space. Beside an address that pointer arithmetic makes
//! stands the exact offset from the start of its object. Where that fits into the slot, the address is an ordinary one;
//! where it does not, the address is a variable of its own, so that it equals none that is valid. An access knows the exact
//! offset, and registers keep it from edge to edge. Whatever else looks at an address, or keeps it, goes on where it is
//! ordinary, and is refused elsewhere.

use super::automaton::{Key, Stack};
use super::carry::Objects;
use super::explore::Explorer;
use super::state::EdgeState;
use crate::exec::Domain;
use crate::ir::address::Slot;
use crate::ir::{InstrKind, Operand, Reg, Undefined, update_align_bytes};
use crate::term::{Node, TermId};
use crate::transition::faults::{self, Fault};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

const FAR: &str = "the address of a place far into a large array, kept or looked at";

/// Purpose of a walk over the values among which a term chooses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// The condition that the address does not fit.
    IsFar,
    /// The address, if it fits.
    Near,
    /// The exact offset.
    Exact,
}

type Walked = HashMap<TermId, TermId, FxBuildHasher>;

impl Explorer<'_> {
    /// Far address: true if a term may be one that does not fit into its slot.
    pub fn may_be_far(&self, term: TermId) -> bool {
        if self.far.starts.is_empty() {
            return false;
        }
        let (mut stack, mut seen) = (vec![term], hashbrown::HashSet::new());
        while let Some(term) = stack.pop() {
            match self.terms.node(term) {
                _ if !seen.insert(term) => {}
                Node::Ite(_, a, b) => stack.extend([a, b]),
                Node::Variable(var) if self.far.starts.contains_key(&var) => return true,
                _ => {}
            }
        }
        false
    }

    fn walk(&mut self, term: TermId, walk: Walk, done: &mut Walked) -> TermId {
        if let Some(known) = done.get(&term) {
            return *known;
        }
        let known = self.far.exact.get(&term).copied();
        let found = match (walk, known, self.terms.node(term)) {
            (Walk::Exact, Some(exact), _) => exact,
            (_, _, Node::Ite(cond, a, b)) if self.may_be_far(term) => {
                let (a, b) = (self.walk(a, walk, done), self.walk(b, walk, done));
                self.terms.ite(cond, a, b)
            }
            (Walk::Exact, ..) => self.within_slot(term),
            (Walk::IsFar, ..) => {
                let far = self.may_be_far(term);
                self.terms.condition(far)
            }
            (Walk::Near, _, Node::Variable(var)) => {
                self.far.starts.get(&var).copied().unwrap_or(term)
            }
            (Walk::Near, ..) => term,
        };
        done.insert(term, found);
        found
    }

    /// The address, where it fits into its slot; elsewhere some address of the same object.
    pub fn near(&mut self, term: TermId) -> TermId {
        if !self.may_be_far(term) {
            return term;
        }
        self.walk(term, Walk::Near, &mut Walked::default())
    }

    /// Offset of an address from the start of its object, as wide as a pointer; before it, it wraps.
    pub fn exact(&mut self, term: TermId) -> TermId {
        self.walk(term, Walk::Exact, &mut Walked::default())
    }

    /// The same of an address that fits.
    fn within_slot(&mut self, term: TermId) -> TermId {
        let space = self.knowledge.space;
        let low = self.terms.extract(term, 0, space.offset_bits);
        let low = self.terms.zero_extend(low, space.pointer_bits);
        let start = self
            .terms
            .constant(1 << space.object_bits(), space.pointer_bits);
        self.terms.sub(low, start)
    }

    /// Goes on where an address fits into its slot; there it is this one. `None` if no path goes on.
    pub fn settle(&mut self, state: &mut EdgeState, term: TermId) -> Option<TermId> {
        if !self.may_be_far(term) {
            return Some(term);
        }
        let far = self.walk(term, Walk::IsFar, &mut Walked::default());
        let mut cut = state.clone();
        cut.path.restrict(&mut self.terms, far);
        if !cut.path.is_dead(&self.terms) {
            self.unsupported(&cut, FAR);
        }
        let fits = self.terms.not(far);
        state.path.restrict(&mut self.terms, fits);
        (!state.path.is_dead(&self.terms)).then(|| self.near(term))
    }

    /// An address that certainly fits; `None`, and the edge ends, otherwise.
    pub fn near_only(&mut self, state: &EdgeState, term: TermId) -> Option<TermId> {
        let found = if self.may_be_far(term) {
            Err(FAR)
        } else {
            Ok(term)
        };
        self.accept(state, found)
    }

    /// Several terms, where all of them fit.
    pub fn settle_all(&mut self, state: &mut EdgeState, terms: &[TermId]) -> Option<Vec<TermId>> {
        terms.iter().map(|term| self.settle(state, *term)).collect()
    }

    /// The variables that an edge to a place sets to keep what a register holds: the register itself, and, if it may be far
    /// there, its exact offset, and whether the access through it that comes next, if there is one, is within its object.
    pub fn kept(
        &mut self,
        state: &EdgeState,
        key: &Key,
        term: TermId,
        access: Option<(u32, u64)>,
    ) -> Vec<(Key, TermId)> {
        if !self.knowledge.is_far(&state.point(), key) {
            return vec![(key.clone(), term)];
        }
        let (near, exact) = (self.near(term), self.exact(term));
        let mut kept = vec![(key.clone(), near)];
        kept.extend(key.distance().map(|distance| (distance, exact)));
        if let (Some(access), Some(within)) = (access, key.within()) {
            let owner = self.owner(near);
            let all = (1..=self.knowledge.objects.len() as u32).map(Slot);
            let arrays: Vec<Slot> = all.filter(|slot| self.knowledge.is_array(*slot)).collect();
            let mut inside = self.terms.fals();
            for slot in arrays {
                let here = self.is_owner(owner, slot);
                let fits = self.fits(state, slot, exact, access);
                let fits = self.terms.and(here, fits);
                inside = self.terms.or(inside, fits);
            }
            kept.push((within, inside));
        }
        kept
    }

    /// Bytes and alignment of the access that comes next, if it is one through this register of the innermost activation.
    pub fn access_through(&self, stack: &Stack, reg: Reg) -> Option<(u32, u64)> {
        let (function, block, index, _) = stack.last()?;
        let code = &self.program.functions[*function];
        let instr = code.blocks[*block].instrs.get(*index)?;
        let bits = |value: Operand| match value {
            Operand::Const { bits, .. } => bits,
            Operand::Reg(reg) => code.regs[reg].bits,
            _ => self.knowledge.space.pointer_bits,
        };
        let (addr, bits, align) = match &instr.kind {
            InstrKind::Load { dst, addr, access } => {
                (*addr, code.regs[*dst].bits, access.align_bytes)
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => (*addr, bits(*value), access.align_bytes),
            InstrKind::Rmw { dst, addr, .. } | InstrKind::CmpXchg { dst, addr, .. } => {
                let bits = code.regs[*dst].bits;
                (*addr, bits, update_align_bytes(self.program.model, bits))
            }
            _ => return None,
        };
        (addr == Operand::Reg(reg)).then_some((u32::from(bits) / 8, u64::from(align)))
    }

    /// Address in a register that may be far at a place: one in the register's slot, at this exact offset.
    pub fn far_register(&mut self, register: TermId, exact: TermId) -> TermId {
        let slot = self.owner(register);
        self.address_at(slot, exact)
    }

    /// Pointer arithmetic: within the slot of an object, within an array object, or of integers; and whether it certainly is
    /// none of integers.
    pub fn offset(
        &mut self,
        state: &mut EdgeState,
        operand: Operand,
        base: TermId,
        offset: TermId,
    ) -> Option<(TermId, bool)> {
        let near = self.near(base);
        let sum = self.terms.add(near, offset);
        let slot = self.owner(near);
        let Some(slots) = self.pointed(state, operand, near) else {
            self.unsupported(state, "arithmetic of a pointer that is not known");
            return None;
        };
        let (mut inside, mut arrays) = (self.terms.fals(), Objects::new());
        for known in slots {
            let same = self.is_owner(slot, known);
            inside = self.terms.or(inside, same);
            if self.knowledge.is_array(known) {
                arrays.insert(known);
            }
        }
        let reached = self.owner(sum);
        // Of the sum of a null pointer and anything nothing would be known.
        let varies = self.terms.as_constant(offset).is_none();
        if varies || self.owners(reached).is_none() {
            let outside = self.terms.not(inside);
            let mut cut = state.clone();
            cut.path.restrict(&mut self.terms, outside);
            if !cut.path.is_dead(&self.terms) {
                self.unsupported(&cut, "arithmetic of a pointer to no object");
            }
            state.path.restrict(&mut self.terms, inside);
            if state.path.is_dead(&self.terms) {
                return None;
            }
            inside = self.terms.tru();
        }
        let outside = self.terms.not(inside);
        if arrays.is_empty() && near == base {
            let stays = self.terms.eq(slot, reached);
            let fine = self.terms.or(outside, stays);
            self.undefined_unless(state, fine, Undefined::PointerRange);
            if state.path.is_dead(&self.terms) {
                return None;
            }
            let low = self.terms.extract(sum, 0, self.knowledge.space.offset_bits);
            let within = self.terms.concat(slot, low);
            let is_inside = self.terms.as_constant(inside) == Some(1);
            return Some((self.terms.ite(inside, within, sum), is_inside));
        }
        let start = self.exact(base);
        let exact = self.terms.add(start, offset);
        let (fits, _) = self.in_slot(exact);
        let mut fine = self.terms.or(outside, fits);
        for array in arrays {
            let same = self.is_owner(slot, array);
            let size = self.size_of(state, array);
            let within = self.terms.ule(exact, size);
            let within = self.terms.and(same, within);
            fine = self.terms.or(fine, within);
        }
        self.undefined_unless(state, fine, Undefined::PointerRange);
        if state.path.is_dead(&self.terms) {
            return None;
        }
        let address = self.address_at(slot, exact);
        let is_inside = self.terms.as_constant(inside) == Some(1);
        Some((self.terms.ite(inside, address, sum), is_inside))
    }

    /// Condition that an offset fits into a slot, and the lower bits of the address then.
    fn in_slot(&mut self, exact: TermId) -> (TermId, TermId) {
        let space = self.knowledge.space;
        let half = self
            .terms
            .constant(1 << space.object_bits(), space.pointer_bits);
        let shifted = self.terms.add(exact, half);
        let most = self
            .terms
            .constant(1 << space.offset_bits, space.pointer_bits);
        let low = self.terms.extract(shifted, 0, space.offset_bits);
        if faults::on(Fault::ArrayWideWraps) {
            return (self.terms.tru(), low);
        }
        (self.terms.ult(shifted, most), low)
    }

    /// The address at an exact offset from the start of the object in a slot.
    fn address_at(&mut self, slot: TermId, exact: TermId) -> TermId {
        let (fits, low) = self.in_slot(exact);
        let mut address = self.terms.concat(slot, low);
        if self.terms.as_constant(fits) != Some(1) {
            let far = self.far_address(slot, exact);
            address = self.terms.ite(fits, address, far);
        }
        if !faults::on(Fault::ArrayWideWraps) {
            self.far.exact.insert(address, exact);
        }
        address
    }

    /// The variable that stands for an address that does not fit.
    fn far_address(&mut self, slot: TermId, exact: TermId) -> TermId {
        if let Some(known) = self.far.names.get(&(slot, exact)) {
            return *known;
        }
        let space = self.knowledge.space;
        let far = self.terms.fresh("far", space.pointer_bits);
        let half = self
            .terms
            .constant(1 << space.object_bits(), space.offset_bits);
        let start = self.terms.concat(slot, half);
        self.far.names.insert((slot, exact), far);
        self.far.exact.insert(far, exact);
        if let Some(var) = self.terms.var_of(far) {
            self.far.starts.insert(var, start);
        }
        far
    }
}
