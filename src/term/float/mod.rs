//! Floating-point operations as functions from words to words, written on top of the other operators: constants
//! fold by themselves, and nothing below knows of numbers.
//!
//! Special values (NaN, infinity, zero) are found out once, when the operands are unpacked, and put in place at the end
//! ([`finish`](round::finish)). In between, numbers are a sign, an exponent and a significand. Every operation keeps just so many bits
//! below the precision that the first one decides and one more tells whether anything is left ("sticky"), and all of
//! them round in one place ([`round`]).

mod add;
mod compare;
mod convert;
mod divide;
mod integral;
mod multiply;
mod remainder;
mod round;
mod unpack;

use super::{TermId, Terms};
use crate::base::float::{Format, Operation};

impl Terms {
    /// The result of an operation on [`Operation::arity`] words of [`Operation::operand_bits`] bits.
    ///
    /// # Panics
    /// If there are other operands.
    pub fn float(&mut self, op: Operation, format: Format, operands: &[TermId]) -> TermId {
        assert_eq!(operands.len(), op.arity(), "operands of {op:?}");
        for operand in operands {
            assert_eq!(self.bits(*operand), op.operand_bits(format), "{op:?}");
        }
        let a = operands[0];
        let second = operands.get(1).copied();
        match (op, second) {
            (Operation::SquareRoot, _) => divide::square_root(self, format, a),
            (Operation::Integral(rounding), _) => integral::integral(self, format, rounding, a),
            (Operation::Convert(to), _) => convert::format(self, format, to, a),
            (Operation::FromInteger { signed, .. }, _) => {
                convert::from_integer(self, format, a, signed)
            }
            (Operation::ToInteger { bits, .. }, _) => convert::to_integer(self, format, a, bits),
            (Operation::MultiplyAdd, Some(b)) => {
                multiply::multiply_add(self, format, a, b, operands[2])
            }
            (Operation::Add, Some(b)) => add::add(self, format, a, b),
            (Operation::Sub, Some(b)) => {
                let sign = self.constant(format.sign(), format.bits());
                let b = self.xor(b, sign);
                add::add(self, format, a, b)
            }
            (Operation::Mul, Some(b)) => multiply::multiply(self, format, a, b),
            (Operation::Div, Some(b)) => divide::divide(self, format, a, b),
            (Operation::Remainder, Some(b)) => remainder::remainder(self, format, a, b),
            (Operation::Equal, Some(b)) => compare::equal(self, format, a, b),
            (Operation::Less, Some(b)) => compare::less(self, format, a, b),
            (Operation::LessEqual, Some(b)) => compare::less_equal(self, format, a, b),
            (_, None) => unreachable!("the operands were counted"),
        }
    }
}
