//! Unary and binary operators on values (C11 6.5.3.3, 6.5.5 to 6.5.14).

use super::body::{Body, constant};
use super::convert::Typed;
use super::ctype::{CType, IntKind, Kind};
use super::{Lowerer, Res};
use crate::ir::faults::{self, Fault};
use crate::ir::{BinOp, Check, InstrKind, Operand, PointerCheck, UnOp, Undefined};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, UnaryOperator};

/// The operators that compute a value from two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
    Or,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

/// The operator of a binary expression; `None` for assignments, `[]`, `&&` and `||`.
fn plain(operator: &BinaryOperator) -> Option<Op> {
    Some(match operator {
        BinaryOperator::Multiply => Op::Mul,
        BinaryOperator::Divide => Op::Div,
        BinaryOperator::Modulo => Op::Rem,
        BinaryOperator::Plus => Op::Add,
        BinaryOperator::Minus => Op::Sub,
        BinaryOperator::ShiftLeft => Op::Shl,
        BinaryOperator::ShiftRight => Op::Shr,
        BinaryOperator::Less => Op::Lt,
        BinaryOperator::Greater => Op::Gt,
        BinaryOperator::LessOrEqual => Op::Le,
        BinaryOperator::GreaterOrEqual => Op::Ge,
        BinaryOperator::Equals => Op::Eq,
        BinaryOperator::NotEquals => Op::Ne,
        BinaryOperator::BitwiseAnd => Op::And,
        BinaryOperator::BitwiseXor => Op::Xor,
        BinaryOperator::BitwiseOr => Op::Or,
        _ => return None,
    })
}

/// The operator inside a compound assignment.
pub(super) fn compound(operator: &BinaryOperator) -> Option<Op> {
    Some(match operator {
        BinaryOperator::AssignMultiply => Op::Mul,
        BinaryOperator::AssignDivide => Op::Div,
        BinaryOperator::AssignModulo => Op::Rem,
        BinaryOperator::AssignPlus => Op::Add,
        BinaryOperator::AssignMinus => Op::Sub,
        BinaryOperator::AssignShiftLeft => Op::Shl,
        BinaryOperator::AssignShiftRight => Op::Shr,
        BinaryOperator::AssignBitwiseAnd => Op::And,
        BinaryOperator::AssignBitwiseXor => Op::Xor,
        BinaryOperator::AssignBitwiseOr => Op::Or,
        _ => return None,
    })
}

impl Lowerer {
    /// The value of a binary operator; `accessed` if it is a pointer through which something is accessed next.
    pub(super) fn binary(&mut self, e: &BinaryOperatorExpression, accessed: bool) -> Res<Typed> {
        self.check_binary(e);
        match &e.operator.node {
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.logical(e),
            BinaryOperator::Assign => self.assign(&e.lhs, &e.rhs),
            operator => match (plain(operator), compound(operator)) {
                (Some(op), _) => {
                    let a = self.expr(&e.lhs)?;
                    let b = self.expr(&e.rhs)?;
                    self.unbounded = accessed;
                    let result = self.apply(op, a, b);
                    self.unbounded = false;
                    result
                }
                (None, Some(op)) => self.compound_assign(op, &e.lhs, &e.rhs),
                (None, None) => self.fail("this operator needs an object"),
            },
        }
    }

    /// `+a`, `-a`, `~a`.
    pub(super) fn arithmetic_unary(
        &mut self,
        operator: &UnaryOperator,
        value: Typed,
    ) -> Res<Typed> {
        if !value.ty.is_arithmetic() {
            return self.fail("this operator needs a number");
        }
        let ty = self.promoted(&value.ty);
        let operand = self.converted(value, &ty)?;
        let bits = self.bits(&ty);
        let operand = match (operator, &ty.kind) {
            (UnaryOperator::Plus, _) => operand,
            (UnaryOperator::Minus, Kind::Float(kind)) => {
                return self.float_negation(*kind, &ty, operand);
            }
            (_, Kind::Float(_)) => return self.fail("`~` needs an integer"),
            (UnaryOperator::Minus, _) => {
                if ty.is_signed() {
                    let least = constant(1 << (bits - 1), bits);
                    self.no_overflow(|body| body.binary(BinOp::Ne, operand, least, bits));
                }
                self.body.unary(UnOp::Neg, operand, bits)
            }
            _ => self.body.unary(UnOp::Not, operand, bits),
        };
        Ok(Typed::scalar(ty, operand))
    }

    /// `a op b` on values of any types.
    pub(super) fn apply(&mut self, op: Op, a: Typed, b: Typed) -> Res<Typed> {
        let pointers = (a.ty.is_pointer(), b.ty.is_pointer());
        match op {
            Op::Add if pointers == (true, false) => self.add_pointer(a, b, false),
            Op::Add if pointers == (false, true) => self.add_pointer(b, a, false),
            Op::Sub if pointers == (true, false) => self.add_pointer(a, b, true),
            Op::Sub if pointers == (true, true) => self.pointer_difference(a, b),
            Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::Eq | Op::Ne if pointers.0 || pointers.1 => {
                self.compare_pointers(op, a, b)
            }
            _ if !a.ty.is_arithmetic() || !b.ty.is_arithmetic() => self.operands_do_not_fit(&a, &b),
            Op::Shl | Op::Shr => self.shift(op, a, b),
            _ => self.arithmetic(op, a, b),
        }
    }

    fn operands_do_not_fit<T>(&self, a: &Typed, b: &Typed) -> Res<T> {
        let (a, b) = (self.spell(&a.ty), self.spell(&b.ty));
        self.fail(format!(
            "this operator does not take operands of the types `{a}` and `{b}`"
        ))
    }

    fn arithmetic(&mut self, op: Op, a: Typed, b: Typed) -> Res<Typed> {
        let ty = self.common(&a.ty, &b.ty);
        let x = self.converted(a, &ty)?;
        let y = self.converted(b, &ty)?;
        let bits = self.bits(&ty);
        if let Kind::Float(_) = ty.kind {
            return self.float_arithmetic(op, &ty, x, y);
        }
        let signed = ty.is_signed();
        let by_sign = |s: BinOp, u: BinOp| if signed { s } else { u };
        let (op, x, y) = match op {
            Op::Mul => (BinOp::Mul, x, y),
            Op::Add => (BinOp::Add, x, y),
            Op::Sub => (BinOp::Sub, x, y),
            Op::And => (BinOp::And, x, y),
            Op::Xor => (BinOp::Xor, x, y),
            Op::Or => (BinOp::Or, x, y),
            Op::Div | Op::Rem => {
                self.check_division(x, y, bits, signed);
                let op = match op {
                    Op::Div => by_sign(BinOp::SDiv, BinOp::UDiv),
                    _ => by_sign(BinOp::SRem, BinOp::URem),
                };
                (op, x, y)
            }
            Op::Eq => (BinOp::Eq, x, y),
            Op::Ne => (BinOp::Ne, x, y),
            Op::Lt => (by_sign(BinOp::SLt, BinOp::ULt), x, y),
            Op::Le => (by_sign(BinOp::SLe, BinOp::ULe), x, y),
            Op::Gt => (by_sign(BinOp::SLt, BinOp::ULt), y, x),
            Op::Ge => (by_sign(BinOp::SLe, BinOp::ULe), y, x),
            Op::Shl | Op::Shr => return self.fail("shifts are no arithmetic"),
        };
        let result = self.body.binary(op, x, y, bits);
        if signed {
            self.no_overflow(|body| fits(body, op, (x, y, result), bits));
        }
        if super::fold::is_comparison(op) {
            return Ok(Typed::truth(result));
        }
        Ok(Typed::scalar(ty, result))
    }

    /// Division by zero, and the one signed quotient that does not fit, are undefined.
    fn check_division(&mut self, x: Operand, y: Operand, bits: u16, signed: bool) {
        let nonzero = self.body.binary(BinOp::Ne, y, constant(0, bits), bits);
        self.body.defined(nonzero, Undefined::DivisionByZero);
        if !signed {
            return;
        }
        let y_fits = self
            .body
            .binary(BinOp::Ne, y, constant(u128::MAX, bits), bits);
        if matches!(y_fits, Operand::Const { value: 1, .. }) {
            return;
        }
        let least = constant(1 << (bits - 1), bits);
        let x_fits = self.body.binary(BinOp::Ne, x, least, bits);
        let fits = self.body.binary(BinOp::Or, x_fits, y_fits, 1);
        self.body.defined(fits, Undefined::DivisionOverflow);
    }

    fn shift(&mut self, op: Op, a: Typed, b: Typed) -> Res<Typed> {
        if a.ty.is_float() || b.ty.is_float() {
            return self.fail("a shift needs integers");
        }
        let ty = self.promoted(&a.ty);
        let amount_ty = self.promoted(&b.ty);
        let x = self.converted(a, &ty)?;
        let amount = self.converted(b, &amount_ty)?;
        let (bits, amount_bits) = (self.bits(&ty), self.bits(&amount_ty));
        // As an unsigned number, a negative amount is too large as well.
        let limit = constant(u128::from(bits), amount_bits);
        let in_range = self.body.binary(BinOp::ULt, amount, limit, amount_bits);
        self.body.defined(in_range, Undefined::ShiftRange);
        let mut amount = self.body.resize(amount, amount_bits, bits, false);
        if bits == 128 && faults::on(Fault::WideShift) {
            amount = self
                .body
                .binary(BinOp::And, amount, constant(63, bits), bits);
        }
        let op = match (op, ty.is_signed()) {
            (Op::Shl, _) => BinOp::Shl,
            _ if faults::on(Fault::ShiftLogical) => BinOp::LShr,
            (_, true) => BinOp::AShr,
            (_, false) => BinOp::LShr,
        };
        let result = self.body.binary(op, x, amount, bits);
        if op == BinOp::Shl && ty.is_signed() {
            self.no_overflow(|body| {
                let back = body.binary(BinOp::AShr, result, amount, bits);
                body.binary(BinOp::Eq, back, x, bits)
            });
        }
        Ok(Typed::scalar(ty, result))
    }

    /// Signed overflow: where that is undefined, a condition must hold.
    fn no_overflow(&mut self, fits: impl FnOnce(&mut Body) -> Operand) {
        if self.meaning.checks.contains(Check::Overflow) && self.constant_depth == 0 {
            let fits = fits(&mut self.body);
            self.body.defined(fits, Undefined::Overflow);
        }
    }

    fn compare_pointers(&mut self, op: Op, a: Typed, b: Typed) -> Res<Typed> {
        // An integer is compared as a pointer (0, or by a cast that is missing).
        let ty = if a.ty.is_pointer() {
            a.ty.clone()
        } else {
            b.ty.clone()
        };
        if a.ty.is_float() || b.ty.is_float() {
            return self.fail("a pointer is compared with a floating-point number");
        }
        if !a.ty.is_scalar() || !b.ty.is_scalar() {
            return self.operands_do_not_fit(&a, &b);
        }
        self.compare_doubt(&a, &b);
        let x = self.converted(a, &ty)?;
        let y = self.converted(b, &ty)?;
        let bits = self.pointer_bits();
        let (op, x, y) = match op {
            Op::Eq => (BinOp::Eq, x, y),
            Op::Ne => (BinOp::Ne, x, y),
            Op::Lt => (BinOp::ULt, x, y),
            Op::Le => (BinOp::ULe, x, y),
            Op::Gt => (BinOp::ULt, y, x),
            _ => (BinOp::ULe, y, x),
        };
        let cond = self.body.binary(op, x, y, bits);
        Ok(Typed::truth(cond))
    }

    fn pointer_difference(&mut self, a: Typed, b: Typed) -> Res<Typed> {
        let Some(element) = a.ty.pointee().cloned() else {
            return self.fail("not a pointer");
        };
        let kind = if self.pointer_bits() == 32 {
            IntKind::Int
        } else {
            IntKind::Long
        };
        let bits = self.pointer_bits();
        let size = self.size_operand(&element)?;
        let x = self.operand(a)?;
        let y = self.operand(b)?;
        if let (Operand::GlobalAddr(g, m), Operand::GlobalAddr(h, n)) = (x, y)
            && let Operand::Const { value: size, .. } = size
            && g == h
            && size != 0
        {
            let value = (m - n) as i128 / size as i128;
            return Ok(Typed::scalar(
                CType::int(kind),
                constant(value as u128, bits),
            ));
        }
        if matches!(size, Operand::Const { value: 0, .. }) {
            return self.fail("pointers to objects without size are subtracted");
        }
        if self.checks_undefined() {
            self.body
                .emit(InstrKind::Pointers(PointerCheck::Same(x, y)));
        }
        let bytes = self.body.binary(BinOp::Sub, x, y, bits);
        let count = self.body.binary(BinOp::SDiv, bytes, size, bits);
        Ok(Typed::scalar(CType::int(kind), count))
    }
}

/// Condition that the result of an operation on signed words is exact.
fn fits(
    body: &mut Body,
    op: BinOp,
    (x, y, result): (Operand, Operand, Operand),
    bits: u16,
) -> Operand {
    match op {
        BinOp::Add | BinOp::Sub => {
            // Operands of equal signs (of different ones, of a difference) give a result of the sign of the first.
            let other = body.binary(BinOp::Xor, x, y, bits);
            let moved = body.binary(BinOp::Xor, x, result, bits);
            let other = match op {
                BinOp::Add => body.unary(UnOp::Not, other, bits),
                _ => other,
            };
            let both = body.binary(BinOp::And, other, moved, bits);
            body.binary(BinOp::SLe, constant(0, bits), both, bits)
        }
        BinOp::Mul if bits <= WIDEST / 2 => {
            let [x, y, result] = [x, y, result].map(|word| body.resize(word, bits, 2 * bits, true));
            let exact = body.binary(BinOp::Mul, x, y, 2 * bits);
            body.binary(BinOp::Eq, exact, result, 2 * bits)
        }
        BinOp::Mul => {
            // What divides the result is the other operand, unless there is none.
            let (zero, minus_one) = (constant(0, bits), constant(u128::MAX, bits));
            let least = constant(1 << (bits - 1), bits);
            let by_zero = body.binary(BinOp::Eq, x, zero, bits);
            let divisor = body.select(by_zero, constant(1, bits), x, bits);
            let back = body.binary(BinOp::SDiv, result, divisor, bits);
            let same = body.binary(BinOp::Eq, back, y, bits);
            let inverts = body.binary(BinOp::Eq, x, minus_one, bits);
            let is_least = body.binary(BinOp::Eq, y, least, bits);
            let lost = body.binary(BinOp::And, inverts, is_least, 1);
            let kept = body.unary(UnOp::Not, lost, 1);
            let exact = body.binary(BinOp::Or, by_zero, same, 1);
            body.binary(BinOp::And, exact, kept, 1)
        }
        _ => constant(1, 1),
    }
}

/// The widest word.
const WIDEST: u16 = 128;
