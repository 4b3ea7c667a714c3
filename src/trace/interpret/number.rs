//! Operators on words with marks.
//!
//! As long as only parts of addresses are moved around, and numbers are added that lead to another byte of the object, marks
//! stay; whatever else looks at an address sees the machine number that it means.

use super::arithmetic::{binary, mask, update};
use super::memory::Label;
use super::state::State;
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Interpreter};
use crate::ir::address::{LOW_BITS, Slot};
use crate::ir::{BinOp, RmwOp};
use crate::trace::faults::{self, Fault};

impl Interpreter<'_> {
    /// The number that a word means.
    pub(super) fn number(
        &mut self,
        state: &mut State,
        word: Word,
        choices: &mut dyn Choices,
    ) -> Result<u128, Stop> {
        let bits = self.space.pointer_bits;
        let mut number = word;
        for index in word.marked() {
            let value = self.machine(state, word.lane(index, bits).value, choices)?;
            number = number.with_lane(index, bits, Word::number(value));
        }
        Ok(number.value)
    }

    /// The low `to` bits of a word; lanes that are not cut keep their marks.
    pub(super) fn fit(
        &mut self,
        state: &mut State,
        word: Word,
        to: u16,
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let bits = self.space.pointer_bits;
        let kept = word.marks & ((1_u32 << (to / bits)) - 1) as u8;
        let cut = !to.is_multiple_of(bits) && word.lane(to / bits, bits).marks != 0;
        Ok(if cut {
            Word::number(self.number(state, word, choices)? & mask(to))
        } else {
            Word {
                value: word.value & mask(to),
                marks: kept,
            }
        })
    }

    /// The value of a binary operator on words of `bits` bits; a comparison gives 0 or 1.
    pub(super) fn binary(
        &mut self,
        state: &mut State,
        op: BinOp,
        (a, b, bits): (Word, Word, u16),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        if a.is_number() && b.is_number() {
            return Ok(Word::number(binary(op, a.value, b.value, bits)));
        }
        let one_lane = bits == self.space.pointer_bits;
        let result = match op {
            BinOp::Eq | BinOp::Ne => {
                let equal = self.is_equal(state, (a, b, bits), choices)?;
                Some(Word::number(u128::from(equal == (op == BinOp::Eq))))
            }
            BinOp::And | BinOp::Or | BinOp::Xor if !one_lane => {
                Some(self.lane_by_lane(state, op, (a, b, bits), choices)?)
            }
            BinOp::Shl | BinOp::LShr if !one_lane => {
                let by = self.number(state, b, choices)?;
                self.moved_lanes(op, a, by, bits)
            }
            BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe
                if one_lane && self.is_same_object(a, b) =>
            {
                Some(Word::number(binary(op, a.value, b.value, bits)))
            }
            _ if one_lane => self.one_lane(state, op, (a, b), choices)?,
            _ => None,
        };
        if let Some(result) = result {
            return Ok(result);
        }
        let a = self.number(state, a, choices)?;
        let b = self.number(state, b, choices)?;
        Ok(Word::number(binary(op, a, b, bits)))
    }

    /// Value that a read-modify-write of `bits` bits stores over `old`.
    pub(super) fn update(
        &mut self,
        state: &mut State,
        op: RmwOp,
        (old, operand, bits): (Word, Word, u16),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let op = match op {
            RmwOp::Exchange => return Ok(operand),
            RmwOp::Nand | RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
                let old = self.number(state, old, choices)?;
                let operand = self.number(state, operand, choices)?;
                return Ok(Word::number(update(op, old, operand, bits)));
            }
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
        };
        self.binary(state, op, (old, operand, bits), choices)
    }

    /// Equality of two words of `bits` bits: true if they mean the same.
    pub(super) fn is_equal(
        &mut self,
        state: &mut State,
        (a, b, bits): (Word, Word, u16),
        choices: &mut dyn Choices,
    ) -> Result<bool, Stop> {
        if a.is_number() && b.is_number() {
            return Ok(a.value == b.value);
        }
        let wide = self.space.pointer_bits;
        let lanes = |word: Word| (0..bits.div_ceil(wide)).map(move |i| word.lane(i, wide));
        let plain = |(a, b): &(Word, Word)| a.is_number() && b.is_number();
        let (plain, others): (Vec<_>, Vec<_>) = lanes(a).zip(lanes(b)).partition(plain);
        if plain.iter().any(|(a, b)| a != b) {
            return Ok(false);
        }
        for (a, b) in others {
            if !self.is_equal_lane(state, a, b, choices)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_equal_lane(
        &mut self,
        state: &mut State,
        a: Word,
        b: Word,
        choices: &mut dyn Choices,
    ) -> Result<bool, Stop> {
        // A word that nobody has set may have any bits, those of an address as well.
        if a.value == b.value {
            return Ok(true);
        }
        let unequal = match (a.is_number(), b.is_number()) {
            (false, false) if self.is_same_object(a, b) => return Ok(false),
            (false, false) if faults::on(Fault::MarksDiffer) => true,
            (false, false) => {
                let texts = self.is_text(state, a) && self.is_text(state, b);
                !texts && self.is_inside(state, a) && self.is_inside(state, b)
            }
            (true, false) => !self.is_machine(a.value),
            (false, true) => !self.is_machine(b.value),
            (true, true) => return Ok(a.value == b.value),
        };
        if unequal {
            return Ok(false);
        }
        Ok(self.number(state, a, choices)? == self.number(state, b, choices)?)
    }

    fn is_same_object(&self, a: Word, b: Word) -> bool {
        let slots = (self.slot_of(a.value), self.slot_of(b.value));
        !a.is_number() && !b.is_number() && slots.0 == slots.1
    }

    /// String literals: true if an internal address is in one, which may be the end of another one.
    fn is_text(&self, state: &State, address: Word) -> bool {
        let object = self.object(state, address.value);
        object.is_some_and(|(_, _, object)| match object.label {
            Label::Static(id) => self.program.globals[id].name.starts_with('"'),
            Label::Instruction(..) => false,
        })
    }

    /// True if an internal address is strictly inside an object that lives; a function has one byte.
    fn is_inside(&self, state: &State, address: Word) -> bool {
        match self.object(state, address.value) {
            Some((_, offset, object)) => offset < object.bytes.len(),
            None => self.function_at(address.value).is_some(),
        }
    }

    /// True if an internal address is strictly inside its object, which may have ended.
    fn is_within(&self, state: &State, address: u128) -> Result<bool, Stop> {
        let address = Word::address(address);
        let slot = self.slot_of(address.value).unwrap_or(Slot::NULL);
        if state.memory.get(slot).is_some() || self.is_function(slot) {
            return Ok(self.is_inside(state, address));
        }
        let size = self.life(state, slot)?.map_or(0, |life| life.size_bytes);
        let offset = address
            .value
            .wrapping_sub(u128::from(self.space.base(slot)));
        Ok(offset < u128::from(size))
    }

    /// Operators on one lane that keep a mark, or need less than a number; `None` if they need numbers.
    fn one_lane(
        &mut self,
        state: &mut State,
        op: BinOp,
        (a, b): (Word, Word),
        choices: &mut dyn Choices,
    ) -> Result<Option<Word>, Stop> {
        let bits = self.space.pointer_bits;
        let (address, number) = match (a.is_number(), b.is_number()) {
            (false, true) => (a.value, b.value),
            (true, false) if op != BinOp::Sub => (b.value, a.value),
            (false, false) if op == BinOp::Sub && self.is_same_object(a, b) => {
                return Ok(Some(Word::number(binary(op, a.value, b.value, bits))));
            }
            _ => return Ok(None),
        };
        let result = match op {
            BinOp::Add | BinOp::Sub => binary(op, address, number, bits),
            BinOp::And if self.space.is_low_mask(number as u64) => {
                let cleared = !number & low();
                address.wrapping_sub(self.low_bits(state, address, cleared, choices)?)
            }
            BinOp::Or if number <= low() => {
                let set = number & !self.low_bits(state, address, number, choices)?;
                address.wrapping_add(set)
            }
            BinOp::Xor if number <= low() => {
                let cleared = self.low_bits(state, address, number, choices)?;
                address
                    .wrapping_sub(cleared)
                    .wrapping_add(number & !cleared)
            }
            _ => return Ok(None),
        } & mask(bits);
        // Numbers that lead out of the object may lead to another one.
        let same = self.slot_of(address) == self.slot_of(result);
        let outside = faults::on(Fault::MarksOutside);
        let stays = result == address || same && (outside || self.is_within(state, result)?);
        Ok(stays.then_some(Word::address(result)))
    }

    fn lane_by_lane(
        &mut self,
        state: &mut State,
        op: BinOp,
        (a, b, bits): (Word, Word, u16),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let wide = self.space.pointer_bits;
        let mut result = Word::default();
        for index in 0..bits.div_ceil(wide) {
            let (a, b) = (a.lane(index, wide), b.lane(index, wide));
            let lane = self.binary(state, op, (a, b, wide), choices)?;
            result = result.with_lane(index, wide, lane);
        }
        Ok(result)
    }

    /// A shift by whole lanes.
    fn moved_lanes(&self, op: BinOp, a: Word, by: u128, bits: u16) -> Option<Word> {
        let wide = self.space.pointer_bits;
        if !by.is_multiple_of(u128::from(wide)) {
            return None;
        }
        let lanes = u32::try_from(by / u128::from(wide)).unwrap_or(u32::MAX);
        let whole = (1_u32 << (bits / wide)) - 1;
        let marks = match op {
            BinOp::Shl => u32::from(a.marks).unbounded_shl(lanes) & whole,
            _ => u32::from(a.marks).unbounded_shr(lanes),
        };
        // A lane that is pushed into a part that is narrower is no address any more.
        let cut = !bits.is_multiple_of(wide) && op == BinOp::Shl && a.marks != 0;
        (!cut).then_some(Word {
            value: binary(op, a.value, by, bits),
            marks: marks as u8,
        })
    }
}

/// The bits of an address within a page.
const fn low() -> u128 {
    (1 << LOW_BITS) - 1
}
