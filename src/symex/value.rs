//! Short lists of the values that a word may have, for addresses and indices that come out of shared memory.
//!
//! A pointer that a thread reads is a variable; what is known of it is what all threads store at the places that it
//! may have been read from (`follow.rs`). While that is a short list of constants, an access through it lists exactly those
//! addresses: members keep their places, and provenance survives arithmetic and copies in parts. Which places
//! are worth the trouble is found on demand: those that some address was read from, and those that feed them. Until
//! the list of a place is complete, what follows such an access is missing from a pass; the lists only grow, so
//! the passes end, and a list that grows too long or too often is given up.

use super::list::{LISTED, List, cut};
use super::pass::Pass;
use super::state::PathState;
use super::touch::{CellStart, Stored};
use crate::base::sorted::SortedSet;
use crate::ir::address::Slot;
use crate::term::node::{Node, Op};
use crate::term::{TermId, Terms};
use std::rc::Rc;

/// Most bits of a number whose values are listed because they are few.
const MASK_BITS: u32 = 4;

/// The bits of an address above the offset in its slot.
fn upper(terms: &mut Terms, addr: TermId, offset_bits: u16) -> TermId {
    let bits = terms.bits(addr);
    terms.extract(addr, offset_bits, bits - offset_bits)
}

impl Pass<'_> {
    /// The values of an address, if which object it is in depends on what was read and there is a short list. A number that
    /// nobody has chosen leads nowhere, unless the program may have guessed it.
    pub(super) fn listed_address(&mut self, addr: TermId) -> Option<Rc<List>> {
        let offset_bits = self.knowledge.space.offset_bits;
        let object = upper(&mut self.terms, addr, offset_bits);
        if crate::exec::constants(&self.terms, object).is_some() {
            return None;
        }
        let list = self.values_of(addr)?;
        (!list.left || !self.may_be_number(addr)).then_some(list)
    }

    /// Offsets at which an access of `bytes` bytes fits an object, where the words that they depend on were read and the values
    /// that these may have on the path are few.
    pub(super) fn listed_offsets(
        &mut self,
        state: &PathState,
        offset: TermId,
        bytes: u32,
        size_bytes: u64,
        limit: usize,
    ) -> Option<Vec<u64>> {
        let list = self.values_of(offset)?;
        let list = self.on_path(state, offset, list);
        let last = u128::from(size_bytes.checked_sub(u64::from(bytes))?);
        let fit = list.values.iter().filter(|value| **value <= last);
        let offsets: Vec<u64> = fit.map(|value| *value as u64).collect();
        (!list.left && offsets.len() <= limit).then_some(offsets)
    }

    /// Assembled address: true if an address is put together from parts that were read one by one. Nobody follows which
    /// objects parts stored as numbers belong to.
    pub(super) fn is_assembled(&mut self, addr: TermId) -> bool {
        let space = self.knowledge.space;
        let object = upper(&mut self.terms, addr, space.offset_bits);
        if self.terms.as_constant(object).is_some() {
            return false;
        }
        let (terms, places) = (&self.terms, &self.read_places);
        terms.takes_variable(object, &mut self.part_memo, |var| {
            places.contains_key(&var) && terms.bits(terms.variable(var)) < space.pointer_bits
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
        let slots = (values.values.iter())
            .filter_map(|value| space.slot(*value as u64))
            .filter(known);
        let mut slots: Vec<Slot> = slots.collect();
        slots.dedup();
        slots.into()
    }

    /// The values that a term may have where what it depends on has happened; `None` if there is no short list.
    pub(super) fn values_of(&mut self, term: TermId) -> Option<Rc<List>> {
        if let Some(known) = self.lists_of(term).get(&term) {
            return known.clone();
        }
        let list = self.list_anew(term);
        let list = list.or_else(|| self.list_range(term)).map(Rc::new);
        self.lists_of(term).insert(term, list.clone());
        list
    }

    fn list_anew(&mut self, term: TermId) -> Option<List> {
        let bits = self.terms.bits(term);
        match self.terms.node(term) {
            Node::Constant(value) => Some(List::chosen([value])),
            Node::Variable(var) if self.garbage.contains(&var) => {
                self.seen.hoped = true;
                Some(List {
                    left: !self.knowledge.hopeful,
                    ..List::default()
                })
            }
            Node::Variable(var) => {
                let places = self.read_places.get(&var).cloned()??;
                self.values_at(&places, bits)
            }
            Node::Ite(_, a, b) => {
                let mut all = (*self.values_of(a)?).clone();
                all.add(&*self.values_of(b)?);
                (all.values.len() <= LISTED).then_some(all)
            }
            Node::Concat(high, low) => {
                let width = self.terms.bits(low);
                let (high, low) = (self.values_of(high)?, self.values_of(low)?);
                let is_number = high.values.iter().all(|value| *value == 0);
                let list = List::of(&high, &low, |h, l| h << width | l);
                list.filter(|_| !low.left || is_number)
            }
            Node::Extract { from, lo } => self.each(from, |v| cut(v >> lo, bits)),
            Node::ZeroExtend(a) => self.each(a, |v| v),
            Node::SignExtend(a) => {
                let narrow = self.terms.bits(a);
                self.each(a, |v| {
                    let negative = v >> (narrow - 1) & 1 == 1;
                    let high = if negative { u128::MAX << narrow } else { 0 };
                    cut(v | high, bits)
                })
            }
            Node::Not(a) => {
                let ones = cut(u128::MAX, bits);
                let a = self.values_of(a)?;
                self.combined(&a, &List::chosen([ones]), |x, y| x ^ y)
            }
            Node::Binary(Op::And, a, b) => {
                let (a, b) = (self.operand_values(term, a), self.operand_values(term, b));
                let number = |list: &Option<Rc<List>>| list.as_ref().is_none_or(|list| list.left);
                let mask = match (&a, &b) {
                    (Some(mask), other) | (other, Some(mask)) if number(other) => self.masked(mask),
                    _ => None,
                };
                mask.or_else(|| self.combined(&*a?, &*b?, |x, y| x & y))
            }
            Node::Binary(op @ (Op::Add | Op::Xor), a, b) => {
                let a = self.operand_values(term, a)?;
                let b = self.operand_values(term, b)?;
                self.combined(&a, &b, |x, y| match op {
                    Op::Add => cut(x.wrapping_add(y), bits),
                    _ => x ^ y,
                })
            }
            Node::Binary(_, a, b) if bits > 1 => {
                let a = self.operand_values(term, a)?;
                let b = self.operand_values(term, b)?;
                let terms = &self.terms;
                let results = List::of(&a, &b, |x, y| terms.apply(term, [x, y, 0]));
                results.filter(|list| !list.left)
            }
            Node::Binary(..) => None,
        }
    }

    /// The values of an operand where a term is computed.
    fn operand_values(&mut self, term: TermId, operand: TermId) -> Option<Rc<List>> {
        let list = self.values_of(operand)?;
        Some(if list.left && self.of_set.contains(&term) {
            Rc::new(List::chosen(list.values.iter().copied()))
        } else {
            list
        })
    }

    /// The values of any number that is masked with one of a list; `None` if too many bits of it are left.
    fn masked(&self, masks: &List) -> Option<List> {
        let mask = masks.values.iter().fold(0, |all, mask| all | mask);
        if masks.left || mask.count_ones() > MASK_BITS {
            return None;
        }
        let mut values = SortedSet::from([0]);
        let mut part = mask;
        while part != 0 {
            values.insert(part);
            part = (part - 1) & mask;
        }
        Some(List::chosen(values))
    }

    /// The values of a word that is no address, where its range is short.
    fn list_range(&mut self, term: TermId) -> Option<List> {
        let fact = self.terms.fact(term);
        if fact.hi - fact.lo >= 1 << MASK_BITS || self.is_marked(term) {
            return None;
        }
        Some(List::chosen(fact.lo..=fact.hi))
    }

    /// The values of a function of one word.
    fn each(&mut self, word: TermId, of: impl Fn(u128) -> u128) -> Option<List> {
        let values = self.values_of(word)?;
        List::of(&values, &List::chosen([0]), |v, _| of(v))
    }

    /// The values of arithmetic with two words. An address and a number that nobody has chosen make any address of its object.
    fn combined(&mut self, a: &List, b: &List, of: impl Fn(u128, u128) -> u128) -> Option<List> {
        let is_open = (a.left && self.has_address(b)) || (b.left && self.has_address(a));
        List::of(a, b, of).filter(|_| !is_open)
    }

    /// True if an address is in a list.
    fn has_address(&self, list: &List) -> bool {
        let slot = |value: &u128| self.knowledge.space.slot(u64::try_from(*value).ok()?);
        let mut slots = list.values.iter().filter_map(slot);
        slots.any(|slot| self.knowledge.object(slot).is_some())
    }

    /// The values of a word that is read from one of some places.
    fn values_at(&mut self, places: &[CellStart], bits: u16) -> Option<List> {
        let mut all = List::default();
        let mut listed = true;
        for place in places {
            match self.knowledge.stored(*place) {
                Some(Stored::Values(list)) => {
                    all.values.extend(list.values.iter().map(|v| cut(*v, bits)));
                    all.left |= list.left;
                }
                Some(Stored::Many) => listed = false,
                // The next pass follows what is stored there.
                None => {
                    self.seen.followed.insert(*place);
                }
            }
        }
        (listed && all.values.len() <= LISTED).then_some(all)
    }
}
