//! Memory models as state transformers, one per file.
//!
//! Schemes that compute memory forwards (`lazy`) reach shared memory through [`Memory`] alone (the paper calls it a shared
//! memory abstraction). A state is a value; an operation takes the condition under which it is executed, `when`, and
//! turns the state into the one after it: where `when` does not hold, nothing changes, and what a read returns is
//! arbitrary. Operations may make free choices of their own (when buffered writes reach memory): they take the formula,
//! to constrain them. A choice that a bound leaves no value for makes `when` impossible: the thread has not got there.
//!
//! | operation | in the paper | who calls it |
//! |---|---|---|
//! | [`init`](Memory::init) | `init` | once, before the first step |
//! | [`pass`](Memory::pass) | `clock_update` | before each step that can tell: time passes, and writes may reach memory. Within a step none does |
//! | [`read`](Memory::read), [`write`](Memory::write) | `read`, `write` | accesses of every kind, one call for each cell that an address may mean: `read_addr` and `write_addr` |
//! | [`fence`](Memory::fence) | `fence` | what waits for the thread's writes: fences, creation, end, and all that has a fence in its step (locks, read-modify-writes, atomic sections) |
//! | [`order`](Memory::order) | – | fences of C11 that keep writes in order without waiting |
//!
//! | file | what it holds |
//! |---|---|
//! | `sc` | a word per cell |
//! | `list`, `tso`, `pso` | lists with stamps: eTSO-SMA and ePSO-SMA |
//! | `buffers` | store buffers: TSO-SMA and PSO-SMA, the reference |
//! | `bounds` | how much of it is looked at |
//!
//! `lock` and `unlock` are steps of a fence, a read and a write here, `addr` and `malloc` are decided before any scheme
//! sees the program: addresses are terms, and an access names the cells that it may touch.

mod bounds;
mod buffers;
mod list;
mod pso;
mod sc;
mod tso;

pub use bounds::{Abstraction, Bounds, Limits, Tracked, delayed};
pub use buffers::Buffers;
pub use list::Lists;
pub use pso::Pso;
pub use sc::Sc;
pub use tso::Tso;

use crate::circuit::Formula;
use crate::event::{CellId, EventId, EventProgram, MemoryModel, ThreadId};
use crate::goal::Model;
use crate::term::{TermId, Terms};
use hashbrown::HashMap;

/// Circuit under construction, in which operations build what they need.
pub struct Circuit<'a> {
    /// Words and conditions.
    pub terms: &'a mut Terms,
    /// Constraints on free choices.
    pub formula: &'a mut Formula,
    /// Free choices.
    pub guesses: &'a mut Guesses,
}

/// Free choice (guess) of an event, one in an execution: an event happens at most once, in whatever slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guess {
    /// The time at a step.
    Clock,
    /// The time at which a step's write reaches memory.
    Stamp,
    /// The place of a write in the list of its variable: the node that becomes its successor.
    Successor,
    /// Commit, before a step and in the pass of this number, of the buffered write of another step (its first event).
    Commit(u32, EventId),
}

/// Choices that have been made so far.
#[derive(Default)]
pub struct Guesses(HashMap<(Guess, EventId), TermId>);

impl Circuit<'_> {
    /// The choice of an event.
    fn guess(&mut self, what: Guess, event: EventId, bits: u16) -> TermId {
        let terms = &mut *self.terms;
        let guesses = &mut self.guesses.0;
        *guesses
            .entry((what, event))
            .or_insert_with(|| terms.fresh(&format!("{what:?}.{}", event.0), bits))
    }

    /// A condition that holds where an operation is executed.
    fn demand(&mut self, when: TermId, condition: TermId) {
        let when = self.formula.lit_of(self.terms, when);
        let condition = self.formula.lit_of(self.terms, condition);
        self.formula.add_clause(&[!when, condition]);
    }
}

/// Way of a write to memory: at once, or through the store buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// At once: nothing of its thread is pending.
    Direct,
    /// At any time from now on.
    Buffered {
        /// After all earlier writes of its thread.
        last: bool,
    },
}

/// Next event of a step, as far as time matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Next {
    /// Nothing.
    Other,
    /// A fence.
    Fence,
    /// An access to a cell that writes may be pending to.
    Access,
}

/// A write to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// The thread that writes.
    pub thread: ThreadId,
    /// The event.
    pub event: EventId,
    /// The first event of its step: buffered writes of one step are parts of one, which reaches memory as a whole.
    pub step: EventId,
    /// The cell that is written.
    pub cell: CellId,
    /// Stored value.
    pub value: TermId,
    /// The way to memory.
    pub way: Way,
}

/// A write that has reached memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The number of the operation with which it did.
    pub at: usize,
    /// The write.
    pub event: EventId,
}

/// A state of memory, and how operations change it. All conditions have width 1; a value is as wide as its cell.
pub trait Memory: Clone {
    /// Memory when main starts.
    fn init(program: &mut EventProgram, bounds: Bounds) -> Self;

    /// True if writes to a cell may be pending. Of all other cells, everybody sees a write as soon as its step has been
    /// executed: their accesses are those of sequential consistency.
    fn is_delayed(&self, cell: CellId) -> bool;

    /// Time passes before a step, of which this is the first event. Only what follows needs it: otherwise it may as well
    /// pass later.
    fn pass(&mut self, circuit: &mut Circuit, step: EventId, next: Next, when: TermId);

    /// Value that a thread reads from a cell, with store forwarding.
    fn read(&self, circuit: &mut Circuit, thread: ThreadId, cell: CellId) -> TermId;

    /// A thread writes to a cell.
    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId);

    /// Everything that the thread wrote is in memory.
    fn fence(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId);

    /// Memory as a thread sees it in a step that may turn out to be a fence: behind the fence, if it does.
    fn fenced(&self, circuit: &mut Circuit, thread: ThreadId, when: TermId) -> Self;

    /// Ordering fence: the thread's writes from here on reach memory after all that it wrote before.
    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId);

    /// Number of operations so far that changed something, which is the number of the next one; always 0 under
    /// sequential consistency, which has no commits.
    fn operations(&self) -> usize;

    /// The writes that reach memory in a model, in order.
    fn commits(&self, model: &mut dyn Model) -> Vec<Commit>;
}

/// The memory of a program's model.
#[derive(Clone)]
pub enum Chosen {
    /// Sequential consistency.
    Sc(Sc),
    /// Total store order, by lists.
    Tso(Lists<Tso>),
    /// Partial store order, by lists.
    Pso(Lists<Pso>),
    /// Either, by buffers.
    Buffers(Buffers),
}

/// The same operation of whatever memory it is.
macro_rules! any {
    ($self:ident, $memory:ident => $what:expr) => {
        match $self {
            Chosen::Sc($memory) => $what,
            Chosen::Tso($memory) => $what,
            Chosen::Pso($memory) => $what,
            Chosen::Buffers($memory) => $what,
        }
    };
}

impl Memory for Chosen {
    fn init(program: &mut EventProgram, bounds: Bounds) -> Chosen {
        match (program.memory, bounds.abstraction) {
            (MemoryModel::Sc, _) => Chosen::Sc(Sc::init(program, bounds)),
            (_, Abstraction::Buffers) => Chosen::Buffers(Buffers::init(program, bounds)),
            (MemoryModel::Tso, Abstraction::Lists) => Chosen::Tso(Lists::init(program, bounds)),
            (MemoryModel::Pso, Abstraction::Lists) => Chosen::Pso(Lists::init(program, bounds)),
        }
    }

    fn is_delayed(&self, cell: CellId) -> bool {
        any!(self, memory => memory.is_delayed(cell))
    }

    fn pass(&mut self, circuit: &mut Circuit, step: EventId, next: Next, when: TermId) {
        any!(self, memory => memory.pass(circuit, step, next, when))
    }

    fn read(&self, circuit: &mut Circuit, thread: ThreadId, cell: CellId) -> TermId {
        any!(self, memory => memory.read(circuit, thread, cell))
    }

    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId) {
        any!(self, memory => memory.write(circuit, write, when))
    }

    fn fence(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId) {
        any!(self, memory => memory.fence(circuit, thread, when))
    }

    fn fenced(&self, circuit: &mut Circuit, thread: ThreadId, when: TermId) -> Chosen {
        match self {
            Chosen::Sc(memory) => Chosen::Sc(memory.fenced(circuit, thread, when)),
            Chosen::Tso(memory) => Chosen::Tso(memory.fenced(circuit, thread, when)),
            Chosen::Pso(memory) => Chosen::Pso(memory.fenced(circuit, thread, when)),
            Chosen::Buffers(memory) => Chosen::Buffers(memory.fenced(circuit, thread, when)),
        }
    }

    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId) {
        any!(self, memory => memory.order(circuit, thread, when))
    }

    fn operations(&self) -> usize {
        any!(self, memory => memory.operations())
    }

    fn commits(&self, model: &mut dyn Model) -> Vec<Commit> {
        any!(self, memory => memory.commits(model))
    }
}
