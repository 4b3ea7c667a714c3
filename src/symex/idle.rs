//! Idle iterations: an iteration that comes back to the loop's head with no change of shared memory nor of live
//! local state reaches nothing that the execution without it does not reach (`semantics.md`, "Loops and
//! bounds"). The condition is a term, so that a loop body with one idle way round and one that works
//! loses only the idle one.

use super::pass::Pass;
use super::state::State;
use crate::analysis::liveness::RegSet;
use crate::base::id::Id;
use crate::event::{EventId, EventKind, Role, Target};
use crate::ir::{InstrKind, Program};
use crate::term::TermId;

/// Whether mutexes are only locked and unlocked, never tried: then holding one for a while and giving it
/// back goes unnoticed.
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

impl Pass<'_> {
    /// The condition under which the way from `head` (the state at the start of the iteration, before the
    /// event `since` and after `executed` instructions) to `back` was idle.
    pub(super) fn idle(
        &mut self,
        head: &State,
        back: &State,
        live: &RegSet,
        (since, executed): (EventId, u64),
    ) -> TermId {
        let mut idle = self.terms.tru();
        if head.section != back.section {
            return self.terms.fals();
        }
        for reg in live.iter() {
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
        for (slot, space, offset, width) in head.memory.differences(&back.memory) {
            // With everything else unchanged nothing leads to an object that is new.
            if self
                .allocated_at
                .get(&slot)
                .is_some_and(|at| *at >= executed)
            {
                continue;
            }
            let a = self.read_private(&head.memory, slot, space, offset, width);
            let b = self.read_private(&back.memory, slot, space, offset, width);
            let same = self.terms.eq(a, b);
            idle = self.terms.and(idle, same);
            if self.terms.as_constant(idle) == Some(0) {
                return idle;
            }
        }
        self.silent(back, since, idle)
    }

    /// `idle`, and no event since `since` that happened on the path changed what others see.
    fn silent(&mut self, back: &State, since: EventId, mut idle: TermId) -> TermId {
        // Mutex operations on one target list come in pairs that undo each other.
        let mut held: Vec<(Vec<Target>, TermId)> = Vec::new();
        for id in (since.0..self.events.next_id().0).map(EventId) {
            let event = self.events[id].clone();
            let happens = self.under(back, event.guard);
            if self.terms.as_constant(happens) == Some(0) {
                continue;
            }
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
                    let silent = self.terms.not(happens);
                    self.terms.or(silent, unchanged)
                }
                EventKind::Write {
                    role: Role::Lock | Role::Unlock,
                    targets,
                    ..
                } if self.locks_only => {
                    if let Some(index) = held.iter().position(|(other, _)| *other == targets) {
                        let (_, other) = held.swap_remove(index);
                        self.terms.eq(other, happens)
                    } else {
                        held.push((targets, happens));
                        self.terms.tru()
                    }
                }
                EventKind::Write { .. } | EventKind::Create { .. } | EventKind::End => {
                    self.terms.not(happens)
                }
                _ => self.terms.tru(),
            };
            idle = self.terms.and(idle, quiet);
            if self.terms.as_constant(idle) == Some(0) {
                return idle;
            }
        }
        for (_, happens) in held {
            let quiet = self.terms.not(happens);
            idle = self.terms.and(idle, quiet);
        }
        idle
    }

    /// A guard, given that the path was taken.
    fn under(&mut self, back: &State, guard: TermId) -> TermId {
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
}
