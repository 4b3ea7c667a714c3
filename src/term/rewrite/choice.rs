//! `ite(condition, then, otherwise)`.

use super::{Node, Op, TermId, Terms};
use crate::term::word::{length, mask};

impl Terms {
    /// `a` if the condition holds, otherwise `b`.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        assert_eq!(self.bits(c), 1, "a condition has one bit");
        // match:  ite(true, x, y), ite(false, x, y), ite(c, x, x)
        // result: x, y, x
        if a == b || c == self.tru() {
            return a;
        }
        if c == self.fals() {
            return b;
        }
        // match:  ite(!c, x, y)
        // result: ite(c, y, x)
        if let Node::Not(inner) = self.node(c) {
            return self.ite(inner, b, a);
        }
        if bits == 1
            && let Some(result) = self.ite_condition(c, a, b)
        {
            return result;
        }
        if let Some(result) = self.ite_nested(c, a, b) {
            return result;
        }
        // match:  ite(x = y, x, y)
        // result: y
        if let Node::Binary(Op::Eq, x, y) = self.node(c)
            && ((x, y) == (a, b) || (y, x) == (a, b))
        {
            return b;
        }
        if bits > 1
            && self.may_descend()
            && let Some(result) = self.descend(1, |terms| terms.ite_factor(c, a, b))
        {
            return result;
        }
        self.make(Op::Ite, bits, [c.0, a.0, b.0])
    }

    fn ite_condition(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let (fals, tru) = (self.fals(), self.tru());
        // match:  ite(c, true, y), ite(c, c, y)
        // result: c | y
        if a == tru || a == c {
            return Some(self.or(c, b));
        }
        // match:  ite(c, false, y), ite(c, !c, y)
        // result: !c & y
        if a == fals || self.are_complements(a, c) {
            let not_c = self.not(c);
            return Some(self.and(not_c, b));
        }
        // match:  ite(c, x, true), ite(c, x, !c)
        // result: !c | x
        if b == tru || self.are_complements(b, c) {
            return Some(self.implies(c, a));
        }
        // match:  ite(c, x, false), ite(c, x, c)
        // result: c & x
        if b == fals || b == c {
            return Some(self.and(c, a));
        }
        // match:  ite(c, x, !x)
        // result: !(c ^ x)
        if self.are_complements(a, b) {
            let differ = self.xor(c, a);
            return Some(self.not(differ));
        }
        // match:  ite(c, !x, y)
        // result: !ite(c, x, !y)
        if let Node::Not(x) = self.node(a) {
            let not_b = self.not(b);
            let result = self.ite(c, x, not_b);
            return Some(self.not(result));
        }
        None
    }

    fn ite_nested(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Node::Ite(d, x, y) = self.node(a) {
            // match:  ite(c, ite(c, x, y), z)
            // result: ite(c, x, z)
            if d == c {
                return Some(self.ite(c, x, b));
            }
            // match:  ite(c, ite(d, x, z), z)
            // result: ite(c & d, x, z)
            if y == b {
                let both = self.and(c, d);
                return Some(self.ite(both, x, b));
            }
            // match:  ite(c, ite(d, z, y), z)
            // result: ite(c & !d, y, z)
            if x == b {
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                return Some(self.ite(both, y, b));
            }
        }
        if let Node::Ite(d, x, y) = self.node(b) {
            // match:  ite(c, z, ite(c, x, y))
            // result: ite(c, z, y)
            if d == c {
                return Some(self.ite(c, a, y));
            }
            // match:  ite(c, z, ite(d, z, y))
            // result: ite(c | d, z, y)
            if x == a {
                let any = self.or(c, d);
                return Some(self.ite(any, a, y));
            }
            // match:  ite(c, z, ite(d, x, z))
            // result: ite(!c & d, x, z)
            if y == a {
                let not_c = self.not(c);
                let both = self.and(not_c, d);
                return Some(self.ite(both, x, a));
            }
        }
        None
    }

    /// Rules that take what both branches have in common out of the choice.
    fn ite_factor(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        if self.leaves(a) > 0 && self.leaves(b) > 0 {
            return None;
        }
        // match:  ite(c, x + j, x + k), j and k constants, one of them possibly absent
        // result: x + ite(c, j, k)
        let ((x, j), (y, k)) = (self.split_sum(a), self.split_sum(b));
        if x == y && j != k {
            let (j, k) = (self.constant(j, bits), self.constant(k, bits));
            let step = self.ite(c, j, k);
            return Some(self.add(x, step));
        }
        // match:  ite(c, x, y), both extensions by zeros (or one, and a constant)
        // result: the extension of the choice between what is extended
        let inner = |terms: &Terms, t: TermId| match terms.node(t) {
            Node::ZeroExtend(inner) => Some(terms.bits(inner)),
            Node::Constant(value) => Some(length(value)),
            _ => None,
        };
        if let (Some(m), Some(n)) = (inner(self, a), inner(self, b)) {
            let width = m.max(n);
            if width < bits {
                let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
                let choice = self.ite(c, a, b);
                return Some(self.zero_extend(choice, bits));
            }
        }
        // match:  ite(c, concat(h, x), concat(h, y)), ite(c, concat(x, l), concat(y, l)),
        //         one of them possibly a constant
        // result: concat(h, ite(c, x, y)), concat(ite(c, x, y), l)
        let width = match (self.node(a), self.node(b)) {
            (Node::Concat(_, low), Node::Concat(_, other))
                if self.bits(low) == self.bits(other) =>
            {
                self.bits(low)
            }
            (Node::Concat(_, low), Node::Constant(_))
            | (Node::Constant(_), Node::Concat(_, low)) => self.bits(low),
            _ => return None,
        };
        let (ha, hb) = (
            self.extract(a, width, bits - width),
            self.extract(b, width, bits - width),
        );
        let (la, lb) = (self.extract(a, 0, width), self.extract(b, 0, width));
        if ha != hb && la != lb {
            return None;
        }
        let (high, low) = (self.ite(c, ha, hb), self.ite(c, la, lb));
        Some(self.concat(high, low))
    }

    /// The term as a sum with a constant, which may be 0.
    pub(super) fn split_sum(&self, t: TermId) -> (TermId, u128) {
        if let Node::Binary(Op::Add, x, k) = self.node(t)
            && let Some(k) = self.as_constant(k)
        {
            return (x, k & mask(self.bits(t)));
        }
        (t, 0)
    }
}
