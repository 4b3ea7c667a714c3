//! Shifts. By a constant they are slices; amounts of the width and more leave zeros or copies of the sign.

use super::{ARITHMETIC_LEAVES, Op, TermId, Terms};

impl Terms {
    /// Left shift; 0 if `b` is the width or more.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if let Some(result) = self.shift_frame(Op::Shl, a, b) {
            return result;
        }
        match self.as_constant(b) {
            // match:  x << k
            // result: the lower bits of x above k zeros
            Some(k) => {
                let k = k as u16;
                let zeros = self.constant(0, k);
                let kept = self.extract(a, 0, bits - k);
                self.concat(kept, zeros)
            }
            None => self.make_binary(Op::Shl, bits, a, b),
        }
    }

    /// Logical right shift; 0 if `b` is the width or more.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        if let Some(result) = self.shift_frame(Op::LShr, a, b) {
            return result;
        }
        match self.as_constant(b) {
            // match:  x >> k
            // result: the upper bits of x, extended by zeros
            Some(k) => {
                let k = k as u16;
                let kept = self.extract(a, k, bits - k);
                self.zero_extend(kept, bits)
            }
            None => self.make_binary(Op::LShr, bits, a, b),
        }
    }

    /// Arithmetic right shift; copies of the sign if `b` is the width or more.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.same_bits(a, b);
        // match:  x >> y, the sign of x known to be 0
        // result: the logical shift
        if self.fact(a).sign(bits) == Some(false) {
            return self.lshr(a, b);
        }
        if let Some(result) = self.fold(Op::AShr, a, b, ARITHMETIC_LEAVES) {
            return result;
        }
        let wide = u128::from(bits);
        if self.fact(b).lo >= wide || self.as_constant(b).is_some() {
            // match:  x >> k, or an amount of the width and more
            // result: the upper bits of x (at least the sign), extended by the sign
            let k = self.fact(b).lo.min(wide - 1) as u16;
            let kept = self.extract(a, k, bits - k);
            return self.sign_extend(kept, bits);
        }
        self.make_binary(Op::AShr, bits, a, b)
    }

    /// Folding, amount 0, and amounts that leave nothing, for shifts that fill with zeros.
    fn shift_frame(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        if let Some(result) = self.fold(op, a, b, ARITHMETIC_LEAVES) {
            return Some(result);
        }
        let least = self.fact(b).lo;
        if self.as_constant(b) == Some(0) || self.as_constant(a) == Some(0) {
            return Some(a);
        }
        // match:  x << y, y at least the width
        // result: 0
        (least >= u128::from(bits)).then(|| self.constant(0, bits))
    }
}
