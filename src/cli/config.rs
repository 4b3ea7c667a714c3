//! Configuration: what the user wants, in the terms of the library. Everything after this sees only [`Config`].

use super::args::{CheckProof, Choice, Depth, Input, Query, Show, Verify};
use super::task;
use super::watch::Question;
use crate::base::Budget;
use crate::base::DataModel;
use crate::goal::Check;
use crate::library;
use crate::outcome::Subject;
use crate::sat::SolverKind;
use crate::scheme::lazy::Plan;
use crate::scheme::memory;
use crate::scheme::mu::Variant;
use crate::session::SchemeKind;
use crate::source;
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
    /// `None`: chosen by what is known of the program.
    pub scheme: Option<SchemeKind>,
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
    /// Those that are tried first, and the most.
    pub rounds: Option<(u32, u32)>,
    /// Options of the lazy scheme: places of switches, pruning of schedules, bits of integers, limits of store buffers.
    pub lazy: Plan,
    pub steps: Option<u32>,
    /// `None`: as many as are enough.
    pub writes: Option<u32>,
    /// `None`: what suits the program.
    pub mu: Option<Variant>,
    /// Threads one by one, these start routines first (`modular`).
    pub hierarchy: Option<Vec<String>>,
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
            json: self.output.json.clone(),
        }
    }

    /// Options of reading the file.
    pub fn reading(&self) -> source::Options {
        source::Options {
            cpp: self.cpp.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            includes: self.includes.clone(),
            system_includes: self.system_includes.clone(),
            model: self.model,
        }
    }

    /// The configuration of a verification; reads property and task files.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn of_verify(verify: Verify) -> Result<Config, Refusal> {
        let output = Output {
            json: verify.json,
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
            json: check.json,
            require_complete: check.require_complete,
            warnings: !check.quiet,
            ..Output::default()
        };
        let depth = Depth {
            scheme: Choice::Is(SchemeKind::Modular),
            ..Depth::default()
        };
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
    // Only one scheme has such a bound, so whoever asks for it means that one.
    let mut scheme = depth.scheme.open();
    for (given, option, owner) in [
        (depth.rounds.is_some(), "rounds", SchemeKind::Lazy),
        (
            depth.switch_points.is_some(),
            "switch-points",
            SchemeKind::Lazy,
        ),
        (depth.prune.is_some(), "prune", SchemeKind::Lazy),
        (depth.bitwidth.is_some(), "bitwidth", SchemeKind::Lazy),
        (query.hierarchy.is_some(), "hierarchy", SchemeKind::Modular),
        (output.proof.is_some(), "proof-out", SchemeKind::Modular),
        (depth.queue.is_some(), "queue", SchemeKind::Lazy),
        (depth.max_clock.is_some(), "max-clock", SchemeKind::Lazy),
        (depth.addresses.is_some(), "addresses", SchemeKind::Lazy),
        (depth.sma.is_some(), "sma", SchemeKind::Lazy),
        (depth.steps.is_some(), "steps", SchemeKind::Step),
        (depth.writes.is_some(), "writes", SchemeKind::Mu),
        (depth.mu.is_some(), "mu", SchemeKind::Mu),
    ] {
        if !given {
            continue;
        }
        if let Some(asked) = scheme
            && asked != owner
        {
            let (asked, owner) = (asked.name(), owner.name());
            return Err(Refusal::Usage(match option {
                "mu" => format!("--mu is a variant of the mu scheme, not of {asked}"),
                "hierarchy" | "proof-out" => {
                    format!("--{option} is of the {owner} scheme, not of {asked}")
                }
                "switch-points" | "prune" | "bitwidth" | "queue" | "max-clock" | "addresses"
                | "sma" => {
                    format!("--{option} is an option of the lazy scheme, not of {asked}")
                }
                _ => format!(
                    "--{option} bounds the {owner} scheme; with --scheme {asked} there are no {option}"
                ),
            }));
        }
        scheme = Some(owner);
    }
    if scheme == Some(SchemeKind::Modular) {
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
    check_memory(scheme, query.memory_model)?;
    check_buffers(&depth, query.memory_model)?;
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
        scheme,
        bounds: BoundChoice {
            unwind: depth.unwind,
            unwind_of: query.unwindset,
            recursion: query.recursion,
            threads: query.threads,
            rounds: depth.rounds.map(|range| (range.first, range.last)),
            lazy: Plan {
                switch_points: depth.switch_points.unwrap_or(Plan::default().switch_points),
                prune: depth.prune.unwrap_or(Plan::default().prune),
                bits: depth.bitwidth.map(|bits| bits as u16),
                buffers: memory::Limits {
                    abstraction: depth.sma.unwrap_or_default(),
                    addresses: depth.addresses,
                    nodes: depth.queue,
                    clock: depth.max_clock,
                },
            },
            steps: depth.steps,
            writes: depth.writes.and_then(Choice::open),
            hierarchy: query
                .hierarchy
                .map(|names| names.into_iter().filter(|name| name != "auto").collect()),
            mu: depth.mu.and_then(Choice::open),
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

/// Not every scheme has store buffers.
pub(super) fn check_memory(scheme: Option<SchemeKind>, memory: MemoryModel) -> Result<(), Refusal> {
    let Some(scheme) = scheme.filter(|scheme| !scheme.knows(memory)) else {
        return Ok(());
    };
    let able = SchemeKind::ALL.into_iter().filter(|s| s.knows(memory));
    let able: Vec<&str> = able.map(SchemeKind::name).collect();
    Err(Refusal::Usage(format!(
        "--scheme {} does not know the memory model {}; schemes that do: auto, {}",
        scheme.name(),
        memory.name(),
        able.join(", ")
    )))
}

/// Options about store buffers need some.
fn check_buffers(depth: &Depth, memory: MemoryModel) -> Result<(), Refusal> {
    let given = [
        (depth.queue.is_some(), "queue"),
        (depth.max_clock.is_some(), "max-clock"),
        (depth.addresses.is_some(), "addresses"),
        (depth.sma.is_some(), "sma"),
    ];
    for (_, option) in given.iter().filter(|(given, _)| *given) {
        let wrong = if !memory.is_weak() {
            format!("--{option} is about store buffers, which --memory-model sc has not")
        } else if depth.sma == Some(memory::Abstraction::Buffers)
            && matches!(*option, "queue" | "max-clock")
        {
            format!("--{option} bounds lists, not --sma buffers")
        } else {
            continue;
        };
        return Err(Refusal::Usage(wrong));
    }
    Ok(())
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
