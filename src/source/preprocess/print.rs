//! Tokens to the text that is parsed, and from there back to the places they came from.

use super::inclusions::{BytePos, Inclusions};
use super::token::{Kind, Token};
use crate::source::{Excerpt, Position};
use std::ops::Range;
use std::path::Path;

/// A preprocessed text.
#[derive(Default)]
pub(super) struct Printer {
    pub text: String,
    points: Vec<(u32, BytePos)>,
    last: Option<(Kind, char)>,
}

/// The text may have so many bytes.
pub(super) const MOST_BYTES: usize = 192 << 20;

impl Printer {
    /// Appends a token with this spelling.
    pub fn token(&mut self, token: &Token, text: &str) {
        let text = match (token.kind, text) {
            (Kind::Punctuator, "<:") => "[",
            (Kind::Punctuator, ":>") => "]",
            (Kind::Punctuator, "<%") => "{",
            (Kind::Punctuator, "%>") => "}",
            (_, text) => text,
        };
        let starts_line = self.text.is_empty() || self.text.ends_with('\n');
        if token.kind == Kind::Pragma {
            if !starts_line {
                self.text.push('\n');
            }
            self.text.push_str(text);
            self.text.push('\n');
            self.last = None;
            return;
        }
        if !starts_line {
            if token.first {
                self.text.push('\n');
            } else if token.space || self.last.is_some_and(|last| merge(last, token.kind, text)) {
                self.text.push(' ');
            }
        }
        let here = self.text.len() as u32;
        let known = self.points.last().is_some_and(|(offset, place)| {
            token.place.0.checked_sub(place.0) == Some(here - offset)
        });
        if !known {
            self.points.push((here, token.place));
        }
        self.text.push_str(text);
        self.last = text.chars().next_back().map(|c| (token.kind, c));
    }

    /// The text with a newline at its end, and the way back.
    pub fn finish(mut self, inclusions: Inclusions) -> (String, Origins) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.points.shrink_to_fit();
        let origins = Origins {
            points: self.points,
            inclusions,
        };
        (self.text, origins)
    }
}

/// Need of a space: true if a token would read differently right after another one.
fn merge(last: (Kind, char), kind: Kind, text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    let word = |kind| matches!(kind, Kind::Word | Kind::Number);
    match (last.0, kind) {
        (left, right) if word(left) && word(right) => true,
        // `L` before a quote is a prefix; a number swallows points and signs.
        (Kind::Word, Kind::Text | Kind::Character) => true,
        (Kind::Number, Kind::Punctuator) => matches!(first, '.' | '+' | '-'),
        (Kind::Punctuator, Kind::Number) => last.1 == '.',
        (Kind::Punctuator, Kind::Punctuator) => {
            !matches!(
                last.1,
                '(' | ')' | '[' | ']' | '{' | '}' | ';' | ',' | '~' | '?'
            ) && !matches!(
                first,
                '(' | ')' | '[' | ']' | '{' | '}' | ';' | ',' | '~' | '?'
            )
        }
        (Kind::Stray, _) | (_, Kind::Stray) => true,
        _ => false,
    }
}

/// From offsets of a preprocessed text to places in files.
#[derive(Debug)]
pub(in super::super) struct Origins {
    /// Offset and place; between two of them both advance alike.
    points: Vec<(u32, BytePos)>,
    inclusions: Inclusions,
}

impl Origins {
    fn place(&self, offset: usize) -> Option<BytePos> {
        let after = self
            .points
            .partition_point(|(from, _)| *from as usize <= offset);
        let (from, place) = match after.checked_sub(1) {
            Some(index) => self.points[index],
            None => *self.points.first()?,
        };
        Some(BytePos(place.0 + (offset as u32).saturating_sub(from)))
    }

    /// File, line and column of an offset.
    pub fn position(&self, offset: usize) -> Option<Position> {
        self.place(offset)
            .map(|place| self.inclusions.position(place))
    }

    /// File and range of bytes in it of a range of the text that is there as it is here, but for blanks and for macros within; `None`
    /// where a macro has made its first or its last token.
    pub fn span(&self, text: &str, range: Range<usize>) -> Option<(&Path, Range<usize>)> {
        let last = range.end.checked_sub(1)?;
        let (file, start) = self.inclusions.byte(self.place(range.start)?);
        let (same, end) = self.inclusions.byte(self.place(last)?);
        let there = self.inclusions.text(file)?.get(start..=end)?;
        let here = text.get(range)?;
        let dense = |text: &str| -> String { text.split_whitespace().collect() };
        // What a macro has made stands where its name does.
        let is_bounded = first_token(there) == first_token(here)
            && last_token(there) == last_token(here)
            && is_balanced(there);
        let is_same = file == same && (is_bounded || dense(there) == dense(here));
        is_same.then_some((file, start..end + 1))
    }

    /// Text of a file that was read.
    pub fn text(&self, file: &Path) -> Option<&str> {
        self.inclusions.text(file)
    }

    /// The line of the file around an offset.
    pub fn excerpt(&self, offset: usize) -> Option<Excerpt> {
        self.place(offset)
            .map(|place| self.inclusions.excerpt(place))
    }

    /// The file that is no inclusion, by its name.
    pub fn own_text(&self, name: &str) -> Option<&str> {
        self.inclusions.own_text(name)
    }

    /// The whole file around an offset.
    pub fn file_text(&self, offset: usize) -> Option<&str> {
        self.inclusions.file_text(self.place(offset)?)
    }
}

/// First word of a text, or its first byte where no word begins it.
fn first_token(text: &str) -> &str {
    let end = text.find(|c: char| !is_of_word(c)).unwrap_or(text.len());
    text.get(..end.max(1)).unwrap_or(text)
}

/// Last word of a text, or its last byte where no word ends it.
fn last_token(text: &str) -> &str {
    let start = text.rfind(|c: char| !is_of_word(c));
    match start {
        Some(at) if at + 1 < text.len() => text.get(at + 1..).unwrap_or(text),
        Some(at) => text.get(at..).unwrap_or(text),
        None => text,
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// True if each parenthesis has its other one.
fn is_balanced(text: &str) -> bool {
    let mut open = 0usize;
    for c in text.chars() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
    }
    open == 0
}
