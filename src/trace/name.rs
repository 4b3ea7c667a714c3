//! Names of places in memory, for people: `queue.items[3].next`.

use super::interpret::Interpreter;
use super::interpret::memory::Label;
use super::interpret::state::State;
use crate::event::Origin;
use crate::ir::ty::{Reading, Type, TypeId, Types};
use crate::ir::{AllocKind, InstrKind, Program};
use hashbrown::HashMap;

/// A place and how what it holds is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub place: String,
    pub reading: Reading,
}

/// Numbers of objects of the heap, in the order of their allocation, where there are several.
pub type Numbers = HashMap<Origin, usize>;

/// Name of an object, and its type if it has one.
pub fn object_name(
    program: &Program,
    numbers: &Numbers,
    origin: Origin,
    label: Label,
) -> Option<(String, Option<TypeId>)> {
    let (function, block, index) = match label {
        Label::Static(id) => {
            let global = &program.globals[id];
            return Some((global.name.clone(), Some(global.ty)));
        }
        Label::Instruction(function, block, index) => (function, block, index),
    };
    let block = &program.functions[function].blocks[block];
    Some(match &block.instrs.get(index)?.kind {
        InstrKind::Alloc {
            kind: AllocKind::Stack { name, ty, .. },
            ..
        } => (name.clone(), Some(*ty)),
        _ => match numbers.get(&origin) {
            Some(number) => (format!("heap#{number}"), None),
            None => ("heap".to_string(), None),
        },
    })
}

/// The name of `bits` bits at an address, if something lives there.
pub fn name(
    interpreter: &Interpreter,
    state: &State,
    numbers: &Numbers,
    (address, bits): (u64, u16),
) -> Option<Named> {
    let (_, offset, object) = interpreter.object(state, u128::from(address))?;
    let program = interpreter.program;
    let (base, ty) = object_name(program, numbers, object.origin, object.label)?;
    let offset = offset as u64;
    let part = ty.and_then(|ty| part(&program.types, ty, offset, u64::from(bits / 8)));
    Some(match part {
        Some((path, reading)) => Named {
            place: base + &path,
            reading,
        },
        None if offset == 0 => Named {
            place: base,
            reading: Reading::Unsigned,
        },
        None => Named {
            place: format!("{base}+{offset}"),
            reading: Reading::Unsigned,
        },
    })
}

/// Path and reading of the scalar of `size` bytes at an offset of a type.
fn part(types: &Types, ty: TypeId, offset: u64, size: u64) -> Option<(String, Reading)> {
    match &types[ty] {
        Type::Int { bits, signed } if offset == 0 && u64::from(*bits) <= 8 * size => {
            Some((String::new(), Reading::integer(*signed)))
        }
        Type::Float(format) if offset == 0 && u64::from(format.bits()) <= 8 * size => {
            // A number and what lies behind it is none.
            let whole = u64::from(format.bits()) == 8 * size;
            let reading = if whole {
                Reading::Float(*format)
            } else {
                Reading::Unsigned
            };
            Some((String::new(), reading))
        }
        Type::Bool | Type::Pointer { .. } if offset == 0 => {
            Some((String::new(), Reading::Unsigned))
        }
        Type::Array { element, .. } => {
            let width = size_bytes(types, *element).filter(|width| *width > 0)?;
            let (path, reading) = part(types, *element, offset % width, size)?;
            Some((format!("[{}]{path}", offset / width), reading))
        }
        Type::Record { members, .. } => members.iter().find_map(|member| {
            let width = size_bytes(types, member.ty)?;
            let inner = offset
                .checked_sub(member.offset_bytes)
                .filter(|inner| *inner < width)?;
            let (path, reading) = part(types, member.ty, inner, size)?;
            let dot = if member.name.is_empty() { "" } else { "." };
            Some((format!("{dot}{}{path}", member.name), reading))
        }),
        _ => None,
    }
}

/// Size of an object of a type; `None` for pointers' targets that are not objects.
fn size_bytes(types: &Types, ty: TypeId) -> Option<u64> {
    match &types[ty] {
        Type::Void => None,
        Type::Int { bits, .. } => Some(u64::from(*bits).div_ceil(8).next_power_of_two()),
        Type::Float(format) => Some(u64::from(format.bits()) / 8),
        Type::Bool => Some(1),
        Type::Pointer { .. } => Some(8),
        Type::Array { element, length } => size_bytes(types, *element)?.checked_mul(*length),
        Type::Record { size_bytes, .. } => Some(*size_bytes),
    }
}
