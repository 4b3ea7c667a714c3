//! Values that a term may have, as far as its structure shows them: a list of constants, or a congruence.

use crate::base::sorted::SortedSet;
use crate::term::node::{Node, Op};
use crate::term::word::mask;
use crate::term::{TermId, Terms};

/// Most constants that a choice is enumerated over.
const CONSTANTS: usize = 64;

/// Values of a tree of choices between constants, ascending; `None` if it is not one or has too many.
pub fn constants(terms: &Terms, term: TermId) -> Option<Vec<u128>> {
    let mut found = SortedSet::new();
    let mut seen = SortedSet::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Constant(value) => {
                found.insert(value);
            }
            Node::Ite(_, a, b) => stack.extend([a, b]),
            _ => return None,
        }
        if seen.len() > 4 * CONSTANTS {
            return None;
        }
    }
    Some(found.into_iter().collect())
}

/// A congruence that a term satisfies: it equals `residue` modulo `modulus` (0: it is that constant).
/// Sums and products that wrap keep only what a power of two that divides the word preserves, so moduli
/// that are not powers of two are given only where the known range shows that nothing wraps.
pub fn congruence(terms: &Terms, term: TermId, depth: u32) -> (u128, u128) {
    let bits = terms.bits(term);
    match terms.node(term) {
        Node::Constant(value) => (0, value),
        Node::Ite(_, a, b) if depth > 0 => {
            let (ma, ra) = congruence(terms, a, depth - 1);
            let (mb, rb) = congruence(terms, b, depth - 1);
            let modulus = gcd(gcd(ma, mb), ra.abs_diff(rb));
            if modulus == 0 {
                (0, ra)
            } else {
                (modulus, ra % modulus)
            }
        }
        Node::Binary(op @ (Op::Add | Op::Mul), a, b) if depth > 0 && bits <= 64 => {
            let (ma, ra) = congruence(terms, a, depth - 1);
            let (mb, rb) = congruence(terms, b, depth - 1);
            let (high_a, high_b) = (terms.fact(a).hi, terms.fact(b).hi);
            let (modulus, residue, high) = match op {
                Op::Add => (gcd(ma, mb), ra + rb, high_a + high_b),
                _ => (
                    gcd(gcd(ma * rb, mb * ra), ma * mb),
                    ra * rb,
                    high_a.saturating_mul(high_b),
                ),
            };
            let modulus = if high >> bits == 0 {
                modulus
            } else {
                power_of_two(modulus, bits)
            };
            if modulus == 0 {
                (0, residue & mask(bits))
            } else {
                (modulus, residue % modulus)
            }
        }
        Node::ZeroExtend(a) if depth > 0 => congruence(terms, a, depth - 1),
        Node::Extract { from, lo: 0 } if depth > 0 => {
            let (modulus, residue) = congruence(terms, from, depth - 1);
            let modulus = if terms.fact(from).hi >> bits == 0 {
                modulus
            } else {
                power_of_two(modulus, bits)
            };
            if modulus == 0 {
                (1 << bits.min(127), residue & mask(bits))
            } else {
                (modulus, residue % modulus)
            }
        }
        Node::Concat(_, low) if depth > 0 => {
            let width = terms.bits(low);
            let (modulus, residue) = congruence(terms, low, depth - 1);
            let modulus = power_of_two(
                if modulus == 0 {
                    1 << width.min(127)
                } else {
                    modulus
                },
                width,
            );
            if modulus == 0 {
                (1, 0)
            } else {
                (modulus, residue % modulus)
            }
        }
        _ => {
            let known = terms.fact(term);
            let zeros = known.zeros.trailing_ones().min(u32::from(bits)).min(126);
            (1 << zeros, 0)
        }
    }
}

/// Numbers from `lo` to `hi` that a term may be as far as its congruence shows, ascending; `None` if there are more than
/// `most`.
pub fn progression(
    terms: &Terms,
    term: TermId,
    (lo, hi): (u128, u128),
    most: u128,
) -> Option<impl Iterator<Item = u128> + use<>> {
    let (modulus, residue) = congruence(terms, term, 16);
    let modulus = modulus.max(1);
    let first = lo + (residue + modulus - lo % modulus) % modulus;
    let count = if first > hi {
        0
    } else {
        (hi - first) / modulus + 1
    };
    (count <= most).then(|| (0..count).map(move |i| first + i * modulus))
}

/// The largest power of two that divides `modulus` (2^bits for 0).
fn power_of_two(modulus: u128, bits: u16) -> u128 {
    let shift = if modulus == 0 {
        u32::from(bits)
    } else {
        modulus.trailing_zeros().min(u32::from(bits))
    };
    1 << shift.min(126)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
