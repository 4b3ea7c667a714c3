//! Text to preprocessing tokens (C11 5.1.1.2, phase 3).

use super::buffer::Buffer;
use super::inclusions::BytePos;
use super::token::{Kind, Name, Names, Token};
use crate::source::names::universal;
use std::sync::Arc;

/// A position in a text.
#[derive(Clone, Debug)]
pub(super) struct Lexer {
    buffer: Arc<Buffer>,
    /// Place of the first byte.
    base: u32,
    at: usize,
    /// Nothing but white space precedes on the line.
    first: bool,
}

/// Punctuators of more than one character, longest first.
const LONG: [&str; 29] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

impl Lexer {
    pub fn new(buffer: Arc<Buffer>, start: BytePos) -> Lexer {
        // A mark of the byte order is no token.
        let at = if buffer.text().starts_with('\u{feff}') {
            3
        } else {
            0
        };
        Lexer {
            buffer,
            base: start.0,
            at,
            first: true,
        }
    }

    /// Place at which the next token is looked for.
    pub fn place(&self) -> BytePos {
        BytePos(self.base + self.at as u32)
    }

    /// The next token; `None` at the end of the text, and in a directive at the end of its line.
    pub fn next(&mut self, names: &mut Names, in_line: bool) -> Option<Token> {
        let (space, unclosed) = self.skip_blanks(in_line);
        let text = &self.buffer.text()[self.at..];
        let first = text.chars().next()?;
        if in_line && first == '\n' {
            return None;
        }
        let (kind, length) = if unclosed {
            (Kind::UnclosedComment, text.len())
        } else {
            token(text)
        };
        let token = Token {
            kind,
            space,
            first: std::mem::replace(&mut self.first, false),
            // The rest of a file is no spelling worth keeping.
            name: names.name(if unclosed { "/*" } else { &text[..length] }),
            painted: false,
            place: self.place(),
        };
        self.at += length;
        Some(token)
    }

    /// Skips white space and comments; whether there was any, and whether a comment is not closed.
    fn skip_blanks(&mut self, in_line: bool) -> (bool, bool) {
        let text = self.buffer.text();
        let bytes = text.as_bytes();
        let start = self.at;
        loop {
            match bytes.get(self.at) {
                Some(b'\n') if in_line => break,
                Some(b'\n') => {
                    self.first = true;
                    self.at += 1;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => {
                    let rest = &text[self.at..];
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => {
                    match text[self.at + 2..].find("*/") {
                        Some(length) => self.at += length + 4,
                        None => return (self.at > start, true),
                    }
                }
                _ => break,
            }
        }
        (self.at > start, false)
    }

    /// The rest of the line as it is written, without comments at its end and white space around; goes to its end.
    pub fn rest_of_line(&mut self) -> &str {
        let text = self.buffer.text();
        let rest = &text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.len();
        line.trim()
    }

    /// The name of a header in `<…>` or `"…"`, if that is what follows, with its delimiters.
    pub fn header(&mut self, names: &mut Names) -> Option<(Name, BytePos)> {
        self.skip_blanks(true);
        let rest = &self.buffer.text()[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let close = match line.as_bytes().first()? {
            b'<' => '>',
            b'"' => '"',
            _ => return None,
        };
        let length = line[1..].find(close)? + 2;
        let place = self.place();
        let name = names.name(&line[..length]);
        self.at += length;
        Some((name, place))
    }

    /// Skips lines that are not part of the program, up to the next directive, whose `#` it leaves behind; `None` at
    /// the end of the text. The place of a comment that is not closed is returned as an error.
    pub fn skip_to_directive(&mut self) -> Result<Option<BytePos>, BytePos> {
        loop {
            let (_, unclosed) = self.skip_blanks(false);
            if unclosed {
                return Err(self.place());
            }
            let text = self.buffer.text();
            let rest = &text[self.at..];
            if rest.is_empty() {
                return Ok(None);
            }
            if self.first && (rest.starts_with('#') || rest.starts_with("%:")) {
                let place = self.place();
                self.at += if rest.starts_with('#') { 1 } else { 2 };
                self.first = false;
                return Ok(Some(place));
            }
            // Over a piece that hides no comment: quotes must be skipped whole.
            self.first = false;
            let length = match rest.as_bytes()[0] {
                b'"' | b'\'' => token(rest).1,
                _ => {
                    let stop = |c: char| matches!(c, '\n' | '"' | '\'' | '/');
                    let first = rest.chars().next().map_or(1, char::len_utf8);
                    first + rest[first..].find(stop).unwrap_or(rest.len() - first)
                }
            };
            self.at += length;
        }
    }
}

/// Kind and length of the token that a text starts with. The text is not empty, and starts with no blank.
fn token(text: &str) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let first = bytes[0];
    if first.is_ascii_digit() || first == b'.' && byte(1).is_ascii_digit() {
        return (Kind::Number, number_length(text));
    }
    if first == b'"' || first == b'\'' {
        return quoted(text, 0);
    }
    let prefix = match first {
        b'L' | b'U' => 1,
        b'u' if byte(1) == b'8' && matches!(byte(2), b'"' | b'\'') => 2,
        b'u' => 1,
        _ => 0,
    };
    if prefix > 0 && matches!(byte(prefix), b'"' | b'\'') {
        return quoted(text, prefix);
    }
    let word = word_length(text);
    if word > 0 {
        return (Kind::Word, word);
    }
    if let Some(long) = LONG.iter().find(|long| text.starts_with(**long)) {
        return (Kind::Punctuator, long.len());
    }
    if first.is_ascii_punctuation() && !matches!(first, b'@' | b'`' | b'\\') {
        return (Kind::Punctuator, 1);
    }
    (Kind::Stray, text.chars().next().map_or(1, char::len_utf8))
}

/// A string or character constant after its prefix.
fn quoted(text: &str, prefix: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let quote = bytes[prefix];
    let mut at = prefix + 1;
    loop {
        match bytes.get(at) {
            None | Some(b'\n') => return (Kind::Unclosed, at),
            Some(b'\\') if !matches!(bytes.get(at + 1), None | Some(b'\n')) => at += 2,
            Some(byte) if *byte == quote => {
                let kind = if quote == b'"' {
                    Kind::Text
                } else {
                    Kind::Character
                };
                return (kind, at + 1);
            }
            Some(_) => at += 1,
        }
    }
}

/// Length of the identifier that a text starts with.
fn word_length(text: &str) -> usize {
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => 1,
            b'0'..=b'9' if at > 0 => 1,
            b'\\' => match universal(&text[at..]) {
                Some((_, length)) => length,
                None => break,
            },
            0x80.. => match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() => c.len_utf8(),
                _ => break,
            },
            _ => break,
        };
    }
    at
}

/// Length of a preprocessing number (C11 6.4.8).
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let sign =
            matches!(byte, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        // `1'000` (C23 6.4.4.1).
        let separator = byte == b'\''
            && bytes[at - 1].is_ascii_alphanumeric()
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'.' | b'$')
            || sign
            || separator)
        {
            break;
        }
        at += 1;
    }
    at
}

/// Kind of the only token of a text; `None` if the text is not exactly one token.
pub(super) fn single(text: &str) -> Option<Kind> {
    if text.is_empty() || text.starts_with("//") || text.starts_with("/*") {
        return None;
    }
    let (kind, length) = token(text);
    let whole = length == text.len() && !matches!(kind, Kind::Unclosed | Kind::Stray);
    whole.then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;

    fn tokens(text: &str) -> Vec<(Kind, String)> {
        let arena = Bump::new();
        let mut names = Names::new(&arena);
        let mut lexer = Lexer::new(Arc::new(Buffer::new(text.to_string())), BytePos(0));
        let mut found = Vec::new();
        while let Some(token) = lexer.next(&mut names, false) {
            found.push((token.kind, names.text(token.name).to_string()));
        }
        found
    }

    #[test]
    fn splits() {
        let found =
            tokens("a+++b.5.e+3->%:%:L'\\'' u8\"x\" /* \" */ x$\\u00e5é // y\n'z \"w\n@ ...<:");
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "a",
                "++",
                "+",
                "b",
                ".5.e+3",
                "->",
                "%:%:",
                "L'\\''",
                "u8\"x\"",
                "x$\\u00e5é",
                "'z \"w",
                "@",
                "...",
                "<:"
            ]
        );
        assert_eq!((found[10].0, found[11].0), (Kind::Unclosed, Kind::Stray));
        assert_eq!(tokens("x /* y").last().unwrap().0, Kind::UnclosedComment);
        assert_eq!(tokens("\"a\\").last().unwrap().0, Kind::Unclosed);
    }

    #[test]
    fn what_is_one_token() {
        assert_eq!(single("ab1"), Some(Kind::Word));
        assert_eq!(single("1e+"), Some(Kind::Number));
        assert_eq!(single("1'000'000u"), Some(Kind::Number));
        assert_eq!(single("1'"), None);
        assert_eq!(single("<<="), Some(Kind::Punctuator));
        for text in ["", "+a", "//", "/*", "a b", "'x"] {
            assert_eq!(single(text), None, "{text}");
        }
    }

    #[test]
    fn skipped_lines_hide_quotes_and_comments() {
        let text = "don't /*\n \"#\" '\"' /* \n#x */ y # z\n  /* c */ #end\n";
        let mut lexer = Lexer::new(Arc::new(Buffer::new(text.to_string())), BytePos(0));
        let place = lexer.skip_to_directive().unwrap().unwrap();
        assert_eq!(&text[place.0 as usize..], "#end\n");
        assert_eq!(lexer.skip_to_directive(), Ok(None));
    }
}
