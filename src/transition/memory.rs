//! Accesses of memory: where an address leads, and what is done there.
//!
//! The object of an address must be known, but for a choice among constants; offsets within it are listed. The
//! path goes on where the access is valid; the rest is undefined, as in the interpreter.

use super::automaton::Key;
use super::carry::Objects;
use super::explore::Explorer;
use super::object::What;
use super::state::EdgeState;
use crate::event::ThreadSet;
use crate::exec::{self, Address, Domain, Purpose, constants, progression};
use crate::ir::Undefined;
use crate::ir::address::Slot;
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

/// Most places that one access may lead to.
const PLACES: u128 = 2048;
/// Most bits of an address above its offset that may be unknown.
const OPEN_BITS: u32 = 4;

/// A place that an access may reach, and the condition for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub slot: Slot,
    pub offset: u64,
    when: TermId,
}

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
    ) -> Option<Vec<Target>> {
        let (reads, writes) = (purpose != Purpose::Store, purpose != Purpose::Load);
        let places = self.places(state, addr, bytes, align)?;
        let mut keys: Vec<Key> = Vec::new();
        let mut is_cut = false;
        for place in &places {
            let end = place.offset + u64::from(bytes);
            is_cut |= self.knowledge.cut(place.slot, place.offset, end);
            if !self.is_constant(place.slot) {
                keys.extend(self.overlapping(place.slot, place.offset, bytes));
            }
        }
        keys.sort();
        keys.dedup();
        // What it would read is better known when its cells are cut, in the next pass.
        if is_cut && reads || !self.visit(state, &keys, reads, writes) {
            return None;
        }
        if writes {
            state.wrote = true;
            let mut constant = self.terms.fals();
            for place in &places {
                if self.is_constant(place.slot) {
                    constant = self.terms.or(constant, place.when);
                }
            }
            let fine = self.terms.not(constant);
            self.undefined_unless(state, fine, Undefined::ReadOnly);
        }
        let places: Vec<Target> = if writes {
            places
                .into_iter()
                .filter(|p| !self.is_constant(p.slot))
                .collect()
        } else {
            places
        };
        self.valid(state, &places)?;
        Some(places)
    }

    /// Takes note of accesses; false if the edge ends before them.
    pub fn visit(&mut self, state: &EdgeState, keys: &[Key], reads: bool, writes: bool) -> bool {
        let (thread, beside) = (self.thread, &state.beside);
        // What follows a join begins an edge of its own: what is bad there then does not say that the thread has
        // ended, and invariants are found several times faster.
        let all = ThreadSet::first(1 + self.knowledge.creations.len());
        let others = if state.joined { &all } else { beside };
        let conflicts = |key: &Key| self.knowledge.conflicts(key, thread, others, writes);
        if state.section == 0 && !state.fresh && keys.iter().any(conflicts) {
            self.arrive(state.clone());
            return false;
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

    fn is_constant(&self, slot: Slot) -> bool {
        self.knowledge
            .object(slot)
            .is_some_and(|object| object.read_only)
    }

    /// Places within objects where the access fits.
    fn places(
        &mut self,
        state: &EdgeState,
        addr: TermId,
        bytes: u32,
        align: u64,
    ) -> Option<Vec<Target>> {
        let space = self.knowledge.space;
        let parts = Address::of(&mut self.terms, space, addr);
        let Some(prefixes) = self.few(parts.prefix) else {
            self.unsupported(state, "an access through a pointer that is not known");
            return None;
        };
        let mut places = Vec::new();
        for value in prefixes {
            let slot = Slot((value >> 1) as u32);
            let Some(object) = self.knowledge.object(slot) else {
                continue;
            };
            if u128::from(space.prefix(slot)) != value || matches!(object.what, What::Function(_)) {
                continue;
            }
            let size = object.size_bytes;
            let here = parts.is_of(&mut self.terms, slot);
            let Some(offsets) = self.offsets(state, parts.offset, (bytes, align), size) else {
                self.unsupported(state, "an array with too many elements");
                return None;
            };
            for at in offsets {
                let when = exec::is_at(&mut self.terms, here, parts.offset, at);
                if self.terms.as_constant(when) != Some(0) {
                    places.push(Target {
                        slot,
                        offset: at,
                        when,
                    });
                }
            }
        }
        Some(places)
    }

    /// Notes that objects are copied to (`copied`) or used for synchronisation; `None` if the edge ends here, because a copy
    /// may be used.
    pub fn note_copies(&mut self, state: &EdgeState, addr: TermId, copied: bool) -> Option<()> {
        let parts = Address::of(&mut self.terms, self.knowledge.space, addr);
        let prefixes = self.few(parts.prefix).unwrap_or_default();
        let mut mixed = false;
        for value in prefixes {
            mixed |= self.knowledge.note_copy(Slot((value >> 1) as u32), copied);
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

    /// Values that a term may have, if those are known or few of its bits are not.
    pub fn few(&self, term: TermId) -> Option<Vec<u128>> {
        if let Some(values) = constants(&self.terms, term) {
            return Some(values);
        }
        let fact = self.terms.fact(term);
        let open = crate::term::word::mask(self.terms.bits(term)) & !(fact.zeros | fact.ones);
        if open.count_ones() > OPEN_BITS {
            return None;
        }
        // All subsets of the open bits, as a counter with gaps.
        let mut subset = 0;
        let mut values = Vec::new();
        loop {
            values.push(fact.ones | subset);
            subset = subset.wrapping_sub(open) & open;
            if subset == 0 {
                break;
            }
        }
        values.retain(|value| fact.admits(*value));
        Some(values)
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

    /// Goes on where one of the places is meant and its object lives.
    fn valid(&mut self, state: &mut EdgeState, places: &[Target]) -> Option<()> {
        let mut valid = self.terms.fals();
        for place in places {
            let object = self.knowledge.object(place.slot);
            let mut when = place.when;
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
            if object.is_some_and(|object| object.what.is_allocated()) {
                let lives = self.now(state, &Key::Live(place.slot));
                when = self.terms.and(when, lives);
            }
            valid = self.terms.or(valid, when);
        }
        self.undefined_unless(state, valid, Undefined::InvalidAccess);
        (!state.path.is_dead(&self.terms)).then_some(())
    }

    /// The present value of a variable that is no register.
    pub fn now(&mut self, state: &EdgeState, key: &Key) -> TermId {
        match state.changed.get(key) {
            Some(term) => *term,
            None => self.value(key),
        }
    }

    /// Cells that an access overlaps.
    pub fn overlapping(&self, slot: Slot, offset: u64, bytes: u32) -> Vec<Key> {
        let Some(object) = self.knowledge.object(slot) else {
            return Vec::new();
        };
        let end = offset + u64::from(bytes);
        let cells = object.cells.iter();
        let hit = cells.filter(|(at, width)| *at < end && at + u64::from(*width) > offset);
        hit.map(|&(offset, bytes)| Key::Cell {
            slot,
            offset,
            bytes,
        })
        .collect()
    }

    /// Value that is read at places.
    pub fn read(&mut self, state: &EdgeState, places: &[Target], bytes: u32) -> TermId {
        let mut result: Option<TermId> = None;
        for place in places {
            let value = self.read_at(state, place, bytes);
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(place.when, value, other),
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
        places: &[Target],
        (value, objects): (TermId, &Objects),
        also: TermId,
    ) -> Option<()> {
        if self.leaks(value, objects) {
            self.unsupported(state, "storing the address of a variable in a loop");
            return None;
        }
        self.stored(state, places, value, objects)?;
        let bytes = u32::from(self.terms.bits(value)) / 8;
        for place in places {
            let when = if faults::on(Fault::CutWriteAlways) {
                place.when
            } else {
                self.terms.and(place.when, also)
            };
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

    /// Places of a mutex; `None` if the edge ends here.
    pub fn mutexes(&mut self, state: &mut EdgeState, addr: TermId) -> Option<Vec<Target>> {
        let places = self.places(state, addr, 1, 1)?;
        let keys: Vec<Key> = places.iter().map(mutex).collect();
        if !self.visit(state, &keys, true, true) {
            return None;
        }
        state.wrote = true;
        self.valid(state, &places)?;
        Some(places)
    }

    /// Condition that the mutex is held.
    pub fn held(&mut self, state: &EdgeState, places: &[Target]) -> TermId {
        let mut held = self.terms.fals();
        for place in places {
            let word = self.now(state, &mutex(place));
            let here = self.terms.and(place.when, word);
            held = self.terms.or(held, here);
        }
        held
    }

    /// Gives the mutex a state.
    pub fn set_mutexes(&mut self, state: &mut EdgeState, places: &[Target], held: TermId) {
        for place in places {
            let key = mutex(place);
            let old = self.now(state, &key);
            let new = self.terms.ite(place.when, held, old);
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

    /// Pointer arithmetic: within the slot of an object, or of integers.
    pub fn offset(
        &mut self,
        state: &mut EdgeState,
        base: TermId,
        offset: TermId,
    ) -> Option<TermId> {
        let space = self.knowledge.space;
        let upper = space.pointer_bits - space.offset_bits;
        let sum = self.terms.add(base, offset);
        let slot = self.terms.extract(base, space.offset_bits, upper);
        let Some(slots) = self.few(slot) else {
            self.unsupported(state, "arithmetic of a pointer that is not known");
            return None;
        };
        let mut inside = self.terms.fals();
        for value in slots {
            let known = u32::try_from(value).ok().map(Slot);
            if known.is_some_and(|slot| self.knowledge.object(slot).is_some()) {
                let number = self.terms.constant(value, upper);
                let same = self.terms.eq(slot, number);
                inside = self.terms.or(inside, same);
            }
        }
        let reached = self.terms.extract(sum, space.offset_bits, upper);
        let stays = self.terms.eq(slot, reached);
        let outside = self.terms.not(inside);
        let fine = self.terms.or(outside, stays);
        self.undefined_unless(state, fine, Undefined::PointerRange);
        if state.path.is_dead(&self.terms) {
            return None;
        }
        let low = self.terms.extract(sum, 0, space.offset_bits);
        let within = self.terms.concat(slot, low);
        Some(self.terms.ite(inside, within, sum))
    }
}

/// The state of the mutex at a place.
fn mutex(place: &Target) -> Key {
    Key::Mutex {
        slot: place.slot,
        offset: place.offset,
    }
}
