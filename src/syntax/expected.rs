//! The parser's error as one short sentence.

use lang_c::driver::SyntaxError;

use crate::base::{Diagnostic, Loc};

/// More alternatives than this say nothing.
const MOST: usize = 5;

/// What was found, and what could have stood there if that is short.
pub(super) fn diagnostic(error: &SyntaxError) -> Diagnostic {
    let text = &error.source;
    let mut start = error.offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // The parser may have failed within a word that is no keyword.
    if text[start..].starts_with(word) {
        start -= text[..start].chars().rev().take_while(|c| word(*c)).count();
    }
    start += text[start..].len() - text[start..].trim_start().len();
    let rest = &text[start..];
    let length = match rest.chars().next() {
        None => 0,
        Some(c) if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
        Some(c) => c.len_utf8(),
    };
    let found = if length == 0 {
        "end of the program".to_string()
    } else {
        format!("`{}`", &rest[..length])
    };
    let mut names: Vec<&str> = error
        .expected
        .iter()
        .map(|name| category(name))
        .filter(|s| !s.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    let expected = match names.as_slice() {
        [] => String::new(),
        [one] => format!(", expected {one}"),
        [most @ .., last] if names.len() <= MOST => {
            format!(", expected {} or {last}", most.join(", "))
        }
        _ => String::new(),
    };
    // At the end of the text there is no token to point to; the last one is closest.
    let at = if length == 0 {
        text.trim_end().len().saturating_sub(1)
    } else {
        start
    };
    Diagnostic {
        loc: Loc(at as u32),
        message: format!("unexpected {found}{expected}"),
    }
}

/// How an alternative of the parser's grammar is called here; empty for white space.
fn category(name: &'static str) -> &'static str {
    match name {
        "[_a-zA-Z]" | "[_a-zA-Z0-9]" | "<identifier>" => "a name",
        "[0-9]" | "[1-9]" | "[0-7]" | "." | "0" => "a number",
        "\"" | "\\\"" => "a string",
        "'" => "a character",
        "[ \\n\\r\\t]" | " " | "\n" | "#" | "[ \\t]" | "<character>" => "",
        ";" => "`;`",
        "," => "`,`",
        ":" => "`:`",
        "(" => "`(`",
        ")" => "`)`",
        "{" => "`{`",
        "}" => "`}`",
        "[" => "`[`",
        "]" => "`]`",
        "=" => "`=`",
        "while" => "`while`",
        "else" => "`else`",
        _ if name.starts_with('[') || name.contains("space") => "",
        _ if name.starts_with(|c: char| c.is_ascii_punctuation() && c != '_') => "an operator",
        _ => "a keyword",
    }
}
