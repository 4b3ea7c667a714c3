//! Equality and order.

use super::{LEAVES, Node, Op, TermId, Terms};
use crate::term::word::{length, mask, sign_bit, signed};

/// Most leaves of two constant trees, multiplied, that are compared leaf by leaf.
const PAIRS: u32 = 64;

impl Terms {
    /// Equality.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        // match:  x = x
        // result: true
        if a == b {
            return self.tru();
        }
        // match:  c = d, conditions
        // result: !(c ^ d)
        if bits == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        let (a, b) = self.ordered(a, b);
        if self.op(a) == Op::Constant {
            return self.eq_words(a, b);
        }
        self.recently(Op::Eq, [a, b], |terms| terms.eq_words(a, b))
    }

    fn eq_words(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(result) = self.fold(Op::Eq, a, b, LEAVES) {
            return result;
        }
        // match:  x = y, excluded by what is known
        // result: false
        if self.fact(a).excludes(&self.fact(b)) {
            return self.fals();
        }
        let shorter = match self.as_constant(b) {
            Some(k) => self.eq_constant(a, k),
            None => self.eq_terms(a, b),
        };
        if let Some(result) = shorter.or_else(|| self.compare_narrow(Op::Eq, a, b)) {
            return result;
        }
        if let Some(result) = self.compare_choice(Op::Eq, a, b) {
            return result;
        }
        self.make_binary(Op::Eq, 1, a, b)
    }

    fn eq_constant(&mut self, a: TermId, k: u128) -> Option<TermId> {
        let bits = self.bits(a);
        match self.node(a) {
            // match:  !x = k
            // result: x = !k
            Node::Not(x) => {
                let k = self.constant(!k, bits);
                Some(self.eq(x, k))
            }
            // match:  x + j = k
            // result: x = k - j
            Node::Binary(Op::Add, x, j) => {
                let j = self.as_constant(j)?;
                let k = self.constant(k.wrapping_sub(j), bits);
                Some(self.eq(x, k))
            }
            Node::Binary(Op::Sub, x, y) => {
                // match:  j - y = k
                // result: y = j - k
                if let Some(j) = self.as_constant(x) {
                    let k = self.constant(j.wrapping_sub(k), bits);
                    return Some(self.eq(y, k));
                }
                // match:  x - y = 0
                // result: x = y
                (k == 0).then(|| self.eq(x, y))
            }
            Node::Binary(Op::Xor, x, y) => {
                // match:  x ^ j = k
                // result: x = j ^ k
                if let Some(j) = self.as_constant(y) {
                    let k = self.constant(j ^ k, bits);
                    return Some(self.eq(x, k));
                }
                // match:  x ^ y = 0
                // result: x = y
                (k == 0).then(|| self.eq(x, y))
            }
            // match:  concat(h, l) = k
            // result: h = upper part of k & l = lower part of k
            Node::Concat(high, low) => {
                let place = self.bits(low);
                let (kh, kl) = (
                    self.constant(k >> place, bits - place),
                    self.constant(k, place),
                );
                let high = self.eq(high, kh);
                let low = self.eq(low, kl);
                Some(self.and(high, low))
            }
            _ => None,
        }
    }

    fn eq_terms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        // match:  x = !x
        // result: false
        if self.are_complements(a, b) {
            return Some(self.fals());
        }
        // match:  x + j = x + k
        // result: j = k
        let ((x, j), (y, k)) = (self.split_sum(a), self.split_sum(b));
        if x == y {
            return Some(self.condition(j == k));
        }
        // match:  x + k = y + k
        // result: x = y
        if j == k && j != 0 {
            return Some(self.eq(x, y));
        }
        for (x, y) in [(a, b), (b, a)] {
            let zero_if_equal = match self.node(x) {
                // match:  y + q = y, y - q = y, y ^ q = y
                // result: q = 0
                Node::Binary(Op::Add | Op::Xor, p, q) if p == y => Some(q),
                Node::Binary(Op::Add | Op::Xor, p, q) if q == y => Some(p),
                Node::Binary(Op::Sub, p, q) if p == y => Some(q),
                _ => None,
            };
            if let Some(q) = zero_if_equal {
                let zero = self.constant(0, bits);
                return Some(self.eq(q, zero));
            }
        }
        match (self.node(a), self.node(b)) {
            // match:  !x = !y
            // result: x = y
            (Node::Not(x), Node::Not(y)) => Some(self.eq(x, y)),
            // match:  concat(h, l) = concat(i, m), the parts of equal widths
            // result: h = i & l = m
            (Node::Concat(h, l), Node::Concat(i, m)) if self.bits(l) == self.bits(m) => {
                let high = self.eq(h, i);
                let low = self.eq(l, m);
                Some(self.and(high, low))
            }
            // match:  x + y = x + z, and all orders
            // result: y = z
            (Node::Binary(Op::Add, p, q), Node::Binary(Op::Add, r, s)) => {
                let pairs = [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)];
                let (_, y, _, z) = pairs.into_iter().find(|(x, _, w, _)| x == w)?;
                Some(self.eq(y, z))
            }
            _ => None,
        }
    }

    /// match:  x op y, a comparison, both extensions of few bits (by zeros, or by signs)
    /// result: the comparison of so many low bits
    fn compare_narrow(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        // Both ways of extending keep the unsigned order, and that by signs the signed order too.
        let unsigned = match op {
            Op::SLt => bits,
            _ => length(self.fact(a).hi.max(self.fact(b).hi)),
        };
        let width = self
            .signed_length(a)
            .max(self.signed_length(b))
            .min(unsigned);
        if width >= bits || !self.may_descend() {
            return None;
        }
        Some(self.descend(1, |terms| {
            let (a, b) = (terms.extract(a, 0, width), terms.extract(b, 0, width));
            terms.compare(op, a, b)
        }))
    }

    fn compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        match op {
            Op::Eq => self.eq(a, b),
            Op::ULt => self.ult(a, b),
            _ => self.slt(a, b),
        }
    }

    /// match:  ite(c, x, y) op z, where op is decided for x or for y, or both sides are constant trees
    /// result: ite(c, x op z, y op z)
    fn compare_choice(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if !self.may_descend() {
            return None;
        }
        let pairs = u32::from(self.leaves(a)) * u32::from(self.leaves(b));
        let trees = (1..=PAIRS).contains(&pairs);
        for (choice, other, left) in [(a, b, true), (b, a, false)] {
            let Node::Ite(c, x, y) = self.node(choice) else {
                continue;
            };
            let decided = |terms: &Terms, branch: TermId| {
                let sides = if left {
                    (branch, other)
                } else {
                    (other, branch)
                };
                terms.decided(op, sides.0, sides.1)
            };
            let (dx, dy) = (decided(self, x), decided(self, y));
            if !(trees || dx.is_some() || dy.is_some()) {
                continue;
            }
            let mut side = |branch: TermId, decision: Option<bool>| match decision {
                Some(value) => self.condition(value),
                None => self.descend(1, |terms| {
                    if left {
                        terms.compare(op, branch, other)
                    } else {
                        terms.compare(op, other, branch)
                    }
                }),
            };
            let (x, y) = (side(x, dx), side(y, dy));
            return Some(self.ite(c, x, y));
        }
        None
    }

    /// The comparison's value, if it follows from facts alone.
    fn decided(&self, op: Op, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(op == Op::Eq);
        }
        let fact = super::super::Fact::binary(op, self.bits(a), &self.fact(a), &self.fact(b));
        fact.value().map(|value| value == 1)
    }

    /// `a != b`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        // match:  c < d, conditions
        // result: !c & d
        if bits == 1 {
            let not_a = self.not(a);
            return self.and(not_a, b);
        }
        if let Some(result) = self.fold(Op::ULt, a, b, LEAVES) {
            return result;
        }
        // match:  x < y, decided by ranges; x < x
        // result: the decision
        if let Some(value) = self.decided(Op::ULt, a, b) {
            return self.condition(value);
        }
        let (fa, fb) = (self.fact(a), self.fact(b));
        // match:  x < k, where only one value of x is below k
        // result: x = that value
        if fb.value().is_some_and(|k| k == fa.lo + 1) {
            let least = self.constant(fa.lo, bits);
            return self.eq(a, least);
        }
        // match:  k < x, where only one value of x is above k
        // result: x = that value
        if fa.value().is_some_and(|k| k + 1 == fb.hi) {
            let greatest = self.constant(fb.hi, bits);
            return self.eq(b, greatest);
        }
        // match:  k < x, where only one value of x is not above k; x < k, only one not below
        // result: x != that value
        if fa.value().is_some_and(|k| k == fb.lo) {
            return self.ne(a, b);
        }
        if fb.value().is_some_and(|k| k == fa.hi) {
            return self.ne(a, b);
        }
        match (self.node(a), self.node(b)) {
            // match:  !x < !y, !x < k, k < !y
            // result: y < x, !k < x, y < !k
            (Node::Not(x), Node::Not(y)) => return self.ult(y, x),
            (Node::Not(x), Node::Constant(_)) => {
                let k = self.not(b);
                return self.ult(k, x);
            }
            (Node::Constant(_), Node::Not(y)) => {
                let k = self.not(a);
                return self.ult(y, k);
            }
            // match:  concat(h, l) < concat(h, m)
            // result: l < m
            (Node::Concat(h, l), Node::Concat(i, m)) if h == i && self.bits(l) == self.bits(m) => {
                return self.ult(l, m);
            }
            _ => {}
        }
        if let Some(result) = self.compare_narrow(Op::ULt, a, b) {
            return result;
        }
        if let Some(result) = self.compare_choice(Op::ULt, a, b) {
            return result;
        }
        self.make_binary(Op::ULt, 1, a, b)
    }

    /// Unsigned `a ≤ b`.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        // match:  c < d, conditions: 1 stands for -1
        // result: c & !d
        if bits == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if let Some(result) = self.fold(Op::SLt, a, b, LEAVES) {
            return result;
        }
        if let Some(value) = self.decided(Op::SLt, a, b) {
            return self.condition(value);
        }
        // match:  x < y, the signs known and equal
        // result: the unsigned comparison
        if let (Some(x), Some(y)) = (self.fact(a).sign(bits), self.fact(b).sign(bits))
            && x == y
        {
            return self.ult(a, b);
        }
        let least = sign_bit(bits);
        match (self.as_constant(a), self.as_constant(b)) {
            // match:  x < 0, -1 < x
            // result: the sign of x, its complement
            (_, Some(0)) => return self.extract(a, bits - 1, 1),
            (Some(k), _) if k == mask(bits) => {
                let sign = self.extract(b, bits - 1, 1);
                return self.not(sign);
            }
            // match:  x < least, greatest < x; x < least + 1, greatest - 1 < x
            // result: false; x = least, x = greatest
            (_, Some(k)) if k == least => return self.fals(),
            (Some(k), _) if k == least - 1 => return self.fals(),
            (_, Some(k)) if k == least + 1 => {
                let least = self.constant(least, bits);
                return self.eq(a, least);
            }
            (Some(k), _) if k == least - 2 => {
                let greatest = self.constant(least - 1, bits);
                return self.eq(b, greatest);
            }
            // match:  least < x, x < greatest
            // result: x != least, x != greatest
            (Some(k), _) if k == least => return self.ne(a, b),
            (_, Some(k)) if k == least - 1 => return self.ne(a, b),
            _ => {}
        }
        if let Some(result) = self.slt_beyond(a, b) {
            return result;
        }
        if let Some(result) = self.compare_narrow(Op::SLt, a, b) {
            return result;
        }
        if let Some(result) = self.compare_choice(Op::SLt, a, b) {
            return result;
        }
        self.make_binary(Op::SLt, 1, a, b)
    }

    /// match:  sext(x) < k, k < sext(x), k beyond the range of x
    /// result: the decision
    fn slt_beyond(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        let (word, k, word_left) = match (self.as_constant(a), self.as_constant(b)) {
            (None, Some(k)) => (a, signed(k, bits), true),
            (Some(k), None) => (b, signed(k, bits), false),
            _ => return None,
        };
        let width = self.signed_length(word);
        let greatest = (mask(width) >> 1) as i128;
        if k > greatest {
            Some(self.condition(word_left))
        } else if k < -greatest - 1 {
            Some(self.condition(!word_left))
        } else {
            None
        }
    }

    /// Signed `a ≤ b`.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }
}
