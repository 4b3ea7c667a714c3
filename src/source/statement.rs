//! Statements, as far as the user's lines show them, in a form that blanks, comments and other lines do not change.

use super::{Excerpt, Position, Source};
use crate::base::Loc;

/// The statement of a place, or what of it is on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The file, the line, and the first character there, from 0: where it is, in the order of the text.
    pub start: (String, u32, usize),
    /// Its text, without comments, with as few blanks as possible.
    pub text: String,
    /// Characters of the text before the place.
    pub offset: usize,
}

impl Source {
    /// The statement of a place of the user's text.
    pub fn statement(&self, loc: Loc) -> Option<Statement> {
        let Position { file, line, column } = self.position(loc)?;
        let Excerpt { text, .. } = self.excerpt(loc)?;
        let place = (column as usize).saturating_sub(1);
        let piece = piece(&text, place);
        Some(Statement {
            start: (file, line, piece.start.unwrap_or(place)),
            text: piece.text,
            offset: piece.offset.unwrap_or_default(),
        })
    }
}

/// Part of a line that ends with a semicolon or at a brace.
#[derive(Default)]
struct Piece {
    text: String,
    start: Option<usize>,
    /// Characters before the place, if it is reached.
    offset: Option<usize>,
    /// A blank or a comment comes before what is next.
    blank: bool,
}

impl Piece {
    /// Adds a token, or a part of one, that is so many characters into the line.
    fn add(&mut self, token: &[char], at: usize, place: usize) {
        let glued = |before: char, after: char| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            is_word(before) && is_word(after) || before == after
        };
        let last = self.text.chars().next_back();
        if std::mem::take(&mut self.blank) && last.is_some_and(|last| glued(last, token[0])) {
            self.text.push(' ');
        }
        self.start.get_or_insert(at);
        if at + token.len() > place && self.offset.is_none() {
            self.offset = Some(self.text.chars().count());
        }
        self.text.extend(token);
    }
}

/// The part of a line that a place is in, so many characters from its beginning.
fn piece(line: &str, place: usize) -> Piece {
    let line: Vec<char> = line.chars().collect();
    let mut piece = Piece::default();
    let (mut at, mut depth) = (0, 0_usize);
    while at < line.len() {
        let rest = &line[at..];
        let length = match rest {
            ['/', '/', ..] => break,
            ['/', '*', rest @ ..] => {
                let end = rest.windows(2).position(|two| two == ['*', '/']);
                piece.blank = true;
                at += end.map_or(rest.len() + 2, |end| end + 4);
                continue;
            }
            [blank, ..] if blank.is_whitespace() => {
                piece.blank = true;
                at += 1;
                continue;
            }
            [quote @ ('"' | '\''), rest @ ..] => literal(rest, *quote) + 1,
            [';' | '{' | '}', ..] if depth == 0 => {
                if piece.offset.is_some() || at >= place {
                    break;
                }
                piece = Piece::default();
                at += 1;
                continue;
            }
            _ => 1,
        };
        match rest[0] {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        piece.add(&rest[..length], at, place);
        at += length;
    }
    piece
}

/// Length of a literal behind its first quote.
fn literal(rest: &[char], quote: char) -> usize {
    let mut escaped = false;
    let end = rest.iter().position(|c| {
        let is_end = *c == quote && !escaped;
        escaped = *c == '\\' && !escaped;
        is_end
    });
    end.map_or(rest.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, token: &str) -> (String, usize) {
        let place = line.chars().count() - line.rsplit_once(token).unwrap().1.chars().count();
        let piece = piece(line, place - token.chars().count());
        (piece.text, piece.offset.unwrap_or(usize::MAX))
    }

    #[test]
    fn a_statement_is_what_is_between_semicolons_and_braces() {
        let line = "void *t(void *a) { x  = 1; /* why; */ *p =  2 ; return 0; } // *p = 3";
        assert_eq!(of(line, "x"), ("x=1".to_string(), 0));
        assert_eq!(of(line, "*p = "), ("".to_string(), usize::MAX));
        assert_eq!(of(line, "2"), ("*p=2".to_string(), 3));
        assert_eq!(of(line, "return"), ("return 0".to_string(), 0));
        let line = "\tfor (i = 0; i < n; i++) puts(\";\\\"}\");";
        assert_eq!(
            of(line, "n"),
            ("for(i=0;i<n;i++)puts(\";\\\"}\")".to_string(), 10)
        );
        assert_eq!(of("a = b - - c;", "b").0, "a=b- -c");
    }

    #[test]
    fn blanks_and_comments_change_nothing() {
        let (one, other) = ("  *p=q [ 1];", "if (x) { *p = q[1]; }");
        assert_eq!(of(one, "q"), of(other, "q"));
        assert_eq!(of("x = /* new */ y;", "y"), of("x=y;", "y"));
    }
}
