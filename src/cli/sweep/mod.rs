//! `selvedge sweep`: the run of a grid, the table, and the exit code.

mod grid;
pub mod options;

use super::refusal::told;
use super::{answer, defaults, signal};
use crate::outcome::exit;
use crate::report::save::save;
use crate::sweep::{self, Grid, Journal, Swept, Verdict};
use options::{Line, Sweep};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs a sweep and returns the exit code.
pub fn run(line: &Line) -> u8 {
    match grid::prepare(line) {
        Err(refusal) => refusal.tell(),
        Ok((options, grid, journal)) => {
            let is_ignored = defaults::reads(&line.common) && Path::new(defaults::FILE).exists();
            if is_ignored && !options.quiet {
                eprintln!("selvedge: a sweep does not read {}", defaults::FILE);
            }
            finish(&options, &grid, &journal)
        }
    }
}

/// Sweeps and prints.
fn finish(options: &Sweep, grid: &Grid, journal: &Journal) -> u8 {
    if journal.skipped > 0 {
        eprintln!(
            "selvedge: {} lines of the journal are no records",
            journal.skipped
        );
    }
    let cancel = Arc::new(AtomicBool::new(false));
    signal::listen(Arc::clone(&cancel), false);
    let progress = |line: &str| {
        if !options.quiet {
            eprintln!("{line}");
        }
    };
    let swept = match sweep::sweep(grid, journal, &cancel, &progress) {
        Ok(swept) => swept,
        Err(error) => return told(exit::INPUT, &format!("cannot run the sweep: {error}")),
    };
    let mut code = exit_code(grid, &swept);
    for file in swept.disagreements(grid) {
        eprintln!(
            "selvedge: internal error: cells of {file} contradict each other; please report it with the program"
        );
    }
    if let Some(failure) = &swept.failure {
        eprintln!("selvedge: {failure}; the sweep was ended");
    }
    if swept.interrupted {
        eprintln!("selvedge: interrupted; --resume runs what is left");
    }
    let text = sweep::table(grid, &swept) + &sweep::summary(grid, &swept);
    if let Some(path) = &options.output
        && let Err(error) = save(path, |out| out.write_all(text.as_bytes()))
    {
        code = told(exit::INPUT, &error);
    }
    answer::print(&text, code)
}

/// The first code that applies; see the help.
fn exit_code(grid: &Grid, swept: &Swept) -> u8 {
    let any = |verdict: Verdict| swept.records().any(|record| record.verdict == verdict);
    if swept.interrupted
        && let Some(code) = signal::exit_code()
    {
        code
    } else if !swept.disagreements(grid).is_empty() || any(Verdict::Error) {
        exit::INTERNAL
    } else if swept.failure.is_some() || any(Verdict::Input) {
        exit::INPUT
    } else if any(Verdict::Failed) {
        exit::FAILED
    } else if any(Verdict::Unknown) {
        exit::UNKNOWN
    } else {
        exit::SUCCESSFUL
    }
}
