//! Flags, and what they publish: lemmas that nearly every wait needs, and that are asked for beforehand.
//!
//! A flag is a shared word of one bit that one thread with finite executions sets, and nobody resets. What that thread has
//! written before is published: other words that it alone writes keep their values from then on. Without this, a query about
//! two reads after the same wait would be one about two values, and its answer one about two moves of the thread below.

use super::failure::Failure;
use super::learn::Learner;
use super::lemma::{Lemma, Proof, Query, Sequential};
use super::threads::Threads;
use super::unroll::{FINITE, Stage, Unrolled, Unrolling};
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault};
use crate::solve::Setup;

impl Learner<'_> {
    /// Learns what flags there are, and what they publish.
    pub(super) fn flags(&mut self) -> Result<(), Failure> {
        let words = 0..self.threads.relation.words.len();
        let shared: Vec<usize> = words.filter(|w| self.threads.is_shared(*w)).collect();
        for (flag, bit) in self.threads.flags.clone() {
            let Some(main) = self.writer(flag) else {
                continue;
            };
            if self.endless[main.index()] {
                continue;
            }
            let terms = &mut self.threads.relation.terms;
            let set = terms.extract(self.threads.relation.words[flag].term, bit, 1);
            let own = shared.iter().copied();
            let own = own.filter(|word| self.writer(*word) == Some(main));
            let all = ThreadSet::first(self.threads.count());
            let program = Sequential {
                thread: main,
                environment: all.without(main),
                query: Some(Query {
                    before: vec![set],
                    after: Vec::new(),
                    changed: own.collect(),
                }),
            };
            let kept = kept(&self.threads, &program, &self.lemmas, FINITE, &self.setup)?;
            if kept.iter().any(|(word, _)| *word == flag) {
                self.lemmas
                    .extend(kept.into_iter().map(|(word, used)| Lemma {
                        threads: all.clone(),
                        main,
                        query: Query {
                            before: vec![set],
                            after: Vec::new(),
                            changed: vec![word],
                        },
                        proof: Proof::Unrolling,
                        used,
                    }));
                self.setup.note(|meter| meter.lemmas(self.lemmas.len()));
            }
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
}

/// Those words of a query that are not changed after its start, and the lemmas that this rests on.
fn kept(
    threads: &Threads,
    program: &Sequential,
    lemmas: &[Lemma],
    limit: usize,
    setup: &Setup,
) -> Result<Vec<(usize, Vec<usize>)>, Failure> {
    let mut unrolling = Unrolling::new(threads, program, &[], lemmas, setup)?;
    unrolling.looks_only = true;
    let Unrolled::Safe(_, pruned) = unrolling.run(limit)? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    let assumed = unrolling.selected();
    let given = unrolling.assumptions(&unrolling.given.clone());
    for (word, old) in unrolling.old.clone() {
        let mut changed = unrolling.terms.fals();
        for (key, node) in unrolling.levels.iter().flatten() {
            if key.0 == Stage::Started {
                let terms = &mut unrolling.terms;
                let same = terms.eq(node.after[word], old);
                let other = terms.not(same);
                let here = terms.and(node.when, other);
                changed = terms.or(changed, here);
            }
        }
        let asked = !faults::on(Fault::KeptUnasked);
        if !asked || !unrolling.is_possible(changed, &assumed)? {
            unrolling.used.clone_from(&pruned);
            unrolling.note_used(&given);
            found.push((word, unrolling.used.clone()));
        }
    }
    Ok(found)
}
