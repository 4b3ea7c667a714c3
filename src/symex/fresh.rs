//! Bytes that nobody has written since their object was allocated (`--check undefined`). Beside each byte of an object whose
//! content is free at first is one that says so ([`Space::Fresh`]): a store clears it in the same step, and a load that needs a value
//! is undefined where it is set for all bytes. (A value of which some bytes were written may be that of another member of a
//! union.) Objects of which no load asks have nothing beside them.
//!
//! Not followed: arrays and objects that are filled as blocks, and weak memory, where a store reaches others later.

use super::pass::{Fill, Pass};
use super::reach::Reach;
use super::state::PathState;
use super::touch::Space;
use crate::event::{Cut, Role};
use crate::ir::Undefined;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

impl Pass<'_> {
    /// A load needs a value: the path goes on where some byte has been written.
    pub(super) fn read_fresh(&mut self, state: &mut PathState, reaches: &[Reach], bytes: u32) {
        if self.bounds.memory.is_weak() {
            return;
        }
        let free = reaches.iter().filter(|reach| self.is_free_at_first(reach));
        let slots: Vec<_> = free.map(|reach| reach.slot).collect();
        self.seen.asked.extend(slots);
        let followed = self.followed_fresh(reaches);
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

    fn is_free_at_first(&self, reach: &Reach) -> bool {
        let is_free = match self.fill.get(&reach.slot) {
            Some(fill) => matches!(fill, Fill::Free(..)),
            // Its allocation comes later in this pass.
            None => {
                let is_zeroed = self.knowledge.zeroed.contains(&reach.slot);
                !is_zeroed && matches!(self.fill_of(reach.slot), Fill::Free(..))
            }
        };
        reach.element.is_none() && is_free
    }

    fn followed_fresh(&self, reaches: &[Reach]) -> Vec<Reach> {
        let is_followed = |reach: &&Reach| {
            self.knowledge.tracks_fresh(reach.slot) && self.is_free_at_first(reach)
        };
        reaches.iter().filter(is_followed).copied().collect()
    }

    fn touch_fresh(&mut self, state: &PathState, reaches: &[Reach], bytes: u32, write: bool) {
        for reach in reaches.iter().filter(|_| state.concurrent) {
            self.touch(reach.slot, Space::Fresh, reach.offset, bytes, write);
        }
    }
}
