//! Escape of objects: from its allocation on, an object is its thread's alone, until its address comes to where another thread may find it.
//! Before that, its memory is ordinary, so that what a thread prepares before it publishes it makes no events of its own, and nobody
//! sees it half done. In the step in which it escapes, the thread *publishes* what is in it: that is what its shared cells hold at first, or, where
//! that depends on what the thread has read, or where the object escapes in several places, they are written there.
//!
//! An address that is stored on a condition, as by a compare-exchange, has escaped on it, and so has one that escaped on one of two
//! paths that meet: where the thread comes back to the object, it has escaped. What an object that escapes points to escapes with it.
//!
//! Nobody else can store the address of an object that has not escaped: what its thread has read from shared memory leads elsewhere.
//! So neither is the object among the targets of such a pointer, nor does it escape where such a value is stored.
//!
//! Arrays, objects that are filled as blocks, those that a number may lead to, and all objects where lost blocks are
//! asked for, or stores may overtake each other, are shared from the start. So are the flags of an object's end where its storage may be
//! another object's: who allocates that asks for them. What a thread's result leads to is published where it ends.

use super::faults::{self, Fault};
use super::memory::Memory;
use super::pass::Pass;
use super::reach::Reach;
use super::slots::SlotSet;
use super::state::PathState;
use super::touch::{CellStart, Space};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{Role, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::term::{Node, TermId};
use hashbrown::HashMap;
use std::rc::Rc;

/// Bits of a byte.
const BYTE: i32 = 8;

impl Pass<'_> {
    /// Own object: true if nobody but the running thread can have its address, or has ever to see it again.
    pub(super) fn is_own(&self, state: &PathState, slot: Slot) -> bool {
        if state.alone {
            return !self.stays_shared(slot);
        }
        if !self.follows_escapes || state.escaped.contains(&slot) {
            return false;
        }
        let may_be_reached =
            self.knowledge.machine.reached && self.knowledge.machine.bases.contains(&slot);
        if self.stays_shared(slot) || self.knowledge.is_exposed(slot) || may_be_reached {
            return false;
        }
        self.is_of_this_thread(slot)
    }

    /// As [`Self::is_own`], for one of its memories.
    pub(super) fn is_own_in(&self, state: &PathState, slot: Slot, space: Space) -> bool {
        let is_asked = !state.alone
            && matches!(space, Space::Ended | Space::Released)
            && self.knowledge.machine.bases.contains(&slot);
        !is_asked && self.is_own(state, slot)
    }

    /// True if others may look at a memory of an object, now or later.
    pub(super) fn is_seen(&self, state: &PathState, slot: Slot, space: Space) -> bool {
        state.concurrent && !self.is_own_in(state, slot, space)
    }

    /// True if no other thread can have found an object on any way to here.
    pub(super) fn is_unknown_to_others(&self, state: &PathState, slot: Slot) -> bool {
        state.concurrent
            && !state.alone
            && (!state.escaping.contains_key(&slot) || faults::on(Fault::EscapeForgotten))
            && self.is_own(state, slot)
    }

    /// Condition that a pointer is an address of an object that no other thread can have found: it is not where the pointer has been
    /// read from shared memory.
    pub(super) fn held_in_private(
        &mut self,
        pointer: TermId,
        (slot, address): (Slot, TermId),
    ) -> TermId {
        let mut known = HashMap::new();
        self.held(pointer, (slot, address), &mut known)
    }

    fn held(
        &mut self,
        pointer: TermId,
        (slot, address): (Slot, TermId),
        known: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        if let Some(&held) = known.get(&pointer) {
            return held;
        }
        let own = self.without_reads(|pass| pass.slot_set(pointer));
        let held = match self.terms.node(pointer) {
            _ if !self.knowledge.sets.contains(own, slot) => self.terms.fals(),
            Node::Ite(cond, a, b) => {
                let a = self.held(a, (slot, address), known);
                let b = self.held(b, (slot, address), known);
                self.terms.ite(cond, a, b)
            }
            _ => self.terms.eq(pointer, address),
        };
        known.insert(pointer, held);
        held
    }

    /// Points-to set of a value where what has been read from shared memory leads nowhere.
    fn without_reads(&mut self, find: impl FnOnce(&mut Self) -> SlotSet) -> SlotSet {
        let reads = std::mem::take(&mut self.read_slots);
        std::mem::swap(&mut self.slot_memo, &mut self.own_slot_memo);
        let found = find(self);
        std::mem::swap(&mut self.slot_memo, &mut self.own_slot_memo);
        self.read_slots = reads;
        found
    }

    /// The running thread accesses an object: if it may have escaped, it has.
    pub(super) fn settle(&mut self, state: &mut PathState, slot: Slot) {
        if let Some(&when) = state.escaping.get(&slot) {
            let always = self.terms.tru();
            if !state.path.excludes(&mut self.terms, when) {
                let others_see = self.published.len();
                self.escape_slot(state, &mut Vec::new(), slot, always);
                // Where it had not escaped before, nobody else can find it now.
                self.published.truncate(others_see);
                Rc::make_mut(&mut state.escaped).insert(slot);
            }
            Rc::make_mut(&mut state.escaping).remove(&slot);
        }
    }

    /// A value comes to where other threads may find it, where a condition holds.
    pub(super) fn escape(&mut self, state: &mut PathState, value: TermId, when: TermId) {
        self.escape_from(state, &mut Vec::new(), value, when);
    }

    /// The same where some objects that lead to the value are escaping already, where `when` holds at least.
    fn escape_from(
        &mut self,
        state: &mut PathState,
        through: &mut Vec<Slot>,
        value: TermId,
        when: TermId,
    ) {
        for slot in self.given_away(state, value) {
            if !through.contains(&slot) {
                self.escape_slot(state, through, slot, when);
            }
        }
    }

    /// A value is stored to whichever reach holds, if `also`.
    pub(super) fn escape_to(
        &mut self,
        state: &mut PathState,
        reaches: &[Reach],
        value: TermId,
        also: TermId,
    ) {
        if !self.follows_escapes || state.alone || self.carried(value).is_empty() {
            return;
        }
        let mut seen = self.terms.fals();
        for reach in reaches {
            if !self.is_own(state, reach.slot) {
                seen = self.terms.or(seen, reach.when);
            }
        }
        let when = self.terms.and(seen, also);
        self.escape(state, value, when);
    }

    /// Escape of one object, where a condition holds.
    fn escape_slot(
        &mut self,
        state: &mut PathState,
        through: &mut Vec<Slot>,
        slot: Slot,
        when: TermId,
    ) {
        if state.alone || !self.is_own(state, slot) {
            return;
        }
        let before = state.escaping.get(&slot).copied();
        let before = before.unwrap_or(self.terms.fals());
        let not_before = self.terms.not(before);
        let now = self.terms.and(when, not_before);
        let happens = self.terms.and(state.path.term(), now);
        if self.terms.as_constant(happens) == Some(0) {
            return;
        }
        let content = state.memory.get(slot).cloned().unwrap_or_default();
        if state.concurrent {
            for (space, offset, bytes, _) in content.parts() {
                if !matches!(space, Space::Own(_)) {
                    self.touch(slot, space, offset, bytes, true);
                }
            }
            self.published.push((slot, happens));
            self.publish(state, slot, now);
        } else {
            // What it holds when threads start is what it holds at first.
            self.escaped_early.insert(slot);
        }
        let after = self.terms.or(before, when);
        if self.terms.as_constant(after) == Some(1) || !state.concurrent {
            Rc::make_mut(&mut state.escaped).insert(slot);
            Rc::make_mut(&mut state.escaping).remove(&slot);
        } else {
            Rc::make_mut(&mut state.escaping).insert(slot, after);
        }
        if faults::on(Fault::EscapeShallow) {
            return;
        }
        through.push(slot);
        for (_, _, _, value) in content.parts() {
            self.escape_from(state, through, value, now);
        }
        through.pop();
    }

    /// Writes to the shared cells of an object what its thread has prepared, where a condition holds.
    fn publish(&mut self, state: &PathState, slot: Slot, when: TermId) {
        let first = self.escapes.entry(slot);
        let first = first.or_insert_with(|| state.memory.clone()).clone();
        if faults::on(Fault::EscapeEmpty) {
            return;
        }
        for ((_, space, offset), width) in self.knowledge.shared_in(slot) {
            if matches!(space, Space::Own(_)) || !self.is_own_in(state, slot, space) {
                continue;
            }
            let value = self.read_private(&state.memory, slot, space, offset, width);
            let at_first = self.read_private(&first, slot, space, offset, width);
            if value == at_first && self.is_unread(value) {
                // The cell holds that already.
                continue;
            }
            let bytes = u32::from(self.program.model.pointer_bits() / 8);
            let whole = if width < bytes && space == Space::Data {
                let start = offset - offset % u64::from(bytes);
                self.read_private(&state.memory, slot, space, start, bytes)
            } else {
                value
            };
            let reach = Reach {
                slot,
                offset,
                element: None,
                when: self.terms.tru(),
            };
            let values = (value, whole);
            self.write_event(state, space, 0, width, &[reach], when, values, Role::Plain);
        }
    }

    /// Escape of what the result of the running thread leads to, which ends.
    pub(super) fn escape_with_result(&mut self, state: &mut PathState, value: TermId) {
        if self.current == ThreadId(0) || !self.follows_escapes {
            return;
        }
        self.here.order = None;
        self.here.position = PosKey::END;
        let always = self.terms.tru();
        self.one_step(|pass| pass.escape(state, value, always));
    }

    /// True if a value depends on nothing that was read from shared memory.
    fn is_unread(&self, value: TermId) -> bool {
        let vars = self.terms.support(value);
        vars.iter().all(|var| self.input_vars.contains(var))
    }

    /// The running thread gives an address away where nothing can be published.
    pub(super) fn expose(&mut self, state: &PathState, value: TermId) {
        for slot in self.given_away(state, value) {
            self.expose_slot(state, slot);
        }
    }

    /// The same for the address of an object; what that points to is exposed as well.
    pub(super) fn expose_slot(&mut self, state: &PathState, slot: Slot) {
        if state.alone || !self.is_own(state, slot) || !self.seen.exposed.insert(slot) {
            return;
        }
        let content = state.memory.get(slot).cloned().unwrap_or_default();
        for (_, _, _, value) in content.parts() {
            self.expose(state, value);
        }
    }

    /// Objects that others may find by a value: what has been read from shared memory leads to none that they cannot have found.
    fn given_away(&mut self, state: &PathState, value: TermId) -> Vec<Slot> {
        let slots = self.carried(value);
        let own = self.without_reads(|pass| pass.carried(value));
        let mut slots = self.knowledge.sets.members(slots).to_vec();
        slots.retain(|slot| {
            self.knowledge.sets.contains(own, *slot) || !self.is_unknown_to_others(state, *slot)
        });
        slots
    }

    /// Objects that a value carries addresses of, whole or in parts.
    pub(super) fn carried(&mut self, value: TermId) -> SlotSet {
        let width = i32::from(self.program.model.pointer_bits());
        if i32::from(self.terms.bits(value)) >= width {
            return self.slots_within(value);
        }
        let mut all = SlotSet::EMPTY;
        for byte in 0..width / BYTE {
            let part = self.slots(value, byte * BYTE);
            all = self.knowledge.sets.union(all, part);
        }
        all
    }

    /// Two paths meet, of which the first is taken if `first`; what has escaped on either has escaped as `one` says then.
    pub(super) fn join_escapes(&mut self, first: TermId, one: &mut PathState, other: &PathState) {
        if one.alone || one.escaped == other.escaped && one.escaping == other.escaping {
            return;
        }
        let sides = [&*one, other];
        let slots: SortedSet<Slot> = (sides.iter())
            .flat_map(|side| side.escaped.iter().chain(side.escaping.keys()))
            .copied()
            .collect();
        let mut escaped = (*one.escaped).clone();
        let mut escaping = SortedMap::new();
        for slot in slots {
            let [a, b] = sides.map(|side| match side.escaping.get(&slot) {
                _ if side.escaped.contains(&slot) => self.terms.tru(),
                Some(&when) if !side.path.excludes(&mut self.terms, when) => when,
                _ => self.terms.fals(),
            });
            let either = self.terms.ite(first, a, b);
            escaped.remove(&slot);
            match self.terms.as_constant(either) {
                Some(0) => {}
                Some(_) => {
                    escaped.insert(slot);
                }
                None => {
                    escaping.insert(slot, either);
                }
            }
        }
        one.escaped = Rc::new(escaped);
        one.escaping = Rc::new(escaping);
    }

    /// The value of a place of an object that has escaped when others first come to it; `None` if it is written where it escapes.
    pub(super) fn at_escape(
        &mut self,
        (slot, space, offset): CellStart,
        width: u32,
        memory: &Memory,
    ) -> Option<TermId> {
        let value = self.read_private(memory, slot, space, offset, width);
        self.is_unread(value).then_some(value)
    }
}
