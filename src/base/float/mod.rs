//! Floating-point formats and operations (IEEE 754-2008), which several stages speak of.
//!
//! A number is its bit pattern in the low bits of a word. Rounding is to nearest, ties to even, and nobody sees
//! the exception flags. One rule makes results unique where the standard leaves them open: **an operation whose
//! result is not a number gives the quiet NaN with sign 0 and payload 0** ([`Format::nan`]), whatever NaN went in.
//! (Changes of the sign alone are no operations of this kind: they keep all other bits.)

pub mod native;
pub mod text;

/// A binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// binary32, the `float` of C.
    Single,
    /// binary64, the `double` of C.
    Double,
}

impl Format {
    /// Both formats.
    #[cfg(feature = "internals")]
    pub const ALL: [Format; 2] = [Format::Single, Format::Double];

    /// Width of a number: 32 or 64.
    pub fn bits(self) -> u16 {
        match self {
            Format::Single => 32,
            Format::Double => 64,
        }
    }

    /// Width of the exponent field: 8 or 11.
    pub fn exponent_bits(self) -> u16 {
        match self {
            Format::Single => 8,
            Format::Double => 11,
        }
    }

    /// Bits of a significand with its leading one: 24 or 53.
    pub fn precision(self) -> u16 {
        self.bits() - self.exponent_bits()
    }

    /// Width of the fraction field: 23 or 52.
    pub fn fraction_bits(self) -> u16 {
        self.precision() - 1
    }

    /// Exponent bias, which is the exponent field of 1.0: 127 or 1023.
    pub fn bias(self) -> u32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The exponent field of infinities and NaNs: 255 or 2047.
    pub fn special_exponent(self) -> u32 {
        (1 << self.exponent_bits()) - 1
    }

    /// The pattern that has only the sign.
    pub fn sign(self) -> u128 {
        1 << (self.bits() - 1)
    }

    /// Positive infinity.
    pub fn infinity(self) -> u128 {
        u128::from(self.special_exponent()) << self.fraction_bits()
    }

    /// The NaN that operations give.
    pub fn nan(self) -> u128 {
        self.infinity() | 1 << (self.fraction_bits() - 1)
    }

    /// The number one.
    pub fn one(self) -> u128 {
        u128::from(self.bias()) << self.fraction_bits()
    }

    /// The power of two with this exponent, which is that of a normal number; infinity above them.
    pub fn power_of_two(self, exponent: u16) -> u128 {
        let field = (self.bias() + u32::from(exponent)).min(self.special_exponent());
        u128::from(field) << self.fraction_bits()
    }

    /// NaN: true if a pattern is one.
    pub fn is_nan(self, word: u128) -> bool {
        word & (self.sign() - 1) > self.infinity()
    }

    /// Its name in printed programs.
    pub fn name(self) -> &'static str {
        match self {
            Format::Single => "f32",
            Format::Double => "f64",
        }
    }
}

/// To which of its neighbours a number goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// The nearest; of two, the even one.
    NearestEven,
    /// The nearest; of two, the one away from zero.
    NearestAway,
    /// Towards zero.
    Zero,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
}

/// An operation; [`Operation::arity`] operands of a format. What else it takes or gives is said where it differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Square root.
    SquareRoot,
    /// `a * b + c`, rounded once.
    MultiplyAdd,
    /// The exact remainder of a division whose quotient is rounded towards zero (`fmod`).
    Remainder,
    /// Equality; 1 bit, false for NaNs.
    Equal,
    /// Less-than; 1 bit, false for NaNs.
    Less,
    /// Less or equal; 1 bit, false for NaNs.
    LessEqual,
    /// The integer next to a number, in the same format.
    Integral(Rounding),
    /// The number in another format.
    Convert(Format),
    /// The number next to an integer of `bits` bits.
    FromInteger {
        /// Width of the operand.
        bits: u16,
        /// Signedness of the operand.
        signed: bool,
    },
    /// The integer of `bits` bits that is left when the fraction is cut off. What does not fit gives 0: the program
    /// guards against it.
    ToInteger {
        /// Width of the result.
        bits: u16,
        /// Signedness of the result.
        signed: bool,
    },
}

impl Operation {
    /// Number of operands, 1 to 3.
    pub fn arity(self) -> usize {
        match self {
            Operation::SquareRoot
            | Operation::Integral(_)
            | Operation::Convert(_)
            | Operation::FromInteger { .. }
            | Operation::ToInteger { .. } => 1,
            Operation::MultiplyAdd => 3,
            _ => 2,
        }
    }

    /// Width of the operands.
    pub fn operand_bits(self, format: Format) -> u16 {
        match self {
            Operation::FromInteger { bits, .. } => bits,
            _ => format.bits(),
        }
    }

    /// Width of the result.
    pub fn result_bits(self, format: Format) -> u16 {
        match self {
            Operation::Equal | Operation::Less | Operation::LessEqual => 1,
            Operation::Convert(to) => to.bits(),
            Operation::ToInteger { bits, .. } => bits,
            _ => format.bits(),
        }
    }

    /// Its name in printed programs.
    pub fn name(self) -> String {
        let sign = |signed: bool| if signed { 's' } else { 'u' };
        match self {
            Operation::Add => "add".into(),
            Operation::Sub => "sub".into(),
            Operation::Mul => "mul".into(),
            Operation::Div => "div".into(),
            Operation::SquareRoot => "sqrt".into(),
            Operation::MultiplyAdd => "fma".into(),
            Operation::Remainder => "rem".into(),
            Operation::Equal => "eq".into(),
            Operation::Less => "lt".into(),
            Operation::LessEqual => "le".into(),
            Operation::Integral(rounding) => match rounding {
                Rounding::NearestEven => "rint".into(),
                Rounding::NearestAway => "round".into(),
                Rounding::Zero => "trunc".into(),
                Rounding::Up => "ceil".into(),
                Rounding::Down => "floor".into(),
            },
            Operation::Convert(to) => format!("to.{}", to.name()),
            Operation::FromInteger { bits, signed } => format!("from.{}{bits}", sign(signed)),
            Operation::ToInteger { bits, signed } => format!("to.{}{bits}", sign(signed)),
        }
    }
}
