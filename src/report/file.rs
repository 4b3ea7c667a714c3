//! Reports that are written to files.

use crate::outcome::Outcome;
use crate::source::place::Places;

/// A format of such reports.
#[derive(Debug)]
pub struct Format {
    /// Name of the option, without dashes, that takes the file.
    pub name: &'static str,
    /// Help of that option.
    pub help: &'static str,
    /// The text of the file.
    pub render: fn(&Outcome, &dyn Places) -> String,
}
