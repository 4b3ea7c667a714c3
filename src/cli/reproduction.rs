//! Folder of a native reproduction: it is of this run, or is not there.

use crate::session::Reproduction;
use std::fs;
use std::path::Path;

/// First line of the file by which a folder of an earlier run is known.
const KNOWN_BY: (&str, &str) = ("selvedge.c", "/* Enforces a schedule:");

/// Checks that a folder is not there, is empty, or is one of an earlier run.
///
/// # Errors
/// Something else is there.
pub(super) fn is_usable(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    if !folder.is_dir() {
        return Err(format!("{} is no folder", folder.display()));
    }
    let is_empty = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
    let known = fs::read_to_string(folder.join(KNOWN_BY.0));
    let is_known = known.is_ok_and(|text| text.starts_with(KNOWN_BY.1));
    if is_empty || is_known {
        Ok(())
    } else {
        Err(format!("{} has other files", folder.display()))
    }
}

/// Removes what an earlier run has left.
///
/// # Errors
/// The system refuses to.
pub(super) fn clear(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder)
        .map_err(|error| format!("cannot replace {}: {error}", folder.display()))
}

/// Words for what was written.
pub(super) fn told(folder: &Path, made: &Reproduction) -> String {
    let folder = folder.display();
    let mut text = format!(
        "selvedge: `make -C {folder} run` compiles the program and lets it fail; `make -C {folder} check` does so 20 times"
    );
    if !made.doubts.is_empty() {
        text += "\nselvedge: this program may take another way natively: ";
        text += &made.doubts.join("; ");
    }
    text
}
