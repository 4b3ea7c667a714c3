//! Results that are missing: functions whose end can be reached although somebody uses what they return.
//!
//! Such a call is undefined (C11 6.9.1p12), which a run finds where it comes to it. Nobody is warned of a start routine
//! without `return` whose thread is joined for its end alone, or of a function whose calls are statements: those are fine.

use super::Lowerer;
use crate::base::id::Id;
use crate::base::{IdVec, WarningKind};
use crate::ir::{Callee, FuncId, Function, Instr, InstrKind, Operand, Reg};

/// Functions of libraries that do not return.
const ENDS: [&str; 10] = [
    "_Exit",
    "__assert_fail",
    "__builtin_trap",
    "_exit",
    "abort",
    "exit",
    "longjmp",
    "pthread_exit",
    "quick_exit",
    "thrd_exit",
];

impl Lowerer {
    /// Warns of functions that end without the result that a call uses.
    pub(super) fn warn_of_missing_results(&mut self, functions: &IdVec<FuncId, Function>) {
        let used = used_results(functions);
        for (id, index) in self.function_ids.clone().iter_ids() {
            let Some((reg, at)) = self.functions[*index].falls_off else {
                continue;
            };
            if used[id.index()] && self.comes_to(&functions[id], reg) {
                let name = self.functions[*index].name.clone();
                let text = format!(
                    "`{name}` may come to its end without `return`, and a call uses its result"
                );
                self.warn_at(at, WarningKind::MissingReturn, text);
            }
        }
    }

    /// True if control can come to the end of a function, where a register stands for the missing result.
    fn comes_to(&self, function: &Function, end: Reg) -> bool {
        let mut seen = vec![false; function.blocks.len()];
        let mut work = vec![function.entry];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let block = &function.blocks[id];
            for instr in &block.instrs {
                if instr.kind.dst() == Some(end) {
                    return true;
                }
                if self.ends(instr) {
                    break;
                }
            }
            if !block.instrs.iter().any(|instr| self.ends(instr)) {
                work.extend(block.end.successors());
            }
        }
        false
    }

    /// True for a call that does not come back.
    fn ends(&self, instr: &Instr) -> bool {
        let draft = |name: &str| {
            let mut all = self.functions.iter();
            all.any(|draft| draft.name == name && draft.never_returns)
        };
        match &instr.kind {
            InstrKind::Call { callee, .. } => match callee {
                Callee::Direct(id) => self.functions[self.function_ids[*id]].never_returns,
                Callee::Extern(call) => ENDS.contains(&&*call.name) || draft(&call.name),
                Callee::Indirect(_) => false,
            },
            InstrKind::Defined {
                cond: Operand::Const { value: 0, .. },
                ..
            } => true,
            _ => false,
        }
    }
}

/// Functions whose result some direct call uses.
fn used_results(functions: &IdVec<FuncId, Function>) -> Vec<bool> {
    let mut used = vec![false; functions.len()];
    for function in functions.iter() {
        let mut read = vec![false; function.regs.len()];
        let mut note = |operand: Operand| {
            if let Operand::Reg(reg) = operand {
                read[reg.index()] = true;
            }
        };
        for block in function.blocks.iter() {
            let instrs = block.instrs.iter();
            instrs.for_each(|instr| instr.kind.operands().into_iter().for_each(&mut note));
            block.end.operand().into_iter().for_each(&mut note);
        }
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            if let InstrKind::Call {
                dst: Some(dst),
                callee: Callee::Direct(id),
                ..
            } = &instr.kind
            {
                used[id.index()] |= read[dst.index()];
            }
        }
    }
    used
}
