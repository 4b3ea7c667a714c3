//! Results of floating-point operations, computed by the machine: the reference for everything else.

use super::{Format, Operation, Rounding};

/// A machine's floating-point type.
trait Number: Copy + PartialEq + PartialOrd {
    fn read(word: u128) -> Self;
    fn word(self) -> u128;
    fn apply(op: Operation, operands: [Self; 3]) -> Self;
    fn as_f64(self) -> f64;
    /// An integer, rounded; `magnitude` with the sign `negative`.
    fn of_integer(magnitude: u128, negative: bool) -> Self;
}

macro_rules! number {
    ($float:ty, $bits:ty) => {
        impl Number for $float {
            fn read(word: u128) -> Self {
                <$float>::from_bits(word as $bits)
            }

            fn word(self) -> u128 {
                u128::from(self.to_bits())
            }

            fn apply(op: Operation, [a, b, c]: [Self; 3]) -> Self {
                match op {
                    Operation::Add => a + b,
                    Operation::Sub => a - b,
                    Operation::Mul => a * b,
                    Operation::Div => a / b,
                    Operation::SquareRoot => a.sqrt(),
                    Operation::MultiplyAdd => a.mul_add(b, c),
                    Operation::Remainder => a % b,
                    Operation::Integral(Rounding::NearestEven) => a.round_ties_even(),
                    Operation::Integral(Rounding::NearestAway) => a.round(),
                    Operation::Integral(Rounding::Zero) => a.trunc(),
                    Operation::Integral(Rounding::Up) => a.ceil(),
                    Operation::Integral(Rounding::Down) => a.floor(),
                    _ => unreachable!("`{op:?}` has a result of another type"),
                }
            }

            fn as_f64(self) -> f64 {
                f64::from(self)
            }

            fn of_integer(magnitude: u128, negative: bool) -> Self {
                let number = magnitude as $float;
                if negative { -number } else { number }
            }
        }
    };
}

number!(f32, u32);
number!(f64, u64);

/// The result of an operation on [`Operation::arity`] words; missing ones count as 0.
pub fn apply(op: Operation, format: Format, operands: &[u128]) -> u128 {
    match format {
        Format::Single => on::<f32>(op, format, operands),
        Format::Double => on::<f64>(op, format, operands),
    }
}

fn on<N: Number>(op: Operation, format: Format, operands: &[u128]) -> u128 {
    let word = |i: usize| operands.get(i).copied().unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|i| N::read(word(i)));
    match op {
        Operation::Equal => u128::from(a == b),
        Operation::Less => u128::from(a < b),
        Operation::LessEqual => u128::from(a <= b),
        Operation::Convert(Format::Double) => {
            canonical(Format::Double, a.as_f64().to_bits().into())
        }
        Operation::Convert(Format::Single) => {
            canonical(Format::Single, (a.as_f64() as f32).to_bits().into())
        }
        Operation::FromInteger { bits, signed } => {
            let unused = 128 - u32::from(bits);
            let value = ((word(0) << unused) as i128) >> unused;
            if signed && value < 0 {
                N::of_integer(value.unsigned_abs(), true).word()
            } else {
                N::of_integer(word(0), false).word()
            }
        }
        Operation::ToInteger { bits, signed } => to_integer(a.as_f64(), bits, signed),
        _ => canonical(format, N::apply(op, [a, b, c]).word()),
    }
}

/// The one NaN for all.
fn canonical(format: Format, word: u128) -> u128 {
    if format.is_nan(word) {
        format.nan()
    } else {
        word
    }
}

/// The integer without the fraction, or 0 if it does not fit.
fn to_integer(number: f64, bits: u16, signed: bool) -> u128 {
    let whole = number.trunc();
    let power = |exponent: u16| 2f64.powi(i32::from(exponent));
    let (least, end) = if signed {
        (-power(bits - 1), power(bits - 1))
    } else {
        (0.0, power(bits))
    };
    if !(whole >= least && whole < end) {
        return 0;
    }
    let word = if signed {
        whole as i128 as u128
    } else {
        whole as u128
    };
    word & (u128::MAX >> (128 - u32::from(bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(number: f64) -> u128 {
        number.to_bits().into()
    }

    #[test]
    fn nans_are_one() {
        let payload = double(f64::NAN) | 1 << 63 | 5;
        for op in [
            Operation::Add,
            Operation::Mul,
            Operation::Integral(Rounding::Up),
        ] {
            let result = apply(op, Format::Double, &[payload, double(1.0)]);
            assert_eq!(result, Format::Double.nan(), "{op:?}");
        }
        let narrowed = apply(
            Operation::Convert(Format::Single),
            Format::Double,
            &[payload],
        );
        assert_eq!(narrowed, Format::Single.nan());
        let invalid = apply(Operation::Sub, Format::Double, &[double(f64::INFINITY); 2]);
        assert_eq!(invalid, Format::Double.nan());
    }

    #[test]
    fn integers() {
        let to = |number: f64, bits, signed| {
            apply(
                Operation::ToInteger { bits, signed },
                Format::Double,
                &[double(number)],
            )
        };
        assert_eq!(to(-1.9, 32, true), 0xffff_ffff);
        assert_eq!(to(-0.9, 32, false), 0);
        assert_eq!(to(-1.0, 32, false), 0);
        assert_eq!(to(2147483647.9, 32, true), 0x7fff_ffff);
        assert_eq!(to(2147483648.0, 32, true), 0);
        assert_eq!(to(-2147483648.9, 32, true), 0x8000_0000);
        assert_eq!(to(f64::NAN, 32, true), 0);
        assert_eq!(to(1e30, 128, false), 1e30 as u128);
        let from = |word, bits, signed| {
            apply(
                Operation::FromInteger { bits, signed },
                Format::Double,
                &[word],
            )
        };
        assert_eq!(from(0xff, 8, true), double(-1.0));
        assert_eq!(from(0xff, 8, false), double(255.0));
        assert_eq!(from(1 << 127, 128, true), double(-2f64.powi(127)));
        assert_eq!(from(0, 64, true), 0);
    }
}
