//! Objects and their addresses.

use super::pass::{Fill, Here, Pass};
use super::touch::{ObjectKey, ThreadKey};
use crate::event::{Input, Object, Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{AllocKind, GlobalId};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// Names the globals and functions.
    pub(super) fn globals(&mut self) {
        for (id, function) in self.program.functions.iter_ids() {
            let slot = self.knowledge.slot_of(ObjectKey::Function(id));
            self.add_object(
                slot,
                function.name.clone(),
                Origin::Function(id),
                Fill::Zero,
            );
        }
        for (id, global) in self.program.globals.iter_ids() {
            if !global.thread_local {
                let slot = self.knowledge.slot_of(ObjectKey::Global(id));
                self.add_object(
                    slot,
                    global.name.clone(),
                    Origin::Global(id),
                    Fill::Global(id),
                );
            }
        }
    }

    pub(super) fn add_object(&mut self, slot: Slot, name: String, origin: Origin, fill: Fill) {
        self.fill.insert(slot, fill);
        if self.object_at.contains_key(&slot) {
            return;
        }
        self.object_at.insert(slot, self.objects.len());
        self.objects.push(Object { name, origin, slot });
    }

    /// The index of the object in a slot. (An object that a pointer of an earlier pass leads to but that this
    /// pass has not allocated yet gets its name when it is.)
    pub(super) fn object_index(&mut self, slot: Slot) -> usize {
        if let Some(&index) = self.object_at.get(&slot) {
            return index;
        }
        self.object_at.insert(slot, self.objects.len());
        let origin = Origin::Alloc(ThreadId(0), PosKey(0));
        self.objects.push(Object {
            name: "object".into(),
            origin,
            slot,
        });
        self.objects.len() - 1
    }

    /// True if the running thread allocates the object in a slot, so that its memory knows it from then on.
    pub(super) fn is_of_this_thread(&self, slot: Slot) -> bool {
        let own = self.instances[self.current].key;
        let known = self.knowledge.object(slot).map(|known| known.key);
        matches!(known, Some(ObjectKey::Alloc(thread, _)) if thread == own)
    }

    /// Slot of a global, or of the running thread's copy of it.
    pub(super) fn global_slot(&mut self, id: GlobalId) -> Slot {
        let global = &self.program.globals[id];
        if !global.thread_local {
            return self.knowledge.slot_of(ObjectKey::Global(id));
        }
        let thread = if faults::on(Fault::ThreadLocalShared) {
            ThreadKey(0)
        } else {
            self.instances[self.current].key
        };
        let key = ObjectKey::ThreadLocal(id, thread);
        let slot = self
            .knowledge
            .slot(key, global.size_bytes, global.read_only, global.align_bytes)
            .unwrap_or(Slot::NULL);
        self.add_own_variable(id, slot, self.current);
        slot
    }

    /// Names a thread's own copy of a global.
    pub(super) fn add_own_variable(&mut self, id: GlobalId, slot: Slot, thread: ThreadId) {
        let global = &self.program.globals[id];
        self.fill.insert(slot, Fill::Global(id));
        // It may have been mentioned before, by the thread that creates its own.
        let index = self.object_index(slot);
        self.objects[index] = Object {
            name: global.name.clone(),
            origin: Origin::ThreadLocal(id, thread),
            slot,
        };
    }

    /// A new object of at most `size_bytes` bytes, or exactly so many as the term `symbolic` says, aligned as `align`
    /// says; its slot, or `None` if addresses are used up.
    pub(super) fn allocate(
        &mut self,
        size_bytes: u64,
        symbolic: Option<TermId>,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<Slot> {
        let thread = if faults::on(Fault::ObjectReused) {
            ThreadKey(0)
        } else {
            self.instances[self.current].key
        };
        let key = ObjectKey::Alloc(thread, self.here.position);
        let align_bytes = self.terms.as_constant(align).map_or(1, |a| a as u64);
        let slot = self
            .knowledge
            .slot(key, size_bytes, false, align_bytes.max(1))?;
        if self.terms.as_constant(align).is_none() {
            self.alignments.insert(slot, align);
        }
        if kind.is_heap() {
            self.knowledge.heap.insert(slot);
        }
        let free = Fill::Free(self.current, self.here.position);
        let (name, fill) = match kind {
            AllocKind::Stack { name, zeroed, .. } => {
                (name.clone(), if *zeroed { Fill::Zero } else { free })
            }
            AllocKind::Heap | AllocKind::Realloc(_) => ("heap".to_string(), free),
            AllocKind::HeapZeroed => ("heap".to_string(), Fill::Zero),
        };
        let origin = Origin::Alloc(self.current, self.here.position);
        if matches!(fill, Fill::Zero) {
            self.knowledge.zeroed.insert(slot);
        }
        self.fill.insert(slot, fill);
        for (offset, value) in self.early.remove(&slot).unwrap_or_default() {
            if let Fill::Free(thread, position) = fill {
                self.inputs.push(Input {
                    value,
                    thread,
                    position,
                    offset_bytes: Some(offset),
                });
            } else {
                let zero = self.terms.constant(0, self.terms.bits(value));
                let is_zero = self.terms.eq(value, zero);
                self.facts_found.push(is_zero);
            }
        }
        self.allocated_at.insert(slot, self.executed);
        if let Some(size) = symbolic {
            self.knowledge.symbolic.insert(slot);
            let even = self.terms.fact(size).zeros.trailing_ones() as u16;
            let even = even.min(self.terms.bits(size) - 1);
            let known = self.knowledge.even.entry(slot).or_insert(even);
            if even < *known {
                *known = even;
                self.seen.uneven = true;
            }
            if let Some(promised) = self.sizes.insert(slot, size) {
                let kept = self.terms.eq(promised, size);
                self.facts_found.push(kept);
            }
        }
        let index = self.object_index(slot);
        self.objects[index] = Object { name, origin, slot };
        Some(slot)
    }

    /// A free choice at the current position: one and the same for paths that come there apart.
    pub(super) fn input(&mut self, name: &str, bits: u16) -> TermId {
        let same = |input: &&Input| {
            let here = (self.current, self.here.position);
            (input.thread, input.position) == here && self.terms.bits(input.value) == bits
        };
        if self.apart
            && let Some(known) = self.inputs.iter().rev().find(same)
        {
            return known.value;
        }
        let value = self.terms.fresh(name, bits);
        if let Some(var) = self.terms.var_of(value) {
            self.input_vars.insert(var);
        }
        let Here { position, .. } = self.here;
        self.inputs.push(Input {
            value,
            thread: self.current,
            position,
            offset_bytes: None,
        });
        value
    }
}
