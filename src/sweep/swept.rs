//! Results of a sweep.

use super::grid::{Cell, Grid};
use super::record::{Record, Verdict};

/// State of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum CellState {
    /// Nothing: the sweep was ended before.
    Open,
    /// It was run, now or in an earlier sweep.
    Run {
        /// The answer.
        record: Box<Record>,
        /// It was run in an earlier sweep.
        earlier: bool,
    },
    /// Its answer follows from that of a smaller cell.
    Implied(Verdict),
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

    /// Files for which one cell found a violation and another that there is none: an error of the encodings.
    pub fn disagreements<'a>(&self, grid: &'a Grid) -> Vec<&'a str> {
        let disagree = |input: usize| {
            let has = |wanted: fn(&Record) -> bool| {
                grid.cells().filter(|cell| cell.input == input).any(|cell| {
                    matches!(self.state(grid, cell), CellState::Run { record, .. } if wanted(record))
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
            CellState::Run { record, .. } => Some(&**record),
            _ => None,
        })
    }
}
