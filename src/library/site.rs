//! The place of one call while it is rewritten: its arguments, and the instructions and blocks written so far.

use super::globals::{Globals, LibraryObject};
use super::models::{Model, Models};
use super::scalar::{Scalars, grain, scalars};
use super::uses::Uses;
use crate::base::Loc;
use crate::base::id::Id;
use crate::ir::layout::size_of;
use crate::ir::ty::{TypeId, Types};
use crate::ir::{
    Access, BinOp, Block, BlockId, Callee, Checks, ExternCall, Function, Instr, InstrKind,
    NondetSource, Operand, Reg, RegInfo, Rvalue, Terminator,
};

/// Writes the instructions of one call; an error names what of it is not supported.
pub(super) type Meaning = fn(&mut Site) -> Result<(), String>;

/// A call that is being rewritten, within a block that may be split.
pub(super) struct Site<'a> {
    function: &'a mut Function,
    globals: &'a mut Globals,
    /// The block that is being written.
    block: BlockId,
    instrs: Vec<Instr>,
    /// Set if the block was closed by something after which nothing runs.
    ended: bool,
    /// Position of the call.
    pub loc: Loc,
    /// Name of the called function.
    pub name: String,
    /// Width of its result as declared.
    ret_bits: Option<u16>,
    dst: Option<Reg>,
    args: Vec<Operand>,
    /// Types that the arguments point to, see [`ExternCall`].
    pointees: Vec<Option<TypeId>>,
    models: &'a Models,
    /// Checks that the program is read for.
    pub checks: Checks,
    /// Allocations of the program may fail.
    pub malloc_may_fail: bool,
}

impl<'a> Site<'a> {
    /// Starts to write `block`, whose instructions the caller took out.
    pub(super) fn new(
        function: &'a mut Function,
        globals: &'a mut Globals,
        models: &'a Models,
        block: BlockId,
        checks: Checks,
    ) -> Site<'a> {
        Site {
            function,
            globals,
            models,
            checks,
            malloc_may_fail: false,
            pointees: vec![],
            block,
            instrs: vec![],
            ended: false,
            loc: Loc::NONE,
            name: String::new(),
            ret_bits: None,
            dst: None,
            args: vec![],
        }
    }

    /// Turns to the next call.
    pub(super) fn enter(
        &mut self,
        loc: Loc,
        call: &ExternCall,
        dst: Option<Reg>,
        args: Vec<Operand>,
    ) {
        self.loc = loc;
        self.name = call.name.clone();
        self.ret_bits = call.ret_bits;
        self.dst = dst;
        self.args = args;
        self.pointees = call.pointees.clone();
    }

    /// Copies an instruction that is no call of a library function.
    pub(super) fn push(&mut self, instr: Instr) {
        self.instrs.push(instr);
    }

    /// Closes the last block with the terminator of the original one.
    pub(super) fn finish(mut self, end: Terminator, end_loc: Loc) {
        self.loc = end_loc;
        self.close(end);
    }

    /// End of the path: true if nothing runs after what was written.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    pub(super) fn pointer_bits(&self) -> u16 {
        self.globals.model.pointer_bits()
    }

    /// Argument number `index`, from 0.
    pub(super) fn arg(&self, index: usize) -> Result<Operand, String> {
        let missing = || {
            format!(
                "a call of `{}` with {} arguments",
                self.name,
                self.args.len()
            )
        };
        self.args.get(index).copied().ok_or_else(missing)
    }

    /// An argument, zero-extended or cut to `bits`.
    pub(super) fn arg_as(&mut self, index: usize, bits: u16) -> Result<Operand, String> {
        let arg = self.arg(index)?;
        Ok(self.resize(arg, bits))
    }

    /// The constant that an argument is, if it is one.
    pub(super) fn constant(&self, index: usize) -> Option<u128> {
        match self.args.get(index).map(|arg| self.resolve(*arg)) {
            Some(Operand::Const { value, .. }) => Some(value),
            _ => None,
        }
    }

    /// Width of an operand in bits.
    pub(super) fn bits(&self, operand: Operand) -> u16 {
        match operand {
            Operand::Reg(reg) => self.function.regs[reg].bits,
            Operand::Const { bits, .. } => bits,
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => self.pointer_bits(),
        }
    }

    /// A new temporary.
    pub(super) fn reg(&mut self, bits: u16) -> Reg {
        self.function.regs.push(RegInfo::temporary(bits))
    }

    pub(super) fn emit(&mut self, kind: InstrKind) {
        self.instrs.push(Instr {
            kind,
            loc: self.loc,
        });
    }

    /// True if an allocation here may fail: those that the library makes for itself do not.
    pub(super) fn may_fail(&self) -> bool {
        self.malloc_may_fail && !self.function.is_internal()
    }

    /// Computes a value of the given width.
    pub(super) fn compute(&mut self, bits: u16, value: Rvalue) -> Operand {
        let dst = self.reg(bits);
        self.emit(InstrKind::Assign { dst, value });
        Operand::Reg(dst)
    }

    /// `op(a, b)`; comparisons give one bit.
    pub(super) fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let bits = match op {
            BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe => 1,
            _ => self.bits(a),
        };
        self.compute(bits, Rvalue::Binary(op, a, b))
    }

    /// `cond ? then : other`.
    pub(super) fn select(&mut self, cond: Operand, then: Operand, other: Operand) -> Operand {
        let bits = self.bits(then);
        self.compute(bits, Rvalue::Select { cond, then, other })
    }

    /// Comparison of an operand with zero: one bit, 1 if it is not zero.
    pub(super) fn non_zero(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Const { value, .. } => constant(u128::from(value != 0), 1),
            Operand::GlobalAddr(..) | Operand::FuncAddr(_) => constant(1, 1),
            Operand::Reg(_) => {
                let zero = constant(0, self.bits(operand));
                self.binary(BinOp::Ne, operand, zero)
            }
        }
    }

    /// Zero-extends or cuts to `bits`.
    pub(super) fn resize(&mut self, operand: Operand, bits: u16) -> Operand {
        let from = self.bits(operand);
        match operand {
            _ if from == bits => operand,
            Operand::Const { value, .. } => constant(value, bits),
            _ if from < bits => self.compute(bits, Rvalue::ZeroExtend(operand)),
            _ => self.compute(bits, Rvalue::Truncate(operand)),
        }
    }

    /// Reads `bits` at `addr`, an ordinary access.
    pub(super) fn load(&mut self, addr: Operand, bits: u16) -> Operand {
        let dst = self.reg(bits);
        self.emit(InstrKind::Load {
            dst,
            addr,
            access: Access::PLAIN,
        });
        Operand::Reg(dst)
    }

    /// Writes `value` at `addr`, an ordinary access.
    pub(super) fn store(&mut self, addr: Operand, value: Operand) {
        self.store_as(addr, value, Access::PLAIN);
    }

    /// Writes `value` at `addr`, an access of that sort.
    pub(super) fn store_as(&mut self, addr: Operand, value: Operand, access: Access) {
        self.emit(InstrKind::Store {
            addr,
            value,
            access,
        });
    }

    /// `base + bytes`.
    pub(super) fn offset(&mut self, base: Operand, bytes: u32) -> Operand {
        let bits = self.pointer_bits();
        self.compute(
            bits,
            Rvalue::Offset {
                base,
                offset_bytes: constant(u128::from(bytes), bits),
            },
        )
    }

    /// Sets the result of the call, cut or zero-extended to the width that the caller expects.
    pub(super) fn result(&mut self, value: Operand) {
        if let Some(dst) = self.dst {
            let value = self.resize(value, self.function.regs[dst].bits);
            self.emit(InstrKind::Assign {
                dst,
                value: Rvalue::Use(value),
            });
        }
    }

    /// The result, if it is used, is free.
    pub(super) fn any_result(&mut self) {
        if let Some(dst) = self.dst {
            self.emit(InstrKind::Nondet {
                dst,
                source: NondetSource::External,
            });
        }
    }

    /// The call is not supported: its result, if it is used, is free.
    pub(super) fn refuse(&mut self, reason: String) {
        self.emit(InstrKind::Unsupported { reason });
        self.any_result();
    }

    /// Sees to it that there is a register for the result, of this width if the caller uses none.
    pub(super) fn want_result(&mut self, bits: u16) {
        if self.dst.is_none() {
            self.dst = Some(self.reg(bits));
        }
    }

    /// The register that takes the result, if the caller uses it.
    pub(super) fn dst(&self) -> Option<Reg> {
        self.dst
    }

    /// Width of the result: as used, otherwise as declared.
    pub(super) fn result_bits(&self) -> Option<u16> {
        self.dst
            .map(|dst| self.function.regs[dst].bits)
            .or(self.ret_bits)
    }

    /// Runs `body` only where `cond` (1 bit) is true.
    pub(super) fn when(&mut self, cond: Operand, body: impl FnOnce(&mut Self)) {
        let then = self.new_block();
        let after = self.new_block();
        self.close(Terminator::Branch {
            cond,
            then,
            other: after,
        });
        self.open(then);
        body(self);
        if !self.ended {
            self.close(Terminator::Jump(after));
        }
        self.open(after);
    }

    /// The same with a body that may fail.
    pub(super) fn try_when(
        &mut self,
        cond: Operand,
        body: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut outcome = Ok(());
        self.when(cond, |site| outcome = body(site));
        outcome
    }

    /// Ends the block for good: what follows the call in it is never reached.
    pub(super) fn stop(&mut self, end: Terminator) {
        self.close(end);
        self.ended = true;
    }

    /// Makes the call one of a function of the program, with arguments and result as wide as that has them.
    pub(super) fn call_model(&mut self, model: &Model) -> Result<(), String> {
        let mut args = Vec::with_capacity(model.params.len());
        for (index, bits) in model.params.iter().enumerate() {
            if model.exact && self.bits(self.arg(index)?) != *bits {
                return Err(self.declared_otherwise());
            }
            args.push(self.arg_as(index, *bits)?);
        }
        if model.exact && self.dst.is_some() && self.result_bits() != model.ret_bits {
            return Err(self.declared_otherwise());
        }
        let used = self.dst.zip(model.ret_bits);
        let dst = used.map(|(_, bits)| self.reg(bits));
        self.emit(InstrKind::Call {
            dst,
            callee: Callee::Direct(model.function),
            args,
        });
        if let Some(dst) = dst {
            self.result(Operand::Reg(dst));
        }
        Ok(())
    }

    /// Reason why a call is not supported whose arguments or result have other types than those of the function.
    pub(super) fn declared_otherwise(&self) -> String {
        format!("`{}`, declared otherwise than in the C library,", self.name)
    }

    /// Makes the call one of the model of this name.
    pub(super) fn call_named(&mut self, name: &str) -> Result<(), String> {
        let models = self.models;
        match models.get(name) {
            Some(model) => self.call_model(model),
            None => Err(format!("`{}` here", self.name)),
        }
    }

    /// Calls the model of this name, whatever the call that is being rewritten; its result, as wide as the model has
    /// it.
    pub(super) fn call_with(&mut self, name: &str, args: Vec<Operand>) -> Result<Operand, String> {
        let models = self.models;
        let Some(model) = models.get(name) else {
            return Err(format!("`{}` here", self.name));
        };
        let dst = self.reg(model.ret_bits.unwrap_or(32));
        self.emit(InstrKind::Call {
            dst: model.ret_bits.map(|_| dst),
            callee: Callee::Direct(model.function),
            args,
        });
        Ok(Operand::Reg(dst))
    }

    /// Parts of the library that the program uses.
    pub(super) fn uses(&self) -> Uses {
        self.globals.uses
    }

    /// The types of the program.
    pub(super) fn types(&self) -> &Types {
        &self.globals.types
    }

    /// Type that an argument points to, if the source says so.
    pub(super) fn pointee(&self, index: usize) -> Option<TypeId> {
        self.pointees.get(index).copied().flatten()
    }

    /// The scalars of a type with at most `most` of them, and its size in bytes.
    pub(super) fn scalars(&self, ty: TypeId, most: usize) -> Option<(Scalars, u64)> {
        let pointer_bytes = u64::from(self.pointer_bits() / 8);
        let types = &self.globals.types;
        let found = scalars(types, ty, pointer_bytes, most)?;
        Some((found, size_of(types, ty, pointer_bytes)))
    }

    /// The size in bytes of a type's scalars, if it has scalars of one size without gaps.
    pub(super) fn grain(&self, ty: TypeId) -> Option<u64> {
        grain(&self.globals.types, ty, u64::from(self.pointer_bits() / 8))
    }

    /// Address of an object of the library.
    pub(super) fn object(&mut self, object: &LibraryObject) -> Operand {
        self.globals.object(object)
    }

    /// Number of arguments of the call.
    pub(super) fn arity(&self) -> usize {
        self.args.len()
    }

    /// Presence of a model: true if the program has one of this name.
    pub(super) fn has_model(&self, name: &str) -> bool {
        self.models.contains_key(name)
    }

    /// String literals of the program: true if some literal is like this.
    pub(super) fn has_literal(&self, is: impl Fn(&[u8]) -> bool) -> bool {
        self.globals.literals.iter().flatten().any(|text| is(text))
    }

    /// `base + bytes`, pointer-wide.
    pub(super) fn offset_by(&mut self, base: Operand, offset_bytes: Operand) -> Operand {
        let bits = self.pointer_bits();
        self.compute(bits, Rvalue::Offset { base, offset_bytes })
    }

    /// The bytes up to its end of the string literal that an argument points to, if it is known.
    pub(super) fn literal(&self, index: usize) -> Option<Vec<u8>> {
        let Operand::GlobalAddr(global, at) = self.resolve(*self.args.get(index)?) else {
            return None;
        };
        let bytes = self.globals.literals.get(global.index())?.as_ref()?;
        let text = bytes.get(usize::try_from(at).ok()?..)?;
        Some(text.iter().copied().take_while(|byte| *byte != 0).collect())
    }

    /// Static storage: true if an operand is known to be the address of a part of an object that has it.
    pub(super) fn is_static(&self, operand: Operand) -> bool {
        matches!(self.resolve(operand), Operand::GlobalAddr(..))
    }

    /// Operands that cannot point to memory which the program writes: a constant, a function, a string literal.
    pub(super) fn is_no_memory(&self, operand: Operand) -> bool {
        match self.resolve(operand) {
            Operand::Const { .. } | Operand::FuncAddr(_) => true,
            Operand::GlobalAddr(global, _) => self
                .globals
                .literals
                .get(global.index())
                .is_some_and(Option::is_some),
            Operand::Reg(_) => false,
        }
    }

    /// Value of an operand: of a register that is assigned once, what is assigned to it; otherwise the operand itself.
    fn resolve(&self, operand: Operand) -> Operand {
        let mut operand = operand;
        // Each step goes to an earlier definition; a few of them see through conversions.
        for _ in 0..8 {
            let Operand::Reg(reg) = operand else {
                return operand;
            };
            if self.function.params.contains(&reg) {
                return operand;
            }
            let written = self
                .function
                .blocks
                .iter()
                .flat_map(|block| &block.instrs)
                .chain(&self.instrs);
            let mut definitions = written.filter(|instr| instr.kind.dst() == Some(reg));
            let (Some(only), None) = (definitions.next(), definitions.next()) else {
                return operand;
            };
            operand = match &only.kind {
                InstrKind::Assign {
                    value: Rvalue::Use(from),
                    ..
                } => *from,
                InstrKind::Assign {
                    value: Rvalue::Offset { base, offset_bytes },
                    ..
                } => match (self.resolve(*base), *offset_bytes) {
                    // An offset that is not known makes a place that no object has, in an object that is known.
                    (Operand::GlobalAddr(global, at), Operand::Const { value, .. }) => {
                        let bytes = i64::try_from(value).unwrap_or(i64::MIN / 2);
                        Operand::GlobalAddr(global, at.saturating_add(bytes))
                    }
                    (Operand::GlobalAddr(global, _), _) => {
                        Operand::GlobalAddr(global, i64::MIN / 2)
                    }
                    _ => return operand,
                },
                InstrKind::Assign {
                    value: Rvalue::ZeroExtend(from) | Rvalue::SignExtend(from),
                    ..
                } => match self.resolve(*from) {
                    Operand::Const { value: 0, .. } => constant(0, self.bits(operand)),
                    _ => return operand,
                },
                _ => return operand,
            };
        }
        operand
    }

    fn new_block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            instrs: vec![],
            end: Terminator::Stop,
            end_loc: self.loc,
        })
    }

    fn open(&mut self, block: BlockId) {
        self.block = block;
        self.ended = false;
    }

    fn close(&mut self, end: Terminator) {
        let block = &mut self.function.blocks[self.block];
        block.instrs = std::mem::take(&mut self.instrs);
        block.end = end;
        block.end_loc = self.loc;
    }
}

/// A constant operand.
pub(super) fn constant(value: u128, bits: u16) -> Operand {
    let mask = if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    };
    Operand::Const {
        value: value & mask,
        bits,
    }
}
