//! Operations on blocks of memory. Each access of a unit is a step of its own where others may look at it
//! (`PosKey::part`); what lies between two such steps is done at once.
//!
//! The steps have ascending numbers ([`BlockParts`]). The greatest of all looks whether the objects still live.
//!
//! Bytes are copied, and the internal addresses among them; those that a run of units or the end of the block cuts are
//! numbers. The place that an operand names is known when the operation begins.

use super::memory::Bytes;
use super::state::{Held, Pending, State};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Effect, Interpreter};
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::position::BlockParts;
use crate::ir::{BlockSource, InstrKind, Operand, Undefined};
use std::rc::Rc;

/// Operands: where to, what, how many bytes, bytes of one access.
pub(super) type Operands = (Operand, BlockSource, Operand, u8);

/// An operation with its operands' values.
struct Block {
    to: u128,
    from: Option<u128>,
    byte: u8,
    size: u64,
    unit: u64,
    /// Numbers of its steps.
    parts: BlockParts,
}

/// A place in memory: object and offset in bytes.
type Place = (Slot, usize);

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
        let part = self.parts.part(write, start);
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
        let next = |write: bool| at(write, self.parts.offset(write, part)?);
        let read = self.from.and_then(|_| next(false));
        match (read, next(true)) {
            (Some(r), Some(w)) if w.part < r.part => Some(w),
            (Some(r), _) => Some(r),
            (None, w) => w,
        }
    }

    /// True if the operation has a step of this number, which those have not that are beyond its end.
    fn has_part(&self, part: u64) -> bool {
        part == BlockParts::LAST || self.next(part).is_some_and(|access| access.part == part)
    }
}

impl<'p> Interpreter<'p> {
    /// The operation that a thread is about to begin or has begun; an operand that names nothing is 0.
    fn block_of(
        &mut self,
        state: &State,
        thread: ThreadId,
        (to, source, size, unit): Operands,
        begun: bool,
    ) -> Block {
        let held = &state.frame(thread).held;
        let value = self.word(state, thread, source.operand());
        let (from, byte, first) = match source {
            BlockSource::Byte(_) => (None, value.value as u8, false),
            BlockSource::Copy { overlapping, .. } => (Some(value), 0, overlapping),
        };
        let (to, from, size) = if begun {
            (held.to, from.map(|_| held.from), held.size)
        } else {
            let to = self.word(state, thread, to);
            let known = |word| self.known(state, word).unwrap_or(0);
            let (to, from) = (known(to), from.map(known));
            (to, from, self.value(state, thread, size) as u64)
        };
        Block {
            to,
            from,
            byte,
            size,
            unit: u64::from(unit),
            parts: BlockParts { first },
        }
    }

    /// The operation begins: its operands name places now.
    fn begin_block(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (to, source, size, _): Operands,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        if state.thread(thread).section > 0 {
            self.drain(state, thread, choices)?;
        }
        let mut places = [0; 2];
        let operands = match source {
            BlockSource::Byte(_) => vec![to],
            BlockSource::Copy { from, .. } => vec![to, from],
        };
        for (place, operand) in places.iter_mut().zip(operands) {
            let word = self.word(state, thread, operand);
            *place = self.named(state, word, choices)?.unwrap_or(0);
        }
        let size = self.operand_number(state, thread, size, choices)? as u64;
        state.frame_mut(thread).held = Rc::new(Held {
            to: places[0],
            from: places[1],
            size,
            bytes: Bytes::default(),
        });
        Ok(())
    }

    /// Visibility of a block operation: true if others may notice the next access of the one that a thread is at.
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
        let part = state.frame(thread).part;
        let mut addresses = vec![*to];
        if let BlockSource::Copy { from, .. } = source {
            addresses.push(*from);
        }
        let leads_anywhere = |interpreter: &mut Self, operand: Operand| {
            let word = interpreter.word(state, thread, operand);
            word.is_number() && interpreter.is_machine(word.value)
        };
        if part == 0
            && self.watch.is_some()
            && addresses.into_iter().any(|a| leads_anywhere(self, a))
        {
            return true;
        }
        let operands = (*to, *source, *size_bytes, *unit_bytes);
        let block = self.block_of(state, thread, operands, part > 0);
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
        let address = if access.write {
            block.to
        } else {
            block.from.unwrap_or(0)
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
            let stops = self.stops(at);
            let index = stops.partition_point(|stop| *stop <= part);
            let mut later = stops[index..].iter().copied();
            return later.find(|stop| block.has_part(*stop)).unwrap_or(0);
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

    /// Places that a block is copied to and from, behind `part`. An access of a schedule needs the object that it is of; if the other
    /// one has ended, its place is `None`, and the last step will notice.
    fn ends_of(
        &self,
        state: &State,
        block: &Block,
        (size, part): (usize, u64),
    ) -> Result<(Option<Place>, Option<Place>), Stop> {
        let is_scheduled = !self.open && part > 0 && part != BlockParts::LAST;
        let accessed = block.next(part).filter(|_| is_scheduled);
        let needs = |write: bool| accessed.is_none_or(|access| access.write == write);
        let to = match self.writable(state, block.to, size) {
            Err(why) if needs(true) => return Err(why.into()),
            to => to.ok(),
        };
        let from = match block.from.map(|from| self.place(state, from, size)) {
            Some(Err(why)) if needs(false) => return Err(why.into()),
            from => from.and_then(Result::ok),
        };
        Ok((to, from))
    }

    /// Goes on with an operation on a block up to where it stops next.
    pub(super) fn block(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operands: Operands,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        let part = state.frame(thread).part;
        if part == 0 {
            self.begin_block(state, thread, operands, choices)?;
        }
        let block = self.block_of(state, thread, operands, true);
        if block.size == 0 {
            state.frame_mut(thread).index += 1;
            return Ok(Effect::Quiet);
        }
        let size = usize::try_from(block.size).map_err(|_| Undefined::InvalidAccess)?;
        let (to, from) = self.ends_of(state, &block, (size, part))?;
        let has_gone = to.is_none() || block.from.is_some() && from.is_none();
        if let (Some((slot, at)), Some(to)) = (from, to)
            && !block.parts.first
            && slot == to.0
            && at != to.1
            && at.abs_diff(to.1) < size
        {
            return Err(Undefined::InvalidAccess.into());
        }
        let stop = self.next_stop(state, thread, &block, part);
        let mut effect = Effect::Quiet;
        let mut next = part.max(1);
        while let Some(access) = block.next(next).filter(|a| stop == 0 || a.part < stop) {
            let alone = access.part == part;
            if has_gone && !alone {
                break;
            }
            let last = self.run_of(&block, access, stop);
            if let Some(to) = to.filter(|_| access.write) {
                let waits = alone || self.has_pending(state, thread, &block);
                let one = waits || (block.from.is_some() && !block.parts.first);
                let last = if one { access } else { last };
                let done = if waits {
                    self.write_unit(state, thread, (&block, to), access, choices)?
                } else {
                    self.write_units(state, thread, (&block, to), (access, last), choices)?;
                    Effect::Quiet
                };
                if alone {
                    effect = done;
                }
                next = last.part + 1;
                continue;
            }
            // A unit whose write is a step of its own is read alone.
            let written = block.access(true, access.start).part;
            let one = !block.parts.first
                && (stop != 0 && written >= stop || self.has_pending(state, thread, &block));
            let last = if one || has_gone { access } else { last };
            self.read_units(state, thread, (&block, from), (access, last), choices)?;
            if alone {
                effect = self.read_effect(state, thread, &block, access, choices)?;
            }
            next = last.part + 1;
            if let Some(to) = to.filter(|_| !block.parts.first && !one && !has_gone) {
                let run = (access, last);
                self.write_units(state, thread, (&block, to), run, choices)?;
                next = block.access(true, last.start).part + 1;
            }
        }
        if has_gone && stop == 0 {
            return Err(Undefined::InvalidAccess.into());
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
            let last = if block.parts.first {
                block.access(access.write, start)
            } else {
                block.access(true, start)
            };
            stop == 0 || last.part < stop
        };
        let first = access.start / block.unit;
        let (mut low, mut high) = (first, whole);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if fits(middle) {
                low = middle
            } else {
                high = middle - 1
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
    fn read_units(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (block, from): (&Block, Option<Place>),
        (access, last): (Access, Access),
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        let Some((slot, offset)) = from else {
            return Ok(());
        };
        let (start, end) = (access.start as usize, last.end as usize);
        let bytes = self.seen(state, thread, (slot, offset + start), end - start, choices)?;
        let held = &mut Rc::make_mut(&mut state.frame_mut(thread).held).bytes;
        if block.parts.first {
            held.put(start, &bytes)
        } else {
            *held = bytes
        }
        Ok(())
    }

    /// Bytes of memory as the thread sees them; those without value are given one.
    fn seen(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (slot, offset): Place,
        count: usize,
        choices: &mut dyn Choices,
    ) -> Result<Bytes, Stop> {
        let object = state.memory.get(slot).ok_or(Undefined::InvalidAccess)?;
        if object.bytes[offset..offset + count].contains(&None) {
            let origin = object.origin;
            if self.facts.asks_values {
                state.memory.choose(slot, offset, count);
            }
            let bytes = state.memory.bytes_mut(slot, offset, count);
            choices.memory(origin, offset, bytes);
            for byte in bytes {
                byte.get_or_insert(0);
            }
        }
        let object = state.memory.get(slot).ok_or(Undefined::InvalidAccess)?;
        let more = usize::from(self.space.pointer_bits / 8) - 1;
        let first = offset.saturating_sub(more);
        let end = (offset + count + more).min(object.bytes.len());
        let around = state.memory.bytes(self.space, slot, first, end);
        let start = offset - first;
        let mut bytes = self.slice(state, &around, (start, start + count), choices)?;
        let address = self.space.base(slot) + offset as u64;
        let end = address + count as u64;
        let pending = state.thread(thread).buffer.iter();
        let overlaps = |entry: &&Pending| entry.address < end && address < entry.end();
        let pending: Vec<Pending> = pending.filter(overlaps).cloned().collect();
        for entry in pending {
            let (from, to) = (entry.address.max(address), entry.end().min(end));
            let own = Bytes::of(self.space, entry.value, entry.bits);
            let at = |address: u64| (address - entry.address) as usize;
            let own = self.slice(state, &own, (at(from), at(to)), choices)?;
            let (from, to) = ((from - address) as usize, (to - address) as usize);
            let rest = self.slice(state, &bytes, (to, count), choices)?;
            bytes = self.slice(state, &bytes, (0, from), choices)?;
            bytes.put(from, &own);
            bytes.put(to, &rest);
        }
        Ok(bytes)
    }

    /// Some of a run of bytes, with numbers in place of the internal addresses that are cut.
    fn slice(
        &mut self,
        state: &mut State,
        bytes: &Bytes,
        (from, to): (usize, usize),
        choices: &mut dyn Choices,
    ) -> Result<Bytes, Stop> {
        let mut part = bytes.within(self.space, from, to);
        let width = usize::from(self.space.pointer_bits / 8);
        let first = (from + 1).saturating_sub(width);
        for &start in bytes.words.range(first..to.max(first)) {
            if start >= from && start + width <= to {
                continue;
            }
            let number = self.machine(state, bytes.number_at(start, width), choices)?;
            for at in from.max(start)..to.min(start + width) {
                part.values[at - from] = (number >> (8 * (at - start))) as u8;
            }
        }
        Ok(part)
    }

    /// Bytes that the operation writes, from one offset of the block to another.
    fn written(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        block: &Block,
        (start, end): (u64, u64),
        choices: &mut dyn Choices,
    ) -> Result<Bytes, Stop> {
        let held = state.frame(thread).held.clone();
        let (start, end) = (start as usize, end as usize);
        let range = match (block.from, block.parts.first) {
            (None, _) => {
                return Ok(Bytes {
                    values: vec![block.byte; end - start],
                    ..Bytes::default()
                });
            }
            (_, true) => (start, end),
            (_, false) => (0, end - start),
        };
        self.slice(state, &held.bytes, range, choices)
    }

    /// Writes the units from one access to another, which are nobody else's business.
    fn write_units(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (block, (slot, offset)): (&Block, Place),
        (access, last): (Access, Access),
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        let at = offset + access.start as usize;
        let count = (last.end - access.start) as usize;
        self.clear_cut(state, (slot, at, count), choices)?;
        if block.from.is_none() {
            let memory = &mut state.memory;
            memory.fill(self.space, slot, at, count, block.byte);
            return Ok(());
        }
        let range = (access.start, last.end);
        let bytes = self.written(state, thread, block, range, choices)?;
        state.memory.put(self.space, slot, at, &bytes);
        Ok(())
    }

    /// Stores one unit.
    fn write_unit(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (block, (slot, offset)): (&Block, Place),
        access: Access,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        let range = (access.start, access.end);
        let bytes = self.written(state, thread, block, range, choices)?;
        let value = self.joined(state, &bytes, choices)?;
        let count = bytes.values.len();
        let bits = 8 * count as u16;
        let address = block.to as u64 + access.start;
        let part = state.frame(thread).part;
        // The store is of this step, wherever the thread started.
        state.frame_mut(thread).part = access.part;
        let issued = self.issue(state, thread, None, (address, bits, value), choices)?;
        state.frame_mut(thread).part = part;
        if issued {
            return Ok(Effect::Issue {
                address,
                bits,
                value,
            });
        }
        let place = (slot, offset + access.start as usize, count);
        self.write(state, place, value, choices)?;
        Ok(Effect::Write {
            address,
            bits,
            value,
        })
    }

    /// The word that some bytes are.
    fn joined(
        &mut self,
        state: &mut State,
        bytes: &Bytes,
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let (wide, count) = (self.space.pointer_bits, bytes.values.len());
        let width = usize::from(wide / 8);
        let mut word = Word::default();
        for (lane, start) in (0..count).step_by(width).enumerate() {
            let part = (start, (start + width).min(count));
            let part = self.slice(state, bytes, part, choices)?;
            let value = Word {
                value: part.number_at(0, part.values.len()),
                marks: u8::from(part.words.contains(&0)),
            };
            word = word.with_lane(lane as u16, wide, value);
        }
        Ok(word)
    }

    fn read_effect(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        block: &Block,
        access: Access,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        let range = (access.start, access.end);
        let bytes = self.written(state, thread, block, range, choices)?;
        Ok(Effect::Read {
            address: block.from.unwrap_or(0) as u64 + access.start,
            bits: 8 * bytes.values.len() as u16,
            value: self.joined(state, &bytes, choices)?,
        })
    }
}
