//! `a ?: b`, whose operands have to be found.

use super::super::nesting::partners;
use super::super::token::{Kind, Token};
use super::insert::{insert, insert_all};

/// match: a ?: b
/// result: __builtin_selvedge_or(a, b)
pub(super) fn elvis(tokens: &mut Vec<Token>) {
    let found: Vec<usize> = (1..tokens.len())
        .filter(|at| tokens[*at].is(":") && tokens[*at - 1].is("?"))
        .map(|at| at - 1)
        .collect();
    if found.is_empty() {
        return;
    }
    let partner = partners(tokens);
    // How many calls open before, and close before, each token; where the right operand of a `?` ends.
    let mut opens = vec![0u32; tokens.len() + 1];
    let mut closes = vec![0u32; tokens.len() + 1];
    let mut ends = vec![0usize; tokens.len()];
    // From the last to the first: `a ?: b ?: c` groups to the right, so that an operand ends where the last one in
    // it does.
    for at in found.into_iter().rev() {
        let end = operand_end(tokens, &partner, &ends, at + 2);
        ends[at] = end;
        opens[condition_start(tokens, &partner, at)] += 1;
        closes[end] += 1;
    }
    let mut out = Vec::with_capacity(tokens.len() + 64);
    for (at, token) in std::mem::take(tokens).into_iter().enumerate() {
        let origin = token.origin;
        for _ in 0..closes[at] {
            out.push(insert(Kind::Punctuator, ")", origin));
        }
        for _ in 0..opens[at] {
            out.extend(insert_all("__builtin_selvedge_or (", origin));
        }
        if ends.get(at).is_some_and(|end| *end > 0) {
            out.push(insert(Kind::Punctuator, ",", origin));
        } else if at == 0 || ends[at - 1] == 0 {
            out.push(token);
        }
    }
    let origin = out.last().map_or(0, |token| token.origin);
    for _ in 0..closes[ends.len()] {
        out.push(insert(Kind::Punctuator, ")", origin));
    }
    *tokens = out;
}

/// Index behind the operand of a conditional expression that starts at `at`.
fn operand_end(tokens: &[Token], partner: &[usize], ends: &[usize], mut at: usize) -> usize {
    let mut conditionals = 0;
    while let Some(token) = tokens.get(at) {
        if token.kind == Kind::Punctuator {
            match &*token.text {
                ")" | "]" | "}" | "," | ";" => break,
                "?" if ends[at] > 0 && conditionals == 0 => return ends[at],
                "?" => conditionals += 1,
                ":" if conditionals > 0 => conditionals -= 1,
                ":" => break,
                _ => {}
            }
        }
        at = partner[at].max(at) + 1;
    }
    at.min(tokens.len())
}

/// Index of the first token of the condition whose `?` is at `at`: a logical-or expression.
fn condition_start(tokens: &[Token], partner: &[usize], at: usize) -> usize {
    const STOPS: [&str; 19] = [
        "(", "[", "{", "}", ",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=", "<<=", ">>=",
    ];
    let mut start = at;
    while let Some(before) = start.checked_sub(1) {
        let token = &tokens[before];
        if token.kind == Kind::Punctuator && token.is_one(&STOPS) && partner[before] >= before {
            break;
        }
        if token.kind == Kind::Word && token.is_one(&["return", "case", "else", "do"]) {
            break;
        }
        start = partner[before].min(before);
    }
    start
}
