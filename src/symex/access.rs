//! Loads and stores: which objects an address reaches, which of their cells are shared, and the events
//! (shared cells) or ordinary memory operations (all others) that follow.

use super::array::Field;
use super::knowledge::{Place, Space};
use super::memory::Memory;
use super::pass::Pass;
use super::pointer;
use super::state::State;
use crate::base::faults::{self, Fault};
use crate::event::{Cell, CellId, Cut, EventKind, Role, Target};
use crate::ir::Undefined;
use crate::ir::address::Slot;
use crate::term::TermId;

/// Most places that are listed of an object that cannot be an array.
const PLACES: usize = 2048;

/// A place that an access may reach, and the condition for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub slot: Slot,
    /// First byte, within the object or, of an array, within the element.
    pub offset: u64,
    /// Which element of an array it is.
    pub element: Option<TermId>,
    pub when: TermId,
}

/// Reaches of one access whose bytes are cut into cells alike.
struct Group {
    /// First byte within the access, width in bytes, whether shared.
    pieces: Vec<(u32, u32, bool)>,
    reaches: Vec<Reach>,
}

impl Pass<'_> {
    /// Where `bytes` bytes at `addr`, a multiple of `align` bytes, may be. The path goes on only where the access
    /// is valid; the rest is cut as undefined behaviour.
    pub(super) fn reach(
        &mut self,
        state: &mut State,
        addr: TermId,
        bytes: u32,
        align: u64,
        write: bool,
    ) -> Vec<Reach> {
        self.reach_in(state, Space::Data, addr, bytes, align, write)
    }

    /// As [`Self::reach`]; places of synchronisation words are always listed.
    pub(super) fn reach_in(
        &mut self,
        state: &mut State,
        space: Space,
        addr: TermId,
        bytes: u32,
        align: u64,
        write: bool,
    ) -> Vec<Reach> {
        let words = space == Space::Sync;
        let addresses = self.knowledge.space;
        let offset_bits = addresses.object_bits();
        let prefix = self
            .terms
            .extract(addr, offset_bits, addresses.pointer_bits - offset_bits);
        let offset_term = self.terms.extract(addr, 0, offset_bits);
        if let Some(reaches) = self.listed(state, space, addr, (bytes, align), write) {
            return reaches;
        }
        let (aligned, offset_term) = self.aligned(offset_term, align);
        let slots = self.slots_at(addr);
        let mut reaches = Vec::new();
        let mut valid = self.terms.fals();
        let mut refused = self.terms.fals();
        let mut read_only = self.terms.fals();
        for &slot in slots.iter() {
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
            let number = self.terms.constant(
                u128::from(addresses.prefix(slot)),
                addresses.pointer_bits - offset_bits,
            );
            let here = self.terms.eq(prefix, number);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            let short = match faults::on(Fault::BoundsMissed) {
                true => 0,
                false => u64::from(bytes),
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
            let alive = self.alive(state, slot, fine);
            fine = self.terms.and(fine, alive);
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
            let Some(mut offsets) = self.offsets(offset_term, bytes, size, limit) else {
                if !listed {
                    let (modulus, _) = pointer::congruence(&self.terms, offset_term, 16);
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
                let constant = self.terms.constant(u128::from(offset), offset_bits);
                let same = self.terms.eq(offset_term, constant);
                let when = self.terms.and(here, same);
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
        if self.is_assembled(addr) {
            let elsewhere = self.elsewhere(addr, &slots);
            let known = self.terms.not(elsewhere);
            self.restrict_or_cut(state, known, || {
                Cut::Unsupported("an address that is put together from parts".into())
            });
        }
        self.valid_only(state, refused, read_only, valid);
        self.touch_reaches(state, space, &mut reaches, bytes, write);
        reaches
    }

    /// As [`Self::reach_in`], where the values of the address are listed and no array is among the objects.
    fn listed(
        &mut self,
        state: &mut State,
        space: Space,
        addr: TermId,
        (bytes, align): (u32, u64),
        write: bool,
    ) -> Option<Vec<Reach>> {
        let values = self.listed_address(addr)?;
        let addresses = self.knowledge.space;
        let mut found: std::collections::BTreeMap<Slot, Vec<(u64, u128)>> = Default::default();
        let mut constants = Vec::new();
        for &value in values.iter() {
            let Some(slot) = addresses.slot(value as u64) else {
                continue;
            };
            let (Some(known), Some(offset)) =
                (self.knowledge.object(slot), addresses.offset(value as u64))
            else {
                continue;
            };
            let symbolic = self.knowledge.symbolic.contains(&slot);
            if symbolic || (space != Space::Sync && self.knowledge.is_array(slot)) {
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
                let when = self.terms.eq(addr, address);
                if self.terms.as_constant(when) != Some(0) {
                    here = self.terms.or(here, when);
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
        self.touch_reaches(state, space, &mut reaches, bytes, write);
        Some(reaches)
    }

    /// The path goes on where an access is modelled and valid, and does not write to a constant.
    fn valid_only(&mut self, state: &mut State, refused: TermId, read_only: TermId, valid: TermId) {
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
        state: &State,
        space: Space,
        reaches: &mut [Reach],
        bytes: u32,
        write: bool,
    ) {
        if let [only] = reaches {
            only.when = self.terms.tru();
        }
        if state.concurrent && space != Space::Sync {
            for reach in reaches.iter() {
                self.touch(reach.slot, Space::Data, reach.offset, bytes, write);
            }
        }
    }

    /// Whether an offset is a multiple of `align`, and the offset as it is if so. (Objects start at addresses that
    /// suit every type.)
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
        *self
            .sizes
            .entry(slot)
            .or_insert_with(|| terms.fresh("size", bits))
    }

    /// Whether the object's life has not ended (true for objects that never end).
    fn alive(&mut self, state: &mut State, slot: Slot, when: TermId) -> TermId {
        if !self.knowledge.may_end(slot) || faults::on(Fault::EndMissed) {
            return self.terms.tru();
        }
        if state.concurrent {
            self.touch(slot, Space::Ended, 0, 1, false);
        }
        let reach = Reach {
            slot,
            offset: 0,
            element: None,
            when,
        };
        let ended = self.read_reaches(state, Space::Ended, 1, vec![reach], Role::Plain);
        let zero = self.terms.constant(0, 8);
        self.terms.eq(ended, zero)
    }

    /// Loads `bits` bits.
    pub(super) fn load(
        &mut self,
        state: &mut State,
        addr: TermId,
        bits: u16,
        align: u64,
        role: Role,
    ) -> TermId {
        let bytes = u32::from(bits) / 8;
        let reaches = self.reach(state, addr, bytes, align, false);
        if reaches.is_empty() {
            return self.terms.constant(0, bits);
        }
        self.read_reaches(state, Space::Data, bytes, reaches, role)
    }

    /// Stores a value.
    pub(super) fn store(
        &mut self,
        state: &mut State,
        addr: TermId,
        value: TermId,
        align: u64,
        role: Role,
    ) {
        let bytes = u32::from(self.terms.bits(value)) / 8;
        let reaches = self.reach(state, addr, bytes, align, true);
        let always = self.terms.tru();
        self.write_reaches(state, Space::Data, bytes, reaches, value, always, role);
    }

    /// Reads from whichever reach holds.
    pub(super) fn read_reaches(
        &mut self,
        state: &mut State,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
        role: Role,
    ) -> TermId {
        let mut result: Option<TermId> = None;
        for group in self.group(state, space, bytes, reaches) {
            let any = self.any(&group.reaches);
            let mut value: Option<TermId> = None;
            for &(start, width, shared) in &group.pieces {
                let piece = if shared {
                    self.read_event(state, space, start, width, &group.reaches, any, role)
                } else {
                    let mut piece: Option<TermId> = None;
                    for reach in &group.reaches {
                        let own = self.read_reach(&state.memory, space, reach, start, width);
                        piece = Some(match piece {
                            None => own,
                            Some(other) => self.terms.ite(reach.when, own, other),
                        });
                    }
                    piece.expect("a group has a reach")
                };
                value = Some(match value {
                    None => piece,
                    Some(low) if faults::on(Fault::PiecesSwapped) => self.terms.concat(low, piece),
                    Some(low) => self.terms.concat(piece, low),
                });
            }
            let value = value.expect("an access has a byte");
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(any, value, other),
            });
        }
        result.unwrap_or_else(|| self.terms.constant(0, (bytes * 8) as u16))
    }

    /// Writes to whichever reach holds, if `also`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn write_reaches(
        &mut self,
        state: &mut State,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
        value: TermId,
        also: TermId,
        role: Role,
    ) {
        for group in self.group(state, space, bytes, reaches) {
            let any = self.any(&group.reaches);
            let happens = match faults::on(Fault::UpdateAlways) {
                true => any,
                false => self.terms.and(any, also),
            };
            for &(start, width, shared) in &group.pieces {
                if faults::on(Fault::PieceLost) && start > 0 && start + width == bytes {
                    continue;
                }
                let piece = self
                    .terms
                    .extract(value, (start * 8) as u16, (width * 8) as u16);
                if shared {
                    self.write_event(
                        state,
                        space,
                        start,
                        width,
                        &group.reaches,
                        happens,
                        (piece, value),
                        role,
                    );
                    continue;
                }
                for reach in &group.reaches {
                    let at = reach.offset + u64::from(start);
                    let when = self.terms.and(reach.when, also);
                    if let Some(element) = reach.element {
                        let field = (reach.slot, at, width);
                        self.write_element(state, field, element, when, piece);
                        continue;
                    }
                    let stored = if self.terms.as_constant(when) == Some(1)
                        || faults::on(Fault::StrongUpdate)
                    {
                        piece
                    } else {
                        let old = self.read_private(&state.memory, reach.slot, space, at, width);
                        self.terms.ite(when, piece, old)
                    };
                    self.note_write(state, (reach.slot, space, at), width);
                    state.memory.get_mut(reach.slot).write(
                        &mut self.terms,
                        space,
                        at,
                        width,
                        stored,
                    );
                }
            }
        }
    }

    /// One piece of what a reach holds in ordinary memory.
    fn read_reach(
        &mut self,
        memory: &Memory,
        space: Space,
        reach: &Reach,
        start: u32,
        width: u32,
    ) -> TermId {
        let at = reach.offset + u64::from(start);
        match reach.element {
            Some(element) => self.read_element(memory, (reach.slot, at, width), element),
            None => self.read_private(memory, reach.slot, space, at, width),
        }
    }

    /// Writes to one element of a private field, if `when`.
    fn write_element(
        &mut self,
        state: &mut State,
        field: Field,
        element: TermId,
        when: TermId,
        value: TermId,
    ) {
        let before = state.memory.history(field);
        self.note_element(field, &before, element, when, value);
        let after = self.write_history(field, &before, element, when, value);
        state
            .memory
            .get_mut(field.0)
            .set_history(field.1, field.2, after);
    }

    fn any(&mut self, reaches: &[Reach]) -> TermId {
        let mut any = self.terms.fals();
        for reach in reaches {
            any = self.terms.or(any, reach.when);
        }
        any
    }

    /// Sorts reaches by how their bytes are cut into cells.
    fn group(
        &mut self,
        state: &State,
        space: Space,
        bytes: u32,
        reaches: Vec<Reach>,
    ) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for reach in reaches {
            let pieces = if reach.element.is_some() {
                self.knowledge
                    .field_pieces(reach.slot, reach.offset, bytes)
                    .into_iter()
                    .map(|(at, width, shared)| {
                        let start = (at - reach.offset) as u32;
                        (start, width, shared && state.concurrent)
                    })
                    .collect()
            } else if state.concurrent {
                self.knowledge
                    .pieces(reach.slot, space, reach.offset, bytes)
                    .into_iter()
                    .map(|(at, width, shared)| ((at - reach.offset) as u32, width, shared))
                    .collect()
            } else {
                vec![(0, bytes, false)]
            };
            match groups.iter_mut().find(|group| group.pieces == pieces) {
                Some(group) => group.reaches.push(reach),
                None => groups.push(Group {
                    pieces,
                    reaches: vec![reach],
                }),
            }
        }
        groups
    }

    /// The event that reads one piece of an access; its guard needs `any`.
    #[allow(clippy::too_many_arguments)]
    fn read_event(
        &mut self,
        state: &State,
        space: Space,
        start: u32,
        width: u32,
        reaches: &[Reach],
        any: TermId,
        role: Role,
    ) -> TermId {
        let bits = (width * 8) as u16;
        let value = self.terms.fresh("r", bits);
        let mut slots = std::collections::BTreeSet::new();
        let mut targets = Vec::with_capacity(reaches.len());
        let mut elements = Vec::new();
        for reach in reaches {
            let place = (reach.slot, space, reach.offset + u64::from(start));
            if let Some(known) = self.knowledge.points_to(place) {
                let lost = usize::from(faults::on(Fault::PointsToLost));
                slots.extend(known.iter().copied().skip(lost));
            }
            if let Some(element) = reach.element {
                elements.push(((reach.slot, place.2, width), element, reach.when));
                continue;
            }
            targets.push(Target {
                cell: self.cell(place, width),
                when: reach.when,
            });
        }
        let var = pointer::variable(&self.terms, value).expect("fresh terms are variables");
        if !slots.is_empty() {
            self.read_slots.insert(var, std::rc::Rc::new(slots));
        }
        let at = u64::from(start);
        let place = |reach: &Reach| (reach.slot, space, reach.offset + at);
        let places = elements
            .is_empty()
            .then(|| reaches.iter().map(place).collect());
        self.read_places.insert(var, places);
        let guard = self.terms.and(state.path.term(), any);
        let event = self.emit(
            state,
            guard,
            EventKind::Read {
                value,
                targets,
                role,
            },
        );
        for (field, element, when) in elements {
            self.element_access(event, field, element, when);
        }
        value
    }

    /// The event that writes one piece of an access; `whole` is the value it is a piece of.
    #[allow(clippy::too_many_arguments)]
    fn write_event(
        &mut self,
        state: &State,
        space: Space,
        start: u32,
        width: u32,
        reaches: &[Reach],
        happens: TermId,
        (piece, whole): (TermId, TermId),
        role: Role,
    ) {
        let slots = self.slots_of(whole);
        let mut targets = Vec::with_capacity(reaches.len());
        let mut elements = Vec::new();
        for reach in reaches {
            let place = (reach.slot, space, reach.offset + u64::from(start));
            if !slots.is_empty() {
                self.seen
                    .pointers
                    .entry(place)
                    .or_default()
                    .extend(slots.iter().copied());
            }
            if let Some(element) = reach.element {
                elements.push(((reach.slot, place.2, width), element, reach.when));
                continue;
            }
            self.note_stored(place, piece);
            targets.push(Target {
                cell: self.cell(place, width),
                when: reach.when,
            });
        }
        let guard = self.terms.and(state.path.term(), happens);
        let event = self.emit(
            state,
            guard,
            EventKind::Write {
                value: piece,
                targets,
                role,
            },
        );
        for (field, element, when) in elements {
            self.element_access(event, field, element, when);
        }
    }

    /// The cell at a place.
    pub(super) fn cell(&mut self, place: Place, width: u32) -> CellId {
        if let Some(&cell) = self.cell_at.get(&(place, width)) {
            return cell;
        }
        let (slot, space, offset_bytes) = place;
        let object = self.object_index(slot);
        let cell = self.cells.push(Cell {
            bits: (width * 8) as u16,
            // Known once all threads have been executed.
            init: self.terms.fals(),
            object,
            offset_bytes,
            element: None,
            sync: space == Space::Sync,
        });
        self.cell_at.insert((place, width), cell);
        self.cell_places.push((place, width));
        cell
    }
}
