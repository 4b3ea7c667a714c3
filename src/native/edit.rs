//! Edits of a text that may nest: each replaces a part by pieces, some of which are parts of the text again.

use std::ops::Range;

/// Piece of what replaces a part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Words of our own.
    Words(String),
    /// A part of the text, with the edits in it.
    Part(Range<usize>),
}

/// Replacement of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    pub range: Range<usize>,
    pub pieces: Vec<Piece>,
}

/// The text with all edits, which are apart from each other or one within the other.
pub(super) fn edited(text: &str, edits: &mut [Edit]) -> String {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut out = String::new();
    part(text, edits, 0..text.len(), &mut out);
    out
}

/// Writes a part of the text with the edits in it.
fn part(text: &str, edits: &[Edit], range: Range<usize>, out: &mut String) {
    let first = edits.partition_point(|edit| edit.range.start < range.start);
    let (mut at, mut index) = (range.start, first);
    while let Some(edit) = edits.get(index).filter(|edit| edit.range.start < range.end) {
        index += 1;
        if edit.range.start < at || edit.range.end > range.end {
            continue;
        }
        out.push_str(&text[at..edit.range.start]);
        for piece in &edit.pieces {
            match piece {
                Piece::Words(words) => out.push_str(words),
                // Edits of the same part stand behind this one.
                Piece::Part(range) if *range == edit.range => {
                    part(text, &edits[index..], range.clone(), out);
                }
                Piece::Part(range) => part(text, edits, range.clone(), out),
            }
        }
        at = edit.range.end;
    }
    out.push_str(&text[at..range.end]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_nest() {
        let words = |words: &str| Piece::Words(words.to_string());
        let text = "x = y + z;";
        let mut edits = vec![
            Edit {
                range: 4..5,
                pieces: vec![words("("), Piece::Part(4..5), words(")")],
            },
            Edit {
                range: 0..9,
                pieces: vec![
                    words("set("),
                    Piece::Part(0..1),
                    words(", "),
                    Piece::Part(4..9),
                    words(")"),
                ],
            },
            Edit {
                range: 0..9,
                pieces: vec![words("{"), Piece::Part(0..9), words("}")],
            },
        ];
        edits.swap(0, 2);
        assert_eq!(edited(text, &mut edits), "{set(x, (y) + z)};");
    }
}
