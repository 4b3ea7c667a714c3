//! Verification thread by thread: Algorithm 1 and the environment queries of "Modular verification of concurrent programs
//! via sequential model checking" (ATVA 2018), §4 and §5, for any number of threads.
//!
//! A thread is checked as a sequential program, between whose steps its environment may change all that other threads
//! write (`env_move`), except what has been learnt. Where that reaches something bad, the last move of the environment that
//! matters is questioned: can the environment lead from α, a postcondition of the path before the move, to β, the weakest
//! precondition of the path after it? If not, α and β are generalised, and become a lemma. If so, the precondition ψ of the
//! environment's path is a *promise of error*: to reach ψ at this place is as bad as a violation.
//!
//! Differences from the paper, and what it leaves open:
//! * Conditions are conjunctions of terms over words (`path`). Inputs on the way to β and ψ have the path's values. Where
//!   a move has several branches, conditions have those that the path takes (`branch`); what loop counters always are
//!   at a place of the path is put in for them. Equations of sums have one form (`linear`).
//! * A query on several threads has one of them as its main thread, and the others as that one's environment: the
//!   same loop, one level down (`query`). The main thread is the first in the hierarchy that writes what β speaks of.
//!   The order is that of the data flow, whoever reads before whom it reads from, or given.
//! * Two engines check sequential programs (`decide`). Where executions are finite, all are seen, over terms (`unroll`), and
//!   what the solver needed of α and β is their generalisation (`witness`). Otherwise property-directed reachability
//!   decides (`system`), and generalisation drops conjuncts and asks again.
//! * Of several violating paths, that one is taken whose environment moves seldom and early: then much is asked at
//!   once, and much is known before.
//! * What β says of words that the environment does not write is replaced by what α says they are; conjuncts of α
//!   about such words become conjuncts of β. A lemma without α says that no reachable state satisfies β (zero steps
//!   are a computation, too): it is used everywhere, also before the start of queries, and by other threads' checks.
//! * A lemma with an α is about moves of a set of threads, and holds for its subsets. Before the start of a query all
//!   other threads move; so a lemma is of use there only if it is so of all threads, which is tried of each. Flags
//!   that are never reset are tried beforehand.
//! * Before anything else, a query is asked without α: whether no state at all satisfies β (`unroll::never`). A lemma that
//!   rests on what its threads do not write is asked for again without that, all the way down (`query`).
//! * Places are only where others can tell (`threads`): loop heads are passed with the move before. Elements of
//!   arrays that a thread's indices never reach are not written by it (`narrow`).
//! * The moves of main before it creates threads are part of every program.
//! * Every thread with something bad is main once. Its assertions, undefined behaviour, and what is not modelled are
//!   the bad moves.
//!
//! Soundness: a lemma is shown by a program that contains every computation which it excludes, given lemmas that were
//! shown before; likewise the last check of each thread. All are checked again before they are believed
//! (`certificate`), with solvers that know nothing of the search.

use super::failure::Failure;
use super::lemma::{Lemma, Proof, Query, Sequential};
use super::path::{End, Path, Postcondition, Scratch};
use super::threads::Threads;
use super::unroll::FINITE;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::solve::Setup;
use crate::term::{Memo, TermId, VarId};
use crate::transition::Automata;
use crate::transition::relation::{Relation, Substitution};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Steps: who moves, and with which inputs.
pub type Steps = Vec<(ThreadId, Vec<(VarId, u128)>)>;

/// States at a place of a thread from which something bad can be reached.
pub(super) struct Promise {
    pub(super) condition: TermId,
    /// The steps that lead on.
    steps: Steps,
    /// The promise at their end; `None` if they end in what is bad.
    next: Option<usize>,
}

/// Result of the check of a sequential program.
pub(super) enum Checked {
    /// It does not reach what is asked for; for a query, these conjuncts were needed.
    Safe(Query, Proof, Vec<usize>),
    /// It does, from this condition (of a query; always true otherwise), by these steps.
    Reached(TermId, Steps),
}

/// Result of the check of a main thread.
pub enum Learnt {
    /// Nothing bad is reached in it.
    Safe(Proof),
    /// Steps of the whole program, from its start, to something bad.
    Reached(Steps),
}

/// The checks of all threads.
pub struct Learner<'a> {
    pub threads: Threads<'a>,
    pub setup: Setup<'a>,
    /// In the order in which they were shown; each may rest on those before.
    pub lemmas: Vec<Lemma>,
    /// Numbers of lemmas that checks of main threads rest on.
    pub(super) wanted: Vec<usize>,
    /// Threads whose executions are known not to be finite.
    pub(super) endless: Vec<bool>,
    /// Threads that should be main earlier come first.
    pub(super) order: Vec<ThreadId>,
    pub(super) scratch: Scratch,
    /// Queries so far.
    pub queries: usize,
    /// Queries that were asked in vain, to have a simpler lemma.
    pub(super) refused: HashSet<Query, FxBuildHasher>,
    /// Number of times that programs may still be decided before such an attempt ends; `None` outside of one.
    pub(super) patience: Option<usize>,
}

impl<'a> Learner<'a> {
    pub fn new(
        automata: &'a Automata,
        relation: &Relation,
        setup: Setup<'a>,
    ) -> Result<Learner<'a>, Failure> {
        let mut threads = Threads::new(automata, relation);
        threads.narrow(FINITE, &setup)?;
        Ok(Learner {
            endless: automata
                .threads
                .ids()
                .map(|t| threads.loops_plainly(t))
                .collect(),
            order: Vec::new(),
            threads,
            setup,
            lemmas: Vec::new(),
            wanted: Vec::new(),
            scratch: Scratch::default(),
            queries: 0,
            refused: HashSet::default(),
            patience: None,
        })
    }

    /// Checks a thread against all others. Those that are given first are asked first.
    pub fn run(&mut self, main: ThreadId, first: &[ThreadId]) -> Result<Learnt, Failure> {
        self.order = first.to_vec();
        for thread in self.data_flow(main) {
            if !self.order.contains(&thread) {
                self.order.push(thread);
            }
        }
        if self.queries == 0 {
            self.flags()?;
        }
        let program = Sequential {
            thread: main,
            environment: ThreadSet::first(self.threads.count()).without(main),
            query: None,
        };
        let always = self.threads.relation.terms.tru();
        Ok(match self.check(&program, always)? {
            Checked::Safe(_, proof, used) => {
                self.wanted.extend(used);
                Learnt::Safe(proof)
            }
            Checked::Reached(_, steps) => Learnt::Reached(steps),
        })
    }

    /// The lemmas that are needed, in the order in which they were shown.
    pub fn needed(&self) -> Vec<&Lemma> {
        let mut needed = vec![false; self.lemmas.len()];
        for number in &self.wanted {
            needed[*number] = true;
        }
        for (number, lemma) in self.lemmas.iter().enumerate().rev() {
            if needed[number] {
                lemma.used.iter().for_each(|used| needed[*used] = true);
            }
        }
        let lemmas = self.lemmas.iter().zip(needed);
        lemmas
            .filter(|(_, needed)| *needed)
            .map(|(lemma, _)| lemma)
            .collect()
    }

    /// The loop of Algorithm 1. `goal` is what a query asks for, as it was asked.
    pub(super) fn check(&mut self, program: &Sequential, goal: TermId) -> Result<Checked, Failure> {
        let mut promises: Vec<Promise> = Vec::new();
        loop {
            let path = match self.decide(program, &promises)? {
                Decided::Safe(query, proof, used) => return Ok(Checked::Safe(query, proof, used)),
                Decided::Reached(path) => path,
            };
            let last = path.turns.len() - 1;
            let (mut condition, next) = match path.end {
                End::Bad(index) => (self.threads.happens(index, &path.turns[last]), None),
                End::Reached => (goal, None),
                End::Promise(number) => (promises[number].condition, Some(number)),
            };
            let mut steps = last;
            let questioned = loop {
                let turn = &path.turns[steps];
                let passes = steps == last && next.is_some();
                let terms = &self.threads.relation.terms;
                let mut words = self.threads.words_in(terms, condition).into_iter();
                if !passes && words.any(|word| turn.before[word] != turn.after[word]) {
                    break true;
                }
                if steps == 0 {
                    break false;
                }
                steps -= 1;
                condition = self.threads.precondition(&path.turns[steps], condition);
            };
            // The steps of the thread itself from there on.
            let mut own: Steps = Vec::new();
            for (number, turn) in path.turns.iter().enumerate().skip(steps) {
                if number < last || next.is_none() && matches!(path.end, End::Bad(_)) {
                    own.push((turn.mover, turn.inputs.clone()));
                    let silent = turn.moved.map_or(0, |index| self.threads.silent[index]);
                    own.extend((0..silent).map(|_| (turn.mover, Vec::new())));
                }
            }
            if !questioned {
                let whole = whole(own, next, &promises);
                return Ok(Checked::Reached(condition, whole));
            }
            let promise = self.question(program, &promises, &path, steps, condition)?;
            if let Some((condition, mut steps)) = promise {
                steps.extend(own);
                promises.push(Promise {
                    condition,
                    steps,
                    next,
                });
            }
        }
    }

    /// Questions the environment's move of a turn, after which `after` leads to something bad. A promise, if it is
    /// possible; otherwise something has been learnt.
    fn question(
        &mut self,
        program: &Sequential,
        promises: &[Promise],
        path: &Path,
        number: usize,
        after: TermId,
    ) -> Result<Option<(TermId, Steps)>, Failure> {
        let turn = &path.turns[number];
        let environment = program.environment.clone();
        let (mut words, mut conditions) = self.begin(program);
        let place = program.thread.index();
        let first = path.turns[0].before[place];
        let bits = self.threads.relation.terms.bits(words[place]);
        words[place] = self.threads.relation.terms.constant(first, bits);
        self.scratch.clear();
        let (words, more) = self
            .threads
            .execute(&path.turns[..=number], words, &mut self.scratch);
        conditions.extend(more);
        // Where the thread stands is a matter of the promise, and known here.
        let mut stands = Substitution::default();
        let at = {
            let word = self.threads.relation.words[place].term;
            let terms = &mut self.threads.relation.terms;
            let number = terms.constant(turn.place as u128, terms.bits(word));
            stands.insert(self.threads.var(place), number);
            self.threads.relation.terms.eq(word, number)
        };
        let here = |learner: &mut Self, term: TermId| {
            let terms = &mut learner.threads.relation.terms;
            terms.substitute(term, &stands, &mut Memo::new())
        };
        let after = here(self, after);
        let how = Postcondition {
            values: &turn.before,
            changing: environment.clone(),
            silent: place,
        };
        let (mut before, definitions) = self.threads.postcondition(&words, &conditions, &how);
        for promise in promises {
            let met = here(self, promise.condition);
            let not = self.threads.relation.terms.not(met);
            before.push(not);
        }
        let before = self.threads.conjuncts(&before);
        let answer = self.query(environment, before, &definitions, after)?;
        Ok(answer.map(|(condition, steps)| {
            let condition = here(self, condition);
            let condition = self.threads.relation.terms.and(condition, at);
            (condition, steps)
        }))
    }

    /// Words and conditions at the beginning of a path: at the start of the program, or of the query.
    fn begin(&mut self, program: &Sequential) -> (Vec<TermId>, Vec<TermId>) {
        let relation = &mut self.threads.relation;
        let Some(query) = &program.query else {
            let terms = &mut relation.terms;
            let initial = relation.words.iter();
            let words = initial.map(|word| {
                let bits = terms.bits(word.term);
                terms.constant(word.initial, bits)
            });
            return (words.collect(), Vec::new());
        };
        let words: Vec<TermId> = relation.words.iter().map(|word| word.term).collect();
        let mut words = words;
        for (word, term) in self.threads.constants(&query.before) {
            words[word] = term;
        }
        let env = self.threads.standing_for(&words);
        let mut memo = Memo::new();
        // What nobody changes on the way holds at its beginning, too.
        let written = self.threads.written(&program.environment);
        let changes = |w: &usize| written.contains(w) || self.threads.writes(program.thread, *w);
        let terms = &self.threads.relation.terms;
        let mut conditions = query.before.clone();
        conditions.extend(query.after.iter().copied().filter(|term| {
            let words = self.threads.words_in(terms, *term);
            !words.iter().any(changes)
        }));
        let terms = &mut self.threads.relation.terms;
        let conditions = conditions.iter();
        let conditions = conditions.map(|c| terms.substitute(*c, &env, &mut memo));
        (words, conditions.collect())
    }
}

/// Answer of the engines about a program.
pub(super) enum Decided {
    Safe(Query, Proof, Vec<usize>),
    Reached(Path),
}

/// The whole way to something bad, along promises.
fn whole(steps: Steps, next: Option<usize>, promises: &[Promise]) -> Steps {
    let (mut steps, mut next) = (steps, next);
    while let Some(number) = next {
        steps.extend(promises[number].steps.iter().cloned());
        next = promises[number].next;
    }
    steps
}
