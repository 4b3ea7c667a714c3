//! Copies of synchronisation objects: the synchronisation word of a copy says that it is one.
//!
//! Objects that synchronise are known by their use alone, so that a copy marks the places within it that a pass before
//! has seen in use. Objects that are copied to and never synchronised with, or the other way round, cost nothing.

use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::sync::WORD;
use super::touch::Space;
use crate::event::{Cut, Role};
use crate::ir::Undefined;
use crate::term::TermId;

/// The synchronisation word of a copy: no thread's.
const COPY: u32 = u32::MAX;

impl Pass<'_> {
    /// The object at an address is used for synchronisation.
    pub(super) fn sync_use(&mut self, state: &mut PathState, addr: TermId) {
        let slots = self.slots_at(addr);
        self.seen.synced.extend(slots.iter().copied());
        if !slots.iter().any(|slot| self.knowledge.copies(*slot)) {
            return;
        }
        let reaches = self.mutex(state, addr);
        if reaches.is_empty() {
            return;
        }
        let places = reaches.iter().map(|reach| (reach.slot, reach.offset));
        self.seen.sync_places.extend(places);
        let word = self.read_reaches(state, Space::Sync, WORD, &reaches, Role::Sync);
        let copy = self.terms.constant(u128::from(COPY), (WORD * 8) as u16);
        let is_copy = self.terms.eq(word, copy);
        let original = self.terms.not(is_copy);
        self.restrict_or_cut(state, original, || Cut::Undefined(Undefined::CopiedObject));
    }

    /// `size` bytes (pointer-wide) from an address on are a copy, or, if `fresh`, one no longer.
    pub(super) fn copied(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        size: TermId,
        fresh: bool,
    ) {
        let slots = self.slots_at(addr);
        if !fresh {
            self.seen.copied.extend(slots.iter().copied());
        }
        let bits = self.terms.bits(addr);
        let copy = self.terms.constant(u128::from(COPY), (WORD * 8) as u16);
        let free = self.terms.constant(0, (WORD * 8) as u16);
        let always = self.terms.tru();
        for &slot in slots.iter() {
            if !self.knowledge.copies(slot) {
                continue;
            }
            for offset in self.knowledge.sync_places(slot) {
                let place = self.knowledge.space.base(slot) + offset;
                let place = self.terms.constant(u128::from(place), bits);
                let behind = self.terms.sub(place, addr);
                let when = self.terms.ult(behind, size);
                if self.terms.as_constant(when) == Some(0) {
                    continue;
                }
                self.settle(state, slot);
                self.touch_as(state, (slot, Space::Sync, offset), WORD, true);
                let reach = vec![Reach {
                    slot,
                    offset,
                    element: None,
                    when,
                }];
                let (value, also) = if fresh {
                    let old = self.read_reaches(state, Space::Sync, WORD, &reach, Role::Sync);
                    (free, self.terms.eq(old, copy))
                } else {
                    (copy, always)
                };
                self.write_reaches(state, Space::Sync, WORD, reach, value, also, Role::Sync);
            }
        }
    }
}
