//! Writers of shared memory: who wrote last what a thread reads.

use super::Replay;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::trace::Writer;
use crate::trace::interpret::Effect;
use crate::trace::interpret::state::Pending;
use hashbrown::HashMap;

/// Bytes of one write up to which its writer is known.
const MOST: u64 = 4096;

/// Last writer of each byte, by its internal address, which belongs to one object for ever.
#[derive(Default)]
pub(super) struct Writers {
    bytes: HashMap<u64, Writer>,
}

impl Writers {
    /// Somebody has written so many bytes at an address.
    pub fn note(&mut self, (address, count): (u64, u64), by: Writer) {
        let all = address..address.saturating_add(count.min(MOST));
        self.bytes.extend(all.map(|byte| (byte, by)));
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

impl Replay<'_, '_> {
    /// Writer of what an instruction has read, if it is another thread; then takes note of what it has written itself.
    pub(super) fn written_by_others(
        &mut self,
        thread: ThreadId,
        loc: Loc,
        effect: &Effect,
    ) -> Option<Writer> {
        let own = Writer { thread, loc };
        let range = |address: &u64, bits: &u16| (*address, u64::from(bits.div_ceil(8)));
        match effect {
            Effect::Read { address, bits, .. } => self.other_writer(thread, range(address, bits)),
            Effect::Update {
                address,
                bits,
                old,
                new,
            } => {
                let range = range(address, bits);
                let other = self.other_writer(thread, range);
                if old != new {
                    self.writers.note(range, own);
                }
                other
            }
            Effect::Write { address, bits, .. } => {
                self.writers.note(range(address, bits), own);
                None
            }
            _ => None,
        }
    }

    /// Another thread that has written what a thread reads, unless that comes from its own buffer.
    fn other_writer(&self, thread: ThreadId, (address, count): (u64, u64)) -> Option<Writer> {
        let buffer = &self.state.thread(thread).buffer;
        let waits = |one: &Pending| {
            !one.is_release() && one.address < address + count && address < one.end()
        };
        let writer = self.writers.of((address, count))?;
        let is_other = writer.thread != thread && !buffer.iter().any(waits);
        is_other.then_some(writer)
    }
}
