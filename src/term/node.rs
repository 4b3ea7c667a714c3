//! Nodes of terms: the public [`Node`] that analyses match on, and its 16-byte stored form.

use super::{TermId, VarId};

/// Operators of stored terms. There is no disjunction, no signed division and no `≤`: they are built from
/// these, so that each rewrite is stated once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// A constant.
    Constant,
    /// A free variable.
    Variable,
    /// Bitwise complement.
    Not,
    /// Bitwise conjunction.
    And,
    /// Bitwise exclusive or.
    Xor,
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient; all ones if the divisor is zero.
    UDiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    URem,
    /// Left shift; 0 for amounts of the width and more.
    Shl,
    /// Logical right shift; 0 for amounts of the width and more.
    LShr,
    /// Arithmetic right shift; copies of the sign for amounts of the width and more.
    AShr,
    /// Equality of words of more than one bit (of conditions: the complement of `Xor`); 1 bit.
    Eq,
    /// Unsigned less-than; 1 bit.
    ULt,
    /// Signed less-than; 1 bit.
    SLt,
    /// Choice by a condition.
    Ite,
    /// Concatenation, higher part first.
    Concat,
    /// A run of bits.
    Extract,
    /// Extension by zeros.
    ZeroExtend,
    /// Extension by copies of the sign.
    SignExtend,
}

/// A term as others see it. Operands of a binary operator have one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant; bits above the width are zero.
    Constant(u128),
    /// A free variable.
    Variable(VarId),
    /// Bitwise complement.
    Not(TermId),
    /// One of `And`, `Xor`, `Add`, `Sub`, `Mul`, `UDiv`, `URem`, `Shl`, `LShr`, `AShr`, `Eq`, `ULt`, `SLt`.
    Binary(Op, TermId, TermId),
    /// `Ite(condition, then, otherwise)`.
    Ite(TermId, TermId, TermId),
    /// `Concat(high, low)`.
    Concat(TermId, TermId),
    /// Bits `lo .. lo + width of the term`.
    Extract {
        /// The word that is cut.
        from: TermId,
        /// Lowest bit taken.
        lo: u16,
    },
    /// Extension to the width of the term by zeros.
    ZeroExtend(TermId),
    /// Extension to the width of the term by copies of the sign.
    SignExtend(TermId),
}

/// The stored form of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    pub op: Op,
    /// Width, 1..=128.
    pub bits: u8,
    /// Number of leaves if the term is a tree of choices between constants (1 for a constant); of a conjunction, that
    /// of its parts, each as often as it occurs; otherwise 0. Saturates; follows from the operands.
    pub size: u16,
    /// Operands, first to last; unused ones are 0. A constant has its index in the table of constants, a
    /// variable its id in the first place; `Extract` has `lo` in the second.
    pub args: [u32; 3],
}

impl Stored {
    /// Ids of the operands that are terms.
    #[inline]
    pub fn children(&self) -> &[u32] {
        &self.args[..self.op.arity()]
    }
}

impl Op {
    /// Number of operands that are terms.
    pub fn arity(self) -> usize {
        match self {
            Op::Constant | Op::Variable => 0,
            Op::Not | Op::Extract | Op::ZeroExtend | Op::SignExtend => 1,
            Op::Ite => 3,
            _ => 2,
        }
    }

    /// Its name in printed terms.
    pub fn name(self) -> &'static str {
        match self {
            Op::Constant => "constant",
            Op::Variable => "variable",
            Op::Not => "not",
            Op::And => "and",
            Op::Xor => "xor",
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::UDiv => "udiv",
            Op::URem => "urem",
            Op::Shl => "shl",
            Op::LShr => "lshr",
            Op::AShr => "ashr",
            Op::Eq => "=",
            Op::ULt => "ult",
            Op::SLt => "slt",
            Op::Ite => "ite",
            Op::Concat => "concat",
            Op::Extract => "extract",
            Op::ZeroExtend => "zext",
            Op::SignExtend => "sext",
        }
    }

    /// All operators, in order.
    pub const ALL: [Op; 21] = [
        Op::Constant,
        Op::Variable,
        Op::Not,
        Op::And,
        Op::Xor,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::URem,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::Eq,
        Op::ULt,
        Op::SLt,
        Op::Ite,
        Op::Concat,
        Op::Extract,
        Op::ZeroExtend,
        Op::SignExtend,
    ];
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn stored_nodes_are_compact() {
        assert_eq!(std::mem::size_of::<Stored>(), 16);
    }
}
