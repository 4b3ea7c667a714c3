//! What each instruction does to a state.

use super::Refusal;
use super::knowledge::{ObjectKey, Space};
use super::pass::Pass;
use super::rvalue;
use super::state::State;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::{Cut, EventKind, Role, Store};
use crate::ir::position::FramePath;
use crate::ir::{
    Access, Callee, FuncId, Instr, InstrKind, MemOrder, NondetSource, Operand, Reg, RmwOp, Rvalue,
    Undefined, update_align_bytes,
};
use crate::term::TermId;

impl Pass<'_> {
    /// The value of an operand.
    pub(super) fn operand(&mut self, state: &State, operand: Operand) -> TermId {
        match operand {
            Operand::Reg(reg) => match state.regs[reg.index()] {
                Some(value) => value,
                None => {
                    // Never set on this path: an indeterminate value.
                    let bits = self.reg_bits(reg);
                    self.input("indeterminate", bits)
                }
            },
            other => self.operand_constant(other, self.program.model.pointer_bits()),
        }
    }

    fn reg_bits(&self, reg: Reg) -> u16 {
        let frame = self.frames.last().expect("instructions run in a frame");
        self.program.functions[frame.function].regs[reg].bits
    }

    /// Executes an instruction; `None` if no path goes on.
    pub(super) fn instr(
        &mut self,
        mut state: State,
        instr: &Instr,
    ) -> Result<Option<State>, Refusal> {
        if let InstrKind::Call { dst, callee, args } = &instr.kind {
            return self.call_instr(state, *dst, callee, args, instr.loc);
        }
        let set =
            |state: &mut State, dst: Reg, value: TermId| state.regs[dst.index()] = Some(value);
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let bits = self.reg_bits(*dst);
                let value = self.rvalue(&mut state, value, bits);
                set(&mut state, *dst, value);
            }
            InstrKind::Load { dst, addr, access } => {
                let addr = self.operand(&state, *addr);
                let bits = self.reg_bits(*dst);
                self.here.order = access.order;
                let align = u64::from(access.align_bytes);
                let value =
                    self.one_step(|pass| pass.load(&mut state, addr, bits, align, Role::Plain));
                set(&mut state, *dst, value);
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                let addr = self.operand(&state, *addr);
                let value = self.operand(&state, *value);
                let Access {
                    order, align_bytes, ..
                } = *access;
                self.here.order = order;
                let align = u64::from(align_bytes);
                self.one_step(|pass| {
                    if pass.bounds.memory.store(order) == Store::Direct {
                        pass.drain(&state);
                    }
                    pass.store(&mut state, addr, value, align, Role::Plain);
                });
            }
            InstrKind::Rmw {
                dst,
                addr,
                op,
                operand,
                order,
            } => {
                let addr = self.operand(&state, *addr);
                let operand = self.operand(&state, *operand);
                self.here.order = Some(*order);
                let old = self.one_step(|pass| {
                    pass.drain(&state);
                    pass.update(&mut state, addr, *op, operand)
                });
                set(&mut state, *dst, old);
            }
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                success,
                ..
            } => {
                let addr = self.operand(&state, *addr);
                let expected = self.operand(&state, *expected);
                let desired = self.operand(&state, *desired);
                self.here.order = Some(*success);
                let old = self.one_step(|pass| {
                    pass.drain(&state);
                    pass.exchange(&mut state, addr, expected, desired)
                });
                set(&mut state, *dst, old);
            }
            InstrKind::Fence { order } => {
                self.here.order = Some(*order);
                if state.concurrent {
                    self.emit(&state, state.path.term(), EventKind::Fence);
                }
            }
            InstrKind::Nondet { dst, source } => {
                let bits = self.reg_bits(*dst);
                let name = match source {
                    NondetSource::Input => "nondet",
                    NondetSource::Uninitialised => "uninitialised",
                    NondetSource::External => "external",
                };
                let value = self.input(name, bits);
                set(&mut state, *dst, value);
            }
            InstrKind::Alloc {
                dst,
                size_bytes,
                kind,
            } => {
                let size = self.operand(&state, *size_bytes);
                let value = self.alloc(&mut state, size, kind);
                set(&mut state, *dst, value);
            }
            InstrKind::EndLife { addr } => {
                let addr = self.operand(&state, *addr);
                let always = self.terms.tru();
                self.end_life(&mut state, addr, always);
            }
            InstrKind::Free { addr } => {
                let addr = self.operand(&state, *addr);
                self.one_step(|pass| pass.free(&mut state, addr));
            }
            InstrKind::Block {
                to,
                source,
                size_bytes,
                unit_bytes,
            } => {
                let to = self.operand(&state, *to);
                let size = self.operand(&state, *size_bytes);
                let value = self.operand(&state, source.operand());
                self.fill_or_copy(&mut state, to, (*source, value), size, *unit_bytes);
            }
            InstrKind::ObjectSize { dst, addr } => {
                let addr = self.operand(&state, *addr);
                let size = self.one_step(|pass| pass.object_size(&mut state, addr));
                let bits = self.reg_bits(*dst);
                let size = self.terms.fit(size, bits);
                set(&mut state, *dst, size);
            }
            InstrKind::Spawn { dst, start, arg } => {
                let start = self.operand(&state, *start);
                let arg = self.operand(&state, *arg);
                let bits = self.reg_bits(*dst);
                let id = self.spawn(&mut state, start, arg, bits);
                set(&mut state, *dst, id);
            }
            InstrKind::Join { dst, thread } => {
                let thread = self.operand(&state, *thread);
                let frame = self.frames.last().expect("instructions run in a frame");
                let wanted = self.facts.functions[frame.function].used.contains(*dst);
                let value = self.join(&mut state, thread, wanted);
                set(&mut state, *dst, value);
            }
            InstrKind::ThreadSelf { dst } => {
                let bits = self.reg_bits(*dst);
                let value = self.thread_self(bits);
                set(&mut state, *dst, value);
            }
            InstrKind::Lock { addr } => {
                let addr = self.operand(&state, *addr);
                self.here.order = Some(MemOrder::SeqCst);
                self.one_step(|pass| pass.lock(&mut state, addr));
            }
            InstrKind::Unlock { addr } => {
                let addr = self.operand(&state, *addr);
                self.here.order = Some(MemOrder::SeqCst);
                self.one_step(|pass| {
                    pass.drain(&state);
                    pass.release(&mut state, addr, Role::Unlock);
                });
            }
            InstrKind::TryLock { dst, addr } => {
                let addr = self.operand(&state, *addr);
                self.here.order = Some(MemOrder::SeqCst);
                let value = self.one_step(|pass| pass.try_lock(&mut state, addr));
                let bits = self.reg_bits(*dst);
                let value = self.terms.fit(value, bits);
                set(&mut state, *dst, value);
            }
            InstrKind::MutexInit { addr } => {
                let addr = self.operand(&state, *addr);
                self.one_step(|pass| pass.release(&mut state, addr, Role::Sync));
            }
            InstrKind::AtomicBegin => self.begin_section(&mut state),
            InstrKind::AtomicEnd => self.end_section(&mut state),
            InstrKind::Assume { cond } => {
                let cond = self.operand(&state, *cond);
                self.block(&mut state, cond);
            }
            InstrKind::Assert { cond, property } => {
                let cond = self.operand(&state, *cond);
                let property = *property;
                self.section_asserts(&state, cond);
                let event = self.emit(
                    &state,
                    state.path.term(),
                    EventKind::Assert { cond, property },
                );
                if self.terms.as_constant(cond) == Some(0) {
                    self.events[event].reached = state.path.before_last(&mut self.terms);
                }
                if self.terms.as_constant(cond) == Some(0) {
                    // The execution has ended here.
                    return Ok(None);
                }
            }
            InstrKind::Defined { cond, why } => {
                let cond = self.operand(&state, *cond);
                let why = *why;
                if why == Undefined::FloatRange && faults::on(Fault::RangeUnchecked) {
                    return Ok(Some(state));
                }
                self.restrict_or_cut(&mut state, cond, || Cut::Undefined(why));
            }
            InstrKind::Unsupported { reason } => self.refuse(&mut state, reason),
            InstrKind::Call { .. } => unreachable!("handled above"),
        }
        Ok(Some(state))
    }

    fn rvalue(&mut self, state: &mut State, value: &Rvalue, bits: u16) -> TermId {
        if let Rvalue::Offset { base, offset_bytes } = value {
            let base = self.operand(state, *base);
            let offset = self.operand(state, *offset_bytes);
            return self.offset(state, base, offset);
        }
        let operands = value.operands().into_iter();
        let operands: Vec<TermId> = operands.map(|a| self.operand(state, a)).collect();
        rvalue::rvalue(&mut self.terms, value, bits, &operands)
    }

    /// Pointer arithmetic: within the slot of an object, or of integers.
    fn offset(&mut self, state: &mut State, base: TermId, offset: TermId) -> TermId {
        let space = self.knowledge.space;
        let upper = space.pointer_bits - space.offset_bits;
        let sum = self.terms.add(base, offset);
        let listed = self.listed_address(base);
        if let Some(bases) = listed
            && let Some(offsets) = self.values_of(offset)
        {
            let stays = |base: u128, offset: u128| {
                let sum = super::value::cut(base.wrapping_add(offset), space.pointer_bits) as u64;
                let slot = space.slot(base as u64);
                slot == space.slot(sum) || slot.is_none_or(|s| self.knowledge.object(s).is_none())
            };
            if bases.iter().all(|b| offsets.iter().all(|o| stays(*b, *o))) {
                return sum;
            }
        }
        if self.slots_of(base).is_empty() {
            return sum;
        }
        let slot = self.terms.extract(base, space.offset_bits, upper);
        let reached = self.terms.extract(sum, space.offset_bits, upper);
        let stays = self.terms.eq(slot, reached);
        let low = self.terms.extract(sum, 0, space.offset_bits);
        let within = self.terms.concat(slot, low);
        // What starts at null and stays in its slot needs no case of its own.
        if self.terms.fact(offset).hi >> space.offset_bits == 0 {
            self.restrict_or_cut(state, stays, || Cut::Undefined(Undefined::PointerRange));
            return within;
        }
        let zero = self.terms.constant(0, space.pointer_bits);
        let null = self.terms.eq(base, zero);
        let defined = self.terms.or(stays, null);
        self.restrict_or_cut(state, defined, || Cut::Undefined(Undefined::PointerRange));
        self.terms.ite(null, offset, within)
    }

    /// A read-modify-write; the old value.
    fn update(&mut self, state: &mut State, addr: TermId, op: RmwOp, operand: TermId) -> TermId {
        let bits = self.terms.bits(operand);
        let bytes = u32::from(bits) / 8;
        let align = u64::from(update_align_bytes(self.program.model, (bytes * 8) as u16));
        let reaches = self.reach(state, addr, bytes, align, true);
        let old = self.read_reaches(state, Space::Data, bytes, reaches.clone(), Role::Update);
        let new = rvalue::update(&mut self.terms, op, old, operand);
        let always = self.terms.tru();
        self.write_reaches(
            state,
            Space::Data,
            bytes,
            reaches,
            new,
            always,
            Role::Update,
        );
        old
    }

    /// A compare-and-exchange; the old value.
    fn exchange(
        &mut self,
        state: &mut State,
        addr: TermId,
        expected: TermId,
        desired: TermId,
    ) -> TermId {
        let bytes = u32::from(self.terms.bits(desired)) / 8;
        let align = u64::from(update_align_bytes(self.program.model, (bytes * 8) as u16));
        let reaches = self.reach(state, addr, bytes, align, true);
        let old = self.read_reaches(state, Space::Data, bytes, reaches.clone(), Role::Update);
        let same = self.terms.eq(old, expected);
        self.write_reaches(
            state,
            Space::Data,
            bytes,
            reaches,
            desired,
            same,
            Role::Update,
        );
        old
    }

    /// A call: direct, or through a pointer to one of several functions.
    fn call_instr(
        &mut self,
        mut state: State,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
        loc: crate::base::Loc,
    ) -> Result<Option<State>, Refusal> {
        let call = self.here.position;
        let args: Vec<TermId> = args.iter().map(|a| self.operand(&state, *a)).collect();
        let always = self.terms.tru();
        let candidates: Vec<(FuncId, TermId)> = match callee {
            Callee::Direct(function) => vec![(*function, always)],
            Callee::Indirect(target) => {
                let target = self.operand(&state, *target);
                let candidates = self.functions_at(target);
                let mut known = self.terms.fals();
                for (_, when) in &candidates {
                    known = self.terms.or(known, *when);
                }
                self.restrict_or_cut(&mut state, known, || {
                    Cut::Undefined(Undefined::InvalidAccess)
                });
                candidates
            }
            Callee::Extern(external) => {
                let what = format!("a call of `{}`, which has no body", external.name);
                self.refuse(&mut state, &what);
                vec![]
            }
        };
        let single = candidates.len() == 1;
        let mut result: Option<(State, Option<TermId>)> = None;
        for (function, when) in candidates {
            let mut own = state.clone();
            if !single {
                own.path.restrict(&mut self.terms, when);
            }
            if own.path.is_dead(&self.terms) {
                continue;
            }
            let path = FramePath::enter(call, function.0);
            let Some((mut after, value)) = self.call(own, function, path, &args, Some(loc))? else {
                continue;
            };
            if let (Some(dst), Some(value)) = (dst, value) {
                let bits = self.reg_bits(dst);
                after.regs[dst.index()] = Some(self.terms.fit(value, bits));
            } else if let Some(dst) = dst {
                after.regs[dst.index()] = None;
            }
            result = Some(match result {
                None => (after, value),
                Some((other, _)) => (self.join_states(other, after, |_| true), value),
            });
        }
        Ok(result.map(|(state, _)| state))
    }

    /// Functions that an address may be, and the condition for each.
    fn functions_at(&mut self, target: TermId) -> Vec<(FuncId, TermId)> {
        let mut found = Vec::new();
        for &slot in self.slots_at(target).iter() {
            let Some(ObjectKey::Function(function)) = self.knowledge.object(slot).map(|o| o.key)
            else {
                continue;
            };
            if let Some(here) = self.is_start(target, slot) {
                found.push((function, here));
            }
        }
        if faults::on(Fault::FunctionLost) && found.len() > 1 {
            found.pop();
        }
        found
    }
}
