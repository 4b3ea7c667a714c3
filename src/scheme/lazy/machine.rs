//! Executing steps: memory and ends of threads are functions of the schedule so far and of what has been read.
//!
//! What a read returns is a free variable, of which is said: if the read's step is executed here, it is what memory holds
//! (or what the writer of the cell has come to, see [`single`](super::single)). So guards and values are terms that are
//! built once, whatever the number of slots. The variable of a read that is not executed is arbitrary; nothing that
//! counts depends on it.
//!
//! A section is all or nothing. Inside, reads see the section's own writes as far as their events are reached
//! ([`Event::reached`](crate::event::Event)); only then it is known whether the section can finish, and
//! memory takes its writes if so.

use super::bits;
use super::prune::Footprint;
use super::single::{At, Single};
use crate::base::IdVec;
use crate::base::faults::{self, Fault};
use crate::event::{CellId, Event, EventId, EventKind, EventProgram, Role, Target, ThreadId};
use crate::scheme::memory::{Circuit, Memory};
use crate::scheme::turn::Steps;
use crate::term::{TermId, Terms};

/// What all steps so far have made.
pub(super) struct Machine<M> {
    pub memory: M,
    /// The condition that each thread has ended.
    pub ended: IdVec<ThreadId, TermId>,
    /// Cells that one thread writes.
    single: Single,
    /// By cell, how many bits it holds, if not all.
    widths: IdVec<CellId, Option<u16>>,
}

impl<M: Memory> Machine<M> {
    /// Nothing has been executed.
    pub fn new(program: &mut EventProgram, steps: &Steps, bits: Option<u16>) -> Machine<M> {
        let fals = program.terms.fals();
        Machine {
            memory: M::init(program),
            ended: program.threads.iter().map(|_| fals).collect(),
            single: Single::of(program, steps),
            widths: bits::widths(program, bits),
        }
    }

    /// Executes the events of one node, of the step that may be executed here, and notes what they touch.
    pub fn execute(
        &mut self,
        events: &IdVec<EventId, Event>,
        circuit: &mut Circuit,
        node: &[EventId],
        at: &At,
        footprint: &mut Footprint,
    ) {
        let here = at.here;
        // Writes that a later part of the step may still call off are kept apart from memory.
        let torn = faults::on(Fault::SectionTorn);
        let tentative = !torn
            && node.iter().any(|&id| {
                let event = &events[id];
                matches!(event.kind, EventKind::Write { .. }) && event.guard != event.reached
            });
        self.fence_section(events, circuit, node.first(), here);
        let mut inside = tentative.then(|| self.memory.clone());
        for &id in node {
            let event = &events[id];
            match &event.kind {
                EventKind::Read { .. } => self.read(circuit, &mut inside, (id, event), at),
                EventKind::Write { .. } => {
                    let condition = match torn || tentative {
                        true => event.reached,
                        false => event.guard,
                    };
                    self.write(circuit, &mut inside, event, condition, here);
                }
                EventKind::Join { targets, done } => {
                    self.join(circuit, targets, *done, here);
                }
                EventKind::Create { .. } => {
                    let when = circuit.terms.and(here, event.guard);
                    self.memory.fence(circuit, event.thread, None, when);
                }
                EventKind::End => {
                    let early = faults::on(Fault::EndEarly);
                    let here = if early { circuit.terms.tru() } else { here };
                    let ends = circuit.terms.and(here, event.guard);
                    self.memory.fence(circuit, event.thread, None, ends);
                    let ended = &mut self.ended[event.thread];
                    *ended = circuit.terms.or(*ended, ends);
                }
                EventKind::Fence => {
                    let when = circuit.terms.and(here, event.guard);
                    self.memory.fence(circuit, event.thread, event.order, when);
                }
                EventKind::Assert { .. } | EventKind::Cut { .. } => {}
            }
        }
        if tentative {
            for &id in node {
                let event = &events[id];
                if matches!(event.kind, EventKind::Write { .. }) {
                    self.write(circuit, &mut None, event, event.guard, here);
                }
            }
        }
        self.fence_section(events, circuit, node.last(), here);
        self.note(events, circuit.terms, node, here, footprint);
    }

    /// Nothing is pending at the begin and the end of an atomic section.
    fn fence_section(
        &mut self,
        events: &IdVec<EventId, Event>,
        circuit: &mut Circuit,
        at: Option<&EventId>,
        here: TermId,
    ) {
        if let Some(&id) = at
            && events[id].section.is_some()
        {
            self.memory.fence(circuit, events[id].thread, None, here);
        }
    }

    fn read(
        &mut self,
        circuit: &mut Circuit,
        inside: &mut Option<M>,
        (id, event): (EventId, &Event),
        at: &At,
    ) {
        let EventKind::Read {
            value,
            targets,
            role,
        } = &event.kind
        else {
            return;
        };
        if faults::on(Fault::ForgetRead) && at.slot > 0 {
            return;
        }
        let here = at.here;
        if M::IMMEDIATE
            && let [target] = &targets[..]
            && self.single.read(circuit, (id, *value), target.cell, at)
        {
            return;
        }
        let mut found: Option<TermId> = None;
        for target in targets {
            let memory = inside.as_mut().unwrap_or(&mut self.memory);
            let now = match is_lock(*role) {
                true => memory.lock(circuit, event.thread, target.cell, here),
                false => memory.read(circuit, event.thread, target.cell, here),
            };
            found = Some(match found {
                None => now,
                Some(_) if faults::on(Fault::ReadWhen) => now,
                Some(other) => circuit.terms.ite(target.when, now, other),
            });
        }
        let Some(found) = found else { return };
        let formula = &mut *circuit.formula;
        let premises = [here, event.reached].map(|t| formula.lit_of(circuit.terms, t));
        let value = formula.bits_of(circuit.terms, *value).to_vec();
        let found = formula.bits_of(circuit.terms, found).to_vec();
        formula.equal_if(&premises, &value, &found);
    }

    fn write(
        &mut self,
        circuit: &mut Circuit,
        inside: &mut Option<M>,
        event: &Event,
        condition: TermId,
        here: TermId,
    ) {
        let EventKind::Write {
            value,
            targets,
            role,
        } = &event.kind
        else {
            return;
        };
        let value = *value;
        let condition = match faults::on(Fault::WriteGuard) {
            true => circuit.terms.tru(),
            false => condition,
        };
        let happens = circuit.terms.and(here, condition);
        for target in targets {
            let when = match faults::on(Fault::WriteWhen) {
                true => circuit.terms.tru(),
                false => target.when,
            };
            let act = circuit.terms.and(happens, when);
            let value = match self.widths[target.cell] {
                Some(bits) => fitted(circuit, value, bits, act),
                None => value,
            };
            let memory = inside.as_mut().unwrap_or(&mut self.memory);
            match is_lock(*role) {
                true => memory.unlock(circuit, event.thread, target.cell, value, act),
                false => memory.write(circuit, event.thread, target.cell, value, act),
            }
        }
    }

    fn join(
        &mut self,
        circuit: &mut Circuit,
        targets: &[(ThreadId, TermId)],
        done: TermId,
        here: TermId,
    ) {
        let tru = circuit.terms.tru();
        let mut through = circuit.terms.fals();
        for &(target, when) in targets {
            let ended = match faults::on(Fault::JoinWithoutEnd) {
                true => tru,
                false => self.ended[target],
            };
            let when = match faults::on(Fault::JoinAnyThread) {
                true => tru,
                false => when,
            };
            let one = circuit.terms.and(when, ended);
            through = circuit.terms.or(through, one);
        }
        let formula = &mut *circuit.formula;
        let [here, done, through] = [here, done, through].map(|t| formula.lit_of(circuit.terms, t));
        formula.equal_if(&[here], &[done], &[through]);
    }

    /// Notes what a node touches, once all its variables are known.
    fn note(
        &mut self,
        events: &IdVec<EventId, Event>,
        terms: &mut Terms,
        node: &[EventId],
        here: TermId,
        footprint: &mut Footprint,
    ) {
        if !footprint.is_kept() {
            return;
        }
        for &id in node {
            let event = &events[id];
            let (targets, write): (&[Target], bool) = match &event.kind {
                EventKind::Read { targets, .. } => (targets, false),
                EventKind::Write { targets, .. } => (targets, true),
                EventKind::Join { targets, .. } => {
                    for &(target, when) in targets {
                        footprint.joins(target, when);
                    }
                    continue;
                }
                _ => continue,
            };
            // Where a section does not finish, it still has to be tried where it is.
            let reached = terms.and(here, event.reached);
            for target in targets {
                let when = terms.and(reached, target.when);
                footprint.touches(target.cell, write, when);
            }
        }
    }
}

/// A value of which a cell holds only the lowest bits and the sign: where it is written, it fits.
fn fitted(circuit: &mut Circuit, value: TermId, bits: u16, act: TermId) -> TermId {
    let width = circuit.terms.bits(value);
    let low = circuit.terms.extract(value, 0, bits);
    let short = circuit.terms.sign_extend(low, width);
    let fits = circuit.terms.eq(short, value);
    let act = circuit.formula.lit_of(circuit.terms, act);
    let fits = circuit.formula.lit_of(circuit.terms, fits);
    if !faults::on(Fault::NarrowWraps) {
        circuit.formula.add_clause(&[!act, fits]);
    }
    short
}

/// Whether an access with this role is to the word of a lock.
fn is_lock(role: Role) -> bool {
    matches!(role, Role::Lock | Role::TryLock | Role::Unlock)
}
