//! Instructions: what each does to a state.

use super::address::{Objects, carries};
use super::explore::Explorer;
use super::knowledge::Creation;
use super::memory::Place;
use super::object::{Object, What, cells, cut_at};
use super::state::{Frame, State};
use super::{Key, Outcome};
use crate::base::Loc;
use crate::base::faults::{self, Fault};
use crate::base::id::Id;
use crate::ir::address::Slot;
use crate::ir::position::{FramePath, position};
use crate::ir::{
    AllocKind, Callee, EBUSY, FuncId, Instr, InstrKind, Operand, Reg, Rvalue, Undefined,
    update_align_bytes,
};
use crate::symex::rvalue;
use crate::term::TermId;
use std::collections::BTreeSet;

/// Threads that sets of threads have room for.
const THREADS: usize = 62;
/// Bytes of the largest object of the heap; no address space has less room for one.
const LARGEST: u64 = 65_535;

impl Explorer<'_> {
    /// The value of an operand in the innermost activation.
    pub fn operand(&mut self, state: &State, operand: Operand) -> TermId {
        let pointer_bits = self.program.model.pointer_bits();
        match operand {
            Operand::Reg(reg) => {
                let frame = state.top();
                let bits = self.program.functions[frame.function].regs[reg].bits;
                // The interpreter's registers are zero before they are set.
                frame.regs[reg.index()].unwrap_or_else(|| self.terms.constant(0, bits))
            }
            Operand::Const { value, bits } => self.terms.constant(value, bits),
            Operand::GlobalAddr(id, offset) => {
                let slot = self.knowledge.global_slot(self.program, id, self.thread);
                let base = self.knowledge.space.base(slot);
                let address = u128::from(base.wrapping_add_signed(offset));
                self.terms.constant(address, pointer_bits)
            }
            Operand::FuncAddr(id) => {
                let slot = self.knowledge.function_slot(id);
                let base = self.knowledge.space.base(slot);
                self.terms.constant(u128::from(base), pointer_bits)
            }
        }
    }

    fn bits(&self, state: &State, reg: Reg) -> u16 {
        self.program.functions[state.top().function].regs[reg].bits
    }

    /// Executes an instruction; `None` if no path goes on within the edge.
    pub fn instr(&mut self, mut state: State, instr: &Instr) -> Option<State> {
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let bits = self.bits(&state, *dst);
                let (value, objects) = self.rvalue(&mut state, value, bits)?;
                self.put(&mut state, *dst, value, &objects);
            }
            InstrKind::Load { dst, addr, access } => {
                let addr = self.operand(&state, *addr);
                let bits = self.bits(&state, *dst);
                let align = u64::from(access.align_bytes);
                let places =
                    self.reach(&mut state, addr, u32::from(bits) / 8, align, (true, false))?;
                let (value, objects) = self.load(&state, &places, u32::from(bits) / 8)?;
                self.put(&mut state, *dst, value, &objects);
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                let addr = self.operand(&state, *addr);
                let objects = self.holds(&state, *value);
                let value = self.operand(&state, *value);
                let bytes = u32::from(self.terms.bits(value)) / 8;
                let align = u64::from(access.align_bytes);
                let places = self.reach(&mut state, addr, bytes, align, (false, true))?;
                let always = self.terms.tru();
                self.write(&mut state, &places, (value, &objects), always)?;
            }
            InstrKind::Rmw {
                dst,
                addr,
                op,
                operand,
                ..
            } => {
                let addr = self.operand(&state, *addr);
                let held = self.holds(&state, *operand);
                let operand = self.operand(&state, *operand);
                let bits = self.bits(&state, *dst);
                let align = u64::from(update_align_bytes(self.program.model, bits));
                let places =
                    self.reach(&mut state, addr, u32::from(bits) / 8, align, (true, true))?;
                let (old, before) = self.load(&state, &places, u32::from(bits) / 8)?;
                let new = rvalue::update(&mut self.terms, *op, old, operand);
                let after = self.updated(*op, [old, operand], [&before, &held], new);
                let after = self.accept(&state, after)?;
                let always = self.terms.tru();
                self.write(&mut state, &places, (new, &after), always)?;
                self.put(&mut state, *dst, old, &before);
            }
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                ..
            } => {
                let addr = self.operand(&state, *addr);
                let compared = self.holds(&state, *expected);
                let expected = self.operand(&state, *expected);
                let after = self.holds(&state, *desired);
                let desired = self.operand(&state, *desired);
                let bits = self.bits(&state, *dst);
                let align = u64::from(update_align_bytes(self.program.model, bits));
                let places =
                    self.reach(&mut state, addr, u32::from(bits) / 8, align, (true, true))?;
                let (old, before) = self.load(&state, &places, u32::from(bits) / 8)?;
                let equal = self.equal([old, expected], [&before, &compared]);
                self.accept(&state, equal)?;
                let same = self.terms.eq(old, expected);
                self.write(&mut state, &places, (desired, &after), same)?;
                self.put(&mut state, *dst, old, &before);
            }
            InstrKind::Fence { .. } => {}
            InstrKind::Call { dst, callee, args } => return self.call(state, *dst, callee, args),
            InstrKind::Nondet { dst, .. } => {
                let bits = self.bits(&state, *dst);
                let value = self.input(&state, bits, None);
                self.put(&mut state, *dst, value, &Objects::new());
            }
            InstrKind::Alloc {
                dst,
                size_bytes,
                align_bytes,
                kind,
            } => {
                let size = self.operand(&state, *size_bytes);
                let align = self.operand(&state, *align_bytes);
                let (address, slot) = self.alloc(&mut state, size, align, kind)?;
                self.put(&mut state, *dst, address, &Objects::from([slot]));
            }
            InstrKind::EndLife { addr } => {
                let addr = self.operand(&state, *addr);
                self.end_life(&mut state, addr)?;
            }
            InstrKind::Free { addr } => {
                let addr = self.operand(&state, *addr);
                self.free(&mut state, addr)?;
            }
            InstrKind::Block { .. } => {
                self.unsupported(&state, "an operation on a large block of memory");
                return None;
            }
            InstrKind::ObjectSize { .. } => {
                self.unsupported(&state, "the size of allocated memory");
                return None;
            }
            InstrKind::Spawn { dst, start, arg } => {
                let held = self.holds(&state, *arg);
                let (start, arg) = (self.operand(&state, *start), self.operand(&state, *arg));
                let bits = self.bits(&state, *dst);
                let id = self.spawn(&mut state, start, (arg, &held), bits, instr.loc)?;
                self.put(&mut state, *dst, id, &Objects::new());
            }
            InstrKind::Join { dst, thread } => {
                if !state.fresh && state.section == 0 {
                    self.arrive(state);
                    return None;
                }
                if state.section > 0 {
                    self.unsupported(&state, "a join in an atomic section");
                    return None;
                }
                let thread = self.operand(&state, *thread);
                let function = state.top().function;
                let wanted = self.facts.functions[function].used.contains(*dst);
                let (value, objects) = self.join_thread(&mut state, thread, wanted);
                let bits = self.bits(&state, *dst);
                let objects = self.fitted(&state, objects, bits)?;
                let value = self.terms.fit(value, bits);
                self.put(&mut state, *dst, value, &objects);
            }
            InstrKind::ThreadSelf { dst } => {
                let bits = self.bits(&state, *dst);
                let id = self.terms.constant(u128::from(self.thread), bits);
                self.put(&mut state, *dst, id, &Objects::new());
            }
            InstrKind::Lock { addr } => {
                let addr = self.operand(&state, *addr);
                let places = self.mutexes(&mut state, addr)?;
                let held = self.held(&state, &places);
                let free = self.terms.not(held);
                if !faults::on(Fault::CutLockPasses) {
                    self.block_unless(&mut state, free);
                }
                let tru = self.terms.tru();
                self.set_mutexes(&mut state, &places, tru, tru);
            }
            InstrKind::TryLock { dst, addr } => {
                let addr = self.operand(&state, *addr);
                let places = self.mutexes(&mut state, addr)?;
                let held = self.held(&state, &places);
                let tru = self.terms.tru();
                self.set_mutexes(&mut state, &places, tru, tru);
                let bits = self.bits(&state, *dst);
                let (busy, taken) = (
                    self.terms.constant(EBUSY, bits),
                    self.terms.constant(0, bits),
                );
                let value = self.terms.ite(held, busy, taken);
                self.put(&mut state, *dst, value, &Objects::new());
            }
            InstrKind::Unlock { addr } | InstrKind::MutexInit { addr } => {
                let addr = self.operand(&state, *addr);
                let places = self.mutexes(&mut state, addr)?;
                let (tru, fals) = (self.terms.tru(), self.terms.fals());
                self.set_mutexes(&mut state, &places, fals, tru);
            }
            InstrKind::SyncUse { addr } => {
                let addr = self.operand(&state, *addr);
                self.note_copies(&state, addr, false)?;
            }
            InstrKind::Copied { addr, fresh, .. } => {
                if !fresh {
                    let addr = self.operand(&state, *addr);
                    self.note_copies(&state, addr, true)?;
                }
            }
            InstrKind::AtomicBegin { .. } => {
                if !state.fresh && state.section == 0 {
                    self.arrive(state);
                    return None;
                }
                if !faults::on(Fault::CutSection) {
                    state.section += 1;
                }
            }
            InstrKind::AtomicEnd => state.section = state.section.saturating_sub(1),
            InstrKind::Assume { cond } => {
                let cond = self.operand(&state, *cond);
                self.block_unless(&mut state, cond);
            }
            InstrKind::Assert { cond, property } => {
                let cond = self.operand(&state, *cond);
                let mut violated = state.clone();
                let not = self.terms.not(cond);
                violated.path.restrict(&mut self.terms, not);
                let outcome = Outcome::Violation {
                    property: *property,
                    loc: instr.loc,
                };
                self.edge(violated, outcome);
                state.path.restrict(&mut self.terms, cond);
            }
            InstrKind::Defined { cond, why } => {
                let cond = self.operand(&state, *cond);
                self.undefined_unless(&mut state, cond, *why);
            }
            InstrKind::Unsupported { reason } => {
                self.unsupported(&state, reason);
                return None;
            }
        }
        state.tick(&mut self.terms);
        state.frame().index += 1;
        Some(state)
    }

    /// The value of a right-hand side, and what it holds.
    fn rvalue(
        &mut self,
        state: &mut State,
        value: &Rvalue,
        bits: u16,
    ) -> Option<(TermId, Objects)> {
        let operands = value.operands().into_iter();
        let operands: Vec<TermId> = operands.map(|a| self.operand(state, a)).collect();
        let result = match value {
            Rvalue::Offset { .. } => self.offset(state, operands[0], operands[1])?,
            _ => rvalue::rvalue(&mut self.terms, value, bits, &operands),
        };
        let objects = self.result(state, value, &operands, result);
        Some((result, self.accept(state, objects)?))
    }

    /// Value that is read from places, and its objects; `None`, and the edge ends, if an address would be cut.
    fn load(&mut self, state: &State, places: &[Place], bytes: u32) -> Option<(TermId, Objects)> {
        let value = self.read(state, places, bytes);
        let objects = self.loaded(state, places, bytes, value)?;
        Some((value, objects))
    }

    /// Goes on unless something is refused: an edge ends there.
    pub fn accept<T>(&mut self, state: &State, found: Result<T, &str>) -> Option<T> {
        found.map_err(|why| self.unsupported(state, why)).ok()
    }

    /// Something that is not modelled: an edge ends here.
    pub fn unsupported(&mut self, state: &State, what: &str) {
        let outcome = Outcome::Unsupported {
            what: what.to_string(),
            loc: self.loc(state),
        };
        self.note_changes(state);
        self.edge(state.clone(), outcome);
    }

    /// Source location of the next instruction, or of the call that leads there.
    fn loc(&self, state: &State) -> Loc {
        let places = state.frames.iter().rev().map(|frame| {
            let block = &self.program.functions[frame.function].blocks[frame.block];
            block
                .instrs
                .get(frame.index)
                .map_or(block.end_loc, |instr| instr.loc)
        });
        places
            .into_iter()
            .find(|loc| *loc != Loc::NONE)
            .unwrap_or(Loc::NONE)
    }

    /// Goes on where the condition holds; the rest is undefined.
    pub fn undefined_unless(&mut self, state: &mut State, cond: TermId, why: Undefined) {
        let mut cut = state.clone();
        let not = self.terms.not(cond);
        cut.path.restrict(&mut self.terms, not);
        if !cut.path.is_dead(&self.terms) {
            let loc = self.loc(&cut);
            self.note_changes(&cut);
            self.edge(cut, Outcome::Undefined { why, loc });
        }
        state.path.restrict(&mut self.terms, cond);
    }

    /// Goes on where the condition holds; elsewhere the thread stands still for ever.
    pub fn block_unless(&mut self, state: &mut State, cond: TermId) {
        let mut stuck = state.clone();
        let not = self.terms.not(cond);
        stuck.path.restrict(&mut self.terms, not);
        self.stopped(stuck);
        state.path.restrict(&mut self.terms, cond);
    }

    /// Writes of an edge that ends in something undefined or not modelled: noted, because others may see them.
    fn note_changes(&mut self, state: &State) {
        for (key, term) in &state.changed {
            let (fact, bits) = (self.terms.fact(*term), self.terms.bits(*term));
            self.knowledge.note_value(key, &fact, bits);
            self.note_free(key, *term);
        }
    }

    fn call(
        &mut self,
        mut state: State,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
    ) -> Option<State> {
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(target) => {
                let target = self.operand(&state, *target);
                match self.function(target) {
                    Some(function) => function,
                    None => {
                        self.unsupported(&state, "a call through a pointer that is not known");
                        return None;
                    }
                }
            }
            Callee::Extern(call) => {
                let what = format!("a call of `{}`, which has no body", call.name);
                self.unsupported(&state, &what);
                return None;
            }
        };
        let code = &self.program.functions[function];
        if state.frames.iter().any(|frame| frame.function == function) {
            self.unsupported(&state, &format!("recursion of `{}`", code.name));
            return None;
        }
        if !code.fits(args.len(), dst.is_some()) {
            let never = self.terms.fals();
            self.undefined_unless(&mut state, never, Undefined::Call);
            return None;
        }
        let mut regs = vec![None; code.regs.len()];
        let mut held = Vec::new();
        for (param, arg) in code.params.iter().zip(args) {
            let objects = self.holds(&state, *arg);
            let value = self.operand(&state, *arg);
            let bits = code.regs[*param].bits;
            let objects = self.fitted(&state, objects, bits)?;
            let value = self.terms.fit(value, bits);
            regs[param.index()] = Some(value);
            held.push((*param, objects));
        }
        let caller = state.top();
        let call = position(caller.path, caller.block, caller.index, &caller.iterations);
        let (caller, at) = (caller.chain, state.stack());
        let chain = self.knowledge.chain(caller, at);
        for (param, objects) in held {
            let key = self.register(chain, param);
            self.knowledge.note_addresses(&key, &objects);
        }
        state.tick(&mut self.terms);
        let loops = &self.facts.functions[function].loops;
        state.frames.push(Frame {
            function,
            chain,
            path: FramePath::enter(call, function.0),
            block: code.entry,
            index: 0,
            iterations: vec![0; loops.nest[code.entry].len()],
            regs,
        });
        Some(state)
    }

    /// The function at an address, if it is known.
    fn function(&self, target: TermId) -> Option<FuncId> {
        let address = u64::try_from(self.terms.as_constant(target)?).ok()?;
        let slot = self.knowledge.space.slot(address)?;
        match self.knowledge.object(slot)?.what {
            What::Function(function) if self.knowledge.space.base(slot) == address => {
                Some(function)
            }
            _ => None,
        }
    }

    fn alloc(
        &mut self,
        state: &mut State,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<(TermId, Slot)> {
        let is_heap = !matches!(kind, AllocKind::Stack { .. });
        let size = self.terms.as_constant(size);
        let Some(size) = size.and_then(|size| u64::try_from(size).ok()) else {
            self.unsupported(
                state,
                match is_heap {
                    true => "allocated memory whose size is not known",
                    false => "an array of variable length",
                },
            );
            return None;
        };
        if is_heap && size > LARGEST {
            let what = format!("allocated memory of more than {LARGEST} bytes");
            self.unsupported(state, &what);
            return None;
        }
        let (thread, chain, at) = (self.thread, state.top().chain, state.stack());
        let mut loops = Vec::new();
        if !self.unrolls() {
            for (function, block, _, _) in &at {
                let nest = &self.facts.functions[*function].loops.nest[*block];
                loops.extend(nest.iter().map(|head| (*function, *head)));
            }
        }
        let (what, cells) = match kind {
            AllocKind::Stack { ty, .. } => (
                What::Stack { thread, chain, at },
                cells(self.program, *ty, size),
            ),
            AllocKind::Heap | AllocKind::HeapZeroed | AllocKind::Realloc(_) => (
                What::Heap { thread, chain, at },
                cut_at(&BTreeSet::new(), size),
            ),
        };
        let align_bytes = self.terms.as_constant(align).unwrap_or(1) as u64;
        let slot = self.knowledge.slot(&what.clone(), || Object {
            what,
            size_bytes: size,
            read_only: false,
            align_bytes,
            cells,
            loops: Vec::new(),
        });
        self.knowledge.allocate(slot, align_bytes, loops);
        let cells = match self.knowledge.object(slot) {
            Some(object) if object.size_bytes == size => object.cells.clone(),
            _ => {
                self.unsupported(state, "allocated memory whose size is not known");
                return None;
            }
        };
        let zeroed = match kind {
            AllocKind::Stack { zeroed, .. } => *zeroed,
            AllocKind::Heap | AllocKind::Realloc(_) => false,
            AllocKind::HeapZeroed => true,
        };
        for (offset, bytes) in cells {
            let value = match zeroed {
                true => self.terms.constant(0, (bytes * 8) as u16),
                false => self.input(state, (bytes * 8) as u16, Some(offset)),
            };
            let key = Key::Cell {
                slot,
                offset,
                bytes,
            };
            self.set(state, key, value);
        }
        let tru = self.terms.tru();
        self.set(state, Key::Live(slot), tru);
        let base = u128::from(self.knowledge.space.base(slot));
        let base = self.terms.constant(base, self.knowledge.space.pointer_bits);
        Some((base, slot))
    }

    fn end_life(&mut self, state: &mut State, addr: TermId) -> Option<()> {
        let space = self.knowledge.space;
        let address = self.terms.as_constant(addr);
        let slot = address.and_then(|a| space.slot(u64::try_from(a).ok()?));
        let Some(slot) = slot else {
            self.unsupported(state, "the end of a variable that is not known");
            return None;
        };
        if matches!(
            self.knowledge.object(slot).map(|o| &o.what),
            Some(What::Stack { .. })
        ) {
            let at = state.stack();
            self.knowledge.note_end(slot, self.thread, at);
            let fals = self.terms.fals();
            self.set(state, Key::Live(slot), fals);
            let mutexes = self.knowledge.mutexes_in(slot);
            for key in mutexes {
                self.set(state, key, fals);
            }
            state.wrote = true;
        }
        Some(())
    }

    fn spawn(
        &mut self,
        state: &mut State,
        start: TermId,
        (arg, held): (TermId, &Objects),
        bits: u16,
        loc: Loc,
    ) -> Option<TermId> {
        let position = self.position(state);
        let why = match (self.thread, state.section, position) {
            (0, 0, Some(_)) if self.leaks(arg, held) => {
                "a thread gets the address of a variable in a loop"
            }
            (0, 0, Some(_)) => "",
            (0, 0, None) => "creation of threads in a loop that is not known to end",
            (0, ..) => "creation of a thread in an atomic section",
            _ => "creation of threads by others than main",
        };
        let (Some(position), "") = (position, why) else {
            self.unsupported(state, why);
            return None;
        };
        let Some(function) = self.function(start) else {
            self.unsupported(state, "a start routine that is not known");
            return None;
        };
        if !self.program.functions[function].fits(1, false) {
            let never = self.terms.fals();
            self.undefined_unless(state, never, Undefined::Call);
            return None;
        }
        let at = state.stack();
        let known = self
            .knowledge
            .creations
            .iter()
            .position(|known| known.at == at);
        // Whether main comes further may depend on what this thread does: the next pass knows.
        if known.is_none() && std::mem::replace(&mut self.surprised, true) {
            self.knowledge.note_change();
            return None;
        }
        let index = known.unwrap_or_else(|| {
            self.knowledge.creations.push(Creation {
                at,
                position,
                loc,
                function,
            });
            self.knowledge.note_change();
            self.knowledge.creations.len() - 1
        });
        if index >= THREADS || self.knowledge.creations[index].function != function {
            self.unsupported(state, "more threads than can be told apart");
            return None;
        }
        let child = index as u32 + 1;
        let code = &self.program.functions[function];
        if let Some(param) = code.params.first() {
            let key = Key::Register {
                thread: child,
                chain: 0,
                reg: *param,
            };
            let width = code.regs[*param].bits;
            let objects = self.fitted(state, held.clone(), width)?;
            self.knowledge.note_addresses(&key, &objects);
            let value = self.terms.fit(arg, width);
            self.note_free(&key, value);
            let fact = self.terms.fact(value);
            self.knowledge.note_value(&key, &fact, width);
            state.changed.insert(key, value);
        }
        let tru = self.terms.tru();
        self.set(state, Key::Started(child), tru);
        if state.beside != u64::MAX {
            state.beside |= 1 << child;
        }
        state.wrote = true;
        Some(self.terms.constant(u128::from(child), bits))
    }

    /// Waits for the end of a thread; its result, and what that holds.
    fn join_thread(
        &mut self,
        state: &mut State,
        thread: TermId,
        wanted: bool,
    ) -> (TermId, Objects) {
        let mut objects = Objects::new();
        let bits = self.terms.bits(thread);
        let mut done = self.terms.fals();
        let mut value = self.terms.constant(0, self.program.model.pointer_bits());
        for id in 0..=self.knowledge.creations.len() as u32 {
            let number = self.terms.constant(u128::from(id), bits);
            let this = self.terms.eq(thread, number);
            if self.terms.as_constant(this) == Some(0) {
                continue;
            }
            let ended = match faults::on(Fault::CutJoinPasses) {
                true => self.terms.tru(),
                false => self.value(&Key::Ended(id)),
            };
            let both = self.terms.and(this, ended);
            done = self.terms.or(done, both);
            if wanted {
                let result = self.value(&Key::Result(id));
                value = self.terms.ite(this, result, value);
                objects.extend(self.knowledge.addresses(&Key::Result(id)));
            }
        }
        self.block_unless(state, done);
        match carries(&objects) {
            true => (value, self.among(objects, value)),
            false => (value, self.number(value)),
        }
    }
}
