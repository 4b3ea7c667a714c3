//! Sessions: a program that was read once, and what can be asked of it.
//!
//! The command line, the sweep's cells, tests and other programs use Selvedge through a [`Session`]: it composes the stages,
//! and nobody else does.

mod show;

pub use crate::verify::{Engine, Failure, Progress, Request};
pub use show::{Hidden, Stage};

use crate::analysis::loops::Loops;
use crate::base::{Budget, DataModel, Diagnostic};
use crate::ir::{FuncId, Program};
use crate::library;
use crate::modular::certificate::Certificate;
use crate::outcome::{Outcome, Subject};
use crate::question::Question;
use crate::sat::SolverKind;
use crate::source::place::Named;
use crate::source::{self, LoadError, Source};
use crate::syntax;
use crate::verify;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program with its text.
pub struct Session {
    source: Source,
    program: Program,
    file: String,
    /// The time that reading took.
    reading: Duration,
}

/// An input that is no program: the errors, each with its place and source line, as they are to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

impl From<LoadError> for Unreadable {
    fn from(error: LoadError) -> Unreadable {
        Unreadable(match error {
            // What our preprocessor says names its places.
            LoadError::Invalid(_) => format!("{error}\n"),
            _ => format!("selvedge: {error}\n"),
        })
    }
}

/// The answer to a request.
pub struct Answer {
    /// Verdict, findings, coverage, statistics.
    pub outcome: Outcome,
    /// The invariants that a successful verdict of the scheme `modular` rests on.
    pub certificate: Option<Certificate>,
    /// The formula that the outcome is about, if the request wants it recorded.
    pub question: Option<Question>,
    /// First addresses of objects and their names, ascending.
    objects: Vec<(u64, String)>,
}

impl Session {
    /// Reads a C file and everything that it includes.
    ///
    /// # Errors
    /// The file cannot be read, or is no C that is supported.
    pub fn load(
        file: &Path,
        reading: &source::Options,
        missing: &library::Options,
    ) -> Result<Session, Unreadable> {
        let begin = Instant::now();
        let source = Source::load(file, reading)?;
        let session = Session::of(source, reading.model, missing)?;
        Ok(session.named(file).read_since(begin))
    }

    /// Reads a program from its preprocessed text.
    ///
    /// # Errors
    /// The text is no C that is supported.
    pub fn of(
        source: Source,
        model: DataModel,
        missing: &library::Options,
    ) -> Result<Session, Unreadable> {
        let begin = Instant::now();
        let shown = |all: Vec<Diagnostic>| Unreadable(source::render_all(&source, &all));
        let unit = syntax::parse_all(&source).map_err(shown)?;
        let program = library::read(&unit, model, missing).map_err(shown)?;
        Ok(Session {
            source,
            program,
            file: String::new(),
            reading: begin.elapsed(),
        })
    }

    /// The same session for a file of this name.
    pub fn named(self, file: &Path) -> Session {
        Session {
            file: file.display().to_string(),
            ..self
        }
    }

    /// The same session, reading of which began then.
    pub fn read_since(self, begin: Instant) -> Session {
        Session {
            reading: begin.elapsed(),
            ..self
        }
    }

    /// The typed program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program's text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// A loop, by the name of its function and its number there (from 0, by position).
    ///
    /// # Errors
    /// There is no such function, or it has fewer loops; in words.
    pub fn find_loop(&self, function: &str, number: u32) -> Result<(FuncId, u32), String> {
        let mut functions = self.program.functions.iter_ids();
        let (id, found) = functions
            .find(|(_, known)| known.name == function)
            .ok_or_else(|| format!("there is no function `{function}`"))?;
        let loops = Loops::of(found).heads().len();
        match (number as usize) < loops {
            true => Ok((id, number)),
            false => Err(format!("`{function}` has {loops} loops, numbered from 0")),
        }
    }

    /// Verifies the program. `progress` is told of every level of bounds that is finished.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn verify(
        &self,
        request: &Request,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, Failure> {
        let mut told = |so_far: &Progress| {
            let outcome = self.about(so_far.outcome.clone());
            progress(&Progress {
                words: so_far.words,
                outcome: &outcome,
            });
        };
        let verified = verify::verify(&self.program, request, budget, &mut told)?;
        Ok(Answer {
            outcome: self.about(verified.outcome),
            certificate: verified.certificate,
            question: verified.question,
            objects: verified.objects,
        })
    }

    /// Checks the invariants of an earlier verdict, without searching for them again.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn check(
        &self,
        certificate: &Certificate,
        solver: SolverKind,
        budget: &Budget,
    ) -> Result<Answer, Failure> {
        let outcome = verify::modular::check(&self.program, certificate, solver, budget)?;
        Ok(Answer {
            outcome: self.about(outcome),
            certificate: None,
            question: None,
            objects: Vec::new(),
        })
    }

    /// Names of the places and addresses of an answer.
    pub fn places(&self, answer: &Answer) -> Named<'_, impl Fn(u128) -> Option<String>> {
        let objects = answer.objects.clone();
        let names = move |address: u128| {
            let address = u64::try_from(address).ok()?;
            let index = objects
                .partition_point(|(base, _)| *base <= address)
                .checked_sub(1)?;
            let (base, name) = &objects[index];
            (*base == address).then(|| name.clone())
        };
        Named {
            source: &self.source,
            names,
        }
    }

    fn about(&self, outcome: Outcome) -> Outcome {
        Outcome {
            subject: Subject {
                file: self.file.clone(),
                ..outcome.subject
            },
            ..outcome
        }
    }
}
