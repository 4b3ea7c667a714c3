//! Knowledge that one pass hands to the next: slots of objects, which cells are shared, what they may point to.

mod anew;
mod learn;

use super::lane::Watches;
use super::refusal::Unaddressable;
use super::slots::{SlotSet, SlotSets};
use super::touch::{
    BlockTouch, CellStart, Holders, Lives, Machine, ObjectKey, Space, Stored, Touch,
};
use crate::base::Loc;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::Program;
use crate::ir::address::{AddressSpace, Slot};
use hashbrown::HashMap;

/// Shape of an object that is accessed at many offsets: how it is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// Elements of this many bytes, each cut at these borders (the first and the last included).
    Array {
        stride: u64,
        borders: SortedSet<u64>,
    },
    /// Not into elements: some access does not lie within one.
    Irregular,
}

/// An object as passes know it.
pub struct KnownObject {
    pub key: ObjectKey,
    /// Size in bytes, if it was the same constant whenever it was allocated.
    pub size_bytes: u64,
    pub read_only: bool,
    /// Alignment of its machine address in bytes, if nothing else is known.
    pub align_bytes: u64,
}

/// Everything that passes learnt so far.
pub struct Knowledge {
    pub space: AddressSpace,
    /// Machine addresses: what is known of them, and whether anybody looks at them at all.
    pub machine: Machine,
    /// Hope: numbers that nobody has chosen are left out of lists, as long as something else is to be learnt.
    pub hopeful: bool,
    /// Places of accesses are noted, which only tests look at.
    pub notes_reached: bool,
    /// As in [`Touches`].
    pub hoped: bool,
    pub created_late: bool,
    /// Lives of objects in the last pass.
    pub lives: Lives,
    /// Objects whose size was not constant.
    pub symbolic: SortedSet<Slot>,
    /// Number of bits at the end of their sizes that are zero.
    pub even: SortedMap<Slot, u16>,
    /// Objects that `free` may end.
    pub heap: SortedSet<Slot>,
    /// Objects that are zero at first, of those that are allocated.
    pub zeroed: SortedSet<Slot>,
    /// Who held addresses of blocks, where leaks are asked for.
    pub holders: Holders,
    /// Accesses that may race, and with which.
    pub watches: Watches,
    /// Sets of slots that addresses may point into.
    pub sets: SlotSets,
    slots: HashMap<ObjectKey, Slot>,
    known: Vec<KnownObject>,
    accesses: SortedMap<(CellStart, u32), Touch>,
    /// Those of the last pass alone.
    last: SortedMap<(CellStart, u32), Touch>,
    blocks: SortedSet<BlockTouch>,
    /// Shared cells: width in bytes by place.
    shared: SortedMap<CellStart, u32>,
    pointers: SortedMap<CellStart, SlotSet>,
    /// A pass has added to them.
    points_anew: bool,
    stored: StoredAt,
    ended: SortedSet<Slot>,
    /// As in [`Touches`].
    exposed: SortedSet<Slot>,
    /// Threads' own variables that other threads touch.
    lent: SortedSet<Slot>,
    /// As in [`Touches`].
    copied: SortedSet<Slot>,
    synced: SortedSet<Slot>,
    sync_places: SortedSet<(Slot, u64)>,
    asked: SortedSet<Slot>,
    filled: SortedSet<Slot>,
    shapes: SortedMap<Slot, Shape>,
}

/// Followed places: what they may hold, and how often that has grown.
pub type StoredAt = SortedMap<CellStart, (Stored, u32)>;

/// Number of the first slot that is given out: small integers should not look like addresses.
const FIRST_SLOT: u32 = 0x100;
/// The lowest bit that no machine address has (LP64).
const TAG_BIT: u16 = 47;

impl Knowledge {
    /// Knows the globals and functions. Where machine addresses are `observed`, internal ones are numbers that no
    /// machine address is, so that a word that may be either says which it is.
    pub fn new(program: &Program, observed: bool) -> Result<Knowledge, Unaddressable> {
        let largest = program.globals.iter().max_by_key(|g| g.size_bytes);
        let bytes = largest.map_or(0, |g| g.size_bytes);
        let place = largest.map_or(Loc::NONE, |g| g.loc);
        let space = AddressSpace::new(program.model, bytes).ok_or(Unaddressable(place))?;
        let mut knowledge = Knowledge {
            space,
            machine: Machine {
                observed,
                ..Machine::default()
            },
            hopeful: true,
            notes_reached: false,
            hoped: false,
            created_late: false,
            lives: Lives::default(),
            symbolic: SortedSet::new(),
            even: SortedMap::new(),
            heap: SortedSet::new(),
            zeroed: SortedSet::new(),
            holders: Holders::default(),
            watches: Watches::default(),
            slots: HashMap::new(),
            known: Vec::new(),
            accesses: SortedMap::new(),
            last: SortedMap::new(),
            blocks: SortedSet::new(),
            shared: SortedMap::new(),
            pointers: SortedMap::new(),
            points_anew: false,
            sets: SlotSets::new(),
            stored: SortedMap::new(),
            ended: SortedSet::new(),
            exposed: SortedSet::new(),
            lent: SortedSet::new(),
            copied: SortedSet::new(),
            synced: SortedSet::new(),
            sync_places: SortedSet::new(),
            asked: SortedSet::new(),
            filled: SortedSet::new(),
            shapes: SortedMap::new(),
        };
        for (id, function) in program.functions.iter_ids() {
            knowledge
                .slot(ObjectKey::Function(id), 0, true, 1)
                .ok_or(Unaddressable(function.loc))?;
        }
        for (id, global) in program.globals.iter_ids() {
            if !global.thread_local {
                let (size, align) = (global.size_bytes, global.align_bytes);
                knowledge
                    .slot(ObjectKey::Global(id), size, global.read_only, align)
                    .ok_or(Unaddressable(global.loc))?;
            }
        }
        Ok(knowledge)
    }

    /// The slot of an object, given out at its first mention; `None` if addresses are used up or the
    /// object is too large for its slot. The largest size mentioned counts.
    pub fn slot(
        &mut self,
        key: ObjectKey,
        size_bytes: u64,
        read_only: bool,
        align_bytes: u64,
    ) -> Option<Slot> {
        if size_bytes >> self.space.object_bits() != 0 {
            return None;
        }
        if let Some(&slot) = self.slots.get(&key) {
            let number = self.number(slot)?;
            let known = &mut self.known[number];
            known.size_bytes = known.size_bytes.max(size_bytes);
            known.align_bytes = known.align_bytes.min(align_bytes);
            return Some(slot);
        }
        let slot = self.nth_slot(self.known.len() as u32)?;
        self.known.push(KnownObject {
            key,
            size_bytes,
            read_only,
            align_bytes,
        });
        self.slots.insert(key, slot);
        Some(slot)
    }

    /// The slot of an object that was mentioned before.
    pub fn slot_of(&self, key: ObjectKey) -> Slot {
        self.slots[&key]
    }

    /// The slot of an object, if it has been mentioned.
    pub fn known_slot(&self, key: ObjectKey) -> Option<Slot> {
        self.slots.get(&key).copied()
    }

    /// Lent variable: true if a thread's own variable is touched by other threads.
    pub fn is_lent(&self, slot: Slot) -> bool {
        self.lent.contains(&slot)
    }

    /// The slot of the n-th object; `None` if there are no more.
    ///
    /// Slots stand where no machine address is, if machine addresses are observed: in the fourth GiB (ILP32), or where
    /// bit 47 is set (LP64; bits above may be tags of a program).
    fn nth_slot(&self, n: u32) -> Option<Slot> {
        let offset_bits = self.space.offset_bits;
        let number = if !self.machine.observed {
            FIRST_SLOT.checked_add(n)?
        } else if self.space.pointer_bits == 32 {
            (self.space.highest() >> offset_bits) as u32 + n
        } else {
            let low = TAG_BIT.checked_sub(offset_bits)?;
            let (above, below) = (n >> low, n & ((1 << low) - 1));
            (above + 1) << (low + 1) | 1 << low | below
        };
        (u64::from(number) < self.space.slots()).then_some(Slot(number))
    }

    /// Number of the object in a slot, from 0, if the slot is one that objects get.
    fn number(&self, slot: Slot) -> Option<usize> {
        let offset_bits = self.space.offset_bits;
        let number = if !self.machine.observed {
            slot.0.checked_sub(FIRST_SLOT)?
        } else if self.space.pointer_bits == 32 {
            slot.0
                .checked_sub((self.space.highest() >> offset_bits) as u32)?
        } else {
            let low = TAG_BIT.checked_sub(offset_bits)?;
            if slot.0 >> low & 1 == 0 {
                return None;
            }
            let above = (slot.0 >> (low + 1)).checked_sub(1)?;
            above << low | slot.0 & ((1 << low) - 1)
        };
        Some(number as usize)
    }

    /// Object in a slot, as far as it is known.
    pub fn object(&self, slot: Slot) -> Option<&KnownObject> {
        self.number(slot).and_then(|i| self.known.get(i))
    }

    /// All slots that were given out, ascending.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, &KnownObject)> {
        let all = self.known.iter().enumerate();
        all.filter_map(|(i, known)| Some((self.nth_slot(i as u32)?, known)))
    }

    /// The first slot that objects get.
    pub fn first_slot(&self) -> u32 {
        self.nth_slot(0).map_or(FIRST_SLOT, |slot| slot.0)
    }

    /// Slots given out so far end before this number.
    pub fn end_of_slots(&self) -> u32 {
        match self.known.len() {
            0 => self.first_slot(),
            n => self.nth_slot(n as u32 - 1).map_or(FIRST_SLOT, |s| s.0 + 1),
        }
    }

    /// Shared cells: where they are, and their widths in bytes.
    pub fn shared_places(&self) -> Vec<(CellStart, u32)> {
        self.shared
            .iter()
            .map(|(at, width)| (*at, *width))
            .collect()
    }

    /// The same of one object.
    pub fn shared_in(&self, slot: Slot) -> Vec<(CellStart, u32)> {
        let from = self.shared.range((slot, Space::Data, 0)..);
        let own = from.take_while(|(place, _)| place.0 == slot);
        own.map(|(at, width)| (*at, *width)).collect()
    }

    /// Cuts the bytes `offset .. offset + bytes` of a slot at the borders of shared cells: pieces as
    /// (offset, width in bytes, whether the piece is a shared cell), ascending.
    pub fn pieces(
        &self,
        slot: Slot,
        space: Space,
        offset: u64,
        bytes: u32,
    ) -> Vec<(u64, u32, bool)> {
        let end = offset + u64::from(bytes);
        let mut pieces = Vec::new();
        let mut at = offset;
        let before = self.shared.range(..=(slot, space, offset)).next_back();
        let inside = before
            .into_iter()
            .filter(|((s, p, o), width)| {
                *s == slot && *p == space && o + u64::from(**width) > offset
            })
            .map(|((_, _, o), w)| (*o, *w))
            .chain(
                self.shared
                    .range((slot, space, offset + 1)..(slot, space, end.max(offset + 1)))
                    .map(|((_, _, o), w)| (*o, *w)),
            );
        for (start, width) in inside {
            if start > at {
                pieces.push((at, (start - at) as u32, false));
                at = start;
            }
            // A shared cell that the access only overlaps: the next pass cuts it finer.
            let stop = (start + u64::from(width)).min(end);
            if stop > at {
                pieces.push((at, (stop - at) as u32, true));
                at = stop;
            }
        }
        if at < end {
            pieces.push((at, (end - at) as u32, false));
        }
        pieces
    }

    /// Shared cells of an object that overlap bytes `from .. to`: first byte and width.
    pub fn shared_within(&self, slot: Slot, from: u64, to: u64) -> Vec<(u64, u32)> {
        let place = |at: u64| (slot, Space::Data, at);
        let before = self.shared.range(place(0)..place(from)).next_back();
        let before = before.filter(|((_, _, at), width)| at + u64::from(**width) > from);
        let all = before
            .into_iter()
            .chain(self.shared.range(place(from)..place(to)));
        all.map(|((_, _, at), width)| (*at, *width)).collect()
    }

    /// The fields of an array's elements: first byte and width.
    pub fn array_fields(&self, slot: Slot) -> Vec<(u64, u32)> {
        let Some(Shape::Array { borders, .. }) = self.shapes.get(&slot) else {
            return Vec::new();
        };
        let borders: Vec<u64> = borders.iter().copied().collect();
        let field = |pair: &[u64]| (pair[0], (pair[1] - pair[0]) as u32);
        borders.windows(2).map(field).collect()
    }

    /// Slots that the pointer stored in a shared cell may point into.
    pub fn points_to(&self, place: CellStart) -> Option<SlotSet> {
        self.pointers.get(&place).copied()
    }

    /// Values that a place may hold; `None` if it is not followed.
    pub fn stored(&self, place: CellStart) -> Option<&Stored> {
        self.stored.get(&place).map(|(stored, _)| stored)
    }

    /// Followed place: it is one from now on.
    pub fn follow(&mut self, place: CellStart) {
        self.stored.entry(place).or_default();
    }

    /// Takes note that a place may hold addresses of objects. The same pass knows that already, as it only adds to what follows.
    pub fn note_pointers(&mut self, place: CellStart, slots: SlotSet) {
        let known = self.pointers.entry(place).or_default();
        let all = self.sets.union(*known, slots);
        self.points_anew |= all != *known;
        *known = all;
    }

    /// Forgets what followed places may hold; that is the result.
    pub fn forget_stored(&mut self) -> StoredAt {
        let empty = (self.stored.keys()).map(|place| (*place, Default::default()));
        let empty = empty.collect();
        std::mem::replace(&mut self.stored, empty)
    }

    /// Knows again what has been forgotten; the result is what has been set since.
    pub fn restore_stored(&mut self, known: StoredAt) -> SortedMap<CellStart, Stored> {
        let found = std::mem::replace(&mut self.stored, known).into_iter();
        found.map(|(place, (stored, _))| (place, stored)).collect()
    }

    /// Sets what a followed place may hold; true if that is news.
    pub fn set_stored(&mut self, place: CellStart, values: Stored) -> bool {
        let known = self.stored.entry(place).or_default();
        let is_news = known.0 != values;
        known.0 = values;
        is_news
    }

    /// Places where threads leave their results.
    pub fn result_places(&self) -> impl Iterator<Item = CellStart> {
        self.slots()
            .filter(|(_, known)| matches!(known.key, ObjectKey::Result(_)))
            .map(|(slot, _)| (slot, Space::Data, 0))
    }

    /// Points-to set of the results of threads.
    pub fn result_targets(&mut self) -> SlotSet {
        let places: Vec<CellStart> = self.result_places().collect();
        let mut all = SlotSet::EMPTY;
        for place in places {
            let own = self.points_to(place).unwrap_or_default();
            all = self.sets.union(all, own);
        }
        all
    }

    /// End of an object's life: true if other threads may see it.
    pub fn may_end(&self, slot: Slot) -> bool {
        self.ended.contains(&slot)
    }

    /// True if an object is shared from its allocation on.
    pub fn is_exposed(&self, slot: Slot) -> bool {
        self.exposed.contains(&slot)
    }

    /// Copies of synchronisation objects: true if an object may hold some that are used.
    pub fn copies(&self, slot: Slot) -> bool {
        self.copied.contains(&slot) && self.synced.contains(&slot)
    }

    /// Places in an object that are used for synchronisation: their first bytes, ascending.
    pub fn sync_places(&self, slot: Slot) -> Vec<u64> {
        let places = self.sync_places.range((slot, 0)..=(slot, u64::MAX));
        places.map(|(_, offset)| *offset).collect()
    }

    /// Fresh bytes: true if somebody asks which of an object's have been written.
    pub fn asks_fresh(&self, slot: Slot) -> bool {
        self.asked.contains(&slot)
    }

    /// True if an object is filled or copied as a block, or an array, so that nobody follows which of its bytes are fresh.
    pub fn has_blocks(&self, slot: Slot) -> bool {
        self.filled.contains(&slot) || self.is_array(slot)
    }

    /// Array: true if an object is seen as one.
    pub fn is_array(&self, slot: Slot) -> bool {
        matches!(self.shapes.get(&slot), Some(Shape::Array { .. }))
    }

    /// Irregular object: true if it cannot be seen as an array.
    pub fn is_irregular(&self, slot: Slot) -> bool {
        self.shapes.get(&slot) == Some(&Shape::Irregular)
    }

    /// Size of an array's elements in bytes.
    pub fn stride(&self, slot: Slot) -> u64 {
        match self.shapes.get(&slot) {
            Some(Shape::Array { stride, .. }) => *stride,
            _ => 1,
        }
    }

    /// Cuts the bytes `field .. field + bytes` of an array's elements at all borders: pieces as (first byte,
    /// width in bytes, whether the piece is shared), ascending.
    pub fn field_pieces(&self, slot: Slot, field: u64, bytes: u32) -> Vec<(u64, u32, bool)> {
        let end = field + u64::from(bytes);
        let mut cuts = vec![field];
        if let Some(Shape::Array { borders, .. }) = self.shapes.get(&slot) {
            cuts.extend(borders.range(field + 1..end));
        }
        cuts.push(end);
        let piece = |pair: &[u64]| {
            let width = (pair[1] - pair[0]) as u32;
            let all = self.pieces(slot, Space::Data, pair[0], width);
            (pair[0], width, all.iter().any(|piece| piece.2))
        };
        cuts.windows(2).map(piece).collect()
    }
}
