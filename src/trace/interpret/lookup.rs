//! Addresses of the program's parts, and what lies at an address.

use super::Interpreter;
use super::arithmetic::mask;
use super::memory::{Label, Object};
use super::state::{Frame, State};
use crate::base::Loc;
use crate::event::{Origin, Store, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{FuncId, Function, GlobalId, InstrKind, Operand, Terminator, Undefined};

/// What a thread is about to execute.
#[derive(Clone, Copy)]
pub enum Next<'p> {
    Instr(&'p InstrKind),
    End(&'p Terminator),
}

impl<'p> Interpreter<'p> {
    /// What a thread is about to execute, and its place in the source.
    pub fn next(&self, state: &State, thread: ThreadId) -> (Next<'p>, Loc) {
        let frame = state.frame(thread);
        let block = &self.program.functions[frame.function].blocks[frame.block];
        match block.instrs.get(frame.index) {
            Some(instr) => (Next::Instr(&instr.kind), instr.loc),
            None => (Next::End(&block.end), block.end_loc),
        }
    }

    /// The function a frame is in.
    pub fn function(&self, frame: &Frame) -> &'p Function {
        &self.program.functions[frame.function]
    }

    /// Width of an operand in a frame of `function`.
    pub(super) fn bits(&self, function: FuncId, operand: Operand) -> u16 {
        match operand {
            Operand::Reg(reg) => self.program.functions[function].regs[reg].bits,
            Operand::Const { bits, .. } => bits,
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => self.space.pointer_bits,
        }
    }

    /// Value of an operand in the innermost frame of a thread.
    pub fn value(&mut self, state: &State, thread: ThreadId, operand: Operand) -> u128 {
        match operand {
            Operand::Reg(reg) => state.frame(thread).regs[reg.0 as usize],
            Operand::Const { value, bits } => value & mask(bits),
            Operand::GlobalAddr(global, offset) => self.global_address(global, offset, thread),
            Operand::FuncAddr(function) => u128::from(self.function_address(function)),
        }
    }

    /// The address `offset` bytes into a global, in the thread's own copy if it is thread-local.
    pub(super) fn global_address(
        &mut self,
        global: GlobalId,
        offset: i64,
        thread: ThreadId,
    ) -> u128 {
        let origin = match self.program.globals[global].thread_local {
            true => Origin::ThreadLocal(global, thread),
            false => Origin::Global(global),
        };
        let slot = self.slot(origin);
        let address = self.space.base(slot).wrapping_add_signed(offset);
        u128::from(address) & mask(self.space.pointer_bits)
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, function: FuncId) -> u64 {
        let slot = self.slot(Origin::Function(function));
        self.space.base(slot)
    }

    /// The function at an address.
    pub(super) fn function_at(&self, address: u128) -> Option<FuncId> {
        let address = u64::try_from(address).ok()?;
        match self.origins.get(&self.space.slot(address)?)? {
            Origin::Function(function) if self.space.offset(address) == Some(0) => Some(*function),
            _ => None,
        }
    }

    /// Whether an address is in the slot of some object.
    pub(super) fn is_in_a_slot(&self, address: u128) -> bool {
        u64::try_from(address)
            .ok()
            .and_then(|address| self.space.slot(address))
            .is_some_and(|slot| self.origins.contains_key(&slot))
    }

    /// The live object at an address, and the offset in it.
    pub fn object<'s>(&self, state: &'s State, address: u128) -> Option<(Slot, usize, &'s Object)> {
        let address = u64::try_from(address).ok()?;
        let slot = self.space.slot(address)?;
        let offset = usize::try_from(self.space.offset(address)?).ok()?;
        state.memory.get(slot).map(|object| (slot, offset, object))
    }

    /// Slot and offset of an access of `count` bytes, if all of them are there.
    pub(super) fn place(
        &self,
        state: &State,
        address: u128,
        count: usize,
    ) -> Result<(Slot, usize), Undefined> {
        match self.object(state, address) {
            Some((slot, offset, object)) if offset + count <= object.bytes.len() => {
                Ok((slot, offset))
            }
            _ => Err(Undefined::InvalidAccess),
        }
    }

    /// As [`Self::place`], for a store.
    pub(super) fn writable(
        &self,
        state: &State,
        address: u128,
        count: usize,
    ) -> Result<(Slot, usize), Undefined> {
        let (slot, offset) = self.place(state, address, count)?;
        match state.memory.get(slot) {
            Some(object) if object.read_only => Err(Undefined::ReadOnly),
            _ => Ok((slot, offset)),
        }
    }

    /// Whether another thread may notice or influence what this thread does next; by `address` it accesses
    /// memory. (What does not exist now will never exist again, so an access of it is nobody's business.)
    pub fn is_visible(&mut self, state: &State, thread: ThreadId) -> bool {
        if self.waits_for_buffer(state, thread) {
            return true;
        }
        let Next::Instr(instr) = self.next(state, thread).0 else {
            return false;
        };
        if let InstrKind::Block { .. } = instr {
            return self.is_block_visible(state, thread);
        }
        let addr = match instr {
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
            | InstrKind::MutexInit { addr } => *addr,
            InstrKind::AtomicBegin => return state.thread(thread).section == 0,
            InstrKind::Join { .. } => return true,
            _ => return false,
        };
        // That a store is issued is nobody's business, unless its object may end before.
        let issue = match instr {
            InstrKind::Store { access, .. } => {
                self.bounds.memory.store(access.order) != Store::Direct
            }
            _ => false,
        };
        // An address that waits in the buffer may get to others before this instruction's turn.
        let escapes = self.publishes(state, thread);
        let address = self.value(state, thread, addr);
        self.object(state, address).is_some_and(|(_, _, object)| {
            let lasts = matches!(object.label, Label::Static(_));
            (object.escaped || escapes) && !object.read_only && !(issue && lasts)
        })
    }
}
