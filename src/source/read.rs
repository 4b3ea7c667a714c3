//! Bytes of input files. What may never end, or never begin, is no input: devices, terminals, pipes that have a name.
//!
//! Pipes without a name (standard input behind `|`, as `/dev/stdin`; process substitution) are read to their end: who
//! wrote the command has also said who writes them. They can be read only once.

use super::LoadError;
use std::fs::{File, FileType, Metadata};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Larger texts are refused; offsets must fit a `Loc`.
pub(super) const MAX_BYTES: usize = 256 << 20;

/// Reads the bytes of a regular file, or of a pipe without a name.
///
/// # Errors
/// See [`LoadError`].
pub fn bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let found = metadata(path)?;
    if !found.is_file() && !is_nameless_pipe(path, found.file_type()) {
        return Err(special(path, found.file_type()));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| refused(path, &error))?;
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge(path.to_path_buf()));
    }
    Ok(bytes)
}

/// The bytes of a file if they can be a C text.
pub(super) fn checked(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => Err(LoadError::Binary(path.to_path_buf(), at)),
        None => Ok(bytes),
    }
}

/// Refuses what cannot be read more than once.
///
/// # Errors
/// See [`LoadError`].
pub fn regular(path: &Path) -> Result<(), LoadError> {
    let found = metadata(path)?;
    if found.is_file() {
        Ok(())
    } else {
        Err(special(path, found.file_type()))
    }
}

fn metadata(path: &Path) -> Result<Metadata, LoadError> {
    let found = std::fs::metadata(path).map_err(|error| refused(path, &error))?;
    if found.is_dir() {
        Err(LoadError::Directory(path.to_path_buf()))
    } else {
        Ok(found)
    }
}

fn refused(path: &Path, error: &std::io::Error) -> LoadError {
    let path = path.to_path_buf();
    match error.kind() {
        ErrorKind::NotFound => LoadError::Missing(path),
        ErrorKind::IsADirectory => LoadError::Directory(path),
        _ => LoadError::Unreadable(path, error.to_string()),
    }
}

fn special(path: &Path, kind: FileType) -> LoadError {
    LoadError::Special(path.to_path_buf(), name(kind))
}

/// Nameless pipes: true if a path leads to a pipe that no folder names.
#[cfg(unix)]
fn is_nameless_pipe(path: &Path, kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() && path.canonicalize().is_err()
}

#[cfg(not(unix))]
fn is_nameless_pipe(_path: &Path, _kind: FileType) -> bool {
    false
}

/// Kind of a file that is no regular one, in words.
#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name(_kind: FileType) -> &'static str {
    "no regular file"
}
