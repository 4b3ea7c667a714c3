//! Types.

use super::cursor::Cursor;
use crate::ir::FloatFormat;
use crate::ir::ty::{Member, Type, TypeId, Written};

/// The id of a type.
pub(super) fn id(line: &mut Cursor) -> Result<TypeId, String> {
    Ok(TypeId(line.id('t', "a type")?))
}

/// The format with a name.
pub(super) fn format(name: &str) -> Option<FloatFormat> {
    FloatFormat::ALL.into_iter().find(|f| f.name() == name)
}

/// Signedness and width of an integer: `s32`, `u8`.
pub(super) fn integer(name: &str) -> Option<(bool, u16)> {
    let signed = name.starts_with('s');
    let digits = name.strip_prefix(['s', 'u'])?;
    Some((signed, digits.parse().ok()?))
}

/// A type: `s32`, `*t3`, `[10] t0`, `record "struct node" 16 bytes { 0: t0 "value", 8: t4 "next" }`.
pub(super) fn ty(line: &mut Cursor) -> Result<Type, String> {
    if line.eat("*") {
        return Ok(Type::Pointer { to: id(line)? });
    }
    if line.eat("[") {
        let length = line.number("a length")?;
        line.sign("]")?;
        let element = id(line)?;
        return Ok(Type::Array { element, length });
    }
    if line.eat_word("record") {
        let name = line.text("a name")?;
        let size_bytes = line.number("a size")?;
        line.keyword("bytes")?;
        line.sign("{")?;
        let members = line.list("}", member)?;
        return Ok(Type::Record {
            name,
            size_bytes,
            members,
        });
    }
    let mut ty = line.named("a type", |name| match name {
        "void" => Some(Type::Void),
        "bool" => Some(Type::Bool),
        _ => format(name)
            .map(Type::Float)
            .or_else(|| integer(name).map(|(signed, bits)| Type::integer(bits, signed))),
    })?;
    if let Type::Int { written, .. } = &mut ty {
        if line.eat_word("character") {
            *written = Written::Character;
        } else if line.eat("{") {
            *written = Written::Constant(line.list("}", constant)?);
        }
    }
    Ok(ty)
}

fn constant(line: &mut Cursor) -> Result<(String, i128), String> {
    let name = line.text("a name")?;
    line.sign("=")?;
    let is_negative = line.eat("-");
    let value: i128 = line.number("a value")?;
    Ok((name, if is_negative { -value } else { value }))
}

fn member(line: &mut Cursor) -> Result<Member, String> {
    let offset_bytes = line.number("an offset")?;
    line.sign(":")?;
    let ty = id(line)?;
    let name = line.text("a name")?;
    let bit_field = if line.eat_word("bits") {
        let first = line.number("the first bit")?;
        line.sign("+")?;
        Some((first, line.number("a number of bits")?))
    } else {
        None
    };
    Ok(Member {
        name,
        ty,
        offset_bytes,
        bit_field,
    })
}
