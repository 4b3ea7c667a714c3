//! Dialects of C that the parser (`lang-c` 0.15) cannot read: rewritten into what it can, with the same meaning, or
//! refused by name. Every rule states itself above its function.

mod expand;
mod implicit;
mod label;
mod refuse;
mod replace;

use super::token::{Kind, Pack, Token};
use crate::base::Diagnostic;

/// Rewrites a whole program; `packs` are its `#pragma pack`.
pub(super) fn rewrite<'a>(tokens: &mut Vec<Token<'a>>, packs: &[Pack]) -> Result<(), Diagnostic> {
    refuse::check(tokens)?;
    *tokens = replace::replace(std::mem::take(tokens), packs)?;
    label::local_labels(tokens);
    implicit::implicit_int(tokens);
    expand::elvis(tokens);
    Ok(())
}

/// Writes `__attribute__((text))`. The parser wants the first two parentheses side by side.
fn attribute<'a>(out: &mut Vec<Token<'a>>, text: &'static str, origin: u32) {
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
fn insert<'a>(kind: Kind, text: &'static str, origin: u32) -> Token<'a> {
    Token {
        kind,
        text: text.into(),
        origin,
    }
}

/// The tokens of a replacement text in which words, numbers, texts and punctuators are separated by spaces.
fn insert_all<'a>(texts: &'static str, origin: u32) -> impl Iterator<Item = Token<'a>> {
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

/// Keywords that a parenthesis may follow without making a function.
const STATEMENTS: [&str; 12] = [
    "if",
    "while",
    "for",
    "switch",
    "return",
    "sizeof",
    "typeof",
    "__typeof",
    "__typeof__",
    "__attribute__",
    "case",
    "else",
];
