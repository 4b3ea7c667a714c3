//! Unrolling as a domain of execution: accesses make events where others see them, calls are executed where they stand.

use super::pass::Pass;
use super::reach::Reach;
use super::refusal::Refusal;
use super::state::PathState;
use super::touch::{ObjectKey, Space};
use crate::analysis::Facts;
use crate::base::Loc;
use crate::base::id::Id;
use crate::event::{Cut, EventKind, Role, Store, ThreadId};
use crate::exec::{self, Call, Domain, MutexUse, Path, Purpose};
use crate::ir::position::FramePath;
use crate::ir::{
    AllocKind, BlockId, BlockSource, FuncId, GlobalId, LockHolders, MemOrder, NondetSource, Note,
    Operand, PointerCheck, Program, Property, Reg, RmwOp, Rvalue, Undefined,
};
use crate::symex::faults::{self, Fault};
use crate::symex::reach::Wanted;
use crate::term::{TermId, Terms};

impl Domain for Pass<'_> {
    type State = PathState;
    type Value = TermId;
    type Places = Vec<Reach>;
    type Stop = Refusal;

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn facts(&self) -> &Facts {
        self.facts
    }

    fn function(&self, _: &PathState) -> FuncId {
        self.frames
            .last()
            .expect("instructions run in a frame")
            .function
    }

    fn path(state: &mut PathState) -> &mut Path {
        &mut state.path
    }

    fn note_order(&mut self, order: Option<MemOrder>) {
        self.here.order = order;
    }

    fn one_step<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        Pass::one_step(self, run)
    }

    fn advance(&mut self, _: &mut PathState) {}

    fn register(&self, state: &PathState, reg: Reg) -> Option<TermId> {
        state.regs[reg.index()]
    }

    fn unset(&mut self, bits: u16) -> TermId {
        Pass::input(self, "indeterminate", bits)
    }

    fn global(&mut self, id: GlobalId) -> u64 {
        let slot = self.global_slot(id);
        self.knowledge.space.base(slot)
    }

    fn code(&mut self, id: FuncId) -> u64 {
        let slot = self.knowledge.slot_of(ObjectKey::Function(id));
        self.knowledge.space.base(slot)
    }

    fn value(&mut self, state: &PathState, operand: Operand) -> TermId {
        exec::operand(self, state, operand)
    }

    fn term(value: &TermId) -> TermId {
        *value
    }

    fn set(&mut self, state: &mut PathState, dst: Reg, value: TermId) {
        self.note_held(value);
        state.regs.set(dst.index(), Some(value));
    }

    fn fit(&mut self, _: &PathState, value: TermId, bits: u16) -> Option<TermId> {
        Some(self.terms.fit(value, bits))
    }

    fn compute(
        &mut self,
        state: &mut PathState,
        value: &Rvalue,
        (operands, terms): (&[Operand], &[TermId]),
        bits: u16,
    ) -> Option<TermId> {
        self.accessed = state.accessed.clone();
        Some(match value {
            Rvalue::FromInteger(_) if self.is_marked(terms[0]) => {
                self.one_step(|pass| pass.pointer_of(state, terms[0]))
            }
            _ => {
                let literal = |operand: &Operand| matches!(operand, Operand::Const { .. });
                let literals: Vec<bool> = operands.iter().map(literal).collect();
                let result = Pass::compute(self, value, bits, terms, &literals);
                self.go_on_where_set(state);
                result
            }
        })
    }

    fn offset(
        &mut self,
        state: &mut PathState,
        [_, distance]: [Operand; 2],
        [base, offset]: [TermId; 2],
    ) -> Option<TermId> {
        let offset = match distance {
            Operand::Const { .. } => offset,
            _ => self.number(offset),
        };
        Some(Pass::offset(self, state, base, offset))
    }

    fn input(&mut self, state: &PathState, source: NondetSource, bits: u16) -> TermId {
        let name = match source {
            NondetSource::Input => "nondet",
            NondetSource::Uninitialised => "uninitialised",
            NondetSource::External => "external",
        };
        let value = Pass::input(self, name, bits);
        if self.deadlocks
            && let Some(var) = self.terms.var_of(value)
        {
            let before = self.chosen.get(&var).copied();
            let before = before.unwrap_or(self.terms.fals());
            let when = self.terms.or(before, state.path.term());
            self.chosen.insert(var, when);
        }
        value
    }

    fn reach(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        bytes: u32,
        align_bytes: u8,
        purpose: Purpose,
    ) -> Option<Vec<Reach>> {
        match purpose {
            Purpose::Load => {}
            Purpose::Store => {
                if state.undrained || self.bounds.memory.store(self.here.order) == Store::Direct {
                    self.drain(state);
                    state.undrained = false;
                }
            }
            Purpose::Update => self.drain(state),
        }
        let writes = purpose != Purpose::Load;
        let align = u64::from(align_bytes);
        Some(self.reach_in(state, Space::Data, addr, bytes, align, writes))
    }

    fn needs_value(
        &mut self,
        state: &mut PathState,
        places: &Vec<Reach>,
        bytes: u32,
    ) -> Option<()> {
        self.read_fresh(state, places, bytes);
        Some(())
    }

    fn read(
        &mut self,
        state: &mut PathState,
        places: &Vec<Reach>,
        bytes: u32,
        purpose: Purpose,
    ) -> Option<TermId> {
        Some(self.read_reaches(state, Space::Data, bytes, places, role(purpose)))
    }

    fn write(
        &mut self,
        state: &mut PathState,
        places: Vec<Reach>,
        value: &TermId,
        when: TermId,
        purpose: Purpose,
    ) -> Option<()> {
        let bytes = u32::from(self.terms.bits(*value)) / 8;
        let role = role(purpose);
        self.write_fresh(state, &places, bytes, when, role);
        self.write_reaches(state, Space::Data, bytes, places, *value, when, role);
        Some(())
    }

    fn updated(
        &mut self,
        state: &mut PathState,
        op: RmwOp,
        &old: &TermId,
        &operand: &TermId,
    ) -> Option<TermId> {
        let new = Pass::updated(self, op, old, operand);
        self.go_on_where_set(state);
        Some(new)
    }

    fn is_expected(
        &mut self,
        state: &mut PathState,
        old: &TermId,
        expected: &TermId,
    ) -> Option<TermId> {
        self.accessed = state.accessed.clone();
        let same = self.equal(*old, *expected);
        self.go_on_where_set(state);
        Some(same)
    }

    fn alloc(
        &mut self,
        state: &mut PathState,
        size: TermId,
        align: TermId,
        kind: &AllocKind,
    ) -> Option<TermId> {
        let size = self.number(size);
        Some(if self.knowledge.machine.observed {
            self.one_step(|pass| Pass::alloc(pass, state, size, align, kind))
        } else {
            Pass::alloc(self, state, size, align, kind)
        })
    }

    fn end_life(&mut self, state: &mut PathState, addr: TermId) -> Option<()> {
        let always = self.terms.tru();
        Pass::end_life(self, state, addr, always);
        Some(())
    }

    fn free(&mut self, state: &mut PathState, addr: TermId) -> Option<()> {
        Pass::free(self, state, addr);
        Some(())
    }

    fn object_size(&mut self, state: &mut PathState, addr: TermId) -> Option<TermId> {
        Some(Pass::object_size(self, state, addr))
    }

    fn block(
        &mut self,
        state: &mut PathState,
        to: TermId,
        source: (BlockSource, TermId),
        size: TermId,
        unit_bytes: u8,
    ) -> Option<()> {
        self.fill_or_copy(state, to, source, size, unit_bytes);
        Some(())
    }

    fn spawn(
        &mut self,
        state: &mut PathState,
        start: TermId,
        arg: &TermId,
        bits: u16,
        _: Loc,
    ) -> Option<TermId> {
        Some(Pass::spawn(self, state, start, *arg, bits))
    }

    fn join(&mut self, state: &mut PathState, thread: TermId, wanted: bool) -> Option<TermId> {
        Some(Pass::join(self, state, thread, wanted))
    }

    fn thread(&mut self, _: &mut PathState) -> Option<u32> {
        let ThreadId(number) = if faults::on(Fault::SelfIsMain) {
            ThreadId(0)
        } else {
            self.current
        };
        Some(number)
    }

    fn mutex(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        operation: MutexUse,
    ) -> Option<Vec<Reach>> {
        match operation {
            MutexUse::Unlock => self.drain(state),
            MutexUse::Lock => {
                self.waits_holding(state);
                self.rest_of_lock = self.rest_before_step(state);
            }
            MutexUse::TryLock | MutexUse::Init => {}
        }
        let reaches = Pass::mutex(self, state, addr);
        // Where there is none, the path is dead.
        (operation != MutexUse::Lock || !reaches.is_empty()).then_some(reaches)
    }

    fn is_free(
        &mut self,
        state: &mut PathState,
        mutex: &Vec<Reach>,
        operation: MutexUse,
    ) -> TermId {
        Pass::is_free(self, state, mutex, operation)
    }

    fn set_mutex(
        &mut self,
        state: &mut PathState,
        mutex: Vec<Reach>,
        operation: MutexUse,
        when: TermId,
    ) {
        Pass::set_mutex(self, state, mutex, operation, when);
    }

    fn pointers(
        &mut self,
        state: &mut PathState,
        check: PointerCheck,
        terms: &[TermId],
    ) -> Option<()> {
        Pass::pointers(self, state, check, terms);
        Some(())
    }

    fn expose(&mut self, _: &mut PathState, addr: TermId) -> Option<()> {
        if self.knowledge.machine.used && !faults::on(Fault::CastsForgotten) {
            self.place_all(addr);
        }
        Some(())
    }

    fn sync_use(&mut self, state: &mut PathState, addr: TermId) -> Option<()> {
        Pass::sync_use(self, state, addr);
        Some(())
    }

    fn note(&mut self, state: &mut PathState, addr: TermId, what: Note) -> Option<TermId> {
        Some(Pass::note(self, state, addr, what))
    }

    fn set_note(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        what: Note,
        value: TermId,
    ) -> Option<()> {
        Pass::set_note(self, state, addr, what, value);
        Some(())
    }

    fn copied(
        &mut self,
        state: &mut PathState,
        addr: TermId,
        size: TermId,
        fresh: bool,
    ) -> Option<()> {
        Pass::copied(self, state, addr, size, fresh);
        Some(())
    }

    fn leak(&mut self, state: &mut PathState, property: Property, returns: bool) -> Option<()> {
        Pass::leak(self, state, property, returns);
        Some(())
    }

    fn fence(&mut self, state: &mut PathState) {
        if state.concurrent {
            self.emit(state, state.path.term(), EventKind::Fence);
        }
    }

    fn begin_section(&mut self, state: &mut PathState, drains: bool) -> Option<()> {
        Pass::begin_section(self, state, drains);
        Some(())
    }

    fn end_section(&mut self, state: &mut PathState) {
        Pass::end_section(self, state);
    }

    fn wait(&mut self, state: &mut PathState, cond: TermId, lock: Option<(TermId, LockHolders)>) {
        let waits = self.terms.not(cond);
        self.may_not_end(state, waits);
        if self.deadlocks {
            let reaches =
                lock.map(|(addr, _)| self.reach_in(state, Space::Sync, addr, 1, 1, false));
            let wanted = Wanted {
                reaches: &reaches.unwrap_or_default(),
                of: lock.map_or(LockHolders::All, |(_, of)| of),
                plain: false,
            };
            self.waits(state, cond, wanted, None);
        }
        self.block(state, cond);
    }

    fn block_unless(&mut self, state: &mut PathState, cond: TermId) {
        self.block(state, cond);
    }

    fn assert(
        &mut self,
        state: &mut PathState,
        cond: TermId,
        property: Property,
        _: Loc,
    ) -> Option<()> {
        if self.deadlocks {
            // Nobody asks for it; where it fails, the process ends.
            self.section_blocks(state, cond);
            state.path.restrict(&mut self.terms, cond);
            return Some(());
        }
        self.section_asserts(state, cond);
        let kind = EventKind::Assert { cond, property };
        let event = self.emit(state, state.path.term(), kind);
        if self.terms.as_constant(cond) == Some(0) {
            // The execution has ended here.
            self.events[event].reached = state.path.before_last(&self.terms);
            return None;
        }
        Some(())
    }

    fn undefined_unless(&mut self, state: &mut PathState, cond: TermId, why: Undefined) {
        self.restrict_or_cut(state, cond, || Cut::Undefined(why));
    }

    fn unsupported(&mut self, state: &mut PathState, what: &str) {
        self.refuse(state, what);
    }

    fn functions(
        &mut self,
        state: &mut PathState,
        target: TermId,
    ) -> Option<Vec<(FuncId, TermId)>> {
        let candidates = self.functions_at(target);
        let mut known = self.terms.fals();
        for (_, when) in &candidates {
            known = self.terms.or(known, *when);
        }
        self.undefined_unless(state, known, Undefined::InvalidAccess);
        Some(candidates)
    }

    fn selector(
        &mut self,
        state: &mut PathState,
        value: Operand,
        _: &[(u128, BlockId)],
    ) -> Option<TermId> {
        let value = exec::operand(self, state, value);
        Some(self.number(value))
    }

    /// One state for each section that paths are in.
    fn enter(
        &mut self,
        state: PathState,
        call: Call<'_, TermId>,
        after: &mut Vec<PathState>,
    ) -> Result<(), Refusal> {
        let here = self.here;
        let path = FramePath::enter(here.position, call.function.0);
        let dst = call.dst.map(|dst| (dst, self.bits(&state, dst)));
        let returned = self.call(state, call.function, path, call.args, Some(call.loc))?;
        self.here = here;
        for (mut state, value) in returned {
            if let Some((dst, bits)) = dst {
                let value = value.map(|value| self.terms.fit(value, bits));
                state.regs.set(dst.index(), value);
            }
            self.gather(after, state, |_| true);
        }
        Ok(())
    }
}

/// Role of the events of an access.
fn role(purpose: Purpose) -> Role {
    match purpose {
        Purpose::Load | Purpose::Store => Role::Plain,
        Purpose::Update => Role::Update,
    }
}
