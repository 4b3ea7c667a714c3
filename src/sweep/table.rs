//! A sweep as text: the table of cells, and a line that counts them.

use super::grid::{Cell, Columns, Grid};
use super::record::{Record, Verdict};
use super::swept::{CellState, Swept};

/// The table: a row for each file and each row of the grid. What was not run because another cell implies it is in
/// parentheses; below the table stands what other answers mean.
pub fn table(grid: &Grid, swept: &Swept) -> String {
    let mut rows = vec![heading(grid)];
    for input in 0..grid.inputs.len() {
        for (row, point) in grid.rows.iter().enumerate() {
            let name = if row == 0 {
                grid.inputs[input].name.as_str()
            } else {
                ""
            };
            let columns = if grid.is_wide(point) {
                grid.columns.values.len()
            } else {
                1
            };
            let cells =
                (0..columns).map(|column| words(swept.state(grid, Cell { input, row, column })));
            let head = [name.to_string(), point.name()];
            rows.push(head.into_iter().chain(cells).collect());
        }
    }
    let width = |column: usize| {
        let all = rows.iter().filter_map(|row| row.get(column));
        all.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
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
    let Columns { axis, values } = &grid.columns;
    line.extend(values.iter().map(|value| format!("{} {value}", axis.name)));
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
    let Some(record) = state.record() else {
        return "-".to_string();
    };
    let name = answer(record);
    if record.implied_by.is_some() {
        return format!("({name})");
    }
    format!("{name} {:.2} s", record.spent_ms() as f64 / 1000.0)
}

/// An answer in a word or two.
pub fn answer(record: &Record) -> &str {
    match record.verdict {
        Verdict::Failed => "failed",
        Verdict::Successful if record.complete => "complete",
        Verdict::Successful if record.asserted == Some(false) => "vacuous",
        Verdict::Successful => "bounded",
        Verdict::Unknown => short(record).unwrap_or("unknown"),
        Verdict::Input => "input error",
        Verdict::Error => "error",
    }
}

/// Numbers of cells by kind.
pub fn summary(grid: &Grid, swept: &Swept) -> String {
    let cells = grid.cells().map(|cell| swept.state(grid, cell));
    let (mut run, mut known, mut implied, mut open) = (0, 0, 0, 0);
    for state in cells {
        match state {
            CellState::Open => open += 1,
            CellState::Known { earlier: true, .. } => known += 1,
            CellState::Known { record, .. } if record.implied_by.is_some() => implied += 1,
            CellState::Known { .. } => run += 1,
        }
    }
    let parts = [
        ("run", run),
        ("from the journal", known),
        ("implied", implied),
        ("not run", open),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    let cells = if grid.len() == 1 { "cell" } else { "cells" };
    format!("{} {cells}: {}\n", grid.len(), parts.join(", "))
}
