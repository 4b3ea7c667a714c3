//! Constant expressions (C11 6.6): ordinary lowering that leaves no instruction behind.

use super::assignable::Taker;
use super::convert::{Typed, Value};
use super::ctype::CType;
use super::{Lowerer, Res};
use crate::ir::Operand;
use lang_c::ast::{Expression, StaticAssert};
use lang_c::span::Node;

impl Lowerer {
    /// Runs `f`; its result counts only if it needed no code.
    pub(super) fn folded<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<Option<T>> {
        let saved = self.body.current;
        let start = self.body.block();
        self.body.current = start;
        self.constant_depth += 1;
        let result = f(self);
        self.constant_depth -= 1;
        let empty = self.body.current == start && self.body.blocks[start].instrs.is_empty();
        self.body.current = saved;
        result.map(|value| empty.then_some(value))
    }

    /// The value of an integer constant expression.
    pub(super) fn constant_int(&mut self, e: &Node<Expression>) -> Res<i128> {
        let value = self.folded(|this| this.expr(e))?;
        match value.and_then(|value| self.integer_value(&value)) {
            Some(value) => Ok(value),
            None => self.error(e.span, "this must be an integer constant"),
        }
    }

    /// The value of an expression, if it is an integer constant.
    pub(super) fn try_constant_int(&mut self, e: &Node<Expression>) -> Option<i128> {
        let value = self.folded(|this| this.expr(e)).ok().flatten()?;
        self.integer_value(&value)
    }

    fn integer_value(&self, value: &Typed) -> Option<i128> {
        if !value.ty.is_integer() {
            return None;
        }
        match value.value {
            Value::Scalar(Operand::Const { value: word, .. }) => {
                let bits = self.bits(&value.ty);
                Some(if value.ty.is_signed() {
                    super::fold::sign_extend(word, bits) as i128
                } else {
                    word as i128
                })
            }
            Value::Cond(Operand::Const { value, .. }) => Some(value as i128),
            _ => None,
        }
    }

    /// The value of a constant expression, converted to a scalar type: a number or an address.
    pub(super) fn constant_value(&mut self, e: &Node<Expression>, ty: &CType) -> Res<Operand> {
        let value = self.folded(|this| {
            let value = this.expr(e)?;
            this.at(e.span, |this| {
                let value = this.taken(value, ty, Taker::Initialiser)?;
                this.operand(value)
            })
        })?;
        match value {
            Some(
                operand @ (Operand::Const { .. } | Operand::GlobalAddr(..) | Operand::FuncAddr(_)),
            ) => Ok(operand),
            _ => self.error(
                e.span,
                "the initialiser of a static object must be constant",
            ),
        }
    }

    pub(super) fn static_assert(&mut self, assertion: &Node<StaticAssert>) -> Res<()> {
        if self.constant_int(&assertion.node.expression)? != 0 {
            return Ok(());
        }
        let text = assertion.node.message.node.concat();
        self.error(assertion.span, format!("static assertion failed: {text}"))
    }
}
