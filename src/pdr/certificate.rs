//! Check of an invariant by questions to a solver that knows nothing of how it was found.
//!
//! The base case unrolls from the start, the step case from any states; see [`Invariant`] for what they are.

use super::answer::Invariant;
use super::copies::Copies;
use super::system::{System, sorted};
use crate::base::{Budget, StopReason};
use crate::circuit::Lit;
use crate::solve::{Answer, Setup, SolverKind};
use std::fmt;

/// Flaw of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The clause with this number does not hold after so many steps from the start, fewer than the depth.
    Initiation { clause: usize, steps: usize },
    /// After so many steps from the start, fewer than the depth less one, a state is bad.
    Start { steps: usize },
    /// A step leads from as many states of the invariant as its depth says to where the clause with this number does not
    /// hold.
    Consecution(usize),
    /// The last of so many states of the invariant may be bad.
    Safety,
    /// A clause names a latch that the system does not have.
    Unknown(usize),
    /// Clause with this number that speaks of all equal members.
    Particular(usize),
    /// Clause with this number that says something of some members which is not said of others.
    Asymmetric(usize),
    /// Successive states are looked at, and there are equal members.
    Deep,
    /// The depth is 0.
    Depth,
    /// The budget ended the check.
    Stopped(StopReason),
}

impl From<StopReason> for Flaw {
    fn from(reason: StopReason) -> Flaw {
        Flaw::Stopped(reason)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Initiation { clause, steps: 0 } => {
                write!(
                    f,
                    "clause {clause} of the invariant does not hold initially"
                )
            }
            Flaw::Initiation { clause, steps } => write!(
                f,
                "clause {clause} of the invariant does not hold after {steps} steps from the start"
            ),
            Flaw::Start { steps } => {
                write!(f, "a state {steps} steps from the start is bad")
            }
            Flaw::Consecution(i) => write!(f, "clause {i} of the invariant is not kept by a step"),
            Flaw::Safety => f.write_str("the invariant contains a bad state"),
            Flaw::Unknown(i) => write!(f, "clause {i} of the invariant names an unknown latch"),
            Flaw::Particular(i) => {
                write!(
                    f,
                    "clause {i} of the invariant speaks of all members of a family"
                )
            }
            Flaw::Asymmetric(i) => write!(
                f,
                "clause {i} of the invariant is not said of other members of a family"
            ),
            Flaw::Deep => f.write_str("an invariant for any number of members is one of depth 1"),
            Flaw::Depth => f.write_str("an invariant of depth 0 says nothing"),
            Flaw::Stopped(reason) => reason.fmt(f),
        }
    }
}

/// Checks initiation, consecution and safety. `None` for a solver that this build lacks.
///
/// # Errors
/// The first flaw that is found; [`Flaw::Stopped`] if the budget ended the check.
pub fn check(
    system: &System,
    invariant: &Invariant,
    solver: SolverKind,
    budget: &Budget,
) -> Option<Result<(), Flaw>> {
    if invariant.depth == 0 {
        return Some(Err(Flaw::Depth));
    }
    for (i, clause) in invariant.clauses.iter().enumerate() {
        let known = |l: &i32| *l != 0 && l.unsigned_abs() as usize <= system.latches.len();
        if !clause.iter().all(known) {
            return Some(Err(Flaw::Unknown(i)));
        }
    }
    if let Err(flaw) = is_of_any_number(system, invariant) {
        return Some(Err(flaw));
    }
    let setup = Setup {
        solver,
        seed: 0,
        budget,
        meter: None,
    };
    let copies = Copies::from_start(system, &setup)?;
    if let Err(flaw) = base(invariant, copies, budget) {
        return Some(Err(flaw));
    }
    let copies = Copies::from_anywhere(system, &setup)?;
    Some(step(invariant, copies, budget))
}

/// Generality: where members are equal, each clause speaks of some and is said of any others.
fn is_of_any_number(system: &System, invariant: &Invariant) -> Result<(), Flaw> {
    if system.symmetries.is_empty() {
        return Ok(());
    }
    if invariant.depth > 1 {
        return Err(Flaw::Deep);
    }
    let known = invariant
        .clauses
        .iter()
        .map(|clause| sorted(clause))
        .collect();
    for (number, clause) in invariant.clauses.iter().enumerate() {
        if !system.is_general(clause) {
            return Err(Flaw::Particular(number));
        }
        if !system.is_of_all(clause, &known) {
            return Err(Flaw::Asymmetric(number));
        }
    }
    Ok(())
}

/// No state that is reached in fewer steps than the depth is outside the invariant, and none of them but the last may be
/// bad: that one is the last of the first window.
fn base(invariant: &Invariant, mut copies: Copies, budget: &Budget) -> Result<(), Flaw> {
    if let Some(clause) = lost(&mut copies, invariant, 0, budget)? {
        return Err(Flaw::Initiation { clause, steps: 0 });
    }
    for steps in 1..invariant.depth {
        let bad = copies.step();
        if possible(&mut copies, bad, budget)? {
            return Err(Flaw::Start { steps: steps - 1 });
        }
        if let Some(clause) = lost(&mut copies, invariant, steps, budget)? {
            return Err(Flaw::Initiation { clause, steps });
        }
        if let Some(reason) = budget.check() {
            return Err(Flaw::Stopped(reason));
        }
    }
    Ok(())
}

/// After a window of different states within the invariant, before the last of which no step is bad, that one is not
/// bad, and the next state is within the invariant.
fn step(invariant: &Invariant, mut copies: Copies, budget: &Budget) -> Result<(), Flaw> {
    let last = invariant.depth - 1;
    for number in 0..=last {
        for clause in &invariant.clauses {
            let now = copies.clause(clause, number);
            copies.solver.assert_any(&now);
        }
        for before in 0..number {
            let difference = copies.difference(before, number);
            copies.solver.assert_any(&difference);
        }
        let bad = copies.step();
        if number < last {
            copies.solver.assert_any(&[!bad]);
        } else if possible(&mut copies, bad, budget)? {
            return Err(Flaw::Safety);
        }
        if let Some(reason) = budget.check() {
            return Err(Flaw::Stopped(reason));
        }
    }
    match lost(&mut copies, invariant, last + 1, budget)? {
        Some(clause) => Err(Flaw::Consecution(clause)),
        None => Ok(()),
    }
}

/// Satisfiability of a literal: true if it can hold. If not, the solver is told.
fn possible(copies: &mut Copies, lit: Lit, budget: &Budget) -> Result<bool, Flaw> {
    let assumed = copies.solver.assumption(lit);
    let possible = copies.solver.check(&[assumed], budget).is_sat()?;
    if !possible {
        copies.solver.deny(assumed);
    }
    Ok(possible)
}

/// A clause that can be violated in a state.
fn lost(
    copies: &mut Copies,
    invariant: &Invariant,
    state: usize,
    budget: &Budget,
) -> Result<Option<usize>, Flaw> {
    let mut kept = Vec::new();
    for clause in &invariant.clauses {
        let after = copies.clause(clause, state);
        kept.push(copies.solver.circuit_mut().or_all(&after));
    }
    // All at once first; one by one only to name the culprit.
    let all = copies.solver.circuit_mut().and_all(&kept);
    if !possible(copies, !all, budget)? {
        return Ok(None);
    }
    let culprit = kept.iter().position(|lit| {
        let lost = copies.solver.assumption(!*lit);
        copies.solver.check(&[lost], budget) == Answer::Sat
    });
    Ok(Some(culprit.unwrap_or(0)))
}
