//! Preprocessing tokens (C11 6.4), and their spellings, each stored once.

use super::inclusions::BytePos;
use bumpalo::Bump;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A spelling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name(pub u32);

/// Kind of a preprocessing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Number,
    /// A character constant.
    Character,
    /// A string.
    Text,
    Punctuator,
    /// A character that begins no token.
    Stray,
    /// A quote that is not closed on its line, with the rest of the line.
    Unclosed,
    /// A comment that is not closed; the rest of the file.
    UnclosedComment,
    /// A whole `#pragma` line.
    Pragma,
    /// An empty argument beside `##`.
    Placemarker,
    /// A file ended here.
    EndOfFile,
    /// The end of a macro's expansion; its name is the macro's.
    EndOfMacro,
}

/// A preprocessing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// White space precedes it.
    pub space: bool,
    /// It is the first of its line.
    pub first: bool,
    pub name: Name,
    /// It was read where its macro was disabled, and is never expanded.
    pub painted: bool,
    /// Place of the token; for tokens out of a macro's body, where the macro is used.
    pub place: BytePos,
}

impl Token {
    /// Separation: true if white space or a line's end precedes it.
    pub fn is_apart(&self) -> bool {
        self.space || self.first
    }
}

/// All spellings. They live in an arena until preprocessing is done.
pub(super) struct Names<'a> {
    arena: &'a Bump,
    table: HashTable<u32>,
    texts: Vec<&'a str>,
    bytes: usize,
}

impl<'a> Names<'a> {
    pub fn new(arena: &'a Bump) -> Names<'a> {
        Names {
            arena,
            table: HashTable::new(),
            texts: Vec::new(),
            bytes: 0,
        }
    }

    /// The name of a spelling.
    pub fn name(&mut self, text: &str) -> Name {
        let hash = hash(text);
        let texts = &self.texts;
        if let Some(&index) = self
            .table
            .find(hash, |&index| texts[index as usize] == text)
        {
            return Name(index);
        }
        let index = self.texts.len() as u32;
        self.bytes += text.len();
        self.texts.push(self.arena.alloc_str(text));
        let texts = &self.texts;
        self.table
            .insert_unique(hash, index, |&index| self::hash(texts[index as usize]));
        Name(index)
    }

    pub fn text(&self, name: Name) -> &'a str {
        self.texts[name.0 as usize]
    }

    /// Length of all spellings together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
