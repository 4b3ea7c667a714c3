//! The exact remainder of a division (`fmod`): a long division, one row for each place between the exponents.

use super::round::{denormalise, finish, normalise_within, pad};
use super::unpack::{normal, unpack};
use crate::base::float::Format;
use crate::term::{TermId, Terms};

/// Remainder (`fmod`): what is left of `a` when `b` is subtracted as often as it goes into it; it has the sign of `a`.
pub(super) fn remainder(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let bits = format.exponent_bits() + 2;
    let exponent = terms.zero_extend(x.exponent, bits);
    // The divisor is normal, so that it goes into the dividend's bits at most once.
    let (divisor, divisor_exponent) = normal(terms, &y, bits);
    let distance = terms.sub(exponent, divisor_exponent);

    let mut rest = reduce(terms, x.significand, divisor);
    for row in 0..rows(terms, format, x.exponent, y.exponent, y.is_small) {
        let row = terms.constant(row.into(), bits);
        let is_there = terms.slt(row, distance);
        let double = pad(terms, rest, 1);
        let reduced = reduce(terms, double, divisor);
        rest = terms.ite(is_there, reduced, rest);
    }

    // Below the smallest normal number nothing is lost: the remainder is a multiple of the divisor's last place.
    let (exponent, significand) = denormalise(terms, divisor_exponent, rest);
    let one = terms.constant(1, bits);
    let limit = terms.sub(exponent, one);
    let (significand, count) = normalise_within(terms, significand, limit);
    let count = terms.zero_extend(count, bits);
    let exponent = terms.sub(exponent, count);
    let first = terms.extract(significand, format.precision() - 1, 1);
    let field = terms.extract(exponent, 0, format.exponent_bits());
    let zero = terms.constant(0, format.exponent_bits());
    let field = terms.ite(first, field, zero);
    let fraction = terms.extract(significand, 0, format.fraction_bits());
    let magnitude = terms.concat(field, fraction);

    let dividend = terms.extract(a, 0, format.bits() - 1);
    let whole = terms.extract(b, 0, format.bits() - 1);
    let is_less = terms.ult(dividend, whole);
    let magnitude = terms.ite(is_less, dividend, magnitude);
    let is_nan = terms.or_all(&[x.is_nan, y.is_nan, x.is_infinite, y.is_zero]);
    let never = terms.fals();
    finish(terms, format, x.sign, magnitude, never, is_nan)
}

/// `rest - divisor`, if it is not negative, otherwise `rest`, in the divisor's width.
fn reduce(terms: &mut Terms, rest: TermId, divisor: TermId) -> TermId {
    let bits = terms.bits(rest).max(terms.bits(divisor)) + 1;
    let wide = terms.zero_extend(rest, bits);
    let subtrahend = terms.zero_extend(divisor, bits);
    let difference = terms.sub(wide, subtrahend);
    let borrow = terms.extract(difference, bits - 1, 1);
    let kept = terms.ite(borrow, wide, difference);
    terms.extract(kept, 0, terms.bits(divisor))
}

/// Rows that the exponents of finite numbers may need.
fn rows(
    terms: &Terms,
    format: Format,
    dividend: TermId,
    divisor: TermId,
    divisor_is_small: TermId,
) -> u32 {
    let most = terms
        .fact(dividend)
        .hi
        .min(format.special_exponent().into()) as u32;
    let least = terms.fact(divisor).lo as u32;
    let shift = match terms.as_constant(divisor_is_small) {
        Some(0) => 0,
        _ => u32::from(format.fraction_bits()),
    };
    (most + shift).saturating_sub(least)
}
