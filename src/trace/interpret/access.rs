//! Reads and writes of memory, byte by byte but for internal addresses, which move as a whole.
//!
//! A read or write of a part of an internal address sees bytes of the number that it means.

use super::arithmetic::mask;
use super::state::{Pending, State};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Interpreter};
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{Operand, Undefined};
use crate::trace::faults::{self, Fault};

impl Interpreter<'_> {
    /// The internal address of what an operand names; accesses elsewhere are undefined, misaligned ones as well.
    pub(super) fn address(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (addr, align_bytes): (Operand, u8),
        choices: &mut dyn Choices,
    ) -> Result<u128, Stop> {
        let word = self.word(state, thread, addr);
        let address = self.named(state, word, choices)?;
        let align = u128::from(align_bytes.max(1));
        match address.filter(|address| address.is_multiple_of(align)) {
            Some(address) => Ok(address),
            None => Err(Undefined::InvalidAccess.into()),
        }
    }

    /// The address of a mutex, which must be in a live object.
    pub(super) fn mutex(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        addr: Operand,
        choices: &mut dyn Choices,
    ) -> Result<u64, Stop> {
        let address = self.address(state, thread, (addr, 1), choices)?;
        self.place(state, address, 1)?;
        Ok(address as u64)
    }

    /// Reads memory; bytes without value are given one.
    pub(super) fn load(
        &mut self,
        state: &mut State,
        (address, bits): (u128, u16),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let count = usize::from(bits.div_ceil(8));
        let (slot, offset) = self.place(state, address, count)?;
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
        let bytes = object.bytes[offset..offset + count].iter().rev();
        let value = bytes.fold(0, |value, byte| value << 8 | u128::from(byte.unwrap_or(0)));
        let mut seen = Word::number(value & mask(bits));
        for start in state.memory.words(self.space, slot, offset, offset + count) {
            let word = Word::address(u128::from(state.memory.word_at(self.space, slot, start)));
            let from = start as i64 - offset as i64;
            seen = self.overlaid(
                state,
                (seen, bits),
                (word, self.space.pointer_bits, from),
                choices,
            )?;
        }
        Ok(seen)
    }

    /// Store forwarding: the value that a thread reads where memory has `value`. Its own newest stores come first, byte
    /// by byte.
    pub(super) fn forwarded(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        (address, bits, value): (u64, u16, Word),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let mut value = value;
        let end = address + u64::from(bits.div_ceil(8));
        let overlaps = |entry: &&Pending| entry.address < end && address < entry.end();
        let pending = state.thread(thread).buffer.iter().filter(overlaps);
        let pending: Vec<_> = pending.map(|e| (e.value, e.bits, e.address)).collect();
        for (word, width, at) in pending {
            let from = at.wrapping_sub(address) as i64;
            value = self.overlaid(state, (value, bits), (word, width, from), choices)?;
        }
        Ok(value)
    }

    /// A word of `bits` bits with another one of `width` bits put over it, whose first byte is its byte `from`.
    fn overlaid(
        &mut self,
        state: &mut State,
        (under, bits): (Word, u16),
        (over, width, from): (Word, u16, i64),
        choices: &mut dyn Choices,
    ) -> Result<Word, Stop> {
        let lane_bits = self.space.pointer_bits;
        let lane_bytes = i64::from(lane_bits / 8);
        let (count, length) = (i64::from(bits.div_ceil(8)), i64::from(width.div_ceil(8)));
        // Lanes below that are cut, and lanes above that are cut or stand elsewhere, are numbers.
        let (mut under, mut over) = (under, over);
        for index in under.marked() {
            let start = i64::from(index) * lane_bytes;
            let apart = start + lane_bytes <= from || from + length <= start;
            let covered = from <= start && start + lane_bytes <= from + length;
            if !apart && !covered {
                let number = self.machine(state, under.lane(index, lane_bits).value, choices)?;
                under = under.with_lane(index, lane_bits, Word::number(number));
            }
        }
        let mut marks = under.marks;
        for index in 0..(128 / lane_bits) {
            let start = i64::from(index) * lane_bytes;
            let covered = from <= start && start + lane_bytes <= from + length;
            marks &= !(u8::from(covered) << index);
        }
        for index in over.marked() {
            let start = from + i64::from(index) * lane_bytes;
            let apart = start >= count || start + lane_bytes <= 0;
            let whole = start >= 0
                && start % lane_bytes == 0
                && start * 8 + i64::from(lane_bits) <= i64::from(bits);
            if whole {
                marks |= 1 << (start / lane_bytes);
            } else if !apart {
                let number = self.machine(state, over.lane(index, lane_bits).value, choices)?;
                over = over.with_lane(index, lane_bits, Word::number(number));
            }
        }
        let mut value = under.value;
        for i in 0.max(from)..count.min(from + length) {
            let byte = over.value >> (8 * (i - from)) & 0xff;
            value = value & !(0xff << (8 * i)) | byte << (8 * i);
        }
        Ok(Word {
            value: value & mask(bits),
            marks,
        })
    }

    /// Writes memory where that is allowed.
    pub(super) fn store(
        &mut self,
        state: &mut State,
        (address, bits, value): (u128, u16, Word),
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        let count = usize::from(bits.div_ceil(8));
        let (slot, offset) = self.writable(state, address, count)?;
        self.write(state, (slot, offset, count), value, choices)
    }

    /// Writes bytes of an object.
    pub(super) fn write(
        &mut self,
        state: &mut State,
        (slot, offset, count): (Slot, usize, usize),
        value: Word,
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        self.clear_cut(state, (slot, offset, count), choices)?;
        state.memory.write(self.space, slot, offset, count, value);
        Ok(())
    }

    /// Puts numbers in place of the internal addresses that a range of an object cuts.
    pub(super) fn clear_cut(
        &mut self,
        state: &mut State,
        (slot, offset, count): (Slot, usize, usize),
        choices: &mut dyn Choices,
    ) -> Result<(), Stop> {
        let width = usize::from(self.space.pointer_bits / 8);
        for start in state.memory.words(self.space, slot, offset, offset + count) {
            if start < offset || start + width > offset + count {
                let word = state.memory.word_at(self.space, slot, start);
                let number = if faults::on(Fault::MarksTorn) {
                    u128::from(word)
                } else {
                    self.machine(state, u128::from(word), choices)?
                };
                state.memory.unmark(self.space, slot, start, number);
            }
        }
        Ok(())
    }
}
