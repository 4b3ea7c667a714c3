//! Points-to of addresses: slots by the values that flow into them, offsets by what the term shows.

use super::pass::Pass;
use super::slots::SlotSet;
use super::state::PathState;
use super::touch::ObjectKey;
use crate::event::Cut;
use crate::exec::{constants, progression};
use crate::ir::address::Slot;
use crate::ir::{FuncId, Undefined};
use crate::symex::faults::{self, Fault};
use crate::term::node::{Node, Op};
use crate::term::{TermId, Terms};
use std::rc::Rc;

impl Pass<'_> {
    /// Slots that an address-wide value may point into: constants that flow into it, and what the
    /// shared cells that it was read from may hold. Ascending.
    pub(super) fn slots_of(&mut self, value: TermId) -> Rc<[Slot]> {
        let set = self.slot_set(value);
        self.knowledge.sets.members(set).clone()
    }

    /// The same as a set.
    pub(super) fn slot_set(&mut self, value: TermId) -> SlotSet {
        self.slots(value, 0)
    }

    /// The same for a term that stands `shift` bits above the lowest bit of an address.
    pub(super) fn slots(&mut self, term: TermId, shift: i32) -> SlotSet {
        let bits = i32::from(self.terms.bits(term));
        let offset_bits = i32::from(self.knowledge.space.offset_bits);
        if bits + shift <= offset_bits {
            return SlotSet::EMPTY;
        }
        if let Some(&known) = self.slot_memo.get(&(term, shift)) {
            return known;
        }
        let mut found = SlotSet::EMPTY;
        let mut parts = [None; 2];
        match self.terms.node(term) {
            Node::Constant(value) => {
                let at = shift - offset_bits;
                let slot = if at >= 0 {
                    value.checked_shl(at as u32).unwrap_or(0)
                } else {
                    value >> (-at) as u32
                };
                if let Ok(number) = u32::try_from(slot)
                    && self.knowledge.object(Slot(number)).is_some()
                {
                    found = self.knowledge.sets.one(Slot(number));
                }
            }
            Node::Variable(var) => {
                found = self.read_slots.get(&var).copied().unwrap_or_default();
            }
            Node::Ite(_, a, b) => parts = [Some((a, shift)), Some((b, shift))],
            Node::Concat(high, low) => {
                let width = i32::from(self.terms.bits(low));
                parts = [Some((high, shift + width)), Some((low, shift))];
            }
            Node::Extract { from, lo } => parts[0] = Some((from, shift - i32::from(lo))),
            Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Not(a) => {
                parts[0] = Some((a, shift));
            }
            Node::Binary(Op::Eq | Op::ULt | Op::SLt, _, _) => {}
            Node::Binary(Op::Mul | Op::UDiv | Op::URem | Op::Shl | Op::LShr | Op::AShr, a, b) => {
                // Arithmetic may move the slot number anywhere in the word.
                for part in [a, b] {
                    let slots = self.all_slots(part);
                    found = self.knowledge.sets.union(found, slots);
                }
            }
            Node::Binary(_, a, b) => parts = [Some((a, shift)), Some((b, shift))],
        }
        for (part, shift) in parts.into_iter().flatten() {
            let slots = self.slots(part, shift);
            found = self.knowledge.sets.union(found, slots);
        }
        self.slot_memo.insert((term, shift), found);
        found
    }

    /// The offset of an address wherever it is in a slot.
    pub(super) fn offset_in(&mut self, addr: TermId, slot: Slot) -> TermId {
        let bits = self.knowledge.space.object_bits();
        let own = self.leading_to(addr, slot);
        let own = self.terms.extract(own, 0, bits);
        match constants(&self.terms, own) {
            Some(_) => own,
            None => self.terms.extract(addr, 0, bits),
        }
    }

    /// An address as it is wherever it is in a slot: without choices that lead elsewhere.
    fn leading_to(&mut self, addr: TermId, slot: Slot) -> TermId {
        if let Some(&known) = self.leading_memo.get(&(addr, slot)) {
            return known;
        }
        let found = match self.terms.node(addr) {
            Node::Ite(cond, a, b) => {
                let leads = |pass: &mut Self, part: TermId| {
                    let set = pass.slot_set(part);
                    pass.knowledge.sets.contains(set, slot)
                };
                match (leads(self, a), leads(self, b)) {
                    (true, false) => self.leading_to(a, slot),
                    (false, true) => self.leading_to(b, slot),
                    _ if faults::on(Fault::FirstChoice) => self.leading_to(a, slot),
                    _ => {
                        let (a, b) = (self.leading_to(a, slot), self.leading_to(b, slot));
                        self.terms.ite(cond, a, b)
                    }
                }
            }
            Node::Binary(Op::Add, a, b)
                if self.terms.as_constant(b).is_some() && self.slot_set(b).is_empty() =>
            {
                let a = self.leading_to(a, slot);
                self.terms.add(a, b)
            }
            _ => addr,
        };
        self.leading_memo.insert((addr, slot), found);
        found
    }

    /// Condition that an address is the start of a slot; `None` if it cannot be.
    pub(super) fn is_start(&mut self, addr: TermId, slot: Slot) -> Option<TermId> {
        let space = self.knowledge.space;
        let base = u128::from(space.base(slot));
        let base = self.terms.constant(base, space.pointer_bits);
        let here = self.terms.eq(addr, base);
        (self.terms.as_constant(here) != Some(0)).then_some(here)
    }

    /// Objects that an address may be the start of, and the condition for each.
    pub(super) fn starts(&mut self, addr: TermId) -> Vec<(Slot, TermId)> {
        let mut found = self.own_starts(addr);
        for (slot, here) in self.number_starts(addr) {
            self.add_start(&mut found, slot, here);
        }
        found
    }

    /// The same where the address is one of an object, not the number that it is in a machine.
    pub(super) fn own_starts(&mut self, addr: TermId) -> Vec<(Slot, TermId)> {
        let mut found: Vec<(Slot, TermId)> = Vec::new();
        for &slot in self.slots_at(addr).iter() {
            if let Some(here) = self.is_start(addr, slot) {
                found.push((slot, here));
            }
        }
        found
    }

    /// The same where the address is a number: all objects that it is the machine address of, whether they are alive or not.
    pub(super) fn number_starts(&mut self, addr: TermId) -> Vec<(Slot, TermId)> {
        let mut found: Vec<(Slot, TermId)> = Vec::new();
        if !self.may_be_number(addr) {
            return found;
        }
        self.seen.machine.used = true;
        let internal = self.is_internal(addr);
        let number = self.terms.not(internal);
        for slot in self.knowledge.machine.bases.clone() {
            let base = self.base(slot);
            let same = self.terms.eq(addr, base);
            let here = self.terms.and(number, same);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            self.seen.machine.reached = true;
            found.push((slot, here));
        }
        found
    }

    /// Adds an object that an address may be the start of to a list of them, where it has one entry.
    pub(super) fn add_start(&mut self, found: &mut Vec<(Slot, TermId)>, slot: Slot, here: TermId) {
        match found.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, known)) => *known = self.terms.or(*known, here),
            None => found.push((slot, here)),
        }
    }

    /// Slots named by any variable in the cone of a term (constants in it are numbers, not addresses).
    fn all_slots(&mut self, term: TermId) -> SlotSet {
        let mut found = SlotSet::EMPTY;
        if self.knowledge.machine.observed {
            // Arithmetic has been done with machine addresses.
            return found;
        }
        for var in self.terms.support(term) {
            if let Some(&slots) = self.read_slots.get(&var) {
                found = self.knowledge.sets.union(found, slots);
            }
        }
        found
    }

    /// Pointer arithmetic: within the slot of an object, or of integers.
    pub(super) fn offset(&mut self, state: &mut PathState, base: TermId, offset: TermId) -> TermId {
        let space = self.knowledge.space;
        let upper = space.pointer_bits - space.offset_bits;
        let sum = self.terms.add(base, offset);
        if self.is_marked(base) && self.must_be_set(base, offset) {
            self.go_on_where_set(state);
            self.note_set(sum);
        }
        let listed = self.listed_address(base);
        if let Some(bases) = listed
            && let Some(offsets) = self.values_of(offset)
        {
            let offsets = self.on_path(state, offset, offsets);
            let stays = |base: u128, offset: u128| {
                let sum = super::list::cut(base.wrapping_add(offset), space.pointer_bits) as u64;
                let slot = space.slot(base as u64);
                slot == space.slot(sum) || slot.is_none_or(|s| self.knowledge.object(s).is_none())
            };
            if self.counts_as_set(offsets.left)
                && (bases.values.iter()).all(|b| offsets.values.iter().all(|o| stays(*b, *o)))
            {
                return sum;
            }
        }
        if self.slot_set(base).is_empty() {
            return sum;
        }
        let slot = self.terms.extract(base, space.offset_bits, upper);
        let reached = self.terms.extract(sum, space.offset_bits, upper);
        let stays = self.terms.eq(slot, reached);
        let low = self.terms.extract(sum, 0, space.offset_bits);
        let within = self.terms.concat(slot, low);
        if self.is_numeric(base) {
            let internal = self.is_internal(base);
            let number = self.terms.not(internal);
            let defined = self.terms.or(stays, number);
            self.restrict_or_cut(state, defined, || Cut::Undefined(Undefined::PointerRange));
            return self.terms.ite(internal, within, sum);
        }
        // What starts at null and stays in its slot needs no case of its own.
        if self.terms.fact(offset).hi >> space.offset_bits == 0 {
            self.restrict_or_cut(state, stays, || Cut::Undefined(Undefined::PointerRange));
            return within;
        }
        let zero = self.terms.constant(0, space.pointer_bits);
        let null = self.terms.eq(base, zero);
        let defined = self.terms.or(stays, null);
        self.restrict_or_cut(state, defined, || Cut::Undefined(Undefined::PointerRange));
        self.terms.ite(null, offset, within)
    }

    /// Functions that an address may be, and the condition for each.
    pub(super) fn functions_at(&mut self, target: TermId) -> Vec<(FuncId, TermId)> {
        let mut found = Vec::new();
        for (slot, here) in self.starts(target) {
            if let Some(ObjectKey::Function(function)) = self.knowledge.object(slot).map(|o| o.key)
            {
                found.push((function, here));
            }
        }
        if faults::on(Fault::FunctionLost) && found.len() > 1 {
            found.pop();
        }
        found
    }

    /// Offsets within a slot, ascending, at which an access of `bytes` bytes fits an object of
    /// `size_bytes` bytes and the offset term may be; `None` if there are more than `limit`.
    pub(super) fn offsets(
        &self,
        offset: TermId,
        bytes: u32,
        size_bytes: u64,
        limit: usize,
    ) -> Option<Vec<u64>> {
        if u64::from(bytes) > size_bytes {
            return Some(Vec::new());
        }
        let last = u128::from(size_bytes - u64::from(bytes));
        if let Some(values) = constants(&self.terms, offset) {
            return Some(
                values
                    .into_iter()
                    .filter(|v| *v <= last)
                    .map(|v| v as u64)
                    .collect(),
            );
        }
        let fact = self.terms.fact(offset);
        let range = (fact.lo, fact.hi.min(last));
        let all = progression(&self.terms, offset, range, limit as u128)?;
        Some(all.map(|at| at as u64).collect())
    }
}

/// Variable of the pool that the term itself is, if it is one.
pub fn variable(terms: &Terms, term: TermId) -> Option<crate::term::VarId> {
    match terms.node(term) {
        Node::Variable(var) => Some(var),
        _ => None,
    }
}
