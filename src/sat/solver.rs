//! The trait of all solvers, and what their answers are made of.

use crate::base::{Budget, StopReason};
use crate::circuit::ClauseSink;

/// Questions that a solver is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Questions {
    /// Few, each of which may take long.
    Hard,
    /// Few, each of which is thought to have a model.
    Models,
    /// Thousands, of a millisecond each.
    Short,
}

/// Search: how a solver goes about its questions. All have the same answers, but not the same models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Questions that it is for.
    pub questions: Questions,
    /// Seeds other than 0 vary it.
    pub seed: u32,
}

impl Search {
    /// The search for hard questions, varied by a seed.
    pub fn seeded(seed: u32) -> Search {
        Search {
            questions: Questions::Hard,
            seed,
        }
    }

    /// The search of a member of a crew, by its number: the first searches as a single solver does.
    pub fn of_member(self, number: usize) -> Search {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Search {
            seed: self.seed.wrapping_add(number),
            ..self
        }
    }
}

/// Answer of a solver about its clauses under assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; [`Solver::value`] reads it.
    Sat,
    /// There is none; [`Solver::core`] may say which assumptions are to blame.
    Unsat,
    /// The budget ended the search.
    Stopped(StopReason),
}

impl Answer {
    /// Satisfiability: true if there is a model.
    ///
    /// # Errors
    /// The budget ended the search.
    pub fn is_sat(self) -> Result<bool, StopReason> {
        match self {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Stopped(reason) => Err(reason),
        }
    }
}

/// Weights of variables, of the literal and its negation; the entry of 0 is unused.
pub type Weights = Vec<[u64; 2]>;

/// Division of a question among solvers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Division {
    /// Cubes: of one of these sets of literals, each model has all.
    pub cubes: Vec<Vec<i32>>,
    /// Guesses: sets of literals that some model may have. That none has says nothing.
    pub guesses: Vec<Vec<i32>>,
    /// Assumption that guesses are followed without: what is a model but for it is one of the question, too.
    pub optional: Option<i32>,
    /// Patience with a guess, in looks at the budget.
    pub patience: u64,
}

/// Answer to a question that was cut into cubes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divided {
    /// The answer.
    pub answer: Answer,
    /// Cubes that are decided.
    pub decided: usize,
}

/// An incremental solver. It takes clauses over its variables at any time and gives them back all at once only;
/// assumptions hold for one call.
pub trait Solver: ClauseSink {
    /// Name of the solver, for reports.
    fn name(&self) -> &'static str;

    /// Forgets all variables and clauses: the next variable is 1.
    fn reset(&mut self);

    // Solving.

    /// Looks for a model of all clauses in which all `assumptions` are true.
    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer;

    /// The same, divided. Who divides no work asks the question as it is.
    fn solve_divided(
        &mut self,
        assumptions: &[i32],
        division: &Division,
        budget: &Budget,
    ) -> Divided {
        let answer = self.solve(assumptions, budget);
        let decided = match answer {
            Answer::Stopped(_) => 0,
            Answer::Sat | Answer::Unsat => division.cubes.len(),
        };
        Divided { answer, decided }
    }

    // Results of the last call of `solve`; they stay readable while clauses are added.

    /// Value of `lit` in the model: true or false; the negated literal is the opposite. After other answers than
    /// [`Answer::Sat`], and for variables made since, it means nothing.
    fn value(&self, lit: i32) -> bool;
    /// After [`Answer::Unsat`]: assumptions that cannot hold together, not always fewest; empty if the clauses
    /// alone have no model. `None` after other answers, or where the solver cannot say.
    fn core(&self) -> Option<&[i32]>;

    // Sharing.

    /// Begins to collect short clauses that are learnt, until the solver is reset. False if it tells none, or cannot go on after an interruption
    /// where it was.
    fn collect(&mut self) -> bool {
        false
    }

    /// Clauses that were learnt since this was asked last: they follow from the clauses alone.
    fn collected(&mut self) -> Vec<Vec<i32>> {
        Vec::new()
    }

    // Dividing.

    /// Begins to weigh literals, until it is asked for weights.
    fn weigh(&mut self) {}

    /// Weights of variables since then, by variable, of the literal and its negation: how much learnt clauses hang on it. Empty if it weighs none.
    fn weights(&mut self) -> Weights {
        Weights::new()
    }

    // Sizes.

    /// Number of variables.
    fn var_count(&self) -> usize;
    /// Number of clauses that were added.
    fn clause_count(&self) -> usize;
}

impl<S: Solver + ?Sized> ClauseSink for Box<S> {
    fn new_var(&mut self) -> i32 {
        (**self).new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        (**self).add_clause(lits);
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn reset(&mut self) {
        (**self).reset();
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        (**self).solve(assumptions, budget)
    }

    fn solve_divided(
        &mut self,
        assumptions: &[i32],
        division: &Division,
        budget: &Budget,
    ) -> Divided {
        (**self).solve_divided(assumptions, division, budget)
    }

    fn value(&self, lit: i32) -> bool {
        (**self).value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        (**self).core()
    }

    fn collect(&mut self) -> bool {
        (**self).collect()
    }

    fn collected(&mut self) -> Vec<Vec<i32>> {
        (**self).collected()
    }

    fn weigh(&mut self) {
        (**self).weigh();
    }

    fn weights(&mut self) -> Weights {
        (**self).weights()
    }

    fn var_count(&self) -> usize {
        (**self).var_count()
    }

    fn clause_count(&self) -> usize {
        (**self).clause_count()
    }
}

/// The model of the last answer, one entry per variable. Solvers forget theirs when a clause is added; callers
/// that refine a formula want to read on.
#[derive(Default)]
pub(super) struct Model {
    pub values: Vec<bool>,
}

impl Model {
    pub fn value(&self, lit: i32) -> bool {
        let positive = self
            .values
            .get(lit.unsigned_abs() as usize)
            .copied()
            .unwrap_or(false);
        positive == (lit > 0)
    }
}
