//! Places in the user's files, and what stands there.

use super::{Position, Source, Sources};
use crate::base::Loc;

/// Program text and names of objects, as far as rendering needs them.
pub trait Places {
    /// File, line and column of a place; `None` for places that no text stands for.
    fn position(&self, loc: Loc) -> Option<Position>;
    /// The source line at a place, if there is one.
    fn line_text(&self, loc: Loc) -> Option<String>;
    /// The whole file of a place as it stands on the disk, if it is at hand.
    fn file_text(&self, _loc: Loc) -> Option<String> {
        None
    }
    /// The program's files, each by its name as the user gave it, and with its text if that is at hand.
    fn files(&self) -> Vec<(String, Option<String>)> {
        Vec::new()
    }
}

impl Places for Sources {
    fn position(&self, loc: Loc) -> Option<Position> {
        Sources::position(self, loc)
    }

    fn line_text(&self, loc: Loc) -> Option<String> {
        self.excerpt(loc).map(|excerpt| excerpt.text)
    }

    fn file_text(&self, loc: Loc) -> Option<String> {
        Sources::file_text(self, loc)
    }

    fn files(&self) -> Vec<(String, Option<String>)> {
        let file = |(_, unit): (Loc, &Source)| (unit.path.display().to_string(), unit.own_text());
        self.units().map(file).collect()
    }
}

/// For reports that know no program text.
pub struct NoPlaces;

impl Places for NoPlaces {
    fn position(&self, _: Loc) -> Option<Position> {
        None
    }

    fn line_text(&self, _: Loc) -> Option<String> {
        None
    }
}

/// A file without its folders.
pub fn short_file(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// `file:line` of a place, as verdicts name it, or words for places without text.
pub fn file_line(places: &dyn Places, loc: Loc) -> String {
    match places.position(loc) {
        Some(position) => format!("{}:{}", position.file, position.line),
        None => "unknown place".to_string(),
    }
}
