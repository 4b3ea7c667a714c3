//! Failures of searches.

use crate::base::StopReason;

/// Reasons why a check ends early.
pub enum Failure {
    NoSolver,
    Unsound(String),
    Stopped(StopReason),
    /// An attempt takes too long; whoever made it goes on without.
    Impatient,
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Failure {
        Failure::Stopped(reason)
    }
}
