//! Points-to of addresses: slots by the values that flow into them, offsets by what the term shows.

use super::pass::Pass;
use crate::ir::address::Slot;
use crate::term::node::{Node, Op};
use crate::term::{TermId, Terms};
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most constants that a choice is enumerated over.
const CONSTANTS: usize = 64;

/// Values of a tree of choices between constants, ascending; `None` if it is not one or has too many.
pub fn constants(terms: &Terms, term: TermId) -> Option<Vec<u128>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Constant(value) => {
                found.insert(value);
            }
            Node::Ite(_, a, b) => stack.extend([a, b]),
            _ => return None,
        }
        if seen.len() > 4 * CONSTANTS {
            return None;
        }
    }
    Some(found.into_iter().collect())
}

/// A congruence that a term satisfies: it equals `residue` modulo `modulus` (0: it is that constant).
/// Sums and products that wrap keep only what a power of two that divides the word preserves, so moduli
/// that are not powers of two are given only where the known range shows that nothing wraps.
pub fn congruence(terms: &Terms, term: TermId, depth: u32) -> (u128, u128) {
    let bits = terms.bits(term);
    match terms.node(term) {
        Node::Constant(value) => (0, value),
        Node::Ite(_, a, b) if depth > 0 => {
            let (ma, ra) = congruence(terms, a, depth - 1);
            let (mb, rb) = congruence(terms, b, depth - 1);
            let modulus = gcd(gcd(ma, mb), ra.abs_diff(rb));
            if modulus == 0 {
                (0, ra)
            } else {
                (modulus, ra % modulus)
            }
        }
        Node::Binary(op @ (Op::Add | Op::Mul), a, b) if depth > 0 && bits <= 64 => {
            let (ma, ra) = congruence(terms, a, depth - 1);
            let (mb, rb) = congruence(terms, b, depth - 1);
            let (high_a, high_b) = (terms.fact(a).hi, terms.fact(b).hi);
            let (modulus, residue, high) = match op {
                Op::Add => (gcd(ma, mb), ra + rb, high_a + high_b),
                _ => (
                    gcd(gcd(ma * rb, mb * ra), ma * mb),
                    ra * rb,
                    high_a.saturating_mul(high_b),
                ),
            };
            let modulus = if high >> bits == 0 {
                modulus
            } else {
                power_of_two(modulus, bits)
            };
            if modulus == 0 {
                (0, residue & mask(bits))
            } else {
                (modulus, residue % modulus)
            }
        }
        Node::ZeroExtend(a) if depth > 0 => congruence(terms, a, depth - 1),
        Node::Extract { from, lo: 0 } if depth > 0 => {
            let (modulus, residue) = congruence(terms, from, depth - 1);
            let modulus = if terms.fact(from).hi >> bits == 0 {
                modulus
            } else {
                power_of_two(modulus, bits)
            };
            if modulus == 0 {
                (1 << bits.min(127), residue & mask(bits))
            } else {
                (modulus, residue % modulus)
            }
        }
        Node::Concat(_, low) if depth > 0 => {
            let width = terms.bits(low);
            let (modulus, residue) = congruence(terms, low, depth - 1);
            let modulus = power_of_two(
                if modulus == 0 {
                    1 << width.min(127)
                } else {
                    modulus
                },
                width,
            );
            if modulus == 0 {
                (1, 0)
            } else {
                (modulus, residue % modulus)
            }
        }
        _ => {
            let known = terms.fact(term);
            let zeros = known.zeros.trailing_ones().min(u32::from(bits)).min(126);
            (1 << zeros, 0)
        }
    }
}

/// The largest power of two that divides `modulus` (2^bits for 0).
fn power_of_two(modulus: u128, bits: u16) -> u128 {
    let shift = if modulus == 0 {
        u32::from(bits)
    } else {
        modulus.trailing_zeros().min(u32::from(bits))
    };
    1 << shift.min(126)
}

fn mask(bits: u16) -> u128 {
    if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Memo of [`Pass::slots`].
pub type SlotMemo = HashMap<(TermId, i32), Rc<BTreeSet<Slot>>, rustc_hash::FxBuildHasher>;

impl Pass<'_> {
    /// Slots that an address-wide value may point into: constants that flow into it, and what the
    /// shared cells that it was read from may hold.
    pub(super) fn slots_of(&mut self, value: TermId) -> Rc<BTreeSet<Slot>> {
        self.slots(value, 0)
    }

    /// The same for a term that stands `shift` bits above the lowest bit of an address.
    fn slots(&mut self, term: TermId, shift: i32) -> Rc<BTreeSet<Slot>> {
        if let Some(known) = self.slot_memo.get(&(term, shift)) {
            return known.clone();
        }
        let bits = i32::from(self.terms.bits(term));
        let offset_bits = i32::from(self.knowledge.space.offset_bits);
        let mut found = BTreeSet::new();
        if bits + shift > offset_bits {
            let mut parts: Vec<(TermId, i32)> = Vec::new();
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
                        found.insert(Slot(number));
                    }
                }
                Node::Variable(var) => {
                    if let Some(slots) = self.read_slots.get(&var) {
                        found.extend(slots.iter().copied());
                    }
                }
                Node::Ite(_, a, b) => parts.extend([(a, shift), (b, shift)]),
                Node::Concat(high, low) => {
                    let width = i32::from(self.terms.bits(low));
                    parts.extend([(high, shift + width), (low, shift)]);
                }
                Node::Extract { from, lo } => parts.push((from, shift - i32::from(lo))),
                Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Not(a) => parts.push((a, shift)),
                Node::Binary(Op::Eq | Op::ULt | Op::SLt, _, _) => {}
                Node::Binary(
                    Op::Mul | Op::UDiv | Op::URem | Op::Shl | Op::LShr | Op::AShr,
                    a,
                    b,
                ) => {
                    // Arithmetic may move the slot number anywhere in the word.
                    for part in [a, b] {
                        let slots = self.all_slots(part);
                        found.extend(slots.iter().copied());
                    }
                }
                Node::Binary(_, a, b) => parts.extend([(a, shift), (b, shift)]),
            }
            for (part, shift) in parts {
                let slots = self.slots(part, shift);
                found.extend(slots.iter().copied());
            }
        }
        let found = Rc::new(found);
        self.slot_memo.insert((term, shift), found.clone());
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
        let mut found: Vec<(Slot, TermId)> = Vec::new();
        for &slot in self.slots_at(addr).iter() {
            if let Some(here) = self.is_start(addr, slot) {
                found.push((slot, here));
            }
        }
        if !self.may_be_number(addr) {
            return found;
        }
        let internal = self.is_internal(addr);
        let number = self.terms.not(internal);
        for slot in self.knowledge.machine.bases.clone() {
            let base = self.base(slot);
            let same = self.terms.eq(addr, base);
            let here = self.terms.and(number, same);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == slot) {
                Some((_, known)) => *known = self.terms.or(*known, here),
                None => found.push((slot, here)),
            }
        }
        found
    }

    /// Slots named by any variable in the cone of a term (constants in it are numbers, not addresses).
    fn all_slots(&mut self, term: TermId) -> BTreeSet<Slot> {
        let mut found = BTreeSet::new();
        if self.knowledge.machine.observed {
            // Arithmetic has been done with machine addresses.
            return found;
        }
        for var in self.terms.support(term) {
            if let Some(slots) = self.read_slots.get(&var) {
                found.extend(slots.iter().copied());
            }
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
        let (low, high) = (fact.lo, fact.hi);
        let (modulus, residue) = congruence(&self.terms, offset, 16);
        let modulus = modulus.max(1);
        let first = low + (residue + modulus - low % modulus) % modulus;
        let high = high.min(last);
        if first > high {
            return Some(Vec::new());
        }
        let count = (high - first) / modulus + 1;
        if count > limit as u128 {
            return None;
        }
        Some((0..count).map(|i| (first + i * modulus) as u64).collect())
    }
}

/// Variable of the pool that the term itself is, if it is one.
pub fn variable(terms: &Terms, term: TermId) -> Option<crate::term::VarId> {
    match terms.node(term) {
        Node::Variable(var) => Some(var),
        _ => None,
    }
}
