//! Satisfiability of clauses: one trait, one adapter per solver.
//!
//! Literals are integers as in DIMACS files: a variable is a positive number, its negation the same number
//! negated, 0 is no literal. Variables are numbered from 1 without gaps, in the order of [`ClauseSink::new_var`].
//!
//! Architecture invariant: nothing outside this folder names a solver's crate, and a capability that a solver
//! lacks is a `None`, never a panic.

#[cfg(feature = "cadical")]
pub mod cadical;
pub mod dimacs;
pub mod varisat;
pub mod vary;

use crate::base::{Budget, StopReason};
pub use crate::circuit::ClauseSink;
use std::fmt;
use std::str::FromStr;

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

    // Results of the last call of `solve`; they stay readable while clauses are added.

    /// Value of `lit` in the model: true or false; the negated literal is the opposite. After other answers than
    /// [`Answer::Sat`], and for variables made since, it means nothing.
    fn value(&self, lit: i32) -> bool;
    /// After [`Answer::Unsat`]: assumptions that cannot hold together, not always fewest; empty if the clauses
    /// alone have no model. `None` after other answers, or where the solver cannot say.
    fn core(&self) -> Option<&[i32]>;

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

    fn value(&self, lit: i32) -> bool {
        (**self).value(lit)
    }

    fn core(&self) -> Option<&[i32]> {
        (**self).core()
    }

    fn var_count(&self) -> usize {
        (**self).var_count()
    }

    fn clause_count(&self) -> usize {
        (**self).clause_count()
    }
}

/// SAT solvers to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SolverKind {
    /// CaDiCaL, compiled in with the feature `cadical`.
    Cadical,
    /// varisat, always there.
    Varisat,
}

impl SolverKind {
    /// All solvers, compiled in or not, preferred first.
    pub const ALL: [SolverKind; 2] = [SolverKind::Cadical, SolverKind::Varisat];

    /// The preferred solver of this build.
    pub const DEFAULT: SolverKind = if cfg!(feature = "cadical") {
        SolverKind::Cadical
    } else {
        SolverKind::Varisat
    };

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Cadical => "cadical",
            SolverKind::Varisat => "varisat",
        }
    }

    /// Availability: true if this build contains the solver.
    pub fn is_available(self) -> bool {
        match self {
            SolverKind::Cadical => cfg!(feature = "cadical"),
            SolverKind::Varisat => true,
        }
    }

    /// A new solver without clauses; `None` if this build lacks it. Seeds other than 0 vary its search.
    pub fn open(self, seed: u32) -> Option<Box<dyn Solver>> {
        let solver: Box<dyn Solver> = match self {
            #[cfg(feature = "cadical")]
            SolverKind::Cadical => Box::new(cadical::Cadical::new()),
            #[cfg(not(feature = "cadical"))]
            SolverKind::Cadical => return None,
            SolverKind::Varisat => Box::new(varisat::Varisat::new()),
        };
        Some(if seed == 0 {
            solver
        } else {
            Box::new(vary::Varied::new(solver, seed))
        })
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(name: &str) -> Result<SolverKind, String> {
        let kind = SolverKind::ALL.into_iter().find(|kind| kind.name() == name);
        match kind {
            Some(kind) if kind.is_available() => Ok(kind),
            Some(kind) => Err(format!(
                "this program was built without {kind}; use varisat, or build with `--features {kind}`"
            )),
            None => Err("expected cadical or varisat".to_string()),
        }
    }
}

/// The model of the last answer, one entry per variable. Solvers forget theirs when a clause is added; callers
/// that refine a formula want to read on.
#[derive(Default)]
struct Model {
    values: Vec<bool>,
}

impl Model {
    fn value(&self, lit: i32) -> bool {
        let positive = self
            .values
            .get(lit.unsigned_abs() as usize)
            .copied()
            .unwrap_or(false);
        positive == (lit > 0)
    }
}

#[cfg(test)]
mod tests;
