//! Reachable functions of a program.

use super::{Callee, FuncId, GlobalId, InstrKind, Operand, Program, Rvalue, Terminator};
use crate::base::id::Id;

/// Functions that can be reached from `main`, by [`FuncId`]: called, or with their address taken in reached code or in
/// initialisers of objects that reached code names.
pub fn reached_functions(program: &Program) -> Vec<bool> {
    let mut reach = Reach {
        functions: vec![false; program.functions.len()],
        globals: vec![false; program.globals.len()],
        work: Vec::new(),
        global_work: Vec::new(),
    };
    reach.function(program.main);
    loop {
        if let Some(id) = reach.work.pop() {
            for block in program.functions[id].blocks.iter() {
                for instr in &block.instrs {
                    reach.instr(&instr.kind);
                }
                reach.terminator(&block.end);
            }
        } else if let Some(id) = reach.global_work.pop() {
            for part in &program.globals[id].init {
                reach.operand(part.value);
            }
        } else {
            return reach.functions;
        }
    }
}

struct Reach {
    functions: Vec<bool>,
    globals: Vec<bool>,
    work: Vec<FuncId>,
    global_work: Vec<GlobalId>,
}

impl Reach {
    fn function(&mut self, id: FuncId) {
        if !std::mem::replace(&mut self.functions[id.index()], true) {
            self.work.push(id);
        }
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::FuncAddr(id) => self.function(id),
            Operand::GlobalAddr(id, _) => {
                if !std::mem::replace(&mut self.globals[id.index()], true) {
                    self.global_work.push(id);
                }
            }
            Operand::Reg(_) | Operand::Const { .. } => {}
        }
    }

    fn terminator(&mut self, end: &Terminator) {
        match end {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::ThreadExit(value)
            | Terminator::Return(Some(value)) => self.operand(*value),
            _ => {}
        }
    }

    fn instr(&mut self, kind: &InstrKind) {
        match kind {
            InstrKind::Assign { value, .. } => match value {
                Rvalue::Use(a)
                | Rvalue::Unary(_, a)
                | Rvalue::FromInteger(a)
                | Rvalue::ZeroExtend(a)
                | Rvalue::SignExtend(a)
                | Rvalue::Truncate(a) => self.operand(*a),
                Rvalue::Binary(_, a, b)
                | Rvalue::Offset {
                    base: a,
                    offset_bytes: b,
                } => {
                    self.operand(*a);
                    self.operand(*b);
                }
                Rvalue::Select { cond, then, other } => {
                    self.operand(*cond);
                    self.operand(*then);
                    self.operand(*other);
                }
                Rvalue::Float { operands, .. } => {
                    for operand in operands {
                        self.operand(*operand);
                    }
                }
            },
            InstrKind::Load { addr, .. } => self.operand(*addr),
            InstrKind::Store { addr, value, .. } => {
                self.operand(*addr);
                self.operand(*value);
            }
            InstrKind::Rmw { addr, operand, .. } => {
                self.operand(*addr);
                self.operand(*operand);
            }
            InstrKind::CmpXchg {
                addr,
                expected,
                desired,
                ..
            } => {
                self.operand(*addr);
                self.operand(*expected);
                self.operand(*desired);
            }
            InstrKind::Call { callee, args, .. } => {
                match callee {
                    Callee::Direct(id) => self.function(*id),
                    Callee::Indirect(addr) => self.operand(*addr),
                    Callee::Extern(_) => {}
                }
                for arg in args {
                    self.operand(*arg);
                }
            }
            // Lowering emits no other instruction with an address.
            _ => {}
        }
    }
}
