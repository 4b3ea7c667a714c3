//! Folder of a native reproduction: it is of this run, or is not there.

use crate::session::Reproduction;
use std::fs;
use std::io;
use std::path::Path;

/// First line of the file by which a folder of an earlier run is known.
const KNOWN_BY: (&str, &str) = ("selvedge.c", "/* Enforces a schedule:");

/// Checks that a folder is not there, is empty, or is one of an earlier run.
///
/// # Errors
/// What else is there.
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

/// Writes the files of a reproduction, all of them or none.
///
/// # Errors
/// The system refuses to.
pub(super) fn save(folder: &Path, made: &Reproduction) -> Result<(), String> {
    let told = |error: io::Error| format!("cannot write {}: {error}", folder.display());
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".selvedge-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Those of any new folder: the process's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    let temporary = builder.tempdir_in(parent).map_err(told)?;
    for (name, text) in &made.files {
        let path = temporary.path().join(name);
        if let Some(inner) = path.parent() {
            fs::create_dir_all(inner).map_err(told)?;
        }
        fs::write(&path, text).map_err(told)?;
    }
    fs::rename(temporary.path(), folder).map_err(told)?;
    // It has another name now.
    let _ = temporary.keep();
    Ok(())
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
