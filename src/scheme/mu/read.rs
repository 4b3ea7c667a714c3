//! Reads of memory, whatever its representation: where they look, and where what they see has changed.

use super::plan::{Look, Plan};
use super::position::Positions;
use super::range::Values;
use crate::circuit::{Formula, Lit};
use crate::event::{CellId, EventProgram};
use crate::relation::program_order::StepId;

/// A read that looks at memory, as literals.
pub struct Reader {
    /// Its step.
    pub step: StepId,
    /// Value that it returns, lowest bit first.
    pub value: Vec<Lit>,
    /// Cells that it may look at, with the conditions that it runs and does.
    pub cells: Vec<(CellId, Lit)>,
}

impl Reader {
    /// States what a read sees of its own step, newest first; what is left is for memory.
    pub fn new(
        program: &EventProgram,
        formula: &mut Formula,
        plan: &Plan,
        step: StepId,
        look: &Look,
    ) -> Reader {
        let value = formula.bits_of(&program.terms, look.value).to_vec();
        let mut rest = formula.lit_of(&program.terms, plan.ran[step]);
        for write in look.section.iter().rev() {
            let act = formula.lit_of(&program.terms, write.act);
            let source = formula.bits_of(&program.terms, write.value).to_vec();
            formula.equal_if(&[rest, act], &value, &source);
            rest = formula.and(rest, !act);
        }
        let mut cells = Vec::new();
        for &(cell, act) in &look.cells {
            let act = formula.lit_of(&program.terms, act);
            cells.push((cell, formula.and(rest, act)));
        }
        cells.retain(|(_, when)| *when != Lit::FALSE);
        Reader { step, value, cells }
    }

    /// States that a read returns what memory can hold after `i` writes (or clusters) unless its step is `later`.
    pub fn state_early(&self, formula: &mut Formula, values: &Values, i: u32, later: Lit) {
        for &(cell, when) in &self.cells {
            let (now, next) = (values.after(cell, i), values.after(cell, i + 1));
            // Where nothing is added, the next position says it.
            if let Some(range) = now
                && now != next
                && later != Lit::TRUE
            {
                formula.within_if(&[when, !later], &self.value, range);
            }
        }
    }
}

/// A step that only reads is where its thread was before, or where what it reads has just been written (`changed`):
/// whatever it sees farther on, it sees there. This leaves out executions that differ in nothing.
pub fn settle(
    formula: &mut Formula,
    positions: &Positions,
    starts: &[StepId],
    step: StepId,
    i: u32,
    changed: &[Lit],
) {
    let here = positions.is(formula, step, i);
    if here == Lit::FALSE {
        return;
    }
    let mut clause = vec![!here];
    clause.extend(changed);
    for &start in starts {
        for way in positions.behind(start, i) {
            clause.push(formula.and(way[0], way[1]));
        }
    }
    formula.add_clause(&clause);
}
