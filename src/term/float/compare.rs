//! Comparisons; a NaN is neither equal to, nor less than anything.

use crate::base::float::Format;
use crate::term::faults::{self, Fault};
use crate::term::{TermId, Terms};

/// `a == b`.
pub(super) fn equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let same = terms.eq(a, b);
    let zeros = are_zeros(terms, format, a, b);
    let equal = terms.or(same, zeros);
    let ordered = is_ordered(terms, format, a);
    if faults::on(Fault::NanEqual) {
        return equal;
    }
    terms.and(equal, ordered)
}

/// `a < b`.
pub(super) fn less(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (key(terms, format, a), key(terms, format, b));
    let less = terms.slt(x, y);
    let zeros = are_zeros(terms, format, a, b);
    let differ = terms.not(zeros);
    let left = is_ordered(terms, format, a);
    let right = is_ordered(terms, format, b);
    terms.and_all(&[less, differ, left, right])
}

/// `a <= b`.
pub(super) fn less_equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (key(terms, format, a), key(terms, format, b));
    let less = terms.sle(x, y);
    let zeros = are_zeros(terms, format, a, b);
    let less = terms.or(less, zeros);
    let left = is_ordered(terms, format, a);
    let right = is_ordered(terms, format, b);
    terms.and_all(&[less, left, right])
}

/// A signed word; those of numbers are in the numbers' order, but -0 is below +0.
fn key(terms: &mut Terms, format: Format, word: TermId) -> TermId {
    let sign = terms.extract(word, format.bits() - 1, 1);
    let magnitude = terms.extract(word, 0, format.bits() - 1);
    let mask = terms.sign_extend(sign, format.bits() - 1);
    let magnitude = terms.xor(magnitude, mask);
    terms.concat(sign, magnitude)
}

/// Zeros: true if both are zeros of any sign.
fn are_zeros(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    if faults::on(Fault::SignedZeros) {
        return terms.fals();
    }
    let bits = format.bits() - 1;
    let zero = terms.constant(0, bits);
    let a = terms.extract(a, 0, bits);
    let b = terms.extract(b, 0, bits);
    let (a, b) = (terms.eq(a, zero), terms.eq(b, zero));
    terms.and(a, b)
}

/// Ordered numbers: true if it is a number, not a NaN.
fn is_ordered(terms: &mut Terms, format: Format, word: TermId) -> TermId {
    let magnitude = terms.extract(word, 0, format.bits() - 1);
    let infinity = terms.constant(format.infinity(), format.bits() - 1);
    terms.ule(magnitude, infinity)
}
