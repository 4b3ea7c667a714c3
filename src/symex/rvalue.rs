//! Right-hand sides as terms, for everybody who executes the program symbolically.

use crate::base::faults::{self, Fault};
use crate::ir::{BinOp, Operand, RmwOp, Rvalue, UnOp};
use crate::term::{TermId, Terms};

/// The value of a right-hand side for a destination of `bits` bits, given those of operands; `None` for pointer
/// arithmetic, which depends on objects.
pub fn rvalue(
    terms: &mut Terms,
    value: &Rvalue,
    bits: u16,
    operand: &mut dyn FnMut(&mut Terms, Operand) -> TermId,
) -> Option<TermId> {
    Some(match value {
        Rvalue::Use(a) => operand(terms, *a),
        Rvalue::Unary(op, a) => {
            let a = operand(terms, *a);
            match op {
                UnOp::Neg => terms.neg(a),
                UnOp::Not => terms.not(a),
            }
        }
        Rvalue::Binary(op, a, b) => {
            let a = operand(terms, *a);
            let b = operand(terms, *b);
            binary(terms, *op, a, b)
        }
        Rvalue::ZeroExtend(a) => {
            let a = operand(terms, *a);
            terms.zero_extend(a, bits)
        }
        Rvalue::SignExtend(a) => {
            let a = operand(terms, *a);
            terms.sign_extend(a, bits)
        }
        Rvalue::Truncate(a) => {
            let a = operand(terms, *a);
            terms.extract(a, 0, bits)
        }
        Rvalue::Select { cond, then, other } => {
            let cond = operand(terms, *cond);
            let then = operand(terms, *then);
            let other = operand(terms, *other);
            terms.ite(cond, then, other)
        }
        Rvalue::Offset { .. } => return None,
        Rvalue::Float {
            op,
            format,
            operands,
        } => {
            let operands: Vec<TermId> = operands.iter().map(|a| operand(terms, *a)).collect();
            terms.float(*op, *format, &operands)
        }
    })
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

/// What a read-modify-write stores.
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
    }
}
