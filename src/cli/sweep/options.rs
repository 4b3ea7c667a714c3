//! The table of a sweep's own options. Axes are options of verification by the same name, which take several values here.

use crate::base::option::number;
use crate::base::range::Range;
use crate::cli::option::{Command, Given, Group, Opt};
use crate::cli::options::{self, Options, engine, names_of_schemes};
use crate::cli::processors::MOST_CUBES;
use crate::outcome::exit;
use crate::session::Engine;
use crate::sweep::submit::Engine as Engines;
use crate::sweep::{Axis, Fits, Kind, Setting, UNWIND};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::path::PathBuf;

/// A sweep as it was asked for.
pub struct Line {
    /// Files as they were named.
    pub files: Vec<PathBuf>,
    /// Options of the sweep.
    pub own: Vec<Given<Sweep>>,
    /// Options of every cell.
    pub common: Vec<Given<Options>>,
}

/// Options of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Engines; none for those that are swept by default.
    pub engines: Vec<Engine>,
    /// Axes that were given, each time with the values.
    pub settings: Vec<(&'static str, Vec<Setting>)>,
    /// The axis of the columns, if another one than by default.
    pub columns: Option<Axis>,
    /// Cells that run at a time.
    pub jobs: Option<u32>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// The journal is the one that is named, or the first by default, whatever it has.
    pub resume: bool,
    /// No journal is continued.
    pub fresh: bool,
    /// Cells are run whose answers follow from others.
    pub run_all: bool,
    /// Folder that the programs of an experiment are in.
    pub folder: Option<PathBuf>,
    /// Each cell is run by itself.
    pub run_singly: bool,
    /// Cubes that each cell is split into.
    pub cubes: Option<u32>,
    /// Folder for a plan, in place of a run.
    pub plan: Option<PathBuf>,
    /// Folder with a plan whose shards are merged.
    pub collect: Option<PathBuf>,
    /// Engine that runs the jobs of the plan.
    pub submit: Option<Engines>,
    /// File for the table.
    pub output: Option<PathBuf>,
    /// Finished cells are not reported.
    pub quiet: bool,
}

type Row = Opt<Sweep>;

/// Engines by default.
const ENGINES: &str = "order,lazy";
/// Iterations of loops by default.
const UNWINDINGS: (&str, Range) = ("1..4", Range { first: 1, last: 4 });

/// All options of a sweep's own, in the order of the help.
pub fn options() -> Vec<Row> {
    let command = &[Command::Sweep];
    let mut bounds = bounds();
    bounds.extend(Row::group(Group::Sweep, command, work()));
    bounds
}

fn bounds() -> Vec<Row> {
    let command = &[Command::Sweep];
    let scheme = Row::value(
        "scheme",
        "SCHEME,…",
        format!("Schemes: {}", names_of_schemes()),
        |to, text| {
            to.engines.push(engine(text)?);
            Ok(())
        },
    )
    .list()
    .default(ENGINES);
    let mut options = Row::group(Group::Bounds, command, vec![scheme]);
    for axis in Axis::all() {
        let set = move |to: &mut Sweep, text: &str| {
            to.settings.push((axis.name, settings(*axis, text)?));
            Ok(())
        };
        let value = match axis.kind {
            Kind::Bound { .. } | Kind::Number { .. } => "N|A..B,…",
            Kind::Name => "NAME,…",
        };
        let mut option = Row::value(axis.name, value, axis.help, set).list();
        option = match axis.name {
            UNWIND => option.default(UNWINDINGS.0),
            "memory-model" => option.alias("mm"),
            "threads" => option.alias("max-threads"),
            _ => option,
        };
        let group = match axis.fits {
            Fits::Scheme(name) => {
                option = option.only(name);
                Group::Scheme(name)
            }
            Fits::All | Fits::Unrolling => group_of(axis.name),
        };
        options.extend(Row::group(group, command, vec![option]));
    }
    options
}

/// Heading of the option of verification that an axis is.
fn group_of(axis: &str) -> Group {
    let of_verification = options::of(Command::Verify).into_iter();
    let found = of_verification
        .filter(|option| option.name == axis)
        .map(|option| option.group);
    found.last().unwrap_or(Group::Bounds)
}

/// Values on an axis that a text stands for.
///
/// # Errors
/// It stands for none; says what was expected.
fn settings(axis: Axis, text: &str) -> Result<Vec<Setting>, String> {
    let all = |least, most, of: fn(u32) -> Setting| {
        let range = Range::parse(text, least, most)?;
        Ok((range.first..=range.last).map(of).collect())
    };
    match axis.kind {
        Kind::Bound { least, most } => all(least, most, Setting::Bound),
        Kind::Number { least, most } => all(least, most, Setting::Number),
        Kind::Name => {
            given(axis.name, text)?;
            Ok(vec![Setting::Name(text.to_string())])
        }
    }
}

/// The option of verification that a value on an axis is.
///
/// # Errors
/// The value makes no sense; says what was expected.
pub fn given(axis: &str, value: &str) -> Result<Given<Options>, String> {
    let option = options::of(Command::Verify)
        .into_iter()
        .find(|option| option.name == axis)
        .ok_or_else(|| format!("--{axis} is no option of verification"))?;
    let values = value.split('+').map(str::to_string);
    match (axis, value.contains('+')) {
        ("check", _) | (_, false) => Given::by_file(option, 0, values.collect()),
        _ => Err(format!("`{value}` is no single value")),
    }
}

fn work() -> Vec<Row> {
    vec![
        Row::value(
            "columns",
            "AXIS",
            format!("What the columns of the table are: {}", names_of_axes()),
            |to, text| {
                let axis = Axis::named(text);
                let axis = axis.ok_or_else(|| format!("expected {}", names_of_axes()))?;
                to.columns = Some(axis);
                Ok(())
            },
        )
        .default(UNWIND),
        Row::value(
            "jobs",
            "N",
            "Cells that run at a time; as many as there are processors by default",
            |to, text| {
                to.jobs = Some(number(text, 1, 1024)?);
                Ok(())
            },
        )
        .short('j'),
        Row::path(
            "folder",
            "DIR",
            "The folder that the programs of an experiment are relative to; that of its file by default",
            |to, path| to.folder = Some(path.to_path_buf()),
        ),
        Row::path(
            "journal",
            "FILE",
            "Append finished cells to FILE, one JSON object a line, and do not run those that it has [default: the output with the \
             extension .jsonl, or sweep.jsonl, if it has cells of this sweep or is new, else the next such name that is free]",
            |to, path| to.journal = Some(path.to_path_buf()),
        ),
        Row::flag(
            "resume",
            "Continue the journal by default, whatever it has",
            |to| to.resume = true,
        )
        .against("fresh"),
        Row::flag(
            "fresh",
            "Run all cells, and by default append them to a new journal",
            |to| to.fresh = true,
        ),
        Row::flag(
            "no-prune",
            "Run also cells whose answer follows from that of another one",
            |to| to.run_all = true,
        ),
        Row::flag(
            "no-chain",
            "Run every cell by itself, also those that differ in rounds or writes alone, which one process with one solver answers otherwise",
            |to| to.run_singly = true,
        ),
        Row::value(
            "cubes",
            "N",
            "Split the executions of each cell into N cubes, each a job of its own, where the scheme can (order, lazy); what they say together is the \
             answer of the cell",
            |to, text| {
                to.cubes = Some(number(text, 1, MOST_CUBES)?);
                Ok(())
            },
        ),
        Row::path(
            "plan",
            "DIR",
            "Run nothing, but write the sweep as numbered jobs into DIR, for `selvedge job DIR N` on any machine that sees DIR",
            |to, path| to.plan = Some(path.to_path_buf()),
        )
        .against("collect"),
        Row::path(
            "collect",
            "DIR",
            "Run nothing, but merge what the jobs of DIR have left into the journal (DIR/sweep.jsonl by default), and print the table",
            |to, path| to.collect = Some(path.to_path_buf()),
        ),
        Row::value(
            "submit",
            "ENGINE",
            "Plan, have the jobs run by ENGINE, and collect: slurm, dask:HOST:PORT, parallel (GNU parallel), or parallel:HOSTS as its --sshlogin names \
             them. The plan is that of --plan or --collect, or else the journal's name with the extension .plan; jobs that are done are not \
             run again",
            |to, text| {
                to.submit = Some(Engines::parse(text)?);
                Ok(())
            },
        ),
        Row::path(
            "output",
            "FILE",
            "Write the table to FILE as well",
            |to, path| {
                to.output = Some(path.to_path_buf());
            },
        )
        .short('o'),
        Row::flag(
            "quiet",
            "Do not report finished cells on standard error",
            |to| {
                to.quiet = true;
            },
        )
        .short('q'),
    ]
}

/// Names of all axes, with commas between them.
pub fn names_of_axes() -> String {
    let names = Axis::all().iter().map(|axis| axis.name);
    names.collect::<Vec<&str>>().join(", ")
}

impl Sweep {
    /// The options that were given, with the defaults of the others.
    ///
    /// # Errors
    /// A value makes no sense; says what was expected.
    pub fn of(given: &[Given<Sweep>]) -> Result<Sweep, String> {
        let mut sweep = Sweep::default();
        for one in given {
            one.apply(&mut sweep)?;
        }
        if sweep.engines.is_empty() {
            let engines: Result<Vec<Engine>, String> = ENGINES.split(',').map(engine).collect();
            sweep.engines = engines?;
        }
        if sweep.values(UNWIND).is_empty() {
            let Range { first, last } = UNWINDINGS.1;
            let all = (first..=last).map(Setting::Bound).collect();
            sweep.settings.push((UNWIND, all));
        }
        Ok(sweep)
    }

    /// Values on an axis, each once: names in the order they were given, numbers ascending.
    pub fn values(&self, axis: &str) -> Vec<Setting> {
        let given = self.settings.iter().filter(|(name, _)| *name == axis);
        let mut seen: HashSet<&Setting, FxBuildHasher> = HashSet::default();
        let given = given.flat_map(|(_, values)| values);
        let mut all: Vec<Setting> = given.filter(|value| seen.insert(value)).cloned().collect();
        all.sort_by_key(|value| match value {
            Setting::Name(_) => 0,
            Setting::Number(number) | Setting::Bound(number) => *number,
        });
        all
    }
}

/// The end of the help.
pub fn after_help() -> String {
    format!(
        "The table is printed when all cells are finished: a row for each file and scheme, a column for each --unwind, or for each \
         value of the axis that --columns names. Answers in parentheses follow from those of other bounds.\n\n\
         Exit codes, the first that applies: {} or {} after SIGINT or SIGTERM, {} internal error or cells that contradict \
         each other, {} unreadable input, output that cannot be written, or jobs that have not finished, {} some cell failed, {} \
         some cell is unknown, {}; {} wrong usage.",
        exit::after_signal(libc::SIGINT),
        exit::after_signal(libc::SIGTERM),
        exit::INTERNAL,
        exit::INPUT,
        exit::FAILED,
        exit::UNKNOWN,
        exit::SUCCESSFUL,
        exit::USAGE
    )
}
