//! GNU forms that are not supported, refused by their name rather than by what the parser makes of them.

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use crate::base::Diagnostic;

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

/// Refuses nested functions, computed goto and `asm goto`.
pub(super) fn check(tokens: &[Token]) -> Result<(), Diagnostic> {
    let partner = partners(tokens);
    let refuse = |at: usize, what: &str| {
        Err(Diagnostic {
            loc: tokens[at].loc(),
            message: format!("{what} are not supported"),
        })
    };
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let previous = at.checked_sub(1).map(|at| &tokens[at]);
        match &*token.text {
            "{" if token.kind == Kind::Punctuator => {
                if depth > 0 && is_function_body(tokens, &partner, at) {
                    return refuse(at, "nested functions");
                }
                depth += 1;
            }
            "}" if token.kind == Kind::Punctuator => depth -= 1,
            "goto" if next.is_some_and(|next| next.is("*")) => return refuse(at, "computed gotos"),
            "goto"
                if previous.is_some_and(|p| {
                    p.is_one(&["asm", "__asm__", "__asm", "volatile", "__volatile__"])
                }) =>
            {
                return refuse(at, "jumps out of inline assembly (`asm goto`)");
            }
            "&&" if token.kind == Kind::Punctuator
                && next.is_some_and(|next| next.kind == Kind::Word)
                && previous.is_some_and(opens_operand) =>
            {
                return refuse(at, "addresses of labels");
            }
            _ => {}
        }
    }
    Ok(())
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
    name.kind == Kind::Word && !name.is_one(&STATEMENTS) && !name.text.starts_with("__attribute")
}
