//! Places that an operation on a block may start at.

use super::super::pass::Pass;
use super::super::reach::{ByNumber, Reach};
use super::super::state::PathState;
use super::Block;
use crate::event::Cut;
use crate::ir::Undefined;
use crate::ir::address::Slot;
use crate::term::TermId;

/// Places that a block may start at within one object.
const STARTS: usize = 64;

impl Pass<'_> {
    /// Places where a block may be. The path goes on only where all of it is there.
    pub(super) fn block_places(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        (size, most): (TermId, u64),
        write: bool,
    ) -> Vec<Reach> {
        let space = self.knowledge.space;
        let listed = self.listed_address(addr);
        let least = match self.terms.as_constant(size) {
            Some(_) => most,
            None => 0,
        };
        let slots = self.slots_at(addr);
        let mut candidates: Vec<(Slot, Option<ByNumber>)> =
            slots.iter().map(|slot| (*slot, None)).collect();
        if listed.is_none() && self.may_be_number(addr) {
            let found = self.by_number(state, addr);
            candidates.extend(found.into_iter().map(|found| (found.slot, Some(found))));
        }
        let mut reaches = Vec::new();
        let (mut valid, mut refused) = (self.terms.fals(), self.terms.fals());
        let mut read_only = self.terms.fals();
        for (slot, by_number) in candidates {
            let Some(known) = self.knowledge.object(slot) else {
                continue;
            };
            let (object_bytes, constant_object) = (known.size_bytes, known.read_only);
            if object_bytes < least {
                continue;
            }
            let last = object_bytes - least + 1;
            let starts = match (&listed, by_number) {
                (Some(list), _) => {
                    let here = list.values.iter().map(|value| *value as u64);
                    let here = here.filter(|value| space.slot(*value) == Some(slot));
                    Some(here.filter_map(|value| space.offset(value)).collect())
                }
                (None, Some(found)) => self.offsets(found.offset, 1, last, STARTS),
                (None, None) => {
                    let offset = self.offset_in(addr, slot);
                    self.offsets(offset, 1, last, STARTS)
                }
            };
            let in_object = match by_number {
                Some(found) => found.here,
                None => self.is_in(addr, slot),
            };
            // A number that may be anywhere in an object is mostly its start.
            let starts: Vec<u64> = match (starts, by_number) {
                (Some(starts), _) => starts,
                (None, Some(found)) => {
                    let zero = self.terms.constant(0, space.object_bits());
                    let start = self.terms.eq(found.offset, zero);
                    let further = self.terms.not(start);
                    let further = self.terms.and(in_object, further);
                    refused = self.terms.or(refused, further);
                    vec![0]
                }
                (None, None) => {
                    refused = self.terms.or(refused, in_object);
                    continue;
                }
            };
            for start in starts {
                let here = self.starts_at(addr, (slot, start), by_number);
                if self.terms.as_constant(here) == Some(0) {
                    continue;
                }
                let mut fine = self.block_fits(slot, start, size);
                fine = self.terms.and(fine, here);
                if write && constant_object {
                    read_only = self.terms.or(read_only, fine);
                    continue;
                }
                if by_number.is_none() {
                    let alive = self.alive(state, slot, fine);
                    fine = self.terms.and(fine, alive);
                }
                if self.terms.as_constant(fine) == Some(0) {
                    continue;
                }
                valid = self.terms.or(valid, fine);
                reaches.push(Reach {
                    slot,
                    offset: start,
                    element: None,
                    when: here,
                });
            }
        }
        if !self.knowledge.machine.observed && self.is_assembled(addr) {
            // Numbers are put together where machine addresses are known.
            self.observe();
            let elsewhere = self.elsewhere(addr, &slots);
            refused = self.terms.or(refused, elsewhere);
        }
        let mut reaches = self.merged(reaches);
        let modelled = self.terms.not(refused);
        self.restrict_or_cut(state, modelled, || {
            Cut::Unsupported("an operation on a large block at an unknown place".into())
        });
        let changes = self.terms.not(read_only);
        self.restrict_or_cut(state, changes, || Cut::Undefined(Undefined::ReadOnly));
        self.restrict_or_cut(state, valid, || Cut::Undefined(Undefined::InvalidAccess));
        if let [only] = &mut reaches[..] {
            only.when = self.terms.tru();
        }
        reaches
    }

    /// Condition that an address is a place in an object, or the number of one.
    fn starts_at(
        &mut self,
        addr: TermId,
        (slot, start): (Slot, u64),
        by_number: Option<ByNumber>,
    ) -> TermId {
        let space = self.knowledge.space;
        if let Some(found) = by_number {
            let start = self.terms.constant(u128::from(start), space.object_bits());
            let same = self.terms.eq(found.offset, start);
            return self.terms.and(found.here, same);
        }
        let base = u128::from(space.base(slot).wrapping_add(start));
        let base = self.terms.constant(base, space.pointer_bits);
        self.terms.eq(addr, base)
    }

    /// Condition that an object has `size` bytes from `start` on.
    fn block_fits(&mut self, slot: Slot, start: u64, size: TermId) -> TermId {
        let bits = self.terms.bits(size);
        let all = self.size_of(slot);
        let start = self.terms.constant(u128::from(start), bits);
        let begins = self.terms.ule(start, all);
        let rest = self.terms.sub(all, start);
        let ends = self.terms.ule(size, rest);
        self.terms.and(begins, ends)
    }

    /// A copy to a place that the block overlaps is undefined, but for the block itself.
    pub(super) fn block_overlap(&mut self, state: &mut PathState, block: &Block) {
        let mut clash = self.terms.fals();
        for target in &block.targets {
            for source in &block.sources {
                let distance = target.offset.abs_diff(source.offset);
                if target.slot != source.slot || distance == 0 || distance >= block.most {
                    continue;
                }
                let bits = self.terms.bits(block.size);
                let distance = self.terms.constant(u128::from(distance), bits);
                let near = self.terms.ult(distance, block.size);
                let both = self.terms.and(target.when, source.when);
                let both = self.terms.and(both, near);
                clash = self.terms.or(clash, both);
            }
        }
        let apart = self.terms.not(clash);
        self.restrict_or_cut(state, apart, || Cut::Undefined(Undefined::InvalidAccess));
    }
}
