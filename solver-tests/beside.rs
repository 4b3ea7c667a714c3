//! Files beside the tests: folders of programs.

use std::path::{Path, PathBuf};

/// A file or folder of `solver-tests`.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("solver-tests")
        .join(name)
}

/// The files with an extension in a folder of `solver-tests`, sorted by name; at least one.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path(folder)).expect("the folder is part of the project");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

/// The C programs of a folder of `solver-tests`, each with its name.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    let files = files(folder, "c");
    files.iter().map(|path| (name(path), text(path))).collect()
}

/// The text of a file.
pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
