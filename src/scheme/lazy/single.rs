//! Cells that one thread writes: what others read there is decided by how far that thread has come.
//!
//! The order of a write's step and a read's is one literal for the two of them, in whatever slot the read is executed:
//! there, it is true if the writer has got behind its step. The value of the read depends on these literals alone, so
//! words are not carried from slot to slot, and what is learnt about them holds in all rounds.

use crate::base::IdVec;
use crate::base::sorted::SortedMap;
use crate::circuit::Lit;
use crate::event::{CellId, EventId, EventKind, EventProgram, ThreadId};
use crate::relation::turn::Transactions;
use crate::scheme::faults::{self, Fault};
use crate::scheme::memory::Circuit;
use crate::term::{TermId, Terms};

/// The steps that change a cell, all of one thread, with the cell's value after each.
#[derive(Clone)]
struct History {
    thread: ThreadId,
    initial: TermId,
    steps: Vec<(usize, TermId)>,
}

/// A step: its thread, and its place there.
type ThreadStep = (ThreadId, usize);

/// A step that may be executed, where, and how far threads are there.
pub(super) struct At<'a> {
    /// The step.
    pub place: ThreadStep,
    /// The condition that it is executed here.
    pub here: TermId,
    /// Number of the slot.
    pub slot: usize,
    /// The condition that a thread has executed its first `i + 1` steps when the slot begins.
    pub reached: &'a IdVec<ThreadId, Vec<TermId>>,
}

/// Order literal of a reading step and a step of the writer, by both ([`Single::before`]): the writer's comes first.
struct Before {
    lit: Lit,
    /// The slot for which it has been said what it is.
    slot: usize,
}

/// Reads of cells that one thread writes.
pub(super) struct Single {
    cells: IdVec<CellId, Option<History>>,
    before: SortedMap<(ThreadStep, ThreadStep), Before>,
    /// Reads whose values are stated.
    stated: IdVec<EventId, bool>,
}

impl Single {
    /// Cells that are written, and by one thread only.
    pub fn of(program: &mut EventProgram, transactions: &Transactions) -> Single {
        let mut cells: IdVec<CellId, Option<History>> =
            program.cells.iter().map(|_| None).collect();
        let mut several: IdVec<CellId, bool> = program.cells.iter().map(|_| false).collect();
        let order: Vec<EventId> = program
            .threads
            .iter()
            .flat_map(|thread| thread.events.iter().copied())
            .collect();
        for id in order {
            let event = &program.events[id];
            let EventKind::Write { value, targets, .. } = &event.kind else {
                continue;
            };
            let Some((thread, place)) = transactions.place(id) else {
                continue;
            };
            for target in targets {
                let initial = program.cells[target.cell].init;
                let history = cells[target.cell].get_or_insert(History {
                    thread,
                    initial,
                    steps: Vec::new(),
                });
                several[target.cell] |= history.thread != thread;
                let old = history.steps.last().map_or(initial, |step| step.1);
                let when = program.terms.and(event.guard, target.when);
                let value = program.terms.ite(when, *value, old);
                match history.steps.last_mut() {
                    // Others see what the step leaves.
                    Some(last) if last.0 == place => last.1 = value,
                    _ => history.steps.push((place, value)),
                }
            }
        }
        for (cell, several) in several.iter_ids() {
            if *several {
                cells[cell] = None;
            }
        }
        Single {
            cells,
            before: SortedMap::new(),
            stated: program.events.ids().map(|_| false).collect(),
        }
    }

    /// Content of a cell when threads have come as far as `reached` says; `None` if not only one thread writes it.
    pub fn last(
        &self,
        terms: &mut Terms,
        cell: CellId,
        reached: &IdVec<ThreadId, Vec<TermId>>,
    ) -> Option<TermId> {
        let history = self.cells[cell].as_ref()?;
        let mut content = history.initial;
        for &(place, value) in &history.steps {
            content = terms.ite(reached[history.thread][place], value, content);
        }
        Some(content)
    }

    /// States what a read of a cell returns, of which the step may be executed here; `false` if not only one other thread
    /// writes the cell.
    pub fn read(
        &mut self,
        circuit: &mut Circuit,
        (event, variable): (EventId, TermId),
        cell: CellId,
        at: &At,
    ) -> bool {
        let (terms, formula) = (&*circuit.terms, &mut *circuit.formula);
        let Some(history) = &self.cells[cell] else {
            return false;
        };
        if history.thread == at.place.0 {
            return false;
        }
        let here = formula.lit_of(terms, at.here);
        let writer = &at.reached[history.thread];
        let mut order: Vec<Lit> = Vec::with_capacity(history.steps.len());
        for &(place, _) in &history.steps {
            let pair = (at.place, (history.thread, place));
            let before = self.before.entry(pair).or_insert_with(|| Before {
                lit: formula.new_lit(),
                slot: usize::MAX,
            });
            let untied = faults::on(Fault::BeforeUntied) && before.slot != usize::MAX;
            if before.slot != at.slot && !untied {
                before.slot = at.slot;
                let there = formula.lit_of(terms, writer[place]);
                formula.add_clause(&[!here, !before.lit, there]);
                formula.add_clause(&[!here, before.lit, !there]);
            }
            order.push(before.lit);
        }
        if std::mem::replace(&mut self.stated[event], true) {
            return true;
        }
        for pair in order.windows(2) {
            formula.add_clause(&[!pair[1], pair[0]]);
        }
        // What comes before an earlier step of the reader comes before this one.
        let (reader, place) = at.place;
        if let Some(earlier) = place.checked_sub(1) {
            for (&lit, &(place, _)) in order.iter().zip(&history.steps) {
                let writer = (history.thread, place);
                let last = (0..=earlier)
                    .rev()
                    .find_map(|i| self.before.get(&((reader, i), writer)));
                if let Some(last) = last {
                    formula.add_clause(&[!last.lit, lit]);
                }
            }
        }
        let value = formula.bits_of(terms, variable).to_vec();
        let initial = formula.bits_of(terms, history.initial).to_vec();
        let first = order.first().map_or(Lit::TRUE, |&lit| !lit);
        formula.equal_if(&[first], &value, &initial);
        for (i, &(_, written)) in history.steps.iter().enumerate() {
            let written = formula.bits_of(terms, written).to_vec();
            let next = order.get(i + 1).map_or(Lit::TRUE, |&lit| !lit);
            formula.equal_if(&[order[i], next], &value, &written);
        }
        true
    }
}
