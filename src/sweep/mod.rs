//! A grid of bounds: programs × schemes × rounds, steps or writes × unwindings, each cell verified by itself, in parallel.
//!
//! A cell is a run of this very program in a process of its own, so that its limits of time and memory are its
//! own, and nothing that happens to it touches the others. Every finished cell is appended to a journal at once;
//! a sweep that was ended in whatever way is taken up from there.
//!
//! Cells are started from the smallest bounds to the largest. What a cell found can make larger ones needless:
//! a violation within bounds is one within larger bounds, and a complete answer is the same under all. Those
//! cells are *implied*; they are not run (and ended if they run already), unless pruning is switched off.
//!
//! Architecture invariant: nothing here verifies; a cell knows only what the process printed and wrote.

mod content;
mod journal;
mod process;
mod prune;
mod record;
mod table;

pub use crate::base::range::{Range, ranges};
pub use content::content;
pub use journal::Journal;
pub use record::{Record, Verdict};
pub use table::{summary, table};

use rayon::ThreadPoolBuilder;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Cells to run: inputs, schemes and bounds.
#[derive(Clone, Debug)]
pub struct Grid {
    pub inputs: Vec<Input>,
    pub schemes: Vec<SchemeRow>,
    /// Iterations of every loop, ascending.
    pub unwind: Vec<u32>,
    pub limits: Limits,
    /// Cells that run at a time.
    pub jobs: usize,
    /// Pruning: cells are left out that the answers of smaller ones imply.
    pub prune: bool,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The file as the user named it.
    pub name: String,
    /// The C file (the user may have named a task that names it).
    pub path: PathBuf,
    /// Identifies the preprocessed text; see [`content`].
    pub content: String,
    /// Options that answers depend on.
    pub options: Vec<OsString>,
}

/// A scheme with its own bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SchemeRow {
    /// Its name on the command line.
    pub scheme: String,
    /// Rounds, where the scheme has them and they are given.
    pub rounds: Option<u32>,
    /// The same of steps.
    pub steps: Option<u32>,
    /// The same of writes.
    pub writes: Option<u32>,
    /// Representation of writes in the scheme `mu`, if that is given.
    pub mu: Option<String>,
}

/// Limits of a single cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub cpu: Option<Duration>,
    pub wall: Option<Duration>,
    pub memory_mb: Option<u32>,
}

impl Limits {
    /// The options that set them.
    fn options(&self) -> Vec<OsString> {
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let mut words: Vec<OsString> = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            words.extend(
                value
                    .into_iter()
                    .flat_map(|value| [name.into(), value.into()]),
            );
        };
        option("--timeout", self.cpu.map(seconds));
        option("--wall", self.wall.map(seconds));
        option(
            "--memory",
            self.memory_mb.map(|megabytes| megabytes.to_string()),
        );
        words
    }
}

/// A cell of a grid, by indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub input: usize,
    pub row: usize,
    pub column: usize,
}

/// State of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum State {
    /// Nothing: the sweep was ended before.
    Open,
    /// It was run, now or in an earlier sweep.
    Run { record: Box<Record>, earlier: bool },
    /// Its answer follows from that of a smaller cell.
    Implied(Verdict),
}

/// Results of a sweep.
#[derive(Debug)]
pub struct Swept {
    /// By input, row, column.
    states: Vec<State>,
    /// Reason why the journal could not be written, if so; the sweep was ended then.
    pub failure: Option<String>,
    pub interrupted: bool,
}

impl Grid {
    /// All cells, by input, row, column.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let (rows, columns) = (self.schemes.len(), self.unwind.len());
        (0..self.inputs.len() * rows * columns).map(move |index| Cell {
            input: index / columns / rows,
            row: index / columns % rows,
            column: index % columns,
        })
    }

    /// Number of a cell in [`Grid::cells`].
    pub fn index(&self, cell: Cell) -> usize {
        (cell.input * self.schemes.len() + cell.row) * self.unwind.len() + cell.column
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.inputs.len() * self.schemes.len() * self.unwind.len()
    }

    /// A cell in words.
    fn name(&self, cell: Cell) -> String {
        format!(
            "{}: {}, unwind {}",
            self.inputs[cell.input].name,
            self.schemes[cell.row].name(),
            self.unwind[cell.column]
        )
    }
}

impl SchemeRow {
    /// A scheme without any bound of its own.
    pub fn new(scheme: &str) -> SchemeRow {
        SchemeRow {
            scheme: scheme.to_string(),
            rounds: None,
            steps: None,
            writes: None,
            mu: None,
        }
    }

    /// The row in words, e.g. `lazy, rounds 2`.
    pub fn name(&self) -> String {
        let mut name = self.scheme.clone();
        if let Some(mu) = &self.mu {
            name.push(' ');
            name.push_str(mu);
        }
        for (bound, what) in [
            (self.rounds, "rounds"),
            (self.steps, "steps"),
            (self.writes, "writes"),
        ] {
            if let Some(bound) = bound {
                name.push_str(&format!(", {what} {bound}"));
            }
        }
        name
    }
}

impl Swept {
    /// State of a cell.
    pub fn state(&self, grid: &Grid, cell: Cell) -> &State {
        &self.states[grid.index(cell)]
    }

    /// Files for which one cell found a violation and another that there is none: an error of the encodings.
    pub fn disagreements<'a>(&self, grid: &'a Grid) -> Vec<&'a str> {
        let disagree = |input: usize| {
            let has = |wanted: fn(&Record) -> bool| {
                grid.cells().filter(|cell| cell.input == input).any(|cell| {
                    matches!(self.state(grid, cell), State::Run { record, .. } if wanted(record))
                })
            };
            has(|record| record.verdict == Verdict::Failed) && has(|record| record.complete)
        };
        (0..grid.inputs.len())
            .filter(|&input| disagree(input))
            .map(|input| grid.inputs[input].name.as_str())
            .collect()
    }

    /// The cells that were run, now or earlier.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.states.iter().filter_map(|state| match state {
            State::Run { record, .. } => Some(&**record),
            _ => None,
        })
    }
}

/// Runs what the journal does not know yet. `progress` is told of every cell that is finished, in one line.
/// `cancel` ends it all; what was finished by then is in the journal and in the result.
///
/// # Errors
/// Threads or the temporary folder for the output of cells cannot be made.
pub fn sweep(
    grid: &Grid,
    journal: &Journal,
    cancel: &AtomicBool,
    progress: &(dyn Fn(&str) + Sync),
) -> io::Result<Swept> {
    let mut cells: Vec<Cell> = grid.cells().collect();
    let states: Vec<State> = cells
        .iter()
        .map(|&cell| earlier(grid, cell, journal))
        .collect();
    let board = Mutex::new(states);
    // Smallest bounds first, as they decide about the others.
    cells.sort_by_key(|cell| {
        let row = &grid.schemes[cell.row];
        let rounds = row.rounds.or(row.steps).or(row.writes).unwrap_or(0);
        let unwind = grid.unwind[cell.column];
        (u64::from(rounds) + u64::from(unwind), unwind)
    });
    let folder = tempfile::Builder::new()
        .prefix("selvedge-sweep-")
        .tempdir()?;
    let failure: Mutex<Option<String>> = Mutex::new(None);
    let stop = AtomicBool::new(false);
    let ended = || stop.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed);
    let lock = || board.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |cell: Cell| {
        if ended() || lock()[grid.index(cell)] != State::Open {
            return;
        }
        let implied = || prune::implied(grid, &lock(), cell);
        let state = match implied() {
            Some(verdict) => State::Implied(verdict),
            None => match process::run(grid, cell, folder.path(), &|| {
                ended() || implied().is_some()
            }) {
                None => match implied() {
                    Some(verdict) if !ended() => State::Implied(verdict),
                    _ => return,
                },
                Some(record) => {
                    if let Err(error) = journal.append(&record) {
                        stop.store(true, Ordering::Relaxed);
                        let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                        failure.get_or_insert(error.to_string());
                    }
                    State::Run {
                        record: Box::new(record),
                        earlier: false,
                    }
                }
            },
        };
        let mut states = lock();
        let line = format!("{}: {}", grid.name(cell), table::words(&state));
        states[grid.index(cell)] = state;
        let known = states.iter().filter(|state| **state != State::Open).count();
        progress(&format!("[{known}/{}] {line}", states.len()));
    };
    let pool = ThreadPoolBuilder::new()
        .num_threads(grid.jobs)
        .build()
        .map_err(io::Error::other)?;
    pool.scope_fifo(|scope| {
        for &cell in &cells {
            scope.spawn_fifo(move |_| one(cell));
        }
    });
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Swept {
        states: board.into_inner().unwrap_or_else(PoisonError::into_inner),
        failure,
        interrupted: cancel.load(Ordering::Relaxed),
    })
}

/// State of a cell as the journal knows it.
fn earlier(grid: &Grid, cell: Cell, journal: &Journal) -> State {
    match journal.find(grid, cell) {
        Some(record) => State::Run {
            record: Box::new(record.clone()),
            earlier: true,
        },
        None => State::Open,
    }
}

#[cfg(test)]
mod tests;
