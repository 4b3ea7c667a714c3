//! Questions that decide a program: which scheme suits, its encoding, and what one incremental solver is asked.
//!
//! [`check_within`] asks whether a violation is possible, and if not, what the answer is worth; [`check_cube`] the same of a part of the
//! executions; [`hunt`] asks for violations alone, and [`chain`] asks the same at several levels in turn.

mod answer;
mod chain;
pub mod choice;
pub mod counts;
mod cube;
mod cut;
pub mod deadlock;
mod decide;
mod encoding;
pub mod faults;
mod known;
mod model;
mod options;
mod parts;
pub mod portfolio;
mod settled;
mod smaller;
#[cfg(test)]
mod tests;

pub use crate::scheme::Scheme;
pub use answer::{Answer, Execution, Failure, Inconsistent, Open, Reach};
pub use chain::{Tell, chain};
#[cfg(test)]
pub use decide::check;
pub use decide::{Checked, check_cube, check_within, hunt};
pub use encoding::{Encoding, Question, Unencoded};
#[cfg(any(test, feature = "internals"))]
pub use known::all_count;
pub use known::{Judge, Judged};
pub use options::{Cutting, Options};
pub use parts::Parts;
pub use smaller::{Idle, OpenSolver, Size, smaller};
