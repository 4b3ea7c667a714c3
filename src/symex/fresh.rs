//! Bytes that nobody has written since their object was allocated (`--check undefined`). Beside each byte of an object whose
//! content is free at first is one that says so ([`Space::Fresh`]): a store clears it in the same step, and a load that needs a value
//! is undefined where it is set for all bytes. (A value of which some bytes were written may be that of another member of a
//! union.) Objects of which no load asks have nothing beside them.
//!
//! Not followed: arrays and objects that are filled as blocks, which a cut says ([`Cut::Unwritten`]), and weak memory, where a
//! store reaches others later.

use super::pass::{Fill, Pass};
use super::reach::Reach;
use super::state::PathState;
use super::touch::Space;
use crate::event::{Cut, Role};
use crate::ir::Undefined;
use crate::ir::address::Slot;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// A load needs a value: the path goes on where some byte has been written.
    pub(super) fn read_fresh(&mut self, state: &mut PathState, reaches: &[Reach], bytes: u32) {
        let free = reaches.iter().filter(|reach| self.begins_free(reach.slot));
        let free: Vec<Reach> = free.copied().collect();
        let (known, unknown): (Vec<Reach>, Vec<Reach>) =
            free.into_iter().partition(|reach| self.is_followed(reach));
        if !unknown.is_empty() {
            let here = self.any(&unknown);
            self.cut(state, here, Cut::Unwritten);
        }
        self.seen.asked.extend(known.iter().map(|reach| reach.slot));
        let followed = self.followed_fresh(&known);
        if followed.is_empty() {
            return;
        }
        self.touch_fresh(state, &followed, bytes, false);
        let value = self.read_reaches(state, Space::Fresh, bytes, &followed, Role::Plain);
        let all = self.terms.constant(u128::MAX, (bytes * 8) as u16);
        let is_fresh = self.terms.eq(value, all);
        let here = self.any(&followed);
        let indeterminate = self.terms.and(here, is_fresh);
        let fine = self.terms.not(indeterminate);
        self.restrict_or_cut(state, fine, || Cut::Undefined(Undefined::Indeterminate));
    }

    /// A store writes bytes, if `also`.
    pub(super) fn write_fresh(
        &mut self,
        state: &mut PathState,
        reaches: &[Reach],
        bytes: u32,
        also: TermId,
        role: Role,
    ) {
        let followed = self.followed_fresh(reaches);
        if followed.is_empty() || faults::on(Fault::FreshForever) {
            return;
        }
        self.touch_fresh(state, &followed, bytes, true);
        let written = self.terms.constant(0, (bytes * 8) as u16);
        self.write_reaches(state, Space::Fresh, bytes, followed, written, also, role);
    }

    /// Objects that an address may lead to are filled as a block.
    pub(super) fn fill_fresh(&mut self, addr: TermId) {
        let slots = self.slots_at(addr);
        self.seen.filled.extend(slots.iter().copied());
    }

    /// An object whose content is free at first.
    fn begins_free(&self, slot: Slot) -> bool {
        match self.fill.get(&slot) {
            Some(fill) => matches!(fill, Fill::Free(..)),
            // Its allocation comes later in this pass.
            None => {
                let is_zeroed = self.knowledge.zeroed.contains(&slot);
                !is_zeroed && matches!(self.fill_of(slot), Fill::Free(..))
            }
        }
    }

    /// True if there is something beside an object's bytes where loads ask for it.
    fn is_followed(&self, reach: &Reach) -> bool {
        let is_whole = reach.element.is_none() && !self.knowledge.has_blocks(reach.slot);
        is_whole && !self.bounds.memory.is_weak()
    }

    fn followed_fresh(&self, reaches: &[Reach]) -> Vec<Reach> {
        let is_asked = |reach: &&Reach| {
            let slot = reach.slot;
            self.knowledge.asks_fresh(slot) && self.is_followed(reach) && self.begins_free(slot)
        };
        reaches.iter().filter(is_asked).copied().collect()
    }

    fn touch_fresh(&mut self, state: &PathState, reaches: &[Reach], bytes: u32, write: bool) {
        for reach in reaches {
            let place = (reach.slot, Space::Fresh, reach.offset);
            self.touch_as(state, place, bytes, write);
        }
    }
}
