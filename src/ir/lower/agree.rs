//! Calls that disagree with the definition of what they call: C without prototypes allows the source to pass
//! too few or too many arguments, or to expect another result. Later stages may rely on direct calls that fit.

use crate::base::IdVec;
use crate::ir::{
    Callee, FuncId, Function, Instr, InstrKind, NondetSource, Operand, Reg, RegInfo, Rvalue,
    Undefined,
};

/// Makes every direct call fit: surplus arguments are dropped, widths are adjusted, a result that there is not is free. A
/// call without an argument for a parameter is undefined, whatever the parameter is for.
pub(super) fn agree(functions: &mut IdVec<FuncId, Function>, pointer_bits: u16) {
    let shapes: IdVec<FuncId, (Vec<u16>, Option<u16>)> = functions
        .iter()
        .map(|f| {
            (
                f.params.iter().map(|p| f.regs[*p].bits).collect(),
                f.ret_bits,
            )
        })
        .collect();
    for function in functions.iter_mut() {
        let regs = &mut function.regs;
        for block in function.blocks.iter_mut() {
            if !block
                .instrs
                .iter()
                .any(|i| disagrees(i, &shapes, regs, pointer_bits))
            {
                continue;
            }
            let mut instrs = Vec::with_capacity(block.instrs.len() + 4);
            for instr in block.instrs.drain(..) {
                if disagrees(&instr, &shapes, regs, pointer_bits) {
                    adjust(instr, &shapes, regs, pointer_bits, &mut instrs);
                } else {
                    instrs.push(instr);
                }
            }
            block.instrs = instrs;
        }
    }
}

/// The instructions that `main` starts with: what constructors and destructors get, which the system calls, is free.
pub(super) fn supplied(
    functions: &mut IdVec<FuncId, Function>,
    main: FuncId,
    calls: Vec<Instr>,
) -> Vec<Instr> {
    let mut instrs = Vec::with_capacity(calls.len());
    for mut call in calls {
        if let InstrKind::Call {
            callee: Callee::Direct(id),
            args,
            ..
        } = &mut call.kind
        {
            for param in functions[*id].params.clone() {
                let info = RegInfo {
                    name: None,
                    ..functions[*id].regs[param].clone()
                };
                let dst = functions[main].regs.push(info);
                let source = NondetSource::External;
                let kind = InstrKind::Nondet { dst, source };
                instrs.push(Instr {
                    kind,
                    loc: call.loc,
                });
                args.push(Operand::Reg(dst));
            }
        }
        instrs.push(call);
    }
    instrs
}

type Shapes = IdVec<FuncId, (Vec<u16>, Option<u16>)>;
type Regs = IdVec<Reg, RegInfo>;

fn bits_of(operand: Operand, regs: &Regs, pointer_bits: u16) -> u16 {
    match operand {
        Operand::Reg(reg) => regs[reg].bits,
        Operand::Const { bits, .. } => bits,
        Operand::GlobalAddr(..) | Operand::FuncAddr(_) => pointer_bits,
    }
}

fn disagrees(instr: &Instr, shapes: &Shapes, regs: &Regs, pointer_bits: u16) -> bool {
    let InstrKind::Call {
        dst,
        callee: Callee::Direct(id),
        args,
    } = &instr.kind
    else {
        return false;
    };
    let (params, result) = &shapes[*id];
    let widths = args.iter().map(|a| bits_of(*a, regs, pointer_bits));
    !widths.eq(params.iter().copied()) || dst.is_some_and(|dst| Some(regs[dst].bits) != *result)
}

fn adjust(instr: Instr, shapes: &Shapes, regs: &mut Regs, pointer_bits: u16, out: &mut Vec<Instr>) {
    let loc = instr.loc;
    let InstrKind::Call {
        dst,
        callee: Callee::Direct(id),
        args,
    } = instr.kind
    else {
        return;
    };
    let (params, result) = &shapes[id];
    let mut temp = |bits| regs.push(RegInfo::temporary(bits));
    let mut fitting = Vec::with_capacity(params.len());
    let widths: Vec<u16> = params.clone();
    let mut before = Vec::new();
    if args.len() < widths.len() {
        let kind = InstrKind::Defined {
            cond: Operand::Const { value: 0, bits: 1 },
            why: Undefined::Call,
        };
        before.push(Instr { kind, loc });
    }
    // Registers first: their widths are read while new ones are made.
    let fresh: Vec<Reg> = widths.iter().map(|bits| temp(*bits)).collect();
    let call_dst = dst.and(*result).map(&mut temp);
    for ((reg, bits), arg) in fresh
        .into_iter()
        .zip(widths)
        .zip(args.iter().map(Some).chain(std::iter::repeat(None)))
    {
        let kind = match arg {
            None => InstrKind::Nondet {
                dst: reg,
                source: NondetSource::Uninitialised,
            },
            Some(arg) => InstrKind::Assign {
                dst: reg,
                value: resize(*arg, bits_of(*arg, regs, pointer_bits), bits),
            },
        };
        before.push(Instr { kind, loc });
        fitting.push(Operand::Reg(reg));
    }
    out.append(&mut before);
    let callee = Callee::Direct(id);
    out.push(Instr {
        kind: InstrKind::Call {
            dst: call_dst,
            callee,
            args: fitting,
        },
        loc,
    });
    let Some(dst) = dst else { return };
    let kind = match call_dst {
        None => InstrKind::Nondet {
            dst,
            source: NondetSource::Uninitialised,
        },
        Some(from) => InstrKind::Assign {
            dst,
            value: resize(Operand::Reg(from), regs[from].bits, regs[dst].bits),
        },
    };
    out.push(Instr { kind, loc });
}

fn resize(operand: Operand, from: u16, to: u16) -> Rvalue {
    if from == to {
        Rvalue::Use(operand)
    } else if to < from {
        Rvalue::Truncate(operand)
    } else {
        Rvalue::ZeroExtend(operand)
    }
}
