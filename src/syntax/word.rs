//! Words and tokens by what they may stand for, for messages.

use super::token::{Kind, Token};

/// Words that begin a statement or a part of one.
pub(super) const STATEMENTS: [&str; 13] = [
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break",
    "continue", "asm",
];

/// Words that are or begin types, and other keywords.
pub(super) const KEYWORDS: [&str; 28] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "static",
    "extern",
    "register",
    "auto",
    "typedef",
    "inline",
    "restrict",
    "sizeof",
    "_Atomic",
    "_Alignas",
    "_Thread_local",
    "_Noreturn",
    "_Static_assert",
];

/// True for a word that is no keyword.
pub(super) fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word && !token.is_one(&STATEMENTS) && !token.is_one(&KEYWORDS)
}

/// True if an operand may end with this token.
pub(super) fn ends_operand(token: &Token) -> bool {
    match token.kind {
        Kind::Word => is_name(token),
        Kind::Number | Kind::Text => true,
        Kind::Punctuator => token.is_one(&[")", "]", "}", "++", "--"]),
    }
}

/// True if no operator begins with this token, but an operand may, or if it is `}`.
pub(super) fn begins_operand(token: &Token) -> bool {
    match token.kind {
        Kind::Word => true,
        Kind::Number | Kind::Text => true,
        Kind::Punctuator => token.is_one(&["{", "!", "~", "}"]),
    }
}

/// A token as the user wrote it.
pub(super) fn shown(token: &Token) -> String {
    match token.kind {
        Kind::Text if token.text.chars().count() > 20 => {
            token.text.chars().take(17).chain("…\"".chars()).collect()
        }
        _ => crate::source::original_name(&token.text).to_string(),
    }
}
