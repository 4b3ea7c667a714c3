//! Calls (C11 6.5.2.2).
//!
//! A record argument travels as the address of a copy that the callee owns; a record result comes through an
//! address that the caller passes first.

use super::assignable::Taker;
use super::convert::{Typed, Value};
use super::ctype::{CType, Field, Kind, Signature, compatible};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res, Symbol};
use crate::base::Diagnostic;
use crate::ir::ty::TypeId;
use crate::ir::{Callee, ExternCall, InstrKind, Operand, Undefined};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;
use std::rc::Rc;

/// Arguments of a call as the source has them.
pub(super) type Args<'a> = &'a [Node<Expression>];

/// Target of a call, before its arguments are known.
enum Target {
    Function(usize),
    Pointer(Operand),
}

impl Lowerer {
    pub(super) fn call(&mut self, call: &Node<CallExpression>) -> Res<Typed> {
        let call = &call.node;
        self.check_arguments(&call.callee, &call.arguments);
        if let Expression::Identifier(name) = &call.callee.node {
            let name = &name.node.name;
            match self.lookup(name).cloned() {
                Some(Symbol::Function(index)) if self.functions[index].defined => {
                    return self.call_function(index, &call.arguments);
                }
                Some(Symbol::Function(index)) => {
                    if let Some(value) = self.builtin(name, &call.arguments)? {
                        return Ok(value);
                    }
                    return self.call_function(index, &call.arguments);
                }
                None => {
                    if let Some(value) = self.builtin(name, &call.arguments)? {
                        return Ok(value);
                    }
                    let index = self.undeclared_function(name);
                    return self.call_function(index, &call.arguments);
                }
                Some(_) => {}
            }
        }
        let callee = self.expr(&call.callee)?;
        let ty = callee.ty.clone();
        let Some(Kind::Function(signature)) = ty.pointee().map(|ty| ty.kind.clone()) else {
            let ty = self.spell(&ty);
            return self.fail(format!("what is called is no function: its type is `{ty}`"));
        };
        match self.operand(callee)? {
            // `(*f)(x)` and `(&f)(x)`.
            Operand::FuncAddr(id) => {
                let index = self.function_ids[id];
                self.call_with(Target::Function(index), signature, &call.arguments)
            }
            addr => self.call_with(Target::Pointer(addr), signature, &call.arguments),
        }
    }

    pub(super) fn call_function(
        &mut self,
        index: usize,
        arguments: &[Node<Expression>],
    ) -> Res<Typed> {
        let Kind::Function(signature) = self.functions[index].ty.kind.clone() else {
            return self.fail("what is called is no function");
        };
        self.call_with(Target::Function(index), signature, arguments)
    }

    fn call_with(
        &mut self,
        target: Target,
        signature: Rc<Signature>,
        arguments: &[Node<Expression>],
    ) -> Res<Typed> {
        let count = signature.params.len();
        self.check_count(&target, &signature, arguments)?;
        let name = match target {
            Target::Function(index) => Some(self.functions[index].name.clone()),
            Target::Pointer(_) => None,
        };
        let mut args = Vec::new();
        let mut pointers = Vec::new();
        let mut pointees = Vec::new();
        let is_extern = matches!(target, Target::Function(index) if !self.functions[index].defined);
        // What a function of the program gets beyond its parameters goes to an area.
        let has_area = signature.variadic && !is_extern;
        let mut surplus = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let value = self.expr(argument)?;
            if has_area && i >= count {
                let ty = self.default_promoted(&value.ty);
                surplus.push(self.at(argument.span, |this| this.convert(value, &ty))?);
                continue;
            }
            let pointed = value.ty.pointee().cloned();
            let ty = match signature.params.get(i) {
                Some(ty) => ty.unqualified(),
                None => self.default_promoted(&value.ty),
            };
            let taker = Taker::Argument(i + 1, name.as_deref());
            args.push(self.at(argument.span, |this| this.argument(value, &ty, taker))?);
            pointers.push(self.holds_pointer(&ty));
            pointees.push(if is_extern {
                match self.pointee_of(argument, pointed)? {
                    None => self.sized_pointee(&ty),
                    found => found,
                }
            } else {
                None
            });
        }
        if has_area {
            args.push(self.argument_area(surplus)?);
        }
        let result = signature.result.unqualified();
        let result_object = if result.is_record() {
            Some(self.temporary(&result, "(result)")?)
        } else {
            None
        };
        let callee = match target {
            Target::Pointer(addr) => {
                self.check_callee(addr, &signature);
                Callee::Indirect(addr)
            }
            Target::Function(index) if self.functions[index].defined => {
                Callee::Direct(self.function_id(index))
            }
            Target::Function(index) => Callee::Extern(ExternCall {
                name: self.functions[index].name.clone(),
                ret_bits: result.is_scalar().then(|| self.bits(&result)),
                pointer_args: pointers,
                pointees,
                record_result: result_object.is_some(),
            }),
        };
        if let Some(addr) = result_object {
            args.insert(0, addr);
        }
        let dst = result.is_scalar().then(|| {
            let bits = self.bits(&result);
            let dst = self.body.temp(bits);
            if result.is_float() {
                // An input is shown as a number.
                self.body.regs[dst].reading = result.reading();
            }
            dst
        });
        self.body.emit(InstrKind::Call { dst, callee, args });
        Ok(match (dst, result_object) {
            (Some(dst), _) => Typed::scalar(result, Operand::Reg(dst)),
            (None, Some(addr)) => Typed {
                ty: result,
                value: Value::Record(addr),
            },
            (None, None) => Typed::void(),
        })
    }

    /// States that a function that is called has the type of the pointer to it.
    fn check_callee(&mut self, target: Operand, signature: &Rc<Signature>) {
        if self.checks_undefined() {
            let fits = self.body.temp(1);
            let call = (fits, target, signature.clone());
            self.body.pointer_calls.push(call);
            let why = Undefined::FunctionType;
            self.body.defined(Operand::Reg(fits), why);
        }
    }

    /// Pointers within a value: true if a value of this type is a pointer or has one in it.
    fn holds_pointer(&self, ty: &CType) -> bool {
        match &ty.kind {
            Kind::Pointer(_) => true,
            Kind::Array(element, _) => self.holds_pointer(element),
            Kind::Record(id) => {
                let fields = self.records[*id].fields.as_ref();
                fields.is_some_and(|all| all.iter().any(|field| self.holds_pointer(&field.ty)))
            }
            _ => false,
        }
    }

    fn sized_pointee(&mut self, ty: &CType) -> Option<TypeId> {
        let to = ty.pointee().filter(|to| !to.is_void())?.clone();
        self.size(&to).map(|_| self.intern(&to))
    }

    /// The type of what an argument points to, casts to `void *` aside.
    fn pointee_of(
        &mut self,
        argument: &Node<Expression>,
        pointed: Option<CType>,
    ) -> Res<Option<TypeId>> {
        let Some(pointed) = pointed else {
            return Ok(None);
        };
        if !pointed.is_void() {
            let sized = self.size(&pointed).is_some();
            return Ok(sized.then(|| self.intern(&pointed)));
        }
        let Expression::Cast(cast) = &argument.node else {
            return Ok(None);
        };
        let inner = &cast.node.expression;
        let pointed = match self.type_of(inner)?.kind {
            Kind::Array(element, _) => Some((*element).clone()),
            Kind::Pointer(to) => Some((*to).clone()),
            _ => None,
        };
        self.pointee_of(inner, pointed)
    }

    /// As many arguments as a prototype says, or more where it ends with `...`.
    fn check_count(&self, target: &Target, signature: &Signature, arguments: Args) -> Res<()> {
        let (count, given) = (signature.params.len(), arguments.len());
        let is_few = given < count;
        if !signature.prototyped || !is_few && (signature.variadic || given == count) {
            return Ok(());
        }
        let expected = match (count, signature.variadic) {
            (0, false) => "no argument".to_string(),
            (1, false) => "1 argument".to_string(),
            (1, true) => "at least 1 argument".to_string(),
            (count, true) => format!("at least {count} arguments"),
            (count, false) => format!("{count} arguments"),
        };
        let given = match given {
            0 => "none is given".to_string(),
            1 => "1 is given".to_string(),
            given => format!("{given} are given"),
        };
        let amount = if is_few { "few" } else { "many" };
        let text = |name: &str| format!("too {amount} arguments: {name} takes {expected}, {given}");
        let at = match arguments.get(count) {
            Some(surplus) => self.loc(surplus.span),
            None => self.body.loc,
        };
        let Target::Function(index) = target else {
            return Err(Diagnostic::new(at, text("this function")));
        };
        let draft = &self.functions[*index];
        let name = format!("`{}`", draft.name);
        let error = Diagnostic::new(at, text(&name));
        Err(match draft.linkage.declared {
            Some((_, first)) => error.with_note(first, format!("{name} is declared here")),
            None => error,
        })
    }

    fn argument(&mut self, value: Typed, ty: &CType, taker: Taker) -> Res<Operand> {
        if !ty.is_record() {
            let value = self.taken(value, ty, taker)?;
            return self.operand(value);
        }
        if let Some(member) = self.transparent_member(&value, ty) {
            let copy = self.temporary(ty, "(argument)")?;
            let target = LValue {
                ty: member.unqualified(),
                place: Place::Memory(copy),
            };
            let value = self.convert(value, &target.ty)?;
            self.store(&target, value)?;
            return Ok(copy);
        }
        let value = self.taken(value, ty, taker)?;
        let Value::Record(source) = value.value else {
            return self.fail("a structure is expected here");
        };
        let copy = self.temporary(ty, "(argument)")?;
        self.copy_record(ty, copy, source)?;
        Ok(copy)
    }

    /// The type of the member of a `transparent_union` that an argument is: one of its own type, or, for a pointer, one that it
    /// may be assigned to. All pointers are represented alike.
    fn transparent_member(&self, value: &Typed, ty: &CType) -> Option<CType> {
        let Kind::Record(id) = ty.kind else {
            return None;
        };
        let record = &self.records[id];
        if !record.transparent || value.ty.kind == ty.kind {
            return None;
        }
        let fields = record.fields.as_ref()?;
        let plain = value.ty.unqualified();
        let equal = |field: &&Field| compatible(&field.ty.unqualified(), &plain);
        let is_zero = matches!(value.value, Value::Scalar(Operand::Const { value: 0, .. }));
        let assignable = |field: &&Field| match (field.ty.pointee(), plain.pointee()) {
            (Some(to), Some(from)) => {
                to.is_void() || from.is_void() || compatible(&to.unqualified(), &from.unqualified())
            }
            (Some(_), None) => is_zero && plain.is_integer(),
            _ => false,
        };
        let found = fields.iter().find(equal);
        let found = found.or_else(|| fields.iter().find(assignable))?;
        (found.bits.is_none() && found.offset == 0).then(|| found.ty.clone())
    }
}
