//! Definitions: the register that an instruction gives a value to.

use super::{InstrKind, Reg};

impl InstrKind {
    /// Its destination, if it has one.
    pub fn dst(&self) -> Option<Reg> {
        match self {
            InstrKind::Assign { dst, .. }
            | InstrKind::Load { dst, .. }
            | InstrKind::Rmw { dst, .. }
            | InstrKind::CmpXchg { dst, .. }
            | InstrKind::Nondet { dst, .. }
            | InstrKind::Alloc { dst, .. }
            | InstrKind::Spawn { dst, .. }
            | InstrKind::Join { dst, .. }
            | InstrKind::ThreadSelf { dst }
            | InstrKind::ObjectSize { dst, .. }
            | InstrKind::TryLock { dst, .. }
            | InstrKind::Note { dst, .. } => Some(*dst),
            InstrKind::Call { dst, .. } => *dst,
            InstrKind::Store { .. }
            | InstrKind::Fence { .. }
            | InstrKind::EndLife { .. }
            | InstrKind::Free { .. }
            | InstrKind::Expose { .. }
            | InstrKind::Block { .. }
            | InstrKind::Lock { .. }
            | InstrKind::Unlock { .. }
            | InstrKind::MutexInit { .. }
            | InstrKind::SyncUse { .. }
            | InstrKind::SetNote { .. }
            | InstrKind::Copied { .. }
            | InstrKind::AtomicBegin { .. }
            | InstrKind::AtomicEnd
            | InstrKind::Assume { .. }
            | InstrKind::Wait { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Leak { .. }
            | InstrKind::Defined { .. }
            | InstrKind::Pointers(_)
            | InstrKind::Unsupported { .. } => None,
        }
    }
}
