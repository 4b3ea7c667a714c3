//! Finite transition systems, and their executions.

use crate::base::sorted::SortedSet;
use crate::circuit::{Circuit, Gate, Lit};

/// A finite transition system: gates over latches and inputs.
#[derive(Clone, Debug)]
pub struct System {
    /// The gates. Its inputs are the latches' present values and the system's inputs.
    pub circuit: Circuit,
    /// State bits.
    pub latches: Vec<Latch>,
    /// Free values, chosen anew in every step.
    pub inputs: Vec<Lit>,
    /// Holds where a state is bad under some input.
    pub bad: Lit,
    /// Equal members; if there are any, an invariant is one for any number of members.
    pub symmetries: Vec<Symmetry>,
}

/// Equal members of a system.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Members.
    pub count: usize,
    /// By latch: members that it speaks of.
    pub members: Vec<SortedSet<usize>>,
    /// By pair of neighbours, and latch: the latch that it becomes if they are exchanged.
    pub exchanges: Vec<Vec<usize>>,
}

/// A state bit.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Its present value: an input gate, or, of a predicate, a gate over the present values of other latches.
    pub state: Lit,
    /// Its value after the step.
    pub next: Lit,
    /// Its value at the start; `None` if any.
    pub initial: Option<bool>,
    /// Bit of a word that holds data: where there are predicates, they say more of it.
    pub is_data: bool,
}

/// A latch with a value: the latch's number plus one, negative for false.
pub type Literal = i32;

/// The same literals by latch.
pub(super) fn sorted(cube: &[Literal]) -> Cube {
    let mut cube = cube.to_vec();
    cube.sort_unstable_by_key(|literal| literal.unsigned_abs());
    cube
}

/// Literals of a conjunction or, in an invariant, of a disjunction, by latch; each latch once.
pub type Cube = Vec<Literal>;

/// An execution to a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Values of latches at the start.
    pub start: Vec<bool>,
    /// Values of inputs in each step, the last of which is bad.
    pub inputs: Vec<Vec<bool>>,
}

impl System {
    /// Values of latches after a step, and whether it was a bad one.
    pub fn step(&self, state: &[bool], inputs: &[bool]) -> (Vec<bool>, bool) {
        let wide = |values: &[bool]| values.iter().copied().map(u64::from).collect::<Vec<_>>();
        let (next, bad) = self.step_all(&wide(state), &wide(inputs));
        (
            next.iter().map(|next| next & 1 == 1).collect(),
            bad & 1 == 1,
        )
    }

    /// The same for 64 executions at once, one for each bit. Inputs that are not given are false.
    pub(super) fn step_all(&self, state: &[u64], inputs: &[u64]) -> (Vec<u64>, u64) {
        let mut given = vec![0; self.circuit.len()];
        for (latch, value) in self.latches.iter().zip(state) {
            given[latch.state.gate()] = *value;
        }
        for (input, value) in self.inputs.iter().zip(inputs) {
            given[input.gate()] = *value;
        }
        let values = self.circuit.simulate(&|lit| given[lit.gate()]);
        let value = |lit: Lit| values[lit.gate()] ^ u64::from(lit.is_negative()).wrapping_neg();
        let next = self.latches.iter().map(|latch| value(latch.next)).collect();
        (next, value(self.bad))
    }

    /// All states of an execution, the first and the bad one included; `None` if it does not start where it may or
    /// does not end in a bad state.
    pub fn run(&self, trace: &Trace) -> Option<Vec<Vec<bool>>> {
        let starts = self.latches.iter().zip(&trace.start);
        let may_start = |(latch, value): (&Latch, &bool)| latch.initial.is_none_or(|i| i == *value);
        if trace.start.len() != self.latches.len() || !starts.into_iter().all(may_start) {
            return None;
        }
        let mut states = vec![trace.start.clone()];
        let mut last_is_bad = false;
        for inputs in &trace.inputs {
            let (next, bad) = self.step(states.last()?, inputs);
            states.push(next);
            last_is_bad = bad;
        }
        states.pop();
        last_is_bad.then_some(states)
    }

    /// Predicate: true if the latch is determined by others.
    pub(super) fn is_predicate(&self, latch: &Latch) -> bool {
        self.circuit.gate(latch.state) != Gate::Input
    }

    /// The state literal of a latch literal.
    pub(crate) fn state(&self, literal: Literal) -> Lit {
        let latch = &self.latches[literal.unsigned_abs() as usize - 1];
        latch.state.complement_if(literal < 0)
    }

    /// The gate that says that the literal holds after the step.
    pub(super) fn next(&self, literal: Literal) -> Lit {
        let latch = &self.latches[literal.unsigned_abs() as usize - 1];
        latch.next.complement_if(literal < 0)
    }

    /// Initial states: true if some initial state satisfies all literals.
    pub(super) fn is_initial(&self, cube: &[Literal]) -> bool {
        cube.iter().all(|literal| {
            let latch = &self.latches[literal.unsigned_abs() as usize - 1];
            latch
                .initial
                .is_none_or(|initial| initial == (*literal > 0))
        })
    }
}
