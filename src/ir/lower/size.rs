//! Size and alignment of types, the scalars that they consist of, and what later stages know of them.

use super::Lowerer;
use super::ctype::{CType, Field, FloatKind, Kind, Leaf, Length, Quals, RecordId};
use crate::ir::DataModel;
use crate::ir::ty::{Member, Type, TypeId, Written};

impl Lowerer {
    /// Width of a scalar type in bits (`_Bool` has 8).
    pub(super) fn bits(&self, ty: &CType) -> u16 {
        match &ty.kind {
            Kind::Bool => 8,
            Kind::Int(kind) => kind.bits(self.model),
            Kind::Float(FloatKind::Float) => 32,
            Kind::Float(FloatKind::Double) => 64,
            Kind::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => 96,
                DataModel::Lp64 => 128,
            },
            Kind::Float(FloatKind::Quad) => 128,
            _ => self.model.pointer_bits(),
        }
    }

    /// Size in bytes; `None` for incomplete, variable-length and absurdly large types. `void` and functions
    /// have size 1 (GNU C).
    pub(super) fn size(&self, ty: &CType) -> Option<u64> {
        match &ty.kind {
            Kind::Void | Kind::Function(_) => Some(1),
            Kind::Array(element, Length::Known(n)) => {
                let size = self.size(element)?.checked_mul(*n)?;
                (size < 1 << 48).then_some(size)
            }
            Kind::Array(..) => None,
            Kind::Record(id) => self.records[*id]
                .fields
                .as_ref()
                .map(|_| self.records[*id].size),
            Kind::Int(kind) => Some(u64::from(kind.container().bits(self.model)) / 8),
            _ => Some(u64::from(self.bits(ty)) / 8),
        }
    }

    /// Alignment in bytes inside a record.
    pub(super) fn align(&self, ty: &CType) -> u64 {
        if ty.align != 0 {
            return u64::from(ty.align);
        }
        match &ty.kind {
            Kind::Void | Kind::Function(_) => 1,
            Kind::Array(element, _) => self.align(element),
            Kind::Record(id) => self.records[*id].align,
            Kind::Float(FloatKind::Quad) => 16,
            _ => {
                let bytes = u64::from(self.bits(ty)) / 8;
                match self.model {
                    DataModel::Ilp32 => bytes.min(4),
                    DataModel::Lp64 => bytes,
                }
            }
        }
    }

    /// The alignment that objects of the type have where nothing keeps them from it, in bytes: on i386, numbers of
    /// eight bytes need four and prefer eight.
    pub(super) fn preferred_align(&self, ty: &CType) -> u64 {
        match &ty.kind {
            _ if ty.align != 0 => u64::from(ty.align),
            Kind::Array(element, _) => self.preferred_align(element),
            Kind::Int(_) | Kind::Float(FloatKind::Double) => u64::from(self.bits(ty)) / 8,
            _ => self.align(ty),
        }
    }

    /// The type as later stages know it; arrays of unknown or variable length have length 0.
    pub(super) fn intern(&mut self, ty: &CType) -> TypeId {
        let plain = match &ty.kind {
            Kind::Void | Kind::Function(_) => Type::Void,
            Kind::Bool => Type::Bool,
            Kind::Int(kind) => {
                if let Some(constants) = ty.constants.0 {
                    return constants;
                }
                Type::Int {
                    bits: kind.container().bits(self.model),
                    signed: kind.signed(),
                    written: match kind.is_plain_char() {
                        true => Written::Character,
                        false => Written::Number,
                    },
                }
            }
            Kind::Float(kind) => match kind.format() {
                Some(format) => Type::Float(format),
                None => Type::integer(self.bits(ty), false),
            },
            Kind::Pointer(to) => Type::Pointer {
                to: self.intern(to),
            },
            Kind::Array(element, length) => Type::Array {
                element: self.intern(element),
                length: match length {
                    Length::Known(n) => *n,
                    _ => 0,
                },
            },
            Kind::Record(id) => return self.intern_record(*id),
        };
        self.intern_plain(plain)
    }

    /// A type that refers to others by their numbers.
    pub(super) fn intern_plain(&mut self, plain: Type) -> TypeId {
        if let Some(id) = self.interned.get(&plain) {
            return *id;
        }
        let id = self.types.push(plain.clone());
        self.interned.insert(plain, id);
        id
    }

    fn intern_record(&mut self, record: RecordId) -> TypeId {
        if let Some(id) = self.interned_records.get(&record) {
            return *id;
        }
        let Some(fields) = self.records[record].fields.clone() else {
            return self.intern(&CType::void());
        };
        // The id goes first: members may point back to the record.
        let id = self.types.push(Type::Void);
        self.interned_records.insert(record, id);
        let members = fields
            .iter()
            .map(|field| Member {
                name: field.name.clone(),
                ty: self.intern(&field.ty),
                offset_bytes: field.offset,
                bit_field: field.bits.map(|b| (b.shift, b.width)),
            })
            .collect();
        let name = self.record_name(record).to_string();
        let size_bytes = self.records[record].size;
        self.types[id] = Type::Record {
            name,
            size_bytes,
            members,
        };
        id
    }

    /// The member of this name, searched through anonymous members: its offset and field.
    pub(super) fn find_field(&self, record: RecordId, name: &str) -> Option<(u64, Field)> {
        let fields = self.records[record].fields.as_ref()?;
        for field in fields {
            if field.name == name {
                return Some((field.offset, field.clone()));
            }
            if field.name.is_empty()
                && let Kind::Record(inner) = field.ty.kind
                && let Some((offset, mut found)) = self.find_field(inner, name)
            {
                found.ty = found.ty.with_quals(field.ty.quals);
                return Some((field.offset + offset, found));
            }
        }
        None
    }

    /// Scalars of an object in declaration order: offset, type, access unit of bit-fields. A union counts as
    /// words of its alignment; a unit of several bit-fields is listed once, as an unsigned integer.
    pub(super) fn leaves(&self, ty: &CType, offset: u64, out: &mut Vec<(u64, Leaf)>) {
        match &ty.kind {
            Kind::Void | Kind::Function(_) => {}
            Kind::Array(element, Length::Known(n)) => {
                let size = self.size(element).unwrap_or(0);
                for i in 0..*n {
                    self.leaves(element, offset + i * size, out);
                }
            }
            Kind::Array(..) => {}
            Kind::Record(id) => self.record_leaves(*id, ty.quals, offset, out),
            _ => out.push((offset, Leaf::Scalar(ty.clone()))),
        }
    }

    fn record_leaves(&self, id: RecordId, quals: Quals, base: u64, out: &mut Vec<(u64, Leaf)>) {
        let record = &self.records[id];
        if record.is_union {
            let chunk = record.align.min(8);
            let mut offset = 0;
            while offset < record.size {
                let bytes = chunk.min(record.size - offset);
                out.push((base + offset, Leaf::Bytes(bytes as u16)));
                offset += bytes;
            }
            return;
        }
        let mut covered = 0;
        for field in record.fields.iter().flatten() {
            let Some(unit) = field.bits else {
                self.leaves(&field.ty.with_quals(quals), base + field.offset, out);
                continue;
            };
            let (mut start, end) = (field.offset, field.offset + u64::from(unit.unit_bytes));
            if unit.width == 0 || end <= covered {
                continue;
            }
            if start >= covered {
                out.push((base + start, Leaf::Bytes(unit.unit_bytes)));
            } else {
                // Units of different declared types overlap: the rest goes byte by byte.
                start = covered;
                for byte in start..end {
                    out.push((base + byte, Leaf::Bytes(1)));
                }
            }
            covered = end;
        }
    }
}
