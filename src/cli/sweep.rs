//! `selvedge sweep`: its arguments, the grid they mean, and the exit code.

use super::args::{Depth, Input, Query, Reading, bound};
use super::config::{Config, Job, Output, Refusal, check_memory, resolve};
use super::{answer, on_large_stack, signal, told};
use crate::base::DataModel;
use crate::outcome::exit;
use crate::report::save::{remove, save};
use crate::scheme::Scheme;
use crate::session::Engine;
use crate::source::{LoadError, Source, read};
use crate::sweep::{self, Grid, Journal, Range, SchemeRow, Swept, Verdict};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Cells of one sweep; more is a slip of the pen.
const MOST_CELLS: usize = 100_000;

/// Arguments of `sweep`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "The table is printed when all cells are finished: a row for each file and scheme, a column \
    for each --unwind. Answers in parentheses follow from those of smaller bounds.\n\n\
    Exit codes, the first that applies: 130 or 143 after SIGINT or SIGTERM, 6 internal error or cells that contradict each other, \
    2 unreadable input or output that cannot be written, 10 some cell failed, 5 some cell is unknown, 0; 1 wrong \
    usage."
)]
pub struct Sweep {
    /// C files, or verification tasks (.yml) that name one.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
    /// Schemes: auto, order, lazy, timestamp, step, mu.
    #[arg(long, value_name = "SCHEME,…", default_value = "order,lazy", value_delimiter = ',',
        value_parser = super::args::engine, help_heading = "Bounds")]
    pub scheme: Vec<Engine>,
    /// Rounds of the lazy scheme, a row for each; without it they rise until they suffice.
    #[arg(long, value_name = "N|A..B,…", value_delimiter = ',', value_parser = range(1, 1000),
        help_heading = "Bounds")]
    pub rounds: Vec<Range>,
    /// Steps of the step scheme, a row for each; without it there are as many as the program has.
    #[arg(long, value_name = "N|A..B,…", value_delimiter = ',', value_parser = range(1, 1_000_000),
        help_heading = "Bounds")]
    pub steps: Vec<Range>,
    /// Writes of the mu scheme, a row for each; without it they rise until they suffice.
    #[arg(long, value_name = "N|A..B,…", value_delimiter = ',', value_parser = range(1, crate::scheme::mu::MOST_WRITES),
        help_heading = "Bounds")]
    pub writes: Vec<Range>,
    /// Representations of the mu scheme, a row for each.
    #[arg(long, value_name = "VARIANT,…", value_delimiter = ',', value_parser = own("mu"),
        help_heading = "Bounds")]
    pub mu: Vec<String>,
    /// Iterations of every loop, a column for each.
    #[arg(long, value_name = "N|A..B,…", default_value = "1..4", value_delimiter = ',',
        value_parser = range(1, 1_000_000), help_heading = "Bounds")]
    pub unwind: Vec<Range>,
    #[command(flatten)]
    pub query: Query,

    /// Cells that run at a time; as many as there are processors by default.
    #[arg(short, long, value_name = "N", value_parser = bound(1, 1024), help_heading = "Sweep")]
    pub jobs: Option<u32>,
    /// Append finished cells to FILE, one JSON object a line [default: the output with the extension .jsonl, or
    /// sweep.jsonl].
    #[arg(long, value_name = "FILE", help_heading = "Sweep")]
    pub journal: Option<PathBuf>,
    /// Do not run again what the journal has.
    #[arg(long, help_heading = "Sweep")]
    pub resume: bool,
    /// Run also cells whose answer follows from that of a smaller one.
    #[arg(long, help_heading = "Sweep")]
    pub no_prune: bool,
    /// Write the table to FILE as well.
    #[arg(short, long, value_name = "FILE", help_heading = "Sweep")]
    pub output: Option<PathBuf>,
    /// Do not report finished cells on standard error.
    #[arg(short, long, help_heading = "Sweep")]
    pub quiet: bool,
}

/// A parser of values that some scheme takes for an option of its own.
fn own(option: &'static str) -> impl Fn(&str) -> Result<String, String> + Clone {
    move |text| {
        let mut refused = Err(format!("there is no option {option}"));
        for mut scheme in Scheme::all() {
            let has = scheme.options().iter().any(|own| own.name == option);
            if has {
                refused = scheme.set(option, text).map(|()| text.to_string());
            }
        }
        refused
    }
}

fn range(least: u32, most: u32) -> impl Fn(&str) -> Result<Range, String> + Clone {
    move |text| Range::parse(text, least, most)
}

/// Options that are not handed on to every cell as they were given.
const OWN: [&str; 18] = [
    "files", "ilp32", "lp64", "scheme", "rounds", "steps", "writes", "mu", "unwind", "timeout",
    "wall", "memory", "jobs", "journal", "resume", "no_prune", "output", "quiet",
];

/// The other options as they were given, in a fixed order.
fn handed_on(matches: &ArgMatches) -> Vec<OsString> {
    let command = super::args::CommandLine::command();
    let mut words = Vec::new();
    let (Some(command), Some(matches)) = (
        command.find_subcommand("sweep"),
        matches.subcommand_matches("sweep"),
    ) else {
        return words;
    };
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let Some(name) = argument
            .get_long()
            .map(|long| format!("--{long}"))
            .or_else(|| argument.get_short().map(|short| format!("-{short}")))
        else {
            continue;
        };
        if OWN.contains(&id) || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if !argument.get_action().takes_values() {
            words.push(name.into());
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            words.push(name.clone().into());
            words.push(value.to_os_string());
        }
    }
    words
}

/// Runs a sweep and returns the exit code.
pub(super) fn run(options: Sweep, matches: &ArgMatches) -> u8 {
    let words = handed_on(matches);
    on_large_stack(move || match prepare(&options, &words) {
        Err(refusal) => super::refused(&refusal),
        Ok((grid, journal)) => finish(&options, &grid, &journal),
    })
}

/// The grid that the options mean, and the journal.
fn prepare(options: &Sweep, words: &[OsString]) -> Result<(Grid, Journal), Refusal> {
    let has = |name: &str| options.scheme.iter().any(|engine| engine.name() == name);
    if !options.mu.is_empty() && !has("mu") {
        return Err(Refusal::Usage(
            "--mu is a variant of the mu scheme, which is not among the schemes".to_string(),
        ));
    }
    for (option, given, scheme) in [
        ("--rounds", !options.rounds.is_empty(), "lazy"),
        ("--steps", !options.steps.is_empty(), "step"),
        ("--writes", !options.writes.is_empty(), "mu"),
    ] {
        if given && !has(scheme) {
            return Err(Refusal::Usage(format!(
                "{option} bounds the {} scheme, which is not among the schemes",
                scheme
            )));
        }
    }
    for engine in &options.scheme {
        check_memory(engine, options.query.memory_model)?;
    }
    let unwind = sweep::ranges(&options.unwind);
    let schemes = rows(options);
    let cells = schemes
        .len()
        .saturating_mul(unwind.len())
        .saturating_mul(options.files.len());
    if cells > MOST_CELLS {
        return Err(Refusal::Usage(format!(
            "the sweep has {cells} cells; at most {MOST_CELLS} are possible"
        )));
    }
    let mut inputs: Vec<sweep::Input> = Vec::new();
    for file in &options.files {
        let input = input(options, file, words)?;
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    let journal = journal_path(options);
    // It is only appended to, and says itself if it is no journal.
    super::output::check(&[&journal], &[])?;
    let named = options.files.iter().chain([&journal]);
    let read = inputs.iter().map(|input| &input.path).chain(named);
    let read: Vec<&Path> = read.map(PathBuf::as_path).collect();
    if let Some(path) = &options.output {
        super::output::check(&[path], &read)?;
    }
    let journal = Journal::open(&journal, options.resume)
        .map_err(|error| Refusal::Input(error.to_string()))?;
    if let Some(path) = &options.output {
        remove(path).map_err(Refusal::Input)?;
    }
    let query = &options.query;
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let grid = Grid {
        inputs,
        schemes,
        unwind,
        limits: sweep::Limits {
            cpu: query.resources.timeout,
            wall: query.resources.wall,
            memory_mb: query.resources.memory,
        },
        jobs: options.jobs.map_or_else(processors, |jobs| jobs as usize),
        prune: !options.no_prune,
    };
    Ok((grid, journal))
}

fn journal_path(options: &Sweep) -> PathBuf {
    match (&options.journal, &options.output) {
        (Some(path), _) => path.clone(),
        (None, Some(output)) => output.with_extension("jsonl"),
        (None, None) => PathBuf::from("sweep.jsonl"),
    }
}

/// A row for each scheme, and for each of its own bounds and variants.
fn rows(options: &Sweep) -> Vec<SchemeRow> {
    let each = |bounds: &[Range]| -> Vec<Option<u32>> {
        match bounds {
            [] => vec![None],
            bounds => sweep::ranges(bounds).into_iter().map(Some).collect(),
        }
    };
    let variants: Vec<Option<String>> = match options.mu.as_slice() {
        [] => vec![None],
        variants => variants.iter().cloned().map(Some).collect(),
    };
    let mut rows: Vec<SchemeRow> = Vec::new();
    for engine in &options.scheme {
        let row = SchemeRow::new(engine.name());
        let of_scheme: Vec<SchemeRow> = match engine.name() {
            "lazy" => each(&options.rounds)
                .into_iter()
                .map(|rounds| SchemeRow {
                    rounds,
                    ..row.clone()
                })
                .collect(),
            "step" => each(&options.steps)
                .into_iter()
                .map(|steps| SchemeRow {
                    steps,
                    ..row.clone()
                })
                .collect(),
            "mu" => variants
                .iter()
                .flat_map(|mu| each(&options.writes).into_iter().map(move |n| (mu, n)))
                .map(|(mu, writes)| SchemeRow {
                    mu: mu.clone(),
                    writes,
                    ..row.clone()
                })
                .collect(),
            _ => vec![row],
        };
        for row in of_scheme {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows
}

/// Reads a file once, so that what cannot be read is told before anything runs.
fn input(
    options: &Sweep,
    file: &std::path::Path,
    words: &[OsString],
) -> Result<sweep::Input, Refusal> {
    let config = config(options, file)?;
    // Every cell reads it.
    read::regular(&config.file).map_err(|error| Refusal::Input(error.to_string()))?;
    let source =
        Source::load(&config.file, &config.reading().source()).map_err(|error| match error {
            LoadError::Invalid(text) => Refusal::Diagnostic(text.trim_end().to_string()),
            error => Refusal::Input(error.to_string()),
        })?;
    let model = match config.model {
        DataModel::Ilp32 => "--32",
        DataModel::Lp64 => "--64",
    };
    let mut all: Vec<OsString> = vec![model.into()];
    all.extend_from_slice(words);
    Ok(sweep::Input {
        name: file.display().to_string(),
        path: config.file,
        content: sweep::content(&source.text),
        options: all,
    })
}

/// Configuration of a cell of this file, but for its bounds.
fn config(options: &Sweep, file: &std::path::Path) -> Result<Config, Refusal> {
    let input = Input {
        file: Some(file.to_path_buf()),
        reading: options.reading.clone(),
    };
    resolve(
        Job::Verify,
        input,
        Depth::of(Engine::Auto),
        options.query.clone(),
        Output::default(),
    )
}

/// Sweeps and prints.
fn finish(options: &Sweep, grid: &Grid, journal: &Journal) -> u8 {
    if journal.skipped > 0 {
        eprintln!(
            "selvedge: {} lines of the journal are no records",
            journal.skipped
        );
    }
    let cancel = Arc::new(AtomicBool::new(false));
    signal::listen(Arc::clone(&cancel));
    let progress = |line: &str| {
        if !options.quiet {
            eprintln!("{line}");
        }
    };
    let swept = match sweep::sweep(grid, journal, &cancel, &progress) {
        Ok(swept) => swept,
        Err(error) => return told(exit::INPUT, &format!("cannot run the sweep: {error}")),
    };
    let mut code = exit_code(grid, &swept);
    for file in swept.disagreements(grid) {
        eprintln!(
            "selvedge: internal error: cells of {file} contradict each other; please report it with the program"
        );
    }
    if let Some(failure) = &swept.failure {
        eprintln!("selvedge: {failure}; the sweep was ended");
    }
    if swept.interrupted {
        eprintln!("selvedge: interrupted; --resume runs what is left");
    }
    let text = sweep::table(grid, &swept) + &sweep::summary(grid, &swept);
    if let Some(path) = &options.output
        && let Err(error) = save(path, |out| out.write_all(text.as_bytes()))
    {
        code = told(exit::INPUT, &error);
    }
    answer::print(&text, code)
}

/// The first code that applies; see the help.
fn exit_code(grid: &Grid, swept: &Swept) -> u8 {
    let any = |verdict: Verdict| swept.records().any(|record| record.verdict == verdict);
    if swept.interrupted
        && let Some(code) = signal::exit_code()
    {
        code
    } else if !swept.disagreements(grid).is_empty() || any(Verdict::Error) {
        exit::INTERNAL
    } else if swept.failure.is_some() || any(Verdict::Input) {
        exit::INPUT
    } else if any(Verdict::Failed) {
        exit::FAILED
    } else if any(Verdict::Unknown) {
        exit::UNKNOWN
    } else {
        exit::SUCCESSFUL
    }
}
