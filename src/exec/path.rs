//! Path condition: the decisions on the way to a point, and what is left of them where two ways meet.

use crate::term::{TermId, Terms};

/// The condition under which a path is taken: conjuncts in the order they were met.
#[derive(Clone, Debug)]
pub struct Path {
    conjuncts: Vec<TermId>,
    /// The conjunction of the conjuncts up to each of them, so that where paths meet, what they have in common is at hand.
    terms: Vec<TermId>,
    term: TermId,
}

impl Path {
    /// The path that is always taken.
    pub fn always(terms: &Terms) -> Path {
        Path {
            conjuncts: Vec::new(),
            terms: Vec::new(),
            term: terms.tru(),
        }
    }

    /// The conjunction.
    pub fn term(&self) -> TermId {
        self.term
    }

    /// Its conjuncts, in the order they were met.
    pub fn conjuncts(&self) -> &[TermId] {
        &self.conjuncts
    }

    /// Goes on only under `cond`.
    pub fn restrict(&mut self, terms: &mut Terms, cond: TermId) {
        if terms.as_constant(cond) == Some(1) || self.conjuncts.contains(&cond) {
            return;
        }
        let negation = terms.not(cond);
        self.term = if self.conjuncts.contains(&negation) {
            terms.fals()
        } else {
            terms.and(self.term, cond)
        };
        self.conjuncts.push(cond);
        self.terms.push(self.term);
    }

    /// The conjunction of the first conjuncts.
    fn up_to(&self, count: usize, terms: &Terms) -> TermId {
        count
            .checked_sub(1)
            .map_or(terms.tru(), |last| self.terms[last])
    }

    /// The conjunction without the last decision.
    pub fn before_last(&self, terms: &Terms) -> TermId {
        self.up_to(self.conjuncts.len().saturating_sub(1), terms)
    }

    /// Dead path: true if its condition is the constant false.
    #[inline]
    pub fn is_dead(&self, terms: &Terms) -> bool {
        terms.as_constant(self.term) == Some(0)
    }

    /// Implied condition: true if `cond` is one of the path's conjuncts, all of them, or constantly true.
    pub fn implies(&self, terms: &Terms, cond: TermId) -> bool {
        terms.as_constant(cond) == Some(1) || cond == self.term || self.conjuncts.contains(&cond)
    }

    /// Excluded condition: true if the path's decisions show that `cond` does not hold: a conjunct of it is the complement of one of theirs.
    pub fn excludes(&self, terms: &mut Terms, cond: TermId) -> bool {
        let both = terms.and(self.term, cond);
        let is_contrary = |terms: &mut Terms, part: TermId| {
            let contrary = terms.not(part);
            self.conjuncts.contains(&contrary)
        };
        let parts = terms.conjuncts(cond);
        terms.as_constant(both) == Some(0) || parts.into_iter().any(|part| is_contrary(terms, part))
    }

    /// Conjunction of the path's conjuncts behind the first `shared`, which another path has, too.
    fn beyond(&self, terms: &mut Terms, shared: usize) -> TermId {
        let mut term = terms.tru();
        for &conjunct in &self.conjuncts[shared..] {
            term = terms.and(term, conjunct);
        }
        term
    }

    /// The path that is taken if either is, and the condition (given that one is) for it to be `self`.
    pub fn join(&self, terms: &mut Terms, other: &Path) -> (Path, TermId) {
        let shared = self
            .conjuncts
            .iter()
            .zip(&other.conjuncts)
            .take_while(|(a, b)| a == b)
            .count();
        let mine = self.beyond(terms, shared);
        let theirs = other.beyond(terms, shared);
        let mut joined = Path {
            conjuncts: self.conjuncts[..shared].to_vec(),
            terms: self.terms[..shared].to_vec(),
            term: self.up_to(shared, terms),
        };
        let not_theirs = terms.not(theirs);
        if mine != not_theirs {
            let either = terms.or(mine, theirs);
            if terms.as_constant(either) != Some(1) {
                joined.term = terms.and(joined.term, either);
                joined.conjuncts.push(either);
                joined.terms.push(joined.term);
            }
        }
        (joined, mine)
    }
}
