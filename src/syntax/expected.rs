//! The parser's error as one short sentence in words of C, and where to go on behind it.

use lang_c::driver::SyntaxError;

use super::mistake::{Around, mistake, semicolon};
use super::token::{Kind, Token, split};
use super::word::{SPECIFIERS, begins_operand, ends_operand, is_name, shown};
use crate::base::{Diagnostic, Loc};
use crate::source::{Source, known};

/// More alternatives than this say nothing.
const MOST: usize = 4;

/// Message of a syntax error: what was found, and what could have stood there.
pub(super) fn diagnostic(error: &SyntaxError, source: &Source) -> Diagnostic {
    let text = &error.source;
    let Ok((tokens, _)) = split(text) else {
        return at_offset(error.offset, "this cannot be read".to_string());
    };
    // The parser may have failed within a token.
    let index =
        tokens.partition_point(|token| (token.origin as usize + token.text.len()) <= error.offset);
    let Some(found) = tokens.get(index) else {
        // There is no token to point to; the last one is closest.
        let last = tokens.last().map_or(0, |token| token.origin);
        return at_offset(
            last as usize,
            "the program ends here in the middle of a declaration",
        );
    };
    let before = index.checked_sub(1).map(|at| &tokens[at]);
    let first = index.checked_sub(2).map(|at| &tokens[at]);
    let around = Around {
        source,
        tokens: &tokens,
        at: index,
    };
    if let Some(mistake) = mistake(around) {
        return mistake;
    }
    let can_be = |what: &str| error.expected.contains(what);
    let begins = |before: Option<&Token>| {
        before.is_none_or(|before| {
            before.is_one(&[";", "{", "}", "(", ","]) || before.is_one(SPECIFIERS)
        })
    };
    // The parser fails at a name that is no type, or behind it.
    let pairs = [
        (first, before, Some(found)),
        (before, Some(found), tokens.get(index + 1)),
    ];
    for (first, name, next) in pairs {
        if let (Some(name), Some(next)) = (name, next)
            && begins(first)
            && is_name(name)
            && (is_name(next) || next.is("*"))
        {
            let message = unknown_type(&shown(name), &tokens);
            return at_offset(name.origin as usize, message);
        }
    }
    let alone = "`else` without an `if` before it";
    if found.is("else") {
        return at_offset(found.origin as usize, alone);
    }
    if let Some(before) = before.filter(|before| before.is("else"))
        && is_name(found)
    {
        return at_offset(before.origin as usize, alone);
    }
    let place = found.origin as usize;
    let text = format!("`{}`", shown(found));
    if before.is_some_and(ends_operand)
        && (begins_operand(found) || found.is_one(&[";", ")", "]", ":"]))
    {
        let missing = [
            (";", "`;`"),
            (")", "`)`"),
            ("]", "`]`"),
            (":", "`:`"),
            (",", "`,`"),
        ]
        .iter()
        .find(|(what, _)| can_be(what) && *what != found.text)
        .map(|(_, name)| *name);
        if let (Some("`;`"), Some(before)) = (missing, before) {
            return semicolon(before, found);
        }
        if let Some(missing) = missing {
            return at_offset(place, format!("expected {missing} before {text}"));
        }
    }
    if before.is_some_and(|before| !ends_operand(before))
        && found.is_one(&[";", ")", "]", "}", ",", ":"])
        && !before.is_some_and(|before| before.is_one(&[";", "{"]))
    {
        return at_offset(place, format!("expected an expression before {text}"));
    }
    let mut names: Vec<&str> = error
        .expected
        .iter()
        .map(|name| category(name))
        .filter(|s| !s.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    let message = match names.as_slice() {
        [one] => format!("expected {one} before {text}"),
        [most @ .., last] if names.len() <= MOST => {
            format!("expected {} or {last} before {text}", most.join(", "))
        }
        _ => match before {
            Some(before) => format!("{text} cannot stand behind `{}`", shown(before)),
            None => format!("a program cannot begin with {text}"),
        },
    };
    at_offset(place, message)
}

/// What to do about a name that stands where a type is expected.
fn unknown_type(name: &str, tokens: &[Token]) -> String {
    let mut pairs = tokens.windows(2);
    let tag =
        pairs.find(|pair| pair[0].is_one(&["struct", "union", "enum"]) && pair[1].text == name);
    let told = format!("`{name}` is not declared as a type");
    if let Some(tag) = tag {
        return format!("{told}; did you mean `{} {name}`?", tag[0].text);
    }
    if let Some(header) = known::header_of_type(name) {
        return format!("{told}; include <{header}>");
    }
    let longer = format!("{name}_t");
    if known::header_of_type(&longer).is_some() {
        return format!("{told}; did you mean `{longer}`?");
    }
    format!("{told}; declare it, or include the header that does")
}

fn at_offset(offset: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Loc(offset as u32), message)
}

/// Name of an alternative of the parser's grammar in messages; empty for one that says nothing.
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

/// The text without the function body around a place: the same length, with a semicolon in place of the body, so that
/// what follows can be read. `None` if the place is in none.
pub(super) fn without_body(text: &str, place: Loc) -> Option<String> {
    let (tokens, _) = split(text).ok()?;
    let mut depth = 0usize;
    let mut open = 0;
    for (at, token) in tokens.iter().enumerate() {
        match &*token.text {
            "{" if token.kind == Kind::Punctuator => {
                if depth == 0 {
                    open = at;
                }
                depth += 1;
            }
            "}" if token.kind == Kind::Punctuator => {
                depth = depth.checked_sub(1)?;
                let (start, end) = (tokens[open].origin as usize, token.origin as usize);
                let inside = start < place.0 as usize && place.0 as usize <= end;
                if depth == 0 && inside {
                    if !open
                        .checked_sub(1)
                        .is_some_and(|before| tokens[before].is(")"))
                    {
                        return None;
                    }
                    let mut bytes = text.as_bytes().to_vec();
                    bytes[start..=end].fill(b' ');
                    bytes[start] = b';';
                    return String::from_utf8(bytes).ok();
                }
            }
            _ => {}
        }
    }
    None
}
