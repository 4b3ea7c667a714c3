//! Tokens of one line of a printed program.

use std::fmt::{self, Display, Formatter};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A keyword, an id (`r3`) or an operation (`load.seqcst`).
    Word(String),
    Number(u128),
    /// A quoted text, without its quotes and escapes.
    Text(String),
    Sign(&'static str),
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
        }
    }
}

/// Signs; a longer one goes before those that it starts with.
const SIGNS: [&str; 17] = [
    "...", "->", "=>", "=", ",", ":", "(", ")", "{", "}", "[", "]", "&", "*", "+", "-", "_",
];

/// The tokens of a line; `#` begins a comment.
///
/// # Errors
/// The text has something that is no token; says what.
pub(super) fn lex(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first == '#' {
            break;
        } else if first == '"' {
            let (text, length) = quoted(rest)?;
            tokens.push(Token::Text(text));
            length
        } else if first.is_ascii_digit() {
            let length = run(rest, |c| c.is_ascii_digit());
            let digits = &rest[..length];
            let number = digits
                .parse()
                .map_err(|_| format!("{digits} is too large"))?;
            tokens.push(Token::Number(number));
            length
        } else if first.is_ascii_alphabetic() {
            let length = run(rest, |c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
            tokens.push(Token::Word(rest[..length].to_string()));
            length
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            sign.len()
        } else {
            return Err(format!("`{first}` begins nothing"));
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Length of the longest start whose characters are of a kind.
fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// A text as Rust's `{:?}` quotes it, and the length of its quoted form.
fn quoted(text: &str) -> Result<(String, usize), String> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    let unended = || "the text has no end".to_string();
    loop {
        match chars.next().ok_or_else(unended)? {
            (at, '"') => return Ok((value, at + 1)),
            (_, '\\') => {
                let (at, kind) = chars.next().ok_or_else(unended)?;
                value.push(match kind {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '0' => '\0',
                    '\\' | '"' | '\'' => kind,
                    'u' => {
                        let digits = text[at + 1..].strip_prefix('{');
                        let digits = digits.and_then(|rest| rest.split('}').next());
                        let digits = digits.ok_or("`\\u` needs a number in braces")?;
                        let code = u32::from_str_radix(digits, 16).ok();
                        let code = code.and_then(char::from_u32);
                        // The braces and what is between them.
                        chars.by_ref().take(digits.len() + 2).for_each(drop);
                        code.ok_or_else(|| format!("`\\u{{{digits}}}` is no character"))?
                    }
                    other => return Err(format!("`\\{other}` stands for nothing")),
                });
            }
            (_, c) => value.push(c),
        }
    }
}
