//! C types, as far as later stages need them: to name and print parts of objects.

use crate::base::IdVec;
use crate::base::float::Format;
use crate::ids;

ids! {
    /// A type of the program.
    TypeId;
}

/// Reading of the bits of a scalar by people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    Unsigned,
    Signed,
    /// As `false` or `true`.
    Bool,
    /// As a character, of a signed type or not.
    Char {
        signed: bool,
    },
    /// As a constant of an enumeration.
    Enum {
        ty: TypeId,
        signed: bool,
    },
    /// As what the pointer points to.
    Pointer,
    /// As a number of this format.
    Float(Format),
}

impl Reading {
    /// Reading of an integer.
    pub fn integer(signed: bool) -> Reading {
        if signed {
            Reading::Signed
        } else {
            Reading::Unsigned
        }
    }

    /// Sign: true if the number that the bits stand for may be negative.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Reading::Signed | Reading::Char { signed: true } | Reading::Enum { signed: true, .. }
        )
    }
}

/// All types of a program.
pub type Types = IdVec<TypeId, Type>;

/// A complete object type. (Incomplete and function types only occur behind pointers.)
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No object; pointee of `void *`, and of pointers to incomplete and function types.
    Void,
    Int {
        bits: u16,
        signed: bool,
        written: Written,
    },
    /// `float` and `double`. (What is wider counts as an integer.)
    Float(Format),
    /// `_Bool`: one byte that holds 0 or 1.
    Bool,
    Pointer {
        to: TypeId,
    },
    Array {
        element: TypeId,
        length: u64,
    },
    /// A structure or union with its members at their offsets.
    Record {
        name: String,
        size_bytes: u64,
        members: Vec<Member>,
    },
}

/// Notation of an integer type's values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    Number,
    Character,
    /// As constants of an enumeration, with their values.
    Constant(Vec<(String, i128)>),
}

impl Type {
    /// An integer type whose values are numbers.
    pub fn integer(bits: u16, signed: bool) -> Type {
        Type::Int {
            bits,
            signed,
            written: Written::Number,
        }
    }
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// Empty for an anonymous structure or union.
    pub name: String,
    pub ty: TypeId,
    pub offset_bytes: u64,
    /// For a bit-field: first bit within the unit at `offset_bytes`, and width.
    pub bit_field: Option<(u16, u16)>,
}
