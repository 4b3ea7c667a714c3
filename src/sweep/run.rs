//! The run of a grid on this machine: jobs as processors come free, each finished cell told to the journal.

use super::board::{Board, Listener};
use super::grid::{Cell, Grid};
use super::job::jobs;
use super::journal::Journal;
use super::swept::{CellState, Swept};
use rayon::ThreadPoolBuilder;
use std::io;
use std::sync::atomic::AtomicBool;

/// Runs what the journal does not know yet. `progress` is told of what happens.
/// `cancel` ends it all; what was finished by then is in the journal and in the result.
///
/// # Errors
/// Threads or the temporary folder for the output of cells cannot be made.
pub fn sweep(
    grid: &Grid,
    journal: &Journal,
    cancel: &AtomicBool,
    progress: &Listener,
) -> io::Result<Swept> {
    let folder = tempfile::Builder::new()
        .prefix("selvedge-sweep-")
        .tempdir()?;
    let keep = |record: &_| journal.append(record).map_err(|why| why.to_string());
    let board = Board::new(grid, earlier(grid, journal), &keep, progress, cancel);
    let pool = ThreadPoolBuilder::new()
        .num_threads(grid.jobs)
        .build()
        .map_err(io::Error::other)?;
    let (folder, shared) = (folder.path(), &board);
    pool.scope_fifo(|scope| {
        for job in jobs(grid) {
            scope.spawn_fifo(move |_| shared.run(&job, folder));
        }
    });
    board.settle();
    Ok(board.swept())
}

/// States of all places of the table as the journal knows them.
pub(super) fn earlier(grid: &Grid, journal: &Journal) -> Vec<CellState> {
    let mut states = vec![CellState::Open; grid.places()];
    let state = |cell: Cell| {
        let record = journal.find(grid, cell)?;
        Some(CellState::Known {
            record: Box::new(record.clone()),
            earlier: true,
        })
    };
    for cell in grid.cells() {
        states[grid.index(cell)] = state(cell).unwrap_or(CellState::Open);
    }
    states
}
