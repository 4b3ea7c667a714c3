//! The command-line program. It turns arguments into one [`config::Config`], runs it, prints, and exits.
//!
//! Architecture invariant: nothing here decides anything about a program; [`run`] calls a [`Session`](crate::session::Session).

mod answer;
mod args;
mod asked;
mod chapters;
mod color;
mod columns;
mod config;
mod database;
mod defaults;
mod flags;
mod harness;
mod kept;
mod limits;
mod line;
mod option;
mod options;
mod output;
mod pages;
mod printing;
mod process;
mod processors;
mod program;
mod progress;
mod refusal;
mod reports;
mod reproduction;
mod response;
mod run;
mod signal;
mod status;
mod suppress;
mod sweep;
mod task;
#[cfg(test)]
mod tests;
mod topic;
mod watch;
mod when;
mod worker;

use crate::outcome::exit;
use args::Line;
use clap::error::ErrorKind;
use config::{Config, Job};
use option::{Command, Given};
use options::Options;
use program::Named;
use refusal::{Refusal, told};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the program with the arguments of this process and returns its exit code.
pub fn main() -> ExitCode {
    process::set_up_heaps();
    process::install_panic_hook();
    ExitCode::from(run_with_arguments())
}

fn run_with_arguments() -> u8 {
    let (config, by_file) = match args::parse(std::env::args_os()) {
        Err(error) => {
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => exit::SUCCESSFUL,
                _ => exit::USAGE,
            };
        }
        Ok(Line::Sweep(line)) => {
            process::install_abort_handler();
            return process::on_large_stack(move || sweep::run(line));
        }
        Ok(Line::Report(journals, given)) => return sweep::report::run(&journals, &given),
        Ok(Line::Job(folder, number)) => {
            process::install_abort_handler();
            return process::on_large_stack(move || sweep::job(&folder, number));
        }
        Ok(Line::Text(text)) => return answer::print(&text, exit::SUCCESSFUL),
        Ok(Line::Man(folder)) => return written(pages::write(args::command(), &folder)),
        Ok(Line::Chapters(folder)) => return written(chapters::write(args::command(), &folder)),
        Ok(Line::Config(given)) => return listed(given),
        Ok(Line::Kept(file, given)) => {
            let printed = kept::print(&file, given);
            return printed.unwrap_or_else(|refusal| refusal.tell());
        }
        Ok(Line::Run { job, named, given }) => match with_defaults(job, named, given) {
            Ok(run) => run,
            Err(refusal) => return refusal.tell(),
        },
    };
    let limits = &config.options.limits;
    let budget = limits.budget();
    signal::listen(budget.cancel(), worker::is_worker());
    if let Err(message) = config.options.output.clear() {
        return told(exit::INPUT, &message);
    }
    if let Some(bytes) = limits.memory_bytes {
        if !worker::is_worker() {
            let draws = progress::draws(&config);
            return worker::supervise(limits, bytes, args::again(by_file), draws)
                .unwrap_or_else(|message| told(exit::INTERNAL, &message));
        }
        worker::confine(bytes);
    } else {
        process::install_abort_handler();
    }
    progress::watch(&config, &budget);
    let last_word = watch::LastWord::default();
    watch::enforce(budget.clone(), last_word.clone(), config.question());
    process::on_large_stack(move || answer::answer(&config, &budget, &last_word))
}

/// The configuration of a run, with defaults of the current folder; and the words that give these to a process of its own.
///
/// # Errors
/// See [`Refusal`].
fn with_defaults(
    job: Job,
    named: Named,
    given: Vec<Given<Options>>,
) -> Result<(Config, Vec<OsString>), Refusal> {
    let command = match job {
        Job::Verify => Command::Verify,
        Job::Show(_) => Command::Show,
        Job::Check(_) => Command::Check,
        Job::Replay(_) => Command::Replay,
        Job::Validate(_) => Command::Validate,
    };
    let given = defaults::with(Path::new(""), command, given)?;
    let refusal = match Config::of(job.clone(), named.clone(), &given) {
        Ok(config) => return Ok((config, defaults::words(&given))),
        Err(refusal) => refusal,
    };
    let by_file = given.into_iter().filter(|one| one.line.is_some());
    let by_file: Vec<_> = by_file.collect();
    let alone = Config::of(job, named, &by_file).err();
    Err(defaults::explained(refusal, alone, &by_file))
}

/// Prints the options in force for verification and returns the exit code.
fn listed(given: Vec<Given<Options>>) -> u8 {
    match defaults::with(Path::new(""), Command::Verify, given) {
        Ok(given) => answer::print(&defaults::listing(&given), exit::SUCCESSFUL),
        Err(refusal) => refusal.tell(),
    }
}

/// Prints the names of files that were written to a folder, and returns the exit code.
fn written(files: Result<Vec<PathBuf>, Refusal>) -> u8 {
    match files {
        Ok(files) => {
            let line = |file: &PathBuf| format!("{}\n", file.display());
            let lines: String = files.iter().map(line).collect();
            answer::print(&lines, exit::SUCCESSFUL)
        }
        Err(refusal) => refusal.tell(),
    }
}
