//! Points-to facts of an unrolled program: where each access may be, and what is known of the values that places hold. Tests compare them
//! with all executions.

use super::list::List;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::{CellId, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;

/// A place that an access may be at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reached {
    /// Slot of the object.
    pub slot: Slot,
    /// True if the synchronisation word is meant that begins here, and not the bytes.
    pub sync: bool,
    /// First byte, within the object or, of an array, within an element.
    pub offset: u64,
    /// Width of the access in bytes.
    pub bytes: u32,
    /// True if it is in some element of an array.
    pub element: bool,
}

/// Places of accesses, by thread and position.
pub type ReachedAt = SortedMap<(ThreadId, PosKey), SortedSet<Reached>>;

/// Points-to facts of an unrolled program.
#[derive(Clone, Default, Debug)]
pub struct Points {
    /// Places of all accesses of scalars and mutexes, whether they make events or not.
    pub reached: ReachedAt,
    /// Cells that are bytes of objects.
    pub data: SortedSet<CellId>,
    /// Lists of what may be stored, by slot and first byte; none of places without a short list.
    pub lists: SortedMap<(Slot, u64), List>,
    /// Objects that may be pointed to, by slot and first byte of the place that holds the pointer.
    pub pointers: SortedMap<(Slot, u64), SortedSet<Slot>>,
}
