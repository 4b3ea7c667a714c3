//! Function definitions (C11 6.9.1).

use super::body::{Body, ScopeEnd, constant};
use super::ctype::{CType, FloatKind, IntKind, Kind, Length, Signature};
use super::lvalue::{LValue, Place};
use super::redeclare::Declared;
use super::specifier::{adjusted, declared_name, parameter_list};
use super::{Lowerer, Res, Scope, Symbol, address_taken};
use crate::base::Diagnostic;
use crate::ir::{
    BinOp, Callee, ExternCall, FloatFormat, FloatOp, InstrKind, NondetSource, Operand, Reg,
    RegInfo, Rvalue, Terminator,
};
use lang_c::ast::{
    DerivedDeclarator, FunctionDefinition, Identifier, ParameterDeclaration, Statement,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use std::rc::Rc;

/// A parameter of a definition.
struct Param<'a> {
    name: Option<&'a Node<Identifier>>,
    ty: CType,
    declaration: Option<&'a Node<ParameterDeclaration>>,
    /// Of an old-style definition: arguments are promoted.
    is_old: bool,
}

impl Lowerer {
    /// A function definition. What is wrong in its body only counts if the function can be reached.
    pub(super) fn function_definition(&mut self, f: &Node<FunctionDefinition>) -> Res<()> {
        let at = self.loc(f.span);
        self.body.loc = at;
        let declarator = &f.node.declarator;
        let (base, storage) = self.declaration_specifiers(&f.node.specifiers, f.span, false)?;
        let ty = self.declarator_type(base, declarator)?;
        let Some(name) = declared_name(&declarator.node) else {
            return self.error(declarator.span, "a function needs a name");
        };
        let Kind::Function(signature) = ty.kind.clone() else {
            return self.error(
                declarator.span,
                format!(
                    "`{}` is no function; attributes of a structure go behind its members",
                    name.node.name
                ),
            );
        };
        let at = self.loc(name.span);
        self.check_static(name, storage.is_static);
        self.check_new(name, Declared::Function)?;
        let index = self.function_named(&name.node.name, at);
        let mut attributes = storage.attributes;
        self.attributes(&declarator.node.extensions, &mut attributes)?;
        self.agree_on_function(index, &ty, at);
        let strength = self.strength_of(&name.node.name, &attributes);
        let mut linkage = std::mem::take(&mut self.functions[index].linkage);
        let counts = self.defines(&mut linkage, strength, (&name.node.name, at));
        self.functions[index].linkage = linkage;
        if !counts {
            self.declare(&name.node.name, Symbol::Function(index));
            return Ok(());
        }
        if let Some(id) = self.functions[index].id
            && self.functions[index].body.take().is_some()
        {
            self.pointer_calls.retain(|(caller, _), _| *caller != id);
        }
        self.functions[index].failures.clear();
        self.functions[index].falls_off = None;
        let known = matches!(&self.functions[index].ty.kind, Kind::Function(s) if s.prototyped);
        if signature.prototyped || !known {
            self.functions[index].ty = ty;
        }
        self.functions[index].loc = at;
        self.runs_around_main(index, &attributes);
        self.functions[index].never_returns |= attributes.never_returns;
        self.declare(&name.node.name, Symbol::Function(index));

        let scopes = self.scopes.len();
        let poisoned = self.poisoned.clone();
        let saved = std::mem::replace(
            &mut self.body,
            Body::new(name.node.name.clone(), signature.result.unqualified()),
        );
        self.body.loc = self.loc(name.span);
        let result = self.function_body(f, &signature);
        self.scopes.truncate(scopes);
        self.constant_depth = 0;
        self.in_prototype = false;
        let mut body = std::mem::replace(&mut self.body, saved);
        let mut failures = std::mem::take(&mut body.failures);
        failures.extend(result.err());
        // Names of the function that have no meaning.
        self.poisoned = poisoned;
        if failures.is_empty() {
            let caller = self.function_id(index);
            for (fits, target, called) in std::mem::take(&mut body.pointer_calls) {
                self.pointer_calls.insert((caller, fits), (target, called));
            }
            let result = &signature.result;
            let ret_bits = result.is_scalar().then(|| self.bits(result));
            self.functions[index].body = Some(body.finish(ret_bits, self.loc(name.span)));
        } else {
            self.functions[index].failures = failures
        }
        Ok(())
    }

    fn function_body(
        &mut self,
        f: &Node<FunctionDefinition>,
        signature: &Rc<Signature>,
    ) -> Res<()> {
        let flow = address_taken::survey(&f.node);
        self.body.in_memory = flow.in_memory;
        self.body.hoisted = flow.hoisted;
        self.body.label_places = flow.labels;
        self.body.variadic = signature.variadic;
        self.body.is_main = self.body.name == "main";
        let index = self.function_named(&self.body.name.clone(), self.body.loc);
        self.body.never_returns = self.functions[index].never_returns;
        self.scopes.push(Scope::default());
        if signature.result.is_record() {
            let bits = self.pointer_bits();
            let reg = self.body.temp(bits);
            self.body.params.push(reg);
            self.body.result_addr = Some(Operand::Reg(reg));
        }
        let params = self.params(f, signature)?;
        if self.body.is_main {
            self.main_params(&params, &f.node.statement)?;
        } else {
            self.bind_params(&params)?;
        }
        match &f.node.statement.node {
            // The outermost block shares the scope of the parameters.
            Statement::Compound(items) => self.items(items)?,
            _ => self.statement(&f.node.statement)?,
        }
        self.check_labels()?;
        // Control that falls off the end; `main` returns 0 there.
        let end = f.node.statement.span.end.saturating_sub(1);
        self.body.loc = self.place(end);
        let zero = self
            .body
            .is_main
            .then(|| constant(0, self.bits(&signature.result)));
        let last = self.body.current;
        self.leave_function(zero.filter(|_| signature.result.is_scalar()));
        if !self.body.is_main
            && let Some((Terminator::Return(Some(Operand::Reg(missing))), at)) =
                self.body.blocks[last].end
        {
            self.functions[index].falls_off = Some((missing, at));
        }
        Ok(())
    }

    /// Names and types of the parameters.
    fn params<'a>(
        &mut self,
        f: &'a Node<FunctionDefinition>,
        signature: &Rc<Signature>,
    ) -> Res<Vec<Param<'a>>> {
        let Some(list) = parameter_list(&f.node.declarator.node) else {
            return Ok(Vec::new());
        };
        match &list.node {
            DerivedDeclarator::Function(function) => {
                let params = &function.node.parameters;
                Ok(signature
                    .params
                    .iter()
                    .zip(params)
                    .map(|(ty, p)| {
                        let declarator = p.node.declarator.as_ref();
                        Param {
                            name: declarator.and_then(|d| declared_name(&d.node)),
                            ty: ty.clone(),
                            declaration: Some(p),
                            is_old: false,
                        }
                    })
                    .collect())
            }
            DerivedDeclarator::KRFunction(names) => self.old_params(f, names),
            _ => Ok(Vec::new()),
        }
    }

    /// Parameters of an old-style definition, `int` where no declaration follows.
    fn old_params<'a>(
        &mut self,
        f: &'a Node<FunctionDefinition>,
        names: &'a [Node<Identifier>],
    ) -> Res<Vec<Param<'a>>> {
        let mut params: Vec<Param> = names
            .iter()
            .map(|name| Param {
                name: Some(name),
                ty: CType::int(IntKind::Int),
                declaration: None,
                is_old: true,
            })
            .collect();
        for declaration in &f.node.declarations {
            let (base, _) =
                self.declaration_specifiers(&declaration.node.specifiers, declaration.span, false)?;
            for declarator in &declaration.node.declarators {
                let Some(name) = declared_name(&declarator.node.declarator.node) else {
                    continue;
                };
                let ty = self.declarator_type(base.clone(), &declarator.node.declarator)?;
                let same = |p: &&mut Param| p.name.is_some_and(|n| n.node.name == name.node.name);
                if let Some(param) = params.iter_mut().find(same) {
                    param.ty = adjusted(ty);
                    // The place of the declaration is the key for whether it needs memory.
                    param.name = Some(name);
                }
            }
        }
        Ok(params)
    }

    /// Gives every parameter its register, and an object where it needs one.
    fn bind_params(&mut self, params: &[Param]) -> Res<()> {
        let mut regs: Vec<Reg> = Vec::new();
        for param in params {
            if self.size(&param.ty).is_none() || param.ty.is_void() {
                let at = param.name.map_or(self.body.loc, |name| self.loc(name.span));
                let ty = self.spell(&param.ty);
                let text = format!("a parameter cannot have the incomplete type `{ty}`");
                return Err(Diagnostic::new(at, text));
            }
            let in_memory = param
                .name
                .is_some_and(|n| self.body.in_memory.contains(&n.span.start));
            let named = param.ty.is_scalar() && !in_memory;
            let reg = self.body.regs.push(RegInfo {
                bits: self.bits(&param.ty),
                name: param.name.filter(|_| named).map(|n| n.node.name.clone()),
                reading: param.ty.reading(),
                pointee: None,
            });
            let promoted = param.is_old && param.ty.kind == Kind::Float(FloatKind::Float);
            let passed = if promoted {
                self.body.temp(FloatFormat::Double.bits())
            } else {
                reg
            };
            self.body.params.push(passed);
            regs.push(reg);
            if promoted {
                // Callers of old-style functions pass a `double`.
                let value = Rvalue::Float {
                    op: FloatOp::Convert(FloatFormat::Single),
                    format: FloatFormat::Double,
                    operands: vec![Operand::Reg(passed)],
                };
                self.body.emit(InstrKind::Assign { dst: reg, value });
            }
        }
        if self.body.variadic {
            let area = self.body.temp(self.pointer_bits());
            self.body.params.push(area);
            self.body.arguments = Some(Operand::Reg(area));
        }
        for (param, reg) in params.iter().zip(regs) {
            let Some(name) = param.name else { continue };
            let ty = match param.declaration {
                // Lengths that name earlier parameters are known by now.
                Some(declaration) if has_open_length(&param.ty) => {
                    self.parameter_type(declaration)?
                }
                _ => param.ty.clone(),
            };
            self.bind(name, &ty, reg)?;
        }
        Ok(())
    }

    /// Makes a register with a value the parameter of this name.
    fn bind(&mut self, name: &Node<Identifier>, ty: &CType, reg: Reg) -> Res<()> {
        let text = &name.node.name;
        self.check_new(name, Declared::Object)?;
        let place = if ty.is_record() {
            Place::Memory(Operand::Reg(reg))
        } else if self.body.in_memory.contains(&name.span.start) {
            let addr = self.temporary(ty, text)?;
            self.body.scopes[0].ends.push(ScopeEnd::Object(addr));
            let access = crate::ir::Access::PLAIN;
            self.body.emit(InstrKind::Store {
                addr,
                value: Operand::Reg(reg),
                access,
            });
            Place::Memory(addr)
        } else {
            Place::Reg(reg)
        };
        self.declare(
            text,
            Symbol::Local(LValue {
                ty: ty.clone(),
                place,
            }),
        );
        Ok(())
    }

    /// `main` takes no arguments here: `argc` is any positive number, `argv` made by the library if the function
    /// mentions it. What else there may be is an array of free pointers.
    fn main_params(&mut self, params: &[Param], body: &Node<Statement>) -> Res<()> {
        let mut count = None;
        for (i, param) in params.iter().enumerate() {
            let Some(name) = param.name else { continue };
            if !param.ty.is_scalar() {
                return Err(Diagnostic::new(
                    self.loc(name.span),
                    "`main` has no such parameter",
                ));
            }
            let bits = self.bits(&param.ty);
            let reg = self.body.regs.push(RegInfo {
                bits,
                name: Some(name.node.name.clone()),
                reading: param.ty.reading(),
                pointee: None,
            });
            let texts = param.ty.pointee().and_then(CType::pointee);
            let is_texts =
                texts.is_some_and(|to| matches!(to.kind, Kind::Int(kind) if kind.is_plain_char()));
            match (param.ty.pointee().cloned(), count) {
                (Some(_), Some(count)) if i == 1 && is_texts && mentions(body, &name.node.name) => {
                    let call = ExternCall {
                        name: "__selvedge_arguments".to_string(),
                        ret_bits: Some(bits),
                        pointer_args: vec![false],
                        pointees: vec![None],
                        record_result: false,
                    };
                    self.body.emit(InstrKind::Call {
                        dst: Some(reg),
                        callee: Callee::Extern(call),
                        args: vec![Operand::Reg(count)],
                    });
                }
                (Some(element), _) => {
                    let length = Length::Known(MAIN_ARGUMENTS);
                    let array = CType::new(Kind::Array(Rc::new(element), length));
                    let addr = self.temporary(&array, &name.node.name)?;
                    let value = Rvalue::Use(addr);
                    self.body.emit(InstrKind::Assign { dst: reg, value });
                }
                (None, _) => {
                    self.body.emit(InstrKind::Nondet {
                        dst: reg,
                        source: NondetSource::Input,
                    });
                    if i == 0 {
                        let zero = constant(0, bits);
                        let cond = self.body.binary(BinOp::SLt, zero, Operand::Reg(reg), bits);
                        self.body.emit(InstrKind::Assume { cond });
                        count = (bits == 32).then_some(reg);
                    }
                }
            }
            self.bind(name, &param.ty, reg)?;
        }
        Ok(())
    }
}

/// Occurrence of a name in an expression of a statement.
fn mentions(body: &Node<Statement>, name: &str) -> bool {
    struct Search<'n> {
        name: &'n str,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
            self.found |= identifier.name == self.name;
        }
    }
    let mut search = Search { name, found: false };
    search.visit_statement(&body.node, &body.span);
    search.found
}

/// Open length: true if a pointer leads to arrays whose length its type leaves open.
fn has_open_length(ty: &CType) -> bool {
    match &ty.kind {
        Kind::Pointer(to) => has_open_length(to),
        Kind::Array(element, length) => *length == Length::Unknown || has_open_length(element),
        _ => false,
    }
}

/// Elements of an array of pointers that `main` gets.
const MAIN_ARGUMENTS: u64 = 16;
