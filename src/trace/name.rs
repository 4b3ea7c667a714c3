//! Names of places in memory, for people: `queue.items[3].next`, `node#2.key`.

use super::interpret::Interpreter;
use super::interpret::memory::Label;
use super::interpret::state::State;
use super::shape::{Shape, Sizes};
use crate::event::Origin;
use crate::ir::layout::path_at;
use crate::ir::ty::{Reading, Type, TypeId, Written};
use crate::ir::{AllocKind, InstrKind, Program};
use hashbrown::HashMap;

/// A place and how what it holds is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub place: String,
    pub reading: Reading,
}

/// Blocks of the heap: their numbers, in the order of allocation, and their shapes.
pub type Blocks = HashMap<Origin, (usize, Shape)>;

/// Name of an object.
pub fn object_name(
    program: &Program,
    blocks: &Blocks,
    origin: Origin,
    label: Label,
) -> Option<String> {
    Some(layout(program, blocks, origin, label)?.0)
}

/// Parts of an object, as far as they are known.
enum Layout<'a> {
    Typed(TypeId),
    Shaped(&'a Shape),
    Unknown,
}

impl Layout<'_> {
    /// The part that so many bytes at an offset belong to: how it is reached from the object, its type, and the offset in it.
    fn part(&self, sizes: Sizes, offset: u64, size: u64) -> Option<(String, TypeId, u64)> {
        match self {
            Layout::Typed(ty) => Some((String::new(), *ty, offset)),
            Layout::Shaped(shape) => shape.part(sizes, offset, size),
            Layout::Unknown => None,
        }
    }
}

/// Name of an object, and what it consists of.
fn layout<'a>(
    program: &Program,
    blocks: &'a Blocks,
    origin: Origin,
    label: Label,
) -> Option<(String, Layout<'a>)> {
    let (function, block, index) = match label {
        Label::Static(id) => {
            let global = &program.globals[id];
            return Some((global.name.clone(), Layout::Typed(global.ty)));
        }
        Label::Instruction(function, block, index) => (function, block, index),
    };
    let block = &program.functions[function].blocks[block];
    Some(match &block.instrs.get(index)?.kind {
        InstrKind::Alloc {
            kind: AllocKind::Stack { name, ty, .. },
            ..
        } => (name.clone(), Layout::Typed(*ty)),
        _ => match blocks.get(&origin) {
            Some((number, shape)) => (format!("{}#{number}", shape.word()), Layout::Shaped(shape)),
            None => ("heap".to_string(), Layout::Unknown),
        },
    })
}

/// The name of `bits` bits at an address, if something lives there.
pub fn name(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    (address, bits): (u64, u16),
) -> Option<Named> {
    let (_, offset, object) = interpreter.object(state, u128::from(address))?;
    let program = interpreter.program;
    let sizes = sizes(interpreter);
    let (base, layout) = layout(program, blocks, object.origin, object.label)?;
    let (offset, size) = (offset as u64, u64::from(bits / 8));
    let part = layout.part(sizes, offset, size);
    let scalar = part.and_then(|(path, ty, inner)| {
        let found = scalar(sizes, ty, inner, size)?;
        Some((format!("{base}{path}{}", found.path), found.reading))
    });
    let (place, reading) = scalar.unwrap_or_else(|| match offset {
        0 => (base, Reading::Unsigned),
        _ => (format!("{base}+{offset}"), Reading::Unsigned),
    });
    Some(Named { place, reading })
}

/// Reading of the scalar that `bits` bits at an address are.
pub fn scalar_at(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    (address, bits): (u64, u16),
) -> Option<Reading> {
    let (_, offset, object) = interpreter.object(state, u128::from(address))?;
    let sizes = sizes(interpreter);
    let (_, layout) = layout(interpreter.program, blocks, object.origin, object.label)?;
    let size = u64::from(bits / 8);
    let (_, ty, inner) = layout.part(sizes, offset as u64, size)?;
    let found = scalar(sizes, ty, inner, size)?;
    (found.bytes == size).then_some(found.reading)
}

/// Target of an address: `&node#2.next`, the name of a function, a text; `freed node#2` where the object has ended. `None` if it
/// belongs to no object.
pub fn target(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    address: u64,
) -> Option<String> {
    if let Some(Origin::Function(function)) = interpreter.origin(interpreter.space.slot(address)?) {
        return Some(interpreter.program.functions[function].name.clone());
    }
    let begun = begun(interpreter, state, blocks, address, beginning)?;
    let how = match begun.label {
        _ if begun.name.starts_with('"') => "",
        _ if begun.lives => "&",
        Label::Instruction(..) if begun.is_block => "freed ",
        _ => "ended ",
    };
    Some(format!("{how}{}", begun.name))
}

/// Name of the object, or of the part of one, that begins at an address.
pub fn start(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    address: u64,
) -> Option<String> {
    Some(begun(interpreter, state, blocks, address, beginning)?.name)
}

/// Name of the lock at an address, without the members of its type, which are the implementation's (C11 7.1.3).
pub fn lock_name(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    address: u64,
) -> Option<String> {
    let innermost =
        |sizes: Sizes, ty, offset| Some(path_at(sizes.types, ty, offset, 8, sizes.pointer_bytes));
    let mut name = begun(interpreter, state, blocks, address, innermost)?.name;
    if let Some(reserved) = name.find(".__") {
        name.truncate(reserved);
    }
    Some(name)
}

/// An object, or a part of one, that begins at an address.
struct Begun {
    name: String,
    label: Label,
    /// It has not ended.
    lives: bool,
    /// It is in a block of the heap.
    is_block: bool,
}

/// Object, or part of one, that begins at an address; `path` says which part of a type is at an offset.
fn begun(
    interpreter: &Interpreter,
    state: &State,
    blocks: &Blocks,
    address: u64,
    path: impl Fn(Sizes, TypeId, u64) -> Option<String>,
) -> Option<Begun> {
    let space = interpreter.space;
    let slot = space.slot(address)?;
    let (origin, label, lives) = match (state.memory.get(slot), state.lives.get(slot)) {
        (Some(object), _) => (object.origin, object.label, true),
        (None, Some(life)) => (life.origin, life.label?, false),
        (None, None) => return None,
    };
    let (mut name, layout) = layout(interpreter.program, blocks, origin, label)?;
    let sizes = sizes(interpreter);
    let offset = address.wrapping_sub(space.base(slot)).cast_signed();
    let inside = u64::try_from(offset).ok().and_then(|offset| {
        let (before, ty, inner) = layout.part(sizes, offset, 0)?;
        Some(before + &path(sizes, ty, inner)?)
    });
    match inside {
        // A text is named by itself.
        _ if name.starts_with('"') && offset == 0 => {}
        Some(path) => name.push_str(&path),
        None if offset == 0 => {}
        None => name.push_str(&format!("{offset:+}")),
    }
    Some(Begun {
        name,
        label,
        lives,
        is_block: blocks.contains_key(&origin),
    })
}

/// Sizes of a program's objects.
pub fn sizes<'a>(interpreter: &Interpreter<'a>) -> Sizes<'a> {
    Sizes {
        types: &interpreter.program.types,
        pointer_bytes: u64::from(interpreter.space.pointer_bits / 8),
    }
}

/// A scalar of a type.
struct Scalar {
    path: String,
    reading: Reading,
    bytes: u64,
}

/// The scalar at an offset of a type that an access of `size` bytes is of.
fn scalar(sizes: Sizes, ty: TypeId, offset: u64, size: u64) -> Option<Scalar> {
    let bytes = sizes.of(ty);
    let reading = match &sizes.types[ty] {
        Type::Array { element, .. } => {
            let width = Some(sizes.of(*element)).filter(|width| *width > 0)?;
            let part = scalar(sizes, *element, offset % width, size)?;
            return Some(Scalar {
                path: format!("[{}]{}", offset / width, part.path),
                ..part
            });
        }
        Type::Record { members, .. } => {
            return members.iter().find_map(|member| {
                let inner = within(sizes, member.ty, offset.checked_sub(member.offset_bytes)?)?;
                let part = scalar(sizes, member.ty, inner, size)?;
                Some(Scalar {
                    path: dotted(&member.name, &part.path),
                    ..part
                })
            });
        }
        _ if offset != 0 || bytes > size => return None,
        Type::Void => return None,
        Type::Int {
            signed, written, ..
        } => {
            let signed = *signed;
            match written {
                Written::Number => Reading::integer(signed),
                Written::Character => Reading::Char { signed },
                Written::Constant(_) => Reading::Enum { ty, signed },
            }
        }
        // A number and what lies behind it is none.
        Type::Float(_) if bytes < size => Reading::Unsigned,
        Type::Float(format) => Reading::Float(*format),
        Type::Bool => Reading::Bool,
        Type::Pointer { .. } => Reading::Pointer,
    };
    Some(Scalar {
        path: String::new(),
        reading,
        bytes,
    })
}

/// Path of the outermost part of a type that begins at an offset, of an array its first element; one behind the last element is
/// named as well.
fn beginning(sizes: Sizes, ty: TypeId, offset: u64) -> Option<String> {
    match &sizes.types[ty] {
        Type::Array { element, length } => {
            let width = Some(sizes.of(*element)).filter(|width| *width > 0)?;
            let (index, inner) = (offset / width, offset % width);
            let is_there = *length == 0 || index < *length || index == *length && inner == 0;
            let rest = match inner {
                0 => String::new(),
                _ => beginning(sizes, *element, inner)?,
            };
            is_there.then(|| format!("[{index}]{rest}"))
        }
        _ if offset == 0 => Some(String::new()),
        Type::Record { members, .. } => members.iter().find_map(|member| {
            let inner = within(sizes, member.ty, offset.checked_sub(member.offset_bytes)?)?;
            let path = beginning(sizes, member.ty, inner)?;
            Some(dotted(&member.name, &path))
        }),
        _ => None,
    }
}

/// The offset, if it is within an object of the type; a flexible array has no end.
fn within(sizes: Sizes, ty: TypeId, offset: u64) -> Option<u64> {
    let is_flexible = matches!(sizes.types[ty], Type::Array { length: 0, .. });
    (is_flexible || offset < sizes.of(ty)).then_some(offset)
}

/// A member and the path within it; anonymous members have no name.
fn dotted(member: &str, path: &str) -> String {
    match member {
        "" => path.to_string(),
        name => format!(".{name}{path}"),
    }
}
