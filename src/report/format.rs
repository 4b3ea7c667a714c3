//! Formats of reports that are written to files, each with the option that asks for it.

pub use super::file::{Format, Report};
use super::{html, json, junit, sarif};

/// All formats.
pub const FORMATS: &[Format] = &[json::FORMAT, html::FORMAT, sarif::FORMAT, junit::FORMAT];
