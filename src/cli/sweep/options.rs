//! The table of a sweep's own options. Options that make rows are those that schemes' tables say so of.

use crate::base::option::{Rows, Values, number};
use crate::base::range::Range;
use crate::cli::option::{Command, Given, Group, Opt};
use crate::cli::options::{MOST_ITERATIONS, Options, engine, names_of_schemes};
use crate::outcome::exit;
use crate::scheme::Scheme;
use crate::session::Engine;
use crate::sweep::Setting;
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
    /// Options of schemes' own that were given, each time with the values.
    pub settings: Vec<(&'static str, Vec<Setting>)>,
    /// Iterations of loops; none for those that are swept by default.
    pub unwind: Vec<Range>,
    /// Cells that run at a time.
    pub jobs: Option<u32>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// The journal may have records already.
    pub resume: bool,
    /// Cells are run whose answers follow from others.
    pub run_all: bool,
    /// File for the table.
    pub output: Option<PathBuf>,
    /// Finished cells are not reported.
    pub quiet: bool,
}

type Row = Opt<Sweep>;

/// Engines by default.
const ENGINES: &str = "order,lazy";
/// Iterations of loops by default.
const UNWIND: &str = "1..4";

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
    for scheme in Scheme::all() {
        for own in scheme.options() {
            if let Some(Rows { values, help }) = own.rows {
                let set = move |to: &mut Sweep, text: &str| {
                    let settings = settings(scheme, own.name, values, text)?;
                    to.settings.push((own.name, settings));
                    Ok(())
                };
                let value = match values {
                    Values::Numbers { .. } => "N|A..B,…",
                    Values::Names => "VARIANT,…",
                };
                let own = Row::value(own.name, value, help, set)
                    .list()
                    .only(scheme.name());
                let group = Group::Scheme(scheme.name());
                options.extend(Row::group(group, command, vec![own]));
            }
        }
    }
    let unwind = Row::value(
        "unwind",
        "N|A..B,…",
        "Iterations of every loop, a column for each",
        |to, text| {
            to.unwind.push(Range::parse(text, 1, MOST_ITERATIONS)?);
            Ok(())
        },
    )
    .list()
    .default(UNWIND);
    options.extend(Row::group(Group::Bounds, command, vec![unwind]));
    options
}

/// Values of an option that a text stands for.
///
/// # Errors
/// It stands for none; says what was expected.
fn settings(
    mut scheme: Scheme,
    option: &str,
    values: Values,
    text: &str,
) -> Result<Vec<Setting>, String> {
    match values {
        Values::Numbers { least, most } => {
            let range = Range::parse(text, least, most)?;
            Ok((range.first..=range.last).map(Setting::Number).collect())
        }
        Values::Names => {
            scheme.set(option, text)?;
            Ok(vec![Setting::Name(text.to_string())])
        }
    }
}

fn work() -> Vec<Row> {
    vec![
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
            "journal",
            "FILE",
            "Append finished cells to FILE, one JSON object a line [default: the output with the extension .jsonl, or \
             sweep.jsonl]",
            |to, path| to.journal = Some(path.to_path_buf()),
        ),
        Row::flag("resume", "Do not run again what the journal has", |to| {
            to.resume = true
        }),
        Row::flag(
            "no-prune",
            "Run also cells whose answer follows from that of a smaller one",
            |to| to.run_all = true,
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
        if sweep.unwind.is_empty() {
            sweep.unwind.push(Range::parse(UNWIND, 1, MOST_ITERATIONS)?);
        }
        Ok(sweep)
    }

    /// Values of an option of a scheme's own, each once: names in the order they were given, numbers ascending.
    pub fn values(&self, option: &str) -> Vec<Setting> {
        let given = self.settings.iter().filter(|(name, _)| *name == option);
        let mut all: Vec<Setting> = given.flat_map(|(_, values)| values.clone()).collect();
        all.sort_by_key(|value| match value {
            Setting::Name(_) => 0,
            Setting::Number(number) => *number,
        });
        all.dedup();
        all
    }
}

/// The end of the help.
pub fn after_help() -> String {
    format!(
        "The table is printed when all cells are finished: a row for each file and scheme, a column for each --unwind. \
         Answers in parentheses follow from those of smaller bounds.\n\n\
         Exit codes, the first that applies: {} or {} after SIGINT or SIGTERM, {} internal error or cells that contradict \
         each other, {} unreadable input or output that cannot be written, {} some cell failed, {} some cell is unknown, \
         {}; {} wrong usage.",
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
