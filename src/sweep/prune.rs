//! Pruning of cells: those whose answer follows from that of another one need not be run.
//!
//! Of two cells of the same program and engine that differ in bounds alone, the executions of one may be among those of the
//! other. Then a violation in the smaller one is one in the larger one, and a complete answer is the same there. If the
//! larger one has no violation within its bounds and is not complete, the smaller one has none within its own, and is not
//! complete either: if it were, so would be the larger one. (Of a complete answer, nobody knows how much less would do.)

use super::faults::{self, Fault};
use super::grid::{Cell, Grid};
use super::record::{Record, Verdict};
use super::swept::CellState;

/// The answer to a cell that was not run, if that of another cell implies it. An input that cannot be verified under one
/// bound cannot under any.
pub(super) fn implied(grid: &Grid, states: &[CellState], cell: Cell) -> Option<Record> {
    if !grid.prune {
        return None;
    }
    let wanted = grid.point(cell);
    let same = |other: &Cell| other.input == cell.input && *other != cell;
    let known = grid.cells().filter(same);
    let mut known = known.filter_map(|other| states[grid.index(other)].of_run());
    let found = known.find(|known| {
        let grows = known.point.is_within(&wanted);
        let shrinks = wanted.is_within(&known.point);
        match known.verdict {
            Verdict::Input => known.point.asks_the_same(&wanted),
            Verdict::Failed if faults::on(Fault::ViolationShrinks) => shrinks,
            Verdict::Failed => grows,
            Verdict::Successful if known.complete => grows,
            Verdict::Successful if faults::on(Fault::BoundedGrows) => grows,
            Verdict::Successful => shrinks,
            Verdict::Unknown | Verdict::Error => false,
        }
    })?;
    let grows = found.point.is_within(&wanted);
    // What is reached within smaller bounds is within larger ones, and not the other way round.
    let holds = |asserted: &bool| found.complete || *asserted == grows;
    Some(Record {
        verdict: found.verdict,
        complete: found.complete,
        asserted: found.asserted.filter(holds),
        implied_by: Some(found.point.clone()),
        line: found.line.clone(),
        exit: found.exit,
        ..Record::new(grid, cell)
    })
}
