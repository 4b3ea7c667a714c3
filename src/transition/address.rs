//! Words that hold addresses, and what a program may do with them.
//!
//! An address is a slot and an offset here and some number on a machine. Both mean the same while a program copies
//! addresses, follows them, moves them within their objects, puts tags into bits that alignment leaves free, and compares
//! them where the outcome is the same wherever objects lie. Everything else looks at the number and is refused.
//!
//! Of registers, results of threads and pointer-wide words of memory it is known, for the whole run, of which objects they may
//! hold addresses; what is known of the term that a register holds somewhere says which of these it may be there. A part of an
//! address is never looked at, so that only words of a pointer's width and wider ones hold any.

use super::automaton::Key;
use super::carry::{NUMBER, Objects, carries};
use super::explore::Explorer;
use super::object::What;
use super::state::EdgeState;
use crate::base::sorted::SortedSet;
use crate::exec::constants;
use crate::ir::address::Slot;
use crate::ir::{BinOp, Operand, Reg, RmwOp, Rvalue};
use crate::term::{Fact, Node, TermId};

/// Most values among which a word is looked for.
const LEAVES: usize = 64;

/// Reason why something is refused.
type Refused = &'static str;

const AS_NUMBER: Refused = "an address as a number";
pub(super) const PART: Refused = "a part of an address";
const WITH_NUMBER: Refused = "an address that is compared with a number";
const PLACES: Refused = "a comparison of addresses that depends on where objects lie";
const ORDER: Refused = "the order of addresses of different objects";

impl Explorer<'_> {
    fn pointer_bits(&self) -> u16 {
        self.knowledge.space.pointer_bits
    }

    /// Numbers from here on are above every object, on machines and here.
    fn above(&self) -> u128 {
        let space = self.knowledge.space;
        let here = (self.knowledge.objects.len() as u128 + 1) << space.offset_bits;
        here.max(u128::from(space.highest()))
    }

    /// Free range: true if no number of it is the machine address of anything.
    pub fn is_free(&self, lo: u128, hi: u128) -> bool {
        hi < u128::from(self.knowledge.space.lowest()) || lo >= self.above()
    }

    /// Free word: true if it may be one that the environment has chosen, as it is.
    pub fn is_free_word(&self, term: TermId) -> bool {
        let (mut seen, mut stack) = (SortedSet::new(), vec![term]);
        while let Some(term) = stack.pop() {
            if seen.len() > LEAVES || self.is_input(term) {
                return true;
            }
            if seen.insert(term) {
                match self.terms.node(term) {
                    Node::Ite(_, a, b) | Node::Concat(a, b) => stack.extend([a, b]),
                    Node::Extract { from, .. } => stack.push(from),
                    Node::ZeroExtend(from) => stack.push(from),
                    _ => {}
                }
            }
        }
        false
    }

    /// Objects of a word that holds no address: [`NUMBER`] if it may equal a machine address, otherwise none.
    pub fn number(&mut self, term: TermId) -> Objects {
        let (bits, pointer_bits) = (self.terms.bits(term), self.pointer_bits());
        if bits == pointer_bits && self.is_address(term) {
            self.knowledge.note_alike();
        }
        let free = match constants(&self.terms, term) {
            _ if bits < pointer_bits => true,
            Some(values) if bits == pointer_bits => values.iter().all(|v| self.is_free(*v, *v)),
            _ => {
                let fact = self.terms.fact(term);
                (0..bits / pointer_bits).all(|lane| {
                    let part = fact.extract(lane * pointer_bits, pointer_bits);
                    self.is_free(part.lo, part.hi)
                })
            }
        };
        if free {
            Objects::new()
        } else {
            Objects::from([NUMBER])
        }
    }

    /// Those of the objects that the value of a term may lie in.
    pub fn among(&self, mut objects: Objects, term: TermId) -> Objects {
        let (bits, space) = (self.terms.bits(term), self.knowledge.space);
        if bits < space.pointer_bits {
            return Objects::new();
        }
        if objects.is_empty() || bits > space.pointer_bits {
            return objects;
        }
        let (values, fact) = (constants(&self.terms, term), self.terms.fact(term));
        let upper = fact.extract(space.offset_bits, bits - space.offset_bits);
        let leaves = self.leaves(term);
        let is_known = |fact: &Fact| {
            self.is_free(fact.lo, fact.hi) || (self.is_in_slot(fact) && !self.knowledge.alike())
        };
        let may_be_number = !leaves.iter().all(is_known);
        objects.retain(|slot| match (&values, *slot == NUMBER) {
            (_, true) => may_be_number,
            (Some(values), false) => {
                let slot = u128::from(slot.0);
                values.iter().any(|v| v >> space.offset_bits == slot)
            }
            (None, false) => upper.admits(u128::from(slot.0)),
        });
        objects
    }

    /// The variable of a register of the innermost activation.
    pub fn register_of(&self, state: &EdgeState, reg: Reg) -> Key {
        self.register_in(state.top().chain, reg)
    }

    /// Objects of an operand, which has this term: whose addresses it may hold.
    pub fn holds(&mut self, state: &EdgeState, operand: Operand, term: TermId) -> Objects {
        match operand {
            Operand::Const { .. } => self.number(term),
            Operand::GlobalAddr(id, _) => {
                let slot = self.knowledge.global_slot(self.program, id, self.thread);
                Objects::from([slot])
            }
            Operand::FuncAddr(id) => Objects::from([self.knowledge.function_slot(id)]),
            Operand::Reg(reg) => {
                let known = self.knowledge.addresses(&self.register_of(state, reg));
                if !carries(&known) {
                    return self.number(term);
                }
                let mut objects = self.among(known, term);
                if self.is_free_word(term) {
                    objects.insert(NUMBER);
                }
                objects
            }
        }
    }

    /// The same of several operands.
    pub fn all_held(
        &mut self,
        state: &EdgeState,
        operands: &[Operand],
        terms: &[TermId],
    ) -> Vec<Objects> {
        let both = operands.iter().zip(terms);
        both.map(|(operand, term)| self.holds(state, *operand, *term))
            .collect()
    }

    /// Objects of a word where it is made as wide as a register; `None`, and the edge ends, if that cuts an address.
    pub fn fitted(&mut self, state: &EdgeState, objects: Objects, bits: u16) -> Option<Objects> {
        if carries(&objects) && !bits.is_multiple_of(self.pointer_bits()) {
            self.unsupported(state, PART);
            return None;
        }
        Some(objects)
    }

    /// Objects of the sum of an address and a distance, or why that is refused.
    pub fn displaced(
        &mut self,
        terms: [TermId; 2],
        held: &[Objects],
        result: TermId,
    ) -> Result<Objects, Refused> {
        match (carries(&held[0]), carries(&held[1])) {
            (false, false) => Ok(self.number(result)),
            (_, true) => Err("an address as an offset"),
            (true, false) => Ok(self.moved(terms[0], &held[0], terms[1], false)),
        }
    }

    /// Objects of the result of another right-hand side, or why that is refused.
    pub fn result(
        &mut self,
        value: &Rvalue,
        operands: &[TermId],
        held: &[Objects],
        result: TermId,
    ) -> Result<Objects, Refused> {
        if !held.iter().any(carries) {
            return Ok(self.number(result));
        }
        let (bits, pointer_bits) = (self.terms.bits(result), self.pointer_bits());
        match value {
            Rvalue::Use(_) | Rvalue::ZeroExtend(_) => Ok(held[0].clone()),
            // It is to what lives there now.
            Rvalue::FromInteger(_) if held[0].iter().any(|slot| self.comes_back(*slot)) => {
                Err("a number as the address of what came to its place")
            }
            Rvalue::FromInteger(_) => Ok(held[0].clone()),
            Rvalue::Select { .. } => Ok(&held[1] | &held[2]),
            // Machine addresses of 64 bits are positive.
            Rvalue::SignExtend(_) if pointer_bits == 64 => Ok(held[0].clone()),
            Rvalue::Truncate(_) if bits.is_multiple_of(pointer_bits) => {
                Ok(self.among(held[0].clone(), result))
            }
            Rvalue::Truncate(_) => Err(PART),
            Rvalue::Binary(op, ..) => {
                let [a, b] = [operands[0], operands[1]];
                self.combined(*op, [a, b], [&held[0], &held[1]], result)
            }
            _ => Err(AS_NUMBER),
        }
    }

    /// Objects of the value that a read-modify-write stores, or why that is refused.
    pub fn updated(
        &mut self,
        op: RmwOp,
        terms: [TermId; 2],
        held: [&Objects; 2],
        result: TermId,
    ) -> Result<Objects, Refused> {
        let op = match op {
            RmwOp::Exchange => return Ok(held[1].clone()),
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            RmwOp::Nand | RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
                return if held.into_iter().any(carries) {
                    Err(AS_NUMBER)
                } else {
                    Ok(self.number(result))
                };
            }
        };
        self.combined(op, terms, held, result)
    }

    /// Objects of the result of a binary operator, or why that is refused.
    fn combined(
        &mut self,
        op: BinOp,
        [a, b]: [TermId; 2],
        [in_a, in_b]: [&Objects; 2],
        result: TermId,
    ) -> Result<Objects, Refused> {
        let (left, right) = (carries(in_a), carries(in_b));
        if !left && !right {
            return Ok(self.number(result));
        }
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            self.equal([a, b], [in_a, in_b])?;
            return Ok(Objects::new());
        }
        if self.terms.bits(a) != self.pointer_bits() {
            return Err(AS_NUMBER);
        }
        match op {
            BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe => {
                let signed = matches!(op, BinOp::SLt | BinOp::SLe);
                self.less([a, b], [in_a, in_b], signed)?;
                Ok(Objects::new())
            }
            BinOp::Add if left != right => {
                let (base, held, amount) = if left { (a, in_a, b) } else { (b, in_b, a) };
                self.stays(base, amount, false, result)?;
                Ok(self.moved(base, held, amount, false))
            }
            BinOp::Sub if left && !right => {
                self.stays(a, b, true, result)?;
                Ok(self.moved(a, in_a, b, true))
            }
            BinOp::Sub if left && self.same_object([a, b], [in_a, in_b]) => {
                if self.is_address(a) && self.is_address(b) {
                    Ok(self.number(result))
                } else {
                    Err(AS_NUMBER)
                }
            }
            BinOp::And | BinOp::Or | BinOp::Xor if left != right => {
                let (base, held, bits) = if left { (a, in_a, b) } else { (b, in_b, a) };
                self.tagged(op, base, held, bits, result)
            }
            BinOp::URem if left && !right => match self.terms.as_constant(b) {
                Some(n) if n.is_power_of_two() && n <= self.align(in_a) => Ok(self.number(result)),
                _ => Err(AS_NUMBER),
            },
            _ => Err(AS_NUMBER),
        }
    }

    /// Equality of two words: refused unless it is the same wherever objects lie.
    pub fn equal(
        &mut self,
        [a, b]: [TermId; 2],
        [in_a, in_b]: [&Objects; 2],
    ) -> Result<(), Refused> {
        if a == b || (!carries(in_a) && !carries(in_b)) {
            return Ok(());
        }
        let (bits, pointer_bits) = (self.terms.bits(a), self.pointer_bits());
        if !bits.is_multiple_of(pointer_bits) {
            return Err(PART);
        }
        if bits > pointer_bits {
            for lane in 0..bits / pointer_bits {
                let [a, b] =
                    [a, b].map(|t| self.terms.extract(t, lane * pointer_bits, pointer_bits));
                let (in_a, in_b) = (self.among(in_a.clone(), a), self.among(in_b.clone(), b));
                self.equal([a, b], [&in_a, &in_b])?;
            }
            return Ok(());
        }
        for s in in_a {
            for t in in_b {
                match (*s, *t) {
                    (s, t) if s == t => {}
                    (NUMBER, _) | (_, NUMBER) => return Err(WITH_NUMBER),
                    (s, t) => {
                        let inside = self.is_inside(a, s) && self.is_inside(b, t);
                        if !inside || !self.are_apart(s, t) {
                            return Err(PLACES);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Order of two words: refused unless it is the same wherever objects lie.
    fn less(
        &mut self,
        terms: [TermId; 2],
        held: [&Objects; 2],
        signed: bool,
    ) -> Result<(), Refused> {
        if held.iter().any(|objects| objects.contains(&NUMBER)) {
            return Err(ORDER);
        }
        // Machine addresses of 32 bits may be negative, and addresses here are not.
        let all = terms.into_iter().all(|term| self.is_address(term));
        if !all && signed && self.pointer_bits() == 32 {
            return Err(ORDER);
        }
        let both = held.into_iter().all(carries);
        if !both || self.same_object(terms, held) {
            Ok(())
        } else {
            Err(ORDER)
        }
    }

    /// Same object: true if two addresses certainly are of one.
    fn same_object(&mut self, terms: [TermId; 2], held: [&Objects; 2]) -> bool {
        let all = held[0] | held[1];
        if all.contains(&NUMBER) {
            return false;
        }
        let slots = terms.map(|term| self.owner(term));
        all.len() == 1 || slots[0] == slots[1]
    }

    /// The values a term chooses among, with what is known of each; none if they are many.
    fn leaves(&self, term: TermId) -> Vec<Fact> {
        let (mut leaves, mut stack) = (Vec::new(), vec![term]);
        let mut seen = SortedSet::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Ite(_, a, b) => stack.extend([a, b]),
                _ => leaves.push(self.terms.fact(term)),
            }
            if seen.len() > LEAVES {
                return vec![self.terms.fact(term)];
            }
        }
        leaves
    }

    /// Slot of an object: true if a value within bounds certainly is in one.
    fn is_in_slot(&self, fact: &Fact) -> bool {
        let least = 1 << self.knowledge.space.offset_bits;
        fact.lo >= least && fact.hi < self.above()
    }

    /// Address or free number: true if a word that holds one of the two holds an address.
    fn is_address(&self, term: TermId) -> bool {
        self.leaves(term).iter().all(|fact| self.is_in_slot(fact))
    }

    /// Objects of an address that was moved by an amount within its object.
    fn moved(&self, base: TermId, held: &Objects, amount: TermId, back: bool) -> Objects {
        let (bits, step) = (self.terms.bits(base), self.terms.fact(amount));
        let full = crate::term::word::mask(bits);
        let sum = |value: u128, step: u128| {
            if back {
                value.wrapping_sub(step) & full
            } else {
                value.wrapping_add(step) & full
            }
        };
        // Null pointers, and what stands for none, become other numbers.
        let free = self.leaves(base).iter().all(|fact| {
            let ends = [sum(fact.lo, step.lo), sum(fact.hi, step.hi)];
            let narrow = step.hi - step.lo <= u128::from(self.knowledge.space.lowest());
            self.is_in_slot(fact)
                || step.value() == Some(0)
                || (fact.value().is_some()
                    && narrow
                    && self.is_free(ends[0].min(ends[1]), ends[0].max(ends[1])))
        });
        let mut held = held.clone();
        if !free {
            held.insert(NUMBER);
        }
        held
    }

    /// A sum that certainly is in the same slot.
    fn stays(
        &mut self,
        base: TermId,
        amount: TermId,
        back: bool,
        sum: TermId,
    ) -> Result<(), Refused> {
        let space = self.knowledge.space;
        let [from, to] = [base, sum].map(|term| self.owner(term));
        let same = self.terms.eq(from, to);
        if self.terms.as_constant(same) == Some(1) {
            return Ok(());
        }
        let low = self.terms.fact(base).extract(0, space.offset_bits);
        let step = self.terms.fact(amount);
        let full = crate::term::word::mask(space.pointer_bits);
        let half = 1 << (space.pointer_bits - 1);
        // How far it goes up and down at most.
        let (up, down) = match step {
            Fact { hi, .. } if hi < half => (hi, 0),
            Fact { lo, .. } if lo >= half => (0, full - lo + 1),
            _ => return Err(AS_NUMBER),
        };
        let (up, down) = if back { (down, up) } else { (up, down) };
        let fits = low.lo >= down && low.hi + up < 1 << space.offset_bits;
        fits.then_some(()).ok_or(AS_NUMBER)
    }

    /// Alignment of objects in bytes: what their addresses are multiples of, here and on machines.
    fn align(&self, held: &Objects) -> u128 {
        let most = 1u128 << self.knowledge.space.object_bits();
        let objects = held.iter().filter_map(|slot| self.knowledge.object(*slot));
        let least = objects.map(|object| u128::from(object.align_bytes.max(1)));
        least.min().unwrap_or(1).min(most)
    }

    /// Bits below the alignment are read, set, flipped or cleared.
    fn tagged(
        &mut self,
        op: BinOp,
        base: TermId,
        held: &Objects,
        bits: TermId,
        result: TermId,
    ) -> Result<Objects, Refused> {
        let (space, fact, align) = (
            self.knowledge.space,
            self.terms.fact(bits),
            self.align(held),
        );
        if op != BinOp::And {
            // So that a null pointer stays what no object's address is.
            return if fact.hi < align.min(u128::from(space.lowest())) {
                Ok(held.clone())
            } else {
                Err(AS_NUMBER)
            };
        }
        if fact.hi < align {
            return Ok(self.number(result));
        }
        let cleared = crate::term::word::mask(space.pointer_bits) & !fact.ones & !(align - 1);
        // Above all machine addresses, and zero here as well.
        let above = match space.pointer_bits {
            64 => !(u128::from(space.highest()) - 1),
            _ => 0,
        };
        let mut held = held.clone();
        if cleared != 0 {
            held.insert(NUMBER);
        }
        match cleared & !(above & self.terms.fact(base).zeros) {
            0 => Ok(held),
            _ => Err(AS_NUMBER),
        }
    }

    /// Address inside an object: true if a word that may be an address of the object then points at a byte of it.
    fn is_inside(&mut self, term: TermId, slot: Slot) -> bool {
        let space = self.knowledge.space;
        let Some(object) = self.knowledge.object(slot) else {
            return false;
        };
        let size = match object.what {
            What::Function(_) => 1,
            _ if object.size_varies => 0,
            _ => u128::from(object.size_bytes),
        };
        let first = 1u128 << space.object_bits();
        self.leaves(term).iter().all(|fact| {
            let upper = fact.extract(space.offset_bits, space.pointer_bits - space.offset_bits);
            let low = fact.extract(0, space.offset_bits);
            if !upper.admits(u128::from(slot.0)) {
                return true;
            }
            // Where null is another value, the bit that objects start at is not known.
            let unknown = (low.ones | low.zeros) & first == 0;
            if low.lo >= first {
                low.hi - first < size
            } else {
                unknown && !low.zeros & (first - 1) < size
            }
        })
    }
}
