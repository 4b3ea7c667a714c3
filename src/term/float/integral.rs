//! The integers next to numbers, on the pattern itself: the bits behind the point are a run of the lowest ones, and a
//! carry out of the fraction makes the next exponent.

use super::round::{any, finish, pad};
use super::unpack::unpack;
use crate::base::float::{Format, Rounding};
use crate::term::{TermId, Terms};

/// The integer next to `a`, as a number.
pub(super) fn integral(terms: &mut Terms, format: Format, rounding: Rounding, a: TermId) -> TermId {
    let x = unpack(terms, format, a);
    let bits = format.bits() - 1;
    let magnitude = terms.extract(a, 0, bits);
    let one = terms.constant(format.one(), bits);
    let is_fraction = terms.ult(magnitude, one);
    let large = large(terms, format, rounding, x.sign, x.exponent, magnitude);
    let up = rises(terms, format, rounding, x.sign, magnitude);
    let zero = terms.constant(0, bits);
    let small = terms.ite(up, one, zero);
    let magnitude = terms.ite(is_fraction, small, large);
    finish(terms, format, x.sign, magnitude, x.is_infinite, x.is_nan)
}

/// Rounding up of fractions: true if a magnitude below 1 goes to 1.
fn rises(
    terms: &mut Terms,
    format: Format,
    rounding: Rounding,
    sign: TermId,
    magnitude: TermId,
) -> TermId {
    let half = format.one() - (1 << format.fraction_bits());
    let half = terms.constant(half, format.bits() - 1);
    match rounding {
        Rounding::NearestEven => terms.ult(half, magnitude),
        Rounding::NearestAway => terms.ule(half, magnitude),
        Rounding::Zero => terms.fals(),
        Rounding::Up | Rounding::Down => {
            let some = any(terms, magnitude);
            let outwards = outwards(terms, rounding, sign);
            terms.and(some, outwards)
        }
    }
}

/// Rounding outwards: true if rounding to one side goes away from zero.
fn outwards(terms: &mut Terms, rounding: Rounding, sign: TermId) -> TermId {
    match rounding {
        Rounding::Down => sign,
        _ => terms.not(sign),
    }
}

/// A magnitude of at least 1, rounded.
fn large(
    terms: &mut Terms,
    format: Format,
    rounding: Rounding,
    sign: TermId,
    exponent: TermId,
    magnitude: TermId,
) -> TermId {
    let bits = format.bits() - 1;
    // As many ones as there are bits behind the point: all of the fraction for [1, 2), none from 2^fraction_bits on.
    let fraction_bits = format.fraction_bits();
    let bias = terms.constant(format.bias().into(), format.exponent_bits());
    let places = terms.sub(exponent, bias);
    let all = terms.constant((1 << fraction_bits) - 1, bits);
    let places = terms.zero_extend(places, bits);
    let mask = terms.lshr(all, places);

    let outside = terms.not(mask);
    let cut = terms.and(magnitude, outside);
    let behind = terms.and(magnitude, mask);
    let up = match rounding {
        Rounding::Zero => return cut,
        Rounding::Up | Rounding::Down => {
            let some = any(terms, behind);
            let outwards = outwards(terms, rounding, sign);
            terms.and(some, outwards)
        }
        Rounding::NearestEven | Rounding::NearestAway => {
            let upper = terms.extract(mask, 1, bits - 1);
            let below = terms.zero_extend(upper, bits);
            let first = terms.xor(mask, below);
            let half = terms.and(magnitude, first);
            let half = any(terms, half);
            if rounding == Rounding::NearestAway {
                half
            } else {
                let rest = terms.and(magnitude, below);
                let rest = any(terms, rest);
                // The bit above the point: of [1, 2) the lowest one of the exponent, which is odd as the bias is.
                let lower = terms.extract(mask, 0, bits - 1);
                let above = pad(terms, lower, 1);
                let one = terms.constant(1, bits);
                let above = terms.or(above, one);
                let above = terms.xor(above, mask);
                let odd = terms.and(magnitude, above);
                let odd = any(terms, odd);
                let decided = terms.or(rest, odd);
                terms.and(half, decided)
            }
        }
    };
    let filled = terms.or(magnitude, mask);
    let one = terms.constant(1, bits);
    let next = terms.add(filled, one);
    terms.ite(up, next, cut)
}
