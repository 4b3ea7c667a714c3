//! Floating-point numbers: arithmetic, conversions, constants (C11 6.3.1.4, 6.3.1.5, Annex F).
//!
//! `float` and `double` are computed. Objects of the wider formats can be declared and copied; there is no
//! arithmetic on them, and the only values of theirs that convert are constant zeros.

use super::body::{Body, constant};
use super::convert::Typed;
use super::ctype::{CType, FloatKind, IntKind, Kind};
use super::operator::Op;
use super::{Lowerer, Res, fold};
use crate::base::float::native;
use crate::ir::{BinOp, FloatFormat, FloatOp, Operand, Rvalue, Undefined};

impl FloatKind {
    /// The format that it is computed in; `None` for `long double` and `_Float128`.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            FloatKind::Float => Some(FloatFormat::Single),
            FloatKind::Double => Some(FloatFormat::Double),
            FloatKind::LongDouble | FloatKind::Quad => None,
        }
    }
}

impl Body {
    /// The result of an operation, folded if all operands are constant.
    pub fn float(&mut self, op: FloatOp, format: FloatFormat, operands: &[Operand]) -> Operand {
        let words = operands.iter().map(|operand| match operand {
            Operand::Const { value, .. } => Some(*value),
            _ => None,
        });
        let bits = op.result_bits(format);
        if let Some(words) = words.collect::<Option<Vec<u128>>>() {
            return constant(native::apply(op, format, &words), bits);
        }
        let operands = operands.to_vec();
        self.assign(
            bits,
            Rvalue::Float {
                op,
                format,
                operands,
            },
        )
    }
}

impl Lowerer {
    /// Truth of a number: true if it differs from zero; NaNs do.
    pub(super) fn float_truth(&mut self, kind: FloatKind, operand: Operand) -> Res<Operand> {
        if let Some(format) = kind.format() {
            let zero = constant(0, format.bits());
            let equal = self.body.float(FloatOp::Equal, format, &[operand, zero]);
            return Ok(self.not(equal));
        }
        if let Some(number) = wide_value(operand) {
            return Ok(constant(u128::from(number != 0.0), 1));
        }
        let unknown = self.unsupported(&no_arithmetic(kind), &CType::int(IntKind::Int));
        self.truth(unknown)
    }

    /// Converts between two scalar types of which one is floating; the target is not `_Bool`.
    pub(super) fn convert_float(
        &mut self,
        operand: Operand,
        from: &CType,
        to: &CType,
    ) -> Res<Operand> {
        let from_bits = self.bits(from);
        match (&from.kind, &to.kind) {
            (Kind::Float(a), Kind::Float(b)) if a == b => Ok(operand),
            (Kind::Float(a), Kind::Float(b)) => match (a.format(), b.format()) {
                (Some(format), Some(target)) => {
                    Ok(self
                        .body
                        .float(FloatOp::Convert(target), format, &[operand]))
                }
                _ => self.convert_wide(operand, *a, *b, to),
            },
            (Kind::Float(kind), Kind::Int(_)) => self.float_to_integer(operand, *kind, to),
            (_, Kind::Float(kind)) if from.is_integer() => {
                let signed = from.is_signed();
                if let Some(format) = kind.format() {
                    let bits = from_bits;
                    let op = FloatOp::FromInteger { bits, signed };
                    return Ok(self.body.float(op, format, &[operand]));
                }
                if let Operand::Const { value, .. } = operand {
                    let value = if signed {
                        fold::sign_extend(value, from_bits)
                    } else {
                        value
                    } as i128;
                    let number = value as f64;
                    // Wider formats hold it as well if this one does.
                    if number as i128 == value {
                        return Ok(constant(wide_bits(*kind, number), self.bits(to)));
                    }
                }
                let value = self.unsupported(&no_arithmetic(*kind), to);
                self.operand(value)
            }
            _ => self.fail("a pointer and a floating-point number do not convert to each other"),
        }
    }

    /// Between formats of which one is wider than what is computed.
    fn convert_wide(
        &mut self,
        operand: Operand,
        from: FloatKind,
        target: FloatKind,
        to: &CType,
    ) -> Res<Operand> {
        let number = match (from.format(), operand) {
            (Some(format), Operand::Const { value, .. }) => {
                let word = native::apply(FloatOp::Convert(FloatFormat::Double), format, &[value]);
                Some(f64::from_bits(word as u64))
            }
            (None, _) => wide_value(operand),
            _ => None,
        };
        let wide = if from.format().is_none() {
            from
        } else {
            target
        };
        match number {
            // Zero in every format.
            Some(_) if target.format().is_some() => Ok(constant(0, self.bits(to))),
            Some(number) => Ok(constant(wide_bits(target, number), self.bits(to))),
            None => {
                let value = self.unsupported(&no_arithmetic(wide), to);
                self.operand(value)
            }
        }
    }

    /// Cuts off the fraction; undefined if what is left does not fit (C11 6.3.1.4).
    fn float_to_integer(&mut self, operand: Operand, kind: FloatKind, to: &CType) -> Res<Operand> {
        let (bits, signed) = (self.bits(to), to.is_signed());
        let Some(format) = kind.format() else {
            if wide_value(operand).is_some() {
                return Ok(constant(0, bits));
            }
            let value = self.unsupported(&no_arithmetic(kind), to);
            return self.operand(value);
        };
        let fits = self.fits_integer(operand, format, bits, signed);
        self.body.defined(fits, Undefined::FloatRange);
        let op = FloatOp::ToInteger { bits, signed };
        Ok(self.body.float(op, format, &[operand]))
    }

    /// Range check of a conversion: true if the integral part of a number is an integer of `bits` bits.
    fn fits_integer(
        &mut self,
        operand: Operand,
        format: FloatFormat,
        bits: u16,
        signed: bool,
    ) -> Operand {
        // The numbers next to the range are those above, if the format knows them.
        let (least, above) = if signed {
            let least = format.power_of_two(bits - 1) | format.sign();
            (
                least,
                (bits <= format.precision()).then(|| -(1i128 << (bits - 1)) - 1),
            )
        } else {
            (0, Some(-1))
        };
        let lower = match above {
            Some(number) => {
                let op = FloatOp::FromInteger {
                    bits: 128,
                    signed: true,
                };
                let bound = constant(native::apply(op, format, &[number as u128]), format.bits());
                self.body.float(FloatOp::Less, format, &[bound, operand])
            }
            None => {
                let bound = constant(least, format.bits());
                self.body
                    .float(FloatOp::LessEqual, format, &[bound, operand])
            }
        };
        let end = format.power_of_two(bits - u16::from(signed));
        let end = constant(end, format.bits());
        let upper = self.body.float(FloatOp::Less, format, &[operand, end]);
        self.body.binary(BinOp::And, lower, upper, 1)
    }

    /// `-x`: nothing but the sign changes.
    pub(super) fn float_negation(&mut self, kind: FloatKind, ty: &CType, x: Operand) -> Res<Typed> {
        if let Some(format) = kind.format() {
            let sign = constant(format.sign(), format.bits());
            let result = self.body.binary(BinOp::Xor, x, sign, format.bits());
            return Ok(Typed::scalar(ty.clone(), result));
        }
        match wide_value(x) {
            Some(number) => {
                let word = constant(wide_bits(kind, -number), self.bits(ty));
                Ok(Typed::scalar(ty.clone(), word))
            }
            None => Ok(self.unsupported(&no_arithmetic(kind), ty)),
        }
    }

    /// `x op y` on two numbers of one type.
    pub(super) fn float_arithmetic(
        &mut self,
        op: Op,
        ty: &CType,
        x: Operand,
        y: Operand,
    ) -> Res<Typed> {
        let Kind::Float(kind) = ty.kind else {
            return self.fail("not a floating type");
        };
        // The operation, whether its operands change places, and whether its result is negated.
        let (operation, swapped, negated) = match op {
            Op::Add => (FloatOp::Add, false, false),
            Op::Sub => (FloatOp::Sub, false, false),
            Op::Mul => (FloatOp::Mul, false, false),
            Op::Div => (FloatOp::Div, false, false),
            Op::Eq => (FloatOp::Equal, false, false),
            Op::Ne => (FloatOp::Equal, false, true),
            Op::Lt => (FloatOp::Less, false, false),
            Op::Gt => (FloatOp::Less, true, false),
            Op::Le => (FloatOp::LessEqual, false, false),
            Op::Ge => (FloatOp::LessEqual, true, false),
            _ => return self.fail("this operator needs integers"),
        };
        let comparison = matches!(
            operation,
            FloatOp::Equal | FloatOp::Less | FloatOp::LessEqual
        );
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        let Some(format) = kind.format() else {
            let result = if comparison {
                CType::int(IntKind::Int)
            } else {
                ty.clone()
            };
            return Ok(self.unsupported(&no_arithmetic(kind), &result));
        };
        let result = self.body.float(operation, format, &[x, y]);
        if !comparison {
            return Ok(Typed::scalar(ty.clone(), result));
        }
        Ok(Typed::truth(if negated {
            self.not(result)
        } else {
            result
        }))
    }

    /// A constant of a floating type.
    pub(super) fn float_constant(&mut self, kind: FloatKind, number: f64) -> Typed {
        let ty = CType::new(Kind::Float(kind));
        let word = match kind {
            FloatKind::Float => u128::from((number as f32).to_bits()),
            FloatKind::Double => u128::from(number.to_bits()),
            FloatKind::LongDouble | FloatKind::Quad => wide_bits(kind, number),
        };
        let bits = self.bits(&ty);
        Typed::scalar(ty, constant(word, bits))
    }
}

/// Message for an operation on numbers of a wider format, which is not computed.
pub(super) fn no_arithmetic(kind: FloatKind) -> String {
    let name = match kind {
        FloatKind::Quad => "_Float128",
        _ => "long double",
    };
    format!("floating-point arithmetic of type `{name}`")
}

/// The number that a constant of a wider format stands for, if it is zero.
fn wide_value(operand: Operand) -> Option<f64> {
    matches!(operand, Operand::Const { value: 0, .. }).then_some(0.0)
}

/// The representation of a number in a format with 15 exponent bits; the x87 format has an explicit leading 1 and 63
/// fraction bits, quad 112 fraction bits.
pub(super) fn wide_bits(kind: FloatKind, number: f64) -> u128 {
    let bits = number.to_bits();
    let sign = u128::from(bits >> 63);
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    if exponent == 0 && fraction == 0 {
        return match kind {
            FloatKind::Quad => sign << 127,
            _ => sign << 79,
        };
    }
    let (exponent, fraction) = match exponent {
        0x7ff => (0x7fff, fraction),
        0 => {
            // Subnormal numbers become normal ones in the wider format.
            let shift = fraction.leading_zeros() - (128 - 53);
            (
                u128::from(16383 - 1022 - shift),
                (fraction << shift) & ((1 << 52) - 1),
            )
        }
        e => (u128::from(e) + 16383 - 1023, fraction),
    };
    match kind {
        FloatKind::Quad => (sign << 127) | (exponent << 112) | (fraction << 60),
        _ => (sign << 79) | (exponent << 64) | (1 << 63) | (fraction << 11),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_formats_hold_simple_numbers() {
        let long = |number| wide_bits(FloatKind::LongDouble, number);
        assert_eq!(long(1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(long(-2.0), 0xc000_8000_0000_0000_0000);
        assert_eq!(wide_bits(FloatKind::Quad, 1.0), 0x3fff << 112);
    }
}
