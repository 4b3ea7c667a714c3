//! Coarse-grained memory unwindings (§4.2): a position is a cluster of writes, and only what they leave is exposed.
//!
//! *Intra-thread*: a cluster is what one thread does without interruption; nobody else sees writes that it
//! overwrites itself. With k clusters, a violation is found exactly if some execution has at most k *writing
//! contexts*: maximal blocks of one thread's steps that contain a write. A join inside a cluster needs the joined
//! thread's end to be at an earlier one, because nobody else is inside.
//!
//! *Inter-thread*: in a cluster every thread has its turn, in the order in which they are simulated (main, then
//! the others by number), on copies of what the cluster changes; a turn begins with the copies as the turn before
//! it has left them. A cluster so is a round of all threads, and with k of them all that k intra-thread clusters
//! find is found, and all executions of k rounds. The paper keeps one set of copies for each cluster while it
//! simulates one thread after the other; that is the same.
//!
//! The representation is read-explicit: memory behind each cluster, and in inter-thread ones before each turn.

use super::cluster::Wait;
#[cfg(feature = "internals")]
use super::cluster::{Cluster, has_value};
use super::place::Places;
use super::plan::Plan;
use super::range::Values;
use super::read::Reader;
use super::row::after;
use super::variant::Variant;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventProgram, ThreadId};
use crate::goal::Model;
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};
use crate::term::{Fact, TermId};

/// Writes of one step to a cell, taken together: the value that the step leaves.
struct StepWrite {
    step: StepId,
    /// It runs and writes the cell.
    act: Lit,
    value: Vec<Lit>,
}

/// A cell that somebody reads.
struct Variable {
    /// Steps that write it, by thread, in program order.
    writers: IdVec<ThreadId, Vec<StepWrite>>,
    /// Behind 0, 1, … clusters.
    rows: Vec<Vec<Lit>>,
    /// In each cluster, before each thread's turn.
    turns: Vec<Vec<Vec<Lit>>>,
    /// It is written in cluster 1, 2, ….
    written: Vec<Lit>,
}

/// Clusters, and what threads make of them.
pub struct Coarse {
    places: Places,
    variables: IdVec<CellId, Option<Variable>>,
    readers: Vec<Reader>,
    shared: bool,
    /// True once it has grown.
    begun: bool,
}

impl Coarse {
    /// An unwinding of no clusters yet.
    pub fn new(
        program: &mut EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        (variant, waits): (Variant, &[Wait]),
    ) -> Coarse {
        let shared = variant == Variant::Inter;
        let places = Places::new(program, formula, plan, (shared, waits));
        let mut readers: Vec<Reader> = Vec::new();
        let mut variables: IdVec<CellId, Option<Variable>> =
            program.cells.ids().map(|_| None).collect();
        for (step, looks) in plan.looks.iter_ids() {
            for look in looks {
                let reader = Reader::new(program, formula, plan, step, look);
                for &(cell, _) in &reader.cells {
                    let initial = formula.bits_of(&program.terms, plan.initial[cell]).to_vec();
                    variables[cell].get_or_insert_with(|| Variable {
                        writers: program.threads.ids().map(|_| Vec::new()).collect(),
                        rows: vec![initial],
                        turns: Vec::new(),
                        written: Vec::new(),
                    });
                }
                readers.push(reader);
            }
        }
        for chain in plan.po.chains.iter() {
            for &step in chain {
                let ran = formula.lit_of(&program.terms, plan.ran[step]);
                let thread = plan.po.steps[step].thread;
                for (cell, act, value) in left(program, plan, step) {
                    let Some(variable) = &mut variables[cell] else {
                        continue;
                    };
                    let act = formula.lit_of(&program.terms, act);
                    variable.writers[thread].push(StepWrite {
                        step,
                        act: formula.and(ran, act),
                        value: formula.bits_of(&program.terms, value).to_vec(),
                    });
                }
            }
        }
        Coarse {
            places,
            variables,
            readers,
            shared,
            begun: false,
        }
    }

    /// True if it has never grown: then it says nothing, not even of initial values.
    pub fn is_new(&self) -> bool {
        !self.begun
    }

    /// The number of clusters.
    pub fn count(&self) -> u32 {
        self.places.count
    }

    /// Assumptions for a question about at most so many clusters.
    pub fn within(&self, clusters: u32) -> Vec<Lit> {
        self.places.within(clusters)
    }

    /// Something is written in cluster `i`.
    pub fn is_taken(&self, i: u32) -> Lit {
        self.places.is_taken(i)
    }

    /// Adds clusters up to `count`.
    pub fn grow(&mut self, formula: &mut Formula, plan: &Plan, values: &Values, count: u32) {
        let old = self.places.count;
        self.places.grow(formula, plan, count);
        for (cell, variable) in self.variables.ids().zip(self.variables.iter_mut()) {
            let Some(variable) = variable else { continue };
            for i in old + 1..=count {
                let range = values.after(cell, i);
                variable.add_row(formula, &self.places, (i, self.shared), range);
            }
        }
        for i in old..count {
            for reader in &self.readers {
                let later = self.places.at_least(reader.step, 2 * i + 1);
                reader.state_early(formula, values, i, later);
            }
        }
        let first = if self.begun { old + 1 } else { 0 };
        for reader in &self.readers {
            for i in first..=count {
                self.read(formula, plan, reader, i);
            }
        }
        let mut readers = self.readers.as_slice();
        while let Some(reader) = readers.first() {
            let step = reader.step;
            let (here, rest) =
                readers.split_at(readers.partition_point(|reader| reader.step <= step));
            readers = rest;
            for i in old + 1..=count {
                let cells = here.iter().flat_map(|reader| &reader.cells);
                let variables = cells.filter_map(|&(cell, _)| self.variables[cell].as_ref());
                let written: Vec<Lit> = variables.map(|v| v.written[i as usize - 1]).collect();
                self.places.settle(formula, step, 2 * i - 1, &[]);
                self.places.settle(formula, step, 2 * i, &written);
            }
        }
        self.begun = true;
    }

    /// States the value of a read behind cluster `i`, and inside it.
    fn read(&self, formula: &mut Formula, plan: &Plan, reader: &Reader, i: u32) {
        let step = reader.step;
        let thread = plan.po.steps[step].thread;
        for &(cell, when) in &reader.cells {
            let Some(variable) = &self.variables[cell] else {
                continue;
            };
            let behind = self.places.is(formula, step, 2 * i);
            formula.equal_if(&[when, behind], &reader.value, &variable.rows[i as usize]);
            let Some(before) = i.checked_sub(1) else {
                continue;
            };
            let inside = self.places.is(formula, step, 2 * i - 1);
            let mut rest = formula.and(when, inside);
            // Its own thread's writes in the cluster, the newest first.
            let own = &variable.writers[thread];
            let earlier = own.partition_point(|writer| writer.step < step);
            for writer in own[..earlier].iter().rev() {
                if faults::on(Fault::HiddenFromSelf) {
                    break;
                }
                let there = self.places.is(formula, writer.step, 2 * i - 1);
                let same = formula.and(there, writer.act);
                formula.equal_if(&[rest, same], &reader.value, &writer.value);
                rest = formula.and(rest, !same);
            }
            let row = if self.shared {
                &variable.turns[before as usize][thread.index()]
            } else {
                &variable.rows[before as usize]
            };
            formula.equal_if(&[rest], &reader.value, row);
        }
    }

    /// The condition that a cluster has just these threads and leaves just this.
    #[cfg(feature = "internals")]
    pub fn is(&self, formula: &mut Formula, plan: &Plan, (i, wanted): (u32, &Cluster)) -> Lit {
        let mut all = Vec::new();
        for (thread, _) in plan.po.chains.iter_ids() {
            let writes = self.places.writes(formula, plan, thread, i);
            let is = wanted.threads.contains(&thread);
            all.push(if is { writes } else { !writes });
        }
        for (cell, variable) in self.variables.iter_ids() {
            let value = wanted.map.iter().find(|known| known.0 == cell);
            match (variable, value) {
                (None, None) => {}
                (None, Some(_)) => return Lit::FALSE,
                (Some(variable), None) => all.push(!variable.written[i as usize - 1]),
                (Some(variable), Some(&(_, value))) => {
                    all.push(variable.written[i as usize - 1]);
                    all.push(has_value(formula, &variable.rows[i as usize], value));
                }
            }
        }
        formula.and_all(&all)
    }

    /// Time at which a step is executed in a model: its place, then its turn there.
    pub fn time(&self, plan: &Plan, step: StepId, model: &mut dyn Model) -> (u64, u64) {
        let place = self.places.of_model(step, model);
        (u64::from(place), self.places.turn(plan, step) as u64)
    }
}

impl Variable {
    /// The variable in and behind cluster `i`.
    fn add_row(
        &mut self,
        formula: &mut Formula,
        places: &Places,
        (i, shared): (u32, bool),
        range: Option<&Fact>,
    ) {
        let mut now = self.rows[i as usize - 1].clone();
        let mut turns = Vec::new();
        let mut all: Vec<Lit> = Vec::new();
        // With one thread inside, exposed writes of all threads exclude each other.
        let mut exposed: Vec<(Lit, &[Lit])> = Vec::new();
        for writers in self.writers.iter() {
            if shared {
                now = after(formula, &exposed, now, range);
                turns.push(now.clone());
                exposed.clear();
            }
            let mut later = Lit::FALSE;
            for writer in writers.iter().rev() {
                let inside = places.is(formula, writer.step, 2 * i - 1);
                let here = formula.and(inside, writer.act);
                let last = if faults::on(Fault::HiddenExposed) {
                    here
                } else {
                    formula.and(here, !later)
                };
                if last != Lit::FALSE {
                    exposed.push((last, &writer.value));
                }
                later = formula.or(later, here);
            }
            all.push(later);
        }
        now = after(formula, &exposed, now, range);
        self.rows.push(now);
        self.turns.push(turns);
        self.written.push(formula.or_all(&all));
    }
}

/// Writes of a step, one for each cell that it may write: the condition that it does, and the value that it leaves.
fn left(program: &mut EventProgram, plan: &Plan, step: StepId) -> Vec<(CellId, TermId, TermId)> {
    let mut left: Vec<(CellId, TermId, TermId)> = Vec::new();
    for stored in plan.groups[step].iter().flat_map(|group| &group.stored) {
        let terms = &mut program.terms;
        match left.iter_mut().find(|(cell, _, _)| *cell == stored.cell) {
            Some((_, act, value)) => {
                *value = terms.ite(stored.act, stored.value, *value);
                *act = terms.or(stored.act, *act);
            }
            None => left.push((stored.cell, stored.act, stored.value)),
        }
    }
    left
}
