//! Rewritings that repeat a part of the program.

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use super::{insert, insert_all};
use crate::base::Diagnostic;

/// match: __auto_type x = e;
/// result: __typeof__(e) x = e;
pub(super) fn auto_types(tokens: &mut Vec<Token>) -> Result<(), Diagnostic> {
    // From the last to the first, so that an inner one is gone when its surroundings are copied.
    let mut at = tokens.len();
    while let Some(found) = tokens[..at]
        .iter()
        .rposition(|token| token.is("__auto_type"))
    {
        at = found;
        let partner = partners(tokens);
        let refuse = |message: &str| {
            Err(Diagnostic {
                loc: tokens[at].loc(),
                message: message.to_string(),
            })
        };
        if !(tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Word)
            && tokens.get(at + 2).is_some_and(|t| t.is("=")))
        {
            return refuse("`__auto_type` needs the form `__auto_type name = value`");
        }
        let end = operand_end(tokens, &partner, at + 3, &[",", ";"]);
        if tokens.get(end).is_none_or(|t| !t.is(";")) {
            return refuse("`__auto_type` with several names is not supported");
        }
        let origin = tokens[at].origin;
        let mut typeof_value: Vec<Token> = insert_all("__typeof__ (", origin).collect();
        typeof_value.extend(tokens[at + 3..end].iter().cloned());
        typeof_value.push(insert(Kind::Punctuator, ")", origin));
        tokens.splice(at..=at, typeof_value);
    }
    Ok(())
}

/// match: a ?: b
/// result: ({ __typeof__(a) t = a; t ? t : b; })
///
/// At file scope, where there are no statements and nothing has an effect, `a ? a : b`.
pub(super) fn elvis(tokens: &mut Vec<Token>) -> Result<(), Diagnostic> {
    let mut number = 0;
    // From the last to the first: `a ?: b ?: c` groups to the right.
    let mut at = tokens.len();
    while let Some(found) = tokens[..at]
        .windows(2)
        .rposition(|pair| pair[0].is("?") && pair[1].is(":"))
    {
        at = found;
        let partner = partners(tokens);
        let start = condition_start(tokens, &partner, at);
        let end = operand_end(tokens, &partner, at + 2, &[",", ";", ":"]);
        let condition = tokens[start..at].to_vec();
        let other = tokens[at + 2..end].to_vec();
        let origin = tokens[start.min(at)].origin;
        let depth = tokens[..at]
            .iter()
            .fold(0i64, |depth, token| match &*token.text {
                "{" => depth + 1,
                "}" => depth - 1,
                _ => depth,
            });
        let mut result: Vec<Token> = Vec::new();
        if depth == 0 {
            result.push(insert(Kind::Punctuator, "(", origin));
            result.extend(condition.iter().cloned());
            result.push(insert(Kind::Punctuator, "?", origin));
            result.extend(condition);
            result.push(insert(Kind::Punctuator, ":", origin));
            result.extend(other);
            result.push(insert(Kind::Punctuator, ")", origin));
        } else {
            let name = Token {
                kind: Kind::Word,
                text: format!("__elvis_{number}").into(),
                origin,
            };
            number += 1;
            result.extend(insert_all("( { __typeof__ (", origin));
            result.extend(condition.iter().cloned());
            result.push(insert(Kind::Punctuator, ")", origin));
            result.push(name.clone());
            result.push(insert(Kind::Punctuator, "=", origin));
            result.extend(condition);
            result.push(insert(Kind::Punctuator, ";", origin));
            result.push(name.clone());
            result.push(insert(Kind::Punctuator, "?", origin));
            result.push(name);
            result.push(insert(Kind::Punctuator, ":", origin));
            result.extend(other);
            result.extend(insert_all("; } )", origin));
        }
        tokens.splice(start..end, result);
        at = start;
    }
    Ok(())
}

/// Where the operand of a conditional expression that starts at `at` ends.
fn operand_end(tokens: &[Token], partner: &[usize], mut at: usize, stops: &[&str]) -> usize {
    let mut conditionals = 0;
    while let Some(token) = tokens.get(at) {
        if token.kind == Kind::Punctuator {
            if token.is_one(&[")", "]", "}"]) {
                break;
            }
            match &*token.text {
                "?" => conditionals += 1,
                ":" if conditionals > 0 => conditionals -= 1,
                text if stops.contains(&text) => break,
                _ => {}
            }
        }
        at = partner[at].max(at) + 1;
    }
    at.min(tokens.len())
}

/// Where the condition whose `?` is at `at` starts: a logical-or expression.
fn condition_start(tokens: &[Token], partner: &[usize], at: usize) -> usize {
    const STOPS: [&str; 18] = [
        "(", "[", "{", "}", ",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=", "<<=",
    ];
    let mut start = at;
    while let Some(before) = start.checked_sub(1) {
        let token = &tokens[before];
        if token.kind == Kind::Punctuator
            && (token.is_one(&STOPS) || token.is(">>="))
            && partner[before] >= before
        {
            break;
        }
        if token.kind == Kind::Word && token.is_one(&["return", "case", "else", "do"]) {
            break;
        }
        start = partner[before].min(before);
    }
    start
}
