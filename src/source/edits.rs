//! Edits: where the text that the parser reads differs in length from the preprocessed text.

/// Maps offsets of the parser's text to offsets of the preprocessed text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// Pairs (offset in the parser's text, offset in the preprocessed text), ascending in the first; between two
    /// of them both advance alike.
    points: Vec<(u32, u32)>,
}

impl Edits {
    /// The map through these pairs, which must ascend in their first part.
    pub fn new(points: Vec<(u32, u32)>) -> Edits {
        debug_assert!(points.is_sorted_by(|a, b| a.0 < b.0));
        Edits { points }
    }

    /// The place in the preprocessed text that `offset` came from.
    pub fn original(&self, offset: u32) -> u32 {
        match self.points.partition_point(|(parsed, _)| *parsed <= offset) {
            0 => offset,
            next => {
                let (parsed, original) = self.points[next - 1];
                original + (offset - parsed)
            }
        }
    }
}
