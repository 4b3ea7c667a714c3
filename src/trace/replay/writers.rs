//! Writers of shared memory: who wrote last what a thread reads.

use crate::trace::Writer;
use hashbrown::HashMap;

/// Bytes of a block up to which it is kept who has written it.
const MOST: u64 = 4096;

/// Last writer of each byte, by its internal address, which belongs to one object for ever.
#[derive(Default)]
pub(super) struct Writers {
    bytes: HashMap<u64, Writer>,
    /// Ranges that were written, of whose bytes it is not kept by whom.
    blocks: Vec<(u64, u64)>,
}

impl Writers {
    /// Somebody has written so many bytes at an address.
    pub fn note(&mut self, (address, count): (u64, u64), by: Writer) {
        let all = address..address.saturating_add(count);
        self.bytes.extend(all.map(|byte| (byte, by)));
    }

    /// A block of so many bytes at an address is written; by whom and where, may not be known of each byte.
    pub fn replace(&mut self, (address, count): (u64, u64), by: Option<Writer>) {
        match by {
            Some(by) if count <= MOST => self.note((address, count), by),
            _ => {
                let all = address..address.saturating_add(count);
                self.bytes.retain(|byte, _| !all.contains(byte));
                if !self.blocks.contains(&(address, count)) {
                    self.blocks.push((address, count));
                }
            }
        }
    }

    /// True if nobody has written any of so many bytes at an address.
    pub fn has_none(&self, (address, count): (u64, u64)) -> bool {
        let end = address.saturating_add(count);
        let meets = |block: &(u64, u64)| block.0 < end && address < block.0.saturating_add(block.1);
        let mut all = address..end;
        all.all(|byte| !self.bytes.contains_key(&byte)) && !self.blocks.iter().any(meets)
    }

    /// The thread that has written all of so many bytes at an address with one store.
    pub fn of(&self, (address, count): (u64, u64)) -> Option<Writer> {
        let first = self.bytes.get(&address)?;
        let mut others = address + 1..address.saturating_add(count);
        others
            .all(|byte| self.bytes.get(&byte) == Some(first))
            .then_some(*first)
    }
}
