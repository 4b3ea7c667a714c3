//! Addresses of the program's parts, and what lies at an address.

use super::Interpreter;
use super::arithmetic::mask;
use super::memory::{Label, LiveObject};
use super::state::{Frame, State};
use super::word::Word;
use crate::base::Loc;
use crate::event::{Origin, Store, ThreadId};
use crate::ir::address::Slot;
use crate::ir::{FuncId, Function, GlobalId, InstrKind, Operand, Rvalue, Terminator, Undefined};

/// Next instruction or terminator of a thread.
#[derive(Clone, Copy)]
pub enum Next<'p> {
    Instr(&'p InstrKind),
    End(&'p Terminator),
}

impl Next<'_> {
    /// Step of a schedule of one line ([`crate::trace::tape`]): true if its place among the instructions of other threads could matter.
    pub fn is_step(self) -> bool {
        match self {
            Next::Instr(instr) => !matches!(
                instr,
                InstrKind::Assign { .. }
                    | InstrKind::Expose { .. }
                    | InstrKind::Call { .. }
                    | InstrKind::ThreadSelf { .. }
                    | InstrKind::Assume { .. }
                    | InstrKind::Assert { .. }
                    | InstrKind::Defined { .. }
                    | InstrKind::Unsupported { .. }
            ),
            Next::End(end) => !matches!(
                end,
                Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. }
            ),
        }
    }
}

impl<'p> Interpreter<'p> {
    /// Next instruction or terminator of a thread, and its place in the source.
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
    pub fn bits(&self, function: FuncId, operand: Operand) -> u16 {
        match operand {
            Operand::Reg(reg) => self.program.functions[function].regs[reg].bits,
            Operand::Const { bits, .. } => bits,
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => self.space.pointer_bits,
        }
    }

    /// Place of a step of a thread that stands at `loc`, and of the calls that led there, outermost first. A step within a
    /// model of the library has no place in the program but that of the call.
    pub fn place_of(&self, state: &State, thread: ThreadId, loc: Loc) -> (Loc, Vec<Loc>) {
        self.place_in(&state.thread(thread).frames, loc)
    }

    /// The same, for a step of the innermost of these activations.
    pub(super) fn place_in(&self, frames: &[Frame], loc: Loc) -> (Loc, Vec<Loc>) {
        let callers = frames[..frames.len() - 1].iter().map(|frame| {
            let block = &self.function(frame).blocks[frame.block];
            let instr = block.instrs.get(frame.index);
            instr.map_or(block.end_loc, |instr| instr.loc)
        });
        let mut calls: Vec<Loc> = callers.collect();
        let mut loc = loc;
        while loc == Loc::NONE
            && let Some(caller) = calls.pop()
        {
            loc = caller;
        }
        (loc, calls)
    }

    /// Value of an operand in the innermost frame of a thread; addresses are internal ones.
    pub fn value(&mut self, state: &State, thread: ThreadId, operand: Operand) -> u128 {
        self.word(state, thread, operand).value
    }

    /// An operand in the innermost frame of a thread.
    pub fn word(&mut self, state: &State, thread: ThreadId, operand: Operand) -> Word {
        match operand {
            Operand::Reg(reg) => state.frame(thread).word(reg),
            Operand::Const { value, bits } => Word::number(value & mask(bits)),
            Operand::GlobalAddr(global, offset) => {
                Word::address(self.global_address(global, offset, thread))
            }
            Operand::FuncAddr(function) => {
                Word::address(u128::from(self.function_address(function)))
            }
        }
    }

    /// The address `offset` bytes into a global, in the thread's own copy if it is thread-local.
    pub(super) fn global_address(
        &mut self,
        global: GlobalId,
        offset: i64,
        thread: ThreadId,
    ) -> u128 {
        let origin = if self.program.globals[global].thread_local {
            Origin::ThreadLocal(global, thread)
        } else {
            Origin::Global(global)
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

    /// The function at an internal address.
    pub(super) fn function_at(&self, address: u128) -> Option<FuncId> {
        let address = u64::try_from(address).ok()?;
        match self.origins.get(&self.space.slot(address)?)? {
            Origin::Function(function) if self.space.offset(address) == Some(0) => Some(*function),
            _ => None,
        }
    }

    /// The live object at an internal address, and the offset in it.
    pub fn object<'s>(
        &self,
        state: &'s State,
        address: u128,
    ) -> Option<(Slot, usize, &'s LiveObject)> {
        let address = u64::try_from(address).ok()?;
        let slot = self.space.slot(address)?;
        let offset = usize::try_from(self.space.offset(address)?).ok()?;
        state.memory.get(slot).map(|object| (slot, offset, object))
    }

    /// End of an object: true if the object that an internal address is in has ended. (Functions never do.)
    pub(super) fn has_ended(&self, state: &State, address: u128) -> bool {
        let slot = u64::try_from(address)
            .ok()
            .and_then(|address| self.space.slot(address));
        slot.is_some_and(|slot| {
            let function = matches!(self.origins.get(&slot), Some(Origin::Function(_)));
            !function && state.memory.get(slot).is_none()
        })
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
            _ => Err(self.past(state, address, Undefined::InvalidAccess)),
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

    /// Visibility of a step: true if another thread may notice or influence what this thread does next. (What does not
    /// exist now will never exist again, so an access of it is nobody's business, unless a number leads there:
    /// something else may come to be at its place.)
    pub fn is_visible(&mut self, state: &State, thread: ThreadId) -> bool {
        if self.waits_for_buffer(state, thread) {
            return true;
        }
        let instr = match self.next(state, thread).0 {
            Next::Instr(instr) => instr,
            Next::End(end) => return self.ends_visibly(state, thread, end),
        };
        if let InstrKind::Block { .. } = instr {
            return self.is_block_visible(state, thread);
        }
        let addr = match instr {
            // It looks whether the object still lives.
            InstrKind::Assign {
                value: Rvalue::FromInteger(integer),
                ..
            } => *integer,
            InstrKind::AtomicBegin { .. } => return state.thread(thread).section == 0,
            InstrKind::Join { .. } | InstrKind::Leak { .. } | InstrKind::Wait { .. } => {
                return true;
            }
            // Whether a block lives where the program ends is the business of who ends it.
            InstrKind::Alloc { .. } | InstrKind::Free { .. } if self.facts.leaks => return true,
            InstrKind::Alloc { .. } => return self.is_watched(self.label(state, thread)),
            InstrKind::Spawn { .. } => return self.watches_thread_locals(),
            _ => match instr.address() {
                Some(addr) => addr,
                None => return false,
            },
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
        let ends = matches!(instr, InstrKind::EndLife { .. } | InstrKind::Free { .. });
        let word = self.word(state, thread, addr);
        if matches!(instr, InstrKind::Assign { .. }) && word.is_number() {
            return false;
        }
        if word.is_number() && self.is_machine(word.value) && self.watch.is_some() {
            return true;
        }
        let address = self.known(state, word);
        let object = address.and_then(|address| self.object(state, address));
        object.is_some_and(|(_, _, object)| {
            let lasts = matches!(object.label, Label::Static(_));
            let shared = (object.escaped || escapes) && !object.read_only && !(issue && lasts);
            shared || ends && self.is_watched(object.label)
        })
    }

    /// Objects that end with a thread. (Main's own variables last as long as the program.)
    pub fn own_variables(&mut self, state: &State, thread: ThreadId) -> Vec<(Slot, Origin)> {
        let globals = self.program.globals.iter_ids();
        let own: Vec<Origin> = globals
            .filter(|(_, global)| global.thread_local && thread != ThreadId(0))
            .map(|(id, _)| Origin::ThreadLocal(id, thread))
            .collect();
        let slots = own.into_iter().map(|origin| (self.slot(origin), origin));
        slots
            .filter(|(slot, _)| state.memory.get(*slot).is_some())
            .collect()
    }

    /// True if a thread ends here, and with it something that others may look at.
    fn ends_visibly(&mut self, state: &State, thread: ThreadId, end: &Terminator) -> bool {
        let ends = match end {
            Terminator::Return(_) => state.thread(thread).frames.len() == 1,
            Terminator::ThreadExit(_) => true,
            _ => false,
        };
        ends && self
            .own_variables(state, thread)
            .into_iter()
            .any(|(slot, _)| {
                let object = state.memory.get(slot);
                object.is_some_and(|object| object.escaped || self.is_watched(object.label))
            })
    }

    /// Label of the object that a thread allocates with its next instruction.
    pub(super) fn label(&self, state: &State, thread: ThreadId) -> Label {
        let frame = state.frame(thread);
        Label::Instruction(frame.function, frame.block, frame.index)
    }
}
