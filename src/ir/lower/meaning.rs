//! Choices of meaning that C, or whoever asks, leaves open.

/// Meaning of what C leaves open, or what not everybody wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meaning {
    /// Each occurrence of a string literal is an object of its own; equal ones may stand at one place or not (C17 6.4.5).
    pub apart: bool,
    /// Signed overflow is undefined; else signed numbers wrap.
    pub overflow: bool,
}
