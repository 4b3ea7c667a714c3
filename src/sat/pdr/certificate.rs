//! Whether an invariant is one: three questions to a solver that knows nothing of how it was found.

use super::{Invariant, System};
use crate::base::{Budget, StopReason};
use crate::circuit::{Emitter, Lit};
use crate::sat::{Answer, Solver};
use std::fmt;

/// What is wrong with an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The clause with this number does not hold initially.
    Initiation(usize),
    /// A step leads from the invariant to where the clause with this number does not hold.
    Consecution(usize),
    /// It contains a bad state.
    Safety,
    /// A clause names a latch that the system does not have.
    Unknown(usize),
    /// The budget ended the check.
    Stopped(StopReason),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Initiation(i) => write!(f, "clause {i} of the invariant does not hold initially"),
            Flaw::Consecution(i) => write!(f, "clause {i} of the invariant is not kept by a step"),
            Flaw::Safety => f.write_str("the invariant contains a bad state"),
            Flaw::Unknown(i) => write!(f, "clause {i} of the invariant names an unknown latch"),
            Flaw::Stopped(reason) => reason.fmt(f),
        }
    }
}

/// Checks initiation, consecution and safety, with a solver without clauses.
///
/// # Errors
/// What is wrong.
pub fn check(
    system: &System,
    invariant: &Invariant,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<(), Flaw> {
    for (i, clause) in invariant.clauses.iter().enumerate() {
        let known = |l: &i32| *l != 0 && l.unsigned_abs() as usize <= system.latches.len();
        if !clause.iter().all(known) {
            return Err(Flaw::Unknown(i));
        }
        let violated: Vec<i32> = clause.iter().map(|literal| -literal).collect();
        if system.is_initial(&violated) {
            return Err(Flaw::Initiation(i));
        }
    }
    let mut gates = system.circuit.clone();
    let kept: Vec<Lit> = invariant
        .clauses
        .iter()
        .map(|clause| {
            let after: Vec<Lit> = clause.iter().map(|l| system.next(*l)).collect();
            gates.or_all(&after)
        })
        .collect();
    let mut emitter = Emitter::new();
    for clause in &invariant.clauses {
        let now: Vec<Lit> = clause.iter().map(|l| system.state(*l)).collect();
        emitter.clause(&gates, &now, solver);
    }
    let bad = emitter.lit(&gates, system.bad, solver);
    match solver.solve(&[bad], budget) {
        Answer::Unsat => {}
        Answer::Sat => return Err(Flaw::Safety),
        Answer::Stopped(reason) => return Err(Flaw::Stopped(reason)),
    }
    // All at once first; one by one only to name the culprit.
    let all = gates.and_all(&kept);
    let lost = emitter.lit(&gates, !all, solver);
    match solver.solve(&[lost], budget) {
        Answer::Unsat => return Ok(()),
        Answer::Stopped(reason) => return Err(Flaw::Stopped(reason)),
        Answer::Sat => {}
    }
    let culprit = kept.iter().position(|lit| {
        let lost = emitter.lit(&gates, !*lit, solver);
        solver.value(lost) || solver.solve(&[lost], budget) == Answer::Sat
    });
    Err(Flaw::Consecution(culprit.unwrap_or(0)))
}
