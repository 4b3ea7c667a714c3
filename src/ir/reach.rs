//! Reachable functions of a program.

use super::{Callee, FuncId, GlobalId, InstrKind, Operand, Program, Terminator};
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

/// Functions that may be called through pointers, by [`FuncId`]: initialisers, or functions that are `reached`, use their addresses.
pub fn pointed_functions(program: &Program, reached: &[bool]) -> Vec<bool> {
    let functions = program.functions.iter().zip(reached);
    let functions = functions.filter(|(_, is_reached)| **is_reached);
    let blocks = functions.flat_map(|(function, _)| function.blocks.iter());
    let used = blocks.flat_map(|block| {
        let instrs = block.instrs.iter().flat_map(|instr| instr.kind.operands());
        instrs.chain(block.end.operand())
    });
    let parts = program.globals.iter().flat_map(|global| &global.init);
    let mut pointed = vec![false; program.functions.len()];
    for operand in used.chain(parts.map(|part| part.value)) {
        if let Operand::FuncAddr(id) = operand {
            pointed[id.index()] = true;
        }
    }
    pointed
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
        if let Some(value) = end.operand() {
            self.operand(value);
        }
    }

    fn instr(&mut self, kind: &InstrKind) {
        for operand in kind.operands() {
            self.operand(operand);
        }
        if let InstrKind::Call {
            callee: Callee::Direct(id),
            ..
        } = kind
        {
            self.function(*id);
        }
    }
}
