//! Formatted output (C11 7.21.6), and `strtok`: calls of models that need more than their arguments.
//!
//! Text that goes to a stream is not observed, so that only the arguments are evaluated. Text that goes to memory is
//! made by a model in C, character by character, from an area with the arguments as variadic functions of programs get
//! it.

use std::borrow::Cow;

use super::globals::{LibraryObject, Shape};
use super::site::{Meaning, Site, constant};
use crate::ir::{ALLOCATION_ALIGN_BYTES, AllocKind, InstrKind, Operand};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "printf" | "vprintf" => |site| printed(site, 0),
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "syslog" | "vsyslog" | "__printf_chk" => {
            |site| printed(site, 1)
        }
        "__fprintf_chk" => |site| printed(site, 2),
        "sprintf" => |site| formatted(site, None, 1, false),
        "vsprintf" => |site| formatted(site, None, 1, true),
        "snprintf" => |site| formatted(site, Some(1), 2, false),
        "vsnprintf" => |site| formatted(site, Some(1), 2, true),
        "__sprintf_chk" => |site| formatted(site, None, 3, false),
        "__snprintf_chk" => |site| formatted(site, Some(1), 4, false),
        "__selvedge_refuse_conversion" => {
            |_| Err("formatting something else than integers, characters and texts".to_string())
        }
        "strtok" => token,
        _ => return None,
    })
}

/// Conversion `%n`, which writes: true if a format has one.
fn counts(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while let Some(c) = rest.next() {
        if *c != b'%' {
            continue;
        }
        let is_conversion =
            |c: &&u8| matches!(c, b'%') || c.is_ascii_alphabetic() && !b"hljztqL".contains(c);
        if rest.find(is_conversion) == Some(&b'n') {
            return true;
        }
    }
    false
}

/// Output to a stream: the result is free.
fn printed(site: &mut Site, format: usize) -> Result<(), String> {
    let counts = match site.literal(format) {
        Some(text) => counts(&text),
        // It is one of the program's texts, if it is not made up.
        None => site.has_literal(counts),
    };
    if counts {
        return Err(format!("`{}` with `%n`", site.name));
    }
    site.any_result();
    Ok(())
}

/// Output to memory of `size` bytes (an argument, or without limit), with the arguments behind the format or from a
/// list.
fn formatted(
    site: &mut Site,
    size: Option<usize>,
    format: usize,
    list: bool,
) -> Result<(), String> {
    let bits = site.pointer_bits();
    let (to, text) = (site.arg(0)?, site.arg(format)?);
    let size = match size {
        Some(index) => site.arg_as(index, bits)?,
        None => constant((1 << (bits - 1)) - 1, bits),
    };
    let (area, made) = if list {
        let list = site.arg(format + 1)?;
        let area = match bits {
            32 => list,
            _ => site.load(list, bits),
        };
        (area, false)
    } else {
        area(site, format + 1)?
    };
    let result = site.call_with("__selvedge_format", vec![to, size, text, area])?;
    if made {
        site.emit(InstrKind::Free { addr: area });
    }
    site.result(result);
    Ok(())
}

/// An object with the arguments from number `first` on, each at a multiple of a word and behind one that says what
/// it is (`ir/lower/variadic.rs`), as far as its width tells; null if there are none.
fn area(site: &mut Site, first: usize) -> Result<(Operand, bool), String> {
    let bits = site.pointer_bits();
    let word = u32::from(bits / 8);
    let mut places = Vec::new();
    let mut end = 0;
    for index in first..site.arity() {
        let arg = site.arg(index)?;
        let bytes = u32::from(site.bits(arg)).div_ceil(8);
        if bytes > 8 {
            return Err(format!("`{}` with an argument of {bytes} bytes", site.name));
        }
        places.push((end, constant(u128::from(bytes), bits)));
        places.push((end + word, arg));
        end += word + bytes.next_multiple_of(word);
    }
    if places.is_empty() {
        return Ok((constant(0, bits), false));
    }
    let dst = site.reg(bits);
    site.emit(InstrKind::Alloc {
        dst,
        size_bytes: constant(u128::from(end), bits),
        align_bytes: constant(ALLOCATION_ALIGN_BYTES, bits),
        kind: AllocKind::Heap,
    });
    let area = Operand::Reg(dst);
    for (at, arg) in places {
        let place = match at {
            0 => area,
            _ => site.offset(area, at),
        };
        site.store(place, arg);
    }
    Ok((area, true))
}

/// Place where `strtok` goes on.
const REST: LibraryObject = LibraryObject {
    name: Cow::Borrowed("strtok"),
    shape: Shape::Pointers(1),
    thread_local: false,
};

fn token(site: &mut Site) -> Result<(), String> {
    let (text, set) = (site.arg(0)?, site.arg(1)?);
    let rest = site.object(&REST);
    let found = site.call_with("strtok_r", vec![text, set, rest])?;
    site.result(found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_write() {
        assert!(counts(b"%d %n") && counts(b"a%-5hhnb") && counts(b"%%%n"));
        assert!(!counts(b"%d n %%n %s") && !counts(b"%") && !counts(b""));
    }
}
