//! Sequential consistency: a word per cell, nothing is ever pending.

use super::{Circuit, Memory};
use crate::base::IdVec;
use crate::event::{CellId, EventProgram, ThreadId};
use crate::ir::MemOrder;
use crate::term::TermId;

/// Memory as one word per cell.
#[derive(Clone)]
pub struct Sc {
    cells: IdVec<CellId, TermId>,
}

impl Memory for Sc {
    const COMMUTES: bool = true;
    const IMMEDIATE: bool = true;

    fn init(program: &EventProgram) -> Sc {
        Sc {
            cells: program.cells.iter().map(|cell| cell.init).collect(),
        }
    }

    fn turn(&mut self, _: &mut Circuit, _: ThreadId) {}

    fn read(&mut self, _: &mut Circuit, _: ThreadId, cell: CellId, _: TermId) -> TermId {
        self.cells[cell]
    }

    fn write(
        &mut self,
        circuit: &mut Circuit,
        _: ThreadId,
        cell: CellId,
        value: TermId,
        when: TermId,
    ) {
        self.cells[cell] = circuit.terms.ite(when, value, self.cells[cell]);
    }

    fn fence(&mut self, _: &mut Circuit, _: ThreadId, _: Option<MemOrder>, _: TermId) {}
}
