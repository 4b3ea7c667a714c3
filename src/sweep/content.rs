//! Content hash, which tells one program text from another.

use std::fmt::Write;

/// Names a preprocessed text by 128 bits of the hash FNV-1a in hexadecimal. It is not meant to withstand anybody
/// who wants two texts to have the same. Line markers do not count: they name folders, some of them temporary.
pub fn content(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = (1 << 88) + 0x13b;
    let hash = text
        .split_inclusive('\n')
        .filter(|line| !is_marker(line))
        .flat_map(str::bytes)
        .fold(BASIS, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(PRIME)
        });
    let mut name = String::with_capacity(32);
    let _ = write!(name, "{hash:032x}");
    name
}

fn is_marker(line: &str) -> bool {
    line.strip_prefix("# ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(content(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(content("a"), "d228cb696f1a8caf78912b704e4a8964");
        let text = "# 1 \"/tmp/1/a.c\"\nint x;\n# 7\nint y;\n";
        assert_eq!(content(text), content("int x;\nint y;\n"));
    }
}
