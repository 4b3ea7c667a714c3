//! Diagnosis of an invalid access: which one, of which object, and why it is invalid.

use super::Replay;
use crate::base::Loc;
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::ir::{BlockSource, Callee, InstrKind, Operand};
use crate::trace::interpret::lookup::Next;
use crate::trace::misaccess::{Access, Flaw, Involved, Misaccess};
use crate::trace::name::object_name;
use crate::trace::reuse::Allocated;

/// Numbers below this one are taken for null pointers to which something was added.
const NULL_PAGE: u128 = 4096;

impl Replay<'_, '_> {
    /// The object that an instruction is about to end, if it is one that ends objects.
    pub(super) fn ending(&mut self, thread: ThreadId, next: Next) -> Option<Slot> {
        let Next::Instr(InstrKind::Free { addr } | InstrKind::EndLife { addr }) = next else {
            return None;
        };
        let address = self.address(thread, *addr)?;
        let object = self.interpreter.object(&self.state, address);
        object.map(|(slot, ..)| slot)
    }

    /// Diagnosis of the instruction at which a thread stands, if it is undefined because of an access.
    pub(super) fn diagnosis(&mut self, thread: ThreadId, next: Next) -> Option<Misaccess> {
        let Next::Instr(instr) = next else {
            return None;
        };
        let bytes = |bits: u16| u64::from(bits / 8);
        let (access, addr, align) = match instr {
            InstrKind::Load { dst, addr, access } => {
                let bits = self.bits(thread, Operand::Reg(*dst));
                (Access::Read(bytes(bits)), *addr, access.align_bytes)
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                let bits = self.bits(thread, *value);
                (Access::Write(bytes(bits)), *addr, access.align_bytes)
            }
            InstrKind::Rmw { dst, addr, .. } | InstrKind::CmpXchg { dst, addr, .. } => {
                let bits = self.bits(thread, Operand::Reg(*dst));
                (Access::Write(bytes(bits)), *addr, 1)
            }
            InstrKind::Free { addr } | InstrKind::ObjectSize { addr, .. } => {
                (Access::Free, *addr, 1)
            }
            InstrKind::Call {
                callee: Callee::Indirect(addr),
                ..
            } => (Access::Call, *addr, 1),
            InstrKind::Block {
                to,
                source,
                size_bytes,
                ..
            } => {
                let size = self.interpreter.word(&self.state, thread, *size_bytes);
                let size = u64::try_from(size.value).unwrap_or(u64::MAX);
                let write = self.flaw_of(thread, Access::Write(size), *to, 1);
                return match source {
                    BlockSource::Copy { from, .. } => {
                        write.or_else(|| self.flaw_of(thread, Access::Read(size), *from, 1))
                    }
                    BlockSource::Byte(_) => write,
                };
            }
            _ => (Access::Lock, instr.address()?, 1),
        };
        self.flaw_of(thread, access, addr, align)
    }

    /// Diagnosis of an access at an address; `None` if nothing is wrong with it.
    fn flaw_of(
        &mut self,
        thread: ThreadId,
        access: Access,
        addr: Operand,
        align_bytes: u8,
    ) -> Option<Misaccess> {
        let word = self.interpreter.word(&self.state, thread, addr);
        let without = |flaw| {
            Some(Misaccess {
                access,
                flaw,
                object: None,
            })
        };
        if word.value < NULL_PAGE {
            return without(Flaw::Null);
        }
        let Some(address) = self.interpreter.known(&self.state, word) else {
            return without(Flaw::Wild);
        };
        let space = self.interpreter.space;
        let slot = u64::try_from(address).ok().and_then(|at| space.slot(at));
        let Some(slot) = slot else {
            return without(Flaw::Wild);
        };
        let offset = (address as u64).wrapping_sub(space.base(slot)) as i64;
        let (size_bytes, heap, lives) =
            match (self.state.memory.get(slot), self.state.lives.get(slot)) {
                (Some(object), _) => (object.bytes.len() as u64, object.heap, true),
                (None, Some(life)) => {
                    let heap = self.allocation_in(slot).is_some_and(|made| made.heap);
                    (life.size_bytes, heap, false)
                }
                (None, None) => return without(Flaw::Wild),
            };
        let count = match access {
            Access::Read(count) | Access::Write(count) => count,
            Access::Lock | Access::Call | Access::Free => 0,
        };
        let end = i128::from(offset) + i128::from(count);
        let is_inside = offset >= 0 && end <= i128::from(size_bytes);
        let flaw = if !lives {
            Flaw::Ended
        } else if access == Access::Free {
            Flaw::NoBlock(offset)
        } else if !is_inside || count == 0 && offset as u64 >= size_bytes {
            Flaw::Outside(offset)
        } else if align_bytes > 1 {
            Flaw::Misaligned(offset)
        } else {
            return None;
        };
        let object = self.involved(slot, size_bytes, heap, lives);
        Some(Misaccess {
            access,
            flaw,
            object: Some(object),
        })
    }

    /// A live block of the heap.
    pub(super) fn block(&self, slot: Slot) -> Involved {
        let object = self.state.memory.get(slot);
        let size_bytes = object.map_or(0, |object| object.bytes.len() as u64);
        self.involved(slot, size_bytes, true, true)
    }

    /// The last allocation of an object in a slot.
    fn allocation_in(&self, slot: Slot) -> Option<&Allocated> {
        self.allocated.iter().rev().find(|one| one.slot == slot)
    }

    fn involved(&self, slot: Slot, size_bytes: u64, heap: bool, lives: bool) -> Involved {
        let program = self.interpreter.program;
        let object = self.state.memory.get(slot);
        let life = self.state.lives.get(slot);
        let known = match (object, life) {
            (Some(object), _) => Some((object.origin, object.label)),
            (None, Some(life)) => life.label.map(|label| (life.origin, label)),
            (None, None) => None,
        };
        let name = known
            .and_then(|(origin, label)| object_name(program, &self.known.blocks, origin, label));
        let ended = (!lives).then(|| {
            let by = life.and_then(|life| life.by).unwrap_or(ThreadId(0));
            let known = self.ends.get(&slot).copied();
            known.unwrap_or((by, Loc::NONE))
        });
        Involved {
            name: name.unwrap_or_default(),
            size_bytes,
            heap,
            made: self.allocation_in(slot).and_then(|one| one.made),
            ended,
        }
    }

    fn bits(&self, thread: ThreadId, operand: Operand) -> u16 {
        let function = self.state.frame(thread).function;
        self.interpreter.bits(function, operand)
    }

    fn address(&mut self, thread: ThreadId, addr: Operand) -> Option<u128> {
        let word = self.interpreter.word(&self.state, thread, addr);
        self.interpreter.known(&self.state, word)
    }
}
