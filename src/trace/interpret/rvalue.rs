//! Values of right-hand sides.

use super::Interpreter;
use super::arithmetic::{binary, mask, signed, unary};
use super::state::State;
use crate::base::float::native;
use crate::event::ThreadId;
use crate::ir::{Reg, Rvalue, Undefined};

impl Interpreter<'_> {
    /// The value of a right-hand side for a destination register.
    pub(super) fn rvalue(
        &mut self,
        state: &State,
        thread: ThreadId,
        dst: Reg,
        value: &Rvalue,
    ) -> Result<u128, Undefined> {
        let function = state.frame(thread).function;
        let bits = self.program.functions[function].regs[dst].bits;
        Ok(match value {
            Rvalue::Use(a) | Rvalue::ZeroExtend(a) | Rvalue::Truncate(a) => {
                self.value(state, thread, *a)
            }
            Rvalue::SignExtend(a) => {
                let from = self.bits(function, *a);
                signed(self.value(state, thread, *a), from) as u128
            }
            Rvalue::Unary(op, a) => unary(*op, self.value(state, thread, *a), bits),
            Rvalue::Binary(op, a, b) => {
                let bits = self.bits(function, *a);
                let (a, b) = (self.value(state, thread, *a), self.value(state, thread, *b));
                binary(*op, a, b, bits)
            }
            Rvalue::Select { cond, then, other } => {
                let chosen = if self.value(state, thread, *cond) != 0 {
                    *then
                } else {
                    *other
                };
                self.value(state, thread, chosen)
            }
            Rvalue::Offset { base, offset_bytes } => {
                let width = self.bits(function, *offset_bytes);
                let base = self.value(state, thread, *base);
                let offset = signed(self.value(state, thread, *offset_bytes), width);
                let result = (base as i128).wrapping_add(offset);
                // A result outside of the address space has other upper bits, too.
                let stays =
                    result >> self.space.offset_bits == (base as i128) >> self.space.offset_bits;
                if !stays && self.is_in_a_slot(base) {
                    return Err(Undefined::PointerRange);
                }
                result as u128 & mask(bits)
            }
            Rvalue::Float {
                op,
                format,
                operands,
            } => {
                let words: Vec<u128> = operands
                    .iter()
                    .map(|operand| self.value(state, thread, *operand))
                    .collect();
                native::apply(*op, *format, &words)
            }
        })
    }
}
