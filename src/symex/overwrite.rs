//! Writes to private memory, and what they replaced.

use super::element::Field;
use super::memory::History;
use crate::term::TermId;
use std::rc::Rc;

/// Old content of a place that a private write replaced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Old {
    KnownObject(TermId),
    /// Initial content of the object.
    Initial,
    /// Values of several writes.
    Mixed,
}

/// A write to an element of a private array.
pub(super) struct ElementWrite {
    pub field: Field,
    pub before: Rc<History>,
    pub element: TermId,
    pub when: TermId,
    pub value: TermId,
}
