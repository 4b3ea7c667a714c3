//! Values of right-hand sides.

use super::arithmetic::{mask, signed, unary};
use super::state::State;
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Interpreter};
use crate::base::float::native;
use crate::event::ThreadId;
use crate::ir::{Operand, Reg, Rvalue, Undefined};

impl Interpreter<'_> {
    /// The value of a right-hand side for a destination register.
    pub(super) fn rvalue(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (dst, value): (Reg, &Rvalue),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let function = state.frame(thread).function;
        let bits = self.program.functions[function].regs[dst].bits;
        let result = match value {
            Rvalue::Use(a) | Rvalue::ZeroExtend(a) | Rvalue::Truncate(a) => {
                self.word(state, thread, *a)
            }
            Rvalue::FromInteger(a) => {
                let word = self.word(state, thread, *a);
                if !word.is_number() && self.has_ended(state, word.value) {
                    Word::number(self.number(state, word, choices)?)
                } else {
                    word
                }
            }
            Rvalue::SignExtend(a) => {
                let from = self.bits(function, *a);
                let word = self.word(state, thread, *a);
                self.sign_extended(state, word, from, choices)?
            }
            Rvalue::Unary(op, a) => {
                let value = self.operand_number(state, thread, *a, choices)?;
                Word::number(unary(*op, value, bits))
            }
            Rvalue::Binary(op, a, b) => {
                let bits = self.bits(function, *a);
                let (a, b) = (self.word(state, thread, *a), self.word(state, thread, *b));
                self.binary(state, *op, (a, b, bits), choices)?
            }
            Rvalue::Select { cond, then, other } => {
                let chosen = if self.value(state, thread, *cond) != 0 {
                    *then
                } else {
                    *other
                };
                self.word(state, thread, chosen)
            }
            Rvalue::Offset { base, offset_bytes } => {
                let width = self.bits(function, *offset_bytes);
                let base = self.word(state, thread, *base);
                let offset = self.operand_number(state, thread, *offset_bytes, choices)?;
                self.offset(base, signed(offset, width))?
            }
            Rvalue::Float {
                op,
                format,
                operands,
            } => {
                let mut words = Vec::with_capacity(operands.len());
                for operand in operands {
                    words.push(self.operand_number(state, thread, *operand, choices)?);
                }
                Word::number(native::apply(*op, *format, &words))
            }
        };
        self.fit(state, result, bits, choices)
    }

    /// A word of `from` bits, extended with its sign; machine addresses of 64 bits have none.
    fn sign_extended(
        &mut self,
        state: &mut State,
        word: Word,
        from: u16,
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let wide = self.space.pointer_bits;
        let marked_top = from.is_multiple_of(wide) && word.lane(from / wide - 1, wide).marks != 0;
        Ok(match (marked_top, wide) {
            (false, _) => Word {
                value: signed(word.value, from) as u128,
                marks: word.marks,
            },
            (true, 64) => word,
            (true, _) => {
                let number = self.number(state, word, choices)?;
                Word::number(signed(number, from) as u128)
            }
        })
    }

    /// Pointer arithmetic; an address must not leave its object's slot.
    fn offset(&self, base: Word, offset: i128) -> Result<Word, Undefined> {
        let result = (base.value as i128).wrapping_add(offset);
        // A result outside of the address space has other upper bits, too.
        let stays =
            result >> self.space.offset_bits == (base.value as i128) >> self.space.offset_bits;
        if !stays && !base.is_number() {
            return Err(Undefined::PointerRange);
        }
        Ok(Word {
            value: result as u128 & mask(self.space.pointer_bits),
            marks: base.marks,
        })
    }

    /// The number that an operand means.
    pub(super) fn operand_number(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operand: Operand,
        choices: &mut dyn Choices,
    ) -> Result<u128, Stop> {
        let word = self.word(state, thread, operand);
        self.number(state, word, choices)
    }
}
