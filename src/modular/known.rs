//! Knowledge in an unrolling: lemmas as conditions on moves of others, words that plainly keep their values, and flags
//! that a move has tested.
//!
//! A word that a lemma says to be kept, in a state where the flag is the constant 1, stays the same term. So two reads of what
//! has been published are one term, and sums over them cancel (`linear`) where a solver would have to compare adders.

use super::linear;
use super::unroll::Unrolling;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault};
use crate::term::{Memo, TermId};

impl Unrolling<'_> {
    /// Words that these threads may change in a state: not those of which a lemma plainly says that they keep their values.
    pub(super) fn free(&mut self, words: &[TermId], movers: &ThreadSet) -> Vec<usize> {
        let mut changed = self.threads.written(movers);
        let mut memo = Memo::new();
        let env = self.environment(words, &[]);
        for (number, lemma) in self.lemmas.iter().enumerate() {
            let (&[word], []) = (&lemma.query.changed[..], &lemma.query.after[..]) else {
                continue;
            };
            let Ok(at) = changed.binary_search(&word) else {
                continue;
            };
            let terms = &mut self.terms;
            let mut before = lemma.query.before.iter();
            let holds = |term: &TermId| {
                let here = terms.substitute(*term, &env, &mut memo);
                terms.as_constant(here) == Some(1) || faults::on(Fault::KeptAlways)
            };
            if lemma.covers(movers) && before.all(holds) {
                changed.remove(at);
                if !self.used.contains(&number) {
                    self.used.push(number);
                }
            }
        }
        changed
    }

    /// Conjunction of what lemmas say of states, and of moves of these threads from one to another.
    pub(super) fn known(
        &mut self,
        before: &[TermId],
        after: &[TermId],
        movers: &ThreadSet,
    ) -> TermId {
        let (mut here, mut there) = (Memo::new(), Memo::new());
        let (from, to) = (self.environment(before, &[]), self.environment(after, &[]));
        let mut known = self.terms.tru();
        for (number, lemma) in self.lemmas.iter().enumerate() {
            if !lemma.covers(movers) {
                continue;
            }
            let mut both = self.given[number];
            if !faults::on(Fault::AssumptionAlways) {
                for conjunct in &lemma.query.before {
                    let holds = self.terms.substitute(*conjunct, &from, &mut there);
                    both = self.terms.and(both, holds);
                }
            }
            for conjunct in &lemma.query.after {
                let holds = self.terms.substitute(*conjunct, &to, &mut here);
                let holds = linear::normal(&mut self.terms, holds, &mut self.normal);
                both = self.terms.and(both, holds);
            }
            let pairs = lemma.query.changed.iter();
            let pairs = pairs.map(|word| (before[*word], after[*word]));
            let changed = self.threads.differ(&mut self.terms, pairs);
            both = self.terms.and(both, changed);
            let not = self.terms.not(both);
            known = self.terms.and(known, not);
        }
        known
    }

    /// Words where a condition holds that says whether flags are set.
    pub(super) fn seen(&mut self, words: &[TermId], condition: TermId) -> Vec<TermId> {
        let mut words = words.to_vec();
        let known = self.terms.conjuncts(condition);
        for &(word, bit) in &self.threads.flags {
            let width = self.terms.bits(words[word]);
            let set = self.terms.extract(words[word], bit, 1);
            let not = self.terms.not(set);
            let unset = if faults::on(Fault::FlagSeenSet) {
                1 << bit
            } else {
                0
            };
            for (term, value) in [(set, 1 << bit), (not, unset)] {
                if known.contains(&term) {
                    let ones = self.threads.ones(word);
                    words[word] = self.terms.constant(ones | value, width);
                }
            }
        }
        words
    }
}
