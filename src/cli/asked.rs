//! Options as the user gave them.

use super::limits::Limits;
use super::output::Output;
use crate::base::DataModel;
use crate::ir::Check;
use crate::session::{self, Request};
use std::path::PathBuf;

/// Options of a run as they were given.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Widths of the basic types, if somebody chose them.
    pub model: Option<DataModel>,
    /// Options of reading the file.
    pub reading: session::Options,
    /// Beginning of execution, as it was given.
    pub beginning: Beginning,
    /// A compilation database, and patterns of its files.
    pub compile_commands: Option<PathBuf>,
    pub patterns: Vec<String>,
    /// The property as it was named.
    pub property: Option<String>,
    /// The checks that were named.
    pub checks: Vec<Check>,
    /// Those that were named by themselves, and not as a part of several together.
    pub single: Vec<Check>,
    /// The first violation ends the search.
    pub first: bool,
    /// Files of findings that do not count.
    pub suppress: Vec<PathBuf>,
    /// Request to the session; bounds of single loops are below.
    pub request: Request,
    /// Bounds of single loops.
    pub unwind_of: Vec<UnwindOf>,
    /// Limits of the run.
    pub limits: Limits,
    /// Files to write, and what to print.
    pub output: Output,
}

/// A bound of a single loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnwindOf {
    /// Name of its function.
    pub function: String,
    /// Its number: loops of a function are numbered from 0.
    pub number: u32,
    /// The most iterations.
    pub iterations: u32,
}

/// Beginning of execution: the function, its arguments, and files with further bodies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Beginning {
    /// The function in place of `main`.
    pub entry: Option<String>,
    /// Elements that its pointers lead to the first of.
    pub elements: Option<u64>,
    /// Its pointers may lead to one object.
    pub aliases: bool,
    /// Its pointers may be null.
    pub null: bool,
    /// Files that supply bodies of functions.
    pub stubs: Vec<PathBuf>,
}
