//! Reports that are written to files.

use crate::report::format::{Format, Report};
use std::path::{Path, PathBuf};

/// Files that reports go to, each with its format.
#[derive(Clone, Debug, Default)]
pub struct Reports(Vec<(&'static Format, PathBuf)>);

impl Reports {
    /// Asks for a report of this format in a file.
    pub fn add(&mut self, format: &'static Format, path: &Path) {
        self.0.push((format, path.to_path_buf()));
    }

    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter().map(|(_, path)| path)
    }

    /// The reports about an outcome: files and texts.
    pub fn of(&self, about: Report) -> Vec<(PathBuf, String)> {
        let text = |(format, path): &(&Format, PathBuf)| (path.clone(), (format.render)(about));
        self.0.iter().map(text).collect()
    }
}
