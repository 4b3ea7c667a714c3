//! Configuration: what the user wants, in the terms of the library. Everything after this sees only [`Config`].

use super::args::{CheckProof, Depth, Input, Query, Show, Verify};
use super::task;
use super::watch::Question;
use crate::base::Budget;
use crate::base::DataModel;
use crate::goal::Check;
use crate::library;
use crate::outcome::Subject;
use crate::sat::SolverKind;
use crate::scheme::Scheme;
use crate::session::{self, Engine};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use super::output::Output;
pub use crate::event::MemoryModel;
pub use crate::session::Stage;

/// One run.
#[derive(Clone, Debug)]
pub struct Config {
    pub job: Job,
    /// The C file.
    pub file: PathBuf,
    /// Widths of the basic types.
    pub model: DataModel,
    /// Macros `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Macros that are not to be defined.
    pub undefines: Vec<String>,
    /// Folders with headers, searched before and after ours.
    pub includes: Vec<PathBuf>,
    pub system_includes: Vec<PathBuf>,
    /// Command of an external preprocessor, to be split at blanks.
    pub cpp: Option<String>,
    /// Meaning of functions that nobody defines.
    pub missing: library::Options,
    /// The property.
    pub check: Check,
    pub memory_model: MemoryModel,
    /// Engine, with its own bounds.
    pub engine: Engine,
    pub bounds: BoundChoice,
    pub solver: SolverKind,
    /// Varies the solver's random choices.
    pub seed: u32,
    pub limits: Limits,
    pub output: Output,
}

/// Job of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Job {
    Verify,
    /// Check a proof that was kept in this file.
    Check(PathBuf),
    /// Print what a stage makes of the program.
    Show(Stage),
}

/// Bounds that the user set; `None` leaves the choice to the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundChoice {
    /// `None`: 1, 2, 4, … until nothing is cut or time is up.
    pub unwind: Option<u32>,
    pub unwind_of: Vec<UnwindOf>,
    pub recursion: Option<u32>,
    pub threads: Option<u32>,
    /// Permission to drop iterations that change nothing.
    pub idle_rule: bool,
}

/// A bound of a single loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnwindOf {
    pub function: String,
    /// Loops of a function are numbered from 0.
    pub number: u32,
    pub iterations: u32,
}

/// Limits of the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub cpu: Option<Duration>,
    pub wall: Option<Duration>,
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// A budget that runs from now. It ends a little below the memory limit, while there is room to say so.
    pub fn budget(&self) -> Budget {
        let mut budget = Budget::unlimited();
        if let Some(cpu) = self.cpu {
            budget = budget.with_cpu_limit(cpu);
        }
        if let Some(wall) = self.wall {
            budget = budget.with_wall_limit(wall);
        }
        if let Some(bytes) = self.memory_bytes {
            budget = budget.with_memory_limit(bytes - bytes / 8);
        }
        budget
    }
}

/// Reason why arguments make no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The arguments do not make sense (exit 1).
    Usage(String),
    /// A file cannot be read or understood (exit 2).
    Input(String),
    /// The same, with its place and its source line.
    Diagnostic(String),
}

impl Config {
    /// The question, for an answer that knows nothing else.
    pub fn question(&self) -> Question {
        Question {
            subject: Subject {
                file: self.file.display().to_string(),
                model: self.model,
                check: self.check,
            },
            memory: self.memory_model,
            reports: self.output.reports.clone(),
        }
    }

    /// Options of reading the file.
    pub fn reading(&self) -> session::Options {
        session::Options {
            cpp: self.cpp.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            includes: self.includes.clone(),
            system_includes: self.system_includes.clone(),
            model: self.model,
            undeclared: self.missing.undeclared,
            external: self.missing.external,
        }
    }

    /// The configuration of a verification; reads property and task files.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn of_verify(verify: Verify) -> Result<Config, Refusal> {
        let output = Output {
            reports: verify.reports,
            dimacs: verify.dimacs,
            proof: verify.proof_out,
            require_complete: verify.require_complete,
            trace: !verify.no_trace && !verify.quiet,
            warnings: !verify.quiet,
            verbosity: verify.verbose,
        };
        let (input, depth, query) = (verify.input, verify.depth, verify.query);
        resolve(Job::Verify, input, depth, query, output)
    }

    /// The configuration of a look at a stage.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn of_show(show: Show) -> Result<Config, Refusal> {
        let output = Output {
            warnings: true,
            ..Output::default()
        };
        let job = Job::Show(show.stage);
        resolve(job, show.input, show.depth, show.query, output)
    }

    /// The configuration of a check of a proof.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn of_check(check: CheckProof) -> Result<Config, Refusal> {
        let output = Output {
            reports: check.reports,
            require_complete: check.require_complete,
            warnings: !check.quiet,
            ..Output::default()
        };
        let depth = Depth::of(Engine::Modular { hierarchy: None });
        let query = Query {
            property: None,
            memory_model: MemoryModel::Sc,
            unwindset: Vec::new(),
            hierarchy: None,
            recursion: None,
            threads: None,
            no_idle_rule: false,
            resources: check.resources,
        };
        resolve(Job::Check(check.proof), check.input, depth, query, output)
    }
}

/// The configuration of a run. Of a sweep, every cell is one.
///
/// # Errors
/// See [`Refusal`].
pub(super) fn resolve(
    job: Job,
    input: Input,
    depth: Depth,
    query: Query,
    output: Output,
) -> Result<Config, Refusal> {
    let reading = input.reading;
    let file = input
        .file
        .ok_or_else(|| Refusal::Usage("a C file is needed".to_string()))?;
    let chosen_model = match (reading.ilp32, reading.lp64) {
        (true, _) => Some(DataModel::Ilp32),
        (_, true) => Some(DataModel::Lp64),
        _ => None,
    };
    let property = query.property.as_deref().map(property_choice).transpose()?;
    let named = file;
    let (file, task_model) = if named
        .extension()
        .is_some_and(|extension| extension == "yml")
    {
        task::program(&named, property.is_none()).map_err(Refusal::Input)?
    } else {
        (named.clone(), None)
    };
    let mut engine = depth.engine;
    // Only one engine has such an option, so whoever sets it means that one.
    for (option, value) in &depth.own.given {
        let owner = Scheme::all()
            .into_iter()
            .find(|scheme| scheme.options().iter().any(|own| own.name == *option));
        if let Some(owner) = owner {
            imply(&mut engine, Engine::Scheme(owner), option)?;
        }
        if let Engine::Scheme(scheme) = &mut engine {
            scheme.set(option, value).map_err(Refusal::Usage)?;
        }
    }
    for (given, option) in [
        (query.hierarchy.is_some(), "hierarchy"),
        (output.proof.is_some(), "proof-out"),
    ] {
        if given {
            imply(&mut engine, Engine::Modular { hierarchy: None }, option)?;
        }
    }
    if let (Engine::Modular { hierarchy }, Some(names)) = (&mut engine, query.hierarchy) {
        *hierarchy = Some(names.into_iter().filter(|name| name != "auto").collect());
    }
    if matches!(engine, Engine::Modular { .. }) {
        for (given, option) in [
            (depth.unwind.is_some(), "unwind"),
            (!query.unwindset.is_empty(), "unwindset"),
            (query.recursion.is_some(), "recursion"),
            (query.threads.is_some(), "threads"),
            (output.dimacs.is_some(), "dimacs"),
            (job == Job::Show(Stage::Cnf), "stage cnf"),
            (job == Job::Show(Stage::Stats), "stage stats"),
        ] {
            if given {
                return Err(Refusal::Usage(format!(
                    "--{option} has no meaning with --scheme modular, which unrolls nothing"
                )));
            }
        }
    }
    check_memory(&engine, query.memory_model)?;
    if let Some(scheme) = engine.scheme() {
        scheme.check(query.memory_model).map_err(Refusal::Usage)?;
    }
    let proof = match &job {
        Job::Check(proof) => Some(proof.as_path()),
        _ => None,
    };
    let property_file = query.property.as_deref().filter(|text| *text != "reach");
    let property_file = property_file.map(Path::new);
    let inputs = [Some(file.as_path()), property_file, proof];
    let inputs = inputs.into_iter().flatten().chain([named.as_path()]);
    output.check(&inputs.collect::<Vec<_>>())?;
    Ok(Config {
        job,
        file,
        model: chosen_model.or(task_model).unwrap_or(DataModel::Lp64),
        defines: reading.defines,
        undefines: reading.undefines,
        includes: reading.includes,
        system_includes: reading.system_includes,
        cpp: reading.cpp,
        missing: library::Options {
            undeclared: reading.undeclared,
            external: reading.external,
        },
        check: property.unwrap_or(Check::Assert),
        memory_model: query.memory_model,
        engine,
        bounds: BoundChoice {
            unwind: depth.unwind,
            unwind_of: query.unwindset,
            recursion: query.recursion,
            threads: query.threads,
            idle_rule: !query.no_idle_rule,
        },
        solver: query.resources.solver,
        seed: query.resources.seed,
        limits: Limits {
            cpu: query.resources.timeout,
            wall: query.resources.wall,
            memory_bytes: query
                .resources
                .memory
                .map(|megabytes| u64::from(megabytes) << 20),
        },
        output,
    })
}

/// Chooses an engine that an option implies.
///
/// # Errors
/// Another one was asked for.
fn imply(engine: &mut Engine, owner: Engine, option: &str) -> Result<(), Refusal> {
    match engine {
        Engine::Auto => *engine = owner,
        asked if asked.name() == owner.name() => {}
        asked => {
            return Err(Refusal::Usage(format!(
                "--{option} is an option of the {} scheme, not of {}",
                owner.name(),
                asked.name()
            )));
        }
    }
    Ok(())
}

/// Checks that an engine has the store buffers of a memory model.
pub(super) fn check_memory(engine: &Engine, memory: MemoryModel) -> Result<(), Refusal> {
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

fn property_choice(text: &str) -> Result<Check, Refusal> {
    if text == "reach" {
        return Ok(Check::Assert);
    }
    if !text.ends_with(".prp") {
        return Err(Refusal::Usage(format!(
            "--property {text}: expected reach or a file FILE.prp; other properties are not built in"
        )));
    }
    task::property(text.as_ref()).map_err(Refusal::Input)
}
