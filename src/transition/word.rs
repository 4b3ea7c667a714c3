//! Words of memory that hold addresses: an access reads or writes them whole.

use super::address::PART;
use super::array::Span;
use super::carry::{NUMBER, Objects, carries};
use super::explore::Explorer;
use super::memory::Places;
use super::object::What;
use super::state::EdgeState;
use crate::ir::Operand;
use crate::ir::address::Slot;
use crate::term::TermId;

impl Explorer<'_> {
    /// Objects of a value that is read from memory. `None`, and the edge ends, if an address would be cut.
    pub fn loaded(
        &mut self,
        state: &EdgeState,
        places: &Places,
        bytes: u32,
        value: TermId,
    ) -> Option<Objects> {
        self.uncut(state, places, bytes)?;
        let width = self.knowledge.space.pointer_bits / 8;
        let mut objects = Objects::new();
        for span in &places.spans {
            let held = self.held_in(span.slot);
            if carries(&held) {
                objects.extend(held);
                objects.insert(NUMBER);
            }
        }
        for place in &places.targets {
            let mut known = self.knowledge.anywhere(place.slot);
            if carries(&known) {
                known.insert(NUMBER);
            }
            for lane in 0..u64::from(bytes) / u64::from(width) {
                let at = place.offset + lane * u64::from(width);
                let words = self.knowledge.words.get(&place.slot);
                if let Some(held) = words.and_then(|words| words.get(&at))
                    && carries(held)
                {
                    known.extend(held);
                    self.initial_number(place.slot, at, &mut known);
                }
            }
            if carries(&known) {
                let cells = self.overlapping(place.slot, place.offset, bytes);
                if cells.iter().any(|key| self.knowledge.was_free(key)) {
                    known.insert(NUMBER);
                }
            } else {
                let here = self.read_at(state, place, bytes);
                known = self.number(here);
            }
            objects.extend(known);
        }
        if !carries(&objects) {
            return Some(self.number(value));
        }
        let mut objects = self.among(objects, value);
        if self.is_free_word(value) {
            objects.insert(NUMBER);
        }
        Some(objects)
    }

    /// Takes note of a value that is written. `None`, and the edge ends, if an address would be cut.
    pub fn stored(
        &mut self,
        state: &EdgeState,
        places: &Places,
        value: TermId,
        objects: &Objects,
    ) -> Option<()> {
        let bits = self.terms.bits(value);
        let width = self.knowledge.space.pointer_bits;
        for lane in 0..bits / width {
            let objects = if !carries(objects) {
                self.number(value)
            } else if bits > width {
                let part = self.terms.extract(value, lane * width, width);
                let mut held = self.among(objects.clone(), part);
                held.extend(self.number(part));
                held
            } else {
                objects.clone()
            };
            for place in &places.targets {
                let at = place.offset + u64::from(lane * width / 8);
                self.knowledge.note_word(place.slot, at, &objects);
            }
        }
        for span in &places.spans {
            if carries(objects) {
                self.knowledge.note_anywhere(span.slot, objects);
            }
        }
        self.uncut(state, places, u32::from(bits) / 8)
    }

    /// Objects whose addresses an array object may hold.
    pub fn held_in(&mut self, slot: Slot) -> Objects {
        self.initial_words(slot);
        let mut held = self.knowledge.anywhere(slot);
        let words = self.knowledge.words.get(&slot).into_iter().flatten();
        held.extend(words.flat_map(|(_, objects)| objects));
        held
    }

    /// Cut address: true if an access of an array object may cut one that is held there.
    fn cuts_in_array(&mut self, slot: Slot, offset: TermId, bytes: u32) -> bool {
        let width = u32::from(self.knowledge.space.pointer_bits / 8);
        let held = self.held_in(slot);
        let words = self.knowledge.words.get(&slot).into_iter().flatten();
        let mut placed = words.filter(|(_, objects)| carries(objects));
        let all_placed = placed.all(|(at, _)| at.is_multiple_of(u64::from(width)));
        let is_word = bytes == width && self.is_multiple(offset, width) && all_placed;
        carries(&held) && !is_word
    }

    /// Goes on where an access cuts no address.
    fn uncut(&mut self, state: &EdgeState, places: &Places, bytes: u32) -> Option<()> {
        let width = u64::from(self.knowledge.space.pointer_bits / 8);
        let mut cuts = false;
        for Span { slot, offset, .. } in &places.spans {
            cuts |= self.cuts_in_array(*slot, *offset, bytes);
        }
        for place in &places.targets {
            self.initial_words(place.slot);
            if carries(&self.knowledge.anywhere(place.slot)) {
                let bits = self.knowledge.space.pointer_bits;
                let offset = self.terms.constant(u128::from(place.offset), bits);
                cuts |= self.cuts_in_array(place.slot, offset, bytes);
            }
            let (from, to) = (place.offset, place.offset + u64::from(bytes));
            let Some(words) = self.knowledge.words.get(&place.slot) else {
                continue;
            };
            let mut near = words.range((from + 1).saturating_sub(width)..to);
            cuts |= near.any(|(at, held)| {
                let is_part = *at < from || at + width > to || !(at - from).is_multiple_of(width);
                carries(held) && is_part
            });
        }
        if cuts {
            self.unsupported(state, PART);
            return None;
        }
        Some(())
    }

    /// Addresses that a static object holds at the start.
    fn initial_words(&mut self, slot: Slot) {
        let (id, thread) = match self.knowledge.object(slot).map(|object| &object.what) {
            Some(What::Global(id)) => (*id, 0),
            Some(What::ThreadLocal(id, thread)) => (*id, *thread),
            _ => return,
        };
        if !self.knowledge.read.insert(slot) {
            return;
        }
        for part in &self.program.globals[id].init {
            let target = match part.value {
                Operand::GlobalAddr(target, _) => {
                    self.knowledge.global_slot(self.program, target, thread)
                }
                Operand::FuncAddr(function) => self.knowledge.function_slot(function),
                _ => continue,
            };
            let target = Objects::from([target]);
            self.knowledge.note_word(slot, part.offset_bytes, &target);
        }
    }

    /// Adds that a static word, which holds addresses, is a number at the start.
    fn initial_number(&mut self, slot: Slot, at: u64, held: &mut Objects) {
        let space = self.knowledge.space;
        let bytes = u32::from(space.pointer_bits / 8);
        let Some(value) = self.knowledge.initial(self.program, slot, at, bytes) else {
            return;
        };
        let target = space.slot(value as u64);
        if !self.is_free(value, value) && target.is_none_or(|slot| !held.contains(&slot)) {
            held.insert(NUMBER);
        }
    }
}
