//! Instructions: what each does to a state.

use super::Refusal;
use super::pass::Pass;
use super::rvalue;
use super::state::State;
use super::touch::{ObjectKey, Space};
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::event::{Cut, EventKind, Role, Store};
use crate::ir::position::FramePath;
use crate::ir::{
    Access, BinOp, Callee, FuncId, Instr, InstrKind, MemOrder, NondetSource, Operand, Reg, RmwOp,
    Rvalue, Undefined, update_align_bytes,
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

    /// Executes an instruction that is no call; `None` if no path goes on.
    pub(super) fn instr(&mut self, mut state: State, instr: &Instr) -> Option<State> {
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
                    if state.undrained || pass.bounds.memory.store(order) == Store::Direct {
                        pass.drain(&state);
                        state.undrained = false;
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
                align_bytes,
                kind,
            } => {
                let size = self.operand(&state, *size_bytes);
                let size = self.number(size);
                let align = self.operand(&state, *align_bytes);
                let value = match self.knowledge.machine.observed {
                    true => self.one_step(|pass| pass.alloc(&mut state, size, align, kind)),
                    false => self.alloc(&mut state, size, align, kind),
                };
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
            InstrKind::SyncUse { addr } => {
                let addr = self.operand(&state, *addr);
                self.one_step(|pass| pass.sync_use(&mut state, addr));
            }
            InstrKind::Copied {
                addr,
                size_bytes,
                fresh,
                ..
            } => {
                let addr = self.operand(&state, *addr);
                let size = self.operand(&state, *size_bytes);
                self.one_step(|pass| pass.copied(&mut state, addr, size, *fresh));
            }
            InstrKind::AtomicBegin { drains } => self.begin_section(&mut state, *drains),
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
                    return None;
                }
            }
            InstrKind::Defined { cond, why } => {
                let cond = self.operand(&state, *cond);
                let why = *why;
                if why == Undefined::FloatRange && faults::on(Fault::RangeUnchecked) {
                    return Some(state);
                }
                self.restrict_or_cut(&mut state, cond, || Cut::Undefined(why));
            }
            InstrKind::Unsupported { reason } => self.refuse(&mut state, reason),
            InstrKind::Call { .. } => unreachable!("executed by `call_instr`"),
        }
        Some(state)
    }

    fn rvalue(&mut self, state: &mut State, value: &Rvalue, bits: u16) -> TermId {
        if let Rvalue::Offset { base, offset_bytes } = value {
            let base = self.operand(state, *base);
            let step = self.operand(state, *offset_bytes);
            let step = match offset_bytes {
                Operand::Const { .. } => step,
                _ => self.number(step),
            };
            return self.offset(state, base, step);
        }
        let operands = value.operands().into_iter();
        let literal = |operand: &Operand| matches!(operand, Operand::Const { .. });
        let literals: Vec<bool> = operands.clone().map(|a| literal(&a)).collect();
        let operands: Vec<TermId> = operands.map(|a| self.operand(state, a)).collect();
        self.accessed = state.accessed.clone();
        match value {
            Rvalue::FromInteger(_) if self.is_marked(operands[0]) => {
                self.one_step(|pass| pass.pointer_of(state, operands[0]))
            }
            _ => self.compute(value, bits, &operands, &literals),
        }
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
        if self.is_numeric(base) {
            let internal = self.is_internal(base);
            let number = self.terms.not(internal);
            let defined = self.terms.or(stays, number);
            self.restrict_or_cut(state, defined, || Cut::Undefined(Undefined::PointerRange));
            return self.terms.ite(internal, within, sum);
        }
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
        let new = self.updated(op, old, operand);
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

    /// Stored value of a read-modify-write.
    fn updated(&mut self, op: RmwOp, old: TermId, operand: TermId) -> TermId {
        if !self.is_marked(old) && !self.is_marked(operand) {
            return rvalue::update(&mut self.terms, op, old, operand);
        }
        match op {
            RmwOp::Exchange => operand,
            RmwOp::Add => self.operate(BinOp::Add, old, operand),
            RmwOp::Sub => self.operate(BinOp::Sub, old, operand),
            RmwOp::And => self.operate(BinOp::And, old, operand),
            RmwOp::Or => self.operate(BinOp::Or, old, operand),
            RmwOp::Xor => self.operate(BinOp::Xor, old, operand),
            RmwOp::Nand | RmwOp::UMin | RmwOp::UMax | RmwOp::SMin | RmwOp::SMax => {
                let (old, operand) = (self.number(old), self.number(operand));
                rvalue::update(&mut self.terms, op, old, operand)
            }
        }
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
        self.accessed = state.accessed.clone();
        let same = self.equal(old, expected);
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

    /// A call: direct, or through a pointer to one of several functions. The states behind it, one for each section that
    /// paths are in.
    pub(super) fn call_instr(
        &mut self,
        mut state: State,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
        loc: crate::base::Loc,
    ) -> Result<Vec<State>, Refusal> {
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
        let mut result = Vec::new();
        for (function, when) in candidates {
            let mut own = state.clone();
            if !single {
                own.path.restrict(&mut self.terms, when);
            }
            if own.path.is_dead(&self.terms) {
                continue;
            }
            if !self.program.functions[function].fits(args.len(), dst.is_some()) {
                let never = self.terms.fals();
                self.restrict_or_cut(&mut own, never, || Cut::Undefined(Undefined::Call));
                continue;
            }
            let path = FramePath::enter(call, function.0);
            for (mut after, value) in self.call(own, function, path, &args, Some(loc))? {
                if let Some(dst) = dst {
                    let bits = self.reg_bits(dst);
                    after.regs[dst.index()] = value.map(|value| self.terms.fit(value, bits));
                }
                self.gather(&mut result, after, |_| true);
            }
        }
        Ok(result)
    }

    /// Functions that an address may be, and the condition for each.
    fn functions_at(&mut self, target: TermId) -> Vec<(FuncId, TermId)> {
        let mut found = Vec::new();
        for (slot, here) in self.starts(target) {
            if let Some(ObjectKey::Function(function)) = self.knowledge.object(slot).map(|o| o.key)
            {
                found.push((function, here));
            }
        }
        if faults::on(Fault::FunctionLost) && found.len() > 1 {
            found.pop();
        }
        found
    }
}
