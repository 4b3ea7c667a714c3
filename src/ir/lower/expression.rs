//! Expressions: values and lvalues (C11 6.5). Operators are in `operator`, assignments in `assign`,
//! conditions in `condition`, calls in `call`.

use super::body::constant;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, compatible};
use super::place::{LValue, Place};
use super::{Lowerer, Res, Symbol};
use crate::ir::{InstrKind, Operand, Rvalue, Terminator};
use lang_c::ast::{
    BinaryOperator, ConditionalExpression, Expression, GenericAssociation, GenericSelection,
    MemberExpression, MemberOperator, OffsetMember, OffsetOfExpression, TypeName, UnaryOperator,
    UnaryOperatorExpression,
};
use lang_c::span::Node;

impl Lowerer {
    /// The value of an expression, after lvalue conversion.
    pub(super) fn expr(&mut self, e: &Node<Expression>) -> Res<Typed> {
        self.at(e.span, |this| this.value_here(e))
    }

    fn value_here(&mut self, e: &Node<Expression>) -> Res<Typed> {
        if self.is_lvalue(e) {
            let lvalue = self.lvalue_here(e)?;
            return self.load(&lvalue);
        }
        match &e.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name).cloned() {
                Some(Symbol::Constant { value, ty }) => {
                    let bits = self.bits(&ty);
                    Ok(Typed::scalar(ty, constant(value, bits)))
                }
                Some(Symbol::Function(index)) => Ok(self.function_value(index)),
                Some(_) => self.fail(format!("`{}` is a type", name.node.name)),
                None => self.undeclared(&name.node.name),
            },
            Expression::Constant(c) => self.literal(&c.node),
            Expression::GenericSelection(selection) => {
                if let Some((a, b)) = types_to_compare(&selection.node) {
                    let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                    let same = compatible(&a, &b);
                    return Ok(Typed::truth(constant(u128::from(same), 1)));
                }
                match self.chosen(e)? {
                    Some(chosen) => self.expr(chosen),
                    None => self.fail("no association of `_Generic` has the type of its operand"),
                }
            }
            Expression::Call(call) => self.call(call),
            Expression::SizeOfTy(name) => {
                let ty = self.type_name(&name.node.0)?;
                self.size_value(&ty)
            }
            Expression::SizeOfVal(operand) => {
                let ty = self.type_of(&operand.node.0)?;
                self.size_value(&ty)
            }
            Expression::AlignOf(name) => {
                let ty = self.type_name(&name.node.0)?;
                let align = self.align(&ty);
                Ok(self.size_constant(align))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                let value = self.expr(&cast.node.expression)?;
                if let Kind::Record(id) = ty.kind
                    && value.ty.kind != ty.kind
                    && self.records[id].is_union
                {
                    return self.cast_to_union(value, &ty);
                }
                self.convert(value, &ty)
            }
            Expression::BinaryOperator(binary) => self.binary(&binary.node),
            Expression::Conditional(conditional) => self.conditional(&conditional.node),
            Expression::Comma(list) => {
                let mut value = Typed::void();
                for (i, e) in list.iter().enumerate() {
                    value = if i + 1 == list.len() {
                        self.expr(e)?
                    } else {
                        self.effect(e)?
                    };
                }
                Ok(value)
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node),
            Expression::VaArg(arg) => self.variable_argument(&arg.node),
            Expression::Statement(statement) => self.statement_expression(statement),
            Expression::Member(_)
            | Expression::StringLiteral(_)
            | Expression::CompoundLiteral(_) => {
                let lvalue = self.lvalue_here(e)?;
                self.load(&lvalue)
            }
        }
    }

    /// Evaluates for the effects: an lvalue that is not volatile and not atomic is still read once.
    pub(super) fn effect(&mut self, e: &Node<Expression>) -> Res<Typed> {
        let is_cast_to_void = |e: &Expression| matches!(e, Expression::Cast(_));
        if is_cast_to_void(&e.node) {
            let Expression::Cast(cast) = &e.node else {
                return self.expr(e);
            };
            let ty = self.type_name(&cast.node.type_name)?;
            if ty.is_void() {
                return self.at(e.span, |this| this.effect(&cast.node.expression));
            }
        }
        // `x;` and `(void)x;` of a record or array read nothing.
        if self.is_lvalue(e) {
            let lvalue = self.at(e.span, |this| this.lvalue_here(e))?;
            if lvalue.ty.is_scalar() {
                return self.at(e.span, |this| this.load(&lvalue));
            }
            return Ok(Typed::void());
        }
        self.expr(e)
    }

    fn undeclared<T>(&mut self, name: &str) -> Res<T> {
        self.unknown_name(name, format!("`{name}` is not declared"))
    }

    /// A function as a pointer to it.
    pub(super) fn function_value(&mut self, index: usize) -> Typed {
        let id = self.function_id(index);
        let ty = self.functions[index].ty.clone().pointer_to();
        Typed::scalar(ty, Operand::FuncAddr(id))
    }

    fn size_value(&mut self, ty: &CType) -> Res<Typed> {
        let operand = self.size_operand(ty)?;
        Ok(Typed::scalar(CType::int(self.size_kind()), operand))
    }

    /// A constant of type `size_t`.
    pub(super) fn size_constant(&self, value: u64) -> Typed {
        let operand = constant(u128::from(value), self.pointer_bits());
        Typed::scalar(CType::int(self.size_kind()), operand)
    }

    /// `size_t`: `unsigned int` on i386, `unsigned long` on x86-64.
    pub(super) fn size_kind(&self) -> IntKind {
        if self.pointer_bits() == 32 {
            IntKind::UInt
        } else {
            IntKind::ULong
        }
    }

    /// The type of an expression that is not evaluated, without conversion of arrays and functions.
    pub(super) fn type_of(&mut self, e: &Node<Expression>) -> Res<CType> {
        // The parser takes the name of a type for an expression where both may stand.
        if let Expression::Identifier(name) = &e.node
            && let Some(Symbol::Typedef(ty)) = self.lookup(&name.node.name)
        {
            return Ok(ty.clone());
        }
        self.unevaluated(|this| {
            if this.is_lvalue(e) {
                return Ok(this.lvalue(e)?.ty);
            }
            let value = this.expr(e)?;
            // A function designator keeps its type.
            match (&e.node, value.ty.pointee()) {
                (Expression::Identifier(_), Some(ty)) if matches!(ty.kind, Kind::Function(_)) => {
                    Ok(ty.clone())
                }
                _ => Ok(value.ty),
            }
        })
    }

    /// Lowers something into a block that nothing reaches.
    pub(super) fn unevaluated<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let saved = self.body.current;
        self.body.current = self.body.block();
        let result = f(self);
        self.body.current = saved;
        result
    }

    /// Whether an expression designates an object (by its form and the symbols in scope).
    pub(super) fn is_lvalue(&mut self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::Identifier(name) => {
                matches!(
                    self.lookup(&name.node.name),
                    Some(Symbol::Local(_) | Symbol::Global(_))
                ) || (self.lookup(&name.node.name).is_none() && is_function_name(&name.node.name))
            }
            Expression::StringLiteral(_) | Expression::CompoundLiteral(_) => true,
            Expression::Member(member) => {
                member.node.operator.node == MemberOperator::Indirect
                    || self.is_lvalue(&member.node.expression)
            }
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Indirection,
            Expression::BinaryOperator(b) => b.node.operator.node == BinaryOperator::Index,
            Expression::GenericSelection(_) | Expression::Call(_) => match self.chosen(e) {
                Ok(Some(chosen)) => self.is_lvalue(chosen),
                _ => false,
            },
            _ => false,
        }
    }

    /// What an expression chooses without evaluating anything: `_Generic` and `__builtin_choose_expr`.
    fn chosen<'a>(&mut self, e: &'a Node<Expression>) -> Res<Option<&'a Node<Expression>>> {
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

    /// The object that an expression designates.
    pub(super) fn lvalue(&mut self, e: &Node<Expression>) -> Res<LValue> {
        self.at(e.span, |this| this.lvalue_here(e))
    }

    fn lvalue_here(&mut self, e: &Node<Expression>) -> Res<LValue> {
        match &e.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name).cloned() {
                Some(Symbol::Local(lvalue)) => Ok(lvalue),
                Some(Symbol::Global(index)) => {
                    let id = self.global_id(index);
                    let ty = self.globals[index].ty.clone();
                    Ok(LValue {
                        ty,
                        place: Place::Memory(Operand::GlobalAddr(id, 0)),
                    })
                }
                Some(Symbol::Function(index)) => {
                    let id = self.function_id(index);
                    let ty = self.functions[index].ty.clone();
                    Ok(LValue {
                        ty,
                        place: Place::Memory(Operand::FuncAddr(id)),
                    })
                }
                Some(_) => self.fail(format!("`{}` is no object", name.node.name)),
                None if is_function_name(&name.node.name) => {
                    let text = self.body.name.clone();
                    Ok(self.string_object(text.into_bytes(), IntKind::Char))
                }
                None => self.undeclared(&name.node.name),
            },
            Expression::StringLiteral(text) => {
                let (units, kind) = self.string_units(&text.node)?;
                Ok(self.string_object(units, kind))
            }
            Expression::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                self.compound_literal(ty, &literal.node.initializer_list, e.span)
            }
            Expression::Member(member) => {
                let object = self.member_object(&member.node)?;
                self.member_of(&object, &member.node.identifier.node.name)
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                let pointer = self.expr(&u.node.operand)?;
                self.pointed(pointer)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                let left = self.expr(&b.node.lhs)?;
                let right = self.expr(&b.node.rhs)?;
                let (pointer, index) = if left.ty.is_pointer() {
                    (left, right)
                } else {
                    (right, left)
                };
                let moved = self.add_pointer(pointer, index, false)?;
                self.pointed(moved)
            }
            _ => match self.chosen(e)? {
                Some(chosen) => self.lvalue(chosen),
                None => self.fail("this expression designates no object"),
            },
        }
    }

    /// The record that a member expression looks into.
    fn member_object(&mut self, member: &MemberExpression) -> Res<LValue> {
        match member.operator.node {
            MemberOperator::Indirect => {
                let pointer = self.expr(&member.expression)?;
                self.pointed(pointer)
            }
            MemberOperator::Direct if self.is_lvalue(&member.expression) => {
                self.lvalue(&member.expression)
            }
            MemberOperator::Direct => {
                let value = self.expr(&member.expression)?;
                match value.value {
                    Value::Record(addr) => Ok(LValue {
                        ty: value.ty,
                        place: Place::Memory(addr),
                    }),
                    _ => self.fail("members are asked of something that has none"),
                }
            }
        }
    }

    /// The object behind a pointer value.
    pub(super) fn pointed(&mut self, pointer: Typed) -> Res<LValue> {
        let Some(ty) = pointer.ty.pointee().cloned() else {
            return self.fail("this is not a pointer");
        };
        let addr = self.operand(pointer)?;
        Ok(LValue {
            ty,
            place: Place::Memory(addr),
        })
    }

    /// `&e`.
    fn address(&mut self, e: &Node<Expression>) -> Res<Typed> {
        // `&f` of a function is the function.
        if let Expression::Identifier(name) = &e.node
            && let Some(Symbol::Function(index)) = self.lookup(&name.node.name)
        {
            let index = *index;
            return Ok(self.function_value(index));
        }
        if !self.is_lvalue(e) {
            // GNU C takes the address of a structure value, e.g. of a call.
            let value = self.expr(e)?;
            return match value.value {
                Value::Record(addr) => Ok(Typed::scalar(value.ty.pointer_to(), addr)),
                _ => self.fail("the address of a value that is no object is taken"),
            };
        }
        let lvalue = self.lvalue(e)?;
        match lvalue.place {
            Place::Memory(addr) => Ok(Typed::scalar(lvalue.ty.pointer_to(), addr)),
            Place::Bits(..) => self.fail("the address of a bit-field is taken"),
            Place::Reg(_) => self.fail("the address of a register is taken"),
        }
    }

    fn unary(&mut self, unary: &UnaryOperatorExpression) -> Res<Typed> {
        match unary.operator.node {
            UnaryOperator::Address => self.address(&unary.operand),
            UnaryOperator::PostIncrement => self.increment(&unary.operand, false, false),
            UnaryOperator::PostDecrement => self.increment(&unary.operand, true, false),
            UnaryOperator::PreIncrement => self.increment(&unary.operand, false, true),
            UnaryOperator::PreDecrement => self.increment(&unary.operand, true, true),
            UnaryOperator::Indirection => {
                let pointer = self.expr(&unary.operand)?;
                let lvalue = self.pointed(pointer)?;
                self.load(&lvalue)
            }
            UnaryOperator::Negate => {
                let value = self.expr(&unary.operand)?;
                let cond = self.truth(value)?;
                Ok(Typed::truth(self.not(cond)))
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let value = self.expr(&unary.operand)?;
                self.arithmetic_unary(&unary.operator.node, value)
            }
        }
    }

    /// `c ? a : b`: a select where both sides are pure, control flow otherwise.
    fn conditional(&mut self, c: &ConditionalExpression) -> Res<Typed> {
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

    /// Which association a generic selection chooses (C11 6.5.1.1).
    fn generic_choice(&mut self, selection: &GenericSelection) -> Res<usize> {
        let ty = self.unevaluated(|this| Ok(this.expr(&selection.expression)?.ty))?;
        let ty = ty.unqualified();
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

    fn offset_of(&mut self, offset: &OffsetOfExpression) -> Res<Typed> {
        let ty = self.type_name(&offset.type_name)?;
        // As an address of a member of an object at address 0.
        let zero = constant(0, self.pointer_bits());
        let object = LValue {
            ty,
            place: Place::Memory(zero),
        };
        self.constant_depth += 1;
        let result = self.offset_designator(object, offset);
        self.constant_depth -= 1;
        match result?.place {
            Place::Memory(operand) => Ok(Typed::scalar(CType::int(self.size_kind()), operand)),
            _ => self.fail("the offset of a bit-field is asked"),
        }
    }

    fn offset_designator(&mut self, object: LValue, offset: &OffsetOfExpression) -> Res<LValue> {
        let designator = &offset.designator.node;
        let mut at = self.member_of(&object, &designator.base.node.name)?;
        for member in &designator.members {
            at = match &member.node {
                OffsetMember::Member(name) => self.member_of(&at, &name.node.name)?,
                OffsetMember::IndirectMember(name) => {
                    let pointer = self.load(&at)?;
                    let object = self.pointed(pointer)?;
                    self.member_of(&object, &name.node.name)?
                }
                OffsetMember::Index(e) => {
                    let pointer = self.load(&at)?;
                    let index = self.expr(e)?;
                    let moved = self.add_pointer(pointer, index, false)?;
                    self.pointed(moved)?
                }
            };
        }
        Ok(at)
    }

    /// GNU C: a value as the member of a union that has its type.
    fn cast_to_union(&mut self, value: Typed, ty: &CType) -> Res<Typed> {
        let Kind::Record(id) = ty.kind else {
            return self.fail("not a union");
        };
        let fields = self.records[id].fields.clone().unwrap_or_default();
        let Some(field) = fields
            .iter()
            .find(|f| compatible(&f.ty.unqualified(), &value.ty))
        else {
            return self.fail("the union has no member of this type");
        };
        let addr = self.temporary(ty, "(union)")?;
        let target = LValue {
            ty: field.ty.unqualified(),
            place: Place::Memory(addr),
        };
        self.store(&target, value)?;
        Ok(Typed {
            ty: ty.unqualified(),
            value: Value::Record(addr),
        })
    }
}

/// The types that `__builtin_types_compatible_p` compares, which `syntax` writes as a selection on its name.
fn types_to_compare(selection: &GenericSelection) -> Option<(&Node<TypeName>, &Node<TypeName>)> {
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

/// The identifiers that stand for the name of the function around them.
fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
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
