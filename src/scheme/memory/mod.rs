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
//! | `circuit` | what operations build: words, constraints, free choices |
//! | `chosen` | the memory of a program's model |
//!
//! `lock` and `unlock` are steps of a fence, a read and a write here, `addr` and `malloc` are decided before any scheme
//! sees the program: addresses are terms, and an access names the cells that it may touch.

mod bounds;
mod buffers;
mod chosen;
mod circuit;
mod list;
mod pso;
mod sc;
mod tso;

pub use bounds::{Abstraction, Bounds, Limits, Tracked, delayed};
pub use buffers::Buffers;
pub use chosen::Chosen;
pub use circuit::{Circuit, Guess, Guesses};
pub use list::Lists;
pub use pso::Pso;
pub use sc::Sc;
pub use tso::Tso;

use crate::event::{CellId, EventId, EventProgram, ThreadId};
use crate::goal::Model;
use crate::term::TermId;

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
    /// The condition that it is made where its step is executed.
    pub made: TermId,
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

    /// Time passes before a step of a thread, of which this is the first event. Only what follows needs it: otherwise it
    /// may as well pass later.
    fn pass(&mut self, circuit: &mut Circuit, step: (ThreadId, EventId), next: Next, when: TermId);

    /// Value that a thread reads from a cell, with store forwarding.
    fn read(&self, circuit: &mut Circuit, thread: ThreadId, cell: CellId) -> TermId;

    /// A thread writes to a cell.
    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId);

    /// Everything that the thread wrote is in memory.
    fn fence(&mut self, circuit: &mut Circuit, thread: ThreadId, when: TermId);

    /// Memory as a thread sees it in a step that may turn out to be a fence: behind the fence, if it does.
    fn fenced(&self, circuit: &mut Circuit, thread: ThreadId, when: TermId) -> Self;

    /// Ordering fence, under a condition where its step is executed `here`: the thread's writes from then on reach memory after all
    /// that it wrote before.
    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, made: TermId, here: TermId);

    /// Number of operations so far that changed something, which is the number of the next one; always 0 under
    /// sequential consistency, which has no commits.
    fn operations(&self) -> usize;

    /// The writes that reach memory in a model, in order.
    fn commits(&self, model: &mut dyn Model) -> Vec<Commit>;
}
