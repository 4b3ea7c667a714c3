//! Asking: one scheme and one solver on one program, with what they have found replayed.

use super::findings::{Asked, Findings};
use super::request::Request;
use super::result::Failure;
use crate::base::Budget;
use crate::event::EventProgram;
use crate::question;
use crate::question::{
    Answer, Checked, Execution, Idle, Inconsistent, Judge, Options, Parts, Question, Scheme,
};
use crate::sat::crew::Crew;
use crate::sat::share::{Exchange, Sharing};
use crate::sat::{Search, Solver, SolverKind};
use std::cell::Cell;
use std::sync::Arc;

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
    /// Cubes that executions were split into, if they were.
    pub parts: Option<Parts>,
}

/// Options for deciding a program that `choose` has seen.
pub(super) fn options(request: &Request, scheme: Scheme) -> Options {
    Options {
        // To choose, it was.
        reduce: request.engine.scheme().is_some(),
        record: request.record,
        checks: request.checks,
        first: request.first,
        ..Options::new(scheme)
    }
}

/// Questions about a program; `None` if what they have found is no answer.
pub(super) type Questions<'a> = dyn Fn(
        &mut EventProgram,
        &Options,
        &mut dyn Solver,
        &mut Judge,
        &Budget,
    ) -> Result<Option<Checked>, question::Failure>
    + 'a;

/// Setup of questions: the scheme, the solver that answers them, and how it searches.
#[derive(Clone)]
pub(super) struct Ask {
    pub options: Options,
    pub solver: SolverKind,
    pub search: Search,
    /// Others that solve the same formula, with whom clauses are shared.
    pub exchange: Option<Exchange>,
    /// Number of solvers that divide questions among them, where these are cut into cubes.
    pub crew: Option<usize>,
}

impl Ask {
    /// The solver and the search that were asked for.
    pub fn of(request: &Request, options: Options) -> Ask {
        Ask {
            options,
            solver: request.solver,
            search: Search::seeded(request.seed),
            exchange: None,
            crew: None,
        }
    }

    /// Decides a program.
    pub fn decide(
        self,
        events: EventProgram,
        findings: &Findings,
        budget: &Budget,
    ) -> Result<Option<Decision>, Failure> {
        let all: &Questions<'_> = &|program, options, solver, judge, budget| {
            question::check_within(program, options, solver, judge, budget).map(Some)
        };
        self.ask(all, events, findings, budget)
    }

    /// Asks questions about a program with a fresh solver; what is found is replayed.
    pub fn ask(
        self,
        questions: &Questions<'_>,
        mut events: EventProgram,
        findings: &Findings,
        budget: &Budget,
    ) -> Result<Option<Decision>, Failure> {
        let Ask {
            options,
            solver,
            search,
            exchange,
            crew,
        } = self;
        let asked = Asked {
            scheme: options.scheme,
            checks: options.checks,
            solver: (solver, search.seed),
            budget: budget.clone(),
            size: Cell::default(),
        };
        let opened: Option<Box<dyn Solver>> = match crew {
            None => solver.open_for(search),
            Some(size) => {
                let open = move |number: usize| solver.open_for(search.of_member(number));
                Crew::new(size, Arc::new(open)).map(|crew| Box::new(crew) as Box<dyn Solver>)
            }
        };
        let mut solver = opened.ok_or(Failure::NoSolver(solver))?;
        if let Some(exchange) = exchange {
            solver = Box::new(Sharing::new(solver, &exchange));
        }
        let gauge = budget.gauge();
        events.spent.write(gauge);
        gauge.begin("decide");
        let bounds = options.scheme.bounds(&events, 0, false);
        gauge.at(|place| {
            place.scheme = options.scheme.name();
            place.own = bounds.first().map(|(bound, ..)| (bound.title(), 0));
        });
        let checked = replaying(findings, &asked, |judge| {
            questions(&mut events, &options, &mut solver, judge, budget)
        });
        gauge.back(None);
        let Some(checked) = checked? else {
            return Ok(None);
        };
        let Checked {
            answer,
            level,
            question,
            parts,
        } = checked;
        let size = asked.size.get();
        let (variables, clauses) = size.unwrap_or((solver.var_count(), solver.clause_count()));
        Ok(Some(Decision {
            scheme: options.scheme,
            level,
            answer,
            events,
            solver: solver.name(),
            variables,
            clauses,
            question,
            parts,
        }))
    }
}

/// Decides a program at the levels of a request, with a fresh solver. What is found is replayed; `each` is told of every answer.
pub(super) fn chain(
    request: &Request,
    scheme: Scheme,
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
        size: Cell::default(),
    };
    let mut solver = kind.open(seed).ok_or(Failure::NoSolver(kind))?;
    replaying(findings, &asked, |judge| {
        let levels = &request.levels;
        question::chain(events, &options, levels, &mut solver, judge, budget, each)
    })
}

/// Asks questions whose executions are replayed as they are found.
///
/// # Errors
/// The interpreter does something else than an execution says, or what the questions fail with.
fn replaying<T>(
    findings: &Findings,
    asked: &Asked,
    questions: impl FnOnce(&mut Judge) -> Result<T, question::Failure>,
) -> Result<T, Failure> {
    let gauge = asked.budget.gauge();
    let mut refuted = None;
    let mut judge = |events: &EventProgram, execution: &Execution, idle: Option<&mut Idle>| {
        let outer = gauge.begin("replay");
        let judged = findings.replay(events, execution, asked, idle);
        gauge.back(outer);
        judged.map_err(|failure| {
            refuted = Some(failure);
            let target = execution.target;
            Inconsistent { target }
        })
    };
    let done = questions(&mut judge);
    match refuted {
        Some(failure) => Err(failure),
        None => Ok(done?),
    }
}
