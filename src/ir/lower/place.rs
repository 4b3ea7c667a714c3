//! Places that values are read from and written to: registers, memory, bit-fields.

use super::body::constant;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, Leaf, Length};
use super::lvalue::{LValue, Place};
use super::recover::nearest;
use super::{Lowerer, Res};
use crate::ir::faults::{self, Fault};
use crate::ir::layout::BitUnit;
use crate::ir::{
    Access, AllocKind, BinOp, Callee, ExternCall, InstrKind, MemOrder, Operand, PointerCheck,
    Rvalue,
};

/// Records of more bytes are copied as by `memcpy`, which has loops for what is long.
const MOST_UNROLLED: u64 = 4096;

impl Lowerer {
    /// Memory order and alignment of an access of this type.
    pub(super) fn access(&self, ty: &CType) -> Access {
        Access {
            order: ty.quals.atomic.then_some(MemOrder::SeqCst),
            volatile: ty.quals.volatile,
            align_bytes: self.access_align(ty) as u8,
            end: self.body.end,
            ..Access::PLAIN
        }
    }

    /// Alignment that an access demands of scalars of this type, in bytes. (More than their size is asked of single
    /// objects only, which lie where they should.)
    fn access_align(&self, ty: &CType) -> u64 {
        factor(self.align(ty), u64::from(self.bits(ty) / 8))
    }

    /// The same for the access unit of a bit-field, which may lie anywhere.
    fn unit_access(&self, ty: &CType, unit: BitUnit) -> Access {
        Access {
            align_bytes: 1,
            beside: unit.beside,
            ..self.access(ty)
        }
    }

    /// The type of a part at `offset` bytes of an object: not aligned more than its place, as members of packed
    /// structures are not.
    pub(super) fn part_type(&self, whole: &CType, offset: u64, part: CType) -> CType {
        let place = factor(self.align(whole), offset);
        if self.align(&part) > place {
            CType {
                align: place as u32,
                ..part
            }
        } else {
            part
        }
    }

    /// The value at a place, after lvalue conversion: arrays and functions become pointers.
    pub(super) fn load(&mut self, lvalue: &LValue) -> Res<Typed> {
        let ty = &lvalue.ty;
        match (&ty.kind, lvalue.place) {
            (Kind::Array(element, _), Place::Memory(addr)) => {
                let element = self.part_type(ty, 0, (**element).clone());
                Ok(Typed::scalar(element.pointer_to(), addr))
            }
            (Kind::Function(_), Place::Memory(addr)) => {
                Ok(Typed::scalar(ty.unqualified().pointer_to(), addr))
            }
            (Kind::Record(_), Place::Memory(addr)) => {
                let addr = if ty.quals.atomic {
                    self.atomic_copy(ty, addr)?
                } else {
                    addr
                };
                Ok(Typed {
                    ty: ty.unqualified(),
                    value: Value::Record(addr),
                })
            }
            (Kind::Void, Place::Memory(_)) => Ok(Typed::void()),
            (_, Place::Reg(reg)) => {
                self.needs_value(reg);
                Ok(Typed::scalar(ty.unqualified(), Operand::Reg(reg)))
            }
            (_, Place::Memory(addr)) => {
                let bits = self.bits(ty);
                let mut access = self.access(ty);
                access.needs_value = self.needs_value_of(ty, addr);
                let operand = self.body.load(bits, addr, access);
                Ok(Typed::scalar(ty.unqualified(), operand))
            }
            (_, Place::Bits(addr, unit)) => {
                let access = self.unit_access(ty, unit);
                let word = self.body.load(unit.unit_bytes * 8, addr, access);
                let operand = self.extract(word, unit, ty);
                Ok(self.promote_field(ty, unit, operand))
            }
        }
    }

    /// The value of a bit-field, as wide as its declared type.
    fn extract(&mut self, word: Operand, unit: BitUnit, ty: &CType) -> Operand {
        let unit_bits = unit.unit_bytes * 8;
        let bits = self.bits(ty);
        let shift = constant(u128::from(unit.shift), unit_bits);
        let word = self.body.binary(BinOp::LShr, word, shift, unit_bits);
        let field = self.body.resize(word, unit_bits, unit.width, false);
        let signed = ty.is_signed() && !faults::on(Fault::FieldSignLost);
        self.body.resize(field, unit.width, bits, signed)
    }

    /// A bit-field narrower than `int` has type `int` in expressions, whatever its sign; one that is wider has a
    /// type of its own width.
    fn promote_field(&mut self, ty: &CType, unit: BitUnit, operand: Operand) -> Typed {
        let bits = self.bits(ty);
        let int = CType::int(IntKind::Int);
        if unit.width < 32 || (ty.is_signed() && unit.width == 32) {
            let operand = self.body.resize(operand, bits, 32, ty.is_signed());
            if faults::on(Fault::FieldUnsigned) && !ty.is_signed() {
                return Typed::scalar(CType::int(IntKind::UInt), operand);
            }
            return Typed::scalar(int, operand);
        }
        if unit.width == bits {
            return Typed::scalar(ty.unqualified(), operand);
        }
        let signed = ty.is_signed();
        let kind = match unit.width {
            32 => IntKind::UInt,
            width => IntKind::Field { width, signed },
        };
        let operand = self.body.resize(operand, bits, unit.width, signed);
        Typed::scalar(CType::int(kind), operand)
    }

    /// Stores a value that has been converted to the type of the place; gives the value of the assignment.
    pub(super) fn store(&mut self, lvalue: &LValue, value: Typed) -> Res<Typed> {
        let ty = lvalue.ty.clone();
        match lvalue.place {
            Place::Memory(addr) if ty.is_record() => {
                let Value::Record(source) = value.value else {
                    return self.fail("a structure is assigned from something else");
                };
                if ty.quals.atomic {
                    self.body.emit(InstrKind::AtomicBegin { drains: true });
                }
                self.copy_record(&ty, addr, source)?;
                if ty.quals.atomic {
                    self.body.emit(InstrKind::AtomicEnd);
                }
                Ok(Typed {
                    ty: ty.unqualified(),
                    value: Value::Record(source),
                })
            }
            _ if !ty.is_scalar() => self.fail("this is not something that can be assigned"),
            Place::Reg(dst) => {
                let operand = self.operand(value.clone())?;
                self.body.emit(InstrKind::Assign {
                    dst,
                    value: Rvalue::Use(operand),
                });
                self.has_value(dst);
                Ok(value)
            }
            Place::Memory(addr) => {
                let operand = self.operand(value.clone())?;
                let access = self.access(&ty);
                self.body.emit(InstrKind::Store {
                    addr,
                    value: operand,
                    access,
                });
                Ok(value)
            }
            Place::Bits(addr, unit) => {
                let bits = self.bits(&ty);
                let operand = self.operand(value)?;
                let field = self.body.resize(operand, bits, unit.width, false);
                self.store_bits(addr, unit, field, &ty);
                if faults::on(Fault::FieldUncut) {
                    return Ok(Typed::scalar(ty.unqualified(), operand));
                }
                let operand = self.body.resize(field, unit.width, bits, ty.is_signed());
                Ok(self.promote_field(&ty, unit, operand))
            }
        }
    }

    /// Replaces the bits of a field (`field` is as wide as it) in its unit.
    fn store_bits(&mut self, addr: Operand, unit: BitUnit, field: Operand, ty: &CType) {
        let unit_bits = unit.unit_bytes * 8;
        let access = self.unit_access(ty, unit);
        let wide = self.body.resize(field, unit.width, unit_bits, false);
        let value = if unit.width == unit_bits {
            wide
        } else {
            let old = if faults::on(Fault::FieldSpills) {
                constant(0, unit_bits)
            } else {
                self.body.load(unit_bits, addr, access)
            };
            let ones = super::fold::mask(u128::MAX, unit.width) << unit.shift;
            let kept = self
                .body
                .binary(BinOp::And, old, constant(!ones, unit_bits), unit_bits);
            let shift = constant(u128::from(unit.shift), unit_bits);
            let moved = self.body.binary(BinOp::Shl, wide, shift, unit_bits);
            self.body.binary(BinOp::Or, kept, moved, unit_bits)
        };
        self.body.emit(InstrKind::Store {
            addr,
            value,
            access,
        });
    }

    /// Copies a record scalar by scalar, in declaration order.
    pub(super) fn copy_record(&mut self, ty: &CType, to: Operand, from: Operand) -> Res<()> {
        if self.size(ty).is_none() {
            return self.fail("an incomplete structure is copied");
        }
        let mut leaves = Vec::new();
        let size = self.size(ty).unwrap_or(0);
        if size > MOST_UNROLLED && !ty.quals.volatile {
            let pointee = Some(self.intern(ty));
            let pointer_bits = self.pointer_bits();
            let call = ExternCall {
                name: "memcpy".to_string(),
                ret_bits: Some(pointer_bits),
                pointer_args: vec![true, true, false],
                pointees: vec![pointee, pointee, None],
                record_result: false,
            };
            self.body.emit(InstrKind::Call {
                dst: None,
                callee: Callee::Extern(call),
                args: vec![to, from, constant(u128::from(size), pointer_bits)],
            });
            self.mark_copy(ty, to, from);
            return Ok(());
        }
        self.leaves(
            &CType {
                quals: Default::default(),
                ..ty.clone()
            },
            0,
            &mut leaves,
        );
        if faults::on(Fault::RecordTail) {
            leaves.pop();
        }
        let align = self.align(ty);
        for (offset, leaf) in leaves {
            let (bits, own) = match &leaf {
                Leaf::Scalar(ty) => (self.bits(ty), self.access_align(ty)),
                Leaf::Bytes(bytes) => (bytes * 8, 1),
            };
            let access = Access {
                order: None,
                volatile: ty.quals.volatile,
                align_bytes: factor(align, offset).min(own) as u8,
                ..Access::PLAIN
            };
            let source = self.offset_bytes(from, offset as i64);
            let value = self.body.load(bits, source, access);
            let target = self.offset_bytes(to, offset as i64);
            self.body.emit(InstrKind::Store {
                addr: target,
                value,
                access,
            });
        }
        self.mark_copy(ty, to, from);
        Ok(())
    }

    /// Says that a record is a copy now; one of a compound literal is as good as initialised.
    fn mark_copy(&mut self, ty: &CType, to: Operand, from: Operand) {
        let size = self.size(ty).unwrap_or(0);
        let size_bytes = constant(u128::from(size), self.pointer_bits());
        let ty = Some(self.intern(&ty.unqualified()));
        let fresh = self.body.literals.contains(&from);
        self.body.emit(InstrKind::Copied {
            addr: to,
            size_bytes,
            ty,
            fresh,
        });
    }

    /// A copy of an atomic record, made in one step.
    fn atomic_copy(&mut self, ty: &CType, addr: Operand) -> Res<Operand> {
        let copy = self.temporary(&ty.unqualified(), "(copy)")?;
        self.body.emit(InstrKind::AtomicBegin { drains: true });
        self.copy_record(&ty.unqualified(), copy, addr)?;
        self.body.emit(InstrKind::AtomicEnd);
        Ok(copy)
    }

    /// A new stack object that no declaration names.
    pub(super) fn temporary(&mut self, ty: &CType, name: &str) -> Res<Operand> {
        self.new_object(ty, name, false)
    }

    /// The same, free at first or zero.
    pub(super) fn new_object(&mut self, ty: &CType, name: &str, zeroed: bool) -> Res<Operand> {
        let Some(size) = self.size(ty) else {
            return self.fail("a value of incomplete type is used");
        };
        let pointer_bits = self.pointer_bits();
        let dst = self.body.temp(pointer_bits);
        let kind = AllocKind::Stack {
            name: name.to_string(),
            ty: self.intern(ty),
            zeroed,
        };
        let size_bytes = constant(u128::from(size), pointer_bits);
        let align_bytes = constant(u128::from(self.align(ty)), pointer_bits);
        self.body.emit(InstrKind::Alloc {
            dst,
            size_bytes,
            align_bytes,
            kind,
        });
        Ok(Operand::Reg(dst))
    }

    /// The address `bytes` behind `base`, in the same object.
    pub(super) fn offset_bytes(&mut self, base: Operand, bytes: i64) -> Operand {
        let bits = self.pointer_bits();
        self.offset(base, constant(bytes as i128 as u128, bits))
    }

    /// The address `offset` (pointer-wide, signed) bytes behind `base`, in the same object.
    pub(super) fn offset(&mut self, base: Operand, offset: Operand) -> Operand {
        let bits = self.pointer_bits();
        if let Operand::Const { value, .. } = offset {
            if value == 0 {
                return base;
            }
            let bytes = super::fold::sign_extend(value, bits) as i64;
            match base {
                Operand::GlobalAddr(id, start) => {
                    let target = start + bytes;
                    let size = self.size(&self.globals[self.global_ids[id]].ty.clone());
                    let inside = size.is_some_and(|s| target >= 0 && target as u64 <= s);
                    if inside || self.constant_depth > 0 {
                        return Operand::GlobalAddr(id, target);
                    }
                }
                // `&((struct s *)0)->member`; small numbers all lie in the null slot.
                Operand::Const { value: start, .. } => {
                    let target = super::fold::mask(start.wrapping_add(value), bits);
                    if target < 1 << 16 || self.constant_depth > 0 {
                        return constant(target, bits);
                    }
                }
                _ => {}
            }
        }
        self.body.assign(
            bits,
            Rvalue::Offset {
                base,
                offset_bytes: offset,
            },
        )
    }

    /// Size of a complete type in bytes, pointer-wide; computed where it has a variable length.
    pub(super) fn size_operand(&mut self, ty: &CType) -> Res<Operand> {
        let bits = self.pointer_bits();
        if let Kind::Array(element, length) = &ty.kind
            && ty.is_variable()
        {
            let each = self.size_operand(element)?;
            let count = match length {
                Length::Variable(count) => *count,
                Length::Known(n) => constant(u128::from(*n), bits),
                Length::Unknown => return self.fail("the size of an incomplete type is needed"),
            };
            return Ok(self.body.binary(BinOp::Mul, count, each, bits));
        }
        match self.size(ty) {
            Some(size) => Ok(constant(u128::from(size), bits)),
            None => self.fail("the size of an incomplete type is needed"),
        }
    }

    /// `pointer + index` elements (minus, if `negative`), which is within the object or one past its end.
    pub(super) fn add_pointer(
        &mut self,
        pointer: Typed,
        index: Typed,
        negative: bool,
    ) -> Res<Typed> {
        let bytes = pointer.ty.pointee().and_then(|element| self.size(element));
        let fixed = matches!(index.value, Value::Scalar(Operand::Const { .. }));
        let moved = self.move_pointer(pointer, index, negative)?;
        // From a member back to its structure, which a list's head may not have around it (`container_of`).
        let to_container = fixed && negative && bytes == Some(1);
        if !self.unbounded && !to_container {
            self.check_within(&moved);
        }
        Ok(moved)
    }

    /// States that a pointer that was moved is within its object or one past its end.
    pub(super) fn check_within(&mut self, moved: &Typed) {
        if let Value::Scalar(addr @ Operand::Reg(_)) = moved.value
            && self.checks_undefined()
        {
            let check = PointerCheck::Within(addr);
            self.body.emit(InstrKind::Pointers(check));
        }
    }

    /// `pointer + index` elements (minus, if `negative`); `pointer` has type pointer, `index` an integer type.
    pub(super) fn move_pointer(
        &mut self,
        pointer: Typed,
        index: Typed,
        negative: bool,
    ) -> Res<Typed> {
        let ty = pointer.ty.clone();
        let Some(element) = ty.pointee() else {
            let ty = self.spell(&ty);
            return self.fail(format!("this is not a pointer: its type is `{ty}`"));
        };
        if !index.ty.is_integer() {
            return self.fail("a pointer can only be moved by an integer");
        }
        let size = self.size_operand(element)?;
        let bits = self.pointer_bits();
        let (from, signed) = (self.bits(&index.ty), index.ty.is_signed());
        let index = self.operand(index)?;
        let index = self.body.resize(index, from, bits, signed);
        let mut offset = self.body.binary(BinOp::Mul, index, size, bits);
        if negative {
            offset = self.body.unary(crate::ir::UnOp::Neg, offset, bits);
        }
        let base = self.operand(pointer)?;
        if let Some(element) = ty.pointee() {
            self.note_pointee(base, element);
        }
        let moved = self.offset(base, offset);
        Ok(Typed::scalar(ty, moved))
    }

    /// The member of a record at a place.
    pub(super) fn member_of(&mut self, object: &LValue, name: &str) -> Res<LValue> {
        let Kind::Record(id) = object.ty.kind else {
            let ty = self.spell(&object.ty);
            let is_pointer = object.ty.pointee().is_some_and(CType::is_record);
            return self.fail(if is_pointer {
                format!("this is a pointer, `{ty}`: write `->{name}`")
            } else {
                format!("`{ty}` has no members, and so no `{name}`")
            });
        };
        let Place::Memory(addr) = object.place else {
            return self.fail("a structure outside memory");
        };
        let Some((offset, field)) = self.find_field(id, name) else {
            let record = self.records[id].name.clone();
            if self.records[id].broken {
                return self.follows();
            }
            return self.fail(match &self.records[id].fields {
                Some(fields) => {
                    let names = fields.iter().map(|field| field.name.as_str());
                    let hint = nearest(name, names.filter(|name| !name.is_empty()));
                    format!("{record} has no member `{name}`{hint}")
                }
                None => format!("{record} is incomplete here"),
            });
        };
        // The state of a mutex is not in its memory; only its kind is.
        let is_state = name != "__kind" && self.records[id].name == "struct __pthread_mutex_s";
        if is_state {
            let reason = format!("an access of the state of a mutex (`{name}`)");
            self.body.emit(InstrKind::Unsupported { reason });
        }
        let mut quals = object.ty.quals;
        quals.atomic = false;
        let ty = field.ty.with_quals(quals);
        let ty = self.part_type(&object.ty, offset, ty);
        let addr = self.offset_bytes(addr, offset as i64);
        let place = match field.bits {
            None => Place::Memory(addr),
            Some(unit) => Place::Bits(addr, unit),
        };
        Ok(LValue { ty, place })
    }
}

/// The largest power of two up to `align` that divides `offset`.
fn factor(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}
