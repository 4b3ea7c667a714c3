//! State of symbolic execution at one point of one path, and how two paths become one.

use super::memory::Memory;
use crate::event::SectionId;
use crate::term::{TermId, Terms};
use std::rc::Rc;

/// The condition under which a path is taken: conjuncts in the order they were met.
#[derive(Clone, Debug)]
pub struct Path {
    conjuncts: Vec<TermId>,
    term: TermId,
}

impl Path {
    /// The path that is always taken.
    pub fn always(terms: &Terms) -> Path {
        Path {
            conjuncts: Vec::new(),
            term: terms.tru(),
        }
    }

    /// The conjunction.
    pub fn term(&self) -> TermId {
        self.term
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
    }

    /// The conjunction without the last decision.
    pub fn before_last(&self, terms: &mut Terms) -> TermId {
        let mut term = terms.tru();
        for &conjunct in self.conjuncts.iter().rev().skip(1).rev() {
            term = terms.and(term, conjunct);
        }
        term
    }

    /// Dead path: true if its condition is the constant false.
    pub fn is_dead(&self, terms: &Terms) -> bool {
        terms.as_constant(self.term) == Some(0)
    }

    /// Implied condition: true if `cond` is one of the path's conjuncts, all of them, or constantly true.
    pub fn implies(&self, terms: &Terms, cond: TermId) -> bool {
        terms.as_constant(cond) == Some(1) || cond == self.term || self.conjuncts.contains(&cond)
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
        let mut joined = Path::always(terms);
        for &conjunct in &self.conjuncts[..shared] {
            joined.conjuncts.push(conjunct);
            joined.term = terms.and(joined.term, conjunct);
        }
        let not_theirs = terms.not(theirs);
        if mine != not_theirs {
            let either = terms.or(mine, theirs);
            if terms.as_constant(either) != Some(1) {
                joined.conjuncts.push(either);
                joined.term = terms.and(joined.term, either);
            }
        }
        (joined, mine)
    }
}

/// Addresses that have been accessed on every way to a place, so that each is inside an object there: the newest of them.
#[derive(Clone, Default)]
pub struct Accessed(Rc<Vec<TermId>>);

impl Accessed {
    /// Most addresses that are remembered.
    const MOST: usize = 32;

    /// Adds an address.
    pub fn add(&mut self, addr: TermId) {
        if self.has(addr) {
            return;
        }
        let all = Rc::make_mut(&mut self.0);
        if all.len() == Self::MOST {
            all.remove(0);
        }
        all.push(addr);
    }

    /// Membership: true if an address is one of them.
    pub fn has(&self, addr: TermId) -> bool {
        self.0.contains(&addr)
    }

    /// Those that have been accessed on two ways.
    pub fn common(&self, other: &Accessed) -> Accessed {
        if Rc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        let both = self.0.iter().filter(|addr| other.has(**addr));
        Accessed(Rc::new(both.copied().collect()))
    }
}

/// A path's state within one activation of a function.
#[derive(Clone)]
pub struct State {
    pub path: Path,
    /// Values of registers; `None` where dead or never set.
    pub regs: Vec<Option<TermId>>,
    pub memory: Memory,
    /// Set if another thread may be running.
    pub concurrent: bool,
    /// The atomic section that the path is in, and how deeply nested.
    pub section: Option<(SectionId, u32)>,
    /// Atomic sections that may have ended on the way here, ascending.
    pub ended: Rc<Vec<SectionId>>,
    /// The section has not drained the thread's store buffers (yet).
    pub undrained: bool,
    pub accessed: Accessed,
}

impl State {
    /// State outside of any function, beside other threads, on a path that is always taken.
    pub fn outside(terms: &Terms) -> State {
        State {
            path: Path::always(terms),
            regs: Vec::new(),
            memory: Memory::default(),
            concurrent: true,
            section: None,
            ended: Rc::default(),
            undrained: false,
            accessed: Accessed::default(),
        }
    }
}
