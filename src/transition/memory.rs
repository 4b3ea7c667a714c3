//! Accesses of memory: where an address leads, and what is done there.
//!
//! The object of an address must be known, but for a choice among constants; offsets within it are listed, or, in
//! array objects, compared with its size. The path goes on where the access is valid; the rest is undefined, as in the
//! interpreter.

use super::array::Span;
use super::automaton::Key;
use super::carry::Objects;
use super::explore::Explorer;
use super::key::Owner;
use super::object::What;
use super::state::EdgeState;
use crate::base::sorted::SortedSet;
use crate::exec::{self, Address, Domain, Purpose, constants, progression};
use crate::ir::address::Slot;
use crate::ir::{InstrKind, Undefined};
use crate::term::{TermId, Terms};
use crate::transition::faults::{self, Fault};

/// Most places that one access may lead to.
const PLACES: u128 = 2048;
/// A place that an access may reach, and the condition for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub slot: Slot,
    pub offset: u64,
    pub when: TermId,
    /// Condition that the access is within the object; true unless that is an array object.
    within: TermId,
}

/// Places that an access may reach.
#[derive(Clone, Default, Debug)]
pub(super) struct Places {
    /// Those at constant offsets.
    pub targets: Vec<Target>,
    /// Those in array objects.
    pub spans: Vec<Span>,
}

/// Object of a place, with the conditions that the place is meant, and that the access is within the object.
pub(super) type Condition = (Slot, TermId, TermId);

impl Explorer<'_> {
    /// Places of an access of `bytes` bytes for a purpose. `None` if the edge ends here: before
    /// an access that conflicts with others, or where the address is not known.
    pub fn reach(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        bytes: u32,
        align: u64,
        purpose: Purpose,
    ) -> Option<Places> {
        let (reads, writes) = (purpose != Purpose::Store, purpose != Purpose::Load);
        let stores_id = self.next_instr(state).is_some_and(InstrKind::stores_id);
        if !stores_id && !self.attempt_bytes(state, addr, bytes, (writes, self.is_atomic)) {
            return None;
        }
        let mut places = self.places(state, addr, bytes, align)?;
        let mut keys: Vec<Key> = Vec::new();
        let mut is_cut = false;
        for place in std::mem::take(&mut places.targets) {
            let end = place.offset + u64::from(bytes);
            is_cut |= self.knowledge.cut(place.slot, place.offset, end);
            match self.beside_cells(&place, bytes) {
                Some(span) => places.spans.push(span),
                None => places.targets.push(place),
            }
        }
        for place in &places.targets {
            if !self.is_constant(place.slot) {
                keys.extend(self.overlapping(place.slot, place.offset, bytes));
            }
        }
        for span in &places.spans {
            if !self.is_constant(span.slot) {
                keys.extend(self.all_of(span.slot));
            }
        }
        keys.sort();
        keys.dedup();
        // What it would read is better known when its cells are cut, in the next pass.
        if is_cut && reads || !self.visit(state, &keys, reads, writes) {
            return None;
        }
        let never = self.terms.fals();
        if writes {
            state.wrote = true;
            self.changeable(state, &places.conditions(), never);
            places.targets.retain(|p| !self.is_constant(p.slot));
            places.spans.retain(|span| !self.is_constant(span.slot));
        }
        self.valid(state, &places.conditions(), never)?;
        Some(places)
    }

    /// Goes on where none of these places is meant that is in a constant object, unless nothing is written there.
    pub fn changeable(&mut self, state: &mut EdgeState, places: &[Condition], nothing: TermId) {
        let mut fine = self.terms.tru();
        for (slot, here, _) in places {
            if self.is_constant(*slot) {
                let elsewhere = self.terms.not(*here);
                fine = self.terms.and(fine, elsewhere);
            }
        }
        let fine = self.terms.or(fine, nothing);
        self.undefined_unless(state, fine, Undefined::ReadOnly);
    }

    /// The span that an access of an array object at a constant offset is, if its cells do not cover it.
    fn beside_cells(&mut self, place: &Target, bytes: u32) -> Option<Span> {
        if !self.knowledge.is_array(place.slot) {
            return None;
        }
        let end = place.offset.checked_add(u64::from(bytes))?;
        let mut covered = place.offset;
        for key in self.overlapping(place.slot, place.offset, bytes) {
            if let Key::Cell { offset, bytes, .. } = key
                && offset <= covered
            {
                covered = offset + u64::from(bytes);
            }
        }
        let bits = self.knowledge.space.pointer_bits;
        (covered < end).then(|| Span {
            slot: place.slot,
            offset: self.terms.constant(u128::from(place.offset), bits),
            bytes,
            here: place.when,
            within: place.within,
        })
    }

    /// Makes an object of this size an array from the next pass on.
    fn becomes_array(&mut self, slot: Slot, size: u64) {
        if let Some(What::Global(id) | What::ThreadLocal(id, _)) =
            self.knowledge.object(slot).map(|object| &object.what)
            && !self.program.globals[*id].init.is_empty()
        {
            self.knowledge.note_anything(slot);
        }
        self.knowledge.become_array(slot, Some(size));
    }

    /// Everything in an array object, for accesses in conflict.
    pub fn all_of(&self, slot: Slot) -> Vec<Key> {
        let cells = self.knowledge.cells_of(slot);
        cells.chain([Key::Content(slot)]).collect()
    }

    /// Takes note of accesses; false if the edge ends before them.
    pub fn visit(&mut self, state: &EdgeState, keys: &[Key], reads: bool, writes: bool) -> bool {
        let (thread, beside) = (self.thread, &state.beside);
        // What follows a join begins an edge of its own: what is bad there then does not say that the thread has
        // ended, and invariants are found several times faster.
        let all = self.knowledge.everybody();
        let others = if state.joined { &all } else { beside };
        let lives = self.lives(keys);
        let knowledge = &self.knowledge;
        let conflicts = |key: &Key| knowledge.conflicts(key, thread, others, writes);
        let may_end = |key: &Key| knowledge.conflicts(key, thread, others, false);
        let is_disturbed = || keys.iter().any(conflicts) || lives.iter().any(may_end);
        let may_begin = state.section == 0 && !state.fresh;
        let may_begin = may_begin && (state.joined || !self.is_undisturbed(state));
        if may_begin && is_disturbed() {
            self.arrive(state.clone());
            return false;
        }
        for key in &lives {
            self.knowledge.note_access(key, thread, beside, false);
        }
        for key in keys {
            if reads {
                self.knowledge.note_access(key, thread, beside, false);
            }
            if writes {
                self.knowledge.note_access(key, thread, beside, true);
            }
        }
        true
    }

    /// Lives of the objects that these variables belong to, which whoever accesses them reads: others may end them before an access,
    /// or after.
    fn lives(&self, keys: &[Key]) -> SortedSet<Key> {
        if faults::on(Fault::LifeUnread) {
            return SortedSet::new();
        }
        let slots = keys.iter().filter_map(|key| match key.owner() {
            Owner::Slot(slot) => Some(slot),
            Owner::Thread(_) => None,
        });
        let may_end = |slot: &Slot| match self.knowledge.object(*slot).map(|object| &object.what) {
            Some(What::Heap { .. }) => true,
            Some(What::Stack { thread, .. }) => *thread != self.thread,
            _ => false,
        };
        slots.filter(may_end).map(Key::Live).collect()
    }

    pub fn is_constant(&self, slot: Slot) -> bool {
        self.knowledge
            .object(slot)
            .is_some_and(|object| object.read_only)
    }

    /// Places within objects where the access fits.
    pub(super) fn places(
        &mut self,
        state: &EdgeState,
        addr: TermId,
        bytes: u32,
        align: u64,
    ) -> Option<Places> {
        let space = self.knowledge.space;
        let near = self.near(addr);
        let parts = Address::of(&mut self.terms, space, near);
        let owner = self.owner(near);
        let slots = match self.next_address(state) {
            Some(operand) => self.pointed(state, operand, near),
            None => self.owners(owner),
        };
        let Some(slots) = slots else {
            self.unsupported(state, "an access through a pointer that is not known");
            return None;
        };
        let always = self.terms.tru();
        let mut places = Places::default();
        for slot in slots {
            let Some(object) = self.knowledge.object(slot) else {
                continue;
            };
            if matches!(object.what, What::Function(_)) {
                continue;
            }
            let (size, is_array) = (object.size_bytes, object.is_array);
            if is_array {
                let here = self.is_owner(owner, slot);
                let offset = self.exact(addr);
                let within = match self.within {
                    // Sizes do not change.
                    Some((term, within)) if state.fresh && term == addr => within,
                    _ => self.fits(state, slot, offset, (bytes, align)),
                };
                places.add(&self.terms, (slot, offset, bytes), (here, within));
                continue;
            }
            let here = parts.is_of(&mut self.terms, slot);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            let Some(offsets) = self.offsets(state, parts.offset, (bytes, align), size) else {
                // The next pass knows it as an array.
                self.becomes_array(slot, size);
                return None;
            };
            for at in offsets {
                let when = exec::is_at(&mut self.terms, here, parts.offset, at);
                if self.terms.as_constant(when) != Some(0) {
                    places.targets.push(Target {
                        slot,
                        offset: at,
                        when,
                        within: always,
                    });
                }
            }
        }
        Some(places)
    }

    /// Notes that objects are copied to (`copied`) or used for synchronisation; `None` if the edge ends here, because a copy
    /// may be used.
    pub fn note_copies(&mut self, state: &EdgeState, addr: TermId, copied: bool) -> Option<()> {
        let near = self.near(addr);
        let owner = self.owner(near);
        let mut mixed = false;
        for slot in self.owners(owner).unwrap_or_default() {
            mixed |= self.knowledge.note_copy(slot, copied);
        }
        if mixed && !copied {
            self.unsupported(
                state,
                "the use of an object that may be a copied synchronisation object",
            );
            return None;
        }
        Some(())
    }

    /// Offsets at which an access fits an object and the term may be; `None` if there are too many.
    fn offsets(
        &mut self,
        state: &EdgeState,
        offset: TermId,
        (bytes, align): (u32, u64),
        size: u64,
    ) -> Option<Vec<u64>> {
        let Some(last) = size.checked_sub(u64::from(bytes)).map(u128::from) else {
            return Some(Vec::new());
        };
        let align = u128::from(align.max(1));
        let fits = |at: &u128| *at <= last && at.is_multiple_of(align);
        if let Some(values) = constants(&self.terms, offset) {
            return Some(
                values
                    .into_iter()
                    .filter(fits)
                    .map(|at| at as u64)
                    .collect(),
            );
        }
        let fact = self.refined(&state.path, offset);
        let range = (fact.lo, fact.hi.min(last));
        let all = progression(&self.terms, offset, range, PLACES)?;
        let all = all.filter(fits).filter(|at| fact.admits(*at));
        Some(all.map(|at| at as u64).collect())
    }

    /// Goes on where one of these places is meant and its object lives, or nothing is accessed.
    pub fn valid(
        &mut self,
        state: &mut EdgeState,
        places: &[Condition],
        nothing: TermId,
    ) -> Option<()> {
        let mut valid = nothing;
        for &(slot, here, within) in places {
            let object = self.knowledge.object(slot);
            let mut when = self.terms.and(here, within);
            // It ends with its thread.
            if let Some(What::ThreadLocal(_, owner)) = object.map(|object| &object.what)
                && *owner != 0
                && *owner != self.thread
            {
                let mut cut = state.clone();
                cut.path.restrict(&mut self.terms, when);
                if !cut.path.is_dead(&self.terms) {
                    self.unsupported(&cut, "the own variable of another thread");
                }
                continue;
            }
            let ignored = faults::on(Fault::ArrayLiveIgnored) && self.knowledge.is_array(slot);
            if object.is_some_and(|object| object.what.is_allocated()) && !ignored {
                let lives = self.now(state, &Key::Live(slot));
                when = self.terms.and(when, lives);
            }
            valid = self.terms.or(valid, when);
        }
        self.undefined_unless(state, valid, Undefined::InvalidAccess);
        (!state.path.is_dead(&self.terms)).then_some(())
    }

    /// Cells that an access overlaps.
    pub fn overlapping(&self, slot: Slot, offset: u64, bytes: u32) -> Vec<Key> {
        let end = offset + u64::from(bytes);
        let is_hit = |key: &Key| match key {
            Key::Cell {
                offset: at, bytes, ..
            } => *at < end && at + u64::from(*bytes) > offset,
            _ => false,
        };
        self.knowledge.cells_of(slot).filter(is_hit).collect()
    }

    /// Value that is read at places.
    pub fn read(&mut self, state: &mut EdgeState, places: &Places, bytes: u32) -> TermId {
        let mut result: Option<TermId> = None;
        let mut values = Vec::new();
        for place in &places.targets {
            values.push((place.when, self.read_at(state, place, bytes)));
        }
        for span in &places.spans {
            values.push((span.here, self.read_span(state, span)));
        }
        for (when, value) in values {
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(when, value, other),
            });
        }
        result.unwrap_or_else(|| self.terms.constant(0, (bytes * 8) as u16))
    }

    pub fn read_at(&mut self, state: &EdgeState, place: &Target, bytes: u32) -> TermId {
        let end = place.offset + u64::from(bytes);
        let mut value: Option<TermId> = None;
        for key in self.overlapping(place.slot, place.offset, bytes) {
            let Key::Cell { offset, bytes, .. } = key else {
                continue;
            };
            let cell = self.now(state, &key);
            let (from, to) = (place.offset.max(offset), end.min(offset + u64::from(bytes)));
            let (lo, width) = (((from - offset) * 8) as u16, ((to - from) * 8) as u16);
            let part = self.terms.extract(cell, lo, width);
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.unwrap_or_else(|| self.terms.constant(0, (bytes * 8) as u16))
    }

    /// Writes a value to whichever place is meant, if `also`. `None` if it may be an address that means another object in
    /// each iteration of a loop: memory would keep it longer.
    pub fn write(
        &mut self,
        state: &mut EdgeState,
        places: &Places,
        (value, objects): (TermId, &Objects),
        also: TermId,
    ) -> Option<()> {
        let value = self.settle(state, value)?;
        if self.leaks(value, objects) {
            self.unsupported(state, "storing the address of a variable in a loop");
            return None;
        }
        self.stored(state, places, value, objects)?;
        let bytes = u32::from(self.terms.bits(value)) / 8;
        let also = if faults::on(Fault::CutWriteAlways) {
            self.terms.tru()
        } else {
            also
        };
        for span in &places.spans {
            self.write_span(state, span, value, also);
        }
        for place in &places.targets {
            let when = self.terms.and(place.when, also);
            let end = place.offset + u64::from(bytes);
            for key in self.overlapping(place.slot, place.offset, bytes) {
                let Key::Cell { offset, bytes, .. } = key else {
                    continue;
                };
                let old = self.now(state, &key);
                let (from, to) = (place.offset.max(offset), end.min(offset + u64::from(bytes)));
                let lo = ((from - place.offset) * 8) as u16;
                let mut new = self.terms.extract(value, lo, ((to - from) * 8) as u16);
                if from > offset {
                    let low = self.terms.extract(old, 0, ((from - offset) * 8) as u16);
                    new = self.terms.concat(new, low);
                }
                let cell_end = offset + u64::from(bytes);
                if to < cell_end {
                    let rest = ((cell_end - to) * 8) as u16;
                    let high = self.terms.extract(old, ((to - offset) * 8) as u16, rest);
                    new = self.terms.concat(high, new);
                }
                let new = self.terms.ite(when, new, old);
                self.set_variable(state, key, new);
            }
        }
        Some(())
    }

    /// Places of a mutex, which the thread waits for if it `waits`; `None` if the edge ends here.
    pub fn mutexes(&mut self, state: &mut EdgeState, addr: TermId, waits: bool) -> Option<Places> {
        let places = self.places(state, addr, 1, 1)?;
        if !places.spans.is_empty() {
            self.unsupported(
                state,
                "a lock at an index of an array whose size is not known",
            );
            return None;
        }
        let keys: Vec<Key> = places.targets.iter().map(mutex).collect();
        if !self.visit(state, &keys, true, true) {
            return None;
        }
        if waits && self.program.deadlocks {
            let held = self.held(state, &places);
            if self.rests_before(state, held) {
                return None;
            }
        }
        state.wrote = true;
        let never = self.terms.fals();
        self.valid(state, &places.conditions(), never)?;
        Some(places)
    }

    /// Condition that the mutex is held.
    pub fn held(&mut self, state: &EdgeState, places: &Places) -> TermId {
        let mut held = self.terms.fals();
        for place in &places.targets {
            let word = self.now(state, &mutex(place));
            let is_held = self.is_set(word);
            let here = self.terms.and(place.when, is_held);
            held = self.terms.or(held, here);
        }
        held
    }

    /// Takes the mutex for this thread, or gives it back, if `also`.
    pub fn set_mutexes(
        &mut self,
        state: &mut EdgeState,
        places: &Places,
        held: bool,
        also: TermId,
    ) {
        // Who tries a mutex that is held does not become its owner.
        let tells_owner = self.program.deadlocks && !faults::on(Fault::OwnerByAttempt);
        for place in &places.targets {
            let key = mutex(place);
            let old = self.now(state, &key);
            let word = match held {
                true if self.program.deadlocks => u128::from(self.thread) + 1,
                held => u128::from(held),
            };
            let word = self.terms.constant(word, self.terms.bits(old));
            let when = if tells_owner {
                self.terms.and(place.when, also)
            } else {
                place.when
            };
            let new = self.terms.ite(when, word, old);
            self.set_variable(state, key, new);
        }
    }

    /// Leak: true if a value may be the address of an object that is allocated in a loop, of which each iteration has
    /// another.
    pub fn leaks(&mut self, value: TermId, objects: &Objects) -> bool {
        let space = self.knowledge.space;
        let mut known = objects
            .iter()
            .filter_map(|slot| self.knowledge.object(*slot));
        if known.any(|object| !object.loops.is_empty()) {
            return true;
        }
        if self.terms.bits(value) != space.pointer_bits {
            return false;
        }
        let object_bits = space.object_bits();
        let fact = self.terms.fact(value);
        let upper =
            !crate::term::word::mask(object_bits) & crate::term::word::mask(space.pointer_bits);
        let objects = self.knowledge.objects.iter().enumerate();
        let mut looped = objects.filter(|(_, object)| !object.loops.is_empty());
        looped.any(|(i, _)| {
            let prefix = u128::from(space.prefix(Slot(i as u32 + 1))) << object_bits;
            (fact.ones & !prefix | fact.zeros & prefix) & upper == 0
                && (fact.ones | fact.zeros) & upper != 0
        })
    }
}

impl Places {
    /// The objects of the places, with their conditions.
    pub(super) fn conditions(&self) -> Vec<Condition> {
        let targets = self.targets.iter();
        let targets = targets.map(|place| (place.slot, place.when, place.within));
        let spans = self.spans.iter();
        let spans = spans.map(|span| (span.slot, span.here, span.within));
        targets.chain(spans).collect()
    }

    /// Adds a place in an array object, on the condition that it is in this object and that the access is within it.
    fn add(
        &mut self,
        terms: &Terms,
        (slot, offset, bytes): (Slot, TermId, u32),
        (here, within): (TermId, TermId),
    ) {
        if terms.as_constant(here) == Some(0) || terms.as_constant(within) == Some(0) {
            return;
        }
        let at = terms.as_constant(offset);
        match at.and_then(|at| u64::try_from(at).ok()) {
            Some(offset) => self.targets.push(Target {
                slot,
                offset,
                when: here,
                within,
            }),
            None => self.spans.push(Span {
                slot,
                offset,
                bytes,
                here,
                within,
            }),
        }
    }
}

/// The state of the mutex at a place.
pub(super) fn mutex(place: &Target) -> Key {
    Key::Mutex {
        slot: place.slot,
        offset: place.offset,
    }
}
