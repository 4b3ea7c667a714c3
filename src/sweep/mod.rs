//! A grid of bounds: programs × schemes with their bounds and choices, each cell verified by itself, in parallel.
//!
//! A cell is a run of this very program in a process of its own, so that its limits of time and memory are its
//! own, and nothing that happens to it touches the others. Every finished cell is appended to a journal at once;
//! a sweep that was ended in whatever way is taken up from there.
//!
//! Cells are started from the smallest bounds to the largest. What a cell found can make others needless: a violation within
//! bounds is one within larger bounds, a complete answer is the same under all, and what is bounded is so within less. Those
//! cells are *implied*; they are not run (and ended if they run already), unless pruning is switched off.
//!
//! A cell may be split into *cubes*, parts of its executions, each of which is run by itself; what they say together is its answer.
//!
//! A sweep is a list of *jobs*, which this machine runs itself ([`sweep`]), or which a folder holds for others ([`Plan`],
//! [`run_job`], [`collect`]), such as clusters ([`submit`]).
//!
//! Architecture invariant: nothing here verifies; a cell knows only what the process printed and wrote.

mod axis;
mod board;
mod content;
mod csv;
mod cube;
pub mod faults;
mod grid;
mod job;
mod journal;
mod page;
mod part;
mod plan;
mod point;
mod process;
mod prune;
mod record;
mod run;
mod shard;
pub mod submit;
mod swept;
mod table;
#[cfg(test)]
mod tests;
mod view;

pub use axis::{Axis, Fits, Kind, UNWIND};
pub use board::News;
pub use content::content;
pub use csv::csv;
pub use grid::{Columns, Grid, Input, Limits};
pub use journal::{Contents, Journal, contents, records};
pub use page::page;
pub use plan::{Plan, Text};
pub use point::{Point, Setting};
pub use record::{Record, Verdict};
pub use run::sweep;
pub use shard::{Done, collect, missing, run as run_job};
pub use swept::Swept;
pub use table::{summary, table};
pub use view::View;
