//! Sharing of memory in one execution: bytes that several threads access, and that are written while threads run beside each other. Of all
//! others, no thread can notice what another one does with them, or it is always the same: what was there before the threads began.

use crate::event::ThreadId;
use crate::ir::address::{AddressSpace, Slot};
use hashbrown::HashMap;

/// Accesses of the bytes of each object.
#[derive(Default)]
pub struct Sharing {
    objects: HashMap<Slot, Vec<Byte>>,
}

/// Accesses of a byte: one more than the number of the last thread that accesses it, or 0; and two marks.
#[derive(Clone, Copy, Default)]
struct Byte(u32);

impl Byte {
    /// Several threads access it.
    const COMMON: u32 = 1 << 31;
    /// It is written while there are several threads.
    const CHANGED: u32 = 1 << 30;
    const MARKS: u32 = Byte::COMMON | Byte::CHANGED;

    fn touch(&mut self, thread: ThreadId, changes: bool) {
        let own = (thread.0 + 1) & !Byte::MARKS;
        let last = self.0 & !Byte::MARKS;
        let common = u32::from(last != 0 && last != own) * Byte::COMMON;
        let changed = u32::from(changes) * Byte::CHANGED;
        self.0 = own | self.0 & Byte::MARKS | common | changed;
    }

    fn is_shared(self) -> bool {
        self.0 & Byte::MARKS == Byte::MARKS
    }
}

/// Access of so many bytes at an address.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub address: u64,
    pub bytes: u64,
    /// It may write, while there are several threads.
    pub changes: bool,
}

impl Sharing {
    /// A thread accesses memory.
    pub fn note(&mut self, space: AddressSpace, thread: ThreadId, touch: Touch) {
        let Some((slot, from, to)) = range(space, touch.address, touch.bytes) else {
            return;
        };
        let bytes = self.objects.entry(slot).or_default();
        if bytes.len() < to {
            bytes.resize(to, Byte::default());
        }
        for byte in &mut bytes[from..to] {
            byte.touch(thread, touch.changes);
        }
    }

    /// True if some of so many bytes at an address are shared.
    pub fn has(&self, space: AddressSpace, address: u64, count: u64) -> bool {
        let Some((slot, from, to)) = range(space, address, count) else {
            return false;
        };
        let known = self.objects.get(&slot);
        let known = known.and_then(|bytes| bytes.get(from..to.min(bytes.len())));
        known.is_some_and(|bytes| bytes.iter().any(|byte| byte.is_shared()))
    }
}

/// Object and offsets of so many bytes at an address.
fn range(space: AddressSpace, address: u64, count: u64) -> Option<(Slot, usize, usize)> {
    let slot = space.slot(address)?;
    let from = space.offset(address)?;
    let most = 1 << space.object_bits();
    let to = from.checked_add(count).filter(|to| *to <= most)?;
    Some((slot, from as usize, to as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DataModel;

    #[test]
    fn shared_is_what_several_access_and_one_changes() {
        let space = AddressSpace::new(DataModel::Lp64, 64).expect("room");
        let base = space.base(Slot(1));
        let mut sharing = Sharing::default();
        let mut note = |thread, offset, bytes, changes| {
            let touch = Touch {
                address: base + offset,
                bytes,
                changes,
            };
            sharing.note(space, ThreadId(thread), touch);
        };
        // What main has set before there were others, what one thread has for itself, and what they share.
        note(0, 0, 4, false);
        note(1, 0, 4, false);
        note(1, 8, 4, true);
        note(1, 16, 4, true);
        note(2, 18, 1, false);
        let has = |offset, bytes| sharing.has(space, base + offset, bytes);
        assert!(!has(0, 4) && !has(8, 4) && !has(16, 2) && !has(40, 4));
        assert!(has(16, 4) && has(18, 1) && has(12, 8));
        assert!(!sharing.has(space, space.base(Slot(2)), 4));
    }
}
