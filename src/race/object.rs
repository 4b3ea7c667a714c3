//! Abstract objects, and the places in them that pointers point to: an object, with an offset where that is a constant.
//! An object of the heap or the stack stands for all that its instruction allocates.

use super::site::Site;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::ids;
use crate::ir::{FuncId, GlobalId, InstrKind, Operand, Program};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

ids! {
    /// An abstract object.
    ObjectId;
    /// A place in one.
    PlaceId;
}

/// Constant offsets that are told apart within an object.
const MOST_OFFSETS: u32 = 256;

/// Allocations whose objects are told apart; those of all others are one.
const MOST_ALLOCATIONS: usize = 500;

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Object {
    Global(GlobalId),
    Function(FuncId),
    /// Memory that the program gets from where nothing is known of.
    Unknown,
    /// All that instructions allocate which are not told apart.
    Rest,
    /// All that an instruction allocates.
    Allocated {
        at: Site,
        heap: bool,
    },
}

/// An object, and an offset in bytes; `None` is any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    pub object: ObjectId,
    pub at: Option<u32>,
}

/// All objects and places of a program.
pub(super) struct Objects {
    pub kinds: IdVec<ObjectId, Object>,
    /// Sizes in bytes, where they are constant.
    pub sizes: IdVec<ObjectId, Option<u64>>,
    pub places: IdVec<PlaceId, Place>,
    known: HashMap<Place, PlaceId, FxBuildHasher>,
    /// Number of constant offsets of each object.
    offsets: IdVec<ObjectId, u32>,
    allocated: HashMap<Site, ObjectId, FxBuildHasher>,
    globals: usize,
    functions: usize,
}

impl Objects {
    pub(super) fn new(program: &Program) -> Objects {
        let mut objects = Objects {
            kinds: IdVec::new(),
            sizes: IdVec::new(),
            places: IdVec::new(),
            known: HashMap::default(),
            offsets: IdVec::new(),
            allocated: HashMap::default(),
            globals: program.globals.len(),
            functions: program.functions.len(),
        };
        for (id, global) in program.globals.iter_ids() {
            objects.push(Object::Global(id), Some(global.size_bytes));
        }
        for id in program.functions.ids() {
            objects.push(Object::Function(id), None);
        }
        objects.push(Object::Unknown, None);
        objects.push(Object::Rest, None);
        objects
    }

    fn push(&mut self, kind: Object, size: Option<u64>) -> ObjectId {
        self.sizes.push(size);
        self.offsets.push(0);
        self.kinds.push(kind)
    }

    pub(super) fn global(&self, id: GlobalId) -> ObjectId {
        ObjectId::from_index(id.index())
    }

    /// Memory of which nothing is known.
    pub(super) fn unknown(&self) -> ObjectId {
        ObjectId::from_index(self.globals + self.functions)
    }

    /// The object of an instruction that allocates.
    pub(super) fn allocated(&mut self, at: Site, kind: &InstrKind) -> ObjectId {
        if let Some(&known) = self.allocated.get(&at) {
            return known;
        }
        if self.allocated.len() >= MOST_ALLOCATIONS {
            return ObjectId::from_index(self.globals + self.functions + 1);
        }
        let (heap, size) = match kind {
            InstrKind::Alloc {
                size_bytes, kind, ..
            } => (kind.is_heap(), constant(*size_bytes)),
            _ => (true, None),
        };
        let id = self.push(Object::Allocated { at, heap }, size);
        self.allocated.insert(at, id);
        id
    }

    /// The place that an operand names by itself, whether anything points there or not.
    pub(super) fn known(&self, operand: Operand) -> Option<Place> {
        match operand {
            Operand::GlobalAddr(id, at) => {
                let object = self.global(id);
                let within =
                    |at: &u32| self.sizes[object].is_none_or(|size| u64::from(*at) <= size);
                let at = u32::try_from(at).ok().filter(within);
                Some(Place { object, at })
            }
            Operand::FuncAddr(id) => Some(Place {
                object: ObjectId::from_index(self.globals + id.index()),
                at: Some(0),
            }),
            Operand::Reg(_) | Operand::Const { .. } => None,
        }
    }

    /// The place at an offset, any if it is not one of the object's, or if too many are told apart.
    pub(super) fn place(&mut self, object: ObjectId, at: Option<i64>) -> PlaceId {
        let within = |at: &i64| {
            let size = self.sizes[object];
            (0..1 << 30).contains(at) && size.is_none_or(|size| *at as u64 <= size)
        };
        let mut at = at.filter(within).map(|at| at as u32);
        if at.is_some() && !self.known.contains_key(&Place { object, at }) {
            if self.offsets[object] < MOST_OFFSETS {
                self.offsets[object] += 1;
            } else {
                at = None;
            }
        }
        let place = Place { object, at };
        if let Some(&known) = self.known.get(&place) {
            return known;
        }
        let id = self.places.push(place);
        self.known.insert(place, id);
        id
    }

    /// The place that an operand names by itself.
    pub(super) fn named(&mut self, operand: Operand) -> Option<PlaceId> {
        match operand {
            Operand::GlobalAddr(id, at) => Some(self.place(self.global(id), Some(at))),
            Operand::FuncAddr(id) => {
                let object = ObjectId::from_index(self.globals + id.index());
                Some(self.place(object, Some(0)))
            }
            Operand::Reg(_) | Operand::Const { .. } => None,
        }
    }

    /// The function that a place is in.
    pub(super) fn function(&self, place: PlaceId) -> Option<FuncId> {
        match self.kinds[self.places[place].object] {
            Object::Function(id) => Some(id),
            _ => None,
        }
    }
}

/// The number that an operand is.
pub(super) fn constant(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const { value, .. } => u64::try_from(value).ok(),
        _ => None,
    }
}

/// The signed number that an operand is, as wide as it is.
pub(super) fn signed(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { value, bits } if (1..=64).contains(&bits) => {
            let unused = 64 - u32::from(bits);
            Some(((value as u64) << unused) as i64 >> unused)
        }
        _ => None,
    }
}
