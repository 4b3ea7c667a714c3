//! Uses: the operands that instructions and terminators read, and which of them is the address that is worked on.

use super::{AllocKind, Callee, InstrKind, Operand, Operands, Terminator};
use smallvec::smallvec;

impl InstrKind {
    /// All operands, in the order they are evaluated in.
    pub fn operands(&self) -> Operands {
        match self {
            InstrKind::Assign { value, .. } => value.operands(),
            InstrKind::Load { addr, .. }
            | InstrKind::EndLife { addr }
            | InstrKind::Free { addr }
            | InstrKind::Expose { addr }
            | InstrKind::ObjectSize { addr, .. }
            | InstrKind::Lock { addr }
            | InstrKind::Unlock { addr }
            | InstrKind::TryLock { addr, .. }
            | InstrKind::MutexInit { addr }
            | InstrKind::SyncUse { addr }
            | InstrKind::Note { addr, .. } => smallvec![*addr],
            InstrKind::Store { addr, value, .. } | InstrKind::SetNote { addr, value, .. } => {
                smallvec![*addr, *value]
            }
            InstrKind::Rmw { addr, operand, .. } => smallvec![*addr, *operand],
            InstrKind::CmpXchg {
                addr,
                expected,
                desired,
                ..
            } => smallvec![*addr, *expected, *desired],
            InstrKind::Copied {
                addr, size_bytes, ..
            } => smallvec![*addr, *size_bytes],
            InstrKind::Block {
                to,
                source,
                size_bytes,
                ..
            } => smallvec![*to, source.operand(), *size_bytes],
            InstrKind::Call { callee, args, .. } => match callee {
                Callee::Indirect(target) => {
                    [*target].into_iter().chain(args.iter().copied()).collect()
                }
                Callee::Direct(_) | Callee::Extern(_) => Operands::from_slice(args),
            },
            InstrKind::Alloc {
                size_bytes,
                align_bytes,
                kind,
                ..
            } => match kind {
                AllocKind::Realloc(old) => smallvec![*size_bytes, *align_bytes, *old],
                AllocKind::Stack { .. } | AllocKind::Heap | AllocKind::HeapZeroed => {
                    smallvec![*size_bytes, *align_bytes]
                }
            },
            InstrKind::Spawn {
                start, arg, id_at, ..
            } => [*start, *arg].into_iter().chain(*id_at).collect(),
            InstrKind::Join { thread, .. } => smallvec![*thread],
            InstrKind::Wait { cond, lock } => {
                let lock = lock.map(|lock| lock.addr);
                [*cond].into_iter().chain(lock).collect()
            }
            InstrKind::Assume { cond }
            | InstrKind::Assert { cond, .. }
            | InstrKind::Defined { cond, .. } => smallvec![*cond],
            InstrKind::Pointers(check) => check.operands(),
            InstrKind::Fence { .. }
            | InstrKind::Nondet { .. }
            | InstrKind::ThreadSelf { .. }
            | InstrKind::AtomicBegin { .. }
            | InstrKind::AtomicEnd
            | InstrKind::Leak { .. }
            | InstrKind::Unsupported { .. } => smallvec![],
        }
    }

    /// Store of a new thread's id: true if it is one. For data races, the creation of the thread did that.
    pub fn stores_id(&self) -> bool {
        matches!(self, InstrKind::Store { access, .. } if access.of_creation)
    }

    /// Address of the one object that the instruction works on. Blocks work on two, allocations on a new one: they have
    /// none.
    pub fn address(&self) -> Option<Operand> {
        match self {
            InstrKind::Load { addr, .. }
            | InstrKind::Store { addr, .. }
            | InstrKind::Rmw { addr, .. }
            | InstrKind::CmpXchg { addr, .. }
            | InstrKind::EndLife { addr }
            | InstrKind::Free { addr }
            | InstrKind::ObjectSize { addr, .. }
            | InstrKind::Lock { addr }
            | InstrKind::Unlock { addr }
            | InstrKind::TryLock { addr, .. }
            | InstrKind::MutexInit { addr }
            | InstrKind::SyncUse { addr }
            | InstrKind::Note { addr, .. }
            | InstrKind::SetNote { addr, .. }
            | InstrKind::Copied { addr, .. } => Some(*addr),
            _ => None,
        }
    }
}

impl Terminator {
    /// The operand that it reads, if it reads one.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value))
            | Terminator::ThreadExit(value) => Some(*value),
            Terminator::Jump(_) | Terminator::Return(None) | Terminator::Stop => None,
        }
    }
}
