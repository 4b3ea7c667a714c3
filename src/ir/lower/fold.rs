//! Arithmetic on constants, exactly as the operators of the program compute.

use crate::ir::{BinOp, Operand};

/// The value modulo 2^`bits`.
pub(super) fn mask(value: u128, bits: u16) -> u128 {
    if bits >= 128 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// The value with the sign bit at `bits - 1` copied upwards.
pub(super) fn sign_extend(value: u128, bits: u16) -> u128 {
    let unused = 128 - u32::from(bits.min(128));
    ((value << unused) as i128 >> unused) as u128
}

/// Comparisons: true if the result has width 1.
pub(super) fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe
    )
}

/// `a op b` at this width; `None` for a division by zero.
pub(super) fn binary(op: BinOp, a: u128, b: u128, bits: u16) -> Option<u128> {
    let signed = |v| sign_extend(v, bits) as i128;
    let shift = u32::try_from(b).ok().filter(|b| *b < u32::from(bits));
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::SDiv if b == 0 => return None,
        BinOp::SRem if b == 0 => return None,
        BinOp::SDiv => signed(a).wrapping_div(signed(b)) as u128,
        BinOp::SRem => signed(a).wrapping_rem(signed(b)) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => shift.map_or(0, |s| a << s),
        BinOp::LShr => shift.map_or(0, |s| a >> s),
        BinOp::AShr => (signed(a) >> shift.unwrap_or(u32::from(bits) - 1)) as u128,
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::ULt => u128::from(a < b),
        BinOp::ULe => u128::from(a <= b),
        BinOp::SLt => u128::from(signed(a) < signed(b)),
        BinOp::SLe => u128::from(signed(a) <= signed(b)),
    };
    Some(if is_comparison(op) {
        value
    } else {
        mask(value, bits)
    })
}

/// `a op b` where one side decides or changes nothing.
pub(super) fn neutral(op: BinOp, a: Operand, b: Operand, bits: u16) -> Option<Operand> {
    let zero = |o: Operand| matches!(o, Operand::Const { value: 0, .. });
    let ones =
        |o: Operand| matches!(o, Operand::Const { value, .. } if value == mask(u128::MAX, bits));
    let one = |o: Operand| matches!(o, Operand::Const { value: 1, .. });
    let address = |o: Operand| matches!(o, Operand::GlobalAddr(..) | Operand::FuncAddr(_));
    match op {
        BinOp::Add | BinOp::Or | BinOp::Xor if zero(a) => Some(b),
        BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor if zero(b) => Some(a),
        BinOp::Shl | BinOp::LShr | BinOp::AShr if zero(b) => Some(a),
        BinOp::Mul if one(a) => Some(b),
        BinOp::Mul | BinOp::UDiv | BinOp::SDiv if one(b) => Some(a),
        BinOp::Mul | BinOp::And if zero(a) || zero(b) => Some(Operand::Const { value: 0, bits }),
        BinOp::And if ones(a) => Some(b),
        BinOp::And if ones(b) => Some(a),
        // No object lies at address 0.
        BinOp::Eq if (address(a) && zero(b)) || (zero(a) && address(b)) => {
            Some(Operand::Const { value: 0, bits: 1 })
        }
        BinOp::Ne if (address(a) && zero(b)) || (zero(a) && address(b)) => {
            Some(Operand::Const { value: 1, bits: 1 })
        }
        BinOp::Eq if address(a) && address(b) => {
            equal_addresses(a, b).map(|equal| Operand::Const {
                value: u128::from(equal),
                bits: 1,
            })
        }
        BinOp::Ne if address(a) && address(b) => {
            equal_addresses(a, b).map(|equal| Operand::Const {
                value: u128::from(!equal),
                bits: 1,
            })
        }
        _ => None,
    }
}

/// Equality of two constant addresses, `None` if open: of different objects, only their starts are known to differ (C17
/// 6.5.9, note 111).
fn equal_addresses(a: Operand, b: Operand) -> Option<bool> {
    match (a, b) {
        (Operand::GlobalAddr(x, m), Operand::GlobalAddr(y, n)) if x != y && (m, n) != (0, 0) => {
            None
        }
        (Operand::GlobalAddr(_, m), Operand::FuncAddr(_))
        | (Operand::FuncAddr(_), Operand::GlobalAddr(_, m))
            if m != 0 =>
        {
            None
        }
        _ => Some(a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap() {
        assert_eq!(binary(BinOp::Add, 255, 1, 8), Some(0));
        assert_eq!(binary(BinOp::SDiv, 0x80, 0xff, 8), Some(0x80));
        assert_eq!(binary(BinOp::SDiv, 0xf9, 2, 8), Some(0xfd));
        assert_eq!(binary(BinOp::SRem, 0xf9, 2, 8), Some(0xff));
        assert_eq!(binary(BinOp::UDiv, 1, 0, 32), None);
        assert_eq!(binary(BinOp::AShr, 0x80, 7, 8), Some(0xff));
        assert_eq!(binary(BinOp::AShr, 0x80, 9, 8), Some(0xff));
        assert_eq!(binary(BinOp::SLt, 0xff, 0, 8), Some(1));
        assert_eq!(binary(BinOp::ULt, 0xff, 0, 8), Some(0));
        assert_eq!(binary(BinOp::Mul, u128::MAX, 2, 128), Some(u128::MAX - 1));
    }
}
