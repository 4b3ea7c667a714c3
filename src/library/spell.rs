//! Operations on large blocks as calls of the models in C, for those who know no such instruction.

use crate::ir::{
    BlockSource, Callee, Function, Instr, InstrKind, Operand, Program, RegInfo, Rvalue,
};
use crate::ir::{FuncId, Reg};
use std::borrow::Cow;

/// The program without operations on large blocks; those of models (`realloc`) stay.
pub fn spell_blocks(program: &Program) -> Cow<'_, Program> {
    let functions = program.functions.iter();
    let mut instrs = functions.flat_map(|f| f.blocks.iter().flat_map(|b| &b.instrs));
    if !instrs.any(|instr| matches!(instr.kind, InstrKind::Block { .. })) {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    let models: Vec<(String, FuncId)> = program
        .functions
        .iter_ids()
        .filter(|(_, function)| function.name.starts_with("__selvedge_mem"))
        .map(|(id, function)| (function.name.clone(), id))
        .collect();
    let model = |name: String| models.iter().find(|(own, _)| *own == name).map(|own| own.1);
    for function in program.functions.iter_mut() {
        spell(function, &model);
    }
    Cow::Owned(program)
}

fn spell(function: &mut Function, model: &impl Fn(String) -> Option<FuncId>) {
    let Function { blocks, regs, .. } = function;
    for block in blocks.iter_mut() {
        let old = std::mem::take(&mut block.instrs);
        for instr in old {
            let InstrKind::Block {
                to,
                source,
                size_bytes,
                unit_bytes,
            } = instr.kind
            else {
                block.instrs.push(instr);
                continue;
            };
            let name = match source {
                BlockSource::Byte(_) => "memset",
                BlockSource::Copy {
                    overlapping: true, ..
                } => "memmove",
                BlockSource::Copy { .. } => "memcpy",
            };
            let size = match unit_bytes {
                1 => String::new(),
                _ => unit_bytes.to_string(),
            };
            let Some(model) = model(format!("__selvedge_{name}{size}")) else {
                block.instrs.push(instr);
                continue;
            };
            let second = match source {
                BlockSource::Copy { from, .. } => from,
                BlockSource::Byte(Operand::Const { value, .. }) => {
                    Operand::Const { value, bits: 32 }
                }
                BlockSource::Byte(byte) => {
                    let dst: Reg = regs.push(RegInfo {
                        bits: 32,
                        name: None,
                        reading: crate::ir::ty::Reading::Unsigned,
                    });
                    block.instrs.push(Instr {
                        kind: InstrKind::Assign {
                            dst,
                            value: Rvalue::ZeroExtend(byte),
                        },
                        ..instr.clone()
                    });
                    Operand::Reg(dst)
                }
            };
            let kind = InstrKind::Call {
                dst: None,
                callee: Callee::Direct(model),
                args: vec![to, second, size_bytes],
            };
            block.instrs.push(Instr { kind, ..instr });
        }
    }
}
