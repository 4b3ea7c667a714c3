//! Reports that are written to files.

use crate::outcome::Outcome;
use crate::source::place::Places;

/// Subject of a report.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The outcome.
    pub outcome: &'a Outcome,
    /// Places that it speaks of.
    pub places: &'a dyn Places,
    /// The exit code of the run, if that is known already.
    pub exit_code: Option<u8>,
}

/// A format of such reports.
#[derive(Debug)]
pub struct Format {
    /// Name of the option, without dashes, that takes the file.
    pub name: &'static str,
    /// Help of that option.
    pub help: &'static str,
    /// The text of the file.
    pub render: fn(Report) -> String,
}
