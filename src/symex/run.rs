//! Execution of all threads, each from its start to its end.

use super::bounds::Bounds;
use super::element::Arrays;
use super::idle::locks_only;
use super::knowledge::Knowledge;
use super::list::ListMemo;
use super::memory::Memory;
use super::pass::{Fill, Here, Instance, Pass, SlotMemo};
use super::reach::Reach;
use super::refusal::Refusal;
use super::state::{Accessed, PathState};
use super::touch::{CellStart, Lives, ObjectKey, Space, ThreadKey, Touches};
use crate::analysis::Facts;
use crate::base::budget::Budget;
use crate::base::mix::mix;
use crate::base::sorted::SortedMap;
use crate::base::{IdVec, Loc};
use crate::event::{EventKind, Origin, Role, ThreadId};
use crate::exec::Path;
use crate::ir::Program;
use crate::ir::address::Slot;
use crate::ir::position::{FramePath, PosKey};
use crate::race::Sites;
use crate::symex::faults::{self, Fault};
use crate::term::{TermId, Terms};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Pass<'a> {
    /// Executes all threads.
    pub fn run(
        program: &'a Program,
        facts: &'a Facts,
        sites: &'a Sites,
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
            escapes: HashMap::new(),
            escaped_early: HashSet::new(),
            follows_escapes: !bounds.memory.is_weak() && !program.asks_for_leaks(),
            seen: Touches::default(),
            sections: IdVec::new(),
            apart: false,
            sites,
            requests: SortedMap::new(),
            looks: Vec::new(),
            announcements: SortedMap::new(),
            parts: Vec::new(),
            unseen: Vec::new(),
            #[cfg(feature = "internals")]
            reached: Default::default(),
            stored_terms: SortedMap::new(),
            facts_found: Vec::new(),
            joins: Vec::new(),
            results: Vec::new(),
            read_slots: HashMap::new(),
            slot_memo: SlotMemo::default(),
            own_slot_memo: SlotMemo::default(),
            leading_memo: HashMap::new(),
            read_places: HashMap::new(),
            list_memo: ListMemo::default(),
            leaves_memo: HashMap::default(),
            narrowed: None,
            set_memo: HashMap::default(),
            set_here: Vec::new(),
            of_set: HashSet::new(),
            part_memo: HashMap::default(),
            current: ThreadId(0),
            frames: Vec::new(),
            calls: Arc::from([]),
            here: Here {
                position: PosKey(0),
                loc: Loc::NONE,
                order: None,
                undisturbed: false,
            },
            ends: Vec::new(),
            step: None,
            executed: 0,
            loop_spent: false,
            private_writes: Vec::new(),
            published: Vec::new(),
            element_writes: Vec::new(),
            arrays: Arrays::default(),
            input_vars: HashSet::new(),
            chosen: HashMap::new(),
            garbage: HashSet::new(),
            nowhere: HashSet::new(),
            early: HashMap::new(),
            sizes: HashMap::new(),
            allocated_at: HashMap::new(),
            creation_cuts: HashMap::new(),
            created_at: HashMap::new(),
            accessed: Accessed::default(),
            numbers: HashMap::new(),
            number_vars: HashSet::new(),
            numeric_memo: HashMap::new(),
            bases: SortedMap::new(),
            alignments: HashMap::new(),
            ended_before: HashMap::new(),
            replaced: HashMap::new(),
            lives: Lives::default(),
            lives_matter: false,
            observes: false,
            locks_only: locks_only(program),
            goals: program.goals(),
            leaks: program.asks_for_leaks(),
            deadlocks: program.deadlocks,
            rests: Vec::new(),
            rest_of_lock: None,
            end_memory: Memory::default(),
            turns: 0,
            forgotten: HashSet::new(),
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
            holds: Vec::new(),
        });
        let mut next = ThreadId(0);
        while next < pass.instances.next_id() {
            pass.run_thread(next)?;
            next = ThreadId(next.0 + 1);
        }
        Ok(pass)
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
        let state = PathState {
            path,
            regs: Default::default(),
            memory,
            concurrent,
            section: None,
            ended: Rc::default(),
            undrained: false,
            accessed: Accessed::default(),
            escaped: Rc::default(),
            escaping: Rc::default(),
            running: Rc::default(),
            alone: false,
        };
        self.ends.clear();
        self.apart = false;
        let loc = self.program.functions[function].loc;
        self.here = Here {
            position: PosKey(mix(FramePath::ROOT.0, 0xe4d)),
            loc,
            order: None,
            undisturbed: false,
        };
        let args = if concurrent {
            if faults::on(Fault::ArgumentLost) {
                vec![self.terms.constant(0, self.program.model.pointer_bits())]
            } else {
                vec![arg]
            }
        } else {
            // `main` makes its parameters itself.
            Vec::new()
        };
        let null = self.terms.constant(0, self.program.model.pointer_bits());
        let returned = self.call(state, function, FramePath::ROOT, &args, None)?;
        for (state, value) in returned {
            let value = value.map_or(null, |v| {
                self.terms.fit(v, self.program.model.pointer_bits())
            });
            self.end_path(state, value);
        }
        self.end_thread(id);
        Ok(())
    }

    /// A path of the current thread ends with a result.
    pub(super) fn end_path(&mut self, mut state: PathState, value: TermId) {
        self.escape_with_result(&mut state, value);
        self.keep_at_end(&state);
        self.ends.push((state.path.term(), value));
    }

    /// The current thread ends: its result and its last event.
    fn end_thread(&mut self, id: ThreadId) {
        let ends = std::mem::take(&mut self.ends);
        let mut guard = self.terms.fals();
        let mut value = self.terms.constant(0, self.program.model.pointer_bits());
        for (when, result) in ends {
            guard = self.terms.or(guard, when);
            if faults::on(Fault::ResultLost) {
                continue;
            }
            value = self.terms.ite(when, result, value);
        }
        let memory = std::mem::take(&mut self.end_memory);
        if self.terms.as_constant(guard) == Some(0) {
            return;
        }
        self.here.order = None;
        self.here.position = PosKey::END;
        let state = PathState::outside(&self.terms);
        if id.0 == 0 {
            self.rest_behind_end(&state, guard, memory);
            return;
        }
        let place = self.result_place(self.instances[id].key, id);
        let bytes = u32::from(self.program.model.pointer_bits() / 8);
        self.touch(place.0, Space::Data, 0, bytes, true);
        let reach = Reach {
            slot: place.0,
            offset: 0,
            element: None,
            when: self.terms.tru(),
        };
        if self
            .knowledge
            .pieces(place.0, Space::Data, 0, bytes)
            .iter()
            .all(|piece| piece.2)
        {
            // What it points to has escaped on each path.
            self.put(
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
            let slots = self.slot_set(value);
            self.knowledge.note_pointers(place, slots);
        }
        self.end_own_variables(&state, guard, place.0);
        let holds = self.holds();
        let keeps = self.terms.and(guard, holds);
        self.may_not_end(&state, keeps);
        self.emit(&state, guard, EventKind::End);
        self.rest_behind_end(&state, guard, memory);
    }

    /// Place where a thread leaves its result.
    pub(super) fn result_place(&mut self, key: ThreadKey, id: ThreadId) -> CellStart {
        let bytes = u64::from(self.program.model.pointer_bits() / 8);
        let slot = self
            .knowledge
            .slot(ObjectKey::Result(key), bytes, false, bytes)
            .unwrap_or(Slot::NULL);
        self.add_object(
            slot,
            format!("result of thread {}", id.0),
            Origin::Result(id),
            Fill::Zero,
        );
        (slot, Space::Data, 0)
    }
}
