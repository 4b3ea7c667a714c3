//! Definite assignment: which variables certainly have a value where a function reads them.
//!
//! A variable that is declared without a value has a flag (`indeterminate.rs`). Where a flag is certainly set, nobody has to ask.

use crate::base::IdVec;
use crate::base::sorted::SortedSet;
use crate::ir::{BlockId, Function, Instr, InstrKind, Operand, Reg, Rvalue, Undefined};

/// The flag that an instruction sets, and how.
fn set_by(instr: &Instr, flags: &SortedSet<Reg>) -> Option<(Reg, bool)> {
    match instr.kind {
        InstrKind::Assign {
            dst,
            value: Rvalue::Use(Operand::Const { value, .. }),
        } if flags.contains(&dst) => Some((dst, value != 0)),
        _ => None,
    }
}

/// The flag that an instruction asks for.
fn asked_by(instr: &Instr) -> Option<Reg> {
    match instr.kind {
        InstrKind::Defined {
            cond: Operand::Reg(flag),
            why: Undefined::Indeterminate,
        } => Some(flag),
        _ => None,
    }
}

/// Leaves out what is certain: reads behind a value, and then flags that nobody asks for.
pub(super) fn prune(function: &mut Function, flags: &SortedSet<Reg>) {
    if flags.is_empty() {
        return;
    }
    let before = certain(function, flags);
    for (block, mut known) in function.blocks.iter_mut().zip(before.iter().cloned()) {
        block.instrs.retain(|instr| {
            if let Some((flag, value)) = set_by(instr, flags) {
                if value {
                    known.insert(flag);
                } else {
                    known.remove(&flag);
                }
            }
            // Who has asked knows.
            asked_by(instr).is_none_or(|flag| known.insert(flag))
        });
    }
    let blocks = || function.blocks.iter().flat_map(|block| &block.instrs);
    let asked: SortedSet<Reg> = blocks().filter_map(asked_by).collect();
    for block in function.blocks.iter_mut() {
        block
            .instrs
            .retain(|instr| set_by(instr, flags).is_none_or(|(flag, _)| asked.contains(&flag)));
    }
}

/// Flags that are certainly set at the start of each block.
fn certain(function: &Function, flags: &SortedSet<Reg>) -> IdVec<BlockId, SortedSet<Reg>> {
    let all = |_| flags.clone();
    let mut before: IdVec<BlockId, SortedSet<Reg>> = function.blocks.ids().map(all).collect();
    before[function.entry].clear();
    let mut work: Vec<BlockId> = function.blocks.ids().rev().collect();
    while let Some(id) = work.pop() {
        let mut known = before[id].clone();
        for instr in &function.blocks[id].instrs {
            if let Some((flag, value)) = set_by(instr, flags) {
                if value {
                    known.insert(flag);
                } else {
                    known.remove(&flag);
                }
            }
            known.extend(asked_by(instr));
        }
        for next in function.blocks[id].end.successors() {
            let count = before[next].len();
            before[next].retain(|flag| known.contains(flag));
            if before[next].len() != count {
                work.push(next);
            }
        }
    }
    before
}
