//! The journal: one record a line, only ever appended to, each line in a single write.
//!
//! Whoever writes holds an advisory lock, which the system releases however the process ends: a second sweep on the same
//! journal is refused. A process that dies in the middle of a write leaves a torn last line; so does a full disk. It is
//! removed when the journal is opened again (completed, if only its end is missing).

use super::grid::{Cell, Grid};
use super::record::{Key, Record, SCHEMA, Verdict};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    known: Records,
    /// Lines that are no records.
    pub skipped: usize,
    /// Bytes of a torn last line that was removed.
    pub torn: usize,
}

/// Time for the lock of a journal to be given back.
const PATIENCE: Duration = Duration::from_secs(1);
/// Beginning of every line.
const BEGINNING: &[u8] = b"{\"schema\":";

type Records = HashMap<Key, Record, FxBuildHasher>;

/// Reason why there is no journal, or no line in it.
#[derive(Debug)]
pub enum JournalError {
    /// Another process writes to it.
    InUse(PathBuf),
    /// The file holds something else.
    Foreign(PathBuf),
    /// It cannot be read.
    Read(PathBuf, io::Error),
    /// It cannot be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::InUse(path) => write!(
                f,
                "another sweep is running on the journal {}; --journal names another one",
                path.display()
            ),
            JournalError::Foreign(path) => {
                write!(f, "{} is no journal of a sweep", path.display())
            }
            JournalError::Read(path, why) => {
                write!(f, "cannot read the journal {}: {why}", path.display())
            }
            JournalError::Write(path, why) => {
                write!(f, "cannot write the journal {}: {why}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// Opens a journal to append to. Records that it has are read.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let is_file = match std::fs::metadata(path) {
            Ok(found) => found.is_file(),
            Err(why) if why.kind() == ErrorKind::NotFound => true,
            Err(why) => return Err(JournalError::Read(path.to_path_buf(), why)),
        };
        let cannot_write = |why| JournalError::Write(path.to_path_buf(), why);
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(cannot_write)?;
        let mut journal = Journal {
            path: path.to_path_buf(),
            file: Mutex::new(file),
            known: Records::default(),
            skipped: 0,
            torn: 0,
        };
        if is_file {
            journal.read()?;
        }
        Ok(journal)
    }

    /// Takes the lock, reads what a regular file has, and repairs its end.
    fn read(&mut self) -> Result<(), JournalError> {
        let path = &self.path;
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        lock(file, PATIENCE).map_err(|why| match why.kind() {
            ErrorKind::WouldBlock => JournalError::InUse(path.clone()),
            _ => JournalError::Write(path.clone(), why),
        })?;
        let bytes = std::fs::read(path).map_err(|why| JournalError::Read(path.clone(), why))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = whole.map_or(0, |last| last + 1);
        let (known, skipped) = read(&bytes[..whole]);
        let end = &bytes[whole..];
        let is_record = record(end).is_some();
        // What begins like a record is one that is torn.
        let is_torn = end.starts_with(BEGINNING) || BEGINNING.starts_with(end);
        if known.is_empty() && (skipped > 0 || !is_record && !is_torn) {
            return Err(JournalError::Foreign(path.clone()));
        }
        let repaired = match end {
            [] => Ok(()),
            _ if is_record => file.write_all(b"\n"),
            _ => file.set_len(whole as u64),
        };
        repaired.map_err(|why| JournalError::Write(path.clone(), why))?;
        self.torn = if is_record { 0 } else { end.len() };
        self.skipped = skipped;
        self.known = known;
        if let (true, Some(record)) = (is_record, record(end)) {
            insert(&mut self.known, record);
        }
        Ok(())
    }

    /// Takes no record that it has for an answer.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Appends a record. One that cannot be written whole is not left there in part, if the system allows that.
    ///
    /// # Errors
    /// The system refuses to write it.
    pub fn append(&self, record: &Record) -> Result<(), JournalError> {
        let cannot_write = |why| JournalError::Write(self.path.clone(), why);
        let mut line = serde_json::to_vec(record).map_err(|why| cannot_write(why.into()))?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let before = file.metadata().map(|found| found.len());
        file.write_all(&line).map_err(|why| {
            if let Ok(before) = before {
                let _ = file.set_len(before);
            }
            cannot_write(why)
        })
    }

    /// Known answer to a cell: its last record, if that answers it. Answers that depend on limits count only under the
    /// same limits, and errors are tried again; what others imply counts only where cells are pruned.
    pub(super) fn find(&self, grid: &Grid, cell: Cell) -> Option<&Record> {
        find(&self.known, grid, cell)
    }

    /// Number of cells that it has answers to.
    pub fn answers(&self, grid: &Grid) -> usize {
        let known = |cell: &Cell| self.find(grid, *cell).is_some();
        grid.cells().filter(known).count()
    }
}

fn find<'a>(known: &'a Records, grid: &Grid, cell: Cell) -> Option<&'a Record> {
    let wanted = Record::new(grid, cell);
    let record = known.get(&wanted.key())?;
    let holds =
        record.is_final() || record.limits == wanted.limits && record.verdict != Verdict::Error;
    (holds && (grid.prune || record.implied_by.is_none())).then_some(record)
}

/// Contents of a file that may be a journal, without opening it to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// There is no such file, or it is empty.
    Nothing,
    /// A journal that knows so many cells of a grid.
    Answers(usize),
    /// Something else, or what cannot be read.
    Other,
}

/// Looks into a file that may be a journal.
pub fn contents(path: &Path, grid: &Grid) -> Contents {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == ErrorKind::NotFound => return Contents::Nothing,
        Err(_) => return Contents::Other,
    };
    let (known, _) = read(&bytes);
    match known.is_empty() {
        true if bytes.is_empty() => Contents::Nothing,
        true => Contents::Other,
        false => {
            let has = |cell: &Cell| find(&known, grid, *cell).is_some();
            Contents::Answers(grid.cells().filter(has).count())
        }
    }
}

/// The records of a journal, which may be written to meanwhile: of each cell the one that counts, in the order in which cells were
/// first told of; and the number of lines that are none.
///
/// # Errors
/// It cannot be read, or is no journal.
pub fn records(path: &Path) -> Result<(Vec<Record>, usize), JournalError> {
    let bytes = std::fs::read(path).map_err(|why| JournalError::Read(path.to_path_buf(), why))?;
    let whole = bytes.split_inclusive(|byte| *byte == b'\n');
    let whole = whole.filter(|line| line.ends_with(b"\n")).map(<[u8]>::len);
    let (mut known, skipped) = read(&bytes[..whole.sum()]);
    if known.is_empty() && skipped > 0 {
        return Err(JournalError::Foreign(path.to_path_buf()));
    }
    let lines = bytes.split(|byte| *byte == b'\n').filter_map(record);
    let all = lines.filter_map(|record| known.remove(&record.key()));
    Ok((all.collect(), skipped))
}

/// Takes the lock of a file. Who holds it is waited for a moment: of a sweep that was killed, a process that was about to run a
/// cell may have the file for so long.
fn lock(file: &File, patience: Duration) -> io::Result<()> {
    let start = Instant::now();
    loop {
        // SAFETY: asks for a lock on a descriptor that is open.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return Ok(());
        }
        match io::Error::last_os_error() {
            why if why.kind() == ErrorKind::WouldBlock && start.elapsed() >= patience => {
                return Err(why);
            }
            why if why.kind() == ErrorKind::WouldBlock => std::thread::sleep(patience / 50),
            // Some file systems have no locks: better a journal without than none.
            _ => return Ok(()),
        }
    }
}

/// The record that a line is.
pub(super) fn record(line: &[u8]) -> Option<Record> {
    let record = serde_json::from_slice::<Record>(line).ok()?;
    (record.schema == SCHEMA).then_some(record)
}

/// The last record for each key, final ones before others; and the number of lines that are none.
fn read(bytes: &[u8]) -> (Records, usize) {
    let (mut known, mut skipped) = (Records::default(), 0);
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match record(line) {
            Some(record) => insert(&mut known, record),
            None => skipped += 1,
        }
    }
    (known, skipped)
}

fn insert(known: &mut Records, record: Record) {
    let slot = known.entry(record.key());
    slot.and_modify(|old| {
        if record.is_final() || !old.is_final() {
            old.clone_from(&record);
        }
    })
    .or_insert(record);
}
