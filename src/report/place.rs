//! Places in the user's files, and what stands there.

use crate::base::Loc;
use std::fmt;

/// What rendering needs to know of the program text and its objects.
pub trait Places {
    /// File, line and column of a place; `None` for places that no text stands for.
    fn place(&self, loc: Loc) -> Option<Place>;
    /// The source line at a place, if there is one.
    fn line_text(&self, loc: Loc) -> Option<String>;
    /// The name of what lies at an address (`queue.items[3]`), if it is known.
    fn address_name(&self, _address: u128) -> Option<String> {
        None
    }
}

/// A place in a file of the user; lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// The file without its folders.
    pub fn short_file(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// `file:line`, as verdicts name it.
    pub fn file_line(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// `file:line` of a place, or words for places without text.
pub fn file_line(places: &dyn Places, loc: Loc) -> String {
    places
        .place(loc)
        .map_or_else(|| "unknown place".to_string(), |place| place.file_line())
}
