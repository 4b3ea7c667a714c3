//! Source positions, as every stage after `source` carries them.

/// A position in the program: a byte offset in its preprocessed text, which [`Places`](crate::Places) turn into file,
/// line and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Loc(pub u32);

impl Loc {
    /// Something that no text of the user stands for.
    pub const NONE: Loc = Loc(u32::MAX);
}
