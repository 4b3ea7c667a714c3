//! The memory of a program's model, and of the abstraction that was asked for.

use super::{
    Abstraction, Bounds, Buffers, Circuit, Commit, Lists, Memory, Next, Pso, Sc, Tso, Write,
};
use crate::event::{CellId, EventId, EventProgram, MemoryModel, ThreadId};
use crate::goal::Model;
use crate::term::TermId;

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

    fn pass(&mut self, circuit: &mut Circuit, step: (ThreadId, EventId), next: Next, when: TermId) {
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

    fn order(&mut self, circuit: &mut Circuit, thread: ThreadId, made: TermId, here: TermId) {
        any!(self, memory => memory.order(circuit, thread, made, here))
    }

    fn operations(&self) -> usize {
        any!(self, memory => memory.operations())
    }

    fn commits(&self, model: &mut dyn Model) -> Vec<Commit> {
        any!(self, memory => memory.commits(model))
    }
}
