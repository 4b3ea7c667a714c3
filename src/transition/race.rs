//! Data races: accesses that a thread makes in its next step, and when those of two threads are one.
//!
//! A thread *attempts* an access where it stands before it, or before an atomic section in which it gets there. What counts is the request:
//! the bytes from the address on, whether the access is valid or not, and whatever comes of it; but what never was an object is nobody's
//! memory. Of each access that
//! may race it is noted which bytes of which objects it may ask for; where another thread that may run then asks for some of them, the
//! access begins an edge, and its location says what is attempted there. Nothing else has to be known: what is
//! executed before an edge ends, others cannot tell.
//!
//! Accesses of an atomic section are all evaluated in the state before it: while it runs, nobody else moves.

use super::automaton::{Attempt, Key};
use super::explore::Explorer;
use super::object::What;
use super::request::{Kind, Range, Request};
use super::state::EdgeState;
use crate::exec::constants;
use crate::ir::address::Slot;
use crate::ir::{BlockSource, InstrKind, Operand, Origin};
use crate::race::Site;
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

impl Explorer<'_> {
    /// Takes note of an access of so many bytes at the address of the next instruction, see [`Self::attempt`].
    pub fn attempt_bytes(
        &mut self,
        state: &EdgeState,
        addr: TermId,
        bytes: u32,
        how: (bool, bool),
    ) -> bool {
        let Some(operand) = self.next_address(state).filter(|_| self.sites.is_some()) else {
            return true;
        };
        let bits = self.knowledge.space.pointer_bits;
        let (before, behind) = self.beside(state);
        let bytes = u128::from(bytes) + u128::from(before) + u128::from(behind);
        let bytes = self.terms.constant(bytes, bits);
        self.attempt(state, (operand, addr), bytes, how)
    }

    /// The same of an operation on a block of so many bytes.
    pub fn attempt_block(
        &mut self,
        state: &EdgeState,
        to: TermId,
        (source, value): (BlockSource, TermId),
        size: TermId,
    ) -> bool {
        let Some(target) = self.next_address(state).filter(|_| self.sites.is_some()) else {
            return true;
        };
        let bits = self.knowledge.space.pointer_bits;
        let size = self.terms.fit(size, bits);
        let reads = match source {
            BlockSource::Copy { from, .. } => {
                self.attempt(state, (from, value), size, (false, false))
            }
            _ => true,
        };
        reads && self.attempt(state, (target, to), size, (true, false))
    }

    /// Bytes of the same memory location before and behind those that the next instruction accesses.
    fn beside(&self, state: &EdgeState) -> (u16, u16) {
        match self.next_instr(state) {
            Some(InstrKind::Load { access, .. } | InstrKind::Store { access, .. }) => access.beside,
            _ => (0, 0),
        }
    }

    /// Undisturbed access: true if that of the next instruction is.
    pub fn is_undisturbed(&self, state: &EdgeState) -> bool {
        let known = self.sites.map(|sites| &sites.undisturbed);
        known.is_some_and(|known| known.contains(&site(state)))
    }

    /// The component of the next instruction, if its access may race.
    fn candidate(&self, state: &EdgeState) -> Option<u32> {
        let component = self.sites?.open.get(&site(state)).copied()?;
        // What a model that synchronises calls in other models belongs to it.
        let frames = state.frames.iter().rev();
        let origins = frames.map(|frame| self.program.functions[frame.function].origin);
        let mut models = origins.take_while(|origin| *origin != Origin::Program);
        let synchronises = models.any(|origin| origin == Origin::Model { synchronises: true });
        (!synchronises).then_some(component)
    }

    /// Takes note of an access of so many bytes (as wide as a pointer) that the next instruction makes at an address; false if the
    /// edge ends before it, because it may race.
    fn attempt(
        &mut self,
        state: &EdgeState,
        (operand, addr): (Operand, TermId),
        bytes: TermId,
        (writes, is_atomic): (bool, bool),
    ) -> bool {
        let Some(component) = self.candidate(state) else {
            return true;
        };
        let near = self.near(addr);
        let before = u128::from(self.beside(state).0);
        let before = self
            .terms
            .constant(before, self.knowledge.space.pointer_bits);
        let offset = self.exact(addr);
        let request = Request {
            slot: self.owner(near),
            offset: self.terms.sub(offset, before),
            bytes,
        };
        // What is not known is not modelled, either.
        let Some(mut slots) = self.pointed(state, operand, near) else {
            return true;
        };
        let all = slots.len();
        slots.retain(|slot| !self.is_code(*slot));
        let mut when = state.path.term();
        if slots.len() < all || self.may_be_no_object(request.slot) {
            let mut is_object = self.terms.fals();
            for slot in &slots {
                let here = self.is_owner(request.slot, *slot);
                is_object = self.terms.or(is_object, here);
            }
            when = self.terms.and(when, is_object);
        }
        let kind = Kind {
            writes,
            is_atomic,
            in_section: state.section > 0 && !faults::on(Fault::RaceSectionPlain),
            component,
        };
        self.attempt_one(state, &slots, when, request, kind)
    }

    /// The same of the release of an object that lives: all of it is written. Of what is no start of one, nothing is.
    pub fn attempt_free(&mut self, state: &EdgeState, addr: TermId) -> bool {
        let (Some(operand), Some(component)) = (self.next_address(state), self.candidate(state))
        else {
            return true;
        };
        if faults::on(Fault::RaceFreeForgotten) {
            return true;
        }
        let near = self.near(addr);
        let Some(slots) = self.pointed(state, operand, near) else {
            return true;
        };
        let space = self.knowledge.space;
        let kind = Kind {
            writes: true,
            is_atomic: false,
            in_section: state.section > 0,
            component,
        };
        for slot in slots {
            let Some(object) = self.knowledge.object(slot) else {
                continue;
            };
            if !matches!(object.what, What::Heap { .. }) {
                continue;
            }
            let base = u128::from(space.base(slot));
            let start = self.terms.constant(base, self.terms.bits(addr));
            let here = self.terms.eq(addr, start);
            let lives = self.now(state, &Key::Live(slot));
            let here = self.terms.and(here, lives);
            let when = self.terms.and(state.path.term(), here);
            let owner = self.owner(start);
            let request = Request {
                slot: owner,
                offset: self.terms.constant(0, space.pointer_bits),
                bytes: self.size_of(state, slot),
            };
            if !self.attempt_one(state, &[slot], when, request, kind) {
                return false;
            }
        }
        true
    }

    fn attempt_one(
        &mut self,
        state: &EdgeState,
        slots: &[Slot],
        when: TermId,
        request: Request,
        kind: Kind,
    ) -> bool {
        if self.terms.as_constant(when) == Some(0) {
            return true;
        }
        let ranges = self.ranges(&request, kind);
        let who = (self.thread, self.knowledge.is_many(self.thread));
        let requests = &self.knowledge.requests;
        let may_race = slots.iter().any(|slot| {
            let mut ranges = ranges.iter();
            ranges.any(|range| requests.conflicts(*slot, range, who, &state.beside))
        });
        if may_race && !state.fresh && state.section == 0 && !faults::on(Fault::RaceMerged) {
            self.arrive(state.clone());
            return false;
        }
        for slot in slots {
            for range in &ranges {
                let requests = &mut self.knowledge.requests;
                if requests.note(*slot, *range, self.thread, &state.beside) {
                    self.knowledge.note_change();
                }
            }
        }
        if may_race {
            self.attempts.push(Attempt {
                loc: self.loc(state),
                count: state.count,
                when,
                request,
                kind,
            });
        }
        true
    }

    /// Bytes that a request may be for, wherever its address is.
    fn ranges(&self, request: &Request, kind: Kind) -> Vec<Range> {
        let all = Range {
            from: 0,
            to: u64::MAX,
            kind,
        };
        let bytes = self.terms.as_constant(request.bytes);
        let offsets = constants(&self.terms, request.offset);
        let (Some(bytes), Some(offsets)) = (bytes, offsets) else {
            return vec![all];
        };
        let range = |offset: u128| {
            let (from, to) = (u32::try_from(offset), u32::try_from(offset + bytes));
            let (from, to) = (u64::from(from.ok()?), u64::from(to.ok()?));
            Some(Range { from, to, kind })
        };
        // What lies before an object has a large offset.
        let ranges: Option<Vec<Range>> = offsets.into_iter().map(range).collect();
        ranges.unwrap_or_else(|| vec![all])
    }

    /// Function: true if the slot is that of one.
    fn is_code(&self, slot: Slot) -> bool {
        let object = self.knowledge.object(slot);
        object.is_some_and(|object| matches!(object.what, What::Function(_)))
    }

    /// Number: true if the upper bits of an address may be no object's.
    fn may_be_no_object(&self, owner: TermId) -> bool {
        let is_none = |value: u128| {
            let slot = u32::try_from(value).ok().map(Slot);
            slot.is_none_or(|slot| self.knowledge.object(slot).is_none())
        };
        match self.few(owner) {
            Some(values) => values.into_iter().any(is_none),
            None => true,
        }
    }
}

/// Site of the next instruction.
fn site(state: &EdgeState) -> Site {
    let frame = state.top();
    Site {
        function: frame.function,
        block: frame.block,
        index: frame.index,
    }
}
