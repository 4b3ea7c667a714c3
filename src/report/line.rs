//! Source lines of the steps of a counterexample.

use crate::source::place::Places;
use crate::trace::TraceStep;

/// File and line; `None` where no text stands.
pub type Line = Option<(String, u32)>;

pub fn line_of(step: &TraceStep, places: &dyn Places) -> Line {
    places
        .position(step.loc)
        .map(|place| (place.file, place.line))
}

/// The source line without indentation, comment and repeated blanks.
pub fn statement(places: &dyn Places, step: &TraceStep) -> String {
    let text = places.line_text(step.loc).unwrap_or_default();
    // A `//` within a string literal is rare, and then half a line is shown.
    let code = text.split("//").next().unwrap_or_default();
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c: char| !is_part(c))
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}
