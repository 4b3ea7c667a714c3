//! Pure computations: operators on words.

use super::operand::{Operand, Operands};
use super::{FloatFormat, FloatOp};
use smallvec::smallvec;

/// Pure computations.
#[derive(Clone, Debug)]
pub enum Rvalue {
    Use(Operand),
    Unary(UnOp, Operand),
    /// Both operands and the result have one width; comparisons give 1 bit; a shift's amount has the
    /// width of its left operand.
    Binary(BinOp, Operand, Operand),
    /// A pointer with the value of an integer: to the object that lives there now, if that it was made from has ended.
    FromInteger(Operand),
    /// Zero-extends, sign-extends or truncates to the width of the destination.
    ZeroExtend(Operand),
    SignExtend(Operand),
    Truncate(Operand),
    /// `cond ? a : b`, both already computed.
    Select {
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    /// `base + offset_bytes` (a signed, pointer-wide value) within the object of `base`; leaving its
    /// address range is undefined, see [`super::address`].
    Offset {
        base: Operand,
        offset_bytes: Operand,
    },
    /// A floating-point operation on [`FloatOp::arity`] words; a number is its bit pattern.
    Float {
        op: FloatOp,
        format: FloatFormat,
        operands: Vec<Operand>,
    },
}

impl Rvalue {
    /// Its operands, in the order they are evaluated in.
    pub fn operands(&self) -> Operands {
        match self {
            Rvalue::Use(a)
            | Rvalue::Unary(_, a)
            | Rvalue::FromInteger(a)
            | Rvalue::ZeroExtend(a)
            | Rvalue::SignExtend(a)
            | Rvalue::Truncate(a) => smallvec![*a],
            Rvalue::Binary(_, a, b)
            | Rvalue::Offset {
                base: a,
                offset_bytes: b,
            } => smallvec![*a, *b],
            Rvalue::Select { cond, then, other } => smallvec![*cond, *then, *other],
            Rvalue::Float { operands, .. } => Operands::from_slice(operands),
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    Neg,
    Not,
}

/// Binary operators on words; wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division is guarded by a preceding [`super::InstrKind::Defined`].
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// Shifts are guarded by a preceding [`super::InstrKind::Defined`]; amounts ≥ width give 0 (or the sign).
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
}

/// Operation of a read-modify-write, which gives the value that it stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    UMin,
    UMax,
    SMin,
    SMax,
}
