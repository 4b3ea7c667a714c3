//! Diagnostics as text: place, message, the source line and a caret.

use super::{Excerpt, Position, Source};
use crate::base::{Diagnostic, Loc};

/// `file:line:column: error: message`, then the source line with a caret under the place.
pub fn render(source: &Source, diagnostic: &Diagnostic) -> String {
    rendered(source, diagnostic.loc, "error", &diagnostic.message)
}

/// The same for what stops nothing.
pub fn render_warning(source: &Source, loc: Loc, message: &str) -> String {
    rendered(source, loc, "warning", message)
}

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
        out += &format!(" {margin} | {indent}^\n");
    }
    out
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
    fn a_place_that_is_nowhere() {
        let source = Source::from_text("a.i", "int x;");
        let diagnostic = Diagnostic {
            loc: Loc::NONE,
            message: "no main".into(),
        };
        assert_eq!(render(&source, &diagnostic), "a.i: error: no main\n");
    }
}
