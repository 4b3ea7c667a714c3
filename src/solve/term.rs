//! The solver over terms of one pool, which may grow from call to call.

use super::gate::{Assumption, Core, GateSolver};
use crate::base::Budget;
use crate::circuit::{Blaster, Lit};
use crate::sat::Answer;
use crate::term::{TermId, Terms, VarId};

/// An incremental solver over terms. Conditions are terms of one bit.
pub struct TermSolver {
    gates: GateSolver,
    blaster: Blaster,
}

impl TermSolver {
    /// Nothing is asserted; `gates` has no gates.
    pub(super) fn new(gates: GateSolver) -> TermSolver {
        TermSolver {
            gates,
            blaster: Blaster::new(),
        }
    }

    // Problem.

    /// The condition, to be assumed.
    pub fn assumption(&mut self, terms: &Terms, condition: TermId) -> Assumption {
        let lit = self.lit(terms, condition);
        self.gates.assumption(lit)
    }

    /// A bit of a word, to be assumed; bit 0 is the lowest.
    pub fn bit(&mut self, terms: &Terms, word: TermId, bit: u16) -> Assumption {
        let circuit = self.gates.circuit_mut();
        let lit = self.blaster.bits(circuit, terms, word)[usize::from(bit)];
        self.gates.assumption(lit)
    }

    /// The condition holds.
    pub fn assert(&mut self, terms: &Terms, condition: TermId) {
        let lit = self.lit(terms, condition);
        self.gates.assert(lit);
    }

    fn lit(&mut self, terms: &Terms, condition: TermId) -> Lit {
        self.blaster.bit(self.gates.circuit_mut(), terms, condition)
    }

    // Solving.

    /// Looks for a model of what was asserted in which all assumptions are true.
    pub fn check(&mut self, assumptions: &[Assumption], budget: &Budget) -> Answer {
        self.gates.check(assumptions, budget)
    }

    // Results of the last check; they stay readable while more is asserted.

    /// Truth of an assumption in the model.
    pub fn is_true(&self, assumption: Assumption) -> bool {
        self.gates.is_true(assumption)
    }

    /// Value of a variable in the model. One that nothing has spoken of has some value that is known to be possible.
    pub fn variable(&self, terms: &Terms, var: VarId) -> u128 {
        let Some(word) = self.blaster.variable(terms, var) else {
            let fact = terms.fact(terms.variable(var));
            return if fact.admits(0) {
                0
            } else {
                fact.lo | fact.ones
            };
        };
        let bits = word.iter().enumerate();
        bits.fold(0, |value, (bit, lit)| {
            value | u128::from(self.gates.value(*lit)) << bit
        })
    }

    /// Value of a term in the model. Of many terms at once, use [`crate::term::Evaluator`] with the values of variables.
    pub fn value(&self, terms: &Terms, term: TermId) -> u128 {
        terms.eval(term, &|var| self.variable(terms, var))
    }

    /// The assumptions that an answer "there is no model" rests on; all if the solver cannot say.
    pub fn core(&self) -> Core {
        self.gates.core()
    }
}
