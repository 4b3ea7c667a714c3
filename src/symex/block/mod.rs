//! Operations on blocks of memory, at the cost of what somebody looks at.
//!
//! Private memory gets one `Source` for the whole block, which reads ask for their bytes. What is shared has events:
//! the cells of the block that other threads look at are read and written one unit after the other, each at a
//! position of its own ([`crate::ir::position::PosKey::part`]; `trace/interpret/block.rs` numbers them alike). What is
//! written to a block is looked at by accesses of single words alone: two blocks that two threads write are no reason
//! for events; but who reads a word of a copy also looks at the word that it was copied from, so that the next pass
//! knows.

mod place;
mod source;
mod spread;

use super::memory::Memory;
use super::overwrite::Old;
use super::pass::Pass;
use super::reach::Reach;
use super::state::PathState;
use super::touch::{BlockTouch, Space};
use crate::base::sorted::SortedSet;
use crate::event::{Cut, Role};
use crate::ir::position::BlockParts;
use crate::ir::{BlockSource, Undefined};
use crate::term::TermId;

/// Elements of a shared array that are written out.
const ELEMENTS: u64 = 8192;

/// A block operation while it is executed.
struct Block {
    targets: Vec<Reach>,
    /// Places that it is copied from.
    sources: Vec<Reach>,
    /// Byte that it is filled with, if it is not copied.
    byte: Option<TermId>,
    /// Size in bytes: the term and the most that it can be.
    size: TermId,
    most: u64,
    unit: u64,
    /// Numbers of its steps.
    parts: BlockParts,
}

impl Pass<'_> {
    /// Fills or copies a block.
    pub(super) fn fill_or_copy(
        &mut self,
        state: &mut PathState,
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
        self.fill_fresh(to);
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
        for reach in targets.iter().chain(&sources) {
            self.expose_slot(state, reach.slot);
        }
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
            parts: BlockParts { first },
        };
        if !first {
            self.block_overlap(state, &block);
        }
        self.note_block(state, &block);
        self.note_copy_of_addresses(&block.targets, &block.sources);
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

    /// Takes note of a block for the next pass, and for iterations that may be idle.
    fn note_block(&mut self, state: &PathState, block: &Block) {
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

    /// Pieces of the block that others look at: first byte and width, ascending, each within one unit.
    fn block_pieces(&mut self, state: &mut PathState, block: &Block) -> Vec<(u64, u32)> {
        let mut borders = SortedSet::new();
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
    fn block_events(&mut self, state: &mut PathState, block: &Block, mut before: Memory) {
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
                self.enter_part(instruction, block.parts.part(false, *start));
                std::mem::swap(&mut state.memory, &mut before);
                let read = self.one_step(|pass| pass.block_read(state, block, pieces));
                std::mem::swap(&mut state.memory, &mut before);
                values.push(read);
            }
            if !block.parts.first {
                let values = values.last().expect("just pushed").clone();
                self.enter_part(instruction, block.parts.part(true, *start));
                self.one_step(|pass| pass.block_write(state, block, pieces, &values));
            }
        }
        if block.parts.first {
            for ((start, pieces), values) in units.iter().zip(&values) {
                self.enter_part(instruction, block.parts.part(true, *start));
                self.one_step(|pass| pass.block_write(state, block, pieces, values));
            }
        }
        let ends = |reach: &Reach| self.knowledge.may_end(reach.slot);
        if block.targets.iter().chain(&block.sources).any(ends) {
            self.enter_part(instruction, BlockParts::LAST);
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
    fn block_lives(&mut self, state: &mut PathState, reaches: &[Reach], (size, at): (TermId, u64)) {
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
        state: &mut PathState,
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
            let read = self.read_reaches(state, Space::Data, width, &reaches, Role::Plain);
            values.push(read);
        }
        values
    }

    fn block_write(
        &mut self,
        state: &mut PathState,
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

    /// Initial value of the places of a piece, but for elements of arrays.
    fn block_old(&mut self, reaches: &[Reach], width: u32) -> TermId {
        let mut old = self.terms.constant(0, (width * 8) as u16);
        for reach in reaches.iter().filter(|reach| reach.element.is_none()) {
            let own = self.read_initial(reach.slot, Space::Data, reach.offset, width);
            old = self.terms.ite(reach.when, own, old);
        }
        old
    }
}
