//! Values with their types, and conversions between types (C11 6.3).

use super::body::constant;
use super::ctype::{CType, FloatKind, IntKind, Kind};
use super::{Lowerer, Res};
use crate::base::Diagnostic;
use crate::ir::{BinOp, InstrKind, NondetSource, Operand, UnOp};

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// As wide as its type.
    Scalar(Operand),
    /// A truth value of width 1 that stands for 0 or 1 of its type.
    Cond(Operand),
    /// A record, by the address of an object that holds it.
    Record(Operand),
    Void,
}

/// A value with its (unqualified) type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub ty: CType,
    pub value: Value,
}

impl Typed {
    pub fn scalar(ty: CType, operand: Operand) -> Typed {
        Typed {
            ty,
            value: Value::Scalar(operand),
        }
    }

    /// A truth value of type `int`.
    pub fn truth(operand: Operand) -> Typed {
        Typed {
            ty: CType::int(IntKind::Int),
            value: Value::Cond(operand),
        }
    }

    pub fn void() -> Typed {
        Typed {
            ty: CType::void(),
            value: Value::Void,
        }
    }
}

impl Lowerer {
    /// A diagnostic at the current position.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Res<T> {
        Err(Diagnostic::new(self.body.loc, message))
    }

    /// Says that something here is not modelled, and gives a free value in its place.
    pub(super) fn unsupported(&mut self, reason: &str, ty: &CType) -> Typed {
        self.body.emit(InstrKind::Unsupported {
            reason: reason.to_string(),
        });
        let ty = ty.unqualified();
        if ty.is_void() || !ty.is_scalar() {
            return Typed::void();
        }
        let bits = self.bits(&ty);
        let operand = self.body.nondet(bits, NondetSource::External);
        Typed::scalar(ty, operand)
    }

    /// The operand of a scalar value, as wide as its type.
    pub(super) fn operand(&mut self, value: Typed) -> Res<Operand> {
        match value.value {
            Value::Scalar(operand) => Ok(operand),
            Value::Cond(cond) => {
                let bits = self.bits(&value.ty);
                Ok(self.body.resize(cond, 1, bits, false))
            }
            Value::Record(_) => {
                self.fail("a structure is used where a number or pointer is needed")
            }
            Value::Void => self.fail("a value of type `void` is used"),
        }
    }

    /// Truth of a value: true if it differs from zero, as a condition of width 1.
    pub(super) fn truth(&mut self, value: Typed) -> Res<Operand> {
        if let Value::Cond(cond) = value.value {
            return Ok(cond);
        }
        if !value.ty.is_scalar() {
            let ty = self.spell(&value.ty);
            let text = format!("a condition must be a number or a pointer, and this is `{ty}`");
            return self.fail(text);
        }
        let bits = self.bits(&value.ty);
        let ty = value.ty.clone();
        let operand = self.operand(value)?;
        if let Kind::Float(kind) = ty.kind {
            return self.float_truth(kind, operand);
        }
        Ok(self
            .body
            .binary(BinOp::Ne, operand, constant(0, bits), bits))
    }

    /// The negation of a condition.
    pub(super) fn not(&mut self, cond: Operand) -> Operand {
        // `!(a == b)` is `a != b`; everything else keeps its negation.
        self.body.unary(UnOp::Not, cond, 1)
    }

    /// Converts as if by assignment or cast.
    pub(super) fn convert(&mut self, value: Typed, to: &CType) -> Res<Typed> {
        let to = to.unqualified();
        match (&to.kind, value.value) {
            (Kind::Void, _) => Ok(Typed::void()),
            (Kind::Record(a), Value::Record(_)) if value.ty.kind == Kind::Record(*a) => Ok(Typed {
                ty: to,
                value: value.value,
            }),
            (Kind::Bool, _) => {
                let cond = self.truth(value)?;
                Ok(Typed {
                    ty: to,
                    value: Value::Cond(cond),
                })
            }
            (Kind::Int(_), Value::Cond(_)) => Ok(Typed {
                ty: to,
                value: value.value,
            }),
            _ if !to.is_scalar() || !value.ty.is_scalar() => {
                let (from, to) = (self.spell(&value.ty), self.spell(&to));
                self.fail(format!("`{from}` cannot be converted to `{to}`"))
            }
            _ => {
                let from = value.ty.clone();
                let operand = self.operand(value)?;
                let operand = self.convert_operand(operand, &from, &to)?;
                Ok(Typed::scalar(to, operand))
            }
        }
    }

    /// Converts to a scalar type and gives the operand.
    pub(super) fn converted(&mut self, value: Typed, to: &CType) -> Res<Operand> {
        let value = self.convert(value, to)?;
        self.operand(value)
    }

    /// Converts between scalar types that are not `_Bool` at the target.
    fn convert_operand(&mut self, operand: Operand, from: &CType, to: &CType) -> Res<Operand> {
        let (from_bits, to_bits) = (self.bits(from), self.bits(to));
        if from.is_float() || to.is_float() {
            return self.convert_float(operand, from, to);
        }
        if from.is_pointer() && !to.is_pointer() && !matches!(operand, Operand::Const { .. }) {
            self.body.emit(InstrKind::Expose { addr: operand });
        }
        // A pointer is sign-extended when it is cast to a wider integer (as GCC documents).
        let signed = from.is_signed() || from.is_pointer();
        let value = self.body.resize(operand, from_bits, to_bits, signed);
        if !to.is_pointer() || from.is_pointer() || matches!(value, Operand::Const { .. }) {
            return Ok(value);
        }
        Ok(self
            .body
            .assign(to_bits, crate::ir::Rvalue::FromInteger(value)))
    }

    /// The integer promotions (C11 6.3.1.1).
    pub(super) fn promoted(&self, ty: &CType) -> CType {
        match ty.kind {
            Kind::Bool => CType::int(IntKind::Int),
            Kind::Int(kind) if kind.rank() < IntKind::Int.rank() => CType::int(IntKind::Int),
            _ => CType {
                align: 0,
                ..ty.unqualified()
            },
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8).
    pub(super) fn common(&self, a: &CType, b: &CType) -> CType {
        if let (Kind::Float(x), Kind::Float(y)) = (&a.kind, &b.kind) {
            return CType::new(Kind::Float(if self.bits(a) >= self.bits(b) {
                *x
            } else {
                *y
            }));
        }
        if a.is_float() {
            return a.unqualified();
        }
        if b.is_float() {
            return b.unqualified();
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (Kind::Int(x), Kind::Int(y)) = (&a.kind, &b.kind) else {
            return a;
        };
        let (x, y) = (*x, *y);
        let is_field = |kind| matches!(kind, IntKind::Field { .. });
        let (x_bits, y_bits) = (x.bits(self.model), y.bits(self.model));
        let kind = if is_field(x) || is_field(y) {
            // GCC: the wider type, of equally wide ones the unsigned one.
            if x_bits > y_bits || x_bits == y_bits && !x.signed() {
                x
            } else {
                y
            }
        } else if x.signed() == y.signed() {
            if x.rank() >= y.rank() { x } else { y }
        } else {
            let (signed, unsigned) = if x.signed() { (x, y) } else { (y, x) };
            if unsigned.rank() >= signed.rank() {
                unsigned
            } else if signed.bits(self.model) > unsigned.bits(self.model) {
                signed
            } else {
                signed.unsigned()
            }
        };
        CType::int(kind)
    }

    /// The default argument promotions (C11 6.5.2.2).
    pub(super) fn default_promoted(&self, ty: &CType) -> CType {
        match ty.kind {
            Kind::Float(FloatKind::Float) => CType::new(Kind::Float(FloatKind::Double)),
            Kind::Int(kind @ IntKind::Field { .. }) => CType::int(kind.container()),
            _ if ty.is_integer() => self.promoted(ty),
            _ => ty.unqualified(),
        }
    }
}
