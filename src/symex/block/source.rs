//! Bytes that no path has written one by one: read from the blocks that were filled or copied.

use super::super::element::Field;
use super::super::memory::{Content, History, Source, Stretch};
use super::super::pass::Pass;
use super::super::state::PathState;
use super::super::touch::Space;
use crate::event::Cut;
use crate::ir::address::Slot;
use crate::term::TermId;
use hashbrown::HashMap;
use std::rc::Rc;

/// Values of one read of ranges, by content, object, first byte and width.
pub(super) type Memo = HashMap<(*const Content, Slot, u64, u32), TermId>;

impl Pass<'_> {
    /// A word of which each byte is this one.
    pub(super) fn repeated(&mut self, byte: TermId, bytes: u32) -> TermId {
        let byte = self.terms.fit(byte, 8);
        let word = (1..bytes).fold(byte, |word, _| self.terms.concat(byte, word));
        self.note_number(word);
        word
    }

    /// Bytes that no path has written one by one: of a block, or what the object started out with.
    pub(in super::super) fn read_gap(
        &mut self,
        content: &Content,
        (slot, space): (Slot, Space),
        at: u64,
        width: u32,
    ) -> TermId {
        if space != Space::Data || !content.has_blocks() {
            return self.read_initial(slot, space, at, width);
        }
        self.gap(content, slot, at, width, &mut Memo::new())
    }

    fn gap(
        &mut self,
        content: &Content,
        slot: Slot,
        at: u64,
        width: u32,
        memo: &mut Memo,
    ) -> TermId {
        let mut value = None;
        for (from, bytes, source) in content.blocks_within(at, width) {
            let part = match source {
                Some(source) => self.resolve(&source, slot, from, bytes, memo),
                None => self.read_initial(slot, Space::Data, from, bytes),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    /// Value that a source gives for bytes of an object that it fills.
    pub(super) fn resolve(
        &mut self,
        source: &Source,
        slot: Slot,
        at: u64,
        width: u32,
        memo: &mut Memo,
    ) -> TermId {
        match source {
            Source::Byte(byte) => self.repeated(*byte, width),
            Source::Copy {
                start,
                from,
                shared,
            } => {
                let mut value = None;
                for origin in from {
                    let place = origin.offset + (at - start);
                    let content = origin.content.as_deref();
                    let own = self.read_content(content, origin.slot, place, width, *shared, memo);
                    value = Some(match value {
                        None => own,
                        Some(other) => self.terms.ite(origin.when, own, other),
                    });
                }
                value.expect("a copy has a source")
            }
            Source::Either { cond, then, other } => {
                let a = self.read_content(Some(&**then), slot, at, width, false, memo);
                let b = self.read_content(Some(&**other), slot, at, width, false, memo);
                self.terms.ite(*cond, a, b)
            }
            Source::Within {
                start,
                size,
                inside,
                outside,
            } => {
                let new = self.resolve(inside, slot, at, width, memo);
                let old = self.read_content(Some(&**outside), slot, at, width, false, memo);
                let (first, all) = (
                    self.in_block(*size, at - start, 1),
                    self.in_block(*size, at - start, width),
                );
                if first == all {
                    self.terms.ite(all, new, old)
                } else {
                    self.mixed(*size, at - start, new, old)
                }
            }
        }
    }

    /// Bytes of what was known of an object when it was copied.
    fn read_content(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        at: u64,
        width: u32,
        shared: bool,
        memo: &mut Memo,
    ) -> TermId {
        if self.knowledge.is_array(slot) {
            let bits = self.knowledge.space.object_bits();
            let offset = self.terms.constant(u128::from(at), bits);
            return self.read_array_content(content, slot, offset, width, shared);
        }
        if shared {
            self.touch(slot, Space::Data, at, width, false);
        }
        let Some(content) = content else {
            return self.read_initial(slot, Space::Data, at, width);
        };
        let key = (std::ptr::from_ref(content), slot, at, width);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        let mut value = None;
        for stretch in content.read(Space::Data, at, width) {
            let part = match stretch {
                Stretch::Gap(at, width) => self.gap(content, slot, at, width, memo),
                known => self.part(known),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        let value = value.expect("an access has a byte");
        memo.insert(key, value);
        value
    }

    /// The same at an offset that is a term.
    fn read_array_content(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        offset: TermId,
        width: u32,
        shared: bool,
    ) -> TermId {
        let (field, element) = self.element(slot, offset, width);
        let mut value = None;
        for (at, width, _) in self.knowledge.field_pieces(slot, field, width) {
            if shared {
                self.touch(slot, Space::Data, at, width, false);
            }
            let place: Field = (slot, at, width);
            let history = content.map_or_else(
                || Rc::new(History::Initial),
                |content| content.history(at, width),
            );
            let part = self.read_history(place, &history, element, &mut HashMap::new());
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    /// Value that a range of an array's history gives for an element, behind the condition that the element is in it.
    pub(in super::super) fn in_range(
        &mut self,
        (slot, field, width): Field,
        element: TermId,
        (from, to): (u64, u64),
        source: &Source,
    ) -> (TermId, TermId) {
        let offset = self.element_offset((slot, field, width), element);
        let bits = self.terms.bits(offset);
        let first = self.terms.constant(u128::from(from), bits);
        let begins = self.terms.ule(first, offset);
        let inside = match to.checked_sub(u64::from(width)) {
            Some(last) => {
                let last = self.terms.constant(u128::from(last), bits);
                let ends = self.terms.ule(offset, last);
                self.terms.and(begins, ends)
            }
            None => self.terms.fals(),
        };
        if self.terms.as_constant(inside) == Some(0) {
            let zero = self.terms.constant(0, (width * 8) as u16);
            return (inside, zero);
        }
        let value = match (self.terms.as_constant(offset), source) {
            (Some(offset), _) => self.resolve(source, slot, offset as u64, width, &mut Memo::new()),
            (None, Source::Byte(byte)) => self.repeated(*byte, width),
            (
                None,
                Source::Copy {
                    start,
                    from,
                    shared,
                },
            ) => {
                let object_bits = self.knowledge.space.object_bits();
                let mut value = None;
                for origin in from {
                    let by = origin.offset.wrapping_sub(*start);
                    let by = self.terms.constant(u128::from(by), 64);
                    let by = self.terms.fit(by, bits);
                    let place = self.terms.add(offset, by);
                    let place = self.terms.extract(place, 0, object_bits);
                    let content = origin.content.as_deref();
                    let own = self.read_somewhere(content, origin.slot, place, width, *shared);
                    value = Some(match value {
                        None => own,
                        Some(other) => self.terms.ite(origin.when, own, other),
                    });
                }
                value.expect("a copy has a source")
            }
            (None, _) => self.never_modelled(width),
        };
        (inside, value)
    }

    /// Bytes at a symbolic offset of what was known of an object.
    fn read_somewhere(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        offset: TermId,
        width: u32,
        shared: bool,
    ) -> TermId {
        if self.knowledge.is_array(slot) {
            return self.read_array_content(content, slot, offset, width, shared);
        }
        let size = self
            .knowledge
            .object(slot)
            .map_or(0, |known| known.size_bytes);
        let Some(places) = self.offsets(offset, width, size, self.bounds.listed) else {
            if self.knowledge.is_irregular(slot) {
                return self.never_modelled(width);
            }
            // The next pass sees an array.
            let (modulus, _) = crate::exec::congruence(&self.terms, offset, 16);
            self.seen.strides.push((slot, modulus as u64));
            return self.terms.constant(0, (width * 8) as u16);
        };
        let mut memo = Memo::new();
        let bits = self.terms.bits(offset);
        let mut value = self.terms.constant(0, (width * 8) as u16);
        for place in places {
            let own = self.read_content(content, slot, place, width, shared, &mut memo);
            let number = self.terms.constant(u128::from(place), bits);
            let here = self.terms.eq(offset, number);
            value = self.terms.ite(here, own, value);
        }
        value
    }

    /// A word that nobody knows: the program is not modelled where it is read.
    fn never_modelled(&mut self, width: u32) -> TermId {
        let state = PathState::outside(&self.terms);
        let always = self.terms.tru();
        let why = "a symbolic index into a copy of a large object";
        self.cut(&state, always, Cut::Unsupported(why.into()));
        self.terms.constant(0, (width * 8) as u16)
    }

    /// Condition that bytes `at .. at + width` of a block are within its size. Where the size is a multiple of what the
    /// piece lies in, the first byte decides.
    pub(super) fn in_block(&mut self, size: TermId, at: u64, width: u32) -> TermId {
        if self.terms.as_constant(size).is_some() {
            return self.terms.tru();
        }
        let (modulus, residue) = crate::exec::congruence(&self.terms, size, 16);
        let modulus = modulus as u64;
        let last = at + u64::from(width) - 1;
        let end = if residue == 0 && modulus > 0 && at / modulus == last / modulus {
            (at / modulus + 1) * modulus
        } else {
            last + 1
        };
        let bits = self.terms.bits(size);
        let end = self.terms.constant(u128::from(end), bits);
        self.terms.ule(end, size)
    }

    /// The bytes of `new` that are within the size of a block, the others from `old`.
    pub(super) fn mixed(&mut self, size: TermId, at: u64, new: TermId, old: TermId) -> TermId {
        let bytes = u32::from(self.terms.bits(new) / 8);
        let all = self.in_block(size, at, bytes);
        let none = self.in_block(size, at, 1);
        let none = self.terms.not(none);
        let whole = (new, old);
        let (new, old) = (self.number(new), self.number(old));
        let mut value = None;
        for i in 0..bytes {
            let within = self.in_block(size, at + u64::from(i), 1);
            let a = self.terms.extract(new, (i * 8) as u16, 8);
            let b = self.terms.extract(old, (i * 8) as u16, 8);
            let byte = self.terms.ite(within, a, b);
            value = Some(match value {
                None => byte,
                Some(low) => self.terms.concat(byte, low),
            });
        }
        let value = value.expect("a piece has a byte");
        if (new, old) == whole {
            return value;
        }
        // Addresses that are not cut stay what they are.
        let value = self.terms.ite(none, whole.1, value);
        self.terms.ite(all, whole.0, value)
    }
}
