//! Fine-grained memory unwindings (§4.1): every write has a position of its own.

use super::cluster::Wait;
#[cfg(feature = "internals")]
use super::cluster::{Cluster, has_value};
use super::explicit::Explicit;
use super::implicit::Implicit;
use super::plan::Plan;
use super::position::Positions;
use super::range::Values;
use super::read::{Reader, settle};
use super::variant::Variant;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventId, EventKind, EventProgram};
use crate::goal::Model;
use crate::relation::program_order::StepId;
use crate::scheme::faults::{self, Fault};
use crate::term::TermId;
#[cfg(feature = "internals")]
use crate::term::Terms;

/// The guessed writes and what threads make of them.
pub struct Fine {
    positions: Positions,
    explicit: Explicit,
    implicit: Implicit,
    /// Reads, with their numbers in the read-implicit representation.
    readers: Vec<(Reader, Option<usize>)>,
    waits: Vec<Wait>,
    /// The first position of reads that nothing is stated about yet.
    from: u32,
}

impl Fine {
    /// An unwinding of no writes yet.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        (variant, waits): (Variant, Vec<Wait>),
        happens: &IdVec<EventId, Option<TermId>>,
    ) -> Fine {
        let steps: Vec<StepId> = waits.iter().map(|wait| wait.join).collect();
        let positions = Positions::new(program, formula, plan, &steps, happens);
        let mut readers: Vec<(Reader, Option<usize>)> = Vec::new();
        let mut read: IdVec<CellId, bool> = program.cells.ids().map(|_| false).collect();
        for (step, looks) in plan.looks.iter_ids() {
            for look in looks {
                let reader = Reader::new(program, formula, plan, step, look);
                for &(cell, _) in &reader.cells {
                    read[cell] = true;
                }
                readers.push((reader, None));
            }
        }
        let alike = implicit_cells(program, plan, variant);
        let of = |implicit: bool| {
            let all = read.iter().zip(alike.iter());
            all.map(|(&read, &alike)| read && alike == implicit)
                .collect()
        };
        let explicit = Explicit::new(program, formula, plan, &of(false));
        let mut implicit = Implicit::new(program, formula, plan, &of(true));
        for (reader, number) in &mut readers {
            *number = implicit.add_reader(formula, reader);
        }
        Fine {
            positions,
            explicit,
            implicit,
            readers,
            waits,
            from: 0,
        }
    }

    /// True if it has never grown: then it says nothing, not even of initial values.
    pub fn is_new(&self) -> bool {
        self.from == 0
    }

    /// The number of positions.
    pub fn count(&self) -> u32 {
        self.positions.count
    }

    /// Assumptions for a question about at most so many writes.
    pub fn within(&self, writes: u32) -> Vec<Lit> {
        self.positions.within(writes)
    }

    /// There is a write at position `i`.
    pub fn is_taken(&self, i: u32) -> Lit {
        self.positions.is_taken(i)
    }

    /// Adds positions up to `count`.
    pub fn grow(&mut self, formula: &mut Formula, plan: &Plan, values: &Values, count: u32) {
        self.positions.grow(formula, plan, count);
        self.explicit.grow(formula, &self.positions, values);
        self.implicit.grow(formula, &self.positions, values);
        let positions = &self.positions;
        for (reader, _) in &self.readers {
            for &(cell, when) in &reader.cells {
                self.explicit
                    .read(formula, positions, (reader, cell, when), self.from);
            }
        }
        for i in self.from.saturating_sub(1)..count {
            for (reader, _) in &self.readers {
                let later = positions.at_least(reader.step, i + 1);
                reader.state_early(formula, values, i, later);
            }
        }
        for wait in &self.waits {
            // Up to what is beyond the last position.
            for i in self.from + 1..=count + 1 {
                for &end in positions.frontier(wait.end) {
                    for way in positions.behind(end, i) {
                        let here = positions.at_least(wait.join, i);
                        formula.add_clause(&[!wait.when, !way[0], !way[1], here]);
                    }
                }
            }
        }
        let mut readers = self.readers.as_slice();
        while let Some((first, _)) = readers.first() {
            let step = first.step;
            let (here, rest) =
                readers.split_at(readers.partition_point(|(reader, _)| reader.step <= step));
            readers = rest;
            for i in self.from.max(1)..=count {
                positions.keep_out(formula, plan, step, i);
                let waits = self.waits.iter().any(|wait| wait.join == step);
                if !plan.groups[step].is_empty() || waits {
                    continue;
                }
                let mut changed = vec![positions.ends_section(formula, i)];
                // One that does not happen has a place behind the writes that are certain before it, and those may not have happened either.
                if positions.window(step).0 > 0 && !faults::on(Fault::SettledUnreached) {
                    changed.push(!positions.happens(step));
                }
                for (reader, number) in here {
                    for &(cell, _) in &reader.cells {
                        changed.push(self.explicit.written(cell, i));
                    }
                    changed.extend(number.map(|number| self.implicit.takes(number, i)));
                }
                settle(
                    formula,
                    positions,
                    positions.starts_of(step),
                    step,
                    i,
                    &changed,
                );
            }
        }
        self.from = count + 1;
    }

    /// The condition that a position has these writes of its one thread.
    #[cfg(feature = "internals")]
    pub fn is(
        &self,
        terms: &Terms,
        formula: &mut Formula,
        plan: &Plan,
        (i, wanted): (u32, &Cluster),
    ) -> Lit {
        let &[thread] = wanted.threads.as_slice() else {
            return Lit::FALSE;
        };
        let mut all = Vec::new();
        for &(cell, value) in &wanted.map {
            let mut ways = Vec::new();
            for &step in &plan.po.chains[thread] {
                for (number, group) in plan.groups[step].iter().enumerate() {
                    for stored in group.stored.iter().filter(|stored| stored.cell == cell) {
                        let here = self.positions.is_write(step, number, i);
                        let act = formula.lit_of(terms, stored.act);
                        let word = formula.bits_of(terms, stored.value).to_vec();
                        let same = has_value(formula, &word, value);
                        ways.push(formula.and_all(&[here, act, same]));
                    }
                }
            }
            all.push(formula.or_all(&ways));
        }
        formula.and_all(&all)
    }

    /// Time at which a step is executed in a model: its last position, where steps that write come before those that
    /// see it.
    pub fn time(&self, plan: &Plan, step: StepId, model: &mut dyn Model) -> (u64, u64) {
        let steps = if self.positions.has(step) {
            &[step][..]
        } else {
            self.positions.frontier(step)
        };
        let mut latest = (0, 1);
        for &step in steps {
            let (start, end) = self.positions.of_model(plan, step, model);
            latest = latest.max((u64::from(end), u64::from(start == end)));
        }
        if self.positions.has(step) {
            latest
        } else {
            (latest.0, 1)
        }
    }
}

/// Cells in the read-implicit representation. A position has one address, so cells that one write changes together
/// are not among them.
fn implicit_cells(program: &EventProgram, plan: &Plan, variant: Variant) -> IdVec<CellId, bool> {
    let mut implicit: IdVec<CellId, bool> = program
        .cells
        .iter()
        .map(|cell| match variant {
            Variant::FineImplicit => true,
            Variant::FineMixed => cell.element.is_some(),
            _ => false,
        })
        .collect();
    if variant == Variant::FineMixed {
        // An object that is accessed at computed addresses is an array, too.
        for event in program.events.iter() {
            if let EventKind::Read { targets, .. } | EventKind::Write { targets, .. } = &event.kind
                && targets.len() > 1
            {
                for target in targets {
                    implicit[target.cell] = true;
                }
            }
        }
    }
    if faults::on(Fault::OneAddress) {
        return implicit;
    }
    for group in plan.groups.iter().flatten().filter(|group| !group.single) {
        for stored in &group.stored {
            implicit[stored.cell] = false;
        }
    }
    implicit
}
