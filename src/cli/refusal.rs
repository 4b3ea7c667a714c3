//! Refusals: arguments that make no run, and what is said instead.

use crate::outcome::exit;

/// Reason why arguments make no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The arguments do not make sense (exit 1).
    Usage(String),
    /// A file cannot be read or understood (exit 2).
    Input(String),
    /// The same, with its place and its source line.
    Diagnostic(String),
}

impl Refusal {
    /// Says it on standard error and returns the exit code.
    pub fn tell(&self) -> u8 {
        match self {
            Refusal::Usage(message) => told(exit::USAGE, message),
            Refusal::Input(message) => told(exit::INPUT, message),
            Refusal::Diagnostic(text) => {
                eprintln!("{text}");
                exit::INPUT
            }
        }
    }
}

/// Says why a run ends, and returns its exit code.
pub fn told(code: u8, message: &str) -> u8 {
    eprintln!("selvedge: {message}");
    code
}
