//! A grid of bounds: programs × schemes with their bounds × unwindings, each cell verified by itself, in parallel.
//!
//! A cell is a run of this very program in a process of its own, so that its limits of time and memory are its
//! own, and nothing that happens to it touches the others. Every finished cell is appended to a journal at once;
//! a sweep that was ended in whatever way is taken up from there.
//!
//! Cells are started from the smallest bounds to the largest. What a cell found can make larger ones needless:
//! a violation within bounds is one within larger bounds, and a complete answer is the same under all. Those
//! cells are *implied*; they are not run (and ended if they run already), unless pruning is switched off.
//!
//! Architecture invariant: nothing here verifies; a cell knows only what the process printed and wrote.

mod content;
mod grid;
mod journal;
mod process;
mod prune;
mod record;
mod row;
mod run;
mod swept;
mod table;
#[cfg(test)]
mod tests;

pub use content::content;
pub use grid::{Grid, Input, Limits};
pub use journal::Journal;
pub use record::Verdict;
pub use row::{Row, Setting};
pub use run::sweep;
pub use swept::Swept;
pub use table::{summary, table};
