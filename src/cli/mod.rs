//! The command-line program. It turns arguments into one [`config::Config`], runs it, prints, and exits.
//!
//! Architecture invariant: nothing here decides anything about a program; [`run`] calls a [`Session`](crate::session::Session).

mod answer;
mod args;
mod config;
mod limits;
mod option;
mod options;
mod output;
mod process;
mod refusal;
mod reports;
mod run;
mod signal;
mod suppress;
mod sweep;
mod task;
#[cfg(test)]
mod tests;
mod watch;
mod worker;

use crate::outcome::exit;
use args::Line;
use clap::error::ErrorKind;
use config::Config;
use refusal::told;
use std::process::ExitCode;

/// Runs the program with the arguments of this process and returns its exit code.
pub fn main() -> ExitCode {
    process::install_panic_hook();
    ExitCode::from(run_with_arguments())
}

fn run_with_arguments() -> u8 {
    let config = match args::parse(std::env::args_os()) {
        Err(error) => {
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => exit::SUCCESSFUL,
                _ => exit::USAGE,
            };
        }
        Ok(Line::Sweep(line)) => {
            process::install_abort_handler();
            return process::on_large_stack(move || sweep::run(&line));
        }
        Ok(Line::Run { job, files, given }) => match Config::of(job, files, &given) {
            Ok(config) => config,
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
            return worker::supervise(limits, bytes)
                .unwrap_or_else(|message| told(exit::INTERNAL, &message));
        }
        worker::confine(bytes);
    } else {
        process::install_abort_handler();
    }
    let last_word = watch::LastWord::default();
    watch::enforce(budget.clone(), last_word.clone(), config.question());
    process::on_large_stack(move || answer::answer(&config, &budget, &last_word))
}
