//! Conversions between formats, and from and to integers.

use super::round::{denormalise, finish, normalise, pad, round, shorten};
use super::unpack::{normal, unpack};
use crate::base::float::Format;
use crate::term::faults::{self, Fault};
use crate::term::word::length;
use crate::term::{TermId, Terms};

/// A number in another format, or in the same one with its NaN.
pub(super) fn format(terms: &mut Terms, from: Format, to: Format, a: TermId) -> TermId {
    let x = unpack(terms, from, a);
    let bits = from.exponent_bits().max(to.exponent_bits()) + 2;
    let magnitude = if from == to {
        terms.extract(a, 0, from.bits() - 1)
    } else if from.precision() > to.precision() {
        // What is small here is nothing there, normal or not.
        let exponent = terms.zero_extend(x.exponent, bits);
        let less = terms.constant(u128::from(from.bias() - to.bias()), bits);
        let exponent = terms.sub(exponent, less);
        let significand = shorten(terms, x.significand, to.precision() + 1);
        let (exponent, significand) = denormalise(terms, exponent, significand);
        round(terms, to, exponent, significand)
    } else {
        let (significand, exponent) = normal(terms, &x, bits);
        let more = terms.constant(u128::from(to.bias() - from.bias()), bits);
        let exponent = terms.add(exponent, more);
        let field = terms.extract(exponent, 0, to.exponent_bits());
        let zero = terms.constant(0, to.exponent_bits());
        let field = terms.ite(x.is_zero, zero, field);
        let fraction = terms.extract(significand, 0, from.fraction_bits());
        let fraction = pad(terms, fraction, to.precision() - from.precision());
        terms.concat(field, fraction)
    };
    finish(terms, to, x.sign, magnitude, x.is_infinite, x.is_nan)
}

/// The number next to an integer.
pub(super) fn from_integer(
    terms: &mut Terms,
    format: Format,
    integer: TermId,
    signed: bool,
) -> TermId {
    let bits = terms.bits(integer);
    let (sign, magnitude) = if signed {
        let sign = terms.extract(integer, bits - 1, 1);
        let opposite = terms.neg(integer);
        (sign, terms.ite(sign, opposite, integer))
    } else {
        (terms.fals(), integer)
    };
    // As many bits as it can have.
    let bits = length(terms.fact(magnitude).hi);
    let magnitude = terms.extract(magnitude, 0, bits);
    let (significand, count) = match bits {
        1 => (magnitude, terms.fals()),
        _ => normalise(terms, magnitude),
    };
    let exponent_bits = format.exponent_bits();
    let greatest = terms.constant(
        u128::from(format.bias()) + u128::from(bits) - 1,
        exponent_bits,
    );
    let count = terms.zero_extend(count, exponent_bits);
    let exponent = terms.sub(greatest, count);
    let precision = format.precision();
    let significand = if bits <= precision {
        pad(terms, significand, precision + 1 - bits)
    } else if faults::on(Fault::IntegerCut) {
        let kept = terms.extract(significand, bits - precision, precision);
        pad(terms, kept, 1)
    } else {
        significand
    };
    let magnitude = round(terms, format, exponent, significand);
    terms.concat(sign, magnitude)
}

/// The integer of `bits` bits without the fraction; some word for what does not fit.
pub(super) fn to_integer(terms: &mut Terms, format: Format, a: TermId, bits: u16) -> TermId {
    let x = unpack(terms, format, a);
    // The significand at the upper end of a word that holds both, shifted right by the rest of the exponent.
    let wide = bits.max(format.precision());
    let word = pad(terms, x.significand, wide - format.precision());
    let amount_bits = format.exponent_bits() + 1;
    let greatest = terms.constant(
        u128::from(format.bias()) + u128::from(wide) - 1,
        amount_bits,
    );
    let exponent = terms.zero_extend(x.exponent, amount_bits);
    let amount = terms.sub(greatest, exponent);
    let shift_bits = wide.max(amount_bits);
    let word = terms.zero_extend(word, shift_bits);
    let amount = terms.zero_extend(amount, shift_bits);
    let whole = terms.lshr(word, amount);
    let magnitude = terms.extract(whole, 0, bits);
    let opposite = terms.neg(magnitude);
    terms.ite(x.sign, opposite, magnitude)
}
