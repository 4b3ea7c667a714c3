//! Slices, concatenations and extensions.

use super::{FORK, LEAVES, Node, Op, TermId, Terms};
use crate::term::word::{mask, signed};

impl Terms {
    /// Bits `lo .. lo + bits` of `a`.
    ///
    /// # Panics
    /// If the slice is empty or leaves the word.
    pub fn extract(&mut self, a: TermId, lo: u16, bits: u16) -> TermId {
        let width = self.bits(a);
        assert!(
            bits >= 1 && lo + bits <= width,
            "bits {lo}..{} of a word of {width}",
            lo + bits
        );
        // match:  the whole word
        // result: the word
        if bits == width {
            return a;
        }
        if self.is_tree(a, LEAVES) {
            return self.map_leaves(a, &mut |terms, value| terms.constant(value >> lo, bits));
        }
        match self.node(a) {
            Node::Constant(value) => return self.constant(value >> lo, bits),
            // match:  a slice of a slice
            // result: one slice
            Node::Extract { from, lo: inner } => return self.extract(from, inner + lo, bits),
            Node::Concat(high, low) => return self.extract_concat(high, low, lo, bits),
            Node::ZeroExtend(x) => return self.extract_extension(x, lo, bits, false),
            Node::SignExtend(x) => return self.extract_extension(x, lo, bits, true),
            _ => {}
        }
        if self.may_descend()
            && let Some(result) = self.extract_through(a, lo, bits)
        {
            return result;
        }
        self.make(Op::Extract, bits, [a.0, u32::from(lo), 0])
    }

    /// match:  a slice of concat(h, l)
    /// result: a slice of h or of l, or the concatenation of two
    fn extract_concat(&mut self, high: TermId, low: TermId, lo: u16, bits: u16) -> TermId {
        let place = self.bits(low);
        if lo >= place {
            self.extract(high, lo - place, bits)
        } else if lo + bits <= place {
            self.extract(low, lo, bits)
        } else {
            let below = place - lo;
            let low = self.extract(low, lo, below);
            let high = self.extract(high, 0, bits - below);
            self.concat(high, low)
        }
    }

    /// match:  a slice of an extension of x
    /// result: a slice of x, or its extension
    fn extract_extension(&mut self, x: TermId, lo: u16, bits: u16, signs: bool) -> TermId {
        let place = self.bits(x);
        if lo + bits <= place {
            return self.extract(x, lo, bits);
        }
        if lo >= place && !signs {
            return self.constant(0, bits);
        }
        let from = lo.min(place - 1);
        let kept = self.extract(x, from, place - from);
        if signs {
            self.sign_extend(kept, bits)
        } else {
            self.zero_extend(kept, bits)
        }
    }

    /// Slices of operators that act bit by bit, or from low bits to high bits.
    fn extract_through(&mut self, a: TermId, lo: u16, bits: u16) -> Option<TermId> {
        match self.node(a) {
            // match:  a slice of !x
            // result: the complement of the slice
            Node::Not(x) => {
                let slice = self.descend(1, |terms| terms.extract(x, lo, bits));
                Some(self.not(slice))
            }
            // match:  a slice of x op y, op bitwise, or of the low bits of x op y, op one of + - *;
            //         both operands easy to slice
            // result: op of the slices
            Node::Binary(op @ (Op::And | Op::Xor | Op::Add | Op::Sub | Op::Mul), x, y) => {
                let bitwise = matches!(op, Op::And | Op::Xor);
                if !bitwise && lo != 0 {
                    return None;
                }
                let (easy_x, easy_y) = (self.slices_well(x), self.slices_well(y));
                let constant = self.as_constant(x).or(self.as_constant(y)).is_some();
                if !(constant || easy_x && easy_y) {
                    return None;
                }
                let levels = if constant { 1 } else { FORK };
                let (x, y) = self.descend(levels, |terms| {
                    (terms.extract(x, lo, bits), terms.extract(y, lo, bits))
                });
                Some(match op {
                    Op::And => self.and(x, y),
                    Op::Xor => self.xor(x, y),
                    Op::Add => self.add(x, y),
                    Op::Sub => self.sub(x, y),
                    _ => self.mul(x, y),
                })
            }
            // match:  a slice of ite(c, x, y), a branch constant or both easy to slice
            // result: the choice of the slices
            Node::Ite(c, x, y) => {
                let constant = self.leaves(x) == 1 || self.leaves(y) == 1;
                if !(constant || self.slices_well(x) && self.slices_well(y)) {
                    return None;
                }
                let levels = if constant { 1 } else { FORK };
                let (x, y) = self.descend(levels, |terms| {
                    (terms.extract(x, lo, bits), terms.extract(y, lo, bits))
                });
                Some(self.ite(c, x, y))
            }
            _ => None,
        }
    }

    fn slices_well(&self, t: TermId) -> bool {
        matches!(
            self.op(t),
            Op::Constant | Op::Extract | Op::Concat | Op::ZeroExtend | Op::SignExtend
        ) || self.is_tree(t, LEAVES)
    }

    /// `high` above `low`; at most 128 bits together.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let place = self.bits(low);
        let bits = self.bits(high) + place;
        match (self.node(high), self.node(low)) {
            (Node::Constant(h), Node::Constant(l)) => return self.constant(h << place | l, bits),
            // match:  concat(0, x)
            // result: the extension of x by zeros
            (Node::Constant(0), _) => return self.zero_extend(low, bits),
            // match:  concat(k, tree of constants), concat(tree of constants, k)
            // result: the tree of concatenations
            (Node::Constant(h), _) if self.is_tree(low, LEAVES) => {
                return self.map_leaves(low, &mut |terms, l| terms.constant(h << place | l, bits));
            }
            (_, Node::Constant(l)) if self.is_tree(high, LEAVES) => {
                return self.map_leaves(high, &mut |terms, h| terms.constant(h << place | l, bits));
            }
            // match:  concat(concat(x, y), z)
            // result: concat(x, concat(y, z))
            (Node::Concat(x, y), _) => {
                let rest = self.concat(y, low);
                return self.concat(x, rest);
            }
            // match:  concat(zext(x), y)
            // result: zext(concat(x, y))
            (Node::ZeroExtend(x), _) => {
                let inner = self.concat(x, low);
                return self.zero_extend(inner, bits);
            }
            // match:  concat(k, zext(x))
            // result: concat(k above zeros, x)
            (Node::Constant(h), Node::ZeroExtend(x)) => {
                let zeros = place - self.bits(x);
                let above = self.constant(h << zeros, bits - self.bits(x));
                return self.concat(above, x);
            }
            (_, Node::Concat(y, z)) => {
                // match:  concat(x, concat(y, z)), x and y one slice or constants
                // result: concat(xy, z)
                if let Some(front) = self.merge(high, y) {
                    return self.concat(front, z);
                }
            }
            _ => {}
        }
        self.merge(high, low)
            .unwrap_or_else(|| self.make_binary(Op::Concat, bits, high, low))
    }

    /// match:  adjacent slices of one word, or constants
    /// result: one slice, or one constant
    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (h, l) = (self.bits(high), self.bits(low));
        match (self.node(high), self.node(low)) {
            (Node::Constant(x), Node::Constant(y)) => Some(self.constant(x << l | y, h + l)),
            (Node::Extract { from: x, lo: i }, Node::Extract { from: y, lo: j })
                if x == y && i == j + l =>
            {
                Some(self.extract(x, j, h + l))
            }
            // match:  slices of one complemented word
            // result: the complement of the merged slice
            (Node::Not(x), Node::Not(y)) => {
                let merged = self.merge(x, y)?;
                Some(self.not(merged))
            }
            _ => None,
        }
    }

    /// The word with so many bits: its lowest ones, or zeros above it.
    pub fn fit(&mut self, a: TermId, bits: u16) -> TermId {
        if self.bits(a) > bits {
            self.extract(a, 0, bits)
        } else {
            self.zero_extend(a, bits)
        }
    }

    /// `a` with zeros above, `bits` wide.
    pub fn zero_extend(&mut self, a: TermId, bits: u16) -> TermId {
        let from = self.bits(a);
        assert!(
            from <= bits && bits <= 128,
            "{from} bits extended to {bits}"
        );
        if from == bits {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(value, bits),
            // match:  zext(zext(x))
            // result: zext(x)
            Node::ZeroExtend(x) => self.zero_extend(x, bits),
            _ if self.is_tree(a, LEAVES) => {
                self.map_leaves(a, &mut |terms, value| terms.constant(value, bits))
            }
            // match:  zext(condition)
            // result: ite(condition, 1, 0)
            _ if from == 1 => {
                let (one, zero) = (self.constant(1, bits), self.constant(0, bits));
                self.ite(a, one, zero)
            }
            // match:  zext(slice of the low bits of x), the others known to be zero, as wide as x or wider
            // result: x, or its extension
            Node::Extract { from: x, lo: 0 }
                if self.bits(x) <= bits && self.fact(x).hi <= mask(from) =>
            {
                self.zero_extend(x, bits)
            }
            _ => self.make_unary(Op::ZeroExtend, bits, a),
        }
    }

    /// `a` with copies of its sign above, `bits` wide.
    pub fn sign_extend(&mut self, a: TermId, bits: u16) -> TermId {
        let from = self.bits(a);
        assert!(
            from <= bits && bits <= 128,
            "{from} bits extended to {bits}"
        );
        if from == bits {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(signed(value, from) as u128, bits),
            // match:  sext(sext(x))
            // result: sext(x)
            Node::SignExtend(x) => self.sign_extend(x, bits),
            _ if self.is_tree(a, LEAVES) => self.map_leaves(a, &mut |terms, value| {
                terms.constant(signed(value, from) as u128, bits)
            }),
            // match:  sext(condition)
            // result: ite(condition, ones, 0)
            _ if from == 1 => {
                let (ones, zero) = (self.constant(u128::MAX, bits), self.constant(0, bits));
                self.ite(a, ones, zero)
            }
            _ => match self.fact(a).sign(from) {
                // match:  sext(x), the sign known
                // result: zext(x), concat(ones, x)
                Some(false) => self.zero_extend(a, bits),
                Some(true) => {
                    let ones = self.constant(u128::MAX, bits - from);
                    self.concat(ones, a)
                }
                None => self.make_unary(Op::SignExtend, bits, a),
            },
        }
    }
}
