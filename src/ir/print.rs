//! A program as text, for people and for tests: one line per instruction, deterministic.
//!
//! ```text
//! global g0 "counter": 4 bytes align 4 = { 0: 1:32 }
//!
//! function f0 "main" () -> 32 {
//!     ; r0:32 i
//! b0:
//!     r0 = use 0:32
//!     jump b1
//! ```

use super::ty::Reading;
use super::{
    Access, AllocKind, BlockSource, Callee, Function, Instr, InstrKind, Operand, Program, RmwOp,
    Rvalue, Terminator,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Reg(r) => write!(f, "r{}", r.0),
            Operand::Const { value, bits } => write!(f, "{value}:{bits}"),
            Operand::GlobalAddr(g, 0) => write!(f, "&g{}", g.0),
            Operand::GlobalAddr(g, offset) => write!(f, "&g{}{offset:+}", g.0),
            Operand::FuncAddr(id) => write!(f, "&f{}", id.0),
        }
    }
}

impl Display for Rvalue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rvalue::Use(a) => write!(f, "use {a}"),
            Rvalue::FromInteger(a) => write!(f, "pointer {a}"),
            Rvalue::Unary(op, a) => write!(f, "{} {a}", word(op)),
            Rvalue::Binary(op, a, b) => write!(f, "{} {a}, {b}", word(op)),
            Rvalue::ZeroExtend(a) => write!(f, "zext {a}"),
            Rvalue::SignExtend(a) => write!(f, "sext {a}"),
            Rvalue::Truncate(a) => write!(f, "trunc {a}"),
            Rvalue::Select { cond, then, other } => write!(f, "select {cond}, {then}, {other}"),
            Rvalue::Offset { base, offset_bytes } => write!(f, "offset {base}, {offset_bytes}"),
            Rvalue::Float {
                op,
                format,
                operands,
            } => write!(f, "{}.{} {}", format.name(), op.name(), list(operands)),
        }
    }
}

/// The lower-case name of a plain enumeration value.
fn word(value: &impl fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

struct Flags(Access);

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(order) = self.0.order {
            write!(f, ".{}", word(&order))?;
        }
        if self.0.volatile {
            f.write_str(".volatile")
        } else {
            Ok(())
        }
    }
}

fn list(operands: &[Operand]) -> String {
    operands
        .iter()
        .map(Operand::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Display for Instr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            InstrKind::Assign { dst, value } => write!(f, "r{} = {value}", dst.0),
            InstrKind::Load { dst, addr, access } => {
                write!(f, "r{} = load{} {addr}", dst.0, Flags(*access))
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                write!(f, "store{} {addr}, {value}", Flags(*access))
            }
            InstrKind::Rmw {
                dst,
                addr,
                op,
                operand,
                order,
            } => {
                let op = if *op == RmwOp::Exchange {
                    "exchange".into()
                } else {
                    word(op)
                };
                write!(f, "r{} = rmw.{op}.{} {addr}, {operand}", dst.0, word(order))
            }
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                success,
                failure,
            } => write!(
                f,
                "r{} = cmpxchg.{}.{} {addr}, {expected}, {desired}",
                dst.0,
                word(success),
                word(failure)
            ),
            InstrKind::Fence { order } => write!(f, "fence.{}", word(order)),
            InstrKind::Call { dst, callee, args } => {
                if let Some(dst) = dst {
                    write!(f, "r{} = ", dst.0)?;
                }
                match callee {
                    Callee::Direct(id) => write!(f, "call f{}({})", id.0, list(args)),
                    Callee::Indirect(addr) => write!(f, "call *{addr}({})", list(args)),
                    Callee::Extern(call) => {
                        write!(f, "call extern {}({})", call.name, list(args))
                    }
                }
            }
            InstrKind::Nondet { dst, source } => write!(f, "r{} = nondet {}", dst.0, word(source)),
            InstrKind::Alloc {
                dst,
                size_bytes,
                kind,
                ..
            } => match kind {
                AllocKind::Stack { name, ty, zeroed } => {
                    let zeroed = if *zeroed { " zeroed" } else { "" };
                    write!(
                        f,
                        "r{} = alloc stack{zeroed} {size_bytes} \"{name}\" t{}",
                        dst.0, ty.0
                    )
                }
                AllocKind::Heap => write!(f, "r{} = alloc heap {size_bytes}", dst.0),
                AllocKind::HeapZeroed => write!(f, "r{} = alloc zeroed {size_bytes}", dst.0),
                AllocKind::Realloc(old) => {
                    write!(f, "r{} = alloc heap {size_bytes} for {old}", dst.0)
                }
            },
            InstrKind::EndLife { addr } => write!(f, "endlife {addr}"),
            InstrKind::Free { addr } => write!(f, "free {addr}"),
            InstrKind::Block {
                to,
                source,
                size_bytes,
                unit_bytes,
            } => match source {
                BlockSource::Byte(byte) => {
                    write!(f, "fill {to}, {byte}, {size_bytes} by {unit_bytes}")
                }
                BlockSource::Copy { from, overlapping } => {
                    let how = if *overlapping { "move" } else { "copy" };
                    write!(f, "{how} {to}, {from}, {size_bytes} by {unit_bytes}")
                }
            },
            InstrKind::ObjectSize { dst, addr } => write!(f, "r{} = size of {addr}", dst.0),
            InstrKind::Spawn { dst, start, arg } => write!(f, "r{} = spawn {start}({arg})", dst.0),
            InstrKind::Join { dst, thread } => write!(f, "r{} = join {thread}", dst.0),
            InstrKind::ThreadSelf { dst } => write!(f, "r{} = self", dst.0),
            InstrKind::Lock { addr } => write!(f, "lock {addr}"),
            InstrKind::Unlock { addr } => write!(f, "unlock {addr}"),
            InstrKind::TryLock { dst, addr } => write!(f, "r{} = trylock {addr}", dst.0),
            InstrKind::MutexInit { addr } => write!(f, "mutexinit {addr}"),
            InstrKind::SyncUse { addr } => write!(f, "syncuse {addr}"),
            InstrKind::Copied {
                addr,
                size_bytes,
                fresh,
                ..
            } => {
                let what = if *fresh { "fresh" } else { "copied" };
                write!(f, "{what} {addr}, {size_bytes}")
            }
            InstrKind::AtomicBegin { .. } => f.write_str("atomic begin"),
            InstrKind::AtomicEnd => f.write_str("atomic end"),
            InstrKind::Assume { cond } => write!(f, "assume {cond}"),
            InstrKind::Assert { cond, property } => write!(f, "assert {cond} {}", word(property)),
            InstrKind::Defined { cond, why } => write!(f, "defined {cond} {}", word(why)),
            InstrKind::Unsupported { reason } => write!(f, "unsupported \"{reason}\""),
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(b) => write!(f, "jump b{}", b.0),
            Terminator::Branch { cond, then, other } => {
                write!(f, "branch {cond}, b{}, b{}", then.0, other.0)
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                write!(f, "switch {value}")?;
                for (case, block) in cases {
                    write!(f, ", {case} => b{}", block.0)?;
                }
                write!(f, ", default b{}", default.0)
            }
            Terminator::Return(None) => f.write_str("return"),
            Terminator::Return(Some(value)) => write!(f, "return {value}"),
            Terminator::ThreadExit(value) => write!(f, "thread exit {value}"),
            Terminator::Stop => f.write_str("stop"),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let params = self
            .params
            .iter()
            .map(|r| format!("r{}", r.0))
            .collect::<Vec<_>>();
        write!(f, "\"{}\" ({}", self.name, params.join(", "))?;
        if self.variadic {
            f.write_str(if params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_char(')')?;
        if let Some(bits) = self.ret_bits {
            write!(f, " -> {bits}")?;
        }
        f.write_str(" {\n")?;
        for (id, reg) in self.regs.iter_ids() {
            if let Some(name) = &reg.name {
                let sign = match reg.reading {
                    Reading::Signed => "s",
                    Reading::Unsigned => "u",
                    Reading::Float(_) => "f",
                };
                writeln!(f, "    ; r{}:{}{sign} {name}", id.0, reg.bits)?;
            }
        }
        for (id, block) in self.blocks.iter_ids() {
            let entry = if id == self.entry { " ; entry" } else { "" };
            writeln!(f, "b{}:{entry}", id.0)?;
            for instr in &block.instrs {
                write!(f, "    {instr}")?;
                // The width of a result is only visible in its register.
                match &instr.kind {
                    InstrKind::Assign { dst, .. }
                    | InstrKind::Load { dst, .. }
                    | InstrKind::Nondet { dst, .. } => writeln!(f, " :{}", self.regs[*dst].bits)?,
                    _ => writeln!(f)?,
                }
            }
            writeln!(f, "    {}", block.end)?;
        }
        f.write_str("}\n")
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, global) in self.globals.iter_ids() {
            write!(
                f,
                "global g{} {:?}: {} bytes align {}",
                id.0, global.name, global.size_bytes, global.align_bytes
            )?;
            if global.thread_local {
                f.write_str(" thread_local")?;
            }
            if global.read_only {
                f.write_str(" read_only")?;
            }
            if !global.init.is_empty() {
                let parts: Vec<String> = global
                    .init
                    .iter()
                    .map(|part| match part.value {
                        Operand::Const { .. } => format!("{}: {}", part.offset_bytes, part.value),
                        _ => format!("{}: {}:{}", part.offset_bytes, part.value, part.bits),
                    })
                    .collect();
                write!(f, " = {{ {} }}", parts.join(", "))?;
            }
            writeln!(f)?;
        }
        for (id, function) in self.functions.iter_ids() {
            let main = if id == self.main { " ; main" } else { "" };
            write!(f, "\nfunction f{}{main} {function}", id.0)?;
        }
        Ok(())
    }
}
