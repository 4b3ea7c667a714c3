//! Entry: the function with which execution begins, and free arguments for it.
//!
//! `main` begins a program, unless another function is asked for ([`Entry`]). That is called once, with any numbers, and with
//! pointers to fresh objects of their types, all of whose parts are free in the same way. Objects are apart unless aliases are
//! asked for; pointers are null only if that is, or where an object has a pointer to its own type, so that lists end.

use super::body::{Body, constant};
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, Length, Signature};
use super::lvalue::{LValue, Place};
use super::{Entry, FunctionDraft, Lowerer, Res, Scope};
use crate::base::{Diagnostic, Loc};
use crate::ir::ty::Reading;
use crate::ir::{Callee, FuncId, InstrKind, NondetSource, Operand, RegInfo, Terminator};
use std::rc::Rc;

/// Objects that lead to each other, from an argument on; pointers in the last are null.
const DEPTH: usize = 3;

/// Bytes of the text that a pointer to characters leads to, with the zero at its end.
const TEXT_BYTES: u64 = 16;

/// Scalars that one object may have.
const MOST_SCALARS: u64 = 4096;

/// An argument under construction.
struct Free<'e> {
    entry: &'e Entry,
    /// The part of it that is made, for people: `argument 1->next`.
    name: String,
    /// Types of the objects that lead to it, from the argument on.
    within: Vec<CType>,
    scalars: u64,
}

impl Lowerer {
    /// The function with which execution begins, made if it is not `main`, and what is said of that.
    ///
    /// # Errors
    /// There is no such function, or an argument cannot be made.
    pub(super) fn begin_with(&mut self, entry: &Entry) -> Result<(FuncId, String), Diagnostic> {
        let index = self.entry_index(&entry.name)?;
        let loc = self.functions[index].loc;
        let Kind::Function(signature) = self.functions[index].ty.kind.clone() else {
            return Err(Diagnostic::new(
                loc,
                "what is to be begun with is no function",
            ));
        };
        let said = said(entry, &signature);
        let int = CType::int(IntKind::Int);
        if signature.prototyped && signature.params.is_empty() && signature.result == int {
            return Ok((self.function_id(index), said));
        }
        let name = format!("call of {}", entry.name);
        let saved = std::mem::replace(&mut self.body, Body::new(name.clone(), int.clone()));
        self.body.loc = loc;
        self.scopes.push(Scope::default());
        let done = self.call_freely(index, &signature, entry);
        self.scopes.pop();
        let body = std::mem::replace(&mut self.body, saved);
        done?;
        let function = body.finish(Some(32), loc);
        let ty = CType::new(Kind::Function(Rc::new(Signature {
            result: int,
            params: Vec::new(),
            variadic: false,
            prototyped: true,
        })));
        let own = FunctionDraft {
            name,
            ty,
            defined: true,
            linkage: self.functions[index].linkage.clone(),
            declared: true,
            never_returns: false,
            id: None,
            body: Some(function),
            falls_off: None,
            failures: Vec::new(),
            loc,
        };
        let at = self.functions.len();
        self.functions.push(own);
        let id = self.function_id(at);
        Ok((id, said))
    }

    /// The function of a name, with a body.
    fn entry_index(&self, name: &str) -> Result<usize, Diagnostic> {
        let is_it = |index: &usize| {
            let draft = &self.functions[*index];
            let (plain, _) = draft.name.split_once('@').unwrap_or((&draft.name, ""));
            draft.defined && plain == name
        };
        let mut found = (0..self.functions.len()).filter(is_it);
        let Some(index) = found.next() else {
            let what = format!("the program has no function `{name}` with a body to begin with");
            return Err(Diagnostic::new(Loc::NONE, what));
        };
        match found.next() {
            None => Ok(index),
            Some(other) => {
                let what = format!("several functions are called `{name}`: which is to begin?");
                let at = self.functions[index].loc;
                let note = format!("another `{name}`");
                Err(Diagnostic::new(at, what).with_note(self.functions[other].loc, note))
            }
        }
    }

    fn call_freely(&mut self, index: usize, signature: &Signature, entry: &Entry) -> Res<()> {
        if signature.variadic {
            return self.fail(format!("`{}` takes any number of arguments", entry.name));
        }
        let mut args = Vec::new();
        if signature.result.is_record() {
            args.push(self.temporary(&signature.result.clone(), "(result)")?);
        }
        let mut before: Vec<Typed> = Vec::new();
        for (number, ty) in signature.params.iter().enumerate() {
            let ty = ty.unqualified();
            let mut free = Free {
                entry,
                name: format!("argument {}", number + 1),
                within: Vec::new(),
                scalars: 0,
            };
            let mut value = self.free_value(&ty, &mut free)?;
            if entry.aliases && ty.is_pointer() {
                for other in before.iter().filter(|other| other.ty == ty) {
                    let same = self.free_bit(format!("{} is an argument before", free.name));
                    let bits = self.pointer_bits();
                    let (own, other) = (self.operand(value)?, self.operand(other.clone())?);
                    value = Typed::scalar(ty.clone(), self.body.select(same, other, own, bits));
                }
                before.push(value.clone());
            }
            args.push(match value.value {
                Value::Record(addr) => addr,
                _ => self.operand(value)?,
            });
        }
        let body = self.functions[index].body.as_ref();
        if body.is_some_and(|body| body.params.len() != args.len()) {
            return self.fail(format!(
                "parameters of `{}`, which has no prototype, are not known",
                entry.name
            ));
        }
        let result = signature.result.unqualified();
        let dst = result.is_scalar().then(|| {
            let bits = self.bits(&result);
            self.body.temp(bits)
        });
        let callee = Callee::Direct(self.function_id(index));
        self.body.emit(InstrKind::Call { dst, callee, args });
        let zero = constant(0, 32);
        self.body.end(Terminator::Return(Some(zero)));
        Ok(())
    }

    /// A free word with a name.
    fn input(&mut self, name: String, bits: u16, reading: Reading) -> Operand {
        let dst = self.body.regs.push(RegInfo {
            bits,
            name: Some(name),
            reading,
            pointee: None,
        });
        let source = NondetSource::Input;
        self.body.emit(InstrKind::Nondet { dst, source });
        Operand::Reg(dst)
    }

    /// A free truth value, of one bit.
    fn free_bit(&mut self, name: String) -> Operand {
        self.input(name, 1, Reading::Unsigned)
    }

    /// Any value of a type.
    fn free_value(&mut self, ty: &CType, free: &mut Free) -> Res<Typed> {
        free.scalars += 1;
        if free.scalars > MOST_SCALARS {
            return self.fail(format!(
                "{} has more than {MOST_SCALARS} parts, which is not supported",
                free.name
            ));
        }
        match &ty.kind {
            Kind::Bool => {
                let bit = self.free_bit(free.name.clone());
                let bits = self.bits(ty);
                Ok(Typed::scalar(
                    ty.clone(),
                    self.body.resize(bit, 1, bits, false),
                ))
            }
            Kind::Pointer(to) => {
                let to = (**to).clone();
                let addr = self.free_pointer(&to, free)?;
                Ok(Typed::scalar(ty.clone(), addr))
            }
            Kind::Record(_) => {
                let name = free.name.clone();
                let addr = self.temporary(ty, &name)?;
                self.fill(ty, addr, free)?;
                Ok(Typed {
                    ty: ty.clone(),
                    value: Value::Record(addr),
                })
            }
            _ if ty.is_scalar() => {
                let bits = self.bits(ty);
                let word = self.input(free.name.clone(), bits, ty.reading());
                Ok(Typed::scalar(ty.clone(), word))
            }
            _ => {
                let spelt = self.spell(ty);
                self.fail(format!("{} of type `{spelt}` cannot be made", free.name))
            }
        }
    }

    /// An address of fresh objects of a type, or null where that may be.
    fn free_pointer(&mut self, to: &CType, free: &mut Free) -> Res<Operand> {
        let bits = self.pointer_bits();
        let null = constant(0, bits);
        let is_member = !free.within.is_empty();
        let has_size = !to.is_void() && !matches!(to.kind, Kind::Function(_));
        let has_size = has_size && self.size(to).is_some();
        if is_member && (!has_size || free.within.len() >= DEPTH) {
            return Ok(null);
        }
        if !has_size {
            let spelt = self.spell(&to.clone().pointer_to());
            let what = format!(
                "{} of `{}` has type `{spelt}`: what it leads to is not known; call the function in --threads-run",
                free.name, free.entry.name
            );
            return self.fail(what);
        }
        let element = to.unqualified();
        let is_text = matches!(element.kind, Kind::Int(kind) if kind.is_plain_char());
        let count = match is_text {
            true => TEXT_BYTES,
            false => free.entry.elements,
        };
        let array = CType::new(Kind::Array(Rc::new(element.clone()), Length::Known(count)));
        let ends = free.within.contains(&element);
        let outer = free.name.clone();
        let addr = self.temporary(&array, &format!("what {outer} leads to"))?;
        free.within.push(element.clone());
        let size = self.size(&element).unwrap_or(0);
        for at in 0..count {
            let place = self.offset_bytes(addr, (at * size) as i64);
            free.name = match count {
                1 => format!("*{outer}"),
                _ => format!("{outer}[{at}]"),
            };
            if is_text && at + 1 == count {
                let target = memory(&element, place);
                let zero = Typed::scalar(element.clone(), constant(0, 8));
                self.store(&target, zero)?;
            } else {
                self.fill(&element, place, free)?;
            }
        }
        free.within.pop();
        free.name = outer.clone();
        if !(ends || free.entry.null) {
            return Ok(addr);
        }
        let is_null = self.free_bit(format!("{outer} is null"));
        Ok(self.body.select(is_null, null, addr, bits))
    }

    /// Gives all scalars of an object free values.
    fn fill(&mut self, ty: &CType, addr: Operand, free: &mut Free) -> Res<()> {
        match &ty.kind {
            Kind::Array(element, Length::Known(count)) => {
                let size = self.size(element).unwrap_or(0);
                let outer = free.name.clone();
                for at in 0..*count {
                    let place = self.offset_bytes(addr, (at * size) as i64);
                    free.name = format!("{outer}[{at}]");
                    self.fill(element, place, free)?;
                }
                free.name = outer;
                Ok(())
            }
            // A flexible array has no elements here.
            Kind::Array(..) => Ok(()),
            Kind::Record(id) => {
                let record = self.records[*id].clone();
                if record.is_union {
                    let byte = CType::int(IntKind::UChar);
                    let length = Length::Known(record.size);
                    let bytes = CType::new(Kind::Array(Rc::new(byte), length));
                    return self.fill(&bytes, addr, free);
                }
                let outer = free.name.clone();
                for field in record.fields.unwrap_or_default() {
                    free.name = match outer.strip_prefix('*') {
                        Some(pointer) => format!("{pointer}->{}", field.name),
                        None => format!("{outer}.{}", field.name),
                    };
                    let place = self.offset_bytes(addr, field.offset as i64);
                    match field.bits {
                        None => self.fill(&field.ty, place, free)?,
                        // Padding.
                        Some(_) if field.name.is_empty() => {}
                        Some(unit) => {
                            let target = LValue {
                                ty: field.ty.unqualified(),
                                place: Place::Bits(place, unit),
                            };
                            let value = self.free_value(&target.ty, free)?;
                            self.store(&target, value)?;
                        }
                    }
                }
                free.name = outer;
                Ok(())
            }
            _ => {
                let target = memory(&ty.unqualified(), addr);
                let value = self.free_value(&target.ty, free)?;
                self.store(&target, value)?;
                Ok(())
            }
        }
    }
}

fn memory(ty: &CType, addr: Operand) -> LValue {
    LValue {
        ty: ty.clone(),
        place: Place::Memory(addr),
    }
}

/// What is said of the arguments.
fn said(entry: &Entry, signature: &Signature) -> String {
    let name = &entry.name;
    if !signature
        .params
        .iter()
        .any(|ty| !ty.is_scalar() || ty.is_pointer())
    {
        return format!("begins with `{name}`");
    }
    let objects = match entry.elements {
        1 => "an object each".to_string(),
        count => format!("the first of {count} elements"),
    };
    let apart = if entry.aliases {
        ""
    } else {
        ", apart from each other"
    };
    let null = if entry.null { ", or null" } else { "" };
    format!(
        "begins with `{name}`, pointers of whose arguments lead to {objects}{apart}{null} (at most {DEPTH} deep, texts of {TEXT_BYTES} bytes)"
    )
}
