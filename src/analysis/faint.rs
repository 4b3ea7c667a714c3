//! Faint registers: those whose value goes nowhere but into other such registers, as what a call returns that nobody looks at.

use super::liveness::{RegSet, register, uses};
use crate::ir::{Function, Instr, InstrKind, Reg};

/// True if a register is faint. Quadratic in the assignments of a function at worst.
pub fn is_faint(function: &Function, reg: Reg) -> bool {
    let mut seen = RegSet::empty(function.regs.len());
    let mut work = vec![reg];
    seen.insert(reg);
    while let Some(reg) = work.pop() {
        for block in function.blocks.iter() {
            if block.end.operand().and_then(register) == Some(reg) {
                return false;
            }
            for instr in block.instrs.iter().filter(|instr| reads(instr, reg)) {
                // An assignment does nothing else.
                let InstrKind::Assign { dst, .. } = &instr.kind else {
                    return false;
                };
                if !seen.contains(*dst) {
                    seen.insert(*dst);
                    work.push(*dst);
                }
            }
        }
    }
    true
}

fn reads(instr: &Instr, reg: Reg) -> bool {
    let mut found = false;
    uses(instr, |used| found |= used == reg);
    found
}
