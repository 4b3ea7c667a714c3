//! Products, and sums with a product that is not rounded.

use super::round::{any, denormalise, finish, normalise, pad, round, shift_right, shorten};
use super::unpack::{Unpacked, normal, unpack};
use crate::base::float::Format;
use crate::term::{TermId, Terms};

/// Bits of an exponent beyond the field: a sign, a carry, and room for what a shift takes.
const MARGIN: u16 = 3;

/// `a * b`.
pub(super) fn multiply(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let bits = format.exponent_bits() + MARGIN;
    let (p, q) = factors(terms, &x, &y, bits);
    let product = exact_product(terms, p.0, q.0);
    let exponent = terms.add(p.1, q.1);
    let bias = terms.constant(format.bias().into(), bits);
    let exponent = terms.sub(exponent, bias);

    // The product of two numbers of [1, 2) has its first bit in one of two places.
    let top = terms.extract(product, terms.bits(product) - 1, 1);
    let low = terms.extract(product, 0, terms.bits(product) - 1);
    let shifted = pad(terms, low, 1);
    let product = terms.ite(top, product, shifted);
    let carry = terms.zero_extend(top, bits);
    let exponent = terms.add(exponent, carry);

    let significand = shorten(terms, product, format.precision() + 1);
    let (exponent, significand) = denormalise(terms, exponent, significand);
    let magnitude = round(terms, format, exponent, significand);

    let sign = terms.xor(x.sign, y.sign);
    let is_infinite = terms.or(x.is_infinite, y.is_infinite);
    let is_nan = invalid_product(terms, &x, &y);
    finish(terms, format, sign, magnitude, is_infinite, is_nan)
}

/// A significand and its exponent.
type Scaled = (TermId, TermId);

/// Significands and signed exponents of two factors, of which at most one is small, as the product needs them: if
/// both are small, it is far below the smallest number, wherever its first bit stands.
fn factors(terms: &mut Terms, x: &Unpacked, y: &Unpacked, bits: u16) -> (Scaled, Scaled) {
    let plain = |terms: &mut Terms, number: &Unpacked| {
        let exponent = terms.zero_extend(number.exponent, bits);
        (number.significand, exponent)
    };
    if y.is_small == terms.fals() {
        return (normal(terms, x, bits), plain(terms, y));
    }
    if x.is_small == terms.fals() {
        return (plain(terms, x), normal(terms, y, bits));
    }
    // One shifter for both.
    let small = Unpacked {
        significand: terms.ite(x.is_small, x.significand, y.significand),
        exponent: terms.ite(x.is_small, x.exponent, y.exponent),
        ..*x
    };
    let other = Unpacked {
        significand: terms.ite(x.is_small, y.significand, x.significand),
        exponent: terms.ite(x.is_small, y.exponent, x.exponent),
        ..*y
    };
    let either = terms.or(x.is_small, y.is_small);
    let small = Unpacked {
        is_small: either,
        ..small
    };
    (normal(terms, &small, bits), plain(terms, &other))
}

/// The product of two words, twice as long.
fn exact_product(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let bits = 2 * terms.bits(a);
    let (a, b) = (terms.zero_extend(a, bits), terms.zero_extend(b, bits));
    terms.mul(a, b)
}

/// Invalid product: true if it is no number.
fn invalid_product(terms: &mut Terms, x: &Unpacked, y: &Unpacked) -> TermId {
    let left = terms.and(x.is_infinite, y.is_zero);
    let right = terms.and(x.is_zero, y.is_infinite);
    terms.or_all(&[x.is_nan, y.is_nan, left, right])
}

/// `a * b + c`, rounded once. Both summands are words of twice the precision, with the larger exponent first; as the
/// product need not be normal, the difference may be negative, but then nothing was lost below it.
pub(super) fn multiply_add(
    terms: &mut Terms,
    format: Format,
    a: TermId,
    b: TermId,
    c: TermId,
) -> TermId {
    let (x, y, z) = (
        unpack(terms, format, a),
        unpack(terms, format, b),
        unpack(terms, format, c),
    );
    let bits = format.exponent_bits() + MARGIN;
    let (p, q, r) = (
        normal(terms, &x, bits),
        normal(terms, &y, bits),
        normal(terms, &z, bits),
    );
    let product = exact_product(terms, p.0, q.0);
    let summand = pad(terms, r.0, format.precision());
    // What is zero comes second, whatever the other one is.
    let least = terms.constant((1u128 << bits) - (1 << (bits - 2)), bits);
    let product_exponent = terms.add(p.1, q.1);
    let offset = terms.constant(u128::from(format.bias()) - 1, bits);
    let product_exponent = terms.sub(product_exponent, offset);
    let product_zero = terms.or(x.is_zero, y.is_zero);
    let product_exponent = terms.ite(product_zero, least, product_exponent);
    let summand_exponent = terms.ite(z.is_zero, least, r.1);
    let product_sign = terms.xor(x.sign, y.sign);

    let swapped = terms.slt(product_exponent, summand_exponent);
    let upper = terms.ite(swapped, summand, product);
    let lower = terms.ite(swapped, product, summand);
    let upper_exponent = terms.ite(swapped, summand_exponent, product_exponent);
    let lower_exponent = terms.ite(swapped, product_exponent, summand_exponent);
    let upper_sign = terms.ite(swapped, z.sign, product_sign);

    let distance = terms.sub(upper_exponent, lower_exponent);
    let (upper, lower) = (pad(terms, upper, 3), pad(terms, lower, 3));
    let lower = shift_right(terms, lower, distance);
    // A carry and a sign above.
    let wide = terms.bits(upper) + 2;
    let (upper, lower) = (
        terms.zero_extend(upper, wide),
        terms.zero_extend(lower, wide),
    );
    let is_difference = terms.xor(product_sign, z.sign);
    let opposite = terms.neg(lower);
    let lower = terms.ite(is_difference, opposite, lower);
    let sum = terms.add(upper, lower);
    let is_negative = terms.extract(sum, wide - 1, 1);
    let opposite = terms.neg(sum);
    let sum = terms.ite(is_negative, opposite, sum);
    let sum = terms.extract(sum, 0, wide - 1);

    let (significand, count) = normalise(terms, sum);
    let one = terms.constant(1, bits);
    let exponent = terms.add(upper_exponent, one);
    let count = terms.zero_extend(count, bits);
    let exponent = terms.sub(exponent, count);
    let significand = shorten(terms, significand, format.precision() + 1);
    let (exponent, significand) = denormalise(terms, exponent, significand);
    let magnitude = round(terms, format, exponent, significand);

    let is_some = any(terms, sum);
    let number_sign = terms.xor(upper_sign, is_negative);
    let both = terms.and(product_sign, z.sign);
    let sign = terms.ite(is_some, number_sign, both);
    let product_infinite = terms.or(x.is_infinite, y.is_infinite);
    let is_infinite = terms.or(product_infinite, z.is_infinite);
    let sign_of_infinity = terms.ite(z.is_infinite, z.sign, product_sign);
    let sign = terms.ite(is_infinite, sign_of_infinity, sign);
    let infinities = terms.and_all(&[product_infinite, z.is_infinite, is_difference]);
    let no_product = invalid_product(terms, &x, &y);
    let is_nan = terms.or_all(&[no_product, z.is_nan, infinities]);
    finish(terms, format, sign, magnitude, is_infinite, is_nan)
}
