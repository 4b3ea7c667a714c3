//! Words that are addresses, and what becomes of them where the program looks at them as numbers.
//!
//! A word of an address's width is an *internal* address (slot and offset, see [`crate::ir::address`]) or a number. The
//! flow of values into a term says whether it may be an internal address ([`Pass::slots_of`]). An internal address
//! means the number `base + offset`, where `base` is the machine address of its object, a variable ([`Pass::base`]).
//! Operations that a round trip through integers consists of (steps within the slot, tags in bits that the alignment
//! leaves free) work on internal addresses as they are; all others *observe*, that is they take the number
//! ([`Pass::number`]). The first pass that observes something is not used: with it, passes begin anew in an address
//! space in which internal addresses are no machine addresses. The interpreter follows the same rules
//! (`trace/interpret/number.rs`), with marks in place of flows.

use super::pass::Pass;
use super::slots::SlotSet;
use super::state::PathState;
use crate::base::sorted::SortedSet;
use crate::exec::{constants, rvalue};
use crate::ir::Rvalue;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;
use crate::term::node::{Node, Op};

/// Most pairs of values that are compared one by one.
const PAIRS: usize = 256;

impl Pass<'_> {
    pub(super) fn pointer_bits(&self) -> u16 {
        self.program.model.pointer_bits()
    }

    /// Parts of a word that are as wide as an address, lowest first; none if the word is narrower.
    pub(super) fn lanes(&mut self, word: TermId) -> Vec<TermId> {
        let (bits, width) = (self.terms.bits(word), self.pointer_bits());
        (0..bits / width)
            .map(|i| self.terms.extract(word, i * width, width))
            .collect()
    }

    pub(super) fn joined(&mut self, lanes: &[TermId]) -> TermId {
        let mut all = lanes.iter().copied();
        let first = all.next().expect("a word has a lane");
        all.fold(first, |low, high| {
            if faults::on(Fault::LanesSwapped) {
                self.terms.concat(low, high)
            } else {
                self.terms.concat(high, low)
            }
        })
    }

    /// Marked word: true if some part of it may be an internal address.
    pub(super) fn is_marked(&mut self, word: TermId) -> bool {
        match self.terms.bits(word) {
            bits if bits < self.pointer_bits() => false,
            bits if bits == self.pointer_bits() => !self.slot_set(word).is_empty(),
            _ => {
                let lanes = self.lanes(word);
                lanes
                    .into_iter()
                    .any(|lane| !self.slot_set(lane).is_empty())
            }
        }
    }

    /// Slots that some part of a word may point into.
    pub(super) fn slots_within(&mut self, word: TermId) -> SlotSet {
        if self.terms.bits(word) <= self.pointer_bits() {
            return self.slot_set(word);
        }
        let mut all = SlotSet::EMPTY;
        for lane in self.lanes(word) {
            let slots = self.slot_set(lane);
            all = self.knowledge.sets.union(all, slots);
        }
        all
    }

    /// A term is a number, whatever seems to flow into it.
    pub(super) fn note_number(&mut self, term: TermId) {
        if self.terms.bits(term) >= self.pointer_bits()
            && self.terms.as_constant(term).is_none()
            && self.is_marked(term)
        {
            self.slot_memo.insert((term, 0), SlotSet::EMPTY);
        }
    }

    /// The program looks at an address as a number.
    pub(super) fn observe(&mut self) {
        self.seen.machine.observed = true;
    }

    /// Observation of an address as a number, which is noted: true if the operation can be exact in this pass;
    /// otherwise another one has to follow, with machine addresses.
    pub(super) fn observed(&mut self) -> bool {
        self.observe();
        self.knowledge.machine.observed
    }

    /// A word with the machine addresses of what it points to.
    pub(super) fn number(&mut self, word: TermId) -> TermId {
        if !self.is_marked(word) || !self.observed() {
            return word;
        }
        if let Some(&known) = self.numbers.get(&word) {
            return known;
        }
        let number = if self.terms.bits(word) == self.pointer_bits() {
            self.lane_number(word)
        } else {
            let lanes = self.lanes(word);
            let lanes: Vec<TermId> = lanes.into_iter().map(|lane| self.number(lane)).collect();
            self.joined(&lanes)
        };
        self.numbers.insert(word, number);
        number
    }

    fn lane_number(&mut self, word: TermId) -> TermId {
        let space = self.knowledge.space;
        match self.terms.node(word) {
            Node::Constant(value) => {
                let Some(slot) = space.slot(value as u64) else {
                    return word;
                };
                let offset = (value as u64).wrapping_sub(space.base(slot));
                let base = self.base(slot);
                let offset = self.terms.constant(
                    super::list::cut(u128::from(offset), space.pointer_bits),
                    space.pointer_bits,
                );
                self.terms.add(base, offset)
            }
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                self.terms.ite(cond, a, b)
            }
            _ => {
                // A variable of its own, so that nothing of the internal address shows through.
                let number = self.terms.fresh("number", space.pointer_bits);
                let mut value = word;
                let slots = self.slots_of(word);
                for &slot in slots.iter() {
                    let here = self.is_in(word, slot);
                    let start = self
                        .terms
                        .constant(u128::from(space.base(slot)), space.pointer_bits);
                    let offset = self.terms.sub(word, start);
                    let base = if faults::on(Fault::ProvenanceWrong) {
                        self.base(*slots.first().unwrap_or(&slot))
                    } else {
                        self.base(slot)
                    };
                    let own = self.terms.add(base, offset);
                    value = self.terms.ite(here, own, value);
                }
                let same = self.terms.eq(number, value);
                self.facts_found.push(same);
                if let Some(var) = self.terms.var_of(number) {
                    self.number_vars.insert(var);
                }
                number
            }
        }
    }

    /// Condition that an address is in a slot.
    pub(super) fn is_in(&mut self, addr: TermId, slot: Slot) -> TermId {
        let space = self.knowledge.space;
        let width = space.pointer_bits - space.offset_bits;
        let upper = self.terms.extract(addr, space.offset_bits, width);
        let number = self.terms.constant(u128::from(slot.0), width);
        self.terms.eq(upper, number)
    }

    /// Condition that a word is an internal address.
    pub(super) fn is_internal(&mut self, word: TermId) -> TermId {
        let mut any = self.terms.fals();
        for &slot in self.slots_of(word).iter() {
            let here = self.is_in(word, slot);
            any = self.terms.or(any, here);
        }
        any
    }

    /// Flow of machine addresses: true if one may flow into a word. (What is compared with one, or chosen by it, is
    /// none.)
    pub(super) fn is_numeric(&mut self, word: TermId) -> bool {
        if self.number_vars.is_empty() {
            return false;
        }
        let mut waiting = vec![word];
        while let Some(&term) = waiting.last() {
            if self.numeric_memo.contains_key(&term) {
                waiting.pop();
                continue;
            }
            let parts: Vec<TermId> = match self.terms.node(term) {
                Node::Constant(_) | Node::Binary(Op::Eq | Op::ULt | Op::SLt, ..) => Vec::new(),
                Node::Variable(var) => {
                    let numeric = self.number_vars.contains(&var);
                    self.numeric_memo.insert(term, numeric);
                    continue;
                }
                Node::Ite(_, a, b) => vec![a, b],
                _ => self.terms.children(term).collect(),
            };
            let open = |part: &&TermId| !self.numeric_memo.contains_key(*part);
            if let Some(&part) = parts.iter().find(open) {
                waiting.push(part);
                continue;
            }
            let numeric = parts.iter().any(|part| self.numeric_memo[part]);
            self.numeric_memo.insert(term, numeric);
        }
        self.numeric_memo[&word]
    }

    /// Number that leads to an object: true if an address may be a number that is the machine address of something.
    pub(super) fn may_be_number(&mut self, addr: TermId) -> bool {
        if !self.knowledge.machine.observed || self.is_numeric(addr) {
            return self.knowledge.machine.observed;
        }
        // What the program guesses. (What is read from memory may have come from elsewhere in a later pass.)
        self.slot_set(addr).is_empty() && !self.is_no_address(addr) && self.is_chosen(addr)
    }

    /// Free choice: true if a word depends on free choices alone, or is a constant that is no address.
    pub(super) fn is_chosen(&mut self, word: TermId) -> bool {
        let vars = self.terms.support(word);
        vars.iter().all(|var| self.input_vars.contains(var)) && !self.is_marked(word)
    }

    /// The value of a right-hand side; `literal` says which operands are constants of the program, which are never
    /// addresses.
    pub(super) fn compute(
        &mut self,
        value: &Rvalue,
        bits: u16,
        operands: &[TermId],
        literal: &[bool],
    ) -> TermId {
        let width = self.pointer_bits();
        if operands.iter().all(|term| self.terms.bits(*term) < width) {
            return rvalue::rvalue(&mut self.terms, value, bits, operands);
        }
        let marked: Vec<bool> = operands
            .iter()
            .zip(literal)
            .map(|(term, literal)| !literal && self.is_marked(*term))
            .collect();
        let plain = |pass: &mut Self| rvalue::rvalue(&mut pass.terms, value, bits, operands);
        if !marked.contains(&true) {
            let result = plain(self);
            self.note_number(result);
            return result;
        }
        match value {
            Rvalue::Use(_) | Rvalue::Select { .. } | Rvalue::ZeroExtend(_) => plain(self),
            // Machine addresses of LP64 are positive.
            Rvalue::SignExtend(_) if width == 64 => plain(self),
            Rvalue::Truncate(_) if bits.is_multiple_of(width) => plain(self),
            Rvalue::Truncate(_) if bits <= self.aligned_bits(operands[0]) => plain(self),
            Rvalue::Binary(op, ..) => {
                self.binary(*op, (operands[0], marked[0]), (operands[1], marked[1]))
            }
            _ => {
                let numbers: Vec<TermId> = operands.iter().map(|a| self.number(*a)).collect();
                let result = rvalue::rvalue(&mut self.terms, value, bits, &numbers);
                self.note_number(result);
                result
            }
        }
    }

    /// A pointer from an integer. If the object that the integer was made from has ended, it is to what lives there
    /// now, which its number says. (Where nothing can, it stays a pointer to what has ended.)
    pub(super) fn pointer_of(&mut self, state: &mut PathState, word: TermId) -> TermId {
        let slots = self.slots_of(word);
        let may_end = |slot: &&Slot| self.knowledge.may_end(**slot);
        let ending: Vec<Slot> = slots.iter().filter(may_end).copied().collect();
        let mut result = word;
        for slot in ending {
            let here = self.is_in(word, slot);
            let ended = self.has_ended(state, slot);
            let stale = self.terms.and(here, ended);
            if self.terms.as_constant(stale) == Some(0)
                || faults::on(Fault::StaleKept)
                || !self.may_be_reused(slot)
            {
                continue;
            }
            let number = self.number(word);
            result = self.terms.ite(stale, number, result);
        }
        result
    }

    /// Equality of two words, as numbers.
    pub(super) fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if self.terms.bits(a) > self.pointer_bits() {
            if !self.is_marked(a) && !self.is_marked(b) {
                return self.terms.eq(a, b);
            }
            let (left, right) = (self.lanes(a), self.lanes(b));
            let mut same = self.terms.tru();
            for (x, y) in left.into_iter().zip(right) {
                let own = self.equal(x, y);
                same = self.terms.and(same, own);
            }
            return same;
        }
        if !self.shows_equality(a, b, false)
            || self.must_be_set(a, b) && !self.shows_equality(a, b, true)
        {
            return self.terms.eq(a, b);
        }
        if let Some(same) = self.equal_by_pairs(a, b) {
            return same;
        }
        let (a, b) = (self.number(a), self.number(b));
        self.terms.eq(a, b)
    }

    /// The same of two words that have few values: they are one value, or two that are equal as numbers, which is said once for each
    /// pair; `None` if there are too many.
    fn equal_by_pairs(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_numeric(a) || self.is_numeric(b) {
            return None;
        }
        let (left, right) = (self.few_values(a)?, self.few_values(b)?);
        let unset = left.left || right.left;
        if !self.counts_as_set(unset) || left.values.len() * right.values.len() > PAIRS {
            return None;
        }
        let bits = self.terms.bits(a);
        let last = (left.values.last(), right.values.last());
        let mut same = self.terms.eq(a, b);
        for &x in &left.values {
            for &y in &right.values {
                if faults::on(Fault::PairMissed) && last == (Some(&x), Some(&y)) {
                    continue;
                }
                let (one, other) = (self.terms.constant(x, bits), self.terms.constant(y, bits));
                if x == y || !self.shows_equality(one, other, true) {
                    continue;
                }
                let (here, there) = (self.terms.eq(a, one), self.terms.eq(b, other));
                let (one, other) = (self.number(one), self.number(other));
                let alike = self.terms.eq(one, other);
                let both = self.terms.and_all(&[here, there, alike]);
                same = self.terms.or(same, both);
            }
        }
        Some(same)
    }

    /// Equality that depends on numbers: true if words that differ may be equal as numbers; `set` says that both have been chosen.
    fn shows_equality(&mut self, a: TermId, b: TermId, set: bool) -> bool {
        if self.terms.bits(a) < self.pointer_bits() || a == b {
            return false;
        }
        let (left, right) = (self.slots_of(a), self.slots_of(b));
        if left.is_empty() && right.is_empty() {
            return false;
        }
        if left.is_empty() || right.is_empty() {
            let number = if left.is_empty() { a } else { b };
            return !self.is_no_address(number);
        }
        if self.is_numeric(a) || self.is_numeric(b) {
            return true;
        }
        if left.len() == 1 && left == right {
            // What nobody has chosen may be the address of that object by chance.
            return !set && (self.may_be_unset(a) || self.may_be_unset(b));
        }
        let inside = self.is_inside(a, set) && self.is_inside(b, set);
        left.iter().any(|&s| {
            right.iter().any(|&t| {
                s != t && (!inside || self.may_share(s, t) && !faults::on(Fault::EqualityInternal))
            })
        })
    }

    /// Number that is no address: true if it is not the machine address of any object.
    fn is_no_address(&mut self, number: TermId) -> bool {
        let space = self.knowledge.space;
        let (low, high) = (u128::from(space.lowest()), u128::from(space.highest()));
        if let Some(values) = constants(&self.terms, number) {
            return values.iter().all(|value| *value < low || *value >= high);
        }
        let fact = self.terms.fact(number);
        fact.hi < low || fact.lo >= high
    }

    /// Address inside its object: true if it is strictly inside, as far as is known; `set` says that it has been chosen.
    pub(super) fn is_inside(&mut self, addr: TermId, set: bool) -> bool {
        let mut seen = SortedSet::new();
        let mut waiting = vec![addr];
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) || self.accessed.has(term) {
                continue;
            }
            let inside = match self.few_values(term) {
                Some(list) => {
                    let mut values = list.values.iter();
                    let is_set = set || !list.left;
                    is_set && values.all(|value| self.is_place(*value, *value))
                }
                None => {
                    if let Node::Ite(_, a, b) = self.terms.node(term) {
                        waiting.extend([a, b]);
                        continue;
                    }
                    let fact = self.terms.fact(term);
                    let slot = |end: u128| self.knowledge.space.slot(end as u64);
                    slot(fact.lo) == slot(fact.hi) && self.is_place(fact.lo, fact.hi)
                }
            };
            if !inside {
                return false;
            }
        }
        true
    }

    /// Words inside an object: true if all of a range within one slot are, or if nothing can be there.
    fn is_place(&self, low: u128, high: u128) -> bool {
        let space = self.knowledge.space;
        let nowhere = high < u128::from(space.lowest()) || low >= u128::from(space.highest());
        let Some(slot) = space.slot(low as u64) else {
            return nowhere;
        };
        let Some(object) = self.knowledge.object(slot) else {
            return nowhere;
        };
        // An object of unknown size has a byte.
        let size = if self.knowledge.symbolic.contains(&slot) {
            1
        } else {
            object.size_bytes.max(1)
        };
        let offset = |end: u128| space.offset(end as u64);
        offset(low).is_some()
            && offset(high).is_some_and(|offset| offset < size || faults::on(Fault::OnePastInside))
    }
}
