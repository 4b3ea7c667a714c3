//! Operands, right-hand sides, instructions and terminators as text.

use crate::ir::{
    Access, AllocKind, BlockSource, Callee, ExternCall, InstrKind, LockHolders, Operand,
    PointerCheck, Rvalue, Terminator,
};
use std::fmt::{self, Display, Formatter};

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
pub(in super::super) fn word(value: &impl fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

/// Memory order and volatility of an access.
struct Flags(Access);

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(order) = self.0.order {
            write!(f, ".{}", word(&order))?;
        }
        if self.0.volatile {
            f.write_str(".volatile")?;
        }
        if self.0.needs_value {
            f.write_str(".set")?;
        }
        if self.0.of_creation {
            f.write_str(".created")?;
        }
        Ok(())
    }
}

/// Alignment of an access, and what is beside it in its memory location.
struct Aligned(Access);

impl Display for Aligned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.align_bytes {
            1 => {}
            bytes => write!(f, " align {bytes}")?,
        }
        match self.0.beside {
            (0, 0) => Ok(()),
            (before, behind) => write!(f, " beside {before} {behind}"),
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

/// An instruction, without the register that it gives a value to.
impl Display for InstrKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            InstrKind::Assign { value, .. } => write!(f, "{value}"),
            InstrKind::Load { addr, access, .. } => {
                write!(f, "load{} {addr}{}", Flags(*access), Aligned(*access))
            }
            InstrKind::Store {
                addr,
                value,
                access,
            } => {
                write!(
                    f,
                    "store{} {addr}, {value}{}",
                    Flags(*access),
                    Aligned(*access)
                )
            }
            InstrKind::Rmw {
                addr,
                op,
                operand,
                order,
                ..
            } => write!(f, "rmw.{}.{} {addr}, {operand}", word(op), word(order)),
            InstrKind::CmpXchg {
                addr,
                expected,
                desired,
                success,
                failure,
                ..
            } => write!(
                f,
                "cmpxchg.{}.{} {addr}, {expected}, {desired}",
                word(success),
                word(failure)
            ),
            InstrKind::Fence { order } => write!(f, "fence.{}", word(order)),
            InstrKind::Call { callee, args, .. } => match callee {
                Callee::Direct(id) => write!(f, "call f{}({})", id.0, list(args)),
                Callee::Indirect(addr) => write!(f, "call *{addr}({})", list(args)),
                Callee::Extern(call) => {
                    write!(f, "call extern {:?}({}) as {call}", call.name, list(args))
                }
            },
            InstrKind::Nondet { source, .. } => write!(f, "nondet {}", word(source)),
            InstrKind::Alloc {
                size_bytes,
                align_bytes,
                kind,
                ..
            } => {
                let what = match kind {
                    AllocKind::Stack { zeroed: false, .. } => "stack",
                    AllocKind::Stack { zeroed: true, .. } => "stack zeroed",
                    AllocKind::Heap | AllocKind::Realloc(_) => "heap",
                    AllocKind::HeapZeroed => "heap zeroed",
                };
                write!(f, "alloc {what} {size_bytes} align {align_bytes}")?;
                match kind {
                    AllocKind::Stack { name, ty, .. } => write!(f, " {name:?} t{}", ty.0),
                    AllocKind::Realloc(old) => write!(f, " for {old}"),
                    AllocKind::Heap | AllocKind::HeapZeroed => Ok(()),
                }
            }
            InstrKind::EndLife { addr } => write!(f, "endlife {addr}"),
            InstrKind::Expose { addr } => write!(f, "expose {addr}"),
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
            InstrKind::ObjectSize { addr, .. } => write!(f, "size of {addr}"),
            InstrKind::Spawn {
                start, arg, id_at, ..
            } => {
                write!(f, "spawn {start}({arg})")?;
                id_at.map_or(Ok(()), |at| write!(f, " id at {at}"))
            }
            InstrKind::Join { thread, .. } => write!(f, "join {thread}"),
            InstrKind::ThreadSelf { .. } => f.write_str("self"),
            InstrKind::Lock { addr } => write!(f, "lock {addr}"),
            InstrKind::Unlock { addr } => write!(f, "unlock {addr}"),
            InstrKind::TryLock { addr, .. } => write!(f, "trylock {addr}"),
            InstrKind::MutexInit { addr } => write!(f, "mutexinit {addr}"),
            InstrKind::SyncUse { addr } => write!(f, "syncuse {addr}"),
            InstrKind::Note { addr, what, .. } => write!(f, "note.{} {addr}", word(what)),
            InstrKind::SetNote { addr, what, value } => {
                write!(f, "setnote.{} {addr}, {value}", word(what))
            }
            InstrKind::Copied {
                addr,
                size_bytes,
                ty,
                fresh,
            } => {
                let what = if *fresh { "fresh" } else { "copied" };
                write!(f, "{what} {addr}, {size_bytes}")?;
                ty.map_or(Ok(()), |ty| write!(f, " t{}", ty.0))
            }
            InstrKind::AtomicBegin { drains: false } => f.write_str("atomic begin"),
            InstrKind::AtomicBegin { drains: true } => f.write_str("atomic begin drains"),
            InstrKind::AtomicEnd => f.write_str("atomic end"),
            InstrKind::Assume { cond } => write!(f, "assume {cond}"),
            InstrKind::Wait { cond, lock } => {
                write!(f, "wait {cond}")?;
                let Some(lock) = lock else { return Ok(()) };
                let how = match lock.of {
                    LockHolders::All => "for",
                    LockHolders::Alone => "to share",
                    LockHolders::Others => "for others with",
                    LockHolders::Own => "for itself with",
                };
                write!(f, " {how} {}", lock.addr)
            }
            InstrKind::Assert { cond, property } => write!(f, "assert {cond} {}", word(property)),
            InstrKind::Leak { property, returns } => {
                let end = if *returns { "return" } else { "exit" };
                write!(f, "leak {} at {end}", word(property))
            }
            InstrKind::Defined { cond, why } => write!(f, "defined {cond} {}", word(why)),
            InstrKind::Pointers(check) => match check {
                PointerCheck::Within(addr) => write!(f, "within {addr}"),
                PointerCheck::Same(left, right) => write!(f, "same {left}, {right}"),
                PointerCheck::Apart {
                    to,
                    from,
                    size_bytes,
                } => write!(f, "apart {to}, {from}, {size_bytes}"),
            },
            InstrKind::Unsupported { reason } => write!(f, "unsupported {reason:?}"),
        }
    }
}

/// Type of a called function, as its call says it: for each argument, `*` for a pointer (and to what), `_` for anything else.
impl Display for ExternCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let count = self.pointer_args.len().max(self.pointees.len());
        let params: Vec<String> = (0..count)
            .map(|i| match self.pointees.get(i).copied().flatten() {
                Some(ty) => format!("*t{}", ty.0),
                None if self.pointer_args.get(i) == Some(&true) => "*".into(),
                None => "_".into(),
            })
            .collect();
        write!(f, "({})", params.join(", "))?;
        if let Some(bits) = self.ret_bits {
            write!(f, " -> {bits}")?;
        }
        f.write_str(if self.record_result { " record" } else { "" })
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
