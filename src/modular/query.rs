//! Queries: what is asked of an environment, whom it is put to, and what is learnt from the answer.

use super::failure::Failure;
use super::learn::{Checked, Decided, Learner, Steps};
use super::lemma::{Lemma, Query, Sequential};
use super::linear;
use crate::base::Meter;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault as Seeded};
use crate::term::{Memo, TermId};
use crate::transition::relation::Substitution;

/// For each thread, how often programs are decided to see whether a lemma holds without conditions on others.
const PATIENCE: usize = 8;

impl Learner<'_> {
    /// Query whether these threads alone lead from one condition to another: if so, from which states and how. If not
    /// (`None`), a lemma has been learnt.
    pub(super) fn query(
        &mut self,
        threads: ThreadSet,
        before: Vec<TermId>,
        definitions: &[(usize, TermId)],
        after: TermId,
    ) -> Result<Option<(TermId, Steps)>, Failure> {
        self.queries += 1;
        self.setup.note(Meter::query);
        let written = self.threads.written(&threads);
        let changes = |word: usize| written.binary_search(&word).is_ok();
        let stays = |learner: &Self, term: TermId| {
            let terms = &learner.threads.relation.terms;
            let mut words = learner.threads.words_in(terms, term).into_iter();
            !words.any(changes)
        };
        // What words are that nobody changes.
        let mut known = Substitution::default();
        for (word, term) in definitions {
            if !changes(*word) && stays(self, *term) {
                known.insert(self.threads.var(*word), *term);
            }
        }
        let mut replaced = self.threads.words_in(&self.threads.relation.terms, after);
        replaced.retain(|word| known.contains_key(&self.threads.var(*word)));
        let terms = &mut self.threads.relation.terms;
        let narrowed = terms.substitute(after, &known, &mut Memo::new());
        let narrowed = linear::normal(terms, narrowed, &mut linear::NormalForms::default());
        let (kept, moved): (Vec<TermId>, Vec<TermId>) =
            before.into_iter().partition(|term| !stays(self, *term));
        let mut afters = vec![narrowed];
        afters.extend(moved);
        let query = Query {
            before: kept,
            after: self.threads.conjuncts(&afters),
            changed: Vec::new(),
        };
        let main = self.asked(&threads, after);
        let asked = query.before.clone();
        let program = Sequential {
            thread: main,
            environment: threads.without(main),
            query: Some(query),
        };
        let answer = self.check(&program, narrowed)?;
        match answer {
            Checked::Reached(condition, steps) => {
                // From there to what was asked for, if words are what they were replaced by.
                let terms = &mut self.threads.relation.terms;
                let mut condition = condition;
                for (word, term) in definitions {
                    if replaced.contains(word) {
                        let equal = terms.eq(self.threads.relation.words[*word].term, *term);
                        condition = terms.and(condition, equal);
                    }
                }
                Ok(Some((condition, steps)))
            }
            Checked::Safe(mut query, mut proof, mut used) => {
                // Where nothing can follow, nothing is.
                if query.after.is_empty() {
                    let mut program = program;
                    program.query = Some(Query {
                        before: Vec::new(),
                        after: query.before.clone(),
                        changed: Vec::new(),
                    });
                    if let Decided::Safe(state, shown, rests) = self.decide(&program, &[])? {
                        (query, proof, used) = (state, shown, rests);
                    }
                }
                let lemma = Lemma {
                    threads,
                    main,
                    query,
                    proof,
                    used,
                };
                let lemma = self.alone(lemma, asked)?;
                let lemma = self.weaken(lemma)?;
                let lemma = self.widen(lemma)?;
                self.lemmas.push(lemma);
                self.setup.note(|meter| meter.lemmas(self.lemmas.len()));
                Ok(None)
            }
        }
    }

    /// The lemma without conditions on what its threads do not write, if that is one.
    ///
    /// A query says what its caller knows, such as which inputs it has compared, and one that need not look further
    /// down often rests on that. To look further down may show more than a hundred such lemmas would: `!(6 <=
    /// longest[4])`.
    fn alone(&mut self, lemma: Lemma, asked: Vec<TermId>) -> Result<Lemma, Failure> {
        if self.endless[lemma.main.index()] {
            return Ok(lemma);
        }
        let written = self.threads.written(&lemma.threads);
        let speaks = |term: &TermId| {
            let terms = &self.threads.relation.terms;
            let mut words = self.threads.words_in(terms, *term).into_iter();
            words.any(|word| written.binary_search(&word).is_ok())
        };
        let mut after = lemma.query.after.clone();
        after.retain(speaks);
        let is_new = !after.is_empty() && after.len() < lemma.query.after.len();
        let query = Query {
            before: asked,
            after,
            changed: Vec::new(),
        };
        if !is_new || self.refused.contains(&query) {
            return Ok(lemma);
        }
        if faults::on(Seeded::AloneUnasked) {
            return Ok(Lemma { query, ..lemma });
        }
        let goal = query
            .after
            .iter()
            .fold(self.threads.relation.terms.tru(), |all, term| {
                self.threads.relation.terms.and(all, *term)
            });
        let program = Sequential {
            thread: lemma.main,
            environment: lemma.threads.without(lemma.main),
            query: Some(query.clone()),
        };
        let outer = self.patience;
        self.patience = Some(outer.unwrap_or(PATIENCE * self.threads.count()));
        let answer = self.check(&program, goal);
        if outer.is_none() {
            self.patience = None;
        }
        match answer {
            Ok(Checked::Safe(query, proof, used)) if !query.after.is_empty() => Ok(Lemma {
                query,
                proof,
                used,
                ..lemma
            }),
            Ok(_) => {
                self.refused.insert(query);
                Ok(lemma)
            }
            Err(Failure::Impatient) if outer.is_none() => {
                self.refused.insert(query);
                Ok(lemma)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Widening of a lemma: what is so of some threads' moves may be so of all threads' moves; then it holds before the
    /// start of queries, too.
    fn widen(&mut self, lemma: Lemma) -> Result<Lemma, Failure> {
        let all = ThreadSet::first(self.threads.count());
        if lemma.query.is_of_states() || lemma.threads == all {
            return Ok(lemma);
        }
        let program = Sequential {
            thread: lemma.main,
            environment: all.without(lemma.main),
            query: Some(lemma.query.clone()),
        };
        Ok(match self.decide(&program, &[])? {
            Decided::Safe(query, proof, used) if !query.after.is_empty() => Lemma {
                threads: all,
                main: lemma.main,
                query,
                proof,
                used,
            },
            _ => lemma,
        })
    }

    /// The thread that a query is put to: the first that changes something that is asked for.
    fn asked(&self, threads: &ThreadSet, after: TermId) -> ThreadId {
        let words = self.threads.words_in(&self.threads.relation.terms, after);
        let mut order = self.order.iter().copied().filter(|t| threads.contains(*t));
        let changes = |thread: &ThreadId| words.iter().any(|w| self.threads.writes(*thread, *w));
        let first = order.clone().next().or(threads.iter().next());
        order.find(changes).or(first).unwrap_or(ThreadId(0))
    }

    /// All threads, so that one comes before those that it reads from, if there is no cycle of them.
    pub(super) fn data_flow(&self, main: ThreadId) -> Vec<ThreadId> {
        let count = self.threads.count();
        let terms = &self.threads.relation.terms;
        let reads = |thread: usize| -> Vec<usize> {
            let moves = self.threads.moves_of(ThreadId(thread as u32));
            let mut all: Vec<usize> = Vec::new();
            for index in moves {
                let step = &self.threads.relation.moves[index];
                let said = step.updates.iter().map(|(_, term)| *term);
                for term in said.chain([step.taken]) {
                    all.extend(self.threads.words_in(terms, term));
                }
            }
            all.sort_unstable();
            all.dedup();
            all
        };
        let reads: Vec<Vec<usize>> = (0..count).map(reads).collect();
        let from = |a: usize, b: usize| {
            let mut words = reads[a].iter();
            a != b && words.any(|word| self.threads.writes(ThreadId(b as u32), *word))
        };
        // Depth first; a thread comes before all that were found from it.
        let mut done: Vec<usize> = Vec::new();
        let mut seen = vec![false; count];
        for root in [main.index()].into_iter().chain(1..count).chain([0]) {
            let mut stack = vec![(root, 0)];
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            while let Some((at, next)) = stack.pop() {
                let found = (next..count).find(|to| !seen[*to] && from(at, *to));
                match found {
                    None => done.push(at),
                    Some(to) => {
                        seen[to] = true;
                        stack.push((at, to + 1));
                        stack.push((to, 0));
                    }
                }
            }
        }
        done.iter()
            .rev()
            .map(|thread| ThreadId(*thread as u32))
            .collect()
    }
}
