//! Execution of one instruction.

use super::arithmetic::{mask, update};
use super::lookup::Next;
use super::memory::{Label, Object};
use super::state::{State, Status};
use super::{Choices, Effect, Interpreter};
use crate::base::IdVec;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::FramePath;
use crate::ir::{
    AllocKind, BlockId, Callee, EBUSY, ExternCall, InstrKind, NondetSource, Operand, Reg, RegInfo,
    Terminator, Undefined, update_align_bytes,
};

impl<'p> Interpreter<'p> {
    /// Executes the next instruction of a running thread and says what it did.
    pub fn execute(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        choices: &mut dyn Choices,
    ) -> Effect {
        let result = match self.next(state, thread).0 {
            Next::Instr(instr) => self.instr(state, thread, instr, choices),
            Next::End(end) => Ok(self.terminator(state, thread, end)),
        };
        let effect = result.unwrap_or_else(|why| Effect::Cut(Cut::Undefined(why)));
        if let Effect::Violation { .. } | Effect::Stopped | Effect::Cut(_) = effect {
            state.thread_mut(thread).status = Status::Stopped;
        }
        effect
    }

    fn instr(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        instr: &'p InstrKind,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Undefined> {
        let effect = match instr {
            InstrKind::Assign { dst, value } => {
                let value = self.rvalue(state, thread, *dst, value)?;
                self.set(state, thread, *dst, value);
                Effect::Assigned
            }
            InstrKind::Load { dst, addr, access } => {
                let address = self.value(state, thread, *addr);
                aligned(address, access.align_bytes)?;
                let bits = self.registers(state, thread)[*dst].bits;
                let value = self.load(state, address, bits, choices)?;
                let value = self.forwarded(state, thread, (address as u64, bits, value));
                self.set(state, thread, *dst, value);
                Effect::Read {
                    address: address as u64,
                    bits,
                    value,
                }
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                let address = self.value(state, thread, *addr);
                aligned(address, access.align_bytes)?;
                let bits = self.bits(state.frame(thread).function, *value);
                let value = self.value(state, thread, *value);
                self.writable(state, address, usize::from(bits.div_ceil(8)))?;
                let store = (address as u64, bits, value);
                if self.issue(state, thread, access.order, store) {
                    Effect::Issue {
                        address: address as u64,
                        bits,
                        value,
                    }
                } else {
                    self.store(state, address, bits, value)?;
                    Effect::Write {
                        address: address as u64,
                        bits,
                        value,
                    }
                }
            }
            InstrKind::Rmw {
                dst,
                addr,
                op,
                operand,
                ..
            } => {
                let address = self.value(state, thread, *addr);
                let operand = self.value(state, thread, *operand);
                let bits = self.registers(state, thread)[*dst].bits;
                aligned(address, update_align_bytes(self.program.model, bits))?;
                self.writable(state, address, usize::from(bits / 8))?;
                self.drain(state, thread);
                let old = self.load(state, address, bits, choices)?;
                let new = update(*op, old, operand, bits);
                self.store(state, address, bits, new)?;
                self.set(state, thread, *dst, old);
                Effect::Update {
                    address: address as u64,
                    bits,
                    old,
                    new,
                }
            }
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                ..
            } => {
                let address = self.value(state, thread, *addr);
                let expected = self.value(state, thread, *expected);
                let desired = self.value(state, thread, *desired);
                let bits = self.registers(state, thread)[*dst].bits;
                aligned(address, update_align_bytes(self.program.model, bits))?;
                self.writable(state, address, usize::from(bits / 8))?;
                self.drain(state, thread);
                let old = self.load(state, address, bits, choices)?;
                let new = if old == expected { desired } else { old };
                if old == expected {
                    self.store(state, address, bits, new)?;
                }
                self.set(state, thread, *dst, old);
                Effect::Update {
                    address: address as u64,
                    bits,
                    old,
                    new,
                }
            }
            InstrKind::Fence { order } => {
                self.fence(state, thread, *order);
                Effect::Fence
            }
            InstrKind::Call { dst, callee, args } => {
                return self.call(state, thread, *dst, callee, args, choices);
            }
            InstrKind::Nondet { dst, source } => self.input(state, thread, *dst, *source, choices),
            InstrKind::Alloc {
                dst,
                size_bytes,
                kind,
            } => {
                let size = self.value(state, thread, *size_bytes);
                self.allocate(state, thread, *dst, size, kind)
            }
            InstrKind::EndLife { addr } => {
                let address = self.value(state, thread, *addr);
                if let Some((slot, ..)) = self.object(state, address) {
                    self.remove(state, slot);
                }
                Effect::Quiet
            }
            InstrKind::Free { addr } => {
                let address = self.value(state, thread, *addr);
                if address != 0 {
                    match self.object(state, address) {
                        Some((slot, 0, object)) if object.heap => self.remove(state, slot),
                        _ => return Err(Undefined::InvalidFree),
                    }
                }
                Effect::Quiet
            }
            InstrKind::ObjectSize { dst, addr } => {
                let address = self.value(state, thread, *addr);
                let size = match self.object(state, address) {
                    Some((_, 0, object)) if object.heap => object.bytes.len() as u128,
                    _ => return Err(Undefined::InvalidFree),
                };
                self.set(state, thread, *dst, size);
                Effect::Quiet
            }
            InstrKind::Block {
                to,
                source,
                size_bytes,
                unit_bytes,
            } => {
                return self.block(
                    state,
                    thread,
                    (*to, *source, *size_bytes, *unit_bytes),
                    choices,
                );
            }
            InstrKind::Spawn { dst, start, arg } => {
                return self.spawn(state, thread, *dst, *start, *arg);
            }
            InstrKind::Join {
                dst,
                thread: joined,
            } => {
                if state.thread(thread).section > 0 {
                    return Ok(unsupported("join in an atomic section"));
                }
                let joined = self.value(state, thread, *joined);
                let child = u32::try_from(joined)
                    .ok()
                    .map(ThreadId)
                    .filter(|id| state.exists(*id));
                let Some(child) = child else {
                    return Ok(Effect::Blocked);
                };
                let Status::Ended(result) = state.thread(child).status else {
                    return Ok(Effect::Blocked);
                };
                self.set(state, thread, *dst, result);
                Effect::Join { child }
            }
            InstrKind::ThreadSelf { dst } => {
                self.set(state, thread, *dst, u128::from(thread.0));
                Effect::Assigned
            }
            InstrKind::Lock { addr } => {
                let address = self.mutex(state, thread, *addr)?;
                if state.mutexes.contains_key(&address) {
                    return Ok(Effect::Blocked);
                }
                self.drain(state, thread);
                state.mutexes.insert(address, u64::from(thread.0) + 1);
                Effect::Lock { address }
            }
            InstrKind::TryLock { dst, addr } => {
                let address = self.mutex(state, thread, *addr)?;
                self.drain(state, thread);
                let taken = !state.mutexes.contains_key(&address);
                if taken {
                    state.mutexes.insert(address, u64::from(thread.0) + 1);
                }
                self.set(state, thread, *dst, if taken { 0 } else { EBUSY });
                Effect::TryLock { address, taken }
            }
            InstrKind::Unlock { addr } | InstrKind::MutexInit { addr } => {
                let address = self.mutex(state, thread, *addr)?;
                if matches!(instr, InstrKind::Unlock { .. }) {
                    self.drain(state, thread);
                }
                state.mutexes.remove(&address);
                Effect::Unlock { address }
            }
            InstrKind::AtomicBegin => {
                self.drain(state, thread);
                state.thread_mut(thread).section += 1;
                Effect::AtomicBegin
            }
            InstrKind::AtomicEnd => {
                let thread = state.thread_mut(thread);
                thread.section = thread.section.saturating_sub(1);
                Effect::AtomicEnd
            }
            InstrKind::Assume { cond } => match self.value(state, thread, *cond) {
                0 => return Ok(Effect::Stopped),
                _ => Effect::Quiet,
            },
            InstrKind::Assert { cond, property } => match self.value(state, thread, *cond) {
                0 => {
                    return Ok(Effect::Violation {
                        property: *property,
                    });
                }
                _ => Effect::Held,
            },
            InstrKind::Defined { cond, why } => match self.value(state, thread, *cond) {
                0 => return Err(*why),
                _ => Effect::Quiet,
            },
            InstrKind::Unsupported { reason } => return Ok(unsupported(reason)),
        };
        state.frame_mut(thread).index += 1;
        Ok(effect)
    }

    fn terminator(&mut self, state: &mut State, thread: ThreadId, end: &'p Terminator) -> Effect {
        match end {
            Terminator::Jump(to) => self.jump(state, thread, *to),
            Terminator::Branch { cond, then, other } => {
                let to = if self.value(state, thread, *cond) != 0 {
                    *then
                } else {
                    *other
                };
                self.jump(state, thread, to)
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.value(state, thread, *value);
                let case = cases.iter().find(|(case, _)| *case == value);
                self.jump(state, thread, case.map_or(*default, |(_, to)| *to))
            }
            Terminator::Return(operand) => {
                let value = operand.map(|operand| self.value(state, thread, operand));
                if state.thread(thread).frames.len() == 1 {
                    return self.end(state, thread, value.unwrap_or(0));
                }
                state.thread_mut(thread).frames.pop();
                if let (Next::Instr(InstrKind::Call { dst: Some(dst), .. }), _) =
                    self.next(state, thread)
                {
                    let Some(value) = value else {
                        return Effect::Cut(Cut::Undefined(Undefined::Unreachable));
                    };
                    self.set(state, thread, *dst, value);
                }
                state.frame_mut(thread).index += 1;
                Effect::Quiet
            }
            Terminator::ThreadExit(result) => {
                let result = self.value(state, thread, *result);
                self.end(state, thread, result)
            }
            Terminator::Stop => Effect::Stopped,
        }
    }

    /// The thread ends; an atomic section that it left open ends with it.
    fn end(&mut self, state: &mut State, thread: ThreadId, result: u128) -> Effect {
        self.drain(state, thread);
        state.memory.escape(self.space, result as u64);
        let thread = state.thread_mut(thread);
        thread.section = 0;
        thread.status = Status::Ended(result & mask(self.space.pointer_bits));
        Effect::End
    }

    fn jump(&mut self, state: &mut State, thread: ThreadId, to: BlockId) -> Effect {
        let unwind = self.bounds.unwind;
        let frame = state.frame_mut(thread);
        let function = &self.program.functions[frame.function];
        let loops = &self.loops[frame.function];
        if unwind.is_some_and(|unwind| {
            loops.is_cut(function, frame.block, to, &frame.iterations, unwind)
        }) {
            return Effect::Cut(Cut::Unwind);
        }
        frame.iterations = loops.follow(frame.block, to, &frame.iterations);
        frame.block = to;
        frame.index = 0;
        Effect::Quiet
    }

    fn call(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
        choices: &mut dyn Choices,
    ) -> Result<Effect, Undefined> {
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(operand) => {
                let address = self.value(state, thread, *operand);
                self.function_at(address).ok_or(Undefined::InvalidAccess)?
            }
            Callee::Extern(call) => {
                return Ok(self.external(state, thread, dst, call, args, choices));
            }
        };
        let active = state
            .thread(thread)
            .frames
            .iter()
            .filter(|frame| frame.function == function)
            .count();
        if self
            .bounds
            .recursion
            .is_some_and(|bound| active > bound as usize)
        {
            return Ok(Effect::Cut(Cut::Recursion));
        }
        let info = &self.program.functions[function];
        let path = FramePath::enter(state.frame(thread).position(), function.0);
        let mut frame = self.frame(function, path);
        let at = (thread, state.frame(thread).position());
        for (i, param) in info.params.iter().enumerate() {
            let bits = info.regs[*param].bits;
            let value = match args.get(i) {
                Some(arg) => self.value(state, thread, *arg),
                // Too few arguments: the rest is indeterminate.
                None => choices.input(at, bits, NondetSource::Uninitialised),
            };
            frame.regs[param.0 as usize] = value & mask(bits);
        }
        state.thread_mut(thread).frames.push(frame);
        Ok(Effect::Quiet)
    }

    /// A function without body gives a free value, unless it could reach memory of ours.
    fn external(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Option<Reg>,
        call: &ExternCall,
        args: &[Operand],
        choices: &mut dyn Choices,
    ) -> Effect {
        for (arg, is_pointer) in args.iter().zip(&call.pointer_args) {
            let value = self.value(state, thread, *arg);
            if *is_pointer
                && self
                    .object(state, value)
                    .is_some_and(|(_, _, object)| !object.read_only)
            {
                return unsupported(&format!(
                    "`{}` has no body and receives a pointer",
                    call.name
                ));
            }
        }
        let effect = match dst {
            Some(dst) => self.input(state, thread, dst, NondetSource::External, choices),
            None => Effect::Quiet,
        };
        state.frame_mut(thread).index += 1;
        effect
    }

    fn input(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        source: NondetSource,
        choices: &mut dyn Choices,
    ) -> Effect {
        let bits = self.registers(state, thread)[dst].bits;
        let at = (thread, state.frame(thread).position());
        let value = choices.input(at, bits, source) & mask(bits);
        self.set(state, thread, dst, value);
        Effect::Input { bits, value }
    }

    fn allocate(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        size: u128,
        kind: &AllocKind,
    ) -> Effect {
        let most = self.space.largest_allocation();
        if size > u128::from(most) {
            return Effect::Cut(Cut::ObjectSize { most });
        }
        let frame = state.frame(thread);
        let label = Label::Instruction(frame.function, frame.block, frame.index);
        let origin = Origin::Alloc(thread, frame.position());
        let slot = self.slot(origin);
        let byte = match kind {
            AllocKind::HeapZeroed | AllocKind::Stack { zeroed: true, .. } => Some(0),
            AllocKind::Stack { .. } | AllocKind::Heap => None,
        };
        let bytes = vec![byte; size as usize];
        let heap = !matches!(kind, AllocKind::Stack { .. });
        state.memory.insert(
            slot,
            Object {
                origin,
                label,
                bytes,
                read_only: false,
                heap,
                escaped: false,
            },
        );
        let address = u128::from(self.space.base(slot));
        self.set(state, thread, dst, address);
        Effect::Quiet
    }

    fn spawn(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        start: Operand,
        arg: Operand,
    ) -> Result<Effect, Undefined> {
        if state.thread(thread).section > 0 {
            return Ok(unsupported("thread creation in an atomic section"));
        }
        let start = self.value(state, thread, start);
        let function = self.function_at(start).ok_or(Undefined::InvalidAccess)?;
        let argument = self.value(state, thread, arg);
        self.drain(state, thread);
        state.memory.escape(self.space, argument as u64);
        let (child, runs) = self.instance((thread, state.frame(thread).position()));
        let status = if runs {
            Status::Running
        } else {
            Status::NeverRuns
        };
        self.add_thread(state, child, function, Some(argument), status);
        self.set(state, thread, dst, u128::from(child.0));
        state.frame_mut(thread).index += 1;
        Ok(if runs {
            Effect::Create { child }
        } else {
            Effect::CreateBeyond { child }
        })
    }

    /// Reads memory; bytes without value are given one.
    fn load(
        &mut self,
        state: &mut State,
        address: u128,
        bits: u16,
        choices: &mut dyn Choices,
    ) -> Result<u128, Undefined> {
        let count = usize::from(bits.div_ceil(8));
        let (slot, offset) = self.place(state, address, count)?;
        let object = state.memory.get(slot).ok_or(Undefined::InvalidAccess)?;
        if object.bytes[offset..offset + count].contains(&None) {
            let origin = object.origin;
            let bytes = state.memory.bytes_mut(slot, offset, count);
            choices.memory(origin, offset, bytes);
            for byte in bytes {
                byte.get_or_insert(0);
            }
        }
        let object = state.memory.get(slot).ok_or(Undefined::InvalidAccess)?;
        let bytes = object.bytes[offset..offset + count].iter().rev();
        let value = bytes.fold(0, |value, byte| value << 8 | u128::from(byte.unwrap_or(0)));
        Ok(value & mask(bits))
    }

    fn store(
        &mut self,
        state: &mut State,
        address: u128,
        bits: u16,
        value: u128,
    ) -> Result<(), Undefined> {
        let count = usize::from(bits.div_ceil(8));
        let (slot, offset) = self.writable(state, address, count)?;
        state.memory.write(self.space, slot, offset, count, value);
        Ok(())
    }

    fn remove(&mut self, state: &mut State, slot: Slot) {
        let space = self.space;
        self.forget(state, slot);
        state.memory.remove(slot);
        state
            .mutexes
            .retain(|address, _| space.slot(*address) != Some(slot));
    }

    /// The address of a mutex, which must be in a live object.
    fn mutex(&mut self, state: &State, thread: ThreadId, addr: Operand) -> Result<u64, Undefined> {
        let address = self.value(state, thread, addr);
        self.place(state, address, 1)?;
        Ok(address as u64)
    }

    fn registers(&self, state: &State, thread: ThreadId) -> &'p IdVec<Reg, RegInfo> {
        &self.program.functions[state.frame(thread).function].regs
    }

    fn set(&self, state: &mut State, thread: ThreadId, dst: Reg, value: u128) {
        let bits = self.registers(state, thread)[dst].bits;
        state.frame_mut(thread).regs[dst.0 as usize] = value & mask(bits);
    }
}

/// A misaligned access is undefined.
fn aligned(address: u128, align_bytes: u8) -> Result<(), Undefined> {
    match address.is_multiple_of(u128::from(align_bytes.max(1))) {
        true => Ok(()),
        false => Err(Undefined::InvalidAccess),
    }
}

fn unsupported(reason: &str) -> Effect {
    Effect::Cut(Cut::Unsupported(reason.to_string()))
}
