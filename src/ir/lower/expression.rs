//! Expressions: values and lvalues (C11 6.5). Operators are in `operator`, assignments in `assign`,
//! conditions in `condition`, calls in `call`.

use super::attribute::Attributes;
use super::body::constant;
use super::choice::types_to_compare;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, compatible};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res, Symbol};
use crate::ir::faults::{self, Fault};
use crate::ir::layout::size_of;
use crate::ir::{BinOp, Operand};
use lang_c::ast::{
    BinaryOperator, Expression, MemberExpression, MemberOperator, OffsetMember, OffsetOfExpression,
    SpecifierQualifier, TypeName, TypeOf, TypeSpecifier, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;

impl Lowerer {
    /// The value of an expression, after lvalue conversion.
    pub(super) fn expr(&mut self, e: &Node<Expression>) -> Res<Typed> {
        self.addressed = false;
        let accessed = std::mem::take(&mut self.accessed);
        self.at(e.span, |this| this.value_here(e, accessed))
    }

    /// The same; `accessed` if the value is a pointer through which something is accessed next.
    fn value_here(&mut self, e: &Node<Expression>, accessed: bool) -> Res<Typed> {
        if let Expression::Identifier(name) = &e.node
            && let Some((value, ty)) = self.fixed(&name.node.name).cloned()
        {
            let bits = self.bits(&ty);
            return Ok(Typed::scalar(ty, constant(value, bits)));
        }
        if self.is_lvalue(e) {
            let lvalue = self.lvalue_here(e)?;
            // A pointer without a value leads to what is not there.
            self.discards = accessed;
            let value = self.load(&lvalue);
            self.discards = false;
            return value;
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
                let align = self.asked_alignment(&name.node.0)?;
                Ok(self.size_constant(align))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node, accessed),
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
            Expression::BinaryOperator(binary) => self.binary(&binary.node, accessed),
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
            if let Place::Reg(reg) = lvalue.place {
                // `(void)x;` only says that `x` is not used.
                return Ok(Typed::scalar(lvalue.ty.unqualified(), Operand::Reg(reg)));
            }
            if lvalue.ty.is_scalar() {
                self.discards = true;
                let value = self.at(e.span, |this| this.load(&lvalue));
                self.discards = false;
                return value;
            }
            return Ok(Typed::void());
        }
        self.expr(e)
    }

    /// Value of `_Alignof`, in bytes. `syntax` marks `__alignof__`, which asks for the alignment that is preferred, and
    /// operands that may be an expression. The alignment of a member is what it must have.
    fn asked_alignment(&mut self, name: &Node<TypeName>) -> Res<u64> {
        let mut marks = Attributes::default();
        let mut member = false;
        let mut object = false;
        for specifier in &name.node.specifiers {
            match &specifier.node {
                SpecifierQualifier::Extension(e) => self.attributes(e, &mut marks)?,
                SpecifierQualifier::TypeSpecifier(ty) => {
                    if let TypeSpecifier::TypeOf(of) = &ty.node
                        && let TypeOf::Expression(e) = &of.node
                    {
                        // The parser takes the name of a type for an expression where both may stand.
                        let is_type = matches!(&e.node, Expression::Identifier(name)
                            if matches!(self.lookup(&name.node.name), Some(Symbol::Typedef(_))));
                        object = !is_type;
                        member = matches!(e.node, Expression::Member(_));
                    }
                }
                SpecifierQualifier::TypeQualifier(_) => {}
            }
        }
        let ty = self.type_name(name)?;
        let is_member = marks.operand && member;
        Ok(
            if (marks.preferred || marks.operand && object) && !is_member {
                self.preferred_align(&ty)
            } else {
                self.align(&ty)
            },
        )
    }

    fn undeclared<T>(&mut self, name: &str) -> Res<T> {
        let text = format!("`{name}` is not declared{}", self.hint(name));
        self.unknown_name(name, text)
    }

    /// A function as a pointer to it.
    pub(super) fn function_value(&mut self, index: usize) -> Typed {
        let id = self.function_id(index);
        let ty = self.functions[index].ty.clone().pointer_to();
        Typed::scalar(ty, Operand::FuncAddr(id))
    }

    fn size_value(&mut self, ty: &CType) -> Res<Typed> {
        let mut operand = self.size_operand(ty)?;
        if let Kind::Array(element, _) = &ty.kind
            && ty.is_variable()
            && faults::on(Fault::VariableSize)
        {
            let (each, bits) = (self.size_operand(element)?, self.pointer_bits());
            operand = self.body.binary(BinOp::Add, operand, each, bits);
        }
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

    /// Lvalues: true if an expression designates an object (by its form and the symbols in scope).
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
                    // One object for the whole function.
                    Ok(self.string_object(text.into_bytes(), IntKind::Char, usize::MAX))
                }
                None => self.undeclared(&name.node.name),
            },
            Expression::StringLiteral(text) => {
                let (units, kind) = self.string_units(&text.node)?;
                Ok(self.string_object(units, kind, self.loc(e.span).0 as usize))
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
                let pointer = self.followed(&u.node.operand)?;
                self.pointed(pointer)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                let addressed = std::mem::take(&mut self.addressed);
                self.check_binary(&b.node);
                self.accessed = !addressed;
                let left = self.expr(&b.node.lhs)?;
                let right = self.expr(&b.node.rhs)?;
                let (pointer, index) = if left.ty.is_pointer() {
                    (left, right)
                } else {
                    (right, left)
                };
                let moved = self.move_pointer(pointer, index, false)?;
                if addressed {
                    self.check_within(&moved);
                }
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
                let pointer = self.followed(&member.expression)?;
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

    /// The pointer whose object is accessed next, unless its address is taken. Where arithmetic on it leads is then the access's
    /// business.
    fn followed(&mut self, e: &Node<Expression>) -> Res<Typed> {
        if std::mem::take(&mut self.addressed) || !self.checks_undefined() {
            return self.expr(e);
        }
        self.accessed = true;
        self.expr(e)
    }

    /// The object behind a pointer value.
    pub(super) fn pointed(&mut self, pointer: Typed) -> Res<LValue> {
        let Some(ty) = pointer.ty.pointee().cloned() else {
            let ty = self.spell(&pointer.ty);
            return self.fail(format!("this is not a pointer: its type is `{ty}`"));
        };
        let addr = self.operand(pointer)?;
        self.note_pointee(addr, &ty);
        Ok(LValue {
            ty,
            place: Place::Memory(addr),
        })
    }

    /// Takes note of the type of the object at an address; of several types the greatest, as any object may be accessed as
    /// characters.
    pub(super) fn note_pointee(&mut self, addr: Operand, ty: &CType) {
        let (Operand::Reg(reg), Some(size)) = (addr, self.size(ty).filter(|size| *size > 0)) else {
            return;
        };
        let pointer_bytes = u64::from(self.pointer_bits() / 8);
        let known = self.body.regs[reg].pointee;
        let is_object = !matches!(ty.kind, Kind::Void | Kind::Function(_));
        let is_greater = |known| size_of(&self.types, known, pointer_bytes) < size;
        if is_object && known.is_none_or(is_greater) {
            let pointee = self.intern(ty);
            self.body.regs[reg].pointee = Some(pointee);
        }
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
        if let Expression::Identifier(name) = &e.node
            && self.is_register(&name.node.name)
        {
            let text = format!("the address of `{}` is taken, a `register`", name.node.name);
            return self.error(e.span, text);
        }
        self.addressed = true;
        let lvalue = self.lvalue(e);
        self.addressed = false;
        let lvalue = lvalue?;
        match lvalue.place {
            Place::Memory(addr) => Ok(Typed::scalar(lvalue.ty.pointer_to(), addr)),
            Place::Bits(..) => self.fail("the address of a bit-field is taken"),
            Place::Reg(_) => self.fail("the address of a register is taken"),
        }
    }

    fn unary(&mut self, unary: &UnaryOperatorExpression, accessed: bool) -> Res<Typed> {
        match unary.operator.node {
            UnaryOperator::Address => self.address(&unary.operand),
            UnaryOperator::PostIncrement => {
                self.increment(&unary.operand, (false, false), accessed)
            }
            UnaryOperator::PostDecrement => self.increment(&unary.operand, (true, false), accessed),
            UnaryOperator::PreIncrement => self.increment(&unary.operand, (false, true), accessed),
            UnaryOperator::PreDecrement => self.increment(&unary.operand, (true, true), accessed),
            UnaryOperator::Indirection => {
                let pointer = self.followed(&unary.operand)?;
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
                    let moved = self.move_pointer(pointer, index, false)?;
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

/// The identifiers that stand for the name of the function around them.
fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}
