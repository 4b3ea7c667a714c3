//! Binary operators of words that may be addresses: what an internal address stays under, and what observes it.

use super::list::List;
use super::pass::Pass;
use super::touch::ObjectKey;
use crate::exec::{constants, rvalue};
use crate::ir::address::{LOW_BITS, Slot};
use crate::ir::{BinOp, RmwOp};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use std::rc::Rc;

/// Numbers below this one change low bits of an address alone.
const PAGE: u128 = 1 << LOW_BITS;

impl Pass<'_> {
    /// Stored value of a read-modify-write.
    pub(super) fn updated(&mut self, op: RmwOp, old: TermId, operand: TermId) -> TermId {
        if !self.is_marked(old) && !self.is_marked(operand) {
            return rvalue::update(&mut self.terms, op, old, operand);
        }
        match op {
            RmwOp::Exchange => operand,
            RmwOp::Add => self.operate(BinOp::Add, old, operand),
            RmwOp::Sub => self.operate(BinOp::Sub, old, operand),
            RmwOp::And => self.operate(BinOp::And, old, operand),
            RmwOp::Or => self.operate(BinOp::Or, old, operand),
            RmwOp::Xor => self.operate(BinOp::Xor, old, operand),
            RmwOp::Nand | RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
                let (old, operand) = (self.number(old), self.number(operand));
                rvalue::update(&mut self.terms, op, old, operand)
            }
        }
    }

    /// A binary operator of words that may be addresses.
    pub(super) fn operate(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let marked = (self.is_marked(a), self.is_marked(b));
        match marked {
            (false, false) => rvalue::binary(&mut self.terms, op, a, b),
            _ => self.binary(op, (a, marked.0), (b, marked.1)),
        }
    }

    /// The same, where it is known which of them may be.
    pub(super) fn binary(&mut self, op: BinOp, a: (TermId, bool), b: (TermId, bool)) -> TermId {
        let single = self.terms.bits(a.0) == self.pointer_bits();
        let compares = matches!(op, BinOp::Eq | BinOp::Ne);
        let ends = single && !compares && self.must_be_set(a.0, b.0);
        let result = self.binary_of_set(op, a, b);
        if ends {
            self.note_set(result);
        }
        result
    }

    fn binary_of_set(&mut self, op: BinOp, a: (TermId, bool), b: (TermId, bool)) -> TermId {
        let lanes = self.terms.bits(a.0) / self.pointer_bits();
        let single = lanes == 1 && self.terms.bits(a.0) == self.pointer_bits();
        match op {
            BinOp::Eq => self.equal(a.0, b.0),
            BinOp::Ne => {
                let same = self.equal(a.0, b.0);
                self.terms.not(same)
            }
            BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe
                if single && self.keeps_order(op, a, b) =>
            {
                rvalue::binary(&mut self.terms, op, a.0, b.0)
            }
            BinOp::Sub
                if single
                    && a.1
                    && b.1
                    && (self.is_same_object(a.0, b.0) || faults::on(Fault::DistanceInternal)) =>
            {
                let difference = self.terms.sub(a.0, b.0);
                self.note_number(difference);
                difference
            }
            BinOp::Add | BinOp::And | BinOp::Or | BinOp::Xor if single && a.1 != b.1 => {
                if a.1 {
                    self.step(op, a.0, b.0)
                } else {
                    self.step(op, b.0, a.0)
                }
            }
            BinOp::Sub if single && a.1 && !b.1 => self.step(op, a.0, b.0),
            // A test of alignment.
            BinOp::URem if single && a.1 && !b.1 && self.is_power_of_two(b.0) => {
                let ones = self.terms.constant(
                    super::list::cut(u128::MAX, self.pointer_bits()),
                    self.pointer_bits(),
                );
                let mask = self.terms.add(b.0, ones);
                self.step(BinOp::And, a.0, mask)
            }
            BinOp::And | BinOp::Or | BinOp::Xor if lanes > 1 => {
                let (left, right) = (self.lanes(a.0), self.lanes(b.0));
                let both = left.into_iter().zip(right);
                let result: Vec<TermId> = both.map(|(x, y)| self.operate(op, x, y)).collect();
                self.joined(&result)
            }
            BinOp::Shl | BinOp::LShr if lanes > 1 && self.moves_lanes(b.0) => {
                rvalue::binary(&mut self.terms, op, a.0, b.0)
            }
            _ => self.numeric(op, a.0, b.0),
        }
    }

    /// The operator on numbers.
    fn numeric(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.number(a), self.number(b));
        let result = rvalue::binary(&mut self.terms, op, a, b);
        self.note_number(result);
        result
    }

    fn is_power_of_two(&self, number: TermId) -> bool {
        let number = self.terms.as_constant(number);
        number.is_some_and(u128::is_power_of_two)
    }

    fn moves_lanes(&self, amount: TermId) -> bool {
        let width = u128::from(self.pointer_bits());
        self.terms
            .as_constant(amount)
            .is_some_and(|amount| amount.is_multiple_of(width))
    }

    /// Same object: true if two addresses are certainly in one.
    fn is_same_object(&mut self, a: TermId, b: TermId) -> bool {
        let (left, right) = (self.slots_of(a), self.slots_of(b));
        if left.len() != 1 || left != right || self.is_numeric(a) || self.is_numeric(b) {
            return false;
        }
        // Either may be null, or another constant, instead.
        let sure = |pass: &mut Self, word: TermId| {
            let internal = pass.is_internal(word);
            pass.terms.as_constant(internal) == Some(1)
        };
        if sure(self, a) && sure(self, b) {
            return true;
        }
        let (space, slot) = (self.knowledge.space, left.first().copied());
        let within = |pass: &mut Self, word: TermId| match pass.few_values(word) {
            Some(list) => {
                let mut values = list.values.iter();
                let is_set = pass.counts_as_set(list.left);
                is_set && values.all(|value| space.slot(*value as u64) == slot)
            }
            None => pass.is_inside(word, !pass.bounds.unset_words),
        };
        !self.knowledge.machine.observed && within(self, a) && within(self, b)
    }

    /// Address of a function: true if an address certainly is one.
    fn is_function(&mut self, addr: TermId) -> bool {
        self.slots_of(addr).iter().all(|slot| {
            let object = self.knowledge.object(*slot);
            matches!(object.map(|o| o.key), Some(ObjectKey::Function(_)))
        })
    }

    /// Order of addresses: true if internal addresses are in the same order as the machine addresses that they mean.
    fn keeps_order(&mut self, op: BinOp, a: (TermId, bool), b: (TermId, bool)) -> bool {
        if a.1 && b.1 {
            return self.is_same_object(a.0, b.0)
                || faults::on(Fault::OrderInternal)
                || faults::on(Fault::FunctionsOrdered)
                    && self.is_function(a.0)
                    && self.is_function(b.0);
        }
        let (address, number) = if a.1 { (a.0, b.0) } else { (b.0, a.0) };
        if self.is_numeric(address) || self.is_numeric(number) {
            return false;
        }
        let signed = matches!(op, BinOp::SLt | BinOp::SLe);
        let bits = self.pointer_bits();
        if signed && bits == 32 {
            return false;
        }
        let fact = self.terms.fact(number);
        let below = fact.hi <= u128::from(self.knowledge.space.lowest());
        let above = fact.lo >> (bits - 1) == 1;
        below || above
    }

    /// Low bits of a machine address that are those of the internal one, whatever object it is in.
    pub(super) fn aligned_bits(&mut self, addr: TermId) -> u16 {
        if self.terms.bits(addr) != self.pointer_bits() || faults::on(Fault::AlignmentIgnored) {
            return LOW_BITS;
        }
        let slots = self.slots_of(addr);
        let known = slots.iter().filter_map(|slot| self.knowledge.object(*slot));
        let least = known.map(|object| object.align_bytes).min().unwrap_or(1);
        (least.max(1).ilog2() as u16).min(LOW_BITS)
    }

    /// An address and a number: what stays near the address stays a pointer to its object.
    fn step(&mut self, op: BinOp, addr: TermId, number: TermId) -> TermId {
        let bits = self.pointer_bits();
        let constant = self.terms.as_constant(number);
        let free = 1u128 << self.aligned_bits(addr);
        let fact = self.terms.fact(number);
        match op {
            BinOp::Add | BinOp::Sub => self.moved(op, addr, number),
            BinOp::And => match constant {
                // Bits that the alignment leaves free, of which the offset says what they are, and bits that no address has.
                Some(mask) if mask & self.address_bits() < free => {
                    if self.knowledge.machine.observed {
                        // Who looks at its bits exposes an object, so that numbers lead to it.
                        self.place_all(addr);
                    }
                    let low = self.free_bits(addr, mask);
                    self.note_number(low);
                    low
                }
                Some(mask)
                    if self.knowledge.space.is_low_mask(mask as u64)
                        || faults::on(Fault::MaskKeepsHigh) =>
                {
                    let cleared = !mask & (PAGE - 1);
                    if cleared < free && !self.is_numeric(addr) {
                        let all = super::list::cut(u128::MAX, bits);
                        let mask = self.terms.constant(all & !cleared, bits);
                        return self.terms.and(addr, mask);
                    }
                    self.edited(op, addr, number)
                }
                Some(_) => self.numeric(op, addr, number),
                None => self.chosen(op, addr, number),
            },
            _ if fact.hi < free && faults::on(Fault::TagDropped) => addr,
            _ if fact.hi < free => rvalue::binary(&mut self.terms, op, addr, number),
            _ if fact.hi < PAGE => self.edited(op, addr, number),
            _ if fact.lo >= PAGE => self.numeric(op, addr, number),
            _ => self.chosen(op, addr, number),
        }
    }

    /// Bits that machine addresses may have.
    fn address_bits(&self) -> u128 {
        (1 << self.knowledge.space.machine_bits()) - 1
    }

    /// A word and a mask of bits that the alignment of addresses leaves free and of bits that none has.
    fn free_bits(&mut self, word: TermId, mask: u128) -> TermId {
        let space = self.knowledge.space;
        let whole = self.terms.constant(mask, space.pointer_bits);
        let plain = self.terms.and(word, whole);
        let beyond = mask & !self.address_bits();
        if beyond == 0 {
            return plain;
        }
        let low = self.terms.constant(mask ^ beyond, space.pointer_bits);
        let low = self.terms.and(word, low);
        let list = self.few_values(word);
        let is_object = |slot| self.knowledge.object(slot).is_some();
        let is_plain =
            |value: &u128| value & beyond == 0 || space.slot(*value as u64).is_some_and(is_object);
        let is_set = |list: &Rc<List>| self.counts_as_set(list.left);
        if list.is_some_and(|list| is_set(&list) && list.values.iter().all(is_plain)) {
            return low;
        }
        let internal = self.is_internal(word);
        self.terms.ite(internal, low, plain)
    }

    /// A step of which only its number says whether it changes low bits alone.
    fn chosen(&mut self, op: BinOp, addr: TermId, number: TermId) -> TermId {
        if !self.observed() {
            return self.numeric(op, addr, number);
        }
        let space = self.knowledge.space;
        let low = if op == BinOp::And {
            let upper = self
                .terms
                .constant(u128::from(space.upper_bits()), space.pointer_bits);
            let kept = self.terms.and(number, upper);
            self.terms.eq(kept, upper)
        } else {
            let page = self.terms.constant(PAGE, space.pointer_bits);
            self.terms.ult(number, page)
        };
        let edited = self.edited(op, addr, number);
        let plain = self.numeric(op, addr, number);
        self.terms.ite(low, edited, plain)
    }

    /// An address whose low bits are changed.
    fn edited(&mut self, op: BinOp, addr: TermId, number: TermId) -> TermId {
        let bits = self.pointer_bits();
        let machine = self.number(addr);
        let before = self.terms.extract(machine, 0, LOW_BITS);
        let other = self.terms.extract(number, 0, LOW_BITS);
        let after = rvalue::binary(&mut self.terms, op, before, other);
        let before = self.terms.zero_extend(before, bits);
        let after = self.terms.zero_extend(after, bits);
        let start = self.terms.sub(addr, before);
        let edited = self.terms.add(start, after);
        let plain = rvalue::binary(&mut self.terms, op, machine, number);
        self.kept(addr, edited, plain)
    }

    /// An address some bytes further: a pointer while it stays in the object, else a number.
    fn moved(&mut self, op: BinOp, addr: TermId, number: TermId) -> TermId {
        let sum = rvalue::binary(&mut self.terms, op, addr, number);
        if self.stays_listed(op, addr, number) || !self.observed() {
            return sum;
        }
        let number = self.numeric(op, addr, number);
        self.kept(addr, sum, number)
    }

    /// `moved` where it is in the object of `addr`, otherwise `number`.
    fn kept(&mut self, addr: TermId, moved: TermId, number: TermId) -> TermId {
        if !self.knowledge.machine.observed || faults::on(Fault::ProvenanceKept) {
            return moved;
        }
        let space = self.knowledge.space;
        let (low, upper) = (
            space.object_bits(),
            space.pointer_bits - space.object_bits(),
        );
        let mut inside = self.terms.fals();
        for &slot in self.slots_of(addr).iter() {
            let before = self.is_in(addr, slot);
            let prefix = self.terms.extract(moved, low, upper);
            let own = self.terms.constant(u128::from(space.prefix(slot)), upper);
            let after = self.terms.eq(prefix, own);
            let offset = self.terms.extract(moved, 0, low);
            let size = self.size_of(slot);
            let size = self.terms.extract(size, 0, low);
            let within = match self.terms.as_constant(size) {
                // A function.
                Some(0) => {
                    let zero = self.terms.constant(0, low);
                    self.terms.eq(offset, zero)
                }
                _ => self.terms.ult(offset, size),
            };
            let here = self.terms.and_all(&[before, after, within]);
            inside = self.terms.or(inside, here);
        }
        self.terms.ite(inside, moved, number)
    }

    /// The values of an address, if these are few.
    pub(super) fn few_values(&mut self, addr: TermId) -> Option<Rc<List>> {
        match constants(&self.terms, addr) {
            Some(values) => Some(Rc::new(List::chosen(values))),
            None => self.values_of(addr),
        }
    }

    /// Step within an object: true if it stays there for all of a few addresses and the range of the number, and no number becomes an
    /// address.
    fn stays_listed(&mut self, op: BinOp, addr: TermId, number: TermId) -> bool {
        let space = self.knowledge.space;
        let bits = space.pointer_bits;
        let Some(list) = self.few_values(addr) else {
            return false;
        };
        let fact = self.terms.fact(number);
        let ends = [fact.lo, fact.hi];
        // A step back is a large number.
        let small = fact.hi < 1 << (bits - 1) || fact.lo >= 1 << (bits - 1);
        small
            && list.values.iter().all(|value| {
                let sum = |end: &u128| {
                    let sum = match op {
                        BinOp::Sub => value.wrapping_sub(*end),
                        _ => value.wrapping_add(*end),
                    };
                    super::list::cut(sum, bits) as u64
                };
                let slot = space.slot(*value as u64);
                let Some(object) = slot.and_then(|slot| self.knowledge.object(slot)) else {
                    // A number stays one.
                    let reached = ends.map(|end| space.slot(sum(&end)));
                    let is_object = |slot: Slot| self.knowledge.object(slot).is_some();
                    return reached[0] == reached[1] && !reached[0].is_some_and(is_object);
                };
                let size = object.size_bytes.max(1);
                let within = |end: &u128| {
                    let sum = sum(end);
                    space.slot(sum) == slot && space.offset(sum).is_some_and(|at| at < size)
                };
                ends.iter().all(within)
            })
    }
}
