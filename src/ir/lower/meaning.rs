//! Choices of meaning that C, or whoever asks, leaves open.

use crate::ir::Checks;

/// Meaning of what C leaves open, or what not everybody wants to know.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meaning {
    /// Each occurrence of a string literal is an object of its own; equal ones may stand at one place or not (C17 6.4.5).
    pub apart: bool,
    /// Checks that are asked for. Without [`Check::Overflow`](crate::ir::Check::Overflow), signed numbers wrap.
    pub checks: Checks,
    /// The function that begins the program, if it is not `main`.
    pub entry: Option<Entry>,
}

/// A function that begins the program in place of `main`, and what its arguments may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Elements of the array that a pointer leads to the first of.
    pub elements: u64,
    /// Pointers of one type may lead to one object.
    pub aliases: bool,
    /// Pointers may be null.
    pub null: bool,
}

impl Entry {
    /// A function whose pointers lead to one object each.
    pub fn new(name: &str) -> Entry {
        Entry {
            name: name.to_string(),
            elements: 1,
            aliases: false,
            null: false,
        }
    }
}
