//! Right-hand sides as terms, for everybody who executes the program symbolically.

use crate::exec::faults::{self, Fault};
use crate::ir::{BinOp, RmwOp, Rvalue, UnOp};
use crate::term::{TermId, Terms};

/// The value of a right-hand side for a destination of `bits` bits, given those of its operands
/// ([`Rvalue::operands`]).
///
/// # Panics
/// For pointer arithmetic, which depends on objects, and if the operands are not as many as it has.
pub fn rvalue(terms: &mut Terms, value: &Rvalue, bits: u16, operands: &[TermId]) -> TermId {
    match (value, operands) {
        (Rvalue::Use(_) | Rvalue::FromInteger(_), &[a]) => a,
        (Rvalue::Unary(UnOp::Neg, _), &[a]) => terms.neg(a),
        (Rvalue::Unary(UnOp::Not, _), &[a]) => terms.not(a),
        (Rvalue::Binary(op, ..), &[a, b]) => binary(terms, *op, a, b),
        (Rvalue::ZeroExtend(_), &[a]) => terms.zero_extend(a, bits),
        (Rvalue::SignExtend(_), &[a]) => terms.sign_extend(a, bits),
        (Rvalue::Truncate(_), &[a]) => terms.extract(a, 0, bits),
        (Rvalue::Select { .. }, &[cond, then, other]) => terms.ite(cond, then, other),
        (Rvalue::Float { op, format, .. }, all) => terms.float(*op, *format, all),
        _ => unreachable!("no pointer arithmetic, and as many operands as there are"),
    }
}

/// The value of a binary operator.
pub fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::Eq => terms.eq(a, b),
        BinOp::Ne => {
            let same = terms.eq(a, b);
            terms.not(same)
        }
        BinOp::ULt if faults::on(Fault::LessOrEqual) => terms.ule(a, b),
        BinOp::ULt => terms.ult(a, b),
        BinOp::ULe => terms.ule(a, b),
        BinOp::SLt => terms.slt(a, b),
        BinOp::SLe => terms.sle(a, b),
    }
}

/// Stored value of a read-modify-write.
pub fn update(terms: &mut Terms, op: RmwOp, old: TermId, operand: TermId) -> TermId {
    match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => terms.add(old, operand),
        RmwOp::Sub => terms.sub(old, operand),
        RmwOp::And => terms.and(old, operand),
        RmwOp::Or => terms.or(old, operand),
        RmwOp::Xor => terms.xor(old, operand),
        RmwOp::Nand => {
            let both = terms.and(old, operand);
            terms.not(both)
        }
        RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
            let less = match op {
                RmwOp::UMin | RmwOp::UMax => terms.ult(old, operand),
                _ => terms.slt(old, operand),
            };
            match op {
                RmwOp::UMin | RmwOp::SMin => terms.ite(less, old, operand),
                _ => terms.ite(less, operand, old),
            }
        }
    }
}
