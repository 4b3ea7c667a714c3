//! Conditions: `&&`, `||`, `!` and branches on them.
//!
//! The operands of a chain `a && b && …` are taken one by one. An operand whose code is pure and cannot trap
//! is evaluated together with those before it, and joined by a bitwise operator; any other operand is
//! evaluated only behind a branch on what came before.

use super::body::constant;
use super::convert::Typed;
use super::lvalue::Place;
use super::{Lowerer, Res, Symbol};
use crate::ir::{BinOp, BlockId, InstrKind, Operand, Rvalue, Terminator};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Constant, Expression, UnaryOperator};
use lang_c::span::Node;

impl Lowerer {
    /// Truth of an expression: true if it is nonzero, as an operand of width 1.
    pub(super) fn cond(&mut self, e: &Node<Expression>) -> Res<Operand> {
        let value = self.expr(e)?;
        self.at(e.span, |this| this.truth(value))
    }

    /// Jumps to `then` if the expression is nonzero, otherwise to `other`; continues in `next`.
    pub(super) fn branch(
        &mut self,
        e: &Node<Expression>,
        then: BlockId,
        other: BlockId,
        next: BlockId,
    ) -> Res<()> {
        match &e.node {
            Expression::BinaryOperator(b) if is_logical(&b.node.operator.node) => {
                self.at(e.span, |this| this.chain(e, then, other))?;
                self.body.current = next;
                Ok(())
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                self.branch(&u.node.operand, other, then, next)
            }
            _ => {
                let cond = self.cond(e)?;
                self.at(e.span, |this| this.body.branch(cond, then, other, next));
                Ok(())
            }
        }
    }

    /// Branches on a chain of one operator.
    fn chain(&mut self, e: &Node<Expression>, then: BlockId, other: BlockId) -> Res<()> {
        let Expression::BinaryOperator(b) = &e.node else {
            return self.fail("not a chain");
        };
        let is_and = b.node.operator.node == BinaryOperator::LogicalAnd;
        let mut operands = Vec::new();
        flatten(e, &b.node.operator.node, &mut operands);
        let neutral = constant(u128::from(is_and), 1);
        let op = if is_and { BinOp::And } else { BinOp::Or };
        let mut known = neutral;
        for operand in operands {
            if known == constant(u128::from(!is_and), 1) {
                self.unevaluated(|this| this.cond(operand))?;
                continue;
            }
            let nested = matches!(&operand.node, Expression::BinaryOperator(b)
                if is_logical(&b.node.operator.node));
            let start = self.body.current;
            let block = self.body.block();
            self.body.current = block;
            if nested && !self.is_simple(operand) {
                // Its own chain; where it does not decide, the next operand follows.
                let after = self.body.block();
                if is_and {
                    self.branch(operand, after, other, after)?
                } else {
                    self.branch(operand, then, after, after)?
                }
                self.body.current = start;
                self.decide(known, is_and, block, then, other, after);
                known = neutral;
                continue;
            }
            let cond = self.cond(operand)?;
            let end = self.body.current;
            self.body.current = start;
            if end == block && (known == neutral || self.body.is_pure(block)) {
                let mut instrs = std::mem::take(&mut self.body.blocks[block].instrs);
                self.body.blocks[start].instrs.append(&mut instrs);
                known = self.body.binary(op, known, cond, 1);
            } else {
                self.decide(known, is_and, block, then, other, end);
                known = cond;
            }
        }
        let next = self.body.current;
        self.body.branch(known, then, other, next);
        Ok(())
    }

    /// Leaves the chain where `known` decides it, otherwise goes to `block`; continues in `next`.
    fn decide(
        &mut self,
        known: Operand,
        is_and: bool,
        block: BlockId,
        then: BlockId,
        other: BlockId,
        next: BlockId,
    ) {
        if is_and {
            self.body.branch(known, block, other, next)
        } else {
            self.body.branch(known, then, block, next)
        }
    }

    /// The value of `a && b` or `a || b`.
    pub(super) fn logical(&mut self, e: &BinaryOperatorExpression) -> Res<Typed> {
        let is_and = e.operator.node == BinaryOperator::LogicalAnd;
        let a = self.cond(&e.lhs)?;
        match (a, is_and) {
            // The right side is not evaluated, but its labels and types still count.
            (Operand::Const { value: 0, .. }, true) | (Operand::Const { value: 1, .. }, false) => {
                self.unevaluated(|this| this.cond(&e.rhs))?;
                return Ok(Typed::truth(a));
            }
            (Operand::Const { .. }, _) => {
                let b = self.cond(&e.rhs)?;
                return Ok(Typed::truth(b));
            }
            _ => {}
        }
        let start = self.body.current;
        let block = self.body.block();
        self.body.current = block;
        let b = self.cond(&e.rhs)?;
        let end = self.body.current;
        if end == block && self.body.is_pure(block) {
            self.body.current = start;
            let mut instrs = std::mem::take(&mut self.body.blocks[block].instrs);
            self.body.blocks[start].instrs.append(&mut instrs);
            let op = if is_and { BinOp::And } else { BinOp::Or };
            let cond = self.body.binary(op, a, b, 1);
            return Ok(Typed::truth(cond));
        }
        let join = self.body.block();
        let dst = self.body.temp(1);
        self.body.emit(InstrKind::Assign {
            dst,
            value: Rvalue::Use(b),
        });
        self.body.end_with(Terminator::Jump(join), start);
        let decided = constant(u128::from(!is_and), 1);
        self.body.emit(InstrKind::Assign {
            dst,
            value: Rvalue::Use(decided),
        });
        if is_and {
            self.body.branch(a, block, join, join)
        } else {
            self.body.branch(a, join, block, join)
        }
        Ok(Typed::truth(Operand::Reg(dst)))
    }

    /// Simple expressions: true if it surely lowers to pure code: registers, constants and harmless operators.
    fn is_simple(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Constant(c) => !matches!(c.node, Constant::Float(_)),
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Symbol::Local(lvalue)) => {
                    matches!(lvalue.place, Place::Reg(reg) if !self.body.flags.contains_key(&reg))
                        && lvalue.ty.is_integer()
                }
                Some(Symbol::Constant { .. }) => true,
                _ => false,
            },
            Expression::UnaryOperator(u) => {
                matches!(
                    u.node.operator.node,
                    UnaryOperator::Plus
                        | UnaryOperator::Minus
                        | UnaryOperator::Complement
                        | UnaryOperator::Negate
                ) && self.is_simple(&u.node.operand)
            }
            Expression::BinaryOperator(b) => {
                let harmless = matches!(
                    b.node.operator.node,
                    BinaryOperator::Plus
                        | BinaryOperator::Minus
                        | BinaryOperator::Multiply
                        | BinaryOperator::BitwiseAnd
                        | BinaryOperator::BitwiseOr
                        | BinaryOperator::BitwiseXor
                        | BinaryOperator::Equals
                        | BinaryOperator::NotEquals
                        | BinaryOperator::Less
                        | BinaryOperator::LessOrEqual
                        | BinaryOperator::Greater
                        | BinaryOperator::GreaterOrEqual
                        | BinaryOperator::LogicalAnd
                        | BinaryOperator::LogicalOr
                );
                harmless && self.is_simple(&b.node.lhs) && self.is_simple(&b.node.rhs)
            }
            _ => false,
        }
    }
}

fn is_logical(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
    )
}

/// Operands of a chain of one operator, from left to right.
fn flatten<'a>(
    e: &'a Node<Expression>,
    operator: &BinaryOperator,
    out: &mut Vec<&'a Node<Expression>>,
) {
    match &e.node {
        Expression::BinaryOperator(b) if b.node.operator.node == *operator => {
            flatten(&b.node.lhs, operator, out);
            flatten(&b.node.rhs, operator, out);
        }
        _ => out.push(e),
    }
}
