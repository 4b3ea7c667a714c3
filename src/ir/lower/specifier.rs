//! Types as the source writes them: declaration specifiers, declarators, type names.

use super::attribute::Attributes;
use super::body::constant;
use super::ctype::{CType, FloatKind, IntKind, Kind, Length, Quals, Signature};
use super::{Lowerer, Res, Symbol};
use crate::ir::{BinOp, Operand, Undefined};
use lang_c::ast::{
    AlignmentSpecifier, ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind,
    DerivedDeclarator, Ellipsis, FunctionDeclarator, FunctionSpecifier, Identifier,
    ParameterDeclaration, PointerQualifier, SpecifierQualifier, StorageClassSpecifier, TypeName,
    TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// Storage class and attributes of a declaration: what its specifiers say besides the type.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    pub typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
    pub thread_local: bool,
    pub is_register: bool,
    /// Attributes among the specifiers.
    pub attributes: Attributes,
}

/// Specifiers of a declaration, sorted by kind.
#[derive(Default)]
struct Specifiers<'a> {
    types: Vec<&'a Node<TypeSpecifier>>,
    quals: Quals,
    restricted: bool,
    storage: Storage,
    attributes: Attributes,
}

/// A type with unknown parameters and an `int` result, as an undeclared function has.
pub(super) fn unknown_function() -> CType {
    CType::new(Kind::Function(Rc::new(Signature {
        result: CType::int(IntKind::Int),
        params: Vec::new(),
        variadic: false,
        prototyped: false,
    })))
}

/// The identifier that a declarator declares.
pub(super) fn declared_name(declarator: &Declarator) -> Option<&Node<Identifier>> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}

/// The parameter list of the function that a declarator declares, if it declares one.
pub(super) fn parameter_list(declarator: &Declarator) -> Option<&Node<DerivedDeclarator>> {
    match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => parameter_list(&inner.node),
        _ => declarator
            .derived
            .iter()
            .find(|d| !matches!(d.node, DerivedDeclarator::Pointer(_)))
            .filter(|d| {
                matches!(
                    d.node,
                    DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_)
                )
            }),
    }
}

impl Lowerer {
    /// The type and storage that declaration specifiers give; `alone` if no declarator follows.
    pub(super) fn declaration_specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        span: Span,
        alone: bool,
    ) -> Res<(CType, Storage)> {
        let mut found = Specifiers::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => found.storage.typedef = true,
                    StorageClassSpecifier::Extern => found.storage.is_extern = true,
                    StorageClassSpecifier::Static => found.storage.is_static = true,
                    StorageClassSpecifier::ThreadLocal => found.storage.thread_local = true,
                    StorageClassSpecifier::Register => found.storage.is_register = true,
                    StorageClassSpecifier::Auto => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => found.types.push(ty),
                DeclarationSpecifier::TypeQualifier(q) => {
                    found.restricted |= q.node == TypeQualifier::Restrict;
                    found.quals = qualified(found.quals, &q.node)
                }
                DeclarationSpecifier::Function(f) => {
                    found.attributes.never_returns |= f.node == FunctionSpecifier::Noreturn;
                }
                DeclarationSpecifier::Alignment(a) => {
                    let align = match &a.node {
                        AlignmentSpecifier::Type(name) => {
                            let ty = self.type_name(name)?;
                            self.align(&ty) as u32
                        }
                        AlignmentSpecifier::Constant(e) => {
                            u32::try_from(self.constant_int(e)?).unwrap_or(0)
                        }
                    };
                    if align != 0 && !align.is_power_of_two() {
                        return self.error(a.span, "an alignment must be a power of two");
                    }
                    found.attributes.object_align = found.attributes.object_align.max(align);
                }
                DeclarationSpecifier::Extension(e) => self.attributes(e, &mut found.attributes)?,
            }
        }
        let classes = [
            found.storage.typedef,
            found.storage.is_extern,
            found.storage.is_static,
            found.storage.is_register,
        ];
        if classes.into_iter().filter(|is_there| *is_there).count() > 1 {
            let text = "two storage classes in one declaration; leave one out";
            return self.error(span, text);
        }
        let mut storage = found.storage.clone();
        storage.attributes = found.attributes.clone();
        Ok((self.specified_type(found, span, alone)?, storage))
    }

    /// The type that a specifier-qualifier list gives.
    pub(super) fn qualified_type(
        &mut self,
        specifiers: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> Res<CType> {
        let mut found = Specifiers::default();
        for specifier in specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => found.types.push(ty),
                SpecifierQualifier::TypeQualifier(q) => {
                    found.quals = qualified(found.quals, &q.node)
                }
                SpecifierQualifier::Extension(e) => self.attributes(e, &mut found.attributes)?,
            }
        }
        self.specified_type(found, span, false)
    }

    /// The type that a type name names.
    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Res<CType> {
        let base = self.qualified_type(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => self.declarator_type(base, declarator),
            None => Ok(base),
        }
    }

    fn specified_type(&mut self, found: Specifiers, span: Span, alone: bool) -> Res<CType> {
        let mut attributes = found.attributes;
        let mut words = Words::default();
        let mut whole: Option<CType> = None;
        for specifier in &found.types {
            let span = specifier.span;
            let ty = match &specifier.node {
                TypeSpecifier::Void => CType::void(),
                TypeSpecifier::Bool => CType::new(Kind::Bool),
                TypeSpecifier::Atomic(name) => {
                    let ty = self.type_name(name)?;
                    ty.with_quals(Quals {
                        atomic: true,
                        ..Quals::default()
                    })
                }
                TypeSpecifier::Struct(record) => {
                    // Attributes after the members belong to the record.
                    let ty = self.record_type(record, &attributes, alone)?;
                    attributes.align = 0;
                    ty
                }
                TypeSpecifier::Enum(e) => self.enum_type(e, &attributes)?,
                TypeSpecifier::TypedefName(name) => self.typedef_name(name)?,
                TypeSpecifier::TypeOf(of) => match &of.node {
                    TypeOf::Expression(e) => {
                        let ty = self.type_of(e)?;
                        if let Kind::Int(IntKind::Field { width, .. }) = ty.kind {
                            return self.error(
                                e.span,
                                format!(
                                    "this is a bit-field's value of {width} bits, whose type has no name; \
                                     cast it to a type that has one"
                                ),
                            );
                        }
                        ty
                    }
                    TypeOf::Type(name) => self.type_name(name)?,
                },
                TypeSpecifier::Complex => {
                    return self.error(span, "complex numbers are not modelled");
                }
                TypeSpecifier::TS18661Float(float) => {
                    let kind = match float.width {
                        32 => FloatKind::Float,
                        64 => FloatKind::Double,
                        128 => FloatKind::Quad,
                        _ => return self.error(span, "this floating type is not modelled"),
                    };
                    CType::new(Kind::Float(kind))
                }
                word => {
                    words.add(word);
                    continue;
                }
            };
            if whole.replace(ty).is_some() {
                return self.error(span, "two types in one declaration");
            }
        }
        let ty = match (whole, words.any) {
            (Some(ty), false) => ty,
            (None, true) => match words.kind() {
                Some(Kind::Int(IntKind::Char)) => CType::int(self.plain_char()),
                Some(kind) => CType::new(kind),
                None => return self.error(span, "these type specifiers do not go together"),
            },
            // Old C: no type means int.
            (None, false) => CType::int(IntKind::Int),
            // `unsigned` before `__int128` given as a type name.
            (
                Some(CType {
                    kind: Kind::Int(kind @ IntKind::Int128),
                    ..
                }),
                true,
            ) if words.only_sign() => CType::int(if words.unsigned {
                kind.unsigned()
            } else {
                kind
            }),
            (Some(_), true) => return self.error(span, "two types in one declaration"),
        };
        let ty = if attributes.unqualified {
            without_quals(&ty)
        } else {
            ty
        };
        let outer = std::mem::replace(&mut self.in_typedef, found.storage.typedef);
        let ty = attributes.apply(ty, self);
        self.in_typedef = outer;
        if found.restricted && !ty.is_pointer() {
            let text = format!(
                "`restrict` is for pointers, and this is `{}`",
                self.spell(&ty)
            );
            return self.error(span, text);
        }
        Ok(ty.with_quals(found.quals))
    }

    fn typedef_name(&mut self, name: &Node<Identifier>) -> Res<CType> {
        match self.lookup(&name.node.name) {
            Some(Symbol::Typedef(ty)) => return Ok(ty.clone()),
            Some(_) => return self.error(name.span, format!("`{}` is not a type", name.node.name)),
            None => {}
        }
        match name.node.name.as_str() {
            "__builtin_va_list" => Ok(self.va_list_type()),
            "__int128" | "__int128_t" => Ok(CType::int(IntKind::Int128)),
            "__uint128_t" => Ok(CType::int(IntKind::UInt128)),
            other => {
                self.body.loc = self.loc(name.span);
                let text = format!("`{other}` is not declared as a type");
                self.unknown_name(other, text)
            }
        }
    }

    /// `va_list`: a pointer on i386, an array of one record of 24 bytes on x86-64.
    fn va_list_type(&mut self) -> CType {
        let byte = CType::int(IntKind::Char);
        if self.pointer_bits() == 32 {
            return byte.pointer_to();
        }
        let word = CType::int(IntKind::ULong);
        let state = CType::new(Kind::Array(Rc::new(word), Length::Known(3)));
        CType::new(Kind::Array(Rc::new(state), Length::Known(1)))
    }

    /// The type that a declarator makes of `base`, attributes of the declarator included.
    pub(super) fn declarator_type(
        &mut self,
        base: CType,
        declarator: &Node<Declarator>,
    ) -> Res<CType> {
        let mut attributes = Attributes::default();
        self.attributes(&declarator.node.extensions, &mut attributes)?;
        let base = attributes.apply(base, self);
        let mut ty = base;
        let derived = &declarator.node.derived;
        let pointers = derived
            .iter()
            .take_while(|d| {
                matches!(
                    d.node,
                    DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_)
                )
            })
            .count();
        for pointer in &derived[..pointers] {
            let DerivedDeclarator::Pointer(qualifiers) = &pointer.node else {
                return self.error(pointer.span, "blocks are not C");
            };
            ty = ty.pointer_to();
            for qualifier in qualifiers {
                if let PointerQualifier::TypeQualifier(q) = &qualifier.node {
                    ty.quals = qualified(ty.quals, &q.node);
                }
            }
        }
        // The array that the next one is made of has no length.
        let mut is_open = false;
        for suffix in derived[pointers..].iter().rev() {
            let is_function = !matches!(
                suffix.node,
                DerivedDeclarator::Array(_) | DerivedDeclarator::Pointer(_)
            );
            if is_function && matches!(ty.kind, Kind::Array(..) | Kind::Function(_)) {
                let text = format!("a function cannot return `{}`", self.spell(&ty));
                return self.error(suffix.span, text);
            }
            ty = match &suffix.node {
                DerivedDeclarator::Array(array) => {
                    let length = self.array_length(&array.node.size)?;
                    let is_function = matches!(ty.kind, Kind::Function(_));
                    if is_function || ty.is_void() || is_open {
                        let text = format!("there is no array of `{}`", self.spell(&ty));
                        return self.error(suffix.span, text);
                    }
                    is_open = matches!(array.node.size, ArraySize::Unknown);
                    if self.size(&ty).is_none() && !ty.is_variable() && !self.in_prototype {
                        return self.error(suffix.span, "array of an incomplete type");
                    }
                    CType::new(Kind::Array(Rc::new(ty), length))
                }
                DerivedDeclarator::Function(function) => self.function_type(ty, &function.node)?,
                DerivedDeclarator::KRFunction(_) => {
                    CType::new(Kind::Function(Rc::new(Signature {
                        result: ty,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    })))
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => ty.pointer_to(),
            };
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => self.declarator_type(ty, inner),
            _ => Ok(ty),
        }
    }

    fn array_length(&mut self, size: &ArraySize) -> Res<Length> {
        let expression = match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => return Ok(Length::Unknown),
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => e,
        };
        if self.in_prototype && self.try_constant_int(expression).is_none() {
            return Ok(Length::Unknown);
        }
        let value = self.expr(expression)?;
        if !value.ty.is_integer() {
            return self.error(expression.span, "the length of an array must be an integer");
        }
        let signed = value.ty.is_signed();
        let bits = self.bits(&value.ty);
        match self.operand(value)? {
            Operand::Const { value, .. } => {
                let negative = signed && super::fold::sign_extend(value, bits) >> 127 != 0;
                match u64::try_from(value) {
                    Ok(length) if !negative => Ok(Length::Known(length)),
                    _ => self.error(expression.span, "negative array length"),
                }
            }
            _ if self.constant_depth > 0 || self.scopes.len() == 1 => {
                self.error(expression.span, "the length of this array must be constant")
            }
            operand => {
                if self.checks_undefined() {
                    let zero = constant(0, bits);
                    let positive = if signed { BinOp::SLt } else { BinOp::ULt };
                    let positive = self.body.binary(positive, zero, operand, bits);
                    self.body.defined(positive, Undefined::ArrayLength);
                }
                let pointer_bits = self.pointer_bits();
                let count = self.body.resize(operand, bits, pointer_bits, signed);
                // A copy: the variables of the expression may change later.
                let count = self
                    .body
                    .assign(pointer_bits, crate::ir::Rvalue::Use(count));
                Ok(Length::Variable(count))
            }
        }
    }

    fn function_type(&mut self, result: CType, function: &FunctionDeclarator) -> Res<CType> {
        let saved = std::mem::replace(&mut self.in_prototype, true);
        self.scopes.push(super::Scope::default());
        let params: Res<Vec<CType>> = function
            .parameters
            .iter()
            .map(|p| self.parameter_type(p))
            .collect();
        self.scopes.pop();
        self.in_prototype = saved;
        let mut params = params?;
        if params.len() == 1 && params[0].is_void() {
            params.clear();
        }
        if let Some(at) = params.iter().position(CType::is_void) {
            let span = function.parameters[at].span;
            return self.error(span, "a parameter cannot be `void`");
        }
        Ok(CType::new(Kind::Function(Rc::new(Signature {
            result,
            params,
            variadic: function.ellipsis == Ellipsis::Some,
            prototyped: !function.parameters.is_empty(),
        }))))
    }

    /// The type of a parameter, arrays and functions adjusted to pointers.
    pub(super) fn parameter_type(&mut self, parameter: &Node<ParameterDeclaration>) -> Res<CType> {
        let (base, _) =
            self.declaration_specifiers(&parameter.node.specifiers, parameter.span, false)?;
        let ty = match &parameter.node.declarator {
            Some(declarator) => self.declarator_type(base, declarator)?,
            None => base,
        };
        Ok(adjusted(ty))
    }
}

/// A type without its qualifiers; those of an array are those of its elements.
fn without_quals(ty: &CType) -> CType {
    match &ty.kind {
        Kind::Array(element, length) => CType {
            kind: Kind::Array(Rc::new(without_quals(element)), *length),
            ..ty.unqualified()
        },
        _ => ty.unqualified(),
    }
}

/// A parameter's type as C adjusts it.
pub(super) fn adjusted(ty: CType) -> CType {
    match &ty.kind {
        Kind::Array(element, _) => (**element).clone().pointer_to(),
        Kind::Function(_) => ty.pointer_to(),
        _ => ty,
    }
}

fn qualified(mut quals: Quals, qualifier: &TypeQualifier) -> Quals {
    match qualifier {
        TypeQualifier::Const => quals.is_const = true,
        TypeQualifier::Volatile => quals.volatile = true,
        TypeQualifier::Atomic => quals.atomic = true,
        _ => {}
    }
    quals
}

/// The keywords that combine to an arithmetic type.
#[derive(Default)]
struct Words {
    any: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
}

impl Words {
    fn add(&mut self, word: &TypeSpecifier) {
        self.any = true;
        match word {
            TypeSpecifier::Char => self.char = true,
            TypeSpecifier::Short => self.short = true,
            TypeSpecifier::Int => self.int = true,
            TypeSpecifier::Long => self.long += 1,
            TypeSpecifier::Float => self.float = true,
            TypeSpecifier::Double => self.double = true,
            TypeSpecifier::Signed => self.signed = true,
            TypeSpecifier::Unsigned => self.unsigned = true,
            _ => {}
        }
    }

    fn only_sign(&self) -> bool {
        !(self.char || self.short || self.int || self.long > 0 || self.float || self.double)
    }

    fn kind(&self) -> Option<Kind> {
        if self.signed && self.unsigned {
            return None;
        }
        if self.float || self.double {
            let plain = !(self.char || self.short || self.int || self.signed || self.unsigned);
            return match (self.float, self.double, self.long, plain) {
                (true, false, 0, true) => Some(Kind::Float(FloatKind::Float)),
                (false, true, 0, true) => Some(Kind::Float(FloatKind::Double)),
                (false, true, 1, true) => Some(Kind::Float(FloatKind::LongDouble)),
                _ => None,
            };
        }
        let kind = match (self.char, self.short, self.long) {
            (true, false, 0) if !self.int => match (self.signed, self.unsigned) {
                (true, _) => IntKind::SChar,
                (_, true) => return Some(Kind::Int(IntKind::UChar)),
                _ => IntKind::Char,
            },
            (false, true, 0) => IntKind::Short,
            (false, false, 0) => IntKind::Int,
            (false, false, 1) => IntKind::Long,
            (false, false, 2) => IntKind::LongLong,
            _ => return None,
        };
        Some(Kind::Int(if self.unsigned {
            kind.unsigned()
        } else {
            kind
        }))
    }
}
