//! Everything that can be wrong with a file, with one clear message for each.

use std::fmt;
use std::path::PathBuf;

/// Reason why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file.
    Missing(PathBuf),
    /// The path names a folder.
    Directory(PathBuf),
    /// It is there, and is not a regular file but this.
    Special(PathBuf, &'static str),
    /// The file exists but cannot be read; the operating system's reason.
    Unreadable(PathBuf, String),
    /// Nothing but white space.
    Empty(PathBuf),
    /// A zero byte: no C text.
    Binary(PathBuf, usize),
    /// More than 256 MiB.
    TooLarge(PathBuf),
    /// The preprocessor could not be started: its command and the reason.
    NoPreprocessor(String, String),
    /// The preprocessor failed on the file; what it wrote.
    Preprocessor(PathBuf, String),
    /// Our own preprocessor found errors; as they are shown, each with its place.
    Invalid(String),
    /// The bundled headers could not be written to a temporary folder.
    Headers(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing(path) => write!(f, "{}: no such file", path.display()),
            LoadError::Directory(path) => {
                write!(f, "{}: is a folder, expected a file", path.display())
            }
            LoadError::Special(path, what) => {
                write!(f, "{}: is {what}, expected a regular file", path.display())
            }
            LoadError::Unreadable(path, why) => {
                write!(f, "{}: cannot be read: {why}", path.display())
            }
            LoadError::Empty(path) => write!(f, "{}: the file is empty", path.display()),
            LoadError::Binary(path, at) => {
                write!(
                    f,
                    "{}: not a C text (zero byte at offset {at})",
                    path.display()
                )
            }
            LoadError::TooLarge(path) => write!(f, "{}: larger than 256 MiB", path.display()),
            LoadError::NoPreprocessor(command, why) => write!(
                f,
                "cannot run the C preprocessor `{command}`: {why}; install it, name another, \
                 or leave --cpp out to use the built-in one"
            ),
            LoadError::Preprocessor(path, output) => {
                write!(
                    f,
                    "{}: the C preprocessor failed:\n{}",
                    path.display(),
                    output.trim_end()
                )
            }
            LoadError::Invalid(text) => f.write_str(text.trim_end()),
            LoadError::Headers(why) => write!(f, "cannot write the bundled headers: {why}"),
        }
    }
}

impl std::error::Error for LoadError {}
