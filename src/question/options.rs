//! Options of a question.

use crate::ir::Checks;
use crate::scheme::Scheme;

/// Options of the decision of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheme, with its settings.
    pub scheme: Scheme,
    /// Reduction: reads get the ranges of what is written, and what the property does not depend on is left out.
    pub reduce: bool,
    /// Recording: true to keep the question whether an assertion can be violated.
    pub record: bool,
    /// Checks that violations are looked for of.
    pub checks: Checks,
    /// The first violation ends the search.
    pub first: bool,
    /// Cubes that a question is cut into, if it is.
    pub cubes: Option<Cutting>,
}

/// Cubes of a question: how many, and where a violation is looked for before they are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cutting {
    /// The most cubes.
    pub most: usize,
    /// Seed of the windows in which a violation is looked for.
    pub seed: u32,
}

impl Options {
    /// The defaults of a scheme.
    pub fn new(scheme: impl Into<Scheme>) -> Options {
        Options {
            scheme: scheme.into(),
            reduce: true,
            record: false,
            checks: Checks::ASSERT,
            first: false,
            cubes: None,
        }
    }
}
