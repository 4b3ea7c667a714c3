//! Complement, conjunction, disjunction, exclusive or, of conditions and of words.

use super::{LEAVES, Node, Op, TermId, Terms};
use crate::term::Fact;
use crate::term::word::mask;

/// Most runs of equal bits for which a constant mask is turned into slices.
const RUNS: usize = 5;

impl Terms {
    /// The complement of a condition or of every bit of a word.
    pub fn not(&mut self, a: TermId) -> TermId {
        let bits = self.bits(a);
        match self.node(a) {
            Node::Constant(value) => self.constant(!value, bits),
            // match:  !!x
            // result: x
            Node::Not(inner) => inner,
            // match:  !(x ^ k)
            // result: x ^ !k
            Node::Binary(Op::Xor, x, k) if self.as_constant(k).is_some() => {
                let k = self.not(k);
                self.xor(x, k)
            }
            // match:  !tree of constants
            // result: the tree of complements
            Node::Ite(..) if self.is_tree(a, LEAVES) => {
                self.map_leaves(a, &mut |terms, value| terms.constant(!value, bits))
            }
            _ => self.make_unary(Op::Not, bits, a),
        }
    }

    /// Conjunction, bit by bit.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.fold(Op::And, a, b, LEAVES) {
            return result;
        }
        // match:  x & 0, x & ones
        // result: 0, x
        if let Some(k) = self.as_constant(b) {
            return match k {
                0 => b,
                k if k == mask(bits) => a,
                k => self.and_constant(a, b, k),
            };
        }
        if a == b {
            return a;
        }
        self.recently(Op::And, [a, b], |terms| terms.and_terms(a, b))
    }

    /// Conjunction of two terms that are no constants.
    fn and_terms(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if let Some(result) = self.and_chain(a, b) {
            return result;
        }
        // match:  c & ite(c, x, y), !c & ite(c, x, y)
        // result: c & x, !c & y
        for (condition, choice) in [(a, b), (b, a)] {
            if bits == 1
                && let Node::Ite(c, x, y) = self.node(choice)
            {
                if c == condition {
                    return self.and(c, x);
                }
                if self.are_complements(c, condition) {
                    return self.and(condition, y);
                }
            }
        }
        self.make_binary(Op::And, bits, a, b)
    }

    fn and_constant(&mut self, a: TermId, constant: TermId, k: u128) -> TermId {
        let bits = self.bits(a);
        let possible = !self.fact(a).zeros & mask(bits);
        // match:  x & k, k one wherever x may be one
        // result: x
        if possible & !k == 0 {
            return a;
        }
        // match:  (x & j) & k
        // result: x & (j & k)
        if let Node::Binary(Op::And, x, j) = self.node(a)
            && let Some(j) = self.as_constant(j)
        {
            let both = self.constant(j & k, bits);
            return self.and(x, both);
        }
        // match:  x & k, k of few runs
        // result: the concatenation of slices of x and zeros
        self.slices(a, k & possible, 0)
            .unwrap_or_else(|| self.make_binary(Op::And, bits, a, constant))
    }

    /// `a` where `keep` is one and the constant `fill` (0 or ones) elsewhere, as a concatenation, if `keep`
    /// has few runs.
    fn slices(&mut self, a: TermId, keep: u128, fill: u128) -> Option<TermId> {
        let bits = self.bits(a);
        let mut runs = Vec::with_capacity(RUNS);
        let mut lo = 0;
        while lo < bits {
            let rest = keep >> lo;
            let kept = rest & 1 != 0;
            let run = if kept {
                rest.trailing_ones()
            } else {
                rest.trailing_zeros()
            };
            let run = (run as u16).min(bits - lo);
            if runs.len() == RUNS {
                return None;
            }
            runs.push((kept, lo, run));
            lo += run;
        }
        let mut result = None;
        for (kept, lo, run) in runs {
            let part = if kept {
                self.extract(a, lo, run)
            } else {
                self.constant(fill, run)
            };
            result = Some(match result {
                None => part,
                Some(low) => self.concat(part, low),
            });
        }
        result
    }

    /// Disjunction, bit by bit.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        let (a, b) = self.ordered(a, b);
        if bits > 1 {
            match self.as_constant(b) {
                Some(0) => return a,
                // match:  x | k, k of few runs
                // result: the concatenation of slices of x and ones
                Some(k) if self.as_constant(a).is_none() && !self.is_tree(a, LEAVES) => {
                    if let Some(result) = self.slices(a, !k & mask(bits), u128::MAX) {
                        return result;
                    }
                }
                _ => {}
            }
            if let Some(result) = self.join(a, b) {
                return result;
            }
        }
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// match:  x | y or x + y, where x has only bits below some place and y only bits from there on
    /// result: the slice of y above the slice of x
    pub(super) fn join(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        let (fa, fb) = (self.fact(a), self.fact(b));
        for (low, high, low_fact, high_fact) in [(a, b, fa, fb), (b, a, fb, fa)] {
            let place = (!high_fact.zeros & mask(bits)).trailing_zeros() as u16;
            if place > 0 && place < bits && low_fact.hi >> place == 0 {
                let high = self.extract(high, place, bits - place);
                let low = self.extract(low, 0, place);
                return Some(self.concat(high, low));
            }
        }
        None
    }

    /// Exclusive or, bit by bit.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.fold(Op::Xor, a, b, LEAVES) {
            return result;
        }
        // match:  x ^ x
        // result: 0
        if a == b {
            return self.constant(0, bits);
        }
        if let Some(k) = self.as_constant(b) {
            // match:  x ^ 0, x ^ ones
            // result: x, !x
            if k == 0 {
                return a;
            }
            if k == mask(bits) {
                return self.not(a);
            }
            match self.node(a) {
                // match:  (x ^ j) ^ k
                // result: x ^ (j ^ k)
                Node::Binary(Op::Xor, x, j) if self.as_constant(j).is_some() => {
                    let both = self.xor(j, b);
                    return self.xor(x, both);
                }
                // match:  !x ^ k
                // result: x ^ !k
                Node::Not(x) => {
                    let k = self.not(b);
                    return self.xor(x, k);
                }
                _ => return self.make_binary(Op::Xor, bits, a, b),
            }
        }
        // match:  !x ^ y
        // result: !(x ^ y)
        if let Node::Not(x) = self.node(a) {
            let result = self.xor(x, b);
            return self.not(result);
        }
        if let Node::Not(y) = self.node(b) {
            let result = self.xor(a, y);
            return self.not(result);
        }
        // match:  (x ^ y) ^ y
        // result: x
        for (whole, part) in [(a, b), (b, a)] {
            if let Node::Binary(Op::Xor, x, y) = self.node(whole) {
                if x == part {
                    return y;
                }
                if y == part {
                    return x;
                }
                // match:  (x ^ k) ^ y
                // result: (x ^ y) ^ k
                if self.as_constant(y).is_some() {
                    let inner = self.xor(x, part);
                    return self.xor(inner, y);
                }
            }
        }
        if bits > 1
            && let Some(result) = self.join(a, b)
        {
            return result;
        }
        self.make_binary(Op::Xor, bits, a, b)
    }

    /// A word with the bits that a fact knows as it says.
    pub fn with_known(&mut self, word: TermId, fact: &Fact) -> TermId {
        let bits = self.bits(word);
        let may = self.constant(!fact.zeros & mask(bits), bits);
        let ones = self.constant(fact.ones, bits);
        let word = self.and(word, may);
        self.or(word, ones)
    }

    /// `!a | b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let counter = self.and(a, not_b);
        self.not(counter)
    }

    /// Conjunction of conditions; true of none. The same set in any order gives the same term.
    pub fn and_all(&mut self, conditions: &[TermId]) -> TermId {
        let mut sorted = conditions.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        // A chain in the order of ids: sets with a common beginning share it.
        sorted
            .into_iter()
            .fold(self.tru(), |all, condition| self.and(all, condition))
    }

    /// Disjunction of conditions; false of none. The same set in any order gives the same term.
    pub fn or_all(&mut self, conditions: &[TermId]) -> TermId {
        let mut sorted = conditions.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut none = self.tru();
        for condition in sorted {
            let not = self.not(condition);
            none = self.and(none, not);
        }
        self.not(none)
    }
}
