//! Identifiers that compilers accept and the parser does not: with `$`, or with letters beyond ASCII.
//!
//! Each such character becomes `__u` and its code in hexadecimal and `__`, and comes back in what the user sees.

/// The spelling for the parser of an identifier of the program (universal character names stand for themselves).
pub fn escape_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 16);
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (c, length) = universal(rest).unwrap_or((c, c.len_utf8()));
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c);
        } else {
            out.push_str(&format!("{OPEN}{:04x}{CLOSE}", u32::from(c)));
        }
        rest = &rest[length..];
    }
    out
}

/// The user's spelling of an identifier that the parser read (undoes [`escape_name`]).
pub fn original_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((at, c, length)) = escape(rest) {
        out.push_str(&rest[..at]);
        out.push(c);
        rest = &rest[at + length..];
    }
    out + rest
}

/// Clash of names: true if a name reads like the escape of another; `syntax` refuses programs that mix both.
pub fn has_escape(name: &str) -> bool {
    escape(name).is_some()
}

const OPEN: &str = "__u";
const CLOSE: &str = "__";

/// The first escape in a name: where, for which character, how long.
fn escape(name: &str) -> Option<(usize, char, usize)> {
    name.match_indices(OPEN).find_map(|(at, _)| {
        let digits = &name[at + OPEN.len()..];
        let length = digits.find(|c: char| !matches!(c, '0'..='9' | 'a'..='f'))?;
        if length < 4 || !digits[length..].starts_with(CLOSE) {
            return None;
        }
        let c = char::from_u32(u32::from_str_radix(&digits[..length], 16).ok()?)?;
        Some((at, c, OPEN.len() + length + CLOSE.len()))
    })
}

/// The universal character name (C11 6.4.3) that a text starts with, and its length.
#[inline]
pub(crate) fn universal(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes() {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
    char::from_u32(code).map(|c| (c, 2 + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["main$tmp$1", "å", "_u00e5_", "x__u", "a__u0000", "日本$"] {
            assert_eq!(original_name(&escape_name(name)), name);
        }
        assert_eq!(escape_name("\\u00e5x"), escape_name("åx"));
        assert!(has_escape(&escape_name("a$")));
        assert!(!has_escape("__u12__"));
    }
}
