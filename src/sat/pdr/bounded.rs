//! Bounded search: copies of the gates, one for each step, for violations that are near the start.

use super::{System, Trace};
use crate::base::{Budget, StopReason};
use crate::circuit::{Circuit, Emitter, Gate, Lit};
use crate::sat::{Answer, Solver};

/// Steps that are looked at before the unbounded search starts.
pub const STEPS: usize = 12;

/// Gates that all copies may have: beyond, the search ends.
const GATES: usize = 400_000;

/// Looks for an execution of at most `steps` steps to a bad state, shortest first, with a solver without clauses.
///
/// # Errors
/// The budget ended the search.
pub fn search(
    system: &System,
    solver: &mut dyn Solver,
    steps: usize,
    budget: &Budget,
) -> Result<Option<Trace>, StopReason> {
    let mut circuit = Circuit::new();
    let mut emitter = Emitter::new();
    let start: Vec<Lit> = system
        .latches
        .iter()
        .map(|latch| match latch.initial {
            Some(value) => Lit::constant(value),
            None => circuit.new_input(),
        })
        .collect();
    let mut state = start.clone();
    let mut inputs: Vec<Vec<Lit>> = Vec::new();
    for _ in 0..steps {
        let own: Vec<Lit> = system.inputs.iter().map(|_| circuit.new_input()).collect();
        let copy = instantiate(system, &mut circuit, &state, &own);
        let value = |lit: Lit| copy[lit.gate()].complement_if(lit.is_negative());
        inputs.push(own);
        let bad = value(system.bad);
        if bad != Lit::FALSE {
            let bad = emitter.lit(&circuit, bad, solver);
            match solver.solve(&[bad], budget) {
                Answer::Stopped(reason) => return Err(reason),
                Answer::Unsat => solver.add_clause(&[-bad]),
                Answer::Sat => {
                    let read = |lits: &[Lit]| -> Vec<bool> {
                        let value = |lit: &Lit| match lit.is_constant() {
                            true => *lit == Lit::TRUE,
                            false => emitter.get(*lit).is_some_and(|lit| solver.value(lit)),
                        };
                        lits.iter().map(value).collect()
                    };
                    return Ok(Some(Trace {
                        start: read(&start),
                        inputs: inputs.iter().map(|own| read(own)).collect(),
                    }));
                }
            }
        }
        state = system.latches.iter().map(|l| value(l.next)).collect();
        if circuit.len() > GATES {
            break;
        }
    }
    Ok(None)
}

/// The system's gates over other literals for latches and inputs; by gate number.
pub fn instantiate(
    system: &System,
    circuit: &mut Circuit,
    state: &[Lit],
    inputs: &[Lit],
) -> Vec<Lit> {
    let mut copy = vec![Lit::FALSE; system.circuit.len()];
    for (latch, lit) in system.latches.iter().zip(state) {
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
