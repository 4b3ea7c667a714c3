//! The board: what is known of all cells while they are run, and what becomes of each.

use super::cube::Cube;
use super::grid::{Cell, Grid};
use super::job::Job;
use super::record::{Record, Verdict};
use super::swept::{CellState, Swept};
use super::{part, process, prune, table};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// News of a sweep.
pub enum News<'a> {
    /// A worker, by its number, begins with a job.
    Begin { worker: usize, name: String },
    /// It is done with that.
    End { worker: usize },
    /// A cell is finished: how many are, and the answer in one line.
    Answer { known: usize, line: &'a str },
}

/// Listener to the news of a sweep.
pub type Listener<'a> = dyn Fn(News) + Sync + 'a;

/// States of all cells, which workers share.
pub(super) struct Board<'a> {
    grid: &'a Grid,
    states: Mutex<Vec<CellState>>,
    /// Answers to cubes of cells that are open, by place.
    parts: Mutex<HashMap<usize, Vec<Record>, FxBuildHasher>>,
    /// Keeps a record, or says why that is not possible, which ends it all.
    keep: &'a (dyn Fn(&Record) -> Result<(), String> + Sync),
    /// Is told of what happens.
    progress: &'a Listener<'a>,
    /// Ends it all.
    cancel: &'a AtomicBool,
    failure: Mutex<Option<String>>,
}

impl<'a> Board<'a> {
    /// A board with what is known beforehand.
    pub fn new(
        grid: &'a Grid,
        states: Vec<CellState>,
        keep: &'a (dyn Fn(&Record) -> Result<(), String> + Sync),
        progress: &'a Listener<'a>,
        cancel: &'a AtomicBool,
    ) -> Board<'a> {
        Board {
            grid,
            states: Mutex::new(states),
            parts: Mutex::default(),
            keep,
            progress,
            cancel,
            failure: Mutex::default(),
        }
    }

    fn states(&self) -> MutexGuard<'_, Vec<CellState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn parts(&self) -> MutexGuard<'_, HashMap<usize, Vec<Record>, FxBuildHasher>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if nothing more is to be run.
    fn is_ended(&self) -> bool {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.is_some() || self.cancel.load(Ordering::Relaxed)
    }

    /// Runs the cells of a job that are open, with files in `folder`: together, and what is left of them one by one.
    pub fn run(&self, job: &Job, folder: &Path) {
        let mut open: Vec<Cell> = Vec::new();
        for &cell in &job.cells {
            match self.implied(cell) {
                Some(record) if self.is_open(cell) && !self.is_ended() => self.finish(cell, record),
                _ if self.is_open(cell) => open.push(cell),
                _ => {}
            }
        }
        let worker = rayon::current_thread_index().unwrap_or(0);
        if let (Some(&first), false) = (open.first(), self.is_ended()) {
            let more = match open.len() {
                1 => String::new(),
                cells => format!(" and {} more", cells - 1),
            };
            let cube = job.cube.as_ref().map(Cube::word);
            let cube = cube.map_or_else(String::new, |word| format!(", cube {word}"));
            let name = self.grid.name(first) + &cube + &more;
            (self.progress)(News::Begin { worker, name });
        }
        let is_begun = !open.is_empty();
        if open.len() > 1 && !self.is_ended() {
            let is_left = |cell: &Cell| self.is_open(*cell) && self.implied(*cell).is_none();
            let stop = || self.is_ended() || !open.iter().any(is_left);
            process::chain(self.grid, &open, folder, &stop, &|cell, record| {
                self.add(cell, record);
            });
        }
        for cell in open {
            self.one(cell, job.cube.as_ref(), folder);
        }
        if is_begun {
            (self.progress)(News::End { worker });
        }
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.states()[self.grid.index(cell)] == CellState::Open
    }

    /// The answer to a cell, if others imply it by now.
    fn implied(&self, cell: Cell) -> Option<Record> {
        prune::implied(self.grid, &self.states(), cell)
    }

    /// Runs a cell, unless its answer is known, or becomes known meanwhile.
    fn one(&self, cell: Cell, cube: Option<&Cube>, folder: &Path) {
        if self.is_ended() || !self.is_open(cell) {
            return;
        }
        let implied = || self.implied(cell);
        let is_known = || cube.is_some() && !self.is_open(cell);
        let stop = || self.is_ended() || is_known() || implied().is_some();
        let run = || process::run(self.grid, (cell, cube), folder, &stop);
        if let Some(record) = implied().or_else(run) {
            self.add(cell, record);
        } else if !self.is_ended()
            && let Some(record) = implied()
        {
            self.add(cell, record);
        }
    }

    /// Gives answers to cells that had none for lack of time or memory, where others imply them by now.
    pub fn settle(&self) {
        let is_unknown = |state: &CellState| {
            let record = state.of_run();
            record.is_some_and(|record| record.verdict == Verdict::Unknown)
        };
        for cell in self.grid.cells() {
            let implied = {
                let states = self.states();
                let is_open = is_unknown(&states[self.grid.index(cell)]);
                is_open.then(|| prune::implied(self.grid, &states, cell))
            };
            if let (Some(Some(record)), false) = (implied, self.is_ended()) {
                self.finish(cell, record);
            }
        }
    }

    /// Takes the answer to a cell, or to one of its cubes, unless the cell has one.
    pub fn add(&self, cell: Cell, record: Record) {
        if self.is_ended() || !self.is_open(cell) {
            return;
        }
        if record.cube.is_none() {
            self.finish(cell, record);
            return;
        }
        // Whoever is last finishes the cell, and nobody else.
        let mut all = self.parts();
        let parts = all.entry(self.grid.index(cell)).or_default();
        parts.push(record);
        if let Some(whole) = part::together(parts).filter(|_| self.is_open(cell)) {
            self.finish(cell, whole);
        }
    }

    /// The answer to a cube of a cell, from a run here.
    pub fn part(&self, cell: Cell, cube: &Cube) -> Option<Record> {
        let parts = self.parts();
        let mut parts = parts.get(&self.grid.index(cell))?.iter();
        let is_it = |part: &&Record| {
            part.cube
                .as_ref()
                .is_some_and(|one| one.number == cube.number)
        };
        parts.find(is_it).cloned()
    }

    /// Keeps an answer and tells of it.
    fn finish(&self, cell: Cell, record: Record) {
        if let Err(why) = (self.keep)(&record) {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(why);
        }
        let state = CellState::Known {
            record: Box::new(record),
            earlier: false,
        };
        let mut states = self.states();
        let line = format!("{}: {}", self.grid.name(cell), table::words(&state));
        states[self.grid.index(cell)] = state;
        let known = states.iter().filter(|state| **state != CellState::Open);
        let known = known.count();
        let line = format!("[{known}/{}] {line}", self.grid.len());
        (self.progress)(News::Answer { known, line: &line });
    }

    /// Result of the sweep.
    pub fn swept(self) -> Swept {
        let failure = self.failure.into_inner();
        Swept {
            states: self
                .states
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
            failure: failure.unwrap_or_else(PoisonError::into_inner),
            interrupted: self.cancel.load(Ordering::Relaxed),
        }
    }
}
