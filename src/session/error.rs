//! Errors: why there is no answer.

use crate::base::Diagnostic;
use crate::outcome::exit;
use crate::source::place::file_line;
use crate::source::{self, LoadError, Sources};
use crate::verify::Failure;
use std::fmt;

/// A reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The input is no program that can be verified: all errors, each with its place and source line, as they are to be
    /// shown.
    Input(String),
    /// The request does not fit the program, or this build.
    Request(String),
    /// An error of Selvedge itself, such as a counterexample that does not replay. Please report it.
    Internal(String),
}

impl Error {
    /// The error that reading a file ended with.
    pub(crate) fn of(error: LoadError) -> Error {
        Error::Input(match error {
            // What our preprocessor says names its places.
            LoadError::Invalid(_) => format!("{error}\n"),
            _ => format!("selvedge: {error}\n"),
        })
    }

    /// The exit code of the command line.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Input(_) => exit::INPUT,
            Error::Request(_) => exit::USAGE,
            Error::Internal(_) => exit::INTERNAL,
        }
    }

    /// The failure of a verification of this program, in words.
    pub(super) fn failed(source: &Sources, failure: Failure) -> Error {
        match failure {
            Failure::AddressSpace(loc) => {
                let message = "the program's objects do not fit into the address space".to_string();
                Error::Input(source::render(source, &Diagnostic::new(loc, message)))
            }
            Failure::NoSolver(kind) => {
                Error::Request(format!("this build has no solver `{}`", kind.name()))
            }
            Failure::NoThread { name, names } => Error::Request(format!(
                "--hierarchy: no thread is named `{name}`; there are {}",
                names.join(", ")
            )),
            Failure::NoModel(scheme, memory) => Error::Request(format!(
                "the scheme {scheme} does not know the memory model {}",
                memory.name()
            )),
            Failure::NoRaces(engine, memory) => Error::Request(format!(
                "{engine} knows nothing of data races under the memory model {}",
                memory.name()
            )),
            Failure::NoLevels(why) => Error::Request(format!("--levels: {why}")),
            Failure::Diverged(divergence) => Error::Internal(format!(
                "the counterexample does not replay: {:?} at step {} of thread {} ({})",
                divergence.why,
                divergence.step,
                divergence.thread.0,
                file_line(source, divergence.loc)
            )),
            Failure::Unsound(what) => Error::Internal(what),
            Failure::Inconsistent(inconsistent) => Error::Internal(inconsistent.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(text) => f.write_str(text.trim_end()),
            Error::Request(text) => f.write_str(text),
            Error::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

impl std::error::Error for Error {}
