//! A file's text: its lines joined where a backslash ends them (C11 5.1.1.2, phase 2), with a way back to the
//! lines as they are. Trigraphs stay what they are, as in GNU C.

use std::borrow::Cow;

/// The text of a file.
#[derive(Debug)]
pub(in super::super) struct Buffer {
    original: String,
    /// The joined text, if it differs.
    joined: Option<String>,
    /// Offsets of the joined text from which on a further number of bytes of the original is left out, ascending:
    /// (offset, bytes left out before).
    splices: Vec<(u32, u32)>,
    /// Offsets at which lines of the original start.
    lines: Vec<u32>,
}

impl Buffer {
    pub fn new(original: String) -> Buffer {
        let mut lines = vec![0];
        lines.extend(
            original
                .bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at as u32 + 1),
        );
        let (joined, splices) = match join(&original) {
            (Cow::Owned(text), splices) => (Some(text), splices),
            (Cow::Borrowed(_), _) => (None, Vec::new()),
        };
        Buffer {
            original,
            joined,
            splices,
            lines,
        }
    }

    /// The joined text.
    pub fn text(&self) -> &str {
        self.joined.as_deref().unwrap_or(&self.original)
    }

    /// The text as it is in the file.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The offset in the original of one in the joined text, at a character boundary.
    fn original_offset(&self, offset: u32) -> usize {
        let after = self.splices.partition_point(|(from, _)| *from <= offset);
        let left_out = after
            .checked_sub(1)
            .map_or(0, |index| self.splices[index].1);
        let mut offset = (offset as usize + left_out as usize).min(self.original.len());
        while !self.original.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// The line of an offset of the joined text, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        let offset = self.original_offset(offset) as u32;
        self.lines.partition_point(|start| *start <= offset) as u32
    }

    /// The column of an offset of the joined text, from 1, in characters.
    pub fn column(&self, offset: u32) -> u32 {
        let start = self.lines[self.line(offset) as usize - 1] as usize;
        let at = self.original_offset(offset);
        self.original[start..at].chars().count() as u32 + 1
    }

    /// The line of an offset of the joined text, as it is in the file.
    pub fn line_text(&self, offset: u32) -> &str {
        let line = self.line(offset) as usize;
        let start = self.lines[line - 1] as usize;
        let end = self
            .lines
            .get(line)
            .map_or(self.original.len(), |end| *end as usize);
        self.original[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// The text without the ends of lines that a backslash continues. Blanks between the backslash and the end are
/// left out as well, as GNU C does.
fn join(text: &str) -> (Cow<'_, str>, Vec<(u32, u32)>) {
    let bytes = text.as_bytes();
    let mut joined = String::new();
    let mut splices = Vec::new();
    let (mut copied, mut left_out) = (0, 0);
    let mut search = 0;
    while let Some(found) = text[search..].find('\\') {
        let at = search + found;
        search = at + 1;
        let blanks = bytes[at + 1..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))
            .count();
        let end = at + 1 + blanks;
        if bytes.get(end) != Some(&b'\n') {
            continue;
        }
        joined.push_str(&text[copied..at]);
        copied = end + 1;
        search = copied;
        left_out += copied - at;
        splices.push((joined.len() as u32, left_out as u32));
    }
    if splices.is_empty() {
        return (Cow::Borrowed(text), splices);
    }
    joined.push_str(&text[copied..]);
    (Cow::Owned(joined), splices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_lines_know_where_they_were() {
        let buffer = Buffer::new("int a\\\nb; \\ \r\nc\nd".to_string());
        assert_eq!(buffer.text(), "int ab; c\nd");
        let place = |c| {
            let at = buffer.text().find(c).unwrap() as u32;
            (buffer.line(at), buffer.column(at), buffer.line_text(at))
        };
        assert_eq!(place('a'), (1, 5, "int a\\"));
        assert_eq!(place('b'), (2, 1, "b; \\ "));
        assert_eq!(place('c'), (3, 1, "c"));
        assert_eq!(place('d'), (4, 1, "d"));
        assert_eq!(Buffer::new(String::new()).line(0), 1);
    }
}
