//! Execution of one instruction.

use super::arithmetic::mask;
use super::life::New;
use super::lookup::Next;
use super::memory::LiveObject;
use super::state::{State, Status};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Effect, Interpreter};
use crate::base::IdVec;
use crate::event::{Cut, Origin, ThreadId};
use crate::ir::address::Slot;
use crate::ir::position::FramePath;
use crate::ir::{
    AllocKind, BlockId, Callee, EBUSY, ExternCall, FuncId, InstrKind, NondetSource, Operand, Reg,
    RegInfo, Terminator, Undefined, update_align_bytes,
};
use std::collections::BTreeSet;

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
            Next::End(end) => self.terminator(state, thread, end, choices),
        };
        let effect = result.unwrap_or_else(Effect::from);
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
    ) -> Result<Effect, Stop> {
        let effect = match instr {
            InstrKind::Assign { dst, value } => {
                let value = self.rvalue(state, thread, (*dst, value), choices)?;
                self.set(state, thread, *dst, value);
                Effect::Assigned
            }
            InstrKind::Load { dst, addr, access } => {
                let address = self.address(state, thread, (*addr, access.align_bytes), choices)?;
                let bits = self.registers(state, thread)[*dst].bits;
                let value = self.load(state, (address, bits), choices)?;
                let address = address as u64;
                let value = self.forwarded(state, thread, (address, bits, value), choices)?;
                self.set(state, thread, *dst, value);
                Effect::Read {
                    address,
                    bits,
                    value,
                }
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                let address = self.address(state, thread, (*addr, access.align_bytes), choices)?;
                let bits = self.bits(state.frame(thread).function, *value);
                let value = self.word(state, thread, *value);
                self.writable(state, address, usize::from(bits.div_ceil(8)))?;
                let store = (address as u64, bits, value);
                if self.issue(state, thread, access.order, store, choices)? {
                    Effect::Issue {
                        address: address as u64,
                        bits,
                        value,
                    }
                } else {
                    self.store(state, (address, bits, value), choices)?;
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
                let operand = self.word(state, thread, *operand);
                let bits = self.registers(state, thread)[*dst].bits;
                let align = update_align_bytes(self.program.model, bits);
                let address = self.address(state, thread, (*addr, align), choices)?;
                self.writable(state, address, usize::from(bits / 8))?;
                self.drain(state, thread, choices)?;
                let old = self.load(state, (address, bits), choices)?;
                let new = self.update(state, *op, (old, operand, bits), choices)?;
                self.store(state, (address, bits, new), choices)?;
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
                let expected = self.word(state, thread, *expected);
                let desired = self.word(state, thread, *desired);
                let bits = self.registers(state, thread)[*dst].bits;
                let align = update_align_bytes(self.program.model, bits);
                let address = self.address(state, thread, (*addr, align), choices)?;
                self.writable(state, address, usize::from(bits / 8))?;
                self.drain(state, thread, choices)?;
                let old = self.load(state, (address, bits), choices)?;
                let equal = self.is_equal(state, (old, expected, bits), choices)?;
                let new = if equal { desired } else { old };
                if equal {
                    self.store(state, (address, bits, new), choices)?;
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
                self.fence(state, thread, *order, choices)?;
                Effect::Fence
            }
            InstrKind::Call { dst, callee, args } => {
                return self.call(state, thread, *dst, callee, args, choices);
            }
            InstrKind::Nondet { dst, source } => self.input(state, thread, *dst, *source, choices),
            InstrKind::Alloc {
                dst,
                size_bytes,
                align_bytes,
                kind,
            } => {
                let size = self.operand_number(state, thread, *size_bytes, choices)?;
                let align = self.operand_number(state, thread, *align_bytes, choices)?;
                let instead = match kind {
                    AllocKind::Realloc(old) => {
                        let old = self.word(state, thread, *old);
                        let old = self.named(state, old, choices)?;
                        let object = old.and_then(|address| self.object(state, address));
                        let whole = object.filter(|(_, offset, o)| *offset == 0 && o.heap);
                        whole.map(|(slot, ..)| slot)
                    }
                    _ => None,
                };
                let asked = (size, align as u64, instead);
                self.allocate(state, thread, *dst, asked, kind)
            }
            InstrKind::EndLife { addr } => {
                let address = self.word(state, thread, *addr);
                let address = self.named(state, address, choices)?;
                if let Some((slot, ..)) = address.and_then(|at| self.object(state, at)) {
                    self.remove(state, slot, thread);
                }
                Effect::Quiet
            }
            InstrKind::Free { addr } => {
                if self.word(state, thread, *addr) != Word::number(0) {
                    let (slot, _) = self.heap_object(state, thread, *addr, choices)?;
                    self.remove(state, slot, thread);
                    self.issue_release(state, thread, slot);
                }
                Effect::Quiet
            }
            InstrKind::ObjectSize { dst, addr } => {
                let (_, size) = self.heap_object(state, thread, *addr, choices)?;
                self.set(state, thread, *dst, Word::number(size as u128));
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
                return self.spawn(state, thread, *dst, (*start, *arg), choices);
            }
            InstrKind::Join {
                dst,
                thread: joined,
            } => {
                if state.thread(thread).section > 0 {
                    return Ok(unsupported("join in an atomic section"));
                }
                let joined = self.operand_number(state, thread, *joined, choices)?;
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
                self.set(state, thread, *dst, Word::number(u128::from(thread.0)));
                Effect::Assigned
            }
            InstrKind::Lock { addr } => {
                let address = self.mutex(state, thread, *addr, choices)?;
                if state.mutexes.contains_key(&address) {
                    return Ok(Effect::Blocked);
                }
                self.drain(state, thread, choices)?;
                state.mutexes.insert(address, u64::from(thread.0) + 1);
                Effect::Lock { address }
            }
            InstrKind::TryLock { dst, addr } => {
                let address = self.mutex(state, thread, *addr, choices)?;
                let taken = !state.mutexes.contains_key(&address);
                if taken {
                    self.drain(state, thread, choices)?;
                    state.mutexes.insert(address, u64::from(thread.0) + 1);
                }
                let result = Word::number(if taken { 0 } else { EBUSY });
                self.set(state, thread, *dst, result);
                Effect::TryLock { address, taken }
            }
            InstrKind::Unlock { addr } | InstrKind::MutexInit { addr } => {
                let address = self.mutex(state, thread, *addr, choices)?;
                if matches!(instr, InstrKind::Unlock { .. }) {
                    self.drain(state, thread, choices)?;
                }
                state.mutexes.remove(&address);
                Effect::Unlock { address }
            }
            InstrKind::SyncUse { addr } => {
                let word = self.word(state, thread, *addr);
                let address = self.named(state, word, choices)?;
                if address.is_some_and(|address| state.copies.has(address as u64)) {
                    return Err(Undefined::CopiedObject.into());
                }
                Effect::Quiet
            }
            InstrKind::Copied {
                addr,
                size_bytes,
                fresh,
                ..
            } => {
                let word = self.word(state, thread, *addr);
                let from = self.named(state, word, choices)?.unwrap_or_default() as u64;
                let to = from.saturating_add(self.value(state, thread, *size_bytes) as u64);
                if *fresh {
                    state.copies.unmark(from, to)
                } else {
                    state.copies.mark(from, to);
                    state.mutexes.retain(|at, _| !(from..to).contains(at));
                }
                Effect::Quiet
            }
            InstrKind::AtomicBegin { drains } => {
                if *drains {
                    self.drain(state, thread, choices)?;
                }
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
                0 => return Err(Stop::Undefined(*why)),
                _ => Effect::Quiet,
            },
            InstrKind::Unsupported { reason } => return Ok(unsupported(reason)),
        };
        state.frame_mut(thread).index += 1;
        Ok(effect)
    }

    fn terminator(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        end: &'p Terminator,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        Ok(match end {
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
                let value = self.operand_number(state, thread, *value, choices)?;
                let case = cases.iter().find(|(case, _)| *case == value);
                self.jump(state, thread, case.map_or(*default, |(_, to)| *to))
            }
            Terminator::Return(operand) => {
                let value = operand.map(|operand| self.word(state, thread, operand));
                if state.thread(thread).frames.len() == 1 {
                    return self.end(state, thread, value.unwrap_or_default(), choices);
                }
                let mut value = value;
                let callers = &state.thread(thread).frames;
                let caller = &callers[callers.len() - 2];
                let block = &self.program.functions[caller.function].blocks[caller.block];
                if let Some(InstrKind::Call { dst: Some(dst), .. }) =
                    block.instrs.get(caller.index).map(|instr| &instr.kind)
                {
                    let Some(result) = value else {
                        return Err(Undefined::Unreachable.into());
                    };
                    let bits = self.program.functions[caller.function].regs[*dst].bits;
                    value = Some(self.fit(state, result, bits, choices)?);
                }
                state.thread_mut(thread).frames.pop();
                if let (Next::Instr(InstrKind::Call { dst: Some(dst), .. }), _) =
                    self.next(state, thread)
                    && let Some(value) = value
                {
                    self.set(state, thread, *dst, value);
                }
                state.frame_mut(thread).index += 1;
                Effect::Quiet
            }
            Terminator::ThreadExit(result) => {
                let result = self.word(state, thread, *result);
                return self.end(state, thread, result, choices);
            }
            Terminator::Stop => Effect::Stopped,
        })
    }

    /// The thread ends; an atomic section that it left open ends with it.
    fn end(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        result: Word,
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        self.drain(state, thread, choices)?;
        let result = self.fit(state, result, self.space.pointer_bits, choices)?;
        state.memory.escape_word(self.space, result);
        for (slot, _) in self.own_variables(state, thread) {
            self.remove(state, slot, thread);
        }
        let thread = state.thread_mut(thread);
        thread.section = 0;
        thread.status = Status::Ended(result);
        Ok(Effect::End)
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
    ) -> Result<Effect, Stop> {
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(operand) => self.function_named(state, thread, *operand, choices)?,
            Callee::Extern(call) => {
                return self.external(state, thread, dst, call, args, choices);
            }
        };
        let info = &self.program.functions[function];
        if !info.fits(args.len(), dst.is_some()) {
            return Err(Undefined::Call.into());
        }
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
        let path = FramePath::enter(state.frame(thread).position(), function.0);
        let mut frame = self.frame(function, path);
        for (param, arg) in info.params.iter().zip(args) {
            let value = self.word(state, thread, *arg);
            let bits = info.regs[*param].bits;
            frame.set(*param, self.fit(state, value, bits, choices)?);
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
    ) -> Result<Effect, Stop> {
        for (arg, is_pointer) in args.iter().zip(&call.pointer_args) {
            let value = self.word(state, thread, *arg);
            if !is_pointer {
                continue;
            }
            let address = self.named(state, value, choices)?;
            let object = address.and_then(|address| self.object(state, address));
            if object.is_some_and(|(_, _, object)| !object.read_only) {
                return Ok(unsupported(&format!(
                    "`{}` has no body and receives a pointer",
                    call.name
                )));
            }
        }
        let effect = match dst {
            Some(dst) => self.input(state, thread, dst, NondetSource::External, choices),
            None => Effect::Quiet,
        };
        state.frame_mut(thread).index += 1;
        Ok(effect)
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
        self.set(state, thread, dst, Word::number(value));
        Effect::Input { bits, value }
    }

    fn allocate(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        (size, align_bytes, instead): (u128, u64, Option<Slot>),
        kind: &AllocKind,
    ) -> Effect {
        let most = self.space.largest_allocation();
        if size > u128::from(most) {
            return Effect::Cut(Cut::ObjectSize { most });
        }
        let label = self.label(state, thread);
        let origin = Origin::Alloc(thread, state.frame(thread).position());
        let slot = self.slot(origin);
        let byte = match kind {
            AllocKind::HeapZeroed | AllocKind::Stack { zeroed: true, .. } => Some(0),
            AllocKind::Stack { .. } | AllocKind::Heap | AllocKind::Realloc(_) => None,
        };
        let bytes = vec![byte; size as usize];
        let heap = !matches!(kind, AllocKind::Stack { .. });
        let new = New {
            origin,
            label: Some(label),
            size_bytes: size as u64,
            align_bytes,
            instead,
        };
        self.begin_life(state, slot, new);
        state.memory.insert(
            slot,
            LiveObject {
                origin,
                label,
                bytes,
                words: BTreeSet::new(),
                align_bytes,
                read_only: false,
                heap,
                escaped: false,
            },
        );
        let address = u128::from(self.space.base(slot));
        self.set(state, thread, dst, Word::address(address));
        Effect::Quiet
    }

    fn spawn(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        dst: Reg,
        (start, arg): (Operand, Operand),
        choices: &mut dyn Choices,
    ) -> Result<Effect, Stop> {
        if state.thread(thread).section > 0 {
            return Ok(unsupported("thread creation in an atomic section"));
        }
        let function = self.function_named(state, thread, start, choices)?;
        let info = &self.program.functions[function];
        if !info.fits(1, false) {
            return Err(Undefined::Call.into());
        }
        let argument = self.word(state, thread, arg);
        self.drain(state, thread, choices)?;
        state.memory.escape_word(self.space, argument);
        let argument = match info.params.first() {
            Some(param) => self.fit(state, argument, info.regs[*param].bits, choices)?,
            None => argument,
        };
        let (child, runs) = self.instance((thread, state.frame(thread).position()));
        let status = if runs {
            Status::Running
        } else {
            Status::NeverRuns
        };
        self.add_thread(state, child, function, Some(argument), status);
        self.set(state, thread, dst, Word::number(u128::from(child.0)));
        state.frame_mut(thread).index += 1;
        Ok(if runs {
            Effect::Create { child }
        } else {
            Effect::CreateBeyond { child }
        })
    }

    /// The function that an operand names.
    fn function_named(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operand: Operand,
        choices: &mut dyn Choices,
    ) -> Result<FuncId, Stop> {
        let word = self.word(state, thread, operand);
        let address = self.named(state, word, choices)?;
        let function = address.and_then(|address| self.function_at(address));
        Ok(function.ok_or(Undefined::InvalidAccess)?)
    }

    /// The live object of the heap that starts where an operand says, and its size in bytes.
    fn heap_object(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        operand: Operand,
        choices: &mut dyn Choices,
    ) -> Result<(Slot, usize), Stop> {
        let word = self.word(state, thread, operand);
        let address = self.named(state, word, choices)?;
        match address.and_then(|address| self.object(state, address)) {
            Some((slot, 0, object)) if object.heap => Ok((slot, object.bytes.len())),
            _ => {
                let past = |at| self.past(state, at, Undefined::InvalidFree);
                Err(address.map_or(Undefined::InvalidFree, past).into())
            }
        }
    }

    fn remove(&mut self, state: &mut State, slot: Slot, by: ThreadId) {
        let space = self.space;
        self.forget(state, slot);
        self.end_life(state, slot, by);
        state.memory.remove(slot);
        state
            .mutexes
            .retain(|address, _| space.slot(*address) != Some(slot));
    }

    fn registers(&self, state: &State, thread: ThreadId) -> &'p IdVec<Reg, RegInfo> {
        &self.program.functions[state.frame(thread).function].regs
    }

    /// Gives a register a value of its width.
    fn set(&self, state: &mut State, thread: ThreadId, dst: Reg, word: Word) {
        let bits = self.registers(state, thread)[dst].bits;
        let value = word.value & mask(bits);
        state.frame_mut(thread).set(dst, Word { value, ..word });
    }
}

impl From<Stop> for Effect {
    fn from(stop: Stop) -> Effect {
        match stop {
            Stop::Undefined(why) => Effect::Cut(Cut::Undefined(why)),
            Stop::Misplaced(why) => Effect::Misplaced(why),
            Stop::Unwatched(label) => Effect::Unwatched(label),
        }
    }
}

fn unsupported(reason: &str) -> Effect {
    Effect::Cut(Cut::Unsupported(reason.to_string()))
}
