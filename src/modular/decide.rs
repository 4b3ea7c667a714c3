//! Engines: whether a sequential program reaches something bad, first by unrolling, then by property-directed reachability.

use super::cube::Never;
use super::fact::{Proof, Query, Sequential};
use super::failure::Failure;
use super::learn::{Decided, Learner, Promise};
use super::system::system;
use super::unroll::{FINITE, Unrolled, again, never, unroll};
use crate::base::StopReason;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::pdr;
use crate::term::TermId;
use std::collections::BTreeSet;

/// Levels that are looked at where executions are not finite, before the unbounded search.
const FIRST: usize = 10;

impl Learner<'_> {
    pub(super) fn decide(
        &mut self,
        program: &Sequential,
        promises: &[Promise],
    ) -> Result<Decided, Failure> {
        match &mut self.patience {
            Some(0) => return Err(Failure::Impatient),
            Some(patience) => *patience -= 1,
            None => {}
        }
        let promises: Vec<TermId> = promises.iter().map(|promise| promise.condition).collect();
        let thread = program.thread.index();
        let limit = match self.endless[thread] {
            true => FIRST,
            false => FINITE,
        };
        // Most facts say nothing of the state before, and are shown more easily so.
        let query = program.query.as_ref();
        let is_of_moves = query.is_some_and(|q| !q.is_of_states() && q.changed.is_empty());
        if is_of_moves && promises.is_empty() && !self.endless[thread] {
            let shown = never(&self.threads, program, &self.facts, limit, &self.setup)?;
            if let Some((query, used)) = shown {
                return Ok(Decided::Safe(query, Proof::Unrolling, used));
            }
        }
        let unrolled = unroll(
            &self.threads,
            program,
            &promises,
            &self.facts,
            limit,
            &self.setup,
        )?;
        match unrolled {
            Unrolled::Safe(query, used) => {
                return Ok(Decided::Safe(query, Proof::Unrolling, used));
            }
            Unrolled::Reached(path) => return Ok(Decided::Reached(path)),
            Unrolled::Endless => self.endless[thread] = true,
        }
        let never = match self.search(program, &promises)? {
            Ok(never) => never,
            // The same, with the fewest moves of the environment.
            Err(levels) => {
                let found = again(
                    &self.threads,
                    program,
                    &promises,
                    &self.facts,
                    levels,
                    &self.setup,
                )?;
                return match found {
                    Unrolled::Reached(path) => Ok(Decided::Reached(path)),
                    // The terms have become too many.
                    Unrolled::Endless => Err(Failure::Stopped(StopReason::Memory)),
                    Unrolled::Safe(..) => {
                        Err(Failure::Unsound("what a search found is lost".to_string()))
                    }
                };
            }
        };
        let used: Vec<usize> = (0..self.facts.len()).collect();
        let Some(query) = program.query.clone() else {
            let proof = Proof::Invariant(never);
            return Ok(Decided::Safe(Query::default(), proof, used));
        };
        let (query, never) = self.generalise(program, &promises, query, never)?;
        Ok(Decided::Safe(query, Proof::Invariant(never), used))
    }

    /// States that an invariant excludes, or how many levels lead to something bad.
    fn search(
        &self,
        program: &Sequential,
        promises: &[TermId],
    ) -> Result<Result<Never, usize>, Failure> {
        let bits = system(
            &self.threads,
            program,
            promises,
            &self.facts,
            &BTreeSet::new(),
        );
        // It is checked without promises, and with facts that are learnt later: less is bad then.
        let wanted = pdr::Wanted::Ordinary;
        let decided = pdr::decide(&bits.system, wanted, &self.setup);
        match decided.ok_or(Failure::NoSolver)? {
            Err(unsound) => Err(Failure::Unsound(unsound.0)),
            Ok((pdr::Answer::Safe(invariant), _)) => Ok(Ok(Never::of(&bits.latches, &invariant))),
            Ok((pdr::Answer::Reached(trace), _)) => Ok(Err(trace.inputs.len())),
            Ok((pdr::Answer::Stopped(reason), _)) => Err(Failure::Stopped(reason)),
        }
    }

    /// Drops conjuncts as long as the search still finds nothing: all that is said of the state before at once, then each.
    fn generalise(
        &self,
        program: &Sequential,
        promises: &[TermId],
        query: Query,
        never: Never,
    ) -> Result<(Query, Never), Failure> {
        let (mut query, mut never) = (query, never);
        let attempt = |query: &Query| -> Result<Option<Never>, Failure> {
            let mut program = program.clone();
            program.query = Some(query.clone());
            Ok(self.search(&program, promises)?.ok())
        };
        let all = Query {
            before: Vec::new(),
            ..query.clone()
        };
        if faults::on(Fault::GeneraliseUnasked) {
            return Ok((all, never));
        }
        if !query.before.is_empty()
            && let Some(states) = attempt(&all)?
        {
            (query, never) = (all, states);
        }
        for conjunct in query.before.clone() {
            let mut weaker = query.clone();
            weaker.before.retain(|term| *term != conjunct);
            if let Some(states) = attempt(&weaker)? {
                (query, never) = (weaker, states);
            }
        }
        for conjunct in query.after.clone() {
            let mut weaker = query.clone();
            weaker.after.retain(|term| *term != conjunct);
            if let Some(states) = attempt(&weaker)? {
                (query, never) = (weaker, states);
            }
        }
        Ok((query, never))
    }
}
