//! Options for reading a file.

use crate::base::DataModel;
use std::path::PathBuf;

/// Dialect of C: what the implementation may choose (C17 J.3), as flags of compilers choose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dialect {
    /// Plain `char` is unsigned (`-funsigned-char`).
    pub unsigned_char: bool,
    /// Enumerations have the smallest type that their values fit in (`-fshort-enums`).
    pub short_enums: bool,
}

/// Standard of C that a compiler was asked for (`-std=`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard {
    /// As `__STDC_VERSION__` says it; `None` for C89 without amendment.
    pub version: Option<&'static str>,
    /// Without the names of GNU C that a program may have for itself (`linux`, `unix`).
    pub strict: bool,
}

impl Default for Standard {
    fn default() -> Standard {
        Standard {
            version: Some("201710L"),
            strict: false,
        }
    }
}

/// Options for reading a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Command of an external preprocessor, split at white space (`--cpp`); `None` for our own.
    pub cpp: Option<String>,
    /// Macros `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Macros that are not to be defined, in spite of what predefines them (`-U`).
    pub undefines: Vec<String>,
    /// Folders searched first, for headers in quotes alone (`-iquote`).
    pub quote_includes: Vec<PathBuf>,
    /// Folders searched for headers before ours (`-I`).
    pub includes: Vec<PathBuf>,
    /// Folders searched after ours (`--isystem`).
    pub system_includes: Vec<PathBuf>,
    /// Headers that are read before the file, as if it included them (`-include`).
    pub forced: Vec<PathBuf>,
    /// Our own headers are not searched (`-nostdinc`).
    pub bare: bool,
    /// Standard that is predefined.
    pub standard: Standard,
    /// What a compiler's flags change of the language.
    pub dialect: Dialect,
    /// Sizes of the basic types, which the bundled headers follow.
    pub model: DataModel,
    /// Text that follows that of the file, with `#line` where it says so.
    pub appended: Option<String>,
    /// Predefined macros, by name; `None` for all of them. Our own texts need few.
    pub predefined: Option<&'static [&'static str]>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cpp: None,
            defines: vec![],
            undefines: vec![],
            quote_includes: vec![],
            includes: vec![],
            system_includes: vec![],
            forced: vec![],
            bare: false,
            standard: Standard::default(),
            dialect: Dialect::default(),
            model: DataModel::Lp64,
            appended: None,
            predefined: None,
        }
    }
}
