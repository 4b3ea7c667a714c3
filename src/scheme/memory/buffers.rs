//! Store buffers as they are: TSO-SMA and PSO-SMA of Tomasco et al. (§III), the reference that the lists of `list` are
//! compared with. Slow and simple.
//!
//! A thread's buffer is the set of its writes that have been issued and have not reached memory; program order is the
//! order in the buffer. Before every step, any number of writes reach memory one by one, each when its model lets it:
//! under TSO when it is the thread's first, under PSO when it is the thread's first to its variable (and not kept behind
//! others by a release or a fence). A fence can only be executed by a thread with nothing pending.

use super::{Bounds, Circuit, Commit, Guess, Memory, Next, Way, Write, delayed};
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventProgram, MemoryModel, ThreadId};
use crate::goal::Model;
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, Terms};

/// One cell of a write that may be pending.
#[derive(Clone)]
struct Entry {
    write: Write,
    /// The condition that it is.
    pending: TermId,
    /// By earlier entry: the condition that it has to be in memory first, whatever its cell.
    after: Vec<TermId>,
}

/// A write that has reached memory, for decoding.
#[derive(Clone)]
struct Done {
    when: TermId,
    at: usize,
    event: EventId,
}

/// Memory with store buffers.
#[derive(Clone)]
pub struct Buffers {
    model: MemoryModel,
    delayed: IdVec<CellId, bool>,
    cells: IdVec<CellId, TermId>,
    /// By thread, in program order.
    buffers: IdVec<ThreadId, Vec<Entry>>,
    /// By thread, of each entry: the condition that it was pending when a fence said that it comes before what follows.
    ordered: IdVec<ThreadId, Vec<TermId>>,
    operations: usize,
    done: Vec<Done>,
}

impl Entry {
    fn is_part_of(&self, step: EventId) -> bool {
        self.write.step == step
    }
}

impl Buffers {
    /// The condition that an entry may be the next of its thread to reach memory.
    fn may_commit(&self, terms: &mut Terms, buffer: &[Entry], at: usize) -> TermId {
        let Entry { write, after, .. } = &buffer[at];
        let mut may = terms.tru();
        for (number, other) in buffer[..at].iter().enumerate() {
            if other.is_part_of(write.step) || faults::on(Fault::BufferAny) {
                continue;
            }
            let first = if self.model.keeps_store_order() || other.write.cell == write.cell {
                terms.tru()
            } else {
                after[number]
            };
            let waits = terms.and(first, other.pending);
            let free = terms.not(waits);
            may = terms.and(may, free);
        }
        may
    }

    /// Any one write of each thread reaches memory, if it may.
    fn commit(&mut self, circuit: &mut Circuit, (step, turn): (EventId, u32), when: TermId) {
        for thread in self.buffers.ids().collect::<Vec<_>>() {
            let mut buffer = std::mem::take(&mut self.buffers[thread]);
            let mut steps: Vec<EventId> = buffer.iter().map(|entry| entry.write.step).collect();
            steps.dedup();
            for whole in steps {
                let parts = |entry: &Entry| entry.is_part_of(whole);
                let numbers: Vec<usize> = (0..buffer.len())
                    .filter(|&number| parts(&buffer[number]))
                    .collect();
                let chosen = circuit.guess(Guess::Commit(turn, whole), step, 1);
                let mut taken = circuit.terms.and(chosen, when);
                for &number in &numbers {
                    let may = self.may_commit(circuit.terms, &buffer, number);
                    let waits = circuit.terms.not(buffer[number].pending);
                    let may = circuit.terms.or(may, waits);
                    taken = circuit.terms.and(taken, may);
                }
                for number in numbers {
                    let Entry { write, pending, .. } = &mut buffer[number];
                    let now = circuit.terms.and(taken, *pending);
                    let stays = circuit.terms.not(taken);
                    *pending = circuit.terms.and(*pending, stays);
                    let cell = &mut self.cells[write.cell];
                    *cell = circuit.terms.ite(now, write.value, *cell);
                    self.done.push(Done {
                        when: now,
                        at: self.operations,
                        event: write.event,
                    });
                }
            }
            self.buffers[thread] = buffer;
        }
    }
}

impl Memory for Buffers {
    fn init(program: &mut EventProgram, _: Bounds) -> Buffers {
        Buffers {
            model: program.memory,
            delayed: delayed(program),
            cells: program.cells.iter().map(|cell| cell.init).collect(),
            buffers: program.threads.iter().map(|_| Vec::new()).collect(),
            ordered: program.threads.iter().map(|_| Vec::new()).collect(),
            operations: 0,
            done: Vec::new(),
        }
    }

    fn is_delayed(&self, cell: CellId) -> bool {
        self.delayed[cell]
    }

    fn pass(
        &mut self,
        circuit: &mut Circuit,
        (_, step): (ThreadId, EventId),
        next: Next,
        when: TermId,
    ) {
        if next == Next::Other {
            return;
        }
        let never = circuit.terms.fals();
        let entries = self.buffers.iter().flatten();
        let pending = entries.filter(|entry| entry.pending != never).count();
        // Each turn takes one of every thread at least, and all that may follow each other.
        for turn in 0..pending {
            self.commit(circuit, (step, turn as u32), when);
        }
        self.operations += 1;
    }

    fn read(&self, circuit: &mut Circuit, thread: ThreadId, cell: CellId) -> TermId {
        let mut found = self.cells[cell];
        if faults::on(Fault::ListUnseen) {
            return found;
        }
        for entry in &self.buffers[thread] {
            if entry.write.cell == cell {
                found = circuit.terms.ite(entry.pending, entry.write.value, found);
            }
        }
        found
    }

    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId) {
        let Way::Buffered { last } = write.way else {
            let cell = &mut self.cells[write.cell];
            *cell = circuit.terms.ite(when, write.value, *cell);
            self.operations += 1;
            return;
        };
        let buffer = &mut self.buffers[write.thread];
        let ordered = &mut self.ordered[write.thread];
        let same =
            |entry: &Entry| (entry.write.event, entry.write.cell) == (write.event, write.cell);
        let known = buffer.iter().position(same);
        let number = known.unwrap_or_else(|| {
            buffer.push(Entry {
                write,
                pending: circuit.terms.fals(),
                after: vec![circuit.terms.fals(); buffer.len()],
            });
            ordered.push(circuit.terms.fals());
            buffer.len() - 1
        });
        for earlier in 0..number {
            let first = if last {
                buffer[earlier].pending
            } else {
                ordered[earlier]
            };
            let now = circuit.terms.and(when, first);
            let after = &mut buffer[number].after[earlier];
            *after = circuit.terms.or(*after, now);
        }
        let entry = &mut buffer[number];
        entry.pending = circuit.terms.or(entry.pending, when);
        self.operations += 1;
    }

    fn fence(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId) {
        let entries = if faults::on(Fault::BufferFence) {
            &[]
        } else {
            &self.buffers[thread][..]
        };
        for entry in entries {
            let empty = circuit.terms.not(entry.pending);
            circuit.demand(when, empty);
        }
        self.operations += 1;
    }

    /// A fence finds nothing pending.
    fn fenced(&self, _: &mut Circuit, _: ThreadId, _: TermId) -> Buffers {
        self.clone()
    }

    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, made: TermId, here: TermId) {
        let when = circuit.terms.and(made, here);
        let entries = self.buffers[thread].iter();
        for (ordered, entry) in self.ordered[thread].iter_mut().zip(entries) {
            let now = circuit.terms.and(when, entry.pending);
            *ordered = circuit.terms.or(*ordered, now);
        }
    }

    fn operations(&self) -> usize {
        self.operations
    }

    fn commits(&self, model: &mut dyn Model) -> Vec<Commit> {
        let done = self.done.iter().filter(|done| model.holds(done.when));
        done.map(|done| Commit {
            at: done.at,
            event: done.event,
        })
        .collect()
    }
}
