//! Tokens that rewritings put in.

use super::super::token::{Kind, Token};

/// Writes `__attribute__((text))`. The parser wants the first two parentheses side by side.
pub(super) fn attribute<'a>(out: &mut Vec<Token<'a>>, text: &'static str, origin: u32) {
    out.push(insert(Kind::Word, "__attribute__", origin));
    for offset in [13, 14] {
        out.push(insert(Kind::Punctuator, "(", origin + offset));
    }
    out.extend(insert_all(text, origin));
    for _ in 0..2 {
        out.push(insert(Kind::Punctuator, ")", origin));
    }
}

/// A token that a rewriting puts in, at the place of another.
pub(super) fn insert<'a>(kind: Kind, text: &'static str, origin: u32) -> Token<'a> {
    Token {
        kind,
        text: text.into(),
        origin,
    }
}

/// The tokens of a replacement text in which words, numbers, texts and punctuators are separated by spaces.
pub(super) fn insert_all<'a>(texts: &'static str, origin: u32) -> impl Iterator<Item = Token<'a>> {
    texts.split(' ').map(move |text| {
        let kind = match text.as_bytes()[0] {
            b'"' | b'\'' => Kind::Text,
            b'0'..=b'9' => Kind::Number,
            c if c.is_ascii_alphabetic() || c == b'_' => Kind::Word,
            _ => Kind::Punctuator,
        };
        insert(kind, text, origin)
    })
}
