//! Grids of cells: programs, rows and columns.

use super::axis::Axis;
use super::point::{Point, Setting};
use crate::session::Engine;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Cells to run: inputs, points and limits.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Programs.
    pub inputs: Vec<Input>,
    /// Points of the rows, without the axis of the columns.
    pub rows: Vec<Point>,
    /// The columns.
    pub columns: Columns,
    /// Limits of every cell.
    pub limits: Limits,
    /// Cells that run at a time.
    pub jobs: usize,
    /// Pruning: cells are left out that the answers of others imply.
    pub prune: bool,
    /// Chains: cells that differ along a bound that can rise are run by one process.
    pub chain: bool,
    /// Cubes that each cell is split into, which are jobs of their own; only those whose scheme can.
    pub cubes: Option<u32>,
}

/// Columns of a table: values on an axis, ascending if they are numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The axis.
    pub axis: Axis,
    /// At least one value.
    pub values: Vec<Setting>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The file as the user named it.
    pub name: String,
    /// The C file that cells read (the user may have named a task that names it).
    pub path: PathBuf,
    /// Identifies the preprocessed text; see [`super::content()`].
    pub content: String,
    /// Options that answers depend on.
    pub options: Vec<OsString>,
    /// Those that cells are run with, where that is not the same: the text may be preprocessed already.
    pub words: Vec<OsString>,
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
    /// Of the values of [`Grid::columns`].
    pub column: usize,
}

impl Grid {
    /// All cells, by input, row, column. A row that the axis of the columns means nothing for has one cell, the first.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let (rows, columns) = (self.rows.len(), self.columns.values.len());
        let wide: Vec<bool> = self.rows.iter().map(|row| self.is_wide(row)).collect();
        (0..self.inputs.len() * rows).flat_map(move |line| {
            let (input, row) = (line / rows, line % rows);
            let columns = if wide[row] { columns } else { 1 };
            (0..columns).map(move |column| Cell { input, row, column })
        })
    }

    /// True if a row has a cell in each column.
    pub fn is_wide(&self, row: &Point) -> bool {
        let engine = Engine::named(&row.scheme);
        engine.is_some_and(|engine| self.columns.axis.fits(&engine))
    }

    /// Number of a cell among all places of the table, those without a cell included.
    pub fn index(&self, cell: Cell) -> usize {
        (cell.input * self.rows.len() + cell.row) * self.columns.values.len() + cell.column
    }

    /// Number of places of the table.
    pub fn places(&self) -> usize {
        self.inputs.len() * self.rows.len() * self.columns.values.len()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells().count()
    }

    /// True if cells have other values of a bound than this one.
    pub fn varies(&self, axis: &str, bound: Option<u32>) -> bool {
        let rows = self.rows.iter().map(|row| row.bound(axis));
        let own = self.columns.axis.name == axis;
        let columns = self.columns.values.iter().filter(|_| own);
        let columns = columns.map(|value| match value {
            Setting::Bound(value) => Some(*value),
            Setting::Name(_) | Setting::Number(_) => None,
        });
        let mut all = rows.chain(columns).filter(Option::is_some);
        all.any(|value| value != bound)
    }

    /// Point of a cell.
    pub fn point(&self, cell: Cell) -> Point {
        let row = &self.rows[cell.row];
        if self.is_wide(row) {
            row.with(
                self.columns.axis.name,
                self.columns.values[cell.column].clone(),
            )
        } else {
            row.clone()
        }
    }

    /// A cell in words.
    pub fn name(&self, cell: Cell) -> String {
        let (input, point) = (&self.inputs[cell.input].name, self.point(cell).name());
        format!("{input}: {point}")
    }
}
