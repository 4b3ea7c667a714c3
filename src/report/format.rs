//! Formats of reports that are written to files, each with the option that asks for it.

use super::json;
use crate::outcome::Outcome;
use crate::source::place::Places;

/// A format.
#[derive(Debug)]
pub struct Format {
    /// Name of the option, without dashes, that takes the file.
    pub name: &'static str,
    /// Help of that option.
    pub help: &'static str,
    /// The text of the file.
    pub render: fn(&Outcome, &dyn Places) -> String,
}

/// All formats.
pub const FORMATS: &[Format] = &[json::FORMAT];
