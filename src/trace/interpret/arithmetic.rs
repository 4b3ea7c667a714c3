//! Values of pure operators on words of 1 to 128 bits.

use crate::ir::{BinOp, RmwOp, UnOp};

/// The word of `bits` ones.
pub fn mask(bits: u16) -> u128 {
    if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    }
}

/// The value of a word read as two's complement.
pub fn signed(value: u128, bits: u16) -> i128 {
    let unused = 128 - u32::from(bits.clamp(1, 128));
    ((value << unused) as i128) >> unused
}

/// The value of a unary operator on a word of `bits` bits.
pub fn unary(op: UnOp, a: u128, bits: u16) -> u128 {
    let result = match op {
        UnOp::Neg => a.wrapping_neg(),
        UnOp::Not => !a,
    };
    result & mask(bits)
}

/// The value of a binary operator on words of `bits` bits; a comparison gives 0 or 1.
///
/// Division by zero, which the program guards against, gives what SMT-LIB says: all ones as the
/// unsigned quotient, the dividend as the remainder.
pub fn binary(op: BinOp, a: u128, b: u128, bits: u16) -> u128 {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv if b == 0 => (if sa < 0 { 1 } else { -1_i128 }) as u128,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::SRem if b == 0 => a,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if b >= u128::from(bits) => 0,
        BinOp::Shl => a << b,
        BinOp::LShr if b >= u128::from(bits) => 0,
        BinOp::LShr => a >> b,
        BinOp::AShr => (sa >> b.min(u128::from(bits - 1))) as u128,
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::ULt => u128::from(a < b),
        BinOp::ULe => u128::from(a <= b),
        BinOp::SLt => u128::from(sa < sb),
        BinOp::SLe => u128::from(sa <= sb),
    };
    result & mask(bits)
}

/// Value that a read-modify-write stores over `old`.
pub fn update(op: RmwOp, old: u128, operand: u128, bits: u16) -> u128 {
    let result = match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::UMin => old.min(operand),
        RmwOp::UMax => old.max(operand),
        RmwOp::SMin if signed(old, bits) < signed(operand, bits) => old,
        RmwOp::SMax if signed(old, bits) > signed(operand, bits) => old,
        RmwOp::SMin | RmwOp::SMax => operand,
    };
    result & mask(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_width_wrap() {
        assert_eq!(mask(128), u128::MAX);
        assert_eq!(signed(0x80, 8), -128);
        assert_eq!(binary(BinOp::Add, 0xff, 1, 8), 0);
        assert_eq!(binary(BinOp::SDiv, 0xf9, 2, 8), 0xfd);
        assert_eq!(binary(BinOp::SRem, 0xf9, 2, 8), 0xff);
        assert_eq!(binary(BinOp::AShr, 0x80, 200, 8), 0xff);
        assert_eq!(binary(BinOp::Shl, 1, 8, 8), 0);
        assert_eq!(binary(BinOp::SLt, 0xff, 0, 8), 1);
        assert_eq!(binary(BinOp::ULt, 0xff, 0, 8), 0);
        assert_eq!(unary(UnOp::Not, 0, 1), 1);
        assert_eq!(update(RmwOp::Nand, 6, 3, 8), 0xfd);
        let of = |op| update(op, 0xff, 3, 8);
        assert_eq!([of(RmwOp::UMin), of(RmwOp::UMax)], [3, 0xff]);
        assert_eq!([of(RmwOp::SMin), of(RmwOp::SMax)], [0xff, 3]);
        assert_eq!(
            binary(BinOp::SDiv, mask(128) ^ (mask(128) >> 1), mask(128), 128),
            1 << 127
        );
    }
}
