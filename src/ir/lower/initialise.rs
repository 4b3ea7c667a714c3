//! Initialisers: stores to a stack object, or constants in a static one.

use super::assignable::Taker;
use super::body::constant;
use super::convert::{Typed, Value};
use super::ctype::{CType, IntKind, Kind, Leaf};
use super::initializer::{Init, Part, Parts, Source};
use super::lvalue::{LValue, Place};
use super::{Lowerer, Res, fold};
use crate::base::sorted::SortedMap;
use crate::ir::layout::BitUnit;
use crate::ir::{Access, InitPart, InstrKind, Operand, Rvalue};
use lang_c::ast::{Initializer, InitializerListItem};
use lang_c::span::{Node, Span};

impl Lowerer {
    /// Initialises the stack object at `addr`, the parts that are not mentioned with zero, unless it `is_zero`.
    pub(super) fn initialise(
        &mut self,
        ty: &CType,
        addr: Operand,
        init: Init,
        is_zero: bool,
    ) -> Res<()> {
        let mut parts = Parts::default();
        self.flatten(ty, init, 0, None, &mut parts)?;
        if let [
            Part {
                offset: 0,
                ty: part,
                source: Source::Expr(e),
                bits: None,
                ..
            },
        ] = &parts.list[..]
            && part.is_record()
            && ty.is_record()
        {
            // One expression for all of it.
            let value = self.expr(e)?;
            let value = self.at(e.span, |this| this.taken(value, ty, Taker::Initialiser))?;
            let target = LValue {
                ty: ty.unqualified(),
                place: Place::Memory(addr),
            };
            self.store(&target, value)?;
            return Ok(());
        }
        if !is_zero {
            self.zero_uncovered(ty, addr, &parts)?;
        }
        for part in parts.list {
            let at = self.offset_bytes(addr, part.offset as i64);
            match part.source {
                Source::Text(text) => self.store_text(&part.ty, at, &text)?,
                Source::Expr(e) => {
                    let value = self.expr(e)?;
                    let value = self.at(e.span, |this| {
                        this.taken(value, &part.ty, Taker::Initialiser)
                    })?;
                    let place = match part.bits {
                        None => Place::Memory(at),
                        Some(unit) => Place::Bits(at, unit),
                    };
                    let mut ty = self.part_type(ty, part.offset, part.ty);
                    // An initialisation is no atomic access.
                    ty.quals.atomic = false;
                    self.store(&LValue { ty, place }, value)?;
                }
            }
        }
        Ok(())
    }

    /// Zero start: true if an object of this type with an initialiser starts as zero: a large one without padding,
    /// because padding stays free.
    pub(super) fn starts_zero(&self, ty: &CType) -> bool {
        self.size(ty).is_some_and(|size| size > LARGE) && self.is_dense(ty)
    }

    /// Padding: true if an object has none.
    fn is_dense(&self, ty: &CType) -> bool {
        match &ty.kind {
            Kind::Array(element, _) => self.is_dense(element),
            Kind::Record(id) if self.records[*id].is_union => true,
            Kind::Record(id) => {
                let record = &self.records[*id];
                let mut end = 0;
                record.fields.iter().flatten().all(|field| {
                    let dense = field.offset == end && field.bits.is_none();
                    end = field.offset + self.size(&field.ty).unwrap_or(0);
                    dense && self.is_dense(&field.ty)
                }) && end == record.size
            }
            _ => true,
        }
    }

    /// Stores zero to every scalar that no part initialises, and to the units of bit-fields.
    fn zero_uncovered(&mut self, ty: &CType, addr: Operand, parts: &Parts) -> Res<()> {
        let mut covered: Vec<(u64, u64)> = parts
            .list
            .iter()
            .filter(|p| p.bits.is_none())
            .map(|p| (p.offset, p.end))
            .collect();
        covered.sort_unstable();
        let mut leaves = Vec::new();
        if self.size(ty).unwrap_or(0) > 1 << 20 {
            return self.fail("initialising a local object of this size is not modelled");
        }
        self.leaves(ty, 0, &mut leaves);
        let mut next = 0;
        for (offset, leaf) in leaves {
            let bits = match &leaf {
                Leaf::Scalar(ty) => self.bits(ty),
                Leaf::Bytes(bytes) => bytes * 8,
            };
            let end = offset + u64::from(bits) / 8;
            while next < covered.len() && covered[next].1 <= offset {
                next += 1;
            }
            if next < covered.len() && covered[next].0 <= offset && end <= covered[next].1 {
                continue;
            }
            let at = self.offset_bytes(addr, offset as i64);
            self.body.emit(InstrKind::Store {
                addr: at,
                value: constant(0, bits),
                access: Access::PLAIN,
            });
        }
        Ok(())
    }

    fn store_text(&mut self, ty: &CType, addr: Operand, text: &[u8]) -> Res<()> {
        let Kind::Array(element, _) = &ty.kind else {
            return self.fail("not an array");
        };
        let bits = self.bits(element);
        let bytes = usize::from(bits / 8);
        for (i, unit) in text.chunks(bytes).enumerate() {
            let at = self.offset_bytes(addr, (i * bytes) as i64);
            let value = constant(little_endian(unit), bits);
            self.body.emit(InstrKind::Store {
                addr: at,
                value,
                access: Access::PLAIN,
            });
        }
        Ok(())
    }

    /// The constant parts of a static object, by ascending offset, zeros left out; and its completed type.
    pub(super) fn static_parts(
        &mut self,
        ty: &CType,
        init: Init,
    ) -> Res<(CType, Vec<InitPart>, u64)> {
        let mut parts = Parts::default();
        let ty = self.flatten(ty, init, 0, None, &mut parts)?;
        let end = parts.end;
        let mut words: SortedMap<u64, (u16, Operand)> = SortedMap::new();
        for part in parts.list {
            match part.source {
                Source::Text(text) => {
                    let Kind::Array(element, _) = &part.ty.kind else {
                        continue;
                    };
                    let bits = self.bits(element);
                    for (i, unit) in text.chunks(usize::from(bits / 8)).enumerate() {
                        let value = constant(little_endian(unit), bits);
                        let offset = part.offset + i as u64 * u64::from(bits / 8);
                        put(&mut words, offset, bits, value);
                    }
                }
                Source::Expr(e) if !part.ty.is_scalar() => {
                    return self.error(
                        e.span,
                        "the initialiser of a static object must be constant",
                    );
                }
                Source::Expr(e) => {
                    let value = self.constant_value(e, &part.ty)?;
                    match part.bits {
                        None => {
                            let bits = self.bits(&part.ty);
                            put(&mut words, part.offset, bits, value);
                        }
                        Some(unit) => {
                            let Operand::Const { value, .. } = value else {
                                return self.error(e.span, "an address does not fit a bit-field");
                            };
                            put_bits(&mut words, part.offset, unit, value);
                        }
                    }
                }
            }
        }
        let parts = words
            .into_iter()
            .filter(|(_, (_, value))| !matches!(value, Operand::Const { value: 0, .. }))
            .map(|(offset_bytes, (bits, value))| InitPart {
                offset_bytes,
                bits,
                value,
            })
            .collect();
        Ok((ty, parts, end))
    }

    /// A compound literal (C11 6.5.2.5): an object of the block, or a static one at file scope.
    /// It may stand on one side of a condition, so that it is not there in every execution of the block.
    pub(super) fn compound_literal(
        &mut self,
        ty: CType,
        items: &[Node<InitializerListItem>],
        span: Span,
    ) -> Res<LValue> {
        let init = Init::List(items, span);
        if self.scopes.len() == 1 || self.constant_depth > 0 {
            let (ty, parts, _) = self.static_parts(&ty, init)?;
            let index = self.anonymous_global("(literal)", ty.clone(), parts);
            let id = self.global_id(index);
            self.body.literals.insert(Operand::GlobalAddr(id, 0));
            return Ok(LValue {
                ty,
                place: Place::Memory(Operand::GlobalAddr(id, 0)),
            });
        }
        let ty = self.completed_type(&ty, init)?;
        let life = self.body.owns_maybe(self.pointer_bits());
        let is_zero = !ty.is_scalar() && self.starts_zero(&ty);
        let addr = self.new_object(&ty, "(literal)", is_zero)?;
        self.body.literals.insert(addr);
        self.body.emit(InstrKind::Assign {
            dst: life,
            value: Rvalue::Use(addr),
        });
        if ty.is_scalar() {
            let value = match items.first().map(|i| &i.node.initializer.node) {
                Some(Initializer::Expression(e)) => self.expr(e)?,
                _ => Typed {
                    ty: CType::int(IntKind::Int),
                    value: Value::Scalar(constant(0, 32)),
                },
            };
            let value = self.taken(value, &ty, Taker::Initialiser)?;
            let target = LValue {
                ty: ty.unqualified(),
                place: Place::Memory(addr),
            };
            self.store(&target, value)?;
        } else {
            self.initialise(&ty, addr, init, is_zero)?;
        }
        Ok(LValue {
            ty,
            place: Place::Memory(addr),
        })
    }
}

/// Objects of more bytes are zero from the beginning rather than by stores, if they have an initialiser.
const LARGE: u64 = 256;

fn little_endian(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u128::from(*byte))
}

/// Puts a word over what is there.
fn put(words: &mut SortedMap<u64, (u16, Operand)>, offset: u64, bits: u16, value: Operand) {
    let end = offset + u64::from(bits / 8);
    let overlapping: Vec<u64> = words
        .range(offset.saturating_sub(16)..end)
        .filter(|(at, (b, _))| **at + u64::from(b / 8) > offset)
        .map(|(at, _)| *at)
        .collect();
    for at in overlapping {
        words.remove(&at);
    }
    words.insert(offset, (bits, value));
}

/// Puts a bit-field into its unit, byte by byte if other units overlap it.
fn put_bits(words: &mut SortedMap<u64, (u16, Operand)>, offset: u64, unit: BitUnit, value: u128) {
    let unit_bits = unit.unit_bytes * 8;
    let ones = fold::mask(u128::MAX, unit.width) << unit.shift;
    let field = (value << unit.shift) & ones;
    let end = offset + u64::from(unit.unit_bytes);
    let overlapping: Vec<(u64, u16, u128)> = words
        .range(offset.saturating_sub(16)..end)
        .filter(|(at, (bits, _))| **at + u64::from(bits / 8) > offset)
        .filter_map(|(at, (bits, word))| match word {
            Operand::Const { value, .. } => Some((*at, *bits, *value)),
            _ => None,
        })
        .collect();
    match overlapping[..] {
        [] => {
            words.insert(offset, (unit_bits, constant(field, unit_bits)));
        }
        [(at, bits, old)] if at == offset && bits == unit_bits => {
            words.insert(at, (bits, constant(old & !ones | field, bits)));
        }
        _ => {
            for &(at, bits, old) in &overlapping {
                words.remove(&at);
                for i in 0..u64::from(bits / 8) {
                    words.insert(at + i, (8, constant(old >> (8 * i), 8)));
                }
            }
            for i in 0..u64::from(unit.unit_bytes) {
                let old = match words.get(&(offset + i)) {
                    Some((_, Operand::Const { value, .. })) => *value,
                    _ => 0,
                };
                let (ones, field) = (ones >> (8 * i), field >> (8 * i));
                let byte = old & !ones | field;
                words.insert(offset + i, (8, constant(byte, 8)));
            }
        }
    }
}
