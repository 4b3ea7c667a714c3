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

/// Those that are types by themselves.
pub(super) const TYPES: &[&str] = KEYWORDS.split_at(10).0;

/// Those that a name may stand behind in a declaration, and the others.
pub(super) const BEFORE_NAMES: &[&str] = KEYWORDS.split_at(14).0;
pub(super) const NEVER_BEFORE_NAMES: &[&str] = KEYWORDS.split_at(14).1;

/// Those that go with a type and are none.
pub(super) const SPECIFIERS: &[&str] = KEYWORDS.split_at(13).1;

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
