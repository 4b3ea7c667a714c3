//! Cubes of cells: parts of a cell's executions, each a job of its own.

use serde::{Deserialize, Serialize};

/// Cube of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cube {
    /// Number, from 1.
    pub number: u32,
    /// Number of all.
    pub of: u32,
    /// Name of the formula that is split, if it came so far.
    pub formula: Option<String>,
}

impl Cube {
    /// Words that an answer about a cube has and one about the whole has not.
    pub(super) fn bound(&self) -> String {
        format!("cube {} of {}", self.number, self.of)
    }

    /// The value of the option that asks for it.
    pub(super) fn word(&self) -> String {
        format!("{}/{}", self.number, self.of)
    }
}
