//! Store buffers as chains of commits.
//!
//! A buffered write is one step: its commit. That it was issued needs no place of its own, because nobody but its
//! thread can tell, and its thread's reads know program order. Nodes of a thread's other steps make its first chain.
//!
//! * A commit comes after the steps before it in program order: a write is issued first. (An edge from the nearest.)
//! * TSO: commits of a thread are one chain.
//! * PSO: commits to one address are a chain. Where an address is symbolic, or accesses overlap without being the same
//!   one, commits are chains of their own, and in order where both touch a cell.
//! * A step that drains buffers comes after all commits before it in program order. A release store, and after a
//!   release fence any store (PSO), is committed after all of them.
//!
//! Edges have conditions: a step orders others only where it happens, and a fence in a branch says nothing where the
//! branch is not taken. So an edge is unconditional only if everything after it in its thread needs the step, and
//! otherwise has the step's guard as its condition. (A step that does not happen is put anywhere; an unconditional edge
//! through it would order what comes before with what comes after.)

use super::program_order::{Edge, Local, ProgramOrder, Step, StepId, alive};
use crate::event::{Barrier, CellId, EventId, EventKind, EventProgram, SectionId, Store, ThreadId};
use crate::reduce::implication::{everything_after_needs, implies};
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// Commits that are known to be in order.
struct Queue {
    chain: ThreadId,
    /// PSO: the address of all of them, as the cells that each of them writes; `None` for a commit on its own.
    address: Option<Vec<CellId>>,
    /// Number of its commits, from the first on, that come before a later step of the thread in every execution.
    settled: usize,
    /// Number of release fences, from the first on, that its commits are ordered behind already.
    fences: usize,
}

/// A release fence.
struct Release {
    guard: TermId,
    /// Everything after it needs it.
    certain: bool,
    /// The last commit of each queue before it.
    before: Vec<StepId>,
}

/// A thread while its events are put into chains.
struct Thread<'s> {
    po: &'s mut ProgramOrder,
    program: &'s mut EventProgram,
    thread: ThreadId,
    queues: Vec<Queue>,
    fences: Vec<Release>,
    /// PSO: commits that no later step is known to come after.
    open: Vec<StepId>,
}

impl ProgramOrder {
    /// Groups the events of a program under its memory model; linear.
    pub fn of(program: &mut EventProgram) -> ProgramOrder {
        let mut po = ProgramOrder::empty(program);
        let alive = alive(program);
        for thread in program.threads.ids().filter(|&thread| alive[thread]) {
            if program.memory.is_weak() {
                add_thread(&mut po, program, thread)
            } else {
                po.add_thread(program, thread)
            }
        }
        po
    }
}

/// Adds the steps of a thread of a program with a weak memory model.
fn add_thread(po: &mut ProgramOrder, program: &mut EventProgram, thread: ThreadId) {
    let events = program.threads[thread].events.clone();
    let mut adding = Thread {
        po,
        program,
        thread,
        queues: Vec::new(),
        fences: Vec::new(),
        open: Vec::new(),
    };
    let mut step: Vec<EventId> = Vec::new();
    let mut open: Option<SectionId> = None;
    for (rank, id) in events.into_iter().enumerate() {
        let event = &adding.program.events[id];
        adding.po.rank[id] = rank as u32;
        if event.guard == adding.program.terms.fals() {
            continue;
        }
        if !event.kind.is_visible() {
            let begun = step.iter().any(|&id| !adding.program.events[id].buffered);
            let after = adding.po.chains[thread].len() + usize::from(begun);
            adding.po.locals.push(Local {
                event: id,
                thread,
                after: after as u32,
            });
            continue;
        }
        if matches!(event.kind, EventKind::Fence) {
            match adding.program.barrier(id) {
                Barrier::None => continue,
                // The beginning of the section has drained the buffer.
                Barrier::Order if event.section.is_some() => continue,
                Barrier::Order => {
                    adding.step(std::mem::take(&mut step));
                    open = None;
                    adding.release(id);
                    continue;
                }
                Barrier::Drain => {}
            }
        }
        if matches!(event.kind, EventKind::End) {
            adding.po.end[thread] = Some(id);
        }
        let joined = event.section.is_some() && event.section == open;
        open = event.section;
        if !joined {
            adding.step(std::mem::take(&mut step));
        }
        step.push(id);
    }
    adding.step(step);
}

impl Thread<'_> {
    /// Adds the events of one step.
    fn step(&mut self, events: Vec<EventId>) {
        let (commits, others): (Vec<EventId>, Vec<EventId>) = events
            .into_iter()
            .partition(|&id| self.program.events[id].buffered);
        if !others.is_empty() {
            self.take(others);
        }
        if !commits.is_empty() {
            self.commit(commits);
        }
    }

    fn push(&mut self, chain: ThreadId, events: Vec<EventId>) -> StepId {
        let index = self.po.chains[chain].len() as u32;
        let step = self.po.steps.next_id();
        for &event in &events {
            self.po.step_of[event] = Some(step);
        }
        self.po.chains[chain].push(step);
        self.po.steps.push(Step {
            thread: chain,
            index,
            events,
        })
    }

    /// A step that is taken at once: it may drain the buffers.
    fn take(&mut self, events: Vec<EventId>) {
        let step = self.push(self.thread, events.clone());
        for queue in &self.queues {
            self.po.issued.push((self.last(queue), step));
        }
        for &id in &events {
            if self.program.barrier(id) != Barrier::Drain || !drains(self.program, id) {
                continue;
            }
            let guard = self.program.events[id].guard;
            let certain = self.is_certain(&events, id, guard);
            for number in 0..self.queues.len() {
                let from = self.last(&self.queues[number]);
                let length = self.po.chains[self.queues[number].chain].len();
                if self.queues[number].settled == length {
                    continue;
                }
                self.order(from, step, certain, guard);
                if certain {
                    self.queues[number].settled = length;
                }
            }
            if certain {
                self.open.clear();
                self.fences.clear();
                self.queues.iter_mut().for_each(|queue| queue.fences = 0);
            }
        }
    }

    /// A buffered write, which reaches memory as one.
    fn commit(&mut self, events: Vec<EventId>) {
        let pso = !self.program.memory.keeps_store_order() && !faults::on(Fault::PsoIsTso);
        let pso = pso || faults::on(Fault::TsoIsPso);
        let address = if pso { self.address(&events) } else { None };
        let known = self
            .queues
            .iter()
            .position(|queue| !pso || (address.is_some() && queue.address == address));
        let number = known.unwrap_or_else(|| {
            let chain = self.po.chains.push(Vec::new());
            self.po.owner.push(self.thread);
            self.queues.push(Queue {
                chain,
                address,
                settled: 0,
                fences: 0,
            });
            self.queues.len() - 1
        });
        let step = self.push(self.queues[number].chain, events.clone());
        if let Some(&before) = self.po.chains[self.thread].last()
            && !faults::on(Fault::CommitEarly)
        {
            self.order_always(before, step);
        }
        if !pso {
            return;
        }
        let mut guard = self.program.terms.fals();
        for &id in &events {
            guard = self.program.terms.or(guard, self.program.events[id].guard);
        }
        self.respect_fences(number, step);
        let first = events[0];
        let order = self.program.events[first].order;
        let last = self.program.memory.store(order) == Store::Buffered { last: true };
        if last && !faults::on(Fault::ReleaseFree) {
            let certain = self.is_certain(&events, *events.last().unwrap_or(&first), guard);
            for other in (0..self.queues.len()).filter(|&other| other != number) {
                let queue = &self.queues[other];
                if queue.settled < self.po.chains[queue.chain].len() {
                    let from = self.last(queue);
                    self.order(from, step, certain, guard);
                }
            }
        }
        for earlier in std::mem::take(&mut self.open) {
            if self.po.steps[earlier].thread != self.po.steps[step].thread {
                let both = self.overlap(earlier, step);
                if both != self.program.terms.fals() && !faults::on(Fault::AddressFree) {
                    self.order(earlier, step, false, both);
                }
            }
            self.open.push(earlier);
        }
        self.open.push(step);
    }

    /// A fence that keeps the stores before it before those after it.
    fn release(&mut self, id: EventId) {
        if faults::on(Fault::ReleaseFree) {
            return;
        }
        let guard = self.program.events[id].guard;
        let certain = everything_after_needs(self.program, id, guard);
        let open = self
            .queues
            .iter()
            .filter(|queue| queue.settled < self.po.chains[queue.chain].len());
        let before = open.map(|queue| self.last(queue)).collect();
        self.fences.push(Release {
            guard,
            certain,
            before,
        });
    }

    /// Orders a new commit behind the release fences that its queue does not know.
    fn respect_fences(&mut self, number: usize, step: StepId) {
        for index in self.queues[number].fences..self.fences.len() {
            let Release {
                guard,
                certain,
                ref before,
            } = self.fences[index];
            for from in before.clone() {
                if self.po.steps[from].thread != self.po.steps[step].thread {
                    self.order(from, step, certain, guard);
                }
            }
        }
        self.queues[number].fences = self.fences.len();
    }

    /// The address of a write, if it is the same in every execution.
    fn address(&self, events: &[EventId]) -> Option<Vec<CellId>> {
        let guard = self.program.events[events[0]].guard;
        let mut cells = Vec::with_capacity(events.len());
        for &id in events {
            let event = &self.program.events[id];
            let EventKind::Write { targets, .. } = &event.kind else {
                return None;
            };
            let mut possible = self.program.possible(targets);
            let (Some(target), None) = (possible.next(), possible.next()) else {
                return None;
            };
            if target.when != self.program.terms.tru() || event.guard != guard {
                return None;
            }
            cells.push(target.cell);
        }
        cells.sort_unstable();
        Some(cells)
    }

    /// Overlap of two commits: the condition that both happen and write a cell in common.
    fn overlap(&mut self, a: StepId, b: StepId) -> TermId {
        let mut both = self.program.terms.fals();
        for &one in &self.po.steps[a].events {
            for &other in &self.po.steps[b].events {
                let (one, other) = (&self.program.events[one], &self.program.events[other]);
                let (
                    EventKind::Write { targets, .. },
                    EventKind::Write {
                        targets: others, ..
                    },
                ) = (&one.kind, &other.kind)
                else {
                    continue;
                };
                let terms = &mut self.program.terms;
                let cells = &self.program.cells;
                for x in targets.iter().filter(|x| !cells[x.cell].beside) {
                    for y in others.iter().filter(|y| y.cell == x.cell) {
                        let here = terms.and_all(&[one.guard, x.when, other.guard, y.when]);
                        both = terms.or(both, here);
                    }
                }
            }
        }
        both
    }

    /// True if all events of an event's `step`, and everything after it in its thread, need `guard`.
    fn is_certain(&mut self, step: &[EventId], id: EventId, guard: TermId) -> bool {
        if faults::on(Fault::BarrierAlways) {
            return true;
        }
        let program = &mut *self.program;
        step.iter()
            .all(|&other| implies(&mut program.terms, program.events[other].guard, guard))
            && everything_after_needs(program, id, guard)
    }

    fn last(&self, queue: &Queue) -> StepId {
        *self.po.chains[queue.chain]
            .last()
            .expect("a queue begins with a commit")
    }

    fn order(&mut self, from: StepId, to: StepId, always: bool, when: TermId) {
        self.po.edges.push(Edge {
            from,
            to,
            when: (!always).then_some(when),
        });
    }

    fn order_always(&mut self, from: StepId, to: StepId) {
        self.po.edges.push(Edge {
            from,
            to,
            when: None,
        });
    }
}

/// Fault injection: false if the drain of this event is left out on purpose.
fn drains(program: &EventProgram, id: EventId) -> bool {
    let event = &program.events[id];
    let fault = match event.kind {
        EventKind::Create { .. } => Fault::CreateUndrained,
        EventKind::End => Fault::EndUndrained,
        _ if event.section.is_none() => Fault::FenceUndrained,
        _ => Fault::StepUndrained,
    };
    !faults::on(fault)
}
