//! Bytes to text: UTF-8 where it is, otherwise every stray byte by itself.

/// Text of any bytes; a byte that is not part of valid UTF-8 becomes the Latin-1 character of its value.
pub(super) fn lossless(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let mut text = String::new();
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|b| char::from(*b)));
            }
            text
        }
    }
}

/// Text for the parser: as [`lossless`], but a stray byte within a string or character constant becomes an
/// octal escape, so that the constant keeps its length and bytes.
pub(super) fn program(bytes: Vec<u8>) -> String {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error,
    };
    let mut text = String::new();
    let mut quotes = Quotes::default();
    for chunk in error.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            quotes.next(c);
            text.push(c);
        }
        for byte in chunk.invalid() {
            if quotes.inside() {
                text.push_str(&format!("\\{byte:03o}"));
            } else {
                text.push(char::from(*byte));
            }
        }
    }
    text
}

/// Follows string and character constants, and comments, from character to character.
#[derive(Default)]
struct Quotes {
    state: Lexical,
    previous: char,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Lexical {
    #[default]
    Code,
    Quoted(char),
    Line,
    Block,
}

impl Quotes {
    fn inside(&self) -> bool {
        matches!(self.state, Lexical::Quoted(_))
    }

    fn next(&mut self, c: char) {
        let previous = std::mem::replace(&mut self.previous, c);
        self.state = match (self.state, previous, c) {
            (Lexical::Code, _, '"' | '\'') => Lexical::Quoted(c),
            (Lexical::Code, '/', '/') => Lexical::Line,
            (Lexical::Code, '/', '*') => Lexical::Block,
            (Lexical::Quoted(_), '\\', _) => {
                // The character after a backslash neither closes the constant nor escapes the next.
                self.previous = '\0';
                self.state
            }
            (Lexical::Quoted(quote), _, _) if c == quote => Lexical::Code,
            (Lexical::Quoted(_) | Lexical::Line, _, '\n') => Lexical::Code,
            (Lexical::Block, '*', '/') => Lexical::Code,
            (state, _, _) => state,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stray_bytes() {
        assert_eq!(lossless(b"a\xe9b".to_vec()), "aéb");
        assert_eq!(
            program(b"/* \xe9 */ \"\\\"\xe9\" // \xe9\n'\xff'".to_vec()),
            "/* é */ \"\\\"\\351\" // é\n'\\377'"
        );
        assert_eq!(program("\"é\"".as_bytes().to_vec()), "\"é\"");
    }
}
