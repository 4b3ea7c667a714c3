//! Evaluation of terms over ranges of their variables, on one level after the other.
//!
//! A level asks for some terms of the cone, and few variables differ from one level to the next: so a term is evaluated
//! when somebody asks for it, at most once on a level, and again only if an operand has changed.

use crate::base::id::Id;
use crate::term::range::Domain;
use crate::term::{Fact, TermId, Terms};

/// Values of the terms of a cone.
pub struct Evaluation<'a, V> {
    terms: &'a Terms,
    /// The cone, operands first.
    cone: Vec<TermId>,
    /// By term: its place in the cone; [`OUTSIDE`] for others than those of the cone.
    places: Vec<u32>,
    /// By place in the cone: the value.
    values: Vec<V>,
    /// By place: the level that asked for the value last, 0 for none.
    asked: Vec<u32>,
    /// By place: the level that changed the value last.
    changed: Vec<u32>,
    /// The level, from 1.
    level: u32,
    /// Terms that were asked for, each once on a level.
    pub count: usize,
    /// Terms that wait for their operands; empty but within [`Evaluation::value`].
    waiting: Vec<TermId>,
}

/// Place of a term that is not in the cone.
const OUTSIDE: u32 = u32::MAX;

impl<'a, V: Domain> Evaluation<'a, V> {
    /// Nothing is evaluated yet.
    pub(super) fn new(terms: &'a Terms, roots: &[TermId]) -> Evaluation<'a, V> {
        let cone = terms.cone(roots);
        let mut places = vec![OUTSIDE; terms.len()];
        for (place, term) in cone.iter().enumerate() {
            places[term.index()] = place as u32;
        }
        let size = cone.len();
        Evaluation {
            terms,
            cone,
            places,
            values: vec![V::of(Fact::top(1), 1); size],
            asked: vec![0; size],
            changed: vec![0; size],
            level: 1,
            count: 0,
            waiting: Vec::new(),
        }
    }

    /// Number of terms in the cone.
    pub fn size(&self) -> usize {
        self.cone.len()
    }

    /// Another level: of variables, only what their terms say is known.
    pub(super) fn begin(&mut self) {
        self.level += 1;
    }

    /// True if something in the cone depends on a term.
    pub(super) fn contains(&self, t: TermId) -> bool {
        self.places[t.index()] != OUTSIDE
    }

    /// Lets a term of the cone have a value on this level.
    pub(super) fn set(&mut self, t: TermId, value: V) {
        self.set_at(self.place(t), value);
    }

    fn set_at(&mut self, place: usize, value: V) {
        if self.asked[place] == 0 || self.values[place] != value {
            (self.values[place], self.changed[place]) = (value, self.level);
        }
        self.asked[place] = self.level;
    }

    /// Asks for all terms of the cone at once, which costs less than one after the other where most are asked for. No
    /// variable gets a value on this level after that.
    pub(super) fn sweep(&mut self) {
        for place in 0..self.cone.len() {
            let last = self.asked[place];
            if last == self.level {
                continue;
            }
            let t = self.cone[place];
            let mut operands = self.terms.children(t);
            if last == 0
                || self.terms.var_of(t).is_some()
                || operands.any(|child| self.changed[self.place(child)] >= last)
            {
                self.evaluate(t, place);
            }
            self.asked[place] = self.level;
            self.count += 1;
        }
    }

    /// The value of a term of the cone on this level.
    pub fn value(&mut self, t: TermId) -> V {
        let wanted = self.place(t);
        if self.asked[wanted] != self.level {
            self.waiting.push(t);
            while let Some(&top) = self.waiting.last() {
                self.visit(top);
            }
        }
        self.values[wanted]
    }

    /// Evaluates the term that waits last, or lets operands of it wait that were not asked for on this level.
    fn visit(&mut self, top: TermId) {
        let place = self.place(top);
        let last = self.asked[place];
        if last == self.level {
            self.waiting.pop();
            return;
        }
        let ready = self.waiting.len();
        let mut stale = last == 0 || self.terms.var_of(top).is_some();
        for child in self.terms.children(top) {
            let operand = self.places[child.index()] as usize;
            if self.asked[operand] != self.level {
                self.waiting.push(child);
            }
            // On the level where both were asked for, the operand may have changed after that.
            stale |= self.changed[operand] >= last;
        }
        if self.waiting.len() > ready {
            return;
        }
        if stale {
            self.evaluate(top, place);
        }
        self.asked[place] = self.level;
        self.count += 1;
        self.waiting.pop();
    }

    fn evaluate(&mut self, t: TermId, place: usize) {
        let operand = |t: TermId| self.values[self.place(t)];
        self.set_at(place, V::of_term(self.terms, t, operand));
    }

    fn place(&self, t: TermId) -> usize {
        self.places[t.index()] as usize
    }
}
