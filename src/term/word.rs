//! Machine arithmetic on words of 1 to 128 bits held in a `u128`: what the operators of a term mean.
//!
//! Every function takes and returns words whose bits above the width are zero.

use super::node::Op;

/// The word of `bits` ones (1..=128 bits).
pub fn mask(bits: u16) -> u128 {
    debug_assert!((1..=128).contains(&bits));
    u128::MAX >> (128 - u32::from(bits))
}

/// The word with only the sign bit set.
pub fn sign_bit(bits: u16) -> u128 {
    1 << (bits - 1)
}

/// The value of a word read in two's complement.
pub fn signed(word: u128, bits: u16) -> i128 {
    let unused = 128 - u32::from(bits);
    ((word << unused) as i128) >> unused
}

/// `word` shifted left; amounts of 128 and more give 0.
pub fn shift_left(word: u128, amount: u128) -> u128 {
    if amount >= 128 { 0 } else { word << amount }
}

/// `word` shifted right; amounts of 128 and more give 0.
pub fn shift_right(word: u128, amount: u128) -> u128 {
    if amount >= 128 { 0 } else { word >> amount }
}

/// Number of bits needed to write the value, at least 1.
pub fn length(word: u128) -> u16 {
    (128 - word.leading_zeros()).max(1) as u16
}

/// Applies a binary operator whose operands have `bits` bits. `None` for operators that are not binary or
/// need both operands' widths (concatenation).
pub fn binary(op: Op, bits: u16, a: u128, b: u128) -> Option<u128> {
    let wide = u128::from(bits);
    let result = match op {
        Op::And => a & b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::Shl if b >= wide => 0,
        Op::Shl => a << b,
        Op::LShr if b >= wide => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed(a, bits) >> b.min(wide - 1)) as u128,
        Op::Eq => return Some(u128::from(a == b)),
        Op::ULt => return Some(u128::from(a < b)),
        Op::SLt => return Some(u128::from(signed(a, bits) < signed(b, bits))),
        _ => return None,
    };
    Some(result & mask(bits))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn masks_and_signs_at_the_ends() {
        assert_eq!(mask(1), 1);
        assert_eq!(mask(128), u128::MAX);
        assert_eq!(sign_bit(128), 1 << 127);
        assert_eq!(signed(1, 1), -1);
        assert_eq!(signed(u128::MAX, 128), -1);
        assert_eq!(signed(7, 4), 7);
        assert_eq!(length(0), 1);
        assert_eq!(length(u128::MAX), 128);
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(binary(Op::Shl, 128, 3, 128), Some(0));
        assert_eq!(binary(Op::LShr, 7, 3, 7), Some(0));
        assert_eq!(binary(Op::AShr, 4, 8, 15), Some(15));
        assert_eq!(binary(Op::AShr, 128, 1 << 127, u128::MAX), Some(u128::MAX));
        assert_eq!(binary(Op::AShr, 1, 1, 1), Some(1));
    }

    #[test]
    fn division_by_zero_follows_smt_lib() {
        assert_eq!(binary(Op::UDiv, 4, 9, 0), Some(15));
        assert_eq!(binary(Op::URem, 4, 9, 0), Some(9));
    }
}
