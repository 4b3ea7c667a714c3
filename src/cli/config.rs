//! Configuration: what the user wants, in the terms of the library. Everything after this sees only [`Config`].

use super::option::{Given, Meaning};
use super::options::Options;
use super::output::Output;
use super::program::{self, Named};
use super::refusal::Refusal;
use super::suppress::{self, Entry};
use super::task;
use super::watch::Question;
use super::{flags, harness};
use crate::base::DataModel;
use crate::event::MemoryModel;
use crate::ir::{Check, Checks};
use crate::outcome::Subject;
use crate::scheme::Scheme;
use crate::session::{Engine, Request, Stage};
use std::path::{Path, PathBuf};

/// One run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Job of the run.
    pub job: Job,
    /// The C files of the program.
    pub files: Vec<PathBuf>,
    /// The options, which make sense together.
    pub options: Options,
    /// Checks were named, by options or by a task.
    pub is_asked: bool,
    /// The property file of a task that says what is asked.
    pub property_of_task: Option<PathBuf>,
    /// Remarks on what options imply.
    pub notes: Vec<String>,
    /// Findings that do not count.
    pub suppressed: Vec<Entry>,
}

/// Job of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Job {
    /// Verify the program.
    Verify,
    /// Check a proof that was kept in this file.
    Check(PathBuf),
    /// Execute a schedule of one line.
    Replay(String),
    /// Look for an execution by the witness in this file.
    Validate(PathBuf),
    /// Print what a stage makes of the program.
    Show(Stage),
}

impl Config {
    /// The configuration of a run; reads property and task files. Of a sweep, every cell is one.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn of(job: Job, named: Named, given: &[Given<Options>]) -> Result<Config, Refusal> {
        let mut options = Options::default();
        if let Job::Check(_) = job {
            options.request.engine = Engine::Modular { hierarchy: None };
        }
        let (own, common): (Vec<_>, Vec<_>) = given
            .iter()
            .partition(|one| matches!(one.option.meaning, Meaning::Only(_)));
        for one in common {
            one.apply(&mut options).map_err(Refusal::Usage)?;
        }
        let property = options.property.as_deref().map(property).transpose()?;
        let named_checks: Checks = options.checks.iter().copied().collect();
        let Named {
            files: named,
            flags,
        } = named;
        options.reading.flags = flags::parse(&flags, Path::new("")).map_err(Refusal::Usage)?;
        let is_yml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "yml");
        let tasks = named.iter().find(|path| is_yml(path));
        if let Some(task) = tasks
            && named.len() > 1
        {
            return Err(Refusal::Usage(format!(
                "{} is a task, which names its files itself: no other file goes with it",
                task.display()
            )));
        }
        let is_task = tasks.is_some();
        // A witness says its property itself.
        let is_said = matches!(job, Job::Validate(_));
        let wants_property = property.is_none() && options.checks.is_empty() && !is_said;
        let (files, model_of_task, of_task, property_of_task) = if let Some(task) = tasks {
            let asked = task::task(task, wants_property).map_err(Refusal::Input)?;
            (asked.files, asked.model, asked.checks, asked.property)
        } else {
            (named.clone(), None, None, None)
        };
        harness::settle(&mut options)?;
        let (mut files, notes_of_files) = program::files(&mut options, files)?;
        files.extend(options.beginning.stubs.iter().cloned());
        let model_of_flags = program::model(&options, &files)?;
        let is_file = is_task
            || options
                .property
                .as_deref()
                .is_some_and(|text| text != REACH);
        options.request.first = options.first || is_file;
        let by_file = property.or(of_task);
        let asked = by_file.or((!named_checks.is_empty()).then_some(named_checks));
        let implied = match job {
            _ if options.output.dimacs.is_some() => Checks::ASSERT,
            // Announcements are shown to those who ask for races, and rests to those who ask for deadlocks.
            Job::Show(_) => Checks::DEFAULT
                .without(Check::Race)
                .without(Check::Deadlock),
            _ => Checks::DEFAULT,
        };
        options.request.checks = asked.unwrap_or(implied);
        let mut notes = notes_of_files;
        if options.output.dimacs.is_some() && asked.is_none() {
            notes.push("--dimacs is about assertions: it implies --check assert".to_string());
        }
        options.reading.checks = options.request.checks;
        if options.output.dimacs.is_some() && options.request.checks != Checks::ASSERT {
            let asked = options.request.checks.names();
            return Err(Refusal::Usage(format!(
                "--dimacs writes a formula about assertions, and has no meaning with --check {asked}"
            )));
        }
        // Only one engine has such an option, so whoever sets it means that one.
        for one in own {
            imply(&options.request.engine, one)?;
            one.apply(&mut options).map_err(Refusal::Usage)?;
        }
        refuse_bounds(&options.request.engine, given, &job)?;
        if options.request.levels.is_empty() != options.output.levels.is_none() {
            return Err(Refusal::Usage(
                "--levels and --levels-json need each other".to_string(),
            ));
        }
        let request = &options.request;
        if request.levels.is_empty() && request.levels_of.is_some() {
            return Err(Refusal::Usage(
                "--levels-of says what --levels are, which are not given".to_string(),
            ));
        }
        if options.output.proof.is_some() && request.engine.scheme().is_some() {
            return Err(Refusal::Usage(format!(
                "--proof-out is an option of the {} scheme and of {}, not of {}",
                Engine::Modular { hierarchy: None }.name(),
                Engine::Auto.name(),
                request.engine.name()
            )));
        }
        refuse_cubes(request, &options.output)?;
        check_memory(&request.engine, request.memory)?;
        let (engine, memory) = (&request.engine, request.memory);
        let asked_by_name = |check| by_file.is_some() || options.single.contains(&check);
        let mut checks = request.checks;
        if request.checks.contains(Check::Race) && !engine.knows_races(memory) {
            let who = limited(engine, memory);
            if asked_by_name(Check::Race) {
                return Err(Refusal::Usage(format!(
                    "{who} knows nothing of data races: it has no meaning with --check race"
                )));
            }
            notes.push(format!(
                "{who} knows nothing of data races, which are left out"
            ));
            checks = checks.without(Check::Race);
        }
        let is_partial = request.checks.contains(Check::Deadlock) && !engine.knows_ends(memory);
        if is_partial && !asked_by_name(Check::Deadlock) {
            notes.push(format!(
                "{} knows no deadlocks but threads that wait for each other in a circle; they are left out without --check deadlock",
                limited(engine, memory)
            ));
            checks = checks.without(Check::Deadlock);
        }
        options.request.checks = checks;
        options.reading.checks = checks;
        let request = &options.request;
        if let Some(scheme) = request.engine.scheme() {
            scheme.check(request.memory).map_err(Refusal::Usage)?;
        }
        let proof = match &job {
            Job::Check(file) | Job::Validate(file) => Some(file.as_path()),
            _ => None,
        };
        let property_file = options.property.as_deref().filter(|text| *text != REACH);
        let property_file = property_file.map(Path::new);
        let inputs = [property_file, proof].into_iter().flatten();
        let inputs = inputs.chain(files.iter().chain(&named).map(PathBuf::as_path));
        let inputs = inputs.chain(options.suppress.iter().map(PathBuf::as_path));
        options.output.check(&inputs.collect::<Vec<_>>())?;
        if let Some(model) = options.model.or(model_of_task).or(model_of_flags) {
            options.reading.model = model;
        }
        let mut suppressed = Vec::new();
        for path in &options.suppress {
            suppressed.extend(suppress::entries(path)?);
        }
        options.request.suppress = suppressed.iter().map(|entry| entry.fingerprint).collect();
        Ok(Config {
            job,
            files,
            options,
            is_asked: asked.is_some(),
            property_of_task,
            notes,
            suppressed,
        })
    }

    /// Widths of the basic types.
    pub fn model(&self) -> DataModel {
        self.options.reading.model
    }

    /// The question, for an answer that knows nothing else.
    pub fn question(&self) -> Question {
        let output = &self.options.output;
        Question {
            subject: Subject {
                file: crate::source::names(&self.files),
                model: self.model(),
                checks: self.options.request.checks,
            },
            memory: self.options.request.memory,
            reports: output.reports.clone(),
            evidence: [&output.dimacs, &output.proof]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
        }
    }
}

/// The option that keeps an engine from a check.
fn limited(engine: &Engine, memory: MemoryModel) -> String {
    match engine {
        _ if memory.is_weak() => format!("--memory-model {}", memory.name()),
        Engine::Modular { .. } => "--hierarchy".to_string(),
        engine => format!("--scheme {}", engine.name()),
    }
}

/// Checks that nobody asked for another engine than the only one that has an option.
///
/// # Errors
/// Somebody did.
fn imply(asked: &Engine, given: &Given<Options>) -> Result<(), Refusal> {
    match given.option.meaning {
        Meaning::Only(owner) if ![owner, Engine::Auto.name()].contains(&asked.name()) => {
            Err(Refusal::Usage(format!(
                "--{} is an option of the {owner} scheme, not of {}",
                given.option.name,
                asked.name()
            )))
        }
        _ => Ok(()),
    }
}

/// Checks that an engine that unrolls nothing gets no option of unrolling, and shows no formula.
///
/// # Errors
/// It does.
fn refuse_bounds(engine: &Engine, given: &[Given<Options>], job: &Job) -> Result<(), Refusal> {
    if !matches!(engine, Engine::Modular { .. }) {
        return Ok(());
    }
    let options = given.iter().map(|one| &one.option);
    let of_unrolling = options.filter(|option| option.meaning == Meaning::Unrolling);
    let shown = match job {
        Job::Show(Stage::Cnf) => Some("stage cnf"),
        Job::Show(Stage::Stats) => Some("stage stats"),
        _ => None,
    };
    match of_unrolling.map(|option| option.name).chain(shown).next() {
        None => Ok(()),
        Some(option) => Err(Refusal::Usage(format!(
            "--{option} has no meaning with --scheme {}, which unrolls nothing",
            engine.name()
        ))),
    }
}

/// Checks that a scheme has something to split executions by, where that is asked for, and that nothing else asks for one formula or one solver.
///
/// # Errors
/// It has not, or one is.
fn refuse_cubes(request: &Request, output: &Output) -> Result<(), Refusal> {
    let Some(split) = request.split else {
        return Ok(());
    };
    let option = if split.only.is_some() {
        "cube"
    } else {
        "cubes"
    };
    if output.dimacs.is_some() {
        return Err(Refusal::Usage(format!(
            "--dimacs writes one formula of all executions, and has no meaning with --{option}"
        )));
    }
    if !request.levels.is_empty() {
        return Err(Refusal::Usage(format!(
            "--levels are answered by one solver, and have no meaning with --{option}"
        )));
    }
    match request.engine.scheme() {
        Some(scheme) if !scheme.splits() => {
            let able = Scheme::all().into_iter().filter(|scheme| scheme.splits());
            let able: Vec<&str> = able.map(Scheme::name).collect();
            Err(Refusal::Usage(format!(
                "--{option} has no meaning with --scheme {}; schemes that split executions: {}",
                scheme.name(),
                able.join(", ")
            )))
        }
        _ => Ok(()),
    }
}

/// Checks that an engine has the store buffers of a memory model.
///
/// # Errors
/// It has not; lists those that do.
pub fn check_memory(engine: &Engine, memory: MemoryModel) -> Result<(), Refusal> {
    if engine.knows(memory) {
        return Ok(());
    }
    let all = Engine::all();
    let able = all.iter().filter(|engine| engine.knows(memory));
    let able: Vec<&str> = able.map(Engine::name).collect();
    Err(Refusal::Usage(format!(
        "--scheme {} does not know the memory model {}; schemes that do: {}",
        engine.name(),
        memory.name(),
        able.join(", ")
    )))
}

/// Name of the property that is asked by default.
const REACH: &str = "reach";

fn property(text: &str) -> Result<Checks, Refusal> {
    if text == REACH {
        return Ok(Checks::ASSERT);
    }
    if !text.ends_with(".prp") {
        return Err(Refusal::Usage(format!(
            "--property {text}: expected reach or a file FILE.prp; other properties are not built in"
        )));
    }
    task::property(text.as_ref()).map_err(Refusal::Input)
}
