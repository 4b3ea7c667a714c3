//! Grids of cells: programs, rows and columns.

use super::row::Row;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Cells to run: inputs, schemes and bounds.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Programs.
    pub inputs: Vec<Input>,
    /// Engines with their settings.
    pub rows: Vec<Row>,
    /// Iterations of every loop, ascending.
    pub unwind: Vec<u32>,
    /// Limits of every cell.
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
    /// Identifies the preprocessed text; see [`super::content()`].
    pub content: String,
    /// Options that answers depend on.
    pub options: Vec<OsString>,
}

/// Limits of a single cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Option<Duration>,
    /// The options that set these and others, for the cell's process.
    pub words: Vec<OsString>,
}

/// A cell of a grid, by indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Of [`Grid::inputs`].
    pub input: usize,
    /// Of [`Grid::rows`].
    pub row: usize,
    /// Of [`Grid::unwind`].
    pub column: usize,
}

impl Grid {
    /// All cells, by input, row, column.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let (rows, columns) = (self.rows.len(), self.unwind.len());
        (0..self.inputs.len() * rows * columns).map(move |index| Cell {
            input: index / columns / rows,
            row: index / columns % rows,
            column: index % columns,
        })
    }

    /// Number of a cell in [`Grid::cells`].
    pub fn index(&self, cell: Cell) -> usize {
        (cell.input * self.rows.len() + cell.row) * self.unwind.len() + cell.column
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.inputs.len() * self.rows.len() * self.unwind.len()
    }

    /// A cell in words.
    pub(super) fn name(&self, cell: Cell) -> String {
        format!(
            "{}: {}, unwind {}",
            self.inputs[cell.input].name,
            self.rows[cell.row].name(),
            self.unwind[cell.column]
        )
    }
}
