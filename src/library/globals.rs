//! Globals while calls are rewritten: what is known of the program's, and those that are added.

use std::borrow::Cow;

use super::uses::Uses;
use crate::base::Loc;
use crate::base::id::Id;
use crate::ir::ty::{Type, Types};
use crate::ir::{DataModel, Global, GlobalId, Operand, Program};

/// Globals of the program, as far as the rewriting of calls has to know them, and the globals that it adds.
pub(super) struct Globals {
    pub model: DataModel,
    pub types: Types,
    /// Parts of the library that it uses.
    pub uses: Uses,
    /// For each global, its bytes if it is a string literal.
    pub literals: Vec<Option<Vec<u8>>>,
    /// Globals to add.
    pub added: Vec<LibraryObject>,
}

/// An object of the library, zero at first.
#[derive(Clone, Debug)]
pub(super) struct LibraryObject {
    /// Name in traces; no two objects have the same.
    pub name: Cow<'static, str>,
    pub shape: Shape,
    /// Thread-local storage: each thread has its own.
    pub thread_local: bool,
}

/// The type of an [`LibraryObject`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// An array of so many `int`, or one.
    Words(u64),
    /// An array of so many pointers, or one.
    Pointers(u64),
}

impl Globals {
    pub(super) fn new(program: &Program, uses: Uses) -> Globals {
        Globals {
            model: program.model,
            types: program.types.clone(),
            uses,
            literals: program.globals.iter().map(literal_bytes).collect(),
            added: vec![],
        }
    }

    /// Address of an object of the library.
    pub(super) fn object(&mut self, object: &LibraryObject) -> Operand {
        let known = self.added.iter().position(|k| k.name == object.name);
        let index = known.unwrap_or_else(|| {
            self.added.push(object.clone());
            self.added.len() - 1
        });
        Operand::GlobalAddr(GlobalId::from_index(self.literals.len() + index), 0)
    }

    /// Adds what was asked for to the program.
    pub(super) fn finish(self, program: &mut Program) {
        let pointer_bytes = u64::from(self.model.pointer_bits() / 8);
        for object in self.added {
            let (element, align_bytes, length) = match object.shape {
                Shape::Words(length) => {
                    let word = Type::integer(32, true);
                    (program.types.push(word), 4, length)
                }
                Shape::Pointers(length) => {
                    let to = program.types.push(Type::Void);
                    let pointer = program.types.push(Type::Pointer { to });
                    (pointer, pointer_bytes, length)
                }
            };
            let ty = match length {
                1 => element,
                length => program.types.push(Type::Array { element, length }),
            };
            let size_bytes = align_bytes * length;
            program.globals.push(Global {
                name: object.name.to_string(),
                ty,
                size_bytes,
                align_bytes,
                init: vec![],
                thread_local: object.thread_local,
                read_only: false,
                loc: Loc::NONE,
            });
        }
    }
}

/// The bytes of a global that is a string literal.
pub(super) fn literal_bytes(global: &Global) -> Option<Vec<u8>> {
    if !global.read_only || !(global.name == "text" || global.name.starts_with('"')) {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(global.size_bytes).ok()?];
    for part in &global.init {
        let Operand::Const { value, bits } = part.value else {
            return None;
        };
        for (index, byte) in value
            .to_le_bytes()
            .iter()
            .take(usize::from(bits / 8))
            .enumerate()
        {
            *bytes.get_mut(usize::try_from(part.offset_bytes).ok()? + index)? = *byte;
        }
    }
    Some(bytes)
}
