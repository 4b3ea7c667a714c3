//! Places in the user's files, and what stands there.

use super::{Position, Sources};
use crate::base::Loc;

/// Program text and names of objects, as far as rendering needs them.
pub trait Places {
    /// File, line and column of a place; `None` for places that no text stands for.
    fn position(&self, loc: Loc) -> Option<Position>;
    /// The source line at a place, if there is one.
    fn line_text(&self, loc: Loc) -> Option<String>;
    /// The name of what lies at an address (`queue.items[3]`), if it is known.
    fn address_name(&self, _address: u128) -> Option<String> {
        None
    }
}

impl Places for Sources {
    fn position(&self, loc: Loc) -> Option<Position> {
        Sources::position(self, loc)
    }

    fn line_text(&self, loc: Loc) -> Option<String> {
        self.excerpt(loc).map(|excerpt| excerpt.text)
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

/// A program text together with names of addresses.
pub struct Named<'a, F> {
    pub source: &'a Sources,
    /// The name of what lies at an address, if it is known.
    pub names: F,
}

impl<F: Fn(u128) -> Option<String>> Places for Named<'_, F> {
    fn position(&self, loc: Loc) -> Option<Position> {
        self.source.position(loc)
    }

    fn line_text(&self, loc: Loc) -> Option<String> {
        Places::line_text(self.source, loc)
    }

    fn address_name(&self, address: u128) -> Option<String> {
        (self.names)(address)
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
