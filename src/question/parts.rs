//! Parts: what is known of a question that was cut into cubes.

use std::fmt;

/// Parts that a question was cut into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Number of all.
    pub count: usize,
    /// Those that are decided.
    pub decided: usize,
    /// Name of the formula, if its parts are decided elsewhere.
    pub formula: Option<u128>,
}

impl Parts {
    /// The same with one more that is decided.
    pub(super) fn decided(self) -> Parts {
        Parts {
            decided: self.decided + 1,
            ..self
        }
    }
}

/// Error of Selvedge: cubes that leave executions out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uncovered;

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cubes leave executions out")
    }
}

impl std::error::Error for Uncovered {}
