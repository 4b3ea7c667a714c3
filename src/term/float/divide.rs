//! Quotients and square roots, one bit after the other.

use super::multiply::multiply;
use super::round::{any, denormalise, finish, pad, round};
use super::unpack::{normal, unpack};
use crate::base::float::Format;
use crate::term::{TermId, Terms};

/// `a / b`.
pub(super) fn divide(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    if let Some(reciprocal) = terms.as_constant(b).and_then(|b| reciprocal(format, b)) {
        let factor = terms.constant(reciprocal, format.bits());
        return multiply(terms, format, a, factor);
    }
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let bits = format.exponent_bits() + 2;
    let (p, q) = (normal(terms, &x, bits), normal(terms, &y, bits));
    let exponent = terms.sub(p.1, q.1);
    let bias = terms.constant(format.bias().into(), bits);
    let exponent = terms.add(exponent, bias);

    // The quotient lies between 1/2 and 2: one bit for the first place, which may be empty, and one to round.
    let significand = quotient(terms, p.0, q.0, format.precision() + 2);
    let top = terms.extract(significand, terms.bits(significand) - 1, 1);
    let low = terms.extract(significand, 0, terms.bits(significand) - 1);
    let shifted = pad(terms, low, 1);
    let significand = terms.ite(top, significand, shifted);
    let missing = terms.not(top);
    let borrow = terms.zero_extend(missing, bits);
    let exponent = terms.sub(exponent, borrow);
    let (exponent, significand) = denormalise(terms, exponent, significand);
    let magnitude = round(terms, format, exponent, significand);

    let sign = terms.xor(x.sign, y.sign);
    let zero = terms.constant(0, format.bits() - 1);
    let magnitude = terms.ite(y.is_infinite, zero, magnitude);
    let is_infinite = terms.or(x.is_infinite, y.is_zero);
    let infinities = terms.and(x.is_infinite, y.is_infinite);
    let zeros = terms.and(x.is_zero, y.is_zero);
    let is_nan = terms.or_all(&[x.is_nan, y.is_nan, infinities, zeros]);
    finish(terms, format, sign, magnitude, is_infinite, is_nan)
}

/// The reciprocal of a power of two, if it is a normal number: then a product with it is the quotient.
fn reciprocal(format: Format, number: u128) -> Option<u128> {
    let field = number >> format.fraction_bits() & u128::from(format.special_exponent());
    let fraction = number & ((1 << format.fraction_bits()) - 1);
    let opposite = u128::from(2 * format.bias()).checked_sub(field)?;
    let sign = number & format.sign();
    (field > 0 && opposite > 0 && fraction == 0)
        .then_some(sign | opposite << format.fraction_bits())
}

/// `count` bits of the quotient of two words that have their first bit, from the place of the ones on, and one more
/// that says whether a remainder is left. Each row subtracts the divisor where it can.
fn quotient(terms: &mut Terms, dividend: TermId, divisor: TermId, count: u16) -> TermId {
    // Before each row, the remainder is less than twice the divisor.
    let bits = terms.bits(divisor) + 1;
    let divisor = terms.zero_extend(divisor, bits + 1);
    let mut remainder = terms.zero_extend(dividend, bits);
    let mut digits = None;
    for _ in 0..count {
        let wide = terms.zero_extend(remainder, bits + 1);
        let difference = terms.sub(wide, divisor);
        let borrow = terms.extract(difference, bits, 1);
        let digit = terms.not(borrow);
        digits = Some(match digits {
            None => digit,
            Some(digits) => terms.concat(digits, digit),
        });
        let reduced = terms.extract(difference, 0, bits);
        let rest = terms.ite(digit, reduced, remainder);
        // It is less than the divisor now.
        let rest = terms.extract(rest, 0, bits - 1);
        remainder = pad(terms, rest, 1);
    }
    let sticky = any(terms, remainder);
    match digits {
        None => sticky,
        Some(digits) => terms.concat(digits, sticky),
    }
}

/// The square root of `a`.
pub(super) fn square_root(terms: &mut Terms, format: Format, a: TermId) -> TermId {
    let x = unpack(terms, format, a);
    let precision = format.precision();
    let bits = format.exponent_bits() + 2;
    let (significand, exponent) = normal(terms, &x, bits);
    // Half of (exponent - bias), rounded down, plus the bias. The bias is odd.
    let bias = terms.constant(format.bias().into(), bits);
    let sum = terms.add(exponent, bias);
    let is_odd = terms.extract(sum, 0, 1);
    let half = terms.extract(sum, 1, format.exponent_bits());
    // A number of [1, 4) with two bits for every bit of the root and the one that rounds it.
    let even = terms.zero_extend(significand, precision + 1);
    let odd = pad(terms, significand, 1);
    let radicand = terms.ite(is_odd, odd, even);
    let radicand = pad(terms, radicand, precision + 1);
    let root = root(terms, radicand);
    let magnitude = round(terms, format, half, root);

    let is_some = terms.not(x.is_zero);
    let is_negative = terms.and(x.sign, is_some);
    let is_nan = terms.or(x.is_nan, is_negative);
    finish(terms, format, x.sign, magnitude, x.is_infinite, is_nan)
}

/// The root of a word of an even number of bits, half as long, and one more bit that says whether a remainder is
/// left. Each row brings down two bits and subtracts `4 * root + 1` where it can.
fn root(terms: &mut Terms, radicand: TermId) -> TermId {
    let count = terms.bits(radicand) / 2;
    // Before row i, the root has i bits and the remainder is at most twice as large.
    let mut root: Option<TermId> = None;
    let mut remainder: Option<TermId> = None;
    for i in 0..count {
        let next = terms.extract(radicand, 2 * (count - 1 - i), 2);
        let bits = i + 3;
        let dividend = match remainder {
            None => next,
            Some(remainder) => terms.concat(remainder, next),
        };
        let dividend = terms.zero_extend(dividend, bits + 1);
        let one = terms.constant(1, 2);
        let trial = match root {
            None => one,
            Some(root) => terms.concat(root, one),
        };
        let trial = terms.zero_extend(trial, bits + 1);
        let difference = terms.sub(dividend, trial);
        let borrow = terms.extract(difference, bits, 1);
        let digit = terms.not(borrow);
        let rest = terms.ite(digit, difference, dividend);
        remainder = Some(terms.extract(rest, 0, i + 2));
        root = Some(match root {
            None => digit,
            Some(root) => terms.concat(root, digit),
        });
    }
    let (Some(root), Some(remainder)) = (root, remainder) else {
        unreachable!("a word has bits");
    };
    let sticky = any(terms, remainder);
    terms.concat(root, sticky)
}
