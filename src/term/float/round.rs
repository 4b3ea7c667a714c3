//! Shifts that lose nothing, and rounding to nearest, ties to even.

use crate::base::float::Format;
use crate::term::faults::{self, Fault};
use crate::term::{TermId, Terms};

/// Disjunction of all bits: true if a word has a bit that is set; `false` for a word without bits.
pub(super) fn any(terms: &mut Terms, word: TermId) -> TermId {
    let zero = terms.constant(0, terms.bits(word));
    terms.ne(word, zero)
}

/// The word with `bits` zeros below it.
pub(super) fn pad(terms: &mut Terms, word: TermId, bits: u16) -> TermId {
    if bits == 0 {
        return word;
    }
    let zeros = terms.constant(0, bits);
    terms.concat(word, zeros)
}

/// The upper `bits` bits of a longer word, and one more that says whether any of the others is set.
pub(super) fn shorten(terms: &mut Terms, word: TermId, bits: u16) -> TermId {
    let rest = terms.bits(word) - bits;
    let upper = terms.extract(word, rest, bits);
    let lower = terms.extract(word, 0, rest);
    let sticky = any(terms, lower);
    terms.concat(upper, sticky)
}

/// The word shifted right, with its lowest bit also set if a bit that is set was lost.
pub(super) fn shift_right(terms: &mut Terms, word: TermId, amount: TermId) -> TermId {
    let (bits, amount_bits) = (terms.bits(word), terms.bits(amount));
    let (mut word, mut lost) = (word, terms.fals());
    let stages = stages(bits).min(amount_bits);
    for i in 0..stages {
        let step = 1 << i;
        let taken = terms.extract(amount, i, 1);
        let low = terms.extract(word, 0, step);
        let some = any(terms, low);
        let some = terms.and(taken, some);
        lost = terms.or(lost, some);
        let high = terms.extract(word, step, bits - step);
        let shifted = terms.zero_extend(high, bits);
        word = terms.ite(taken, shifted, word);
    }
    if stages < amount_bits {
        let above = terms.extract(amount, stages, amount_bits - stages);
        let beyond = any(terms, above);
        let some = any(terms, word);
        let some = terms.and(beyond, some);
        lost = terms.or(lost, some);
        let zero = terms.constant(0, bits);
        word = terms.ite(beyond, zero, word);
    }
    if faults::on(Fault::StickyLost) {
        return word;
    }
    let upper = terms.extract(word, 1, bits - 1);
    let lowest = terms.extract(word, 0, 1);
    let lowest = terms.or(lowest, lost);
    terms.concat(upper, lowest)
}

/// The word shifted left until its first bit is set, and by how many places; a zero by too many.
pub(super) fn normalise(terms: &mut Terms, word: TermId) -> (TermId, TermId) {
    shift_left_within(terms, word, None)
}

/// The same, but by at most `limit` places.
pub(super) fn normalise_within(terms: &mut Terms, word: TermId, limit: TermId) -> (TermId, TermId) {
    shift_left_within(terms, word, Some(limit))
}

/// Each stage shifts by half as much as the one before. A stage may shift if its bit of the limit is set; once the
/// limit allows a shift that is not needed, it allows all the smaller ones together.
fn shift_left_within(terms: &mut Terms, word: TermId, limit: Option<TermId>) -> (TermId, TermId) {
    let bits = terms.bits(word);
    let stages = stages(bits);
    let limit_bits = limit.map_or(0, |limit| terms.bits(limit));
    let mut free = match limit {
        None => terms.tru(),
        Some(limit) if limit_bits > stages => {
            let above = terms.extract(limit, stages, limit_bits - stages);
            any(terms, above)
        }
        Some(_) => terms.fals(),
    };
    let (mut word, mut count) = (word, None);
    for i in (0..stages).rev() {
        let step = 1 << i;
        let allowed = match limit {
            Some(limit) if i < limit_bits => terms.extract(limit, i, 1),
            _ => terms.fals(),
        };
        let high = terms.extract(word, bits - step, step);
        let needless = any(terms, high);
        let may = terms.or(free, allowed);
        let needed = terms.not(needless);
        let taken = terms.and(may, needed);
        let spared = terms.and(allowed, needless);
        free = terms.or(free, spared);
        let low = terms.extract(word, 0, bits - step);
        let shifted = pad(terms, low, step);
        word = terms.ite(taken, shifted, word);
        count = Some(match count {
            None => taken,
            Some(count) => terms.concat(count, taken),
        });
    }
    let none = terms.fals();
    (word, count.unwrap_or(none))
}

/// Number of places in binary by which a word of `bits` bits can be shifted and not be lost.
fn stages(bits: u16) -> u16 {
    (16 - (bits - 1).leading_zeros()) as u16
}

/// Numbers below the smallest normal one: shifted right until their exponent is 1. `exponent` is signed; what comes
/// out is at least 1.
pub(super) fn denormalise(
    terms: &mut Terms,
    exponent: TermId,
    significand: TermId,
) -> (TermId, TermId) {
    let bits = terms.bits(exponent);
    let (zero, one) = (terms.constant(0, bits), terms.constant(1, bits));
    let is_small = terms.slt(exponent, one);
    let missing = terms.sub(one, exponent);
    let amount = terms.ite(is_small, missing, zero);
    let significand = shift_right(terms, significand, amount);
    (terms.ite(is_small, one, exponent), significand)
}

/// The magnitude (without sign) of `significand`, which has more bits than the precision, rounded. `exponent` is
/// unsigned and what the first bit stands for; that bit may only be missing if it is 1 or the significand is zero.
pub(super) fn round(
    terms: &mut Terms,
    format: Format,
    exponent: TermId,
    significand: TermId,
) -> TermId {
    let (precision, fraction_bits) = (format.precision(), format.fraction_bits());
    let below = terms.bits(significand) - precision;
    let first = terms.extract(significand, terms.bits(significand) - 1, 1);
    let fraction = terms.extract(significand, below, fraction_bits);
    let half = terms.extract(significand, below - 1, 1);
    let odd = terms.extract(significand, below, 1);
    let rest = match below {
        1 => terms.fals(),
        _ => {
            let rest = terms.extract(significand, 0, below - 1);
            any(terms, rest)
        }
    };
    let not_tie = terms.or(rest, odd);
    let up = if faults::on(Fault::TiesAway) {
        half
    } else {
        terms.and(half, not_tie)
    };
    let bits = terms.bits(exponent);
    let zero = terms.constant(0, bits);
    let field = terms.ite(first, exponent, zero);
    let low_field = terms.extract(field, 0, format.exponent_bits());
    let cut = terms.concat(low_field, fraction);
    let up = terms.zero_extend(up, format.bits() - 1);
    // A carry out of the fraction makes the next exponent.
    let mut rounded = terms.add(cut, up);
    if faults::on(Fault::SubnormalFlushed) {
        let zero = terms.constant(0, format.bits() - 1);
        rounded = terms.ite(first, rounded, zero);
    }
    let special = terms.constant(format.special_exponent().into(), bits);
    let fits = terms.ult(field, special);
    let infinity = terms.constant(format.infinity(), format.bits() - 1);
    terms.ite(fits, rounded, infinity)
}

/// A number from its sign and magnitude, unless it is infinite or none at all.
pub(super) fn finish(
    terms: &mut Terms,
    format: Format,
    sign: TermId,
    magnitude: TermId,
    is_infinite: TermId,
    is_nan: TermId,
) -> TermId {
    let infinity = terms.constant(format.infinity(), format.bits() - 1);
    let magnitude = terms.ite(is_infinite, infinity, magnitude);
    let number = terms.concat(sign, magnitude);
    let nan = terms.constant(format.nan(), format.bits());
    terms.ite(is_nan, nan, number)
}
