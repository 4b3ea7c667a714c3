//! Store buffers as temporal circular doubly linked lists (T-CDLL): eTSO and ePSO of Tomasco, Nguyen, Inverso, Fischer,
//! La Torre and Parlato, *Lazy Sequentialization for TSO and PSO via Shared Memory Abstractions*, §III–V, Figure 3.
//!
//! Every variable has a list of N nodes and a sentinel. A node holds a write: its value and the time (*stamp*) at which
//! it reaches memory, guessed when it is issued. Time is a clock that is pushed on by guesses, too; nothing is moved
//! when it goes on. The node whose stamp has passed, but not that of its successor, is what memory holds (the *head*);
//! those before it are free, those after it are pending. Each thread has, for each variable, its last write with its
//! stamp: while that is pending, it is what the thread reads.
//!
//! Errata of the print, and what it leaves open:
//!
//! * Line 36 sets `tstamp[v][t]`; it is the node's: `tstamp[v][node]`.
//! * Lines 79 and 80 name `max_tstamp`, which is `max_last_tstamp` of line 9.
//! * T is the largest identifier of a thread, so `last_value`, `last_tstamp` and `max_last_tstamp` have T + 1 entries.
//! * The sentinel has the stamp K and stands behind all writes, and a write's stamp is smaller than that of its
//!   successor (line 33): so stamps are at most K − 1. A clock of K would make even the sentinel expire: nothing could be
//!   read or written any more, so it is at most K − 1 here. With K = 1, all is at time 0: that is sequential consistency,
//!   as Table II has it.
//! * Line 21 is right: the first node is free if its successor's stamp has passed as well, for the head must stay. So
//!   are the strict comparison of line 33 (a write behind others of the same stamp comes after them) and `value[V][N]`,
//!   which has no entry for the sentinel.
//! * All N nodes begin with stamp 0, so the head is the one before the sentinel: it holds the first value.
//! * A variable that is only written where nothing is pending (by locks, read-modify-writes, in atomic sections) needs no
//!   list. Nor does the clock need to be pushed on before a step that touches no list.
//! * `read` needs no guess: one node only meets what lines 62 to 64 demand.
//! * The clock is pushed on before each step, and not within one: an atomic section, or a write of several cells, is one
//!   moment. A write that does not pass through the buffer has the clock for its stamp.
//!
//! Bounds: if no node is free, or no stamp is left, the write cannot be issued within them.

use super::{Bounds, Circuit, Commit, Guess, Memory, Next, Way, Write, delayed};
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventProgram, ThreadId};
use crate::goal::Model;
use crate::scheme::faults::{self, Fault};
use crate::term::{TermId, Terms};
use std::marker::PhantomData;

/// Order in which the writes of a thread reach memory.
pub trait Discipline: Clone {
    /// The least stamp that a thread's write may have, given that of its last write to the same variable.
    fn floor(terms: &mut Terms, stamps: &Stamps, thread: ThreadId, own: TermId) -> TermId;

    /// The largest stamp of a thread's writes with one more.
    fn latest(terms: &mut Terms, before: TermId, stamp: TermId) -> TermId;
}

/// Stamps of threads.
#[derive(Clone)]
pub struct Stamps {
    /// Of all writes, the largest (`max_last_tstamp`).
    pub last: IdVec<ThreadId, TermId>,
    /// Stamps in `last` at the last fence that keeps writes in order: buffered writes behind it get no smaller ones.
    pub ordered: IdVec<ThreadId, TermId>,
}

/// The list of a variable that some write through a buffer may touch.
#[derive(Clone)]
struct List {
    /// By node: what was written.
    value: Vec<TermId>,
    /// By node, then that of the sentinel.
    stamp: Vec<TermId>,
    /// By node, with the sentinel: neighbours, as numbers.
    prev: Vec<TermId>,
    next: Vec<TermId>,
    /// By thread: its last write.
    last_value: IdVec<ThreadId, TermId>,
    last_stamp: IdVec<ThreadId, TermId>,
}

/// Record of an operation, for decoding.
#[derive(Clone)]
enum Done {
    /// The clock has become this.
    Time(TermId),
    /// Under a condition, a write was issued: with a stamp, at a time.
    Write {
        event: EventId,
        when: TermId,
        stamp: TermId,
        clock: TermId,
    },
}

/// Memory as lists.
#[derive(Clone)]
pub struct Lists<D> {
    /// Width of stamps, and of numbers of nodes.
    bits: (u16, u16),
    bounds: Bounds,
    clock: TermId,
    stamps: Stamps,
    /// Cells that have no list: no write to them is ever pending.
    direct: IdVec<CellId, TermId>,
    lists: IdVec<CellId, Option<List>>,
    done: Vec<Done>,
    discipline: PhantomData<D>,
}

/// Bits of numbers up to one.
fn width(most: u32) -> u16 {
    (u32::BITS - most.leading_zeros()).max(1) as u16
}

/// An element of a table at a symbolic place.
fn at(terms: &mut Terms, table: &[TermId], place: TermId) -> TermId {
    let bits = terms.bits(place);
    let mut found = table[table.len() - 1];
    for (number, &entry) in table.iter().enumerate().rev().skip(1) {
        let number = terms.constant(number as u128, bits);
        let here = terms.eq(place, number);
        found = terms.ite(here, entry, found);
    }
    found
}

/// Sets an element of a table at a symbolic place.
fn set(terms: &mut Terms, table: &mut [TermId], place: TermId, to: TermId, when: TermId) {
    let bits = terms.bits(place);
    for (number, entry) in table.iter_mut().enumerate() {
        let number = terms.constant(number as u128, bits);
        let here = terms.eq(place, number);
        let here = terms.and(here, when);
        *entry = terms.ite(here, to, *entry);
    }
}

impl<D: Discipline> Lists<D> {
    fn list(program: &mut EventProgram, cell: CellId, bits: (u16, u16), bounds: Bounds) -> List {
        let (stamp_bits, node_bits) = bits;
        let nodes = bounds.nodes as usize;
        let init = program.cells[cell].init;
        let threads = program.threads.len();
        let terms = &mut program.terms;
        let zero = terms.constant(0, stamp_bits);
        let sentinel = terms.constant(u128::from(bounds.clock), stamp_bits);
        let mut number = |n: usize| terms.constant(n as u128, node_bits);
        let mut stamp = vec![zero; nodes];
        stamp.push(sentinel);
        List {
            value: vec![init; nodes],
            stamp,
            prev: (0..=nodes)
                .map(|n| number((n + nodes) % (nodes + 1)))
                .collect(),
            next: (0..=nodes).map(|n| number((n + 1) % (nodes + 1))).collect(),
            last_value: (0..threads).map(|_| init).collect(),
            last_stamp: (0..threads).map(|_| zero).collect(),
        }
    }

    /// Value of a variable in memory: that of the node whose stamp has passed, but not that of its successor.
    fn head(terms: &mut Terms, list: &List, clock: TermId) -> TermId {
        let mut found = list.value[0];
        for node in 1..list.value.len() {
            let successor = at(terms, &list.stamp, list.next[node]);
            let passed = terms.ule(list.stamp[node], clock);
            let pending = terms.ult(clock, successor);
            let here = terms.and(passed, pending);
            found = terms.ite(here, list.value[node], found);
        }
        found
    }
}

impl<D: Discipline> Memory for Lists<D> {
    fn init(program: &mut EventProgram, bounds: Bounds) -> Lists<D> {
        let bits = (width(bounds.clock), width(bounds.nodes));
        let zero = program.terms.constant(0, bits.0);
        let mut lists: IdVec<CellId, Option<List>> = IdVec::new();
        for (cell, delayed) in delayed(program).iter_ids() {
            lists.push(delayed.then(|| Self::list(program, cell, bits, bounds)));
        }
        let none = || program.threads.iter().map(|_| zero).collect();
        Lists {
            bits,
            bounds,
            clock: zero,
            stamps: Stamps {
                last: none(),
                ordered: none(),
            },
            direct: program.cells.iter().map(|cell| cell.init).collect(),
            lists,
            done: Vec::new(),
            discipline: PhantomData,
        }
    }

    fn is_delayed(&self, cell: CellId) -> bool {
        self.lists[cell].is_some()
    }

    /// Lines 11 to 15.
    fn pass(&mut self, circuit: &mut Circuit, step: EventId, next: Next, when: TermId) {
        // A fence pushes the clock itself.
        if next != Next::Access {
            return;
        }
        if self.bounds.clock > 1 {
            let later = circuit.guess(Guess::Clock, step, self.bits.0);
            let most = circuit
                .terms
                .constant(u128::from(self.bounds.clock - 1), self.bits.0);
            let forwards = circuit.terms.ule(self.clock, later);
            let within = circuit.terms.ule(later, most);
            if !faults::on(Fault::ClockBack) {
                circuit.demand(when, forwards);
            }
            circuit.demand(when, within);
            self.clock = circuit.terms.ite(when, later, self.clock);
        }
        self.done.push(Done::Time(self.clock));
    }

    /// Lines 55 to 66, without the guess.
    fn read(&self, circuit: &mut Circuit, thread: ThreadId, cell: CellId) -> TermId {
        let Some(list) = &self.lists[cell] else {
            return self.direct[cell];
        };
        let terms = &mut *circuit.terms;
        let there = Self::head(terms, list, self.clock);
        let pending = if faults::on(Fault::ListUnseen) {
            terms.fals()
        } else {
            terms.ult(self.clock, list.last_stamp[thread])
        };
        terms.ite(pending, list.last_value[thread], there)
    }

    /// Lines 17 to 45.
    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId) {
        let Write { thread, event, .. } = write;
        let sentinel = self.bounds.nodes as usize;
        let Some(list) = &mut self.lists[write.cell] else {
            if self.bounds.nodes == 1 {
                let never = circuit.terms.fals();
                circuit.demand(when, never);
            }
            let cell = &mut self.direct[write.cell];
            *cell = circuit.terms.ite(when, write.value, *cell);
            return;
        };
        // The first node, if its successor's stamp has passed as well.
        let node = list.next[sentinel];
        let after = at(circuit.terms, &list.next, node);
        let stamp = at(circuit.terms, &list.stamp, after);
        let free = circuit.terms.ule(stamp, self.clock);
        if !faults::on(Fault::HeadTaken) {
            circuit.demand(when, free);
        }
        let place = circuit.terms.constant(sentinel as u128, self.bits.1);
        list.next[sentinel] = circuit.terms.ite(when, after, list.next[sentinel]);
        set(circuit.terms, &mut list.prev, after, place, when);
        // Where it goes.
        let succ = circuit.guess(Guess::Successor, event, self.bits.1);
        let within = circuit.terms.ule(succ, place);
        circuit.demand(when, within);
        let behind = at(circuit.terms, &list.stamp, succ);
        let pending = circuit.terms.ult(self.clock, behind);
        circuit.demand(when, pending);
        let pred = at(circuit.terms, &list.prev, succ);
        let before = at(circuit.terms, &list.stamp, pred);
        // When it reaches memory.
        let mut floors = vec![self.clock, before];
        let stamp = match write.way {
            Way::Direct => self.clock,
            Way::Buffered { last } => {
                let own = list.last_stamp[thread];
                if !faults::on(Fault::StampFalls) {
                    floors.push(D::floor(circuit.terms, &self.stamps, thread, own));
                }
                if last && !faults::on(Fault::ListRelease) {
                    floors.push(self.stamps.last[thread]);
                }
                // Parts of one write have one stamp.
                let whole = if faults::on(Fault::PartsAlone) {
                    event
                } else {
                    write.step
                };
                circuit.guess(Guess::Stamp, whole, self.bits.0)
            }
        };
        for floor in floors {
            let late = circuit.terms.ule(floor, stamp);
            circuit.demand(when, late);
        }
        let early = if faults::on(Fault::StampShared) {
            circuit.terms.ule(stamp, behind)
        } else {
            circuit.terms.ult(stamp, behind)
        };
        circuit.demand(when, early);
        set(circuit.terms, &mut list.value, node, write.value, when);
        set(circuit.terms, &mut list.stamp, node, stamp, when);
        set(circuit.terms, &mut list.next, node, succ, when);
        set(circuit.terms, &mut list.prev, node, pred, when);
        set(circuit.terms, &mut list.next, pred, node, when);
        set(circuit.terms, &mut list.prev, succ, node, when);
        let terms = &mut *circuit.terms;
        list.last_stamp[thread] = terms.ite(when, stamp, list.last_stamp[thread]);
        list.last_value[thread] = terms.ite(when, write.value, list.last_value[thread]);
        let latest = D::latest(terms, self.stamps.last[thread], stamp);
        self.stamps.last[thread] = terms.ite(when, latest, self.stamps.last[thread]);
        self.done.push(Done::Write {
            event,
            when,
            stamp,
            clock: self.clock,
        });
    }

    /// Lines 76 to 81.
    fn fence(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId) {
        let terms = &mut *circuit.terms;
        let last = self.stamps.last[thread];
        let pending = if faults::on(Fault::FenceTimeless) {
            terms.fals()
        } else {
            terms.ult(self.clock, last)
        };
        let when = terms.and(when, pending);
        self.clock = terms.ite(when, last, self.clock);
        self.done.push(Done::Time(self.clock));
    }

    fn fenced(&self, circuit: &mut Circuit, thread: ThreadId, when: TermId) -> Lists<D> {
        let mut memory = self.clone();
        memory.fence(circuit, thread, when);
        memory
    }

    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId) {
        if faults::on(Fault::ListRelease) {
            return;
        }
        let last = self.stamps.last[thread];
        let ordered = &mut self.stamps.ordered[thread];
        *ordered = circuit.terms.ite(when, last, *ordered);
    }

    fn operations(&self) -> usize {
        self.done.len()
    }

    /// Writes of one moment come in the order of their issue: that agrees with the order of every thread's own, and
    /// with the list of every variable.
    fn commits(&self, model: &mut dyn Model) -> Vec<Commit> {
        let mut commits = Vec::new();
        let mut pending: Vec<(u128, usize, EventId)> = Vec::new();
        for (at, done) in self.done.iter().enumerate() {
            let clock = match *done {
                Done::Time(clock) => clock,
                Done::Write {
                    event,
                    when,
                    stamp,
                    clock,
                } => {
                    if model.holds(when) {
                        pending.push((model.value(stamp), at, event));
                    }
                    clock
                }
            };
            let clock = model.value(clock);
            pending.sort_unstable();
            let ready = pending.partition_point(|&(stamp, ..)| stamp <= clock);
            commits.extend(
                pending
                    .drain(..ready)
                    .map(|(.., event)| Commit { at, event }),
            );
        }
        commits
    }
}
