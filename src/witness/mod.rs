//! Witnesses: what a violation or a proof rests on, as tools of the software-verification competition exchange it, so that any of them
//! can look whether another one is right.
//!
//! A [`Witness`] is data; `graphml.rs` and `yaml.rs` are two spellings of it (format 1.0 as GraphML, format 2.2 as YAML), each of which is
//! written and read in one file. Nothing here knows of programs: `trace/guide` makes the segments of an execution, and finds an execution by
//! them.

mod data;
mod format;
mod graphml;
mod specification;
mod yaml;

pub use data::{Claim, Head, InputFile, Invariant, Kind, Place, Segment, Waypoint, Witness, hash};
pub use format::Format;
pub use specification::{properties, specification};
