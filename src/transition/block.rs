//! Operations on blocks of memory of any length, in array objects that no other thread uses meanwhile: a step of the
//! program may lie between any two of their accesses.

use super::automaton::Key;
use super::carry::carries;
use super::explore::Explorer;
use super::knowledge::Content;
use super::state::EdgeState;
use crate::exec::Domain;
use crate::ir::address::Slot;
use crate::ir::{BlockSource, Operand, Undefined};
use crate::term::TermId;
use crate::transition::faults::{self, Fault};

const BLOCK: &str = "an operation on a large block of memory";

/// One of the two blocks.
struct Block {
    slot: Slot,
    /// Condition that the address is one of this object.
    here: TermId,
    /// Offset of the first byte.
    from: TermId,
}

impl Explorer<'_> {
    /// Fills or copies a block. `None` if the edge ends here.
    pub fn move_block(
        &mut self,
        state: &mut EdgeState,
        to: TermId,
        (source, source_term): (BlockSource, TermId),
        size: TermId,
    ) -> Option<()> {
        let operand = self.next_address(state)?;
        let targets = self.blocks(state, (operand, to), size, true)?;
        let mut sources = Vec::new();
        if let BlockSource::Copy { from, .. } = source {
            sources = self.blocks(state, (from, source_term), size, false)?;
        }
        if let BlockSource::Copy {
            overlapping: false, ..
        } = source
        {
            self.disjoint(state, &targets, &sources, size)?;
        }
        state.wrote = true;
        let is_zero = matches!(source, BlockSource::Byte(_))
            && self.terms.as_constant(source_term) == Some(0);
        for target in &targets {
            for source in &sources {
                let held = self.held_in(source.slot);
                if carries(&held) {
                    self.knowledge.note_anywhere(target.slot, &held);
                }
            }
            let mut from = sources
                .iter()
                .map(|source| self.knowledge.content(source.slot));
            let are_zero = if sources.is_empty() {
                is_zero
            } else {
                from.all(|content| content == Content::Zero)
            };
            if !are_zero {
                self.knowledge.note_anything(target.slot);
            }
            self.fill(state, target, size);
        }
        Some(())
    }

    /// Places of a block where it is within its object, which lives.
    fn blocks(
        &mut self,
        state: &mut EdgeState,
        (operand, term): (Operand, TermId),
        size: TermId,
        writes: bool,
    ) -> Option<Vec<Block>> {
        let space = self.knowledge.space;
        let near = self.near(term);
        let owner = self.owner(near);
        let slots = self.pointed(state, operand, near);
        let all = slots.iter().flatten().copied();
        let others: Vec<Slot> = all.filter(|slot| !self.knowledge.is_array(*slot)).collect();
        // The next pass knows it as an array.
        if let Some(slot) = others.iter().find(|slot| self.knowledge.is_on_heap(**slot)) {
            let size = self.knowledge.object(*slot).map(|object| object.size_bytes);
            self.knowledge.become_array(*slot, size);
            return None;
        }
        let slots = slots.filter(|_| others.is_empty());
        let changeable = slots
            .iter()
            .flatten()
            .filter(|slot| !self.is_constant(**slot));
        let keys: Vec<Key> = changeable.flat_map(|slot| self.all_of(*slot)).collect();
        let (thread, beside) = (self.thread, &state.beside);
        let conflicts = |key: &Key| self.knowledge.conflicts(key, thread, beside, writes);
        let shared = state.section == 0 && keys.iter().any(conflicts);
        let Some(slots) = slots.filter(|_| !shared) else {
            self.unsupported(state, BLOCK);
            return None;
        };
        if !self.visit(state, &keys, !writes, writes) {
            return None;
        }
        let offset = self.exact(term);
        let none = self.terms.constant(0, space.pointer_bits);
        let size = self.terms.fit(size, space.pointer_bits);
        let is_empty = self.terms.eq(size, none);
        let mut places = Vec::new();
        for slot in slots {
            let here = self.is_owner(owner, slot);
            let within = self.has_bytes(state, slot, offset, size);
            places.push((slot, here, within));
        }
        if writes {
            self.changeable(state, &places, is_empty);
        }
        self.valid(state, &places, is_empty)?;
        let is_written = |slot: &Slot| !(writes && self.is_constant(*slot));
        let blocks = places.into_iter().filter(|(slot, ..)| is_written(slot));
        let block = |(slot, here, _)| Block {
            slot,
            here,
            from: offset,
        };
        Some(blocks.map(block).collect())
    }

    /// Goes on where no block of a copy overlaps another one, but for itself.
    fn disjoint(
        &mut self,
        state: &mut EdgeState,
        targets: &[Block],
        sources: &[Block],
        size: TermId,
    ) -> Option<()> {
        if faults::on(Fault::BlockOverlaps) {
            return Some(());
        }
        let size = self.terms.fit(size, self.knowledge.space.pointer_bits);
        for target in targets {
            for source in sources.iter().filter(|source| source.slot == target.slot) {
                let both = self.terms.and(target.here, source.here);
                let met = self.overlap((target.from, size), (source.from, size));
                let same = self.terms.eq(target.from, source.from);
                let fine = self.terms.not(met);
                let fine = self.terms.or(fine, same);
                let elsewhere = self.terms.not(both);
                let fine = self.terms.or(fine, elsewhere);
                self.undefined_unless(state, fine, Undefined::InvalidAccess);
            }
        }
        (!state.path.is_dead(&self.terms)).then_some(())
    }

    /// Gives the cells that a block overlaps any value, and forgets the rest.
    fn fill(&mut self, state: &mut EdgeState, block: &Block, size: TermId) {
        let bits = self.knowledge.space.pointer_bits;
        let size = self.terms.fit(size, bits);
        for key in self.all_of(block.slot) {
            let Key::Cell { offset, bytes, .. } = key else {
                continue;
            };
            let first = self.terms.constant(u128::from(offset), bits);
            let width = self.terms.constant(u128::from(bytes), bits);
            let mut hit = self.overlap((first, width), (block.from, size));
            hit = self.terms.and(hit, block.here);
            let any = self.input(state, (bytes * 8) as u16, None);
            let old = self.now(state, &key);
            let new = self.terms.ite(hit, any, old);
            self.set_variable(state, key, new);
        }
        state.log.remove(&block.slot);
    }
}
