//! From options to a grid: rows, columns, and programs that can be read.

use super::input;
use super::options::{Line, Sweep, given};
use crate::cli::config::{Config, Job};
use crate::cli::option::{Given, Meaning};
use crate::cli::options::Options;
use crate::cli::program::Named;
use crate::cli::refusal::Refusal;
use crate::event::MemoryModel;
use crate::session::Engine;
use crate::sweep::{self, Axis, Columns, Grid, Point, Setting, Text, UNWIND};

/// Cells of one sweep; more is a slip of the pen.
const MOST_CELLS: usize = 100_000;

/// The axis that decides which others mean something.
const MEMORY_MODEL: &str = "memory-model";

/// The grid that the options mean, and its programs with their texts.
///
/// # Errors
/// See [`Refusal`].
pub fn grid(line: &Line, options: &Sweep) -> Result<(Grid, Vec<Text>), Refusal> {
    let mut common = Options::default();
    for one in &line.common {
        one.apply(&mut common).map_err(Refusal::Usage)?;
    }
    refuse_settings(options, &line.own)?;
    let axis = options.columns.or_else(|| Axis::named(UNWIND));
    let axis = axis.ok_or_else(|| Refusal::Usage("there are no columns".to_string()))?;
    let values = options.values(axis.name);
    if values.is_empty() {
        return Err(Refusal::Usage(format!(
            "--columns {0}: there are no values, which --{0} names",
            axis.name
        )));
    }
    let columns = Columns { axis, values };
    let candidates = candidates(options, &columns);
    let cells = candidates
        .len()
        .saturating_mul(columns.values.len())
        .saturating_mul(line.files.len());
    if cells > MOST_CELLS {
        return Err(Refusal::Usage(format!(
            "the sweep has {cells} cells; at most {MOST_CELLS} are possible"
        )));
    }
    let rows = possible(line, options, &columns, candidates)?;
    refuse_idle(&rows, options, &columns)?;
    let mut texts: Vec<Text> = Vec::new();
    for file in &line.files {
        let text = input::text(file, line, options)?;
        if texts.iter().all(|other| other.input != text.input) {
            texts.push(text);
        }
    }
    let limits = line.common.iter().filter(|one| one.option.is_limit);
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let grid = Grid {
        inputs: texts.iter().map(|text| text.input.clone()).collect(),
        rows,
        columns,
        limits: sweep::Limits {
            cpu: common.limits.cpu,
            wall: common.limits.wall,
            words: limits.flat_map(Given::words).collect(),
        },
        jobs: options.jobs.map_or_else(processors, |jobs| jobs as usize),
        prune: !options.run_all,
        chain: !options.run_singly,
        cubes: options.cubes,
    };
    Ok((grid, texts))
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

/// Checks that every axis that was given means something in some row.
///
/// # Errors
/// One does not.
fn refuse_idle(rows: &[Point], options: &Sweep, columns: &Columns) -> Result<(), Refusal> {
    let engine = |row: &Point| Engine::named(&row.scheme);
    let is_column = |axis: &Axis, row: &Point| {
        axis.name == columns.axis.name && engine(row).is_some_and(|engine| axis.fits(&engine))
    };
    for (name, _) in options.settings.iter().filter(|(name, _)| *name != UNWIND) {
        let axis = Axis::named(name);
        let is_used = |row: &Point| {
            row.value(name).is_some() || axis.is_some_and(|axis| is_column(&axis, row))
        };
        if !rows.iter().any(is_used) {
            return Err(Refusal::Usage(format!(
                "--{name} means nothing for these schemes and memory models"
            )));
        }
    }
    Ok(())
}

/// A row for each engine and each value on every axis that means something there, but for that of the columns.
fn candidates(options: &Sweep, columns: &Columns) -> Vec<Point> {
    let mut rows: Vec<Point> = Vec::new();
    for engine in &options.engines {
        let mut own: Vec<Point> = vec![Point::new(engine.name(), [])];
        // What other axes mean may depend on the memory model.
        let (models, others): (Vec<&Axis>, Vec<&Axis>) = Axis::all()
            .iter()
            .partition(|axis| axis.name == MEMORY_MODEL);
        for axis in models.into_iter().chain(others) {
            let values = options.values(axis.name);
            if values.is_empty() || !axis.fits(engine) || axis.name == columns.axis.name {
                continue;
            }
            let each = |row: &Point| -> Vec<Point> {
                if !suits(engine, row, axis.name, &values[0]) {
                    return vec![row.clone()];
                }
                let with = |value: &Setting| row.with(axis.name, value.clone());
                values.iter().map(with).collect()
            };
            own = own.iter().flat_map(each).collect();
        }
        for row in own {
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows
}

/// True if a scheme's own option makes sense under the memory model of a row: most about store buffers do not under `sc`.
fn suits(engine: &Engine, row: &Point, axis: &'static str, value: &Setting) -> bool {
    let Some(mut scheme) = engine.scheme() else {
        return true;
    };
    let memory = row.value(MEMORY_MODEL).map(ToString::to_string);
    let memory = MemoryModel::ALL
        .into_iter()
        .find(|model| memory.as_deref() == Some(model.name()))
        .unwrap_or_default();
    // Axes that are not of schemes are no options of theirs.
    scheme.set(axis, &value.to_string()).is_err() || scheme.check(memory).is_ok()
}

/// The candidates that verification takes with the options of cells. What it does not take together with some values is left out,
/// as long as every engine has a row.
///
/// # Errors
/// An engine has none, and why.
fn possible(
    line: &Line,
    options: &Sweep,
    columns: &Columns,
    candidates: Vec<Point>,
) -> Result<Vec<Point>, Refusal> {
    let mut refused: Vec<(Point, Refusal)> = Vec::new();
    let mut rows: Vec<Point> = Vec::new();
    let file = line.files.first();
    for row in candidates {
        let engine = Engine::named(&row.scheme);
        let is_wide = engine.is_some_and(|engine| columns.axis.fits(&engine));
        let point = match columns.values.first() {
            Some(value) if is_wide => row.with(columns.axis.name, value.clone()),
            _ => row.clone(),
        };
        let words = point
            .settings()
            .map(|(axis, value)| given(axis, &value.to_string()));
        let mut all: Vec<Given<Options>> = line.common.clone();
        all.push(given("scheme", &point.scheme).map_err(Refusal::Usage)?);
        all.extend(
            words
                .collect::<Result<Vec<_>, String>>()
                .map_err(Refusal::Usage)?,
        );
        let named = file.map_or_else(Named::default, |file| Named::file(file));
        match Config::of(Job::Verify, named, &all) {
            Err(why @ Refusal::Usage(_)) => refused.push((row, why)),
            Err(why) => return Err(why),
            Ok(_) => rows.push(row),
        }
    }
    for engine in &options.engines {
        let is_of = |row: &Point| row.scheme == engine.name();
        if !rows.iter().any(is_of)
            && let Some((_, why)) = refused.iter().find(|(row, _)| is_of(row))
        {
            return Err(why.clone());
        }
    }
    for (row, why) in &refused {
        if let (Refusal::Usage(why), false) = (why, options.quiet) {
            eprintln!("selvedge: no row for {}: {why}", row.name());
        }
    }
    Ok(rows)
}
