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

/// Accesses of a byte.
#[derive(Clone, Copy, Default)]
struct Byte {
    /// The only thread that accesses it.
    only: Option<ThreadId>,
    /// Several threads access it.
    is_common: bool,
    /// It is written while there are several threads.
    is_changed: bool,
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
            byte.is_common |= byte.only.is_some_and(|only| only != thread);
            byte.only = Some(thread);
            byte.is_changed |= touch.changes;
        }
    }

    /// True if some of so many bytes at an address are shared.
    pub fn has(&self, space: AddressSpace, address: u64, count: u64) -> bool {
        let Some((slot, from, to)) = range(space, address, count) else {
            return false;
        };
        let known = self.objects.get(&slot);
        let known = known.and_then(|bytes| bytes.get(from..to.min(bytes.len())));
        known.is_some_and(|bytes| bytes.iter().any(|byte| byte.is_common && byte.is_changed))
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
