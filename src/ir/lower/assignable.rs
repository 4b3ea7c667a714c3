//! Values in place of others: what an assignment, an argument, an initialiser or a result takes without a cast (C11 6.5.16.1).
//!
//! Compilers have always let pointers of other types and integers pass, with a warning, and programs rely on that. So these are
//! warnings here, too; what has no value of the other type at all is an error.

use super::consistent::consistent;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, Quals};
use super::{Lowerer, Res};
use crate::base::WarningKind;
use crate::ir::Operand;

/// Place of a value that is converted without a cast.
#[derive(Clone, Copy)]
pub(super) enum Taker<'n> {
    Assignment,
    Initialiser,
    /// An argument, counted from 1, of a function that may have a name.
    Argument(usize, Option<&'n str>),
    Result,
}

impl Taker<'_> {
    /// True for the start routine of a thread.
    fn is_routine(self) -> bool {
        let (number, name) = match self {
            Taker::Argument(number, Some(name)) => (number, name),
            _ => return false,
        };
        matches!((number, name), (3, "pthread_create") | (2, "thrd_create"))
    }

    fn words(self) -> String {
        match self {
            Taker::Assignment | Taker::Initialiser => "this value".to_string(),
            Taker::Argument(number, Some(name)) => format!("argument {number} of `{name}`"),
            Taker::Argument(number, None) => format!("argument {number}"),
            Taker::Result => "this result".to_string(),
        }
    }
}

impl Lowerer {
    /// Converts as if by assignment, and warns of what should have had a cast.
    pub(super) fn taken(&mut self, value: Typed, to: &CType, taker: Taker) -> Res<Typed> {
        let from = value.ty.clone();
        if taker.is_routine() && !can_start(&from) {
            let found = self.found(&from, to, taker);
            return self.fail(found + "; a thread passes one argument, a pointer");
        }
        if let Some((kind, why)) = self.doubt(&value, to, taker) {
            let found = self.found(&from, to, taker);
            self.warn(kind, found + why);
        }
        let is_scalar = to.is_scalar() && from.is_scalar();
        let mixes = from.is_float() && to.is_pointer() || from.is_pointer() && to.is_float();
        let fits = is_scalar && !mixes || to.is_record() && from.kind == to.kind;
        let is_nothing = from.is_void() && to.is_void();
        if !fits && !is_nothing {
            return self.fail(self.found(&from, to, taker));
        }
        self.convert(value, to)
    }

    /// Message that a type was found where another one is expected.
    fn found(&self, from: &CType, to: &CType, taker: Taker) -> String {
        let (from, to) = (self.spell(from), self.spell(&to.unqualified()));
        let what = taker.words();
        format!("{what} has the type `{from}`, where `{to}` is expected")
    }

    /// The warning that a conversion without a cast deserves.
    fn doubt(
        &self,
        value: &Typed,
        to: &CType,
        taker: Taker,
    ) -> Option<(WarningKind, &'static str)> {
        let from = &value.ty;
        match (from.pointee(), to.pointee()) {
            (None, Some(_)) if from.is_integer() && !is_zero(value) => Some((
                WarningKind::IntConversion,
                "; an integer is no address without a cast",
            )),
            (Some(_), None) if matches!(to.kind, Kind::Int(_)) => Some((
                WarningKind::IntConversion,
                "; an address is no integer without a cast",
            )),
            (Some(from), Some(to)) => self.pointer_doubt(from, to, taker),
            _ => None,
        }
    }

    fn pointer_doubt(
        &self,
        from: &CType,
        to: &CType,
        taker: Taker,
    ) -> Option<(WarningKind, &'static str)> {
        let is_routine = taker.is_routine();
        if !from.is_void() && !to.is_void() && !self.same_pointee(from, to) {
            return Some(match (sign_apart(from, to), is_routine) {
                (true, _) => (WarningKind::PointerSign, ""),
                (_, true) => (WarningKind::StartRoutine, ""),
                _ => (WarningKind::PointerTypes, ""),
            });
        }
        if is_routine && from.is_void() {
            let why = "; the function itself is passed by its name alone, without a call";
            return Some((WarningKind::StartRoutine, why));
        }
        let (from, to) = (qualifiers(from), qualifiers(to));
        let is_lost = from.is_const && !to.is_const || from.volatile && !to.volatile;
        is_lost.then_some((WarningKind::DiscardedQualifiers, ""))
    }

    /// True if pointers to these may stand for each other, qualifiers of what they point to aside.
    pub(super) fn same_pointee(&self, from: &CType, to: &CType) -> bool {
        qualifiers(from).atomic == qualifiers(to).atomic && consistent(&self.records, from, to)
    }

    /// Warns of a comparison of pointers that makes no sense without a cast.
    pub(super) fn compare_doubt(&mut self, a: &Typed, b: &Typed) {
        let text = match (a.ty.pointee(), b.ty.pointee()) {
            (Some(_), None) if is_zero(b) => return,
            (None, Some(_)) if is_zero(a) => return,
            (Some(x), Some(y))
                if x.is_void() || y.is_void() || sign_apart(x, y) || self.same_pointee(x, y) =>
            {
                return;
            }
            (Some(_), Some(_)) => "pointers of different types are compared",
            _ => "a pointer and an integer are compared",
        };
        let (a, b) = (self.spell(&a.ty), self.spell(&b.ty));
        let text = format!("{text} without a cast: `{a}` and `{b}`");
        self.warn(WarningKind::PointerComparison, text);
    }
}

/// True for pointers to functions that machines can begin a thread with, whatever their types are: one parameter at the most,
/// and no structures.
fn can_start(ty: &CType) -> bool {
    match ty.pointee().map(|to| &to.kind) {
        Some(Kind::Function(signature)) => {
            let mut all = signature.params.iter().chain([&signature.result]);
            signature.params.len() <= 1 && !all.any(CType::is_record)
        }
        _ => true,
    }
}

/// A null pointer, or an integer that is constantly zero.
fn is_zero(value: &Typed) -> bool {
    matches!(
        value.value,
        Value::Scalar(Operand::Const { value: 0, .. })
            | Value::Cond(Operand::Const { value: 0, .. })
    )
}

/// Qualifiers of a type; those of an array are those of its elements.
pub(super) fn qualifiers(ty: &CType) -> Quals {
    match &ty.kind {
        Kind::Array(element, _) => ty.quals.union(qualifiers(element)),
        _ => ty.quals,
    }
}

/// Integer types that differ in their signs alone, or are characters.
fn sign_apart(a: &CType, b: &CType) -> bool {
    let unsigned = |ty: &CType| match ty.kind {
        Kind::Int(kind) => Some(kind.unsigned()),
        _ => None,
    };
    let same = |kind: IntKind| Some(kind) == unsigned(b);
    a.kind != b.kind && unsigned(a).is_some_and(same)
}
