//! Words of the format: names of kinds, which are written and read back.

use crate::base::float::Format;
use crate::base::id::Id;
use crate::base::option::one_of;
use crate::ir::ty::{Reading, TypeId};
use crate::scheme::Grain;
use crate::trace::deadlock::{AwaitedKind, DeadlockKind};
use crate::trace::misaccess::{Access, Flaw};
use crate::trace::race::Attempted;

/// Accesses that race.
pub const ATTEMPTED: [Attempted; 4] = [
    Attempted::Read,
    Attempted::Write,
    Attempted::Update,
    Attempted::Free,
];

/// Word for an access that is next.
pub fn attempted(access: Attempted) -> &'static str {
    match access {
        Attempted::Read => "read",
        Attempted::Write => "write",
        Attempted::Update => "update",
        Attempted::Free => "free",
    }
}

/// Kinds of deadlocks.
pub const DEADLOCK: [DeadlockKind; 3] =
    [DeadlockKind::Cycle, DeadlockKind::Final, DeadlockKind::Spin];

/// Word for a kind of deadlocks.
pub fn deadlock(kind: DeadlockKind) -> &'static str {
    match kind {
        DeadlockKind::Cycle => "cycle",
        DeadlockKind::Final => "final",
        DeadlockKind::Spin => "spin",
    }
}

/// Kinds of what threads wait for.
pub const AWAITED: [AwaitedKind; 9] = [
    AwaitedKind::Mutex,
    AwaitedKind::ReadWriteLock,
    AwaitedKind::Condition,
    AwaitedKind::Barrier,
    AwaitedKind::Semaphore,
    AwaitedKind::Once,
    AwaitedKind::Thread,
    AwaitedKind::Loop,
    AwaitedKind::Other,
];

/// Word for what a thread waits for.
pub fn awaited(kind: AwaitedKind) -> &'static str {
    match kind {
        AwaitedKind::Mutex => "mutex",
        AwaitedKind::ReadWriteLock => "rwlock",
        AwaitedKind::Condition => "condition",
        AwaitedKind::Barrier => "barrier",
        AwaitedKind::Semaphore => "semaphore",
        AwaitedKind::Once => "once",
        AwaitedKind::Thread => "thread",
        AwaitedKind::Loop => "loop",
        AwaitedKind::Other => "other",
    }
}

/// Positions of memory unwindings.
pub const GRAIN: [Grain; 3] = [Grain::Writes, Grain::Contexts, Grain::Turns];

/// Word for positions of a memory unwinding.
pub fn grain(grain: Grain) -> &'static str {
    match grain {
        Grain::Writes => "writes",
        Grain::Contexts => "contexts",
        Grain::Turns => "turns",
    }
}

/// Word for an invalid access, and the number of its bytes if it has one.
pub fn access(access: Access) -> (&'static str, Option<u64>) {
    match access {
        Access::Read(bytes) => ("read", Some(bytes)),
        Access::Write(bytes) => ("write", Some(bytes)),
        Access::Lock => ("lock", None),
        Access::Call => ("call", None),
        Access::Free => ("free", None),
    }
}

/// The invalid access of a word and a number of bytes.
///
/// # Errors
/// There is no such access.
pub fn access_of(word: &str, bytes: Option<u64>) -> Result<Access, String> {
    let number = bytes.unwrap_or_default();
    let all = [
        Access::Read(number),
        Access::Write(number),
        Access::Lock,
        Access::Call,
        Access::Free,
    ];
    let found = one_of(word, &all, |one| access(one).0)?;
    match access(found).1.is_some() == bytes.is_some() {
        true => Ok(found),
        false => Err(format!(
            "`bytes` is {bytes:?}, which is not so of a `{word}`"
        )),
    }
}

/// Word for the reason why an access is invalid, and where in the object it begins if that matters.
pub fn flaw(flaw: Flaw) -> (&'static str, Option<i64>) {
    match flaw {
        Flaw::Null => ("null", None),
        Flaw::Wild => ("wild", None),
        Flaw::Ended => ("ended", None),
        Flaw::Outside(offset) => ("outside", Some(offset)),
        Flaw::Misaligned(offset) => ("misaligned", Some(offset)),
        Flaw::NoBlock(offset) => ("no_block", Some(offset)),
    }
}

/// The reason of a word and an offset.
///
/// # Errors
/// There is no such reason.
pub fn flaw_of(word: &str, offset: Option<i64>) -> Result<Flaw, String> {
    let number = offset.unwrap_or_default();
    let all = [
        Flaw::Null,
        Flaw::Wild,
        Flaw::Ended,
        Flaw::Outside(number),
        Flaw::Misaligned(number),
        Flaw::NoBlock(number),
    ];
    let found = one_of(word, &all, |one| flaw(one).0)?;
    match flaw(found).1.is_some() == offset.is_some() {
        true => Ok(found),
        false => Err(format!(
            "`offset` is {offset:?}, which is not so of `{word}`"
        )),
    }
}

/// Word for how the bits of a value are read; signs and widths have fields of their own.
pub fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::Unsigned | Reading::Signed => "integer",
        Reading::Bool => "bool",
        Reading::Char { .. } => "char",
        Reading::Enum { .. } => "enum",
        Reading::Pointer => "pointer",
        Reading::Float(_) => "float",
    }
}

/// The reading of a word, a sign and a width.
///
/// # Errors
/// There is no such reading.
pub fn reading_of(word: &str, signed: bool, bits: u16) -> Result<Reading, String> {
    let format = match bits {
        32 => Format::Single,
        _ => Format::Double,
    };
    // Which enumeration it is says the name of the value.
    let ty = TypeId::from_index(0);
    let all = [
        Reading::integer(signed),
        Reading::Bool,
        Reading::Char { signed },
        Reading::Enum { ty, signed },
        Reading::Pointer,
        Reading::Float(format),
    ];
    let found = one_of(word, &all, reading)?;
    match found {
        Reading::Float(format) if format.bits() != bits => Err(format!(
            "there are no floating-point numbers of {bits} bits"
        )),
        _ => Ok(found),
    }
}
