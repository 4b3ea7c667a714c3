//! CaDiCaL (Biere, Fazekas, Fleury, Heisinger 2020): the default solver.
//!
//! Its predefined configurations on 13 formulas of our own (orders, rounds and steps of two and three threads,
//! 3,000 to 50,000 variables, 7 unsatisfiable), version 1.9.5, processor seconds over all, two random seeds each:
//!
//! | configuration | seconds | |
//! |---|---|---|
//! | `unsat`: no stable phases, no random walks | 57, 54 | chosen: faster by a half on safe `step` formulas, and no slower on the satisfiable ones |
//! | `default` | 64, 65 | |
//! | `sat`: stable phases only | 107 | four times as slow on safe `step` formulas |
//! | `default` without elimination of variables | 134 | |
//! | `unsat` without probing and ternary resolution | 84 | |
//! | `unsat` with false as first value | 62 | |
//! | `unsat` without chronological backtracking | 57 | |
//! | varisat | > 189 | one formula not solved within 60 s |
//!
//! On 300 formulas, newer releases and single options win nothing either: ARCHITECTURE.md, "Which CaDiCaL".

use super::share::LONGEST;
use super::solver::{Answer, Model, Questions, Solver, Weights};
use crate::base::{Budget, StopReason};
use crate::circuit::ClauseSink;

/// The predefined configuration that is fastest on our formulas.
const FOR_HARD: &str = "unsat";
/// The one that looks for a model above all, for who races with the first.
const FOR_MODELS: &str = "sat";
/// The one without simplification: where thousands of questions take a millisecond each, that costs more than it saves. Over
/// four programs that `modular` proves in seconds, it took 12.9 s of processor time, `unsat` 20.3 s.
const FOR_SHORT: &str = "plain";

/// The adapter of CaDiCaL.
pub struct Cadical {
    solver: cadical::Solver<Watch>,
    questions: Questions,
    clauses: usize,
    vars: usize,
    model: Model,
    core: Option<Vec<i32>>,
    /// Short clauses that were learnt, for others, if somebody wants them.
    learnt: Option<Vec<Vec<i32>>>,
    /// Weights of literals in what was learnt, if somebody wants them.
    weights: Option<Weights>,
}

/// Literals of the longest clause that counts in weights, and the weight that all of a clause have together.
const WEIGHED: (usize, u64) = (40, 840);

/// Ends the search when the budget is used up: the solver asks about every ten decisions or conflicts. Where questions are hard and
/// somebody wants to know, it also counts clauses as they are learnt (a percent of the time), one for each conflict that is analysed.
struct Watch {
    budget: Budget,
    counts: bool,
    /// Short clauses that are learnt, if somebody wants them.
    learnt: Option<Vec<Vec<i32>>>,
    weights: Option<Weights>,
    stopped: Option<StopReason>,
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.stopped = self.budget.check();
        self.stopped.is_some()
    }

    fn max_length(&self) -> i32 {
        match self.learnt {
            _ if self.counts => i32::MAX,
            _ if self.weights.is_some() => WEIGHED.0 as i32,
            Some(_) => LONGEST as i32,
            None => 0,
        }
    }

    fn learn(&mut self, clause: &[i32]) {
        if self.counts {
            self.budget.gauge().learnt();
        }
        if let Some(learnt) = &mut self.learnt
            && clause.len() <= LONGEST
        {
            learnt.push(clause.to_vec());
        }
        if let Some(weights) = &mut self.weights
            && clause.len() <= WEIGHED.0
        {
            let weight = WEIGHED.1 / clause.len().max(1) as u64;
            for &lit in clause {
                let var = lit.unsigned_abs() as usize;
                if weights.len() <= var {
                    weights.resize(var + 1, [0, 0]);
                }
                weights[var][usize::from(lit < 0)] += weight;
            }
        }
    }
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(questions: Questions) -> Cadical {
        let configuration = match questions {
            Questions::Hard => FOR_HARD,
            Questions::Models => FOR_MODELS,
            Questions::Short => FOR_SHORT,
        };
        Cadical {
            solver: cadical::Solver::with_config(configuration).unwrap_or_default(),
            questions,
            clauses: 0,
            vars: 0,
            model: Model::default(),
            core: None,
            learnt: None,
            weights: None,
        }
    }
}

impl Default for Cadical {
    fn default() -> Cadical {
        Cadical::new(Questions::Hard)
    }
}

impl ClauseSink for Cadical {
    fn new_var(&mut self) -> i32 {
        self.vars += 1;
        i32::try_from(self.vars).expect("fewer than 2^31 variables")
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.clauses += 1;
        self.solver.add_clause(lits.iter().copied());
    }
}

impl Solver for Cadical {
    fn name(&self) -> &'static str {
        "cadical"
    }

    fn reset(&mut self) {
        *self = Cadical::new(self.questions);
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        self.model.values.clear();
        self.core = None;
        if let Some(reason) = budget.check() {
            return Answer::Stopped(reason);
        }
        self.solver.set_callbacks(Some(Watch {
            budget: budget.clone(),
            counts: self.questions != Questions::Short && budget.gauge().is_read(),
            learnt: self.learnt.take(),
            weights: self.weights.take(),
            stopped: None,
        }));
        let answer = match self.solver.solve_with(assumptions.iter().copied()) {
            Some(true) => {
                // Variables beyond the largest that a clause mentions are unknown to the solver.
                let known = self.solver.max_variable();
                self.model.values.push(false);
                self.model
                    .values
                    .extend((1..=known).map(|var| self.solver.value(var).unwrap_or(false)));
                Answer::Sat
            }
            Some(false) => {
                let failed = |lit: &i32| self.solver.failed(*lit);
                self.core = Some(assumptions.iter().copied().filter(failed).collect());
                Answer::Unsat
            }
            None => {
                let watch = self.solver.get_callbacks();
                let reason = watch.and_then(|watch| watch.stopped);
                Answer::Stopped(reason.unwrap_or(StopReason::Interrupted))
            }
        };
        if let Some(watch) = self.solver.get_callbacks() {
            self.learnt = watch.learnt.take();
            self.weights = watch.weights.take();
        }
        answer
    }

    fn collect(&mut self) -> bool {
        self.learnt = Some(Vec::new());
        true
    }

    fn collected(&mut self) -> Vec<Vec<i32>> {
        self.learnt.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn weigh(&mut self) {
        self.weights = Some(Weights::new());
    }

    fn weights(&mut self) -> Weights {
        self.weights.take().unwrap_or_default()
    }

    fn value(&self, lit: i32) -> bool {
        self.model.value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        self.core.as_deref()
    }

    fn var_count(&self) -> usize {
        self.vars
    }

    fn clause_count(&self) -> usize {
        self.clauses
    }
}
