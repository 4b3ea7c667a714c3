//! From options to a grid: rows, columns, and programs that can be read.

use super::options::{Line, Sweep};
use crate::base::DataModel;
use crate::base::option::Values;
use crate::base::range::ranges;
use crate::cli::config::{Config, Job, check_memory};
use crate::cli::option::{Given, Meaning};
use crate::cli::options::{NO_CONFIG, Options};
use crate::cli::output::check;
use crate::cli::program::Named;
use crate::cli::refusal::Refusal;
use crate::ir::Checks;
use crate::report::save::remove;
use crate::source::{LoadError, Source, read};
use crate::sweep::{self, Grid, Journal, Row, Setting};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Cells of one sweep; more is a slip of the pen.
const MOST_CELLS: usize = 100_000;

/// The grid that the options mean, and the journal.
///
/// # Errors
/// See [`Refusal`].
pub fn prepare(line: &Line) -> Result<(Sweep, Grid, Journal), Refusal> {
    let options = Sweep::of(&line.own).map_err(Refusal::Usage)?;
    let mut common = Options::default();
    for one in &line.common {
        one.apply(&mut common).map_err(Refusal::Usage)?;
    }
    refuse_settings(&options, &line.own)?;
    for engine in &options.engines {
        check_memory(engine, common.request.memory)?;
    }
    let unwind = ranges(&options.unwind);
    let rows = rows(&options);
    let cells = rows
        .len()
        .saturating_mul(unwind.len())
        .saturating_mul(line.files.len());
    if cells > MOST_CELLS {
        return Err(Refusal::Usage(format!(
            "the sweep has {cells} cells; at most {MOST_CELLS} are possible"
        )));
    }
    let mut inputs: Vec<sweep::Input> = Vec::new();
    for file in &line.files {
        let input = input(file, &line.common)?;
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    let journal = journal_path(&options);
    // It is only appended to, and says itself if it is no journal.
    check(&[&journal], &[])?;
    let named = line.files.iter().chain([&journal]);
    let read = inputs.iter().map(|input| &input.path).chain(named);
    let read: Vec<&Path> = read.map(PathBuf::as_path).collect();
    if let Some(path) = &options.output {
        check(&[path], &read)?;
    }
    let journal = Journal::open(&journal, options.resume)
        .map_err(|error| Refusal::Input(error.to_string()))?;
    if let Some(path) = &options.output {
        remove(path).map_err(Refusal::Input)?;
    }
    let limits = line.common.iter().filter(|one| one.option.is_limit);
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let grid = Grid {
        inputs,
        rows,
        unwind,
        limits: sweep::Limits {
            cpu: common.limits.cpu,
            wall: common.limits.wall,
            words: limits.flat_map(Given::words).collect(),
        },
        jobs: options.jobs.map_or_else(processors, |jobs| jobs as usize),
        prune: !options.run_all,
    };
    Ok((options, grid, journal))
}

/// Checks that options of schemes' own are of schemes that are swept.
///
/// # Errors
/// One is not.
fn refuse_settings(options: &Sweep, given: &[Given<Sweep>]) -> Result<(), Refusal> {
    for Given { option, .. } in given {
        let Meaning::Only(owner) = option.meaning else {
            continue;
        };
        if options.engines.iter().all(|engine| engine.name() != owner) {
            let relation = match options.values(option.name).first() {
                Some(Setting::Name(_)) => "is a variant of",
                _ => "bounds",
            };
            return Err(Refusal::Usage(format!(
                "--{} {relation} the {owner} scheme, which is not among the schemes",
                option.name
            )));
        }
    }
    Ok(())
}

fn journal_path(options: &Sweep) -> PathBuf {
    match (&options.journal, &options.output) {
        (Some(path), _) => path.clone(),
        (None, Some(output)) => output.with_extension("jsonl"),
        (None, None) => PathBuf::from("sweep.jsonl"),
    }
}

/// A row for each engine, and for each of its own bounds and variants.
fn rows(options: &Sweep) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for engine in &options.engines {
        let own = engine
            .scheme()
            .into_iter()
            .flat_map(|scheme| scheme.options());
        let mut own: Vec<_> = own
            .filter_map(|own| Some((own.name, own.rows?.values)))
            .collect();
        own.sort_by_key(|(_, values)| *values != Values::Names);
        let mut all: Vec<Vec<(&'static str, Setting)>> = vec![Vec::new()];
        for (option, _) in own {
            let values = options.values(option);
            if !values.is_empty() {
                let each = |row: &Vec<_>, value: &Setting| {
                    let mut row = row.clone();
                    row.push((option, value.clone()));
                    row
                };
                all = all
                    .iter()
                    .flat_map(|row| values.iter().map(move |value| each(row, value)))
                    .collect();
            }
        }
        for row in all
            .into_iter()
            .map(|settings| Row::new(engine.name(), settings))
        {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows
}

/// Reads a file once, so that what cannot be read is told before anything runs.
fn input(file: &Path, given: &[Given<Options>]) -> Result<sweep::Input, Refusal> {
    let config = Config::of(Job::Verify, Named::file(file), given)?;
    let [path] = config.files.as_slice() else {
        return Err(Refusal::Input(format!(
            "{}: a sweep takes programs of one file each",
            file.display()
        )));
    };
    // Every cell reads it.
    read::regular(path).map_err(|error| Refusal::Input(error.to_string()))?;
    let source =
        Source::load(path, &config.options.reading.source(path)).map_err(|error| match error {
            LoadError::Invalid(text) => Refusal::Diagnostic(text.trim_end().to_string()),
            error => Refusal::Input(error.to_string()),
        })?;
    let model = match config.model() {
        DataModel::Ilp32 => "--32",
        DataModel::Lp64 => "--64",
    };
    // Nobody chose it, but the task may have.
    let mut options: Vec<OsString> = match config.options.model {
        None => vec![model.into()],
        Some(_) => Vec::new(),
    };
    // So do cells ask for what the task does, or for assertions, whose first violation is the answer.
    let names = |name: &str| given.iter().any(|one| one.option.name == name);
    if !names("check") && !names("property") {
        let checks = if config.is_asked {
            config.options.request.checks
        } else {
            Checks::ASSERT
        };
        match config.property_of_task {
            Some(file) if !checks.is_named() => options.extend(["--property".into(), file.into()]),
            _ => options.extend(["--check".into(), checks.names().into()]),
        }
        options.extend((!names("first")).then(|| "--first".into()));
    }
    // Every cell has the last one anyway.
    let words = given
        .iter()
        .filter(|one| !one.option.is_limit && one.option.name != NO_CONFIG);
    options.extend(words.flat_map(Given::words));
    let mut text = source.text;
    // A change of what is suppressed changes answers.
    for entry in &config.suppressed {
        text.push_str(&format!("\n{}", entry.fingerprint));
    }
    Ok(sweep::Input {
        name: file.display().to_string(),
        path: path.clone(),
        content: sweep::content(&text),
        options,
    })
}
