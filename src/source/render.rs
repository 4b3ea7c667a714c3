//! Diagnostics as text: place, message, the source line and a caret.

use super::{Excerpt, Position, Source};
use crate::base::{Diagnostic, Loc};

/// `file:line:column: error: message`, then the source line with a caret under the place.
pub fn render(source: &Source, diagnostic: &Diagnostic) -> String {
    rendered(source, diagnostic.loc, "error", &diagnostic.message)
}

/// The first errors, one after the other, and how many there are.
pub fn render_all(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST_ERRORS) {
        out += &render(source, diagnostic);
    }
    out += &match diagnostics.len() {
        1 => "1 error\n".to_string(),
        n if n > MOST_ERRORS => format!("{n} errors, of which the first {MOST_ERRORS} are shown\n"),
        n => format!("{n} errors\n"),
    };
    out
}

/// Errors that are shown.
const MOST_ERRORS: usize = 20;

fn rendered(source: &Source, loc: Loc, kind: &str, message: &str) -> String {
    let (Some(position), Some(excerpt)) = (source.position(loc), source.excerpt(loc)) else {
        return format!("{}: {kind}: {message}\n", source.path.display());
    };
    shown(&position, &excerpt, kind, message)
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
    fn shows_the_line_and_a_caret() {
        let source = Source::from_text("no-such-folder/a.i", "int x;\n\tint é = y;\n");
        let at = source.text.find("y;").unwrap() as u32;
        let diagnostic = Diagnostic {
            loc: Loc(at),
            message: "no y".into(),
        };
        assert_eq!(
            render(&source, &diagnostic),
            "no-such-folder/a.i:2:10: error: no y\n 2 | \tint é = y;\n   | \t        ^\n"
        );
    }

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

    #[test]
    fn errors_are_counted() {
        let source = Source::from_text("a.i", "int xyz;\n");
        let one = Diagnostic::new(Loc(4), "no");
        let text = render_all(&source, std::slice::from_ref(&one));
        assert_eq!(
            text,
            "a.i:1:5: error: no\n 1 | int xyz;\n   |     ^~~\n1 error\n"
        );
        assert!(
            render_all(&source, &vec![one; 30])
                .ends_with("30 errors, of which the first 20 are shown\n")
        );
    }

    #[test]
    fn a_place_that_is_nowhere() {
        let source = Source::from_text("a.i", "int x;");
        let diagnostic = Diagnostic {
            loc: Loc::NONE,
            message: "no main".into(),
        };
        assert_eq!(render(&source, &diagnostic), "a.i: error: no main\n");
    }
}
