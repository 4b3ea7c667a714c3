//! Mutexes: normal ones are an instruction; recursive and error-checking ones (IEEE 1003.1) keep kind, owner and
//! depth in their object, where our header and that of the GNU C library have members for them, and are models in C.
//!
//! Programs that never ask for another kind than normal look at kinds for one reason: a mutex in automatic or
//! allocated storage that nobody has initialised has an indeterminate kind, and its use is undefined.

use super::kind::{NORMAL, RECURSIVE};
use super::misuse;
use super::owner;
use super::pthread::{EBUSY, EINVAL, ETIMEDOUT, succeed};
use super::site::{Meaning, Site, constant};
use crate::ir::ty::{Type, TypeId, Types};
use crate::ir::{Access, BinOp, InstrKind, MemOrder, Operand, Reg, Rvalue, Undefined};

/// The first number that is no kind: of normal mutexes, and of all with what the models add.
const KINDS: u128 = 4;
const ALL_KINDS: u128 = 128;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_mutex_init" => init,
        "pthread_mutex_lock" | "pthread_spin_lock" => lock,
        "pthread_mutex_unlock" | "pthread_spin_unlock" => unlock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" => |site| try_lock_or(site, EBUSY),
        // Takes the mutex or gives up, at any time: a try-lock that comes late is a lock that waited.
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => {
            |site| try_lock_or(site, ETIMEDOUT)
        }
        "pthread_mutex_consistent" | "pthread_mutex_consistent_np" => consistent,
        "mtx_init" => c11_init,
        "__selvedge_lock" => |site| {
            let addr = site.arg(0)?;
            site.emit(InstrKind::Lock { addr });
            owner::taken(site, addr, None);
            Ok(())
        },
        "__selvedge_unlock" => |site| {
            let addr = site.arg(0)?;
            owner::released(site, addr);
            site.emit(InstrKind::Unlock { addr });
            Ok(())
        },
        "__selvedge_trylock" => |site| {
            let (addr, dst) = (site.arg(0)?, site.reg(32));
            tried(site, dst, addr);
            site.result(Operand::Reg(dst));
            Ok(())
        },
        _ => return None,
    })
}

/// Offset in bytes of a member in a record, or in one that it contains.
fn member(types: &Types, ty: TypeId, name: &str) -> Option<u64> {
    let Type::Record { members, .. } = &types[ty] else {
        return None;
    };
    members.iter().find_map(|member| {
        let inner = if member.name == name {
            Some(0)
        } else {
            self::member(types, member.ty, name)
        };
        inner.map(|at| member.offset_bytes + at)
    })
}

/// The members of a mutex that its kind needs, as both headers call them.
const MEMBERS: [&str; 3] = ["__kind", "__owner", "__count"];

fn offsets(types: &Types, ty: TypeId) -> Option<Vec<u64>> {
    MEMBERS.iter().map(|name| member(types, ty, name)).collect()
}

/// Addresses of kind, owner and depth of the mutex that is an argument; `None` where mutexes have no kinds, as spin
/// locks do not.
fn parts(site: &mut Site, index: usize) -> Result<Option<Vec<Operand>>, String> {
    if !site.uses().kinds || site.name.contains("spin") {
        return Ok(None);
    }
    let ty = site.pointee(index);
    let declared = ty.and_then(|ty| offsets(site.types(), ty));
    let found = match declared {
        // The C library's `mtx_t` shows no members: any place will do.
        None if site.name.starts_with("mtx_") || site.name.starts_with("cnd_") => {
            Some(vec![0, 4, 8])
        }
        // A call through a pointer: what the program calls a mutex.
        None => site.types().ids().find_map(|ty| offsets(site.types(), ty)),
        declared => declared,
    };
    let Some(found) = found else {
        return Err(format!(
            "`{}` of a mutex whose members are not known, in a program with recursive or error-checking ones",
            site.name
        ));
    };
    let addr = site.arg(index)?;
    let places = found.into_iter().map(|at| match at {
        0 => addr,
        at => site.offset(addr, at as u32),
    });
    Ok(Some(places.collect()))
}

/// The address of the kind of a mutex that may be indeterminate: one that is not known to be in static storage.
fn open_kind(site: &mut Site, index: usize) -> Result<Option<Operand>, String> {
    let addr = site.arg(index)?;
    let ty = site.pointee(index).filter(|_| !site.is_static(addr));
    let at = ty.and_then(|ty| member(site.types(), ty, "__kind"));
    Ok(at.map(|at| match at {
        0 => addr,
        at => site.offset(addr, at as u32),
    }))
}

/// Calls the model of an operation on the mutex that is argument `index`; whether there is one to call.
fn model(
    site: &mut Site,
    index: usize,
    name: &str,
    more: &[Operand],
) -> Result<Option<Operand>, String> {
    if let Some(addr) = open_kind(site, index)? {
        let dst = site.reg(32);
        site.emit(InstrKind::Load {
            dst,
            addr,
            access: QUIET,
        });
        let most = if site.uses().kinds {
            constant(ALL_KINDS, 32)
        } else {
            constant(KINDS, 32)
        };
        let cond = site.binary(BinOp::ULt, Operand::Reg(dst), most);
        let why = Undefined::IndeterminateMutex;
        site.emit(InstrKind::Defined { cond, why });
    }
    let Some(parts) = parts(site, index)? else {
        return Ok(None);
    };
    let mut args = vec![site.arg(index)?];
    args.extend(parts);
    args.extend(more);
    site.call_with(name, args).map(Some)
}

/// An access of a kind, which is no data race.
const QUIET: Access = Access {
    order: Some(MemOrder::Relaxed),
    ..Access::PLAIN
};

fn store(site: &mut Site, addr: Operand, value: Operand) {
    site.store_as(addr, value, QUIET);
}

/// A mutex of the kind that the attribute says, normal without one.
fn init(site: &mut Site) -> Result<(), String> {
    let attribute = site.arg(1)?;
    let kind = match attribute {
        Operand::Const { value: 0, .. } => constant(NORMAL, 32),
        _ if !site.uses().kinds => constant(NORMAL, 32),
        _ => {
            let kind = site.reg(32);
            site.emit(InstrKind::Assign {
                dst: kind,
                value: Rvalue::Use(constant(NORMAL, 32)),
            });
            let given = site.non_zero(attribute);
            site.try_when(given, |site| {
                let given = site.call_with("__selvedge_mutex_kind", vec![attribute])?;
                let value = Rvalue::Use(given);
                site.emit(InstrKind::Assign { dst: kind, value });
                Ok(())
            })?;
            Operand::Reg(kind)
        }
    };
    initialised(site, kind)?;
    succeed(site)
}

fn initialised(site: &mut Site, kind: Operand) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::MutexInit { addr });
    owner::reset(site, addr);
    if let Some(parts) = parts(site, 0)? {
        for (place, value) in parts
            .into_iter()
            .zip([kind, constant(0, 32), constant(0, 32)])
        {
            store(site, place, value);
        }
    } else if let Some(place) = open_kind(site, 0)? {
        store(site, place, kind);
    }
    Ok(())
}

/// `mtx_init`: bit 0 of the kind is `mtx_recursive`, bit 1 `mtx_timed`.
fn c11_init(site: &mut Site) -> Result<(), String> {
    let kind = match site.constant(1) {
        Some(kind) => constant(kind & RECURSIVE, 32),
        None => {
            let kind = site.arg_as(1, 32)?;
            site.binary(BinOp::And, kind, constant(RECURSIVE, 32))
        }
    };
    initialised(site, kind)?;
    succeed(site)
}

/// Only a mutex that is robust can be inconsistent.
fn consistent(site: &mut Site) -> Result<(), String> {
    let status = model(site, 0, "__selvedge_mutex_consistent", &[])?;
    site.result(status.unwrap_or(constant(EINVAL, 32)));
    Ok(())
}

pub(super) fn lock(site: &mut Site) -> Result<(), String> {
    let status = lock_at(site, 0)?;
    site.result(status);
    Ok(())
}

pub(super) fn unlock(site: &mut Site) -> Result<(), String> {
    let status = unlock_at(site, 0)?;
    site.result(status);
    Ok(())
}

/// Locks the mutex that is argument `index`; 0, or an error.
pub(super) fn lock_at(site: &mut Site, index: usize) -> Result<Operand, String> {
    misuse::used(site, index)?;
    if let Some(status) = model(site, index, "__selvedge_mutex_lock", &[])? {
        return Ok(status);
    }
    let addr = site.arg(index)?;
    site.emit(InstrKind::Lock { addr });
    owner::taken(site, addr, None);
    Ok(constant(0, 32))
}

/// Unlocks it; 0, or an error.
pub(super) fn unlock_at(site: &mut Site, index: usize) -> Result<Operand, String> {
    misuse::used(site, index)?;
    if let Some(status) = model(site, index, "__selvedge_mutex_unlock", &[])? {
        misuse::released_with(site, status);
        return Ok(status);
    }
    let addr = site.arg(index)?;
    owner::released(site, addr);
    site.emit(InstrKind::Unlock { addr });
    Ok(constant(0, 32))
}

/// 0, or `busy` if the mutex was held.
pub(super) fn try_lock_or(site: &mut Site, busy: u128) -> Result<(), String> {
    misuse::used(site, 0)?;
    if let Some(result) = model(site, 0, "__selvedge_mutex_trylock", &[constant(busy, 32)])? {
        site.result(result);
        return Ok(());
    }
    let addr = site.arg(0)?;
    let dst = site.reg(32);
    tried(site, dst, addr);
    let mut value = Operand::Reg(dst);
    if busy != EBUSY {
        let failed = site.non_zero(value);
        value = site.select(failed, constant(busy, 32), constant(0, 32));
    }
    site.result(value);
    Ok(())
}

/// Takes a mutex if it is free.
fn tried(site: &mut Site, dst: Reg, addr: Operand) {
    site.emit(InstrKind::TryLock { dst, addr });
    owner::tried(site, addr, Operand::Reg(dst));
}
