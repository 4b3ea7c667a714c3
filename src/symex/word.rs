//! Addresses in memory that is also accessed in parts.
//!
//! Cells are cut at the borders of all accesses, and a cell that holds a part of an address holds a part of the number that it
//! means. Whoever writes an address as a whole and reads it as a whole gets the address that was written. So each
//! word that holds addresses and is cut has a cell beside its bytes ([`Space::Word`]): the internal address, or 0 where
//! its bytes are not those of an address that was stored as a whole. A write of any of its bytes writes that cell,
//! too, in the same step; a read of all of them takes the address from there.

use super::access::Group;
use super::memory::{Content, Memory};
use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::touch::Space;
use crate::base::sorted::SortedMap;
use crate::event::Role;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// Width of an address in bytes.
    fn word_bytes(&self) -> u64 {
        u64::from(self.program.model.pointer_bits() / 8)
    }

    /// The reach of the cell beside a word that begins at a byte. (Words may overlap, their cells do not.)
    fn beside(&self, reach: &Reach, word: u64) -> Reach {
        Reach {
            offset: word * self.word_bytes(),
            ..*reach
        }
    }

    /// A value to store, with numbers in place of its addresses within which memory is cut. (Where nobody looks at
    /// machine addresses, parts of internal ones are put together again as they were.)
    pub(super) fn uncut(&mut self, state: &mut PathState, group: &Group, value: TermId) -> TermId {
        if !self.knowledge.machine.observed || !self.is_marked(value) {
            return value;
        }
        let bytes = self.word_bytes();
        let mut value = value;
        for lane in 0..u64::from(self.terms.bits(value)) / (8 * bytes) {
            let inside = |start: u64| start > lane * bytes && start < (lane + 1) * bytes;
            let is_cut = |&(start, _, _): &(u32, u32, bool)| inside(u64::from(start));
            let address = self.lane(value, lane);
            let whole = !group.pieces.iter().any(is_cut) || faults::on(Fault::PartsInternal);
            if whole || !self.is_marked(address) {
                continue;
            }
            let mut in_array = false;
            if self.differs_from_number(address) {
                for reach in &group.reaches {
                    let place = (reach.slot, reach.offset + lane * bytes);
                    match reach.element {
                        None => drop(self.seen.machine.cut.insert(place)),
                        Some(_) => in_array = true,
                    }
                }
            }
            if in_array {
                self.refuse(
                    state,
                    "an address in an array whose elements are accessed in parts",
                );
            }
            let number = self.number(address);
            value = self.with_lane(value, lane, number);
        }
        value
    }

    /// Address unlike its number: true if it may lead elsewhere: its object ends, or it is a constant that is not
    /// inside.
    fn differs_from_number(&mut self, address: TermId) -> bool {
        let slots = self.slots_of(address);
        if slots.iter().any(|slot| self.knowledge.may_end(*slot)) {
            return true;
        }
        crate::exec::constants(&self.terms, address).is_some() && !self.is_inside(address, true)
    }

    fn lane(&mut self, value: TermId, lane: u64) -> TermId {
        let width = self.program.model.pointer_bits();
        self.terms.extract(value, lane as u16 * width, width)
    }

    /// The value with another lane.
    fn with_lane(&mut self, value: TermId, lane: u64, new: TermId) -> TermId {
        let (all, width) = (self.terms.bits(value), self.terms.bits(new));
        let (from, to) = (lane as u16 * width, (lane as u16 + 1) * width);
        let mut result = new;
        if from > 0 {
            let low = self.terms.extract(value, 0, from);
            result = self.terms.concat(result, low);
        }
        if to < all {
            let high = self.terms.extract(value, to, all - to);
            result = self.terms.concat(high, result);
        }
        result
    }

    /// Value that is read where the bytes are `value`: addresses that were stored as a whole are themselves.
    pub(super) fn read_words(
        &mut self,
        state: &mut PathState,
        reaches: &[Reach],
        value: TermId,
        role: Role,
    ) -> TermId {
        let bytes = self.word_bytes();
        let mut value = value;
        if self.knowledge.machine.cut.is_empty() {
            return value;
        }
        for lane in 0..u64::from(self.terms.bits(value)) / (8 * bytes) {
            let mut words = Vec::new();
            for reach in reaches.iter().filter(|reach| reach.element.is_none()) {
                let word = reach.offset + lane * bytes;
                if self.knowledge.machine.cut.contains(&(reach.slot, word)) {
                    words.push(self.beside(reach, word));
                }
            }
            if words.is_empty() {
                continue;
            }
            let any = self.any(&words);
            self.touch_words(state, &words, false);
            let stored = self.read_reaches(state, Space::Word, bytes as u32, &words, role);
            let zero = self.terms.constant(0, (bytes * 8) as u16);
            let none = self.terms.eq(stored, zero);
            let is_address = self.terms.not(none);
            let is_address = self.terms.and(any, is_address);
            let number = self.lane(value, lane);
            let word = self.terms.ite(is_address, stored, number);
            value = self.with_lane(value, lane, word);
        }
        value
    }

    /// Notes which words that a write of a value overlaps hold addresses now, if `also`.
    pub(super) fn write_words(
        &mut self,
        state: &mut PathState,
        groups: &[Group],
        value: TermId,
        also: TermId,
        role: Role,
    ) {
        let bytes = self.word_bytes();
        if self.knowledge.machine.cut.is_empty() {
            return;
        }
        let length = u64::from(self.terms.bits(value) / 8);
        // By where in the value the word begins.
        let mut words: SortedMap<i64, Vec<Reach>> = SortedMap::new();
        let reaches = groups.iter().flat_map(|group| &group.reaches);
        for reach in reaches.filter(|reach| reach.element.is_none()) {
            let from = (reach.slot, (reach.offset + 1).saturating_sub(bytes));
            let to = (reach.slot, reach.offset + length);
            for &(_, word) in self.knowledge.machine.cut.range(from..to) {
                let at = word as i64 - reach.offset as i64;
                let beside = self.beside(reach, word);
                words.entry(at).or_default().push(beside);
            }
        }
        let zero = self.terms.constant(0, (bytes * 8) as u16);
        for (at, reaches) in words {
            let (first, width) = (at.max(0) as u64, bytes as i64);
            let whole = at >= 0 && at % width == 0 && at + width <= length as i64;
            let stored = if whole {
                let word = self.lane(value, first / bytes);
                let internal = self.is_internal(word);
                self.terms.ite(internal, word, zero)
            } else {
                zero
            };
            self.touch_words(state, &reaches, true);
            self.write_reaches(
                state,
                Space::Word,
                bytes as u32,
                reaches,
                stored,
                also,
                role,
            );
        }
    }

    /// Cell beside a word: true if some word has one that the `bytes` from a reach on overlap.
    pub(super) fn has_cut(&self, reach: &Reach, bytes: u64) -> bool {
        let from = (reach.offset + 1).saturating_sub(self.word_bytes());
        let words = (reach.slot, from)..(reach.slot, reach.offset + bytes);
        self.knowledge.machine.cut.range(words).next().is_some()
    }

    fn touch_words(&mut self, state: &PathState, words: &[Reach], write: bool) {
        let bytes = self.word_bytes() as u32;
        for word in words {
            let place = (word.slot, Space::Word, word.offset);
            self.touch_as(state, place, bytes, write);
        }
    }

    /// Bytes of an object are looked at on their own that may be a part of an address in ordinary memory.
    pub(super) fn note_cut(&mut self, memory: &Memory, slot: Slot, offset: u64, width: u32) {
        if !self.knowledge.machine.observed {
            return;
        }
        let known = memory.get(slot).cloned();
        let initial = self.initial.get(&slot);
        let mut words: Vec<(u64, TermId)> = Vec::new();
        for content in known.as_deref().into_iter().chain(initial) {
            words.extend(cut_words(content, offset, width, self.word_bytes()));
        }
        for (start, value) in words {
            let bytes = self.word_bytes();
            for lane in 0..u64::from(self.terms.bits(value)) / (8 * bytes) {
                let (from, end) = (start + lane * bytes, offset + u64::from(width));
                let apart = from + bytes <= offset || end <= from;
                let within = offset <= from && from + bytes <= end;
                let word = self.lane(value, lane);
                if !apart && !within && self.is_marked(word) && self.differs_from_number(word) {
                    self.seen.machine.cut.insert((slot, from));
                }
            }
        }
    }
}

/// Values that overlap some bytes and have others, as well: first byte and value.
fn cut_words(content: &Content, offset: u64, width: u32, bytes: u64) -> Vec<(u64, TermId)> {
    let end = offset + u64::from(width);
    let all = content.overlapping(Space::Data, offset, end);
    let cut = all.into_iter().filter(|(start, width, _)| {
        let whole = offset <= *start && start + u64::from(*width) <= end;
        !whole && u64::from(*width) >= bytes
    });
    cut.map(|(start, _, value)| (start, value)).collect()
}
