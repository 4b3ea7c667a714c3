//! Diagnostics: what stops a program from being read, with its place.

use super::Loc;

/// Input that cannot be read, parsed or typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Place in the preprocessed text.
    pub loc: Loc,
    /// Text of the message: what was found and what was expected, without the place.
    pub message: String,
    /// Another place that one has to see to understand it, and what is there.
    pub note: Option<(Loc, String)>,
}

impl Diagnostic {
    /// A diagnostic at a place.
    pub fn new(loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            loc,
            message: message.into(),
            note: None,
        }
    }

    /// The same diagnostic with another place to see.
    pub fn with_note(self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        let note = (loc != Loc::NONE).then(|| (loc, text.into()));
        Diagnostic { note, ..self }
    }
}
