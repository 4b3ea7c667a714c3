//! Findings of one run. Whoever finds a violation and has replayed it, hands it over here, which says whether it counts:
//! levels of bounds, schemes that race, and the search without bounds.

use super::request::Request;
use super::result::Failure;
use crate::base::Loc;
use crate::event::EventProgram;
use crate::ir::{Check, Program, Property};
use crate::outcome::{Finding, Fingerprint};
use crate::question::{Execution, Inconsistent, Judged, Scheme};
use crate::trace::decode::decode;
use crate::trace::race::Race;
use crate::trace::replay::run::replay;
use crate::trace::{Schedule, Trace};
use std::collections::BTreeSet;
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

#[derive(Default)]
struct State {
    counted: Vec<Finding>,
    suppressed: Vec<Finding>,
    /// Findings that count and that nobody has been told of.
    news: Vec<Finding>,
    /// Wall time of replays.
    replaying: Duration,
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
        let places = |trace: &Trace, loc| trace.race().map_or((loc, loc), Race::places);
        let both = places(&trace, loc);
        let loc = both.0;
        let fingerprint = Fingerprint::of(&self.program, check, loc, &trace);
        let finding = Finding {
            property,
            loc,
            fingerprint,
            trace,
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
            if let Some(known) = known.and_then(|one| one.trace.deadlock_mut()) {
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

    /// Replays an execution of an unrolled program, and judges of it.
    ///
    /// # Errors
    /// The interpreter does something else.
    pub fn replay(
        &self,
        events: &EventProgram,
        execution: &Execution,
        scheme: Scheme,
    ) -> Result<Judged, Failure> {
        let begin = Instant::now();
        let replayed = replay(&self.program, &schedule_of(events, execution));
        self.state().replaying += begin.elapsed();
        let trace = replayed.map_err(|diverged| Failure::Diverged(Box::new(diverged)))?;
        let target = &events.events[execution.target];
        let property = trace.violation().or(target.kind.property());
        let lost = Failure::Inconsistent(Inconsistent {
            target: execution.target,
        });
        let property = property.ok_or(lost)?;
        Ok(self.judge(property, target.loc, trace, Some(scheme)))
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
