//! Sums, differences, products, quotients and remainders.
//!
//! A sum or product whose result needs fewer bits than its width, because of what is known of its operands, is
//! computed in those bits: a counter that never exceeds 20 costs 5 bits, not 32.

use super::{ARITHMETIC_LEAVES, LEAVES, Node, Op, TermId, Terms};
use crate::term::known::Fact;
use crate::term::word::{length, mask};

impl Terms {
    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.constant(0, self.bits(a));
        self.sub(zero, a)
    }

    /// Wrapping sum.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if bits == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.fold(Op::Add, a, b, ARITHMETIC_LEAVES) {
            return result;
        }
        if let Some(k) = self.as_constant(b) {
            if let Some(result) = self.add_constant(a, k) {
                return result;
            }
        } else if let Some(result) = self.add_terms(a, b) {
            // Constants stay where they are in longer sums: moved to the outside, each partial sum of a loop
            // would cost an adder more.
            return result;
        }
        if let Some(result) = self.join(a, b) {
            return result;
        }
        self.narrow(Op::Add, a, b)
            .unwrap_or_else(|| self.make_binary(Op::Add, bits, a, b))
    }

    fn add_constant(&mut self, a: TermId, k: u128) -> Option<TermId> {
        let bits = self.bits(a);
        // match:  x + 0
        // result: x
        if k == 0 {
            return Some(a);
        }
        match self.node(a) {
            // match:  (x + j) + k
            // result: x + (j + k)
            Node::Binary(Op::Add, x, j) => {
                let j = self.as_constant(j)?;
                let sum = self.constant(j.wrapping_add(k), bits);
                Some(self.add(x, sum))
            }
            // match:  (j - x) + k
            // result: (j + k) - x
            Node::Binary(Op::Sub, j, x) => {
                let j = self.as_constant(j)?;
                let sum = self.constant(j.wrapping_add(k), bits);
                Some(self.sub(sum, x))
            }
            // match:  zext(x + j) + k, x + j without overflow
            // result: zext(x) + (j + k)
            Node::ZeroExtend(inner) => {
                let (x, j) = self.split_sum(inner);
                let room = mask(self.bits(inner)) - j;
                if j == 0 || self.fact(x).hi > room {
                    return None;
                }
                let x = self.zero_extend(x, bits);
                let sum = self.constant(j.wrapping_add(k), bits);
                Some(self.add(x, sum))
            }
            // match:  !x + k
            // result: (k - 1) - x
            Node::Not(x) => {
                let less = self.constant(k.wrapping_sub(1), bits);
                Some(self.sub(less, x))
            }
            _ => None,
        }
    }

    fn add_terms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        // match:  x + x
        // result: x << 1
        if a == b {
            let one = self.constant(1, bits);
            return Some(self.shl(a, one));
        }
        // match:  x + !x
        // result: ones
        if self.are_complements(a, b) {
            return Some(self.constant(u128::MAX, bits));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Binary(Op::Sub, p, q) = self.node(x) {
                // match:  (p - y) + y
                // result: p
                if q == y {
                    return Some(p);
                }
                // match:  (0 - q) + y, (k - q) + y
                // result: y - q, (y - q) + k
                if self.as_constant(p).is_some() {
                    let difference = self.sub(y, q);
                    return Some(self.add(difference, p));
                }
            }
        }
        None
    }

    /// Wrapping difference.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if bits == 1 {
            return self.xor(a, b);
        }
        if let Some(result) = self.fold(Op::Sub, a, b, ARITHMETIC_LEAVES) {
            return result;
        }
        // match:  x - x
        // result: 0
        if a == b {
            return self.constant(0, bits);
        }
        // match:  x - k
        // result: x + -k
        if let Some(k) = self.as_constant(b) {
            let minus = self.constant(k.wrapping_neg(), bits);
            return self.add(a, minus);
        }
        if let Some(result) = self.sub_terms(a, b) {
            return result;
        }
        self.narrow(Op::Sub, a, b)
            .unwrap_or_else(|| self.make_binary(Op::Sub, bits, a, b))
    }

    fn sub_terms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        // match:  (x + j) - (y + k), one of j and k possibly absent
        // result: (x - y) + (j - k)
        let ((x, j), (y, k)) = (self.split_sum(a), self.split_sum(b));
        if j != 0 || k != 0 {
            let difference = self.sub(x, y);
            let constant = self.constant(j.wrapping_sub(k), bits);
            return Some(self.add(difference, constant));
        }
        if let Some(k) = self.as_constant(a) {
            match self.node(b) {
                // match:  ones - x
                // result: !x
                _ if k == mask(bits) => return Some(self.not(b)),
                // match:  k - !x
                // result: x + (k + 1)
                Node::Not(x) => {
                    let more = self.constant(k.wrapping_add(1), bits);
                    return Some(self.add(x, more));
                }
                _ => {}
            }
        }
        if let Node::Binary(Op::Sub, p, q) = self.node(b) {
            // match:  x - (x - q)
            // result: q
            if p == a {
                return Some(q);
            }
            // match:  x - (k - q), 0 - (p - q)
            // result: (x + q) - k, q - p
            if self.as_constant(p).is_some() {
                let sum = self.add(a, q);
                return Some(self.sub(sum, p));
            }
            if self.as_constant(a) == Some(0) {
                return Some(self.sub(q, p));
            }
        }
        match self.node(a) {
            // match:  (p + q) - q
            // result: p
            Node::Binary(Op::Add, p, q) if q == b => Some(p),
            Node::Binary(Op::Add, p, q) if p == b => Some(q),
            // match:  (p - q) - p
            // result: 0 - q
            Node::Binary(Op::Sub, p, q) if p == b => Some(self.neg(q)),
            _ => None,
        }
    }

    /// match:  x op y, op one of + - *, where the result fits into fewer bits, unsigned or signed
    /// result: the extension of the same operation on so many low bits
    fn narrow(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        let width = length(Fact::binary(op, bits, &self.fact(a), &self.fact(b)).hi);
        let (m, n) = (self.signed_length(a), self.signed_length(b));
        let signed_width = match op {
            Op::Mul => m + n,
            // The difference of numbers that are not negative has the bits of the longer, and a sign.
            Op::Sub
                if self.fact(a).sign(bits) == Some(false)
                    && self.fact(b).sign(bits) == Some(false) =>
            {
                m.max(n)
            }
            _ => m.max(n) + 1,
        };
        if width >= bits && signed_width >= bits || !self.may_descend() {
            return None;
        }
        let unsigned = width <= signed_width;
        let width = width.min(signed_width);
        self.descend(1, |terms| {
            let (a, b) = (terms.extract(a, 0, width), terms.extract(b, 0, width));
            let result = match op {
                Op::Add => terms.add(a, b),
                Op::Sub => terms.sub(a, b),
                _ => terms.mul(a, b),
            };
            Some(if unsigned {
                terms.zero_extend(result, bits)
            } else {
                terms.sign_extend(result, bits)
            })
        })
    }

    /// Wrapping product.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if bits == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(result) = self.fold(Op::Mul, a, b, LEAVES) {
            return result;
        }
        if let Some(k) = self.as_constant(b) {
            // match:  x * 0, x * -1, x * 2^i
            // result: 0, -x, x << i
            if k == 0 {
                return b;
            }
            if k == mask(bits) {
                return self.neg(a);
            }
            if k.is_power_of_two() {
                let places = self.constant(u128::from(k.trailing_zeros()), bits);
                return self.shl(a, places);
            }
            // match:  (x * j) * k
            // result: x * (j * k)
            if let Node::Binary(Op::Mul, x, j) = self.node(a)
                && let Some(j) = self.as_constant(j)
            {
                let both = self.constant(j.wrapping_mul(k), bits);
                return self.mul(x, both);
            }
        }
        // match:  ite(c, 1, 0) * y
        // result: ite(c, y, 0)
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Ite(c, p, q) = self.node(x) {
                match (self.as_constant(p), self.as_constant(q)) {
                    (Some(1), Some(0)) => return self.ite(c, y, q),
                    (Some(0), Some(1)) => return self.ite(c, p, y),
                    _ => {}
                }
            }
        }
        self.narrow(Op::Mul, a, b)
            .unwrap_or_else(|| self.make_binary(Op::Mul, bits, a, b))
    }

    /// Unsigned quotient. `x / 0` is all ones (SMT-LIB); callers exclude it.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if bits == 1 {
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if let Some(result) = self.fold(Op::UDiv, a, b, LEAVES) {
            return result;
        }
        if let Some(k) = self.as_constant(b) {
            // match:  x / 0, x / 2^i
            // result: ones, x >> i
            if k == 0 {
                return self.constant(u128::MAX, bits);
            }
            if k.is_power_of_two() {
                let places = self.constant(u128::from(k.trailing_zeros()), bits);
                return self.lshr(a, places);
            }
        }
        let (fa, fb) = (self.fact(a), self.fact(b));
        // match:  x / y, x less than y
        // result: 0
        if fa.hi < fb.lo {
            return self.constant(0, bits);
        }
        // match:  x / y, both of few bits
        // result: the quotient of so many bits, or ones if y is zero
        let width = length(fa.hi.max(fb.hi));
        if width < bits {
            let (x, y) = (self.extract(a, 0, width), self.extract(b, 0, width));
            let quotient = self.udiv(x, y);
            let quotient = self.zero_extend(quotient, bits);
            if fb.lo > 0 {
                return quotient;
            }
            let (zero, ones) = (self.constant(0, bits), self.constant(u128::MAX, bits));
            let by_zero = self.eq(b, zero);
            return self.ite(by_zero, ones, quotient);
        }
        self.make_binary(Op::UDiv, bits, a, b)
    }

    /// Unsigned remainder. `x % 0` is `x` (SMT-LIB); callers exclude it.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if bits == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if let Some(result) = self.fold(Op::URem, a, b, LEAVES) {
            return result;
        }
        // match:  x % x
        // result: 0
        if a == b {
            return self.constant(0, bits);
        }
        if let Some(k) = self.as_constant(b) {
            // match:  x % 0, x % 2^i
            // result: x, the low bits of x
            if k == 0 {
                return a;
            }
            if k.is_power_of_two() {
                let low = self.constant(k - 1, bits);
                return self.and(a, low);
            }
        }
        let (fa, fb) = (self.fact(a), self.fact(b));
        // match:  x % y, x less than y
        // result: x
        if fa.hi < fb.lo {
            return a;
        }
        // match:  x % y, both of few bits
        // result: the remainder of so many bits
        let width = length(fa.hi.max(fb.hi));
        if width < bits {
            let (x, y) = (self.extract(a, 0, width), self.extract(b, 0, width));
            let remainder = self.urem(x, y);
            return self.zero_extend(remainder, bits);
        }
        self.make_binary(Op::URem, bits, a, b)
    }

    /// Signed quotient, rounded to zero. `x / 0` is -1 for `x ≥ 0` and otherwise 1 (SMT-LIB); the quotient of
    /// the least number by -1 wraps. Callers exclude both.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if let Some((a, b)) = self.narrow_division(a, b) {
            let quotient = self.sdiv(a, b);
            return self.sign_extend(quotient, bits);
        }
        let (sign_a, sign_b) = (self.extract(a, bits - 1, 1), self.extract(b, bits - 1, 1));
        let (size_a, size_b) = (self.magnitude(a, sign_a), self.magnitude(b, sign_b));
        let quotient = self.udiv(size_a, size_b);
        let negative = self.xor(sign_a, sign_b);
        let minus = self.neg(quotient);
        self.ite(negative, minus, quotient)
    }

    /// Signed remainder, with the sign of the dividend. `x % 0` is `x` (SMT-LIB); callers exclude it.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if let Some((a, b)) = self.narrow_division(a, b) {
            let remainder = self.srem(a, b);
            return self.sign_extend(remainder, bits);
        }
        let (sign_a, sign_b) = (self.extract(a, bits - 1, 1), self.extract(b, bits - 1, 1));
        let (size_a, size_b) = (self.magnitude(a, sign_a), self.magnitude(b, sign_b));
        let remainder = self.urem(size_a, size_b);
        let minus = self.neg(remainder);
        self.ite(sign_a, minus, remainder)
    }

    fn magnitude(&mut self, a: TermId, sign: TermId) -> TermId {
        let minus = self.neg(a);
        self.ite(sign, minus, a)
    }

    /// match:  x / y, x % y, signed, both sign extensions of few bits
    /// result: the same on so many bits and one more, which the quotient may need
    fn narrow_division(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let width = self.signed_length(a).max(self.signed_length(b)) + 1;
        let is_constant = |terms: &Terms, t| terms.as_constant(t).is_some();
        if width >= self.bits(a) || is_constant(self, a) && is_constant(self, b) {
            return None;
        }
        Some((self.extract(a, 0, width), self.extract(b, 0, width)))
    }
}
