//! Automata as a domain of execution: memory is a set of variables, values carry the objects that they may point to, calls
//! are frames. An instruction that conflicts with other threads ends the edge before it.

use super::automaton::Outcome;
use super::carry::{NUMBER, Objects, Word, carries};
use super::explore::Explorer;
use super::memory::Places;
use super::state::{EdgeState, Frame};
use crate::analysis::Facts;
use crate::base::Loc;
use crate::base::id::Id;
use crate::exec::{self, Call, Domain, MutexUse, Path, Purpose, operand, rvalue};
use crate::ir::position::{FramePath, position};
use crate::ir::{
    AllocKind, BlockId, BlockSource, FuncId, GlobalId, LockHolders, MemOrder, NondetSource, Note,
    Operand, PointerCheck, Program, Property, Reg, RmwOp, Rvalue, Undefined,
};
use crate::term::{TermId, Terms};
use crate::transition::faults::{self, Fault};
use std::convert::Infallible;

impl Domain for Explorer<'_> {
    type State = EdgeState;
    type Value = Word;
    type Places = Places;
    /// Exploration ends between instructions alone.
    type Stop = Infallible;

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn facts(&self) -> &Facts {
        self.facts
    }

    fn function(&self, state: &EdgeState) -> FuncId {
        state.top().function
    }

    fn path(state: &mut EdgeState) -> &mut Path {
        &mut state.path
    }

    /// Memory is sequentially consistent.
    fn note_order(&mut self, order: Option<MemOrder>) {
        self.is_atomic = order.is_some();
    }

    /// An edge is one step.
    fn one_step<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        run(self)
    }

    fn advance(&mut self, state: &mut EdgeState) {
        state.tick(&mut self.terms);
        state.frame().index += 1;
    }

    fn register(&self, state: &EdgeState, reg: Reg) -> Option<TermId> {
        state.top().regs[reg.index()]
    }

    /// The interpreter's registers are zero before they are set.
    fn unset(&mut self, bits: u16) -> TermId {
        self.terms.constant(0, bits)
    }

    fn global(&mut self, id: GlobalId) -> u64 {
        let slot = self.knowledge.global_slot(self.program, id, self.thread);
        self.knowledge.space.base(slot)
    }

    fn code(&mut self, id: FuncId) -> u64 {
        let slot = self.knowledge.function_slot(id);
        self.knowledge.space.base(slot)
    }

    fn value(&mut self, state: &EdgeState, operand: Operand) -> Word {
        let term = exec::operand(self, state, operand);
        let objects = self.holds(state, operand, term);
        Word { term, objects }
    }

    fn term(value: &Word) -> TermId {
        value.term
    }

    fn set(&mut self, state: &mut EdgeState, dst: Reg, value: Word) {
        let key = self.register_of(state, dst);
        self.knowledge.note_addresses(&key, &value.objects);
        state.frame().regs[dst.index()] = Some(value.term);
    }

    fn fit(&mut self, state: &EdgeState, value: Word, bits: u16) -> Option<Word> {
        let objects = self.fitted(state, value.objects, bits)?;
        let term = if self.terms.bits(value.term) == bits {
            value.term
        } else {
            self.near_only(state, value.term)?
        };
        let term = self.terms.fit(term, bits);
        Some(Word { term, objects })
    }

    fn compute(
        &mut self,
        state: &mut EdgeState,
        value: &Rvalue,
        (operands, terms): (&[Operand], &[TermId]),
        bits: u16,
    ) -> Option<Word> {
        let copies = matches!(value, Rvalue::Use(_) | Rvalue::Select { .. });
        let terms = if copies {
            terms.to_vec()
        } else {
            self.settle_all(state, terms)?
        };
        let term = rvalue::rvalue(&mut self.terms, value, bits, &terms);
        let held = self.all_held(state, operands, &terms);
        let objects = self.result(value, &terms, &held, term);
        let objects = self.accept(state, objects)?;
        Some(Word { term, objects })
    }

    fn offset(
        &mut self,
        state: &mut EdgeState,
        operands: [Operand; 2],
        terms: [TermId; 2],
    ) -> Option<Word> {
        let distance = self.settle(state, terms[1])?;
        let (term, inside) = Explorer::offset(self, state, operands[0], terms[0], distance)?;
        let (base, near) = (self.near(terms[0]), self.near(term));
        let terms = [base, distance];
        let held = self.all_held(state, &operands, &terms);
        let objects = self.displaced(terms, &held, near);
        let mut objects = self.accept(state, objects)?;
        if inside && carries(&held[0]) && !held[0].contains(&NUMBER) {
            objects.remove(&NUMBER);
        }
        Some(Word { term, objects })
    }

    fn input(&mut self, state: &EdgeState, _: NondetSource, bits: u16) -> TermId {
        Explorer::input(self, state, bits, None)
    }

    fn reach(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        bytes: u32,
        align_bytes: u8,
        purpose: Purpose,
    ) -> Option<Places> {
        Explorer::reach(self, state, addr, bytes, u64::from(align_bytes), purpose)
    }

    fn read(
        &mut self,
        state: &mut EdgeState,
        places: &Places,
        bytes: u32,
        _: Purpose,
    ) -> Option<Word> {
        let term = Explorer::read(self, state, places, bytes);
        let objects = self.loaded(state, places, bytes, term)?;
        Some(Word { term, objects })
    }

    fn write(
        &mut self,
        state: &mut EdgeState,
        places: Places,
        value: &Word,
        when: TermId,
        _: Purpose,
    ) -> Option<()> {
        Explorer::write(self, state, &places, (value.term, &value.objects), when)
    }

    fn updated(
        &mut self,
        state: &mut EdgeState,
        op: RmwOp,
        old: &Word,
        operand: &Word,
    ) -> Option<Word> {
        let terms = [
            self.near_only(state, old.term)?,
            self.near_only(state, operand.term)?,
        ];
        let term = rvalue::update(&mut self.terms, op, terms[0], terms[1]);
        let objects = Explorer::updated(self, op, terms, [&old.objects, &operand.objects], term);
        let objects = self.accept(state, objects)?;
        Some(Word { term, objects })
    }

    fn is_expected(
        &mut self,
        state: &mut EdgeState,
        old: &Word,
        expected: &Word,
    ) -> Option<TermId> {
        let terms = [
            self.near_only(state, old.term)?,
            self.near_only(state, expected.term)?,
        ];
        let equal = self.equal(terms, [&old.objects, &expected.objects]);
        self.accept(state, equal)?;
        Some(self.terms.eq(terms[0], terms[1]))
    }

    fn alloc(
        &mut self,
        state: &mut EdgeState,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<Word> {
        let (term, slot) = Explorer::alloc(self, state, size, align, kind)?;
        let objects = Objects::from([slot]);
        Some(Word { term, objects })
    }

    fn end_life(&mut self, state: &mut EdgeState, addr: TermId) -> Option<()> {
        Explorer::end_life(self, state, addr)
    }

    fn free(&mut self, state: &mut EdgeState, addr: TermId) -> Option<()> {
        if !self.attempt_free(state, addr) {
            return None;
        }
        let addr = self.settle(state, addr)?;
        Explorer::free(self, state, addr)
    }

    fn object_size(&mut self, state: &mut EdgeState, addr: TermId) -> Option<TermId> {
        let addr = self.settle(state, addr)?;
        self.heap_size(state, addr)
    }

    fn block(
        &mut self,
        state: &mut EdgeState,
        to: TermId,
        source: (BlockSource, TermId),
        size: TermId,
        _: u8,
    ) -> Option<()> {
        if !self.attempt_block(state, to, source, size) {
            return None;
        }
        let size = self.settle(state, size)?;
        self.move_block(state, to, source, size)
    }

    fn attempt(&mut self, state: &mut EdgeState, addr: Operand, bytes: u32) -> Option<()> {
        // Where nobody asks for races, no term is made.
        if self.sites.is_none() {
            return Some(());
        }
        let addr = operand(self, state, addr);
        let goes_on = self.attempt_bytes(state, addr, bytes, (true, false));
        goes_on.then_some(())
    }

    fn spawn(
        &mut self,
        state: &mut EdgeState,
        start: TermId,
        arg: &Word,
        bits: u16,
        loc: Loc,
    ) -> Option<TermId> {
        let term = self.settle(state, arg.term)?;
        let objects = arg.objects.clone();
        Explorer::spawn(self, state, start, &Word { term, objects }, bits, loc)
    }

    fn join(&mut self, state: &mut EdgeState, thread: TermId, wanted: bool) -> Option<Word> {
        if self.ends_before(state) {
            return None;
        }
        if state.section > 0 {
            Explorer::unsupported(self, state, "a join in an atomic section");
            return None;
        }
        let (term, objects) = self.join_thread(state, thread, wanted);
        Some(Word { term, objects })
    }

    fn thread(&mut self, state: &mut EdgeState) -> Option<u32> {
        if self.knowledge.is_many(self.thread) {
            Explorer::unsupported(
                self,
                state,
                "the handle of a thread of which there may be any number",
            );
            return None;
        }
        Some(self.thread)
    }

    fn mutex(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        operation: MutexUse,
    ) -> Option<Places> {
        self.mutexes(state, addr, operation == MutexUse::Lock)
    }

    fn wait_for_mutex(&mut self, state: &mut EdgeState, mutex: &Places, free: TermId) {
        if !self.program.deadlocks {
            return self.block_unless(state, free);
        }
        self.wait_for_owner(state, mutex, free);
    }

    fn is_free(&mut self, state: &mut EdgeState, mutex: &Places, operation: MutexUse) -> TermId {
        if operation == MutexUse::Lock && faults::on(Fault::CutLockPasses) {
            return self.terms.tru();
        }
        let held = self.held(state, mutex);
        self.terms.not(held)
    }

    fn set_mutex(
        &mut self,
        state: &mut EdgeState,
        mutex: Places,
        operation: MutexUse,
        when: TermId,
    ) {
        let held = matches!(operation, MutexUse::Lock | MutexUse::TryLock);
        self.set_mutexes(state, &mutex, held, when);
    }

    fn needs_value(&mut self, state: &mut EdgeState, places: &Places, _: u32) -> Option<()> {
        let targets = places.targets.iter().map(|target| target.slot);
        let mut slots = targets.chain(places.spans.iter().map(|span| span.slot));
        let is_allocated = |slot| {
            self.knowledge
                .object(slot)
                .is_some_and(|object| object.what.is_allocated())
        };
        if slots.any(is_allocated) {
            let what = "a read of memory that may have no value";
            Explorer::unsupported(self, state, what);
            return None;
        }
        Some(())
    }

    fn pointers(
        &mut self,
        state: &mut EdgeState,
        check: PointerCheck,
        terms: &[TermId],
    ) -> Option<()> {
        self.relate(state, check, terms)
    }

    fn expose(&mut self, _: &mut EdgeState, _: TermId) -> Option<()> {
        // Edges with numbers as addresses are refused.
        Some(())
    }

    fn sync_use(&mut self, state: &mut EdgeState, addr: TermId) -> Option<()> {
        self.note_copies(state, addr, false)
    }

    fn note(&mut self, state: &mut EdgeState, addr: TermId, what: Note) -> Option<TermId> {
        let places = self.note_places(state, addr, what, false)?;
        Some(self.noted(state, &places, what))
    }

    fn set_note(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        what: Note,
        value: TermId,
    ) -> Option<()> {
        let places = self.note_places(state, addr, what, true)?;
        self.set_notes(state, &places, what, value);
        Some(())
    }

    fn copied(
        &mut self,
        state: &mut EdgeState,
        addr: TermId,
        _: TermId,
        fresh: bool,
    ) -> Option<()> {
        if fresh {
            Some(())
        } else {
            self.note_copies(state, addr, true)
        }
    }

    fn leak(&mut self, state: &mut EdgeState, _: Property, _: bool) -> Option<()> {
        if self.allocates {
            Explorer::unsupported(self, state, "memory that may be lost");
            return None;
        }
        Some(())
    }

    fn fence(&mut self, _: &mut EdgeState) {}

    fn begin_section(&mut self, state: &mut EdgeState, _: bool) -> Option<()> {
        if self.ends_before(state) {
            return None;
        }
        state.section += u32::from(!faults::on(Fault::CutSection));
        Some(())
    }

    fn end_section(&mut self, state: &mut EdgeState) {
        state.section = state.section.saturating_sub(1);
    }

    fn wait(&mut self, state: &mut EdgeState, cond: TermId, lock: Option<(TermId, LockHolders)>) {
        if !self.program.deadlocks {
            return self.block_unless(state, cond);
        }
        self.wait_until(state, cond, lock);
    }

    fn block_unless(&mut self, state: &mut EdgeState, cond: TermId) {
        let stuck = self.otherwise(state, cond);
        self.stopped(stuck);
        state.path.restrict(&mut self.terms, cond);
    }

    fn assert(
        &mut self,
        state: &mut EdgeState,
        cond: TermId,
        property: Property,
        loc: Loc,
    ) -> Option<()> {
        let violated = self.otherwise(state, cond);
        // Others go on where nobody asks for assertions.
        if !violated.path.is_dead(&self.terms) && !faults::on(Fault::CutViolationForgets) {
            self.note_changes(&violated);
        }
        self.edge(violated, Outcome::Violation { property, loc });
        state.path.restrict(&mut self.terms, cond);
        Some(())
    }

    fn undefined_unless(&mut self, state: &mut EdgeState, cond: TermId, why: Undefined) {
        let cut = self.otherwise(state, cond);
        if !cut.path.is_dead(&self.terms) {
            let loc = self.loc(&cut);
            self.note_changes(&cut);
            self.edge(cut, Outcome::Undefined { why, loc });
        }
        state.path.restrict(&mut self.terms, cond);
    }

    fn unsupported(&mut self, state: &mut EdgeState, what: &str) {
        Explorer::unsupported(self, state, what);
    }

    fn functions(
        &mut self,
        state: &mut EdgeState,
        target: TermId,
    ) -> Option<Vec<(FuncId, TermId)>> {
        let Some(function) = self.function_at(target) else {
            let what = "a call through a pointer that is not known";
            Explorer::unsupported(self, state, what);
            return None;
        };
        Some(vec![(function, self.terms.tru())])
    }

    /// It must be a number, or an address that equals no case wherever objects lie.
    fn selector(
        &mut self,
        state: &mut EdgeState,
        value: Operand,
        cases: &[(u128, BlockId)],
    ) -> Option<TermId> {
        let mut value = Domain::value(self, state, value);
        value.term = self.settle(state, value.term)?;
        let bits = self.terms.bits(value.term);
        for (case, _) in cases {
            let case = self.terms.constant(*case, bits);
            let number = self.number(case);
            let equal = self.equal([value.term, case], [&value.objects, &number]);
            self.accept(state, equal)?;
        }
        Some(value.term)
    }

    /// The state at the start of the function, in a frame of its own.
    fn enter(
        &mut self,
        mut state: EdgeState,
        call: Call<'_, Word>,
        after: &mut Vec<EdgeState>,
    ) -> Result<(), Infallible> {
        let function = call.function;
        let code = &self.program.functions[function];
        if state.frames.iter().any(|frame| frame.function == function) {
            Explorer::unsupported(self, &state, &format!("recursion of `{}`", code.name));
            return Ok(());
        }
        let Some(arguments) = exec::arguments(self, &state, code, call.args) else {
            return Ok(());
        };
        let caller = state.top();
        let path = position(caller.path, caller.block, caller.index, &caller.iterations);
        let (caller, at) = (caller.chain, state.stack());
        let chain = self.knowledge.chain(caller, at);
        let mut regs = vec![None; code.regs.len()];
        for (param, value) in arguments {
            let key = self.register_in(chain, param);
            self.knowledge.note_addresses(&key, &value.objects);
            regs[param.index()] = Some(value.term);
        }
        state.tick(&mut self.terms);
        let loops = &self.facts.functions[function].loops;
        state.frames.push(Frame {
            function,
            chain,
            path: FramePath::enter(path, function.0),
            block: code.entry,
            index: 0,
            iterations: vec![0; loops.nest[code.entry].len()],
            regs,
        });
        after.push(state);
        Ok(())
    }
}

impl Explorer<'_> {
    /// Ends the edge before an instruction that others may come before, unless it is the edge's first; true if it ends.
    pub fn ends_before(&mut self, state: &EdgeState) -> bool {
        let ends = !state.fresh && state.section == 0;
        if ends {
            self.arrive(state.clone());
        }
        ends
    }

    /// The state where a condition does not hold.
    pub fn otherwise(&mut self, state: &EdgeState, cond: TermId) -> EdgeState {
        let mut other = state.clone();
        let not = self.terms.not(cond);
        other.path.restrict(&mut self.terms, not);
        other
    }

    /// Goes on unless something is refused: an edge ends there.
    pub fn accept<T>(&mut self, state: &EdgeState, found: Result<T, &str>) -> Option<T> {
        found.map_err(|why| self.unsupported(state, why)).ok()
    }

    /// Something that is not modelled: an edge ends here.
    pub fn unsupported(&mut self, state: &EdgeState, what: &str) {
        let outcome = Outcome::Unsupported {
            what: what.to_string(),
            loc: self.loc(state),
        };
        self.note_changes(state);
        self.edge(state.clone(), outcome);
    }

    /// Source location of the next instruction, or of the call that leads there.
    pub fn loc(&self, state: &EdgeState) -> Loc {
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

    /// Writes of an edge that ends in something undefined or not modelled: noted, because others may see them.
    fn note_changes(&mut self, state: &EdgeState) {
        let mut state = state.clone();
        self.forget_unseen(&mut state);
        for (key, term) in &state.changed {
            let (fact, bits) = (self.terms.fact(*term), self.terms.bits(*term));
            self.knowledge.note_value(key, &fact, bits);
            self.note_free(key, *term);
        }
    }
}
