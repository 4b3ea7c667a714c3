//! Variable arguments (C11 7.16).
//!
//! A call of a variadic function puts the arguments behind the named ones into an area, an object of the caller:
//! one after the other, each at a multiple of a word and of its own alignment, records as they are. In a word before
//! it stands what each one is: `va_arg` of another type is undefined. The address of the area travels as a last,
//! hidden argument. A `va_list` holds the address of the word before the argument that comes next: in its first word
//! where it is an array (x86-64), as its value where it is a pointer (i386). Reading more than there is leaves the
//! area, which is undefined, as it should be.

use super::body::constant;
use super::call::Args;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, Length};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res};
use crate::base::WarningKind;
use crate::base::id::Id;
use crate::ir::faults::{self, Fault};
use crate::ir::{BinOp, Operand, Rvalue, Undefined};
use lang_c::ast::{Expression, VaArgExpression};
use lang_c::span::Node;
use std::rc::Rc;

/// Tags of floating-point numbers have this bit, which is above all sizes.
const FLOATING: u128 = 1 << 8;
/// Tags of structures have this bit, above those of numbers.
const STRUCTURE: u128 = 1 << 30;

impl Lowerer {
    /// Size of a word in bytes, of which places and tags of arguments in an area are multiples.
    fn word_bytes(&self) -> u64 {
        u64::from(self.pointer_bits() / 8)
    }

    /// Offsets within an area: of the argument whose tag is at `tag` (a multiple of a word), and of the next one's tag.
    fn argument_slot(&self, ty: &CType, tag: u64) -> (u64, u64) {
        let word = self.word_bytes();
        let start = (tag + word).next_multiple_of(self.align(ty).max(word));
        let size = self.size(ty).unwrap_or(0);
        (start, start + size.next_multiple_of(word))
    }

    /// Tag of an argument, a number for its type: integers of either sign and pointers are told apart by their size, as
    /// compiled code has it; so are floating-point numbers; structures are what they are.
    fn argument_tag(&self, ty: &CType) -> Operand {
        let size = u128::from(self.size(ty).unwrap_or(0));
        let tag = match ty.kind {
            Kind::Float(_) => FLOATING | size,
            Kind::Record(id) => STRUCTURE | id.index() as u128,
            _ => size,
        };
        constant(tag, self.pointer_bits())
    }

    /// The address of an area with these arguments; null if there are none.
    pub(super) fn argument_area(&mut self, arguments: Vec<Typed>) -> Res<Operand> {
        if arguments.is_empty() {
            return Ok(constant(0, self.pointer_bits()));
        }
        let mut end = 0;
        let mut places = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            if self.size(&argument.ty).is_none() || argument.ty.is_void() {
                return self.fail("an argument has no complete type");
            }
            let (start, next) = self.argument_slot(&argument.ty, end);
            places.push((end, start));
            end = next;
        }
        let word = CType::int(IntKind::ULong);
        let words = end / self.word_bytes();
        let ty = CType::new(Kind::Array(Rc::new(word), Length::Known(words)));
        let area = self.temporary(&ty, "(variable arguments)")?;
        for (argument, (tag_at, start)) in arguments.into_iter().zip(places) {
            let tag = Typed::scalar(
                CType::int(self.size_kind()),
                self.argument_tag(&argument.ty),
            );
            let tag_place = LValue {
                ty: tag.ty.clone(),
                place: Place::Memory(self.offset_bytes(area, tag_at as i64)),
            };
            self.store(&tag_place, tag)?;
            let at = self.offset_bytes(area, start as i64);
            let place = LValue {
                ty: argument.ty.unqualified(),
                place: Place::Memory(at),
            };
            self.store(&place, argument)?;
        }
        Ok(area)
    }

    /// The place that holds the address of the next argument of a `va_list`.
    fn list_place(&mut self, list: &Node<Expression>) -> Res<LValue> {
        let cursor = CType::int(IntKind::Char).pointer_to();
        if self.pointer_bits() == 32 {
            let place = self.lvalue(list)?;
            return if place.ty.is_pointer() {
                Ok(LValue {
                    ty: cursor,
                    ..place
                })
            } else {
                self.error(list.span, "this is no `va_list`")
            };
        }
        let value = self.expr(list)?;
        let is_list = value
            .ty
            .pointee()
            .is_some_and(|to| matches!(to.kind, Kind::Array(_, Length::Known(3))));
        if !is_list {
            return self.error(list.span, "this is no `va_list`");
        }
        let addr = self.operand(value)?;
        Ok(LValue {
            ty: cursor,
            place: Place::Memory(addr),
        })
    }

    /// `va_start`, `va_copy` or `va_end`, by its name without the prefix.
    pub(super) fn variable_list(&mut self, name: &str, args: Args) -> Res<Typed> {
        let Some(list) = args.first() else {
            return self.fail(format!("`{name}` needs a `va_list`"));
        };
        let target = self.list_place(list)?;
        let first = match (name, args) {
            ("va_start", _) => match self.body.arguments {
                Some(area) => area,
                None => return self.fail("`va_start` in a function without `...`"),
            },
            ("va_copy", _) if faults::on(Fault::ListRewound) && self.body.arguments.is_some() => {
                self.body.arguments.unwrap_or(constant(0, 1))
            }
            ("va_copy", [_, from]) => {
                let from = self.list_place(from)?;
                let value = self.load(&from)?;
                self.operand(value)?
            }
            ("va_copy", _) => return self.fail("`va_copy` needs two `va_list`s"),
            _ => return Ok(Typed::void()),
        };
        let value = Typed::scalar(target.ty.clone(), first);
        self.store(&target, value)?;
        Ok(Typed::void())
    }

    /// `va_arg(list, type)`: the argument there; the list moves on.
    pub(super) fn variable_argument(&mut self, arg: &VaArgExpression) -> Res<Typed> {
        let ty = self.type_name(&arg.type_name)?.unqualified();
        let Some(size) = self.size(&ty).filter(|_| ty.is_scalar() || ty.is_record()) else {
            return self.error(
                arg.type_name.span,
                "`va_arg` needs the type of a number, pointer or structure",
            );
        };
        let place = self.list_place(&arg.va_list)?;
        if self.default_promoted(&ty).kind != ty.kind {
            // As compilers have it: no argument has this type, and a program that comes here is stopped.
            self.warn(
                WarningKind::PromotedArgument,
                "no argument has this type, since it is promoted: `va_arg` is undefined here",
            );
            self.body.defined(constant(0, 1), Undefined::Unreachable);
        }
        let cursor = self.load(&place)?;
        let mut at = self.operand(cursor)?;
        let bits = self.pointer_bits();
        if matches!(place.place, Place::Reg(_)) {
            // The register moves on before the argument is read.
            at = self.body.assign(bits, Rvalue::Use(at));
        }
        let (word, align) = (self.word_bytes(), self.align(&ty));
        let tag = LValue {
            ty: CType::int(self.size_kind()),
            place: Place::Memory(at),
        };
        let tag = self.load(&tag)?;
        let tag = self.operand(tag)?;
        let wanted = self.argument_tag(&ty);
        let same = self.body.binary(BinOp::Eq, tag, wanted, bits);
        self.body.defined(same, Undefined::VariableArgument);
        at = self.offset_bytes(at, word as i64);
        if align > word {
            let raised = self.offset_bytes(at, align as i64 - 1);
            let mask = constant(u128::from(align - 1) ^ u128::MAX, bits);
            at = self.body.binary(BinOp::And, raised, mask, bits);
        }
        let step = if faults::on(Fault::ArgumentStep) {
            word
        } else {
            size.next_multiple_of(word)
        };
        let next = self.offset_bytes(at, step as i64);
        let next = Typed::scalar(place.ty.clone(), next);
        self.store(&place, next)?;
        let argument = LValue {
            ty: ty.clone(),
            place: Place::Memory(at),
        };
        if ty.is_record() {
            return Ok(Typed {
                ty,
                value: Value::Record(at),
            });
        }
        self.load(&argument)
    }
}
