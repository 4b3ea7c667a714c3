//! Narrow integers (LazySMA, §VI): shared variables hold only as many bits as bugs need.
//!
//! The paper analyses the program with integers of a few bits, which wrap around, and checks a counterexample again at
//! full width along its schedule, since it may be none there. Here a variable in shared memory holds only so many bits,
//! and an execution that writes what does not fit is left out; computations keep their width. So every counterexample is
//! one at full width, and holds when it is replayed along the same schedule: none is lost to a check that fails, and the
//! width need not grow for that reason. What is left out makes the answer a bounded one.
//!
//! Some variables keep their width: those that hold addresses, and those that are written constants which do not fit.

use crate::base::IdVec;
use crate::event::{CellId, EventKind, EventProgram};
use crate::term::{Node, TermId, VarId};

/// By cell: how many bits it holds, as a signed number; `None` for all.
pub(super) fn widths(program: &EventProgram, bits: Option<u16>) -> IdVec<CellId, Option<u16>> {
    let Some(bits) = bits else {
        return program.cells.iter().map(|_| None).collect();
    };
    let mut wide: IdVec<CellId, bool> =
        program.cells.iter().map(|cell| cell.bits <= bits).collect();
    // Cells that a variable is read from.
    let mut cells_of: Vec<Vec<CellId>> = vec![Vec::new(); program.terms.variables()];
    for event in program.events.iter() {
        if let EventKind::Read { value, targets, .. } = &event.kind
            && let Some(VarId(var)) = program.terms.var_of(*value)
        {
            cells_of[var as usize].extend(program.possible(targets).map(|t| t.cell));
        }
    }
    loop {
        let mut changed = false;
        let mut known: Vec<Option<bool>> = vec![None; program.terms.len()];
        for (id, cell) in program.cells.iter_ids() {
            if !wide[id] && is_wide(program, bits, &wide, &cells_of, &mut known, cell.init) {
                wide[id] = true;
                changed = true;
            }
        }
        for event in program.events.iter() {
            let EventKind::Write { value, targets, .. } = &event.kind else {
                continue;
            };
            if !is_wide(program, bits, &wide, &cells_of, &mut known, *value) {
                continue;
            }
            for target in program.possible(targets) {
                changed |= !std::mem::replace(&mut wide[target.cell], true);
            }
        }
        if !changed {
            break;
        }
    }
    wide.iter().map(|&wide| (!wide).then_some(bits)).collect()
}

/// Wide values: true if a value comes from a constant that does not fit, or from a wide cell. Conditions do not count.
fn is_wide(
    program: &EventProgram,
    bits: u16,
    wide: &IdVec<CellId, bool>,
    cells_of: &[Vec<CellId>],
    known: &mut [Option<bool>],
    t: TermId,
) -> bool {
    let terms = &program.terms;
    let mut stack = vec![t];
    while let Some(&top) = stack.last() {
        let index = top.0 as usize;
        if known[index].is_some() {
            stack.pop();
            continue;
        }
        let width = terms.bits(top);
        let result = match terms.node(top) {
            _ if width == 1 => false,
            Node::Constant(value) => {
                let sign = 1u128 << (bits - 1);
                let end = 1u128.checked_shl(u32::from(width)).unwrap_or(0);
                width > bits && value >= sign && value < end.wrapping_sub(sign)
            }
            Node::Variable(VarId(var)) => {
                let cells = cells_of.get(var as usize).map_or(&[][..], Vec::as_slice);
                cells
                    .iter()
                    .any(|&cell| wide[cell] && program.cells[cell].bits > bits)
            }
            _ => {
                let open = terms.children(top).find(|c| known[c.0 as usize].is_none());
                if let Some(child) = open {
                    stack.push(child);
                    continue;
                }
                terms
                    .children(top)
                    .any(|c| known[c.0 as usize] == Some(true))
            }
        };
        known[index] = Some(result);
        stack.pop();
    }
    known[t.0 as usize] == Some(true)
}
