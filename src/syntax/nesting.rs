//! Brackets match and nest no deeper than recursive stages can follow.

use super::token::{Kind, Token};
use crate::base::Diagnostic;

/// Deepest nesting of brackets, and longest run of prefix operators.
pub(super) const MAX_DEPTH: usize = 400;

/// Longest run of constructs that the parser reads in two ways each, so that an error behind them takes time that
/// doubles with each: `--` and `++` in front of an operand, `_Alignof` of `_Alignof`.
const MAX_DOUBTS: usize = 8;

/// Longest chain of `else if`, of labels of one statement, of members or subscripts of one operand. The time for
/// them grows with the square.
const MAX_CHAIN: usize = 5_000;

/// Depth of what nests without brackets, in all blocks that are open together.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// Statements that wait for their last part, and omitted middle operands (`?:`).
    nested: usize,
    /// `else` of one statement.
    elses: usize,
    /// Labels of one statement.
    labels: usize,
}

/// Run within one pair of brackets: what nests or goes on there.
#[derive(Clone, Copy, Default)]
struct Run {
    /// Depth before the bracket.
    base: Depth,
    now: Depth,
    /// Members and subscripts of one operand.
    parts: usize,
}

impl Run {
    /// The run within a bracket that opens here.
    fn inner(self) -> Run {
        Run {
            base: self.now,
            now: self.now,
            parts: 0,
        }
    }

    /// The end of a statement.
    fn end(&mut self, after: Option<&Token>) {
        let elses = if after.is_some_and(|after| after.is("else")) {
            self.now.elses
        } else {
            self.base.elses
        };
        self.now = Depth { elses, ..self.base };
        self.parts = 0;
    }

    /// Goes on to a token; what there is too much of, if there is.
    fn next(&mut self, before: &Token, token: &Token) -> Option<&'static str> {
        match &*token.text {
            "for" | "while" | "do" | "switch" => self.now.nested += 1,
            "if" if !before.is("else") => self.now.nested += 1,
            "else" => self.now.elses += 1,
            "case" => self.now.labels += 1,
            ":" if before.is("?") => self.now.nested += 1,
            "." | "->" | "[" => self.parts += 1,
            "," | "=" => self.parts = 0,
            _ => {}
        }
        match self {
            _ if self.now.nested > MAX_DEPTH => Some("statements or `?:` within each other"),
            _ if self.now.elses > MAX_CHAIN => Some("`else` of one statement"),
            _ if self.now.labels > MAX_CHAIN => Some("labels of one statement"),
            _ if self.parts > MAX_CHAIN => Some("members and subscripts of one operand"),
            _ => None,
        }
    }
}

/// Checks a whole program.
pub(super) fn check(tokens: &[Token]) -> Result<(), Diagnostic> {
    chains(tokens)?;
    brackets(tokens)
}

fn chains(tokens: &[Token]) -> Result<(), Diagnostic> {
    let mut outer: Vec<Run> = Vec::new();
    let mut run = Run::default();
    for (at, token) in tokens.iter().enumerate() {
        let before = &tokens[at.saturating_sub(1)];
        if let Some(what) = run.next(before, token) {
            return Err(Diagnostic::new(
                token.loc(),
                format!("too many {what}, which is not supported"),
            ));
        }
        if token.kind != Kind::Punctuator {
            continue;
        }
        match &*token.text {
            "(" | "{" => {
                outer.push(run);
                run = run.inner();
            }
            ")" => run = outer.pop().unwrap_or_default(),
            "}" => {
                run = outer.pop().unwrap_or_default();
                run.end(tokens.get(at + 1));
            }
            ";" => run.end(tokens.get(at + 1)),
            _ => {}
        }
    }
    Ok(())
}

fn brackets(tokens: &[Token]) -> Result<(), Diagnostic> {
    let mut open: Vec<&Token> = Vec::new();
    let mut run = 0;
    // Of the run, `--` and `++`; and how many `_Alignof (` came one after the other.
    let (mut steps, mut alignments) = (0, 0);
    for token in tokens {
        run = if token.kind == Kind::Punctuator
            && token.is_one(&["*", "&", "&&", "-", "+", "!", "~", "--", "++"])
        {
            run + 1
        } else {
            0
        };
        steps = match run {
            0 => 0,
            _ => steps + usize::from(token.is_one(&["--", "++"])),
        };
        if token.is_one(&["_Alignof", "__alignof", "__alignof__"]) {
            alignments += 1;
        } else if !token.is("(") {
            alignments = 0;
        }
        if steps > MAX_DOUBTS || alignments > MAX_DOUBTS {
            return Err(Diagnostic::new(
                token.loc(),
                format!(
                    "more than {MAX_DOUBTS} `{}` on one operand, which is not supported",
                    token.text
                ),
            ));
        }
        if open.len() > MAX_DEPTH || run > MAX_DEPTH {
            return Err(Diagnostic::new(
                token.loc(),
                format!("nested more than {MAX_DEPTH} deep, which is not supported"),
            ));
        }
        if token.kind != Kind::Punctuator {
            continue;
        }
        if token.is_one(&["(", "[", "{"]) {
            open.push(token);
        } else if let Some(expected) = opener(&token.text) {
            match open.pop() {
                Some(found) if found.is(expected) => {}
                Some(found) => {
                    // The one that is more likely wrong: a brace that closes over an open parenthesis.
                    let message = format!(
                        "`{}` does not match the `{}` before it",
                        token.text, found.text
                    );
                    return Err(Diagnostic::new(token.loc(), message));
                }
                None => {
                    let message = format!("`{}` without `{expected}`", token.text);
                    return Err(Diagnostic::new(token.loc(), message));
                }
            }
        }
    }
    match open.last() {
        None => Ok(()),
        Some(token) => Err(Diagnostic::new(
            token.loc(),
            format!("this `{}` is never closed", token.text),
        )),
    }
}

/// The bracket that this one closes.
pub(super) fn opener(close: &str) -> Option<&'static str> {
    match close {
        ")" => Some("("),
        "]" => Some("["),
        "}" => Some("{"),
        _ => None,
    }
}

/// For every bracket the index of its partner; for other tokens their own. The program was [`check`]ed.
pub(super) fn partners(tokens: &[Token]) -> Vec<usize> {
    let mut partner: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Punctuator {
            continue;
        }
        if token.is_one(&["(", "[", "{"]) {
            open.push(at);
        } else if opener(&token.text).is_some()
            && let Some(other) = open.pop()
        {
            partner[at] = other;
            partner[other] = at;
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn what_the_parser_would_ponder_over_is_refused() {
        let message = |text: &str| check(&tokens(text).unwrap()).err().map(|told| told.message);
        for text in [
            "--".repeat(20),
            "- --".repeat(20),
            "_Alignof(".repeat(20) + &")".repeat(20),
        ] {
            let told = message(&format!("int x = {text}1;")).unwrap_or_default();
            assert!(told.contains("more than 8"), "{text}: {told}");
        }
        assert_eq!(message("int f(int **p) { return ++*--*p - --**p; }"), None);
    }
}
