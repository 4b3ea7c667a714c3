//! One run through the stages. What it returns is rendered by `answer`.

use super::config::{Config, Stage};
use super::watch::{LastWord, SoFar};
use crate::analysis::loops::Loops;
use crate::base::budget::{peak_resident_bytes, process_cpu_time};
use crate::base::{Budget, Diagnostic};
use crate::event::ThreadId;
use crate::ir::Program;
use crate::modular::certificate::Certificate;
use crate::question::Question;
use crate::report::place::{Named, Places};
use crate::report::text::{self, Detail};
use crate::report::{Outcome, Verdict, json};
use crate::sat::dimacs;
use crate::source::{self, LoadError, Source};
use crate::symex::Unroller;
use crate::verify::{self, Failure, Request};
use crate::{event, library, question, scheme, syntax};
use hashbrown::HashMap;
use std::fmt::Display;
use std::path::Path;
use std::time::Instant;

/// Result of a verification.
pub struct Verified {
    pub outcome: Outcome,
    /// Names the places of the outcome.
    pub places: Box<dyn Places>,
    /// Certificate of a successful verdict, if it can be kept.
    pub certificate: Option<Certificate>,
    /// The formula that the outcome is about, if `--dimacs` asks for it.
    pub question: Option<Question>,
}

/// Reason why a run ends without an outcome.
pub enum Refused {
    /// The input is no program that can be checked (exit 2); a diagnostic with its source line.
    Input(String),
    /// The arguments do not fit the program (exit 1).
    Usage(String),
    /// An error of Selvedge (exit 6).
    Internal(String),
}

/// Verifies the program that is configured.
///
/// # Errors
/// See [`Refused`].
pub fn verify(config: &Config, budget: &Budget, last_word: &LastWord) -> Result<Verified, Refused> {
    let (source, program) = read(config)?;
    let request = request(config, &program)?;
    let mut progress = |progress: &verify::Progress| {
        if config.output.verbosity > 0 {
            eprintln!("selvedge: {}", progress.words);
        }
        // A violation is said at once; anything else may be all there is when time is up.
        if !matches!(progress.outcome.verdict, Verdict::Failed { .. }) {
            last_word.remember(so_far(config, progress.outcome, &source));
        }
    };
    let verified = verify::verify(&program, &request, budget, &mut progress)
        .map_err(|failure| refuse(&source, failure))?;
    let objects = verified.objects;
    let names = move |address: u128| {
        let address = u64::try_from(address).ok()?;
        let index = objects
            .partition_point(|(base, _)| *base <= address)
            .checked_sub(1)?;
        let (base, name) = &objects[index];
        (*base == address).then(|| name.clone())
    };
    Ok(Verified {
        outcome: verified.outcome,
        places: Box::new(Named { source, names }),
        certificate: verified.certificate,
        question: verified.question,
    })
}

/// Checks a proof of the program that is configured.
///
/// # Errors
/// See [`Refused`].
pub fn check(config: &Config, proof: &Path, budget: &Budget) -> Result<Verified, Refused> {
    let told = |what: String| Refused::Input(format!("selvedge: {}: {what}", proof.display()));
    let text =
        source::read::bytes(proof).map_err(|error| Refused::Input(format!("selvedge: {error}")))?;
    let certificate = serde_json::from_slice(&text)
        .map_err(|error| told(format!("this is no proof of Selvedge: {error}")))?;
    let (source, program) = read(config)?;
    let outcome = verify::modular::check(&program, &certificate, config.solver, budget)
        .map_err(|failure| refuse(&source, failure))?;
    Ok(Verified {
        outcome,
        places: Box::new(source),
        certificate: None,
        question: None,
    })
}

/// Last words for an outcome, in case the process has to end.
fn so_far(config: &Config, outcome: &Outcome, places: &dyn Places) -> SoFar {
    let mut outcome = outcome.clone();
    outcome.statistics.cpu = process_cpu_time();
    outcome.statistics.peak_memory_bytes = peak_resident_bytes();
    let detail = Detail {
        trace: false,
        all_steps: false,
    };
    let json = config.output.json.as_ref();
    SoFar {
        text: text::render(&outcome, places, detail),
        code: outcome.verdict.exit_code(config.output.require_complete),
        json: json.map(|path| (path.clone(), json::render(&outcome, places))),
    }
}

/// Listing of the program as a stage makes it, as text.
///
/// # Errors
/// As for `verify`.
pub fn show(config: &Config, stage: Stage, budget: &Budget) -> Result<String, Refused> {
    if stage == Stage::Source {
        return Ok(load(config)?.text);
    }
    let begin = Instant::now();
    let (source, program) = read(config)?;
    let mut times = vec![("read", begin.elapsed())];
    if stage == Stage::Ir {
        return Ok(program.to_string());
    }
    let request = request(config, &program)?;
    let begin = Instant::now();
    let mut unroller =
        Unroller::new(&program).map_err(|refusal| refuse(&source, Failure::from(refusal)))?;
    let refused = |what: &str, why: &dyn Display| {
        Refused::Input(format!("selvedge: the program was not {what}: {why}\n"))
    };
    let mut events = verify::first_level(&mut unroller, &request, budget)
        .map_err(|refusal| refused("unrolled", &refusal))?;
    times.push(("unroll", begin.elapsed()));
    if stage == Stage::Events {
        let place = |loc| crate::report::place::file_line(&source, loc);
        let function = |id: ThreadId| program.functions[events.threads[id].function].name.clone();
        let reasons = scheme::lazy::switch::reasons(&mut events.clone());
        let note = |event| reasons[event].clone();
        return Ok(event::print::listing(&events, &function, &place, &note));
    }
    let begin = Instant::now();
    let (scheme, mut encoding) = verify::first_encoding(&mut events, &request, budget)
        .map_err(|why| refused("encoded", &why))?;
    let question = encoding.question(&events.terms);
    times.push(("encode", begin.elapsed()));
    if stage == Stage::Cnf {
        let mut text = Vec::new();
        dimacs::write(&question.clauses, &mut text, &[], &question.units)
            .map_err(|error| Refused::Internal(error.to_string()))?;
        return String::from_utf8(text).map_err(|error| Refused::Internal(error.to_string()));
    }
    // Encoding has reduced the program.
    let counts = question::counts::Counts::of(&mut events);
    let mut text = format!("{:<12}{:>10}\n", "scheme", scheme.name());
    let mut line = |name: &str, count: usize| text.push_str(&format!("{name:<12}{count:>10}\n"));
    line("functions", program.functions.len());
    line("threads", events.threads.len());
    line("events", events.events.len());
    line("cells", events.cells.len());
    line("inputs", events.inputs.len());
    line("terms", events.terms.len());
    line("conditional", counts.conditional);
    line("blocks", counts.blocks);
    line("shapes", counts.shapes);
    line("operations", counts.operations);
    line("pairs", counts.pairs);
    line("sources", counts.sources);
    for (name, figure) in encoding.figures() {
        line(name, figure);
    }
    line("variables", question.clauses.variables() as usize);
    line("clauses", question.clauses.len());
    for (stage, took) in times {
        text.push_str(&format!("{stage:<12}{:>8.3} s\n", took.as_secs_f64()));
    }
    Ok(text)
}

/// Reads and preprocesses the file.
fn load(config: &Config) -> Result<Source, Refused> {
    let source = Source::load(&config.file, &config.reading()).map_err(|error| {
        Refused::Input(match error {
            // Messages of our own preprocessor name their places.
            LoadError::Invalid(_) => format!("{error}\n"),
            _ => format!("selvedge: {error}\n"),
        })
    })?;
    if config.output.warnings {
        for warning in &source.warnings {
            eprint!("{warning}");
        }
    }
    Ok(source)
}

/// Reads the file into a typed program.
fn read(config: &Config) -> Result<(Source, Program), Refused> {
    let source = load(config)?;
    let render =
        |diagnostics: &[Diagnostic]| Refused::Input(source::render_all(&source, diagnostics));
    let unit = syntax::parse_all(&source).map_err(|all| render(&all))?;
    let program =
        library::read(&unit, config.model, &config.missing).map_err(|all| render(&all))?;
    Ok((source, program))
}

/// The request that the configuration makes of this program.
fn request(config: &Config, program: &Program) -> Result<Request, Refused> {
    let bounds = &config.bounds;
    let mut unwind_of = HashMap::new();
    for bound in &bounds.unwind_of {
        let function = program
            .functions
            .iter_ids()
            .find(|(_, function)| function.name == bound.function)
            .ok_or_else(|| {
                Refused::Usage(format!(
                    "--unwindset: there is no function `{}`",
                    bound.function
                ))
            })?;
        let loops = Loops::of(function.1).heads().len();
        if bound.number as usize >= loops {
            return Err(Refused::Usage(format!(
                "--unwindset: `{}` has {loops} loops, numbered from 0",
                bound.function
            )));
        }
        unwind_of.insert((function.0, bound.number), bound.iterations);
    }
    Ok(Request {
        scheme: config.scheme.kind(),
        unwind: bounds.unwind,
        unwind_of,
        recursion: bounds.recursion,
        threads: bounds.threads,
        rounds: bounds.rounds,
        lazy: bounds.lazy,
        steps: bounds.steps,
        writes: bounds.writes,
        mu: bounds.mu,
        hierarchy: bounds.hierarchy.clone(),
        idle_rule: bounds.idle_rule,
        memory: config.memory_model,
        solver: config.solver,
        seed: config.seed,
        record: config.output.dimacs.is_some(),
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
            crate::report::place::file_line(source, divergence.loc)
        )),
        Failure::Unsound(what) => Refused::Internal(what),
        Failure::Inconsistent(inconsistent) => Refused::Internal(inconsistent.to_string()),
    }
}
