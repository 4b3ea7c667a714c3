//! Weaker conditions for a lemma: what it excludes becomes a half-line instead of what one path happened to need.
//!
//! §4 replaces `a == b` by `a <= b` or `a >= b` where the query still fails. The same is done for everything that a conjunct
//! says of a single word: `159 < x + x` admits every other stretch of bytes, and a lemma that excludes one stretch leads to
//! the next question; `x >= 80` ends them all. So of one word, all values from the least on are tried, or all up to the
//! greatest, of numbers without sign and then with sign.
//!
//! Each attempt is a query of its own, with what is known so far.

use super::failure::Failure;
use super::learn::{Decided, Learner};
use super::lemma::{Lemma, Query, Sequential};
use crate::base::id::Id;
use crate::modular::faults::{self, Fault};
use crate::solve::Answer;
use crate::term::{Node, Op, TermId};

impl Learner<'_> {
    /// The lemma, or one that says more.
    pub(super) fn weaken(&mut self, lemma: Lemma) -> Result<Lemma, Failure> {
        let mut lemma = lemma;
        if self.endless[lemma.main.index()] {
            return Ok(lemma);
        }
        let (before, after) = (lemma.query.before.clone(), lemma.query.after.clone());
        for conjunct in after.into_iter().chain(before) {
            for weaker in self.weaker(conjunct)? {
                if let Some(wider) = self.with(&lemma, conjunct, weaker)? {
                    lemma = wider;
                    break;
                }
            }
        }
        Ok(lemma)
    }

    /// The lemma with another condition in the place of one, if that is so.
    fn with(&mut self, lemma: &Lemma, old: TermId, new: TermId) -> Result<Option<Lemma>, Failure> {
        let replaced = |all: &[TermId]| -> Vec<TermId> {
            let all = all.iter();
            all.map(|term| if *term == old { new } else { *term })
                .collect()
        };
        let query = Query {
            before: replaced(&lemma.query.before),
            after: replaced(&lemma.query.after),
            changed: lemma.query.changed.clone(),
        };
        if query.before == lemma.query.before && query.after == lemma.query.after {
            return Ok(None);
        }
        if faults::on(Fault::WeakenUnasked) {
            return Ok(Some(Lemma {
                query,
                ..lemma.clone()
            }));
        }
        let program = Sequential {
            thread: lemma.main,
            environment: lemma.threads.without(lemma.main),
            query: Some(query),
        };
        Ok(match self.decide(&program, &[])? {
            Decided::Safe(query, proof, used) if !query.after.is_empty() => Some(Lemma {
                query,
                proof,
                used,
                ..lemma.clone()
            }),
            _ => None,
        })
    }

    /// Conditions that a condition implies, those first that say least.
    fn weaker(&mut self, conjunct: TermId) -> Result<Vec<TermId>, Failure> {
        let terms = &self.threads.relation.terms;
        let words = self.threads.words_in(terms, conjunct);
        if !words.iter().all(|word| self.threads.is_shared(*word)) {
            return Ok(Vec::new());
        }
        if let (&[word], &[_]) = (&words[..], &terms.support(conjunct)[..]) {
            return self.half_lines(word, conjunct);
        }
        let Node::Binary(Op::Eq, a, b) = terms.node(conjunct) else {
            return Ok(Vec::new());
        };
        let terms = &mut self.threads.relation.terms;
        let mut all = Vec::new();
        if terms.bits(a) > 1 {
            let less = [(a, b), (b, a)];
            all.extend(less.map(|(a, b)| terms.ult(a, b)));
            all.extend(less.map(|(a, b)| terms.slt(a, b)));
            all.iter_mut().for_each(|term| *term = terms.not(*term));
        }
        Ok(all)
    }

    /// All values of a word from the least on that a condition admits, and up to the greatest one.
    fn half_lines(&mut self, word: usize, condition: TermId) -> Result<Vec<TermId>, Failure> {
        let term = self.threads.relation.words[word].term;
        let bits = self.threads.relation.terms.bits(term);
        let sign = 1u128 << (bits - 1);
        let mut all = Vec::new();
        if bits == 1 {
            return Ok(all);
        }
        for flip in [0, sign] {
            for greatest in [false, true] {
                let Some(end) = self.end(term, condition, flip, greatest)? else {
                    return Ok(Vec::new());
                };
                let terms = &mut self.threads.relation.terms;
                let value = terms.constant(end, bits);
                let (low, high) = if greatest {
                    (term, value)
                } else {
                    (value, term)
                };
                let beyond = if flip == 0 {
                    terms.ult(high, low)
                } else {
                    terms.slt(high, low)
                };
                let line = terms.not(beyond);
                if line != condition && terms.as_constant(line).is_none() {
                    all.push(line);
                }
            }
        }
        Ok(all)
    }

    /// The least or greatest value of a word that a condition admits, where values are ordered after some bits of them
    /// have been flipped.
    fn end(
        &self,
        word: TermId,
        condition: TermId,
        flip: u128,
        greatest: bool,
    ) -> Result<Option<u128>, Failure> {
        let terms = &self.threads.relation.terms;
        let mut solver = self.setup.terms().ok_or(Failure::NoSolver)?;
        solver.assert(terms, condition);
        let mut assumed = Vec::new();
        for bit in (0..terms.bits(word)).rev() {
            let wanted = greatest ^ (flip >> bit & 1 == 1);
            let digit = solver.bit(terms, word, bit);
            assumed.push(if wanted { digit } else { !digit });
            if !solver.check(&assumed, self.setup.budget).is_sat()? {
                assumed.pop();
                assumed.push(if wanted { !digit } else { digit });
            }
        }
        let known = solver.check(&assumed, self.setup.budget) == Answer::Sat;
        Ok(known.then(|| solver.value(terms, word)))
    }
}
