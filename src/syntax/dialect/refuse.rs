//! GNU forms that are not supported, refused by their name rather than by what the parser makes of them.

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use crate::base::Diagnostic;

/// Keywords that a parenthesis may follow without making a function.
const STATEMENTS: [&str; 13] = [
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
    "__extension__",
    "case",
    "else",
];

/// Ways out of what is refused.
const OUTSIDE: &str = "; define the function outside, and pass it what it uses";
const SWITCH: &str = "; number the labels, and use `switch`";

/// Refuses nested functions, computed goto, `asm goto`, and types of C23 that the parser does not know.
pub(super) fn check(tokens: &[Token]) -> Result<(), Diagnostic> {
    let partner = partners(tokens);
    let refuse = |at: usize, what: &str, instead: &str| {
        Err(Diagnostic::new(
            tokens[at].loc(),
            format!("{what} are not supported{instead}"),
        ))
    };
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let previous = at.checked_sub(1).map(|at| &tokens[at]);
        match &*token.text {
            "{" if token.kind == Kind::Punctuator => {
                if depth > 0 && is_function_body(tokens, &partner, at) {
                    return refuse(at, "nested functions", OUTSIDE);
                }
                depth += 1;
            }
            "}" if token.kind == Kind::Punctuator => depth -= 1,
            "goto" if next.is_some_and(|next| next.is("*")) => {
                return refuse(at, "computed gotos", SWITCH);
            }
            "_BitInt" if next.is_some_and(|next| next.is("(")) => {
                let instead = "; use a standard type, or `__int128`";
                return refuse(at, "integers of any width (`_BitInt`)", instead);
            }
            "enum" if has_fixed_type(tokens, at) => {
                let instead = "; leave the type out, and cast where it matters";
                return refuse(at, "enumerations with a fixed type", instead);
            }
            "..." if previous.is_some_and(|p| p.is("(")) && next.is_some_and(|n| n.is(")")) => {
                let instead = "; name a parameter before it";
                return refuse(at, "functions whose only parameter is `...`", instead);
            }
            "goto"
                if previous.is_some_and(|p| {
                    p.is_one(&["asm", "__asm__", "__asm", "volatile", "__volatile__"])
                }) =>
            {
                return refuse(at, "jumps out of inline assembly (`asm goto`)", "");
            }
            "&&" if token.kind == Kind::Punctuator
                && next.is_some_and(|next| next.kind == Kind::Word)
                && previous.is_some_and(opens_operand) =>
            {
                return refuse(at, "addresses of labels", SWITCH);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Enumerations with a type after a colon: true if one begins at `at`: `enum tag : type {`. (What has a number there is a
/// bit-field.)
fn has_fixed_type(tokens: &[Token], at: usize) -> bool {
    let is_word = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Word);
    let mut next = at + 1;
    while is_word(next) {
        next += 1;
    }
    if !tokens.get(next).is_some_and(|token| token.is(":")) || !is_word(next + 1) {
        return false;
    }
    next += 1;
    while is_word(next) {
        next += 1;
    }
    tokens.get(next).is_some_and(|token| token.is("{"))
}

/// True if an operand, not an operator, follows this token.
fn opens_operand(token: &Token) -> bool {
    match token.kind {
        Kind::Word => token.is_one(&["return", "case"]),
        Kind::Number | Kind::Text => false,
        Kind::Punctuator => !token.is_one(&[")", "]", "}", "++", "--"]),
    }
}

/// Nested functions: true if the brace at `at` within a function opens the body of another: `name ( … ) {`.
fn is_function_body(tokens: &[Token], partner: &[usize], at: usize) -> bool {
    let Some(close) = at.checked_sub(1).filter(|close| tokens[*close].is(")")) else {
        return false;
    };
    let open = partner[close];
    let Some(name) = open.checked_sub(1).map(|at| &tokens[at]) else {
        return false;
    };
    // A call without a type before it is no definition; what is wrong with it, the parser says.
    let first = open.checked_sub(2).map(|at| &tokens[at]);
    if first.is_none_or(|first| first.is_one(&[";", "{", "}"])) {
        return false;
    }
    name.kind == Kind::Word && !name.is_one(&STATEMENTS) && !name.text.starts_with("__attribute")
}
