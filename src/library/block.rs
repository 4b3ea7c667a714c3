//! `memcpy`, `memmove`, `memset` and `memcmp` of a constant number of bytes, scalar by scalar.
//!
//! A block operation copies the representation, byte for byte, padding included. The steps are accesses of the scalars
//! that the arguments' types name, as in an assignment of structures, so that what is one access elsewhere stays one
//! here. Where the two types differ, or say nothing, the steps are bytes. Long blocks of a constant length are one
//! instruction ([`InstrKind::Block`]). Lengths that are not constant, or too long to write out, are left to the models
//! in C: of words if all scalars are words of one size, otherwise of bytes.

use super::scalar::Scalars;
use super::site::{Meaning, Site, constant};
use crate::ir::ty::TypeId;
use crate::ir::{BinOp, BlockSource, Check, InstrKind, Operand, PointerCheck, Rvalue};

/// Accesses that are written out for one call.
const MOST_WRITTEN_OUT: usize = 256;

/// Bytes from which on a block is one instruction.
const LARGE: u64 = 4096;

/// Bytes that are compared without a loop.
const MOST_COMPARED: u64 = 64;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "memcpy" => |site| copy(site, "memcpy", false),
        "memmove" => |site| copy(site, "memmove", true),
        "memset" => set,
        "memcmp" => compare,
        "__selvedge_block_copy" => |site| {
            let size = site.arg(2)?;
            let from = site.arg(1)?;
            block(site, copied(from, false), size, 8)
        },
        _ => return None,
    })
}

/// The accesses that cover `bytes` bytes of consecutive objects of a type: its scalars, and bytes in between.
fn accesses(site: &Site, ty: Option<TypeId>, bytes: u64) -> Option<Scalars> {
    let most = MOST_WRITTEN_OUT;
    let mut found = Vec::new();
    if let Some((scalars, size)) = ty.and_then(|ty| site.scalars(ty, most))
        && size > 0
        && !scalars.is_empty()
    {
        for start in (0..bytes / size).map(|i| i * size) {
            if found.len() > most {
                return None;
            }
            found.extend(scalars.iter().map(|(at, size)| (start + at, *size)));
        }
    }
    let mut whole = Vec::new();
    let mut next = 0;
    for (at, size) in found.into_iter().chain([(bytes, 0)]) {
        whole.extend((next..at).map(|byte| (byte, 1)));
        if whole.len() > most {
            return None;
        }
        if size > 0 {
            whole.push((at, size));
        }
        next = at + size;
    }
    Some(whole)
}

/// The size of the scalars of a type that consists of nothing else than scalars of one size, if they are words.
fn word(site: &Site, ty: Option<TypeId>) -> Option<u64> {
    let (scalars, size) = site.scalars(ty?, MOST_WRITTEN_OUT)?;
    let (_, word) = *scalars.first()?;
    let dense = scalars
        .iter()
        .enumerate()
        .all(|(i, scalar)| *scalar == (i as u64 * word, word));
    (dense && size == scalars.len() as u64 * word && matches!(word, 2 | 4 | 8)).then_some(word)
}

/// Bytes of one access of a block of so many bytes, if that block is one instruction: its length is constant and at
/// least [`LARGE`].
fn large(site: &Site, bytes: Option<u64>, types: &[Option<TypeId>]) -> Option<u8> {
    bytes.filter(|bytes| *bytes >= LARGE)?;
    let mut grains = types.iter().map(|ty| site.grain((*ty)?));
    let first = grains.next().flatten().unwrap_or(1);
    let same = grains.all(|grain| grain == Some(first));
    Some(if same { first as u8 } else { 1 })
}

fn copied(from: Operand, overlapping: bool) -> BlockSource {
    BlockSource::Copy { from, overlapping }
}

fn block(
    site: &mut Site,
    source: BlockSource,
    size_bytes: Operand,
    unit_bytes: u8,
) -> Result<(), String> {
    let to = site.arg(0)?;
    site.emit(InstrKind::Block {
        to,
        source,
        size_bytes,
        unit_bytes,
    });
    site.result(to);
    Ok(())
}

fn place(site: &mut Site, base: Operand, at: u64) -> Operand {
    match at {
        0 => base,
        _ => site.offset(base, at as u32),
    }
}

fn copy(site: &mut Site, name: &str, overlapping: bool) -> Result<(), String> {
    let (to, from) = (site.arg(0)?, site.arg(1)?);
    if !overlapping && site.checks.contains(Check::Undefined) {
        let size_bytes = site.arg_as(2, site.pointer_bits())?;
        let check = PointerCheck::Apart {
            to,
            from,
            size_bytes,
        };
        site.emit(InstrKind::Pointers(check));
    }
    let (left, right) = (site.pointee(0), site.pointee(1));
    let known = site.constant(2).map(|n| n as u64);
    let steps = known.and_then(|n| {
        let steps = accesses(site, left, n)?;
        if accesses(site, right, n)? == steps {
            Some(steps)
        } else {
            accesses(site, None, n)
        }
    });
    let Some(steps) = steps else {
        if let Some(unit) = large(site, known, &[left, right]) {
            let size = constant(u128::from(known.unwrap_or(0)), site.pointer_bits());
            return block(site, copied(from, overlapping), size, unit);
        }
        let word = word(site, left).filter(|w| word(site, right) == Some(*w));
        return match word {
            Some(word) => site.call_named(&format!("__selvedge_{name}{word}")),
            None => site.call_named(&format!("__selvedge_{name}")),
        };
    };
    let mut values = Vec::new();
    for (at, size) in &steps {
        let source = place(site, from, *at);
        let value = site.load(source, (size * 8) as u16);
        if overlapping {
            // Everything is read before anything is written.
            values.push(value);
        } else {
            let target = place(site, to, *at);
            site.store(target, value);
        }
    }
    for ((at, _), value) in steps.iter().zip(values) {
        let target = place(site, to, *at);
        site.store(target, value);
    }
    site.result(to);
    Ok(())
}

fn set(site: &mut Site) -> Result<(), String> {
    let to = site.arg(0)?;
    let left = site.pointee(0);
    let known = site.constant(2).map(|n| n as u64);
    let Some(steps) = known.and_then(|n| accesses(site, left, n)) else {
        if let Some(unit) = large(site, known, &[left]) {
            let size = constant(u128::from(known.unwrap_or(0)), site.pointer_bits());
            let byte = match site.constant(1) {
                Some(byte) => constant(byte, 8),
                None => site.arg_as(1, 8)?,
            };
            return block(site, BlockSource::Byte(byte), size, unit);
        }
        return match word(site, left) {
            Some(word) => site.call_named(&format!("__selvedge_memset{word}")),
            None => site.call_named("__selvedge_memset"),
        };
    };
    let byte = match site.constant(1) {
        Some(byte) => constant(byte, 8),
        None => site.arg_as(1, 8)?,
    };
    for (at, size) in steps {
        let value = repeated(site, byte, (size * 8) as u16);
        let target = place(site, to, at);
        site.store(target, value);
    }
    site.result(to);
    Ok(())
}

/// A word of which each byte is this one.
fn repeated(site: &mut Site, byte: Operand, bits: u16) -> Operand {
    let ones = (0..bits / 8).fold(0u128, |ones, _| ones << 8 | 1);
    match byte {
        _ if bits == 8 => byte,
        Operand::Const { value, .. } => constant(value.wrapping_mul(ones), bits),
        _ => {
            let wide = site.compute(bits, Rvalue::ZeroExtend(byte));
            site.binary(BinOp::Mul, wide, constant(ones, bits))
        }
    }
}

/// The difference of the first bytes that differ. All bytes are read: the arguments must have them.
fn compare(site: &mut Site) -> Result<(), String> {
    let known = site.constant(2).map(|n| n as u64);
    let Some(bytes) = known.filter(|n| *n <= MOST_COMPARED) else {
        return site.call_named("__selvedge_memcmp");
    };
    let mut pairs = Vec::new();
    for side in 0..2 {
        let base = site.arg(side)?;
        let ty = site.pointee(side);
        let steps = accesses(site, ty, bytes).unwrap_or_default();
        let mut own = Vec::new();
        for (at, size) in steps {
            let from = place(site, base, at);
            let bits = (size * 8) as u16;
            let word = site.load(from, bits);
            for byte in 0..size {
                let by = constant(u128::from(byte * 8), bits);
                let moved = match byte {
                    0 => word,
                    _ => site.binary(BinOp::LShr, word, by),
                };
                let byte = site.resize(moved, 8);
                own.push(site.resize(byte, 32));
            }
        }
        pairs.push(own);
    }
    let mut result = constant(0, 32);
    for (x, y) in pairs[0].clone().into_iter().zip(pairs[1].clone()).rev() {
        let differs = site.binary(BinOp::Ne, x, y);
        let difference = site.binary(BinOp::Sub, x, y);
        result = site.select(differs, difference, result);
    }
    site.result(result);
    Ok(())
}
