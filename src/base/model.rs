//! Widths of the basic types.

/// Widths of the basic types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits (`--32`).
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64 (`--64`, the default).
    Lp64,
}

impl DataModel {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// Width of a pointer, `size_t` and `long`, in bits.
    pub fn pointer_bits(self) -> u16 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}
