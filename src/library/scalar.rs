//! Scalars of a type: the accesses that its representation consists of.

use crate::ir::ty::{Type, TypeId, Types};

/// Scalars of an object: offset and size in bytes, ascending.
pub(super) type Scalars = Vec<(u64, u64)>;

/// The scalars of a type that has at most `most` of them; they may leave gaps.
pub(super) fn scalars(
    types: &Types,
    ty: TypeId,
    pointer_bytes: u64,
    most: usize,
) -> Option<Scalars> {
    let mut found = Vec::new();
    add_scalars(types, ty, 0, pointer_bytes, most, &mut found)?;
    Some(found)
}

fn add_scalars(
    types: &Types,
    ty: TypeId,
    at: u64,
    pointer_bytes: u64,
    most: usize,
    out: &mut Scalars,
) -> Option<()> {
    match &types[ty] {
        Type::Void => {}
        Type::Int { bits, .. } => out.push((at, u64::from(bits / 8))),
        Type::Float(format) => out.push((at, u64::from(format.bits() / 8))),
        Type::Bool => out.push((at, 1)),
        Type::Pointer { .. } => out.push((at, pointer_bytes)),
        Type::Array { element, length } => {
            let size = crate::ir::layout::size_of(types, *element, pointer_bytes);
            for i in 0..*length {
                add_scalars(types, *element, at + i * size, pointer_bytes, most, out)?;
                if out.len() > most {
                    return None;
                }
            }
        }
        Type::Record {
            size_bytes,
            members,
            ..
        } => {
            let start = out.len();
            for member in members.iter().filter(|m| m.bit_field.is_none()) {
                let at = at + member.offset_bytes;
                add_scalars(types, member.ty, at, pointer_bytes, most, out)?;
            }
            let overlap = out[start..].windows(2).any(|w| w[1].0 < w[0].0 + w[0].1);
            if overlap {
                // A union: words of its largest scalar, if they fill it.
                let widest = out[start..]
                    .iter()
                    .map(|(_, size)| *size)
                    .max()
                    .unwrap_or(1);
                let widest = if size_bytes % widest == 0 { widest } else { 1 };
                out.truncate(start);
                out.extend((0..size_bytes / widest).map(|i| (at + i * widest, widest)));
            }
        }
    }
    (out.len() <= most).then_some(())
}

/// The size of the scalars of a type that has no others and no gaps, however many they are.
pub(super) fn grain(types: &Types, ty: TypeId, pointer_bytes: u64) -> Option<u64> {
    match &types[ty] {
        Type::Array { element, .. } => grain(types, *element, pointer_bytes),
        Type::Record {
            size_bytes,
            members,
            ..
        } => {
            let (mut found, mut next) = (None, 0);
            for member in members {
                let own = grain(types, member.ty, pointer_bytes)?;
                let dense = member.bit_field.is_none() && member.offset_bytes == next;
                if !dense || *found.get_or_insert(own) != own {
                    return None;
                }
                next += crate::ir::layout::size_of(types, member.ty, pointer_bytes);
            }
            found.filter(|_| next == *size_bytes)
        }
        _ => match scalars(types, ty, pointer_bytes, 1)?[..] {
            [(0, size)] if matches!(size, 1 | 2 | 4 | 8) => Some(size),
            _ => None,
        },
    }
}
