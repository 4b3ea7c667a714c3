//! How memory behaves, as a state transformer: one memory model per file.
//!
//! Schemes that compute memory forwards (`lazy`) reach shared memory through [`Memory`] alone. A state is a value; an
//! operation takes the condition under which it is executed, `when`, and turns the state into the one after it: where
//! `when` does not hold, nothing changes, and what a read returns is arbitrary. Operations may make free choices of
//! their own (when buffered writes reach memory): they take the formula, to constrain them.
//!
//! | operation | who calls it |
//! |---|---|
//! | [`init`](Memory::init) | once, before the first step |
//! | [`turn`](Memory::turn) | at the beginning of a thread's turn, whether it executes something or not |
//! | [`read`](Memory::read), [`write`](Memory::write) | plain and atomic accesses |
//! | [`lock`](Memory::lock), [`unlock`](Memory::unlock) | the read and the write of a word that locks change: around them nothing is pending |
//! | [`fence`](Memory::fence) | fences, and whatever else waits for the thread's writes: creation, end, both ends of an atomic section |

mod sc;

pub use sc::Sc;

use crate::circuit::Formula;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::ir::MemOrder;
use crate::term::{TermId, Terms};

/// Where operations build what they need.
pub struct Circuit<'a> {
    /// Words and conditions.
    pub terms: &'a mut Terms,
    /// Constraints on free choices.
    pub formula: &'a mut Formula,
}

/// A state of memory, and how operations change it. All conditions have width 1; a value is as wide as its cell.
pub trait Memory: Clone {
    /// Whether accesses of different cells, and reads of one, can be exchanged: schedules can be pruned by conflicts.
    const COMMUTES: bool;
    /// Whether others see a write as soon as its step has been executed.
    const IMMEDIATE: bool;

    /// Memory when main starts.
    fn init(program: &EventProgram) -> Self;

    /// A turn of a thread begins.
    fn turn(&mut self, circuit: &mut Circuit, thread: ThreadId);

    /// What a thread reads from a cell.
    fn read(
        &mut self,
        circuit: &mut Circuit,
        thread: ThreadId,
        cell: CellId,
        when: TermId,
    ) -> TermId;

    /// A thread writes to a cell.
    fn write(
        &mut self,
        circuit: &mut Circuit,
        thread: ThreadId,
        cell: CellId,
        value: TermId,
        when: TermId,
    );

    /// What a thread sees of the word of a lock, with nothing of its own pending.
    fn lock(
        &mut self,
        circuit: &mut Circuit,
        thread: ThreadId,
        cell: CellId,
        when: TermId,
    ) -> TermId {
        self.fence(circuit, thread, None, when);
        self.read(circuit, thread, cell, when)
    }

    /// A thread changes the word of a lock; everything it wrote before, and this, is in memory then.
    fn unlock(
        &mut self,
        circuit: &mut Circuit,
        thread: ThreadId,
        cell: CellId,
        value: TermId,
        when: TermId,
    ) {
        self.fence(circuit, thread, None, when);
        self.write(circuit, thread, cell, value, when);
        self.fence(circuit, thread, None, when);
    }

    /// A fence of an order; `None`: everything that the thread wrote is in memory after it.
    fn fence(
        &mut self,
        circuit: &mut Circuit,
        thread: ThreadId,
        order: Option<MemOrder>,
        when: TermId,
    );
}
