//! Execution of one instruction.

use super::arithmetic::mask;
use super::lookup::Next;
use super::state::{State, Status};
use super::stop::Stop;
use super::word::Word;
use super::{Choices, Effect, Interpreter};
use crate::base::IdVec;
use crate::event::{Cut, ThreadId};
use crate::ir::{
    AllocKind, EBUSY, InstrKind, NondetSource, Note, Reg, RegInfo, Terminator, Undefined,
    update_align_bytes,
};

impl<'p> Interpreter<'p> {
    /// Executes the next instruction of a running thread and says what it did.
    pub fn execute(
        &mut self,
        state: &mut State,
        thread: ThreadId,
        choices: &mut dyn Choices,
    ) -> Effect {
        let next = self.next(state, thread).0;
        let result = match next {
            Next::Instr(instr) => self.instr(state, thread, instr, choices),
            Next::End(end) => self.terminator(state, thread, end, choices),
        };
        let effect = result.unwrap_or_else(Effect::from);
        if let Effect::Violation { .. } | Effect::Stopped | Effect::Cut(_) = effect {
            state.thread_mut(thread).status = match next {
                Next::End(Terminator::Stop) => Status::Exited,
                _ => Status::Stopped,
            };
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
                if access.needs_value && self.needs_values && !self.bounds.memory.is_weak() {
                    let count = usize::from(bits.div_ceil(8));
                    let (slot, offset) = self.place(state, address, count)?;
                    if state.memory.is_fresh(slot, offset, count) {
                        return Err(Undefined::Indeterminate.into());
                    }
                }
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
            InstrKind::Expose { addr } => {
                let word = self.word(state, thread, *addr);
                self.expose(state, word, choices)?;
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
            InstrKind::Spawn {
                dst, start, arg, ..
            } => {
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
            InstrKind::Note { dst, addr, what } => {
                let address = self.mutex(state, thread, *addr, choices)?;
                let value = match what {
                    Note::Held => u128::from(state.mutexes.contains_key(&address)),
                    _ => state.note(address, *what, thread),
                };
                self.set(state, thread, *dst, Word::number(value));
                Effect::Quiet
            }
            InstrKind::SetNote { addr, what, value } => {
                let value = self.operand_number(state, thread, *value, choices)?;
                let address = self.mutex(state, thread, *addr, choices)?;
                state.set_note(address, *what, thread, value);
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
            InstrKind::Wait { cond, .. } if self.value(state, thread, *cond) == 0 => {
                return Ok(Effect::Blocked);
            }
            InstrKind::Wait { .. } => Effect::Quiet,
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
            InstrKind::Leak { property, returns } => {
                let blocks = self.leaked(state, thread, *property, *returns);
                Effect::Leaked {
                    property: *property,
                    blocks,
                }
            }
            InstrKind::Defined { cond, why } => match self.value(state, thread, *cond) {
                0 => return Err(Stop::Undefined(*why)),
                _ => Effect::Quiet,
            },
            InstrKind::Pointers(check) => {
                if !self.relates(state, thread, *check) {
                    return Err(Stop::Undefined(check.why()));
                }
                Effect::Quiet
            }
            InstrKind::Unsupported { reason } => return Ok(unsupported(reason)),
        };
        state.frame_mut(thread).index += 1;
        Ok(effect)
    }

    pub(super) fn input(
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

    pub(super) fn registers(&self, state: &State, thread: ThreadId) -> &'p IdVec<Reg, RegInfo> {
        &self.program.functions[state.frame(thread).function].regs
    }

    /// Gives a register a value of its width.
    pub(super) fn set(&self, state: &mut State, thread: ThreadId, dst: Reg, word: Word) {
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
            Stop::Unwatched(subject) => Effect::Unwatched(subject),
        }
    }
}

pub(super) fn unsupported(reason: &str) -> Effect {
    Effect::Cut(Cut::Unsupported(reason.to_string()))
}
