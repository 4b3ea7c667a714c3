//! Sums.

use super::round::{any, finish, normalise_within, pad, round, shift_right};
use super::unpack::unpack;
use crate::base::float::Format;
use crate::term::{TermId, Terms};

/// Bits that the smaller operand keeps below the larger one's: two for a difference that must be shifted left by
/// one place, and one that tells whether anything is left.
const GUARD: u16 = 3;

/// `a + b`.
pub(super) fn add(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    // Magnitudes are in the order of their patterns; the larger comes first.
    let magnitude_bits = format.bits() - 1;
    let magnitude_a = terms.extract(a, 0, magnitude_bits);
    let magnitude_b = terms.extract(b, 0, magnitude_bits);
    let swapped = terms.ult(magnitude_a, magnitude_b);
    let x = terms.ite(swapped, b, a);
    let y = terms.ite(swapped, a, b);
    let (x, y) = (unpack(terms, format, x), unpack(terms, format, y));

    let distance = terms.sub(x.exponent, y.exponent);
    let upper = pad(terms, x.significand, GUARD);
    let lower = pad(terms, y.significand, GUARD);
    let lower = shift_right(terms, lower, distance);
    let is_difference = terms.xor(x.sign, y.sign);
    // One more bit above for the carry. The complement's additional one comes as a carry from below.
    let bits = terms.bits(upper) + 1;
    let upper = terms.zero_extend(upper, bits);
    let lower = terms.zero_extend(lower, bits);
    let mask = terms.sign_extend(is_difference, bits);
    let lower = terms.xor(lower, mask);
    let upper = terms.concat(upper, is_difference);
    let lower = terms.concat(lower, is_difference);
    let sum = terms.add(upper, lower);
    let sum = terms.extract(sum, 1, bits);

    // No sum of numbers has bits below the last one of a subnormal number, so that it is never shifted right.
    let exponent_bits = format.exponent_bits() + 1;
    let (significand, count) = normalise_within(terms, sum, x.exponent);
    let exponent = terms.zero_extend(x.exponent, exponent_bits);
    let one = terms.constant(1, exponent_bits);
    let exponent = terms.add(exponent, one);
    let count = terms.zero_extend(count, exponent_bits);
    let exponent = terms.sub(exponent, count);
    let magnitude = round(terms, format, exponent, significand);

    // Opposite numbers give +0.
    let is_some = any(terms, sum);
    let both = terms.and(x.sign, y.sign);
    let sign = terms.ite(is_some, x.sign, both);
    // A NaN has the larger magnitude; infinity minus infinity is none, too.
    let infinities = terms.and(x.is_infinite, y.is_infinite);
    let invalid = terms.and(infinities, is_difference);
    let is_nan = terms.or(x.is_nan, invalid);
    finish(terms, format, sign, magnitude, x.is_infinite, is_nan)
}
