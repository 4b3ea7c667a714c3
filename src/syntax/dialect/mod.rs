//! What the parser (`lang-c` 0.15) cannot read: rewritten into what it can, with the same meaning, or refused by
//! name. Every rule states itself above its function.

mod expand;
mod refuse;
mod replace;

use super::token::{Kind, Token};
use crate::base::Diagnostic;

/// Rewrites a whole program.
pub(super) fn rewrite<'a>(tokens: &mut Vec<Token<'a>>) -> Result<(), Diagnostic> {
    refuse::check(tokens)?;
    *tokens = replace::replace(std::mem::take(tokens))?;
    expand::auto_types(tokens)?;
    expand::elvis(tokens)
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
