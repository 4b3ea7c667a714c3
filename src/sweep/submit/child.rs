//! An engine that is a program on this machine for as long as its jobs run.
//!
//! It has the list of jobs as its standard input, and the folder of the plan as its current one.

use super::work::{SubmitError, Work, end_of};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Time that the engine has to end its jobs in when it is asked to, before it is ended.
const GRACE: Duration = Duration::from_secs(10);
/// Time between two requests to end: GNU parallel starts no job any more after the first, and ends those that run after the second.
const ASK_EVERY: Duration = Duration::from_millis(400);

/// Kind of program that submits jobs.
pub(super) struct Kind {
    /// Name in messages.
    pub name: &'static str,
    /// Hint where one has it from.
    pub hint: &'static str,
    /// Exit codes with which it refuses all.
    pub refuses: &'static [i32],
}

/// The program, as it runs.
pub(super) struct Engine {
    kind: &'static Kind,
    child: Child,
    /// What it prints.
    log: PathBuf,
    ended: Option<ExitStatus>,
}

/// Starts a program on the jobs of a submission.
pub(super) fn start(
    kind: &'static Kind,
    mut command: Command,
    work: &Work,
) -> Result<Engine, SubmitError> {
    let (list, log) = (work.path("jobs"), work.path("log"));
    let failed = |path: &Path, why| SubmitError::Write(path.to_path_buf(), why);
    let output = File::create(&log).map_err(|why| failed(&log, why))?;
    let errors = output.try_clone().map_err(|why| failed(&log, why))?;
    let input = File::open(&list).map_err(|why| failed(&list, why))?;
    command
        .current_dir(&work.folder)
        .stdin(input)
        .stdout(output)
        .stderr(errors)
        // Ctrl-C is ours; we tell it.
        .process_group(0);
    let child = command.spawn().map_err(|why| SubmitError::NoProgram {
        program: command.get_program().to_string_lossy().into_owned(),
        hint: kind.hint,
        why,
    })?;
    Ok(Engine {
        kind,
        child,
        log,
        ended: None,
    })
}

impl Engine {
    /// Whether it has ended.
    pub fn is_finished(&mut self) -> Result<bool, SubmitError> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().unwrap_or_default();
        }
        let Some(status) = self.ended else {
            return Ok(false);
        };
        let refused = status
            .code()
            .is_some_and(|code| self.kind.refuses.contains(&code));
        if refused {
            return Err(SubmitError::Refused(
                self.kind.name.to_string(),
                end_of(&self.log),
            ));
        }
        Ok(true)
    }

    /// Ends it, and with it the jobs that it runs.
    pub fn cancel(&mut self) {
        let start = Instant::now();
        while self.ended.is_none() && start.elapsed() < GRACE {
            self.signal(libc::SIGTERM);
            std::thread::sleep(ASK_EVERY);
            self.ended = self.child.try_wait().unwrap_or_default();
        }
        if self.ended.is_none() {
            self.signal(libc::SIGKILL);
            self.ended = self.child.wait().ok();
        }
    }

    /// Sends a signal to the program alone: what it runs is its to end.
    fn signal(&self, signal: libc::c_int) {
        if let Ok(process) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: to our own child, which has not been waited for yet.
            unsafe { libc::kill(process, signal) };
        }
    }
}
