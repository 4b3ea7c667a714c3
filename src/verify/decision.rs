//! Deciding one unrolled program: by the scheme that was asked for, or by those that its counts suggest.

use super::findings::{Asked, Findings};
use super::request::Request;
use super::result::Failure;
use crate::base::Budget;
use crate::event::EventProgram;
use crate::ir::Check;
use crate::lanes::{Lane, Lanes, Start};
use crate::question;
use crate::question::choice::{BEFORE_THE_HUNT, Choice, HUNTS, ORDER};
use crate::question::counts::Counts;
use crate::question::{
    Answer, Checked, Encoding, Execution, Inconsistent, Judge, Options, Question, Scheme, Unencoded,
};
use crate::sat::{Solver, SolverKind};
use crate::scheme::Level;
use std::time::Duration;

/// Expectation of schemes that decide a program; the hunt alone may have no answer.
const DECIDED: &str = "a scheme has an answer, or says why it has none";

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
    if choice.second.is_none() && !choice.hunts {
        let decision = with(choice.first, events)(budget)?;
        return Ok(decision.expect(DECIDED));
    }
    // If all together need too much memory, the first shall have the rest.
    let mut others = Vec::new();
    if let Some(second) = choice.second {
        let second = Lane::new(second.name(), with(second, events.clone()));
        let start = Start::After(choice.head_start);
        others.push(second.start(start).memory_percent(50));
    }
    if choice.hunts {
        let (events, findings, request) = (events.clone(), findings.clone(), request.clone());
        let hunt = move |budget: &Budget| hunt(&request, events, &findings, budget);
        let hunt = Lane::new("hunt", hunt).start(Start::After(BEFORE_THE_HUNT));
        others.push(hunt.share(allowance_of_the_hunt).memory_percent(50));
    }
    let first = Lane::new(choice.first.name(), with(choice.first, events));
    let is_answer = |decision: &Option<Decision>| {
        let decision = decision.as_ref();
        decision.is_some_and(|one| !matches!(one.answer, Answer::Stopped { .. }))
    };
    let lanes = others
        .into_iter()
        .fold(Lanes::new(first, is_answer), Lanes::and);
    let decision = lanes.run(budget)?;
    Ok(decision.expect(DECIDED))
}

/// Processor time that the hunt may have of so much that the run has used, where it is limited: a quarter, so that little is lost of what
/// takes the others long.
fn allowance_of_the_hunt(whole: Duration) -> Duration {
    whole / 4
}

/// Looks for violations, and for nothing else: by one scheme after the other, whose bounds may leave much out.
fn hunt(
    request: &Request,
    events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Option<Decision>, Failure> {
    for scheme in HUNTS {
        if budget.check().is_some() {
            break;
        }
        let (options, solver) = (options(request, scheme), (request.solver, request.seed));
        let events = events.clone();
        let found = ask(question::hunt, options, solver, events, findings, budget)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Decides a program with one scheme.
fn decide_with(
    options: Options,
    solver: (SolverKind, u32),
    events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Option<Decision>, Failure> {
    let all: Questions = |program, options, solver, judge, budget| {
        question::check_within(program, options, solver, judge, budget).map(Some)
    };
    ask(all, options, solver, events, findings, budget)
}

/// Decides a program at levels of a scheme's own bound, with a fresh solver. What is found is replayed; `each` is told of every answer.
pub(super) fn chain(
    request: &Request,
    scheme: Scheme,
    levels: &[u32],
    events: &mut EventProgram,
    findings: &Findings,
    budget: &Budget,
    each: &mut question::Tell,
) -> Result<(), Failure> {
    let (kind, seed) = (request.solver, request.seed);
    let options = options(request, scheme);
    let asked = Asked {
        scheme,
        checks: options.checks,
        solver: (kind, seed),
        budget: budget.clone(),
    };
    let mut solver = kind.open(seed).ok_or(Failure::NoSolver(kind))?;
    let mut refuted = None;
    let mut judge = |events: &EventProgram, execution: &Execution| {
        let judged = findings.replay(events, execution, &asked);
        judged.map_err(|failure| {
            refuted = Some(failure);
            let target = execution.target;
            Inconsistent { target }
        })
    };
    let (solver, judge): (&mut dyn Solver, &mut Judge) = (&mut solver, &mut judge);
    let done = question::chain(events, &options, levels, solver, judge, budget, each);
    match refuted {
        Some(failure) => Err(failure),
        None => Ok(done?),
    }
}

/// Questions about a program; `None` if what they have found is no answer.
type Questions = fn(
    &mut EventProgram,
    &Options,
    &mut dyn Solver,
    &mut Judge,
    &Budget,
) -> Result<Option<Checked>, question::Failure>;

/// Asks questions about a program with one scheme and a fresh solver; what is found is replayed.
fn ask(
    questions: Questions,
    options: Options,
    (solver, seed): (SolverKind, u32),
    mut events: EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Option<Decision>, Failure> {
    let asked = Asked {
        scheme: options.scheme,
        checks: options.checks,
        solver: (solver, seed),
        budget: budget.clone(),
    };
    let mut solver = solver.open(seed).ok_or(Failure::NoSolver(solver))?;
    let gauge = budget.gauge();
    events.spent.write(gauge);
    gauge.begin("decide");
    let bounds = options.scheme.bounds(&events, 0, false);
    gauge.at(|place| {
        place.scheme = options.scheme.name();
        place.own = bounds.first().map(|(bound, ..)| (bound.title(), 0));
    });
    let mut refuted = None;
    let mut judge = |events: &EventProgram, execution: &Execution| {
        let outer = gauge.begin("replay");
        let judged = findings.replay(events, execution, &asked);
        gauge.back(outer);
        judged.map_err(|failure| {
            refuted = Some(failure);
            let target = execution.target;
            Inconsistent { target }
        })
    };
    let checked = questions(&mut events, &options, &mut solver, &mut judge, budget);
    gauge.back(None);
    if let Some(failure) = refuted {
        return Err(failure);
    }
    let Some(checked) = checked? else {
        return Ok(None);
    };
    let Checked {
        answer,
        level,
        question,
    } = checked;
    Ok(Some(Decision {
        scheme: options.scheme,
        level,
        answer,
        events,
        solver: solver.name(),
        variables: solver.var_count(),
        clauses: solver.clause_count(),
        question,
    }))
}
