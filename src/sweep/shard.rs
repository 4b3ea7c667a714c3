//! Shards: the records of one job of a plan, in a file that is there whole or not at all.
//!
//! A job may be run twice, at once or one after the other, on machines that see the same folder: whoever is last replaces the
//! shard by his own, which is as good. A job looks into shards that are there, and does not run cells that they imply.

use super::board::Board;
use super::grid::{Cell, Grid};
use super::job::{Job, jobs};
use super::journal::{Journal, record};
use super::plan::{Plan, SHARDS};
use super::record::Record;
use super::run::earlier;
use super::swept::{CellState, Swept};
use crate::report::save::save;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// End of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// Its shard is there, and was before.
    Before,
    /// Its shard is there now.
    Now,
    /// It was asked to end, and leaves none.
    Interrupted,
}

/// Runs a job of the plan in a folder, unless its shard is there.
///
/// # Errors
/// There is no such plan or job, or its shard cannot be written.
pub fn run(folder: &Path, number: usize, cancel: &AtomicBool) -> Result<Done, String> {
    let (plan, grid) = Plan::read(folder)?;
    let jobs = jobs(&grid);
    let job = jobs.get(number).ok_or_else(|| {
        format!(
            "{} has the jobs 0 to {}, and no job {number}",
            folder.display(),
            jobs.len() - 1
        )
    })?;
    let path = path(folder, number);
    if read(&path, &grid, job).is_some() {
        return Ok(Done::Before);
    }
    for input in job.cells.iter().map(|cell| cell.input) {
        plan.check(folder, input)?;
    }
    let records: Mutex<Vec<Record>> = Mutex::default();
    let keep = |record: &Record| {
        let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
        records.push(record.clone());
        Ok(())
    };
    let made = tempfile::Builder::new().prefix("selvedge-job-").tempdir();
    let made = made.map_err(|why| format!("cannot make a temporary folder: {why}"))?;
    let board = Board::new(
        &grid,
        beside(folder, &grid, &jobs, job),
        &keep,
        &|_| {},
        cancel,
    );
    board.run(job, made.path());
    let of_cube = job
        .cube
        .as_ref()
        .map(|cube| (cube, board.part(job.cells[0], cube)));
    let swept = board.swept();
    if cancel.load(Ordering::Relaxed) {
        return Ok(Done::Interrupted);
    }
    let mut records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((cube, part)) = of_cube {
        // Where the answer to the cell is known, nobody asks about the cube.
        let known = || {
            let record = swept.state(&grid, job.cells[0]).record()?;
            Some(Record {
                cube: Some(cube.clone()),
                implied_by: Some(record.implied_by.as_ref().unwrap_or(&record.point).clone()),
                ..record.clone()
            })
        };
        records = part.or_else(known).into_iter().collect();
    }
    if let Some(lost) = records.iter().find(|record| record.was_not_run()) {
        return Err(lost.line.clone());
    }
    std::fs::create_dir_all(folder.join(SHARDS))
        .map_err(|why| format!("cannot write {}: {why}", path.display()))?;
    save(&path, |out| {
        for record in &records {
            serde_json::to_writer(&mut *out, record)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })?;
    Ok(Done::Now)
}

/// Records in shards of other jobs that can spare a job something: other cells of its program, and other cubes of its cell.
fn beside(folder: &Path, grid: &Grid, jobs: &[Job], job: &Job) -> Vec<CellState> {
    let first = job.cells[0];
    let is_beside = |other: &&(usize, &Job)| {
        let mut cells = other.1.cells.iter();
        let is_own_cell = job.cube.is_some() && other.1.cells[0] == first;
        is_own_cell || grid.prune && cells.any(|cell| cell.input == first.input)
    };
    let (keep, cancel) = (|_: &Record| Ok(()), AtomicBool::new(false));
    let none = vec![CellState::Open; grid.places()];
    let board = Board::new(grid, none, &keep, &|_| {}, &cancel);
    for (number, other) in jobs.iter().enumerate().filter(|one| is_beside(&one)) {
        let records = read(&path(folder, number), grid, other);
        for (cell, record) in other.cells.iter().zip(records.unwrap_or_default()) {
            board.add(*cell, record);
        }
    }
    board.swept().states
}

/// Merges the shards of a plan into a journal, which may have some of them already. Also the jobs that have none.
pub fn collect(folder: &Path, grid: &Grid, journal: &Journal) -> (Swept, Vec<usize>) {
    let keep = |record: &Record| journal.append(record).map_err(|why| why.to_string());
    let cancel = AtomicBool::new(false);
    let board = Board::new(grid, earlier(grid, journal), &keep, &|_| {}, &cancel);
    let mut missing = Vec::new();
    for (number, job) in jobs(grid).iter().enumerate() {
        match read(&path(folder, number), grid, job) {
            None => missing.push(number),
            Some(records) => {
                for (cell, record) in job.cells.iter().zip(records) {
                    board.add(*cell, record);
                }
            }
        }
    }
    board.settle();
    (board.swept(), missing)
}

/// Of these jobs, those that have no shard yet.
pub fn missing(folder: &Path, grid: &Grid, mut numbers: Vec<usize>) -> Vec<usize> {
    let jobs = jobs(grid);
    let is_done = |number: usize| {
        let job = jobs.get(number);
        job.is_none_or(|job| read(&path(folder, number), grid, job).is_some())
    };
    numbers.retain(|number| !is_done(*number));
    numbers
}

fn path(folder: &Path, number: usize) -> PathBuf {
    folder.join(SHARDS).join(format!("{number}.jsonl"))
}

/// The records of a shard, one for each cell of the job and in the same order; `None` if it is not there, or is something else.
fn read(path: &Path, grid: &Grid, job: &Job) -> Option<Vec<Record>> {
    let bytes = std::fs::read(path).ok()?;
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let all: Vec<Record> = lines.map(record).collect::<Option<_>>()?;
    let of = |cell: &Cell| {
        let wanted = Record {
            cube: job.cube.clone(),
            ..Record::new(grid, *cell)
        };
        let is_wanted = |one: &&Record| one.key() == wanted.key() && one.limits == wanted.limits;
        all.iter().find(is_wanted).cloned()
    };
    job.cells.iter().map(of).collect()
}
