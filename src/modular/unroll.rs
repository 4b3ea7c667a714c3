//! All executions of a sequential program, level by level: states that stand at the same place after as many steps are one
//! state, over terms.
//!
//! A level of the program of thread t: others move (`env_move`; before the start of a query, `try_start`), then t does.
//!
//! * Before the start of a query, everything that others write is arbitrary, but for what is known of every reachable
//!   state. The start may be anywhere.
//! * A query that says nothing of the state before has no start: every state that is reached so is asked about.
//! * After it, what the environment writes is arbitrary, but for what has been learnt of its moves.
//! * In the prologue (`threads`), main moves, and nobody else.
//! * Waiting (moves that change nothing) is left out: the moves of others before and after it are one move of theirs.
//!
//! If no state is left, the executions are finite and all have been seen. The solver then says which conjuncts of the query's
//! conditions were needed. Of a violation, the path is chosen whose environment moves least often.

use super::failure::Failure;
use super::lemma::{Lemma, Query, Sequential};
use super::linear;
use super::path::Path;
use super::threads::Threads;
use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::modular::faults::{self, Fault};
use crate::solve::{Setup, TermSolver};
use crate::term::{Memo, TermId, Terms, VarId};
use crate::transition::relation::Substitution;

/// Levels that are unrolled before anything is asked about their reachability, and then between one question and the next.
const UNASKED: (usize, usize) = (40, 4);
/// Levels that finite executions may have.
pub(super) const FINITE: usize = 150;
/// Terms at which unrolling ends.
const TERMS: usize = 3_000_000;

/// Result of an unrolling: what the executions show.
pub(super) enum Unrolled {
    /// Nothing bad happens in any; for a query, these of its conjuncts were needed, and these lemmas.
    Safe(Query, Vec<usize>),
    Reached(Path),
    /// They are longer than was allowed.
    Endless,
}

/// Stage of a state: before anything was created, before the start, or after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    Prologue,
    Waiting,
    Started,
}

/// Stage of a state, and the place of the thread that moves.
pub(super) type Key = (Stage, usize);

/// The state at one place of one level.
pub(super) struct Node {
    /// It is reached.
    pub(super) reached: TermId,
    /// It is, others have moved as they may, and it does not start here.
    pub(super) when: TermId,
    /// Words before others move; in a started state, at the start if that is here.
    pub(super) words: Vec<TermId>,
    /// Words after others have moved.
    pub(super) after: Vec<TermId>,
    /// Inputs of the edges from here.
    pub(super) inputs: Vec<(VarId, TermId)>,
}

pub(super) struct Unrolling<'a> {
    pub(super) threads: &'a Threads<'a>,
    pub(super) program: &'a Sequential,
    pub(super) promises: &'a [TermId],
    pub(super) lemmas: &'a [Lemma],
    pub(super) setup: &'a Setup<'a>,
    pub(super) terms: Terms,
    /// Normal forms of conditions.
    pub(super) normal: linear::NormalForms,
    pub(super) levels: Vec<SortedMap<Key, Node>>,
    /// Variables that say whether the environment moves, in order of levels.
    pub(super) acts: Vec<TermId>,
    /// Conjuncts of the query's conditions count only if these hold.
    pub(super) before: Vec<TermId>,
    pub(super) after: Vec<TermId>,
    /// Words that the query says something has changed, with their values at its start.
    pub(super) old: Vec<(usize, TermId)>,
    /// Lemmas count only if these hold.
    pub(super) given: Vec<TermId>,
    /// Lemmas without which states would have been thought possible.
    pub(super) used: Vec<usize>,
    /// Words that the thread has changed.
    pub(super) changed: Vec<bool>,
    /// Only that is asked for.
    pub(super) looks_only: bool,
    /// Moves that turn out to change nothing are made nevertheless.
    pub(super) waits: bool,
    /// The query says nothing of the state before: it is asked of every state that is reached, and has no start.
    pub(super) everywhere: bool,
    /// Any path to something bad will do.
    pub(super) hasty: bool,
    pub(super) solver: TermSolver,
}

/// Executes a program for at most so many levels.
pub(super) fn unroll(
    threads: &Threads<'_>,
    program: &Sequential,
    promises: &[TermId],
    lemmas: &[Lemma],
    limit: usize,
    setup: &Setup,
) -> Result<Unrolled, Failure> {
    Unrolling::new(threads, program, promises, lemmas, setup)?.run(limit)
}

/// Unreachability of what a query asks for, whatever was before: the query with the conjuncts that were needed, and the
/// lemmas. `None` if some execution reaches it, and if executions are not finite.
pub(super) fn never(
    threads: &Threads<'_>,
    program: &Sequential,
    lemmas: &[Lemma],
    limit: usize,
    setup: &Setup,
) -> Result<Option<(Query, Vec<usize>)>, Failure> {
    let mut program = program.clone();
    if let Some(query) = &mut program.query {
        query.before.clear();
    }
    let mut unrolling = Unrolling::new(threads, &program, &[], lemmas, setup)?;
    unrolling.hasty = true;
    Ok(match unrolling.run(limit)? {
        Unrolled::Safe(query, used) => Some((query, used)),
        _ => None,
    })
}

/// The same, where as many levels are known to lead to something bad.
pub(super) fn again(
    threads: &Threads<'_>,
    program: &Sequential,
    promises: &[TermId],
    lemmas: &[Lemma],
    levels: usize,
    setup: &Setup,
) -> Result<Unrolled, Failure> {
    let mut unrolling = Unrolling::new(threads, program, promises, lemmas, setup)?;
    unrolling.waits = true;
    unrolling.run(levels)
}

impl<'a> Unrolling<'a> {
    pub(super) fn new(
        threads: &'a Threads<'a>,
        program: &'a Sequential,
        promises: &'a [TermId],
        lemmas: &'a [Lemma],
        setup: &'a Setup<'a>,
    ) -> Result<Unrolling<'a>, Failure> {
        let solver = setup.terms().ok_or(Failure::NoSolver)?;
        let mut terms = threads.relation.terms.clone();
        let mut selectors = |conjuncts: usize| -> Vec<TermId> {
            (0..conjuncts).map(|_| terms.fresh("counts", 1)).collect()
        };
        let query = program.query.as_ref();
        let before = selectors(query.map_or(0, |q| q.before.len()));
        let after = selectors(query.map_or(0, |q| q.after.len()));
        let given = selectors(lemmas.len());
        let words = query.map_or(&[][..], |query| &query.changed);
        let old = words.iter().map(|word| {
            let term = threads.relation.words[*word].term;
            let (bits, fact) = (terms.bits(term), terms.fact(term));
            (*word, terms.fresh_within("old", bits, fact))
        });
        let old = old.collect();
        Ok(Unrolling {
            threads,
            program,
            promises,
            lemmas,
            setup,
            terms,
            normal: linear::NormalForms::default(),
            levels: Vec::new(),
            acts: Vec::new(),
            before,
            after,
            old,
            given,
            used: Vec::new(),
            solver,
            changed: vec![false; threads.relation.words.len()],
            looks_only: false,
            waits: false,
            everywhere: query.is_some_and(Query::is_of_states),
            hasty: false,
        })
    }
}

impl Unrolling<'_> {
    pub(super) fn run(&mut self, limit: usize) -> Result<Unrolled, Failure> {
        let words = &self.threads.relation.words;
        let initial = words.iter().map(|word| (word.initial, word.term));
        let initial = initial.map(|(value, term)| (value, self.terms.bits(term)));
        let initial: Vec<(u128, u16)> = initial.collect();
        let terms = &mut self.terms;
        let words = initial.into_iter().map(|(v, b)| terms.constant(v, b));
        let words: Vec<TermId> = words.collect();
        let always = self.terms.tru();
        let mut next: SortedMap<Key, (TermId, Vec<TermId>)> = SortedMap::new();
        self.enter(&mut next, always, words, true);
        let mut all = self.terms.fals();
        for level in 0.. {
            if level >= UNASKED.0 && level % UNASKED.1 == 0 {
                self.prune(&mut next)?;
            }
            if next.is_empty() {
                break;
            }
            if level >= limit || self.terms.len() > TERMS {
                return Ok(Unrolled::Endless);
            }
            if faults::on(Fault::QueryFewSteps) && self.program.query.is_some() && level > 2 {
                break;
            }
            let mut bad = self.terms.fals();
            next = self.level(next, &mut bad);
            if self.looks_only || self.terms.as_constant(bad) == Some(0) {
                continue;
            }
            if let Some(path) = self.violation(bad)? {
                return Ok(Unrolled::Reached(path));
            }
            all = self.terms.or(all, bad);
        }
        let (query, used) = self.needed(all)?;
        Ok(Unrolled::Safe(query, used))
    }

    /// Adds a state that who moves in the prologue has reached, where it belongs.
    pub(super) fn enter(
        &mut self,
        next: &mut SortedMap<Key, (TermId, Vec<TermId>)>,
        when: TermId,
        words: Vec<TermId>,
        prologue: bool,
    ) {
        let started = match self.program.query {
            None => Stage::Started,
            Some(_) => Stage::Waiting,
        };
        if !prologue {
            let place = self.place(&words, self.program.thread);
            return self.meet(next, (started, place), when, words);
        }
        let env = self.environment(&words, &[]);
        let begun = self
            .terms
            .substitute(self.threads.begun, &env, &mut Memo::new());
        let not = self.terms.not(begun);
        let still = self.terms.and(when, not);
        let place = self.place(&words, ThreadId(0));
        self.meet(next, (Stage::Prologue, place), still, words.clone());
        let over = self.terms.and(when, begun);
        let place = self.place(&words, self.program.thread);
        self.meet(next, (started, place), over, words);
    }

    /// Merges a state with another that is there.
    pub(super) fn meet(
        &mut self,
        next: &mut SortedMap<Key, (TermId, Vec<TermId>)>,
        key: Key,
        when: TermId,
        words: Vec<TermId>,
    ) {
        if self.terms.as_constant(when) == Some(0) {
            return;
        }
        let merged = match next.remove(&key) {
            None => (when, words),
            Some((other, theirs)) => {
                let pairs = words.into_iter().zip(theirs);
                let chosen = pairs.map(|(a, b)| {
                    if a == b {
                        a
                    } else {
                        self.terms.ite(when, a, b)
                    }
                });
                let chosen: Vec<TermId> = chosen.collect();
                (self.terms.or(when, other), chosen)
            }
        };
        next.insert(key, merged);
    }

    /// Place of a thread: in the states of one node this is known.
    fn place(&self, words: &[TermId], thread: ThreadId) -> usize {
        let place = self.terms.as_constant(words[thread.index()]);
        place.map_or(0, |place| place as usize)
    }

    pub(super) fn environment(&self, words: &[TermId], inputs: &[(VarId, TermId)]) -> Substitution {
        let mut env = self.threads.standing_for(words);
        env.extend(inputs.iter().copied());
        env
    }

    /// Leaves out states that cannot be.
    fn prune(&mut self, next: &mut SortedMap<Key, (TermId, Vec<TermId>)>) -> Result<(), Failure> {
        let keys: Vec<Key> = next.keys().copied().collect();
        let given = self.assumptions(&self.given.clone());
        for key in keys {
            let when = next[&key].0;
            // Nothing is assumed of the query: what cannot be, cannot be whatever is needed of it.
            if self.terms.as_constant(when).is_none() && !self.is_possible(when, &given)? {
                next.remove(&key);
                self.note_used(&given);
            }
        }
        Ok(())
    }
}
