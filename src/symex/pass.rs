//! State of one pass of symbolic execution, and the events that it makes.

use super::bounds::Bounds;
use super::element::Arrays;
use super::knowledge::Knowledge;
use super::lane::{Request, RequestKey};
use super::list::{List, ListMemo, Narrowed};
use super::memory::{Content, Memory};
use super::overwrite::{ElementWrite, Old};
#[cfg(feature = "internals")]
use super::points::ReachedAt;
use super::registers::Registers;
use super::resting::Resting;
use super::slots::SlotSet;
use super::state::{Accessed, PathState};
use super::touch::{CellStart, Lives, MutexName, ObjectKey, Space, ThreadKey, Touches};
use crate::analysis::Facts;
use crate::base::budget::Budget;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{IdVec, Loc};
use crate::event::{
    Cell, CellId, Cut, Event, EventId, EventKind, Input, Object, Role, SectionId, Store, ThreadId,
};
use crate::ir::address::Slot;
use crate::ir::position::PosKey;
use crate::ir::{FuncId, GlobalId, GoalKinds, MemOrder, Program};
use crate::race::Sites;
use crate::symex::faults::{self, Fault};
use crate::term::{TermId, Terms, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::rc::Rc;
use std::sync::Arc;

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
    /// Mutexes that it has taken, and the condition that it has not given them back.
    pub holds: Vec<(MutexName, TermId)>,
}

/// Initial content of an object's bytes.
#[derive(Clone, Copy)]
pub(super) enum Fill {
    Zero,
    Free(ThreadId, PosKey),
    Global(GlobalId),
}

/// Position of execution, for events.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub position: PosKey,
    pub loc: Loc,
    pub order: Option<MemOrder>,
    /// Undisturbed access: true if that of its instruction is.
    pub undisturbed: bool,
}

/// An activation on the call stack.
pub(super) struct Frame {
    pub function: FuncId,
    /// The condition under which it was called.
    pub guard: TermId,
    /// Registers of the function that called it, where leaks are asked for.
    pub outer_regs: Registers,
}

/// Section, as it is known while its thread is executed.
#[derive(Clone, Default)]
pub(super) struct Section {
    /// Set if paths that began different sections met inside: both are this one.
    pub same_as: Option<SectionId>,
    /// Conditions (given the path) that let the section go on.
    pub blocks: Vec<TermId>,
    /// Conditions under which an assertion inside is violated.
    pub violations: Vec<TermId>,
    /// Conditions under which an access inside races.
    pub races: Vec<TermId>,
    /// Rests before it, by number.
    pub rests: Vec<usize>,
    /// Number of events when it began; if several sections are one, when the first and the last of them did.
    pub begun: (u32, u32),
    /// Sections that may have ended before it began.
    pub before: Rc<Vec<SectionId>>,
}

/// Slots that terms may point into, as far as they are known: by term, and how far it stands above the lowest bit of an address.
pub(super) type SlotMemo = HashMap<(TermId, i32), SlotSet, FxBuildHasher>;

/// All that one pass holds.
pub(super) struct Pass<'a> {
    pub(super) program: &'a Program,
    pub(super) facts: &'a Facts,
    pub(super) bounds: &'a Bounds,
    pub(super) knowledge: &'a mut Knowledge,
    pub(super) budget: &'a Budget,
    pub(super) terms: Terms,
    pub(super) events: IdVec<EventId, Event>,
    pub(super) instances: IdVec<ThreadId, Instance>,
    pub(super) cells: IdVec<CellId, Cell>,
    pub(super) cell_at: HashMap<(CellStart, u32), CellId>,
    pub(super) cell_places: Vec<(CellStart, u32)>,
    pub(super) inputs: Vec<Input>,
    pub(super) objects: Vec<Object>,
    pub(super) object_at: HashMap<Slot, usize>,
    /// Values that memory starts out with, as far as anyone looked.
    pub(super) initial: HashMap<Slot, Content>,
    pub(super) fill: HashMap<Slot, Fill>,
    /// Main's memory where its first creation made it concurrent, and the condition for each.
    pub(super) snapshots: Vec<(TermId, Memory)>,
    /// Memory of threads where objects of theirs first escaped; objects that escaped before threads ran.
    pub(super) escapes: HashMap<Slot, Memory>,
    pub(super) escaped_early: HashSet<Slot>,
    /// Objects are their threads' own until they escape.
    pub(super) follows_escapes: bool,
    pub(super) seen: Touches,
    pub(super) sections: IdVec<SectionId, Section>,
    /// Paths of the current thread that met have been kept apart, because they are not in the same section.
    pub(super) apart: bool,
    /// Accesses that may race.
    pub(super) sites: &'a Sites,
    /// Requests of those that were met.
    pub(super) requests: SortedMap<RequestKey, Request>,
    /// Assertions of races: lane, thread and number of the place that each is about.
    pub(super) looks: Vec<(EventId, u32, ThreadId, usize)>,
    /// Announcements, by lane, thread and number of the place.
    pub(super) announcements: SortedMap<(u32, ThreadId, usize), SortedSet<EventId>>,
    /// Steps within operations on blocks: thread, position of the instruction, number of the step.
    pub(super) parts: Vec<(ThreadId, PosKey, u64)>,
    /// As in [`EventProgram`].
    ///
    /// [`EventProgram`]: crate::event::EventProgram
    pub(super) unseen: Vec<(ThreadId, PosKey)>,
    /// Places of accesses, which only tests look at.
    #[cfg(feature = "internals")]
    pub(super) reached: ReachedAt,
    /// Terms that are stored at the places that are followed.
    pub(super) stored_terms: SortedMap<CellStart, SortedSet<TermId>>,
    /// Conditions that hold in every execution.
    pub(super) facts_found: Vec<TermId>,
    pub(super) joins: Vec<(EventId, TermId)>,
    pub(super) results: Vec<(EventId, TermId)>,
    /// For variables read from shared cells: what they may point into.
    pub(super) read_slots: HashMap<VarId, SlotSet>,
    pub(super) slot_memo: SlotMemo,
    /// The same where what has been read from shared memory leads nowhere.
    pub(super) own_slot_memo: SlotMemo,
    /// Addresses without choices that lead to other slots than one.
    pub(super) leading_memo: HashMap<(TermId, Slot), TermId>,
    /// For the same variables: the places that they may have been read from; `None` for elements of arrays.
    pub(super) read_places: HashMap<VarId, Option<Rc<[CellStart]>>>,
    pub(super) list_memo: ListMemo,
    /// Values that conditions over one word leave, and lists that hold on the path that is being looked at.
    pub(super) leaves_memo: HashMap<TermId, Option<(VarId, Rc<List>)>, FxBuildHasher>,
    pub(super) narrowed: Option<Narrowed>,
    /// Conditions that words have been chosen: by word, and those that the operation which is being computed needs.
    pub(super) set_memo: HashMap<TermId, TermId, FxBuildHasher>,
    pub(super) set_here: Vec<TermId>,
    /// Terms that are computed only where their operands have been chosen.
    pub(super) of_set: HashSet<TermId>,
    /// Terms that are known to depend, or not to, on words that were read and are narrower than an address.
    pub(super) part_memo: HashMap<TermId, bool, FxBuildHasher>,
    pub(super) current: ThreadId,
    pub(super) frames: Vec<Frame>,
    pub(super) calls: Arc<[Loc]>,
    pub(super) here: Here,
    /// Ways in which the current thread ended: condition and result.
    pub(super) ends: Vec<(TermId, TermId)>,
    /// Section that the events of the current instruction share, if there are several.
    pub(super) step: Option<SectionId>,
    pub(super) executed: u64,
    /// A loop used up its instructions.
    pub(super) loop_spent: bool,
    /// Writes to private memory so far: place, width in bytes, what they replaced.
    pub(super) private_writes: Vec<(CellStart, u32, Old)>,
    /// Objects that have escaped beside other threads, in the order in which they did, each with the condition.
    pub(super) published: Vec<(Slot, TermId)>,
    pub(super) element_writes: Vec<ElementWrite>,
    pub(super) arrays: Arrays,
    /// Variables that are free choices of the program.
    pub(super) input_vars: HashSet<VarId>,
    /// Conditions under which they are made, where deadlocks are asked for.
    pub(super) chosen: HashMap<VarId, TermId>,
    /// Those of them that nobody has chosen.
    pub(super) garbage: HashSet<VarId>,
    /// Facts that such a variable, or what is computed from it, is no internal address.
    pub(super) nowhere: HashSet<TermId>,
    /// Values of memory that was read before its object's allocation was met: offset and value.
    pub(super) early: HashMap<Slot, Vec<(TermId, TermId)>>,
    /// Sizes in bytes of objects whose size is not constant.
    pub(super) sizes: HashMap<Slot, TermId>,
    /// Number of instructions that had been executed when a slot's object was allocated.
    pub(super) allocated_at: HashMap<Slot, u64>,
    /// Cuts of creations beyond the bound, by thread and place.
    pub(super) creation_cuts: HashMap<(ThreadId, Loc), EventId>,
    /// Threads created at each place.
    pub(super) created_at: HashMap<Loc, u32>,
    /// As in the state of the current instruction.
    pub(super) accessed: Accessed,
    /// Words with machine addresses in place of internal ones.
    pub(super) numbers: HashMap<TermId, TermId>,
    /// Variables that stand for machine addresses, or may hold numbers that depend on them.
    pub(super) number_vars: HashSet<VarId>,
    pub(super) numeric_memo: HashMap<TermId, bool>,
    /// Machine addresses: the variable, and the address that it makes.
    pub(super) bases: SortedMap<Slot, (TermId, TermId)>,
    /// Alignments of objects that are no constants.
    pub(super) alignments: HashMap<Slot, TermId>,
    /// Condition that the first object's life had ended before the second was allocated.
    pub(super) ended_before: HashMap<(Slot, Slot), TermId>,
    /// Condition that `realloc` moves what is in the first object to the second.
    pub(super) replaced: HashMap<(Slot, Slot), TermId>,
    pub(super) lives: Lives,
    /// Something rests on lives of the last pass.
    pub(super) lives_matter: bool,
    /// The program looks at addresses as numbers.
    pub(super) observes: bool,
    /// Mutexes are only ever locked and unlocked, so holding one for a while cannot be noticed.
    pub(super) locks_only: bool,
    /// Kinds of goals that may be asked for.
    pub(super) goals: GoalKinds,
    /// The program asks for blocks that are lost or not freed.
    pub(super) leaks: bool,
    /// The program asks for deadlocks.
    pub(super) deadlocks: bool,
    /// Places where threads may stand for good, and that before the lock which is being taken.
    pub(super) rests: Vec<Resting>,
    pub(super) rest_of_lock: Option<usize>,
    /// Memory of the running thread where it ended.
    pub(super) end_memory: Memory,
    /// Iterations that have begun.
    pub(super) turns: u32,
    /// Registers of variables whose values were forgotten where paths met.
    pub(super) forgotten: HashSet<(FuncId, usize)>,
}

impl Pass<'_> {
    /// Appends an event to the current thread.
    pub(super) fn emit(&mut self, state: &PathState, guard: TermId, kind: EventKind) -> EventId {
        let section = if kind.is_visible() {
            state.section.map(|(section, _)| section).or(self.step)
        } else {
            state.section.map(|(section, _)| section)
        };
        let buffered = self.is_buffered(state, &kind);
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
            buffered,
            undisturbed: false,
        });
        self.instances[self.current].events.push(id);
        id
    }

    /// Undisturbed access: true if what the current instruction accesses in this space is undisturbed. The life of an
    /// object is read by those who access it, and by others; and who looks for leaks reads what anybody has written, with no regard to races.
    pub(super) fn is_undisturbed(&self, space: Space, write: bool) -> bool {
        let is_told = match space {
            Space::Data | Space::Word | Space::Fresh => !(write && self.leaks),
            Space::Ended => !write,
            Space::Sync | Space::Note(_) | Space::Own(_) | Space::Released | Space::Born => false,
        };
        is_told && self.here.undisturbed
    }

    /// Buffered store: true if an event is a store that goes through a store buffer. (Ends of objects, results of
    /// threads and what is done to mutexes are no stores.)
    fn is_buffered(&self, state: &PathState, kind: &EventKind) -> bool {
        let store = matches!(
            kind,
            EventKind::Write {
                role: Role::Plain,
                ..
            }
        );
        store
            && state.section.is_none()
            && self.bounds.memory.store(self.here.order) != Store::Direct
    }

    /// The current step drains its thread's store buffers. Said by an event of its own, so that it stays true where
    /// the step's accesses concern nobody else, or nothing depends on them.
    pub(super) fn drain(&mut self, state: &PathState) {
        self.drain_if(state, self.terms.tru());
    }

    /// The same, where `cond` holds.
    pub(super) fn drain_if(&mut self, state: &PathState, cond: TermId) {
        // Within a section, its beginning or its first store has done it.
        let inside = state.section.is_some() && self.step.is_some() && !state.undrained;
        if self.bounds.memory.is_weak() && state.concurrent && !inside {
            let order = self.here.order.replace(MemOrder::SeqCst);
            let guard = self.terms.and(state.path.term(), cond);
            self.emit(state, guard, EventKind::Fence);
            self.here.order = order;
        }
    }

    /// Records that the current thread touches bytes that others may see.
    pub(super) fn touch(&mut self, slot: Slot, space: Space, offset: u64, bytes: u32, write: bool) {
        let key = self.instances[self.current].key;
        if faults::on(Fault::BorrowingMissed)
            && let Some(ObjectKey::Alloc(owner, _)) = self.knowledge.object(slot).map(|o| o.key)
            && owner != key
        {
            return;
        }
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
        state: &mut PathState,
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
    pub(super) fn cut(&mut self, state: &PathState, cond: TermId, why: Cut) {
        let guard = self.terms.and(state.path.term(), cond);
        if faults::on(Fault::CutLost) && matches!(why, Cut::Undefined(_)) {
            return;
        }
        if self.terms.as_constant(guard) != Some(0) {
            self.emit(state, guard, EventKind::Cut { why });
        }
    }
}
