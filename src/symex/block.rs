//! Operations on blocks of memory, at the cost of what somebody looks at.
//!
//! Private memory gets one [`Source`] for the whole block, which reads ask for their bytes. What is shared has events:
//! the cells of the block that other threads look at are read and written one unit after the other, each at a
//! position of its own ([`crate::ir::position::PosKey::part`]; `trace/interpret/block.rs` numbers them alike). What is
//! written to a block is looked at by accesses of single words alone: two blocks that two threads write are no reason
//! for events; but who reads a word of a copy also looks at the word that it was copied from, so that the next pass
//! knows.

use super::array::Field;
use super::idle::Old;
use super::knowledge::{BlockTouch, Space};
use super::memory::{Content, History, Memory, Origin, Source, Stretch};
use super::pass::Pass;
use super::pointer;
use super::reach::{ByNumber, Reach};
use super::state::State;
use crate::event::{Cut, Role};
use crate::ir::address::Slot;
use crate::ir::{BlockSource, Undefined};
use crate::term::TermId;
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Elements of a shared array that are written out.
const ELEMENTS: u64 = 8192;

/// Places that a block may start at within one object.
const STARTS: usize = 64;

/// The number of the step that looks whether the objects still live.
const LAST_PART: u64 = u64::MAX;

/// Values of one read of ranges, by content, object, first byte and width.
type Memo = HashMap<(*const Content, Slot, u64, u32), TermId>;

/// A block operation while it is executed.
struct Block {
    targets: Vec<Reach>,
    /// Where it is copied from.
    sources: Vec<Reach>,
    /// What it is filled with, if it is not copied.
    byte: Option<TermId>,
    /// Size in bytes: the term and the most that it can be.
    size: TermId,
    most: u64,
    unit: u64,
    /// Everything is read before anything is written.
    first: bool,
}

impl Block {
    fn part(&self, start: u64, write: bool) -> u64 {
        match (self.first, write) {
            (true, false) => 1 + start,
            (true, true) => 1 + self.most + start,
            (false, false) => 1 + 2 * start,
            (false, true) => 2 + 2 * start,
        }
    }
}

impl Pass<'_> {
    /// Fills or copies a block.
    pub(super) fn fill_or_copy(
        &mut self,
        state: &mut State,
        to: TermId,
        (source, value): (BlockSource, TermId),
        size: TermId,
        unit: u8,
    ) {
        let bits = self.program.model.pointer_bits();
        let size = self.number(size);
        let size = self.terms.fit(size, bits);
        let Some(most) = self.block_most(size) else {
            self.refuse(state, "an operation on a block of unknown size");
            return;
        };
        if most == 0 {
            return;
        }
        let (byte, first) = match source {
            BlockSource::Byte(_) => (Some(value), false),
            BlockSource::Copy { overlapping, .. } => (None, overlapping),
        };
        let (targets, sources) = self.one_step(|pass| {
            if state.undrained {
                pass.drain(state);
                state.undrained = false;
            }
            let targets = pass.block_places(state, to, (size, most), true);
            let sources = match byte {
                Some(_) => Vec::new(),
                None => pass.block_places(state, value, (size, most), false),
            };
            (targets, sources)
        });
        if state.path.is_dead(&self.terms)
            || targets.is_empty()
            || (byte.is_none() && sources.is_empty())
        {
            return;
        }
        if targets
            .iter()
            .chain(&sources)
            .any(|reach| self.has_cut(reach, most))
        {
            self.refuse(
                state,
                "an operation on a large block with addresses that are also accessed in parts",
            );
            return;
        }
        let block = Block {
            targets,
            sources,
            byte,
            size,
            most,
            unit: u64::from(unit),
            first,
        };
        if !first {
            self.block_overlap(state, &block);
        }
        self.note_block(state, &block);
        let before = state.memory.clone();
        self.spread(state, &block, &before);
        if state.concurrent {
            self.block_events(state, &block, before);
        }
    }

    /// The most that a size can be, if that is known.
    fn block_most(&mut self, size: TermId) -> Option<u64> {
        if let Some(size) = self.terms.as_constant(size) {
            return u64::try_from(size).ok();
        }
        let most = u64::try_from(self.terms.fact(size).hi).unwrap_or(u64::MAX);
        Some(most.min(self.knowledge.space.largest_allocation()))
    }

    /// Where a block may be. The path goes on only where all of it is there.
    fn block_places(
        &mut self,
        state: &mut State,
        addr: TermId,
        (size, most): (TermId, u64),
        write: bool,
    ) -> Vec<Reach> {
        let space = self.knowledge.space;
        let offset_term = self.terms.extract(addr, 0, space.object_bits());
        let listed = self.listed_address(addr);
        let least = match self.terms.as_constant(size) {
            Some(_) => most,
            None => 0,
        };
        let slots = self.slots_at(addr);
        let mut candidates: Vec<(Slot, Option<ByNumber>)> =
            slots.iter().map(|slot| (*slot, None)).collect();
        if listed.is_none() && self.may_be_number(addr) {
            let found = self.by_number(state, addr);
            candidates.extend(found.into_iter().map(|found| (found.slot, Some(found))));
        }
        let mut reaches = Vec::new();
        let (mut valid, mut refused) = (self.terms.fals(), self.terms.fals());
        let mut read_only = self.terms.fals();
        for (slot, by_number) in candidates {
            let Some(known) = self.knowledge.object(slot) else {
                continue;
            };
            let (object_bytes, constant_object) = (known.size_bytes, known.read_only);
            if object_bytes < least {
                continue;
            }
            let last = object_bytes - least + 1;
            let starts = match (&listed, by_number) {
                (Some(values), _) => {
                    let here = values.iter().map(|value| *value as u64);
                    let here = here.filter(|value| space.slot(*value) == Some(slot));
                    Some(here.filter_map(|value| space.offset(value)).collect())
                }
                (None, Some(found)) => self.offsets(found.offset, 1, last, STARTS),
                (None, None) => self.offsets(offset_term, 1, last, STARTS),
            };
            let in_object = match by_number {
                Some(found) => found.here,
                None => self.is_in(addr, slot),
            };
            // A number that may be anywhere in an object is mostly its start.
            let starts: Vec<u64> = match (starts, by_number) {
                (Some(starts), _) => starts,
                (None, Some(found)) => {
                    let zero = self.terms.constant(0, space.object_bits());
                    let start = self.terms.eq(found.offset, zero);
                    let further = self.terms.not(start);
                    let further = self.terms.and(in_object, further);
                    refused = self.terms.or(refused, further);
                    vec![0]
                }
                (None, None) => {
                    refused = self.terms.or(refused, in_object);
                    continue;
                }
            };
            for start in starts {
                let here = self.starts_at(addr, (slot, start), by_number);
                if self.terms.as_constant(here) == Some(0) {
                    continue;
                }
                let mut fine = self.block_fits(slot, start, size);
                fine = self.terms.and(fine, here);
                if write && constant_object {
                    read_only = self.terms.or(read_only, fine);
                    continue;
                }
                if by_number.is_none() {
                    let alive = self.alive(state, slot, fine);
                    fine = self.terms.and(fine, alive);
                }
                if self.terms.as_constant(fine) == Some(0) {
                    continue;
                }
                valid = self.terms.or(valid, fine);
                reaches.push(Reach {
                    slot,
                    offset: start,
                    element: None,
                    when: here,
                });
            }
        }
        if !self.knowledge.machine.observed && self.is_assembled(addr) {
            // Numbers are put together where machine addresses are known.
            self.observe();
            let elsewhere = self.elsewhere(addr, &slots);
            refused = self.terms.or(refused, elsewhere);
        }
        let mut reaches = self.merged(reaches);
        let modelled = self.terms.not(refused);
        self.restrict_or_cut(state, modelled, || {
            Cut::Unsupported("an operation on a large block at an unknown place".into())
        });
        let changes = self.terms.not(read_only);
        self.restrict_or_cut(state, changes, || Cut::Undefined(Undefined::ReadOnly));
        self.restrict_or_cut(state, valid, || Cut::Undefined(Undefined::InvalidAccess));
        if let [only] = &mut reaches[..] {
            only.when = self.terms.tru();
        }
        reaches
    }

    /// Whether an address is a place in an object, or the number of one.
    fn starts_at(
        &mut self,
        addr: TermId,
        (slot, start): (Slot, u64),
        by_number: Option<ByNumber>,
    ) -> TermId {
        let space = self.knowledge.space;
        if let Some(found) = by_number {
            let start = self.terms.constant(u128::from(start), space.object_bits());
            let same = self.terms.eq(found.offset, start);
            return self.terms.and(found.here, same);
        }
        let base = u128::from(space.base(slot).wrapping_add(start));
        let base = self.terms.constant(base, space.pointer_bits);
        self.terms.eq(addr, base)
    }

    /// Whether an object has `size` bytes from `start` on.
    fn block_fits(&mut self, slot: Slot, start: u64, size: TermId) -> TermId {
        let bits = self.terms.bits(size);
        let all = self.size_of(slot);
        let start = self.terms.constant(u128::from(start), bits);
        let begins = self.terms.ule(start, all);
        let rest = self.terms.sub(all, start);
        let ends = self.terms.ule(size, rest);
        self.terms.and(begins, ends)
    }

    /// A copy to a place that the block overlaps is undefined, but for the block itself.
    fn block_overlap(&mut self, state: &mut State, block: &Block) {
        let mut clash = self.terms.fals();
        for target in &block.targets {
            for source in &block.sources {
                let distance = target.offset.abs_diff(source.offset);
                if target.slot != source.slot || distance == 0 || distance >= block.most {
                    continue;
                }
                let bits = self.terms.bits(block.size);
                let distance = self.terms.constant(u128::from(distance), bits);
                let near = self.terms.ult(distance, block.size);
                let both = self.terms.and(target.when, source.when);
                let both = self.terms.and(both, near);
                clash = self.terms.or(clash, both);
            }
        }
        let apart = self.terms.not(clash);
        self.restrict_or_cut(state, apart, || Cut::Undefined(Undefined::InvalidAccess));
    }

    /// Takes note of a block for the next pass, and for iterations that may be idle.
    fn note_block(&mut self, state: &State, block: &Block) {
        for target in &block.targets {
            let place = (target.slot, Space::Data, target.offset);
            self.private_writes
                .push((place, block.most as u32, Old::Mixed));
        }
        if !state.concurrent {
            return;
        }
        let thread = self.instances[self.current].key;
        let sides = [(&block.targets, true), (&block.sources, false)];
        for (reaches, write) in sides {
            for reach in reaches {
                if self.knowledge.is_array(reach.slot) {
                    for (field, width) in self.knowledge.array_fields(reach.slot) {
                        self.touch(reach.slot, Space::Data, field, width, write);
                    }
                    continue;
                }
                self.seen.blocks.insert(BlockTouch {
                    slot: reach.slot,
                    from: reach.offset,
                    to: reach.offset + block.most,
                    unit: block.unit,
                    thread,
                    write,
                });
            }
        }
    }

    /// Writes the block to private memory.
    fn spread(&mut self, state: &mut State, block: &Block, before: &Memory) {
        for target in &block.targets {
            let start = target.offset;
            let mut source = match block.byte {
                Some(byte) => Source::Byte(byte),
                None => Source::Copy {
                    start,
                    from: block
                        .sources
                        .iter()
                        .map(|source| Origin {
                            when: source.when,
                            slot: source.slot,
                            offset: source.offset,
                            content: before.get(source.slot).cloned(),
                        })
                        .collect(),
                    shared: state.concurrent,
                },
            };
            let outside = before.get(target.slot).cloned().unwrap_or_default();
            if self.terms.as_constant(block.size).is_none() {
                source = Source::Within {
                    start,
                    size: block.size,
                    inside: Rc::new(source),
                    outside: outside.clone(),
                };
            }
            let range = (start, start + block.most);
            if self.knowledge.is_array(target.slot) {
                self.spread_array(state, target, range, &Rc::new(source));
                continue;
            }
            let mut content = (*outside).clone();
            content.cover(|stretch| self.part(stretch), range, Rc::new(source));
            if self.terms.as_constant(target.when) != Some(1) {
                let both = Source::Either {
                    cond: target.when,
                    then: Rc::new(content),
                    other: outside.clone(),
                };
                content = (*outside).clone();
                content.cover(|stretch| self.part(stretch), range, Rc::new(both));
            }
            *state.memory.get_mut(target.slot) = content;
        }
    }

    /// The same for an array: a layer on the history of each field.
    fn spread_array(
        &mut self,
        state: &mut State,
        target: &Reach,
        (from, to): (u64, u64),
        source: &Rc<Source>,
    ) {
        let stride = self.knowledge.stride(target.slot);
        let unit = if stride.is_power_of_two() { stride } else { 1 };
        let bits = self.element_bits(target.slot);
        let always = self.terms.tru();
        for (field, width) in self.knowledge.array_fields(target.slot) {
            let place = (target.slot, field, width);
            let before = state.memory.history(place);
            let mut after = Rc::new(History::Range {
                before: before.clone(),
                from,
                to,
                source: source.clone(),
            });
            // Elements that lie across a border of the block.
            let across: BTreeSet<u64> = [from, to]
                .into_iter()
                .filter(|border| *border > field)
                .map(|border| (border - 1 - field) / stride * stride)
                .filter(|element| {
                    let start = element + field;
                    [from, to]
                        .iter()
                        .any(|border| start < *border && *border < start + u64::from(width))
                })
                .collect();
            for start in across {
                let element = self.terms.constant(u128::from(start / unit), bits);
                let old = self.read_history(place, &before, element, &mut HashMap::new());
                let old = self.number(old);
                let mut value = None;
                for i in 0..width {
                    let at = start + field + u64::from(i);
                    let byte = match (from..to).contains(&at) {
                        true => self.resolve(source, target.slot, at, 1, &mut Memo::new()),
                        false => self.terms.extract(old, (i * 8) as u16, 8),
                    };
                    value = Some(match value {
                        None => byte,
                        Some(low) => self.terms.concat(byte, low),
                    });
                }
                let value = value.expect("a field has a byte");
                after = self.write_history(place, &after, element, always, value);
            }
            if self.terms.as_constant(target.when) != Some(1) {
                after = Rc::new(History::Either {
                    cond: target.when,
                    then: after,
                    other: before,
                });
            }
            state
                .memory
                .get_mut(target.slot)
                .set_history(field, width, after);
        }
    }

    /// What is looked at within the block by others: first byte and width, ascending, each within one unit.
    fn block_pieces(&mut self, state: &mut State, block: &Block) -> Vec<(u64, u32)> {
        let mut borders = BTreeSet::new();
        let mut inside: Vec<(u64, u64)> = Vec::new();
        for reach in block.targets.iter().chain(&block.sources) {
            let end = reach.offset + block.most;
            if self.knowledge.is_array(reach.slot) {
                let fields = self.knowledge.array_fields(reach.slot);
                let shared = |(field, width): &(u64, u32)| {
                    let pieces = self.knowledge.field_pieces(reach.slot, *field, *width);
                    pieces.iter().any(|piece| piece.2)
                };
                if !fields.iter().any(shared) {
                    continue;
                }
                let stride = self.knowledge.stride(reach.slot);
                if block.most / stride > ELEMENTS {
                    self.refuse(
                        state,
                        "an operation on a large block of an array that threads share",
                    );
                    return Vec::new();
                }
                for (field, width) in fields {
                    let first = reach.offset / stride * stride;
                    for start in (first..end).step_by(stride as usize) {
                        let (from, to) = (start + field, start + field + u64::from(width));
                        if to <= reach.offset || from >= end {
                            continue;
                        }
                        if from < reach.offset || to > end {
                            self.refuse(state, "an operation on a block that ends within an element of an array that threads share");
                            return Vec::new();
                        }
                        inside.push((from - reach.offset, to - reach.offset));
                    }
                }
                continue;
            }
            for (at, width) in self.knowledge.shared_within(reach.slot, reach.offset, end) {
                let from = at.max(reach.offset) - reach.offset;
                let to = (at + u64::from(width)).min(end) - reach.offset;
                inside.push((from, to));
            }
        }
        inside.sort_unstable();
        inside.dedup();
        for (from, to) in &inside {
            borders.extend([*from, *to]);
            borders.extend((from / block.unit + 1..=to / block.unit).map(|i| i * block.unit));
        }
        let borders: Vec<u64> = borders.into_iter().collect();
        let mut pieces = Vec::new();
        let mut next = 0;
        let mut reached = 0;
        for pair in borders.windows(2) {
            while next < inside.len() && inside[next].0 <= pair[0] {
                reached = reached.max(inside[next].1);
                next += 1;
            }
            if reached >= pair[1] {
                pieces.push((pair[0], (pair[1] - pair[0]) as u32));
            }
        }
        pieces
    }

    /// Reads and writes what others look at; what nobody else looks at is read as it was `before`.
    fn block_events(&mut self, state: &mut State, block: &Block, mut before: Memory) {
        let pieces = self.block_pieces(state, block);
        let mut units: Vec<(u64, Vec<(u64, u32)>)> = Vec::new();
        for piece in pieces {
            let unit = piece.0 / block.unit * block.unit;
            match units.last_mut() {
                Some((start, all)) if *start == unit => all.push(piece),
                _ => units.push((unit, vec![piece])),
            }
        }
        let instruction = self.here.position;
        let mut values: Vec<Vec<TermId>> = Vec::new();
        for (start, pieces) in &units {
            if let Some(byte) = block.byte {
                let filled = pieces.iter().map(|(_, width)| self.repeated(byte, *width));
                values.push(filled.collect());
            } else {
                self.enter_part(instruction, block.part(*start, false));
                std::mem::swap(&mut state.memory, &mut before);
                let read = self.one_step(|pass| pass.block_read(state, block, pieces));
                std::mem::swap(&mut state.memory, &mut before);
                values.push(read);
            }
            if !block.first {
                let values = values.last().expect("just pushed").clone();
                self.enter_part(instruction, block.part(*start, true));
                self.one_step(|pass| pass.block_write(state, block, pieces, &values));
            }
        }
        if block.first {
            for ((start, pieces), values) in units.iter().zip(&values) {
                self.enter_part(instruction, block.part(*start, true));
                self.one_step(|pass| pass.block_write(state, block, pieces, values));
            }
        }
        let ends = |reach: &Reach| self.knowledge.may_end(reach.slot);
        if block.targets.iter().chain(&block.sources).any(ends) {
            self.enter_part(instruction, LAST_PART);
            self.one_step(|pass| {
                pass.block_lives(state, &block.targets, (block.size, 0));
                pass.block_lives(state, &block.sources, (block.size, 0));
            });
        }
        self.here.position = instruction;
    }

    /// The step with a number of the operation at `instruction`.
    fn enter_part(&mut self, instruction: crate::ir::position::PosKey, part: u64) {
        self.here.position = instruction.part(part);
        self.parts.push((self.current, instruction, part));
    }

    /// The path goes on where the object lives, or a byte is not in the block.
    fn block_lives(&mut self, state: &mut State, reaches: &[Reach], (size, at): (TermId, u64)) {
        let inside = self.in_block(size, at, 1);
        let mut lives = self.terms.not(inside);
        for reach in reaches {
            let when = self.terms.and(reach.when, inside);
            let alive = self.alive(state, reach.slot, when);
            let here = self.terms.and(when, alive);
            lives = self.terms.or(lives, here);
        }
        self.restrict_or_cut(state, lives, || Cut::Undefined(Undefined::InvalidAccess));
    }

    /// The places of a piece in the objects that a block may be in.
    fn block_reaches(&mut self, reaches: &[Reach], at: u64, width: u32) -> Vec<Reach> {
        let mut found = Vec::new();
        for reach in reaches {
            let offset = reach.offset + at;
            let element = self.knowledge.is_array(reach.slot).then(|| {
                let bits = self.knowledge.space.object_bits();
                let offset = self.terms.constant(u128::from(offset), bits);
                self.element(reach.slot, offset, width)
            });
            found.push(Reach {
                slot: reach.slot,
                offset: element.map_or(offset, |(field, _)| field),
                element: element.map(|(_, element)| element),
                when: reach.when,
            });
        }
        found
    }

    fn block_read(
        &mut self,
        state: &mut State,
        block: &Block,
        pieces: &[(u64, u32)],
    ) -> Vec<TermId> {
        let first = pieces.first().map_or(0, |piece| piece.0);
        self.block_lives(state, &block.sources, (block.size, first));
        let mut values = Vec::new();
        for &(at, width) in pieces {
            let inside = self.in_block(block.size, at, 1);
            let mut reaches = self.block_reaches(&block.sources, at, width);
            for reach in &mut reaches {
                self.touch(reach.slot, Space::Data, reach.offset, width, false);
                reach.when = self.terms.and(reach.when, inside);
            }
            let read = self.read_reaches(state, Space::Data, width, reaches, Role::Plain);
            values.push(read);
        }
        values
    }

    fn block_write(
        &mut self,
        state: &mut State,
        block: &Block,
        pieces: &[(u64, u32)],
        values: &[TermId],
    ) {
        let first = pieces.first().map_or(0, |piece| piece.0);
        self.block_lives(state, &block.targets, (block.size, first));
        for (&(at, width), &value) in pieces.iter().zip(values) {
            let reaches = self.block_reaches(&block.targets, at, width);
            let begins = self.in_block(block.size, at, 1);
            let whole = self.in_block(block.size, at, width);
            let mut value = value;
            if begins != whole {
                // The block may end within the piece; only a new object is written to like that.
                let old = self.block_old(&reaches, width);
                value = self.mixed(block.size, at, value, old);
            }
            self.write_reaches(
                state,
                Space::Data,
                width,
                reaches,
                value,
                begins,
                Role::Plain,
            );
        }
    }

    /// What the places of a piece start out with.
    fn block_old(&mut self, reaches: &[Reach], width: u32) -> TermId {
        let mut old = self.terms.constant(0, (width * 8) as u16);
        for reach in reaches.iter().filter(|reach| reach.element.is_none()) {
            let own = self.read_initial(reach.slot, Space::Data, reach.offset, width);
            old = self.terms.ite(reach.when, own, old);
        }
        old
    }

    /// Whether bytes `at .. at + width` of a block are within its size. Where the size is a multiple of what the piece
    /// lies in, the first byte decides.
    fn in_block(&mut self, size: TermId, at: u64, width: u32) -> TermId {
        if self.terms.as_constant(size).is_some() {
            return self.terms.tru();
        }
        let (modulus, residue) = pointer::congruence(&self.terms, size, 16);
        let modulus = modulus as u64;
        let last = at + u64::from(width) - 1;
        let end = match residue == 0 && modulus > 0 && at / modulus == last / modulus {
            true => (at / modulus + 1) * modulus,
            false => last + 1,
        };
        let bits = self.terms.bits(size);
        let end = self.terms.constant(u128::from(end), bits);
        self.terms.ule(end, size)
    }

    /// The bytes of `new` that are within the size of a block, the others from `old`.
    fn mixed(&mut self, size: TermId, at: u64, new: TermId, old: TermId) -> TermId {
        let bytes = u32::from(self.terms.bits(new) / 8);
        let all = self.in_block(size, at, bytes);
        let none = self.in_block(size, at, 1);
        let none = self.terms.not(none);
        let whole = (new, old);
        let (new, old) = (self.number(new), self.number(old));
        let mut value = None;
        for i in 0..bytes {
            let within = self.in_block(size, at + u64::from(i), 1);
            let a = self.terms.extract(new, (i * 8) as u16, 8);
            let b = self.terms.extract(old, (i * 8) as u16, 8);
            let byte = self.terms.ite(within, a, b);
            value = Some(match value {
                None => byte,
                Some(low) => self.terms.concat(byte, low),
            });
        }
        let value = value.expect("a piece has a byte");
        if (new, old) == whole {
            return value;
        }
        // Addresses that are not cut stay what they are.
        let value = self.terms.ite(none, whole.1, value);
        self.terms.ite(all, whole.0, value)
    }

    /// A word of which each byte is this one.
    fn repeated(&mut self, byte: TermId, bytes: u32) -> TermId {
        let byte = self.terms.fit(byte, 8);
        let word = (1..bytes).fold(byte, |word, _| self.terms.concat(byte, word));
        self.note_number(word);
        word
    }

    /// Bytes that no path has written one by one: of a block, or what the object started out with.
    pub(super) fn read_gap(
        &mut self,
        content: &Content,
        (slot, space): (Slot, Space),
        at: u64,
        width: u32,
    ) -> TermId {
        if space != Space::Data || !content.has_blocks() {
            return self.read_initial(slot, space, at, width);
        }
        self.gap(content, slot, at, width, &mut Memo::new())
    }

    fn gap(
        &mut self,
        content: &Content,
        slot: Slot,
        at: u64,
        width: u32,
        memo: &mut Memo,
    ) -> TermId {
        let mut value = None;
        for (from, bytes, source) in content.blocks_within(at, width) {
            let part = match source {
                Some(source) => self.resolve(&source, slot, from, bytes, memo),
                None => self.read_initial(slot, Space::Data, from, bytes),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    /// What a source gives for bytes of an object that it fills.
    fn resolve(
        &mut self,
        source: &Source,
        slot: Slot,
        at: u64,
        width: u32,
        memo: &mut Memo,
    ) -> TermId {
        match source {
            Source::Byte(byte) => self.repeated(*byte, width),
            Source::Copy {
                start,
                from,
                shared,
            } => {
                let mut value = None;
                for origin in from {
                    let place = origin.offset + (at - start);
                    let content = origin.content.as_deref();
                    let own = self.read_content(content, origin.slot, place, width, *shared, memo);
                    value = Some(match value {
                        None => own,
                        Some(other) => self.terms.ite(origin.when, own, other),
                    });
                }
                value.expect("a copy has a source")
            }
            Source::Either { cond, then, other } => {
                let a = self.read_content(Some(&**then), slot, at, width, false, memo);
                let b = self.read_content(Some(&**other), slot, at, width, false, memo);
                self.terms.ite(*cond, a, b)
            }
            Source::Within {
                start,
                size,
                inside,
                outside,
            } => {
                let new = self.resolve(inside, slot, at, width, memo);
                let old = self.read_content(Some(&**outside), slot, at, width, false, memo);
                let (first, all) = (
                    self.in_block(*size, at - start, 1),
                    self.in_block(*size, at - start, width),
                );
                match first == all {
                    true => self.terms.ite(all, new, old),
                    false => self.mixed(*size, at - start, new, old),
                }
            }
        }
    }

    /// Bytes of what was known of an object when it was copied.
    fn read_content(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        at: u64,
        width: u32,
        shared: bool,
        memo: &mut Memo,
    ) -> TermId {
        if self.knowledge.is_array(slot) {
            let bits = self.knowledge.space.object_bits();
            let offset = self.terms.constant(u128::from(at), bits);
            return self.read_array_content(content, slot, offset, width, shared);
        }
        if shared {
            self.touch(slot, Space::Data, at, width, false);
        }
        let Some(content) = content else {
            return self.read_initial(slot, Space::Data, at, width);
        };
        let key = (std::ptr::from_ref(content), slot, at, width);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        let mut value = None;
        for stretch in content.read(Space::Data, at, width) {
            let part = match stretch {
                Stretch::Gap(at, width) => self.gap(content, slot, at, width, memo),
                known => self.part(known),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        let value = value.expect("an access has a byte");
        memo.insert(key, value);
        value
    }

    /// The same at an offset that is a term.
    fn read_array_content(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        offset: TermId,
        width: u32,
        shared: bool,
    ) -> TermId {
        let (field, element) = self.element(slot, offset, width);
        let mut value = None;
        for (at, width, _) in self.knowledge.field_pieces(slot, field, width) {
            if shared {
                self.touch(slot, Space::Data, at, width, false);
            }
            let place: Field = (slot, at, width);
            let history = content.map_or_else(
                || Rc::new(History::Initial),
                |content| content.history(at, width),
            );
            let part = self.read_history(place, &history, element, &mut HashMap::new());
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    /// What a range of an array's history gives for an element: whether it is of the range, and its value.
    pub(super) fn in_range(
        &mut self,
        (slot, field, width): Field,
        element: TermId,
        (from, to): (u64, u64),
        source: &Source,
    ) -> (TermId, TermId) {
        let offset = self.element_offset((slot, field, width), element);
        let bits = self.terms.bits(offset);
        let first = self.terms.constant(u128::from(from), bits);
        let begins = self.terms.ule(first, offset);
        let inside = match to.checked_sub(u64::from(width)) {
            Some(last) => {
                let last = self.terms.constant(u128::from(last), bits);
                let ends = self.terms.ule(offset, last);
                self.terms.and(begins, ends)
            }
            None => self.terms.fals(),
        };
        if self.terms.as_constant(inside) == Some(0) {
            let zero = self.terms.constant(0, (width * 8) as u16);
            return (inside, zero);
        }
        let value = match (self.terms.as_constant(offset), source) {
            (Some(offset), _) => self.resolve(source, slot, offset as u64, width, &mut Memo::new()),
            (None, Source::Byte(byte)) => self.repeated(*byte, width),
            (
                None,
                Source::Copy {
                    start,
                    from,
                    shared,
                },
            ) => {
                let object_bits = self.knowledge.space.object_bits();
                let mut value = None;
                for origin in from {
                    let by = origin.offset.wrapping_sub(*start);
                    let by = self.terms.constant(u128::from(by), 64);
                    let by = self.terms.fit(by, bits);
                    let place = self.terms.add(offset, by);
                    let place = self.terms.extract(place, 0, object_bits);
                    let content = origin.content.as_deref();
                    let own = self.read_somewhere(content, origin.slot, place, width, *shared);
                    value = Some(match value {
                        None => own,
                        Some(other) => self.terms.ite(origin.when, own, other),
                    });
                }
                value.expect("a copy has a source")
            }
            (None, _) => self.never_modelled(width),
        };
        (inside, value)
    }

    /// Bytes at a symbolic offset of what was known of an object.
    fn read_somewhere(
        &mut self,
        content: Option<&Content>,
        slot: Slot,
        offset: TermId,
        width: u32,
        shared: bool,
    ) -> TermId {
        if self.knowledge.is_array(slot) {
            return self.read_array_content(content, slot, offset, width, shared);
        }
        let size = self
            .knowledge
            .object(slot)
            .map_or(0, |known| known.size_bytes);
        let Some(places) = self.offsets(offset, width, size, self.bounds.listed) else {
            if self.knowledge.is_irregular(slot) {
                return self.never_modelled(width);
            }
            // The next pass sees an array.
            let (modulus, _) = pointer::congruence(&self.terms, offset, 16);
            self.seen.strides.push((slot, modulus as u64));
            return self.terms.constant(0, (width * 8) as u16);
        };
        let mut memo = Memo::new();
        let bits = self.terms.bits(offset);
        let mut value = self.terms.constant(0, (width * 8) as u16);
        for place in places {
            let own = self.read_content(content, slot, place, width, shared, &mut memo);
            let number = self.terms.constant(u128::from(place), bits);
            let here = self.terms.eq(offset, number);
            value = self.terms.ite(here, own, value);
        }
        value
    }

    /// A word that nobody knows: the program is not modelled where it is read.
    fn never_modelled(&mut self, width: u32) -> TermId {
        let state = State {
            path: super::state::Path::always(&self.terms),
            regs: Vec::new(),
            memory: Memory::default(),
            concurrent: true,
            section: None,
            ended: Rc::default(),
            undrained: false,
            accessed: Default::default(),
        };
        let always = self.terms.tru();
        let why = "a symbolic index into a copy of a large object";
        self.cut(&state, always, Cut::Unsupported(why.into()));
        self.terms.constant(0, (width * 8) as u16)
    }
}
