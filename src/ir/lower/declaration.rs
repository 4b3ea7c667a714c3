//! Declarations at file scope and in blocks (C11 6.7, 6.9).

use super::assignable::Taker;
use super::attribute::Attributes;
use super::body::ScopeEnd;
use super::convert::Typed;
use super::ctype::{CType, IntKind, Kind};
use super::indeterminate::uses;
use super::initializer::Init;
use super::lvalue::{LValue, Place};
use super::redeclare::Declared;
use super::specifier::{Storage, declared_name};
use super::{Lowerer, Res, Symbol};
use crate::ir::faults::{self, Fault};
use crate::ir::{
    AllocKind, Callee, ExternCall, Instr, InstrKind, NondetSource, Operand, RegInfo, Rvalue,
};
use lang_c::ast::{Declaration, Identifier, InitDeclarator, Initializer};
use lang_c::span::Node;

impl Lowerer {
    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, declaration: &Node<Declaration>) -> Res<()> {
        self.body.loc = self.loc(declaration.span);
        let d = &declaration.node;
        let alone = d.declarators.is_empty();
        let (base, storage) =
            self.declaration_specifiers(&d.specifiers, declaration.span, alone)?;
        for declarator in &d.declarators {
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            let base = self.type_of_value(&base, &storage, &declarator.node)?;
            self.in_typedef = storage.typedef;
            let ty = self.declarator_type(base, &declarator.node.declarator);
            self.in_typedef = false;
            let ty = storage.attributes.of_object(ty?);
            if !storage.typedef {
                self.check_static(name, storage.is_static);
            }
            if self.declare_common(name, &ty, &storage, &declarator.node)? {
                continue;
            }
            self.check_object(name, &ty, &storage)?;
            let index = self.linked_global(&name.node.name, ty.clone(), self.loc(name.span));
            self.check_new(name, Declared::Linked(index))?;
            self.declare(&name.node.name, Symbol::Global(index));
            let draft = &mut self.globals[index];
            draft.thread_local |= storage.thread_local;
            draft.read_only = ty.is_const();
            let init = declarator.node.initializer.as_ref().map(Init::of);
            let at = self.loc(name.span);
            let mut attributes = storage.attributes.clone();
            self.attributes(&declarator.node.declarator.node.extensions, &mut attributes)?;
            self.globals[index].linkage.weak |= attributes.weak;
            if init.is_some() {
                let strength = self.strength_of(&name.node.name, &attributes);
                let mut linkage = std::mem::take(&mut self.globals[index].linkage);
                let counts = self.defines(&mut linkage, strength, (&name.node.name, at));
                self.globals[index].linkage = linkage;
                if !counts {
                    continue;
                }
            } else if storage.is_extern || self.globals[index].linkage.defined.is_some() {
                continue;
            }
            self.globals[index].loc = at;
            self.define_global(index, init)?;
            self.fix(name, &storage, &declarator.node)?;
        }
        Ok(())
    }

    /// An object has a type that objects have.
    fn check_object(&self, name: &Node<Identifier>, ty: &CType, storage: &Storage) -> Res<()> {
        if ty.is_void() && !storage.is_extern {
            let text = format!("`{}` is `void`, which no object can be", name.node.name);
            return self.error(name.span, text);
        }
        Ok(())
    }

    /// Typedefs and functions, which are declared alike in all scopes; whether it was one.
    fn declare_common(
        &mut self,
        name: &Node<Identifier>,
        ty: &CType,
        storage: &Storage,
        declarator: &InitDeclarator,
    ) -> Res<bool> {
        if storage.typedef {
            let mut attributes = storage.attributes.clone();
            self.attributes(&declarator.declarator.node.extensions, &mut attributes)?;
            if let Kind::Record(id) = ty.kind
                && self.records[id].is_union
            {
                self.records[id].transparent |= attributes.transparent;
            }
            self.check_new(name, Declared::Typedef(ty))?;
            if let Kind::Record(id) = ty.kind {
                let name = || name.node.name.clone();
                self.record_names.entry(id).or_insert_with(name);
            }
            self.declare(&name.node.name, Symbol::Typedef(ty.clone()));
            return Ok(true);
        }
        let Kind::Function(signature) = &ty.kind else {
            return Ok(false);
        };
        self.check_new(name, Declared::Function)?;
        let mut attributes = storage.attributes.clone();
        self.attributes(&declarator.declarator.node.extensions, &mut attributes)?;
        if let Some(target) = &attributes.alias {
            let index = self.function_named(target, self.loc(name.span));
            self.name_function(&name.node.name, index);
        }
        let at = self.loc(name.span);
        let index = self.function_named(&name.node.name, at);
        // An alias may have another type than what it stands for.
        if attributes.alias.is_none() {
            self.agree_on_function(index, ty, at);
        }
        // A declaration without parameters does not hide a prototype.
        let known = matches!(&self.functions[index].ty.kind, Kind::Function(s) if s.prototyped);
        if signature.prototyped || !known {
            self.functions[index].ty = ty.unqualified();
        }
        self.functions[index].declared = true;
        self.functions[index].linkage.weak |= attributes.weak;
        self.functions[index].never_returns |= attributes.never_returns;
        self.declare(&name.node.name, Symbol::Function(index));
        self.runs_around_main(index, &attributes);
        Ok(true)
    }

    /// Notes a function that runs before or after `main`.
    pub(super) fn runs_around_main(&mut self, index: usize, attributes: &Attributes) {
        let lists = [
            (attributes.constructor, &mut self.constructors),
            (attributes.destructor, &mut self.destructors),
        ];
        for (priority, list) in lists {
            if let Some(priority) = priority
                && !list.iter().any(|(_, known)| *known == index)
            {
                list.push((priority, index));
            }
        }
    }

    /// A declaration in a block.
    pub(super) fn local_declaration(&mut self, declaration: &Node<Declaration>) -> Res<()> {
        self.body.loc = self.loc(declaration.span);
        let d = &declaration.node;
        let alone = d.declarators.is_empty();
        let (base, storage) =
            self.declaration_specifiers(&d.specifiers, declaration.span, alone)?;
        for declarator in &d.declarators {
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            self.body.loc = self.loc(name.span);
            let base = self.type_of_value(&base, &storage, &declarator.node)?;
            self.in_typedef = storage.typedef;
            let ty = self.declarator_type(base, &declarator.node.declarator);
            self.in_typedef = false;
            let ty = storage.attributes.of_object(ty?);
            if self.declare_common(name, &ty, &storage, &declarator.node)? {
                continue;
            }
            self.check_object(name, &ty, &storage)?;
            if storage.is_extern {
                if let Some(init) = &declarator.node.initializer {
                    let text = "an `extern` object in a block cannot have a value; \
                                give it one at file scope";
                    return self.error(init.span, text);
                }
                let index = self.linked_global(&name.node.name, ty, self.loc(name.span));
                self.globals[index].thread_local |= storage.thread_local;
                self.check_new(name, Declared::Linked(index))?;
                self.declare(&name.node.name, Symbol::Global(index));
            } else if storage.is_static || storage.thread_local {
                self.static_local(name, ty, &storage, &declarator.node)?;
                self.fix(name, &storage, &declarator.node)?;
            } else {
                let mut attributes = storage.attributes.clone();
                let extensions = &declarator.node.declarator.node.extensions;
                self.attributes(extensions, &mut attributes)?;
                match &declarator.node.initializer {
                    Some(init) if storage.attributes.from_value => {
                        // The name is not yet in scope in the value.
                        let value = match scalar_initializer(init) {
                            Some(e) => self.expr(e)?,
                            None => self.zero(),
                        };
                        let target = ty.unqualified();
                        let value = self.convert(value, &target)?;
                        self.local(name, ty, None)?;
                        let Some(Symbol::Local(object)) = self.lookup(&name.node.name).cloned()
                        else {
                            continue;
                        };
                        let place = object.place;
                        self.store(&LValue { ty: target, place }, value)?;
                    }
                    initializer => self.local(name, ty, initializer.as_ref())?,
                }
                self.fix(name, &storage, &declarator.node)?;
                if storage.is_register
                    && let Some(scope) = self.scopes.last_mut()
                {
                    scope.registers.insert(name.node.name.clone());
                }
                if let Some(function) = &attributes.cleanup
                    && !faults::on(Fault::CleanupLost)
                {
                    self.clean_up(name, function)?;
                }
            }
        }
        Ok(())
    }

    /// Notes the value of a `constexpr` object that is an integer: its name is a constant from now on.
    fn fix(
        &mut self,
        name: &Node<Identifier>,
        storage: &Storage,
        declarator: &InitDeclarator,
    ) -> Res<()> {
        if !storage.attributes.constexpr {
            return Ok(());
        }
        let Some(init) = &declarator.initializer else {
            return self.error(name.span, "a `constexpr` object needs a value");
        };
        let ty = match self.lookup(&name.node.name) {
            Some(Symbol::Local(object)) => object.ty.unqualified(),
            Some(Symbol::Global(index)) => self.globals[*index].ty.unqualified(),
            _ => return Ok(()),
        };
        if !ty.is_integer() {
            return Ok(());
        }
        let value = match scalar_initializer(init) {
            Some(e) => self.constant_value(e, &ty)?,
            None => Operand::Const {
                value: 0,
                bits: self.bits(&ty),
            },
        };
        let Operand::Const { value, .. } = value else {
            return self.error(init.span, "this must be an integer constant");
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.fixed.insert(name.node.name.clone(), (value, ty));
        }
        Ok(())
    }

    fn static_local(
        &mut self,
        name: &Node<Identifier>,
        ty: CType,
        storage: &Storage,
        declarator: &InitDeclarator,
    ) -> Res<()> {
        self.check_new(name, Declared::Object)?;
        let full = format!("{}::{}", self.body.name, name.node.name);
        let read_only = ty.is_const();
        let index = self.new_global(&full, ty, self.loc(name.span));
        self.globals[index].thread_local = storage.thread_local;
        self.globals[index].read_only = read_only;
        self.declare(&name.node.name, Symbol::Global(index));
        self.define_global(index, declarator.initializer.as_ref().map(Init::of))
    }

    /// The type of a declaration: for `__auto_type`, that of its value.
    fn type_of_value(
        &mut self,
        base: &CType,
        storage: &Storage,
        declarator: &InitDeclarator,
    ) -> Res<CType> {
        if !storage.attributes.from_value {
            return Ok(base.clone());
        }
        let span = declarator.declarator.span;
        let (true, Some(init)) = (
            declarator.declarator.node.derived.is_empty(),
            &declarator.initializer,
        ) else {
            return self.error(
                span,
                "`__auto_type` needs the form `__auto_type name = value`",
            );
        };
        let Initializer::Expression(e) = &init.node else {
            return self.error(
                init.span,
                "the value of `__auto_type` must be an expression",
            );
        };
        let ty = self.unevaluated(|this| Ok(this.expr(e)?.ty))?;
        if let Kind::Int(IntKind::Field { .. }) = ty.kind {
            return self.error(e.span, "the value of `__auto_type` must not be a bit-field");
        }
        if ty.is_void() {
            return self.error(e.span, "this has no value");
        }
        Ok(ty.unqualified().with_quals(base.quals))
    }

    fn local(
        &mut self,
        name: &Node<Identifier>,
        ty: CType,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        let key = name.span.start;
        let text = &name.node.name;
        self.check_new(name, Declared::Object)?;
        if ty.is_scalar() && !self.body.in_memory.contains(&key) {
            let reg = self.body.regs.push(RegInfo {
                bits: self.bits(&ty),
                name: Some(text.clone()),
                reading: ty.reading(),
                pointee: None,
            });
            if self.body.hoisted.contains(&key) {
                let kind = InstrKind::Nondet {
                    dst: reg,
                    source: NondetSource::Uninitialised,
                };
                self.body.prologue.push(Instr {
                    kind,
                    loc: self.body.loc,
                });
                self.has_no_value(reg, true);
            }
            self.declare(
                text,
                Symbol::Local(LValue {
                    ty: ty.clone(),
                    place: Place::Reg(reg),
                }),
            );
            return self.initialise_register((reg, text), &ty, initializer);
        }
        if ty.is_variable() {
            return self.variable_array(text, ty, initializer.is_some());
        }
        let ty = match initializer {
            Some(init) => {
                // The name is in scope in its own initialiser, although its length is not known yet.
                self.completed_type(&ty, Init::of(init))?
            }
            None => ty,
        };
        let Some(size) = self.size(&ty) else {
            return self.fail(format!("`{text}` has an incomplete type"));
        };
        let bits = self.pointer_bits();
        let dst = self.body.temp(bits);
        let is_zero = matches!(
            initializer.map(|init| &init.node),
            Some(Initializer::List(_))
        ) && !self.body.hoisted.contains(&key)
            && !ty.is_scalar()
            && self.starts_zero(&ty);
        let kind = InstrKind::Alloc {
            dst,
            size_bytes: super::body::constant(u128::from(size), bits),
            align_bytes: super::body::constant(u128::from(self.align(&ty)), bits),
            kind: AllocKind::Stack {
                name: text.clone(),
                ty: self.intern(&ty),
                zeroed: is_zero,
            },
        };
        let addr = Operand::Reg(dst);
        if self.body.hoisted.contains(&key) {
            let loc = self.body.loc;
            self.body.prologue.push(Instr { kind, loc });
            self.body.scopes[0].ends.push(ScopeEnd::Object(addr));
        } else {
            self.body.emit(kind);
            self.body.owns(addr);
        }
        self.declare(
            text,
            Symbol::Local(LValue {
                ty: ty.clone(),
                place: Place::Memory(addr),
            }),
        );
        match initializer {
            None => Ok(()),
            Some(init) if ty.is_scalar() => {
                let value = self.initial(init, &ty)?;
                let mut plain = ty.clone();
                plain.quals.atomic = false;
                self.store(
                    &LValue {
                        ty: plain,
                        place: Place::Memory(addr),
                    },
                    value,
                )?;
                Ok(())
            }
            Some(init) => self.initialise(&ty, addr, Init::of(init), is_zero),
        }
    }

    /// `__attribute__((cleanup(function)))` of a local: a call where control leaves its scope.
    fn clean_up(&mut self, name: &Node<Identifier>, function: &Node<Identifier>) -> Res<()> {
        let found = self.lookup(&function.node.name).cloned();
        let (Some(Symbol::Function(index)), Some(Symbol::Local(object))) =
            (found, self.lookup(&name.node.name).cloned())
        else {
            let text = format!("`{}` is no function", function.node.name);
            return self.error(function.span, text);
        };
        let Place::Memory(addr) = object.place else {
            return self.fail("the object is not in memory");
        };
        let callee = if self.functions[index].defined {
            Callee::Direct(self.function_id(index))
        } else {
            Callee::Extern(ExternCall {
                name: function.node.name.clone(),
                ret_bits: None,
                pointer_args: vec![true],
                pointees: vec![Some(self.intern(&object.ty))],
                record_result: false,
            })
        };
        if let Kind::Function(signature) = &self.functions[index].ty.kind
            && signature.result.is_record()
        {
            return self.error(function.span, "a cleanup function that returns a structure");
        }
        let call = InstrKind::Call {
            dst: None,
            callee,
            args: vec![addr],
        };
        if let Some(scope) = self.body.scopes.last_mut() {
            let end = ScopeEnd::Cleanup(Box::new(call), name.span.start);
            scope.ends.push(end);
        }
        Ok(())
    }

    fn initialise_register(
        &mut self,
        (dst, name): (crate::ir::Reg, &str),
        ty: &CType,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        // The name is in scope in its own initialiser.
        if initializer.is_none_or(|init| uses(init, name)) {
            self.body.emit(InstrKind::Nondet {
                dst,
                source: NondetSource::Uninitialised,
            });
            self.has_no_value(dst, false);
        }
        let Some(init) = initializer else {
            return Ok(());
        };
        let value = self.initial(init, ty)?;
        let operand = self.operand(value)?;
        self.body.emit(InstrKind::Assign {
            dst,
            value: Rvalue::Use(operand),
        });
        self.has_value(dst);
        Ok(())
    }

    /// The value that an initialiser gives a scalar.
    fn initial(&mut self, init: &Node<Initializer>, ty: &CType) -> Res<Typed> {
        match scalar_initializer(init) {
            Some(e) => {
                let value = self.expr(e)?;
                self.at(e.span, |this| this.taken(value, ty, Taker::Initialiser))
            }
            None => {
                let zero = self.zero();
                self.convert(zero, ty)
            }
        }
    }

    fn zero(&self) -> Typed {
        Typed::truth(super::body::constant(0, 1))
    }

    /// An array whose length is only known at run time.
    fn variable_array(&mut self, name: &str, ty: CType, initialised: bool) -> Res<()> {
        if initialised {
            return self.fail("an array of variable length cannot be initialised");
        }
        let size_bytes = self.size_operand(&ty)?;
        let bits = self.pointer_bits();
        let dst = self.body.temp(bits);
        let align_bytes = super::body::constant(u128::from(self.align(&ty)), bits);
        let interned = self.intern(&ty);
        let kind = AllocKind::Stack {
            name: name.to_string(),
            ty: interned,
            zeroed: false,
        };
        self.body.emit(InstrKind::Alloc {
            dst,
            size_bytes,
            align_bytes,
            kind,
        });
        let addr = Operand::Reg(dst);
        self.body.owns(addr);
        self.declare(
            name,
            Symbol::Local(LValue {
                ty,
                place: Place::Memory(addr),
            }),
        );
        Ok(())
    }
}

/// The expression that initialises a scalar, with or without braces; `None` for `{}`.
fn scalar_initializer(init: &Node<Initializer>) -> Option<&Node<lang_c::ast::Expression>> {
    match &init.node {
        Initializer::Expression(e) => Some(e),
        Initializer::List(items) => scalar_initializer(&items.first()?.node.initializer),
    }
}
