//! Operands on which operations go wrong: special values, neighbours of powers of two, numbers whose results lie
//! halfway, close and distant exponents; and any bits.

use crate::random::Random;
use selvedge::base::float::{Format, Operation};

/// An endless sequence of operands of an operation.
pub struct Operands {
    operation: Operation,
    format: Format,
    random: Random,
}

impl Operands {
    /// The sequence of a seed.
    pub fn new(operation: Operation, format: Format, seed: u64) -> Operands {
        Operands {
            operation,
            format,
            random: Random::new(seed),
        }
    }

    /// Three words, of which an operation takes as many as it needs.
    pub fn next(&mut self) -> [u128; 3] {
        if let Operation::FromInteger { bits, .. } = self.operation {
            return [self.integer(bits), 0, 0];
        }
        let a = self.number();
        let b = self.partner(a);
        let c = match self.operation {
            Operation::MultiplyAdd => self.summand(a, b),
            _ => 0,
        };
        if self.random.chance(50) {
            [a, b, c]
        } else {
            [b, a, c]
        }
    }

    fn random_word(&mut self) -> u128 {
        u128::from(self.random.bits()) << 64 | u128::from(self.random.bits())
    }

    /// A few ones, long runs, everything but a few: words that make carries and ties.
    fn pattern(&mut self, bits: u16) -> u128 {
        let mask = u128::MAX >> (128 - bits);
        let place = |random: &mut Random| random.below(usize::from(bits)) as u32;
        let word = match self.random.below(7) {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << place(&mut self.random),
            3 => u128::MAX << place(&mut self.random),
            4 => (1 << place(&mut self.random)) - 1,
            5 => self.random_word() << place(&mut self.random),
            _ => self.random_word(),
        };
        let nudge = self.random.between(-2, 2) as i128;
        let word = if self.random.chance(40) {
            word.wrapping_add(nudge as u128)
        } else {
            word
        };
        word & mask
    }

    fn sign(&mut self) -> u128 {
        if self.random.chance(50) {
            self.format.sign()
        } else {
            0
        }
    }

    fn integer(&mut self, bits: u16) -> u128 {
        let mask = u128::MAX >> (128 - bits);
        // Integers of any length, and those around which the formats lose bits.
        let length = 1 + self.random.below(usize::from(bits)) as u16;
        let word = match self.random.below(4) {
            0 => {
                let place = *self
                    .random
                    .pick(&[7u32, 15, 23, 24, 31, 52, 53, 63, 64, 127]);
                let nudge = self.random.between(-3, 3) as i128 as u128;
                (1u128 << place).wrapping_add(nudge)
            }
            _ => self.pattern(length),
        };
        if self.random.chance(30) {
            word.wrapping_neg() & mask
        } else {
            word & mask
        }
    }

    /// Any number, or none.
    fn number(&mut self) -> u128 {
        let format = self.format;
        let sign = self.sign();
        let magnitude = match self.random.below(12) {
            0 => self.random_word() & (format.sign() - 1),
            1 => {
                let least_normal = 1 << format.fraction_bits();
                let infinity = format.infinity();
                *self.random.pick(&[
                    0,
                    1,
                    2,
                    least_normal - 1,
                    least_normal,
                    least_normal + 1,
                    format.one() - 1,
                    format.one(),
                    format.one() + 1,
                    infinity - 1,
                    infinity,
                    infinity + 1,
                    format.nan(),
                    format.nan() + 1,
                ])
            }
            // Subnormal numbers.
            2 => self.pattern(format.fraction_bits()),
            // What integers are.
            3 | 4 => {
                let bits = if self.random.chance(50) { 32 } else { 64 };
                let integer = self.integer(bits);
                self.of_integer(integer)
            }
            // Around what integer types hold.
            5 => {
                let places = [
                    7u16, 8, 15, 16, 23, 24, 25, 31, 32, 52, 53, 54, 62, 63, 64, 127,
                ];
                let power = format.power_of_two(*self.random.pick(&places));
                let nudge = self.random.between(-2, 2) as i128 as u128;
                power.wrapping_add(nudge)
            }
            // Numbers with a fraction, and halves.
            6 | 7 => {
                let exponent = self.random.between(-3, i64::from(format.precision()) + 2);
                self.scaled(exponent)
            }
            // Near the ends of the range.
            8 => {
                let end = i64::from(format.bias());
                let exponent = if self.random.chance(50) {
                    end - self.random.between(0, 60)
                } else {
                    1 - end + self.random.between(-60, 60)
                };
                self.scaled(exponent)
            }
            _ => {
                let range = i64::from(format.bias());
                let exponent = self.random.between(-range, range);
                self.scaled(exponent)
            }
        };
        sign | magnitude & (format.sign() - 1)
    }

    /// A number with this exponent, as far as there is one.
    fn scaled(&mut self, exponent: i64) -> u128 {
        let format = self.format;
        let field = exponent + i64::from(format.bias());
        let field = field.clamp(0, i64::from(format.special_exponent())) as u128;
        let fraction = self.pattern(format.fraction_bits());
        field << format.fraction_bits() | fraction
    }

    fn of_integer(&self, integer: u128) -> u128 {
        match self.format {
            Format::Single => (integer as f32).to_bits().into(),
            Format::Double => (integer as f64).to_bits().into(),
        }
    }

    fn exponent(&self, word: u128) -> i64 {
        let format = self.format;
        let field = word >> format.fraction_bits() & u128::from(format.special_exponent());
        field as i64 - i64::from(format.bias())
    }

    /// A second operand: unrelated, near the first, its opposite, or near its exponent.
    fn partner(&mut self, a: u128) -> u128 {
        let format = self.format;
        let mask = (format.sign() << 1) - 1;
        match self.random.below(10) {
            0 => {
                let nudge = self.random.between(-2, 2) as i128 as u128;
                a.wrapping_add(nudge) & mask
            }
            1 => a ^ format.sign(),
            2..=4 => {
                let span = i64::from(format.precision()) + 4;
                let exponent = self.exponent(a) + self.random.between(-span, span);
                self.scaled(exponent) | self.sign()
            }
            5 => {
                let exponent = self.exponent(a) + self.random.between(-2, 2);
                self.scaled(exponent) | self.sign()
            }
            // Products and quotients near the ends of the range.
            6 => {
                let end = i64::from(format.bias()) + self.random.between(-60, 60);
                let target = if self.random.chance(50) { end } else { -end };
                let exponent = match self.operation {
                    Operation::Div => self.exponent(a) - target,
                    _ => target - self.exponent(a),
                };
                self.scaled(exponent)
            }
            _ => self.number(),
        }
    }

    /// A third operand that nearly cancels the product, or is near its last place.
    fn summand(&mut self, a: u128, b: u128) -> u128 {
        let product = self.exponent(a) + self.exponent(b);
        let span = 2 * i64::from(self.format.precision()) + 5;
        match self.random.below(5) {
            0 => self.number(),
            1 => {
                use selvedge::base::float::native::apply;
                let rounded = apply(Operation::Mul, self.format, &[a, b]) ^ self.format.sign();
                let nudge = self.random.between(-2, 2) as i128 as u128;
                rounded.wrapping_add(nudge) & ((self.format.sign() << 1) - 1)
            }
            _ => {
                let exponent = product + self.random.between(-span, span);
                self.scaled(exponent) | self.sign()
            }
        }
    }
}
