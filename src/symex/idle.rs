//! Idle iterations: an iteration that comes back to the loop's head with no change of shared memory nor of live
//! local state reaches nothing that the execution without it does not reach. Where leaks are asked, it must also lose no memory
//! ([`Pass::nothing_lost`]). None of this holds of what asks whether threads come to an end. The condition is a term, so
//! that a loop body with one idle way round and one that works loses only the idle one.
//!
//! A *wait* is an iteration that is idle but for a mutex that it gives back and takes again, as one around `pthread_cond_wait` is:
//! others get the mutex meanwhile, who would not without it. Of several waits in a row, the first can last as long as all of
//! them, so that those behind it are idle.
//!
//! An iteration comes *round* if it leaves the thread as it was, whatever it has written: beside threads that never go on, another one
//! writes the same, as far as it reads the same. That is no reason to leave it out, but to ask whether the thread spins
//! (`rest.rs`).

use super::element::Field;
use super::memory::{History, Memory, Stretch};
use super::overwrite::{ElementWrite, Old};
use super::pass::Pass;
use super::registers::Registers;
use super::state::PathState;
use super::touch::{CellStart, Space};
use crate::analysis::liveness::RegSet;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::{EventId, EventKind, Role, SectionId, Target, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{GoalKinds, InstrKind, Note, Program};
use crate::symex::faults::{self, Fault};
use crate::term::{TermId, Terms};
use hashbrown::HashMap;
use std::rc::Rc;

/// Kinds of goals that are preserved: whatever an assertion or a cut sees after the iteration it sees without it, and within
/// it, before it begins again. A state at the end is the same where the iteration loses no memory, which is asked for then.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Mutexes without attempts: true if they are only locked and unlocked, never tried; then holding one for a while and
/// giving it back goes unnoticed.
pub fn locks_only(program: &Program) -> bool {
    program.functions.iter().all(|function| {
        function.blocks.iter().all(|block| {
            block
                .instrs
                .iter()
                .all(|instr| !matches!(instr.kind, InstrKind::TryLock { .. }))
        })
    })
}

/// Start of an iteration, as it is remembered.
#[derive(Clone)]
pub(super) struct Head {
    pub regs: Registers,
    pub section: Option<(SectionId, u32)>,
    /// Its number, among all of the pass.
    pub turn: u32,
    /// The first event of the iteration.
    pub event: EventId,
    /// Inputs before it.
    pub inputs: usize,
    /// Instructions executed, and private writes made, before it.
    pub executed: u64,
    pub writes: usize,
    /// Objects that have escaped before it.
    pub published: usize,
    /// True if main is alone there.
    pub alone: bool,
    /// Writes to elements of private arrays made before it.
    pub element_writes: usize,
    /// Condition that the iteration before was a wait.
    pub waited: TermId,
}

/// Idleness of an iteration.
pub(super) struct Idle {
    /// Condition that it may be left out.
    pub idle: TermId,
    /// Condition that it is a wait, or idle altogether.
    pub waits: TermId,
    /// Condition that it comes round.
    pub round: TermId,
}

/// Idleness as it adds up: of an iteration that has no effect on others, and of one that comes round.
struct Ways {
    waits: TermId,
    round: TermId,
    /// It gives a mutex back and takes it again.
    opens: bool,
}

/// Overlap of `bytes` bytes from `place` on with a known run. (The caller has ruled out that it is the same one.)
fn overlaps(known: &SortedMap<CellStart, u32>, place: CellStart, bytes: u32) -> bool {
    let (slot, space, offset) = place;
    let end = offset + u64::from(bytes);
    let before = known.range(..(slot, space, end)).next_back();
    before.is_some_and(|((s, p, start), width)| {
        *s == slot && *p == space && start + u64::from(*width) > offset
    })
}

impl Pass<'_> {
    /// Start of the iteration that begins.
    pub(super) fn head(&self, state: &PathState) -> Head {
        Head {
            regs: state.regs.clone(),
            section: state.section,
            turn: self.turns,
            event: self.events.next_id(),
            inputs: self.inputs.len(),
            executed: self.executed,
            writes: self.private_writes.len(),
            published: self.published.len(),
            alone: state.alone,
            element_writes: self.element_writes.len(),
            waited: self.terms.fals(),
        }
    }

    /// Object that an iteration has allocated.
    fn is_new(&self, head: &Head, slot: Slot) -> bool {
        let at = self.allocated_at.get(&slot);
        at.is_some_and(|at| *at >= head.executed)
    }

    /// Remembers what a private write is about to replace.
    pub(super) fn note_write(&mut self, state: &PathState, place: CellStart, bytes: u32) {
        let (slot, space, offset) = place;
        let old = match state.memory.get(slot) {
            None => Old::Initial,
            Some(content) => match content.read(space, offset, bytes)[..] {
                [Stretch::Whole(value)] => Old::KnownObject(value),
                [Stretch::Part(value, lo, bits)] => {
                    Old::KnownObject(self.terms.extract(value, lo, bits))
                }
                [Stretch::Gap(at, width)] if content.has_blocks() => {
                    let content = content.clone();
                    Old::KnownObject(self.read_gap(&content, (slot, space), at, width))
                }
                [Stretch::Gap(..)] => Old::Initial,
                _ => Old::Mixed,
            },
        };
        self.private_writes.push((place, bytes, old));
    }

    /// Remembers a write to an element of a private array.
    pub(super) fn note_element(
        &mut self,
        field: Field,
        before: &Rc<History>,
        element: TermId,
        when: TermId,
        value: TermId,
    ) {
        self.element_writes.push(ElementWrite {
            field,
            before: before.clone(),
            element,
            when,
            value,
        });
    }

    /// Whether the way from the start of an iteration to `back` was idle.
    pub(super) fn idle(&mut self, head: &Head, back: &PathState, live: &RegSet) -> Idle {
        let same = self.leaves_thread(head, back, live);
        let ways = if self.terms.as_constant(same) == Some(0) {
            Ways {
                waits: same,
                round: same,
                opens: false,
            }
        } else {
            self.silent(back, head.event, same)
        };
        let Ways {
            mut waits,
            mut round,
            opens,
        } = ways;
        if self.deadlocks {
            let turns = self.becomes_shared_or_private(head, back);
            let as_before = self.terms.not(turns);
            waits = self.terms.and(waits, as_before);
            round = self.terms.and(round, as_before);
        }
        let idle = if opens && !faults::on(Fault::IdleWaits) {
            self.terms.and(waits, head.waited)
        } else {
            waits
        };
        Idle { idle, waits, round }
    }

    /// The condition that the next iteration finds memory shared that was private when this one began, or the other way round: it may read there
    /// what this one could not. An object that is new belongs to this iteration alone.
    fn becomes_shared_or_private(&mut self, head: &Head, back: &PathState) -> TermId {
        if head.alone != back.alone {
            return self.terms.tru();
        }
        let mut some = self.terms.fals();
        for &(slot, when) in &self.published[head.published..] {
            if !self.is_new(head, slot) && !faults::on(Fault::SpinPublishes) {
                some = self.terms.or(some, when);
            }
        }
        some
    }

    /// The condition that an iteration leaves the thread as it was: its registers and what nobody else sees.
    fn leaves_thread(&mut self, head: &Head, back: &PathState, live: &RegSet) -> TermId {
        let mut idle = self.terms.tru();
        // Of paths that are apart, what has been noted is mixed up.
        if self.apart || head.section != back.section || !PRESERVES.contain(self.goals) {
            return self.terms.fals();
        }
        for reg in live.iter() {
            if faults::on(Fault::IdleRegisters) {
                break;
            }
            let same = match (head.regs[reg.index()], back.regs[reg.index()]) {
                (Some(a), Some(b)) => self.terms.eq(a, b),
                (None, None) => continue,
                _ => self.terms.fals(),
            };
            idle = self.terms.and(idle, same);
            if self.terms.as_constant(idle) == Some(0) {
                return idle;
            }
        }
        if self.leaks && !faults::on(Fault::IdleLosses) {
            let same = self.nothing_lost(head, back);
            idle = self.terms.and(idle, same);
        }
        let mut seen: SortedMap<CellStart, u32> = SortedMap::new();
        for index in head.writes..self.private_writes.len() {
            let (place, bytes, old) = self.private_writes[index];
            if faults::on(Fault::IdlePrivate) {
                break;
            }
            let (slot, space, offset) = place;
            // With everything else unchanged nothing leads to an object that is new.
            if self.is_new(head, slot) || seen.get(&place) == Some(&bytes) {
                continue;
            }
            if overlaps(&seen, place, bytes) {
                return self.terms.fals();
            }
            seen.insert(place, bytes);
            let before = match old {
                Old::KnownObject(value) => value,
                Old::Initial => self.read_private(&Memory::default(), slot, space, offset, bytes),
                Old::Mixed => return self.terms.fals(),
            };
            let now = self.read_private(&back.memory, slot, space, offset, bytes);
            let same = self.terms.eq(before, now);
            idle = self.terms.and(idle, same);
            if self.terms.as_constant(idle) == Some(0) {
                return idle;
            }
        }
        for index in head.element_writes..self.element_writes.len() {
            let write = &self.element_writes[index];
            let (field, before) = (write.field, write.before.clone());
            let (element, when, value) = (write.element, write.when, write.value);
            // Element for element nothing may have changed, whatever a later write restores.
            let old = self.read_history(field, &before, element, &mut HashMap::new());
            let same = self.terms.eq(old, value);
            let harmless = self.terms.implies(when, same);
            idle = self.terms.and(idle, harmless);
            if self.terms.as_constant(idle) == Some(0) {
                return idle;
            }
        }
        idle
    }

    /// What becomes of an iteration that leaves the thread as it was, by the events since `since` that happened on the path.
    fn silent(&mut self, back: &PathState, since: EventId, same: TermId) -> Ways {
        let mut ways = Ways {
            waits: same,
            round: same,
            opens: false,
        };
        // Mutex operations on one target list come in pairs that undo each other.
        let mut held: Vec<(Vec<Target>, TermId)> = Vec::new();
        let mut waiting: Vec<(Vec<Target>, TermId)> = Vec::new();
        let pair = |terms: &mut Terms, open: &mut Vec<(Vec<Target>, TermId)>, targets, when| {
            let known = open.iter().position(|(other, _)| *other == targets);
            match known {
                Some(index) => {
                    let (_, other) = open.swap_remove(index);
                    (terms.eq(other, when), false)
                }
                None => {
                    open.push((targets, when));
                    (terms.tru(), true)
                }
            }
        };
        for id in (since.0..self.events.next_id().0).map(EventId) {
            let event = self.events[id].clone();
            let happens = self.under(back, event.guard);
            if self.terms.as_constant(happens) == Some(0) {
                continue;
            }
            let absent = self.terms.not(happens);
            let quiet = match event.kind {
                EventKind::Write {
                    value,
                    role: Role::Update,
                    targets,
                } => {
                    let unchanged = match self.update_before(id, &targets) {
                        Some(old) => self.terms.eq(old, value),
                        None => self.terms.fals(),
                    };
                    self.terms.or(absent, unchanged)
                }
                EventKind::Write {
                    role: role @ (Role::Lock | Role::Unlock),
                    targets,
                    ..
                } if self.locks_only => {
                    let (quiet, is_first) = pair(&mut self.terms, &mut held, targets, happens);
                    ways.opens |= is_first && role == Role::Unlock;
                    quiet
                }
                // A thread that joins those who wait on a condition, and leaves them unless somebody has taken it out.
                EventKind::Write { targets, value, .. } if self.are_waiters(&targets) => {
                    let own = match self.read_before(id, since, &targets) {
                        Some(old) => self.differ_by_thread((old, value), self.current),
                        None => self.terms.fals(),
                    };
                    let own = self.terms.or(absent, own);
                    let (quiet, _) = pair(&mut self.terms, &mut waiting, targets, happens);
                    self.terms.and(own, quiet)
                }
                // What is announced is taken back before the iteration comes to its end.
                EventKind::Write {
                    role: Role::Watch, ..
                } => self.terms.tru(),
                EventKind::Write { .. } if faults::on(Fault::IdleWrites) => self.terms.tru(),
                EventKind::Write { .. } => absent,
                EventKind::Create { .. } | EventKind::End => {
                    ways.round = self.terms.and(ways.round, absent);
                    absent
                }
                _ => self.terms.tru(),
            };
            ways.waits = self.terms.and(ways.waits, quiet);
            if !self.deadlocks && self.terms.as_constant(ways.waits) == Some(0)
                || self.terms.as_constant(ways.round) == Some(0)
            {
                return ways;
            }
        }
        for (_, happens) in held.into_iter().chain(waiting) {
            let quiet = self.terms.not(happens);
            ways.waits = self.terms.and(ways.waits, quiet);
        }
        ways
    }

    /// The condition that two words of threads that wait on a condition are the same but for one thread.
    pub(super) fn differ_by_thread(
        &mut self,
        (a, b): (TermId, TermId),
        thread: ThreadId,
    ) -> TermId {
        let own = 1u128.checked_shl(thread.0).unwrap_or(0);
        let own = self.terms.constant(own, self.terms.bits(a));
        let [a, b] = [a, b].map(|word| self.terms.or(word, own));
        self.terms.eq(a, b)
    }

    /// True if an access is to who waits on condition variables, where deadlocks are asked for (`library/models/condition.c`).
    pub(super) fn are_waiters(&self, targets: &[Target]) -> bool {
        self.deadlocks
            && targets.iter().all(|target| {
                let ((_, space, _), _) = self.cell_places[target.cell.index()];
                space == Space::Note(Note::Waiters)
            })
    }

    /// A guard, given that the path was taken.
    fn under(&mut self, back: &PathState, guard: TermId) -> TermId {
        if back.path.implies(&self.terms, guard) {
            return self.terms.tru();
        }
        let contrary = self.terms.not(guard);
        let outside = self.terms.and(back.path.term(), contrary);
        let inside = self.terms.and(back.path.term(), guard);
        if self.terms.as_constant(outside) == Some(0) {
            self.terms.tru()
        } else if self.terms.as_constant(inside) == Some(0) {
            self.terms.fals()
        } else {
            guard
        }
    }

    /// The value that the read half of the update whose write is `id` returned.
    fn update_before(&self, id: EventId, targets: &[Target]) -> Option<TermId> {
        let position = self.events[id].position;
        (0..id.0)
            .rev()
            .map(EventId)
            .take_while(|id| self.events[*id].position == position)
            .find_map(|id| match &self.events[id].kind {
                EventKind::Read {
                    value,
                    targets: own,
                    role: Role::Update,
                } if own[..] == *targets => Some(*value),
                _ => None,
            })
    }

    /// The last value that the running thread has read at these targets since an event.
    fn read_before(&self, id: EventId, since: EventId, targets: &[Target]) -> Option<TermId> {
        let before = (since.0..id.0).rev().map(EventId);
        let mut own = before.filter(|id| self.events[*id].thread == self.current);
        own.find_map(|id| match &self.events[id].kind {
            EventKind::Read {
                value,
                targets: own,
                ..
            } if own[..] == *targets => Some(*value),
            _ => None,
        })
    }
}
