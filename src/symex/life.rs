//! Lives of objects, their beginnings and ends: allocation, the ends of scopes, `free`.

use super::pass::Pass;
use super::state::PathState;
use super::touch::{ObjectKey, Space, ThreadKey};
use crate::event::{Cut, ThreadId};
use crate::exec;
use crate::ir::address::Slot;
use crate::ir::{AllocKind, GlobalId, Undefined};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    pub(super) fn alloc(
        &mut self,
        state: &mut PathState,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> TermId {
        let pointer_bits = self.program.model.pointer_bits();
        let fixed =
            matches!(kind, AllocKind::Stack { .. }) && self.terms.as_constant(size).is_some();
        if self.apart && !fixed {
            self.refuse(
                state,
                "memory allocated where some paths have left an atomic section open",
            );
        }
        let most = self.knowledge.space.largest_allocation();
        let limit = self.terms.constant(u128::from(most), pointer_bits);
        let size = self.terms.fit(size, pointer_bits);
        let fits = self.terms.ule(size, limit);
        self.restrict_or_cut(state, fits, || Cut::ObjectSize { most });
        // An object whose size is not constant gets all of its slot; accesses are checked against its size.
        let (size_bytes, symbolic) = match self.terms.as_constant(size) {
            Some(size) => ((size as u64).min(most), None),
            None => ((self.terms.fact(size).hi as u64).min(most), Some(size)),
        };
        match self.allocate(size_bytes, symbolic, align, kind) {
            Some(slot) => {
                if !faults::on(Fault::BegunByWriting) {
                    state.memory.begin(slot);
                }
                self.note_allocation(state, slot);
                self.note_block_made(state, slot);
                if let AllocKind::Realloc(old) = kind {
                    let old = exec::operand(self, state, *old);
                    self.note_successor(state, old, slot);
                }
                let base = self.knowledge.space.base(slot);
                self.terms.constant(u128::from(base), pointer_bits)
            }
            None => {
                self.refuse(state, "more objects than addresses can name");
                self.terms.constant(0, pointer_bits)
            }
        }
    }

    /// The life of the object that starts at `addr` ends, if `when`.
    pub(super) fn end_life(&mut self, state: &mut PathState, addr: TermId, when: TermId) {
        for (slot, here) in self.allocated(state, addr) {
            self.seen.ended.insert(slot);
            self.note_end(state, slot);
            let happens = self.terms.and(here, when);
            self.set_flag(state, Space::Ended, slot, happens);
            if self.is_released(slot) && self.knowledge.machine.bases.contains(&slot) {
                self.release_storage(state, slot, happens);
            }
        }
    }

    /// A thread's own variables, as far as they have been mentioned.
    fn own_variables(&self, thread: ThreadKey) -> Vec<(GlobalId, Slot)> {
        let globals = self.program.globals.iter_ids();
        globals
            .filter(|(_, global)| global.thread_local)
            .filter_map(|(id, _)| {
                let key = ObjectKey::ThreadLocal(id, thread);
                Some((id, self.knowledge.known_slot(key)?))
            })
            .collect()
    }

    /// A thread is created, and its own variables with it.
    pub(super) fn begin_own_variables(
        &mut self,
        state: &mut PathState,
        thread: ThreadKey,
        id: ThreadId,
    ) {
        for (global, slot) in self.own_variables(thread) {
            if self.knowledge.machine.bases.contains(&slot) {
                self.add_own_variable(global, slot, id);
            }
            self.note_allocation(state, slot);
        }
    }

    /// The running thread ends, and its own variables with it: a step that others notice if they look at one of them.
    pub(super) fn end_own_variables(&mut self, state: &PathState, when: TermId, result: Slot) {
        let thread = self.instances[self.current].key;
        let own = self.own_variables(thread);
        let mut seen: Vec<Slot> = own.into_iter().map(|(_, slot)| slot).collect();
        for slot in &seen {
            self.note_end(state, *slot);
        }
        seen.retain(|slot| {
            self.knowledge.machine.bases.contains(slot) || self.knowledge.is_lent(*slot)
        });
        // Where leaks are asked for, the end of a thread is that of its result.
        seen.extend(self.leaks.then_some(result));
        if seen.is_empty() {
            return;
        }
        self.one_step(|pass| {
            // What is executed there is the end of the thread.
            pass.drain_if(state, when);
            let mut state = state.clone();
            for slot in seen {
                pass.seen.ended.insert(slot);
                pass.set_flag(&mut state, Space::Ended, slot, when);
            }
        });
    }

    /// Objects made by an allocation that `addr` may be the start of, and the condition for each.
    fn allocated(&mut self, state: &mut PathState, addr: TermId) -> Vec<(Slot, TermId)> {
        let is_allocated = |pass: &Self, slot: Slot| {
            let object = pass.knowledge.object(slot);
            matches!(object.map(|o| o.key), Some(ObjectKey::Alloc(..)))
        };
        let mut found = self.own_starts(addr);
        found.retain(|(slot, _)| is_allocated(self, *slot));
        for (slot, here) in self.number_starts(addr) {
            if !is_allocated(self, slot) {
                continue;
            }
            // Who has an object's own address has it from the allocation; a number may be that of an object to come.
            let is_found = self.is_found(state, slot, here);
            let here = self.terms.and(here, is_found);
            self.add_start(&mut found, slot, here);
        }
        found
    }

    /// `free`: of the null pointer nothing, of the start of a live heap object its end, otherwise undefined.
    pub(super) fn free(&mut self, state: &mut PathState, addr: TermId) {
        let bits = self.terms.bits(addr);
        let zero = self.terms.constant(0, bits);
        let mut valid = self.terms.eq(addr, zero);
        for (_, fine) in self.live_on_heap(state, addr) {
            valid = self.terms.or(valid, fine);
        }
        self.restrict_or_cut(state, valid, || Cut::Undefined(Undefined::InvalidFree));
        let always = self.terms.tru();
        self.end_life(state, addr, always);
    }

    /// The size in bytes of the live heap object that starts at `addr`; undefined if there is none.
    pub(super) fn object_size(&mut self, state: &mut PathState, addr: TermId) -> TermId {
        let bits = self.program.model.pointer_bits();
        let mut valid = self.terms.fals();
        let mut size = self.terms.constant(0, bits);
        for (slot, fine) in self.live_on_heap(state, addr) {
            valid = self.terms.or(valid, fine);
            let own = self.size_of(slot);
            size = self.terms.ite(fine, own, size);
        }
        self.restrict_or_cut(state, valid, || Cut::Undefined(Undefined::InvalidFree));
        size
    }

    /// Heap objects that `addr` may be the start of, and the condition for each to be it and alive.
    fn live_on_heap(&mut self, state: &mut PathState, addr: TermId) -> Vec<(Slot, TermId)> {
        let mut found = self.allocated(state, addr);
        found.retain(|(slot, _)| self.knowledge.heap.contains(slot));
        for (slot, fine) in &mut found {
            let (slot, here) = (*slot, *fine);
            // Its life may have ended already.
            if self.knowledge.may_end(slot) && !faults::on(Fault::FreeTwice) {
                let alive = self.is_clear(state, Space::Ended, slot, here);
                *fine = self.terms.and(here, alive);
            }
        }
        found
    }
}
