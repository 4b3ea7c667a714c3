//! Strengthening: the clauses of a set of candidates that hold in all reachable states because they keep each other, and those
//! clauses of an invariant that suffice.
//!
//! Houdini (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001): from candidates that hold initially,
//! those are dropped that some step from a state in which all of them hold leads out of, until no step does. What remains is
//! the greatest inductive subset. It is added to whatever is searched for afterwards. Most of it says nothing of what is bad, so
//! that in the end only those clauses are kept that failed assumptions name: of the safety of states, and then of each
//! clause that was named.

use super::faults::{self, Fault};
use super::system::{Cube, Literal, System};
use crate::base::StopReason;
use crate::circuit::{Circuit, Lit};
use crate::solve::{Assumption, GateSolver, Setup};

/// Clauses of the candidates that all reachable states satisfy. `None` for a solver that this build lacks.
///
/// # Errors
/// The budget ended the search.
pub fn inductive(
    system: &System,
    candidates: &[Cube],
    setup: &Setup,
) -> Option<Result<Vec<Cube>, StopReason>> {
    let violated = |clause: &Cube| -> Cube { clause.iter().map(|l| -l).collect() };
    let mut kept: Vec<&Cube> = candidates.iter().collect();
    kept.retain(|clause| !system.is_initial(&violated(clause)));
    let table = Table::new(system, &kept, setup)?;
    Some(table.greatest(setup))
}

/// Clauses of an invariant of depth 1 that are one by themselves. `None` for a solver that this build lacks.
///
/// # Errors
/// The budget ended the search.
pub fn sufficient(
    system: &System,
    clauses: &[Cube],
    setup: &Setup,
) -> Option<Result<Vec<Cube>, StopReason>> {
    let all: Vec<&Cube> = clauses.iter().collect();
    let table = Table::new(system, &all, setup)?;
    Some(table.needed(system.bad, setup))
}

/// Literals of a clause that says that one of many is true: solvers that eliminate variables are slow with long ones.
const GROUP: usize = 64;

/// A clause, as a solver over one step has it.
struct Row<'a> {
    clause: &'a Cube,
    /// Activation of the clause: where this is assumed, it holds before the step.
    holds: Assumption,
    /// The clause does not hold after the step.
    lost: Assumption,
}

struct Table<'a> {
    rows: Vec<Row<'a>>,
    solver: GateSolver,
}

impl<'a> Table<'a> {
    fn new(system: &System, clauses: &[&'a Cube], setup: &Setup) -> Option<Table<'a>> {
        let mut circuit = system.circuit.clone();
        let lost = |circuit: &mut Circuit, clause: &Cube| {
            let literals: Vec<Lit> = clause.iter().map(|l| !system.next(*l)).collect();
            circuit.and_all(&literals)
        };
        let lost: Vec<Lit> = clauses.iter().map(|c| lost(&mut circuit, c)).collect();
        let mut solver = setup.for_short(circuit)?;
        let row = |(clause, lost): (&&'a Cube, Lit)| {
            let holds = solver.activation();
            let now = clause.iter().map(|l: &Literal| system.state(*l));
            solver.assert_any_if(holds, now);
            let lost = solver.assumption(lost);
            Row {
                clause,
                holds,
                lost,
            }
        };
        let rows = clauses.iter().zip(lost).map(row).collect();
        Some(Table { rows, solver })
    }

    /// The greatest set of clauses that every step keeps.
    fn greatest(mut self, setup: &Setup) -> Result<Vec<Cube>, StopReason> {
        if faults::on(Fault::KnownUnproved) {
            return Ok(self.rows.iter().map(|row| row.clause.clone()).collect());
        }
        loop {
            let groups: Vec<Assumption> = self
                .rows
                .chunks(GROUP)
                .map(|rows| {
                    let some = self.solver.activation();
                    self.solver.imply_any(some, rows.iter().map(|row| row.lost));
                    some
                })
                .collect();
            let some = self.solver.activation();
            self.solver.imply_any(some, groups.iter().copied());
            let mut assumed: Vec<Assumption> = self.rows.iter().map(|row| row.holds).collect();
            assumed.push(some);
            if !self.solver.check(&assumed, setup.budget).is_sat()? {
                return Ok(self.rows.iter().map(|row| row.clause.clone()).collect());
            }
            let solver = &self.solver;
            self.rows.retain(|row| !solver.is_true(row.lost));
            for group in groups.into_iter().chain([some]) {
                self.solver.give_up(group);
            }
        }
    }

    /// The clauses that exclude bad steps, and those that keep these, and so on.
    fn needed(mut self, bad: Lit, setup: &Setup) -> Result<Vec<Cube>, StopReason> {
        let holds: Vec<Assumption> = self.rows.iter().map(|row| row.holds).collect();
        let mut is_needed = vec![false; holds.len()];
        let mut open = vec![self.solver.assumption(bad)];
        while let Some(goal) = open.pop() {
            let assumed: Vec<Assumption> = holds.iter().copied().chain([goal]).collect();
            if self.solver.check(&assumed, setup.budget).is_sat()? {
                // It is no invariant, as its check will find.
                return Ok(self.rows.iter().map(|row| row.clause.clone()).collect());
            }
            let core = self.solver.core();
            for (row, is_needed) in self.rows.iter().zip(&mut is_needed) {
                if !*is_needed && core.contains(row.holds) {
                    *is_needed = true;
                    open.push(row.lost);
                }
            }
        }
        let rows = self.rows.iter().zip(is_needed);
        let rows = rows.filter(|(_, is_needed)| *is_needed);
        Ok(rows.map(|(row, _)| row.clause.clone()).collect())
    }
}
