//! Formatted input: what is read is any value, or nothing.

use super::site::{Meaning, Site, constant};
use crate::ir::{BinOp, InstrKind, NondetSource, Operand, Rvalue};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name.strip_prefix("__isoc99_").unwrap_or(name) {
        "scanf" => |site| scan(site, 0),
        "fscanf" | "sscanf" => |site| scan(site, 1),
        _ => return None,
    })
}

/// Stores free values for the first conversions, as many as match; the result is their number, or `EOF` for none.
fn scan(site: &mut Site, format: usize) -> Result<(), String> {
    let not_literal = || "formatted input with a format that is no literal".to_string();
    let text = site.literal(format).ok_or_else(not_literal)?;
    let widths = conversions(&text, site.pointer_bits())
        .ok_or_else(|| format!("`{}` with other conversions than of numbers", site.name))?;
    let mut matched = constant(1, 1);
    let mut count = constant(0, 32);
    for (index, bits) in widths.into_iter().enumerate() {
        let place = site.arg(format + 1 + index)?;
        let next = free(site, 1);
        matched = site.binary(BinOp::And, matched, next);
        site.when(matched, |site| {
            let value = free(site, bits);
            site.store(place, value);
        });
        let one = site.compute(32, Rvalue::ZeroExtend(matched));
        count = site.binary(BinOp::Add, count, one);
    }
    let none = site.binary(BinOp::Eq, count, constant(0, 32));
    let end = free(site, 1);
    let end = site.binary(BinOp::And, none, end);
    let result = site.select(end, constant(u128::MAX, 32), count);
    site.result(result);
    Ok(())
}

fn free(site: &mut Site, bits: u16) -> Operand {
    let dst = site.reg(bits);
    site.emit(InstrKind::Nondet {
        dst,
        source: NondetSource::Input,
    });
    Operand::Reg(dst)
}

/// Widths in bits of what a format stores, if all of it are numbers and single characters (C11 7.21.6.2).
fn conversions(format: &[u8], long_bits: u16) -> Option<Vec<u16>> {
    let mut widths = Vec::new();
    let mut rest = format;
    while let Some((c, after)) = rest.split_first() {
        rest = after;
        if *c != b'%' {
            continue;
        }
        let stored = rest.first() != Some(&b'*');
        rest = &rest[usize::from(!stored)..];
        let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        rest = &rest[digits..];
        let letters = rest
            .iter()
            .take_while(|c| matches!(c, b'h' | b'l' | b'j' | b'z' | b't'))
            .count();
        let (length, after) = rest.split_at(letters);
        let (conversion, after) = after.split_first()?;
        rest = after;
        let bits = match (length, conversion) {
            (b"", b'%') => continue,
            (b"", b'c') if digits == 0 => 8,
            (b"hh", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => 8,
            (b"h", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => 16,
            (b"", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => 32,
            (b"l" | b"z" | b"t", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => long_bits,
            (b"", b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A') => 32,
            (b"l", b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A') => 64,
            (b"ll" | b"j", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => 64,
            _ => return None,
        };
        if stored {
            widths.push(bits);
        }
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        assert_eq!(
            conversions(b"%d, %3lu %% %*d%c %hhx", 64),
            Some(vec![32, 64, 8, 8])
        );
        assert_eq!(conversions(b"%lld%zu", 32), Some(vec![64, 32]));
        assert_eq!(conversions(b"%f %lg", 32), Some(vec![32, 64]));
        assert_eq!(conversions(b"%s", 64), None);
        assert_eq!(conversions(b"%", 64), None);
    }
}
