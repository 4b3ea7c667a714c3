//! Declarations without a type, which old C takes for `int` (C89 6.5.2).

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use super::super::word::TYPES;
use super::insert::{attribute, insert};

/// Words that may stand before a type or in its place.
const SPECIFIERS: [&str; 9] = [
    "static",
    "extern",
    "register",
    "auto",
    "const",
    "volatile",
    "inline",
    "__inline",
    "__inline__",
];

/// Words that begin something else than a declared name, beside [`TYPES`].
const KEYWORDS: [&str; 40] = [
    "_Complex",
    "struct",
    "union",
    "enum",
    "typedef",
    "typeof",
    "__typeof__",
    "__typeof",
    "sizeof",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "goto",
    "break",
    "continue",
    "_Static_assert",
    "_Atomic",
    "_Alignas",
    "_Thread_local",
    "_Noreturn",
    "__attribute__",
    "__attribute",
    "asm",
    "__asm__",
    "__asm",
    "restrict",
    "_Generic",
    "_Float128",
    "__builtin_va_list",
    "__signed__",
    "__volatile__",
    "__const",
    "__int128_t",
    "__uint128_t",
];

/// match: static x = 1; *p, y; f(a) { … } main() { … } (at file scope), static x; const y = 1; static *p, y; (in blocks)
/// result: the same with an `int` that is marked as ours
pub(super) fn implicit_int(tokens: &mut Vec<Token>) {
    let partner = partners(tokens);
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && !token.is_one(TYPES)
                && !token.is_one(&KEYWORDS)
                && !token.is_one(&SPECIFIERS)
                && !token.text.starts_with("_Float")
                && !token.text.starts_with("__builtin_")
        })
    };
    let mut types: HashSet<String, FxBuildHasher> = HashSet::default();
    let mut inserts = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is("typedef") {
            // Whatever a typedef mentions may be a type.
            while at < tokens.len() && !tokens[at].is(";") {
                if tokens[at].kind == Kind::Word {
                    types.insert(tokens[at].text.to_string());
                }
                at = if tokens[at].is("{") {
                    partner[at].max(at) + 1
                } else {
                    at + 1
                };
            }
            continue;
        }
        let begins = at == 0
            || tokens[at - 1].is_one(&[";", "{"])
            || tokens[at - 1].is("}") && ends_body(tokens, &partner, at - 1);
        // Only from the first of several specifiers on, so that many of them are counted once.
        let mut name = at;
        while begins && tokens.get(name).is_some_and(|t| t.is_one(&SPECIFIERS)) {
            name += 1;
        }
        let start = name;
        while begins && tokens.get(name).is_some_and(|t| t.is("*")) {
            name += 1;
        }
        // Without a specifier it is a declaration at file scope only.
        if begins
            && (start > at || depth == 0)
            && is_name(name)
            && (name > start || !types.contains(&*tokens[name].text))
            && tokens.get(name + 1).is_some_and(|next| match &*next.text {
                ";" | "=" | "," | "[" => next.kind == Kind::Punctuator,
                "(" => declares_function(tokens, &partner, name + 1),
                _ => false,
            })
        {
            inserts.push(start);
        }
        match &*token.text {
            "{" if token.kind == Kind::Punctuator => depth += 1,
            "}" if token.kind == Kind::Punctuator => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    if inserts.is_empty() {
        return;
    }
    let mut inserts = inserts.into_iter().peekable();
    let mut out = Vec::with_capacity(tokens.len() + 16);
    for (at, token) in std::mem::take(tokens).into_iter().enumerate() {
        if inserts.next_if_eq(&at).is_some() {
            attribute(&mut out, "__selvedge_implicit_int__", token.origin);
            out.push(insert(Kind::Word, "int", token.origin));
        }
        out.push(token);
    }
    *tokens = out;
}

/// Parameter lists: true if the parenthesis at `open` holds parameters: what follows is a body, the end, or old-style
/// declarations.
fn declares_function(tokens: &[Token], partner: &[usize], open: usize) -> bool {
    tokens
        .get(partner[open] + 1)
        .is_some_and(|next| next.is_one(&["{", ";", ","]) || next.kind == Kind::Word)
}

/// Function bodies: true if the brace at `close` ends the body of a function, and not a type or an initialiser.
fn ends_body(tokens: &[Token], partner: &[usize], close: usize) -> bool {
    let Some(before) = partner[close].checked_sub(1) else {
        return false;
    };
    match &*tokens[before].text {
        ")" => !partner[before]
            .checked_sub(1)
            .is_some_and(|word| tokens[word].text.starts_with("__attribute")),
        // The declarations of old-style parameters.
        ";" => true,
        _ => false,
    }
}
