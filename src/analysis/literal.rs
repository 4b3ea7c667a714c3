//! Tests at the ends of blocks: what they depend on within their block.
//!
//! Some are decided as the program is written: their condition is computed, within their block, from
//! constants alone (a test of what `pthread_create` returned, where creation always succeeds).
//!
//! Symbolic execution wants to tell them from tests that fold because of the values at hand. A loop that leaves only
//! by the former never ends by itself, however often they fold.

use super::liveness::{RegSet, register, uses};
use crate::base::IdVec;
use crate::ir::{Block, BlockId, Function, InstrKind, Operand, Reg, Terminator};

/// For each block, whether its end has one way to go, or a condition made of constants.
pub fn literal_ends(function: &Function) -> IdVec<BlockId, bool> {
    let registers = function.regs.len();
    function
        .blocks
        .iter()
        .map(|block| is_literal(block, registers))
        .collect()
}

fn is_literal(block: &Block, registers: usize) -> bool {
    let (Terminator::Branch { cond: op, .. } | Terminator::Switch { value: op, .. }) = &block.end
    else {
        return true;
    };
    let Operand::Reg(decides) = op else {
        return true;
    };
    let mut constant = RegSet::empty(registers);
    for instr in &block.instrs {
        let Some(dst) = instr.kind.dst() else {
            continue;
        };
        let mut computed = matches!(instr.kind, InstrKind::Assign { .. });
        uses(instr, |reg| computed &= constant.contains(reg));
        if computed {
            constant.insert(dst);
        } else {
            constant.remove(dst);
        }
    }
    constant.contains(*decides)
}

/// Registers that the test at a block's end depends on: those that come into the block, or are made there by something
/// other than computing.
pub fn tested(block: &Block) -> Vec<Reg> {
    let mut waiting = Vec::from_iter(block.end.operand().and_then(register));
    for instr in block.instrs.iter().rev() {
        let Some(at) = waiting
            .iter()
            .position(|reg| instr.kind.dst() == Some(*reg))
        else {
            continue;
        };
        if matches!(instr.kind, InstrKind::Assign { .. }) {
            waiting.swap_remove(at);
            uses(instr, |reg| {
                if !waiting.contains(&reg) {
                    waiting.push(reg);
                }
            });
        }
    }
    waiting
}
