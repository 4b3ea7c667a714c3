//! The last phase of a program: main has joined all others, and none is created any more. Then memory is ordinary again: what is shared is
//! read once, in the step of the last join, and what main does from there on makes no events. So objects that main frees in the
//! end have not ended while others looked, whatever those compare or keep.
//!
//! Creations that come later, or by others, are known from the pass before. Arrays that are shared, objects that are filled or copied
//! as blocks, results and announcements stay shared.

use super::faults::{self, Fault};
use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::touch::{CellStart, ObjectKey, Space};
use crate::event::{Role, ThreadId};
use crate::ir::address::Slot;
use crate::term::TermId;
use std::rc::Rc;

impl Pass<'_> {
    /// A thread has been created.
    pub(super) fn note_running(&mut self, state: &mut PathState, child: ThreadId) {
        Rc::make_mut(&mut state.running).insert(child);
        self.seen.created_late |= state.alone || self.current != ThreadId(0);
    }

    /// A thread has been joined; `thread` is its number.
    pub(super) fn note_joined(&mut self, state: &mut PathState, thread: TermId) {
        let Some(number) = self.terms.as_constant(thread) else {
            return;
        };
        let Ok(number) = u32::try_from(number) else {
            return;
        };
        let was_running = Rc::make_mut(&mut state.running).remove(&ThreadId(number));
        let is_last = state.running.is_empty() || faults::on(Fault::AloneTooEarly);
        if was_running && is_last && !state.alone {
            self.one_step(|pass| pass.become_alone(state));
        }
    }

    /// Phases of two paths that meet: what runs behind one of them runs behind both (as `one` says), and main is alone, or concurrent, behind
    /// both or behind none. Where it has created nobody yet, memory is as ordinary as where it is alone.
    pub(super) fn join_phases(&mut self, one: &mut PathState, other: &mut PathState) {
        if one.alone != other.alone {
            let late = if one.alone { &mut *other } else { &mut *one };
            // The next pass knows that main is not alone for good.
            self.seen.created_late |= late.concurrent && !late.path.is_dead(&self.terms);
            late.alone = true;
        }
        if !Rc::ptr_eq(&one.running, &other.running) {
            Rc::make_mut(&mut one.running).extend(other.running.iter().copied());
        }
        if one.concurrent != other.concurrent {
            self.become_concurrent(one);
            self.become_concurrent(other);
        }
    }

    fn become_alone(&mut self, state: &mut PathState) {
        let may_be =
            self.current == ThreadId(0) && !self.knowledge.created_late && state.section.is_none();
        if !may_be || state.path.is_dead(&self.terms) {
            return;
        }
        let always = self.terms.tru();
        for (place, width) in self.knowledge.shared_places() {
            let (slot, space, offset) = place;
            if self.stays_shared(slot) || faults::on(Fault::AloneUnread) {
                continue;
            }
            let reach = Reach {
                slot,
                offset,
                element: None,
                when: always,
            };
            let value = self.read_event(state, space, 0, width, &[reach], always, Role::Sync);
            state.memory.get_mut(slot).write(
                |stretch| self.part(stretch),
                space,
                offset,
                width,
                value,
            );
        }
        state.alone = true;
    }

    /// Object that stays shared in the last phase.
    pub(super) fn stays_shared(&self, slot: Slot) -> bool {
        let known = self.knowledge.object(slot).map(|known| known.key);
        matches!(known, Some(ObjectKey::Result(_) | ObjectKey::Watch(..)))
            || self.knowledge.has_blocks(slot)
            || self.knowledge.is_irregular(slot)
    }

    /// Records that the current thread accesses memory of an object: as its own, as one among others, or as the last one, who reads
    /// what the others have left.
    pub(super) fn touch_as(
        &mut self,
        state: &PathState,
        (slot, space, offset): CellStart,
        bytes: u32,
        write: bool,
    ) {
        if state.alone && !self.stays_shared(slot) {
            self.touch(slot, space, offset, bytes, false);
        } else if self.is_seen(state, slot, space) {
            self.touch(slot, space, offset, bytes, write);
            return;
        }
        let is_told = matches!(space, Space::Data | Space::Sync) && state.concurrent;
        let pieces = self.knowledge.pieces(slot, space, offset, bytes);
        if is_told && pieces.iter().any(|piece| piece.2) {
            self.unseen.push((self.current, self.here.position));
        }
    }
}
