//! The journal: one record a line, only ever appended to, each line in a single write.
//!
//! A process that dies in the middle of a write leaves a torn line; so does a full disk. Reading skips what is no
//! record, as long as there is a record at all or nothing but one torn line, and appending never continues a
//! torn line.

use super::grid::{Cell, Grid};
use super::record::{Key, Record, SCHEMA, Verdict};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    known: Records,
    /// Lines that are no records.
    pub skipped: usize,
}

type Records = HashMap<Key, Record, FxBuildHasher>;

/// Reason why there is no journal, or no line in it.
#[derive(Debug)]
pub enum JournalError {
    /// There is one already, and it was not to be continued.
    Exists(PathBuf),
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
            JournalError::Exists(path) => write!(
                f,
                "the journal {} exists; --resume continues it, --journal names another",
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
    /// Opens a journal to append to; `resume` says that it may have records already, which are read.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path, resume: bool) -> Result<Journal, JournalError> {
        let bytes = match std::fs::metadata(path) {
            Ok(found) if found.is_file() => {
                std::fs::read(path).map_err(|why| JournalError::Read(path.to_path_buf(), why))?
            }
            // A pipe or a device is only written to.
            Ok(_) => Vec::new(),
            Err(why) if why.kind() == ErrorKind::NotFound => Vec::new(),
            Err(why) => return Err(JournalError::Read(path.to_path_buf(), why)),
        };
        if !resume && !bytes.is_empty() {
            return Err(JournalError::Exists(path.to_path_buf()));
        }
        let (known, skipped) = read(&bytes);
        let torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
        if known.is_empty() && (skipped > 1 || skipped == 1 && !torn) {
            return Err(JournalError::Foreign(path.to_path_buf()));
        }
        let cannot_write = |why| JournalError::Write(path.to_path_buf(), why);
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(cannot_write)?;
        if torn {
            file.write_all(b"\n").map_err(cannot_write)?;
        }
        Ok(Journal {
            path: path.to_path_buf(),
            file: Mutex::new(file),
            known,
            skipped,
        })
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The system refuses to write it.
    pub fn append(&self, record: &Record) -> Result<(), JournalError> {
        let cannot_write = |why| JournalError::Write(self.path.clone(), why);
        let mut line = serde_json::to_vec(record).map_err(|why| cannot_write(why.into()))?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(cannot_write)
    }

    /// Known answer to a cell: its last record, if that answers it. Answers that depend on limits count only under the
    /// same limits, and errors are tried again.
    pub(super) fn find(&self, grid: &Grid, cell: Cell) -> Option<&Record> {
        let wanted = Record::new(grid, cell);
        let record = self.known.get(&wanted.key())?;
        let holds =
            record.is_final() || record.limits == wanted.limits && record.verdict != Verdict::Error;
        holds.then_some(record)
    }
}

/// The last record for each key, final ones before others; and the number of lines that are none.
fn read(bytes: &[u8]) -> (Records, usize) {
    let (mut known, mut skipped) = (Records::default(), 0);
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Record>(line) {
            Ok(record) if record.schema == SCHEMA => {
                let slot = known.entry(record.key());
                slot.and_modify(|old| {
                    if record.is_final() || !old.is_final() {
                        old.clone_from(&record);
                    }
                })
                .or_insert(record);
            }
            _ => skipped += 1,
        }
    }
    (known, skipped)
}
