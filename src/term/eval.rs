//! The value of a term under an assignment of its variables.

use super::{Node, TermId, Terms, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Evaluates many terms under one assignment; every node is evaluated once.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a dyn Fn(VarId) -> u128,
    values: HashMap<TermId, u128, FxBuildHasher>,
    stack: Vec<TermId>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for one assignment. A variable's value is cut to its width.
    pub fn new(terms: &'a Terms, assignment: &'a dyn Fn(VarId) -> u128) -> Self {
        Evaluator {
            terms,
            assignment,
            values: HashMap::default(),
            stack: Vec::new(),
        }
    }

    /// Value of the term; bits above its width are zero. Linear in the part of its cone not seen before.
    pub fn value(&mut self, t: TermId) -> u128 {
        self.stack.push(t);
        while let Some(&top) = self.stack.last() {
            if self.values.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let value = match self.terms.node(top) {
                Node::Constant(value) => Some(value),
                Node::Variable(var) => {
                    Some((self.assignment)(var) & super::word::mask(self.terms.bits(top)))
                }
                _ => self.apply(top),
            };
            if let Some(value) = value {
                self.values.insert(top, value);
                self.stack.pop();
            }
        }
        self.values[&t]
    }

    /// Truth of a condition: true if it holds.
    pub fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    /// Value of an inner node if its operands have theirs, otherwise `None` with those pushed.
    fn apply(&mut self, t: TermId) -> Option<u128> {
        let mut values = [0; 3];
        let mut missing = false;
        for (i, child) in self.terms.children(t).enumerate() {
            match self.values.get(&child) {
                Some(&value) => values[i] = value,
                None => {
                    self.stack.push(child);
                    missing = true;
                }
            }
        }
        (!missing).then(|| self.terms.apply(t, values))
    }
}

impl Terms {
    /// Value of a term under an assignment; bits above its width are zero. For many terms under one
    /// assignment use an [`Evaluator`].
    pub fn eval(&self, t: TermId, assignment: &dyn Fn(VarId) -> u128) -> u128 {
        Evaluator::new(self, assignment).value(t)
    }
}
