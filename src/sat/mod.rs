//! Satisfiability of clauses: one trait, one adapter per solver.
//!
//! Literals are integers as in DIMACS files: a variable is a positive number, its negation the same number
//! negated, 0 is no literal. Variables are numbered from 1 without gaps, in the order of [`ClauseSink::new_var`](crate::circuit::ClauseSink::new_var).
//!
//! Architecture invariant: nothing outside this folder names a solver's crate, and a capability that a solver
//! lacks is a `None`, never a panic.

#[cfg(feature = "cadical")]
pub mod cadical;
pub mod crew;
mod deal;
pub mod dimacs;
pub mod faults;
mod propagate;
pub mod share;
mod solver;
pub mod varisat;
pub mod vary;

pub use propagate::Propagation;
pub use solver::{Answer, Divided, Division, Questions, Search, Solver, Weights};
use std::fmt;
use std::str::FromStr;

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

    /// A new solver without clauses, for hard questions; `None` if this build lacks it. Seeds other than 0 vary its search.
    pub(crate) fn open(self, seed: u32) -> Option<Box<dyn Solver>> {
        self.open_for(Search::seeded(seed))
    }

    /// The same, for questions of any kind.
    pub(crate) fn open_for(self, search: Search) -> Option<Box<dyn Solver>> {
        let Search { questions, seed } = search;
        let solver: Box<dyn Solver> = match self {
            #[cfg(feature = "cadical")]
            SolverKind::Cadical => Box::new(cadical::Cadical::new(questions)),
            #[cfg(not(feature = "cadical"))]
            SolverKind::Cadical => {
                let _ = questions;
                return None;
            }
            SolverKind::Varisat => Box::new(varisat::Varisat::new()),
        };
        Some(if seed == 0 {
            solver
        } else {
            Box::new(vary::Varied::new(solver, seed))
        })
    }
}

/// A new solver, see [`SolverKind::open`].
#[cfg(feature = "internals")]
pub fn open(kind: SolverKind, seed: u32) -> Option<Box<dyn Solver>> {
    kind.open(seed)
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

#[cfg(test)]
mod tests;
