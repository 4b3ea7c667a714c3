//! Diagnostics as text: place, message, the source line and a caret.

use super::message::shown;
use super::{Excerpt, Position, Source, Sources};
use crate::base::{Diagnostic, Loc, Warning};

/// Text that diagnostics have their places in.
pub trait Text {
    /// File, line and column of a place; `None` for places that no text stands for.
    fn position(&self, loc: Loc) -> Option<Position>;
    /// The source line of a place.
    fn excerpt(&self, loc: Loc) -> Option<Excerpt>;
    /// Name of the file, or of all files.
    fn name(&self) -> String;
}

impl Text for Source {
    fn position(&self, loc: Loc) -> Option<Position> {
        Source::position(self, loc)
    }

    fn excerpt(&self, loc: Loc) -> Option<Excerpt> {
        Source::excerpt(self, loc)
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

impl Text for Sources {
    fn position(&self, loc: Loc) -> Option<Position> {
        Sources::position(self, loc)
    }

    fn excerpt(&self, loc: Loc) -> Option<Excerpt> {
        Sources::excerpt(self, loc)
    }

    fn name(&self) -> String {
        self.names()
    }
}

/// `file:line:column: error: message`, then the source line with a caret under the place.
pub fn render(text: &impl Text, diagnostic: &Diagnostic) -> String {
    let error = rendered(text, diagnostic.loc, "error", &diagnostic.message);
    match &diagnostic.note {
        Some((loc, note)) => error + &rendered(text, *loc, "note", note),
        None => error,
    }
}

/// The same of a warning, which has its name behind the message.
pub fn render_warning(text: &impl Text, warning: &Warning) -> String {
    rendered(text, warning.loc, "warning", &warning.named())
}

/// The first errors, one after the other, and how many there are.
pub fn render_all(text: &impl Text, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST_ERRORS) {
        out += &render(text, diagnostic);
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

fn rendered(text: &impl Text, loc: Loc, kind: &str, message: &str) -> String {
    let (Some(position), Some(excerpt)) = (text.position(loc), text.excerpt(loc)) else {
        return format!("{}: {kind}: {message}\n", text.name());
    };
    shown(&position, &excerpt, kind, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line_and_a_caret() {
        let source = Source::from_text("no-such-folder/a.i", "int x;\n\tint é = y;\n");
        let at = source.text.find("y;").unwrap() as u32;
        let diagnostic = Diagnostic::new(Loc(at), "no y");
        assert_eq!(
            render(&source, &diagnostic),
            "no-such-folder/a.i:2:10: error: no y\n 2 | \tint é = y;\n   | \t        ^\n"
        );
        let noted = diagnostic.with_note(Loc(4), "see x");
        assert_eq!(
            render(&source, &noted),
            "no-such-folder/a.i:2:10: error: no y\n 2 | \tint é = y;\n   | \t        ^\n\
             no-such-folder/a.i:1:5: note: see x\n 1 | int x;\n   |     ^\n"
        );
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
        let diagnostic = Diagnostic::new(Loc::NONE, "no main");
        assert_eq!(render(&source, &diagnostic), "a.i: error: no main\n");
    }
}
