//! Builtins that move the bits of a word: bytes or bits in the reverse order, rotations.

use super::body::constant;
use super::call::Args;
use super::convert::Typed;
use super::ctype::{CType, IntKind};
use super::{Lowerer, Res};
use crate::ir::{BinOp, Operand};

/// Way in which bits move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Permutation {
    /// Groups of this many bits in the reverse order.
    Reverse(u16),
    Left,
    Right,
}

/// What a builtin of this name does, and the width of its words in bits.
pub(super) fn permutation(name: &str) -> Option<(Permutation, u16)> {
    let names = [
        ("bswap", Permutation::Reverse(8)),
        ("bitreverse", Permutation::Reverse(1)),
        ("rotateleft", Permutation::Left),
        ("rotateright", Permutation::Right),
    ];
    names.iter().find_map(|(start, permutation)| {
        let bits = match name.strip_prefix(start)? {
            "8" if *start != "bswap" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            "128" if *start == "bswap" => 128,
            _ => return None,
        };
        Some((*permutation, bits))
    })
}

impl Lowerer {
    /// The call of such a builtin.
    pub(super) fn permuted(&mut self, name: &str, args: Args) -> Res<Typed> {
        let Some((permutation, bits)) = permutation(name) else {
            return self.fail(format!("`__builtin_{name}` is not known"));
        };
        let ty = CType::int(match bits {
            8 => IntKind::UChar,
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            128 => IntKind::UInt128,
            // `uint64_t`
            _ if self.pointer_bits() == 64 => IntKind::ULong,
            _ => IntKind::ULongLong,
        });
        let value = self.builtin_argument(name, args, 0)?;
        let word = self.converted(value, &ty)?;
        if let Permutation::Reverse(group) = permutation {
            let reversed = self.reversed(word, bits, group);
            return Ok(Typed::scalar(ty, reversed));
        }
        let count = self.builtin_argument(name, args, 1)?;
        let count = self.converted(count, &ty)?;
        let most = constant(u128::from(bits) - 1, bits);
        let count = self.body.binary(BinOp::And, count, most, bits);
        let rest = self.body.binary(BinOp::Sub, constant(0, bits), count, bits);
        let rest = self.body.binary(BinOp::And, rest, most, bits);
        let (up, down) = match permutation {
            Permutation::Left => (count, rest),
            _ => (rest, count),
        };
        let high = self.body.binary(BinOp::Shl, word, up, bits);
        let low = self.body.binary(BinOp::LShr, word, down, bits);
        let rotated = self.body.binary(BinOp::Or, high, low, bits);
        Ok(Typed::scalar(ty, rotated))
    }

    fn reversed(&mut self, word: Operand, bits: u16, group: u16) -> Operand {
        let mask = constant((1 << group) - 1, bits);
        let mut result = constant(0, bits);
        for at in (0..bits).step_by(usize::from(group)) {
            let down = constant(u128::from(at), bits);
            let up = constant(u128::from(bits - group - at), bits);
            let low = self.body.binary(BinOp::LShr, word, down, bits);
            let low = self.body.binary(BinOp::And, low, mask, bits);
            let moved = self.body.binary(BinOp::Shl, low, up, bits);
            result = self.body.binary(BinOp::Or, result, moved, bits);
        }
        result
    }
}
