//! Turns of steps, in unary: a literal for each turn says that a step is in it or in a later one.

use crate::base::IdVec;
use crate::circuit::{Formula, Lit};
use crate::goal::Model;
use crate::relation::program_order::StepId;

/// Turns of the steps of a program.
pub(super) struct Turns {
    /// Number of turns.
    pub count: usize,
    /// For each step: that it is in the second turn or later, and so on; the last literal says that it is behind all turns.
    pub later: IdVec<StepId, Vec<Lit>>,
}

impl Turns {
    /// The literal that a step is in this turn or later, counted from 0.
    #[inline]
    pub fn since(&self, step: StepId, turn: usize) -> Lit {
        match turn.checked_sub(1) {
            Some(index) => self.later[step][index],
            None => Lit::TRUE,
        }
    }

    /// The turn of a step in a model.
    pub fn of(&self, model: &mut dyn Model, step: StepId) -> usize {
        let later = self.later[step].iter();
        later.take_while(|lit| model.lit(**lit)).count()
    }

    /// The second step is in no earlier turn than the first.
    pub fn state_same_or_later(
        &self,
        formula: &mut Formula,
        (first, second): (StepId, StepId),
        when: &[Lit],
    ) {
        for turn in 1..=self.count {
            let mut clause: Vec<Lit> = when.iter().map(|lit| !*lit).collect();
            clause.push(!self.since(first, turn));
            clause.push(self.since(second, turn));
            formula.add_clause(&clause);
        }
    }
}
