//! Machine addresses: which number an internal address means, and what is at a number.
//!
//! The machine address of an object, its *base*, is free: it is chosen when somebody looks at it for the first time. It is
//! aligned as the object asks, no object is in the first page or beyond what a process can have, and two objects share
//! storage only if one had ended before the other was allocated. A schedule says what it has chosen, which is checked.

use super::arithmetic::mask;
use super::life::{Life, New};
use super::memory::Label;
use super::state::State;
use super::stop::{Misplaced, Stop};
use super::watch::{Subject, Watch};
use super::word::Word;
use super::{Choices, Interpreter};
use crate::event::{Origin, ThreadId};
use crate::ir::Undefined;
use crate::ir::address::Slot;
use crate::trace::faults::{self, Fault};
use std::rc::Rc;

impl Interpreter<'_> {
    /// True if the lives of some objects alone are recorded, those with this label among them: when they begin and end
    /// concerns others.
    pub(super) fn is_watched(&self, label: Label) -> bool {
        self.watch.asks(Subject::Objects(label))
    }

    /// True if the lives of some objects alone are recorded, thread-local ones among them.
    pub(super) fn watches_thread_locals(&self) -> bool {
        let Watch::Only(subjects) = &self.watch else {
            return false;
        };
        subjects.iter().any(|subject| match subject {
            Subject::Objects(Label::Static(id)) => self.program.globals[*id].thread_local,
            _ => false,
        })
    }

    /// Takes note of a new object.
    pub(super) fn begin_life(&mut self, state: &mut State, slot: Slot, new: New) {
        self.labels.insert(slot, new.label);
        if self.watch.has(new.label) {
            Rc::make_mut(&mut state.lives).begin(slot, new);
        }
    }

    /// Takes note of an object's end.
    pub(super) fn end_life(&mut self, state: &mut State, slot: Slot, by: ThreadId) {
        if state.lives.get(slot).is_some() {
            Rc::make_mut(&mut state.lives).end(slot, by);
        }
    }

    /// The number that an internal address means.
    pub(super) fn machine(
        &mut self,
        state: &mut State,
        address: u128,
        choices: &mut dyn Choices,
    ) -> Result<u128, Stop> {
        let slot = self.slot_of(address).unwrap_or(Slot::NULL);
        let base = self.base(state, slot, choices)?;
        Ok(self.moved(address, slot, base))
    }

    /// The number that an internal address means, if its object's base has been chosen.
    pub fn known_machine(&self, state: &State, address: u128) -> Option<u128> {
        let slot = self.slot_of(address)?;
        let base = state.lives.get(slot)?.base?;
        Some(self.moved(address, slot, base))
    }

    fn moved(&self, address: u128, slot: Slot, base: u64) -> u128 {
        let offset = address.wrapping_sub(u128::from(self.space.base(slot)));
        offset.wrapping_add(u128::from(base)) & mask(self.space.pointer_bits)
    }

    /// The bits of `which`, all in the low page, of the number that an internal address means. Where the object's alignment
    /// determines them, nobody looks at its base.
    pub(super) fn low_bits(
        &mut self,
        state: &mut State,
        address: u128,
        which: u128,
        choices: &mut dyn Choices,
    ) -> Result<u128, Stop> {
        let slot = self.slot_of(address).unwrap_or(Slot::NULL);
        let align = match state.memory.get(slot) {
            Some(object) => object.align_bytes,
            None if self.is_function(slot) => 1,
            None => self.life(state, slot)?.map_or(1, |life| life.align_bytes),
        };
        if which < u128::from(align) {
            let offset = address.wrapping_sub(u128::from(self.space.base(slot)));
            return Ok(offset & which);
        }
        Ok(self.machine(state, address, choices)? & which)
    }

    pub(super) fn slot_of(&self, address: u128) -> Option<Slot> {
        u64::try_from(address)
            .ok()
            .and_then(|address| self.space.slot(address))
    }

    /// Life of the object in a slot, an error if it is not recorded; `None` if the slot was never used.
    pub(super) fn life<'s>(&self, state: &'s State, slot: Slot) -> Result<Option<&'s Life>, Stop> {
        let label = self.labels.get(&slot).copied().flatten();
        if self.watch.has(label) {
            Ok(state.lives.get(slot))
        } else {
            Err(Stop::Unwatched(Subject::lives(label)))
        }
    }

    /// An address is cast to an integer. Where numbers are used as addresses, that places its object, so that they may lead there.
    pub(super) fn expose(
        &mut self,
        state: &mut State,
        word: Word,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        if self.watch.asks(Subject::Casts) {
            self.number(state, word, choices)?;
        }
        Ok(())
    }

    pub(super) fn is_function(&self, slot: Slot) -> bool {
        matches!(self.origins.get(&slot), Some(Origin::Function(_)))
    }

    /// The base of the object in a slot.
    fn base(
        &mut self,
        state: &mut State,
        slot: Slot,
        choices: &mut dyn Choices,
    ) -> Result<u64, Stop> {
        if let Some(base) = state.lives.get(slot).and_then(|life| life.base) {
            return Ok(base);
        }
        if let Some(Origin::Function(function)) = self.origins.get(&slot)
            && self.watch.has(None)
        {
            Rc::make_mut(&mut state.lives).begin_function(slot, *function);
        }
        let Some(life) = self.life(state, slot)?.copied() else {
            return Err(Stop::Misplaced(Misplaced::Room));
        };
        let base = match self.bases.get(&life.origin) {
            Some(base) => *base,
            None => {
                let candidates = self.candidates(state, slot, &life);
                if candidates.is_empty() {
                    return Err(Stop::Misplaced(Misplaced::Room));
                }
                choices.base(life.origin, &candidates)
            }
        };
        if let Some(why) = self.misplaced(state, slot, &life, base) {
            return Err(Stop::Misplaced(why));
        }
        choices.note_base(life.origin, base);
        Rc::make_mut(&mut state.lives).place(slot, base);
        // Whoever has the number can make an address of it.
        state.memory.escape(self.space, slot);
        Ok(base)
    }

    /// Reason why the object in a slot cannot be at a machine address; `None` if it can.
    pub(super) fn misplaced(
        &self,
        state: &State,
        slot: Slot,
        life: &Life,
        base: u64,
    ) -> Option<Misplaced> {
        if !base.is_multiple_of(life.align_bytes) {
            return Some(Misplaced::Alignment);
        }
        let Some(end) = base.checked_add(life.size_bytes) else {
            return Some(Misplaced::Range);
        };
        if base < self.space.lowest() || end >= self.space.highest() {
            return Some(Misplaced::Range);
        }
        state.lives.placed().find_map(|(other, there, at)| {
            let apart = end <= at || at + there.size_bytes <= base;
            let free = other == slot
                || apart
                || life.may_share(there)
                || at == base && (life.instead == Some(other) || there.instead == Some(slot))
                || self.is_end_of_text(state, (slot, base), (other, at))
                || self.is_end_of_text(state, (other, at), (slot, base));
            (!free).then_some(Misplaced::Overlap(there.origin))
        })
    }

    /// Shared string literals: true if `short` lies at the end of `long` and `long` ends with its text.
    fn is_end_of_text(&self, state: &State, short: (Slot, u64), long: (Slot, u64)) -> bool {
        let text = |slot| {
            let object = state.memory.get(slot).filter(|object| object.read_only)?;
            let Label::Static(id) = object.label else {
                return None;
            };
            let is_text = self.program.globals[id].name.starts_with('"');
            is_text.then_some(&object.bytes)
        };
        let (Some(tail), Some(whole)) = (text(short.0), text(long.0)) else {
            return false;
        };
        whole.ends_with(tail) && short.1 + tail.len() as u64 == long.1 + whole.len() as u64
    }

    /// The internal address of the place that a word names, if it names any: a number names a place in a live object
    /// whose base has been chosen.
    pub(super) fn named(
        &mut self,
        state: &mut State,
        word: Word,
        choices: &mut dyn Choices,
    ) -> Result<Option<u128>, Stop> {
        if word.is_number() && self.is_machine(word.value) {
            if self.watch.lacks(Subject::Casts) {
                return Err(Stop::Unwatched(Subject::Casts));
            }
            self.place_given(state, word.value as u64, choices)?;
        }
        Ok(self.known(state, word))
    }

    /// As [`Self::named`], as far as bases have been chosen.
    pub fn known(&self, state: &State, word: Word) -> Option<u128> {
        if !word.is_number() {
            return Some(word.value);
        }
        let number = u64::try_from(word.value).ok()?;
        match self.living(state, number) {
            Some((slot, base)) => Some(u128::from(self.space.base(slot) + (number - base))),
            // A word that nobody has set may have the bits of an address.
            None => {
                let slot = self.space.slot(number)?;
                state.memory.get(slot).map(|_| word.value)
            }
        }
    }

    /// The live object that a number is in, and its base, as far as bases have been chosen.
    fn living(&self, state: &State, number: u64) -> Option<(Slot, u64)> {
        let found = state.lives.placed().find(|(_, life, base)| {
            let inside = *base <= number && number - base < life.size_bytes;
            let lives = life.ended.is_none() || faults::on(Fault::LeadsToEnded);
            lives && inside && !state.lives.waits(life)
        });
        found.map(|(slot, _, base)| (slot, base))
    }

    /// Undefined behaviour of the use of an internal address where no object is: `otherwise`, or, if its object has
    /// ended and stood at a known machine address, a kind that says whether something lives there now. That of a `free` is
    /// one of a `free`.
    pub(super) fn past(&self, state: &State, address: u128, otherwise: Undefined) -> Undefined {
        let life = self.slot_of(address).and_then(|slot| state.lives.get(slot));
        let has_ended = life.is_some_and(|life| life.ended.is_some());
        let number = self.known_machine(state, address);
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(number) if has_ended => match (otherwise, self.living(state, number)) {
                (Undefined::InvalidFree, Some(_)) => Undefined::StaleFree,
                (Undefined::InvalidFree, None) => Undefined::DoubleFree,
                (_, Some(_)) => Undefined::StalePointer,
                (_, None) => Undefined::UseAfterFree,
            },
            _ => otherwise,
        }
    }

    /// Range of machine addresses: true if an object may be at a number.
    pub(super) fn is_machine(&self, number: u128) -> bool {
        number >= u128::from(self.space.lowest()) && number < u128::from(self.space.highest())
    }

    /// Places the live objects that the schedule has a base of which includes a number: who has it may use it.
    fn place_given(
        &mut self,
        state: &mut State,
        number: u64,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        if self.bases.is_empty() {
            return Ok(());
        }
        let is_there = |origin: Origin, size: u64| {
            let base = self.bases.get(&origin);
            base.is_some_and(|base| *base <= number && number - base < size)
        };
        let mut there: Vec<Slot> = state
            .lives
            .iter()
            .filter(|(_, life)| life.base.is_none() && life.ended.is_none())
            .filter(|(_, life)| is_there(life.origin, life.size_bytes))
            .map(|(slot, _)| slot)
            .collect();
        let functions = self.program.functions.ids().map(Origin::Function);
        let function = functions.into_iter().find(|origin| is_there(*origin, 1));
        there.extend(function.map(|origin| self.slot(origin)));
        for slot in there {
            self.base(state, slot, choices)?;
        }
        Ok(())
    }
}
