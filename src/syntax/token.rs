//! Preprocessed C as tokens; comments, line markers and pragmas are dropped.

use std::borrow::Cow;

use crate::base::{Diagnostic, Loc};
use crate::source::universal;

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An identifier or keyword.
    Word,
    Number,
    /// A string or character constant with its quotes.
    Text,
    Punctuator,
}

/// A token of the program, or one that a rewriting put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: Cow<'a, str>,
    /// Offset in the preprocessed text from which it came, in bytes.
    pub origin: u32,
}

impl Token<'_> {
    /// True if the token is spelled like this.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// True if the token is spelled like one of these.
    #[inline]
    pub(super) fn is_one(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| **text == *self.text)
    }

    pub(super) fn loc(&self) -> Loc {
        Loc(self.origin)
    }
}

/// Punctuators of more than one character, longest first.
const LONG: [&str; 22] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "^=", "|=",
];

/// A `#pragma pack`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pack {
    /// The token that it stands before, by its number.
    pub before: usize,
    /// The alignment that members have at most from there on, in bytes; 0 if there is no limit.
    pub most: u32,
}

/// Splits a preprocessed text.
#[cfg(test)]
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    split(text).map(|(tokens, _)| tokens)
}

/// Splits a preprocessed text into tokens and what `#pragma pack` says between them.
pub(super) fn split(text: &str) -> Result<(Vec<Token<'_>>, Vec<Pack>), Diagnostic> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut packs: Vec<Pack> = Vec::new();
    // What `push` saved, with its name.
    let mut saved: Vec<(Option<String>, u32)> = Vec::new();
    let mut at = 0;
    let mut line_is_empty = true;
    let fail = |at: usize, message: String| Diagnostic::new(Loc(at as u32), message);
    while at < bytes.len() {
        let rest = &text[at..];
        let c = bytes[at];
        if c == b'\n' {
            line_is_empty = true;
            at += 1;
            continue;
        }
        if c.is_ascii_whitespace() || c == 0x0b {
            at += 1;
            continue;
        }
        if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            at += 2;
            continue;
        }
        if rest.starts_with("//") || (c == b'#' && line_is_empty) {
            // Other pragmas change nothing that is modelled; this one changes layouts.
            let length = line_length(rest);
            if c == b'#'
                && let Some(words) = pack_words(&rest[..length])
            {
                let most = packs.last().map_or(0, |pack| pack.most);
                let most = pack(&words, most, &mut saved).ok_or_else(|| {
                    let message = "this form of `#pragma pack` is not supported; known are \
                                   `(n)`, `()`, `(push)`, `(push, n)` and `(pop)`";
                    fail(at, message.to_string())
                })?;
                packs.push(Pack {
                    before: tokens.len(),
                    most,
                });
            }
            at += length;
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            let length = comment
                .find("*/")
                .ok_or_else(|| fail(at, "this comment is never closed".to_string()))?;
            at += length + 4;
            continue;
        }
        line_is_empty = false;
        let word = word_length(rest);
        let (kind, length) = if word > 0 && !c.is_ascii_digit() {
            (Kind::Word, word)
        } else if c.is_ascii_digit()
            || (c == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            (Kind::Number, number_length(rest))
        } else if c == b'"' || c == b'\'' {
            let length = constant_length(rest)
                .ok_or_else(|| fail(at, format!("this {} is never closed", char::from(c))))?;
            (Kind::Text, length)
        } else if let Some(long) = LONG
            .iter()
            .find(|long| long.as_bytes()[0] == c && rest.starts_with(**long))
        {
            (Kind::Punctuator, long.len())
        } else if c.is_ascii_punctuation() && !matches!(c, b'@' | b'`' | b'\\' | b'#') {
            (Kind::Punctuator, 1)
        } else {
            let c = rest.chars().next().unwrap_or_default();
            let shown = c.escape_debug();
            return Err(fail(
                at,
                format!("the character `{shown}` is not supported outside of strings"),
            ));
        };
        tokens.push(Token {
            kind,
            text: Cow::Borrowed(&rest[..length]),
            origin: at as u32,
        });
        at += length;
    }
    Ok((tokens, packs))
}

/// Words in the parentheses of a line `#pragma pack (…)`.
fn pack_words(line: &str) -> Option<Vec<String>> {
    let rest = line[1..].trim_start().strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    let inside = rest.split(')').next()?;
    let words = inside.split(',').map(|word| word.trim().to_string());
    Some(words.filter(|word| !word.is_empty()).collect())
}

/// The limit after a `#pragma pack`, which was `most` before it; `None` if it has no meaning.
fn pack(words: &[String], most: u32, saved: &mut Vec<(Option<String>, u32)>) -> Option<u32> {
    let number = |word: &String| match word.parse() {
        Ok(bytes @ (0 | 1 | 2 | 4 | 8 | 16)) => Some(bytes),
        _ => None,
    };
    match words {
        [] => Some(0),
        [word] if word == "push" => {
            saved.push((None, most));
            Some(most)
        }
        [word, rest @ ..] if word == "push" => {
            let (name, bytes) = match rest {
                [only] if number(only).is_some() => (None, number(only)),
                [name] => (Some(name.clone()), Some(most)),
                [name, bytes] => (Some(name.clone()), number(bytes)),
                _ => return None,
            };
            saved.push((name, most));
            bytes
        }
        [word] if word == "pop" => Some(saved.pop().map_or(most, |(_, most)| most)),
        [word, name] if word == "pop" => {
            let at = saved
                .iter()
                .rposition(|(known, _)| known.as_ref() == Some(name))?;
            let (_, most) = saved[at];
            saved.truncate(at);
            Some(most)
        }
        [word] => number(word),
        _ => None,
    }
}

/// Length of the letters, digits, `_`, `$` and universal character names that a text starts with.
fn word_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += match universal(&text[at..]) {
            Some((_, length)) => length,
            None if c.is_alphanumeric() || c == '_' || c == '$' => c.len_utf8(),
            None => break,
        };
    }
    at
}

/// Length of a line that backslashes may continue, without its end.
fn line_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends =
        |at: &usize| bytes[*at] == b'\n' && !text[..*at].trim_end_matches('\r').ends_with('\\');
    (0..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// Length of a preprocessing number (C11 6.4.8).
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let c = bytes[at];
        let sign = matches!(c, b'+' | b'-')
            && at > 0
            && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
            // In a hexadecimal integer `e` is a digit.
            && !(matches!(bytes[at - 1], b'e' | b'E') && text.starts_with("0x"));
        // `1...3` is a range of case labels.
        let point = c == b'.' && !text[at..].starts_with("...");
        // `1'000`, whose separators the dialect takes out.
        let separator = c == b'\''
            && at > 0
            && bytes[at - 1].is_ascii_alphanumeric()
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(c.is_ascii_alphanumeric() || c == b'_' || point || sign || separator) {
            break;
        }
        at += 1;
    }
    at
}

/// Length of a string or character constant, if it is closed on its line.
fn constant_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            c if c == bytes[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        tokens(text)
            .unwrap()
            .iter()
            .map(|t| t.text.to_string())
            .collect()
    }

    #[test]
    fn splits() {
        assert_eq!(
            texts(
                "# 1 \"x\"\n a$b+++c /* ; */ 0x1e+2 1e+2 .5f L'\\'' // x\n#pragma y \\\n z\n1...3 x->y"
            ),
            [
                "a$b", "++", "+", "c", "0x1e", "+", "2", "1e+2", ".5f", "L", "'\\''", "1", "...",
                "3", "x", "->", "y"
            ]
        );
    }

    #[test]
    fn packs_nest() {
        let text = "#pragma pack(2)\na\n#pragma pack(push, 4)\nb\n#pragma pack(push)\n#pragma pack(1)\nc\n\
                    #pragma pack(pop)\n#pragma pack(pop)\nd\n#pragma pack()\n";
        let (_, packs) = split(text).unwrap();
        let found: Vec<(usize, u32)> = packs.iter().map(|p| (p.before, p.most)).collect();
        let expected = [(0, 2), (1, 4), (2, 4), (2, 1), (3, 4), (3, 2), (4, 0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn refuses() {
        assert_eq!(tokens("x \"abc").unwrap_err().loc, Loc(2));
        assert_eq!(
            tokens("/* x").unwrap_err().message,
            "this comment is never closed"
        );
        let pack = tokens("x\n # pragma pack (3)\n").unwrap_err();
        assert!(pack.message.contains("#pragma pack"));
        assert!(tokens("#pragma packing\n#pragma omp parallel\n").is_ok());
        assert!(tokens("int €;").unwrap_err().message.contains('€'));
    }
}
