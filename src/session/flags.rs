//! Flags of a compiler, as far as they say how a file is to be read.

use crate::base::DataModel;
pub use crate::source::{Dialect, Standard};
use std::path::PathBuf;

/// What flags of a compiler say of a file. They add to the options of reading, and change none of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Macros, as `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Macros that are not defined (`-U`).
    pub undefines: Vec<String>,
    /// Folders of headers in quotes (`-iquote`).
    pub quote_includes: Vec<PathBuf>,
    /// Folders of headers (`-I`).
    pub includes: Vec<PathBuf>,
    /// Folders of headers that are searched after the bundled ones (`-isystem`, `-idirafter`).
    pub system_includes: Vec<PathBuf>,
    /// Headers that come before the file (`-include`).
    pub forced: Vec<PathBuf>,
    /// No header but those of named folders (`-nostdinc`).
    pub bare: bool,
    /// Standard of C (`-std=`).
    pub standard: Standard,
    /// Plain `char`, and sizes of enumerations.
    pub dialect: Dialect,
    /// Widths of the basic types (`-m32`, `-m64`), if one was named.
    pub model: Option<DataModel>,
}
