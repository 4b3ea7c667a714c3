//! A message as it is shown: its place, its line and a caret.

use super::{Excerpt, Position};

/// A message that knows its place, and is shown as an error or as a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Lines that say which files include that of the place.
    pub(super) before: String,
    /// The place.
    pub(super) position: Position,
    /// Its line.
    pub(super) excerpt: Excerpt,
    /// Text, without the place.
    pub(super) text: String,
}

impl Message {
    /// The message as it is shown: `kind` is `error` or `warning`.
    pub fn shown(&self, kind: &str) -> String {
        let shown = shown(&self.position, &self.excerpt, kind, &self.text);
        self.before.clone() + &shown
    }
}

/// A message with its place, its line and a caret.
pub(super) fn shown(position: &Position, excerpt: &Excerpt, kind: &str, message: &str) -> String {
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    let line = excerpt.text.trim_end();
    let mut out = format!("{position}: {kind}: {message}\n");
    // A line of a generated file may be as long as the file: show the part around the place.
    let column = excerpt.column.map_or(0, |column| column as usize - 1);
    let from = if column > WIDTH {
        column - WIDTH / 2
    } else {
        0
    };
    let shown: String = line.chars().skip(from).take(2 * WIDTH).collect();
    out += &format!(" {number} | {shown}\n");
    if excerpt.column.is_some() {
        // Tabs stay tabs, so that the caret stands where the line shows the place.
        let indent: String = shown
            .chars()
            .take(column - from)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let rest: String = shown.chars().skip(column - from).collect();
        let more = "~".repeat(token_length(&rest).saturating_sub(1));
        out += &format!(" {margin} | {indent}^{more}\n");
    }
    out
}

/// Characters of the word, number, text or operator that a text starts with; 1 for anything else.
fn token_length(text: &str) -> usize {
    const LONG: [&str; 22] = [
        "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    let first = text.chars().next();
    match first {
        Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => text
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
            .count(),
        Some(quote @ ('"' | '\'')) => {
            let mut escaped = false;
            let end = text.chars().skip(1).position(|c| {
                let ends = c == quote && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(1, |end| end + 2)
        }
        _ => LONG
            .iter()
            .find(|long| text.starts_with(**long))
            .map_or(1, |long| long.len()),
    }
}

/// Characters shown before the place, at most.
const WIDTH: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_a_token() {
        for (text, length) in [
            ("name+1", 4),
            ("a.b", 1),
            ("12u)", 3),
            ("\"a\\\"b\" x", 6),
            ("'", 1),
            ("<<= 1", 3),
            ("(x", 1),
            ("", 1),
        ] {
            assert_eq!(token_length(text), length, "{text}");
        }
    }
}
