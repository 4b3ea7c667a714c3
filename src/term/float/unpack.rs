//! The parts of a number, and what kind of number it is.

use super::round::normalise;
use crate::base::float::Format;
use crate::term::{TermId, Terms};

/// A number in parts. Conditions have 1 bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpacked {
    pub sign: TermId,
    /// The exponent field, but 1 for zeros and subnormal numbers: what the significand's first bit stands for.
    pub exponent: TermId,
    /// As many bits as the precision; the first one is missing in zeros and subnormal numbers.
    pub significand: TermId,
    /// Zero or subnormal number: true if the significand's first bit is missing.
    pub is_small: TermId,
    pub is_zero: TermId,
    pub is_infinite: TermId,
    pub is_nan: TermId,
}

/// The parts of a number.
pub(super) fn unpack(terms: &mut Terms, format: Format, word: TermId) -> Unpacked {
    let (fraction_bits, exponent_bits) = (format.fraction_bits(), format.exponent_bits());
    let sign = terms.extract(word, format.bits() - 1, 1);
    let field = terms.extract(word, fraction_bits, exponent_bits);
    let fraction = terms.extract(word, 0, fraction_bits);
    let (zero, special) = (
        terms.constant(0, exponent_bits),
        terms.constant(format.special_exponent().into(), exponent_bits),
    );
    let is_small = terms.eq(field, zero);
    let is_special = terms.eq(field, special);
    let none = terms.constant(0, fraction_bits);
    let is_whole = terms.eq(fraction, none);
    let first = terms.not(is_small);
    let one = terms.zero_extend(is_small, exponent_bits);
    let some = terms.not(is_whole);
    Unpacked {
        sign,
        exponent: terms.or(field, one),
        significand: terms.concat(first, fraction),
        is_small,
        is_zero: terms.and(is_small, is_whole),
        is_infinite: terms.and(is_special, is_whole),
        is_nan: terms.and(is_special, some),
    }
}

/// The significand with its first bit, and the exponent that goes with it as a signed word of `bits` bits. (Those of
/// zero are of no use.)
pub(super) fn normal(terms: &mut Terms, number: &Unpacked, bits: u16) -> (TermId, TermId) {
    let exponent = terms.zero_extend(number.exponent, bits);
    if number.is_small == terms.fals() {
        return (number.significand, exponent);
    }
    let (significand, count) = normalise(terms, number.significand);
    let count = terms.zero_extend(count, bits);
    (significand, terms.sub(exponent, count))
}
