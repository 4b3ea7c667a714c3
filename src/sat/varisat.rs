//! varisat: CDCL in Rust, in every build.
//!
//! It has no way to be interrupted. But it gives up at the next conflict when a proof cannot be written, so it
//! is told to write one to a sink that keeps nothing, and that fails when the budget is used up. The format must
//! be varisat's own: DRAT has no words for assumptions and later clauses. The sink sees 8 KiB at a time, some
//! hundred conflicts. After such a failure the solver is beyond use, so all later calls are answered with the same
//! reason.

use super::solver::{Answer, Model, Solver};
use crate::base::{Budget, StopReason};
use crate::circuit::ClauseSink;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use varisat::{ExtendFormula, Lit, ProofFormat};

/// The adapter of varisat.
pub struct Varisat {
    solver: varisat::Solver<'static>,
    watch: Rc<RefCell<Watch>>,
    clauses: usize,
    vars: usize,
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
        let watch = Rc::new(RefCell::new(Watch::default()));
        let mut solver = varisat::Solver::new();
        solver.write_proof(Sink(Rc::clone(&watch)), ProofFormat::Varisat);
        Varisat {
            solver,
            watch,
            clauses: 0,
            vars: 0,
            model: Model::default(),
            core: None,
            buffer: Vec::new(),
        }
    }
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
        self.vars += 1;
        i32::try_from(self.vars).expect("fewer than 2^31 variables")
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.clauses += 1;
        if self.watch.borrow().stopped.is_none() {
            from_dimacs(&mut self.buffer, lits);
            self.solver.add_clause(&self.buffer);
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
        if let Some(reason) = self.watch.borrow().stopped {
            return Answer::Stopped(reason);
        }
        if let Some(reason) = budget.check() {
            return Answer::Stopped(reason);
        }
        self.watch.borrow_mut().budget = Some(budget.clone());
        from_dimacs(&mut self.buffer, assumptions);
        self.solver.assume(&self.buffer);
        let result = self.solver.solve();
        self.watch.borrow_mut().budget = None;
        match result {
            Ok(true) => {
                self.model.values.resize(self.vars + 1, false);
                for lit in self.solver.model().into_iter().flatten() {
                    if let Some(value) = self.model.values.get_mut(lit.var().to_dimacs() as usize) {
                        *value = lit.is_positive();
                    }
                }
                Answer::Sat
            }
            Ok(false) => {
                self.core = self
                    .solver
                    .failed_core()
                    .map(|core| core.iter().map(|lit| lit.to_dimacs() as i32).collect());
                Answer::Unsat
            }
            Err(_) => {
                let mut watch = self.watch.borrow_mut();
                // The sink is the only source of errors, and it left its reason.
                Answer::Stopped(*watch.stopped.get_or_insert(StopReason::Interrupted))
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
        self.vars
    }

    fn clause_count(&self) -> usize {
        self.clauses
    }
}
