//! End of a thread by return from its start routine (IEEE 1003.1, `pthread_exit`): the routine that a thread starts at
//! calls the program's, and then what there is to do at the end of a thread.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::base::IdVec;
use crate::base::id::Id;
use crate::ir::{
    BinOp, Block, BlockId, Callee, FuncId, Function, Instr, InstrKind, Operand, Program, Reg,
    RegInfo, Rvalue, Terminator,
};

/// Functions that threads call before and after their start routines.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// Before: what its result is, the routine gets.
    pub start: Option<FuncId>,
    pub finish: FuncId,
}

/// Lets threads call what there is at their beginning and their end.
pub(super) fn add(program: &mut Program, ends: Ends) {
    let candidates = taken(program);
    let mut entries: HashMap<FuncId, FuncId, FxBuildHasher> = HashMap::default();
    for id in program.functions.ids().collect::<Vec<_>>() {
        for block in program.functions[id].blocks.ids() {
            let instrs = &program.functions[id].blocks[block].instrs;
            if !instrs
                .iter()
                .any(|i| matches!(i.kind, InstrKind::Spawn { .. }))
            {
                continue;
            }
            let instrs = std::mem::take(&mut program.functions[id].blocks[block].instrs);
            let mut written = Vec::with_capacity(instrs.len());
            for mut instr in instrs {
                if let InstrKind::Spawn { start, .. } = &mut instr.kind {
                    *start = match *start {
                        Operand::FuncAddr(routine) => {
                            Operand::FuncAddr(entry(program, routine, ends, &mut entries))
                        }
                        pointer => {
                            let mut chosen = pointer;
                            for &routine in &candidates {
                                let to = entry(program, routine, ends, &mut entries);
                                let bits = program.model.pointer_bits();
                                let regs = &mut program.functions[id].regs;
                                let (is, next) = (regs.push(word(1)), regs.push(word(bits)));
                                let same =
                                    Rvalue::Binary(BinOp::Eq, pointer, Operand::FuncAddr(routine));
                                let select = Rvalue::Select {
                                    cond: Operand::Reg(is),
                                    then: Operand::FuncAddr(to),
                                    other: chosen,
                                };
                                for (dst, value) in [(is, same), (next, select)] {
                                    let kind = InstrKind::Assign { dst, value };
                                    written.push(Instr {
                                        kind,
                                        loc: instr.loc,
                                    });
                                }
                                chosen = Operand::Reg(next);
                            }
                            chosen
                        }
                    };
                }
                written.push(instr);
            }
            program.functions[id].blocks[block].instrs = written;
        }
    }
}

fn word(bits: u16) -> RegInfo {
    RegInfo::temporary(bits)
}

/// The functions whose address the program takes and that could be a start routine, in order.
fn taken(program: &Program) -> Vec<FuncId> {
    let mut found = vec![false; program.functions.len()];
    let mut see = |operand: &Operand| {
        if let Operand::FuncAddr(id) = operand {
            found[id.index()] = true;
        }
    };
    for part in program.globals.iter().flat_map(|global| &global.init) {
        see(&part.value);
    }
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    for block in blocks {
        for instr in &block.instrs {
            operands(&instr.kind).iter().for_each(&mut see);
        }
        if let Terminator::Return(Some(value)) = &block.end {
            see(value);
        }
    }
    let is_routine = |id: &FuncId| program.functions[*id].fits(1, false);
    program
        .functions
        .ids()
        .filter(|id| found[id.index()])
        .filter(is_routine)
        .collect()
}

/// The operands of an instruction that may be the address of a function.
fn operands(kind: &InstrKind) -> Vec<Operand> {
    match kind {
        InstrKind::Assign { value, .. } => match value {
            Rvalue::Use(a) => vec![*a],
            Rvalue::Binary(_, a, b) => vec![*a, *b],
            Rvalue::Select { then, other, .. } => vec![*then, *other],
            Rvalue::Offset { base, .. } => vec![*base],
            _ => vec![],
        },
        InstrKind::Store { value, .. } => vec![*value],
        InstrKind::Rmw { operand, .. } => vec![*operand],
        InstrKind::CmpXchg { desired, .. } => vec![*desired],
        InstrKind::Call { args, .. } => args.clone(),
        InstrKind::Spawn { arg, .. } => vec![*arg],
        _ => vec![],
    }
}

/// The function that a thread with this start routine starts at; the routine itself, if that cannot be one.
fn entry(
    program: &mut Program,
    routine: FuncId,
    ends: Ends,
    entries: &mut HashMap<FuncId, FuncId, FxBuildHasher>,
) -> FuncId {
    if let Some(id) = entries.get(&routine) {
        return *id;
    }
    let bits = program.model.pointer_bits();
    let called = &program.functions[routine];
    if !called.fits(1, false) {
        return routine;
    }
    let mut regs: IdVec<Reg, RegInfo> = IdVec::new();
    let argument = regs.push(word(bits));
    let mut instrs = Vec::new();
    let loc = called.loc;
    let mut emit = |kind| instrs.push(Instr { kind, loc });
    let given = ends.start.map_or(argument, |start| {
        let dst = regs.push(word(bits));
        emit(InstrKind::Call {
            dst: Some(dst),
            callee: Callee::Direct(start),
            args: vec![Operand::Reg(argument)],
        });
        dst
    });
    let args = called.params.first().map(|param| {
        let wanted = called.regs[*param].bits;
        if wanted >= bits {
            return Operand::Reg(given);
        }
        let dst = regs.push(word(wanted));
        let value = Rvalue::Truncate(Operand::Reg(given));
        emit(InstrKind::Assign { dst, value });
        Operand::Reg(dst)
    });
    let dst = called.ret_bits.map(|bits| regs.push(word(bits)));
    emit(InstrKind::Call {
        dst,
        callee: Callee::Direct(routine),
        args: args.into_iter().collect(),
    });
    let done = regs.push(word(32));
    emit(InstrKind::Call {
        dst: Some(done),
        callee: Callee::Direct(ends.finish),
        args: vec![],
    });
    let result = dst.map(|dst| match called.ret_bits {
        Some(narrow) if narrow < bits => {
            let wide = regs.push(word(bits));
            let value = Rvalue::ZeroExtend(Operand::Reg(dst));
            emit(InstrKind::Assign { dst: wide, value });
            Operand::Reg(wide)
        }
        _ => Operand::Reg(dst),
    });
    let mut blocks: IdVec<BlockId, Block> = IdVec::new();
    let entry = blocks.push(Block {
        instrs,
        end: Terminator::Return(result),
        end_loc: loc,
    });
    let function = Function {
        name: called.name.clone(),
        params: vec![argument],
        ret_bits: result.map(|_| bits),
        variadic: false,
        regs,
        blocks,
        entry,
        loc,
        origin: called.origin,
    };
    let id = program.functions.push(function);
    entries.insert(routine, id);
    id
}
