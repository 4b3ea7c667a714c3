//! Successive steps of a system: copies of its gates, each over the state that the one before leads to.

use super::system::{Latch, System};
use crate::circuit::{Circuit, Gate, Lit};
use crate::solve::{GateSolver, Setup};

/// The copies, and a solver over their gates.
pub struct Copies<'a> {
    system: &'a System,
    pub solver: GateSolver,
    /// Latches before each step, and after the last.
    pub states: Vec<Vec<Lit>>,
    inputs: Vec<Vec<Lit>>,
}

impl<'a> Copies<'a> {
    /// No step yet, in any initial state; `None` for a solver that this build lacks.
    pub fn from_start(system: &'a System, setup: &Setup) -> Option<Copies<'a>> {
        Copies::new(system, setup, |initial| initial)
    }

    /// No step yet, in any state at all; `None` for a solver that this build lacks.
    pub fn from_anywhere(system: &'a System, setup: &Setup) -> Option<Copies<'a>> {
        Copies::new(system, setup, |_| None)
    }

    fn new(
        system: &'a System,
        setup: &Setup,
        first: impl Fn(Option<bool>) -> Option<bool>,
    ) -> Option<Copies<'a>> {
        let mut circuit = Circuit::new();
        let latches = system.latches.iter();
        let state = latches
            .map(|latch| match first(latch.initial) {
                Some(value) => Lit::constant(value),
                // Its value follows.
                None if system.is_predicate(latch) => Lit::FALSE,
                None => circuit.new_input(),
            })
            .collect();
        let mut copies = Copies {
            system,
            solver: setup.over(circuit)?,
            states: vec![state],
            inputs: Vec::new(),
        };
        copies.derive(0);
        Some(copies)
    }

    /// Computes predicates of a state from its other latches, whatever is said of their initial and next values.
    fn derive(&mut self, state: usize) {
        let system = self.system;
        let is_predicate = |latch: &Latch| system.is_predicate(latch);
        if !system.latches.iter().any(is_predicate) {
            return;
        }
        let free = vec![Lit::FALSE; system.inputs.len()];
        let copy = self.instantiate(state, &free);
        for (number, latch) in system.latches.iter().enumerate() {
            if is_predicate(latch) {
                let lit = copy[latch.state.gate()].complement_if(latch.state.is_negative());
                self.states[state][number] = lit;
            }
        }
    }

    /// Appends a step with inputs of its own; whether it is a bad one.
    pub fn step(&mut self) -> Lit {
        let own: Vec<Lit> = self
            .system
            .inputs
            .iter()
            .map(|_| self.solver.circuit_mut().new_input())
            .collect();
        let last = self.states.len() - 1;
        let copy = self.instantiate(last, &own);
        let value = |lit: Lit| copy[lit.gate()].complement_if(lit.is_negative());
        let latches = self.system.latches.iter();
        self.states.push(latches.map(|l| value(l.next)).collect());
        self.derive(self.states.len() - 1);
        self.inputs.push(own);
        value(self.system.bad)
    }

    /// The system's gates over one of the states and these inputs; by gate number.
    fn instantiate(&mut self, state: usize, inputs: &[Lit]) -> Vec<Lit> {
        let (system, circuit) = (self.system, self.solver.circuit_mut());
        let mut copy = vec![Lit::FALSE; system.circuit.len()];
        for (latch, lit) in system.latches.iter().zip(&self.states[state]) {
            copy[latch.state.gate()] = *lit;
        }
        for (input, lit) in system.inputs.iter().zip(inputs) {
            copy[input.gate()] = *lit;
        }
        for gate in 1..system.circuit.len() {
            let lit = Lit((gate as u32) << 1);
            let value = |lit: Lit| copy[lit.gate()].complement_if(lit.is_negative());
            copy[gate] = match system.circuit.gate(lit) {
                Gate::False | Gate::Input => continue,
                Gate::And(a, b) => circuit.and(value(a), value(b)),
                Gate::Xor(a, b) => circuit.xor(value(a), value(b)),
                Gate::Ite(c, a, b) => circuit.ite(value(c), value(a), value(b)),
                Gate::Majority(a, b, c) => circuit.majority(value(a), value(b), value(c)),
            };
        }
        copy
    }

    /// The literals of a clause over latches in one of the states.
    pub fn clause(&self, clause: &[i32], state: usize) -> Vec<Lit> {
        let literals = clause.iter();
        let state = &self.states[state];
        let literal = |l: &i32| state[l.unsigned_abs() as usize - 1].complement_if(*l < 0);
        literals.map(literal).collect()
    }

    /// Literals one of which holds where two states are different.
    pub fn difference(&mut self, a: usize, b: usize) -> Vec<Lit> {
        let pairs = self.states[a].iter().zip(&self.states[b]);
        let circuit = self.solver.circuit_mut();
        let bits = pairs.map(|(a, b)| circuit.xor(*a, *b));
        bits.collect()
    }

    /// The first state of the solver's model.
    pub fn first(&self) -> Vec<bool> {
        self.read(&self.states[0])
    }

    /// The inputs of each step in the solver's model.
    pub fn inputs(&self) -> Vec<Vec<bool>> {
        let steps = self.inputs.iter();
        steps.map(|own| self.read(own)).collect()
    }

    fn read(&self, lits: &[Lit]) -> Vec<bool> {
        lits.iter().map(|lit| self.solver.value(*lit)).collect()
    }
}
