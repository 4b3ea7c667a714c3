//! varisat: CDCL in Rust, in every build.
//!
//! It has no way to be interrupted. But it gives up at the next conflict when a proof cannot be written, so it
//! is told to write one to a sink that keeps nothing, and that fails when the budget is used up. The format must
//! be varisat's own: DRAT has no words for assumptions and later clauses. The sink sees 8 KiB at a time, some
//! hundred conflicts. After such a failure the solver is beyond use. Another one then begins with the clauses so far, without what was
//! learnt from them.

use super::solver::{Answer, Model, Solver};
use crate::base::{Budget, StopReason};
use crate::circuit::{ClauseSink, Clauses};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::{ExtendFormula, Lit, ProofFormat};

/// The adapter of varisat.
pub struct Varisat {
    /// `None` after a failure, until something is asked again.
    solver: Option<varisat::Solver<'static>>,
    watch: Rc<RefCell<Watch>>,
    /// All clauses, for a solver that begins after a failure.
    clauses: Clauses,
    model: Model,
    core: Option<Vec<i32>>,
    buffer: Vec<Lit>,
}

/// State that the sink and the adapter share.
#[derive(Default)]
struct Watch {
    /// Set while solving.
    budget: Option<Budget>,
    /// Reason why the sink failed.
    stopped: Option<StopReason>,
}

/// A sink that fails when the budget is used up.
struct Sink(Rc<RefCell<Watch>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut watch = self.0.borrow_mut();
        let reason = watch.budget.as_ref().and_then(Budget::check);
        match reason {
            None => Ok(bytes.len()),
            Some(_) => {
                watch.stopped = reason;
                Err(io::Error::other("the budget is used up"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Varisat {
    /// A solver without clauses.
    pub fn new() -> Varisat {
        let watch = Rc::default();
        Varisat {
            solver: Some(watched(&watch)),
            watch,
            clauses: Clauses::default(),
            model: Model::default(),
            core: None,
            buffer: Vec::new(),
        }
    }
}

/// A solver without clauses that stops when whoever watches it says so.
fn watched(watch: &Rc<RefCell<Watch>>) -> varisat::Solver<'static> {
    let mut solver = varisat::Solver::new();
    solver.write_proof(Sink(Rc::clone(watch)), ProofFormat::Varisat);
    solver
}

impl Default for Varisat {
    fn default() -> Varisat {
        Varisat::new()
    }
}

/// Literals as varisat counts them.
fn from_dimacs(buffer: &mut Vec<Lit>, lits: &[i32]) {
    buffer.clear();
    buffer.extend(lits.iter().map(|&lit| Lit::from_dimacs(lit as isize)));
}

impl ClauseSink for Varisat {
    fn new_var(&mut self) -> i32 {
        // varisat makes variables as clauses mention them, in the same numbering.
        self.clauses.new_var()
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.clauses.add_clause(lits);
        if let Some(solver) = &mut self.solver {
            from_dimacs(&mut self.buffer, lits);
            solver.add_clause(&self.buffer);
        }
    }
}

impl Solver for Varisat {
    fn name(&self) -> &'static str {
        "varisat"
    }

    fn reset(&mut self) {
        *self = Varisat::new();
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Answer {
        self.model.values.clear();
        self.core = None;
        if let Some(reason) = budget.check() {
            return Answer::Stopped(reason);
        }
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = watched(&self.watch);
            for clause in self.clauses.iter() {
                from_dimacs(&mut self.buffer, clause);
                solver.add_clause(&self.buffer);
            }
            solver
        });
        self.watch.borrow_mut().budget = Some(budget.clone());
        from_dimacs(&mut self.buffer, assumptions);
        solver.assume(&self.buffer);
        let result = solver.solve();
        self.watch.borrow_mut().budget = None;
        match result {
            Ok(true) => {
                let vars = self.clauses.variables().unsigned_abs() as usize;
                self.model.values.resize(vars + 1, false);
                for lit in solver.model().into_iter().flatten() {
                    if let Some(value) = self.model.values.get_mut(lit.var().to_dimacs() as usize) {
                        *value = lit.is_positive();
                    }
                }
                Answer::Sat
            }
            Ok(false) => {
                self.core = solver
                    .failed_core()
                    .map(|core| core.iter().map(|lit| lit.to_dimacs() as i32).collect());
                Answer::Unsat
            }
            Err(_) => {
                // The sink is the only source of errors, and it left its reason.
                let reason = self.watch.borrow_mut().stopped.take();
                self.solver = None;
                Answer::Stopped(reason.unwrap_or(StopReason::Interrupted))
            }
        }
    }

    fn value(&self, lit: i32) -> bool {
        self.model.value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        self.core.as_deref()
    }

    fn var_count(&self) -> usize {
        self.clauses.variables().unsigned_abs() as usize
    }

    fn clause_count(&self) -> usize {
        self.clauses.len()
    }
}
