//! Choices of meaning that C, or whoever asks, leaves open.

use crate::ir::Checks;

/// Meaning of what C leaves open, or what not everybody wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meaning {
    /// Each occurrence of a string literal is an object of its own; equal ones may stand at one place or not (C17 6.4.5).
    pub apart: bool,
    /// Checks that are asked for. Without [`Check::Overflow`](crate::ir::Check::Overflow), signed numbers wrap.
    pub checks: Checks,
}
