//! Data races as assertions: before an access that may race, its thread *announces* it in a word of its own that others can see,
//! and takes that back; and it looks at the words of others, and asserts that none announces an access that conflicts. Between
//! announcement and withdrawal, the access is the next thing that the thread does; who looks meanwhile is before an
//! access, too. So a reachable state in which two accesses are next is an execution that violates such an assertion, and the
//! other way round: schemes, reductions and bounds need to know no more about races than about assertions.
//!
//! * Of two threads, the one with the lower number announces and the other looks. What is accessed within an atomic section
//!   is known only while that runs, so there it is looked, never announced; two sections do not race.
//! * Who announces what to whom is found in passes, like all that is shared: each pass notes *requests* (which bytes an access
//!   asks for, whether they are there or not), and requests that may conflict are a *lane*: they share one word for each thread.
//! * An announcement is the number of its *place* in its lane. Where the address of one of two places is no constant, the address goes
//!   into a second word, and a size that is no constant into a third.

use super::lane::{Place, Request, are_apart, are_surely_one};
use super::pass::{Fill, Pass};
use super::state::PathState;
use super::touch::{ObjectKey, Space, ThreadKey};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{
    Cut, EventId, EventKind, Origin as ObjectOrigin, Rival, Role, Target, ThreadId,
};
use crate::exec::{self, Address};
use crate::ir::address::Slot;
use crate::ir::{BlockSource, Instr, InstrKind, Origin, Property, update_align_bytes};
use crate::race::Site;
use crate::symex::faults::{self, Fault};
use crate::term::TermId;

/// Bytes from an announcement's words: that of the place, of the address, of the size.
const PLACE: (u64, u32) = (0, 2);
const ADDRESS: u64 = 8;
const SIZE: (u64, u32) = (16, 4);
/// Bytes of all of them.
const WORDS: u64 = 24;

/// Most places of a lane, so that their numbers fit.
const PLACES: usize = 0xffff;

/// Request with its terms, as an instruction makes it.
struct Asked {
    addr: TermId,
    /// As wide as a pointer.
    size: TermId,
    place: Place,
    ranges: SortedSet<(Slot, u64, u64)>,
}

impl Pass<'_> {
    /// Looks and announcements before an instruction, if it accesses memory and may race.
    pub(super) fn watch(&mut self, state: &mut PathState, site: Site, instr: &Instr) {
        let Some(&group) = self.sites.open.get(&site) else {
            return;
        };
        if !state.concurrent
            || state.alone
            || state.path.is_dead(&self.terms)
            || self.synchronises()
        {
            return;
        }
        for (number, asked) in self.asked(state, instr).into_iter().enumerate() {
            let key = self.instances[self.current].key;
            let key = (key, self.here.position, number as u8);
            let request = Request {
                place: asked.place.clone(),
                thread: self.current,
                group,
                inside: state.section.is_some(),
                ranges: asked.ranges.clone(),
            };
            self.requests.insert(key, request);
            if self.may_be_number(asked.addr) {
                let internal = self.is_internal(asked.addr);
                let number = self.terms.not(internal);
                self.cut(state, number, Cut::Unwatched);
            }
            let Some(&lane) = self.knowledge.watches.lanes.get(&key) else {
                continue;
            };
            let announces = self.one_step(|pass| {
                pass.look(state, lane, &asked);
                pass.announce(state, lane, &asked)
            });
            if announces {
                self.withdraw(state, lane);
            }
        }
    }

    /// True within a model of the library that synchronises, or what that calls in other models.
    fn synchronises(&self) -> bool {
        let frames = self.frames.iter().rev();
        let origins = frames.map(|frame| self.program.functions[frame.function].origin);
        let mut models = origins.take_while(|origin| *origin != Origin::Program);
        models.any(|origin| origin == Origin::Model { synchronises: true })
    }

    /// Requests of an instruction.
    fn asked(&mut self, state: &PathState, instr: &Instr) -> Vec<Asked> {
        let pointer_bits = self.program.model.pointer_bits();
        let fixed =
            |pass: &mut Self, bytes: u32| pass.terms.constant(u128::from(bytes), pointer_bits);
        match &instr.kind {
            InstrKind::Load { dst, addr, access } => {
                let function = self.frames.last().map(|frame| frame.function);
                let bits = function.map_or(8, |f| self.program.functions[f].regs[*dst].bits);
                let addr = exec::operand(self, state, *addr);
                let bytes = u32::from(bits) / 8;
                let size = fixed(self, bytes);
                let aligned = u32::from(access.align_bytes) >= bytes;
                let kind = (false, access.order.is_some(), aligned);
                vec![self.request_beside(addr, size, kind, access.beside)]
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } if !access.of_creation => {
                let value = exec::operand(self, state, *value);
                let bytes = u32::from(self.terms.bits(value)) / 8;
                let addr = exec::operand(self, state, *addr);
                let size = fixed(self, bytes);
                let aligned = u32::from(access.align_bytes) >= bytes;
                let kind = (true, access.order.is_some(), aligned);
                vec![self.request_beside(addr, size, kind, access.beside)]
            }
            InstrKind::Rmw { dst, addr, .. } | InstrKind::CmpXchg { dst, addr, .. } => {
                let function = self.frames.last().map(|frame| frame.function);
                let bits = function.map_or(8, |f| self.program.functions[f].regs[*dst].bits);
                let addr = exec::operand(self, state, *addr);
                let bytes = u32::from(bits) / 8;
                let size = fixed(self, bytes);
                let aligned = u32::from(update_align_bytes(self.program.model, bits)) >= bytes;
                vec![self.request(addr, size, (true, true, aligned))]
            }
            InstrKind::Spawn {
                id_at: Some(addr), ..
            } => {
                let addr = exec::operand(self, state, *addr);
                let size = fixed(self, u32::from(pointer_bits) / 8);
                vec![self.request(addr, size, (true, false, false))]
            }
            InstrKind::Free { addr } => {
                let addr = exec::operand(self, state, *addr);
                let mut size = fixed(self, 0);
                for &slot in self.slots_at(addr).iter() {
                    if let Some(here) = self.is_start(addr, slot) {
                        let own = self.size_of(slot);
                        size = self.terms.ite(here, own, size);
                    }
                }
                vec![self.request(addr, size, (true, false, false))]
            }
            InstrKind::Block {
                to,
                source,
                size_bytes,
                ..
            } => {
                let size = exec::operand(self, state, *size_bytes);
                let size = self.terms.fit(size, pointer_bits);
                let to = exec::operand(self, state, *to);
                let mut all = vec![self.request(to, size, (true, false, false))];
                if let BlockSource::Copy { from, .. } = source {
                    let from = exec::operand(self, state, *from);
                    all.push(self.request(from, size, (false, false, false)));
                }
                all
            }
            _ => Vec::new(),
        }
    }

    /// A request of bytes that are one memory location with so many before and behind.
    fn request_beside(
        &mut self,
        addr: TermId,
        size: TermId,
        (write, atomic, aligned): (bool, bool, bool),
        (before, behind): (u16, u16),
    ) -> Asked {
        let mut asked = self.request(addr, size, (write, atomic, aligned));
        if (before, behind) == (0, 0) {
            return asked;
        }
        let bits = self.program.model.pointer_bits();
        let less = self.terms.constant(u128::from(before), bits);
        let more = self
            .terms
            .constant(u128::from(before) + u128::from(behind), bits);
        asked.addr = self.terms.sub(asked.addr, less);
        asked.size = self.terms.add(asked.size, more);
        let wider = |(slot, from, to): (Slot, u64, u64)| {
            let from = from.saturating_sub(before.into());
            (slot, from, to.saturating_add(behind.into()))
        };
        asked.ranges = asked.ranges.into_iter().map(wider).collect();
        let place = &mut asked.place;
        place.at = place.at.map(|at| at.wrapping_sub(before.into()));
        place.bytes = place
            .bytes
            .map(|bytes| bytes + u32::from(before) + u32::from(behind));
        place.aligned = false;
        asked
    }

    /// A request; its kind is whether it writes, is atomic, and at a multiple of its size.
    fn request(
        &mut self,
        addr: TermId,
        size: TermId,
        (write, atomic, aligned): (bool, bool, bool),
    ) -> Asked {
        let space = self.knowledge.space;
        let most = self.terms.fact(size).hi as u64;
        let offset = Address::of(&mut self.terms, space, addr).offset;
        let (low, high) = {
            let fact = self.terms.fact(offset);
            (fact.lo as u64, fact.hi as u64)
        };
        let mut ranges = SortedSet::new();
        for &slot in self.slots_at(addr).iter() {
            let bytes = self.knowledge.object(slot).map_or(0, |o| o.size_bytes);
            let to = high.saturating_add(most).min(bytes);
            if low < to && most > 0 {
                ranges.insert((slot, low, to));
            }
        }
        let constant = self.terms.as_constant(size);
        let place = Place {
            loc: self.here.loc,
            write,
            atomic,
            at: self.terms.as_constant(addr).map(|at| at as u64),
            bytes: constant.and_then(|bytes| u32::try_from(bytes).ok()),
            aligned,
        };
        Asked {
            addr,
            size,
            place,
            ranges,
        }
    }

    /// Slot of the words in which a thread announces accesses of a lane.
    fn words(&mut self, lane: u32, (thread, key): (ThreadId, ThreadKey)) -> Slot {
        let slot = self
            .knowledge
            .slot(ObjectKey::Watch(key, lane), WORDS, false, 8);
        let slot = slot.unwrap_or(Slot::NULL);
        let name = format!("accesses of thread {}", thread.0);
        self.add_object(slot, name, ObjectOrigin::Watch(thread, lane), Fill::Zero);
        slot
    }

    /// The running thread.
    fn own(&self) -> (ThreadId, ThreadKey) {
        (self.current, self.instances[self.current].key)
    }

    /// Bytes of the word of an address.
    fn address(&self) -> (u64, u32) {
        (ADDRESS, u32::from(self.program.model.pointer_bits() / 8))
    }

    /// A word of a thread, if some other thread looks at it.
    fn word(&mut self, slot: Slot, (offset, bytes): (u64, u32), write: bool) -> Option<Target> {
        self.touch(slot, Space::Data, offset, bytes, write);
        let pieces = self.knowledge.pieces(slot, Space::Data, offset, bytes);
        let is_shared = matches!(pieces[..], [(_, width, true)] if width == bytes);
        is_shared.then(|| Target {
            cell: self.cell((slot, Space::Data, offset), bytes),
            when: self.terms.tru(),
        })
    }

    /// Reads a word that another thread announces with.
    fn look_at(&mut self, state: &PathState, slot: Slot, word: (u64, u32)) -> Option<TermId> {
        let target = self.word(slot, word, false)?;
        let value = self.terms.fresh("announced", (word.1 * 8) as u16);
        let kind = EventKind::Read {
            value,
            targets: vec![target],
            role: Role::Watch,
        };
        self.emit(state, state.path.term(), kind);
        Some(value)
    }

    /// Looks at what other threads announce, and asserts that nothing of it conflicts.
    fn look(&mut self, state: &mut PathState, lane: u32, asked: &Asked) {
        let inside = state.section.is_some();
        let announced = self.knowledge.watches.announced.get(&lane);
        let others: Vec<(ThreadId, (ThreadKey, Vec<Place>))> = announced
            .into_iter()
            .flatten()
            .filter(|(thread, _)| **thread < self.current || (inside && **thread > self.current))
            .map(|(thread, places)| (*thread, places.clone()))
            .collect();
        for (thread, (key, places)) in others {
            let candidates: Vec<(usize, Place)> = places
                .into_iter()
                .enumerate()
                .filter(|(_, place)| place.opposes(&asked.place))
                .filter(|(_, place)| !are_apart(place, &asked.place))
                .collect();
            if candidates.is_empty() {
                continue;
            }
            let slot = self.words(lane, (thread, key));
            let Some(number) = self.look_at(state, slot, PLACE) else {
                continue;
            };
            let needs_address = |(_, place): &(usize, Place)| !are_surely_one(place, &asked.place);
            let address = if candidates.iter().any(needs_address) {
                let word = self.address();
                self.look_at(state, slot, word)
            } else {
                None
            };
            let size = if candidates.iter().any(|(_, place)| place.bytes.is_none()) {
                self.look_at(state, slot, SIZE)
            } else {
                None
            };
            for (index, place) in candidates {
                let own = self.terms.constant(index as u128 + 1, (PLACE.1 * 8) as u16);
                let here = self.terms.eq(number, own);
                let overlaps = self.overlap(&place, address, size, asked);
                let conflict = if faults::on(Fault::OverlapUnasked) {
                    here
                } else {
                    self.terms.and(here, overlaps)
                };
                let cond = self.terms.not(conflict);
                if self.terms.as_constant(cond) == Some(1) {
                    continue;
                }
                self.section_races(state, cond);
                let kind = EventKind::Assert {
                    cond,
                    property: Property::Race,
                };
                let event = self.emit(state, state.path.term(), kind);
                self.looks.push((event, lane, thread, index));
            }
        }
    }

    /// Condition that bytes that are announced from a place, and those that are asked for, overlap.
    fn overlap(
        &mut self,
        place: &Place,
        address: Option<TermId>,
        size: Option<TermId>,
        asked: &Asked,
    ) -> TermId {
        let bits = self.program.model.pointer_bits();
        if are_surely_one(place, &asked.place) {
            return self.terms.tru();
        }
        let address = match (place.at, address) {
            (Some(at), _) => self.terms.constant(u128::from(at), bits),
            (None, Some(address)) => address,
            (None, None) => return self.terms.fals(),
        };
        let bytes = |pass: &mut Self| match (place.bytes, size) {
            (Some(bytes), _) => pass.terms.constant(u128::from(bytes), bits),
            (None, Some(size)) => pass.terms.fit(size, bits),
            (None, None) => pass.terms.constant(0, bits),
        };
        let same = place.bytes.is_some() && place.bytes == asked.place.bytes;
        if same && place.aligned && asked.place.aligned {
            return self.terms.eq(address, asked.addr);
        }
        let bytes = bytes(self);
        let behind = self.terms.sub(asked.addr, address);
        let before = self.terms.sub(address, asked.addr);
        let one = self.terms.ult(behind, bytes);
        let other = self.terms.ult(before, asked.size);
        self.terms.or(one, other)
    }

    /// Announces an access; true if somebody may look.
    fn announce(&mut self, state: &PathState, lane: u32, asked: &Asked) -> bool {
        if state.section.is_some() {
            return false;
        }
        let watches = &self.knowledge.watches;
        let places = watches.announced.get(&lane);
        let places = places.and_then(|threads| threads.get(&self.current));
        let index = places.and_then(|(_, all)| all.iter().position(|p| *p == asked.place));
        let Some(index) = index else {
            return false;
        };
        if index + 1 > PLACES {
            let always = self.terms.tru();
            self.cut(state, always, Cut::Unwatched);
            return false;
        }
        let addressed = watches.addressed.contains(&lane) && asked.place.at.is_none();
        let slot = self.words(lane, self.own());
        let place = self.word(slot, PLACE, true);
        let address = addressed.then(|| self.address());
        let address = address.and_then(|word| self.word(slot, word, true));
        let sized = asked.place.bytes.is_none();
        let size = sized.then(|| self.word(slot, SIZE, true)).flatten();
        let Some(place) = place else {
            return false;
        };
        if let Some(target) = address {
            self.write_word(state, target, asked.addr);
        }
        if let Some(target) = size {
            let size = self.terms.fit(asked.size, (SIZE.1 * 8) as u16);
            self.write_word(state, target, size);
        }
        let number = self.terms.constant(index as u128 + 1, (PLACE.1 * 8) as u16);
        let event = self.write_word(state, place, number);
        let known = self.announcements.entry((lane, self.current, index));
        known.or_default().insert(event);
        true
    }

    /// Takes an announcement back.
    fn withdraw(&mut self, state: &PathState, lane: u32) {
        if faults::on(Fault::AnnouncementStays) {
            return;
        }
        let slot = self.words(lane, self.own());
        if let Some(target) = self.word(slot, PLACE, true) {
            let none = self.terms.constant(0, (PLACE.1 * 8) as u16);
            self.write_word(state, target, none);
        }
    }

    fn write_word(&mut self, state: &PathState, target: Target, value: TermId) -> EventId {
        let kind = EventKind::Write {
            value,
            targets: vec![target],
            role: Role::Watch,
        };
        self.emit(state, state.path.term(), kind)
    }

    /// Rivals of all looks, once all threads have been executed.
    pub(super) fn rivals(&mut self) -> SortedMap<EventId, Rival> {
        let mut rivals = SortedMap::new();
        for (event, lane, thread, index) in std::mem::take(&mut self.looks) {
            let places = self.knowledge.watches.announced.get(&lane);
            let place = places
                .and_then(|threads| threads.get(&thread))
                .and_then(|(_, places)| places.get(index));
            let announced = self.announcements.get(&(lane, thread, index));
            if let (Some(place), Some(announced)) = (place, announced) {
                let rival = Rival {
                    place: place.loc,
                    announced: announced.clone(),
                };
                rivals.insert(event, rival);
            }
        }
        rivals
    }
}
