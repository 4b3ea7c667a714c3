//! Operations on blocks of memory. Each access of a unit is a step of its own where others may look at it
//! ([`PosKey::part`]); what lies between two such steps is done at once.
//!
//! The steps have ascending numbers: of the unit at offset `i`, 1 + 2i reads and 2 + 2i writes; if everything is read
//! first, 1 + i reads and 1 + size + i writes (`symex/block.rs` counts alike). The greatest of all looks whether the objects still live.

use super::state::State;
use super::{Choices, Effect, Interpreter};
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{BlockSource, InstrKind, Operand, Undefined};
use std::rc::Rc;

/// An operation with its operands' values.
struct Block {
    to: u128,
    from: Option<u128>,
    byte: u8,
    size: u64,
    unit: u64,
    /// Everything is read before anything is written.
    first: bool,
}

/// One access.
#[derive(Clone, Copy)]
struct Access {
    part: u64,
    write: bool,
    /// Bytes from here to there, within the block.
    start: u64,
    end: u64,
}

impl Block {
    fn access(&self, write: bool, start: u64) -> Access {
        let part = match (self.first, write) {
            (true, false) => 1 + start,
            (true, true) => 1 + self.size + start,
            (false, false) => 1 + 2 * start,
            (false, true) => 2 + 2 * start,
        };
        let end = (start + self.unit).min(self.size);
        Access {
            part,
            write,
            start,
            end,
        }
    }

    /// The first access whose number is at least `part`.
    fn next(&self, part: u64) -> Option<Access> {
        let at = |write: bool, offset: u64| {
            let start = offset.min(self.size).div_ceil(self.unit) * self.unit;
            (start < self.size).then(|| self.access(write, start))
        };
        let read = |offset: u64| at(false, offset).filter(|_| self.from.is_some());
        let write = |offset: u64| at(true, offset);
        match self.first {
            true => read(part.saturating_sub(1))
                .filter(|_| part <= self.size)
                .or_else(|| write(part.saturating_sub(1 + self.size))),
            false => {
                let (read, write) = (
                    read(part.saturating_sub(1).div_ceil(2)),
                    write(part.saturating_sub(2).div_ceil(2)),
                );
                match (read, write) {
                    (Some(r), Some(w)) if w.part < r.part => Some(w),
                    (Some(r), _) => Some(r),
                    (None, w) => w,
                }
            }
        }
    }
}

impl<'p> Interpreter<'p> {
    /// The operation a thread is about to go on with.
    fn block_of(
        &mut self,
        state: &State,
        thread: ThreadId,
        (to, source, size, unit): (Operand, BlockSource, Operand, u8),
    ) -> Block {
        let value = self.value(state, thread, source.operand());
        let (from, byte, first) = match source {
            BlockSource::Byte(_) => (None, value as u8, false),
            BlockSource::Copy { overlapping, .. } => (Some(value), 0, overlapping),
        };
        Block {
            to: self.value(state, thread, to),
            from,
            byte,
            size: self.value(state, thread, size) as u64,
            unit: u64::from(unit),
            first,
        }
    }

    /// Whether others may notice the next access of the operation on a block that a thread is at.
    pub(super) fn is_block_visible(&mut self, state: &State, thread: ThreadId) -> bool {
        let super::lookup::Next::Instr(InstrKind::Block {
            to,
            source,
            size_bytes,
            unit_bytes,
        }) = self.next(state, thread).0
        else {
            return false;
        };
        let block = self.block_of(state, thread, (*to, *source, *size_bytes, *unit_bytes));
        let part = state.frame(thread).part;
        block
            .next(part)
            .is_some_and(|access| self.is_seen_by_others(state, thread, &block, access))
    }

    fn is_seen_by_others(
        &self,
        state: &State,
        thread: ThreadId,
        block: &Block,
        access: Access,
    ) -> bool {
        // Stores that wait in a buffer do so one by one.
        if access.write && self.bounds.memory.is_weak() {
            return true;
        }
        let address = match access.write {
            true => block.to,
            false => block.from.unwrap_or(0),
        };
        let escapes = self.publishes(state, thread);
        self.object(state, address).is_some_and(|(_, _, object)| {
            (object.escaped || escapes) && (access.write || !object.read_only)
        })
    }

    /// The number of the step at which an operation stops next, behind `part`.
    fn next_stop(&self, state: &State, thread: ThreadId, block: &Block, part: u64) -> u64 {
        if !self.open {
            let at = (thread, state.frame(thread).instruction());
            let stops = self.parts.get(&at).map_or(&[][..], |stops| stops);
            let index = stops.partition_point(|stop| *stop <= part);
            return stops.get(index).copied().unwrap_or(0);
        }
        let mut next = part + 1;
        // Whether an access is seen depends on its kind alone.
        let (mut reads, mut writes) = (None, None);
        while let Some(access) = block.next(next) {
            let known = if access.write {
                &mut writes
            } else {
                &mut reads
            };
            let seen =
                *known.get_or_insert_with(|| self.is_seen_by_others(state, thread, block, access));
            if seen {
                return access.part;
            }
            if reads.or(block.from.is_none().then_some(false)) == Some(false)
                && writes == Some(false)
            {
                break;
            }
            next = access.part + 1;
        }
        0
    }

    /// Goes on with an operation on a block up to where it stops next.
    pub(super) fn block(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operands: (Operand, BlockSource, Operand, u8),
        choices: &mut dyn Choices,
    ) -> Result<Effect, Undefined> {
        let block = self.block_of(state, thread, operands);
        let part = state.frame(thread).part;
        if block.size == 0 {
            state.frame_mut(thread).index += 1;
            return Ok(Effect::Quiet);
        }
        let size = usize::try_from(block.size).map_err(|_| Undefined::InvalidAccess)?;
        let to = self.writable(state, block.to, size)?;
        let from = match block.from {
            Some(from) => Some(self.place(state, from, size)?),
            None => None,
        };
        if let Some((slot, at)) = from
            && !block.first
            && slot == to.0
            && at != to.1
            && at.abs_diff(to.1) < size
        {
            return Err(Undefined::InvalidAccess);
        }
        let stop = self.next_stop(state, thread, &block, part);
        let mut effect = Effect::Quiet;
        let mut next = part.max(1);
        while let Some(access) = block.next(next).filter(|a| stop == 0 || a.part < stop) {
            let alone = access.part == part;
            let last = self.run_of(&block, access, stop);
            if access.write {
                let waits = alone || self.has_pending(state, thread, &block);
                let one = waits || (block.from.is_some() && !block.first);
                let last = if one { access } else { last };
                let done = self.block_write(state, thread, (&block, to), access, last, waits);
                if alone {
                    effect = done;
                }
                next = last.part + 1;
                continue;
            }
            // A unit whose write is a step of its own is read alone.
            let written = block.access(true, access.start).part;
            let one = !block.first
                && (stop != 0 && written >= stop || self.has_pending(state, thread, &block));
            let last = if one { access } else { last };
            self.block_read(state, thread, (&block, from), (access, last), choices);
            if alone {
                effect = self.block_effect(state, thread, &block, access);
            }
            next = last.part + 1;
            if !block.first && !one {
                let bytes = state.frame(thread).held.clone();
                let start = to.1 + access.start as usize;
                state.memory.put(self.space, to.0, start, &bytes);
                next = block.access(true, last.start).part + 1;
            }
        }
        let frame = state.frame_mut(thread);
        frame.part = stop;
        if stop == 0 {
            frame.index += 1;
            frame.held = Default::default();
        }
        Ok(effect)
    }

    /// The last access of the kind of `access` that can be done together with it before `stop`.
    fn run_of(&self, block: &Block, access: Access, stop: u64) -> Access {
        // The last unit whose every step comes before the stop.
        let whole = block.size.div_ceil(block.unit) - 1;
        let fits = |index: u64| {
            let start = index * block.unit;
            let last = match block.first {
                true => block.access(access.write, start),
                false => block.access(true, start),
            };
            stop == 0 || last.part < stop
        };
        let first = access.start / block.unit;
        let (mut low, mut high) = (first, whole);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match fits(middle) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        block.access(access.write, low * block.unit)
    }

    fn has_pending(&self, state: &State, thread: ThreadId, block: &Block) -> bool {
        let end = block.to as u64 + block.size;
        let mut pending = state.thread(thread).buffer.iter();
        self.open && self.bounds.memory.is_weak()
            || pending.any(|entry| entry.address < end && (block.to as u64) < entry.end())
    }

    /// Reads the units from one access to another.
    fn block_read(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (block, from): (&Block, Option<(Slot, usize)>),
        (access, last): (Access, Access),
        choices: &mut dyn Choices,
    ) {
        let Some((slot, offset)) = from else {
            return;
        };
        let (start, end) = (access.start as usize, last.end as usize);
        let bytes = self.block_bytes(state, thread, (slot, offset + start), end - start, choices);
        let held = &mut state.frame_mut(thread).held;
        if block.first {
            let all = Rc::make_mut(held);
            all.resize(block.size as usize, 0);
            all[start..end].copy_from_slice(&bytes);
        } else {
            *held = Rc::new(bytes);
        }
    }

    /// Bytes of memory as the thread sees them; those without value are given one.
    fn block_bytes(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (slot, offset): (Slot, usize),
        count: usize,
        choices: &mut dyn Choices,
    ) -> Vec<u8> {
        let Some(object) = state.memory.get(slot) else {
            return vec![0; count];
        };
        if object.bytes[offset..offset + count].contains(&None) {
            let origin = object.origin;
            let bytes = state.memory.bytes_mut(slot, offset, count);
            choices.memory(origin, offset, bytes);
            for byte in bytes {
                byte.get_or_insert(0);
            }
        }
        let object = state.memory.get(slot).expect("it lived just now");
        let bytes = object.bytes[offset..offset + count].iter();
        let mut bytes: Vec<u8> = bytes.map(|byte| byte.unwrap_or(0)).collect();
        let address = self.space.base(slot) + offset as u64;
        for entry in &state.thread(thread).buffer {
            let (from, to) = (
                entry.address.max(address),
                entry.end().min(address + count as u64),
            );
            for at in from..to {
                bytes[(at - address) as usize] = (entry.value >> (8 * (at - entry.address))) as u8;
            }
        }
        bytes
    }

    /// Writes the units from `access` to `last`.
    fn block_write(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (block, (slot, offset)): (&Block, (Slot, usize)),
        access: Access,
        last: Access,
        waits: bool,
    ) -> Effect {
        let (start, end) = (access.start as usize, last.end as usize);
        if !waits {
            match block.from {
                None => {
                    let count = end - start;
                    let memory = &mut state.memory;
                    memory.fill(self.space, slot, offset + start, count, block.byte);
                }
                Some(_) => {
                    let held = state.frame(thread).held.clone();
                    let bytes = match block.first {
                        true => &held[start..end],
                        false => &held[..end - start],
                    };
                    state.memory.put(self.space, slot, offset + start, bytes);
                }
            }
            return Effect::Quiet;
        }
        let value = self.block_value(state, thread, block, access);
        let bits = (8 * (access.end - access.start)) as u16;
        let address = block.to as u64 + access.start;
        let part = state.frame(thread).part;
        // The store is of this step, wherever the thread started.
        state.frame_mut(thread).part = access.part;
        let issued = self.issue(state, thread, None, (address, bits, value));
        state.frame_mut(thread).part = part;
        if issued {
            return Effect::Issue {
                address,
                bits,
                value,
            };
        }
        let count = usize::from(bits / 8);
        state
            .memory
            .write(self.space, slot, offset + start, count, value);
        Effect::Write {
            address,
            bits,
            value,
        }
    }

    fn block_value(&self, state: &State, thread: ThreadId, block: &Block, access: Access) -> u128 {
        let count = (access.end - access.start) as usize;
        let repeated = vec![block.byte; count];
        let held = &state.frame(thread).held;
        let bytes = match (block.from, block.first) {
            (None, _) => &repeated[..],
            (_, true) => &held[access.start as usize..access.end as usize],
            (_, false) => &held[..count],
        };
        let bytes = bytes.iter().rev();
        bytes.fold(0, |value, byte| value << 8 | u128::from(*byte))
    }

    fn block_effect(
        &self,
        state: &State,
        thread: ThreadId,
        block: &Block,
        access: Access,
    ) -> Effect {
        let held = &state.frame(thread).held;
        let count = (access.end - access.start) as usize;
        let start = if block.first {
            access.start as usize
        } else {
            0
        };
        let bytes = held.iter().skip(start).take(count).rev();
        Effect::Read {
            address: block.from.unwrap_or(0) as u64 + access.start,
            bits: (8 * count) as u16,
            value: bytes.fold(0, |value, byte| value << 8 | u128::from(*byte)),
        }
    }
}
