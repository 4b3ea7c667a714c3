//! Incremental solving over gates and terms: what is asserted and assumed becomes clauses of one SAT solver, and its
//! models and failed assumptions are read back in the same words.
//!
//! [`GateSolver`] speaks of gates of a circuit, [`TermSolver`] of terms. Either writes the definition of a gate when it is first
//! spoken of, so what a solver is told, and with it the model that it finds, depends on the order of calls alone.
//! Assertions stay; assumptions hold for one call. A clause that is to be taken back later hangs on an
//! activation literal, which is assumed while the clause counts and given up afterwards ([`GateSolver::activation`]).
//!
//! Solvers have no proofs yet. They will enter here: as a result beside model and core that a solver of `sat` may have or
//! not, over the clauses that this stage has written.
//!
//! Architecture invariant: stages below ask solvers through this one and know no clauses. (The encodings of programs
//! keep theirs in a [`crate::circuit::Formula`], since they are also written to files, and are told to other solvers.)

mod gate;
mod term;
#[cfg(test)]
mod test;

pub use crate::sat::{Answer, SolverKind};
pub use gate::{Assumption, GateSolver};
pub use term::TermSolver;

use crate::base::{Budget, Meter};
use crate::circuit::Circuit;
use crate::sat::{Questions, Search};
use std::borrow::Borrow;

/// Setup of a search: the solver, the seed of its choices, and the budget.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Solver that is opened.
    pub solver: SolverKind,
    /// Seeds other than 0 vary the solver's search.
    pub seed: u32,
    /// Time and memory of the search.
    pub budget: &'a Budget,
    /// Meter of the search, if somebody reads it.
    pub meter: Option<&'a Meter>,
}

impl Setup<'_> {
    /// Writes the meter, if there is one.
    pub fn note(&self, write: impl FnOnce(&Meter)) {
        if let Some(meter) = self.meter {
            write(meter);
        }
    }

    /// A solver over the gates of a circuit that knows nothing; `None` if this build lacks it.
    pub fn over<C: Borrow<Circuit>>(&self, circuit: C) -> Option<GateSolver<C>> {
        self.opened(circuit, Questions::Hard)
    }

    /// The same, for many short questions.
    pub fn for_short<C: Borrow<Circuit>>(&self, circuit: C) -> Option<GateSolver<C>> {
        self.opened(circuit, Questions::Short)
    }

    fn opened<C: Borrow<Circuit>>(&self, circuit: C, of: Questions) -> Option<GateSolver<C>> {
        let search = Search {
            questions: of,
            seed: self.seed,
        };
        Some(GateSolver::new(circuit, self.solver.open_for(search)?))
    }

    /// A solver over terms that knows nothing; `None` if this build lacks it.
    pub fn terms(&self) -> Option<TermSolver> {
        Some(TermSolver::new(self.over(Circuit::new())?))
    }
}
