//! Possible values of a word: bits that are known, an unsigned range and a signed one.
//!
//! Terms carry known bits and an unsigned range that hold of every assignment ([`Fact`]). Where variables have ranges
//! of their own, terms are evaluated over them here; the signed range is for numbers around zero.

use crate::term::faults::{self, Fault};
use crate::term::word::{length, mask, signed};
use crate::term::{Fact, Node, Op, TermId, Terms};

/// Possible values of a word: known bits and an unsigned range, and a signed range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Known bits and unsigned range.
    pub fact: Fact,
    // Signed range.
    least: i128,
    greatest: i128,
}

/// Knowledge of a word that terms are evaluated over: a [`Fact`], or a [`Range`].
pub trait Domain: Copy + PartialEq {
    /// Knowledge that a fact gives.
    fn of(fact: Fact, bits: u16) -> Self;

    /// Known bits and unsigned range.
    fn fact(&self) -> &Fact;

    /// One of two values.
    fn either(&self, other: &Self, bits: u16) -> Self;

    /// Knowledge of a term, given that of its operands. Of a variable, what its fact says.
    fn of_term(terms: &Terms, t: TermId, operand: impl Fn(TermId) -> Self) -> Self;
}

impl Domain for Fact {
    fn of(fact: Fact, _: u16) -> Fact {
        fact
    }

    fn fact(&self) -> &Fact {
        self
    }

    #[inline]
    fn either(&self, other: &Fact, bits: u16) -> Fact {
        self.either(other, bits)
    }

    fn of_term(terms: &Terms, t: TermId, operand: impl Fn(TermId) -> Fact) -> Fact {
        match terms.node(t) {
            Node::Variable(_) => terms.fact(t),
            _ => terms.fact_from(t, &operand),
        }
    }
}

impl Domain for Range {
    fn of(fact: Fact, bits: u16) -> Range {
        // Both ends have the sign, if it is known.
        let (least, greatest) = match fact.sign(bits) {
            Some(_) => (signed(fact.lo, bits), signed(fact.hi, bits)),
            None => Range::ends(bits),
        };
        Range {
            fact,
            least,
            greatest,
        }
    }

    fn fact(&self) -> &Fact {
        &self.fact
    }

    #[inline]
    fn either(&self, other: &Range, bits: u16) -> Range {
        Range {
            fact: self.fact.either(&other.fact, bits),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }

    fn of_term(terms: &Terms, t: TermId, operand: impl Fn(TermId) -> Range) -> Range {
        let bits = terms.bits(t);
        let node = terms.node(t);
        if let Node::Ite(c, a, b) = node {
            return match operand(c).fact.value() {
                Some(0) => operand(b),
                Some(_) => operand(a),
                None => operand(a).either(&operand(b), bits),
            };
        }
        let fact = match node {
            // What is known of it anyway.
            Node::Variable(_) => terms.fact(t),
            _ => terms.fact_from(t, &|t| operand(t).fact),
        };
        let range = Range::of(fact, bits);
        let ends = match node {
            Node::Binary(op @ (Op::Add | Op::Sub | Op::Mul), a, b) => {
                operand(a).arithmetic(op, &operand(b))
            }
            Node::Binary(Op::SLt, a, b) => {
                let (a, b) = (operand(a), operand(b));
                if a.greatest < b.least {
                    return Range::of(Fact::constant(1, 1), 1);
                }
                if a.least >= b.greatest {
                    return Range::of(Fact::constant(0, 1), 1);
                }
                None
            }
            Node::SignExtend(a) => {
                let a = operand(a);
                Some((a.least, a.greatest))
            }
            Node::Extract { from, lo: 0 } => {
                let from = operand(from);
                Some((from.least, from.greatest))
            }
            _ => None,
        };
        let (least, greatest) = Range::ends(bits);
        match ends {
            Some((a, b)) if least <= a && b <= greatest => range.with_signed(bits, a, b),
            _ => range,
        }
    }
}

impl Range {
    /// Least and greatest signed number.
    fn ends(bits: u16) -> (i128, i128) {
        let greatest = (mask(bits) >> 1) as i128;
        (-greatest - 1, greatest)
    }

    /// Intersection with a signed range. Both are about one value, so they do not exclude each other.
    fn with_signed(self, bits: u16, least: i128, greatest: i128) -> Range {
        let (least, greatest) = (self.least.max(least), self.greatest.min(greatest));
        let mut fact = self.fact;
        let (lo, hi) = (least as u128 & mask(bits), greatest as u128 & mask(bits));
        // Within one sign, signed and unsigned order agree.
        if least <= greatest && (least < 0) == (greatest < 0) && lo <= fact.hi && hi >= fact.lo {
            fact = Fact::new(bits, fact.zeros, fact.ones, lo, hi);
        }
        Range {
            fact,
            least,
            greatest,
        }
    }

    /// Bits that a signed number in the range needs.
    fn signed_bits(&self) -> u16 {
        let sign = u16::from(!faults::on(Fault::RangeSign));
        let size = |n: i128| length((if n < 0 { !n } else { n }) as u128) + sign;
        size(self.least).max(size(self.greatest))
    }

    /// A variable for a word in the range, as wide as another one that is in it. `None` if no more is known of it.
    pub fn variable(&self, terms: &mut Terms, variable: TermId, name: &str) -> Option<TermId> {
        let bits = terms.bits(variable);
        let known = terms.fact(variable);
        let (unsigned, signed) = (length(self.fact.hi), self.signed_bits());
        if signed < unsigned && signed < length(known.hi) {
            let fact = self.fact.extract(0, signed);
            let low = terms.fresh_within(name, signed, fact);
            return Some(terms.sign_extend(low, bits));
        }
        let open = |fact: &Fact| fact.open(bits).count_ones();
        let tighter = open(&self.fact) < open(&known);
        tighter.then(|| terms.fresh_within(name, bits, self.fact))
    }

    /// A word in the range, with the bits that follow from the others left out; itself if there are none.
    pub fn word(&self, terms: &mut Terms, word: TermId) -> TermId {
        let bits = terms.bits(word);
        if let Some(value) = self.fact.value() {
            return terms.constant(value, bits);
        }
        let (unsigned, signed) = (length(self.fact.hi), self.signed_bits());
        let width = unsigned.min(signed);
        if width >= length(terms.fact(word).hi) {
            return word;
        }
        let low = terms.extract(word, 0, width);
        if unsigned <= signed {
            terms.zero_extend(low, bits)
        } else {
            terms.sign_extend(low, bits)
        }
    }

    /// Ends of a sum, a difference or a product that does not wrap.
    fn arithmetic(&self, op: Op, other: &Range) -> Option<(i128, i128)> {
        let (a, b, c, d) = (self.least, self.greatest, other.least, other.greatest);
        Some(match op {
            Op::Add => (a.checked_add(c)?, b.checked_add(d)?),
            Op::Sub => (a.checked_sub(d)?, b.checked_sub(c)?),
            _ => {
                let products = [
                    a.checked_mul(c)?,
                    a.checked_mul(d)?,
                    b.checked_mul(c)?,
                    b.checked_mul(d)?,
                ];
                let least = products.iter().copied().min()?;
                (least, products.iter().copied().max()?)
            }
        })
    }
}
