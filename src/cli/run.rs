//! One configured run of a session, and what went wrong in the words of the command line. `answer` renders the rest.

use super::config::Config;
use super::watch::{LastWord, SoFar};
use crate::base::budget::{peak_resident_bytes, process_cpu_time};
use crate::base::{Budget, Diagnostic};
use crate::outcome::{Outcome, Verdict};
use crate::report::text::{self, Detail};
use crate::session::{Answer, Failure, Hidden, Progress, Request, Session, Stage, Unreadable};
use crate::source::place::{Places, file_line};
use crate::source::{self, Source};
use hashbrown::HashMap;
use std::path::Path;

/// The end of a run without an outcome.
pub enum Refused {
    /// The input is no program that can be checked (exit 2); a diagnostic with its source line.
    Input(String),
    /// The arguments do not fit the program (exit 1).
    Usage(String),
    /// An error of Selvedge (exit 6).
    Internal(String),
}

impl From<Unreadable> for Refused {
    fn from(unreadable: Unreadable) -> Refused {
        Refused::Input(unreadable.0)
    }
}

/// Verifies the program that is configured.
///
/// # Errors
/// See [`Refused`].
pub fn verify(
    config: &Config,
    budget: &Budget,
    last_word: &LastWord,
) -> Result<(Session, Answer), Refused> {
    let session = read(config)?;
    let request = request(config, &session)?;
    let mut progress = |progress: &Progress| {
        if config.options.output.verbosity > 0 {
            eprintln!("selvedge: {}", progress.words);
        }
        // A violation is said at once; anything else may be all there is when time is up.
        if progress.outcome.verdict != Verdict::Failed {
            last_word.remember(so_far(config, progress.outcome, session.source()));
        }
    };
    let answer = session
        .verify(&request, budget, &mut progress)
        .map_err(|failure| refuse(session.source(), failure))?;
    Ok((session, answer))
}

/// Checks a proof of the program that is configured.
///
/// # Errors
/// See [`Refused`].
pub fn check(config: &Config, proof: &Path, budget: &Budget) -> Result<(Session, Answer), Refused> {
    let told = |what: String| Refused::Input(format!("selvedge: {}: {what}", proof.display()));
    let text =
        source::read::bytes(proof).map_err(|error| Refused::Input(format!("selvedge: {error}")))?;
    let certificate = serde_json::from_slice(&text)
        .map_err(|error| told(format!("this is no proof of Selvedge: {error}")))?;
    let session = read(config)?;
    let answer = session
        .check(&certificate, config.options.request.solver, budget)
        .map_err(|failure| refuse(session.source(), failure))?;
    Ok((session, answer))
}

/// The words for an outcome if the process has to end.
fn so_far(config: &Config, outcome: &Outcome, places: &dyn Places) -> SoFar {
    let mut outcome = outcome.clone();
    outcome.statistics.cpu = process_cpu_time();
    outcome.statistics.peak_memory_bytes = peak_resident_bytes();
    let detail = Detail {
        trace: false,
        all_steps: false,
    };
    SoFar {
        text: text::render(&outcome, places, detail),
        code: outcome
            .verdict
            .exit_code(config.options.output.require_complete),
        reports: config.options.output.reports.of(&outcome, places),
    }
}

/// A stage's view of the program, as text.
///
/// # Errors
/// As for `verify`.
pub fn show(config: &Config, stage: Stage, budget: &Budget) -> Result<String, Refused> {
    if stage == Stage::Source {
        return Ok(load(config)?.text);
    }
    let session = read(config)?;
    let request = request(config, &session)?;
    session
        .show(stage, &request, budget)
        .map_err(|hidden| match hidden {
            Hidden::Failure(failure) => refuse(session.source(), failure),
            Hidden::Unfinished(why) => Refused::Input(format!("selvedge: {why}\n")),
        })
}

/// Reads and preprocesses the file.
fn load(config: &Config) -> Result<Source, Refused> {
    let source = Source::load(&config.file, &config.options.reading).map_err(Unreadable::from)?;
    if config.options.output.warnings {
        for warning in &source.warnings {
            eprint!("{warning}");
        }
    }
    Ok(source)
}

/// Reads the file into a typed program.
fn read(config: &Config) -> Result<Session, Refused> {
    let begin = std::time::Instant::now();
    let source = load(config)?;
    let session = Session::of(source, config.model(), &config.options.missing)?;
    Ok(session.named(&config.file).read_since(begin))
}

/// The request that the configuration makes of this program.
fn request(config: &Config, session: &Session) -> Result<Request, Refused> {
    let mut unwind_of = HashMap::new();
    for bound in &config.options.unwind_of {
        let found = session
            .find_loop(&bound.function, bound.number)
            .map_err(|why| Refused::Usage(format!("--unwindset: {why}")))?;
        unwind_of.insert(found, bound.iterations);
    }
    Ok(Request {
        unwind_of,
        record: config.options.output.dimacs.is_some(),
        ..config.options.request.clone()
    })
}

fn refuse(source: &Source, failure: Failure) -> Refused {
    match failure {
        Failure::TooManyObjects(loc) => {
            let message = "the program's objects do not fit into the address space".to_string();
            Refused::Input(source::render(source, &Diagnostic { loc, message }))
        }
        Failure::NoSolver(kind) => {
            Refused::Usage(format!("this build has no solver `{}`", kind.name()))
        }
        Failure::NoThread { name, names } => Refused::Usage(format!(
            "--hierarchy: no thread is named `{name}`; there are {}",
            names.join(", ")
        )),
        Failure::NoModel(scheme, memory) => Refused::Usage(format!(
            "the scheme {scheme} does not know the memory model {}",
            memory.name()
        )),
        Failure::Diverged(divergence) => Refused::Internal(format!(
            "the counterexample does not replay: {:?} at step {} of thread {} ({})",
            divergence.why,
            divergence.step,
            divergence.thread.0,
            file_line(source, divergence.loc)
        )),
        Failure::Unsound(what) => Refused::Internal(what),
        Failure::Inconsistent(inconsistent) => Refused::Internal(inconsistent.to_string()),
    }
}
