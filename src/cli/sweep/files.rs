//! Files that name programs: lists of patterns (`.set`), as the competition has them.

use crate::cli::refusal::Refusal;
use crate::source::read;
use std::path::{Path, PathBuf};

/// The programs that files name: those of lists in their order, and the others as they are.
///
/// # Errors
/// A list cannot be read, or one of its patterns names nothing.
pub fn programs(files: &[PathBuf]) -> Result<Vec<PathBuf>, Refusal> {
    let mut all = Vec::new();
    for file in files {
        match file.extension() {
            Some(extension) if extension == "set" => all.extend(listed(file)?),
            _ => all.push(file.clone()),
        }
    }
    Ok(all)
}

/// The files of a list: a pattern a line, relative to its folder; blank lines and comments (`#`) are none.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let bytes = read::bytes(list).map_err(|error| Refusal::Input(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let pattern = line.split('#').next().unwrap_or_default().trim();
        if pattern.is_empty() {
            continue;
        }
        let told =
            |what: &str| Refusal::Diagnostic(format!("{}:{number}: error: {what}", list.display()));
        let found = matching(folder, pattern).map_err(|why| told(&why))?;
        if found.is_empty() {
            return Err(told(&format!("no file is called {pattern}")));
        }
        all.extend(found);
    }
    match all.is_empty() {
        true => Err(Refusal::Input(format!(
            "{}: the list is empty",
            list.display()
        ))),
        false => Ok(all),
    }
}

/// Files that a pattern names in a folder, sorted; a name without wildcards names itself.
///
/// # Errors
/// It is no pattern.
pub fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[']) {
        return Ok(vec![folder.join(pattern)]);
    }
    let whole = folder.join(pattern);
    let paths = glob::glob(&whole.to_string_lossy()).map_err(|why| why.to_string())?;
    // A folder that cannot be read has no files here.
    Ok(paths.filter_map(Result::ok).collect())
}
