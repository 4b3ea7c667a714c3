//! Values with the objects whose addresses they may carry.

use crate::base::sorted::SortedSet;
use crate::ir::address::Slot;
use crate::term::{TermId, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Objects whose addresses a word may hold; [`NUMBER`] among them if it may be another number that a machine
/// address may equal.
pub(super) type Objects = SortedSet<Slot>;

/// A value: the term, and the objects that it may point to.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub term: TermId,
    pub objects: Objects,
}

impl From<TermId> for Word {
    /// A number that equals no machine address.
    fn from(term: TermId) -> Word {
        let objects = Objects::new();
        Word { term, objects }
    }
}

/// See [`Objects`]. Numbers of the first page and above all objects are no addresses of any.
pub(super) const NUMBER: Slot = Slot::NULL;

/// Addresses among objects: true if there is one besides [`NUMBER`].
pub(super) fn carries(objects: &Objects) -> bool {
    objects.iter().any(|slot| *slot != NUMBER)
}

/// Addresses with their exact offsets.
#[derive(Default)]
pub(super) struct Far {
    /// Offset from the start of the object, by address.
    pub exact: HashMap<TermId, TermId, FxBuildHasher>,
    /// Variables that stand for addresses that do not fit, by slot and offset.
    pub names: HashMap<(TermId, TermId), TermId, FxBuildHasher>,
    /// The same variables, with the address of the object's start.
    pub starts: HashMap<VarId, TermId, FxBuildHasher>,
}
