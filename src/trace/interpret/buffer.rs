//! Store buffers: stores that a thread has issued and that have not reached memory.
//!
//! One list for each thread, in the order of issue. A store may *commit*, that is, reach memory, at any time after those
//! that must come before it: under TSO all earlier ones; under PSO those that overlap it, and all earlier ones if it is
//! a release store or a release fence stands between. What drains a buffer is in [`MemoryModel`](crate::event::MemoryModel).

use super::lookup::Next;
use super::state::{Pending, State};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Interpreter};
use crate::event::{Barrier, Store, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{InstrKind, MemOrder, Terminator};
use std::rc::Rc;

impl Interpreter<'_> {
    /// Draining: true if the next instruction of a thread drains its store buffer, if it does not block.
    pub fn drains(&mut self, state: &State, thread: ThreadId) -> bool {
        if !self.bounds.memory.is_weak() {
            return false;
        }
        match self.next(state, thread).0 {
            Next::Instr(instr) => match instr {
                InstrKind::Store { access, .. } => {
                    state.thread(thread).section > 0
                        || self.bounds.memory.store(access.order) == Store::Direct
                }
                InstrKind::Block { .. } => {
                    state.thread(thread).section > 0 && state.frame(thread).part == 0
                }
                InstrKind::Fence { order } => self.bounds.memory.fence(*order) == Barrier::Drain,
                InstrKind::Rmw { .. }
                | InstrKind::CmpXchg { .. }
                | InstrKind::Lock { .. }
                | InstrKind::Unlock { .. }
                | InstrKind::Spawn { .. } => true,
                InstrKind::TryLock { addr, .. } => {
                    let address = self.value(state, thread, *addr);
                    !state.mutexes.contains_key(&(address as u64))
                }
                InstrKind::AtomicBegin { drains } => *drains,
                _ => false,
            },
            Next::End(Terminator::Return(_)) => state.thread(thread).frames.len() == 1,
            Next::End(Terminator::ThreadExit(_)) => true,
            Next::End(_) => false,
        }
    }

    /// Stores on their way: true if a thread has issued some that others will see and do not yet.
    pub fn keeps_stores(&self, state: &State, thread: ThreadId) -> bool {
        let mut pending = state.thread(thread).buffer.iter();
        pending.any(|entry| self.is_seen(state, entry))
    }

    /// Wait for the store buffer: true if the thread's next instruction waits until others see all that it stored.
    pub(super) fn waits_for_buffer(&mut self, state: &State, thread: ThreadId) -> bool {
        !state.thread(thread).buffer.is_empty()
            && self.drains(state, thread)
            && self.keeps_stores(state, thread)
    }

    /// Escape through the store buffer: true if the thread's buffer has the address of an object that nobody else has
    /// so far.
    pub(super) fn publishes(&self, state: &State, thread: ThreadId) -> bool {
        let private = |value| {
            let slot = self.slot_of(value);
            let object = slot.and_then(|slot| state.memory.get(slot));
            object.is_some_and(|object| !object.escaped)
        };
        let lanes = |entry: &Pending| {
            let (value, bits) = (entry.value, self.space.pointer_bits);
            value.marked().any(|i| private(value.lane(i, bits).value))
        };
        state.thread(thread).buffer.iter().any(lanes)
    }

    /// Puts a store into its thread's buffer; false if it goes to memory at once, and the buffer is empty.
    pub(super) fn issue(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        order: Option<MemOrder>,
        (address, bits, value): (u64, u16, Word),
        choices: &mut dyn Choices,
    ) -> Result<bool, Stop> {
        let position = state.frame(thread).position();
        let last = match self.bounds.memory.store(order) {
            Store::Buffered { last } if state.thread(thread).section == 0 => last,
            _ => {
                self.drain(state, thread, choices)?;
                return Ok(false);
            }
        };
        let info = state.thread_mut(thread);
        if info.buffer.is_empty() {
            info.fences = 0;
        }
        let fences = info.fences;
        info.buffer.push(Pending {
            address,
            bits,
            value,
            position,
            last,
            fences,
        });
        Ok(true)
    }

    /// The storage of an object that a thread has freed gets to others as by a release store, which is one of no bits.
    pub(super) fn issue_release(&self, state: &mut State, thread: ThreadId, slot: Slot) {
        let order = self.bounds.memory.store(Some(MemOrder::Release));
        let Store::Buffered { last } = order else {
            return;
        };
        if state.thread(thread).section > 0 || state.lives.get(slot).is_none() {
            return;
        }
        Rc::make_mut(&mut state.lives).delay(slot);
        let position = state.frame(thread).position();
        let info = state.thread_mut(thread);
        if info.buffer.is_empty() {
            info.fences = 0;
        }
        let fences = info.fences;
        info.buffer.push(Pending {
            address: self.space.base(slot),
            bits: 0,
            value: Word::default(),
            position,
            last,
            fences,
        });
    }

    /// A fence.
    pub(super) fn fence(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        order: MemOrder,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        match self.bounds.memory.fence(order) {
            Barrier::Drain => {
                self.drain(state, thread, choices)?;
            }
            Barrier::Order if !state.thread(thread).buffer.is_empty() => {
                state.thread_mut(thread).fences += 1;
            }
            _ => {}
        }
        Ok(())
    }

    /// Commits everything; what it was, in order.
    pub fn drain(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        choices: &mut dyn Choices,
    ) -> Result<Vec<Pending>, Stop> {
        if state.thread(thread).buffer.is_empty() {
            return Ok(Vec::new());
        }
        let all = std::mem::take(&mut state.thread_mut(thread).buffer);
        for entry in &all {
            self.perform(state, entry, choices)?;
        }
        Ok(all)
    }

    /// Commits a store and those that must come before it; what they were, in order.
    pub fn commit(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        index: usize,
        choices: &mut dyn Choices,
    ) -> Result<Vec<Pending>, Stop> {
        let needed = self.needed(&state.thread(thread).buffer, index);
        let mut now = Vec::new();
        let buffer = std::mem::take(&mut state.thread_mut(thread).buffer);
        for (i, entry) in buffer.into_iter().enumerate() {
            match needed.get(i) {
                Some(true) => now.push(entry),
                _ => state.thread_mut(thread).buffer.push(entry),
            }
        }
        for entry in &now {
            self.perform(state, entry, choices)?;
        }
        Ok(now)
    }

    /// Stores that may be the next to reach memory, of those that others would notice. (Nobody notices when a store to
    /// an object that is its thread's own commits, so it does just before one that is noticed and needs it.)
    pub fn committable(&self, state: &State, thread: ThreadId) -> Vec<usize> {
        let buffer = &state.thread(thread).buffer;
        let seen: Vec<bool> = buffer.iter().map(|e| self.is_seen(state, e)).collect();
        let is_next = |&index: &usize| {
            let needed = self.needed(buffer, index);
            seen[index] && !(0..index).any(|earlier| needed[earlier] && seen[earlier])
        };
        (0..buffer.len()).filter(is_next).collect()
    }

    /// The store and those of a buffer that must reach memory before it.
    fn needed(&self, buffer: &[Pending], index: usize) -> Vec<bool> {
        let mut needed = vec![false; index + 1];
        needed[index] = true;
        for later in (0..=index).rev() {
            if !needed[later] {
                continue;
            }
            let other = &buffer[later];
            for (earlier, one) in buffer[..later].iter().enumerate() {
                let overlap = one.address < other.end() && other.address < one.end();
                needed[earlier] |= self.bounds.memory.keeps_store_order()
                    || overlap
                    || other.last
                    || one.fences < other.fences;
            }
        }
        needed
    }

    /// True if another thread may have the address of what a buffered store is about.
    fn is_seen(&self, state: &State, entry: &Pending) -> bool {
        if entry.is_release() {
            return true;
        }
        self.object(state, u128::from(entry.address))
            .is_some_and(|(_, _, object)| object.escaped)
    }

    /// Writes to memory. An object that has ended meanwhile is nobody's any more.
    fn perform(
        &mut self,
        state: &mut State,
        entry: &Pending,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        if let Some(slot) = self
            .space
            .slot(entry.address)
            .filter(|_| entry.is_release())
        {
            Rc::make_mut(&mut state.lives).release(slot);
            return Ok(());
        }
        let count = usize::from(entry.bits.div_ceil(8));
        match self.place(state, u128::from(entry.address), count) {
            Ok((slot, offset)) => self.write(state, (slot, offset, count), entry.value, choices),
            Err(_) => Ok(()),
        }
    }

    /// Forgets stores to an object that ends.
    pub(super) fn forget(&self, state: &mut State, slot: Slot) {
        let here = |entry: &Pending| self.space.slot(entry.address) == Some(slot);
        for id in state.thread_ids().collect::<Vec<_>>() {
            if state.thread(id).buffer.iter().any(here) {
                state.thread_mut(id).buffer.retain(|entry| !here(entry));
            }
        }
    }
}
