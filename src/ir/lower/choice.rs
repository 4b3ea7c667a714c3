//! Choices between expressions: by a value (`?:`), by a type (`_Generic`), by a constant
//! (`__builtin_choose_expr`).

use super::convert::{Typed, Value};
use super::ctype::{CType, compatible};
use super::{Lowerer, Res};
use crate::ir::faults::{self, Fault};
use crate::ir::{InstrKind, Operand, Rvalue, Terminator};
use lang_c::ast::{
    ConditionalExpression, Expression, GenericAssociation, GenericSelection, TypeName,
};
use lang_c::span::Node;

impl Lowerer {
    /// Expression that `_Generic` or `__builtin_choose_expr` chooses without evaluating anything; `None` for others.
    pub(super) fn chosen<'a>(
        &mut self,
        e: &'a Node<Expression>,
    ) -> Res<Option<&'a Node<Expression>>> {
        let key = (e.span.start, e.span.end);
        let known = self.choices.get(&key).copied();
        match &e.node {
            Expression::GenericSelection(selection) => {
                let selection = &selection.node;
                if types_to_compare(selection).is_some() {
                    return Ok(None);
                }
                let index = match known {
                    Some(index) => index,
                    None => self.generic_choice(selection)?,
                };
                self.choices.insert(key, index);
                Ok(selection.associations.get(index).map(|a| match &a.node {
                    GenericAssociation::Type(case) => &*case.node.expression,
                    GenericAssociation::Default(e) => e,
                }))
            }
            Expression::Call(call) => {
                let (Expression::Identifier(name), [condition, ..]) =
                    (&call.node.callee.node, &call.node.arguments[..])
                else {
                    return Ok(None);
                };
                if name.node.name != "__builtin_choose_expr" || call.node.arguments.len() != 3 {
                    return Ok(None);
                }
                let index = match known {
                    Some(index) => index,
                    None if self.constant_int(condition)? != 0 => 1,
                    None => 2,
                };
                self.choices.insert(key, index);
                Ok(call.node.arguments.get(index))
            }
            _ => Ok(None),
        }
    }

    /// `c ? a : b`: a select where both sides are pure, control flow otherwise.
    pub(super) fn conditional(&mut self, c: &ConditionalExpression) -> Res<Typed> {
        let cond = self.cond(&c.condition)?;
        self.choice(
            cond,
            |this| this.expr(&c.then_expression),
            &c.else_expression,
        )
    }

    /// `a ?: b`: `a` is evaluated once.
    pub(super) fn value_or(&mut self, a: &Node<Expression>, b: &Node<Expression>) -> Res<Typed> {
        let value = self.expr(a)?;
        let cond = self.at(a.span, |this| this.truth(value.clone()))?;
        self.choice(cond, |_| Ok(value), b)
    }

    /// One value or another.
    fn choice(
        &mut self,
        cond: Operand,
        then: impl FnOnce(&mut Self) -> Res<Typed>,
        other: &Node<Expression>,
    ) -> Res<Typed> {
        let (then_start, other_start) = (self.body.block(), self.body.block());
        let start = self.body.current;

        self.body.current = then_start;
        let then = then(self)?;
        let then_end = self.body.current;
        self.body.current = other_start;
        let other = self.expr(other)?;
        let other_end = self.body.current;

        let ty = self.conditional_type(&then, &other)?;
        // Both sides are converted where they were computed.
        self.body.current = then_end;
        let then = self.side(then, &ty)?;
        self.body.current = other_end;
        let other = self.side(other, &ty)?;
        self.body.current = start;

        if let Operand::Const { value, .. } = cond {
            let (block, end, side) = match value {
                0 => (other_start, other_end, other),
                _ => (then_start, then_end, then),
            };
            if block == end {
                let mut instrs = std::mem::take(&mut self.body.blocks[block].instrs);
                self.body.blocks[start].instrs.append(&mut instrs);
            } else {
                self.body.end_with(Terminator::Jump(block), end);
            }
            return Ok(typed(ty, side));
        }
        let straight = then_start == then_end && other_start == other_end;
        let bits = if ty.is_scalar() {
            self.bits(&ty)
        } else {
            self.pointer_bits()
        };
        if let (Some(a), Some(b)) = (then, other)
            && straight
            && self.body.is_pure(then_start)
            && self.body.is_pure(other_start)
        {
            for block in [then_start, other_start] {
                let mut instrs = std::mem::take(&mut self.body.blocks[block].instrs);
                self.body.blocks[start].instrs.append(&mut instrs);
            }
            let operand = self.body.select(cond, a, b, bits);
            return Ok(typed(ty, Some(operand)));
        }
        let join = self.body.block();
        let dst = then.map(|_| self.body.temp(bits));
        for (end, value) in [(then_end, then), (other_end, other)] {
            self.body.current = end;
            if let (Some(dst), Some(value)) = (dst, value) {
                self.body.emit(InstrKind::Assign {
                    dst,
                    value: Rvalue::Use(value),
                });
            }
            self.body.end_with(Terminator::Jump(join), start);
        }
        self.body.branch(cond, then_start, other_start, join);
        Ok(typed(ty, dst.map(Operand::Reg)))
    }

    /// One side of a conditional expression as an operand; `None` for `void`.
    fn side(&mut self, value: Typed, ty: &CType) -> Res<Option<Operand>> {
        if ty.is_void() {
            return Ok(None);
        }
        let value = self.convert(value, ty)?;
        match value.value {
            Value::Record(addr) => Ok(Some(addr)),
            _ => self.operand(value).map(Some),
        }
    }

    fn conditional_type(&mut self, a: &Typed, b: &Typed) -> Res<CType> {
        if a.ty.is_arithmetic() && b.ty.is_arithmetic() {
            return Ok(self.common(&a.ty, &b.ty));
        }
        if a.ty.is_void() || b.ty.is_void() {
            return Ok(CType::void());
        }
        if a.ty.is_record() && a.ty.kind == b.ty.kind {
            return Ok(a.ty.unqualified());
        }
        match (a.ty.pointee(), b.ty.pointee()) {
            (Some(_), None) => Ok(a.ty.clone()),
            (None, Some(_)) => Ok(b.ty.clone()),
            (Some(x), Some(y)) => {
                let null = |t: &Typed| {
                    t.ty.pointee()
                        .is_some_and(|p| p.is_void() && p.quals == Default::default())
                        && matches!(t.value, Value::Scalar(Operand::Const { value: 0, .. }))
                };
                if null(a) {
                    Ok(b.ty.clone())
                } else if null(b) {
                    Ok(a.ty.clone())
                } else if x.is_void() || y.is_void() {
                    Ok(CType::void()
                        .with_quals(x.quals.union(y.quals))
                        .pointer_to())
                } else {
                    Ok(x.with_quals(y.quals).pointer_to())
                }
            }
            (None, None) => self.fail("the sides of `?:` have types that do not go together"),
        }
    }

    /// Index of the association that a generic selection chooses (C11 6.5.1.1).
    fn generic_choice(&mut self, selection: &GenericSelection) -> Res<usize> {
        let ty = self.unevaluated(|this| Ok(this.expr(&selection.expression)?.ty))?;
        let ty = ty.unqualified();
        let is_default =
            |a: &Node<GenericAssociation>| matches!(a.node, GenericAssociation::Default(_));
        if faults::on(Fault::GenericDefault)
            && let Some(index) = selection.associations.iter().position(is_default)
        {
            return Ok(index);
        }
        let mut default = None;
        for (index, association) in selection.associations.iter().enumerate() {
            match &association.node {
                GenericAssociation::Type(case) => {
                    let candidate = self.type_name(&case.node.type_name)?;
                    if candidate.quals == ty.quals && compatible(&candidate, &ty) {
                        return Ok(index);
                    }
                }
                GenericAssociation::Default(_) => default = Some(index),
            }
        }
        match default {
            Some(index) => Ok(index),
            None => self.fail("no association of `_Generic` has the type of its operand"),
        }
    }
}

/// The types that `__builtin_types_compatible_p` compares, which `syntax` writes as a selection on its name.
pub(super) fn types_to_compare(
    selection: &GenericSelection,
) -> Option<(&Node<TypeName>, &Node<TypeName>)> {
    let Expression::Identifier(name) = &selection.expression.node else {
        return None;
    };
    let [a, b] = &selection.associations[..] else {
        return None;
    };
    match (&a.node, &b.node) {
        (GenericAssociation::Type(a), GenericAssociation::Type(b))
            if name.node.name == "__builtin_types_compatible_p" =>
        {
            Some((&a.node.type_name, &b.node.type_name))
        }
        _ => None,
    }
}

fn typed(ty: CType, operand: Option<Operand>) -> Typed {
    match operand {
        None => Typed::void(),
        Some(addr) if ty.is_record() => Typed {
            ty,
            value: Value::Record(addr),
        },
        Some(operand) => Typed::scalar(ty, operand),
    }
}
