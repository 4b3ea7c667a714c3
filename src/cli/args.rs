//! The command line as it is typed. Nothing outside this file sees these types: [`super::config`] turns them
//! into a [`super::config::Config`].

use super::own::OwnOptions;
use super::reports::Reports;
use crate::base::option::{number, one_of};
use crate::event::MemoryModel;
use crate::library::{External, Undeclared};
use crate::sat::SolverKind;
use crate::session::{Engine, Stage};
use clap::{ArgAction, Args, Parser, Subcommand};
use std::path::PathBuf;

/// A bounded model checker for multi-threaded C.
///
/// Answers whether any schedule, under any input, violates an assertion or calls reach_error(). The last line of
/// standard output is the verdict.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit codes: 0 successful, 10 failed, 5 unknown, 1 wrong usage, 2 unreadable input, \
    6 internal error, 130 after SIGINT, 143 after SIGTERM."
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub verify: Verify,
}

/// Subcommands: other things to do than verifying.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show what one stage makes of a program, on standard output.
    Show(Show),
    /// Check what a verdict of the modular scheme rests on, without searching again.
    Check(CheckProof),
    /// Verify programs under a grid of schemes and bounds, in parallel, and print a table.
    Sweep(super::sweep::Sweep),
}

/// Arguments of verification.
#[derive(Args, Debug)]
pub struct Verify {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub depth: Depth,
    #[command(flatten)]
    pub query: Query,

    #[command(flatten)]
    pub reports: Reports,
    /// Write the formula that the verdict is about to FILE in DIMACS format.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dimacs: Option<PathBuf>,
    /// Write the invariants that a successful verdict of the modular scheme rests on to FILE, for `selvedge check`.
    /// Without --scheme, implies modular.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub proof_out: Option<PathBuf>,
    /// Exit with 5 if a successful verdict is bounded.
    #[arg(long, help_heading = "Output")]
    pub require_complete: bool,
    /// Do not print the counterexample.
    #[arg(long, help_heading = "Output")]
    pub no_trace: bool,
    /// Print neither warnings nor the counterexample.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Report progress and statistics on standard error and all steps of the counterexample.
    #[arg(short, long, action = ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
}

/// Arguments of `show`.
#[derive(Args, Debug)]
pub struct Show {
    /// What to show: source, ir, events, cnf or stats.
    #[arg(long, value_parser = stage)]
    pub stage: Stage,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub depth: Depth,
    #[command(flatten)]
    pub query: Query,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckProof {
    /// A file that `--proof-out` has written.
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub resources: Resources,
    #[command(flatten)]
    pub reports: Reports,
    /// Exit with 5 if executions that end at undefined behaviour are left out.
    #[arg(long, help_heading = "Output")]
    pub require_complete: bool,
    /// Do not print warnings.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// The program.
#[derive(Args, Debug)]
pub struct Input {
    /// A C file, or a verification task (.yml) that names one.
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

/// Options of reading programs.
#[derive(Args, Clone, Debug)]
pub struct Reading {
    /// int, long and pointers have 32 bits (ILP32).
    #[arg(long = "32", conflicts_with = "lp64", help_heading = "Input")]
    pub ilp32: bool,
    /// int has 32 bits, long and pointers have 64 (LP64); the default.
    #[arg(long = "64", id = "lp64", help_heading = "Input")]
    pub lp64: bool,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Input")]
    pub defines: Vec<String>,
    /// Undefine a macro that is predefined or was defined by -D.
    #[arg(short = 'U', value_name = "NAME", help_heading = "Input")]
    pub undefines: Vec<String>,
    /// Search a folder for headers, before the bundled ones.
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Input")]
    pub includes: Vec<PathBuf>,
    /// Search a folder for headers that are not bundled.
    #[arg(long = "isystem", value_name = "FOLDER", help_heading = "Input")]
    pub system_includes: Vec<PathBuf>,
    /// Preprocess with this command instead of the built-in preprocessor, such as "cc -E".
    #[arg(long, value_name = "COMMAND", help_heading = "Input")]
    pub cpp: Option<String>,
    /// What a call of a function means that nobody declares or defines: an error, or nondet (its result is any value).
    /// Names that Selvedge knows are those.
    #[arg(long, value_name = "error|nondet", default_value = Undeclared::default().name(), value_parser = undeclared,
        overrides_with = "undeclared", hide_default_value = true, help_heading = "Input")]
    pub undeclared: Undeclared,
    /// What a call of a function means that is declared and has no body: nondet (the default: its result is any value;
    /// not supported if it gets a pointer to memory of the program), pure (the same, and it writes no memory) or error.
    #[arg(long = "extern", value_name = "nondet|pure|error", default_value = External::default().name(),
        value_parser = external, overrides_with = "external", hide_default_value = true, help_heading = "Input")]
    pub external: External,
}

/// Scheme and bounds of one run.
#[derive(Args, Debug)]
pub struct Depth {
    /// How memory is encoded: auto, order, lazy, timestamp, step, mu, or modular for a proof without bounds.
    #[arg(long = "scheme", value_name = "SCHEME", default_value = "auto", value_parser = engine, help_heading = "Bounds")]
    pub engine: Engine,
    #[command(flatten)]
    pub own: OwnOptions,
    /// Iterations of every loop; without it 1, 2, 4, … until the answer is complete or time is up.
    #[arg(long, value_name = "N", value_parser = bound(1, 1_000_000), help_heading = "Bounds")]
    pub unwind: Option<u32>,
}

impl Depth {
    /// An engine with its defaults, and bounds that are open.
    pub fn of(engine: Engine) -> Depth {
        Depth {
            engine,
            own: OwnOptions::default(),
            unwind: None,
        }
    }
}

/// The question.
#[derive(Args, Clone, Debug)]
pub struct Query {
    /// reach (assertions and reach_error()), or a property file that says so.
    #[arg(long, value_name = "reach|FILE.prp", help_heading = "Question")]
    pub property: Option<String>,
    /// Memory model: sc (sequential consistency), tso or pso (store buffers).
    #[arg(long, alias = "mm", value_name = "MODEL", default_value = "sc", value_parser = memory_model,
        help_heading = "Question")]
    pub memory_model: MemoryModel,

    /// Iterations of single loops: loop L (from 0, by position) of function F.
    #[arg(long, value_name = "F.L:N,…", value_delimiter = ',', value_parser = unwind_of, help_heading = "Bounds")]
    pub unwindset: Vec<super::config::UnwindOf>,
    /// In the modular scheme, only verify threads one by one: those with these start routines first (auto: in the order of
    /// the data flow), each with what it has to know of the others. Without --scheme, implies modular.
    #[arg(
        long,
        value_name = "auto|ROUTINE,…",
        value_delimiter = ',',
        help_heading = "Bounds"
    )]
    pub hierarchy: Option<Vec<String>>,
    /// Depth of recursion.
    #[arg(long, value_name = "N", value_parser = bound(0, 100_000), help_heading = "Bounds")]
    pub recursion: Option<u32>,
    /// Threads that may run besides main; further ones are created but never run.
    #[arg(long, value_name = "T", value_parser = bound(1, 100_000), help_heading = "Bounds")]
    pub threads: Option<u32>,
    /// Unwind also loop iterations that change nothing (spinning).
    #[arg(long, help_heading = "Bounds")]
    pub no_idle_rule: bool,

    #[command(flatten)]
    pub resources: Resources,
}

/// Limits of runs, and the solver.
#[derive(Args, Clone, Debug)]
pub struct Resources {
    /// SAT solver: cadical or varisat.
    #[arg(long, value_name = "SOLVER", default_value = SolverKind::DEFAULT.name(), help_heading = "Resources")]
    pub solver: SolverKind,
    /// Vary the solver's random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = bound(0, 2_000_000_000),
        help_heading = "Resources")]
    pub seed: u32,
    /// Give up after this much processor time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Resources")]
    pub timeout: Option<std::time::Duration>,
    /// Give up after this much wall time.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Resources")]
    pub wall: Option<std::time::Duration>,
    /// Give up when the process holds this much memory.
    #[arg(long, value_name = "MB", value_parser = bound(16, 1 << 24), help_heading = "Resources")]
    pub memory: Option<u32>,
}

/// A parser of whole numbers between two limits.
pub(super) fn bound(least: u32, most: u32) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| number(text, least, most)
}

fn undeclared(text: &str) -> Result<Undeclared, String> {
    one_of(text, &Undeclared::ALL, Undeclared::name)
}

fn external(text: &str) -> Result<External, String> {
    one_of(text, &External::ALL, External::name)
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let expected = || "expected a number of seconds greater than 0, such as 900 or 0.5".to_string();
    let value: f64 = text.parse().map_err(|_| expected())?;
    match std::time::Duration::try_from_secs_f64(value) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(expected()),
    }
}

fn memory_model(text: &str) -> Result<MemoryModel, String> {
    one_of(text, &MemoryModel::ALL, MemoryModel::name)
}

/// A parser of engines.
pub(super) fn engine(text: &str) -> Result<Engine, String> {
    Engine::named(text).ok_or_else(|| {
        let all = Engine::all();
        let names: Vec<&str> = all.iter().map(Engine::name).collect();
        let (last, others) = names.split_last().expect("there is auto");
        format!("expected {} or {last}", others.join(", "))
    })
}

fn stage(text: &str) -> Result<Stage, String> {
    one_of(text, &Stage::ALL, Stage::name)
}

fn unwind_of(text: &str) -> Result<super::config::UnwindOf, String> {
    let expected = || "expected FUNCTION.LOOP:N, such as main.0:5".to_string();
    let (place, iterations) = text.rsplit_once(':').ok_or_else(expected)?;
    let (function, number) = place.rsplit_once('.').ok_or_else(expected)?;
    if function.is_empty() {
        return Err(expected());
    }
    Ok(super::config::UnwindOf {
        function: function.to_string(),
        number: number.parse().map_err(|_| expected())?,
        iterations: bound(0, 1_000_000)(iterations)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DataModel;
    use crate::cli::config::{Config, Job, Refusal};
    use crate::scheme::lazy::{self, Prune};
    use crate::scheme::mu::{self, Variant};
    use std::time::Duration;

    fn parse(arguments: &str) -> Result<Config, String> {
        let words = std::iter::once("selvedge").chain(arguments.split_whitespace());
        let line = CommandLine::try_parse_from(words).map_err(|error| error.to_string())?;
        let config = match line.command {
            None => Config::of_verify(line.verify),
            Some(Command::Show(show)) => Config::of_show(show),
            Some(Command::Check(check)) => Config::of_check(check),
            Some(Command::Sweep(_)) => panic!("a sweep has tests of its own"),
        };
        config.map_err(|refusal| match refusal {
            Refusal::Usage(message) => format!("usage: {message}"),
            Refusal::Input(message) | Refusal::Diagnostic(message) => format!("input: {message}"),
        })
    }

    #[test]
    fn defaults() {
        let config = parse("a.c").unwrap();
        assert_eq!(
            (config.job.clone(), config.file.to_str()),
            (Job::Verify, Some("a.c"))
        );
        assert_eq!(
            (config.model, config.memory_model),
            (DataModel::Lp64, MemoryModel::Sc)
        );
        assert_eq!(
            (config.engine, config.solver),
            (Engine::Auto, SolverKind::DEFAULT)
        );
        assert!(
            config.bounds.unwind.is_none()
                && config.bounds.idle_rule
                && config.bounds.unwind_of.is_empty()
        );
        assert!(config.output.trace && config.output.warnings && !config.output.require_complete);
        assert_eq!(config.cpp, None);
    }

    #[test]
    fn every_option_arrives() {
        let config = parse(
            "--32 -DA -D B=2 -UC -I inc --isystem sys --cpp clang --property reach --mm sc --scheme lazy --rounds 3 --unwind 4 \
             --unwindset f.0:5,g.1:6 --recursion 7 --threads 8 --no-idle-rule --solver varisat --seed 9 \
             --timeout 10 --wall 0.5 --memory 100 --json o.json --dimacs o.cnf --require-complete --no-trace -v a.c",
        )
        .unwrap();
        assert_eq!(config.model, DataModel::Ilp32);
        assert_eq!(config.defines, ["A", "B=2"]);
        assert_eq!(config.undefines, ["C"]);
        assert_eq!(
            (config.includes.len(), config.system_includes.len()),
            (1, 1)
        );
        assert_eq!(config.cpp.as_deref(), Some("clang"));
        assert_eq!(
            config.engine,
            Engine::Scheme(lazy::Settings::rounds(3).into())
        );
        let bounds = &config.bounds;
        let numbers = (
            bounds.unwind,
            bounds.recursion,
            bounds.threads,
            bounds.idle_rule,
        );
        assert_eq!(numbers, (Some(4), Some(7), Some(8), false));
        let single =
            |of: &crate::cli::config::UnwindOf| (of.function.clone(), of.number, of.iterations);
        let singles: Vec<_> = bounds.unwind_of.iter().map(single).collect();
        assert_eq!(singles, [("f".to_string(), 0, 5), ("g".to_string(), 1, 6)]);
        assert_eq!((config.solver, config.seed), (SolverKind::Varisat, 9));
        let limits = config.limits;
        let times = (limits.cpu, limits.wall, limits.memory_bytes);
        assert_eq!(
            times,
            (
                Some(Duration::from_secs(10)),
                Some(Duration::from_millis(500)),
                Some(100 << 20)
            )
        );
        let output = &config.output;
        assert!(
            output.reports.files().count() == 1
                && output.dimacs.is_some()
                && output.require_complete
        );
        assert!(!output.trace && output.verbosity == 1);
    }

    #[test]
    fn an_option_means_the_scheme_that_has_it() {
        let engine = |arguments| parse(arguments).unwrap().engine;
        for (arguments, name) in [
            ("--rounds 2 a.c", "lazy"),
            ("--steps 9 a.c", "step"),
            ("--writes 9 a.c", "mu"),
            ("--mu auto a.c", "mu"),
            ("--hierarchy auto a.c", "modular"),
        ] {
            assert_eq!(engine(arguments).name(), name);
        }
        assert_eq!(
            engine("--scheme mu --mu fine-mixed --writes auto a.c"),
            Engine::Scheme(mu::Settings::of(Variant::FineMixed).into())
        );
        assert_eq!(
            engine("--rounds 2..5 --prune none a.c"),
            Engine::Scheme(
                lazy::Settings {
                    prune: Prune::None,
                    ..lazy::Settings::rising(2, 5)
                }
                .into()
            )
        );
    }

    #[test]
    fn show_takes_the_same_questions() {
        let config = parse("show --stage events --unwind 2 --64 a.c").unwrap();
        assert_eq!(
            (config.job, config.bounds.unwind),
            (Job::Show(Stage::Events), Some(2))
        );
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (arguments, expected) in [
            ("", "<FILE>"),
            ("--rounds 0 a.c", "from 1 to 1000"),
            ("--unwind 0 a.c", "from 1 to"),
            ("--unwind 99999999999999999999 a.c", "from 1 to"),
            ("--unwind -1 a.c", "unexpected argument"),
            ("--threads 0 a.c", "from 1 to"),
            ("--memory 1 a.c", "from 16 to"),
            ("--timeout nan a.c", "number of seconds"),
            ("--timeout 0 a.c", "number of seconds"),
            ("--mm power a.c", "expected sc, tso or pso"),
            (
                "--mm tso --scheme step a.c",
                "usage: --scheme step does not know the memory model tso; schemes that do: auto, order, lazy",
            ),
            ("--mm pso --writes 3 a.c", "--scheme mu does not know"),
            (
                "--mm tso --scheme modular a.c",
                "--scheme modular does not know",
            ),
            (
                "--mm tso --scheme timestamp a.c",
                "schemes that do: auto, order, lazy",
            ),
            ("--queue 2 a.c", "usage: --queue is about store buffers"),
            (
                "--mm tso --scheme lazy --sma none a.c",
                "expected lists or buffers",
            ),
            (
                "--mm tso --sma buffers --queue 3 a.c",
                "--queue bounds lists, not --sma buffers",
            ),
            (
                "--mm tso --scheme order --max-clock 2 a.c",
                "usage: --max-clock is an option of the lazy scheme",
            ),
            ("--mm pso --steps 3 a.c", "--scheme step does not know"),
            (
                "--mm pso --hierarchy auto a.c",
                "--scheme modular does not know",
            ),
            (
                "--scheme nu a.c",
                "expected auto, order, lazy, timestamp, step, mu or modular",
            ),
            ("--solver minisat a.c", "expected cadical or varisat"),
            ("--unwindset main a.c", "FUNCTION.LOOP:N"),
            ("--scheme order --rounds 2 a.c", "usage: --rounds"),
            ("--scheme lazy --steps 2 a.c", "usage: --steps"),
            ("--scheme order --writes 2 a.c", "usage: --writes"),
            ("--scheme step --mu auto a.c", "usage: --mu"),
            ("--writes x a.c", "or auto"),
            ("--mu coarse a.c", "expected auto, fine-explicit"),
            (
                "--steps 2 --rounds 2 a.c",
                "usage: --steps is an option of the step scheme, not of lazy",
            ),
            ("--property no-deadlock a.c", "usage: --property"),
            ("--json /no/such/folder/a.json a.c", "usage: cannot write"),
            ("/no/such/task.yml", "no such file"),
            ("-q -v a.c", "cannot be used with"),
            ("--32 --64 a.c", "cannot be used with"),
        ] {
            let message = parse(arguments).expect_err(arguments);
            assert!(message.contains(expected), "{arguments}: {message}");
        }
    }

    #[test]
    fn the_table_of_options_is_sound() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }
}
