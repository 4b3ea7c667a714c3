//! Reach of an access: the objects that its address leads to, and what is undefined about it.

use super::pass::Pass;
#[cfg(feature = "internals")]
use super::points::Reached;
use super::state::PathState;
use super::touch::Space;
use crate::base::sorted::SortedMap;
use crate::event::Cut;
use crate::exec::{self, Address};
use crate::ir::address::Slot;
use crate::ir::{LockHolders, Undefined};
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

/// Most places that are listed of an object that cannot be an array.
const PLACES: usize = 2048;

/// A place that an access may reach, and the condition for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub slot: Slot,
    /// First byte, within the object or, of an array, within the element.
    pub offset: u64,
    /// Element of an array, if the place is named by one.
    pub element: Option<TermId>,
    pub when: TermId,
}

/// A lock that a step waits for: the places where it may be, none if it is something else; who is in the way of those that hold
/// it; and whether it is a mutex without a model.
pub(super) struct Wanted<'r> {
    pub reaches: &'r [Reach],
    pub of: LockHolders,
    pub plain: bool,
}

/// An object that an address means as a number.
#[derive(Clone, Copy)]
pub(super) struct ByNumber {
    pub slot: Slot,
    /// The number is in it, and it lives.
    pub here: TermId,
    pub offset: TermId,
}

impl Pass<'_> {
    /// Places where `bytes` bytes at `addr`, a multiple of `align` bytes, may be. The path goes on only where the
    /// access is valid; the rest is cut as undefined behaviour. Places of synchronisation words are always listed.
    pub(super) fn reach_in(
        &mut self,
        state: &mut PathState,
        space: Space,
        addr: TermId,
        bytes: u32,
        align: u64,
        write: bool,
    ) -> Vec<Reach> {
        if let Some(only) = self.only_reach(state, space, addr, (bytes, align), write) {
            return vec![only];
        }
        let words = space == Space::Sync;
        let addresses = self.knowledge.space;
        let offset_bits = addresses.object_bits();
        let parts = Address::of(&mut self.terms, addresses, addr);
        if let Some(reaches) = self.listed(state, space, addr, (bytes, align), write) {
            return reaches;
        }
        let slots = self.slots_at(addr);
        let mut candidates: Vec<(Slot, Option<ByNumber>)> =
            slots.iter().map(|slot| (*slot, None)).collect();
        if self.may_be_number(addr) {
            let found = self.by_number(state, addr);
            candidates.extend(found.into_iter().map(|found| (found.slot, Some(found))));
        }
        let mut reaches = Vec::new();
        let mut valid = self.terms.fals();
        let mut refused = self.terms.fals();
        let mut read_only = self.terms.fals();
        for (slot, by_number) in candidates {
            let Some(known) = self.knowledge.object(slot) else {
                continue;
            };
            let size = known.size_bytes;
            if size < u64::from(bytes) {
                continue;
            }
            let constant = write && known.read_only;
            if faults::on(Fault::CandidateLost) && slots.len() > 1 && slots.last() == Some(&slot) {
                continue;
            }
            let (here, (aligned, offset_term)) = match by_number {
                Some(ByNumber { here, offset, .. }) => (here, self.aligned(offset, align)),
                None => {
                    let offset = self.offset_in(addr, slot);
                    let here = parts.is_of(&mut self.terms, slot);
                    (here, self.aligned(offset, align))
                }
            };
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            let short = if faults::on(Fault::BoundsMissed) {
                0
            } else {
                u64::from(bytes)
            };
            let last = self.terms.constant(u128::from(size - short), offset_bits);
            let inside = self.terms.ule(offset_term, last);
            let inside = self.within_size(slot, inside, offset_term, bytes);
            let mut fine = self.terms.and(here, inside);
            fine = self.terms.and(fine, aligned);
            if constant {
                read_only = self.terms.or(read_only, fine);
                continue;
            }
            if by_number.is_none() {
                let alive = self.alive(state, slot, fine);
                fine = self.terms.and(fine, alive);
            }
            if !words && self.knowledge.is_array(slot) {
                let (offset, element) = self.element(slot, offset_term, bytes);
                valid = self.terms.or(valid, fine);
                reaches.push(Reach {
                    slot,
                    offset,
                    element: Some(element),
                    when: here,
                });
                continue;
            }
            let listed = words || self.knowledge.is_irregular(slot);
            let limit = if listed { PLACES } else { self.bounds.listed };
            let all = self.offsets(offset_term, bytes, size, limit);
            // The values of the index, where they spare at least half of the places.
            let few = match &all {
                Some(all) if !self.knowledge.symbolic.contains(&slot) => all.len() / 2,
                _ => limit,
            };
            let values = (few > 0)
                .then(|| self.listed_offsets(state, offset_term, bytes, size, few))
                .flatten();
            let offsets = values.or(all);
            let Some(mut offsets) = offsets else {
                if !listed {
                    let (modulus, _) = exec::congruence(&self.terms, offset_term, 16);
                    self.seen.strides.push((slot, modulus as u64));
                }
                refused = self.terms.or(refused, fine);
                continue;
            };
            if faults::on(Fault::OffsetLost) && offsets.len() > 1 {
                offsets.pop();
            }
            valid = self.terms.or(valid, fine);
            for offset in offsets {
                let when = exec::is_at(&mut self.terms, here, offset_term, offset);
                if self.terms.as_constant(when) != Some(0) {
                    reaches.push(Reach {
                        slot,
                        offset,
                        element: None,
                        when,
                    });
                }
            }
        }
        if !self.knowledge.machine.observed && self.is_assembled(addr) {
            // Numbers are put together where machine addresses are known.
            self.observe();
            let elsewhere = self.elsewhere(addr, &slots);
            let known = self.terms.not(elsewhere);
            self.restrict_or_cut(state, known, || {
                Cut::Unsupported("an address that is put together from parts".into())
            });
        }
        if self.may_be_number(addr) {
            reaches = self.merged(reaches);
        }
        self.valid_only(state, refused, read_only, valid);
        self.touch_reaches(state, space, addr, &mut reaches, bytes, write);
        reaches
    }

    /// As [`Self::reach_in`], where the address is a constant within an object: most accesses are of this kind, and nothing but the
    /// object's life is open.
    fn only_reach(
        &mut self,
        state: &mut PathState,
        space: Space,
        addr: TermId,
        (bytes, align): (u32, u64),
        write: bool,
    ) -> Option<Reach> {
        let address = self.terms.as_constant(addr)? as u64;
        let addresses = self.knowledge.space;
        let (slot, offset) = (addresses.slot(address)?, addresses.offset(address)?);
        let known = self.knowledge.object(slot)?;
        let is_inside = offset + u64::from(bytes) <= known.size_bytes;
        let is_constant = write && known.read_only;
        if !is_inside || is_constant || !offset.is_multiple_of(align.max(1)) {
            return None;
        }
        let is_array = space != Space::Sync && self.knowledge.is_array(slot);
        if is_array || self.knowledge.symbolic.contains(&slot) || self.knowledge.machine.observed {
            return None;
        }
        let when = self.terms.tru();
        let alive = self.alive(state, slot, when);
        self.restrict_or_cut(state, alive, || Cut::Undefined(Undefined::InvalidAccess));
        let mut only = [Reach {
            slot,
            offset,
            element: None,
            when,
        }];
        self.touch_reaches(state, space, addr, &mut only, bytes, write);
        Some(only[0])
    }

    /// Each place once: an internal address and a number may both lead there.
    pub(super) fn merged(&mut self, reaches: Vec<Reach>) -> Vec<Reach> {
        let mut merged: Vec<Reach> = Vec::with_capacity(reaches.len());
        for reach in reaches {
            let same = |known: &&mut Reach| {
                let place = (known.slot, known.offset, known.element.is_some());
                place == (reach.slot, reach.offset, reach.element.is_some())
            };
            let Some(known) = merged.iter_mut().find(same) else {
                merged.push(reach);
                continue;
            };
            if let (Some(old), Some(new)) = (known.element, reach.element) {
                known.element = Some(self.terms.ite(reach.when, new, old));
            }
            known.when = self.terms.or(known.when, reach.when);
        }
        merged
    }

    /// Live objects that an address may mean as a number.
    pub(super) fn by_number(&mut self, state: &mut PathState, addr: TermId) -> Vec<ByNumber> {
        self.seen.machine.used = true;
        let mut found = Vec::new();
        let space = self.knowledge.space;
        let (offset_bits, bits) = (space.object_bits(), space.pointer_bits);
        let internal = self.is_internal(addr);
        let number = self.terms.not(internal);
        let mut bases = self.knowledge.machine.bases.clone();
        if faults::on(Fault::NumberMissesOne) && bases.len() > 1 {
            bases.pop_last();
        }
        for slot in bases {
            let base = self.base(slot);
            let distance = self.terms.sub(addr, base);
            let far = self
                .terms
                .extract(distance, offset_bits, bits - offset_bits);
            let zero = self.terms.constant(0, bits - offset_bits);
            let near = self.terms.eq(far, zero);
            let mut here = self.terms.and(number, near);
            let offset = self.terms.extract(distance, 0, offset_bits);
            // Others may stand behind it, within the reach of an offset.
            let size = self.size_of(slot);
            let within = self.terms.extract(size, 0, offset_bits);
            let inside = self.terms.ult(offset, within);
            here = self.terms.and(here, inside);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            if !faults::on(Fault::NumberToUnborn) {
                let found_here = self.is_found(state, slot, here);
                here = self.terms.and(here, found_here);
            }
            if !faults::on(Fault::NumberToEnded) {
                let alive = self.alive(state, slot, here);
                here = self.terms.and(here, alive);
            }
            if self.terms.as_constant(here) != Some(0) {
                self.seen.machine.reached = true;
                found.push(ByNumber { slot, here, offset });
            }
        }
        found
    }

    /// As [`Self::reach_in`], where the values of the address are listed and no array is among the objects.
    fn listed(
        &mut self,
        state: &mut PathState,
        space: Space,
        addr: TermId,
        (bytes, align): (u32, u64),
        write: bool,
    ) -> Option<Vec<Reach>> {
        let list = self.listed_address(addr)?;
        let list = self.on_path(state, addr, list);
        if list.left && !self.knowledge.machine.observed {
            self.is_garbage_address(addr);
        }
        let addresses = self.knowledge.space;
        let mut found: SortedMap<Slot, Vec<(u64, u128)>> = Default::default();
        let mut constants = Vec::new();
        for &value in &list.values {
            let Some(slot) = addresses.slot(value as u64) else {
                continue;
            };
            let (Some(known), Some(offset)) =
                (self.knowledge.object(slot), addresses.offset(value as u64))
            else {
                continue;
            };
            if space != Space::Sync && self.knowledge.is_array(slot) {
                return None;
            }
            let end = offset + u64::from(bytes);
            if !offset.is_multiple_of(align.max(1)) || end > known.size_bytes {
                continue;
            }
            if write && known.read_only {
                constants.push(value);
                continue;
            }
            found.entry(slot).or_default().push((offset, value));
        }
        let mut reaches = Vec::new();
        let mut valid = self.terms.fals();
        let mut read_only = self.terms.fals();
        for value in constants {
            let address = self.terms.constant(value, addresses.pointer_bits);
            let when = self.terms.eq(addr, address);
            read_only = self.terms.or(read_only, when);
        }
        if faults::on(Fault::CandidateLost) && found.len() > 1 {
            found.pop_last();
        }
        for (slot, mut places) in found {
            if faults::on(Fault::OffsetLost) && places.len() > 1 {
                places.pop();
            }
            let mut here = self.terms.fals();
            for (offset, value) in places {
                let address = self.terms.constant(value, addresses.pointer_bits);
                let when = if self.is_unknown_to_others(state, slot) {
                    self.held_in_private(addr, (slot, address))
                } else {
                    self.terms.eq(addr, address)
                };
                if self.terms.as_constant(when) != Some(0) {
                    let at = self
                        .terms
                        .constant(u128::from(offset), addresses.object_bits());
                    let fits = self.within_size(slot, when, at, bytes);
                    here = self.terms.or(here, fits);
                    reaches.push(Reach {
                        slot,
                        offset,
                        element: None,
                        when,
                    });
                }
            }
            let alive = self.alive(state, slot, here);
            let fine = self.terms.and(here, alive);
            valid = self.terms.or(valid, fine);
        }
        let refused = self.terms.fals();
        self.valid_only(state, refused, read_only, valid);
        self.touch_reaches(state, space, addr, &mut reaches, bytes, write);
        Some(reaches)
    }

    /// The path goes on where an access is modelled and valid, and does not write to a constant.
    fn valid_only(
        &mut self,
        state: &mut PathState,
        refused: TermId,
        read_only: TermId,
        valid: TermId,
    ) {
        let modelled = self.terms.not(refused);
        self.restrict_or_cut(state, modelled, || {
            Cut::Unsupported("a symbolic index into a large array".into())
        });
        let changes = self.terms.not(read_only);
        self.restrict_or_cut(state, changes, || Cut::Undefined(Undefined::ReadOnly));
        self.restrict_or_cut(state, valid, || Cut::Undefined(Undefined::InvalidAccess));
    }

    /// Notes what an access touches; if it is one place, the access is there.
    fn touch_reaches(
        &mut self,
        state: &mut PathState,
        space: Space,
        addr: TermId,
        reaches: &mut [Reach],
        bytes: u32,
        write: bool,
    ) {
        state.accessed.add(addr);
        if let [only] = reaches {
            only.when = self.terms.tru();
        }
        #[cfg(feature = "internals")]
        if self.knowledge.notes_reached {
            self.note_reached(space, reaches, bytes);
        }
        for reach in reaches.iter() {
            self.settle(state, reach.slot);
        }
        if space != Space::Sync {
            for reach in reaches.iter() {
                let place = (reach.slot, Space::Data, reach.offset);
                self.touch_as(state, place, bytes, write);
            }
        }
    }

    /// Takes note of where an access may be.
    #[cfg(feature = "internals")]
    fn note_reached(&mut self, space: Space, reaches: &[Reach], bytes: u32) {
        let here = (self.current, self.here.position);
        let known = self.reached.entry(here).or_default();
        known.extend(reaches.iter().map(|reach| Reached {
            slot: reach.slot,
            sync: space == Space::Sync,
            offset: reach.offset,
            bytes,
            element: reach.element.is_some(),
        }));
    }

    /// Alignment of an offset: the condition that it is a multiple of `align`, and the offset as it is if so. (Objects
    /// start at addresses that suit every type.)
    fn aligned(&mut self, offset: TermId, align: u64) -> (TermId, TermId) {
        if align <= 1 {
            return (self.terms.tru(), offset);
        }
        let low = align.trailing_zeros() as u16;
        let rest = self.terms.extract(offset, 0, low);
        let zero = self.terms.constant(0, low);
        let aligned = self.terms.eq(rest, zero);
        if self.terms.as_constant(aligned) == Some(1) {
            return (aligned, offset);
        }
        let bits = self.terms.bits(offset);
        let high = self.terms.extract(offset, low, bits - low);
        (aligned, self.terms.concat(high, zero))
    }

    /// `inside`, and within the object's own size where that is not constant.
    fn within_size(&mut self, slot: Slot, inside: TermId, offset: TermId, bytes: u32) -> TermId {
        if !self.knowledge.symbolic.contains(&slot) {
            return inside;
        }
        let size = self.size_of(slot);
        let bits = self.terms.bits(size);
        let offset = self.terms.zero_extend(offset, bits);
        let width = self.terms.constant(u128::from(bytes), bits);
        // The offset is below the size of a slot, so the sum does not wrap.
        let end = self.terms.add(offset, width);
        let fits = self.terms.ule(end, size);
        self.terms.and(inside, fits)
    }

    /// The size of an object in bytes, pointer-wide.
    pub(super) fn size_of(&mut self, slot: Slot) -> TermId {
        let bits = self.program.model.pointer_bits();
        let terms = &mut self.terms;
        if !self.knowledge.symbolic.contains(&slot) {
            let size = self.knowledge.object(slot).map_or(0, |o| o.size_bytes);
            return terms.constant(u128::from(size), bits);
        }
        // Of an object that this pass has not allocated yet the size is a variable until it is.
        let even = self.knowledge.even.get(&slot).map_or(0, |even| *even);
        *self.sizes.entry(slot).or_insert_with(|| {
            let size = terms.fresh("size", bits - even);
            match even {
                0 => size,
                _ => {
                    let zeros = terms.constant(0, even);
                    terms.concat(size, zeros)
                }
            }
        })
    }

    /// Condition that the object's life has not ended (true for objects that never end).
    pub(super) fn alive(&mut self, state: &mut PathState, slot: Slot, when: TermId) -> TermId {
        if !self.knowledge.may_end(slot) || faults::on(Fault::EndMissed) {
            return self.terms.tru();
        }
        self.is_clear(state, Space::Ended, slot, when)
    }
}
