//! State of preprocessing, and its errors and warnings.

use super::buffer::Buffer;
use super::inclusions::{BytePos, Inclusions};
use super::lex::Lexer;
use super::macros::Macro;
use super::token::{Name, Names, Token};
use crate::base::WarningKind;
use crate::source::message::Message;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// Errors that are told before preprocessing is given up.
const MOST_ERRORS: usize = 20;
/// Warnings that are told.
const MOST_WARNINGS: usize = 50;

/// Everything that preprocessing remembers.
pub(super) struct Preprocessor<'a> {
    pub names: Names<'a>,
    pub inclusions: Inclusions,
    /// By name.
    pub macros: Vec<Option<Rc<Macro>>>,
    /// By name: how often a macro stands open on the stack of pending tokens.
    pub disabled: Vec<u32>,
    /// `#pragma push_macro`.
    pub saved: HashMap<Name, Vec<Option<Rc<Macro>>>, FxBuildHasher>,
    /// Files that are being read, the user's first.
    pub frames: Vec<Frame>,
    pub files: HashMap<String, SeenFile, FxBuildHasher>,
    pub search: Vec<Folder>,
    /// Folders of it that are searched for headers in quotes alone: the first ones.
    pub quoted: usize,
    pub base_file: String,
    /// Tokens that are read before the file goes on, the next one last.
    pub pending: Vec<Token>,
    /// Pending tokens below are not read now.
    pub floor: usize,
    /// True if the file is read behind the pending tokens.
    pub from_file: bool,
    /// True if a directive counts as the end, and is left where it is.
    pub stops_at_directive: bool,
    /// Nesting of [`Preprocessor::alone`].
    pub depth: usize,
    /// Tokens that macros have made.
    pub made: usize,
    /// Value of `__COUNTER__`.
    pub counter: u64,
    /// The `#` of the last directive.
    pub directive: BytePos,
    pub errors: Vec<(BytePos, String)>,
    pub warnings: Vec<(WarningKind, BytePos, String)>,
}

/// A file that is being read.
pub(super) struct Frame {
    pub lexer: Lexer,
    pub conditions: Vec<Condition>,
    pub guard: Guard,
    /// Its key in [`Preprocessor::files`].
    pub key: String,
    /// The folder that `"…"` looks in first.
    pub folder: Option<PathBuf>,
    /// Index of the folder of the search path in which it was found, or `OUTSIDE`.
    pub found: usize,
}

/// Include guard: whether all of a file is in one `#ifndef NAME`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    /// Nothing but comments so far.
    Start,
    /// In it.
    Inside(Name),
    /// Nothing but comments since it ended.
    After(Name),
    No,
}

/// A file that was read at least once.
pub(super) struct SeenFile {
    pub buffer: Arc<Buffer>,
    /// If this is a macro, the file says nothing.
    pub guard: Option<Name>,
    pub once: bool,
}

/// A place of the search path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Folder {
    Path(PathBuf),
    /// The headers that come with the program.
    Bundled,
}

/// An `#if` that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub place: BytePos,
    /// One of its groups was part of the program.
    pub taken: bool,
    /// `#else` was seen.
    pub last: bool,
}

/// Preprocessing cannot go on; the reason has been told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop;

impl Preprocessor<'_> {
    pub fn error(&mut self, place: BytePos, message: String) {
        // The same mistake in a header that is read often is told once.
        if !self.has_too_many_errors() && !self.errors.contains(&(place, message.clone())) {
            self.errors.push((place, message));
        }
    }

    pub fn has_too_many_errors(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    pub fn warn(&mut self, kind: WarningKind, place: BytePos, message: String) {
        // Headers of ours may define again what the program defined.
        let ours = self.inclusions.file(place).starts_with('<');
        if !ours && self.warnings.len() < MOST_WARNINGS {
            self.warnings.push((kind, place, message));
        }
    }

    /// An error that ends preprocessing.
    pub fn give_up(&mut self, place: BytePos, message: String) -> Stop {
        self.errors.push((place, message));
        Stop
    }

    /// A message with its place, its line, and the files that include its own.
    pub fn message(&self, place: BytePos, text: &str) -> Message {
        let mut before = String::new();
        for (level, from) in self.inclusions.including(place).iter().enumerate() {
            let words = if level == 0 {
                "In file included from"
            } else {
                "                 from"
            };
            before.push_str(&format!("{words} {}:{}:\n", from.file, from.line));
        }
        Message {
            before,
            position: self.inclusions.position(place),
            excerpt: self.inclusions.excerpt(place),
            text: text.to_string(),
        }
    }
}
