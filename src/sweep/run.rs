//! The run of a grid: cells as they come free, each told to the journal.

use super::grid::{Cell, Grid};
use super::journal::Journal;
use super::swept::{CellState, Swept};
use super::{process, prune, table};
use rayon::ThreadPoolBuilder;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs what the journal does not know yet. `progress` is told of every cell that is finished, in one line.
/// `cancel` ends it all; what was finished by then is in the journal and in the result.
///
/// # Errors
/// Threads or the temporary folder for the output of cells cannot be made.
pub fn sweep(
    grid: &Grid,
    journal: &Journal,
    cancel: &AtomicBool,
    progress: &(dyn Fn(&str) + Sync),
) -> io::Result<Swept> {
    let mut cells: Vec<Cell> = grid.cells().collect();
    let states: Vec<CellState> = cells
        .iter()
        .map(|&cell| earlier(grid, cell, journal))
        .collect();
    let board = Mutex::new(states);
    // Smallest bounds first, as they decide about the others.
    cells.sort_by_key(|cell| {
        let unwind = grid.unwind[cell.column];
        (grid.rows[cell.row].size() + u64::from(unwind), unwind)
    });
    let folder = tempfile::Builder::new()
        .prefix("selvedge-sweep-")
        .tempdir()?;
    let failure: Mutex<Option<String>> = Mutex::new(None);
    let stop = AtomicBool::new(false);
    let ended = || stop.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed);
    let lock = || board.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |cell: Cell| {
        if ended() || lock()[grid.index(cell)] != CellState::Open {
            return;
        }
        let implied = || prune::implied(grid, &lock(), cell);
        let state = match implied() {
            Some(verdict) => CellState::Implied(verdict),
            None => match process::run(grid, cell, folder.path(), &|| {
                ended() || implied().is_some()
            }) {
                None => match implied() {
                    Some(verdict) if !ended() => CellState::Implied(verdict),
                    _ => return,
                },
                Some(record) => {
                    if let Err(error) = journal.append(&record) {
                        stop.store(true, Ordering::Relaxed);
                        let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                        failure.get_or_insert(error.to_string());
                    }
                    CellState::Run {
                        record: Box::new(record),
                        earlier: false,
                    }
                }
            },
        };
        let mut states = lock();
        let line = format!("{}: {}", grid.name(cell), table::words(&state));
        states[grid.index(cell)] = state;
        let known = states
            .iter()
            .filter(|state| **state != CellState::Open)
            .count();
        progress(&format!("[{known}/{}] {line}", states.len()));
    };
    let pool = ThreadPoolBuilder::new()
        .num_threads(grid.jobs)
        .build()
        .map_err(io::Error::other)?;
    pool.scope_fifo(|scope| {
        for &cell in &cells {
            scope.spawn_fifo(move |_| one(cell));
        }
    });
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Swept {
        states: board.into_inner().unwrap_or_else(PoisonError::into_inner),
        failure,
        interrupted: cancel.load(Ordering::Relaxed),
    })
}

/// State of a cell as the journal knows it.
fn earlier(grid: &Grid, cell: Cell, journal: &Journal) -> CellState {
    match journal.find(grid, cell) {
        Some(record) => CellState::Run {
            record: Box::new(record.clone()),
            earlier: true,
        },
        None => CellState::Open,
    }
}
