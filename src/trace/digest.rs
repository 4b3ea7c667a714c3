//! Digests of states, in 128 bits: everything that the future of a state depends on.

use super::interpret::life::{Life, Lives};
use super::interpret::memory::{LiveObject, Memory};
use super::interpret::state::{Held, Thread};
use super::interpret::word::Word;
use crate::base::mix::mix;
use crate::ir::address::{AddressSpace, Slot};
use std::collections::BTreeSet;

/// Two independent running keys.
pub struct Digest {
    low: u64,
    high: u64,
    space: AddressSpace,
    /// True if anybody's life is recorded.
    watched: bool,
    /// Objects that something points to, if so.
    named: BTreeSet<Slot>,
}

impl Digest {
    pub fn new(space: AddressSpace, lives: &Lives) -> Digest {
        Digest {
            low: 1,
            high: 2,
            space,
            watched: lives.iter().next().is_some(),
            named: BTreeSet::new(),
        }
    }

    pub fn finish(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    pub fn word(&mut self, word: u64) {
        self.low = mix(self.low, word);
        self.high = mix(self.high, word ^ 0x5bd1_e995_9d1c_a3b7);
    }

    fn wide(&mut self, word: u128) {
        self.word(word as u64);
        if word >> 64 != 0 {
            self.word((word >> 64) as u64);
        }
    }

    /// A word with its marks.
    pub fn tagged(&mut self, word: Word) {
        for lane in word.marked() {
            self.named(word.lane(lane, self.space.pointer_bits).value as u64);
        }
        if word.marks != 0 {
            self.word(u64::from(word.marks) << 32 | 5);
        }
        self.wide(word.value);
    }

    fn named(&mut self, address: u64) {
        if self.watched {
            self.named.extend(self.space.slot(address));
        }
    }

    /// Stores that have not reached memory, with what keeps them in order.
    pub fn buffer(&mut self, thread: &Thread) {
        let first = thread.buffer.first().map_or(0, |entry| entry.fences);
        for entry in &thread.buffer {
            let order = u64::from(entry.fences - first) << 1 | u64::from(entry.last);
            self.word(4 | u64::from(entry.bits) << 8 | order << 32);
            self.word(entry.address);
            self.tagged(entry.value);
        }
        if !thread.buffer.is_empty() {
            self.word(u64::from(thread.fences - first));
        }
    }

    /// Operation on a block that has begun: what it keeps between its steps.
    pub fn held(&mut self, held: &Held) {
        for address in [held.to, held.from] {
            self.tagged(Word::address(address));
        }
        self.word(held.size);
        for byte in &held.bytes.values {
            self.word(u64::from(*byte));
        }
        let count = usize::from(self.space.pointer_bits / 8);
        for offset in &held.bytes.words {
            self.word((*offset as u64) << 32 | 6);
            self.named(held.bytes.number_at(*offset, count) as u64);
        }
    }

    /// Bytes of an object, eight to two words (values, and which have one), and where internal addresses start.
    pub fn object(&mut self, slot: Slot, object: &LiveObject, memory: &Memory) {
        self.word(object.bytes.len() as u64);
        for chunk in object.bytes.chunks(8) {
            let (mut values, mut known) = (0_u64, 0_u64);
            for byte in chunk {
                values = values << 8 | u64::from(byte.unwrap_or(0));
                known = known << 1 | u64::from(byte.is_some());
            }
            self.word(values);
            self.word(known);
        }
        for offset in &object.chosen {
            self.word((*offset as u64) << 32 | 7);
        }
        for offset in &object.words {
            self.word((*offset as u64) << 32 | 6);
            self.named(memory.word_at(self.space, slot, *offset));
        }
    }

    /// Lives of objects, which come last: those that live, that have a machine address, or that something points to.
    pub fn lives(&mut self, lives: &Lives) {
        let named = std::mem::take(&mut self.named);
        let matters = |slot: &Slot, life: &Life| {
            life.ended.is_none() || life.base.is_some() || named.contains(slot)
        };
        let matter: Vec<(Slot, &Life)> =
            lives.iter().filter(|(s, life)| matters(s, life)).collect();
        for (slot, life) in &matter {
            self.word(
                u64::from(slot.0) << 8
                    | u64::from(life.released.is_some()) << 4
                    | u64::from(life.ended.is_some()) << 3
                    | 7,
            );
            self.word(life.base.unwrap_or(0));
            // Where both have an address, who was there first has been looked at.
            let open = |other: &Life| life.base.is_none() || other.base.is_none();
            for (other, before) in &matter {
                if before.precedes(life) && open(before) {
                    self.word(u64::from(other.0));
                }
                if life.instead == Some(*other) && open(before) {
                    self.word(u64::from(other.0) | 1 << 32);
                }
            }
        }
    }
}
