//! One execution of every thread, and what comes out of it.

use super::idle::Old;
use super::knowledge::{Knowledge, ObjectKey, Place, Space, ThreadKey, Touches};
use super::memory::{Content, Memory, Stretch};
use super::pointer::SlotMemo;
use super::section::Section;
use super::state::{Path, State};
use super::{Bounds, Refusal};
use crate::analysis::Facts;
use crate::base::budget::Budget;
use crate::base::mix::mix;
use crate::base::{IdVec, Loc};
use crate::event::{
    Cell, CellId, Cut, Event, EventId, EventKind, EventProgram, Input, Object, Origin, Role,
    SectionId, Target, Thread, ThreadId,
};
use crate::ir::address::Slot;
use crate::ir::position::{FramePath, PosKey};
use crate::ir::{AllocKind, FuncId, GlobalId, MemOrder, Operand, Program};
use crate::term::{TermId, Terms, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A thread instance as a pass knows it.
pub(super) struct Instance {
    pub key: ThreadKey,
    pub function: FuncId,
    /// The condition of its creation.
    pub guard: TermId,
    /// Its argument, pointer wide.
    pub arg: TermId,
    /// The event and the thread and position that create it.
    pub created_by: Option<(EventId, ThreadId, PosKey)>,
    pub events: Vec<EventId>,
}

/// How the bytes of an object start out.
#[derive(Clone, Copy)]
enum Fill {
    Zero,
    Free(ThreadId, PosKey, Loc),
    Global(GlobalId),
}

/// Where execution stands, for events.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub position: PosKey,
    pub loc: Loc,
    pub order: Option<MemOrder>,
}

/// An activation on the call stack.
pub(super) struct Frame {
    pub function: FuncId,
    /// The condition under which it was called.
    pub guard: TermId,
}

/// All that one pass holds.
pub struct Pass<'a> {
    pub(super) program: &'a Program,
    pub(super) facts: &'a Facts,
    pub(super) bounds: &'a Bounds,
    pub(super) knowledge: &'a mut Knowledge,
    pub(super) budget: &'a Budget,
    pub(super) terms: Terms,
    pub(super) events: IdVec<EventId, Event>,
    pub(super) instances: IdVec<ThreadId, Instance>,
    pub(super) cells: IdVec<CellId, Cell>,
    pub(super) cell_at: HashMap<(Place, u32), CellId>,
    pub(super) cell_places: Vec<(Place, u32)>,
    inputs: Vec<Input>,
    objects: Vec<Object>,
    object_at: HashMap<Slot, usize>,
    /// Values that memory starts out with, as far as anyone looked.
    initial: HashMap<Slot, Content>,
    fill: HashMap<Slot, Fill>,
    /// Main's memory where its first creation made it concurrent, and the condition for each.
    snapshots: Vec<(TermId, Memory)>,
    pub(super) seen: Touches,
    pub(super) sections: IdVec<SectionId, Section>,
    /// Conditions that hold in every execution.
    pub(super) facts_found: Vec<TermId>,
    pub(super) joins: Vec<(EventId, TermId)>,
    pub(super) results: Vec<(EventId, TermId)>,
    /// For variables read from shared cells: what they may point into.
    pub(super) read_slots: HashMap<VarId, Rc<BTreeSet<Slot>>>,
    pub(super) slot_memo: SlotMemo,
    pub(super) current: ThreadId,
    pub(super) frames: Vec<Frame>,
    pub(super) calls: Rc<[Loc]>,
    pub(super) here: Here,
    /// Ways in which the current thread ended: condition and result.
    pub(super) ends: Vec<(TermId, TermId)>,
    /// Section that the events of the current instruction share, if there are several.
    pub(super) step: Option<SectionId>,
    pub(super) executed: u64,
    /// Writes to private memory so far: place, width in bytes, what they replaced.
    pub(super) private_writes: Vec<(Place, u32, Old)>,
    /// Sizes in bytes of objects whose size is not constant.
    pub(super) sizes: HashMap<Slot, TermId>,
    /// How many instructions had been executed when a slot's object was allocated.
    pub(super) allocated_at: HashMap<Slot, u64>,
    /// Cuts of creations beyond the bound, by thread and place.
    pub(super) creation_cuts: HashMap<(ThreadId, Loc), EventId>,
    /// Threads created at each place.
    pub(super) created_at: HashMap<Loc, u32>,
    /// Mutexes are only ever locked and unlocked, so holding one for a while cannot be noticed.
    pub(super) locks_only: bool,
}

impl<'a> Pass<'a> {
    /// Executes all threads.
    pub fn run(
        program: &'a Program,
        facts: &'a Facts,
        bounds: &'a Bounds,
        knowledge: &'a mut Knowledge,
        budget: &'a Budget,
    ) -> Result<Pass<'a>, Refusal> {
        let mut pass = Pass {
            program,
            facts,
            bounds,
            knowledge,
            budget,
            terms: Terms::new(),
            events: IdVec::new(),
            instances: IdVec::new(),
            cells: IdVec::new(),
            cell_at: HashMap::new(),
            cell_places: Vec::new(),
            inputs: Vec::new(),
            objects: Vec::new(),
            object_at: HashMap::new(),
            initial: HashMap::new(),
            fill: HashMap::new(),
            snapshots: Vec::new(),
            seen: Touches::default(),
            sections: IdVec::new(),
            facts_found: Vec::new(),
            joins: Vec::new(),
            results: Vec::new(),
            read_slots: HashMap::new(),
            slot_memo: SlotMemo::default(),
            current: ThreadId(0),
            frames: Vec::new(),
            calls: Rc::from([]),
            here: Here {
                position: PosKey(0),
                loc: Loc::NONE,
                order: None,
            },
            ends: Vec::new(),
            step: None,
            executed: 0,
            private_writes: Vec::new(),
            sizes: HashMap::new(),
            allocated_at: HashMap::new(),
            creation_cuts: HashMap::new(),
            created_at: HashMap::new(),
            locks_only: super::idle::locks_only(program),
        };
        pass.globals();
        let always = pass.terms.tru();
        let null = pass.terms.constant(0, program.model.pointer_bits());
        pass.instances.push(Instance {
            key: ThreadKey(0),
            function: program.main,
            guard: always,
            arg: null,
            created_by: None,
            events: Vec::new(),
        });
        let mut next = ThreadId(0);
        while next < pass.instances.next_id() {
            pass.run_thread(next)?;
            next = ThreadId(next.0 + 1);
        }
        Ok(pass)
    }

    /// Names the globals and functions.
    fn globals(&mut self) {
        for (id, function) in self.program.functions.iter_ids() {
            let slot = self.knowledge.slot_of(ObjectKey::Function(id));
            self.add_object(
                slot,
                function.name.clone(),
                Origin::Function(id),
                None,
                Fill::Zero,
            );
        }
        for (id, global) in self.program.globals.iter_ids() {
            if !global.thread_local {
                let slot = self.knowledge.slot_of(ObjectKey::Global(id));
                self.add_object(
                    slot,
                    global.name.clone(),
                    Origin::Global(id),
                    Some(global.ty),
                    Fill::Global(id),
                );
            }
        }
    }

    fn add_object(
        &mut self,
        slot: Slot,
        name: String,
        origin: Origin,
        ty: Option<crate::ir::ty::TypeId>,
        fill: Fill,
    ) {
        self.fill.insert(slot, fill);
        if self.object_at.contains_key(&slot) {
            return;
        }
        self.object_at.insert(slot, self.objects.len());
        self.objects.push(Object {
            name,
            origin,
            slot,
            ty,
        });
    }

    /// The index of the object in a slot. (An object that a pointer of an earlier pass leads to but that this
    /// pass has not allocated yet gets its name when it is.)
    pub(super) fn object_index(&mut self, slot: Slot) -> usize {
        if let Some(&index) = self.object_at.get(&slot) {
            return index;
        }
        self.object_at.insert(slot, self.objects.len());
        let origin = Origin::Alloc(ThreadId(0), PosKey(0));
        self.objects.push(Object {
            name: "object".into(),
            origin,
            slot,
            ty: None,
        });
        self.objects.len() - 1
    }

    fn run_thread(&mut self, id: ThreadId) -> Result<(), Refusal> {
        self.current = id;
        let (function, guard, arg) = {
            let instance = &self.instances[id];
            (instance.function, instance.guard, instance.arg)
        };
        let mut path = Path::always(&self.terms);
        path.restrict(&mut self.terms, guard);
        let concurrent = id.0 != 0;
        let memory = if concurrent {
            self.start_memory()
        } else {
            Memory::default()
        };
        let state = State {
            path,
            regs: Vec::new(),
            memory,
            concurrent,
            section: None,
        };
        self.ends.clear();
        let loc = self.program.functions[function].loc;
        self.here = Here {
            position: PosKey(mix(FramePath::ROOT.0, 0xe4d)),
            loc,
            order: None,
        };
        let args = if concurrent {
            vec![arg]
        } else {
            self.main_arguments()
        };
        let null = self.terms.constant(0, self.program.model.pointer_bits());
        let returned = self.call(state, function, FramePath::ROOT, &args, None)?;
        if let Some((state, value)) = returned {
            let value = value.map_or(null, |v| self.fit(v, self.program.model.pointer_bits()));
            self.ends.push((state.path.term(), value));
        }
        self.end_thread(id);
        Ok(())
    }

    /// `argc` and `argv` of main: a free count, and no vector.
    fn main_arguments(&mut self) -> Vec<TermId> {
        let main = &self.program.functions[self.program.main];
        let widths: Vec<u16> = main.params.iter().map(|p| main.regs[*p].bits).collect();
        let mut args = Vec::new();
        for (index, bits) in widths.into_iter().enumerate() {
            if index == 0 {
                let position = argument_position(self.program, index);
                let here = std::mem::replace(
                    &mut self.here,
                    Here {
                        position,
                        loc: main.loc,
                        order: None,
                    },
                );
                args.push(self.input("argc", bits, None));
                self.here = here;
            } else {
                args.push(self.terms.constant(0, bits));
            }
        }
        args
    }

    /// The memory that created threads start from.
    fn start_memory(&mut self) -> Memory {
        let snapshots = self.snapshots.clone();
        let Some(((_, first), rest)) = snapshots.split_first() else {
            return Memory::default();
        };
        let mut memory = first.clone();
        for (guard, other) in rest {
            for (slot, space, offset, width) in memory.differences(other) {
                let a = self.read_private(&memory, slot, space, offset, width);
                let b = self.read_private(other, slot, space, offset, width);
                let value = self.terms.ite(*guard, b, a);
                memory
                    .get_mut(slot)
                    .write(&mut self.terms, space, offset, width, value);
            }
        }
        memory
    }

    /// The current thread ends: its result and its last event.
    fn end_thread(&mut self, id: ThreadId) {
        let ends = std::mem::take(&mut self.ends);
        let mut guard = self.terms.fals();
        let mut value = self.terms.constant(0, self.program.model.pointer_bits());
        for (when, result) in ends {
            value = self.terms.ite(when, result, value);
            guard = self.terms.or(guard, when);
        }
        if id.0 == 0 || self.terms.as_constant(guard) == Some(0) {
            return;
        }
        self.here.order = None;
        self.here.position = PosKey::END;
        let state = State {
            path: Path::always(&self.terms),
            regs: Vec::new(),
            memory: Memory::default(),
            concurrent: true,
            section: None,
        };
        let place = self.result_place(self.instances[id].key, id);
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        self.touch(place.0, Space::Data, 0, bytes, true);
        let reach = super::access::Reach {
            slot: place.0,
            offset: 0,
            when: self.terms.tru(),
        };
        if self
            .knowledge
            .pieces(place.0, Space::Data, 0, bytes)
            .iter()
            .all(|piece| piece.2)
        {
            self.write_reaches(
                &mut state.clone(),
                Space::Data,
                bytes,
                vec![reach],
                value,
                guard,
                Role::Sync,
            );
        } else {
            // Nobody reads it yet, but what it may point to must be known once somebody does.
            let slots = self.slots_of(value);
            self.seen
                .pointers
                .entry(place)
                .or_default()
                .extend(slots.iter().copied());
        }
        self.emit(&state, guard, EventKind::End);
    }

    /// Where a thread leaves its result.
    pub(super) fn result_place(&mut self, key: ThreadKey, id: ThreadId) -> Place {
        let bytes = u64::from(self.program.model.pointer_bits() / 8);
        let slot = self
            .knowledge
            .slot(ObjectKey::Result(key), bytes, false)
            .unwrap_or(Slot::NULL);
        self.add_object(
            slot,
            format!("result of thread {}", id.0),
            Origin::Result(id),
            None,
            Fill::Zero,
        );
        (slot, Space::Data, 0)
    }

    /// Appends an event to the current thread.
    pub(super) fn emit(&mut self, state: &State, guard: TermId, kind: EventKind) -> EventId {
        let section = if kind.is_visible() {
            state.section.map(|(section, _)| section).or(self.step)
        } else {
            state.section.map(|(section, _)| section)
        };
        let id = self.events.push(Event {
            thread: self.current,
            guard,
            reached: guard,
            kind,
            section,
            order: self.here.order,
            position: self.here.position,
            loc: self.here.loc,
            calls: self.calls.clone(),
        });
        self.instances[self.current].events.push(id);
        id
    }

    /// Records that the current thread touches bytes that others may see.
    pub(super) fn touch(&mut self, slot: Slot, space: Space, offset: u64, bytes: u32, write: bool) {
        let key = self.instances[self.current].key;
        let touch = self
            .seen
            .accesses
            .entry(((slot, space, offset), bytes))
            .or_default();
        if write {
            touch.writers.insert(key);
        } else {
            touch.readers.insert(key);
        }
    }

    /// The path reaches `why` unless `cond`, and goes on only under it.
    pub(super) fn restrict_or_cut(
        &mut self,
        state: &mut State,
        cond: TermId,
        why: impl FnOnce() -> Cut,
    ) {
        if self.terms.as_constant(cond) == Some(1) || state.path.is_dead(&self.terms) {
            return;
        }
        let otherwise = self.terms.not(cond);
        self.cut(state, otherwise, why());
        self.section_blocks(state, cond);
        state.path.restrict(&mut self.terms, cond);
    }

    /// Execution is cut where the path is taken and `cond` holds.
    pub(super) fn cut(&mut self, state: &State, cond: TermId, why: Cut) {
        let guard = self.terms.and(state.path.term(), cond);
        if self.terms.as_constant(guard) != Some(0) {
            self.emit(state, guard, EventKind::Cut { why });
        }
    }

    /// Reads ordinary memory; what no path has written has its initial value.
    pub(super) fn read_private(
        &mut self,
        memory: &Memory,
        slot: Slot,
        space: Space,
        offset: u64,
        bytes: u32,
    ) -> TermId {
        let stretches = match memory.get(slot) {
            Some(content) => content.read(&mut self.terms, space, offset, bytes),
            None => vec![Stretch::Gap(offset, bytes)],
        };
        self.join_stretches(stretches, |pass, at, width| {
            pass.read_initial(slot, space, at, width)
        })
    }

    fn join_stretches(
        &mut self,
        stretches: Vec<Stretch>,
        mut fill: impl FnMut(&mut Self, u64, u32) -> TermId,
    ) -> TermId {
        let mut value: Option<TermId> = None;
        for stretch in stretches {
            let part = match stretch {
                Stretch::Known(term) => term,
                Stretch::Gap(at, width) => fill(self, at, width),
            };
            value = Some(match value {
                None => part,
                Some(low) => self.terms.concat(part, low),
            });
        }
        value.expect("an access has a byte")
    }

    fn read_initial(&mut self, slot: Slot, space: Space, offset: u64, bytes: u32) -> TermId {
        if !self.initial.contains_key(&slot) {
            let content = match self.fill.get(&slot) {
                Some(Fill::Global(id)) => self.global_content(*id),
                _ => Content::default(),
            };
            self.initial.insert(slot, content);
        }
        let mut content = self.initial.remove(&slot).expect("inserted above");
        let stretches = content.read(&mut self.terms, space, offset, bytes);
        let value = self.join_stretches(stretches, |pass, at, width| {
            let bits = (width * 8) as u16;
            match pass.fill.get(&slot) {
                Some(&Fill::Free(thread, position, loc)) if space == Space::Data => {
                    let value = pass.terms.fresh("uninitialised", bits);
                    pass.inputs.push(Input {
                        value,
                        thread,
                        position,
                        offset_bytes: Some(at),
                        loc,
                    });
                    content.write(&mut pass.terms, space, at, width, value);
                    value
                }
                _ => pass.terms.constant(0, bits),
            }
        });
        self.initial.insert(slot, content);
        value
    }

    fn global_content(&mut self, id: GlobalId) -> Content {
        let mut content = Content::default();
        for part in &self.program.globals[id].init {
            let value = self.operand_constant(part.value, part.bits);
            content.write(
                &mut self.terms,
                Space::Data,
                part.offset_bytes,
                u32::from(part.bits) / 8,
                value,
            );
        }
        content
    }

    /// The value of an operand that is not a register.
    pub(super) fn operand_constant(&mut self, operand: Operand, bits: u16) -> TermId {
        let pointer_bits = self.program.model.pointer_bits();
        match operand {
            Operand::Const { value, bits } => self.terms.constant(value, bits),
            Operand::GlobalAddr(id, offset) => {
                let slot = self.global_slot(id);
                let base = self.knowledge.space.base(slot);
                self.terms
                    .constant(u128::from(base.wrapping_add(offset as u64)), pointer_bits)
            }
            Operand::FuncAddr(id) => {
                let slot = self.knowledge.slot_of(ObjectKey::Function(id));
                let base = self.knowledge.space.base(slot);
                self.terms.constant(u128::from(base), pointer_bits)
            }
            Operand::Reg(_) => self.terms.constant(0, bits),
        }
    }

    fn global_slot(&mut self, id: GlobalId) -> Slot {
        let global = &self.program.globals[id];
        if !global.thread_local {
            return self.knowledge.slot_of(ObjectKey::Global(id));
        }
        let key = ObjectKey::ThreadLocal(id, self.instances[self.current].key);
        let slot = self
            .knowledge
            .slot(key, global.size_bytes, global.read_only)
            .unwrap_or(Slot::NULL);
        let origin = Origin::ThreadLocal(id, self.current);
        self.add_object(
            slot,
            global.name.clone(),
            origin,
            Some(global.ty),
            Fill::Global(id),
        );
        slot
    }

    /// A new object of at most `size_bytes` bytes, or exactly so many as the term `symbolic` says; its address, or
    /// `None` if addresses are used up.
    pub(super) fn allocate(
        &mut self,
        size_bytes: u64,
        symbolic: Option<TermId>,
        kind: &AllocKind,
    ) -> Option<TermId> {
        let key = ObjectKey::Alloc(self.instances[self.current].key, self.here.position);
        let slot = self.knowledge.slot(key, size_bytes, false)?;
        let free = Fill::Free(self.current, self.here.position, self.here.loc);
        let (name, ty, fill) = match kind {
            AllocKind::Stack { name, ty } => (name.clone(), Some(*ty), free),
            AllocKind::Heap => ("heap".to_string(), None, free),
            AllocKind::HeapZeroed => ("heap".to_string(), None, Fill::Zero),
        };
        let origin = Origin::Alloc(self.current, self.here.position);
        self.fill.insert(slot, fill);
        self.allocated_at.insert(slot, self.executed);
        if let Some(size) = symbolic {
            self.knowledge.symbolic.insert(slot);
            if let Some(promised) = self.sizes.insert(slot, size) {
                let kept = self.terms.eq(promised, size);
                self.facts_found.push(kept);
            }
        }
        let index = self.object_index(slot);
        self.objects[index] = Object {
            name,
            origin,
            slot,
            ty,
        };
        let base = self.knowledge.space.base(slot);
        Some(
            self.terms
                .constant(u128::from(base), self.program.model.pointer_bits()),
        )
    }

    /// A free choice at the current position.
    pub(super) fn input(&mut self, name: &str, bits: u16, offset_bytes: Option<u64>) -> TermId {
        let value = self.terms.fresh(name, bits);
        let Here { position, loc, .. } = self.here;
        self.inputs.push(Input {
            value,
            thread: self.current,
            position,
            offset_bytes,
            loc,
        });
        value
    }

    /// Main becomes concurrent on this path.
    pub(super) fn become_concurrent(&mut self, state: &mut State) {
        if !state.concurrent {
            state.concurrent = true;
            self.snapshots
                .push((state.path.term(), state.memory.clone()));
        }
    }

    /// Tells what the pass saw to the next one; says whether there has to be one.
    pub fn learn(&mut self) -> bool {
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        for (event, thread) in self.results.clone() {
            for id in self.instances.ids().skip(1).collect::<Vec<_>>() {
                let number = self
                    .terms
                    .constant(u128::from(id.0), self.terms.bits(thread));
                let when = self.terms.eq(thread, number);
                if self.terms.as_constant(when) != Some(0) {
                    let place = self.result_place(self.instances[id].key, id);
                    self.current = self.events[event].thread;
                    self.touch(place.0, Space::Data, 0, bytes, false);
                }
            }
        }
        for (place, width) in self.cell_places.clone() {
            let init = self.cell_init(place, width);
            let slots = self.slots_of(init);
            if !slots.is_empty() {
                self.seen
                    .pointers
                    .entry(place)
                    .or_default()
                    .extend(slots.iter().copied());
            }
        }
        let seen = std::mem::take(&mut self.seen);
        self.knowledge.learn(seen)
    }

    fn cell_init(&mut self, (slot, space, offset): Place, width: u32) -> TermId {
        let snapshots = self.snapshots.clone();
        let mut value: Option<TermId> = None;
        for (guard, memory) in &snapshots {
            let own = self.read_private(memory, slot, space, offset, width);
            value = Some(match value {
                None => own,
                Some(other) => self.terms.ite(*guard, own, other),
            });
        }
        match value {
            Some(value) => value,
            None => self.read_initial(slot, space, offset, width),
        }
    }

    /// The unrolled program.
    pub fn finish(mut self) -> EventProgram {
        let partial = self.finish_sections();
        self.finish_joins();
        self.drop_known();
        for index in 0..self.cell_places.len() {
            let (place, width) = self.cell_places[index];
            let cell = self.cell_at[&(place, width)];
            self.cells[cell].init = self.cell_init(place, width);
        }
        let threads = self
            .instances
            .iter()
            .map(|instance| Thread {
                function: instance.function,
                created_by: instance.created_by.map(|(event, _, _)| event),
                events: instance.events.clone(),
            })
            .collect();
        EventProgram {
            used_slots: self.knowledge.end_of_slots(),
            space: self.knowledge.space,
            terms: self.terms,
            threads,
            events: self.events,
            cells: self.cells,
            inputs: self.inputs,
            objects: self.objects,
            partial,
            facts: self.facts_found,
        }
    }

    /// Takes out of guards what holds in every execution.
    fn drop_known(&mut self) {
        let mut known: HashSet<TermId, FxBuildHasher> = HashSet::default();
        for fact in &self.facts_found {
            known.extend(self.terms.conjuncts(*fact));
        }
        if known.is_empty() {
            return;
        }
        let mut memo: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
        for event in self.events.iter_mut() {
            for condition in [&mut event.guard, &mut event.reached] {
                let terms = &mut self.terms;
                *condition = *memo.entry(*condition).or_insert_with_key(|condition| {
                    let mut rest = terms.conjuncts(*condition);
                    rest.retain(|conjunct| !known.contains(conjunct));
                    terms.and_all(&rest)
                });
            }
        }
    }

    /// Ties joins to the threads that exist.
    fn finish_joins(&mut self) {
        let ids: Vec<ThreadId> = self.instances.ids().skip(1).collect();
        for (event, thread) in std::mem::take(&mut self.joins) {
            let bits = self.terms.bits(thread);
            let mut found = Vec::new();
            for &id in &ids {
                let number = self.terms.constant(u128::from(id.0), bits);
                let same = self.terms.eq(thread, number);
                if self.terms.as_constant(same) != Some(0) {
                    found.push((id, same));
                }
            }
            if let EventKind::Join { targets, .. } = &mut self.events[event].kind {
                *targets = found;
            }
        }
        for (event, thread) in std::mem::take(&mut self.results) {
            let bits = self.terms.bits(thread);
            let bytes = u32::from(self.program.model.pointer_bits() / 8);
            let mut found = Vec::new();
            for &id in &ids {
                let number = self.terms.constant(u128::from(id.0), bits);
                let when = self.terms.eq(thread, number);
                if self.terms.as_constant(when) != Some(0) {
                    let place = self.result_place(self.instances[id].key, id);
                    found.push(Target {
                        cell: self.cell(place, bytes),
                        when,
                    });
                }
            }
            if let EventKind::Read { targets, .. } = &mut self.events[event].kind {
                *targets = found;
            }
        }
    }
}

/// Where an argument of main is chosen.
pub fn argument_position(program: &Program, index: usize) -> PosKey {
    let entry = program.functions[program.main].entry;
    crate::ir::position::position(FramePath::ROOT, entry, usize::MAX - index, &[])
}
