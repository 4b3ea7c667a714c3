//! Callees as the check for undefined behaviour sees them, once the whole program is known: functions of another type than that
//! of the pointer that they are called through (C17 6.5.2.2), and functions that end without the result that a caller uses
//! (6.9.1). Where nobody asks, there is nothing of that.
//!
//! A function that may end without a result has two versions: one is undefined there, and is called where the result is used; the
//! result of the other is free. Who calls through a pointer chooses between them by their addresses.

use super::consistent::consistent;
use super::ctype::{CType, Kind, Records, Signature};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::base::{IdVec, Loc};
use crate::ir::faults::{self, Fault};
use crate::ir::{
    BinOp, Callee, FuncId, Function, Instr, InstrKind, Operand, Program, Reg, RegInfo, Rvalue,
    Undefined,
};
use std::rc::Rc;

/// A call through a pointer: the function that it is in, and the register that says whether the callee has the right type.
pub(super) type PointerCall = (FuncId, Reg);

/// The address and the type that are called.
pub(super) type PointerCalls = SortedMap<PointerCall, (Operand, Rc<Signature>)>;

/// Makes calls undefined that only the whole program shows to be; `types` has those of the functions that the source names.
pub(super) fn check(
    program: &mut Program,
    records: &Records,
    types: &IdVec<FuncId, CType>,
    calls: &PointerCalls,
) {
    let taken = addresses(program);
    let named: Vec<FuncId> = types.ids().filter(|id| taken.contains(id)).collect();
    for id in program.functions.ids() {
        let others = |reg: Reg| {
            let (target, signature) = calls.get(&(id, reg))?;
            let others = named.iter().copied();
            let others = others.filter(|other| !is_of_type(records, &types[*other], signature));
            Some((*target, others.collect::<Vec<FuncId>>()))
        };
        check_types(&mut program.functions[id], others);
    }
    results(program, &taken);
}

/// Functions whose address some instruction or initialiser has.
fn addresses(program: &Program) -> SortedSet<FuncId> {
    let blocks = || program.functions.iter().flat_map(|f| f.blocks.iter());
    let instrs = blocks().flat_map(|block| &block.instrs);
    let operands = instrs.flat_map(|instr| instr.kind.operands());
    let ends = blocks().filter_map(|block| block.end.operand());
    let parts = program.globals.iter().flat_map(|global| &global.init);
    let all = operands.chain(ends).chain(parts.map(|part| part.value));
    let function = |operand| match operand {
        Operand::FuncAddr(id) => Some(id),
        _ => None,
    };
    all.filter_map(function).collect()
}

/// Compatibility of a function's type with the type that it is called by.
fn is_of_type(records: &Records, ty: &CType, signature: &Rc<Signature>) -> bool {
    let called = CType::new(Kind::Function(signature.clone()));
    faults::on(Fault::CalleeTypeIgnored) || consistent(records, ty, &called)
}

/// A new register of some width.
fn temp(function: &mut Function, bits: u16) -> Reg {
    function.regs.push(RegInfo::temporary(bits))
}

/// Computes the conditions that callees have the right type; those that always hold are left out.
fn check_types(function: &mut Function, others: impl Fn(Reg) -> Option<(Operand, Vec<FuncId>)>) {
    for block in function.blocks.ids() {
        let instrs = std::mem::take(&mut function.blocks[block].instrs);
        let mut checked = Vec::with_capacity(instrs.len());
        for instr in instrs {
            let InstrKind::Defined {
                cond: Operand::Reg(fits),
                why: Undefined::FunctionType,
            } = instr.kind
            else {
                checked.push(instr);
                continue;
            };
            let Some((target, others)) = others(fits) else {
                continue;
            };
            let mut assign = |dst, value| {
                let kind = InstrKind::Assign { dst, value };
                let loc = instr.loc;
                checked.push(Instr { kind, loc });
            };
            let Some((last, first)) = others.split_last() else {
                continue;
            };
            let differs = |id: &FuncId| Rvalue::Binary(BinOp::Ne, target, Operand::FuncAddr(*id));
            let mut so_far: Option<Operand> = None;
            for other in first {
                let one = temp(function, 1);
                assign(one, differs(other));
                let one = Operand::Reg(one);
                so_far = Some(match so_far {
                    None => one,
                    Some(before) => {
                        let both = temp(function, 1);
                        assign(both, Rvalue::Binary(BinOp::And, before, one));
                        Operand::Reg(both)
                    }
                });
            }
            match so_far {
                None => assign(fits, differs(last)),
                Some(before) => {
                    let one = temp(function, 1);
                    assign(one, differs(last));
                    assign(fits, Rvalue::Binary(BinOp::And, before, Operand::Reg(one)));
                }
            }
            checked.push(instr);
        }
        function.blocks[block].instrs = checked;
    }
}

/// Mark of a return without a result.
fn is_mark(instr: &Instr) -> bool {
    matches!(
        instr.kind,
        InstrKind::Defined {
            why: Undefined::MissingResult,
            ..
        }
    )
}

/// Makes functions that end without a result undefined where they are called for it.
fn results(program: &mut Program, taken: &SortedSet<FuncId>) {
    let has_mark = |function: &Function| {
        let mut blocks = function.blocks.iter();
        blocks.any(|block| block.instrs.iter().any(is_mark))
    };
    let open = program.functions.iter_ids();
    let open = open.filter(|(_, function)| has_mark(function));
    let open: Vec<FuncId> = open.map(|(id, _)| id).collect();
    let mut free = taken.clone();
    for function in program.functions.iter().filter(|_| !open.is_empty()) {
        let used = used(function);
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            if let InstrKind::Call {
                dst,
                callee: Callee::Direct(id),
                ..
            } = &instr.kind
                && dst.is_none_or(|dst| !used.contains(&dst))
            {
                free.insert(*id);
            }
        }
    }
    let mut strict: SortedMap<FuncId, FuncId> = SortedMap::new();
    let is_missed = faults::on(Fault::ResultMissed);
    for id in open.into_iter().filter(|id| is_missed || free.contains(id)) {
        let own = program.functions[id].clone();
        for block in program.functions[id].blocks.iter_mut() {
            block.instrs.retain(|instr| !is_mark(instr));
        }
        if !is_missed {
            strict.insert(id, program.functions.push(own));
        }
    }
    let by_address = strict.iter().filter(|(id, _)| taken.contains(id));
    let by_address: Vec<(FuncId, FuncId)> = by_address.map(|(id, own)| (*id, *own)).collect();
    let bits = program.model.pointer_bits();
    for function in program.functions.iter_mut().filter(|_| !strict.is_empty()) {
        choose(function, bits, &strict, &by_address);
    }
}

/// Lets a function call the versions of others that it has to.
fn choose(
    function: &mut Function,
    bits: u16,
    strict: &SortedMap<FuncId, FuncId>,
    by_address: &[(FuncId, FuncId)],
) {
    let used = used(function);
    for block in function.blocks.ids() {
        let instrs = std::mem::take(&mut function.blocks[block].instrs);
        let mut chosen = Vec::with_capacity(instrs.len());
        for mut instr in instrs {
            if let InstrKind::Call {
                dst: Some(dst),
                callee,
                ..
            } = &mut instr.kind
                && used.contains(dst)
            {
                match callee {
                    Callee::Direct(id) => *id = strict.get(id).copied().unwrap_or(*id),
                    Callee::Indirect(target) => {
                        for (id, own) in by_address {
                            let loc = instr.loc;
                            *target =
                                version(function, bits, (*target, *id, *own), loc, &mut chosen);
                        }
                    }
                    Callee::Extern(_) => {}
                }
            }
            chosen.push(instr);
        }
        function.blocks[block].instrs = chosen;
    }
}

/// The address to call where a function has another version.
fn version(
    function: &mut Function,
    bits: u16,
    (target, id, own): (Operand, FuncId, FuncId),
    loc: Loc,
    out: &mut Vec<Instr>,
) -> Operand {
    let (same, dst) = (temp(function, 1), temp(function, bits));
    let is_same = Rvalue::Binary(BinOp::Eq, target, Operand::FuncAddr(id));
    let select = Rvalue::Select {
        cond: Operand::Reg(same),
        then: Operand::FuncAddr(own),
        other: target,
    };
    for (dst, value) in [(same, is_same), (dst, select)] {
        let kind = InstrKind::Assign { dst, value };
        out.push(Instr { kind, loc });
    }
    Operand::Reg(dst)
}

/// Registers whose value matters: for an effect, for control, for a result, or for such a register.
fn used(function: &Function) -> SortedSet<Reg> {
    let reg = |operand: Operand| match operand {
        Operand::Reg(reg) => Some(reg),
        _ => None,
    };
    let mut used = SortedSet::new();
    let mut flows: SortedMap<Reg, Vec<Reg>> = SortedMap::new();
    for block in function.blocks.iter() {
        used.extend(block.end.operand().and_then(reg));
        for instr in &block.instrs {
            let read = instr.kind.operands().into_iter().filter_map(reg);
            match instr.kind {
                InstrKind::Assign { dst, .. } => flows.entry(dst).or_default().extend(read),
                _ => used.extend(read),
            }
        }
    }
    let mut work: Vec<Reg> = used.iter().copied().collect();
    while let Some(reg) = work.pop() {
        for from in flows.get(&reg).into_iter().flatten() {
            if used.insert(*from) {
                work.push(*from);
            }
        }
    }
    used
}
