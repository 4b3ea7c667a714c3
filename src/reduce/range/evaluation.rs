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
    /// By term: its place among the values; [`OUTSIDE`] for others than those of the cone.
    places: Vec<u32>,
    values: Vec<Evaluated<V>>,
    /// The level, from 1.
    level: u32,
    /// Terms that were asked for, each once on a level.
    pub count: usize,
    /// Terms that wait for their operands; empty but within [`Evaluation::value`].
    waiting: Vec<TermId>,
}

/// Place of a term that is not in the cone.
const OUTSIDE: u32 = u32::MAX;

/// The value of a term, with the levels that it was asked for and that changed it last.
#[derive(Clone, Copy)]
struct Evaluated<V> {
    value: V,
    asked: u32,
    changed: u32,
}

impl<'a, V: Domain> Evaluation<'a, V> {
    /// Nothing is evaluated yet.
    pub(super) fn new(terms: &'a Terms, roots: &[TermId]) -> Evaluation<'a, V> {
        let cone = terms.cone(roots);
        let mut places = vec![OUTSIDE; terms.len()];
        for (place, term) in cone.iter().enumerate() {
            places[term.index()] = place as u32;
        }
        let none = Evaluated {
            value: V::of(Fact::top(1), 1),
            asked: 0,
            changed: 0,
        };
        Evaluation {
            terms,
            places,
            values: vec![none; cone.len()],
            level: 1,
            count: 0,
            waiting: Vec::new(),
        }
    }

    /// Number of terms in the cone.
    pub fn size(&self) -> usize {
        self.values.len()
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
        let place = self.place(t);
        let known = &mut self.values[place];
        if known.asked == 0 || known.value != value {
            (known.value, known.changed) = (value, self.level);
        }
        known.asked = self.level;
    }

    /// The value of a term of the cone on this level.
    pub fn value(&mut self, t: TermId) -> V {
        let wanted = self.place(t);
        if self.values[wanted].asked != self.level {
            self.waiting.push(t);
            while let Some(&top) = self.waiting.last() {
                self.visit(top);
            }
        }
        self.values[wanted].value
    }

    /// Evaluates the term that waits last, or lets operands of it wait that were not asked for on this level.
    fn visit(&mut self, top: TermId) {
        let place = self.place(top);
        let last = self.values[place].asked;
        if last == self.level {
            self.waiting.pop();
            return;
        }
        let ready = self.waiting.len();
        let mut stale = last == 0 || self.terms.var_of(top).is_some();
        for child in self.terms.children(top) {
            let operand = &self.values[self.places[child.index()] as usize];
            if operand.asked != self.level {
                self.waiting.push(child);
            }
            // On the level where both were asked for, the operand may have changed after that.
            stale |= operand.changed >= last;
        }
        if self.waiting.len() > ready {
            return;
        }
        if stale {
            let operand = |t: TermId| self.values[self.place(t)].value;
            self.set(top, V::of_term(self.terms, top, operand));
        }
        self.values[place].asked = self.level;
        self.count += 1;
        self.waiting.pop();
    }

    fn place(&self, t: TermId) -> usize {
        self.places[t.index()] as usize
    }
}
