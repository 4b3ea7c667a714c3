//! From a program to one automaton per thread over finite variables, without any bound on loops.
//!
//! An automaton's locations are the places where others may come between: before accesses that conflict with another thread,
//! at locks and joins, and at loop heads. The acyclic code between two locations is one edge with a guard and simultaneous
//! updates, executed symbolically with merging where paths meet (`explore`). Functions are inlined; registers that live at a
//! location, cells of objects, mutexes, and whether threads have started and ended are variables.
//!
//! Passes find what is not known beforehand; each knows what the ones before have seen (`knowledge`): which cells two
//! threads access in conflict, and which bits of a variable are ever anything but constant (a forward analysis, so that
//! addresses, thread numbers and small counters cost few bits or none). What is known only grows, and the last pass has
//! found nothing new.
//!
//! Of the heap, every place (with the calls that lead to it, and the iterations of unrolled loops) allocates one object of
//! a size that is known; its cells are cut where accesses begin and end.
//!
//! Threads are created by main at places that it passes at most once; loops of main before that are unrolled
//! if their conditions fold. What does not fit is no error: where it is reached an edge ends in [`Outcome::Unsupported`].
//!
//! A thread that something stops (a false assumption, undefined behaviour) keeps what the edge has done before, because
//! others may see it, except in an atomic section, which then has not run.

mod address;
mod control;
mod domain;
mod explore;
mod knowledge;
mod life;
mod memory;
mod object;
pub mod product;
mod range;
pub mod relation;
mod reuse;
mod state;
mod thread;
mod word;

use crate::base::{Budget, IdVec, Loc, StopReason};
use crate::event::{Origin, ThreadId};
use crate::ids;
use crate::ir::address::{AddressSpace, Slot};
use crate::ir::position::PosKey;
use crate::ir::{BlockId, FuncId, Program, Property, Reg, Undefined};
use crate::term::{TermId, Terms, VarId};
use hashbrown::HashMap;
use std::collections::BTreeMap;

ids! {
    /// A location of one automaton.
    LocationId;
}

/// A program as automata.
pub struct Automata {
    /// Terms of all guards and updates.
    pub terms: Terms,
    /// By thread; 0 is main, the others in the order in which main creates them.
    pub threads: IdVec<ThreadId, Automaton>,
    /// All variables that updates change or guards read, registers in each location under a name of its own.
    pub variables: BTreeMap<Key, Variable>,
    /// Address space: how addresses are split into slot and offset.
    pub space: AddressSpace,
    /// Objects and functions with the slots they were given.
    pub slots: Vec<(SlotOwner, Slot)>,
    /// Slots from this number on belong to no object.
    pub used_slots: u32,
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
pub struct Location {
    /// Source location.
    pub loc: Loc,
    /// Position of the thread here.
    pub place: Point,
    /// Registers that live here: the term's variable that stands for each.
    pub registers: Vec<(Key, VarId)>,
    /// Free values that edges from here may use.
    pub inputs: Vec<Input>,
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

/// A variable of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// A register of a thread, in one activation of a function.
    Register { thread: u32, chain: u32, reg: Reg },
    /// Bytes of an object.
    Cell { slot: Slot, offset: u64, bytes: u32 },
    /// Mutex at this place: 1 if it is held.
    Mutex { slot: Slot, offset: u64 },
    /// Life of a local variable or of an object of the heap: 1 while it lives.
    Live(Slot),
    /// Start of a thread: 1 once main has created it.
    Started(u32),
    /// End of a thread: 1 once it has ended.
    Ended(u32),
    /// Result that a thread has returned.
    Result(u32),
}

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
}

/// Code between two locations.
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

/// Reasons why a program has no automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An object is larger than addresses can tell.
    AddressSpace(Loc),
    /// Exploration has too many steps.
    TooLarge,
    /// The budget is used up.
    Stopped(StopReason),
}

/// The automata of a program.
///
/// # Errors
/// See [`Refusal`].
pub fn automata(program: &Program, budget: &Budget) -> Result<Automata, Refusal> {
    let facts = crate::analysis::Facts::of(program);
    let mut knowledge = knowledge::Knowledge::new(program)?;
    loop {
        let found = explore::pass(program, &facts, &mut knowledge, budget)?;
        if !knowledge.take_changed() {
            return Ok(found);
        }
    }
}

/// Variables that stand for the registers of a location.
type Registers = HashMap<VarId, Key, rustc_hash::FxBuildHasher>;
