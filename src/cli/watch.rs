//! Ends that do not wait: signals and limits that a stage did not notice in time.

use crate::base::{Budget, StopReason};
use crate::event::MemoryModel;
use crate::outcome::{Coverage, Outcome, Reason, Statistics, Subject, Verdict, exit};
use crate::report::format::Report;
use crate::report::save::save;
use crate::report::text::{NOTHING, verdict_line};
use crate::source::place::NoPlaces;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::line;
use super::refusal::told;
use super::reports::Reports;
use super::signal;

/// Time for a stage to notice that it should stop. (Of memory there is none left to wait with.)
pub const GRACE: Duration = Duration::from_secs(1);

/// Time between two looks at the budget from outside.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The right to say the last word on standard output: whoever takes it first has it.
#[derive(Clone, Default)]
pub struct LastWord {
    taken: Arc<AtomicBool>,
    so_far: Arc<Mutex<Option<Render>>>,
}

/// Renders last words; only if they are said.
type Render = Box<dyn FnOnce() -> SoFar + Send>;

/// Last words if nothing more is found.
pub struct SoFar {
    /// For standard output.
    pub text: String,
    pub code: u8,
    /// Reports: their files and texts.
    pub reports: Vec<(PathBuf, String)>,
}

/// Question of a run, for an answer that knows nothing else.
pub struct Question {
    pub subject: Subject,
    pub memory: MemoryModel,
    /// Reports that are to be written.
    pub reports: Reports,
    /// Files of a formula and of a proof, which an answer by force has not.
    pub evidence: Vec<PathBuf>,
}

impl LastWord {
    /// Remembers what was found so far.
    pub fn remember(&self, so_far: impl FnOnce() -> SoFar + Send + 'static) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(so_far));
    }

    /// Takes what was found so far.
    fn so_far(&self) -> Option<SoFar> {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.take().map(|render| render())
    }

    /// Takes it, and ends the progress line. If it is taken already, the process is about to end, and this never returns.
    pub fn take(&self) {
        if self.taken.swap(true, Ordering::AcqRel) {
            loop {
                std::thread::park();
            }
        }
        line::end();
    }
}

/// Ends the process when memory is used up, or another limit was reached or a signal came [`GRACE`] ago, and nobody has
/// said the last word yet, with what was found so far. The thread runs until the process ends.
pub fn enforce(budget: Budget, last_word: LastWord, question: Question) {
    std::thread::spawn(move || {
        let mut since: Option<(StopReason, Instant)> = None;
        loop {
            std::thread::sleep(LOOK_EVERY);
            since = since.or_else(|| budget.check().map(|reason| (reason, Instant::now())));
            if let Some((reason, start)) = since
                && (reason == StopReason::Memory || start.elapsed() >= GRACE)
            {
                last_word.take();
                let so_far = last_word.so_far();
                for path in &question.evidence {
                    let path = path.display();
                    eprintln!("selvedge: the run was ended by force, so {path} is not written");
                }
                end_with(so_far.unwrap_or_else(|| nothing(reason, &question)));
            }
        }
    });
}

/// The answer before anything was found.
fn nothing(reason: StopReason, question: &Question) -> SoFar {
    let outcome = Outcome {
        subject: question.subject.clone(),
        verdict: Verdict::Unknown {
            reason: Reason::Stopped(reason),
        },
        by_check: Vec::new(),
        findings: Vec::new(),
        suppressed: Vec::new(),
        coverage: Coverage {
            memory: question.memory,
            ..Coverage::default()
        },
        statistics: Statistics::default(),
    };
    let line = verdict_line(&outcome, &NoPlaces);
    let code = outcome.verdict.exit_code(false);
    SoFar {
        text: format!("Covered: {NOTHING}\n{line}\n"),
        code,
        reports: question.reports.of(Report {
            outcome: &outcome,
            places: &NoPlaces,
            exit_code: Some(signal::exit_code().unwrap_or(code)),
        }),
    }
}

/// Ends the process with what was found so far.
fn end_with(so_far: SoFar) -> ! {
    let mut code = signal::exit_code().unwrap_or(so_far.code);
    for (path, text) in &so_far.reports {
        if let Err(error) = save(path, |out| out.write_all(text.as_bytes())) {
            code = told(exit::INPUT, &error);
        }
    }
    let _ = std::io::stdout().write_all(so_far.text.as_bytes());
    std::process::exit(i32::from(code));
}
