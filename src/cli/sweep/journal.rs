//! The journal that a sweep takes, and what is said of it.
//!
//! A journal that is named is appended to. Otherwise it has a name by default, which is taken if there is no such file, or if it
//! has cells of this sweep already: then the sweep is continued. Otherwise it is that of another sweep, and the next name that
//! is free is taken.

use super::options::Sweep;
use crate::cli::refusal::Refusal;
use crate::sweep::{Contents, Grid, Journal, contents};
use std::path::{Path, PathBuf};

/// Name of a journal by default.
const NAME: &str = "sweep.jsonl";

/// The name by default, where nothing is continued.
pub fn first(options: &Sweep) -> PathBuf {
    match (&options.journal, &options.output, &options.collect) {
        (Some(path), _, _) => path.clone(),
        (None, Some(output), _) => output.with_extension("jsonl"),
        (None, None, Some(folder)) => folder.join(NAME),
        (None, None, None) => PathBuf::from(NAME),
    }
}

/// Opens the journal of a sweep, and says which one it is if there was a choice.
///
/// # Errors
/// Another sweep writes to it, it is no journal, or the system refuses.
pub fn open(options: &Sweep, grid: &Grid) -> Result<Journal, Refusal> {
    let first = first(options);
    let is_chosen = options.journal.is_some() || options.resume || options.collect.is_some();
    let path = if is_chosen {
        first
    } else {
        free(&first, options, grid)
    };
    let mut journal = Journal::open(&path).map_err(|error| Refusal::Input(error.to_string()))?;
    let name = path.display();
    if journal.torn > 0 {
        let bytes = journal.torn;
        eprintln!("selvedge: the last line of {name} was torn, and is removed ({bytes} bytes)");
    }
    if journal.skipped > 0 {
        let lines = journal.skipped;
        eprintln!("selvedge: {lines} lines of {name} are no records");
    }
    if options.fresh {
        journal.forget();
    }
    let (known, cells) = (journal.answers(grid), grid.len());
    if known > 0 && !options.quiet {
        eprintln!(
            "selvedge: {name} is continued, which has {known} of {cells} cells (--fresh runs them again)"
        );
    }
    Ok(journal)
}

/// The name by default if it is free or has cells of this sweep, else the next name that does.
fn free(first: &Path, options: &Sweep, grid: &Grid) -> PathBuf {
    let numbered = |number: u32| {
        let stem = first.file_stem().unwrap_or_default().to_string_lossy();
        let extension = first.extension().unwrap_or_default().to_string_lossy();
        first.with_file_name(format!("{stem}-{number}.{extension}"))
    };
    let is_taken = |path: &PathBuf| match contents(path, grid) {
        Contents::Nothing => false,
        Contents::Answers(cells) => cells == 0 || options.fresh,
        Contents::Other => true,
    };
    // What is no file, such as a pipe, is only written to.
    let is_special = std::fs::metadata(first).is_ok_and(|found| !found.is_file());
    if is_special || !is_taken(&first.to_path_buf()) {
        return first.to_path_buf();
    }
    let found = (2..).map(numbered).find(|path| !is_taken(path));
    let found = found.unwrap_or_else(|| first.to_path_buf());
    if !options.quiet {
        let (first, found) = (first.display(), found.display());
        eprintln!("selvedge: {first} is of another sweep, so the journal is {found}");
    }
    found
}
