//! Consistency of a program: ids name something, and operands have the widths that their operations need.

use crate::base::{IdVec, Loc};
use crate::ir::ty::{Type, TypeId};
use crate::ir::{
    AllocKind, BinOp, BlockId, Callee, Function, InstrKind, Operand, Program, Reg, RegInfo, Rvalue,
    Terminator,
};

/// Checks all of a program; what is wrong first, with its place.
pub(super) fn check(program: &Program) -> Result<(), (Loc, String)> {
    let at = |loc: Loc| move |message: String| (loc, message);
    let none = IdVec::new();
    let rules = Rules::new(program, &none);
    for global in program.globals.iter() {
        rules.ty(global.ty).map_err(at(global.loc))?;
        for part in &global.init {
            rules.bits(part.value).map_err(at(global.loc))?;
        }
    }
    for ty in program.types.iter() {
        let parts: Vec<TypeId> = match ty {
            Type::Pointer { to } => vec![*to],
            Type::Array { element, .. } => vec![*element],
            Type::Record { members, .. } => members.iter().map(|member| member.ty).collect(),
            _ => vec![],
        };
        parts
            .into_iter()
            .try_for_each(|part| rules.ty(part))
            .map_err(at(Loc(0)))?;
    }
    for function in program.functions.iter() {
        let rules = Rules::new(program, &function.regs);
        for (reg, info) in function.regs.iter_ids() {
            if !is_width(info.bits) {
                return Err((function.loc, format!("r{} has 1 to 128 bits", reg.0)));
            }
            let pointee = info.pointee.map_or(Ok(()), |pointee| rules.ty(pointee));
            pointee.map_err(at(function.loc))?;
        }
        rules
            .block(function, function.entry)
            .map_err(at(function.loc))?;
        for block in function.blocks.iter() {
            for instr in &block.instrs {
                rules.instr(&instr.kind).map_err(at(instr.loc))?;
            }
            rules
                .terminator(function, &block.end)
                .map_err(at(block.end_loc))?;
        }
    }
    Ok(())
}

/// Width of a word: true if there are words of so many bits.
fn is_width(bits: u16) -> bool {
    (1..=128).contains(&bits)
}

struct Rules<'p> {
    program: &'p Program,
    regs: &'p IdVec<Reg, RegInfo>,
    /// Width of an address.
    pointer: u16,
}

impl<'p> Rules<'p> {
    fn new(program: &'p Program, regs: &'p IdVec<Reg, RegInfo>) -> Rules<'p> {
        Rules {
            program,
            regs,
            pointer: program.model.pointer_bits(),
        }
    }

    fn ty(&self, id: TypeId) -> Result<(), String> {
        let known = self.program.types.get(id).is_some();
        known.then_some(()).ok_or(format!("there is no t{}", id.0))
    }

    fn block(&self, function: &Function, id: BlockId) -> Result<(), String> {
        let known = function.blocks.get(id).is_some();
        known.then_some(()).ok_or(format!("there is no b{}", id.0))
    }

    fn reg(&self, reg: Reg) -> Result<u16, String> {
        match self.regs.get(reg) {
            Some(info) => Ok(info.bits),
            None => Err(format!("there is no r{}", reg.0)),
        }
    }

    /// Width of an operand.
    fn bits(&self, operand: Operand) -> Result<u16, String> {
        let exists = match operand {
            Operand::Reg(reg) => return self.reg(reg),
            Operand::Const { value, bits } => {
                let fits = is_width(bits) && (bits == 128 || value >> bits == 0);
                return if fits {
                    Ok(bits)
                } else {
                    Err(format!("{value} has no {bits} bits"))
                };
            }
            Operand::GlobalAddr(id, _) => self.program.globals.get(id).is_some(),
            Operand::FuncAddr(id) => self.program.functions.get(id).is_some(),
        };
        if exists {
            Ok(self.pointer)
        } else {
            Err(format!("there is nothing at {operand}"))
        }
    }

    fn has(&self, operand: Operand, bits: u16) -> Result<(), String> {
        match self.bits(operand)? {
            found if found == bits => Ok(()),
            found => Err(format!("{operand} has {found} bits and not {bits}")),
        }
    }

    fn address(&self, operand: Operand) -> Result<(), String> {
        self.has(operand, self.pointer)
    }

    fn instr(&self, kind: &InstrKind) -> Result<(), String> {
        let result = match kind.dst() {
            Some(dst) => self.reg(dst)?,
            None => 0,
        };
        for operand in kind.operands() {
            self.bits(operand)?;
        }
        if let Some(addr) = kind.address() {
            self.address(addr)?;
        }
        match kind {
            InstrKind::Assign { value, .. } => self.rvalue(value, result),
            InstrKind::Rmw { operand, .. } => self.has(*operand, result),
            InstrKind::CmpXchg {
                expected, desired, ..
            } => {
                self.has(*expected, result)?;
                self.has(*desired, result)
            }
            InstrKind::Call { callee, .. } => match callee {
                Callee::Indirect(addr) => self.address(*addr),
                Callee::Direct(id) => self.address(Operand::FuncAddr(*id)),
                Callee::Extern(call) => {
                    let known = call.pointees.iter().flatten();
                    known.copied().try_for_each(|ty| self.ty(ty))
                }
            },
            InstrKind::Alloc {
                size_bytes,
                align_bytes,
                kind,
                ..
            } => {
                self.address(*size_bytes)?;
                self.address(*align_bytes)?;
                match kind {
                    AllocKind::Stack { ty, .. } => self.ty(*ty),
                    AllocKind::Realloc(old) => self.address(*old),
                    AllocKind::Heap | AllocKind::HeapZeroed => Ok(()),
                }
            }
            InstrKind::Block { to, size_bytes, .. } => {
                self.address(*to)?;
                self.address(*size_bytes)
            }
            InstrKind::Spawn {
                start, arg, id_at, ..
            } => {
                self.address(*start)?;
                self.address(*arg)?;
                id_at.map_or(Ok(()), |at| self.address(at))
            }
            InstrKind::Join { thread, .. } => self.address(*thread),
            InstrKind::Note { .. } if result != 32 => Err("a note has 32 bits".into()),
            InstrKind::SetNote { value, .. } => self.has(*value, 32),
            InstrKind::Copied { size_bytes, ty, .. } => {
                self.address(*size_bytes)?;
                ty.map_or(Ok(()), |ty| self.ty(ty))
            }
            InstrKind::Pointers(check) => {
                let mut operands = check.operands().into_iter();
                operands.try_for_each(|operand| self.address(operand))
            }
            InstrKind::Wait { cond, lock } => {
                lock.map_or(Ok(()), |lock| self.address(lock.addr))?;
                self.has(*cond, 1)
            }
            InstrKind::Assume { cond }
            | InstrKind::Assert { cond, .. }
            | InstrKind::Defined { cond, .. } => self.has(*cond, 1),
            _ => Ok(()),
        }
    }

    fn rvalue(&self, value: &Rvalue, result: u16) -> Result<(), String> {
        match value {
            Rvalue::Use(a) | Rvalue::FromInteger(a) | Rvalue::Unary(_, a) => self.has(*a, result),
            Rvalue::Binary(op, a, b) => {
                let compares = matches!(
                    op,
                    BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe
                );
                self.has(*b, self.bits(*a)?)?;
                if !compares {
                    self.has(*a, result)
                } else if result == 1 {
                    Ok(())
                } else {
                    Err("a comparison has 1 bit".into())
                }
            }
            Rvalue::ZeroExtend(a) | Rvalue::SignExtend(a) => {
                if self.bits(*a)? <= result {
                    Ok(())
                } else {
                    Err(format!("{a} is wider than what it is extended to"))
                }
            }
            Rvalue::Truncate(a) => {
                if self.bits(*a)? >= result {
                    Ok(())
                } else {
                    Err(format!("{a} is narrower than what it is truncated to"))
                }
            }
            Rvalue::Select { cond, then, other } => {
                self.has(*cond, 1)?;
                self.has(*then, result)?;
                self.has(*other, result)
            }
            Rvalue::Offset { base, offset_bytes } => {
                self.address(*base)?;
                self.address(*offset_bytes)
            }
            Rvalue::Float {
                op,
                format,
                operands,
            } => {
                if result != op.result_bits(*format) {
                    return Err(format!("the result has {} bits", op.result_bits(*format)));
                }
                if operands.len() != op.arity() {
                    return Err(format!("{} operands are needed", op.arity()));
                }
                let bits = op.operand_bits(*format);
                operands.iter().try_for_each(|a| self.has(*a, bits))
            }
        }
    }

    fn terminator(&self, function: &Function, end: &Terminator) -> Result<(), String> {
        match end {
            Terminator::Branch { cond, .. } => self.has(*cond, 1)?,
            Terminator::Switch { value, .. } => self.bits(*value).map(drop)?,
            Terminator::Return(Some(value)) => self.bits(*value).map(drop)?,
            Terminator::ThreadExit(value) => self.address(*value)?,
            Terminator::Jump(_) | Terminator::Return(None) | Terminator::Stop => {}
        }
        let next = end.successors();
        next.into_iter().try_for_each(|id| self.block(function, id))
    }
}
