//! Data races that are excluded by looking at the program as it is written: any number of iterations and threads, all
//! schedules, no bounds. What is not excluded is open, which says nothing.
//!
//! Pointers: [`flow`] has for each register, and for all that memory holds, the places that it may point to, whatever the
//! order of instructions ([`graph`], [`object`]). Threads: [`thread`] has a tree of classes by the instructions that
//! create them, [`order`] which of them may be there at a point of another, by creation and by those joins of which
//! [`join`] and [`array`] are sure. Locks: [`held`] has the locks and sections that a thread is certainly in, [`lock`] what operates on
//! locks, [`beside`] the mutexes that lie beside what is accessed, [`broken`] those that do not protect. Objects that nobody else
//! knows yet are in [`fresh`]. [`undisturbed`] has the accesses that need no interleaving point. [`races`] puts this together.
//!
//! Architecture invariant: nothing is discharged for a reason that does not hold in every execution. Where something is not
//! understood, [`Races::of`] leaves everything open.

mod access;
mod array;
mod beside;
mod broken;
mod candidate;
mod conflict;
pub mod faults;
mod flow;
mod fresh;
mod graph;
mod held;
mod join;
mod lock;
mod object;
mod once;
mod order;
mod pair;
mod pass;
mod print;
mod races;
mod site;
mod thread;
mod undisturbed;

#[cfg(test)]
mod tests;

pub use print::print;
pub use races::Races;
pub use site::{Site, Sites};
