//! GCC's operations that say whether their result fits: computed as if exactly, stored cut.

use super::body::constant;
use super::call::Args;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res};
use crate::ir::faults::{self, Fault};
use crate::ir::{BinOp, Operand, UnOp};

/// Half of the widest word.
const HALF: u16 = 64;
/// The widest word.
const WORD: u16 = 128;

impl Lowerer {
    /// `__builtin_*_overflow(a, b, &r)`: true if the result did not fit. Operands have a type of their own if the
    /// name says so; `__builtin_*_overflow_p` has a third operand that only gives the type of the result.
    pub(super) fn checked_operation(&mut self, name: &str, args: Args) -> Res<Typed> {
        let (op, kind, stored) = checked(name).unwrap_or((BinOp::Add, None, true));
        let [a, b, target] = args else {
            return self.fail("this builtin needs 3 arguments");
        };
        let mut a = self.expr(a)?;
        let mut b = self.expr(b)?;
        if let Some(kind) = kind {
            a = self.convert(a, &CType::int(kind))?;
            b = self.convert(b, &CType::int(kind))?;
        }
        let pointer = self.expr(target)?;
        let to = if stored {
            pointer.ty.pointee().cloned()
        } else {
            Some(pointer.ty.clone())
        };
        let Some(ty) = to else {
            return self.fail("a pointer is expected here");
        };
        if !(a.ty.is_integer() && b.ty.is_integer() && ty.is_integer()) {
            return self.fail("this builtin needs integers");
        }
        let most = self.bits(&a.ty).max(self.bits(&b.ty)).max(self.bits(&ty));
        let (cut, overflow) = if most > HALF {
            self.checked_wide(op, a, b, &ty)?
        } else {
            // Wide enough for every exact result: twice the width, and a sign. (Products of unsigned words of
            // 64 bits have none, and no word of 64 bits looks like the largest of them.)
            let wide = (2 * most + 2).min(WORD);
            let (x, y) = (self.widened(a, wide)?, self.widened(b, wide)?);
            let exact = self.body.binary(op, x, y, wide);
            let (cut, back) = self.cut_to(exact, wide, &ty);
            (cut, self.body.binary(BinOp::Ne, back, exact, wide))
        };
        if stored {
            let addr = self.operand(pointer)?;
            let place = LValue {
                ty: ty.clone(),
                place: Place::Memory(addr),
            };
            self.store(&place, Typed::scalar(ty.unqualified(), cut))?;
        }
        Ok(Typed {
            ty: CType::new(Kind::Bool),
            value: Value::Cond(overflow),
        })
    }

    /// With operands or results of 128 bits, whose exact results no word holds: the result cut to the type, and
    /// whether it does not fit.
    fn checked_wide(
        &mut self,
        op: BinOp,
        a: Typed,
        b: Typed,
        ty: &CType,
    ) -> Res<(Operand, Operand)> {
        let (a_signed, b_signed) = (a.ty.is_signed(), b.ty.is_signed());
        let (x, y) = (self.widened(a, WORD)?, self.widened(b, WORD)?);
        let (x_negative, y_negative) = (self.negative(x, a_signed), self.negative(y, b_signed));
        let low = self.body.binary(op, x, y, WORD);
        let (cut, back) = self.cut_to(low, WORD, ty);
        let differs = self.body.binary(BinOp::Ne, back, low, WORD);
        let lost = match op {
            BinOp::Mul => self.product_beyond(x, y, x_negative, y_negative, low, ty),
            _ => {
                // The exact result is `low` and `high` times 2^128, where `high` is small.
                let carry = match op {
                    _ if faults::on(Fault::CarryLost) => constant(0, 1),
                    BinOp::Add => self.body.binary(BinOp::ULt, low, x, WORD),
                    _ => self.body.binary(BinOp::ULt, x, y, WORD),
                };
                let narrow = 8;
                let [carry, x_sign, y_sign] = [carry, x_negative, y_negative]
                    .map(|bit| self.body.resize(bit, 1, narrow, false));
                let high = match op {
                    BinOp::Add => {
                        let signs = self.body.binary(BinOp::Add, x_sign, y_sign, narrow);
                        self.body.binary(BinOp::Sub, carry, signs, narrow)
                    }
                    _ => {
                        let signs = self.body.binary(BinOp::Sub, y_sign, x_sign, narrow);
                        self.body.binary(BinOp::Sub, signs, carry, narrow)
                    }
                };
                // What is kept has the sign of its last bit, or none.
                let sign = self.negative(low, ty.is_signed());
                let wanted = self.body.resize(sign, 1, narrow, true);
                self.body.binary(BinOp::Ne, high, wanted, narrow)
            }
        };
        let overflow = self.body.binary(BinOp::Or, differs, lost, 1);
        Ok((cut, overflow))
    }

    /// Overflow of an exact product: true if no word of the type has its value; `low` are its last 128 bits.
    fn product_beyond(
        &mut self,
        x: Operand,
        y: Operand,
        x_negative: Operand,
        y_negative: Operand,
        low: Operand,
        ty: &CType,
    ) -> Operand {
        let zero = constant(0, WORD);
        let [x, y] = [(x, x_negative), (y, y_negative)].map(|(word, negative)| {
            let opposite = self.body.unary(UnOp::Neg, word, WORD);
            self.body.select(negative, opposite, word, WORD)
        });
        // The magnitude in halves: of the two mixed products, one is zero where the product of the upper halves is.
        let shift = constant(u128::from(HALF), WORD);
        let mut halves = |word| {
            let high = self.body.binary(BinOp::LShr, word, shift, WORD);
            let mask = constant(u128::from(u64::MAX), WORD);
            (high, self.body.binary(BinOp::And, word, mask, WORD))
        };
        let ((x_high, x_low), (y_high, y_low)) = (halves(x), halves(y));
        let body = &mut self.body;
        let x_large = body.binary(BinOp::Ne, x_high, zero, WORD);
        let y_large = body.binary(BinOp::Ne, y_high, zero, WORD);
        let both_large = body.binary(BinOp::And, x_large, y_large, 1);
        let (a, b) = (
            body.binary(BinOp::Mul, x_high, y_low, WORD),
            body.binary(BinOp::Mul, x_low, y_high, WORD),
        );
        let lowest = body.binary(BinOp::Mul, x_low, y_low, WORD);
        let carried = body.binary(BinOp::LShr, lowest, shift, WORD);
        let mixed = body.binary(BinOp::Add, a, b, WORD);
        // Two products of halves are less than 2^128 - 2^64, so that this sum is exact where only one is not zero.
        let middle = body.binary(BinOp::Add, mixed, carried, WORD);
        let above = body.binary(BinOp::LShr, middle, shift, WORD);
        let above = body.binary(BinOp::Ne, above, zero, WORD);
        let too_large = body.binary(BinOp::Or, both_large, above, 1);
        // The magnitude has 128 bits; the sign of the product must be that of the word.
        let opposite = body.binary(BinOp::Xor, x_negative, y_negative, 1);
        let some = body.binary(BinOp::Ne, low, zero, WORD);
        let negative = body.binary(BinOp::And, opposite, some, 1);
        let sign = self.negative(low, ty.is_signed());
        let other_sign = self.body.binary(BinOp::Ne, negative, sign, 1);
        self.body.binary(BinOp::Or, too_large, other_sign, 1)
    }

    /// Sign of a word of 128 bits: true if it is negative.
    fn negative(&mut self, word: Operand, signed: bool) -> Operand {
        if signed {
            self.body.binary(BinOp::SLt, word, constant(0, WORD), WORD)
        } else {
            constant(0, 1)
        }
    }

    /// A word cut to an integer type, and that as wide as before.
    fn cut_to(&mut self, word: Operand, wide: u16, ty: &CType) -> (Operand, Operand) {
        let bits = self.bits(ty);
        let cut = self.body.resize(word, wide, bits, false);
        (cut, self.body.resize(cut, bits, wide, ty.is_signed()))
    }

    fn widened(&mut self, value: Typed, wide: u16) -> Res<Operand> {
        let (bits, signed) = (self.bits(&value.ty), value.ty.is_signed());
        let operand = self.operand(value)?;
        Ok(self.body.resize(operand, bits, wide, signed))
    }
}

/// Checked operations by name: the operation, the type of its operands (`None`: any), and whether it stores the result.
pub(super) fn checked(name: &str) -> Option<(BinOp, Option<IntKind>, bool)> {
    let (base, stored) = match name.strip_suffix("_overflow_p") {
        Some(base) => (base, false),
        None => (name.strip_suffix("_overflow")?, true),
    };
    let operation = |base: &str| match base {
        "add" => Some(BinOp::Add),
        "sub" => Some(BinOp::Sub),
        "mul" => Some(BinOp::Mul),
        _ => None,
    };
    if let Some(op) = operation(base) {
        return Some((op, None, stored));
    }
    let (sign, rest) = base.split_at_checked(1)?;
    let (rest, kind) = match rest.get(3..)? {
        "" => (rest, IntKind::Int),
        "l" => (&rest[..3], IntKind::Long),
        "ll" => (&rest[..3], IntKind::LongLong),
        _ => return None,
    };
    let kind = match sign {
        "s" => kind,
        "u" => kind.unsigned(),
        _ => return None,
    };
    Some((operation(rest)?, Some(kind), stored))
}
