//! Short lists of the values that a word may have, for addresses that come out of shared memory.
//!
//! A pointer that a thread reads is a variable; what is known of it is what all threads store at the places that it
//! may have been read from. While that is a short list of constants, an access through it lists exactly those
//! addresses: members keep their places, and provenance survives arithmetic and copies in parts. Which places
//! are worth the trouble is found on demand: those that some address was read from, and those that feed them. Until
//! the list of a place is complete, what follows such an access is missing from a pass; the lists only grow, so
//! the passes end, and a list that grows too long or too often is given up.

use super::list::{LISTED, Values, cut, one, pairs};
use super::pass::Pass;
use super::touch::{CellStart, Stored};
use crate::ir::address::Slot;
use crate::term::node::{Node, Op};
use crate::term::{TermId, Terms};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The bits of an address above the offset in its slot.
fn upper(terms: &mut Terms, addr: TermId, offset_bits: u16) -> TermId {
    let bits = terms.bits(addr);
    terms.extract(addr, offset_bits, bits - offset_bits)
}

impl Pass<'_> {
    /// The values of an address, if which object it is in depends on what was read and there is a short list.
    pub(super) fn listed_address(&mut self, addr: TermId) -> Values {
        let offset_bits = self.knowledge.space.offset_bits;
        let object = upper(&mut self.terms, addr, offset_bits);
        if crate::exec::constants(&self.terms, object).is_some() {
            return None;
        }
        self.values_of(addr)
    }

    /// Assembled address: true if an address is put together from parts that were read one by one. Nobody follows which
    /// objects parts stored as numbers belong to.
    pub(super) fn is_assembled(&mut self, addr: TermId) -> bool {
        let space = self.knowledge.space;
        let object = upper(&mut self.terms, addr, space.offset_bits);
        if self.terms.as_constant(object).is_some() {
            return false;
        }
        let vars = self.terms.support(object);
        vars.iter().any(|var| {
            let bits = self.terms.bits(self.terms.variable(*var));
            self.read_places.contains_key(var) && bits < space.pointer_bits
        })
    }

    /// Condition that an address is in some object but in none of `slots`.
    pub(super) fn elsewhere(&mut self, addr: TermId, slots: &[Slot]) -> TermId {
        let space = self.knowledge.space;
        let object = upper(&mut self.terms, addr, space.offset_bits);
        let bits = self.terms.bits(object);
        let end = self.knowledge.end_of_slots();
        let first = self.knowledge.first_slot();
        let first = self.terms.constant(u128::from(first), bits);
        let end = self.terms.constant(u128::from(end), bits);
        let from = self.terms.ule(first, object);
        let to = self.terms.ult(object, end);
        let mut found = self.terms.and(from, to);
        for slot in slots {
            let number = self.terms.constant(u128::from(slot.0), bits);
            let here = self.terms.eq(object, number);
            let not_here = self.terms.not(here);
            found = self.terms.and(found, not_here);
        }
        found
    }

    /// Slots of the objects that an address may be in.
    pub(super) fn slots_at(&mut self, addr: TermId) -> Rc<[Slot]> {
        let Some(values) = self.listed_address(addr) else {
            return self.slots_of(addr);
        };
        let space = self.knowledge.space;
        let known = |slot: &Slot| self.knowledge.object(*slot).is_some();
        let slots = values
            .iter()
            .filter_map(|value| space.slot(*value as u64))
            .filter(known);
        let mut slots: Vec<Slot> = slots.collect();
        slots.dedup();
        slots.into()
    }

    /// The values that a term may have where what it depends on has happened; `None` if there is no short list.
    pub(super) fn values_of(&mut self, term: TermId) -> Values {
        if let Some(known) = self.value_memo.get(&term) {
            return known.clone();
        }
        let bits = self.terms.bits(term);
        let values = match self.terms.node(term) {
            Node::Constant(value) => one(value),
            Node::Variable(var) => match self.read_places.get(&var).cloned() {
                Some(Some(places)) => self.values_at(&places, bits),
                _ => None,
            },
            Node::Ite(_, a, b) => {
                let a = self.values_of(a);
                let b = a.as_ref().and_then(|_| self.values_of(b));
                match (a, b) {
                    (Some(a), Some(b)) => {
                        let all: BTreeSet<u128> = a.union(&b).copied().collect();
                        (all.len() <= LISTED).then(|| Rc::new(all))
                    }
                    _ => None,
                }
            }
            Node::Concat(high, low) => {
                let width = self.terms.bits(low);
                let high = self.values_of(high);
                let low = high.as_ref().and_then(|_| self.values_of(low));
                pairs(&high, &low, |h, l| h << width | l)
            }
            Node::Extract { from, lo } => {
                let from = self.values_of(from);
                pairs(&from, &one(0), |v, _| cut(v >> lo, bits))
            }
            Node::ZeroExtend(a) => self.values_of(a),
            Node::SignExtend(a) => {
                let narrow = self.terms.bits(a);
                let a = self.values_of(a);
                pairs(&a, &one(0), |v, _| {
                    let negative = v >> (narrow - 1) & 1 == 1;
                    let high = if negative { u128::MAX << narrow } else { 0 };
                    cut(v | high, bits)
                })
            }
            Node::Not(a) => {
                let a = self.values_of(a);
                pairs(&a, &one(0), |v, _| cut(!v, bits))
            }
            Node::Binary(op @ (Op::Add | Op::And | Op::Xor), a, b) => {
                let a = self.values_of(a);
                let b = a.as_ref().and_then(|_| self.values_of(b));
                pairs(&a, &b, |x, y| match op {
                    Op::Add => cut(x.wrapping_add(y), bits),
                    Op::And => x & y,
                    _ => x ^ y,
                })
            }
            Node::Binary(..) => None,
        };
        self.value_memo.insert(term, values.clone());
        values
    }

    /// The values of a word that is read from one of some places.
    fn values_at(&mut self, places: &[CellStart], bits: u16) -> Values {
        let mut all = BTreeSet::new();
        let mut listed = true;
        for place in places {
            match self.knowledge.stored(*place) {
                Some(Stored::Values(values)) => all.extend(values.iter().map(|v| cut(*v, bits))),
                Some(Stored::Many) => listed = false,
                // The next pass follows what is stored there.
                None => {
                    self.seen.followed.insert(*place);
                }
            }
        }
        (listed && all.len() <= LISTED).then(|| Rc::new(all))
    }

    /// The values of what is stored, and whether it may be as wide as an address and as nobody has chosen it.
    fn values_stored(&mut self, value: TermId) -> (Values, bool) {
        let is_word = self.terms.bits(value) == self.program.model.pointer_bits();
        if self.garbage.is_empty() || !is_word {
            return (self.values_of(value), false);
        }
        let mut left = false;
        let (mut all, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut waiting = vec![value];
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.is_left(term) {
                left = true;
                continue;
            }
            match self.terms.node(term) {
                Node::Ite(_, a, b) => waiting.extend([a, b]),
                _ => match self.values_of(term) {
                    Some(values) => all.extend(values.iter().copied()),
                    None => return (None, left),
                },
            }
            if seen.len() > 4 * LISTED {
                return (None, left);
            }
        }
        ((all.len() <= LISTED).then(|| Rc::new(all)), left)
    }

    /// Uninitialised word: true if it was left in memory by nobody, as it is.
    fn is_left(&self, word: TermId) -> bool {
        match self.terms.node(word) {
            Node::Variable(var) => self.garbage.contains(&var),
            Node::Extract { from, .. } => self.is_left(from),
            Node::Concat(high, low) => self.is_left(high) && self.is_left(low),
            _ => false,
        }
    }

    /// Takes note that a value is stored at a place.
    pub(super) fn note_stored(&mut self, place: CellStart, value: TermId) {
        self.note_counted(place, value);
        if self.knowledge.stored(place).is_none() {
            return;
        }
        let (values, left) = self.values_stored(value);
        if left {
            self.seen.left.insert(place);
        }
        let known = self.seen.stored.entry(place).or_default();
        match values {
            Some(values) => known.add(&values),
            None => *known = Stored::Many,
        }
    }
}
