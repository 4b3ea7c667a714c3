//! A sweep as text: the table of cells, and a line that counts them.

use super::grid::{Cell, Grid};
use super::record::{Record, Verdict};
use super::swept::{CellState, Swept};

/// The table: a row for each file and scheme, a column for each unwinding. What was not run because a smaller
/// cell implies it is in parentheses; below the table stands what other answers mean.
pub fn table(grid: &Grid, swept: &Swept) -> String {
    let mut rows = vec![heading(grid)];
    for input in 0..grid.inputs.len() {
        for (row, scheme) in grid.rows.iter().enumerate() {
            let name = if row == 0 {
                grid.inputs[input].name.as_str()
            } else {
                ""
            };
            let mut line = vec![name.to_string(), scheme.name()];
            line.extend(
                (0..grid.unwind.len())
                    .map(|column| words(swept.state(grid, Cell { input, row, column }))),
            );
            rows.push(line);
        }
    }
    let columns = rows[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text + &remarks(swept)
}

fn heading(grid: &Grid) -> Vec<String> {
    let mut line = vec!["file".to_string(), "scheme".to_string()];
    line.extend(grid.unwind.iter().map(|unwind| format!("unwind {unwind}")));
    line
}

/// Reasons why cells have no answer, each once for each file.
fn remarks(swept: &Swept) -> String {
    let mut lines: Vec<String> = Vec::new();
    for record in swept.records() {
        let told = match record.verdict {
            Verdict::Failed | Verdict::Successful => continue,
            Verdict::Unknown if short(record).is_some() => continue,
            _ if record.line.starts_with(&record.file) => record.line.clone(),
            _ => format!("{}: {}", record.file, record.line),
        };
        if !lines.contains(&told) {
            lines.push(told);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Reasons that fit into a cell.
fn short(record: &Record) -> Option<&str> {
    let reason = record
        .line
        .strip_prefix("VERIFICATION UNKNOWN (")?
        .strip_suffix(')')?;
    ["time", "wall time", "memory"]
        .contains(&reason)
        .then_some(reason)
}

/// A cell in a few words.
pub(super) fn words(state: &CellState) -> String {
    let record = match state {
        CellState::Open => return "-".to_string(),
        CellState::Implied(verdict) => {
            let name = match verdict {
                Verdict::Failed => "failed",
                Verdict::Successful => "complete",
                _ => "input error",
            };
            return format!("({name})");
        }
        CellState::Run { record, .. } => record,
    };
    let name = match record.verdict {
        Verdict::Failed => "failed",
        Verdict::Successful if record.complete => "complete",
        Verdict::Successful if record.asserted == Some(false) => "vacuous",
        Verdict::Successful => "bounded",
        Verdict::Unknown => short(record).unwrap_or("unknown"),
        Verdict::Input => "input error",
        Verdict::Error => "error",
    };
    // A run that was ended had no time to say what it took.
    let ms = if record.cpu_ms > 0 {
        record.cpu_ms
    } else {
        record.wall_ms
    };
    format!("{name} {:.2} s", ms as f64 / 1000.0)
}

/// Numbers of cells by kind.
pub fn summary(grid: &Grid, swept: &Swept) -> String {
    let count = |wanted: &dyn Fn(&CellState) -> bool| {
        grid.cells()
            .filter(|&cell| wanted(swept.state(grid, cell)))
            .count()
    };
    let parts = [
        (
            "run",
            count(&|state| matches!(state, CellState::Run { earlier: false, .. })),
        ),
        (
            "from the journal",
            count(&|state| matches!(state, CellState::Run { earlier: true, .. })),
        ),
        (
            "implied",
            count(&|state| matches!(state, CellState::Implied(_))),
        ),
        ("not run", count(&|state| *state == CellState::Open)),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    let cells = if grid.len() == 1 { "cell" } else { "cells" };
    format!("{} {cells}: {}\n", grid.len(), parts.join(", "))
}
