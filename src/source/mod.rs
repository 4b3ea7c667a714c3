//! From files to preprocessed text, by our own preprocessor ([`preprocess`]) or another one, with our own headers; and
//! for every offset of the text, which place of which file of the user it came from.
//!
//! Architecture invariant: nothing here understands C beyond its tokens.

mod decode;
mod edits;
mod error;
mod headers;
pub mod known;
mod lines;
mod load;
mod marked;
mod message;
mod names;
mod options;
pub mod place;
mod position;
mod preprocess;
pub mod read;
mod render;
mod sources;
mod statement;
pub mod task;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use crate::base::DataModel;
use crate::base::{Loc, WarningKind};
pub use edits::Edits;
pub use error::LoadError;
pub use message::Message;
pub(crate) use names::universal;
pub use names::{escape_name, has_escape, original_name};
pub use options::{Dialect, Options, Standard};
pub use position::{Excerpt, Position};
pub use render::{Text, render, render_all, render_warning};
pub use sources::{Sources, names};
pub use statement::Statement;

use lines::LineMap;
use preprocess::Origins;

/// A preprocessed program text.
#[derive(Debug)]
pub struct Source {
    /// The file that the user named.
    pub path: PathBuf,
    /// The text after preprocessing.
    pub text: String,
    /// Warnings of the preprocessor, each with its kind.
    pub warnings: Vec<(WarningKind, Message)>,
    /// The dialect that it is written in.
    pub dialect: Dialect,
    /// Folders of headers that are the system's.
    system: Vec<PathBuf>,
    map: Map,
    /// Differences between the text that the parser read and `text`, and its size in bytes; set when it is parsed.
    edits: OnceLock<(Edits, u32)>,
}

/// The way from the text back to the user's files.
#[derive(Debug)]
enum Map {
    /// By the line markers in the text.
    Markers(LineMap),
    /// As our preprocessor recorded it.
    Exact(Origins),
}

impl Source {
    /// Reads and, unless its name ends in `.i`, preprocesses a file.
    pub fn load(path: &Path, options: &Options) -> Result<Source, LoadError> {
        let loaded = load::program(path, options)?;
        let path = load::shown(path);
        let name = path.to_string_lossy();
        Ok(match loaded.origins {
            None => Source {
                dialect: options.dialect,
                ..Source::from_text(&name, loaded.text)
            },
            Some(origins) => Source {
                path: path.to_path_buf(),
                text: loaded.text,
                warnings: loaded.warnings,
                dialect: options.dialect,
                system: options.system_includes.clone(),
                map: Map::Exact(origins),
                edits: OnceLock::new(),
            },
        })
    }

    /// Preprocesses a text as if it was read from this file.
    ///
    /// # Errors
    /// As they are shown, each with its place.
    pub fn preprocess(path: &Path, text: String, options: &Options) -> Result<Source, LoadError> {
        let made = preprocess::preprocess(path, text, options).map_err(LoadError::Invalid)?;
        Ok(Source {
            path: path.to_path_buf(),
            text: made.text,
            warnings: made.warnings,
            dialect: options.dialect,
            system: options.system_includes.clone(),
            map: Map::Exact(made.origins),
            edits: OnceLock::new(),
        })
    }

    /// A program that is already preprocessed; `name` stands for its file where the text has no line markers.
    pub fn from_text(name: &str, text: impl Into<String>) -> Source {
        let text = text.into();
        let lines = LineMap::new(name, &text);
        Source {
            path: PathBuf::from(name),
            text,
            warnings: Vec::new(),
            dialect: Dialect::default(),
            system: Vec::new(),
            map: Map::Markers(lines),
            edits: OnceLock::new(),
        }
    }

    /// A program out of a text that is not preprocessed yet; `name` stands for its file.
    ///
    /// # Errors
    /// All that is wrong with it, as it is shown.
    pub fn preprocessed(name: &str, text: String, options: &Options) -> Result<Source, String> {
        let made = preprocess::preprocess(Path::new(name), text, options)?;
        Ok(Source::from_text(name, made.text))
    }

    /// The file, line and column of a place; `None` for places that no text stands for.
    pub fn position(&self, loc: Loc) -> Option<Position> {
        let offset = self.original_offset(loc)?;
        let lines = match &self.map {
            Map::Exact(origins) => return origins.position(offset),
            Map::Markers(lines) => lines,
        };
        let place = lines.place(offset);
        let column = self.text[place.line_start..offset].chars().count() as u32 + 1;
        let excerpt = lines.excerpt(&self.text, offset);
        Some(Position {
            file: lines.file(place.file).to_string(),
            line: place.line,
            column: excerpt.column.unwrap_or(column),
        })
    }

    /// The same in the file that is read: in one that was preprocessed before, whatever its line markers say.
    pub fn own_position(&self, loc: Loc) -> Option<Position> {
        if !self.is_preprocessed() {
            return self.position(loc);
        }
        let offset = self.original_offset(loc)?;
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Some(Position {
            file: self.path.display().to_string(),
            line: before.matches('\n').count() as u32 + 1,
            column: before[start..].chars().count() as u32 + 1,
        })
    }

    /// True if a line ends between two places of the text that the parser reads.
    pub fn has_line_between(&self, from: Loc, to: Loc) -> bool {
        let ends = (self.original_offset(from), self.original_offset(to));
        let (Some(from), Some(to)) = ends else {
            return false;
        };
        let between = self.text.get(from..to);
        between.is_some_and(|between| between.contains('\n'))
    }

    /// True for places in headers that are not the user's: those that are bundled, and those of the system.
    pub fn is_system(&self, loc: Loc) -> bool {
        let Some(offset) = self.original_offset(loc) else {
            return false;
        };
        match &self.map {
            Map::Markers(lines) => lines.is_system(lines.place(offset).file),
            Map::Exact(origins) => origins.position(offset).is_some_and(|place| {
                let mut folders = self.system.iter();
                place.file.starts_with('<')
                    || folders.any(|folder| Path::new(&place.file).starts_with(folder))
            }),
        }
    }

    /// File and range of bytes in it of a range of the text that the parser reads; `None` where it does not stand there as it is
    /// parsed, as where a macro has made it.
    pub fn file_span(&self, from: Loc, to: Loc) -> Option<(PathBuf, Range<usize>)> {
        let last = Loc(to.0.checked_sub(1)?);
        let range = self.original_offset(from)?..self.original_offset(last)? + 1;
        match &self.map {
            Map::Markers(_) => {
                let is_part = range.start < range.end && self.text.get(range.clone()).is_some();
                is_part.then(|| (self.path.clone(), range))
            }
            Map::Exact(origins) => {
                let (file, range) = origins.span(&self.text, range)?;
                Some((file.to_path_buf(), range))
            }
        }
    }

    /// Text of one of its files, in which [`Source::file_span`] counts.
    pub fn text_of(&self, file: &Path) -> Option<String> {
        match &self.map {
            Map::Markers(_) => (file == self.path).then(|| self.text.clone()),
            Map::Exact(origins) => origins.text(file).map(str::to_string),
        }
    }

    /// True if the text is the user's file, which was preprocessed before.
    pub fn is_preprocessed(&self) -> bool {
        matches!(self.map, Map::Markers(_))
    }

    /// The source line of a place, from the user's file if it can still be read.
    pub fn excerpt(&self, loc: Loc) -> Option<Excerpt> {
        let offset = self.original_offset(loc)?;
        match &self.map {
            Map::Exact(origins) => origins.excerpt(offset),
            Map::Markers(lines) => Some(lines.excerpt(&self.text, offset)),
        }
    }

    /// The whole file of a place, as it stands on the disk; `None` where `#line` has other numbers for it, or it cannot be read any more.
    pub fn file_text(&self, loc: Loc) -> Option<String> {
        let offset = self.original_offset(loc)?;
        match &self.map {
            Map::Exact(origins) => origins.file_text(offset).map(str::to_string),
            Map::Markers(lines) => lines.file_text(lines.place(offset).file),
        }
    }

    /// The file that the user named, as it stands on the disk, if it is at hand.
    pub fn own_text(&self) -> Option<String> {
        let name = self.path.to_string_lossy();
        match &self.map {
            Map::Exact(origins) => origins.own_text(&name).map(str::to_string),
            Map::Markers(lines) => lines.own_text(&name),
        }
    }

    /// Remembers how the parser's text, which has so many bytes, differs from [`Source::text`]: every [`Loc`] counts in the parser's
    /// text. Parsing is a function of the text, so a second call would say the same and is ignored.
    pub fn set_edits(&self, edits: Edits, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let _ = self.edits.set((edits, bytes));
    }

    /// Bytes of the parser's text.
    fn parsed_bytes(&self) -> u32 {
        let parsed = self.edits.get().map(|(_, bytes)| *bytes);
        parsed.unwrap_or(u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    /// The offset in `text` of a place in the text that was parsed, at a character boundary.
    fn original_offset(&self, loc: Loc) -> Option<usize> {
        if loc == Loc::NONE {
            return None;
        }
        let offset = self
            .edits
            .get()
            .map_or(loc.0, |(edits, _)| edits.original(loc.0));
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        Some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_line_markers_and_edits() {
        let source = Source::from_text("a.i", "# 7 \"b.c\"\nint x;\nint yy;\n");
        let at = source.text.find("yy").unwrap() as u32;
        let expect = Position {
            file: "b.c".into(),
            line: 8,
            column: 5,
        };
        assert_eq!(source.position(Loc(at)), Some(expect.clone()));
        // The parser's text is 3 longer before `yy`.
        source.set_edits(Edits::new(vec![(0, 0), (at + 3, at)]), 40);
        assert_eq!(source.position(Loc(at + 3)), Some(expect));
        assert_eq!(source.position(Loc::NONE), None);
    }
}
