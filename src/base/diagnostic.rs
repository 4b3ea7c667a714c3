//! What stops a program from being read, with its place.

use super::Loc;

/// An error in the user's program: where, and what was expected or is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub loc: Loc,
    pub message: String,
}
