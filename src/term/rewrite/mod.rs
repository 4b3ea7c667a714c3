//! Rewriting on construction. One file per family of operators; every rule says what it matches and what
//! the result is.
//!
//! Conventions: an operand that is a constant stands on the right of a commutative operator, otherwise the
//! smaller id stands on the left. `≤`, disjunction and signed division have no nodes of their own. A
//! condition that is extended to a word is a choice between two constants.
//!
//! Four means keep rules cheap:
//! * a tree of choices between at most [`LEAVES`] constants is mapped leaf by leaf;
//! * other rules that build on operands of operands count how deep they are ([`Terms::descend`]), and a rule
//!   that does so in two operands counts as several levels, so that a shared cone is not walked path by path;
//! * rules about conjunctions look at a few links, and ask a set of parts about what is below them;
//! * everything else looks at operands and their operands only.

mod arithmetic;
mod bitwise;
mod chain;
mod choice;
mod compare;
mod shift;
mod slice;
#[cfg(test)]
mod test;

use super::word::{length, mask};
use super::{Node, Op, TermId, Terms};

/// Leaves of a constant tree that comparisons and slices are still pushed into.
const LEAVES: u16 = 64;
/// The same for arithmetic, which makes a second tree beside the first.
const ARITHMETIC_LEAVES: u16 = 16;
/// Greatest depth to which rules descend, in levels.
const DEPTH: u32 = 24;
/// Levels that a rule counts for that descends into two operands.
const FORK: u32 = 8;

impl Terms {
    /// Bound on the depth: true if a rule that builds on operands of operands may still be applied.
    fn may_descend(&mut self) -> bool {
        let may = self.depth < DEPTH;
        self.refusals += u64::from(!may);
        may
    }

    /// The result of a rewrite of two operands, or what it was before. Only what no bound on the depth cut short is kept.
    fn recently(
        &mut self,
        op: Op,
        operands: [TermId; 2],
        rewrite: impl FnOnce(&mut Terms) -> TermId,
    ) -> TermId {
        let terms = self.len();
        self.recent.grow(terms);
        if let Some(known) = self.recent.get(op, operands) {
            return known;
        }
        let refusals = self.refusals;
        let result = rewrite(self);
        if self.refusals == refusals {
            self.recent.keep(op, operands, result);
        }
        result
    }

    /// Runs a rule that counts as `levels`.
    fn descend<R>(&mut self, levels: u32, rule: impl FnOnce(&mut Terms) -> R) -> R {
        self.depth += levels;
        let result = rule(self);
        self.depth -= levels;
        result
    }

    /// Operands of a commutative operator in their order.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |t: TermId| (self.op(t) == Op::Constant, t);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    fn same_bits(&self, a: TermId, b: TermId) -> u16 {
        let bits = self.bits(a);
        assert_eq!(bits, self.bits(b), "operands of one width");
        bits
    }

    /// Constant tree: true if the term is a small tree of choices between constants, but not a constant.
    fn is_tree(&self, t: TermId, limit: u16) -> bool {
        (2..=limit).contains(&self.leaves(t))
    }

    /// The constant tree with every leaf replaced.
    fn map_leaves(
        &mut self,
        tree: TermId,
        leaf: &mut dyn FnMut(&mut Terms, u128) -> TermId,
    ) -> TermId {
        match self.node(tree) {
            Node::Ite(c, a, b) => {
                let a = self.map_leaves(a, leaf);
                let b = self.map_leaves(b, leaf);
                self.ite(c, a, b)
            }
            Node::Constant(value) => leaf(self, value),
            node => unreachable!("a constant tree has no {node:?}"),
        }
    }

    /// Complements: true if one is stored as the complement of the other.
    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        let not = |x: TermId, y: TermId| matches!(self.node(x), Node::Not(inner) if inner == y);
        // The complement has the greater id.
        if a > b { not(a, b) } else { not(b, a) }
    }

    /// A number of bits from whose sign extension the term results; its width if nothing is known.
    fn signed_length(&self, t: TermId) -> u16 {
        let bits = self.bits(t);
        let fact = self.fact(t);
        let known = (length(fact.hi) + 1)
            .min(length(!fact.lo & mask(bits)) + 1)
            .min(bits);
        match self.node(t) {
            Node::SignExtend(inner) => self.bits(inner).min(known),
            _ => known,
        }
    }

    /// The common frame of wrapping operators: folds constants and maps small constant trees.
    fn fold(&mut self, op: Op, a: TermId, b: TermId, limit: u16) -> Option<TermId> {
        let bits = self.same_bits(a, b);
        let result_bits = if matches!(op, Op::Eq | Op::ULt | Op::SLt) {
            1
        } else {
            bits
        };
        let apply = |x, y| super::word::binary(op, bits, x, y).expect("a binary operator");
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => Some(self.constant(apply(x, y), result_bits)),
            // match:  op(tree of constants, k)
            // result: the tree with op(leaf, k) as leaves
            (None, Some(y)) if self.is_tree(a, limit) => {
                Some(self.map_leaves(a, &mut |terms, x| terms.constant(apply(x, y), result_bits)))
            }
            (Some(x), None) if self.is_tree(b, limit) => {
                Some(self.map_leaves(b, &mut |terms, y| terms.constant(apply(x, y), result_bits)))
            }
            _ => None,
        }
    }
}
