//! The read-explicit representation (§4.1, Figure 5): what every shared variable holds after each write.
//!
//! `mem[i][v]` is what the write at position i stores if it is to v, and `mem[i-1][v]` otherwise; `mem[0][v]` is
//! the initial value. A read at position i returns `mem[i][v]`. There are rows only for variables that somebody
//! reads, and a new word only where some write to the variable can be.
//!
//! Figure 5 leaves out two things. `Jump` must stay below the thread's next write in the unwinding, *and* below
//! nothing else: a thread that has no write left may jump to the last one. And the index `var_name` is `v`.

use super::plan::Plan;
use super::position::Positions;
use super::range::Values;
use super::read::Reader;
use super::row::after;
use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventProgram};
use crate::relation::program_order::StepId;
use crate::term::Fact;

/// A write to a variable.
struct VariableWrite {
    step: StepId,
    /// Number of the write among those of the step.
    number: usize,
    /// It writes this variable, if the write happens.
    act: Lit,
    value: Vec<Lit>,
}

/// A variable.
struct Variable {
    writers: Vec<VariableWrite>,
    /// After 0, 1, … writes.
    rows: Vec<Vec<Lit>>,
    /// The write at 1, 2, … is to it.
    written: Vec<Lit>,
}

/// All variables.
pub struct Explicit {
    variables: IdVec<CellId, Option<Variable>>,
}

impl Explicit {
    /// Variables without any position yet, for those cells that are `kept`.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        kept: &IdVec<CellId, bool>,
    ) -> Explicit {
        let mut variables: IdVec<CellId, Option<Variable>> = IdVec::new();
        for (cell, &kept) in kept.iter_ids() {
            variables.push(kept.then(|| {
                let initial = formula.bits_of(&program.terms, plan.initial[cell]);
                Variable {
                    writers: Vec::new(),
                    rows: vec![initial.to_vec()],
                    written: Vec::new(),
                }
            }));
        }
        for (step, groups) in plan.groups.iter_ids() {
            for (number, group) in groups.iter().enumerate() {
                for stored in &group.stored {
                    let Some(variable) = &mut variables[stored.cell] else {
                        continue;
                    };
                    variable.writers.push(VariableWrite {
                        step,
                        number,
                        act: formula.lit_of(&program.terms, stored.act),
                        value: formula.bits_of(&program.terms, stored.value).to_vec(),
                    });
                }
            }
        }
        Explicit { variables }
    }

    /// Adds rows up to the last position.
    pub fn grow(&mut self, formula: &mut Formula, positions: &Positions, values: &Values) {
        for (cell, variable) in self.variables.ids().zip(self.variables.iter_mut()) {
            let Some(variable) = variable else { continue };
            for i in variable.rows.len() as u32..=positions.count {
                variable.add_row(formula, positions, i, values.after(cell, i));
            }
        }
    }

    /// The write at position `i` is to a cell.
    pub fn written(&self, cell: CellId, i: u32) -> Lit {
        let variable = self.variables[cell].as_ref();
        let written = variable.and_then(|v| v.written.get((i as usize).checked_sub(1)?));
        written.copied().unwrap_or(Lit::FALSE)
    }

    /// States what a read returns that looks at a cell where `when` holds, at positions from `from` on.
    pub fn read(
        &self,
        formula: &mut Formula,
        positions: &Positions,
        (reader, cell, when): (&Reader, CellId, Lit),
        from: u32,
    ) {
        let Some(variable) = &self.variables[cell] else {
            return;
        };
        let (least, most) = positions.window(reader.step);
        let last = positions.count.min(most);
        let mut i = from.max(least);
        while i <= last {
            let row = &variable.rows[i as usize];
            let mut to = i;
            while to < last && variable.rows[to as usize + 1] == *row {
                to += 1;
            }
            let here = positions.between(formula, reader.step, i, to);
            formula.equal_if(&[when, here], &reader.value, row);
            i = to + 1;
        }
    }
}

impl Variable {
    fn add_row(
        &mut self,
        formula: &mut Formula,
        positions: &Positions,
        i: u32,
        range: Option<&Fact>,
    ) {
        let previous = self.rows[i as usize - 1].clone();
        let mut writes: Vec<(Lit, &[Lit])> = Vec::new();
        for writer in &self.writers {
            let here = positions.is_write(writer.step, writer.number, i);
            let here = formula.and(here, writer.act);
            if here != Lit::FALSE {
                writes.push((here, &writer.value));
            }
        }
        let all: Vec<Lit> = writes.iter().map(|write| write.0).collect();
        let written = formula.or_all(&all);
        self.written.push(written);
        let row = after(formula, &writes, previous, range);
        self.rows.push(row);
    }
}
