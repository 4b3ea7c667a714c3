//! Findings of one run. Whoever finds a violation and has replayed it, hands it over here, which says whether it counts:
//! levels of bounds, schemes that race, and the search without bounds.

use super::request::Request;
use super::result::Failure;
use crate::base::{Budget, Loc};
use crate::event::{EventId, EventProgram};
use crate::ir::{Check, Checks, Program, Property};
use crate::lanes::Flag;
use crate::outcome::{Finding, Fingerprint};
use crate::question::{Execution, Idle, Inconsistent, Judged, OpenSolver, Scheme, Size, smaller};
use crate::sat::SolverKind;
use crate::trace::decode::decode;
use crate::trace::race::Race;
use crate::trace::replay::Divergence;
use crate::trace::replay::run::{replay, replay_unshortened, sketch};
use crate::trace::{Schedule, Trace};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Findings of one run, which its lanes share.
#[derive(Clone)]
pub(super) struct Findings {
    program: Arc<Program>,
    suppress: Arc<BTreeSet<Fingerprint>>,
    first: bool,
    state: Arc<Mutex<State>>,
}

/// Question that an execution answers.
pub(super) struct Asked {
    /// The scheme that has found it.
    pub scheme: Scheme,
    pub checks: Checks,
    /// The solver, and the seed of its choices.
    pub solver: (SolverKind, u32),
    pub budget: Budget,
    /// Variables and clauses of the solver, if it has been asked for smaller executions since.
    pub size: Cell<Option<(usize, usize)>>,
}

/// A violation that has been replayed.
struct Violation {
    property: Property,
    loc: Loc,
    trace: Trace,
}

/// An execution that was found, before it is replayed.
struct Candidate {
    schedule: Schedule,
    target: EventId,
    loc: Loc,
    /// The property that its target says is violated.
    property: Option<Property>,
}

impl Candidate {
    fn of(events: &EventProgram, execution: &Execution) -> Candidate {
        let target = &events.events[execution.target];
        Candidate {
            schedule: schedule_of(events, execution),
            target: execution.target,
            loc: target.loc,
            property: target.kind.property(),
        }
    }
}

/// A way to replay a schedule.
type Replay = fn(&Program, &Schedule) -> Result<Trace, Divergence>;

#[derive(Default)]
struct State {
    counted: Vec<Finding>,
    suppressed: Vec<Finding>,
    /// Findings that count and that nobody has been told of.
    news: Vec<Finding>,
    /// Wall time of replays.
    replaying: Duration,
    /// Flags of searches that have nothing to add to a violation that is enough, and whether there is one.
    rivals: Vec<Flag>,
    is_enough: bool,
}

impl State {
    /// A violation is enough: other searches end now, and not when it has been made small.
    fn end_rivals(&mut self) {
        self.is_enough = true;
        for rival in self.rivals.drain(..) {
            rival.store(true, Ordering::Relaxed);
        }
    }
}

impl Findings {
    /// None yet.
    pub fn new(program: &Arc<Program>, request: &Request) -> Findings {
        Findings {
            program: Arc::clone(program),
            suppress: Arc::new(request.suppress.clone()),
            first: request.first,
            state: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search, by its flag, ends as soon as a violation that is enough has been replayed.
    pub fn ends(&self, search: Flag) {
        let mut state = self.state();
        state.rivals.push(search);
        if state.is_enough {
            state.end_rivals();
        }
    }

    /// Judges of a violation that has been replayed, and takes note of it. Each check and place has one that counts, and so has
    /// each pair of places of data races, and each set of threads to blame for a deadlock, by where they stand.
    pub fn judge(
        &self,
        property: Property,
        loc: Loc,
        trace: Trace,
        scheme: Option<Scheme>,
    ) -> Judged {
        let check = Check::of(property);
        let both = places(&trace, loc);
        let loc = both.0;
        let fingerprint = Fingerprint::of(&self.program, check, loc, &trace);
        let finding = Finding {
            property,
            loc,
            fingerprint,
            trace: Arc::new(trace),
            scheme,
        };
        let mut state = self.state();
        if self.suppress.contains(&fingerprint) {
            let known = |one: &Finding| one.fingerprint == fingerprint;
            if !state.suppressed.iter().any(known) {
                state.suppressed.push(finding);
            }
            return Judged::Suppressed;
        }
        if let Some(deadlock) = finding.trace.deadlock() {
            let known = |one: &&mut Finding| one.fingerprint == fingerprint;
            let known = state.counted.iter_mut().find(known);
            if let Some(known) = known.and_then(|one| Arc::make_mut(&mut one.trace).deadlock_mut())
            {
                known.add(deadlock);
                return Judged::Counts;
            }
        }
        let known = |one: &Finding| {
            Check::of(one.property) == check
                && check != Check::Deadlock
                && places(&one.trace, one.loc) == both
        };
        let is_enough = self.first && !state.counted.is_empty();
        if !is_enough && !state.counted.iter().any(known) {
            state.news.push(finding.clone());
            state.counted.push(finding);
        }
        Judged::Counts
    }

    /// Replays an execution of an unrolled program, looks for a smaller one if nobody has found the violation before, and
    /// judges of it.
    ///
    /// # Errors
    /// The interpreter does something else.
    pub fn replay(
        &self,
        events: &EventProgram,
        execution: &Execution,
        asked: &Asked,
        idle: Option<&mut Idle>,
    ) -> Result<Judged, Failure> {
        let begin = Instant::now();
        let replayed = self.replayed(&Candidate::of(events, execution), replay);
        let violation = replayed.map(|violation| match self.is_known(&violation) {
            true => violation,
            false => {
                if self.first {
                    self.state().end_rivals();
                }
                self.at_its_smallest(events, execution, violation, (asked, idle))
            }
        });
        self.state().replaying += begin.elapsed();
        let Violation {
            property,
            loc,
            trace,
        } = violation?;
        Ok(self.judge(property, loc, trace, Some(asked.scheme)))
    }

    /// The violation of an execution, by one way to replay it.
    fn replayed(&self, found: &Candidate, replay: Replay) -> Result<Violation, Failure> {
        let trace = replay(&self.program, &found.schedule);
        let trace = trace.map_err(|diverged| Failure::Diverged(Box::new(diverged)))?;
        let lost = Failure::Inconsistent(Inconsistent {
            target: found.target,
        });
        Ok(Violation {
            property: trace.violation().or(found.property).ok_or(lost)?,
            loc: found.loc,
            trace,
        })
    }

    /// The violation, shown by the smallest execution that is found within a budget.
    fn at_its_smallest(
        &self,
        events: &EventProgram,
        execution: &Execution,
        violation: Violation,
        (asked, idle): (&Asked, Option<&mut Idle>),
    ) -> Violation {
        let Some(size) = size_of(&violation.trace).filter(|size| !size.is_small()) else {
            return violation;
        };
        let place = |one: &Violation| (one.property, places(&one.trace, one.loc));
        let (here, name) = (place(&violation), self.fingerprint(&violation));
        // Of deadlocks, others at this place are others; otherwise, any calls may lead to it.
        let is_of = |other: &Violation| {
            let fingerprint = self.fingerprint(other);
            place(other) == here
                && !self.suppress.contains(&fingerprint)
                && (here.0 != Property::Deadlock || fingerprint == name)
        };
        let sized = |found: &Candidate, replay: Replay| {
            let other = self.replayed(found, replay).ok()?;
            let size = size_of(&other.trace).filter(|_| is_of(&other))?;
            Some((size, other))
        };
        let (mut least, mut smallest) = (size, None);
        let mut judge = |events: &EventProgram, execution: &Execution| {
            let found = Candidate::of(events, execution);
            let (size, _) = sized(&found, sketch)?;
            if size < least {
                (least, smallest) = (size, Some(found));
            }
            Some(least)
        };
        if let Some(idle) = &idle {
            asked.size.set(Some(idle.size()));
        }
        let open = || asked.solver.0.open(asked.solver.1);
        let afresh = (asked.checks, &open as &OpenSolver);
        let known = (execution, size);
        smaller(events, known, (idle, afresh), &mut judge, &asked.budget);
        let shown = smallest.and_then(|found: Candidate| {
            let shortened = sized(&found, replay).filter(|(size, _)| *size <= least);
            shortened.or_else(|| sized(&found, replay_unshortened))
        });
        let Some((_, mut shown)) = shown else {
            return violation;
        };
        // Fewer threads may be blocked in it, but those to blame are the same.
        if let (Some(all), Some(own)) = (violation.trace.deadlock(), shown.trace.deadlock_mut()) {
            own.add(all);
        }
        shown
    }

    fn fingerprint(&self, one: &Violation) -> Fingerprint {
        let check = Check::of(one.property);
        let (loc, _) = places(&one.trace, one.loc);
        Fingerprint::of(&self.program, check, loc, &one.trace)
    }

    /// True if a violation of the check at its place, or this one by its fingerprint, has been found before.
    fn is_known(&self, violation: &Violation) -> bool {
        let (check, fingerprint) = (Check::of(violation.property), self.fingerprint(violation));
        let both = places(&violation.trace, violation.loc);
        let state = self.state();
        let mut all = state.counted.iter().chain(&state.suppressed);
        self.suppress.contains(&fingerprint)
            || all.any(|one| {
                let is_place =
                    Check::of(one.property) == check && places(&one.trace, one.loc) == both;
                one.fingerprint == fingerprint || check != Check::Deadlock && is_place
            })
    }

    /// Violations that count, the most serious first.
    pub fn counted(&self) -> Vec<Finding> {
        sorted(self.state().counted.clone())
    }

    /// Violations that are suppressed, the most serious first.
    pub fn suppressed(&self) -> Vec<Finding> {
        sorted(self.state().suppressed.clone())
    }

    /// Findings that count since this was asked last.
    pub fn news(&self) -> Vec<Finding> {
        std::mem::take(&mut self.state().news)
    }

    /// Wall time of replays since this was asked last.
    pub fn replaying(&self) -> Duration {
        std::mem::take(&mut self.state().replaying)
    }
}

/// Places of a violation: both of a data race, and otherwise one.
fn places(trace: &Trace, loc: Loc) -> (Loc, Loc) {
    trace.race().map_or((loc, loc), Race::places)
}

/// Size of an execution that stands on one line.
fn size_of(trace: &Trace) -> Option<Size> {
    Some(Size {
        turns: trace.turns()?,
        input_bits: trace.input_bits(),
    })
}

fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|one| (Check::of(one.property), one.loc, one.fingerprint));
    findings
}

/// Schedule of an execution.
pub(super) fn schedule_of(events: &EventProgram, execution: &Execution) -> Schedule {
    let value = |term| execution.value(&events.terms, term);
    Schedule {
        blocked: execution.blocked.clone(),
        ..decode(events, &execution.order, execution.target, value)
    }
}
