//! Facts that hold of a term under every assignment: bits that are known, and an unsigned range.
//!
//! Facts are computed bottom-up when a term is built. The known bits of a sum follow the ripple of the
//! carry: a bit of the sum is known where both operands' bits and the carry into it are.

use super::node::Op;
use super::word::{length, mask, shift_left, shift_right, sign_bit};

/// Known bits and range of a word of some width. Sound: every value the term can have satisfies it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// Bits that are certainly 0 (within the width).
    pub zeros: u128,
    /// Bits that are certainly 1.
    pub ones: u128,
    /// Least possible value, unsigned.
    pub lo: u128,
    /// Greatest possible value, unsigned.
    pub hi: u128,
}

impl Fact {
    /// Nothing is known.
    pub fn top(bits: u16) -> Fact {
        Fact {
            zeros: 0,
            ones: 0,
            lo: 0,
            hi: mask(bits),
        }
    }

    /// The value is known.
    pub fn constant(value: u128, bits: u16) -> Fact {
        Fact {
            zeros: !value & mask(bits),
            ones: value,
            lo: value,
            hi: value,
        }
    }

    /// Combines known bits and a range, each of which holds, and lets them sharpen each other.
    pub fn new(bits: u16, zeros: u128, ones: u128, lo: u128, hi: u128) -> Fact {
        let (mut zeros, mut ones) = (zeros, ones);
        let mut lo = lo.max(ones);
        let mut hi = hi.min(!zeros & mask(bits));
        // Bits above the highest one in which the bounds differ are the same in every value between.
        let prefix = mask(bits) & !shift_right(u128::MAX, u128::from((lo ^ hi).leading_zeros()));
        zeros |= !lo & prefix;
        ones |= lo & prefix;
        lo = lo.max(ones);
        hi = hi.min(!zeros & mask(bits));
        debug_assert!(
            zeros & ones == 0 && lo <= hi,
            "a fact that no value satisfies"
        );
        Fact {
            zeros,
            ones,
            lo,
            hi,
        }
    }

    /// Known bits alone.
    pub fn of_bits(bits: u16, zeros: u128, ones: u128) -> Fact {
        Fact::new(bits, zeros, ones, 0, mask(bits))
    }

    /// A range alone.
    pub fn of_range(bits: u16, lo: u128, hi: u128) -> Fact {
        Fact::new(bits, 0, 0, lo, hi)
    }

    /// The value, if there is only one.
    pub fn value(&self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Bits that are not known, of a word of some width.
    pub fn open(&self, bits: u16) -> u128 {
        mask(bits) & !(self.zeros | self.ones)
    }

    /// True if a word satisfies the fact.
    pub fn admits(&self, word: u128) -> bool {
        word & self.zeros == 0
            && word & self.ones == self.ones
            && self.lo <= word
            && word <= self.hi
    }

    /// Contradiction: true if no word satisfies both facts, as far as bits and ranges tell.
    pub fn excludes(&self, other: &Fact) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.hi < other.lo
            || other.hi < self.lo
    }

    /// The sign, if it is known.
    pub fn sign(&self, bits: u16) -> Option<bool> {
        if self.ones & sign_bit(bits) != 0 {
            Some(true)
        } else if self.zeros & sign_bit(bits) != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// Range after flipping the sign bit, which maps signed order to unsigned order.
    fn flipped(&self, bits: u16) -> (u128, u128) {
        match self.sign(bits) {
            Some(_) => (self.lo ^ sign_bit(bits), self.hi ^ sign_bit(bits)),
            None => (0, mask(bits)),
        }
    }

    /// The complement.
    pub fn not(&self, bits: u16) -> Fact {
        let m = mask(bits);
        Fact {
            zeros: self.ones,
            ones: self.zeros,
            lo: m - self.hi,
            hi: m - self.lo,
        }
    }

    /// One of two values.
    #[inline]
    pub fn either(&self, other: &Fact, bits: u16) -> Fact {
        Fact::new(
            bits,
            self.zeros & other.zeros,
            self.ones & other.ones,
            self.lo.min(other.lo),
            self.hi.max(other.hi),
        )
    }

    /// `self` above `low`, whose width is `low_bits`; `bits` is the sum of the widths.
    pub fn concat(&self, low: &Fact, low_bits: u16, bits: u16) -> Fact {
        let by = u128::from(low_bits);
        Fact::new(
            bits,
            shift_left(self.zeros, by) | low.zeros,
            shift_left(self.ones, by) | low.ones,
            shift_left(self.lo, by) | low.lo,
            shift_left(self.hi, by) | low.hi,
        )
    }

    /// Bits `lo .. lo + bits`.
    pub fn extract(&self, lo: u16, bits: u16) -> Fact {
        let m = mask(bits);
        let (from, to) = (self.lo >> lo, self.hi >> lo);
        let same_above = shift_right(from, u128::from(bits)) == shift_right(to, u128::from(bits));
        let (from, to) = if same_above {
            (from & m, to & m)
        } else {
            (0, m)
        };
        Fact::new(
            bits,
            (self.zeros >> lo) & m,
            (self.ones >> lo) & m,
            from,
            to,
        )
    }

    /// Extension by zeros from `from_bits` to `bits`.
    pub fn zero_extend(&self, from_bits: u16, bits: u16) -> Fact {
        Fact {
            zeros: self.zeros | (mask(bits) & !mask(from_bits)),
            ..*self
        }
    }

    /// Extension by copies of the sign from `from_bits` to `bits`.
    pub fn sign_extend(&self, from_bits: u16, bits: u16) -> Fact {
        let above = mask(bits) & !mask(from_bits);
        match self.sign(from_bits) {
            Some(false) => self.zero_extend(from_bits, bits),
            Some(true) => Fact::new(
                bits,
                self.zeros,
                self.ones | above,
                self.lo | above,
                self.hi | above,
            ),
            None => Fact::of_bits(bits, self.zeros, self.ones),
        }
    }

    /// Result of a binary operator on operands of `bits` bits (for comparisons the result has 1).
    pub fn binary(op: Op, bits: u16, a: &Fact, b: &Fact) -> Fact {
        let m = mask(bits);
        match op {
            Op::And => Fact::new(bits, a.zeros | b.zeros, a.ones & b.ones, 0, a.hi.min(b.hi)),
            Op::Xor => Fact::of_bits(
                bits,
                (a.zeros & b.zeros) | (a.ones & b.ones),
                (a.zeros & b.ones) | (a.ones & b.zeros),
            ),
            Op::Add => {
                let (zeros, ones) = sum_bits(bits, a.zeros, a.ones, b.zeros, b.ones, 0);
                let (lo, hi) = sum_range(bits, a, b);
                Fact::new(bits, zeros, ones, lo, hi)
            }
            Op::Sub => {
                let (zeros, ones) = sum_bits(bits, a.zeros, a.ones, b.ones, b.zeros, 1);
                let (lo, hi) = if a.lo >= b.hi {
                    (a.lo - b.hi, a.hi - b.lo)
                } else if a.hi < b.lo {
                    (a.lo.wrapping_sub(b.hi) & m, a.hi.wrapping_sub(b.lo) & m)
                } else {
                    (0, m)
                };
                Fact::new(bits, zeros, ones, lo, hi)
            }
            Op::Mul => {
                let low_zeros = trailing(a) + trailing(b);
                let zeros = m & !shift_left(u128::MAX, u128::from(low_zeros));
                let (lo, hi) = match a.hi.checked_mul(b.hi) {
                    Some(hi) if hi <= m => (a.lo * b.lo, hi),
                    _ => (0, m),
                };
                Fact::new(bits, zeros, 0, lo, hi)
            }
            Op::UDiv if b.lo > 0 => Fact::of_range(bits, a.lo / b.hi, a.hi / b.lo),
            Op::UDiv => Fact::top(bits),
            Op::URem if b.lo > 0 => Fact::of_range(bits, 0, a.hi.min(b.hi - 1)),
            Op::URem => Fact::of_range(bits, 0, a.hi),
            Op::Shl => {
                let low_zeros =
                    (u128::from(trailing(a)).saturating_add(b.lo)).min(u128::from(bits));
                let zeros = m & !shift_left(u128::MAX, low_zeros);
                let fits = u128::from(length(a.hi)).saturating_add(b.hi) <= u128::from(bits);
                let (lo, hi) = if fits {
                    (shift_left(a.lo, b.lo), shift_left(a.hi, b.hi))
                } else {
                    (0, m)
                };
                Fact::new(bits, zeros, 0, lo, hi)
            }
            Op::LShr => Fact::of_range(bits, shift_right(a.lo, b.hi), shift_right(a.hi, b.lo)),
            Op::AShr => match a.sign(bits) {
                Some(false) => Fact::binary(Op::LShr, bits, a, b),
                Some(true) => Fact::binary(Op::LShr, bits, &a.not(bits), b).not(bits),
                None => Fact::top(bits),
            },
            Op::Eq if a.excludes(b) => Fact::constant(0, 1),
            Op::Eq if a.value().is_some() && a.value() == b.value() => Fact::constant(1, 1),
            Op::ULt => less((a.lo, a.hi), (b.lo, b.hi)),
            Op::SLt => less(a.flipped(bits), b.flipped(bits)),
            _ => Fact::top(if op == Op::Eq { 1 } else { bits }),
        }
    }
}

/// Decides `a < b` by ranges.
fn less(a: (u128, u128), b: (u128, u128)) -> Fact {
    if a.1 < b.0 {
        Fact::constant(1, 1)
    } else if a.0 >= b.1 {
        Fact::constant(0, 1)
    } else {
        Fact::top(1)
    }
}

/// Number of low bits known to be zero.
fn trailing(fact: &Fact) -> u32 {
    (!fact.zeros).trailing_zeros()
}

/// Known zeros and ones of `a + b + carry`.
fn sum_bits(bits: u16, az: u128, ao: u128, bz: u128, bo: u128, carry: u128) -> (u128, u128) {
    let m = mask(bits);
    let most = (!az & m).wrapping_add(!bz & m).wrapping_add(carry) & m;
    let least = ao.wrapping_add(bo).wrapping_add(carry) & m;
    let carry_zero = !(most ^ (!az & m) ^ (!bz & m));
    let carry_one = least ^ ao ^ bo;
    let known = (az | ao) & (bz | bo) & (carry_zero | carry_one) & m;
    (!most & known, least & known)
}

/// Range of a wrapping sum.
fn sum_range(bits: u16, a: &Fact, b: &Fact) -> (u128, u128) {
    let m = mask(bits);
    let overflows = |x: u128, y: u128| x > m - y;
    if !overflows(a.hi, b.hi) {
        (a.lo + b.lo, a.hi + b.hi)
    } else if overflows(a.lo, b.lo) {
        (a.lo.wrapping_add(b.lo) & m, a.hi.wrapping_add(b.hi) & m)
    } else {
        (0, m)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::term::word;

    const BINARY: [Op; 13] = [
        Op::And,
        Op::Xor,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::URem,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::Eq,
        Op::ULt,
        Op::SLt,
    ];

    /// All facts of three-bit words that some word satisfies, from every pair of bit patterns and range.
    fn facts() -> Vec<Fact> {
        let mut all = Vec::new();
        for zeros in 0..8u128 {
            for ones in (0..8u128).filter(|ones| ones & zeros == 0) {
                for lo in 0..8 {
                    for hi in lo..8 {
                        let raw = Fact {
                            zeros,
                            ones,
                            lo,
                            hi,
                        };
                        // Normalising needs lo ≤ hi to survive, which holds if some word satisfies it.
                        if (0..8).any(|w| raw.admits(w)) {
                            all.push(Fact::new(3, zeros, ones, lo, hi));
                        }
                    }
                }
            }
        }
        all.sort_by_key(|f| (f.zeros, f.ones, f.lo, f.hi));
        all.dedup();
        all
    }

    #[test]
    fn normalising_loses_no_word() {
        for zeros in 0..8u128 {
            for ones in (0..8u128).filter(|ones| ones & zeros == 0) {
                for (lo, hi) in (0..8).flat_map(|lo| (lo..8).map(move |hi| (lo, hi))) {
                    let raw = Fact {
                        zeros,
                        ones,
                        lo,
                        hi,
                    };
                    for w in (0..8).filter(|w| raw.admits(*w)) {
                        assert!(Fact::new(3, zeros, ones, lo, hi).admits(w));
                    }
                }
            }
        }
    }

    #[test]
    fn binary_facts_admit_every_result() {
        let facts = facts();
        for op in BINARY {
            for a in &facts {
                for b in &facts {
                    let result = Fact::binary(op, 3, a, b);
                    for x in (0..8).filter(|x| a.admits(*x)) {
                        for y in (0..8).filter(|y| b.admits(*y)) {
                            let z = word::binary(op, 3, x, y).expect("binary");
                            assert!(
                                result.admits(z),
                                "{op:?} {x} {y} = {z}: {a:?} {b:?} {result:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn slices_and_choices_admit_every_result() {
        let facts = facts();
        for a in &facts {
            for x in (0..8u128).filter(|x| a.admits(*x)) {
                assert!(a.not(3).admits(!x & 7));
                assert!(a.zero_extend(3, 5).admits(x));
                assert!(a.sign_extend(3, 5).admits(word::signed(x, 3) as u128 & 31));
                for lo in 0..3u16 {
                    for bits in 1..=3 - lo {
                        assert!(a.extract(lo, bits).admits((x >> lo) & mask(bits)));
                    }
                }
            }
            for b in &facts {
                let (either, concat) = (a.either(b, 3), a.concat(b, 3, 6));
                for x in (0..8).filter(|x| a.admits(*x)) {
                    assert!(either.admits(x));
                    for y in (0..8).filter(|y| b.admits(*y)) {
                        assert!(either.admits(y) && concat.admits(x << 3 | y));
                    }
                }
            }
        }
    }

    #[test]
    fn wide_words_do_not_overflow() {
        let (top, one) = (Fact::top(128), Fact::constant(1, 128));
        for op in BINARY {
            Fact::binary(op, 128, &top, &top);
            Fact::binary(op, 128, &top, &one);
            Fact::binary(op, 128, &one, &top);
        }
        let small = Fact::of_range(32, 0, 20);
        let sum = Fact::binary(Op::Add, 32, &small, &Fact::constant(1, 32));
        assert_eq!((sum.lo, sum.hi, sum.zeros), (1, 21, 0xffff_ffe0));
    }
}
