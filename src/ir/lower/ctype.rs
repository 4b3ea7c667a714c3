//! C types while a program is lowered: with qualifiers, ranks and incomplete parts, unlike [`crate::ir::ty`].

use crate::base::IdVec;
use crate::ids;
use crate::ir::faults::{self, Fault};
use crate::ir::layout::BitUnit;
use crate::ir::ty::{Reading, TypeId};
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

/// Constants of an enumerated type, which is like its compatible integer type in all else: they make no difference between types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constants(pub Option<TypeId>);

impl PartialEq for Constants {
    fn eq(&self, _: &Constants) -> bool {
        true
    }
}

/// A C type.
#[derive(Clone, PartialEq, Debug)]
pub struct CType {
    pub kind: Kind,
    pub quals: Quals,
    pub constants: Constants,
    /// Alignment in bytes if an attribute set it, otherwise 0. Only that of a type name may be less than natural.
    pub align: u32,
}

/// The standard integer types and `__int128`; an enumerated type is its compatible integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntKind {
    Char,
    /// `char` where it is unsigned.
    UnsignedChar,
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
    /// Plain `char`, signed or not.
    pub fn is_plain_char(self) -> bool {
        matches!(self, IntKind::Char | IntKind::UnsignedChar)
    }

    /// Width in bits.
    pub fn bits(self, model: DataModel) -> u16 {
        match self {
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar | IntKind::UChar => 8,
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

    /// Signedness of the type (`char` is signed on these platforms, unless a flag says otherwise).
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
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar | IntKind::UChar => 1,
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
            IntKind::Char | IntKind::UnsignedChar | IntKind::SChar => IntKind::UChar,
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
            IntKind::UChar | IntKind::UnsignedChar => IntKind::SChar,
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
    /// True if an argument may have the type of any member instead (`transparent_union`).
    pub transparent: bool,
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
            constants: Constants::default(),
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
            constants: self.constants,
            align: self.align,
        }
    }

    /// The same type with more qualifiers; those of an array go to its elements.
    pub fn with_quals(&self, quals: Quals) -> CType {
        match &self.kind {
            Kind::Array(element, length) => CType {
                kind: Kind::Array(Rc::new(element.with_quals(quals)), *length),
                quals: self.quals,
                constants: self.constants,
                align: self.align,
            },
            kind => CType {
                kind: kind.clone(),
                quals: self.quals.union(quals),
                constants: self.constants,
                align: self.align,
            },
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Int(_) | Kind::Bool)
    }

    /// Reading of its values by people.
    pub fn reading(&self) -> Reading {
        match &self.kind {
            Kind::Bool => Reading::Bool,
            Kind::Pointer(_) => Reading::Pointer,
            Kind::Int(kind) => {
                let signed = kind.signed();
                match self.constants.0 {
                    Some(ty) => Reading::Enum { ty, signed },
                    None if kind.is_plain_char() => Reading::Char { signed },
                    None => Reading::integer(signed),
                }
            }
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

    /// The type with `const`, which is that of the elements of an array.
    pub fn constant(&self) -> CType {
        let mut ty = self.clone();
        match &mut ty.kind {
            Kind::Array(element, _) => *element = Rc::new(element.constant()),
            _ => ty.quals.is_const = true,
        }
        ty
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

/// A part of an object that one access covers.
#[derive(Clone, Debug)]
pub enum Leaf {
    Scalar(CType),
    /// So many bytes of a bit-field unit or a union.
    Bytes(u16),
}

/// Records in order of their declaration.
pub type Records = IdVec<RecordId, Record>;
