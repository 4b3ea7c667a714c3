//! Reading a file, with one clear message for everything that can be wrong with it.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Options, decode, preprocess};

/// Larger texts are refused; offsets must fit a `Loc`.
const MAX_BYTES: usize = 256 << 20;

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file.
    Missing(PathBuf),
    /// The path names a folder.
    Directory(PathBuf),
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
    /// The bundled headers could not be written to a temporary folder.
    Headers(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing(path) => write!(f, "{}: no such file", path.display()),
            LoadError::Directory(path) => {
                write!(f, "{}: is a folder, expected a C file", path.display())
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
                "cannot run the C preprocessor `{command}`: {why}; install a C compiler, name another with --cpp, \
                 or give a preprocessed file (.i)"
            ),
            LoadError::Preprocessor(path, output) => {
                write!(
                    f,
                    "{}: the C preprocessor failed:\n{}",
                    path.display(),
                    output.trim_end()
                )
            }
            LoadError::Headers(why) => write!(f, "cannot write the bundled headers: {why}"),
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads the bytes of a file.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let named = path.to_path_buf();
    let described = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => LoadError::Missing(named.clone()),
        ErrorKind::IsADirectory => LoadError::Directory(named.clone()),
        _ => LoadError::Unreadable(named.clone(), error.to_string()),
    };
    let data = std::fs::metadata(path).map_err(described)?;
    if data.is_dir() {
        return Err(LoadError::Directory(named));
    }
    if data.len() > MAX_BYTES as u64 {
        return Err(LoadError::TooLarge(named));
    }
    std::fs::read(path).map_err(described)
}

/// The preprocessed text of a file; a name that ends in `.i` says that it is preprocessed already.
pub(super) fn text(path: &Path, options: &Options) -> Result<String, LoadError> {
    let bytes = bytes(path)?;
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(LoadError::Binary(path.to_path_buf(), at));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty(path.to_path_buf()));
    }
    let bytes = match path.extension() {
        Some(extension) if extension == "i" => bytes,
        _ => preprocess::run(path, options)?,
    };
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge(path.to_path_buf()));
    }
    Ok(decode::program(bytes))
}
