//! Instructions and terminators.

use super::cursor::Cursor;
use super::operand::{operand, pair, rvalue, triple, value_of};
use super::ty;
use crate::ir::ty::TypeId;
use crate::ir::{
    Access, AllocKind, AwaitedLock, BlockId, BlockSource, Callee, ExternCall, FuncId, InstrKind,
    LockHolders, MemOrder, NondetSource, Note, Operand, PointerCheck, Property, Reg, RmwOp,
    Terminator, Undefined,
};

const ORDERS: [MemOrder; 5] = [
    MemOrder::Relaxed,
    MemOrder::Acquire,
    MemOrder::Release,
    MemOrder::AcqRel,
    MemOrder::SeqCst,
];

const UPDATES: [RmwOp; 11] = [
    RmwOp::Exchange,
    RmwOp::Add,
    RmwOp::Sub,
    RmwOp::And,
    RmwOp::Or,
    RmwOp::Xor,
    RmwOp::Nand,
    RmwOp::UMin,
    RmwOp::UMax,
    RmwOp::SMin,
    RmwOp::SMax,
];

const SOURCES: [NondetSource; 3] = [
    NondetSource::Input,
    NondetSource::Uninitialised,
    NondetSource::External,
];

const NOTES: [Note; 5] = [
    Note::Held,
    Note::Own,
    Note::Life,
    Note::Waiters,
    Note::Number,
];

const WHAT: &str = "an instruction";

/// An instruction that gives this register a value; what stands before it has been read.
pub(super) fn with_result(line: &mut Cursor, dst: Reg) -> Result<InstrKind, String> {
    let name = line.word("an operation")?;
    let (first, flags) = name.split_once('.').unwrap_or((&name, ""));
    if let Some(value) = rvalue(line, &name)? {
        return Ok(InstrKind::Assign { dst, value });
    }
    Ok(match first {
        "load" => {
            let addr = operand(line)?;
            let access = access(line, flags)?;
            InstrKind::Load { dst, addr, access }
        }
        "rmw" => {
            let (op, order) = flags.split_once('.').ok_or("`rmw` needs an operation")?;
            let (addr, operand) = pair(line)?;
            InstrKind::Rmw {
                dst,
                addr,
                op: value_of(&UPDATES, op).ok_or_else(|| format!("nothing is called `{op}`"))?,
                operand,
                order: order_of(order)?,
            }
        }
        "cmpxchg" => {
            let (success, failure) = flags.split_once('.').ok_or("`cmpxchg` has two orders")?;
            let (addr, expected, desired) = triple(line)?;
            InstrKind::CmpXchg {
                dst,
                addr,
                expected,
                desired,
                success: order_of(success)?,
                failure: order_of(failure)?,
            }
        }
        "call" => call(line, Some(dst))?,
        "nondet" => InstrKind::Nondet {
            dst,
            source: line.named("a source", |name| value_of(&SOURCES, name))?,
        },
        "alloc" => alloc(line, dst)?,
        "size" => {
            line.keyword("of")?;
            let addr = operand(line)?;
            InstrKind::ObjectSize { dst, addr }
        }
        "spawn" => {
            let start = operand(line)?;
            line.sign("(")?;
            let arg = operand(line)?;
            line.sign(")")?;
            let id_at = if line.eat_word("id") {
                line.keyword("at")?;
                Some(operand(line)?)
            } else {
                None
            };
            InstrKind::Spawn {
                dst,
                start,
                arg,
                id_at,
            }
        }
        "join" => {
            let thread = operand(line)?;
            InstrKind::Join { dst, thread }
        }
        "self" => InstrKind::ThreadSelf { dst },
        "trylock" => {
            let addr = operand(line)?;
            InstrKind::TryLock { dst, addr }
        }
        "note" => {
            let what = note(flags)?;
            let addr = operand(line)?;
            InstrKind::Note { dst, addr, what }
        }
        _ => return Err(format!("`{name}` is no operation with a result")),
    })
}

/// The note of a name.
fn note(name: &str) -> Result<Note, String> {
    value_of(&NOTES, name).ok_or_else(|| format!("nothing is called `{name}`"))
}

/// An instruction that gives no register a value.
pub(super) fn without_result(line: &mut Cursor) -> Result<InstrKind, String> {
    let name = line.word(WHAT)?;
    let (first, flags) = name.split_once('.').unwrap_or((&name, ""));
    let at = |line: &mut Cursor| operand(line);
    Ok(match first {
        "store" => {
            let (addr, value) = pair(line)?;
            let access = access(line, flags)?;
            InstrKind::Store {
                addr,
                value,
                access,
            }
        }
        "fence" => InstrKind::Fence {
            order: order_of(flags)?,
        },
        "call" => call(line, None)?,
        "endlife" => InstrKind::EndLife { addr: at(line)? },
        "free" => InstrKind::Free { addr: at(line)? },
        "expose" => InstrKind::Expose { addr: at(line)? },
        "fill" | "copy" | "move" => block(line, first)?,
        "lock" => InstrKind::Lock { addr: at(line)? },
        "unlock" => InstrKind::Unlock { addr: at(line)? },
        "mutexinit" => InstrKind::MutexInit { addr: at(line)? },
        "syncuse" => InstrKind::SyncUse { addr: at(line)? },
        "setnote" => {
            let what = note(flags)?;
            let (addr, value) = pair(line)?;
            InstrKind::SetNote { addr, what, value }
        }
        "copied" | "fresh" => {
            let (addr, size_bytes) = pair(line)?;
            InstrKind::Copied {
                addr,
                size_bytes,
                ty: optional_type(line)?,
                fresh: first == "fresh",
            }
        }
        "atomic" if line.eat_word("end") => InstrKind::AtomicEnd,
        "atomic" => {
            line.keyword("begin")?;
            let drains = line.eat_word("drains");
            InstrKind::AtomicBegin { drains }
        }
        "assume" => InstrKind::Assume { cond: at(line)? },
        "wait" => {
            let cond = at(line)?;
            let of = if line.eat_word("to") {
                line.keyword("share")?;
                Some(LockHolders::Alone)
            } else if line.eat_word("for") {
                let of = if line.eat_word("others") {
                    LockHolders::Others
                } else if line.eat_word("itself") {
                    LockHolders::Own
                } else {
                    LockHolders::All
                };
                if of != LockHolders::All {
                    line.keyword("with")?;
                }
                Some(of)
            } else {
                None
            };
            let lock = match of {
                Some(of) => Some(AwaitedLock {
                    addr: at(line)?,
                    of,
                }),
                None => None,
            };
            InstrKind::Wait { cond, lock }
        }
        "assert" => InstrKind::Assert {
            cond: at(line)?,
            property: line.named("a property", |name| value_of(&Property::PLAIN, name))?,
        },
        "leak" => {
            let property = line.named("a property", |name| value_of(&Property::PLAIN, name))?;
            line.keyword("at")?;
            let returns = line.eat_word("return");
            if !returns {
                line.keyword("exit")?;
            }
            InstrKind::Leak { property, returns }
        }
        "defined" => InstrKind::Defined {
            cond: at(line)?,
            why: line.named("a kind of undefined behaviour", |name| {
                value_of(&Undefined::ALL, name)
            })?,
        },
        "within" => InstrKind::Pointers(PointerCheck::Within(at(line)?)),
        "same" => {
            let (left, right) = pair(line)?;
            InstrKind::Pointers(PointerCheck::Same(left, right))
        }
        "apart" => {
            let (to, from, size_bytes) = triple(line)?;
            InstrKind::Pointers(PointerCheck::Apart {
                to,
                from,
                size_bytes,
            })
        }
        "unsupported" => InstrKind::Unsupported {
            reason: line.text("a reason")?,
        },
        _ => return Err(format!("`{name}` is no instruction without a result")),
    })
}

/// A terminator; `None` if something else stands here.
pub(super) fn terminator(line: &mut Cursor) -> Result<Option<Terminator>, String> {
    let block = |line: &mut Cursor| Ok::<_, String>(BlockId(line.id('b', "a block")?));
    Ok(Some(if line.eat_word("jump") {
        Terminator::Jump(block(line)?)
    } else if line.eat_word("branch") {
        let cond = operand(line)?;
        line.sign(",")?;
        let then = block(line)?;
        line.sign(",")?;
        let other = block(line)?;
        Terminator::Branch { cond, then, other }
    } else if line.eat_word("switch") {
        let value = operand(line)?;
        let mut cases = Vec::new();
        line.sign(",")?;
        while !line.eat_word("default") {
            let case = line.number("a case")?;
            line.sign("=>")?;
            cases.push((case, block(line)?));
            line.sign(",")?;
        }
        Terminator::Switch {
            value,
            cases,
            default: block(line)?,
        }
    } else if line.eat_word("return") {
        Terminator::Return(if line.is_at_end() {
            None
        } else {
            Some(operand(line)?)
        })
    } else if line.eat_word("thread") {
        line.keyword("exit")?;
        Terminator::ThreadExit(operand(line)?)
    } else if line.eat_word("stop") {
        Terminator::Stop
    } else {
        return Ok(None);
    }))
}

fn order_of(name: &str) -> Result<MemOrder, String> {
    value_of(&ORDERS, name).ok_or_else(|| format!("`{name}` is no memory order"))
}

/// Suffixes of an access, after its operands: `align 4 beside 0 2`; flags: `seqcst.volatile`.
fn access(line: &mut Cursor, flags: &str) -> Result<Access, String> {
    let mut access = Access::PLAIN;
    for flag in flags.split('.').filter(|flag| !flag.is_empty()) {
        match flag {
            "volatile" => access.volatile = true,
            "set" => access.needs_value = true,
            "created" => access.of_creation = true,
            order => access.order = Some(order_of(order)?),
        }
    }
    if line.eat_word("align") {
        access.align_bytes = line.number("an alignment")?;
    }
    if line.eat_word("beside") {
        let mut bytes = || line.number("a number of bytes");
        access.beside = (bytes()?, bytes()?);
    }
    Ok(access)
}

fn alloc(line: &mut Cursor, dst: Reg) -> Result<InstrKind, String> {
    let kind = line.word("stack or heap")?;
    let zeroed = line.eat_word("zeroed");
    let size_bytes = operand(line)?;
    line.keyword("align")?;
    let align_bytes = operand(line)?;
    let kind = match kind.as_str() {
        "stack" => AllocKind::Stack {
            name: line.text("a name")?,
            ty: ty::id(line)?,
            zeroed,
        },
        "heap" if zeroed => AllocKind::HeapZeroed,
        "heap" if line.eat_word("for") => AllocKind::Realloc(operand(line)?),
        "heap" => AllocKind::Heap,
        other => return Err(format!("expected stack or heap, found `{other}`")),
    };
    Ok(InstrKind::Alloc {
        dst,
        size_bytes,
        align_bytes,
        kind,
    })
}

fn block(line: &mut Cursor, how: &str) -> Result<InstrKind, String> {
    let (to, from, size_bytes) = triple(line)?;
    line.keyword("by")?;
    let unit_bytes = line.number("a number of bytes")?;
    let source = match how {
        "fill" => BlockSource::Byte(from),
        _ => BlockSource::Copy {
            from,
            overlapping: how == "move",
        },
    };
    Ok(InstrKind::Block {
        to,
        source,
        size_bytes,
        unit_bytes,
    })
}

fn optional_type(line: &mut Cursor) -> Result<Option<TypeId>, String> {
    if line.is_id('t') {
        ty::id(line).map(Some)
    } else {
        Ok(None)
    }
}

/// A call: `call f1(r0)`, `call *r1(r0)`, `call extern "read"(r0, r1) as (_, *t3) -> 32`.
fn call(line: &mut Cursor, dst: Option<Reg>) -> Result<InstrKind, String> {
    if line.eat_word("extern") {
        let name = line.text("a name")?;
        let args = arguments(line)?;
        line.keyword("as")?;
        line.sign("(")?;
        let params = line.list(")", |line| {
            if line.eat("*") {
                Ok((true, optional_type(line)?))
            } else {
                line.sign("_").map(|()| (false, None))
            }
        })?;
        let ret_bits = if line.eat("->") {
            Some(line.number("a width")?)
        } else {
            None
        };
        let (pointer_args, pointees) = params.into_iter().unzip();
        let callee = Callee::Extern(ExternCall {
            name,
            ret_bits,
            pointer_args,
            pointees,
            record_result: line.eat_word("record"),
        });
        return Ok(InstrKind::Call { dst, callee, args });
    }
    let callee = if line.eat("*") {
        Callee::Indirect(operand(line)?)
    } else {
        Callee::Direct(FuncId(line.id('f', "a function")?))
    };
    let args = arguments(line)?;
    Ok(InstrKind::Call { dst, callee, args })
}

fn arguments(line: &mut Cursor) -> Result<Vec<Operand>, String> {
    line.sign("(")?;
    line.list(")", operand)
}
