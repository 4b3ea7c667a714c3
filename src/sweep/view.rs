//! A view of journals: their records as a grid, whatever sweeps they are from.

use super::axis::{Axis, Kind, UNWIND};
use super::grid::{Cell, Columns, Grid, Input, Limits};
use super::job::rises;
use super::point::{Point, Setting};
use super::record::Record;
use super::swept::{CellState, Swept};

/// What takes less is shown as this.
const LEAST_SECONDS: f64 = 0.001;

/// Records as a grid.
#[derive(Debug)]
pub struct View {
    pub grid: Grid,
    pub swept: Swept,
}

/// What a program is in records.
type Program<'a> = (&'a str, &'a str, &'a str);

fn program(record: &Record) -> Program<'_> {
    (&record.file, &record.content, &record.options)
}

impl View {
    /// The view of records, with the values on an axis as columns: of `unwind` by default, or else of the first bound that there is; one
    /// column if there is none.
    ///
    /// # Errors
    /// No record has a value on the axis.
    pub fn of(records: &[Record], axis: Option<Axis>) -> Result<View, String> {
        let has = |axis: &Axis| {
            records
                .iter()
                .any(|one| one.point.value(axis.name).is_some())
        };
        let bounds = Axis::all().iter().copied();
        let bounds = bounds.filter(|axis| matches!(axis.kind, Kind::Bound { .. }));
        let default = || {
            Axis::named(UNWIND)
                .filter(has)
                .or_else(|| bounds.clone().find(has))
        };
        let axis = match axis {
            Some(axis) if has(&axis) => axis,
            Some(axis) => return Err(format!("no record has a value of {}", axis.name)),
            None => (default().or(Axis::named(UNWIND))).ok_or("there are no bounds")?,
        };
        let mut programs: Vec<Program> = Vec::new();
        for record in records {
            if !programs.contains(&program(record)) {
                programs.push(program(record));
            }
        }
        let mut rows: Vec<Point> = records
            .iter()
            .map(|one| one.point.without(axis.name))
            .collect();
        rows.sort();
        rows.dedup();
        let values = records.iter().filter_map(|one| one.point.value(axis.name));
        let mut values: Vec<Setting> = values.cloned().collect();
        values.sort();
        values.dedup();
        if values.is_empty() {
            values.push(Setting::Bound(1));
        }
        let grid = Grid {
            inputs: inputs(&programs),
            rows,
            columns: Columns { axis, values },
            limits: Limits::default(),
            jobs: 1,
            prune: true,
            chain: true,
            cubes: None,
        };
        let mut states = vec![CellState::Open; grid.places()];
        for record in records {
            let place = |all: &[Point], one: &Point| all.iter().position(|other| other == one);
            let input = programs.iter().position(|one| *one == program(record));
            let row = place(&grid.rows, &record.point.without(axis.name));
            let value = record.point.value(axis.name);
            let column = value.and_then(|value| {
                let mut values = grid.columns.values.iter();
                values.position(|other| other == value)
            });
            if let (Some(input), Some(row)) = (input, row) {
                let column = column.unwrap_or(0);
                states[grid.index(Cell { input, row, column })] = CellState::Known {
                    record: Box::new(record.clone()),
                    earlier: true,
                };
            }
        }
        let swept = Swept {
            states,
            failure: None,
            interrupted: false,
        };
        Ok(View { grid, swept })
    }

    /// Processor time in seconds until a cell had its answer, that of smaller cells of its chain included; wall time where a run had
    /// no chance to tell, and at least a millisecond, as scales are logarithmic.
    pub fn seconds(&self, cell: Cell) -> f64 {
        let Some(record) = self.record(cell) else {
            return LEAST_SECONDS;
        };
        let before = rises(&self.grid, &record.point)
            .filter(|_| record.chained)
            .map(|axis| {
                let rest = record.point.without(axis);
                let level = record.point.bound(axis);
                let is_before = |other: &&Record| {
                    other.chained
                        && other.point.bound(axis) < level
                        && other.point.without(axis) == rest
                };
                let cells = self.grid.cells().filter(|other| other.input == cell.input);
                let others = cells.filter_map(|other| self.record(other));
                others.filter(is_before).map(Record::spent_ms).sum::<u64>()
            });
        ((record.spent_ms() + before.unwrap_or(0)) as f64 / 1000.0).max(LEAST_SECONDS)
    }

    /// The record of a cell, if there is one.
    pub fn record(&self, cell: Cell) -> Option<&Record> {
        self.swept.state(&self.grid, cell).record()
    }
}

/// Programs as inputs. Where names are the same, they say what is not.
fn inputs(programs: &[Program]) -> Vec<Input> {
    let input = |(file, content, options): &Program| {
        let is_alone = programs.iter().filter(|other| other.0 == *file).count() == 1;
        let name = match is_alone {
            true => file.to_string(),
            false => {
                let digits: String = content.chars().take(8).collect();
                format!("{file} [{digits}, {options}]")
            }
        };
        Input {
            name,
            path: file.into(),
            content: content.to_string(),
            options: vec![options.into()],
            words: Vec::new(),
        }
    };
    programs.iter().map(input).collect()
}
