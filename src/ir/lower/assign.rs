//! Assignments, increments and decrements (C11 6.5.16, 6.5.2.4, 6.5.3.1).
//!
//! On a plain place they are a load and a store. On an `_Atomic` place an assignment is one seq_cst store,
//! and a compound one a single read-modify-write where the machine has it, otherwise an atomic section.

use super::assignable::Taker;
use super::body::constant;
use super::convert::Typed;
use super::ctype::{CType, Field, IntKind, Kind};
use super::lvalue::{LValue, Place};
use super::operator::Op;
use super::{Lowerer, Res};
use crate::ir::{BinOp, Check, InstrKind, MemOrder, Operand, RmwOp};
use lang_c::ast::Expression;
use lang_c::span::Node;

impl Lowerer {
    /// `left = right`; its value is that of the left side afterwards, which is not read again.
    pub(super) fn assign(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
    ) -> Res<Typed> {
        let target = self.modifiable(left)?;
        let value = self.expr(right)?;
        let value = self.at(right.span, |this| {
            this.taken(value, &target.ty, Taker::Assignment)
        })?;
        self.store(&target, value)
    }

    /// An lvalue that is changed (C11 6.3.2.1).
    fn modifiable(&mut self, e: &Node<Expression>) -> Res<LValue> {
        let target = self.lvalue(e)?;
        let what = match &e.node {
            Expression::Identifier(name) => format!("`{}`", name.node.name),
            _ => "this".to_string(),
        };
        if matches!(target.ty.kind, Kind::Array(..) | Kind::Function(_)) {
            let ty = self.spell(&target.ty);
            let text = format!("{what} has the type `{ty}`, which cannot be assigned");
            return self.error(e.span, text);
        }
        if target.ty.is_const() || self.has_constant_member(&target.ty) {
            let text = format!("{what} is `const` and cannot be changed");
            return self.error(e.span, text);
        }
        Ok(target)
    }

    /// True for structures with a member, at any depth, that is constant.
    fn has_constant_member(&self, ty: &CType) -> bool {
        match &ty.kind {
            Kind::Array(element, _) => self.has_constant_member(element),
            Kind::Record(id) => {
                let fields = self.records[*id].fields.as_ref();
                let is_fixed =
                    |field: &Field| field.ty.is_const() || self.has_constant_member(&field.ty);
                fields.is_some_and(|fields| fields.iter().any(is_fixed))
            }
            _ => false,
        }
    }

    /// `left op= right`.
    pub(super) fn compound_assign(
        &mut self,
        op: Op,
        left: &Node<Expression>,
        right: &Node<Expression>,
    ) -> Res<Typed> {
        let target = self.modifiable(left)?;
        if target.ty.quals.atomic && matches!(target.place, Place::Memory(_)) {
            let value = self.expr(right)?;
            return self.atomic_update(op, &target, value, true);
        }
        let old = self.load(&target)?;
        let value = self.expr(right)?;
        let result = self.update(op, &target, old, value)?;
        let result = self.convert(result, &target.ty)?;
        self.store(&target, result)
    }

    /// `++e`, `--e` (`new`: the value is the one afterwards) and `e++`, `e--`; `accessed` if the value is a pointer through which
    /// something is accessed next.
    pub(super) fn increment(
        &mut self,
        e: &Node<Expression>,
        (down, new): (bool, bool),
        accessed: bool,
    ) -> Res<Typed> {
        let target = self.modifiable(e)?;
        let one = Typed::scalar(CType::int(IntKind::Int), constant(1, 32));
        let op = if down { Op::Sub } else { Op::Add };
        if target.ty.quals.atomic && matches!(target.place, Place::Memory(_)) {
            return self.atomic_update(op, &target, one, new);
        }
        let mut old = self.load(&target)?;
        if let (Place::Reg(_), false) = (target.place, new) {
            // The old value outlives the assignment to its register.
            let operand = self.operand(old)?;
            let bits = self.bits(&target.ty);
            let copy = self.body.assign(bits, crate::ir::Rvalue::Use(operand));
            old = Typed::scalar(target.ty.unqualified(), copy);
        }
        self.unbounded = accessed && new;
        let result = self.update(op, &target, old.clone(), one);
        self.unbounded = false;
        let result = self.convert(result?, &target.ty)?;
        let stored = self.store(&target, result)?;
        Ok(if new { stored } else { old })
    }

    /// Result of an update, which it stores. Atomic updates wrap, wherever their object is.
    fn update(&mut self, op: Op, target: &LValue, old: Typed, value: Typed) -> Res<Typed> {
        let checks = self.meaning.checks;
        if target.ty.quals.atomic {
            self.meaning.checks = checks.without(Check::Overflow);
        }
        let result = self.apply(op, old, value);
        self.meaning.checks = checks;
        result
    }

    /// An update of an atomic place in one step; the value before or after it.
    fn atomic_update(&mut self, op: Op, target: &LValue, value: Typed, new: bool) -> Res<Typed> {
        let Place::Memory(addr) = target.place else {
            return self.fail("not in memory");
        };
        let ty = target.ty.unqualified();
        let rmw = match op {
            Op::Add => Some((RmwOp::Add, BinOp::Add)),
            Op::Sub => Some((RmwOp::Sub, BinOp::Sub)),
            Op::And => Some((RmwOp::And, BinOp::And)),
            Op::Or => Some((RmwOp::Or, BinOp::Or)),
            Op::Xor => Some((RmwOp::Xor, BinOp::Xor)),
            _ => None,
        };
        let operand = match (&ty.kind, rmw) {
            (Kind::Int(_), Some(_)) if value.ty.is_integer() => {
                // Modulo 2^n it does not matter where the operation's result is cut.
                Some(self.converted(value.clone(), &ty)?)
            }
            (Kind::Pointer(element), Some((RmwOp::Add | RmwOp::Sub, _))) => {
                Some(self.scaled(value.clone(), element)?)
            }
            _ => None,
        };
        let (Some(operand), Some((rmw, binary))) = (operand, rmw) else {
            return self.atomic_section(op, target, value, new);
        };
        let bits = self.bits(&ty);
        let old = self.rmw(addr, rmw, operand, bits, MemOrder::SeqCst);
        let result = if new {
            self.body.binary(binary, old, operand, bits)
        } else {
            old
        };
        Ok(Typed::scalar(ty, result))
    }

    fn atomic_section(&mut self, op: Op, target: &LValue, value: Typed, new: bool) -> Res<Typed> {
        self.body.emit(InstrKind::AtomicBegin { drains: true });
        let old = self.load(target)?;
        let result = self.update(op, target, old.clone(), value)?;
        let result = self.convert(result, &target.ty)?;
        let stored = self.store(target, result)?;
        self.body.emit(InstrKind::AtomicEnd);
        Ok(if new { stored } else { old })
    }

    /// An element count as a number of bytes, pointer-wide.
    fn scaled(&mut self, index: Typed, element: &CType) -> Res<Operand> {
        let bits = self.pointer_bits();
        let size = self.size_operand(element)?;
        let (from, signed) = (self.bits(&index.ty), index.ty.is_signed());
        let index = self.operand(index)?;
        let index = self.body.resize(index, from, bits, signed);
        Ok(self.body.binary(BinOp::Mul, index, size, bits))
    }

    /// A read-modify-write; gives the old value.
    pub(super) fn rmw(
        &mut self,
        addr: Operand,
        op: RmwOp,
        operand: Operand,
        bits: u16,
        order: MemOrder,
    ) -> Operand {
        let dst = self.body.temp(bits);
        self.body.emit(InstrKind::Rmw {
            dst,
            addr,
            op,
            operand,
            order,
        });
        Operand::Reg(dst)
    }
}
