//! Files: which one a header's name means, and those that are being read.

use super::buffer::Buffer;
use super::inclusions::BytePos;
use super::lex::Lexer;
use super::state::{Folder, Frame, Guard, Preprocessor, SeenFile, Stop};
use super::token::{Kind, Name, Token};
use crate::source::{decode, headers, read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that include each other, at most.
const DEEPEST: usize = 200;
/// Inclusions, at most.
const MOST_INCLUSIONS: usize = 200_000;

/// A header as it is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub name: String,
    /// In quotes.
    pub quoted: bool,
}

/// A header's file.
pub(super) struct Found {
    /// The same for the same file, however it is named.
    key: String,
    /// For people.
    name: String,
    file: Option<PathBuf>,
    found: usize,
}

/// Files that were not found by the search path.
const OUTSIDE: usize = usize::MAX;

impl Preprocessor<'_> {
    /// The next token of the file that is being read; directives are obeyed, or end it. The end of an included file is a
    /// token of its own.
    pub(super) fn next_from_file(&mut self) -> Result<Option<Token>, Stop> {
        loop {
            if self.has_too_many_errors() {
                return Err(Stop);
            }
            let Some(frame) = self.frames.last_mut() else {
                return Ok(None);
            };
            let before = self.stops_at_directive.then(|| frame.lexer.clone());
            let Some(token) = frame.lexer.next(&mut self.names, false) else {
                return Ok(self.end_file());
            };
            match token.kind {
                Kind::UnclosedComment => {
                    self.error(token.place, "this comment is never closed".to_string());
                }
                Kind::Punctuator
                    if token.first && matches!(self.names.text(token.name), "#" | "%:") =>
                {
                    if let Some(before) = before {
                        frame.lexer = before;
                        return Ok(None);
                    }
                    if let Some(token) = self.directive(&token)? {
                        return Ok(Some(token));
                    }
                }
                _ => {
                    self.leave_guard();
                    return Ok(Some(token));
                }
            }
        }
    }

    /// Leaves the file that was read to its end.
    fn end_file(&mut self) -> Option<Token> {
        let frame = self.frames.pop()?;
        self.check_conditions(&frame.conditions);
        if let (Guard::After(name), Some(known)) = (frame.guard, self.files.get_mut(&frame.key)) {
            known.guard = Some(name);
        }
        (!self.frames.is_empty()).then(|| Token {
            kind: Kind::EndOfFile,
            space: true,
            first: true,
            name: Name(0),
            painted: false,
            place: frame.lexer.place(),
        })
    }

    /// Reads nothing more of the current file.
    pub(super) fn end_lexing(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            while frame
                .lexer
                .skip_to_directive()
                .is_ok_and(|found| found.is_some())
            {}
        }
    }

    /// Reads a text from now on.
    pub(super) fn enter(
        &mut self,
        text: Arc<Buffer>,
        name: &str,
        key: String,
        folder: Option<PathBuf>,
        found: usize,
        parent: Option<BytePos>,
    ) -> Result<(), Stop> {
        let Some(start) = self.inclusions.include(&text, name, parent) else {
            let message = "the program includes more than a gigabyte of text";
            return Err(self.give_up(parent.unwrap_or(BytePos(0)), message.to_string()));
        };
        self.frames.push(Frame {
            lexer: Lexer::new(text, start),
            conditions: Vec::new(),
            guard: Guard::Start,
            key,
            folder,
            found,
        });
        Ok(())
    }

    /// Reads the user's file from now on.
    pub(super) fn enter_main(&mut self, path: &Path, text: String) -> Result<(), Stop> {
        let folder = path.parent().map(Path::to_path_buf);
        let name = path.to_string_lossy().into_owned();
        self.enter(
            Arc::new(Buffer::new(text)),
            &name,
            name.clone(),
            folder,
            OUTSIDE,
            None,
        )
    }

    /// Number of files that include the current one, directly or not.
    pub(super) fn include_level(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// `#include` after that word; `once` for `#import`.
    pub(super) fn include(&mut self, once: bool, next: bool) -> Result<(), Stop> {
        let here = self.directive;
        let header = self
            .frames
            .last_mut()
            .and_then(|frame| frame.lexer.header(&mut self.names));
        let (header, place) = match header {
            Some((name, place)) => (delimited(self.names.text(name)), place),
            None => {
                let line = self.line();
                let tokens = self.expand_alone(&line)?;
                (
                    self.header_name(&tokens)?,
                    line.first().map_or(here, |token| token.place),
                )
            }
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.lexer.rest_of_line();
        }
        let Some(header) = header else {
            self.error(
                place,
                "expected `<name>` or `\"name\"` after `#include`".to_string(),
            );
            return Ok(());
        };
        let Some(found) = self.find_header(&header, next) else {
            let message = self.missing(&header);
            self.error(place, message);
            return Ok(());
        };
        if let Some(known) = self.files.get_mut(&found.key) {
            known.once |= once;
            let guard = known.guard;
            if known.once || guard.is_some_and(|name| self.is_defined(name)) {
                return Ok(());
            }
        }
        if self.frames.len() > DEEPEST || self.inclusions.count() > MOST_INCLUSIONS {
            return Err(self.give_up(
                place,
                format!(
                    "files include each other more than {DEEPEST} deep, or {MOST_INCLUSIONS} times"
                ),
            ));
        }
        let Some(buffer) = self.read(&found, once, place)? else {
            return Ok(());
        };
        let folder = found
            .file
            .as_deref()
            .and_then(Path::parent)
            .map(Path::to_path_buf);
        self.enter(
            buffer,
            &found.name,
            found.key,
            folder,
            found.found,
            Some(here),
        )
    }

    /// The text of a header.
    fn read(
        &mut self,
        found: &Found,
        once: bool,
        place: BytePos,
    ) -> Result<Option<Arc<Buffer>>, Stop> {
        if let Some(known) = self.files.get(&found.key) {
            return Ok(Some(Arc::clone(&known.buffer)));
        }
        let text = match &found.file {
            None => headers::text(&found.key).unwrap_or_default().to_string(),
            Some(file) => match read::bytes(file).and_then(|bytes| read::checked(file, bytes)) {
                Ok(bytes) => decode::program(bytes),
                Err(error) => {
                    self.error(place, error.to_string());
                    return Ok(None);
                }
            },
        };
        let buffer = Arc::new(Buffer::new(text));
        let known = SeenFile {
            buffer: Arc::clone(&buffer),
            guard: None,
            once,
        };
        self.files.insert(found.key.clone(), known);
        Ok(Some(buffer))
    }

    /// `#pragma once`.
    pub(super) fn mark_once(&mut self) {
        if let Some(frame) = self.frames.last()
            && let Some(known) = self.files.get_mut(&frame.key)
        {
            known.once = true;
        }
    }

    /// The header that tokens name; macros are expanded if they name none as they are.
    pub(super) fn header_name(&mut self, tokens: &[Token]) -> Result<Option<Header>, Stop> {
        let named = |pre: &Self, tokens: &[Token]| {
            let first = tokens.first()?;
            let text = pre.names.text(first.name);
            if first.kind == Kind::Text {
                return delimited(text);
            }
            if text != "<" {
                return None;
            }
            let mut name = String::new();
            for token in &tokens[1..] {
                let text = pre.names.text(token.name);
                if text == ">" {
                    return Some(Header {
                        name,
                        quoted: false,
                    });
                }
                if token.space && !name.is_empty() {
                    name.push(' ');
                }
                name.push_str(text);
            }
            None
        };
        if let Some(header) = named(self, tokens) {
            return Ok(Some(header));
        }
        let tokens = self.expand_alone(tokens)?;
        Ok(named(self, &tokens))
    }

    /// The file of a header; `next` looks behind the place where the current file was found.
    pub(super) fn find_header(&self, header: &Header, next: bool) -> Option<Found> {
        let name = Path::new(&header.name);
        let frame = self.frames.last()?;
        if name.is_absolute() {
            return in_folder(Path::new(""), name, OUTSIDE);
        }
        if header.quoted
            && !next
            && let Some(folder) = &frame.folder
            && let Some(found) = in_folder(folder, name, OUTSIDE)
        {
            return Some(found);
        }
        let start = match frame.found {
            OUTSIDE => 0,
            found => found + 1,
        };
        let search = self
            .search
            .iter()
            .enumerate()
            .skip(if next { start } else { 0 })
            .filter(|(index, _)| header.quoted || *index >= self.quoted);
        for (index, folder) in search {
            let found = match folder {
                Folder::Path(folder) => in_folder(folder, name, index),
                Folder::Bundled => headers::text(&header.name).map(|_| Found {
                    key: header.name.clone(),
                    name: format!("<{}>", header.name),
                    file: None,
                    found: index,
                }),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Error message for a header that is nowhere.
    fn missing(&self, header: &Header) -> String {
        let near = headers::near(&header.name);
        let bundled = if near.is_empty() {
            String::new()
        } else {
            format!(" (bundled is {})", near.join(", "))
        };
        format!(
            "there is no header `{}`{bundled}; -I or --isystem names a folder that has it, and --cpp \"cc -E\" \
             preprocesses with the system's headers",
            header.name
        )
    }
}

/// A name in `<…>` or `"…"`.
fn delimited(text: &str) -> Option<Header> {
    let quoted = text.starts_with('"');
    let inner = match text.as_bytes() {
        [b'"', .., b'"'] | [b'<', .., b'>'] => &text[1..text.len() - 1],
        _ => return None,
    };
    (!inner.is_empty()).then(|| Header {
        name: inner.to_string(),
        quoted,
    })
}

/// A file in a folder, if it is there.
fn in_folder(folder: &Path, name: &Path, found: usize) -> Option<Found> {
    let file = if folder.as_os_str().is_empty() || folder == Path::new(".") {
        name.to_path_buf()
    } else {
        folder.join(name)
    };
    // What cannot be read is told when it is read.
    if file.is_dir() || !file.exists() {
        return None;
    }
    let key = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
    Some(Found {
        key: key.to_string_lossy().into_owned(),
        name: file.to_string_lossy().into_owned(),
        file: Some(file),
        found,
    })
}
