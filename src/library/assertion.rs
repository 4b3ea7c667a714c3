//! `if (!e) fail();` becomes an assertion of `e`.
//!
//! The `assert` macro and the functions that tasks define in its place branch to a call that reports the violation.
//! Asserting the condition before the branch is the same, is one event on the path that is taken anyway, and lets
//! later stages say whether an assertion was reached at all.

use crate::base::Loc;
use crate::base::id::Id;
use crate::ir::{
    BlockId, Function, Instr, InstrKind, Operand, Property, RegInfo, Rvalue, Terminator, UnOp,
};

/// Moves assertions that always fail, in blocks of their own, to the branches that lead there.
pub(super) fn hoist(function: &mut Function) {
    let mut predecessors: Vec<Vec<BlockId>> = vec![vec![]; function.blocks.len()];
    for (id, block) in function.blocks.iter_ids() {
        for successor in block.end.successors() {
            predecessors[successor.index()].push(id);
        }
    }
    for failing in function.blocks.ids() {
        let Some((property, loc)) = always_fails(function, failing) else {
            continue;
        };
        let from = &predecessors[failing.index()];
        let branches = |from: &BlockId| branch_to(function, *from, failing).is_some();
        if failing == function.entry || from.is_empty() || !from.iter().all(branches) {
            continue;
        }
        for from in from {
            let Some((cond, when)) = branch_to(function, *from, failing) else {
                continue;
            };
            let mut push = |kind| function.blocks[*from].instrs.push(Instr { kind, loc });
            let cond = if when {
                let dst = function.regs.push(RegInfo::temporary(1));
                push(InstrKind::Assign {
                    dst,
                    value: Rvalue::Unary(UnOp::Not, cond),
                });
                Operand::Reg(dst)
            } else {
                cond
            };
            push(InstrKind::Assert { cond, property });
        }
        function.blocks[failing].instrs.clear();
    }
}

/// Assertion of a block that does nothing but fail and stop: its property and place; `None` for other blocks.
fn always_fails(function: &Function, block: BlockId) -> Option<(Property, Loc)> {
    let block = &function.blocks[block];
    match (block.instrs.as_slice(), &block.end) {
        (
            [
                Instr {
                    kind:
                        InstrKind::Assert {
                            cond: Operand::Const { value: 0, .. },
                            property,
                        },
                    loc,
                },
            ],
            Terminator::Stop,
        ) => Some((*property, *loc)),
        _ => None,
    }
}

/// The condition on which a block branches to another, and for which value of it.
fn branch_to(function: &Function, from: BlockId, to: BlockId) -> Option<(Operand, bool)> {
    match function.blocks[from].end {
        Terminator::Branch { cond, then, other } if then != other => Some((cond, then == to)),
        _ => None,
    }
}
