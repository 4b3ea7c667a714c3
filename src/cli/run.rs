//! One configured run of a session. `answer` renders what comes of it.

use super::config::Config;
use super::line;
use super::output::Output;
use super::task::checks;
use super::watch::{LastWord, SoFar};
use super::worker;
use crate::base::Budget;
use crate::base::budget::{peak_resident_bytes, process_cpu_time};
use crate::ir::{Check, Checks};
use crate::modular::certificate::Certificate;
use crate::outcome::Outcome;
use crate::report::format::Report;
use crate::report::{json, text};
use crate::session::{Answer, Error, Progress, Request, Schedule, Session, Stage};
use crate::source::place::Places;
use crate::source::{self, Source};
use crate::witness::{Format, properties};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Verifies the program that is configured.
///
/// # Errors
/// See [`Error`].
pub fn verify(
    config: &Config,
    budget: &Budget,
    last_word: &LastWord,
) -> Result<(Session, Answer), Error> {
    let gauge = budget.gauge();
    gauge.begin("read");
    let session = read(config)?;
    gauge.begin("analyse");
    let request = request(config, &session)?;
    // Processor time at the end of the level before, and why one could not be told.
    let (mut before, mut unwritten) = (Duration::ZERO, None);
    let mut progress = |progress: &Progress| {
        let is_verbose = config.options.output.verbosity > 0;
        match progress.finding {
            Some(finding) if is_verbose || worker::is_watched() => {
                line::say(&text::found(finding, session.source()));
            }
            None if is_verbose => line::say(&format!("selvedge: {}", progress.words)),
            _ => {}
        }
        gauge.at(|place| match (progress.finding, progress.outcome) {
            (Some(_), _) => place.found += 1,
            (None, Some(_)) => place.finished = progress.words.to_string(),
            (None, None) => {}
        });
        if let (Some(path), Some(outcome), None) = (
            &config.options.output.levels,
            progress.outcome,
            progress.finding,
        ) {
            let cpu = process_cpu_time();
            let mut outcome = outcome.clone();
            outcome.statistics.cpu = cpu.saturating_sub(before);
            outcome.statistics.peak_memory_bytes = peak_resident_bytes();
            before = cpu;
            let line = json::line(&outcome, session.source());
            unwritten = unwritten.take().or(append(path, &line).err());
        }
        // It may be all there is when time is up.
        if let Some(outcome) = progress.outcome {
            let (outcome, places) = (outcome.clone(), session.shared_source());
            let output = config.options.output.clone();
            last_word.remember(move || so_far(&output, outcome, &*places));
        }
    };
    let answer = session.verify(&request, budget, &mut progress)?;
    match unwritten {
        Some(why) => Err(Error::Input(format!("selvedge: {why}"))),
        None => Ok((session, answer)),
    }
}

/// Appends a line to a file, in a single write.
fn append(path: &Path, line: &str) -> Result<(), String> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|why| format!("cannot write {}: {why}", path.display()))
}

/// Checks a proof of the program that is configured.
///
/// # Errors
/// See [`Error`].
pub fn check(config: &Config, proof: &Path, budget: &Budget) -> Result<(Session, Answer), Error> {
    let told = |what: String| Error::Input(format!("selvedge: {}: {what}", proof.display()));
    let text =
        source::read::bytes(proof).map_err(|error| Error::Input(format!("selvedge: {error}")))?;
    let certificate = Certificate::read(&text)
        .map_err(|error| told(format!("this is no proof of Selvedge: {error}")))?;
    let mut config = config.clone();
    if certificate.deadlocks {
        // The program means something else for this check.
        config.options.reading.checks = Checks::of(&[Check::Deadlock]);
    }
    budget.gauge().begin("read");
    let session = read(&config)?;
    budget.gauge().begin("check");
    let answer = session.check(&certificate, config.options.request.solver, budget)?;
    Ok((session, answer))
}

/// Executes a schedule of the program that is configured.
///
/// # Errors
/// See [`Error`].
pub fn replay(config: &Config, schedule: &str) -> Result<(Session, Answer), Error> {
    let schedule: Schedule = schedule
        .parse()
        .map_err(|why| Error::Request(format!("--schedule: {why}")))?;
    let mut config = config.clone();
    let reading = &mut config.options.reading.checks;
    if !reading.contains(schedule.check()) {
        *reading = Checks::of(&[schedule.check()]);
    }
    let session = read(&config)?;
    let answer = session.replay(&schedule)?;
    Ok((session, answer))
}

/// Looks for the execution that a witness describes, of the program that is configured.
///
/// # Errors
/// See [`Error`].
pub fn validate(config: &Config, file: &Path, budget: &Budget) -> Result<(Session, Answer), Error> {
    let told = |what: String| Error::Input(format!("selvedge: {}: {what}", file.display()));
    let format = Format::of(file);
    let format = format.ok_or_else(|| {
        told("the name of a witness says its format, and ends in .graphml, .yml or .yaml".into())
    })?;
    let text =
        source::read::bytes(file).map_err(|error| Error::Input(format!("selvedge: {error}")))?;
    let witness = format.read(&String::from_utf8_lossy(&text));
    let witness = witness.map_err(|why| told(format!("this is no witness: {why}")))?;
    let mut config = config.clone();
    if !config.is_asked {
        let asked = properties(&witness.head.specification);
        let asked =
            asked.and_then(|asked| checks(asked).ok_or_else(|| "it is not supported".into()));
        let asked = asked.map_err(|why| told(format!("the specification: {why}")))?;
        config.options.reading.checks = asked;
        config.options.request.checks = asked;
    }
    budget.gauge().begin("read");
    let session = read(&config)?;
    if !config.options.output.any_hash {
        let subject = session.is_subject(&witness);
        subject.map_err(|why| told(format!("{why} (--any-hash takes it nevertheless)")))?;
    }
    budget.gauge().begin("search");
    let answer = session.validate(&witness, config.options.request.checks, budget)?;
    Ok((session, answer))
}

/// The words for an outcome if the process has to end.
fn so_far(output: &Output, mut outcome: Outcome, places: &dyn Places) -> SoFar {
    outcome.statistics.cpu = process_cpu_time();
    outcome.statistics.peak_memory_bytes = peak_resident_bytes();
    SoFar {
        text: text::render(&outcome, places, output.detail()),
        code: outcome.verdict.exit_code(output.require_complete),
        reports: output.reports.of(Report {
            outcome: &outcome,
            places,
            // A signal may come yet.
            exit_code: None,
        }),
    }
}

/// A stage's view of the program, as text.
///
/// # Errors
/// As for `verify`.
pub fn show(config: &Config, stage: Stage, budget: &Budget) -> Result<String, Error> {
    if stage == Stage::Source {
        let sources = load(config)?;
        let told = config.options.reading.warnings;
        let warnings = sources.iter().flat_map(|source| &source.warnings);
        for (_, warning) in warnings.filter(|(kind, _)| told.contains(*kind)) {
            if config.options.output.warnings {
                eprint!("{}", warning.shown("warning"));
            }
        }
        return Ok(sources.into_iter().map(|source| source.text).collect());
    }
    let session = read(config)?;
    let request = request(config, &session)?;
    session.show(stage, &request, budget)
}

/// Reads and preprocesses the files.
fn load(config: &Config) -> Result<Vec<Source>, Error> {
    Session::sources(&config.files, &config.options.reading)
}

/// Reads the files into a typed program, and tells its warnings.
fn read(config: &Config) -> Result<Session, Error> {
    let since = Instant::now();
    let session = Session::of(load(config)?, &config.options.reading, since)?;
    if config.options.output.warnings {
        for warning in session.warnings() {
            line::say(warning.trim_end_matches('\n'));
        }
    }
    Ok(session)
}

/// The request that the configuration makes of this program.
fn request(config: &Config, session: &Session) -> Result<Request, Error> {
    let mut unwind_of = BTreeMap::new();
    for bound in &config.options.unwind_of {
        let found = session
            .find_loop(&bound.function, bound.number)
            .map_err(|why| Error::Request(format!("--unwindset: {why}")))?;
        unwind_of.insert(found, bound.iterations);
    }
    Ok(Request {
        unwind_of,
        record: config.options.output.dimacs.is_some(),
        ..config.options.request.clone()
    })
}
