//! Labels that belong to a block (`__label__`): each gets a name that is the function's only one.

use std::borrow::Cow;

use super::super::token::{Kind, Token};

/// match: { __label__ a; goto a; a: ; }
/// result: { goto a__1; a__1: ; }
pub(super) fn local_labels(tokens: &mut Vec<Token>) {
    if !tokens.iter().any(|token| token.is("__label__")) {
        return;
    }
    let mut number = 0;
    // The labels of each open block, the innermost last.
    let mut blocks: Vec<Vec<(String, String)>> = Vec::new();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = std::mem::take(tokens).into_iter().peekable();
    while let Some(mut token) = rest.next() {
        match (token.kind, &*token.text) {
            (Kind::Punctuator, "{") => blocks.push(Vec::new()),
            (Kind::Punctuator, "}") => {
                blocks.pop();
            }
            (Kind::Word, "__label__") => {
                for declared in rest.by_ref() {
                    if declared.is(";") {
                        break;
                    }
                    if declared.kind == Kind::Word
                        && let Some(block) = blocks.last_mut()
                    {
                        number += 1;
                        let name = format!("{}__{number}", declared.text);
                        block.push((declared.text.into_owned(), name));
                    }
                }
                continue;
            }
            (Kind::Word, text) => {
                let before = out.last();
                let is_target = before.is_some_and(|before| before.is("goto"));
                let is_label = rest.peek().is_some_and(|next| next.is(":"))
                    && before.is_some_and(|before| {
                        before.is_one(&[";", "{", "}", ":", ")", "else", "do"])
                    });
                let found = blocks
                    .iter()
                    .rev()
                    .flatten()
                    .find(|(name, _)| (is_target || is_label) && name == text);
                if let Some((_, name)) = found {
                    token.text = Cow::Owned(name.clone());
                }
            }
            _ => {}
        }
        out.push(token);
    }
    *tokens = out;
}
