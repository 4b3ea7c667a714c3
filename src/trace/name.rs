//! Names of places in memory, for people: `queue.items[3].next`.

use super::interpret::Interpreter;
use super::interpret::memory::Label;
use super::interpret::state::State;
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{AllocKind, InstrKind};

/// A place and whether what it holds is read as signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub place: String,
    pub signed: bool,
}

/// The name of `bits` bits at an address, if something lives there.
pub fn name(interpreter: &Interpreter, state: &State, address: u64, bits: u16) -> Option<Named> {
    let (_, offset, object) = interpreter.object(state, u128::from(address))?;
    let program = interpreter.program;
    let (base, ty) = match object.label {
        Label::Static(id) => (
            program.globals[id].name.clone(),
            Some(program.globals[id].ty),
        ),
        Label::Instruction(function, block, index) => {
            match &program.functions[function].blocks[block]
                .instrs
                .get(index)?
                .kind
            {
                InstrKind::Alloc {
                    kind: AllocKind::Stack { name, ty, .. },
                    ..
                } => (name.clone(), Some(*ty)),
                _ => ("heap".to_string(), None),
            }
        }
    };
    let offset = offset as u64;
    let part = ty.and_then(|ty| part(&program.types, ty, offset, u64::from(bits / 8)));
    Some(match part {
        Some((path, signed)) => Named {
            place: base + &path,
            signed,
        },
        None if offset == 0 => Named {
            place: base,
            signed: false,
        },
        None => Named {
            place: format!("{base}+{offset}"),
            signed: false,
        },
    })
}

/// Path and signedness of the scalar of `size` bytes at an offset of a type.
fn part(types: &Types, ty: TypeId, offset: u64, size: u64) -> Option<(String, bool)> {
    match &types[ty] {
        Type::Int { bits, signed } if offset == 0 && u64::from(*bits) <= 8 * size => {
            Some((String::new(), *signed))
        }
        Type::Bool | Type::Pointer { .. } if offset == 0 => Some((String::new(), false)),
        Type::Array { element, .. } => {
            let width = size_bytes(types, *element).filter(|width| *width > 0)?;
            let (path, signed) = part(types, *element, offset % width, size)?;
            Some((format!("[{}]{path}", offset / width), signed))
        }
        Type::Record { members, .. } => members.iter().find_map(|member| {
            let width = size_bytes(types, member.ty)?;
            let inner = offset
                .checked_sub(member.offset_bytes)
                .filter(|inner| *inner < width)?;
            let (path, signed) = part(types, member.ty, inner, size)?;
            let dot = if member.name.is_empty() { "" } else { "." };
            Some((format!("{dot}{}{path}", member.name), signed))
        }),
        _ => None,
    }
}

/// Size of an object of a type; `None` for pointers' targets that are not objects.
fn size_bytes(types: &Types, ty: TypeId) -> Option<u64> {
    match &types[ty] {
        Type::Void => None,
        Type::Int { bits, .. } => Some(u64::from(*bits).div_ceil(8).next_power_of_two()),
        Type::Bool => Some(1),
        Type::Pointer { .. } => Some(8),
        Type::Array { element, length } => size_bytes(types, *element)?.checked_mul(*length),
        Type::Record { size_bytes, .. } => Some(*size_bytes),
    }
}
