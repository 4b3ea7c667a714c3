//! Ordinary memory: what a path knows of the bytes of each object.

use super::touch::Space;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::ir::address::Slot;
use crate::term::TermId;
use std::rc::Rc;

/// Known parts of one object: by space and first byte, width in bytes and value. Parts do not overlap.
#[derive(Clone, Default, Debug)]
pub struct Content {
    parts: SortedMap<(Space, u64), (u32, TermId)>,
    /// Blocks that were filled or copied, by first byte, with the byte behind the last, and not overlapping. Parts have
    /// been written since.
    blocks: SortedMap<u64, (u64, Rc<Source>)>,
    /// Of an array: what is known of each field, by its first byte in an element.
    fields: SortedMap<u64, (u32, Rc<History>)>,
}

/// Source of the bytes of a block.
#[derive(Debug)]
pub enum Source {
    /// Each is this one.
    Byte(TermId),
    /// Those that were elsewhere; offset `start` is the first one's.
    Copy {
        start: u64,
        /// Origins of the bytes; it is the first if no other's condition holds.
        from: Vec<Origin>,
        /// Other threads may have written there.
        shared: bool,
    },
    /// Those of one content or of the other.
    Either {
        cond: TermId,
        then: Rc<Content>,
        other: Rc<Content>,
    },
    /// Of the first `size` bytes from `start` on those of one source, otherwise those of a content.
    Within {
        start: u64,
        size: TermId,
        inside: Rc<Source>,
        outside: Rc<Content>,
    },
}

/// A place that a block is copied from, with what was known of its object.
#[derive(Debug)]
pub struct Origin {
    pub when: TermId,
    pub slot: Slot,
    pub offset: u64,
    pub content: Option<Rc<Content>>,
}

/// History of one field of all elements of an array: what is known of it, newest first.
#[derive(Debug)]
pub enum History {
    /// Nothing but what the object started out with.
    Initial,
    /// Values of some elements, by number.
    KnownObject {
        before: Rc<History>,
        values: SortedMap<u128, TermId>,
    },
    /// A write to one element, if `when`.
    Write {
        before: Rc<History>,
        element: TermId,
        when: TermId,
        value: TermId,
    },
    /// Bytes `from .. to` of the array, where an element's field is among them, are those of a block.
    Range {
        before: Rc<History>,
        from: u64,
        to: u64,
        source: Rc<Source>,
    },
    /// Two paths met.
    Either {
        cond: TermId,
        then: Rc<History>,
        other: Rc<History>,
    },
}

impl History {
    /// The known values on top, and what is below them.
    pub fn top(&self) -> (Option<&Rc<History>>, Option<&SortedMap<u128, TermId>>) {
        match self {
            History::KnownObject { before, values } => (Some(before), Some(values)),
            _ => (None, None),
        }
    }

    /// Identity of histories: true if both are the same one.
    pub fn is(&self, other: &History) -> bool {
        std::ptr::eq(self, other) || matches!((self, other), (History::Initial, History::Initial))
    }
}

/// A stretch of an object: known, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stretch {
    Whole(TermId),
    /// A part of a value that was stored whole: its lowest bit and its width in bits.
    Part(TermId, u16, u16),
    /// First byte and width in bytes.
    Gap(u64, u32),
}

impl Content {
    /// The bytes `offset .. offset + bytes` as stretches, ascending.
    pub fn read(&self, space: Space, offset: u64, bytes: u32) -> Vec<Stretch> {
        if let Some(&(width, value)) = self.parts.get(&(space, offset))
            && width == bytes
        {
            return vec![Stretch::Whole(value)];
        }
        let end = offset + u64::from(bytes);
        let mut stretches = Vec::new();
        let mut at = offset;
        for (start, width, value) in self.overlapping(space, offset, end) {
            if start > at {
                stretches.push(Stretch::Gap(at, (start - at) as u32));
                at = start;
            }
            let stop = (start + u64::from(width)).min(end);
            stretches.push(if at == start && stop == start + u64::from(width) {
                Stretch::Whole(value)
            } else {
                Stretch::Part(value, ((at - start) * 8) as u16, ((stop - at) * 8) as u16)
            });
            at = stop;
        }
        if at < end {
            stretches.push(Stretch::Gap(at, (end - at) as u32));
        }
        stretches
    }

    /// Stores a value of `bytes` bytes at `offset`; `part` gives the part of a value that a stretch says.
    pub fn write(
        &mut self,
        mut part: impl FnMut(Stretch) -> TermId,
        space: Space,
        offset: u64,
        bytes: u32,
        value: TermId,
    ) {
        let end = offset + u64::from(bytes);
        for (start, width, old) in self.overlapping(space, offset, end) {
            self.parts.remove(&(space, start));
            let stop = start + u64::from(width);
            if start < offset {
                let low = part(Stretch::Part(old, 0, ((offset - start) * 8) as u16));
                self.parts
                    .insert((space, start), ((offset - start) as u32, low));
            }
            if stop > end {
                let (lo, bits) = (((end - start) * 8) as u16, ((stop - end) * 8) as u16);
                let high = part(Stretch::Part(old, lo, bits));
                self.parts.insert((space, end), ((stop - end) as u32, high));
            }
        }
        self.parts.insert((space, offset), (bytes, value));
    }

    /// Bytes `from .. to` are those of a source now; `part` gives the part of a value that a stretch says.
    pub fn cover(
        &mut self,
        mut part: impl FnMut(Stretch) -> TermId,
        (from, to): (u64, u64),
        source: Rc<Source>,
    ) {
        for (start, width, old) in self.overlapping(Space::Data, from, to) {
            self.parts.remove(&(Space::Data, start));
            let stop = start + u64::from(width);
            for (a, b) in [(start, stop.min(from)), (start.max(to), stop)] {
                if a < b {
                    let (low, bits) = ((a - start) * 8, (b - a) * 8);
                    let rest = part(Stretch::Part(old, low as u16, bits as u16));
                    self.parts.insert((Space::Data, a), ((b - a) as u32, rest));
                }
            }
        }
        let overlapping: Vec<(u64, u64, Rc<Source>)> = self.overlapping_blocks(from, to);
        for (start, end, old) in overlapping {
            self.blocks.remove(&start);
            if start < from {
                self.blocks.insert(start, (from, old.clone()));
            }
            if to < end {
                self.blocks.insert(to, (end, old));
            }
        }
        self.blocks.insert(from, (to, source));
    }

    fn overlapping_blocks(&self, from: u64, to: u64) -> Vec<(u64, u64, Rc<Source>)> {
        let before = self.blocks.range(..from).next_back();
        before
            .into_iter()
            .filter(|(_, (end, _))| *end > from)
            .chain(self.blocks.range(from..to))
            .map(|(start, (end, source))| (*start, *end, source.clone()))
            .collect()
    }

    /// Blocks: true if some bytes are those of one.
    pub fn has_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Bytes `at .. at + width`, cut at the borders of blocks: first byte, width, source if there is one.
    pub fn blocks_within(&self, at: u64, width: u32) -> Vec<(u64, u32, Option<Rc<Source>>)> {
        let end = at + u64::from(width);
        let mut found = Vec::new();
        let mut next = at;
        for (start, stop, source) in self.overlapping_blocks(at, end) {
            let (start, stop) = (start.max(at), stop.min(end));
            if start > next {
                found.push((next, (start - next) as u32, None));
            }
            found.push((start, (stop - start) as u32, Some(source)));
            next = stop;
        }
        if next < end {
            found.push((next, (end - next) as u32, None));
        }
        found
    }

    /// History of a field of an array; nothing is known of it with another width.
    pub fn history(&self, field: u64, bytes: u32) -> Rc<History> {
        let known = self.fields.get(&field).filter(|(width, _)| *width == bytes);
        known.map_or_else(|| Rc::new(History::Initial), |known| known.1.clone())
    }

    /// Parts that overlap some bytes: first byte, width in bytes and value.
    pub fn overlapping(&self, space: Space, offset: u64, end: u64) -> Vec<(u64, u32, TermId)> {
        let before = self.parts.range(..(space, offset)).next_back();
        before
            .into_iter()
            .filter(|((s, start), (width, _))| *s == space && start + u64::from(*width) > offset)
            .chain(self.parts.range((space, offset)..(space, end)))
            .map(|((_, start), (width, value))| (*start, *width, *value))
            .collect()
    }

    /// Replaces what is known of a field of an array.
    pub fn set_history(&mut self, field: u64, bytes: u32, history: Rc<History>) {
        self.fields.insert(field, (bytes, history));
    }

    /// All parts: space, first byte, width in bytes, value.
    pub fn parts(&self) -> impl Iterator<Item = (Space, u64, u32, TermId)> + '_ {
        self.parts
            .iter()
            .map(|((space, offset), (width, value))| (*space, *offset, *width, *value))
    }
}

/// Memory of all objects, as a path knows it; copies share what they did not change.
#[derive(Clone, Default)]
pub struct Memory {
    objects: Rc<SortedMap<Slot, Rc<Content>>>,
}

impl Memory {
    /// The known parts of an object.
    pub fn get(&self, slot: Slot) -> Option<&Rc<Content>> {
        self.objects.get(&slot)
    }

    /// The known parts of an object, to change.
    pub fn get_mut(&mut self, slot: Slot) -> &mut Content {
        let objects = Rc::make_mut(&mut self.objects);
        Rc::make_mut(objects.entry(slot).or_default())
    }

    /// An object comes into being, of which nothing is known yet.
    pub fn begin(&mut self, slot: Slot) {
        self.get_mut(slot);
    }

    /// Takes over what another memory knows of the bytes of an object, of which this one knows nothing.
    pub fn take_bytes(&mut self, slot: Slot, other: &Memory) {
        let mut content = other
            .get(slot)
            .map_or_else(Content::default, |content| (**content).clone());
        content.parts.retain(|(space, _), _| *space == Space::Data);
        Rc::make_mut(&mut self.objects).insert(slot, Rc::new(content));
    }

    /// Objects that one of two memories knows and the other does not.
    pub fn unmatched(&self, other: &Memory) -> Vec<Slot> {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return Vec::new();
        }
        let only = |one: &Memory, two: &Memory| {
            let slots = one.objects.keys().copied();
            slots
                .filter(|slot| !two.objects.contains_key(slot))
                .collect()
        };
        let [mine, theirs]: [Vec<Slot>; 2] = [only(self, other), only(other, self)];
        [mine, theirs].concat()
    }

    /// History of a field of an array. (Of a field that was written with another width nothing is known: then the next
    /// pass cuts finer.)
    pub fn history(&self, (slot, field, bytes): (Slot, u64, u32)) -> Rc<History> {
        self.get(slot).map_or_else(
            || Rc::new(History::Initial),
            |content| content.history(field, bytes),
        )
    }

    /// Bytes that are of different blocks in the two: slot, first byte and the byte behind the last.
    pub fn differing_blocks(&self, other: &Memory) -> Vec<(Slot, u64, u64)> {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return Vec::new();
        }
        let empty = Rc::new(Content::default());
        let slots: SortedSet<Slot> = [self, other]
            .into_iter()
            .flat_map(|memory| memory.objects.iter())
            .filter(|(_, content)| content.has_blocks())
            .map(|(slot, _)| *slot)
            .collect();
        let mut found: Vec<(Slot, u64, u64)> = Vec::new();
        for slot in slots {
            let a = self.objects.get(&slot).unwrap_or(&empty);
            let b = other.objects.get(&slot).unwrap_or(&empty);
            if Rc::ptr_eq(a, b) {
                continue;
            }
            let borders: SortedSet<u64> = [a, b]
                .into_iter()
                .flat_map(|content| &content.blocks)
                .flat_map(|(start, (end, _))| [*start, *end])
                .collect();
            let borders: Vec<u64> = borders.into_iter().collect();
            for pair in borders.windows(2) {
                let of = |content: &Content| content.overlapping_blocks(pair[0], pair[1]).pop();
                let same = match (of(a), of(b)) {
                    (Some((_, _, x)), Some((_, _, y))) => Rc::ptr_eq(&x, &y),
                    (None, None) => true,
                    _ => false,
                };
                if !same {
                    found.push((slot, pair[0], pair[1]));
                }
            }
        }
        found
    }

    /// Fields of arrays where the two differ: slot, first byte, width in bytes.
    pub fn differing_fields(&self, other: &Memory) -> Vec<(Slot, u64, u32)> {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return Vec::new();
        }
        let mut found = SortedSet::new();
        for memory in [self, other] {
            for (slot, content) in memory.objects.iter() {
                for (field, (bytes, _)) in &content.fields {
                    found.insert((*slot, *field, *bytes));
                }
            }
        }
        found.retain(|field| !self.history(*field).is(&other.history(*field)));
        found.into_iter().collect()
    }

    /// Places where the two differ as (slot, space, first byte, width in bytes), each within one part of
    /// whichever knows it finer.
    pub fn differences(&self, other: &Memory) -> Vec<(Slot, Space, u64, u32)> {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return Vec::new();
        }
        let empty = Rc::new(Content::default());
        let mut slots: Vec<Slot> = self
            .objects
            .keys()
            .chain(other.objects.keys())
            .copied()
            .collect();
        slots.sort_unstable();
        slots.dedup();
        let mut found = Vec::new();
        for slot in slots {
            let a = self.objects.get(&slot).unwrap_or(&empty);
            let b = other.objects.get(&slot).unwrap_or(&empty);
            if Rc::ptr_eq(a, b) {
                continue;
            }
            found.extend(
                differing_parts(a, b)
                    .into_iter()
                    .map(|(space, o, w)| (slot, space, o, w)),
            );
        }
        found
    }
}

/// Parts of either content that the other does not have alike, cut at the borders of both.
fn differing_parts(a: &Content, b: &Content) -> Vec<(Space, u64, u32)> {
    let mut ranges: Vec<(Space, u64, u64)> = Vec::new();
    for (one, two) in [(a, b), (b, a)] {
        for (space, offset, width, value) in one.parts() {
            if two.parts.get(&(space, offset)) != Some(&(width, value)) {
                ranges.push((space, offset, offset + u64::from(width)));
            }
        }
    }
    ranges.sort_unstable();
    let mut result = Vec::new();
    let mut i = 0;
    while i < ranges.len() {
        let (space, _, mut end) = ranges[i];
        let mut borders = vec![];
        while i < ranges.len() && ranges[i].0 == space && (borders.is_empty() || ranges[i].1 < end)
        {
            borders.extend([ranges[i].1, ranges[i].2]);
            end = end.max(ranges[i].2);
            i += 1;
        }
        borders.sort_unstable();
        borders.dedup();
        result.extend(
            borders
                .windows(2)
                .map(|pair| (space, pair[0], (pair[1] - pair[0]) as u32)),
        );
    }
    result
}
