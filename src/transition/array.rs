//! Accesses of array objects at offsets that are not constant.
//!
//! A read gives any value that may have been written there, but for what the edge itself has read and written at the same
//! offset: a log tells. Cells, at constant offsets, are read and written exactly if the access is as wide, and have any value
//! where it overlaps them otherwise.

use super::automaton::{ArrayRead, Key};
use super::explore::Explorer;
use super::knowledge::Content;
use super::log::{Entry, shorten};
use super::state::EdgeState;
use crate::exec::congruence;
use crate::ir::address::Slot;
use crate::term::TermId;
use crate::term::word::mask;
use crate::transition::faults::{self, Fault};

/// A place in an array object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub slot: Slot,
    /// Offset from the start, as wide as a pointer.
    pub offset: TermId,
    pub bytes: u32,
    /// Condition that the address is one of this object.
    pub here: TermId,
    /// Condition that the access is within it.
    pub within: TermId,
}

impl Explorer<'_> {
    /// Size of an array object in bytes, as wide as a pointer.
    pub fn size_of(&mut self, state: &EdgeState, slot: Slot) -> TermId {
        let bits = self.knowledge.space.pointer_bits;
        match self.knowledge.object(slot) {
            Some(object) if !object.size_varies => {
                let size = u128::from(object.size_bytes);
                self.terms.constant(size & mask(bits), bits)
            }
            _ => self.now(state, &Key::Size(slot)),
        }
    }

    /// Condition that so many bytes at an offset are within an array object. All are as wide as a pointer.
    pub fn has_bytes(
        &mut self,
        state: &EdgeState,
        slot: Slot,
        offset: TermId,
        bytes: TermId,
    ) -> TermId {
        let size = self.size_of(state, slot);
        let enough = self.terms.ule(bytes, size);
        let last = if faults::on(Fault::ArrayBoundOffByOne) {
            size
        } else {
            self.terms.sub(size, bytes)
        };
        let inside = self.terms.ule(offset, last);
        self.terms.and(enough, inside)
    }

    /// Condition that so many bytes at an offset are within an array object, and aligned.
    pub fn fits(
        &mut self,
        state: &EdgeState,
        slot: Slot,
        offset: TermId,
        (bytes, align): (u32, u64),
    ) -> TermId {
        let bits = self.terms.bits(offset);
        let bytes = self.terms.constant(u128::from(bytes), bits);
        let inside = self.has_bytes(state, slot, offset, bytes);
        let rest = self.terms.constant(u128::from(align.max(1)) - 1, bits);
        let rest = self.terms.and(offset, rest);
        let zero = self.terms.constant(0, bits);
        let aligned = self.terms.eq(rest, zero);
        self.terms.and(inside, aligned)
    }

    /// Multiple: true if an offset certainly is one of a number of bytes.
    pub fn is_multiple(&self, offset: TermId, bytes: u32) -> bool {
        let (modulus, residue) = congruence(&self.terms, offset, 16);
        let bytes = u128::from(bytes);
        modulus.is_multiple_of(bytes) && residue.is_multiple_of(bytes)
    }

    /// Conditions that two accesses, of so many bytes at these offsets, are of the same bytes, and that they overlap.
    fn meet(&mut self, a: (TermId, u32), b: (TermId, u32)) -> (TermId, TermId) {
        let same = if a.1 == b.1 {
            self.terms.eq(a.0, b.0)
        } else {
            self.terms.fals()
        };
        if a.1 == b.1 && self.is_multiple(a.0, a.1) && self.is_multiple(b.0, b.1) {
            return (same, same);
        }
        let bits = self.terms.bits(a.0);
        let [a, b] = [a, b].map(|(offset, bytes)| {
            let bytes = self.terms.constant(u128::from(bytes), bits);
            (offset, bytes)
        });
        (same, self.overlap(a, b))
    }

    /// Condition that so many bytes each at two offsets overlap. They are within the object: nothing wraps.
    pub fn overlap(&mut self, a: (TermId, TermId), b: (TermId, TermId)) -> TermId {
        let [after_a, after_b] = [a, b].map(|(offset, bytes)| self.terms.add(offset, bytes));
        let before = self.terms.ult(a.0, after_b);
        let behind = self.terms.ult(b.0, after_a);
        self.terms.and(before, behind)
    }

    /// Cells of an array object, with their offsets as terms.
    fn cells_of(&mut self, slot: Slot) -> Vec<(Key, (TermId, u32))> {
        let pointer_bits = self.knowledge.space.pointer_bits;
        let mut found = Vec::new();
        for key in self.knowledge.cells_of(slot) {
            if let Key::Cell { offset, bytes, .. } = key {
                let at = self.terms.constant(u128::from(offset), pointer_bits);
                found.push((key, (at, bytes)));
            }
        }
        found
    }

    /// A free value that an access of abstract content gives.
    fn some(&mut self, state: &EdgeState, bytes: u32) -> TermId {
        self.input(state, (bytes * 8) as u16, None)
    }

    /// A value that may have been in a place before the edge.
    fn before(&mut self, state: &EdgeState, span: &Span) -> TermId {
        let bits = (span.bytes * 8) as u16;
        let is_word = self.is_multiple(span.offset, span.bytes);
        let known = match self.knowledge.content(span.slot) {
            Content::Zero => return self.terms.constant(0, bits),
            Content::Words(known) if known.bits == bits && is_word => known,
            _ => return self.some(state, span.bytes),
        };
        let free = self.some(state, span.bytes);
        self.terms.with_known(free, &known.fact())
    }

    /// Value of a place in an array object.
    pub fn read_span(&mut self, state: &mut EdgeState, span: &Span) -> TermId {
        let place = (span.offset, span.bytes);
        let before = self.before(state, span);
        let mut value = before;
        let mut when = self.terms.and(state.path.term(), span.here);
        let log = state.log.get(&span.slot).cloned().unwrap_or_default();
        for entry in log {
            let (same, overlap) = self.meet((entry.offset, entry.bytes), place);
            let met = if entry.write && !faults::on(Fault::ArrayStaleRead) {
                value = self.anything_where(state, (same, overlap), entry.when, value);
                overlap
            } else {
                same
            };
            if entry.bytes == span.bytes {
                let same = self.terms.and(same, entry.when);
                value = self.terms.ite(same, entry.value, value);
            }
            let met = self.terms.and(met, entry.when);
            let apart = self.terms.not(met);
            when = self.terms.and(when, apart);
        }
        for (key, cell) in self.cells_of(span.slot) {
            let (same, overlap) = self.meet(cell, place);
            let always = self.terms.tru();
            value = self.anything_where(state, (same, overlap), always, value);
            if cell.1 == span.bytes {
                let now = self.now(state, &key);
                value = self.terms.ite(same, now, value);
            }
            let apart = self.terms.not(overlap);
            when = self.terms.and(when, apart);
        }
        let is_known = self.terms.as_constant(before).is_some();
        if !is_known && self.terms.as_constant(when) != Some(0) {
            self.reads.push(ArrayRead {
                slot: span.slot,
                offset: span.offset,
                bytes: span.bytes,
                when,
                value: before,
            });
        }
        self.log(state, span, value, span.here, false);
        value
    }

    /// A value, or any where an access that happens overlaps the place and is not of the same bytes.
    fn anything_where(
        &mut self,
        state: &EdgeState,
        (same, overlap): (TermId, TermId),
        happens: TermId,
        value: TermId,
    ) -> TermId {
        if same == overlap {
            return value;
        }
        let differs = self.terms.not(same);
        let partial = self.terms.and(overlap, differs);
        let partial = self.terms.and(partial, happens);
        if self.terms.as_constant(partial) == Some(0) {
            return value;
        }
        let any = self.some(state, u32::from(self.terms.bits(value)) / 8);
        self.terms.ite(partial, any, value)
    }

    /// Writes a value to a place in an array object, if `also`.
    pub fn write_span(&mut self, state: &mut EdgeState, span: &Span, value: TermId, also: TermId) {
        let when = self.terms.and(span.here, also);
        let place = (span.offset, span.bytes);
        for (key, cell) in self.cells_of(span.slot) {
            let (same, overlap) = self.meet(cell, place);
            let old = self.now(state, &key);
            let mut new = self.anything_where(state, (same, overlap), when, old);
            if cell.1 == span.bytes {
                let hit = self.terms.and(same, when);
                new = self.terms.ite(hit, value, new);
            }
            if new != old && !faults::on(Fault::ArrayCellMissed) {
                self.set_variable(state, key, new);
            }
        }
        let aligned = self.is_multiple(span.offset, span.bytes);
        let fact = self.refined(&state.path, value);
        let bits = self.terms.bits(value);
        self.knowledge.note_content(span.slot, bits, aligned, &fact);
        self.log(state, span, value, when, true);
    }

    fn log(
        &mut self,
        state: &mut EdgeState,
        span: &Span,
        value: TermId,
        when: TermId,
        write: bool,
    ) {
        let entries = state.log.entry(span.slot).or_default();
        entries.push(Entry {
            offset: span.offset,
            bytes: span.bytes,
            value,
            when,
            write,
        });
        shorten(entries);
    }
}
