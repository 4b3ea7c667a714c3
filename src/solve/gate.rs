//! The solver over gates.

use crate::base::Budget;
use crate::circuit::{Circuit, Emitter, Lit};
use crate::sat::{Answer, Solver};
use std::borrow::{Borrow, BorrowMut};
use std::ops::Not;

/// A literal that can be assumed: that of a gate, or an activation literal, which no gate has. It is valid until its
/// solver restarts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assumption(i32);

impl Not for Assumption {
    type Output = Assumption;

    fn not(self) -> Assumption {
        Assumption(-self.0)
    }
}

/// Failed assumptions: those of a call that cannot hold together, not always fewest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Ascending; `None` if the solver cannot say.
    failed: Option<Vec<Assumption>>,
}

impl Core {
    /// Membership: true if the answer may rest on the assumption.
    pub fn contains(&self, assumption: Assumption) -> bool {
        let failed = self.failed.as_ref();
        failed.is_none_or(|failed| failed.binary_search(&assumption).is_ok())
    }
}

/// An incremental solver over the gates of a circuit, which it owns or borrows.
pub struct GateSolver<C = Circuit> {
    circuit: C,
    emitter: Emitter,
    solver: Box<dyn Solver>,
    given_up: usize,
}

impl<C: Borrow<Circuit>> GateSolver<C> {
    /// Nothing is asserted; `solver` has no clauses.
    pub(super) fn new(circuit: C, solver: Box<dyn Solver>) -> GateSolver<C> {
        GateSolver {
            circuit,
            emitter: Emitter::new(),
            solver,
            given_up: 0,
        }
    }

    /// Forgets everything but the circuit. Assumptions that were made before are void.
    pub fn restart(&mut self) {
        self.solver.reset();
        self.emitter = Emitter::new();
        self.given_up = 0;
    }

    // Problem.

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        self.circuit.borrow()
    }

    /// The literal, to be assumed; writes the definitions that it needs.
    pub fn assumption(&mut self, lit: Lit) -> Assumption {
        let circuit = self.circuit.borrow();
        Assumption(self.emitter.lit(circuit, lit, &mut self.solver))
    }

    /// The literal is true.
    pub fn assert(&mut self, lit: Lit) {
        self.emitter
            .assert(self.circuit.borrow(), lit, &mut self.solver);
    }

    /// Some of the literals are true.
    pub fn assert_any(&mut self, lits: &[Lit]) {
        self.emitter
            .clause(self.circuit.borrow(), lits, &mut self.solver);
    }

    /// Some of the literals are true where the activation literal is.
    pub fn assert_any_if(&mut self, activation: Assumption, lits: impl IntoIterator<Item = Lit>) {
        let mut clause = vec![-activation.0];
        clause.extend(lits.into_iter().map(|lit| self.assumption(lit).0));
        self.solver.add_clause(&clause);
    }

    /// Some of the assumptions are true where the activation literal is.
    pub fn imply_any(&mut self, activation: Assumption, of: impl Iterator<Item = Assumption>) {
        let mut clause = vec![-activation.0];
        clause.extend(of.map(|assumption| assumption.0));
        self.solver.add_clause(&clause);
    }

    /// The assumption is false, from now on.
    pub fn deny(&mut self, assumption: Assumption) {
        self.solver.add_clause(&[-assumption.0]);
    }

    /// A new activation literal: what is asserted under it counts where it is assumed.
    pub fn activation(&mut self) -> Assumption {
        Assumption(self.solver.new_var())
    }

    /// Gives an activation literal up: what was asserted under it never counts again.
    pub fn give_up(&mut self, activation: Assumption) {
        self.deny(activation);
        self.given_up += 1;
    }

    /// Number of activation literals that were given up since the last restart: ballast of the solver.
    pub fn given_up(&self) -> usize {
        self.given_up
    }

    // Solving.

    /// Looks for a model of what was asserted in which all assumptions are true.
    pub fn check(&mut self, assumptions: &[Assumption], budget: &Budget) -> Answer {
        let lits: Vec<i32> = assumptions.iter().map(|assumed| assumed.0).collect();
        self.solver.solve(&lits, budget)
    }

    // Results of the last check; they stay readable while more is asserted.

    /// Truth of an assumption in the model.
    pub fn is_true(&self, assumption: Assumption) -> bool {
        self.solver.value(assumption.0)
    }

    /// Value of an input or a constant in the model; false of inputs that nothing has spoken of.
    pub fn value(&self, lit: Lit) -> bool {
        if lit.is_constant() {
            lit == Lit::TRUE
        } else {
            self.emitter.get(lit).is_some_and(|l| self.solver.value(l))
        }
    }

    /// The assumptions that an answer "there is no model" rests on; all if the solver cannot say.
    pub fn core(&self) -> Core {
        let failed = self.solver.core().map(|core| {
            let mut failed: Vec<Assumption> = core.iter().map(|lit| Assumption(*lit)).collect();
            failed.sort_unstable();
            failed
        });
        Core { failed }
    }
}

impl<C: BorrowMut<Circuit>> GateSolver<C> {
    /// The circuit, to build more gates.
    pub fn circuit_mut(&mut self) -> &mut Circuit {
        self.circuit.borrow_mut()
    }
}
