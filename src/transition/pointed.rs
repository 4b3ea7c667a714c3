//! Objects that an address may be one of.

use super::carry::{NUMBER, carries};
use super::explore::Explorer;
use super::state::EdgeState;
use crate::exec::constants;
use crate::ir::address::Slot;
use crate::ir::{InstrKind, Operand};
use crate::term::TermId;

/// Most bits of an address above its offset that may be unknown.
const OPEN_BITS: u32 = 4;

/// Most bits of a slot that may be unknown, if few objects have such a slot.
const OWNER_BITS: u32 = 8;

impl<'p> Explorer<'p> {
    /// The next instruction; `None` before a terminator.
    pub fn next_instr(&self, state: &EdgeState) -> Option<&'p InstrKind> {
        let frame = state.top();
        let block = &self.program.functions[frame.function].blocks[frame.block];
        block.instrs.get(frame.index).map(|instr| &instr.kind)
    }

    /// The operand that is the address of the next instruction.
    pub fn next_address(&self, state: &EdgeState) -> Option<Operand> {
        match self.next_instr(state)? {
            InstrKind::Load { addr, .. }
            | InstrKind::Store { addr, .. }
            | InstrKind::Rmw { addr, .. }
            | InstrKind::CmpXchg { addr, .. }
            | InstrKind::Lock { addr }
            | InstrKind::TryLock { addr, .. }
            | InstrKind::Unlock { addr }
            | InstrKind::MutexInit { addr }
            | InstrKind::Note { addr, .. }
            | InstrKind::SetNote { addr, .. }
            | InstrKind::Free { addr }
            | InstrKind::Block { to: addr, .. }
            | InstrKind::ObjectSize { addr, .. } => Some(*addr),
            InstrKind::Spawn { id_at, .. } => *id_at,
            InstrKind::Wait { lock, .. } => lock.map(|lock| lock.addr),
            _ => None,
        }
    }

    /// Starts of objects that the address of the next instruction, with this term, may be, and null; if they are known or
    /// few.
    pub fn starts(&mut self, state: &EdgeState, term: TermId) -> Option<Vec<u128>> {
        let operand = self.next_address(state)?;
        let slots = self.pointed(state, operand, term)?;
        let space = self.knowledge.space;
        let starts = slots.into_iter().map(|slot| u128::from(space.base(slot)));
        Some([0].into_iter().chain(starts).collect())
    }

    /// Objects that an operand, with this term, may point to, if they are known or few.
    pub fn pointed(
        &mut self,
        state: &EdgeState,
        operand: Operand,
        term: TermId,
    ) -> Option<Vec<Slot>> {
        let held = self.holds(state, operand, term);
        let owner = self.owner(term);
        if !carries(&held) || held.contains(&NUMBER) {
            return self.owners(owner);
        }
        let fact = self.terms.fact(owner);
        let admitted = held
            .into_iter()
            .filter(|slot| fact.admits(u128::from(slot.0)));
        Some(admitted.collect())
    }

    /// Upper bits of an address that fits into its slot: the number of the slot.
    pub fn owner(&mut self, near: TermId) -> TermId {
        let space = self.knowledge.space;
        let upper = space.pointer_bits - space.offset_bits;
        self.terms.extract(near, space.offset_bits, upper)
    }

    /// Condition that the upper bits of an address are the number of a slot.
    pub fn is_owner(&mut self, owner: TermId, slot: Slot) -> TermId {
        let number = self
            .terms
            .constant(u128::from(slot.0), self.terms.bits(owner));
        self.terms.eq(owner, number)
    }

    /// Objects whose slot the upper bits of an address may be, if they are few.
    pub fn owners(&self, upper: TermId) -> Option<Vec<Slot>> {
        let is_object = |slot: &Slot| self.knowledge.object(*slot).is_some();
        if let Some(values) = self.few(upper) {
            let slots = values.into_iter().filter_map(|v| u32::try_from(v).ok());
            return Some(slots.map(Slot).filter(is_object).collect());
        }
        let fact = self.terms.fact(upper);
        let open = fact.open(self.terms.bits(upper));
        if open.count_ones() > OWNER_BITS {
            return None;
        }
        let all = (1..=self.knowledge.objects.len() as u32).map(Slot);
        let admitted: Vec<Slot> = all.filter(|slot| fact.admits(u128::from(slot.0))).collect();
        (admitted.len() <= 1 << OPEN_BITS).then_some(admitted)
    }

    /// Values that a term may have, if those are known or few of its bits are not.
    pub fn few(&self, term: TermId) -> Option<Vec<u128>> {
        if let Some(values) = constants(&self.terms, term) {
            return Some(values);
        }
        let fact = self.terms.fact(term);
        let open = fact.open(self.terms.bits(term));
        if open.count_ones() > OPEN_BITS {
            return None;
        }
        // All subsets of the open bits, as a counter with gaps.
        let mut subset = 0;
        let mut values = Vec::new();
        loop {
            values.push(fact.ones | subset);
            subset = subset.wrapping_sub(open) & open;
            if subset == 0 {
                break;
            }
        }
        values.retain(|value| fact.admits(*value));
        Some(values)
    }
}
