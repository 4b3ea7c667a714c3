//! Places of tokens. Each inclusion of a file gets a range of numbers, one for each byte of its text; a place is such a
//! number, and leads back to file, line, column and to the chain of inclusions.

use super::buffer::Buffer;
use crate::source::{Excerpt, Position};
use std::path::Path;
use std::sync::Arc;

/// A byte of an inclusion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) struct BytePos(pub u32);

/// All inclusions, in the order of their ranges.
#[derive(Debug, Default)]
pub(in super::super) struct Inclusions {
    inclusions: Vec<Inclusion>,
    next: u32,
}

/// One reading of a file.
#[derive(Debug)]
struct Inclusion {
    base: u32,
    buffer: Arc<Buffer>,
    /// The file's name, for people.
    name: Arc<str>,
    /// Place of the `#include`; `None` for the user's file and for texts of our own.
    parent: Option<BytePos>,
    /// `#line`: from this offset on, what to add to line numbers, and the name of the file.
    renamed: Vec<(u32, i64, Arc<str>)>,
}

/// All inclusions together have at most so many bytes.
const MOST_BYTES: u32 = 1 << 30;

impl Inclusions {
    /// Numbers for a text that is included at `parent`: the place of its first byte. `None` if there are no more.
    pub fn include(
        &mut self,
        buffer: &Arc<Buffer>,
        name: &str,
        parent: Option<BytePos>,
    ) -> Option<BytePos> {
        let base = self.next;
        // One more, so that the end of the text is a place.
        let length = u32::try_from(buffer.text().len()).ok()?.checked_add(1)?;
        self.next = base
            .checked_add(length)
            .filter(|next| *next <= MOST_BYTES)?;
        self.inclusions.push(Inclusion {
            base,
            buffer: Arc::clone(buffer),
            name: name.into(),
            parent,
            renamed: Vec::new(),
        });
        Some(BytePos(base))
    }

    /// Number of inclusions so far.
    pub fn count(&self) -> usize {
        self.inclusions.len()
    }

    fn inclusion(&self, place: BytePos) -> (&Inclusion, u32) {
        let after = self
            .inclusions
            .partition_point(|inclusion| inclusion.base <= place.0);
        let inclusion = &self.inclusions[after.saturating_sub(1)];
        (inclusion, place.0.saturating_sub(inclusion.base))
    }

    /// From here on, lines count from `line` for the one after the place's, in the file of this name (or the same).
    pub fn rename(&mut self, place: BytePos, line: u32, name: Option<&str>) {
        let (inclusion, offset) = self.inclusion(place);
        let physical = inclusion.buffer.line(offset);
        let name = match name {
            Some(name) => name.into(),
            None => inclusion.file(offset).0,
        };
        let shift = i64::from(line) - i64::from(physical) - 1;
        let index = self
            .inclusions
            .partition_point(|inclusion| inclusion.base <= place.0);
        self.inclusions[index - 1]
            .renamed
            .push((offset, shift, name));
    }

    /// The presumed line.
    pub fn line(&self, place: BytePos) -> u32 {
        let (inclusion, offset) = self.inclusion(place);
        inclusion.presumed_line(offset)
    }

    /// The presumed name of the file.
    pub fn file(&self, place: BytePos) -> Arc<str> {
        let (inclusion, offset) = self.inclusion(place);
        inclusion.file(offset).0
    }

    /// File, line and column.
    pub fn position(&self, place: BytePos) -> Position {
        let (inclusion, offset) = self.inclusion(place);
        Position {
            file: inclusion.file(offset).0.to_string(),
            line: inclusion.presumed_line(offset),
            column: inclusion.buffer.column(offset),
        }
    }

    /// The line as it stands in the file, and the column.
    pub fn excerpt(&self, place: BytePos) -> Excerpt {
        let (inclusion, offset) = self.inclusion(place);
        Excerpt {
            text: inclusion.buffer.line_text(offset).to_string(),
            column: Some(inclusion.buffer.column(offset)),
        }
    }

    /// File and byte offset in its text, whose spliced lines are joined.
    pub fn byte(&self, place: BytePos) -> (&Path, usize) {
        let (inclusion, offset) = self.inclusion(place);
        (Path::new(&*inclusion.name), offset as usize)
    }

    /// Text of a file that was read, with its spliced lines joined.
    pub fn text(&self, file: &Path) -> Option<&str> {
        let found = self
            .inclusions
            .iter()
            .find(|inclusion| Path::new(&*inclusion.name) == file);
        found.map(|inclusion| inclusion.buffer.text())
    }

    /// The file of this name that nothing includes.
    pub fn own_text(&self, name: &str) -> Option<&str> {
        let is_own = |one: &&Inclusion| one.parent.is_none() && *one.name == *name;
        let own = self.inclusions.iter().find(is_own);
        own.map(|own| own.buffer.original())
    }

    /// The whole file; `None` if it counts its lines otherwise (`#line`).
    pub fn file_text(&self, place: BytePos) -> Option<&str> {
        let inclusion = self.inclusion(place).0;
        let is_plain = inclusion.renamed.is_empty();
        is_plain.then(|| inclusion.buffer.original())
    }

    /// Chain of inclusions: where the file of this place was included, and where that file was, up to the user's file.
    pub fn including(&self, place: BytePos) -> Vec<Position> {
        let mut chain = Vec::new();
        let mut next = self.inclusion(place).0.parent;
        while let Some(parent) = next {
            chain.push(self.position(parent));
            next = self.inclusion(parent).0.parent;
        }
        chain
    }
}

impl Inclusion {
    fn file(&self, offset: u32) -> (Arc<str>, i64) {
        let after = self.renamed.partition_point(|(from, ..)| *from <= offset);
        match after.checked_sub(1).map(|index| &self.renamed[index]) {
            Some((_, shift, name)) => (Arc::clone(name), *shift),
            None => (Arc::clone(&self.name), 0),
        }
    }

    fn presumed_line(&self, offset: u32) -> u32 {
        let line = i64::from(self.buffer.line(offset)) + self.file(offset).1;
        u32::try_from(line.max(0)).unwrap_or(u32::MAX)
    }
}
