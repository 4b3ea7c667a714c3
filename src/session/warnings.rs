//! Warnings of a program that was read: which are told, and when they are errors.

use super::error::Error;
use crate::base::{Diagnostic, Warning, Warnings};
use crate::source::{self, Sources};

/// Leaves those that are told: the kinds that were chosen, in files of the user.
pub(super) fn choose(warnings: &mut Vec<Warning>, source: &Sources, told: Warnings) {
    warnings.retain(|warning| told.contains(warning.kind) && !source.is_system(warning.loc));
}

/// Warnings as they are shown, first those of the preprocessor that are told. `denied` if they are errors.
///
/// # Errors
/// [`Error::Input`]: there are some, and they are errors.
pub(super) fn shown(
    warnings: &[Warning],
    source: &Sources,
    told: Warnings,
    denied: bool,
) -> Result<Vec<String>, Error> {
    let units = source.units().flat_map(|(_, unit)| &unit.warnings);
    let early = units.filter(|(kind, _)| told.contains(*kind));
    if !denied {
        let early = early.map(|(_, message)| message.shown("warning"));
        let late = warnings.iter();
        let late = late.map(|warning| source::render_warning(source, warning));
        return Ok(early.chain(late).collect());
    }
    let early = early.map(|(_, message)| message.shown("error"));
    let late = warnings.iter().map(|warning| {
        let (loc, message) = (warning.loc, warning.named());
        source::render(source, &Diagnostic::new(loc, message))
    });
    let all: Vec<String> = early.chain(late).collect();
    let count = match all.len() {
        0 => return Ok(all),
        1 => "1 warning, which is an error".to_string(),
        n => format!("{n} warnings, which are errors"),
    };
    Err(Error::Input(format!(
        "{}{count} (--deny-warnings)\n",
        all.concat()
    )))
}
