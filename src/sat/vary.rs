//! Another search over the same formula, for any solver: a seed decides which variables are told to the solver
//! negated. Solvers try one value first for all variables, so the order in which they see the space changes,
//! and nothing else does. A seed of 0 negates none.

use super::solver::{Answer, Solver, Weights};
use crate::base::Budget;
use crate::base::mix::mix;
use crate::circuit::ClauseSink;

/// A solver that sees some variables negated.
pub struct Varied<S> {
    solver: S,
    /// Indexed by variable; the entry of 0 is unused.
    negated: Vec<bool>,
    core: Option<Vec<i32>>,
    seed: u32,
    buffer: Vec<i32>,
}

impl<S: Solver> Varied<S> {
    /// Varies a solver that has no variables yet.
    pub fn new(solver: S, seed: u32) -> Varied<S> {
        Varied {
            solver,
            negated: vec![false],
            core: None,
            seed,
            buffer: Vec::new(),
        }
    }

    /// The literal as the solver knows it, and back.
    fn turn(&self, lit: i32) -> i32 {
        match self.negated.get(lit.unsigned_abs() as usize) {
            Some(true) => -lit,
            _ => lit,
        }
    }

    fn turn_all(&mut self, lits: &[i32]) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(lits.iter().map(|lit| self.turn(*lit)));
        self.buffer = buffer;
    }
}

impl<S: Solver> ClauseSink for Varied<S> {
    fn new_var(&mut self) -> i32 {
        let var = self.solver.new_var();
        let is_negated =
            self.seed != 0 && mix(u64::from(self.seed), u64::from(var.unsigned_abs())) & 1 == 1;
        self.negated.push(is_negated);
        var
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.turn_all(lits);
        self.solver.add_clause(&self.buffer);
    }
}

impl<S: Solver> Solver for Varied<S> {
    fn reset(&mut self) {
        self.solver.reset();
        self.negated.truncate(1);
        self.core = None;
    }

    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        self.turn_all(assumptions);
        let answer = self.solver.solve(&self.buffer, budget);
        self.core = self
            .solver
            .core()
            .map(|core| core.iter().map(|lit| self.turn(*lit)).collect());
        answer
    }

    fn value(&self, lit: i32) -> bool {
        self.solver.value(self.turn(lit))
    }

    fn core(&self) -> Option<&[i32]> {
        self.core.as_deref()
    }

    fn collect(&mut self) -> bool {
        self.solver.collect()
    }

    fn collected(&mut self) -> Vec<Vec<i32>> {
        let mut all = self.solver.collected();
        for lit in all.iter_mut().flatten() {
            *lit = self.turn(*lit);
        }
        all
    }

    fn weigh(&mut self) {
        self.solver.weigh();
    }

    fn weights(&mut self) -> Weights {
        let mut all = self.solver.weights();
        for (weights, _) in all.iter_mut().zip(&self.negated).filter(|one| *one.1) {
            weights.swap(0, 1);
        }
        all
    }

    fn var_count(&self) -> usize {
        self.solver.var_count()
    }

    fn clause_count(&self) -> usize {
        self.solver.clause_count()
    }
}
