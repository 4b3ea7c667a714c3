//! Work that is handed over to an engine, and what may go wrong with that.

use crate::report::save::save;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Jobs of a plan that are handed over at once.
pub(super) struct Work {
    /// Folder of the plan, as a whole path.
    pub folder: PathBuf,
    /// Numbers of the jobs.
    pub jobs: Vec<usize>,
    /// Jobs that run at a time, where the engine lets us say so.
    pub at_a_time: Option<usize>,
    /// Number of this submission among those of the plan.
    number: usize,
}

/// Folder in a plan with what engines are given, and what they print.
const GIVEN: &str = "submit";
/// Folder in a plan with what jobs print.
const LOGS: &str = "logs";
/// Name in a plan of the program that jobs run.
const PROGRAM: &str = "selvedge";
/// Characters of an engine's output that an error shows.
const SHOWN: usize = 2000;

/// Reason why jobs are not submitted.
#[derive(Debug)]
pub enum SubmitError {
    /// A program of the engine does not run on this machine.
    NoProgram {
        /// Its name.
        program: String,
        /// Hint where one has it from.
        hint: &'static str,
        /// What the system says.
        why: io::Error,
    },
    /// The engine refuses; says who, and why.
    Refused(String, String),
    /// A file of the plan cannot be written.
    Write(PathBuf, io::Error),
    /// The same, as it was said already.
    Save(String),
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmitError::NoProgram { program, hint, why } => {
                write!(f, "cannot submit: cannot run {program} ({why}); {hint}")
            }
            SubmitError::Refused(who, why) => {
                let why = why.trim();
                write!(f, "cannot submit: {who} refuses")?;
                if why.is_empty() {
                    Ok(())
                } else {
                    write!(f, ": {why}")
                }
            }
            SubmitError::Write(path, why) => {
                write!(f, "cannot submit: cannot write {}: {why}", path.display())
            }
            SubmitError::Save(why) => write!(f, "cannot submit: {why}"),
        }
    }
}

impl std::error::Error for SubmitError {}

impl Work {
    /// The next submission of a plan, with the list of its jobs in the plan.
    pub fn new(
        folder: &Path,
        jobs: Vec<usize>,
        at_a_time: Option<usize>,
    ) -> Result<Work, SubmitError> {
        for name in [GIVEN, LOGS] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|why| SubmitError::Write(path, why))?;
        }
        let mut work = Work {
            folder: folder.to_path_buf(),
            jobs,
            at_a_time,
            number: 1,
        };
        loop {
            let path = work.path("jobs");
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let lines: String = work.jobs.iter().map(|job| format!("{job}\n")).collect();
                    let written = file.write_all(lines.as_bytes());
                    written.map_err(|why| SubmitError::Write(path, why))?;
                    return Ok(work);
                }
                Err(why) if why.kind() == ErrorKind::AlreadyExists => work.number += 1,
                Err(why) => return Err(SubmitError::Write(path, why)),
            }
        }
    }

    /// Name of a file of this submission, relative to the plan.
    pub fn name(&self, kind: &str) -> String {
        format!("{GIVEN}/{}.{kind}", self.number)
    }

    /// A file of this submission.
    pub fn path(&self, kind: &str) -> PathBuf {
        self.folder.join(self.name(kind))
    }

    /// Writes a file of this submission.
    pub fn write(&self, kind: &str, text: &str) -> Result<(), SubmitError> {
        save(&self.path(kind), |out| out.write_all(text.as_bytes())).map_err(SubmitError::Save)
    }
}

/// Puts the program into a plan, for the jobs: what it was planned with runs it, wherever that is, and whatever is installed meanwhile.
/// One that is there already stays, since jobs on other machines may be running it.
pub(super) fn program(folder: &Path) -> Result<(), SubmitError> {
    let path = folder.join(PROGRAM);
    let failed = |why| SubmitError::Write(path.clone(), why);
    let own = std::env::current_exe().map_err(failed)?;
    let is_same = || Ok::<bool, io::Error>(fs::read(&own)? == fs::read(&path)?);
    // On the same file system, another name is enough.
    if fs::hard_link(&own, &path).is_ok() || is_same().unwrap_or(false) {
        return Ok(());
    }
    // The name is one that plans expect to find where they were broken off.
    let copy = tempfile::Builder::new()
        .prefix(".selvedge-")
        .tempfile_in(folder);
    let mut copy = copy.map_err(failed)?;
    io::copy(&mut File::open(&own).map_err(failed)?, &mut copy).map_err(failed)?;
    let rights = fs::metadata(&own).map_err(failed)?.permissions();
    copy.as_file().set_permissions(rights).map_err(failed)?;
    // Nobody may have it open for writing when it is run.
    let copy = copy.into_temp_path();
    copy.persist(&path).map_err(|error| failed(error.error))
}

/// What a program of an engine prints, run to its end.
pub(super) fn printed(command: &mut Command, hint: &'static str) -> Result<String, SubmitError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(std::process::Stdio::null()).output();
    let output = output.map_err(|why| SubmitError::NoProgram {
        program: program.clone(),
        hint,
        why,
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(SubmitError::Refused(program, errors))
    }
}

/// The end of a file that an engine or a job has printed to.
pub(super) fn end_of(path: &Path) -> String {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let text = text.trim_end();
    let skipped = text.chars().count().saturating_sub(SHOWN);
    text.chars().skip(skipped).collect()
}

/// The file with what a job prints.
pub(super) fn log(folder: &Path, job: usize) -> PathBuf {
    folder.join(LOGS).join(format!("{job}.log"))
}
