//! Objects: what has a slot of the address space, and its cells.

#[cfg(doc)]
use super::automaton::Key;
use super::automaton::Stack;
use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{AllocKind, BlockId, FuncId, GlobalId, InstrKind, Operand, Program};

/// Kind of an object, and which one of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    Global(GlobalId),
    /// A thread's copy.
    ThreadLocal(GlobalId, u32),
    /// A local variable of an activation.
    Stack {
        thread: u32,
        chain: u32,
        at: Stack,
    },
    /// Object that an activation has allocated on the heap, until somebody frees it.
    Heap {
        thread: u32,
        chain: u32,
        at: Stack,
    },
    Function(FuncId),
}

impl What {
    /// Allocated object: true if it begins to live when the program allocates it.
    pub fn is_allocated(&self) -> bool {
        matches!(self, What::Stack { .. } | What::Heap { .. })
    }
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct SlotObject {
    pub what: What,
    pub size_bytes: u64,
    /// Array object, see `content`.
    pub is_array: bool,
    /// The size is a variable, [`Key::Size`], and not `size_bytes`.
    pub size_varies: bool,
    pub read_only: bool,
    /// Alignment of its address in bytes.
    pub align_bytes: u64,
    /// First byte and width in bytes, ascending, without gaps but in array objects.
    pub cells: Vec<(u64, u32)>,
    /// Heads of the loops that it is allocated in: each iteration has its own.
    pub loops: Vec<(FuncId, BlockId)>,
}

/// The cells of an object: its bytes, cut where a scalar of its type begins or ends.
pub(super) fn cells(program: &Program, ty: TypeId, size_bytes: u64) -> Vec<(u64, u32)> {
    let pointer = u64::from(program.model.pointer_bits() / 8);
    let mut borders = SortedSet::from([0, size_bytes]);
    borders_of(&program.types, ty, 0, pointer, &mut borders);
    cut_at(&borders, size_bytes)
}

/// The cells of an object whose type nobody tells: its bytes, cut where accesses begin or end.
pub(super) fn cut_at(borders: &SortedSet<u64>, size_bytes: u64) -> Vec<(u64, u32)> {
    let mut borders = borders.clone();
    borders.extend([0, size_bytes]);
    let borders: Vec<u64> = borders.into_iter().filter(|b| *b <= size_bytes).collect();
    let mut cells = Vec::new();
    for pair in borders.windows(2) {
        let mut at = pair[0];
        while at < pair[1] {
            // A word has at most 16 bytes.
            let width = (pair[1] - at).min(16);
            cells.push((at, width as u32));
            at += width;
        }
    }
    cells
}

/// Adds where scalars of a type at an offset begin and end.
fn borders_of(types: &Types, ty: TypeId, at: u64, pointer: u64, borders: &mut SortedSet<u64>) {
    match &types[ty] {
        Type::Void => {}
        Type::Int { .. } | Type::Float(_) | Type::Bool | Type::Pointer { .. } => {
            let size = size_of(types, ty, pointer);
            borders.extend([at, at + size]);
        }
        Type::Array { element, length } => {
            let size = size_of(types, *element, pointer);
            for i in 0..(*length).min(1 << 16) {
                borders_of(types, *element, at + i * size, pointer, borders);
            }
        }
        Type::Record { members, .. } => {
            for member in members {
                borders_of(types, member.ty, at + member.offset_bytes, pointer, borders);
            }
        }
    }
}

fn size_of(types: &Types, ty: TypeId, pointer: u64) -> u64 {
    match &types[ty] {
        Type::Void => 1,
        Type::Int { bits, .. } => u64::from(*bits).div_ceil(8).next_power_of_two(),
        Type::Float(format) => u64::from(format.bits()).div_ceil(8),
        Type::Bool => 1,
        Type::Pointer { .. } => pointer,
        Type::Array { element, length } => {
            size_of(types, *element, pointer).saturating_mul(*length)
        }
        Type::Record { size_bytes, .. } => *size_bytes,
    }
}

/// The size in bytes of the largest object whose size the program's text gives, and its place.
pub(super) fn largest(program: &Program) -> (u64, Loc) {
    let globals = program.globals.iter().map(|g| (g.size_bytes, g.loc));
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    let locals = blocks
        .flat_map(|b| &b.instrs)
        .filter_map(|instr| match &instr.kind {
            InstrKind::Alloc {
                size_bytes: Operand::Const { value, .. },
                kind: AllocKind::Stack { .. },
                ..
            } => Some((u64::try_from(*value).unwrap_or(u64::MAX), instr.loc)),
            _ => None,
        });
    let all = globals.chain(locals);
    all.max_by_key(|(size, _)| *size).unwrap_or((0, Loc::NONE))
}
