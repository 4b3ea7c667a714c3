//! What one pass learns for the next: slots of objects, which cells are shared, what they may point to.

use super::Refusal;
use super::grow::{COUNTED, Counts};
use crate::base::Loc;
use crate::base::faults::{self, Fault};
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::PosKey;
use crate::ir::{FuncId, GlobalId, Program};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A thread instance, by how it was created, so that it has the same name in every pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadKey(pub u64);

/// An object, by how it came to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKey {
    Global(GlobalId),
    ThreadLocal(GlobalId, ThreadKey),
    Function(FuncId),
    Alloc(ThreadKey, PosKey),
    /// The result of a thread.
    Result(ThreadKey),
}

/// Which of the parallel memories of an object a cell is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// Its bytes.
    Data,
    /// The synchronisation word of the mutex that starts at the offset.
    Sync,
    /// Offset 0: one byte that is 1 once the object's life has ended.
    Ended,
}

/// A place in memory: slot, space, first byte.
pub type Place = (Slot, Space, u64);

/// Who touched the bytes from a place on, once a second thread may have been running.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Touch {
    pub readers: BTreeSet<ThreadKey>,
    pub writers: BTreeSet<ThreadKey>,
}

/// Bytes `from .. to` of an object that is no array, touched unit by unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BlockTouch {
    pub slot: Slot,
    pub from: u64,
    pub to: u64,
    pub unit: u64,
    pub thread: ThreadKey,
    pub write: bool,
}

/// What one pass saw.
#[derive(Default)]
pub struct Touches {
    /// By place and width in bytes.
    pub accesses: BTreeMap<(Place, u32), Touch>,
    /// Blocks that were filled or copied once a second thread may have been running.
    pub blocks: BTreeSet<BlockTouch>,
    /// What was stored at shared places, as far as it may be an address.
    pub pointers: BTreeMap<Place, BTreeSet<Slot>>,
    /// Places whose values matter for addresses, as far as they are news.
    pub followed: BTreeSet<Place>,
    /// What was stored at places that are followed.
    pub stored: BTreeMap<Place, Stored>,
    /// Places of numbers that decide offsets in objects of unknown size, as far as they are news.
    pub counted: BTreeSet<Place>,
    /// What was stored at those that are known.
    pub counts: Counts,
    /// The size of an object has fewer zeros at its end than a pass took for granted.
    pub uneven: bool,
    /// Objects whose life ends somewhere while others may look.
    pub ended: BTreeSet<Slot>,
    /// Objects that were accessed at more offsets than are listed, and what divides the offsets' differences.
    pub strides: Vec<(Slot, u64)>,
    /// Accesses of arrays: slot, first byte within an element, and the byte after the last.
    pub fields: BTreeSet<(Slot, u64, u64)>,
}

/// Most values that are kept of a place.
const STORED: usize = 32;
/// How often the list of a place may grow.
const GROWTHS: u32 = 16;

/// The values that a followed place may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stored {
    /// These, as words of the width of whoever stored them.
    Values(BTreeSet<u128>),
    /// Too many, or unknown ones.
    Many,
}

impl Default for Stored {
    fn default() -> Stored {
        Stored::Values(BTreeSet::new())
    }
}

impl Stored {
    /// Adds values.
    pub fn add(&mut self, more: &BTreeSet<u128>) {
        if let Stored::Values(values) = self {
            values.extend(more.iter().copied());
            if values.len() > STORED {
                *self = Stored::Many;
            }
        }
    }
}

/// How an object that is accessed at many offsets is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// Elements of this many bytes, each cut at these borders (the first and the last included).
    Array { stride: u64, borders: BTreeSet<u64> },
    /// Not into elements: some access does not lie within one.
    Irregular,
}

/// An object as passes know it.
pub struct Known {
    pub key: ObjectKey,
    /// Size in bytes, if it was the same constant whenever it was allocated.
    pub size_bytes: u64,
    pub read_only: bool,
}

/// Everything that passes learnt so far.
pub struct Knowledge {
    pub space: AddressSpace,
    /// Objects whose size was not constant.
    pub symbolic: BTreeSet<Slot>,
    /// How many bits at the end of their sizes are zero.
    pub even: BTreeMap<Slot, u16>,
    /// Numbers that are counted in shared memory.
    pub counts: Counts,
    /// Objects that `free` may end.
    pub heap: BTreeSet<Slot>,
    slots: HashMap<ObjectKey, Slot>,
    known: Vec<Known>,
    accesses: BTreeMap<(Place, u32), Touch>,
    blocks: BTreeSet<BlockTouch>,
    /// Shared cells: width in bytes by place.
    shared: BTreeMap<Place, u32>,
    pointers: BTreeMap<Place, BTreeSet<Slot>>,
    /// Followed places: what they may hold, and how often that has grown.
    stored: BTreeMap<Place, (Stored, u32)>,
    ended: BTreeSet<Slot>,
    shapes: BTreeMap<Slot, Shape>,
}

/// Number of the first slot that is given out: small integers should not look like addresses.
pub(super) const FIRST_SLOT: u32 = 0x100;

impl Knowledge {
    /// Knows the globals and functions.
    pub fn new(program: &Program) -> Result<Knowledge, Refusal> {
        let largest = program.globals.iter().max_by_key(|g| g.size_bytes);
        let bytes = largest.map_or(0, |g| g.size_bytes);
        let place = largest.map_or(Loc::NONE, |g| g.loc);
        let space = AddressSpace::new(program.model, bytes).ok_or(Refusal::AddressSpace(place))?;
        let mut knowledge = Knowledge {
            space,
            symbolic: BTreeSet::new(),
            even: BTreeMap::new(),
            counts: Counts::new(),
            heap: BTreeSet::new(),
            slots: HashMap::new(),
            known: Vec::new(),
            accesses: BTreeMap::new(),
            blocks: BTreeSet::new(),
            shared: BTreeMap::new(),
            pointers: BTreeMap::new(),
            stored: BTreeMap::new(),
            ended: BTreeSet::new(),
            shapes: BTreeMap::new(),
        };
        for (id, function) in program.functions.iter_ids() {
            knowledge
                .slot(ObjectKey::Function(id), 0, true)
                .ok_or(Refusal::AddressSpace(function.loc))?;
        }
        for (id, global) in program.globals.iter_ids() {
            if !global.thread_local {
                knowledge
                    .slot(ObjectKey::Global(id), global.size_bytes, global.read_only)
                    .ok_or(Refusal::AddressSpace(global.loc))?;
            }
        }
        Ok(knowledge)
    }

    /// The slot of an object, given out at its first mention; `None` if addresses are used up or the
    /// object is too large for its slot. The largest size mentioned counts.
    pub fn slot(&mut self, key: ObjectKey, size_bytes: u64, read_only: bool) -> Option<Slot> {
        if size_bytes >> self.space.object_bits() != 0 {
            return None;
        }
        if let Some(&slot) = self.slots.get(&key) {
            let known = &mut self.known[(slot.0 - FIRST_SLOT) as usize];
            known.size_bytes = known.size_bytes.max(size_bytes);
            return Some(slot);
        }
        let slot = Slot(FIRST_SLOT + self.known.len() as u32);
        if u64::from(slot.0) >= self.space.slots() {
            return None;
        }
        self.known.push(Known {
            key,
            size_bytes,
            read_only,
        });
        self.slots.insert(key, slot);
        Some(slot)
    }

    /// The slot of an object that was mentioned before.
    pub fn slot_of(&self, key: ObjectKey) -> Slot {
        self.slots[&key]
    }

    /// What is known of the object in a slot.
    pub fn object(&self, slot: Slot) -> Option<&Known> {
        slot.0
            .checked_sub(FIRST_SLOT)
            .and_then(|i| self.known.get(i as usize))
    }

    /// Slots given out so far end before this number.
    pub fn end_of_slots(&self) -> u32 {
        FIRST_SLOT + self.known.len() as u32
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
    pub fn points_to(&self, place: Place) -> Option<&BTreeSet<Slot>> {
        self.pointers.get(&place)
    }

    /// What a place may hold; `None` if it is not followed.
    pub fn stored(&self, place: Place) -> Option<&Stored> {
        self.stored.get(&place).map(|(stored, _)| stored)
    }

    /// What the results of threads may point into.
    pub fn result_targets(&self) -> BTreeSet<Slot> {
        let results = self
            .known
            .iter()
            .enumerate()
            .filter(|(_, known)| matches!(known.key, ObjectKey::Result(_)));
        results
            .flat_map(|(i, _)| {
                self.pointers
                    .get(&(Slot(FIRST_SLOT + i as u32), Space::Data, 0))
            })
            .flatten()
            .copied()
            .collect()
    }

    /// Whether other threads may see the object's life end.
    pub fn may_end(&self, slot: Slot) -> bool {
        self.ended.contains(&slot)
    }

    /// Whether an object is seen as an array.
    pub fn is_array(&self, slot: Slot) -> bool {
        matches!(self.shapes.get(&slot), Some(Shape::Array { .. }))
    }

    /// Whether an object cannot be seen as an array.
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

    fn learn_shapes(
        &mut self,
        strides: &[(Slot, u64)],
        fields: &BTreeSet<(Slot, u64, u64)>,
    ) -> bool {
        let before = self.shapes.clone();
        for &(slot, modulus) in strides {
            let shape = self.shapes.entry(slot).or_insert_with(|| Shape::Array {
                stride: modulus,
                borders: BTreeSet::new(),
            });
            if let Shape::Array { stride, borders } = shape {
                *stride = gcd(*stride, modulus);
                borders.retain(|border| border <= stride);
            }
        }
        for &(slot, from, to) in fields {
            if let Some(shape) = self.shapes.get_mut(&slot)
                && let Shape::Array { stride, borders } = shape
            {
                if to > *stride {
                    *shape = Shape::Irregular;
                } else {
                    borders.extend([from, to]);
                }
            }
        }
        let stride = |shape: Option<&Shape>| match shape {
            Some(Shape::Array { stride, .. }) => Some(*stride),
            _ => None,
        };
        for (slot, shape) in &self.shapes {
            // Places mean something else now.
            if stride(before.get(slot)) != stride(Some(shape)) {
                let own = |place: &Place| place.0 == *slot && place.1 == Space::Data;
                self.accesses.retain(|(place, _), _| !own(place));
                self.pointers.retain(|place, _| !own(place));
            }
        }
        before != self.shapes
    }

    /// Takes in what a pass saw; says whether anything that a pass relies on has changed.
    pub fn learn(&mut self, touches: Touches) -> bool {
        let mut changed = false;
        for (at, touch) in touches.accesses {
            let known = self.accesses.entry(at).or_default();
            known.readers.extend(touch.readers);
            known.writers.extend(touch.writers);
        }
        for (place, slots) in touches.pointers {
            let known = self.pointers.entry(place).or_default();
            let before = known.len();
            known.extend(slots);
            changed |= known.len() != before;
        }
        for (place, more) in touches.stored {
            let (known, growths) = self.stored.entry(place).or_default();
            let before = known.clone();
            match &more {
                Stored::Values(values) => known.add(values),
                Stored::Many => *known = Stored::Many,
            }
            if *known != before {
                *growths += 1;
                changed = true;
                if *growths > GROWTHS {
                    *known = Stored::Many;
                }
            }
        }
        for place in touches.followed {
            self.stored.entry(place).or_insert_with(|| {
                changed = true;
                Default::default()
            });
        }
        for (place, more) in touches.counts {
            let known = self
                .counts
                .entry(place)
                .or_insert_with(|| Some(Rc::default()));
            let joined = match (&*known, &more) {
                (Some(known), Some(more)) => {
                    let all: BTreeSet<u128> = known.union(more).copied().collect();
                    (all.len() <= COUNTED).then(|| Rc::new(all))
                }
                _ => None,
            };
            changed |= joined != *known;
            *known = joined;
        }
        for place in touches.counted {
            self.counts.entry(place).or_insert_with(|| {
                changed = true;
                Some(Rc::default())
            });
        }
        changed |= touches.uneven;
        for slot in touches.ended {
            changed |= self.ended.insert(slot);
        }
        changed |= self.learn_shapes(&touches.strides, &touches.fields);
        self.blocks.extend(touches.blocks);
        let shared = shared_cells(&self.accesses, &self.block_touches());
        changed |= shared != self.shared;
        self.shared = shared;
        changed
    }
}

impl Knowledge {
    /// Blocks by slot, with what it means to be in them.
    fn block_touches(&self) -> BTreeMap<Slot, Vec<(BlockTouch, Touch)>> {
        let mut found: BTreeMap<Slot, Vec<(BlockTouch, Touch)>> = BTreeMap::new();
        for block in self
            .blocks
            .iter()
            .filter(|block| !self.is_array(block.slot))
        {
            let mut touch = Touch::default();
            match block.write {
                true => touch.writers.insert(block.thread),
                false => touch.readers.insert(block.thread),
            };
            let all = found.entry(block.slot).or_default();
            all.push((block.clone(), touch));
        }
        found
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The partition of all bytes that words touch into cells at the borders of all accesses, reduced to the cells that
/// two threads touch, one of them writing. What is only in blocks is no reason for a cell.
fn shared_cells(
    accesses: &BTreeMap<(Place, u32), Touch>,
    blocks: &BTreeMap<Slot, Vec<(BlockTouch, Touch)>>,
) -> BTreeMap<Place, u32> {
    let mut shared = BTreeMap::new();
    let mut cluster: Vec<(u64, u64, &Touch)> = Vec::new();
    let mut current: Option<(Slot, Space, u64)> = None;
    let mut close = |slot, space, end, cluster: &mut Vec<_>| {
        if space == Space::Data
            && let Some(blocks) = blocks.get(&slot)
        {
            add_blocks(blocks, end, cluster);
        }
        cut(slot, space, cluster, &mut shared);
        cluster.clear();
    };
    for (((slot, space, offset), bytes), touch) in accesses {
        let stop = offset + u64::from(*bytes);
        match &mut current {
            Some((s, p, end)) if s == slot && p == space && *offset < *end => {
                *end = (*end).max(stop)
            }
            _ => {
                if let Some((s, p, end)) = current {
                    close(s, p, end, &mut cluster);
                }
                current = Some((*slot, *space, stop));
            }
        }
        cluster.push((*offset, stop, touch));
    }
    if let Some((s, p, end)) = current {
        close(s, p, end, &mut cluster);
    }
    shared
}

/// Adds what blocks touch of a run of overlapping accesses that ends at `end`.
fn add_blocks<'a>(
    blocks: &'a [(BlockTouch, Touch)],
    end: u64,
    cluster: &mut Vec<(u64, u64, &'a Touch)>,
) {
    let first = cluster.first().map_or(end, |access| access.0);
    for (block, touch) in blocks {
        let (from, to) = (block.from.max(first), block.to.min(end));
        let mut at = from;
        while at < to {
            let next = block.from + ((at - block.from) / block.unit + 1) * block.unit;
            let next = next.min(to);
            cluster.push((at, next, touch));
            at = next;
        }
    }
}

/// Cuts one run of overlapping accesses.
fn cut(
    slot: Slot,
    space: Space,
    cluster: &[(u64, u64, &Touch)],
    shared: &mut BTreeMap<Place, u32>,
) {
    let borders: BTreeSet<u64> = cluster
        .iter()
        .filter(|(_, _, touch)| !faults::on(Fault::CellsUncut) || !touch.writers.is_empty())
        .flat_map(|(a, b, _)| [*a, *b])
        .collect();
    let borders: Vec<u64> = borders.into_iter().collect();
    for pair in borders.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let mut all = BTreeSet::new();
        let mut written = false;
        for (a, b, touch) in cluster {
            if *a < to && from < *b {
                if !faults::on(Fault::SharingMissed) {
                    all.extend(touch.readers.iter().copied());
                }
                all.extend(touch.writers.iter().copied());
                written |= !touch.writers.is_empty();
            }
        }
        if written && all.len() > 1 {
            shared.insert((slot, space, from), (to - from) as u32);
        }
    }
}
