//! From offsets of the preprocessed text to lines of the user's files, built once from the line markers
//! (`# 12 "file.c" 1`, `#line 12 "file.c"`).

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::read::{bytes, regular};
use super::{Excerpt, decode};

/// The line map of one text.
#[derive(Debug)]
pub(super) struct LineMap {
    /// Names of files, in the order of their first marker; the first is the file itself.
    files: Vec<String>,
    /// Those that a marker calls headers of the system.
    system: HashSet<u32, FxBuildHasher>,
    /// Every line of the text that is no marker, by ascending start.
    lines: Vec<Line>,
    /// Lines of the user's files that were shown once; `None` for files that cannot be read.
    shown: Mutex<HashMap<u32, Option<Vec<String>>, FxBuildHasher>>,
}

/// A line of the preprocessed text.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: u32,
    file: u32,
    line: u32,
}

/// Place of an offset in the user's files.
pub(super) struct UserLine {
    /// Index for [`LineMap::file`].
    pub file: u32,
    /// Line in that file, from 1.
    pub line: u32,
    /// Offset of the first byte of the line of the preprocessed text.
    pub line_start: usize,
}

impl LineMap {
    pub(super) fn new(name: &str, text: &str) -> LineMap {
        let mut files = vec![name.to_string()];
        let mut index: HashMap<String, u32, FxBuildHasher> = HashMap::default();
        index.insert(name.to_string(), 0);
        let mut system = HashSet::default();
        let (mut file, mut line) = (0, 1);
        let mut lines = Vec::new();
        let mut start = 0u32;
        for content in text.split_inclusive('\n') {
            match marker(content) {
                Some(Marker { line: next, named }) => {
                    if let Some((named, is_system)) = named {
                        file = *index.entry(named).or_insert_with_key(|named| {
                            files.push(named.clone());
                            files.len() as u32 - 1
                        });
                        if is_system {
                            system.insert(file);
                        }
                    }
                    line = next;
                }
                None => {
                    lines.push(Line { start, file, line });
                    line = line.saturating_add(1);
                }
            }
            start += content.len() as u32;
        }
        if lines.is_empty() {
            lines.push(Line {
                start: 0,
                file: 0,
                line: 1,
            });
        }
        LineMap {
            files,
            system,
            lines,
            shown: Mutex::new(HashMap::default()),
        }
    }

    pub(super) fn file(&self, file: u32) -> &str {
        &self.files[file as usize]
    }

    /// True for headers of the system, as a preprocessor marks them.
    pub(super) fn is_system(&self, file: u32) -> bool {
        self.system.contains(&file)
    }

    pub(super) fn place(&self, offset: usize) -> UserLine {
        let next = self
            .lines
            .partition_point(|line| line.start as usize <= offset);
        let line = self.lines[next.saturating_sub(1)];
        UserLine {
            file: line.file,
            line: line.line,
            line_start: (line.start as usize).min(offset),
        }
    }

    /// The user's line around an offset of `text`, and where in it the token at the offset stands.
    pub(super) fn excerpt(&self, text: &str, offset: usize) -> Excerpt {
        let place = self.place(offset);
        let rest = &text[place.line_start..];
        let preprocessed = rest.lines().next().unwrap_or("");
        let before = text[place.line_start..offset].chars().count() as u32;
        match self.user_line(place.file, place.line) {
            None => Excerpt {
                text: preprocessed.to_string(),
                column: Some(before + 1),
            },
            Some(line) if line == preprocessed => Excerpt {
                text: line,
                column: Some(before + 1),
            },
            Some(line) => {
                let column = find_token(&line, token_at(text, offset), before);
                Excerpt { text: line, column }
            }
        }
    }

    /// The file of this name, if it can still be read.
    pub(super) fn own_text(&self, name: &str) -> Option<String> {
        let file = self.files.iter().position(|file| file == name)?;
        self.file_text(u32::try_from(file).ok()?)
    }

    /// One of the user's files, if it can still be read.
    pub(super) fn file_text(&self, file: u32) -> Option<String> {
        self.of_file(file, |lines| Some(lines.join("\n")))
    }

    /// A line of one of the user's files.
    fn user_line(&self, file: u32, line: u32) -> Option<String> {
        let index = (line as usize).checked_sub(1)?;
        self.of_file(file, |lines| lines.get(index).cloned())
    }

    /// Something of the lines of one of the user's files, which are read once.
    fn of_file(&self, file: u32, some: impl FnOnce(&[String]) -> Option<String>) -> Option<String> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = shown.entry(file).or_insert_with(|| {
            let path = Path::new(self.file(file));
            let bytes = regular(path).and_then(|()| bytes(path)).ok()?;
            Some(
                decode::lossless(bytes)
                    .lines()
                    .map(str::to_string)
                    .collect(),
            )
        });
        some(lines.as_ref()?)
    }
}

/// A line marker.
#[derive(PartialEq, Eq, Debug)]
struct Marker {
    /// Number of the next line.
    line: u32,
    /// The file's name, if it is there, and whether it is a header of the system.
    named: Option<(String, bool)>,
}

fn marker(line: &str) -> Option<Marker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start();
    let Some(quoted) = rest.strip_prefix('"') else {
        return Some(Marker {
            line: number,
            named: None,
        });
    };
    let mut name = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
    let is_system = chars.as_str().split_whitespace().any(|flag| flag == "3");
    Some(Marker {
        line: number,
        named: Some((name, is_system)),
    })
}

/// The identifier, number or punctuator that starts at `offset`.
fn token_at(text: &str, offset: usize) -> &str {
    let rest = &text[offset..];
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    &rest[..word.max(first)]
}

/// Column (from 1) of the occurrence of `token` in `line` that is nearest to `column` (from 0).
fn find_token(line: &str, token: &str, column: u32) -> Option<u32> {
    if token.trim().is_empty() {
        return None;
    }
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let word = is_word(token.chars().next());
    line.match_indices(token)
        .filter(|(at, _)| {
            let before = line[..*at].chars().next_back();
            let after = line[at + token.len()..].chars().next();
            !word || !(is_word(before) || is_word(after))
        })
        .map(|(at, _)| line[..at].chars().count() as u32)
        .min_by_key(|found| found.abs_diff(column))
        .map(|found| found + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        let read = |line, named: Option<(&str, bool)>| {
            let named = named.map(|(name, is_system)| (name.to_string(), is_system));
            Some(Marker { line, named })
        };
        let named = Some(("a b.c", true));
        assert_eq!(marker("# 12 \"a b.c\" 1 3\n"), read(12, named));
        assert_eq!(marker("#line 3\n"), read(3, None));
        let named = Some(("a\"b", false));
        assert_eq!(marker("# 1 \"a\\\"b\"\n"), read(1, named));
        assert_eq!(marker("#pragma once\n"), None);
        assert_eq!(marker("int x;\n"), None);
    }

    #[test]
    fn own_lines_without_markers() {
        let map = LineMap::new("x.i", "int a;\nint b;\n");
        let place = map.place(11);
        assert_eq!(
            (map.file(place.file), place.line, place.line_start),
            ("x.i", 2, 7)
        );
        assert_eq!(LineMap::new("x.i", "").place(0).line, 1);
    }

    #[test]
    fn a_token_is_found_beside_a_macro() {
        assert_eq!(find_token("  LOCK(m); x = y;", "x", 30), Some(12));
        assert_eq!(find_token("  LOCK(m);", "pthread_mutex_lock", 2), None);
        assert_eq!(find_token("xx x", "x", 0), Some(4));
    }
}
