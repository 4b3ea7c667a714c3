//! Maps and sets in the order of their keys, in two levels: a list of chunks, each a sorted list of at most [`CHUNK`] entries.
//!
//! They answer as `BTreeMap` and `BTreeSet` of the standard library do, in the same order, and are there for the time of a build: the compiler
//! writes each kind of map anew for each type of its keys and values, of which there are more than two hundred, and a sorted list needs a quarter of
//! the code of a tree (`benchmarks/results/build.md` has the figures).

#![cfg_attr(
    not(feature = "internals"),
    expect(
        unnameable_types,
        reason = "the lint takes what a reference to a private type implements for public"
    )
)]

mod chunks;
mod entry;
mod iter;
mod map;
mod set;

#[cfg(test)]
mod tests;

pub use entry::Entry;
pub use map::SortedMap;
pub use set::SortedSet;

/// The most entries of a chunk: an insertion moves half of them at most times, a search among a million entries looks through four thousand chunks in
/// twelve steps.
const CHUNK: usize = 256;
