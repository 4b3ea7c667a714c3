//! One run through the stages. What it returns is rendered by [`super::answer`].

use super::config::{Config, Stage};
use crate::base::Budget;
use crate::report::Outcome;
use crate::report::place::Places;
use crate::sat::dimacs::Cnf;

/// What verification found out.
pub struct Verified {
    pub outcome: Outcome,
    /// Names the places of the outcome.
    pub places: Box<dyn Places>,
    /// The last formula that was solved, if `--dimacs` asks for it.
    pub formula: Option<Formula>,
}

/// A formula with the assumptions it was solved under.
pub struct Formula {
    pub cnf: Cnf,
    pub assumptions: Vec<i32>,
}

/// Verifies the program that is configured.
///
/// # Errors
/// A diagnostic with its source line, where the input is no program that can be checked (exit 2).
pub fn verify(config: &Config, _budget: &Budget) -> Result<Verified, String> {
    Err(not_connected(config))
}

/// What a stage makes of the program, as text.
///
/// # Errors
/// As for [`verify`].
pub fn show(config: &Config, _stage: Stage, _budget: &Budget) -> Result<String, String> {
    Err(not_connected(config))
}

fn not_connected(config: &Config) -> String {
    format!(
        "selvedge: {}: the stages are not connected in this build",
        config.file.display()
    )
}
