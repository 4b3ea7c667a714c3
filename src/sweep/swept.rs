//! Results of a sweep.

use super::grid::{Cell, Grid};
use super::record::{Record, Verdict};

/// State of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum CellState {
    /// Nothing: the sweep was ended before.
    Open,
    /// It was run, or the answer of another cell implies its own.
    Known {
        /// The answer.
        record: Box<Record>,
        /// It was known before this sweep.
        earlier: bool,
    },
}

impl CellState {
    /// The answer, if there is one.
    pub fn record(&self) -> Option<&Record> {
        match self {
            CellState::Open => None,
            CellState::Known { record, .. } => Some(record),
        }
    }

    /// The answer of a run, if it was run.
    pub(super) fn of_run(&self) -> Option<&Record> {
        self.record().filter(|record| record.implied_by.is_none())
    }
}

/// Results of a sweep.
#[derive(Debug)]
pub struct Swept {
    /// By input, row, column.
    pub(super) states: Vec<CellState>,
    /// Reason why the journal could not be written, if so; the sweep was ended then.
    pub failure: Option<String>,
    /// It was asked to end.
    pub interrupted: bool,
}

impl Swept {
    /// State of a cell.
    pub fn state(&self, grid: &Grid, cell: Cell) -> &CellState {
        &self.states[grid.index(cell)]
    }

    /// Files about which cells contradict each other, which is an error of the encodings: one found a violation, and another
    /// that there is none at all, or none within bounds that include those of the first.
    pub fn disagreements<'a>(&self, grid: &'a Grid) -> Vec<&'a str> {
        let disagree = |input: usize| {
            let cells = grid.cells().filter(|cell| cell.input == input);
            let all: Vec<&Record> = cells
                .filter_map(|cell| self.state(grid, cell).of_run())
                .collect();
            let of = |verdict| all.iter().filter(move |one| one.verdict == verdict);
            of(Verdict::Failed).any(|failed| {
                of(Verdict::Successful).any(|safe| {
                    let (failed, at) = (&failed.point, &safe.point);
                    safe.complete && failed.asks_the_same(at) || failed.is_within(at)
                })
            })
        };
        (0..grid.inputs.len())
            .filter(|&input| disagree(input))
            .map(|input| grid.inputs[input].name.as_str())
            .collect()
    }

    /// The answers that are known, those that others imply included.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.states.iter().filter_map(CellState::record)
    }
}
