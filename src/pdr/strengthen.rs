//! Strengthening: the clauses of a set of candidates that hold in all reachable states because they keep each other, and those
//! clauses of an invariant that suffice.
//!
//! Houdini (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001): from candidates that hold initially,
//! those are dropped that some step from a state in which all of them hold leads out of, until no step does. What remains is
//! the greatest inductive subset. Random walks find most of these steps (`walk`), the solver the others. It is added to whatever
//! is searched for afterwards. Most of it says nothing of what is bad, so that in the end only those clauses are kept that
//! failed assumptions name: of the safety of states, and then of each clause that was named.

use super::faults::{self, Fault};
use super::system::{Cube, Literal, System, sorted};
use super::walk::Walks;
use crate::base::StopReason;
use crate::base::sorted::SortedSet;
use crate::circuit::Lit;
use crate::solve::{Assumption, GateSolver, Setup};
use hashbrown::HashMap;

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
    if kept.is_empty() || faults::on(Fault::KnownUnproved) {
        return Some(Ok(kept.into_iter().cloned().collect()));
    }
    let mut walks = Walks::from_start(system);
    for _ in 0..FROM_START {
        walks.step(&[]);
        kept.retain(|clause| walks.satisfy(clause));
    }
    let (mut solver, rows) = over_step(system, &kept, setup)?;
    Some(greatest(system, &mut solver, rows, walks, setup))
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
    let (mut solver, rows) = over_step(system, &all, setup)?;
    Some(needed(system, &mut solver, &rows, setup))
}

/// Clauses that are assumed, and of which one may be lost, together: each assumption costs the solver a decision, and those that
/// eliminate variables are slow with long clauses.
const GROUP: usize = 64;
/// Steps of random walks from the start.
const FROM_START: usize = 200;
/// Steps of random walks, from a state that the solver finds, in which nothing is dropped until they end.
const PERSISTENCE: usize = 10;

/// A clause, as a solver over one step has it.
#[derive(Clone, Copy)]
struct Row<'a> {
    clause: &'a Cube,
    /// Number of the first clause that says the same of other members; all of these are kept, or none.
    orbit: usize,
    /// The clause does not hold after the step.
    lost: Assumption,
}

/// A solver over one step, and the clauses there.
fn over_step<'a>(
    system: &System,
    clauses: &[&'a Cube],
    setup: &Setup,
) -> Option<(GateSolver, Vec<Row<'a>>)> {
    let mut circuit = system.circuit.clone();
    let lost = |clause: &&Cube| {
        let literals: Vec<Lit> = clause.iter().map(|l| !system.next(*l)).collect();
        circuit.and_all(&literals)
    };
    let lost: Vec<Lit> = clauses.iter().map(lost).collect();
    let mut solver = setup.for_short(circuit)?;
    let numbers: HashMap<Cube, usize> = clauses.iter().map(|c| sorted(c)).zip(0..).collect();
    let orbit = |clause: &Cube| {
        let images = system.images(clause);
        let numbers = images.iter().filter_map(|image| numbers.get(image));
        numbers.min().copied().unwrap_or_default()
    };
    let rows = clauses.iter().zip(lost).map(|(clause, lost)| Row {
        clause,
        orbit: orbit(clause),
        lost: solver.assumption(lost),
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_by_key(|row| row.orbit);
    Some((solver, rows))
}

/// Clauses that one assumption each switches on and denies.
struct Group<'a> {
    rows: Vec<Row<'a>>,
    /// Activation literal: all of them hold before the step.
    hold: Assumption,
    /// Activation literal: one of them does not hold after the step.
    lost: Assumption,
}

impl<'a> Group<'a> {
    fn new(rows: Vec<Row<'a>>, system: &System, solver: &mut GateSolver) -> Group<'a> {
        let hold = holding(&rows, system, solver);
        let lost = solver.activation();
        solver.imply_any(lost, rows.iter().map(|row| row.lost));
        Group { rows, hold, lost }
    }

    fn give_up(self, solver: &mut GateSolver) {
        solver.give_up(self.hold);
        solver.give_up(self.lost);
    }
}

/// Activation literal of clauses before the step.
fn holding(rows: &[Row], system: &System, solver: &mut GateSolver) -> Assumption {
    let hold = solver.activation();
    for row in rows {
        let now = row.clause.iter().map(|l: &Literal| system.state(*l));
        solver.assert_any_if(hold, now);
    }
    hold
}

/// The greatest set of clauses that every step keeps. Walks stand where all clauses hold.
fn greatest(
    system: &System,
    solver: &mut GateSolver,
    rows: Vec<Row>,
    walks: Walks,
    setup: &Setup,
) -> Result<Vec<Cube>, StopReason> {
    let mut walks = walks;
    let groups = rows.chunks(GROUP);
    let mut groups: Vec<Group> = groups
        .map(|rows| Group::new(rows.to_vec(), system, solver))
        .collect();
    loop {
        let some = solver.activation();
        solver.imply_any(some, groups.iter().map(|group| group.lost));
        let hold = groups.iter().map(|group| group.hold);
        let assumed: Vec<Assumption> = hold.chain([some]).collect();
        let is_possible = solver.check(&assumed, setup.budget).is_sat()?;
        if !is_possible {
            let rows = groups.iter().flat_map(|group| &group.rows);
            let kept: Vec<Cube> = rows.map(|row| row.clause.clone()).collect();
            return Ok(kept);
        }
        let value = |lit: Lit| solver.value(lit);
        walks.go_to(system.latches.iter().map(|latch| value(latch.state)));
        let inputs: Vec<bool> = system.inputs.iter().map(|lit| value(*lit)).collect();
        let rows = groups.iter().flat_map(|group| &group.rows);
        let mut open: Vec<Row> = rows.copied().collect();
        let mut lost = SortedSet::new();
        drop_orbits(&mut open, &mut lost, |row| solver.is_true(row.lost));
        walks.step(&inputs);
        let mut idle = 0;
        while idle < PERSISTENCE {
            let count = open.len();
            drop_orbits(&mut open, &mut lost, |row| !walks.satisfy(row.clause));
            idle = if open.len() < count { 0 } else { idle + 1 };
            walks.step(&[]);
        }
        solver.give_up(some);
        let mut next = Vec::new();
        for group in groups {
            let is_kept = |row: &&Row| !lost.contains(&row.orbit);
            let kept: Vec<Row> = group.rows.iter().filter(is_kept).copied().collect();
            if kept.len() == group.rows.len() {
                next.push(group);
                continue;
            }
            group.give_up(solver);
            if !kept.is_empty() {
                next.push(Group::new(kept, system, solver));
            }
        }
        groups = next;
    }
}

/// Drops clauses, with what they say of other members, and notes their orbits.
fn drop_orbits(open: &mut Vec<Row>, lost: &mut SortedSet<usize>, is_lost: impl Fn(&Row) -> bool) {
    let rows = open.iter().filter(|row| is_lost(row));
    lost.extend(rows.map(|row| row.orbit));
    open.retain(|row| !lost.contains(&row.orbit));
}

/// The clauses that exclude bad steps, and those that keep these, and so on.
fn needed(
    system: &System,
    solver: &mut GateSolver,
    rows: &[Row],
    setup: &Setup,
) -> Result<Vec<Cube>, StopReason> {
    let rows_alone = rows.iter().map(std::slice::from_ref);
    let holds: Vec<Assumption> = rows_alone.map(|row| holding(row, system, solver)).collect();
    let mut needed = SortedSet::new();
    let mut open = vec![solver.assumption(system.bad)];
    while let Some(goal) = open.pop() {
        let assumed: Vec<Assumption> = holds.iter().copied().chain([goal]).collect();
        if solver.check(&assumed, setup.budget).is_sat()? {
            // It is no invariant, as its check will find.
            return Ok(rows.iter().map(|row| row.clause.clone()).collect());
        }
        let core = solver.core();
        for (row, hold) in rows.iter().zip(&holds) {
            // What it says of other members is kept for the same reasons.
            if core.contains(*hold) && needed.insert(row.orbit) {
                open.push(row.lost);
            }
        }
    }
    let rows = rows.iter().filter(|row| needed.contains(&row.orbit));
    Ok(rows.map(|row| row.clause.clone()).collect())
}
