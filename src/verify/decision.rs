//! Deciding one unrolled program: by the scheme that was asked for, or by those that its counts suggest.

use super::ask::{Ask, Decision, options};
use super::cubes;
use super::findings::Findings;
use super::request::{Engine, Request};
use super::result::Failure;
use crate::base::Budget;
use crate::event::EventProgram;
use crate::ir::Check;
use crate::lanes::{Lane, Lanes, Start};
use crate::question;
use crate::question::choice::{BEFORE_THE_HUNT, Choice, HUNTS, ORDER};
use crate::question::counts::Counts;
use crate::question::portfolio::{self, BEFORE_OTHERS, Contender};
use crate::question::{Answer, Encoding, Scheme, Unencoded};
use crate::sat::Search;
use crate::sat::share::Exchange;
use crate::scheme::Level;
use std::sync::Arc;
use std::time::Duration;

/// Expectation of schemes that decide a program; the hunt alone may have no answer.
const DECIDED: &str = "a scheme has an answer, or says why it has none";

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
    if request.split.is_some() {
        return Choice::only(if choice.first.splits() {
            choice.first
        } else {
            ORDER
        });
    }
    if request.record {
        // The kept formula shall not depend on who is faster.
        Choice::only(choice.first)
    } else {
        choice
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
    if let Some(split) = request.split {
        let decision = cubes::decide(request, split, choice.first, events, findings, budget)?;
        return Ok(decision.expect(DECIDED));
    }
    let more = others(request, choice, &events);
    // Those of one scheme have one formula; the exchange knows them by it.
    let first_search = Search::seeded(request.seed);
    let is_shared = more.iter().any(|one| one.search != first_search);
    let exchange = is_shared.then(Exchange::default);
    let ask = |scheme: Scheme| Ask {
        exchange: exchange.clone(),
        ..Ask::of(request, options(request, scheme))
    };
    let first = ask(choice.first);
    if choice.second.is_none() && !choice.hunts && more.is_empty() {
        let decision = first.decide(events, findings, budget)?;
        return Ok(decision.expect(DECIDED));
    }
    let spare = Arc::new(events.clone());
    // If all together need too much memory, the first shall have the rest.
    let is_answer = |decision: &Option<Decision>| {
        let decision = decision.as_ref();
        decision.is_some_and(|one| !matches!(one.answer, Answer::Stopped { .. }))
    };
    let of_first = findings.clone();
    let work = move |budget: &Budget| first.decide(events, &of_first, budget);
    let mut lanes = Lanes::new(Lane::new(choice.first.name(), work), is_answer);
    let joining = |ask: Ask, start: Duration| {
        let (spare, findings) = (Arc::clone(&spare), findings.clone());
        let name = ask.options.scheme.name();
        let work = move |budget: &Budget| ask.decide((*spare).clone(), &findings, budget);
        let lane = Lane::new(name, work).memory_percent(50);
        lane.start(Start::After(start))
    };
    if let Some(second) = choice.second {
        lanes = lanes.and(joining(ask(second), choice.head_start));
    }
    for Contender { scheme, search } in more {
        let ask = Ask {
            search,
            ..ask(scheme)
        };
        lanes = lanes.and(joining(ask, BEFORE_OTHERS));
    }
    if choice.hunts {
        let (events, findings, request) = (Arc::clone(&spare), findings.clone(), request.clone());
        let hunt = move |budget: &Budget| hunt(&request, &events, &findings, budget);
        let hunt = Lane::new("hunt", hunt).start(Start::After(BEFORE_THE_HUNT));
        lanes = lanes.and(hunt.share(allowance_of_the_hunt).memory_percent(50));
    }
    let decision = lanes.run(budget)?;
    Ok(decision.expect(DECIDED))
}

/// Further ways to the answer, so that as many work at once as were asked for.
fn others(request: &Request, choice: &Choice, events: &EventProgram) -> Vec<Contender> {
    let jobs = request.jobs.unwrap_or(1);
    let ends = request.checks.contains(Check::Deadlock);
    let suits = |scheme: Scheme| {
        request.engine == Engine::Auto
            && scheme.knows(request.memory)
            && (!ends || scheme.knows_ends())
    };
    portfolio::others(choice, jobs, request.seed, events.events.len(), suits)
}

/// Processor time that a run which is limited may use before the hunt has some: in less, it finds next to nothing.
const BEFORE_ITS_SHARE: Duration = Duration::from_secs(10);

/// Processor time that the hunt may have of so much that the run has used, where it is limited: a quarter of what comes after the first
/// seconds, so that little is lost of what takes the others long.
fn allowance_of_the_hunt(whole: Duration) -> Duration {
    whole.saturating_sub(BEFORE_ITS_SHARE) / 4
}

/// Looks for violations, and for nothing else: by one scheme after the other, whose bounds may leave much out.
fn hunt(
    request: &Request,
    events: &EventProgram,
    findings: &Findings,
    budget: &Budget,
) -> Result<Option<Decision>, Failure> {
    for scheme in HUNTS {
        if budget.check().is_some() {
            break;
        }
        let ask = Ask::of(request, options(request, scheme));
        let found = ask.ask(&question::hunt, events.clone(), findings, budget)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
