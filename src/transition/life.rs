//! Lives of objects: allocation, the ends of scopes, `free`.

use super::automaton::Key;
use super::explore::Explorer;
use super::object::{SlotObject, What, cells, cut_at};
use super::state::EdgeState;
use crate::base::sorted::SortedSet;
use crate::exec::{self, Domain};
use crate::ir::address::Slot;
use crate::ir::{AllocKind, Operand, Undefined};
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

/// Bytes of the largest object of the heap that is no array; no address space has less room for one.
const LARGEST: u64 = 65_535;

impl Explorer<'_> {
    /// Address of a new object, and its slot; `None` if that is known to be an array object in the next pass alone.
    pub fn alloc(
        &mut self,
        state: &mut EdgeState,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<(TermId, Slot)> {
        let is_heap = !matches!(kind, AllocKind::Stack { .. });
        let known = self.terms.as_constant(size);
        let known = known.and_then(|size| u64::try_from(size).ok());
        let is_array = known.is_none_or(|size| is_heap && size > LARGEST);
        let size_bytes = known.unwrap_or(0);
        let (thread, chain, at) = (self.thread, state.top().chain, state.stack());
        let mut loops = Vec::new();
        if !self.unrolls() {
            for (function, block, _, _) in &at {
                let nest = &self.facts.functions[*function].loops.nest[*block];
                loops.extend(nest.iter().map(|head| (*function, *head)));
            }
        }
        let (what, cells) = match kind {
            _ if is_array && is_heap => (What::Heap { thread, chain, at }, Vec::new()),
            _ if is_array => (What::Stack { thread, chain, at }, Vec::new()),
            AllocKind::Stack { ty, .. } => (
                What::Stack { thread, chain, at },
                cells(self.program, *ty, size_bytes),
            ),
            AllocKind::Heap | AllocKind::HeapZeroed | AllocKind::Realloc(_) => (
                What::Heap { thread, chain, at },
                cut_at(&SortedSet::new(), size_bytes),
            ),
        };
        if let AllocKind::Realloc(old) = kind {
            self.takes_place(state, *old)?;
        }
        let align_bytes = self.terms.as_constant(align).unwrap_or(1) as u64;
        let slot = self.knowledge.slot(&what.clone(), || SlotObject {
            what,
            size_bytes,
            is_array,
            size_varies: known.is_none(),
            read_only: false,
            align_bytes,
            cells,
            loops: Vec::new(),
        });
        self.knowledge.allocate(slot, align_bytes, loops);
        let object = self.knowledge.object(slot)?;
        let (cells, is_known) = (object.cells.clone(), object.is_array);
        let fits = object.size_varies || known == Some(object.size_bytes);
        if !fits || is_array && !is_known {
            // The next pass knows it as an array.
            self.knowledge.become_array(slot, known);
            return None;
        }
        if is_known {
            let pointer_bits = self.knowledge.space.pointer_bits;
            let size = self.terms.fit(size, pointer_bits);
            if self.knowledge.objects[slot.0 as usize - 1].size_varies {
                self.set_variable(state, Key::Size(slot), size);
            }
            state.log.remove(&slot);
        }
        let zeroed = match kind {
            AllocKind::Stack { zeroed, .. } => *zeroed,
            AllocKind::Heap | AllocKind::Realloc(_) => false,
            AllocKind::HeapZeroed => true,
        };
        if is_known && !zeroed {
            self.knowledge.note_anything(slot);
        }
        for (offset, bytes) in cells {
            let value = if zeroed {
                self.terms.constant(0, (bytes * 8) as u16)
            } else {
                Explorer::input(self, state, (bytes * 8) as u16, Some(offset))
            };
            let key = Key::Cell {
                slot,
                offset,
                bytes,
            };
            self.set_variable(state, key, value);
        }
        let tru = self.terms.tru();
        self.set_variable(state, Key::Live(slot), tru);
        let base = u128::from(self.knowledge.space.base(slot));
        let base = self.terms.constant(base, self.knowledge.space.pointer_bits);
        Some((base, slot))
    }

    /// Notes that what is allocated next may stand where the object at an address does, which lives a little longer here.
    fn takes_place(&mut self, state: &EdgeState, old: Operand) -> Option<()> {
        let term = exec::operand(self, state, old);
        let near = self.near(term);
        let Some(slots) = self.pointed(state, old, near) else {
            self.unsupported(state, "the release of memory that is not known");
            return None;
        };
        for slot in slots {
            self.knowledge.note_end(slot, self.thread, state.stack());
        }
        Some(())
    }

    /// A local variable ends; `None`, and the edge ends, if it is not known which.
    pub fn end_life(&mut self, state: &mut EdgeState, addr: TermId) -> Option<()> {
        let space = self.knowledge.space;
        let address = self.terms.as_constant(addr);
        let slot = address.and_then(|a| space.slot(u64::try_from(a).ok()?));
        let Some(slot) = slot else {
            self.unsupported(state, "the end of a variable that is not known");
            return None;
        };
        if matches!(
            self.knowledge.object(slot).map(|o| &o.what),
            Some(What::Stack { .. })
        ) {
            // Accesses of others may come before, or after.
            if !self.visit(state, &[Key::Live(slot)], false, true) {
                return None;
            }
            let at = state.stack();
            self.knowledge.note_end(slot, self.thread, at);
            let fals = self.terms.fals();
            self.set_variable(state, Key::Live(slot), fals);
            let mutexes = self.knowledge.mutexes_in(slot);
            for key in mutexes {
                let old = self.now(state, &key);
                let zero = self.terms.constant(0, self.terms.bits(old));
                self.set_variable(state, key, zero);
            }
            state.wrote = true;
        }
        Some(())
    }

    /// `free`: the object there lives no longer. `None` if the edge ends here.
    pub fn free(&mut self, state: &mut EdgeState, addr: TermId) -> Option<()> {
        let Some(values) = self.starts(state, addr) else {
            self.unsupported(state, "the release of memory that is not known");
            return None;
        };
        let (mut fine, mut places, mut keys) = (self.terms.fals(), Vec::new(), Vec::new());
        for value in values {
            let number = self.terms.constant(value, self.terms.bits(addr));
            let when = self.terms.eq(addr, number);
            if value == 0 {
                fine = self.terms.or(fine, when);
            }
            let space = self.knowledge.space;
            let slot = u64::try_from(value).ok().and_then(|a| space.slot(a));
            let Some(slot) = slot.filter(|slot| u128::from(space.base(*slot)) == value) else {
                continue;
            };
            if let Some(object) = self.knowledge.object(slot)
                && let What::Heap { .. } = object.what
            {
                keys.push(Key::Live(slot));
                places.push((slot, when));
            }
        }
        // Accesses of others may come before, or after.
        if !self.visit(state, &keys, false, true) {
            return None;
        }
        for (slot, when) in &places {
            let at = state.stack();
            self.knowledge.note_end(*slot, self.thread, at);
            let lives = self.now(state, &Key::Live(*slot));
            let good = self.terms.and(*when, lives);
            fine = self.terms.or(fine, good);
        }
        self.undefined_unless(state, fine, Undefined::InvalidFree);
        if state.path.is_dead(&self.terms) {
            return None;
        }
        let gone = self.terms.condition(faults::on(Fault::CutFreeKeeps));
        for (slot, when) in places {
            let mut keys = self.knowledge.mutexes_in(slot);
            keys.push(Key::Live(slot));
            for key in keys {
                let old = self.now(state, &key);
                let gone = self.terms.fit(gone, self.terms.bits(old));
                let new = self.terms.ite(when, gone, old);
                self.set_variable(state, key, new);
            }
        }
        state.wrote = true;
        Some(())
    }

    /// Size of the object of the heap that starts at an address, as wide as a pointer. `None` if the edge ends here.
    pub fn heap_size(&mut self, state: &mut EdgeState, addr: TermId) -> Option<TermId> {
        let Some(values) = self.starts(state, addr) else {
            self.unsupported(state, "the size of memory that is not known");
            return None;
        };
        let space = self.knowledge.space;
        let mut found = Vec::new();
        for value in values {
            let slot = u64::try_from(value).ok().and_then(|a| space.slot(a));
            let starts = slot.filter(|slot| u128::from(space.base(*slot)) == value);
            let object = starts.and_then(|slot| Some((slot, self.knowledge.object(slot)?)));
            if let Some((slot, object)) = object
                && let What::Heap { .. } = object.what
            {
                found.push((slot, value));
            }
        }
        let keys: Vec<Key> = found.iter().map(|(slot, _)| Key::Live(*slot)).collect();
        if !self.visit(state, &keys, true, false) {
            return None;
        }
        let mut valid = self.terms.fals();
        let mut size = self.terms.constant(0, space.pointer_bits);
        for (slot, value) in found {
            let number = self.terms.constant(value, space.pointer_bits);
            let here = self.terms.eq(addr, number);
            let lives = self.now(state, &Key::Live(slot));
            let fine = self.terms.and(here, lives);
            valid = self.terms.or(valid, fine);
            let own = self.size_of(state, slot);
            size = self.terms.ite(here, own, size);
        }
        self.undefined_unless(state, valid, Undefined::InvalidFree);
        (!state.path.is_dead(&self.terms)).then_some(size)
    }
}
