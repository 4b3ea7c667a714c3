//! Engines: whether a sequential program reaches something bad, first by unrolling, then by property-directed reachability.

use super::cube::Blocked;
use super::failure::Failure;
use super::learn::{Decided, Learner, Promise};
use super::lemma::{Proof, Query, Sequential};
use super::system::system;
use super::unroll::{FINITE, Unrolled, again, never, unroll};
use crate::base::StopReason;
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::modular::faults::{self, Fault};
use crate::pdr;
use crate::term::TermId;

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
        let limit = if self.endless[thread] { FIRST } else { FINITE };
        // Most lemmas say nothing of the state before, and are shown more easily so.
        let query = program.query.as_ref();
        let is_of_moves = query.is_some_and(|q| !q.is_of_states() && q.changed.is_empty());
        if is_of_moves && promises.is_empty() && !self.endless[thread] {
            let shown = never(&self.threads, program, &self.lemmas, limit, &self.setup)?;
            if let Some((query, used)) = shown {
                return Ok(Decided::Safe(query, Proof::Unrolling, used));
            }
        }
        let unrolled = unroll(
            &self.threads,
            program,
            &promises,
            &self.lemmas,
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
        let blocked = match self.search(program, &promises)? {
            Ok(blocked) => blocked,
            // The same, with the fewest moves of the environment.
            Err(levels) => {
                let found = again(
                    &self.threads,
                    program,
                    &promises,
                    &self.lemmas,
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
        let used: Vec<usize> = (0..self.lemmas.len()).collect();
        let Some(query) = program.query.clone() else {
            let proof = Proof::Invariant(blocked);
            return Ok(Decided::Safe(Query::default(), proof, used));
        };
        let (query, blocked) = self.generalise(program, &promises, query, blocked)?;
        Ok(Decided::Safe(query, Proof::Invariant(blocked), used))
    }

    /// States that an invariant excludes, or how many levels lead to something bad.
    fn search(
        &self,
        program: &Sequential,
        promises: &[TermId],
    ) -> Result<Result<Blocked, usize>, Failure> {
        let bits = system(
            &self.threads,
            program,
            promises,
            &self.lemmas,
            &SortedSet::new(),
        );
        // It is checked without promises, and with lemmas that are learnt later: less is bad then.
        let wanted = pdr::Wanted::Ordinary;
        let decided = pdr::decide(&bits.system, wanted, &[], &self.setup);
        match decided.ok_or(Failure::NoSolver)? {
            Err(unsound) => Err(Failure::Unsound(unsound.0)),
            Ok((pdr::Answer::Safe(invariant), _)) => Ok(Ok(Blocked::of(&bits.latches, &invariant))),
            Ok((pdr::Answer::Reached(trace), _)) => Ok(Err(trace.inputs.len())),
            Ok((pdr::Answer::Stopped(reason), _)) => Err(Failure::Stopped(reason)),
            Ok((pdr::Answer::Particular(_), _)) => {
                Err(Failure::Unsound("one thread has equal members".to_string()))
            }
        }
    }

    /// Drops conjuncts as long as the search still finds nothing: all that is said of the state before at once, then each.
    fn generalise(
        &self,
        program: &Sequential,
        promises: &[TermId],
        query: Query,
        blocked: Blocked,
    ) -> Result<(Query, Blocked), Failure> {
        let (mut query, mut blocked) = (query, blocked);
        let attempt = |query: &Query| -> Result<Option<Blocked>, Failure> {
            let mut program = program.clone();
            program.query = Some(query.clone());
            Ok(self.search(&program, promises)?.ok())
        };
        let all = Query {
            before: Vec::new(),
            ..query.clone()
        };
        if faults::on(Fault::GeneraliseUnasked) {
            return Ok((all, blocked));
        }
        if !query.before.is_empty()
            && let Some(states) = attempt(&all)?
        {
            (query, blocked) = (all, states);
        }
        for conjunct in query.before.clone() {
            let mut weaker = query.clone();
            weaker.before.retain(|term| *term != conjunct);
            if let Some(states) = attempt(&weaker)? {
                (query, blocked) = (weaker, states);
            }
        }
        for conjunct in query.after.clone() {
            let mut weaker = query.clone();
            weaker.after.retain(|term| *term != conjunct);
            if let Some(states) = attempt(&weaker)? {
                (query, blocked) = (weaker, states);
            }
        }
        Ok((query, blocked))
    }
}
