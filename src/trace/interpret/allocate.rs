//! Allocation of objects, and their removal.

use super::life::New;
use super::memory::LiveObject;
use super::state::State;
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Effect, Interpreter};
use crate::base::Loc;
use crate::base::sorted::SortedSet;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{AllocKind, Operand, Reg, Undefined};

impl<'p> Interpreter<'p> {
    pub(super) fn allocate(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        (size, align_bytes, instead): (u128, u64, Option<Slot>),
        kind: &AllocKind,
    ) -> Effect {
        let most = self.space.largest_allocation();
        if size > u128::from(most) {
            return Effect::Cut(Cut::ObjectSize { most });
        }
        let label = self.label(state, thread);
        let function = self.function(state.frame(thread));
        let made = if kind.is_heap() && !function.is_internal() {
            self.place_of(state, thread, self.next(state, thread).1).0
        } else {
            Loc::NONE
        };
        let origin = Origin::Alloc(thread, state.frame(thread).position());
        let slot = self.slot(origin);
        let byte = match kind {
            AllocKind::HeapZeroed | AllocKind::Stack { zeroed: true, .. } => Some(0),
            AllocKind::Stack { .. } | AllocKind::Heap | AllocKind::Realloc(_) => None,
        };
        let bytes = vec![byte; size as usize];
        let heap = kind.is_heap();
        let new = New {
            origin,
            label: Some(label),
            size_bytes: size as u64,
            align_bytes,
            instead,
        };
        self.begin_life(state, slot, new);
        state.memory.insert(
            slot,
            LiveObject {
                origin,
                label,
                bytes,
                chosen: SortedSet::new(),
                words: SortedSet::new(),
                align_bytes,
                read_only: false,
                heap,
                made,
                escaped: false,
            },
        );
        let address = u128::from(self.space.base(slot));
        self.set(state, thread, dst, Word::address(address));
        Effect::Quiet
    }

    /// The live object of the heap that starts where an operand says, and its size in bytes.
    pub(super) fn heap_object(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operand: Operand,
        choices: &mut dyn Choices,
    ) -> Result<(Slot, usize), Stop> {
        let word = self.word(state, thread, operand);
        let address = self.named(state, word, choices)?;
        match address.and_then(|address| self.object(state, address)) {
            Some((slot, 0, object)) if object.heap => Ok((slot, object.bytes.len())),
            _ => {
                let past = |at| self.past(state, at, Undefined::InvalidFree);
                Err(address.map_or(Undefined::InvalidFree, past).into())
            }
        }
    }

    pub(super) fn remove(&mut self, state: &mut State, slot: Slot, by: ThreadId) {
        let space = self.space;
        self.forget(state, slot);
        self.end_life(state, slot, by);
        if let Some(object) = state.memory.get(slot).filter(|object| object.heap) {
            state.freed.insert(slot, object.bytes.len() as u64);
        }
        state.memory.remove(slot);
        state
            .mutexes
            .retain(|address, _| space.slot(*address) != Some(slot));
        state
            .notes
            .retain(|(address, ..), _| space.slot(*address) != Some(slot));
    }
}
