//! Pruning of cells: those whose answer follows from others need not be run.

use super::{Cell, Grid, State, Verdict};

/// The answer to a cell, if those of smaller cells of the same program and scheme imply it. An input that cannot
/// be verified under one bound cannot under any.
pub(super) fn implied(grid: &Grid, states: &[State], cell: Cell) -> Option<Verdict> {
    if !grid.prune {
        return None;
    }
    let wanted = &grid.schemes[cell.row];
    for (row, smaller) in grid.schemes.iter().enumerate() {
        let bounds = smaller.rounds <= wanted.rounds
            && smaller.steps <= wanted.steps
            && smaller.writes <= wanted.writes
            && smaller.mu == wanted.mu;
        let same = smaller.scheme == wanted.scheme && bounds;
        for (column, unwind) in grid.unwind.iter().enumerate() {
            let other = Cell {
                row,
                column,
                ..cell
            };
            let within = same && *unwind <= grid.unwind[cell.column] && other != cell;
            let State::Run { record, .. } = &states[grid.index(other)] else {
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
