//! Slots: which object or function has which one, and what static objects hold at the start.

use super::automaton::SlotOwner;
use super::knowledge::Knowledge;
use super::object::{SlotObject, What, cells};
use crate::base::Loc;
use crate::event::{Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{BlockId, FuncId, GlobalId, Operand, Program};

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
        let what = if global.thread_local {
            What::ThreadLocal(id, thread)
        } else {
            What::Global(id)
        };
        self.slot(&what.clone(), || SlotObject {
            what,
            size_bytes: global.size_bytes,
            is_array: false,
            size_varies: false,
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
            is_array: false,
            size_varies: false,
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
    pub fn places(&self) -> Vec<(SlotOwner, Slot)> {
        let slots = (1..).map(Slot);
        let place = |object: &SlotObject| match &object.what {
            What::Global(id) => SlotOwner::Static(Origin::Global(*id)),
            What::ThreadLocal(id, thread) => {
                SlotOwner::Static(Origin::ThreadLocal(*id, ThreadId(*thread)))
            }
            What::Function(id) => SlotOwner::Static(Origin::Function(*id)),
            What::Stack { thread, at, .. } => SlotOwner::Stack(ThreadId(*thread), at.clone()),
            What::Heap { thread, at, .. } => SlotOwner::Heap(ThreadId(*thread), at.clone()),
        };
        self.objects.iter().map(place).zip(slots).collect()
    }

    /// Array objects with the places that allocate them.
    pub fn array_places(&self, program: &Program) -> Vec<(Slot, Loc)> {
        let place = |object: &SlotObject| match &object.what {
            What::Global(id) | What::ThreadLocal(id, _) => program.globals[*id].loc,
            What::Function(_) => Loc::NONE,
            What::Stack { at, .. } | What::Heap { at, .. } => {
                let places = at.iter().rev().map(|(function, block, index, _)| {
                    let block = &program.functions[*function].blocks[*block];
                    block
                        .instrs
                        .get(*index)
                        .map_or(Loc::NONE, |instr| instr.loc)
                });
                let mut known = places.filter(|loc| *loc != Loc::NONE);
                known.next().unwrap_or(Loc::NONE)
            }
        };
        let slots = self.objects.iter().zip((1..).map(Slot));
        let arrays = slots.filter(|(object, _)| object.is_array);
        arrays.map(|(object, slot)| (slot, place(object))).collect()
    }
}
