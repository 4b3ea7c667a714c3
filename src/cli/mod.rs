//! The command-line program. It turns arguments into one [`config::Config`], runs it, prints, and exits.
//!
//! Architecture invariant: nothing here decides anything about a program; [`run`] calls the stages.

mod answer;
mod args;
pub mod config;
mod output;
mod own;
mod reports;
pub mod run;
mod signal;
mod sweep;
mod task;
mod watch;
mod worker;

use crate::outcome::exit;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use config::{Config, Refusal};
use std::process::ExitCode;

/// Stack of the thread that does the work: stages recurse as deep as programs nest.
const STACK_BYTES: usize = 1 << 30;

/// Runs the program with the arguments of this process and returns its exit code.
pub fn main() -> ExitCode {
    install_panic_hook();
    ExitCode::from(run_with_arguments())
}

fn run_with_arguments() -> u8 {
    let (line, matches) = match parsed() {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => exit::USAGE,
            };
        }
    };
    let config = match line.command {
        None => Config::of_verify(line.verify),
        Some(args::Command::Show(show)) => Config::of_show(show),
        Some(args::Command::Check(check)) => Config::of_check(check),
        Some(args::Command::Sweep(options)) => {
            install_abort_handler();
            return sweep::run(options, &matches);
        }
    };
    let config = match config {
        Ok(config) => config,
        Err(refusal) => return refused(&refusal),
    };
    let budget = config.limits.budget();
    signal::listen(budget.cancel());
    if let Err(message) = config.output.clear() {
        return told(exit::INPUT, &message);
    }
    if let Some(bytes) = config.limits.memory_bytes {
        if !worker::is_worker() {
            return worker::supervise(&config.limits, bytes)
                .unwrap_or_else(|message| told(exit::INTERNAL, &message));
        }
        worker::confine(bytes);
    } else {
        install_abort_handler();
    }
    let last_word = watch::LastWord::default();
    watch::enforce(budget.clone(), last_word.clone(), config.question());
    on_large_stack(move || answer::answer(&config, &budget, &last_word))
}

/// The arguments of this process, and how they were given.
fn parsed() -> Result<(args::CommandLine, ArgMatches), clap::Error> {
    // Compilers spell this one with a single dash.
    let words = std::env::args_os().map(|word| match word.to_str() {
        Some("-isystem") => "--isystem".into(),
        _ => word,
    });
    let matches = args::CommandLine::command().try_get_matches_from(words)?;
    Ok((args::CommandLine::from_arg_matches(&matches)?, matches))
}

fn refused(refusal: &Refusal) -> u8 {
    match refusal {
        Refusal::Usage(message) => told(exit::USAGE, message),
        Refusal::Input(message) => told(exit::INPUT, message),
        Refusal::Diagnostic(text) => {
            eprintln!("{text}");
            exit::INPUT
        }
    }
}

fn told(code: u8, message: &str) -> u8 {
    eprintln!("selvedge: {message}");
    code
}

fn on_large_stack(work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    match std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(work)
    {
        // The panic hook has spoken already.
        Ok(thread) => thread.join().unwrap_or(exit::INTERNAL),
        Err(error) => told(exit::INTERNAL, &format!("cannot start a thread: {error}")),
    }
}

/// A panic is a bug of ours, on whichever thread: say so, and end with the exit code for it.
fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or(String::new(), |location| format!(" at {location}"));
        let payload = panic.payload();
        let what = payload
            .downcast_ref::<&str>()
            .map(|text| text.to_string())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        eprintln!(
            "selvedge {}: internal error{place}: {what}",
            env!("CARGO_PKG_VERSION")
        );
        eprintln!(
            "This is a bug in Selvedge; please report it together with the input and the command line."
        );
        std::process::exit(i32::from(exit::INTERNAL));
    }));
}

/// The run-time library aborts where the stack or the memory is exhausted; that, too, ends with our exit code.
/// (A worker process aborts as usual: its parent tells the cases apart.)
fn install_abort_handler() {
    extern "C" fn aborted(_signal: libc::c_int) {
        let text = b"selvedge: internal error: aborted, the stack or the memory is exhausted\n";
        // SAFETY: both calls are allowed in a signal handler.
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::_exit(i32::from(exit::INTERNAL));
        }
    }
    let handler: extern "C" fn(libc::c_int) = aborted;
    // SAFETY: the handler only does what handlers may do.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}
