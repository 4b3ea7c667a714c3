//! Flags, and what they publish: facts that nearly every wait needs, and that are asked for beforehand.
//!
//! A flag is a shared word of one bit that one thread with finite executions sets, and nobody resets. What that thread has
//! written before is published: other words that it alone writes keep their values from then on. Without this, a query about
//! two reads after the same wait would be one about two values, and its answer one about two moves of the thread below.

use super::learn::{FINITE, Failure, Learner};
use super::threads::{Fact, Proof, Query, Sequential, ThreadSet};
use super::unroll::{Unrolled, kept, unroll};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::term::TermId;

impl Learner<'_> {
    /// Learns what flags there are, and what they publish.
    pub(super) fn flags(&mut self) -> Result<(), Failure> {
        for word in 0..self.threads.relation.words.len() {
            let Some((main, set)) = self.flag(word) else {
                continue;
            };
            let not = self.threads.relation.terms.not(set);
            let query = Query {
                before: vec![set],
                after: vec![not],
                changed: Vec::new(),
            };
            let program = self.of_all(main, query);
            let means = self.means();
            let found = unroll(&self.threads, &program, &[], &self.facts, FINITE, &means)?;
            if let Unrolled::Safe(query, used) = found
                && !query.before.is_empty()
            {
                self.shown(main, query, used);
                self.published(main, word, set)?;
            }
        }
        Ok(())
    }

    /// Words that keep their values once a flag is set.
    fn published(&mut self, main: ThreadId, flag: usize, set: TermId) -> Result<(), Failure> {
        let words = 0..self.threads.relation.words.len();
        let words = words.filter(|word| *word != flag && self.threads.is_shared(*word));
        let words = words.filter(|word| self.writer(*word) == Some(main));
        let query = Query {
            before: vec![set],
            after: Vec::new(),
            changed: words.collect(),
        };
        if query.changed.is_empty() {
            return Ok(());
        }
        let program = self.of_all(main, query);
        let means = self.means();
        for (word, used) in kept(&self.threads, &program, &self.facts, FINITE, &means)? {
            let query = Query {
                before: vec![set],
                after: Vec::new(),
                changed: vec![word],
            };
            self.shown(main, query, used);
        }
        Ok(())
    }

    /// The only thread that writes a word.
    fn writer(&self, word: usize) -> Option<ThreadId> {
        let all = ThreadSet::first(self.threads.count());
        let mut writers = all.iter().filter(|t| self.threads.writes(*t, word));
        match (writers.next(), writers.next()) {
            (Some(writer), None) => Some(writer),
            _ => None,
        }
    }

    /// Who sets a word, and that it is set, if it may be a flag.
    fn flag(&mut self, word: usize) -> Option<(ThreadId, TermId)> {
        let term = self.threads.relation.words[word].term;
        let terms = &self.threads.relation.terms;
        let fact = terms.fact(term);
        let open = crate::term::word::mask(terms.bits(term)) & !(fact.zeros | fact.ones);
        let main = self.writer(word)?;
        if !self.threads.is_shared(word) || open.count_ones() != 1 || self.endless[main.index()] {
            return None;
        }
        let terms = &mut self.threads.relation.terms;
        Some((
            main,
            terms.extract(term, open.trailing_zeros() as u16, 1),
        ))
    }

    /// A query to all threads.
    fn of_all(&self, main: ThreadId, query: Query) -> Sequential {
        Sequential {
            thread: main,
            environment: ThreadSet::first(self.threads.count()).without(main),
            query: Some(query),
        }
    }

    fn shown(&mut self, main: ThreadId, query: Query, used: Vec<usize>) {
        self.facts.push(Fact {
            threads: ThreadSet::first(self.threads.count()),
            main,
            query,
            proof: Proof::Unrolling,
            used,
        });
    }
}
