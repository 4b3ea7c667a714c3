//! Options for reading a file.

use crate::base::DataModel;
use std::path::PathBuf;

/// Options for reading a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Command of an external preprocessor, split at white space (`--cpp`); `None` for our own.
    pub cpp: Option<String>,
    /// Macros `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Macros that are not to be defined, in spite of what predefines them (`-U`).
    pub undefines: Vec<String>,
    /// Folders searched for headers before ours (`-I`).
    pub includes: Vec<PathBuf>,
    /// Folders searched after ours (`--isystem`).
    pub system_includes: Vec<PathBuf>,
    /// Sizes of the basic types, which the bundled headers follow.
    pub model: DataModel,
    /// Predefined macros, by name; `None` for all of them. Our own texts need few.
    pub predefined: Option<&'static [&'static str]>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cpp: None,
            defines: vec![],
            undefines: vec![],
            includes: vec![],
            system_includes: vec![],
            model: DataModel::Lp64,
            predefined: None,
        }
    }
}
