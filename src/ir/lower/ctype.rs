//! C types while a program is lowered: with qualifiers, ranks and incomplete parts, unlike [`crate::ir::ty`].

use super::Lowerer;
use crate::base::IdVec;
use crate::base::faults::{self, Fault};
use crate::ids;
use crate::ir::layout::BitUnit;
use crate::ir::ty::{Member, Reading, Type, TypeId};
use crate::ir::{DataModel, Operand};
use std::rc::Rc;

ids! {
    /// A structure or union type.
    RecordId;
}

/// Type qualifiers that matter here (`restrict` does not).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub volatile: bool,
    pub atomic: bool,
}

impl Quals {
    /// Qualifiers of either.
    pub fn union(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const || other.is_const,
            volatile: self.volatile || other.volatile,
            atomic: self.atomic || other.atomic,
        }
    }
}

/// A C type.
#[derive(Clone, PartialEq, Debug)]
pub struct CType {
    pub kind: Kind,
    pub quals: Quals,
    /// Alignment in bytes if an attribute set it, otherwise 0. Only that of a type name may be less than natural.
    pub align: u32,
}

/// The standard integer types and `__int128`; an enumerated type is its compatible integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// Type in expressions of a bit-field wider than `int` and narrower than its declared type: a type of its own
    /// width, as GCC has it, that nothing can be declared with.
    Field {
        width: u16,
        signed: bool,
    },
}

impl IntKind {
    /// Width in bits.
    pub fn bits(self, model: DataModel) -> u16 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => model.pointer_bits(),
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
            IntKind::Field { width, .. } => width,
        }
    }

    /// The narrowest standard type that holds the values of a bit-field's type; others are themselves.
    pub fn container(self) -> IntKind {
        match self {
            IntKind::Field { width, signed } => match (width > 64, signed) {
                (false, true) => IntKind::LongLong,
                (false, false) => IntKind::ULongLong,
                (true, true) => IntKind::Int128,
                (true, false) => IntKind::UInt128,
            },
            other => other,
        }
    }

    /// Signedness of the type (`char` is signed on these platforms).
    pub fn signed(self) -> bool {
        if faults::on(Fault::CharUnsigned) && self == IntKind::Char {
            return false;
        }
        matches!(
            self,
            IntKind::Char
                | IntKind::SChar
                | IntKind::Short
                | IntKind::Int
                | IntKind::Long
                | IntKind::LongLong
                | IntKind::Int128
                | IntKind::Field { signed: true, .. }
        )
    }

    /// Conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong | IntKind::Field { .. } => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            IntKind::Field { width, .. } => IntKind::Field {
                width,
                signed: false,
            },
            other => other,
        }
    }

    /// The signed type of the same rank.
    pub fn signed_kind(self) -> IntKind {
        match self {
            IntKind::UChar => IntKind::SChar,
            IntKind::UShort => IntKind::Short,
            IntKind::UInt => IntKind::Int,
            IntKind::ULong => IntKind::Long,
            IntKind::ULongLong => IntKind::LongLong,
            IntKind::UInt128 => IntKind::Int128,
            IntKind::Field { width, .. } => IntKind::Field {
                width,
                signed: true,
            },
            other => other,
        }
    }
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    /// `_Float128`.
    Quad,
}

/// The shape of a C type.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Pointer(Rc<CType>),
    Array(Rc<CType>, Length),
    Function(Rc<Signature>),
    Record(RecordId),
}

/// The length of an array type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Length {
    Known(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// A variable length: the element count, computed at the declaration, pointer-wide.
    Variable(Operand),
}

/// A function type.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub result: CType,
    pub params: Vec<CType>,
    pub variadic: bool,
    /// Prototype: true if the parameters are known (`f()` says nothing about them).
    pub prototyped: bool,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// For people: `struct node`.
    pub name: String,
    pub is_union: bool,
    /// `None` while it is incomplete.
    pub fields: Option<Vec<Field>>,
    pub size: u64,
    pub align: u64,
    /// True if its definition has an error.
    pub broken: bool,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Empty if it has none.
    pub name: String,
    pub ty: CType,
    /// First byte of the member or of a bit-field's access unit.
    pub offset: u64,
    pub bits: Option<BitUnit>,
}

impl CType {
    /// An unqualified type.
    pub fn new(kind: Kind) -> CType {
        CType {
            kind,
            quals: Quals::default(),
            align: 0,
        }
    }

    pub fn int(kind: IntKind) -> CType {
        CType::new(Kind::Int(kind))
    }

    pub fn void() -> CType {
        CType::new(Kind::Void)
    }

    /// A pointer to this type.
    pub fn pointer_to(self) -> CType {
        CType::new(Kind::Pointer(Rc::new(self)))
    }

    /// The same type without qualifiers.
    pub fn unqualified(&self) -> CType {
        CType {
            kind: self.kind.clone(),
            quals: Quals::default(),
            align: self.align,
        }
    }

    /// The same type with more qualifiers; those of an array go to its elements.
    pub fn with_quals(&self, quals: Quals) -> CType {
        match &self.kind {
            Kind::Array(element, length) => CType {
                kind: Kind::Array(Rc::new(element.with_quals(quals)), *length),
                quals: self.quals,
                align: self.align,
            },
            kind => CType {
                kind: kind.clone(),
                quals: self.quals.union(quals),
                align: self.align,
            },
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Int(_) | Kind::Bool)
    }

    /// Reading of its values by people: signed, unsigned or floating-point.
    pub fn reading(&self) -> Reading {
        match &self.kind {
            Kind::Float(kind) => kind.format().map_or(Reading::Unsigned, Reading::Float),
            _ => Reading::integer(self.is_signed()),
        }
    }

    pub fn is_float(&self) -> bool {
        matches!(self.kind, Kind::Float(_))
    }

    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_float()
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self.kind, Kind::Pointer(_))
    }

    pub fn is_void(&self) -> bool {
        matches!(self.kind, Kind::Void)
    }

    pub fn is_record(&self) -> bool {
        matches!(self.kind, Kind::Record(_))
    }

    /// Fits a register.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer()
    }

    /// Signedness: true if values of the type are read as signed.
    pub fn is_signed(&self) -> bool {
        matches!(self.kind, Kind::Int(kind) if kind.signed())
    }

    /// Type that a pointer points to; `None` if this is no pointer.
    pub fn pointee(&self) -> Option<&CType> {
        match &self.kind {
            Kind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Constness: true if objects of the type are constant (an array is if its elements are).
    pub fn is_const(&self) -> bool {
        match &self.kind {
            Kind::Array(element, _) => element.is_const(),
            _ => self.quals.is_const,
        }
    }

    /// Variable length: true if its size is only known at run time.
    pub fn is_variable(&self) -> bool {
        match &self.kind {
            Kind::Array(element, length) => {
                matches!(length, Length::Variable(_)) || element.is_variable()
            }
            _ => false,
        }
    }
}

/// Compatible types, qualifiers aside (C11 6.2.7; enough for `_Generic` and `__builtin_types_compatible_p`).
pub fn compatible(a: &CType, b: &CType) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Pointer(a), Kind::Pointer(b)) => a.quals == b.quals && compatible(a, b),
        (Kind::Array(a, m), Kind::Array(b, n)) => {
            compatible(a, b)
                && match (m, n) {
                    (Length::Known(m), Length::Known(n)) => m == n,
                    _ => true,
                }
        }
        (Kind::Function(a), Kind::Function(b)) => {
            compatible(&a.result, &b.result)
                && (!a.prototyped
                    || !b.prototyped
                    || (a.variadic == b.variadic
                        && a.params.len() == b.params.len()
                        && a.params
                            .iter()
                            .zip(&b.params)
                            .all(|(a, b)| compatible(a, b))))
        }
        (a, b) => a == b,
    }
}

/// Size and alignment of types.
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
            Kind::Int(kind) => Type::Int {
                bits: kind.container().bits(self.model),
                signed: kind.signed(),
            },
            Kind::Float(kind) => match kind.format() {
                Some(format) => Type::Float(format),
                None => Type::Int {
                    bits: self.bits(ty),
                    signed: false,
                },
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
        let name = self.records[record].name.clone();
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

/// A part of an object that one access covers.
#[derive(Clone, Debug)]
pub enum Leaf {
    Scalar(CType),
    /// So many bytes of a bit-field unit or a union.
    Bytes(u16),
}

/// Records in order of their declaration.
pub type Records = IdVec<RecordId, Record>;
