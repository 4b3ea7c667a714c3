//! Sequential consistency: a word per cell, nothing is ever pending.

use super::{Bounds, Circuit, Commit, Memory, Next, Write};
use crate::base::IdVec;
use crate::event::{CellId, EventId, EventProgram, ThreadId};
use crate::goal::Model;
use crate::term::TermId;

/// Memory as one word per cell.
#[derive(Clone)]
pub struct Sc {
    cells: IdVec<CellId, TermId>,
}

impl Memory for Sc {
    fn init(program: &mut EventProgram, _: Bounds) -> Sc {
        Sc {
            cells: program.cells.iter().map(|cell| cell.init).collect(),
        }
    }

    fn is_delayed(&self, _: CellId) -> bool {
        false
    }

    fn pass(&mut self, _: &mut Circuit, _: (ThreadId, EventId), _: Next, _: TermId) {}

    fn read(&self, _: &mut Circuit, _: ThreadId, cell: CellId) -> TermId {
        self.cells[cell]
    }

    fn write(&mut self, circuit: &mut Circuit, write: Write, when: TermId) {
        let cell = &mut self.cells[write.cell];
        *cell = circuit.terms.ite(when, write.value, *cell);
    }

    fn fence(&mut self, _: &mut Circuit, _: ThreadId, _: TermId) {}

    fn fenced(&self, _: &mut Circuit, _: ThreadId, _: TermId) -> Sc {
        self.clone()
    }

    fn order(&mut self, _: &mut Circuit, _: ThreadId, _: TermId, _: TermId) {}

    fn operations(&self) -> usize {
        0
    }

    fn commits(&self, _: &mut dyn Model) -> Vec<Commit> {
        Vec::new()
    }
}
