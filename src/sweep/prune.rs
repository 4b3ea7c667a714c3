//! Pruning of cells: those whose answer follows from others need not be run.

use super::grid::{Cell, Grid};
use super::record::Verdict;
use super::swept::CellState;

/// The answer to a cell, if those of smaller cells of the same program and scheme imply it. An input that cannot
/// be verified under one bound cannot under any.
pub(super) fn implied(grid: &Grid, states: &[CellState], cell: Cell) -> Option<Verdict> {
    if !grid.prune {
        return None;
    }
    let wanted = &grid.rows[cell.row];
    for (row, smaller) in grid.rows.iter().enumerate() {
        let same = smaller.is_within(wanted);
        for (column, unwind) in grid.unwind.iter().enumerate() {
            let other = Cell {
                row,
                column,
                ..cell
            };
            let within = same && *unwind <= grid.unwind[cell.column] && other != cell;
            let CellState::Run { record, .. } = &states[grid.index(other)] else {
                continue;
            };
            match record.verdict {
                Verdict::Input if other != cell => return Some(Verdict::Input),
                Verdict::Failed if within => return Some(Verdict::Failed),
                Verdict::Successful if within && record.complete => {
                    return Some(Verdict::Successful);
                }
                _ => {}
            }
        }
    }
    None
}
