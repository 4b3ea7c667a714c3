//! Verification at several levels of a scheme's own bound, one after the other, with one solver: an answer for each, as a run with
//! that bound alone would give it.
//!
//! A run may go on after its first level of unrolling (a bound that nobody asked for rises), be about another reading of the
//! program, or ask something beforehand. What is not one unrolling that is decided once has no chain: whoever asks for one is
//! told so, or gets answers only as far as they are those of the first unrolling.

use super::ask;
use super::findings::Findings;
use super::level::Level;
use super::outcome::Found;
use super::request::{Engine, Request};
use super::result::{Failure, Progress, Verified};
use super::unrolled::{Levels, Run, STACK_BYTES};
use crate::base::Budget;
use crate::event::EventProgram;
use crate::ir::{Check, Program};
use crate::lanes::{Flag, Lane, Lanes};
use crate::outcome::Outcome;
use crate::question::{Answer, Checked, Scheme};
use crate::sat::Solver;
use crate::scheme::Rising;
use crate::symex::Unroller;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

/// Words of progress: a level has its answer.
const ANSWERED: &str = "a level is answered";

/// Verifies a program at the levels of a request. Each answer is told as progress; the result is the last one.
///
/// # Errors
/// This request, or this program, has no such levels.
pub(super) fn verify(
    program: &Arc<Program>,
    has_other_reading: bool,
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    let chain = possible(program, has_other_reading, request).map_err(Failure::NoLevels)?;
    let findings = Findings::new(program, request);
    let (tell, told) = channel();
    let work = {
        let (program, request) = (Arc::clone(program), request.clone());
        let findings = findings.clone();
        move |budget: &Budget| levels(&program, &request, chain, &findings, budget, &tell)
    };
    let lane = Lane::new("levels", work).stack_bytes(STACK_BYTES);
    let mut look = || {
        for outcome in told.try_iter() {
            let outcome: Outcome = outcome;
            progress(&Progress {
                words: ANSWERED,
                outcome: Some(&outcome),
                finding: None,
            });
        }
    };
    let levels = Lanes::new(lane, |_| true).watched(&mut look).run(budget)?;
    look();
    Ok(levels.verified(program, request, &findings))
}

/// Chain that a request asks for: a scheme at several levels of one of its bounds.
#[derive(Clone, Copy)]
struct Chain {
    /// The scheme as it is asked for.
    scheme: Scheme,
    /// The option that has the levels for its values.
    option: &'static str,
    /// The scheme that has all of them in one encoding.
    rising: Scheme,
}

/// Chain of a request, if the scheme can answer for its levels.
///
/// # Errors
/// Why it cannot.
fn possible(
    program: &Program,
    has_other_reading: bool,
    request: &Request,
) -> Result<Chain, String> {
    let Engine::Scheme(scheme) = request.engine else {
        return Err("only schemes have a bound that rises".to_string());
    };
    let asked = &request.levels_of;
    let is_asked = |one: &&Rising| asked.as_ref().is_none_or(|option| option == one.option);
    let Some(&Rising { option, least }) = scheme.rises().iter().find(is_asked) else {
        let of = asked.as_ref().map(|option| format!(" by --{option}"));
        let of = of.unwrap_or_default();
        return Err(format!("this scheme has no bound that rises{of}"));
    };
    let checks = request.checks;
    let unasked = if request.unwind.is_none() {
        Some("--unwind says how often loops are unrolled")
    } else if !request.levels.is_sorted_by(|one, other| one < other) {
        Some("they ascend")
    } else if checks.contains(Check::Race) || checks.contains(Check::Deadlock) || has_other_reading
    {
        Some("races and deadlocks are looked for one bound at a time")
    } else if program.open.is_some() {
        Some("what C leaves open is looked at one bound at a time")
    } else if request.record {
        Some("there is no single formula")
    } else {
        None
    };
    if let Some(why) = unasked {
        return Err(why.to_string());
    }
    let (Some(&first), Some(&last)) = (request.levels.first(), request.levels.last()) else {
        return Err("there are none".to_string());
    };
    if first < least {
        return Err(format!(
            "--{option} has no formula in common with others below {least}"
        ));
    }
    let rising = scheme.rising(option, first, last)?;
    rising.check(request.memory)?;
    Ok(Chain {
        scheme,
        option,
        rising,
    })
}

/// Unrolls once, and decides at each level. The result is the last answer that was told.
fn levels(
    program: &Arc<Program>,
    request: &Request,
    chain: Chain,
    all: &Findings,
    budget: &Budget,
    tell: &Sender<Outcome>,
) -> Result<Box<Levels>, Failure> {
    let start = Instant::now();
    let flag = Flag::default();
    let mut run = Run::new(program, request, all, &flag, budget);
    let mut last: Option<Found> = None;
    let mut unroller = Unroller::new(program)?;
    let unrolled = Level::FIRST.unroll(&mut unroller, request, &mut run.many_threads, budget);
    // Why it is not possible, runs with one bound say.
    if let Ok((bounds, mut events)) = unrolled {
        run.count(&events);
        let level = crate::scheme::Level {
            depth: Level::FIRST.depth,
            fixed: true,
        };
        let rising = chain.rising.at(level, &events);
        let mut asked = request.levels.iter();
        let mut each = |events: &EventProgram, checked: Checked, solver: &dyn Solver| {
            let Some(&bound) = asked.next() else {
                return false;
            };
            let own = chain.at(bound);
            let request = Request {
                engine: Engine::Scheme(own),
                levels: Vec::new(),
                levels_of: None,
                ..request.clone()
            };
            run.statistics.variables = solver.var_count() as u64;
            run.statistics.clauses = solver.clause_count() as u64;
            run.statistics.terms = events.terms.len() as u64;
            let own = own.at(level, events);
            let threads = events.threads.len();
            let mut found = Found::new(Level::FIRST.depth, &bounds, own, solver.name(), threads);
            found.own = own.bounds(events, checked.level, false);
            if matches!(checked.answer, Answer::Stopped { .. }) {
                return false;
            }
            run.add_answer(&mut found, own, checked.answer, events, checked.level);
            if Level::FIRST
                .next(&found, &request, run.many_threads)
                .is_some()
            {
                // A run with this bound alone goes on.
                return false;
            }
            let is_complete = found.is_complete();
            let statistics = run.statistics.clone();
            let outcome = found.clone().into_outcome(program, &request, statistics);
            last = Some(found);
            // Nobody listens any more when the run is over. What is complete is so at all other levels.
            tell.send(outcome).is_ok() && !is_complete
        };
        ask::chain(request, rising, &mut events, all, budget, &mut each)?;
    }
    Ok(Box::new(run.ended(last, start)))
}

impl Chain {
    /// The scheme with one level for its bound.
    fn at(self, level: u32) -> Scheme {
        let mut scheme = self.scheme;
        // The level is a value of the option, or the chain would not have been asked for.
        let _ = scheme.set(self.option, &level.to_string());
        scheme
    }
}
