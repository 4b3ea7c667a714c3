//! Objects: what has a slot of the address space, its cells, and what they hold at the start.

use super::Stack;
use super::knowledge::Knowledge;
use crate::base::Loc;
use crate::event::{Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{AllocKind, BlockId, FuncId, GlobalId, InstrKind, Operand, Program};
use std::collections::BTreeSet;

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
    pub read_only: bool,
    /// Alignment of its address in bytes.
    pub align_bytes: u64,
    /// First byte and width in bytes, ascending, without gaps.
    pub cells: Vec<(u64, u32)>,
    /// Heads of the loops that it is allocated in: each iteration has its own.
    pub loops: Vec<(FuncId, BlockId)>,
}

impl Knowledge {
    /// The slot of an object, which `make` describes at the first request.
    pub fn slot(&mut self, what: &What, make: impl FnOnce() -> SlotObject) -> Slot {
        let found = self.objects.iter().position(|object| object.what == *what);
        let index = found.unwrap_or_else(|| {
            self.objects.push(make());
            self.note_change();
            self.objects.len() - 1
        });
        Slot(index as u32 + 1)
    }

    /// Takes note that an object is allocated, and aligned, in loops: the first time may have been in an iteration that is unrolled.
    pub fn allocate(&mut self, slot: Slot, align_bytes: u64, loops: Vec<(FuncId, BlockId)>) {
        let object = &mut self.objects[slot.0 as usize - 1];
        let before = (object.align_bytes, object.loops.len());
        object.align_bytes = object.align_bytes.min(align_bytes);
        for head in loops {
            if !object.loops.contains(&head) {
                object.loops.push(head);
            }
        }
        if before != (object.align_bytes, object.loops.len()) {
            self.note_change();
        }
    }

    /// The slot of a global, or of a thread's copy of it.
    pub fn global_slot(&mut self, program: &Program, id: GlobalId, thread: u32) -> Slot {
        let global = &program.globals[id];
        let what = match global.thread_local {
            true => What::ThreadLocal(id, thread),
            false => What::Global(id),
        };
        self.slot(&what.clone(), || SlotObject {
            what,
            size_bytes: global.size_bytes,
            read_only: global.read_only,
            align_bytes: global.align_bytes,
            cells: cells(program, global.ty, global.size_bytes),
            loops: Vec::new(),
        })
    }

    /// The slot of a function.
    pub fn function_slot(&mut self, id: FuncId) -> Slot {
        self.slot(&What::Function(id), || SlotObject {
            what: What::Function(id),
            size_bytes: 0,
            read_only: true,
            align_bytes: 1,
            cells: Vec::new(),
            loops: Vec::new(),
        })
    }

    /// Initial value of a cell of a static object; `None` for other objects.
    pub fn initial(
        &mut self,
        program: &Program,
        slot: Slot,
        offset: u64,
        bytes: u32,
    ) -> Option<u128> {
        let (id, thread) = match self.object(slot)?.what {
            What::Global(id) => (id, 0),
            What::ThreadLocal(id, thread) => (id, thread),
            _ => return None,
        };
        let mut value = 0u128;
        for part in &program.globals[id].init {
            let word = match part.value {
                Operand::Const { value, .. } => value,
                Operand::GlobalAddr(target, at) => {
                    let slot = self.global_slot(program, target, thread);
                    u128::from(self.space.base(slot).wrapping_add_signed(at))
                }
                Operand::FuncAddr(function) => {
                    let slot = self.function_slot(function);
                    u128::from(self.space.base(slot))
                }
                Operand::Reg(_) => 0,
            };
            for i in 0..u64::from(part.bits.div_ceil(8)) {
                let at = part.offset_bytes + i;
                if at >= offset && at < offset + u64::from(bytes) {
                    value |= (word >> (8 * i) & 0xff) << (8 * (at - offset));
                }
            }
        }
        Some(value)
    }

    /// Slots with what a schedule calls them.
    pub fn places(&self) -> Vec<(super::SlotOwner, Slot)> {
        let slots = (1..).map(Slot);
        let place = |object: &SlotObject| match &object.what {
            What::Global(id) => super::SlotOwner::Static(Origin::Global(*id)),
            What::ThreadLocal(id, thread) => {
                super::SlotOwner::Static(Origin::ThreadLocal(*id, ThreadId(*thread)))
            }
            What::Function(id) => super::SlotOwner::Static(Origin::Function(*id)),
            What::Stack { thread, at, .. } => {
                super::SlotOwner::Stack(ThreadId(*thread), at.clone())
            }
            What::Heap { thread, at, .. } => super::SlotOwner::Heap(ThreadId(*thread), at.clone()),
        };
        self.objects.iter().map(place).zip(slots).collect()
    }
}

/// The cells of an object: its bytes, cut where a scalar of its type begins or ends.
pub(super) fn cells(program: &Program, ty: TypeId, size_bytes: u64) -> Vec<(u64, u32)> {
    let pointer = u64::from(program.model.pointer_bits() / 8);
    let mut borders = BTreeSet::from([0, size_bytes]);
    borders_of(&program.types, ty, 0, pointer, &mut borders);
    cut_at(&borders, size_bytes)
}

/// The cells of an object whose type nobody tells: its bytes, cut where accesses begin or end.
pub(super) fn cut_at(borders: &BTreeSet<u64>, size_bytes: u64) -> Vec<(u64, u32)> {
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
fn borders_of(types: &Types, ty: TypeId, at: u64, pointer: u64, borders: &mut BTreeSet<u64>) {
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
