//! Files that are there whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file through a temporary one beside it, so that an error leaves what was there before. A path that
/// is there and is no regular file (`/dev/stdout`, a pipe) is written to directly.
///
/// # Errors
/// A message: what was tried, where, and what the system said.
pub fn save(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let told = |error: io::Error| format!("cannot write {}: {error}", path.display());
    if is_special(path) {
        let mut out = BufWriter::new(
            std::fs::OpenOptions::new()
                .write(true)
                .open(path)
                .map_err(told)?,
        );
        return write(&mut out).and_then(|()| out.flush()).map_err(told);
    }
    let file = named(path, 0o666, |builder, folder| builder.tempfile_in(folder)).map_err(told)?;
    let mut out = BufWriter::new(file);
    write(&mut out).and_then(|()| out.flush()).map_err(told)?;
    let file = out.into_inner().map_err(|error| told(error.into_error()))?;
    file.persist(path).map_err(|error| told(error.error))?;
    Ok(())
}

/// Writes a folder of files, named within it, all of them or none. The folder is not there, or is empty.
///
/// # Errors
/// A message: what was tried, where, and what the system said.
pub fn save_all(folder: &Path, files: &[(PathBuf, String)]) -> Result<(), String> {
    let told = |error: io::Error| format!("cannot write {}: {error}", folder.display());
    let made = named(folder, 0o777, |builder, parent| builder.tempdir_in(parent)).map_err(told)?;
    for (name, text) in files {
        let path = made.path().join(name);
        if let Some(inner) = path.parent() {
            std::fs::create_dir_all(inner).map_err(told)?;
        }
        std::fs::write(&path, text).map_err(told)?;
    }
    std::fs::rename(made.path(), folder).map_err(told)?;
    // It has another name now.
    let _ = made.keep();
    Ok(())
}

/// Temporary file or folder beside a path, with the permissions of any new one (the process's mask applies), not the private ones of
/// temporary files.
fn named<T>(
    path: &Path,
    mode: u32,
    make: impl FnOnce(&tempfile::Builder, &Path) -> io::Result<T>,
) -> io::Result<T> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".selvedge-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    make(&builder, folder)
}

/// Removes a file that is to be saved later. What is no regular file stays.
///
/// # Errors
/// A message: what was tried, where, and what the system said.
pub fn remove(path: &Path) -> Result<(), String> {
    if is_special(path) || std::fs::metadata(path).is_err() {
        return Ok(());
    }
    std::fs::remove_file(path)
        .map_err(|error| format!("cannot replace {}: {error}", path.display()))
}

/// Special files: true if the path is written to as it is.
fn is_special(path: &Path) -> bool {
    // Redirected to a file, these look like one, and are none to replace.
    let stream = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    stream.iter().any(|stream| path.starts_with(stream))
        || std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        save(&path, |out| out.write_all(b"old")).unwrap();
        let error = save(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().contains("disk full"));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }

    #[test]
    fn a_missing_folder_is_told() {
        let error = save(Path::new("/nowhere/at/all.json"), |_| Ok(())).unwrap_err();
        assert!(
            error.contains("/nowhere/at/all.json") && error.contains("cannot write"),
            "{error}"
        );
    }

    #[test]
    fn a_full_device_is_told() {
        if Path::new("/dev/full").exists() {
            let error =
                save(Path::new("/dev/full"), |out| out.write_all(&[0; 100_000])).unwrap_err();
            assert!(error.contains("/dev/full"), "{error}");
        }
    }
}
