//! `selvedge sweep` and `selvedge job`: the run of a grid or of a part of it, the table, and the exit code.

mod experiment;
mod files;
mod grid;
mod input;
mod journal;
pub mod options;
mod progress;
pub mod report;

use super::output::check;
use super::refusal::{Refusal, told};
use super::{answer, defaults, signal};
use crate::outcome::exit;
use crate::report::save::{remove, save};
use crate::sweep::submit::{self, End, Engine};
use crate::sweep::{self, Done, Grid, Plan, Swept, Text, Verdict};
use options::{Line, Sweep};
use progress::Teller;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs a sweep and returns the exit code.
pub fn run(line: Line) -> u8 {
    let done = || {
        let line = experiment::expanded(line)?;
        let options = Sweep::of(&line.own).map_err(Refusal::Usage)?;
        match (&options.submit, &options.collect) {
            (Some(engine), _) => submitted(line, engine.clone(), options),
            (None, Some(folder)) => collected(&line, &options, folder),
            (None, None) => swept(line, &options),
        }
    };
    done().unwrap_or_else(|refusal: Refusal| refusal.tell())
}

/// Runs a job of a plan and returns the exit code: success if its shard is there, whatever it says.
pub fn job(folder: &Path, number: usize) -> u8 {
    let cancel = Arc::new(AtomicBool::new(false));
    signal::listen(Arc::clone(&cancel), false);
    match sweep::run_job(folder, number, &cancel) {
        Ok(Done::Now | Done::Before) => exit::SUCCESSFUL,
        Ok(Done::Interrupted) => signal::exit_code().unwrap_or(exit::INTERNAL),
        Err(why) => told(exit::INPUT, &why),
    }
}

/// Sweeps, or plans to.
fn swept(mut line: Line, options: &Sweep) -> Result<u8, Refusal> {
    line.files = files::programs(&line.files)?;
    check_files(&line, options)?;
    let (grid, texts) = grid::grid(&line, options)?;
    let is_ignored = defaults::reads(&line.common) && Path::new(defaults::FILE).exists();
    if is_ignored && !options.quiet {
        eprintln!("selvedge: a sweep does not read {}", defaults::FILE);
    }
    if let Some(folder) = &options.plan {
        let plan = planned(folder, &grid, &texts)?;
        let (folder, jobs, last) = (folder.display(), plan.jobs, plan.jobs - 1);
        let text = format!(
            "{folder} has {jobs} jobs for {} cells: selvedge job {folder} 0 to {last}, then selvedge sweep --collect {folder}\n",
            grid.len()
        );
        return Ok(answer::print(&text, exit::SUCCESSFUL));
    }
    let journal = journal::open(options, &grid)?;
    if let Some(path) = &options.output {
        remove(path).map_err(Refusal::Input)?;
    }
    let cancel = Arc::new(AtomicBool::new(false));
    signal::listen(Arc::clone(&cancel), false);
    let teller = Teller::of(options.quiet, grid.len());
    let swept = sweep::sweep(&grid, &journal, &cancel, &|news| teller.tell(news));
    teller.end();
    let swept = swept.map_err(|error| Refusal::Input(format!("cannot run the sweep: {error}")))?;
    if let Some(failure) = &swept.failure {
        eprintln!("selvedge: {failure}; the sweep was ended");
    }
    if swept.interrupted {
        eprintln!("selvedge: interrupted; the same command runs what is left");
    }
    Ok(finish(options, &grid, &swept, &[]))
}

/// Writes a plan, with what its jobs need.
fn planned(folder: &Path, grid: &Grid, texts: &[Text]) -> Result<Plan, Refusal> {
    let plan = Plan::write(folder, grid, texts).map_err(Refusal::Input)?;
    submit::equip(folder, plan.jobs).map_err(|error| Refusal::Input(error.to_string()))?;
    Ok(plan)
}

/// Has the jobs of a plan run elsewhere, and merges their shards.
fn submitted(mut line: Line, engine: Engine, mut options: Sweep) -> Result<u8, Refusal> {
    let folder = match &options.collect {
        Some(folder) => {
            refuse_files(&line)?;
            folder.clone()
        }
        None => {
            let beside = journal::first(&options).with_extension("plan");
            let folder = options.plan.get_or_insert(beside).clone();
            line.files = files::programs(&line.files)?;
            // That there is a plan says that texts are wanted.
            let (grid, texts) = grid::grid(&line, &options)?;
            planned(&folder, &grid, &texts)?;
            line.files.clear();
            options.collect.insert(folder).clone()
        }
    };
    let (plan, grid) = Plan::read(&folder).map_err(Refusal::Input)?;
    // What could not be written in the end is said before anything is submitted.
    check_files(&line, &options)?;
    let left = RefCell::new((0..plan.jobs).collect());
    let missing = || {
        let before = left.take();
        left.replace(sweep::missing(&folder, &grid, before));
        left.borrow().clone()
    };
    let cancel = Arc::new(AtomicBool::new(false));
    signal::listen(Arc::clone(&cancel), false);
    let tell = |line: &str| {
        if !options.quiet {
            eprintln!("{line}");
        }
    };
    let at_a_time = options.jobs.map(|jobs| jobs as usize);
    let end = submit::submit(&engine, &folder, at_a_time, &missing, &cancel, &tell);
    if end.map_err(|error| Refusal::Input(error.to_string()))? == End::Interrupted {
        eprintln!(
            "selvedge: interrupted, and the jobs are taken back; the same command runs what is left, selvedge sweep --collect {} shows \
             what there is",
            folder.display()
        );
        return Ok(signal::exit_code().unwrap_or(exit::INTERNAL));
    }
    collected(&line, &options, &folder)
}

/// Refuses programs beside a plan, which has its own.
///
/// # Errors
/// There are some.
fn refuse_files(line: &Line) -> Result<(), Refusal> {
    match line.files.first() {
        None => Ok(()),
        Some(file) => Err(Refusal::Usage(format!(
            "--collect takes programs from the plan, and not {}",
            file.display()
        ))),
    }
}

/// Merges the shards of a plan.
fn collected(line: &Line, options: &Sweep, folder: &Path) -> Result<u8, Refusal> {
    refuse_files(line)?;
    let (_, grid) = Plan::read(folder).map_err(Refusal::Input)?;
    check_files(line, options)?;
    let journal = journal::open(options, &grid)?;
    if let Some(path) = &options.output {
        remove(path).map_err(Refusal::Input)?;
    }
    let (swept, missing) = sweep::collect(folder, &grid, &journal);
    if let Some(failure) = &swept.failure {
        eprintln!("selvedge: {failure}");
    }
    if !missing.is_empty() {
        let numbers: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let folder = folder.display();
        eprintln!(
            "selvedge: {} jobs of {folder} have not finished: {}",
            missing.len(),
            numbers.join(", ")
        );
    }
    Ok(finish(options, &grid, &swept, &missing))
}

/// Checks that the table and the journal can be written.
///
/// # Errors
/// One is in no folder, or is read, or is the other one.
fn check_files(line: &Line, options: &Sweep) -> Result<(), Refusal> {
    let journal = journal::first(options);
    // It is only appended to, and says itself if it is no journal.
    check(&[&journal], &[])?;
    let read: Vec<&Path> = line
        .files
        .iter()
        .chain([&journal])
        .map(PathBuf::as_path)
        .collect();
    match &options.output {
        Some(path) => check(&[path], &read),
        None => Ok(()),
    }
}

/// Prints the table and what is wrong with it, and returns the exit code.
fn finish(options: &Sweep, grid: &Grid, swept: &Swept, missing: &[usize]) -> u8 {
    let mut code = exit_code(grid, swept, missing);
    for file in swept.disagreements(grid) {
        eprintln!(
            "selvedge: internal error: cells of {file} contradict each other; please report it with the program"
        );
    }
    let text = sweep::table(grid, swept) + &sweep::summary(grid, swept);
    if let Some(path) = &options.output
        && let Err(error) = save(path, |out| out.write_all(text.as_bytes()))
    {
        code = told(exit::INPUT, &error);
    }
    answer::print(&text, code)
}

/// The first code that applies; see the help.
fn exit_code(grid: &Grid, swept: &Swept, missing: &[usize]) -> u8 {
    let any = |verdict: Verdict| swept.records().any(|record| record.verdict == verdict);
    if swept.interrupted
        && let Some(code) = signal::exit_code()
    {
        code
    } else if !swept.disagreements(grid).is_empty() || any(Verdict::Error) {
        exit::INTERNAL
    } else if swept.failure.is_some() || any(Verdict::Input) || !missing.is_empty() {
        exit::INPUT
    } else if any(Verdict::Failed) {
        exit::FAILED
    } else if any(Verdict::Unknown) {
        exit::UNKNOWN
    } else {
        exit::SUCCESSFUL
    }
}
