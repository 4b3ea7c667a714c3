//! Declarations at file scope and in blocks (C11 6.7, 6.9).

use super::ctype::{CType, Kind};
use super::initializer::Init;
use super::place::{LValue, Place};
use super::specifier::{Storage, declared_name};
use super::{Lowerer, Res, Symbol, loc};
use crate::ir::{AllocKind, Instr, InstrKind, NondetSource, Operand, RegInfo, Rvalue};
use lang_c::ast::{Declaration, Identifier, InitDeclarator, Initializer};
use lang_c::span::Node;

impl Lowerer {
    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, declaration: &Node<Declaration>) -> Res<()> {
        self.body.loc = loc(declaration.span);
        let d = &declaration.node;
        let alone = d.declarators.is_empty();
        let (base, storage) =
            self.declaration_specifiers(&d.specifiers, declaration.span, alone)?;
        for declarator in &d.declarators {
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            self.in_typedef = storage.typedef;
            let ty = self.declarator_type(base.clone(), &declarator.node.declarator);
            self.in_typedef = false;
            let ty = ty?;
            if self.declare_common(name, &ty, storage) {
                continue;
            }
            let index = self.linked_global(&name.node.name, ty.clone(), loc(name.span));
            self.declare(&name.node.name, Symbol::Global(index));
            let draft = &mut self.globals[index];
            draft.thread_local |= storage.thread_local;
            draft.read_only = ty.is_const();
            let init = declarator.node.initializer.as_ref().map(Init::of);
            if init.is_some() || !storage.is_extern {
                self.globals[index].loc = loc(name.span);
                self.define_global(index, init)?;
            }
        }
        Ok(())
    }

    /// Typedefs and functions, which are declared alike in all scopes; whether it was one.
    fn declare_common(&mut self, name: &Node<Identifier>, ty: &CType, storage: Storage) -> bool {
        if storage.typedef {
            self.declare(&name.node.name, Symbol::Typedef(ty.clone()));
            return true;
        }
        let Kind::Function(signature) = &ty.kind else {
            return false;
        };
        let index = self.function_named(&name.node.name, loc(name.span));
        // A declaration without parameters does not hide a prototype.
        let known = matches!(&self.functions[index].ty.kind, Kind::Function(s) if s.prototyped);
        if signature.prototyped || !known {
            self.functions[index].ty = ty.unqualified();
        }
        self.declare(&name.node.name, Symbol::Function(index));
        true
    }

    /// A declaration in a block.
    pub(super) fn local_declaration(&mut self, declaration: &Node<Declaration>) -> Res<()> {
        self.body.loc = loc(declaration.span);
        let d = &declaration.node;
        let alone = d.declarators.is_empty();
        let (base, storage) =
            self.declaration_specifiers(&d.specifiers, declaration.span, alone)?;
        for declarator in &d.declarators {
            let Some(name) = declared_name(&declarator.node.declarator.node) else {
                continue;
            };
            self.body.loc = loc(name.span);
            self.in_typedef = storage.typedef;
            let ty = self.declarator_type(base.clone(), &declarator.node.declarator);
            self.in_typedef = false;
            let ty = ty?;
            if self.declare_common(name, &ty, storage) {
                continue;
            }
            if storage.is_extern {
                let index = self.linked_global(&name.node.name, ty, loc(name.span));
                self.globals[index].thread_local |= storage.thread_local;
                self.declare(&name.node.name, Symbol::Global(index));
            } else if storage.is_static || storage.thread_local {
                self.static_local(name, ty, storage, &declarator.node)?;
            } else {
                self.local(name, ty, declarator)?;
            }
        }
        Ok(())
    }

    fn static_local(
        &mut self,
        name: &Node<Identifier>,
        ty: CType,
        storage: Storage,
        declarator: &InitDeclarator,
    ) -> Res<()> {
        let full = format!("{}::{}", self.body.name, name.node.name);
        let read_only = ty.is_const();
        let index = self.new_global(&full, ty, loc(name.span));
        self.globals[index].thread_local = storage.thread_local;
        self.globals[index].read_only = read_only;
        self.declare(&name.node.name, Symbol::Global(index));
        self.define_global(index, declarator.initializer.as_ref().map(Init::of))
    }

    fn local(
        &mut self,
        name: &Node<Identifier>,
        ty: CType,
        declarator: &Node<InitDeclarator>,
    ) -> Res<()> {
        let key = name.span.start;
        let initializer = declarator.node.initializer.as_ref();
        let text = &name.node.name;
        if ty.is_scalar() && !self.body.in_memory.contains(&key) {
            let reg = self.body.regs.push(RegInfo {
                bits: self.bits(&ty),
                name: Some(text.clone()),
                reading: ty.reading(),
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
            }
            self.declare(
                text,
                Symbol::Local(LValue {
                    ty: ty.clone(),
                    place: Place::Reg(reg),
                }),
            );
            return self.initialise_register(reg, &ty, initializer);
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
        let kind = InstrKind::Alloc {
            dst,
            size_bytes: super::body::constant(u128::from(size), bits),
            kind: AllocKind::Stack {
                name: text.clone(),
                ty: self.intern(&ty),
            },
        };
        let addr = Operand::Reg(dst);
        if self.body.hoisted.contains(&key) {
            let loc = self.body.loc;
            self.body.prologue.push(Instr { kind, loc });
            self.body.scopes[0].objects.push(addr);
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
                let value = match scalar_initializer(init) {
                    Some(e) => self.expr(e)?,
                    None => self.zero(),
                };
                let value = self.convert(value, &ty)?;
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
            Some(init) => self.initialise(&ty, addr, Init::of(init)),
        }
    }

    fn initialise_register(
        &mut self,
        dst: crate::ir::Reg,
        ty: &CType,
        initializer: Option<&Node<Initializer>>,
    ) -> Res<()> {
        let Some(init) = initializer else {
            self.body.emit(InstrKind::Nondet {
                dst,
                source: NondetSource::Uninitialised,
            });
            return Ok(());
        };
        let value = match scalar_initializer(init) {
            Some(e) => self.expr(e)?,
            None => self.zero(),
        };
        let operand = self.converted(value, ty)?;
        self.body.emit(InstrKind::Assign {
            dst,
            value: Rvalue::Use(operand),
        });
        Ok(())
    }

    fn zero(&self) -> super::convert::Typed {
        super::convert::Typed::truth(super::body::constant(0, 1))
    }

    /// An array whose length is only known at run time.
    fn variable_array(&mut self, name: &str, ty: CType, initialised: bool) -> Res<()> {
        if initialised {
            return self.fail("an array of variable length cannot be initialised");
        }
        let size_bytes = self.size_operand(&ty)?;
        let dst = self.body.temp(self.pointer_bits());
        let interned = self.intern(&ty);
        let kind = AllocKind::Stack {
            name: name.to_string(),
            ty: interned,
        };
        self.body.emit(InstrKind::Alloc {
            dst,
            size_bytes,
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
