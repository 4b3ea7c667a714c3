//! Store buffers as temporal circular doubly linked lists (T-CDLL): eTSO and ePSO of Tomasco, Nguyen, Inverso, Fischer,
//! La Torre and Parlato, *Lazy Sequentialization for TSO and PSO via Shared Memory Abstractions*, §III–V, Figure 3.
//!
//! Every variable has a list of N nodes and a sentinel. A node holds a write: its value and the time (*stamp*) at which
//! it reaches memory, guessed when it is issued. Time is a clock that is pushed on by guesses, too; nothing is moved
//! when it goes on. The node whose stamp has passed, but not that of its successor, is what memory holds (the *head*);
//! those before it are free, those after it are pending. Each thread has, for each variable, its last write with its
//! stamp: while that is pending, it is what the thread reads.
//!
//! Two things are smaller in a circuit than in the C program that the paper writes:
//!
//! * *No links.* `next` and `prev` keep the paper's nodes in place when one is put between them. Here nodes stand in the order
//!   of the list, and those before the new one move up by one; the stamp decides where it goes, so that is not guessed.
//! * *Own writes are no state.* What a thread has written before a step (`last_value`, `last_tstamp`, `max_last_tstamp`) depends
//!   on its guards and stamps, which are the same in whatever turn it executes them: one term for all turns.
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
//! * All N nodes begin with stamp 0, so the head is the one before the sentinel, the last one: it holds the first value.
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
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::marker::PhantomData;
use std::rc::Rc;

/// Order in which the writes of a thread reach memory.
pub trait Discipline: Clone {
    /// The least stamp that a thread's write may have, given that of its last write to the same variable.
    fn floor(terms: &mut Terms, stamps: Stamps, own: TermId) -> TermId;

    /// The largest stamp of a thread's writes with one more.
    fn latest(terms: &mut Terms, before: TermId, stamp: TermId) -> TermId;
}

/// Stamps of a thread.
#[derive(Clone, Copy)]
pub struct Stamps {
    /// Of all writes, the largest (`max_last_tstamp`).
    pub last: TermId,
    /// Floor of buffered writes behind the last fence that keeps writes in order: what `last` was there.
    pub ordered: TermId,
}

/// Own writes of a thread before some step. A write that is made at once has the stamp 0 here: it is never pending.
#[derive(Clone)]
struct Own {
    stamps: Stamps,
    /// By cell: value and stamp of the last write (`last_value`, `last_tstamp`), if there may be one.
    last: HashMap<CellId, (TermId, TermId), FxBuildHasher>,
}

/// The list of a variable that some write through a buffer may touch.
#[derive(Clone)]
struct List {
    /// By node, in the order of the list: what was written.
    value: Vec<TermId>,
    /// By node: its stamp, which is no smaller than that of the node before.
    stamp: Vec<TermId>,
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
    /// Width of stamps.
    bits: u16,
    bounds: Bounds,
    clock: TermId,
    /// By thread, what it has written before the step that it is at.
    own: IdVec<ThreadId, Rc<Own>>,
    /// By step, what its thread has written before it.
    before: Rc<HashMap<EventId, Rc<Own>, FxBuildHasher>>,
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

impl<D: Discipline> Lists<D> {
    fn list(program: &mut EventProgram, cell: CellId, bits: u16, bounds: Bounds) -> List {
        let nodes = bounds.nodes as usize;
        let init = program.cells[cell].init;
        let zero = program.terms.constant(0, bits);
        List {
            value: vec![init; nodes],
            stamp: vec![zero; nodes],
        }
    }

    /// Value of a variable in memory: that of the last node whose stamp has passed.
    fn head(terms: &mut Terms, list: &List, clock: TermId) -> TermId {
        let mut found = list.value[0];
        for (&value, &stamp) in list.value.iter().zip(&list.stamp).skip(1) {
            let passed = terms.ule(stamp, clock);
            found = terms.ite(passed, value, found);
        }
        found
    }

    /// A write goes behind the last node whose stamp is no larger than its own. The first node is given up for it.
    fn insert(terms: &mut Terms, list: &mut List, (value, stamp): (TermId, TermId), when: TermId) {
        let before: Vec<TermId> = (list.stamp.iter())
            .map(|&other| match faults::on(Fault::StampShared) {
                true => terms.ult(other, stamp),
                false => terms.ule(other, stamp),
            })
            .collect();
        for (nodes, new) in [(&mut list.value, value), (&mut list.stamp, stamp)] {
            let old = nodes.clone();
            for (number, node) in nodes.iter_mut().enumerate() {
                // Either the next node moves here, or the new one is here, or this one stays.
                let mut now = terms.ite(before[number], new, old[number]);
                if let Some(&next) = old.get(number + 1) {
                    now = terms.ite(before[number + 1], next, now);
                }
                *node = terms.ite(when, now, *node);
            }
        }
    }
}

impl<D: Discipline> Memory for Lists<D> {
    fn init(program: &mut EventProgram, bounds: Bounds) -> Lists<D> {
        let bits = width(bounds.clock);
        let zero = program.terms.constant(0, bits);
        let mut lists: IdVec<CellId, Option<List>> = IdVec::new();
        for (cell, delayed) in delayed(program).iter_ids() {
            lists.push(delayed.then(|| Self::list(program, cell, bits, bounds)));
        }
        let none = Rc::new(Own {
            stamps: Stamps {
                last: zero,
                ordered: zero,
            },
            last: HashMap::default(),
        });
        Lists {
            bits,
            bounds,
            clock: zero,
            own: program.threads.iter().map(|_| none.clone()).collect(),
            before: Rc::default(),
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
    fn pass(
        &mut self,
        circuit: &mut Circuit,
        (thread, step): (ThreadId, EventId),
        next: Next,
        when: TermId,
    ) {
        // A thread's first turn may execute all of its steps, one after the other.
        match self.before.get(&step) {
            Some(own) => self.own[thread] = own.clone(),
            None => {
                let before = Rc::make_mut(&mut self.before);
                before.insert(step, self.own[thread].clone());
            }
        }
        // A fence pushes the clock itself.
        if next != Next::Access {
            return;
        }
        if self.bounds.clock > 1 {
            let later = circuit.guess(Guess::Clock, step, self.bits);
            let most = circuit
                .terms
                .constant(u128::from(self.bounds.clock - 1), self.bits);
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
        match self.own[thread].last.get(&cell) {
            Some(&(value, stamp)) if !faults::on(Fault::ListUnseen) => {
                let pending = terms.ult(self.clock, stamp);
                terms.ite(pending, value, there)
            }
            _ => there,
        }
    }

    /// Lines 17 to 45.
    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId) {
        let Write { thread, event, .. } = write;
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
        let free = match list.stamp.get(1) {
            Some(&stamp) => circuit.terms.ule(stamp, self.clock),
            None => circuit.terms.fals(),
        };
        if !faults::on(Fault::HeadTaken) {
            circuit.demand(when, free);
        }
        // When it reaches memory.
        let mut floors = vec![self.clock];
        let own = Rc::make_mut(&mut self.own[thread]);
        let zero = circuit.terms.constant(0, self.bits);
        let (value_before, stamp_before) =
            *(own.last.entry(write.cell)).or_insert((write.value, zero));
        let stamp = match write.way {
            Way::Direct => self.clock,
            Way::Buffered { last } => {
                if !faults::on(Fault::StampFalls) {
                    floors.push(D::floor(circuit.terms, own.stamps, stamp_before));
                }
                if last && !faults::on(Fault::ListRelease) {
                    floors.push(own.stamps.last);
                }
                // Parts of one write have one stamp.
                let whole = if faults::on(Fault::PartsAlone) {
                    event
                } else {
                    write.step
                };
                circuit.guess(Guess::Stamp, whole, self.bits)
            }
        };
        for floor in floors {
            let late = circuit.terms.ule(floor, stamp);
            circuit.demand(when, late);
        }
        let most = u128::from(self.bounds.clock - 1);
        let most = circuit.terms.constant(most, self.bits);
        let early = circuit.terms.ule(stamp, most);
        circuit.demand(when, early);
        Self::insert(circuit.terms, list, (write.value, stamp), when);
        let terms = &mut *circuit.terms;
        let until = match write.way {
            Way::Direct => zero,
            Way::Buffered { .. } => stamp,
        };
        let value = terms.ite(write.made, write.value, value_before);
        own.last.insert(
            write.cell,
            (value, terms.ite(write.made, until, stamp_before)),
        );
        if write.way != Way::Direct {
            let latest = D::latest(terms, own.stamps.last, stamp);
            own.stamps.last = terms.ite(write.made, latest, own.stamps.last);
        }
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
        let last = self.own[thread].stamps.last;
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

    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, made: TermId, _: TermId) {
        if faults::on(Fault::ListRelease) {
            return;
        }
        let stamps = &mut Rc::make_mut(&mut self.own[thread]).stamps;
        stamps.ordered = circuit.terms.ite(made, stamps.last, stamps.ordered);
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
