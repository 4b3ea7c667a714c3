//! Reading a file, with one clear message for everything that can be wrong with it.

use std::fmt;
use std::path::{Path, PathBuf};

use super::preprocess::{self, Origins};
use super::read::{MAX_BYTES, bytes, regular};
use super::{Options, decode};

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

/// The bytes of a file if they can be a C text.
pub(super) fn checked(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => Err(LoadError::Binary(path.to_path_buf(), at)),
        None => Ok(bytes),
    }
}

/// Result of reading a file.
pub(super) struct Loaded {
    /// The preprocessed text.
    pub text: String,
    /// Origins of the text in the user's files, if we preprocessed it; otherwise line markers in the text say so.
    pub origins: Option<Origins>,
    /// Warnings as they are shown.
    pub warnings: Vec<String>,
}

/// The preprocessed text of a file; a name that ends in `.i` says that it is preprocessed already.
pub(super) fn program(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    if options.cpp.is_some() {
        regular(path)?;
    }
    let bytes = checked(path, bytes(path)?)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty(path.to_path_buf()));
    }
    let preprocessed = path.extension().is_some_and(|extension| extension == "i");
    if !preprocessed && options.cpp.is_none() {
        let made = preprocess::preprocess(path, decode::program(bytes), options)
            .map_err(LoadError::Invalid)?;
        return Ok(Loaded {
            text: made.text,
            origins: Some(made.origins),
            warnings: made.warnings,
        });
    }
    let bytes = match &options.cpp {
        Some(cpp) if !preprocessed => preprocess::external::run(path, cpp, options)?,
        _ => bytes,
    };
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge(path.to_path_buf()));
    }
    Ok(Loaded {
        text: decode::program(bytes),
        origins: None,
        warnings: Vec::new(),
    })
}
