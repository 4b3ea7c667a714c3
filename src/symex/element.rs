//! Elements of arrays, as far as a pass knows of them (see `array`).

use crate::event::EventId;
use crate::ir::address::Slot;
use crate::term::TermId;
use hashbrown::HashMap;

/// A field of an array: its slot, first byte within an element, and width in bytes.
pub(super) type Field = (Slot, u64, u32);

/// An access of one element of a shared field.
#[derive(Clone, Copy)]
pub(super) struct ElementAccess {
    pub event: EventId,
    pub field: Field,
    pub label: TermId,
    /// The condition that the access is to this array.
    pub when: TermId,
}

/// Accesses of arrays and values of their elements, as far as a pass knows them.
#[derive(Default)]
pub(super) struct Arrays {
    pub accesses: Vec<ElementAccess>,
    /// Labels by element.
    pub labels: HashMap<TermId, TermId>,
    /// Event, label, element: where the event is reached, they are equal.
    pub foretold: Vec<(EventId, TermId, TermId)>,
    /// Values of uninitialised elements that were read so far.
    pub uninitialised: HashMap<Field, Vec<(TermId, TermId)>>,
}
