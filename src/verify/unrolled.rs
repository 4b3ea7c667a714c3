//! Verification by unrolling: bounds rise level by level, each level is decided, and what is found is replayed.

use super::decision;
use super::findings::{Findings, schedule_of};
use super::level::Level;
use super::outcome::Found;
use super::race::{self, Known};
use super::request::Request;
use super::result::{Failure, Progress, Verified};
use super::telling::telling;
use crate::base::Budget;
use crate::event::{Cut, EventId, EventKind, EventProgram};
use crate::ir::{Program, Property, Undefined};
use crate::lanes::{Flag, Lane, Lanes};
use crate::outcome::{Cubes, Outcome, Reason, Statistics};
use crate::question::{Answer, Encoding, Execution, Question, Reach, Scheme, Unencoded};
use crate::symex::{Refusal, Unaddressable, Unroller};
use crate::trace::replay::run::replay;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Stack of the levels: symbolic execution recurses as programs nest.
pub(super) const STACK_BYTES: usize = 1 << 30;

/// Result of the levels, and the kind of their end.
pub(super) struct Levels {
    /// The deepest level that was finished, or what there is of one that was not.
    found: Found,
    statistics: Statistics,
    question: Option<Question>,
    start: Instant,
    /// Own end: true if no level was given up, for lack of time or memory or because the program is too large.
    pub is_finished: bool,
}

impl Levels {
    /// True if no level has an answer, not even in part.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The outcome of a run with these findings, some of which may not be of levels.
    pub fn verified(mut self, program: &Program, request: &Request, all: &Findings) -> Verified {
        self.found.add_findings(all);
        let mut outcome = self.found.into_outcome(program, request, self.statistics);
        outcome.statistics.wall = self.start.elapsed();
        outcome.statistics.cpu = crate::base::budget::process_cpu_time();
        Verified {
            outcome,
            certificate: None,
            question: self.question,
        }
    }
}

/// Verifies a program by a scheme, or by those that suit it.
pub(super) fn verify(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verified, Failure> {
    let findings = Findings::new(program, request);
    let (tell, mut telling) = telling(program, request, &findings);
    let levels = lane(
        program,
        request,
        known,
        &findings,
        &Flag::default(),
        tell,
        |all| all,
    );
    let mut watcher = || telling.look(progress);
    let levels = Lanes::new(levels, |_| true)
        .watched(&mut watcher)
        .run(budget)?;
    Ok(levels.verified(program, request, &findings))
}

/// The levels as a lane, which `wraps` their result.
pub(super) fn lane<T: Send + 'static>(
    program: &Arc<Program>,
    request: &Request,
    known: &Known,
    findings: &Findings,
    cut: &Flag,
    tell: Sender<(String, Outcome)>,
    wraps: fn(Box<Levels>) -> T,
) -> Lane<T, Failure> {
    let (program, request, known) = (Arc::clone(program), request.clone(), known.clone());
    let (findings, cut) = (findings.clone(), Arc::clone(cut));
    let work = move |budget: &Budget| {
        let mut tell = |words: &str, outcome: &Outcome| {
            // Nobody listens any more when the run is over.
            let _ = tell.send((words.to_string(), outcome.clone()));
        };
        let levels = levels(
            &program, &request, &known, &findings, &cut, budget, &mut tell,
        )?;
        Ok(wraps(Box::new(levels)))
    };
    Lane::new("levels", work).stack_bytes(STACK_BYTES)
}

/// Verifies a program level by level. `tell` is told of every level that is finished; `cut` is raised before a level is decided
/// that cuts a loop, a recursion or the creation of threads, or where the program is too large for a level.
fn levels(
    program: &Program,
    request: &Request,
    known: &Known,
    findings: &Findings,
    cut: &Flag,
    budget: &Budget,
    tell: &mut dyn FnMut(&str, &Outcome),
) -> Result<Levels, Failure> {
    let start = Instant::now();
    let mut run = Run::new(program, request, findings, cut, budget);
    let mut unroller = knowing(program, known)?;
    // The deepest level that was finished.
    let mut best: Option<Found> = None;
    let mut level = Level::FIRST;
    let (found, is_finished) = loop {
        match run.level(&mut unroller, &level)? {
            Ok(found) => {
                let next = level.next(&found, request, run.many_threads);
                let so_far = found.clone();
                let outcome = so_far.into_outcome(program, request, run.statistics.clone());
                tell(&found.summary(), &outcome);
                match next {
                    Some(next) => level = next,
                    None => break (found, true),
                }
                best = Some(found);
            }
            Err(Unfinished { reason, so_far }) => {
                let found = match (best, so_far) {
                    (Some(found), _) => found,
                    (None, Some(found)) => *found,
                    (None, None) => Found::default().unfinished(reason),
                };
                break (found, false);
            }
        }
    };
    Ok(Levels {
        found,
        statistics: run.statistics,
        question: run.question,
        start,
        is_finished,
    })
}

/// Unroller of a program, with knowledge of its accesses if races are asked for.
///
/// # Errors
/// As `Unroller::new`.
pub fn unroller<'a>(
    program: &'a Program,
    request: &Request,
) -> Result<Unroller<'a>, Unaddressable> {
    knowing(program, &race::known(program, request))
}

fn knowing<'a>(program: &'a Program, known: &Known) -> Result<Unroller<'a>, Unaddressable> {
    let unroller = Unroller::new(program)?;
    Ok(match known {
        Some(sites) => unroller.knowing(Arc::clone(sites)),
        None => unroller,
    })
}

/// The program as the first level has it, before anything is left out.
///
/// # Errors
/// As `Unroller::unroll`.
pub fn first_level(
    unroller: &mut Unroller,
    request: &Request,
    budget: &Budget,
) -> Result<EventProgram, Refusal> {
    Level::FIRST
        .unroll(unroller, request, &mut false, budget)
        .map(|(_, events)| events)
}

/// The scheme that the first level is decided by, and the program in its formula.
///
/// # Errors
/// As `Encoding::within`.
pub fn first_encoding(
    events: &mut EventProgram,
    request: &Request,
    budget: &Budget,
) -> Result<(Scheme, Encoding), Unencoded> {
    let scheme = decision::choose(request, Level::FIRST.depth, None, events).first;
    let encoding = decision::encode(request, scheme, events, budget)?;
    Ok((scheme, encoding))
}

/// A level that was not finished.
struct Unfinished {
    reason: Reason,
    /// Findings of the level, if there are any: no violation is within its bounds.
    so_far: Option<Box<Found>>,
}

impl From<Reason> for Unfinished {
    fn from(reason: Reason) -> Unfinished {
        Unfinished {
            reason,
            so_far: None,
        }
    }
}

/// A run of levels.
pub(super) struct Run<'a> {
    program: &'a Program,
    request: &'a Request,
    findings: &'a Findings,
    /// Raised where bounds cut something.
    cut: &'a Flag,
    budget: &'a Budget,
    pub statistics: Statistics,
    /// Formula to keep: of the deepest level that was answered, or else of the first.
    question: Option<Question>,
    /// Many threads: true if the program creates more than a few.
    pub many_threads: bool,
    /// The scheme that answered last where two could.
    winner: Option<Scheme>,
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(
        program: &'a Program,
        request: &'a Request,
        findings: &'a Findings,
        cut: &'a Flag,
        budget: &'a Budget,
    ) -> Run<'a> {
        Run {
            program,
            request,
            findings,
            cut,
            budget,
            statistics: Statistics::default(),
            question: None,
            many_threads: false,
            winner: None,
        }
    }

    /// The result of levels, the last of which has found this, or none anything.
    pub fn ended(self, found: Option<Found>, start: Instant) -> Levels {
        let nothing = || {
            let reason = self.budget.check();
            let words = || Reason::Other("no level was answered".to_string());
            Found::default().unfinished(reason.map_or_else(words, Reason::Stopped))
        };
        Levels {
            found: found.unwrap_or_else(nothing),
            statistics: self.statistics,
            question: None,
            start,
            is_finished: false,
        }
    }

    /// Unrolls and decides once.
    fn level(
        &mut self,
        unroller: &mut Unroller,
        level: &Level,
    ) -> Result<Result<Found, Unfinished>, Failure> {
        self.budget.gauge().at(|place| {
            place.unwind = level.unwind(self.request);
            (place.scheme, place.own) = ("", None);
        });
        let unrolling = Instant::now();
        let many_threads = &mut self.many_threads;
        let unrolled = level.unroll(unroller, self.request, many_threads, self.budget);
        // The program knows of its last unrolling.
        let known = unrolled
            .as_ref()
            .map_or(Duration::ZERO, |(_, events)| events.spent.total());
        self.statistics
            .add_time("unroll", unrolling.elapsed().saturating_sub(known));
        let (bounds, mut events) = match unrolled {
            Ok(unrolled) => unrolled,
            Err(Refusal::AddressSpace(why)) => return Err(Failure::from(why)),
            Err(Refusal::TooLarge { events }) => {
                self.cut.store(true, Ordering::Relaxed);
                let words = format!("the program unrolls to more than {events} events");
                return Ok(Err(Reason::Other(words).into()));
            }
            Err(Refusal::Stopped(reason)) => return Ok(Err(Reason::Stopped(reason).into())),
        };
        self.count(&events);
        self.budget.gauge().events(events.events.len());
        self.budget.gauge().begin("decide");
        let begin = Instant::now();
        let unrolled = events.spent.total();
        let choice = decision::choose(self.request, level.depth, self.winner, &mut events);
        if events.events.iter().any(|event| is_bound(&event.kind)) {
            self.cut.store(true, Ordering::Relaxed);
        }
        let decision = decision::decide(self.request, &choice, events, self.findings, self.budget)?;
        let replaying = self.findings.replaying();
        // What no stage has spent is that of asking and answering.
        let spent = self
            .statistics
            .add(&decision.events.spent)
            .saturating_sub(unrolled);
        self.statistics
            .add_time("decide", begin.elapsed().saturating_sub(replaying + spent));
        if !replaying.is_zero() {
            self.statistics.add_time("replay", replaying);
        }
        self.statistics.variables = decision.variables as u64;
        self.statistics.clauses = decision.clauses as u64;
        self.statistics.terms = decision.events.terms.len() as u64;
        if *level == Level::FIRST || !matches!(decision.answer, Answer::Stopped { .. }) {
            self.question = decision.question;
        }
        let (scheme, events) = (decision.scheme, decision.events);
        self.winner = choice.second.map(|_| scheme);
        let mut found = Found::new(
            level.depth,
            &bounds,
            scheme,
            decision.solver,
            events.threads.len(),
        );
        found.own = scheme.bounds(&events, decision.level, false);
        let only = self.request.split.and_then(|split| split.only);
        found.cubes = decision.parts.map(|parts| Cubes {
            count: parts.count,
            decided: parts.decided,
            only,
            formula: parts.formula,
        });
        if let Answer::Stopped { reason, safe } = decision.answer {
            let reason = Reason::Stopped(reason);
            // A scheme that lost the race may have found something.
            let is_violated = !self.findings.counted().is_empty();
            let has_cubes = decision.parts.is_some_and(|parts| parts.decided > 0);
            let so_far = safe || is_violated || has_cubes;
            let so_far = so_far.then(|| Box::new(found.unfinished(reason.clone())));
            return Ok(Err(Unfinished { reason, so_far }));
        }
        self.add_answer(&mut found, scheme, decision.answer, &events, decision.level);
        Ok(Ok(found))
    }

    /// Takes note of violations, and of what an answer leaves open. (One that was stopped says neither.)
    pub fn add_answer(
        &self,
        found: &mut Found,
        scheme: Scheme,
        answer: Answer,
        events: &EventProgram,
        level: u32,
    ) {
        match answer {
            Answer::Stopped { .. } => {}
            Answer::Violated {
                reach: Err(open), ..
            } => found.open = Some(open),
            Answer::Violated {
                reach: Ok(reach), ..
            }
            | Answer::Safe(reach) => self.add_reach(found, scheme, reach, events, level),
        }
        found.add_findings(self.findings);
    }

    /// Takes note of what keeps executions out of an answer.
    fn add_reach(
        &self,
        found: &mut Found,
        scheme: Scheme,
        reach: Reach,
        events: &EventProgram,
        level: u32,
    ) {
        found.asserted = reach.asserted;
        found.exceeded = !reach.complete;
        found.own = scheme.bounds(events, level, !reach.complete);
        for cut in reach.cuts {
            let end = reach.ends.iter().find(|end| end.target == cut);
            let why = end.and_then(|end| self.lifetime(events, end));
            let why = why.as_ref().unwrap_or(cut_of(events, cut));
            found.add_cut(why, events.events[cut].loc);
        }
        for cut in reach.unsure {
            found.add_unsure(cut_of(events, cut), events.events[cut].loc);
        }
    }

    /// Lifetime error at the end of an execution: what is undefined there, if it is about an object that has ended.
    fn lifetime(&self, events: &EventProgram, end: &Execution) -> Option<Cut> {
        let trace = replay(self.program, &schedule_of(events, end)).ok()?;
        match trace.violation()? {
            Property::Defined(
                why @ (Undefined::UseAfterFree
                | Undefined::StalePointer
                | Undefined::DoubleFree
                | Undefined::StaleFree),
            ) => Some(Cut::Undefined(why)),
            _ => None,
        }
    }

    /// Counts events.
    pub fn count(&mut self, events: &EventProgram) {
        let count = |kind: fn(&EventKind) -> bool| {
            events.events.iter().filter(|e| kind(&e.kind)).count() as u64
        };
        self.statistics.events = events.events.len() as u64;
        self.statistics.reads = count(|kind| matches!(kind, EventKind::Read { .. }));
        self.statistics.writes = count(|kind| matches!(kind, EventKind::Write { .. }));
    }
}

/// Cuts of loops, recursion and creation of threads.
fn is_bound(kind: &EventKind) -> bool {
    let EventKind::Cut { why } = kind else {
        return false;
    };
    why.repeat().is_some() || *why == Cut::Threads
}

fn cut_of(events: &EventProgram, id: EventId) -> &Cut {
    let cut = events.cut(id);
    cut.expect("only cuts are reported as reachable cuts")
}
