//! Deciding one unrolled program: by the scheme that was asked for, or by those that its counts suggest.

use super::findings::Findings;
use super::request::Request;
use super::result::Failure;
use crate::base::Budget;
use crate::event::EventProgram;
use crate::ir::Check;
use crate::lanes::{Lane, Lanes, Start};
use crate::question;
use crate::question::choice::{Choice, ORDER};
use crate::question::counts::Counts;
use crate::question::{
    Answer, Checked, Encoding, Execution, Inconsistent, Options, Question, Scheme, Unencoded,
};
use crate::sat::{Solver, SolverKind};
use crate::scheme::Level;

/// Result of one scheme on one program.
pub(super) struct Decision {
    /// The scheme that answered (or gave up first).
    pub scheme: Scheme,
    /// The level of the scheme's own bounds that questions have come to.
    pub level: u32,
    pub answer: Answer,
    /// The program with the terms that the scheme has made; the answer is about these.
    pub events: EventProgram,
    /// Name of the solver.
    pub solver: &'static str,
    pub variables: usize,
    pub clauses: usize,
    /// Formula that was asked last, if it is to be kept.
    pub question: Option<Question>,
}

/// The schemes for a program at a level of bounds, which is reduced if the choice depends on it. `before` is the scheme
/// that decided the level before in a race.
pub(super) fn choose(
    request: &Request,
    depth: u32,
    before: Option<Scheme>,
    events: &mut EventProgram,
) -> Choice {
    if let Some(scheme) = request.engine.scheme() {
        let level = Level {
            depth,
            fixed: request.unwind.is_some(),
        };
        return Choice::only(scheme.at(level, events));
    }
    ORDER.reduce(events);
    if request.memory.is_weak() {
        // Of those to choose from, the only one that has store buffers.
        return Choice::only(ORDER);
    }
    if request.checks.contains(Check::Deadlock) {
        // It knows what memory holds in the end.
        return Choice::only(ORDER);
    }
    let choice = Choice::of(&Counts::of(events)).with_experience(before);
    if request.record {
        // The kept formula shall not depend on who is faster.
        Choice::only(choice.first)
    } else {
        choice
    }
}

/// Options for deciding a program that `choose` has seen.
fn options(request: &Request, scheme: Scheme) -> Options {
    Options {
        // To choose, it was.
        reduce: request.engine.scheme().is_some(),
        record: request.record,
        checks: request.checks,
        first: request.first,
        ..Options::new(scheme)
    }
}

/// The formula that a program which `choose` has seen is decided by.
///
/// # Errors
/// As `Encoding::within`.
pub(super) fn encode(
    request: &Request,
    scheme: Scheme,
    events: &mut EventProgram,
    budget: &Budget,
) -> Result<Encoding, Unencoded> {
    Encoding::within(events, &options(request, scheme), budget)
}

/// Decides a program.
///
/// # Errors
/// There is no such solver, a scheme has found its model to be no execution, or the interpreter has.
pub(super) fn decide(
    request: &Request,
    choice: &Choice,
    events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Decision, Failure> {
    let (solver, seed) = (request.solver, request.seed);
    let with = |scheme: Scheme, events: EventProgram| {
        let options = options(request, scheme);
        let findings = findings.clone();
        move |budget: &Budget| decide_with(options, (solver, seed), events, &findings, budget)
    };
    let Some(second) = choice.second else {
        return with(choice.first, events)(budget);
    };
    // If both together need too much memory, the first shall have the rest.
    let second = Lane::new(second.name(), with(second, events.clone()))
        .start(Start::After(choice.head_start))
        .memory_percent(50);
    let first = Lane::new(choice.first.name(), with(choice.first, events));
    let is_answer = |decision: &Decision| !matches!(decision.answer, Answer::Stopped { .. });
    Lanes::new(first, is_answer).and(second).run(budget)
}

/// Decides a program with one scheme.
fn decide_with(
    options: Options,
    (solver, seed): (SolverKind, u32),
    mut events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Decision, Failure> {
    let mut solver = solver.open(seed).ok_or(Failure::NoSolver(solver))?;
    let mut refuted = None;
    let mut judge = |events: &EventProgram, execution: &Execution| {
        let judged = findings.replay(events, execution, options.scheme);
        judged.map_err(|failure| {
            refuted = Some(failure);
            let target = execution.target;
            Inconsistent { target }
        })
    };
    let checked = question::check_within(&mut events, &options, &mut solver, &mut judge, budget);
    if let Some(failure) = refuted {
        return Err(failure);
    }
    let Checked {
        answer,
        level,
        question,
    } = checked?;
    Ok(Decision {
        scheme: options.scheme,
        level,
        answer,
        events,
        solver: solver.name(),
        variables: solver.var_count(),
        clauses: solver.clause_count(),
        question,
    })
}
