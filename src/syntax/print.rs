//! Tokens to the text that the parser reads: every token at its old offset if the text so far leaves room.

use super::token::{Kind, Token};
use crate::source::Edits;

/// The text, and where its offsets differ from those of the preprocessed text.
pub(super) fn print(tokens: &[Token]) -> (String, Edits) {
    let mut text = String::new();
    let mut points: Vec<(u32, u32)> = Vec::new();
    // What the last point adds to an offset of the text to give the original.
    let mut shift = 0i64;
    let mut previous: Option<&Token> = None;
    for token in tokens {
        let origin = token.origin as usize;
        if text.len() < origin {
            text.extend(std::iter::repeat_n(' ', origin - text.len()));
        } else if previous.is_some_and(|previous| merge(previous, token)) {
            text.push(' ');
        }
        let here = i64::from(token.origin) - text.len() as i64;
        if here != shift {
            points.push((text.len() as u32, token.origin));
            shift = here;
        }
        text.push_str(&token.text);
        previous = Some(token);
    }
    text.push('\n');
    (text, Edits::new(points))
}

/// Punctuators that are part of no other.
const ALONE: [&str; 8] = ["(", ")", "[", "]", "{", "}", ";", ","];

/// Need of a space: true if two tokens would read as others when written side by side; false for neighbours in the
/// program.
fn merge(left: &Token, right: &Token) -> bool {
    // Two words are no neighbours in the program: one of them stands for a shorter one.
    let word = |kind| matches!(kind, Kind::Word | Kind::Number);
    let words = word(left.kind) && word(right.kind);
    if !words && left.origin as usize + left.text.len() == right.origin as usize {
        return false;
    }
    match (left.kind, right.kind) {
        (Kind::Punctuator, Kind::Punctuator) => ![left, right].iter().any(|t| t.is_one(&ALONE)),
        (Kind::Punctuator, Kind::Number) | (Kind::Number, Kind::Punctuator) => true,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn keeps_offsets_where_it_can() {
        let text = "int  x /* c */ = 1;\n# 1 \"y\"\nint y;";
        let (printed, edits) = print(&tokens(text).unwrap());
        assert_eq!(printed.find("y;"), text.find("y;"));
        assert_eq!(edits.original(5), 5);
        let mut longer = tokens(text).unwrap();
        longer[0].text = "_Thread_local".into();
        let (printed, edits) = print(&longer);
        assert!(printed.starts_with("_Thread_local x="));
        assert_eq!(edits.original(14), 5);
        // As long as what is there with the space behind it.
        longer[0].text = "_Bool".into();
        assert!(print(&longer).0.starts_with("_Bool x"));
        longer[0].text = "int64".into();
        assert!(print(&longer).0.starts_with("int64 x"));
        assert_eq!(
            edits.original(printed.find("y;").unwrap() as u32),
            text.find("y;").unwrap() as u32
        );
    }
}
