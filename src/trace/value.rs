//! Values as traces show them.

use crate::base::float::text::shortest;
use crate::ir::ty::Reading;

/// A value with what is needed to print it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Width.
    pub bits: u16,
    /// The bit pattern.
    pub value: u128,
    pub(crate) reading: Reading,
    /// Name of what it points to, of a pointer; of the constant, of an enumeration.
    pub name: Option<String>,
}

impl Value {
    /// The value as a decimal number, signed if its type is; a floating-point number as the shortest one that is read back
    /// as it (`0.1`, `inf`, `nan`).
    pub fn decimal(&self) -> String {
        if let Reading::Float(format) = self.reading {
            return shortest(format, self.value);
        }
        let signed = self.reading.is_signed();
        if signed && (1..128).contains(&self.bits) && self.value >> (self.bits - 1) & 1 == 1 {
            // Two's complement: the sign bit and everything above it are set.
            return (self.value | u128::MAX << self.bits)
                .cast_signed()
                .to_string();
        }
        if signed && self.bits == 128 {
            return self.value.cast_signed().to_string();
        }
        self.value.to_string()
    }
}
