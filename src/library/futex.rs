//! Futexes: whether the program looks at how many threads a wake has found.
//!
//! Only then, and where deadlocks are asked for, has anybody to know who waits: all that a wake does besides is that a thread goes on, which one
//! that waits may do for no cause. So the queue is kept only there (`models/futex.c`), and an iteration that waits writes nothing.

use super::system::FUTEX;
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::ir::reach::{pointed_functions, reached_functions};
use crate::ir::{Callee, FuncId, Function, InstrKind, Operand, Program, Reg, Rvalue, Terminator};

/// Operations that wait, without the flags: their result says nothing of others.
const WAITS: [u128; 2] = [0, 9];
/// `FUTEX_PRIVATE_FLAG` and `FUTEX_CLOCK_REALTIME`.
const FLAGS: u128 = 128 | 256;
/// The argument that is the operation.
const OPERATION: usize = 1;

/// Callee whose result may count threads: the futex itself (`None`), or a function that returns its result; and the argument that is the
/// operation, if it is not known to wake.
type Target = (Option<FuncId>, Option<usize>);

/// Number of woken threads: true if something may depend on it.
pub(super) fn counts_wakes(program: &Program) -> bool {
    let pointed = pointed_functions(program, &reached_functions(program));
    let mut seen: SortedSet<Target> = SortedSet::new();
    let mut waiting = vec![(None, Some(OPERATION))];
    while let Some(target) = waiting.pop() {
        if !seen.insert(target) {
            continue;
        }
        for (id, function) in program.functions.iter_ids() {
            for (dst, args) in calls(function, target.0) {
                let operation = target.1.map(|at| args.get(at).copied());
                let through = match operation {
                    Some(Some(Operand::Const { value, .. }))
                        if WAITS.contains(&(value & !FLAGS)) =>
                    {
                        continue;
                    }
                    Some(Some(Operand::Reg(reg))) if !is_set(function, reg) => {
                        function.params.iter().position(|param| *param == reg)
                    }
                    _ => None,
                };
                // Functions that anybody may call, or that begin a thread, have results that anybody may use.
                let is_open = id == program.main || pointed[id.index()];
                match flow(function, dst) {
                    Flow::Unused => {}
                    Flow::Returned if !is_open => waiting.push((Some(id), through)),
                    Flow::Returned | Flow::Used => return true,
                }
            }
        }
    }
    false
}

/// Calls whose results are used, with their arguments: of a function of the program, or of the futex.
fn calls(function: &Function, of: Option<FuncId>) -> impl Iterator<Item = (Reg, &Vec<Operand>)> {
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    instrs.filter_map(move |instr| {
        let InstrKind::Call {
            dst: Some(dst),
            callee,
            args,
        } = &instr.kind
        else {
            return None;
        };
        let is_it = match (callee, of) {
            (Callee::Extern(call), None) => call.name == FUTEX,
            (Callee::Direct(callee), Some(wanted)) => *callee == wanted,
            _ => false,
        };
        is_it.then_some((*dst, args))
    })
}

/// Flow of a result out of the register that it is in.
enum Flow {
    Unused,
    /// It is returned, and nothing else.
    Returned,
    Used,
}

/// True if a function sets a register, which is a parameter, to something else.
fn is_set(function: &Function, param: Reg) -> bool {
    let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    instrs.any(|instr| instr.kind.dst() == Some(param))
}

/// Flow of the result in a register.
fn flow(function: &Function, dst: Reg) -> Flow {
    let mut copies = SortedSet::from([dst]);
    let mut found = Flow::Unused;
    // Copies of copies are met in later rounds.
    loop {
        let before = copies.len();
        for block in function.blocks.iter() {
            for instr in &block.instrs {
                let mut operands = instr.kind.operands().into_iter();
                if !operands.any(|operand| is_one(operand, &copies)) {
                    continue;
                }
                match &instr.kind {
                    InstrKind::Assign {
                        dst,
                        value:
                            Rvalue::Use(_)
                            | Rvalue::ZeroExtend(_)
                            | Rvalue::SignExtend(_)
                            | Rvalue::Truncate(_),
                    } => {
                        copies.insert(*dst);
                    }
                    _ => return Flow::Used,
                }
            }
            match &block.end {
                end if !end.operand().is_some_and(|value| is_one(value, &copies)) => {}
                Terminator::Return(_) => found = Flow::Returned,
                _ => return Flow::Used,
            }
        }
        if copies.len() == before {
            return found;
        }
    }
}

fn is_one(operand: Operand, of: &SortedSet<Reg>) -> bool {
    matches!(operand, Operand::Reg(reg) if of.contains(&reg))
}
