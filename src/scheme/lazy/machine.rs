//! Executing steps: memory and ends of threads are functions of the schedule so far and of what has been read.
//!
//! The value of a read is a free variable with a constraint: if the read's step is executed here, it is what memory
//! holds (or what the writer of the cell has come to, see [`single`](super::single)). So guards and values are terms
//! that are built once, whatever the number of slots. The variable of a read that is not executed is arbitrary; nothing
//! that counts depends on it.
//!
//! A section is all or nothing. Inside, reads see the section's own writes as far as their events are reached
//! ([`Event::reached`](crate::event::Event)); only then it is known whether the section can finish, and
//! memory takes its writes if so.

use super::bits;
use super::prune::Footprint;
use super::single::{At, Single};
use crate::base::IdVec;
use crate::circuit::Formula;
use crate::event::{
    Barrier, CellId, Event, EventId, EventKind, EventProgram, MemoryModel, Store, Target, ThreadId,
};
use crate::relation::faults::Fault as RelationFault;
use crate::relation::turn::Transactions;
use crate::scheme::faults::{self, Fault};
use crate::scheme::memory::{Bounds, Circuit, Memory, Next, Tracked, Way, Write};
use crate::term::{TermId, Terms};

/// State after all steps so far: memory, ends of threads, and what is noted about both.
pub(super) struct Machine<M> {
    pub memory: M,
    /// The condition that each thread has ended.
    pub ended: IdVec<ThreadId, TermId>,
    /// Cells that one thread writes.
    single: Single,
    /// By cell, the number of bits that it holds; `None` for all.
    widths: IdVec<CellId, Option<u16>>,
    /// Cells that may be touched.
    tracked: Tracked,
    /// Memory model that says what fences and orders of stores mean; sequential consistency if nothing is ever pending.
    pub model: MemoryModel,
    /// By thread, the condition that it has written through a buffer and executed no fence since.
    unfenced: IdVec<ThreadId, TermId>,
    /// Of each event that may be executed in this turn, the operation of memory behind it.
    pub done: Vec<(EventId, usize)>,
}

/// A step's events, of which the first names the step.
#[derive(Clone, Copy)]
struct Part {
    step: EventId,
    id: EventId,
}

impl<M: Memory> Machine<M> {
    /// Nothing has been executed.
    pub fn new(
        program: &mut EventProgram,
        formula: &mut Formula,
        transactions: &Transactions,
        (bits, bounds): (Option<u16>, Bounds),
    ) -> Machine<M> {
        let fals = program.terms.fals();
        Machine {
            memory: M::init(program, bounds),
            tracked: Tracked::of(program, formula, bounds.addresses),
            model: program.memory,
            unfenced: program.threads.iter().map(|_| fals).collect(),
            done: Vec::new(),
            ended: program.threads.iter().map(|_| fals).collect(),
            single: Single::of(program, transactions),
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
        let Some(&first) = node.first() else { return };
        let step = (events[first].thread, first);
        let fence = node.iter().map(|&id| &events[id]);
        let fence = fence.filter(|event| event.barrier(self.model) == Barrier::Drain);
        let fence = fence.map(|event| event.thread).next();
        let next = match fence {
            _ if node.iter().any(|&id| self.is_delayed(&events[id])) => Next::Access,
            Some(_) => Next::Fence,
            None => Next::Other,
        };
        self.memory.pass(circuit, step, next, here);
        // Whether a step is a fence may depend on what it reads when it is.
        let mut inside = match fence {
            Some(thread) => Some(self.memory.fenced(circuit, thread, here)),
            None => tentative.then(|| self.memory.clone()),
        };
        let inside_if = self.fenced_if(events, circuit.terms, node);
        for &id in node {
            let event = &events[id];
            match &event.kind {
                EventKind::Read { .. } => {
                    self.read(circuit, (&inside, inside_if), (id, event), at);
                }
                EventKind::Write { .. } => {
                    let condition = if torn || tentative {
                        event.reached
                    } else {
                        event.guard
                    };
                    let part = Part { step: first, id };
                    self.write(circuit, &mut inside, (part, event), condition, here);
                }
                EventKind::Join { targets, done } => {
                    self.join(circuit, targets, *done, here);
                }
                EventKind::End => {
                    let early = faults::on(Fault::EndEarly);
                    let here = if early { circuit.terms.tru() } else { here };
                    let ends = circuit.terms.and(here, event.guard);
                    let ended = &mut self.ended[event.thread];
                    *ended = circuit.terms.or(*ended, ends);
                }
                // The beginning of a section is a fence.
                EventKind::Fence if event.section.is_none() => {
                    if event.barrier(self.model) == Barrier::Order {
                        self.memory.order(circuit, event.thread, event.guard, here);
                    }
                }
                EventKind::Fence
                | EventKind::Create { .. }
                | EventKind::Assert { .. }
                | EventKind::Cut { .. }
                | EventKind::Rest(_) => {}
            }
            self.done.push((id, self.memory.operations()));
        }
        if inside.is_some() {
            for &id in node {
                let event = &events[id];
                if event.barrier(self.model) == Barrier::Drain {
                    let when = circuit.terms.and(here, event.guard);
                    self.memory.fence(circuit, event.thread, when);
                    self.fenced(circuit.terms, event.thread, when, footprint);
                }
                if matches!(event.kind, EventKind::Write { .. }) {
                    let part = Part { step: first, id };
                    self.write(circuit, &mut None, (part, event), event.guard, here);
                }
            }
        }
        // What a fence brings to memory comes before the whole of its step.
        let behind = match fence {
            Some(_) => node,
            None => &node[node.len() - 1..],
        };
        let end = self.memory.operations();
        self.done.extend(behind.iter().map(|&id| (id, end)));
        self.note(events, circuit.terms, node, here, footprint);
    }

    /// Content of a cell after all steps so far, where threads have come as far as `reached` says; `None` if writes may be pending, or
    /// memory holds only a part.
    pub fn last(
        &self,
        circuit: &mut Circuit,
        cell: CellId,
        reached: &IdVec<ThreadId, Vec<TermId>>,
    ) -> Option<TermId> {
        if self.model.is_weak() || self.widths[cell].is_some() {
            return None;
        }
        let single = self.single.last(circuit.terms, cell, reached);
        Some(single.unwrap_or_else(|| self.memory.read(circuit, ThreadId(0), cell)))
    }

    /// True if an event may touch a cell that writes may be pending to.
    pub fn is_delayed(&self, event: &Event) -> bool {
        let (EventKind::Read { targets, .. } | EventKind::Write { targets, .. }) = &event.kind
        else {
            return false;
        };
        targets
            .iter()
            .any(|target| self.memory.is_delayed(target.cell))
    }

    /// Condition that a step is a fence, if that depends on what it reads: then its fences stand behind its first read.
    /// `None` if it has no fence, or one before its first read.
    fn fenced_if(
        &self,
        events: &IdVec<EventId, Event>,
        terms: &mut Terms,
        node: &[EventId],
    ) -> Option<TermId> {
        let drains = |id: &&EventId| events[**id].barrier(self.model) == Barrier::Drain;
        let first = node
            .iter()
            .find(|id| drains(id) || matches!(events[**id].kind, EventKind::Read { .. }));
        if first.is_none_or(|id| drains(&id)) {
            return None;
        }
        let guards: Vec<TermId> = node
            .iter()
            .filter(drains)
            .map(|id| events[*id].guard)
            .collect();
        (!guards.is_empty()).then(|| guards.into_iter().fold(terms.fals(), |a, b| terms.or(a, b)))
    }

    /// A thread has executed a fence. If something may have been pending when it had its last turn, the fence may have
    /// pushed time on, or would have if it had come before.
    fn fenced(
        &mut self,
        terms: &mut Terms,
        thread: ThreadId,
        when: TermId,
        footprint: &mut Footprint,
    ) {
        let pending = &mut self.unfenced[thread];
        let waits = terms.and(when, *pending);
        let not = terms.not(when);
        *pending = terms.and(*pending, not);
        footprint.passes_time(waits);
    }

    fn read(
        &mut self,
        circuit: &mut Circuit,
        (inside, inside_if): (&Option<M>, Option<TermId>),
        (id, event): (EventId, &Event),
        at: &At,
    ) {
        let EventKind::Read { value, targets, .. } = &event.kind else {
            return;
        };
        if faults::on(Fault::ForgetRead) && at.slot > 0 {
            return;
        }
        let here = at.here;
        let reached = circuit.terms.and(here, event.reached);
        for target in targets {
            let touched = circuit.terms.and(reached, target.when);
            self.tracked.touch(circuit, target.cell, touched);
        }
        if let [target] = &targets[..]
            && !self.memory.is_delayed(target.cell)
            && self.single.read(circuit, (id, *value), target.cell, at)
        {
            return;
        }
        let mut found: Option<TermId> = None;
        for target in targets {
            let memory = inside.as_ref().unwrap_or(&self.memory);
            let mut now = memory.read(circuit, event.thread, target.cell);
            if let Some(inside_if) = inside_if
                && self.memory.is_delayed(target.cell)
            {
                let before = self.memory.read(circuit, event.thread, target.cell);
                now = circuit.terms.ite(inside_if, now, before);
            }
            found = Some(match found {
                None => now,
                Some(_) if faults::on(RelationFault::ReadWhen) => now,
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
        (Part { step, id }, event): (Part, &Event),
        condition: TermId,
        here: TermId,
    ) {
        let EventKind::Write { value, targets, .. } = &event.kind else {
            return;
        };
        let value = *value;
        let way = match self.model.store(event.order) {
            Store::Buffered { last } if event.buffered => Way::Buffered { last },
            _ => Way::Direct,
        };
        let condition = if faults::on(RelationFault::WriteGuard) {
            circuit.terms.tru()
        } else {
            condition
        };
        let happens = circuit.terms.and(here, condition);
        for target in targets {
            let when = if faults::on(RelationFault::WriteWhen) {
                circuit.terms.tru()
            } else {
                target.when
            };
            let act = circuit.terms.and(happens, when);
            let value = match self.widths[target.cell] {
                Some(bits) => fitted(circuit, value, bits, act),
                None => value,
            };
            self.tracked.touch(circuit, target.cell, act);
            let write = Write {
                thread: event.thread,
                event: id,
                step,
                cell: target.cell,
                value,
                made: circuit.terms.and(condition, when),
                way,
            };
            if way != Way::Direct {
                let unfenced = &mut self.unfenced[event.thread];
                *unfenced = circuit.terms.or(*unfenced, act);
            }
            let memory = inside.as_mut().unwrap_or(&mut self.memory);
            memory.write(circuit, write, act);
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
            let ended = if faults::on(RelationFault::JoinWithoutEnd) {
                tru
            } else {
                self.ended[target]
            };
            let when = if faults::on(RelationFault::JoinAnyThread) {
                tru
            } else {
                when
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
                if self.memory.is_delayed(target.cell) {
                    footprint.passes_time(when)
                } else {
                    footprint.touches(target.cell, write, when)
                }
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
