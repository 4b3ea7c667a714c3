//! From a finished run to what the user gets: standard output, files, exit code.

use super::color;
use super::config::{Config, Job};
use super::refusal::told;
use super::reproduction;
use super::run;
use super::signal;
use super::suppress;
use super::watch::LastWord;
use crate::base::budget::{peak_resident_bytes, process_cpu_time};
use crate::base::{Budget, WarningKind};
use crate::outcome::{Outcome, Verdict, exit};
use crate::report::format::Report;
use crate::report::property_name;
use crate::report::save::{save, save_all};
use crate::report::text;
use crate::session::{Answer, Error, Session};
use crate::source::place::Places;
use crate::witness::Format;
use std::io::{self, ErrorKind, Write};
use std::time::Instant;

/// Does what is configured and returns the exit code.
pub fn answer(config: &Config, budget: &Budget, last_word: &LastWord) -> u8 {
    let start = Instant::now();
    let found = match &config.job {
        Job::Show(stage) => match run::show(config, *stage, budget) {
            Ok(text) => {
                last_word.take();
                return print(&text, exit::SUCCESSFUL);
            }
            Err(why) => Err(why),
        },
        Job::Verify => run::verify(config, budget, last_word),
        Job::Check(proof) => run::check(config, proof, budget),
        Job::Replay(schedule) => run::replay(config, schedule),
        Job::Validate(witness) => run::validate(config, witness, budget),
    };
    match found {
        Ok((session, mut answer)) => {
            last_word.take();
            let statistics = &mut answer.outcome.statistics;
            statistics.cpu = process_cpu_time();
            statistics.wall = start.elapsed();
            statistics.peak_memory_bytes = peak_resident_bytes();
            finish(config, &session, &answer)
        }
        Err(why) => refused(&why, last_word),
    }
}

/// No outcome: what to say of it, and no verdict.
fn refused(why: &Error, last_word: &LastWord) -> u8 {
    last_word.take();
    match why {
        Error::Input(diagnostic) => {
            eprintln!("{}", diagnostic.trim_end());
            // Input whose reading a signal ended is not wrong.
            signal::exit_code().unwrap_or(exit::INPUT)
        }
        Error::Request(message) => told(exit::USAGE, message),
        Error::Internal(message) => told(
            exit::INTERNAL,
            &format!(
                "internal error: {message}\nPlease report it with the program and the options."
            ),
        ),
    }
}

fn finish(config: &Config, session: &Session, answer: &Answer) -> u8 {
    let places = session.places();
    let Answer {
        outcome,
        certificate,
        ..
    } = answer;
    let code = outcome
        .verdict
        .exit_code(config.options.output.require_complete);
    let report = Report {
        outcome,
        places,
        exit_code: (!signal::is_forwarded()).then(|| signal::exit_code().unwrap_or(code)),
    };
    let mut errors = Vec::new();
    for (path, text) in config.options.output.reports.of(report) {
        errors.extend(save(&path, |out| out.write_all(text.as_bytes())).err());
    }
    if let Some(path) = &config.options.output.dimacs {
        match answer.formula() {
            Some(formula) => {
                let comments = comments(outcome, places);
                let written = save(path, |out| formula.write(out, &comments));
                errors.extend(written.err());
            }
            None => eprintln!(
                "selvedge: no formula was decided, so {} is not written",
                path.display()
            ),
        }
    }
    if let Some(path) = &config.options.output.proof {
        match certificate {
            Some(certificate) => {
                let written = save(path, |out| {
                    serde_json::to_writer_pretty(&mut *out, certificate)?;
                    out.write_all(b"\n")
                });
                errors.extend(written.err());
            }
            None => eprintln!(
                "selvedge: {}, so {} is not written",
                match outcome.verdict {
                    Verdict::Successful { .. } =>
                        "a scheme with bounds answered, which has no certificate",
                    _ => "nothing was proved",
                },
                path.display()
            ),
        }
    }
    if let Some(path) = &config.options.output.witness
        && let Some(format) = Format::of(path)
    {
        let reading = &config.options.reading;
        let made = match (outcome.findings.first(), certificate) {
            (Some(first), _) => session.witness(first, reading),
            (None, Some(proof)) => session.correctness(proof, outcome.subject.checks, reading),
            (None, None) => Err("nothing was violated, and nothing proved by invariants".into()),
        };
        match made {
            Ok(witness) => {
                let text = format.write(&witness);
                errors.extend(save(path, |out| out.write_all(text.as_bytes())).err());
            }
            Err(why) => {
                let path = path.display();
                eprintln!("selvedge: --witness: {why}, so {path} is not written");
            }
        }
    }
    if let Some(folder) = &config.options.output.reproduce {
        let reading = &config.options.reading;
        let made = outcome
            .findings
            .first()
            .map(|first| session.reproduce(first, reading));
        match made {
            Some(Ok(made)) => match save_all(folder, &made.files) {
                Ok(()) => eprintln!("{}", reproduction::told(folder, &made)),
                Err(error) => errors.push(error),
            },
            Some(Err(why)) => eprintln!("selvedge: --reproduce: {why}"),
            None => {}
        }
    }
    if config.options.output.warnings {
        if config.options.output.verbosity > 0 {
            eprint!("{}", text::statistics_text(outcome));
        }
        if config
            .options
            .reading
            .warnings
            .contains(WarningKind::UnusedSuppression)
        {
            for warning in suppress::warnings(&config.suppressed, outcome) {
                eprintln!("{warning}");
            }
        }
        for note in &config.notes {
            eprintln!("selvedge: {note}");
        }
    }
    let mut text = text::render(outcome, places, config.options.output.detail());
    if config.options.output.color.is_on() {
        text = color::colored(&text);
    }
    let code = print(&text, code);
    if config.options.output.warnings
        && config.job == Job::Verify
        && let Some(hint) = text::hint(outcome)
    {
        eprintln!("selvedge: {hint}");
    }
    for error in &errors {
        eprintln!("selvedge: {error}");
    }
    if errors.is_empty() {
        signal::exit_code().unwrap_or(code)
    } else {
        exit::INPUT
    }
}

/// Comments of a DIMACS file on its origin: version, coverage, and the property if it is satisfiable.
fn comments(outcome: &Outcome, places: &dyn Places) -> Vec<String> {
    let mut lines = vec![format!("selvedge {}", env!("CARGO_PKG_VERSION"))];
    lines.push(text::coverage_line(outcome, places));
    let first = outcome.findings.first();
    lines.extend(first.map(|found| format!("satisfiable: {}", property_name(found.property))));
    lines
}

/// Writes to standard output and returns `code`, or the code for failure if that is not possible.
pub fn print(text: &str, code: u8) -> u8 {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => code,
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => code,
        Err(error) => told(
            exit::INPUT,
            &format!("cannot write to standard output: {error}"),
        ),
    }
}
