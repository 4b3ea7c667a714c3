//! Automata of threads: locations, the edges between them, and the variables that edges read and change.

use super::family::Family;
pub use super::key::Key;
use super::request::{Kind, Request};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{IdVec, Loc, StopReason};
use crate::event::{Origin, ThreadId, ThreadSet};
use crate::ids;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::PosKey;
use crate::ir::{BlockId, FuncId, Property, Undefined};
use crate::term::{TermId, Terms, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

ids! {
    /// A location of one automaton.
    LocationId;
}

/// A program as automata.
#[derive(Clone)]
pub struct Automata {
    /// Terms of all guards and updates.
    pub terms: Terms,
    /// By thread; 0 is main, the others in the order in which main creates them.
    pub threads: IdVec<ThreadId, Automaton>,
    /// By location of main: the threads that may run while main is there. The others have not been created, or have ended.
    #[cfg_attr(
        not(feature = "internals"),
        allow(dead_code, reason = "the tests of stages show it")
    )]
    pub beside: IdVec<LocationId, ThreadSet>,
    /// All variables that updates change or guards read, registers in each location under a name of its own.
    pub variables: SortedMap<Key, Variable>,
    /// Address space: how addresses are split into slot and offset.
    pub space: AddressSpace,
    /// Objects and functions with the slots they were given.
    pub slots: Vec<(SlotOwner, Slot)>,
    /// Slots from this number on belong to no object.
    pub used_slots: u32,
    /// Activations that lead to each activation, outermost first, by the number that [`Key::Register`] has of it.
    pub chains: Vec<Stack>,
    /// Array objects, whose content is abstracted, with the places that allocate them.
    pub arrays: Vec<(Slot, Loc)>,
    /// Families of threads; none if each thread has an automaton of its own.
    pub families: Vec<Family>,
    /// Fixed arrays: those objects of them of which each is a single one that nobody changes while threads run, but for its cells.
    pub fixed: SortedSet<Slot>,
}

/// Object or function that has a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlotOwner {
    /// An object or function that the program's text names.
    Static(Origin),
    /// The variable that a thread allocates at this place (with the iterations of unrolled loops).
    Stack(ThreadId, Stack),
    /// The same of the heap.
    Heap(ThreadId, Stack),
}

/// One thread.
#[derive(Clone)]
pub struct Automaton {
    /// Its start routine.
    pub function: FuncId,
    /// Place where main creates it; `None` for main.
    pub created_at: Option<(PosKey, Loc)>,
    /// The first is where it starts.
    pub locations: IdVec<LocationId, Location>,
    /// In the order they were found.
    pub edges: Vec<Edge>,
}

/// A place where others may come between.
#[derive(Clone)]
pub struct Location {
    /// Source location.
    pub loc: Loc,
    /// Position of the thread here.
    pub place: Point,
    /// Registers that live here: the term's variable that stands for each.
    pub registers: Vec<(Key, VarId)>,
    /// Free values that edges from here may use.
    pub inputs: Vec<Input>,
    /// Reads of abstract content by edges from here.
    pub reads: Vec<ArrayRead>,
    /// Accesses that may race and that the thread makes in its next step; none if nobody asks for races.
    pub attempts: Vec<Attempt>,
    /// What the thread may be blocked at in its next step; nothing if nobody asks for deadlocks.
    pub stalls: Vec<Stall>,
    /// Loop head: true if it is the first place of one.
    pub is_head: bool,
}

/// Read of an array object by an edge, of what was there before the edge.
#[derive(Clone, Copy, Debug)]
pub struct ArrayRead {
    pub slot: Slot,
    /// Offset from the object's start, as wide as a pointer.
    pub offset: TermId,
    pub bytes: u32,
    /// Condition that the edge reads there, and that no cell and nothing that it has read or written itself tells the value.
    pub when: TermId,
    /// The value: an input, but for bits that are known.
    pub value: TermId,
}

/// Access that threads attempt at a location, and that may race.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Source location.
    pub loc: Loc,
    /// Instructions that come before it, 32 bits: those of the section that it is in.
    pub count: TermId,
    /// Condition that the thread gets there, over variables and inputs.
    pub when: TermId,
    pub request: Request,
    pub kind: Kind,
}

/// Place in the step that a thread makes next where it may be blocked.
#[derive(Clone, Debug)]
pub struct Stall {
    /// Source location.
    pub loc: Loc,
    /// Condition that the thread gets there and is blocked, over variables and inputs.
    pub when: TermId,
    /// Threads that it may wait for, each with the condition that it does.
    pub on: Vec<(ThreadId, TermId)>,
    /// It waits for the end of a thread; otherwise for something that one holds, maybe beyond its end.
    pub is_join: bool,
}

/// Position of a thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// In code, so many atomic sections deep.
    Code(Stack, u32),
    /// It has ended.
    Ended,
    /// It takes no further step.
    Stopped,
}

/// Activations, outermost first: function, block, index of the next instruction (or the call that is being executed), and the iterations of
/// unrolled loops.
pub type Stack = Vec<(FuncId, BlockId, usize, Vec<u32>)>;

/// Variable, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its value at the start.
    pub initial: u128,
    /// The term that stands for it; a constant if it never changes.
    pub term: TermId,
}

/// A free value.
#[derive(Clone, Debug)]
pub struct Input {
    /// The instruction that chooses it.
    pub at: Stack,
    /// The byte of the allocated object that it starts at; `None` if it is the value of an instruction.
    pub offset_bytes: Option<u64>,
    pub term: TermId,
    /// The program leaves it open; otherwise, it may be that automata know too little.
    pub is_choice: bool,
}

/// Code between two locations.
#[derive(Clone)]
pub struct Edge {
    pub from: LocationId,
    /// Guard, over variables and inputs. At most one edge of a location has a true guard.
    pub guard: TermId,
    /// New values of variables.
    pub updates: Vec<(Key, TermId)>,
    /// Number of instructions and terminators that it executes, 32 bits.
    pub count: TermId,
    pub outcome: Outcome,
}

/// End of an edge: where it leads, or what ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Goto(LocationId),
    /// The next instruction is a violated assertion.
    Violation {
        property: Property,
        loc: Loc,
    },
    /// The next instruction is undefined.
    Undefined {
        why: Undefined,
        loc: Loc,
    },
    /// The next instruction is not modelled.
    Unsupported {
        what: String,
        loc: Loc,
    },
}

impl Point {
    /// Atomic section: true if the position is within one.
    pub fn in_section(&self) -> bool {
        matches!(self, Point::Code(_, depth) if *depth > 0)
    }
}

/// Variables that stand for the registers of a location.
pub(super) type Registers = HashMap<VarId, Key, FxBuildHasher>;

/// Reasons why a program has no automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An object is larger than addresses can tell.
    AddressSpace(Loc),
    /// A thread of which there may be any number, created here, hands on the address of an object of its own.
    HandedOn(Loc),
    /// Exploration has too many steps.
    TooLarge,
    /// The budget is used up.
    Stopped(StopReason),
}
