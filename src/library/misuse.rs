//! Misuse of synchronisation objects: what POSIX (2.9.9, 2.9.10 and the pages of the functions) and C11 (7.26) call undefined.
//!
//! All of it costs instructions, and is there only where the check is asked for. What has to be known stands in notes beside
//! the objects ([`Note`]), so that objects of any size have it, and what a program leaves in their memory does not matter:
//!
//! * A mutex or spin lock counts for every thread whether it holds it ([`super::owner`]). Whether anybody holds it says its
//!   synchronisation word.
//! * `life` is set by initialisation and destruction, and looked at by every use: [`DESTROYED`] is wrong for all, and what
//!   has no static initialiser (semaphores, barriers) must be [`INITIALISED`].
//! * A condition variable knows who is blocked (`models/condition.c`), and with which mutex.
//!
//! A use is a step before the operation, and not one with it: where another thread destroys the object in between, it could
//! as well have done so before the use. A thread that waits for what never comes has not begun its operation, so that it
//! uses what is destroyed meanwhile.
//!
//! POSIX has it undefined to initialise what is initialised, even if nobody uses it. That is told only of objects in use,
//! since resetting them is common and harmless. Static objects that are zero count as initialised.

use super::need::{Family, deletes_key, uses_key};
use super::owner::{defined, note, released, set};
use super::site::{Site, constant};
use crate::ir::{BinOp, InstrKind, Note, Operand, Undefined};
use crate::library::faults::{self, Fault};

/// Values of the note `life`.
const INITIALISED: u128 = 1;
const DESTROYED: u128 = 2;

/// Revival: an object that is set to its initial value by other means than its function is alive, though it was destroyed before.
pub(super) fn revived(site: &mut Site, addr: Operand) {
    let life = note(site, addr, Note::Life);
    let is_destroyed = site.binary(BinOp::Eq, life, constant(DESTROYED, 32));
    let life = site.select(is_destroyed, constant(0, 32), life);
    set(site, addr, Note::Life, life);
}

/// Instructions before a call.
pub(super) fn before(site: &mut Site, name: &str) -> Result<(), String> {
    if !site.uses().misuse.asked {
        return Ok(());
    }
    if uses_key(name) {
        let key = site.arg_as(0, 32)?;
        let exists = site.call_with("__selvedge_key_exists", vec![key])?;
        defined(site, exists, Undefined::NoSuchKey);
        if deletes_key(name) && !faults::on(Fault::KeysLiveOn) {
            site.call_with("__selvedge_key_deleted", vec![key])?;
        }
    }
    let Some(family) = Family::of(name) else {
        return Ok(());
    };
    let addr = site.arg(0)?;
    if name.ends_with("_init") {
        return unused(site, family, addr, true);
    }
    if name.ends_with("_destroy") {
        alive(site, family, addr);
        unused(site, family, addr, false)?;
        if !faults::on(Fault::DestructionForgotten) {
            set(site, addr, Note::Life, constant(DESTROYED, 32));
        }
        return Ok(());
    }
    // Mutexes are looked at where they are locked and unlocked, which a wait does as well.
    if !matches!(family, Family::Mutex | Family::Spin) {
        alive(site, family, addr);
    }
    let waiters = site.uses().misuse.waiters;
    match name {
        "pthread_rwlock_unlock" => released(site, addr),
        "pthread_cond_signal" | "cnd_signal" if waiters => {
            site.call_with("__selvedge_wake_one", vec![addr])?;
        }
        "pthread_cond_broadcast" | "cnd_broadcast" if waiters => {
            site.call_with("__selvedge_wake_all", vec![addr])?;
        }
        // The result says whether the lock was taken.
        _ if family == Family::Lock => site.want_result(32),
        _ => {}
    }
    Ok(())
}

/// Instructions behind a call.
pub(super) fn behind(site: &mut Site, name: &str) -> Result<(), String> {
    if !site.uses().misuse.asked {
        return Ok(());
    }
    let Some(family) = Family::of(name) else {
        return Ok(());
    };
    let addr = site.arg(0)?;
    if name.ends_with("_init") {
        let life = if family.starts_alive() && family != Family::Lock {
            0
        } else {
            INITIALISED
        };
        if life != 0 || site.uses().misuse.destroys(family) {
            set(site, addr, Note::Life, constant(life, 32));
        }
    } else if family == Family::Lock
        && !name.ends_with("_destroy")
        && !name.ends_with("_unlock")
        && let Some(status) = site.dst()
    {
        let own = note(site, addr, Note::Own);
        let more = site.binary(BinOp::Add, own, constant(1, 32));
        let failed = site.non_zero(Operand::Reg(status));
        let own = site.select(failed, own, more);
        set(site, addr, Note::Own, own);
    }
    Ok(())
}

/// The mutex or spin lock that is argument `index` is used.
pub(super) fn used(site: &mut Site, index: usize) -> Result<(), String> {
    if site.uses().misuse.asked {
        let addr = site.arg(index)?;
        let family = if site.name.contains("spin") {
            Family::Spin
        } else {
            Family::Mutex
        };
        alive(site, family, addr);
    }
    Ok(())
}

/// A thread has tried to give back a mutex of any kind, with this status: C11 has no kind that reports it.
pub(super) fn released_with(site: &mut Site, status: Operand) {
    let is_c11 = site.name.starts_with("mtx_") || site.name.starts_with("cnd_");
    if site.uses().misuse.asked && is_c11 {
        let cond = site.binary(BinOp::Eq, status, constant(0, 32));
        let why = Undefined::LockNotHeld;
        site.emit(InstrKind::Defined { cond, why });
    }
}

/// The thread is about to wait on a condition variable.
pub(super) fn blocks(site: &mut Site) -> Result<(), String> {
    let needs = site.uses().misuse;
    if needs.waiters {
        let (condition, mutex) = (site.arg(0)?, site.arg(1)?);
        let number = if needs.mutexes {
            site.call_with("__selvedge_number_of", vec![mutex])?
        } else {
            constant(0, 32)
        };
        let is_same = site.call_with("__selvedge_blocks", vec![condition, number])?;
        if needs.mutexes && !faults::on(Fault::MutexesMixed) {
            defined(site, is_same, Undefined::OtherMutex);
        }
    }
    Ok(())
}

/// The thread waits no longer.
pub(super) fn unblocks(site: &mut Site) -> Result<(), String> {
    if site.uses().misuse.waiters {
        let condition = site.arg(0)?;
        site.call_with("__selvedge_unblocks", vec![condition])?;
    }
    Ok(())
}

/// A semaphore that has a name is initialised; `found` is null if there is none.
pub(super) fn named(site: &mut Site, found: Operand) {
    if site.uses().misuse.asked {
        let is_there = site.non_zero(found);
        site.when(is_there, |site| {
            set(site, found, Note::Life, constant(INITIALISED, 32));
        });
    }
}

/// Undefined unless the object is initialised and not destroyed.
fn alive(site: &mut Site, family: Family, addr: Operand) {
    if faults::on(Fault::AliveUnchecked)
        || family.starts_alive() && !site.uses().misuse.destroys(family)
    {
        return;
    }
    let life = note(site, addr, Note::Life);
    let is_alive = if family.starts_alive() {
        site.binary(BinOp::Ne, life, constant(DESTROYED, 32))
    } else {
        site.binary(BinOp::Eq, life, constant(INITIALISED, 32))
    };
    defined(site, is_alive, Undefined::ObjectNotAlive);
}

/// Undefined if the object is in use. What is initialised for the first time may have anything in its memory.
fn unused(site: &mut Site, family: Family, addr: Operand, fresh: bool) -> Result<(), String> {
    if faults::on(Fault::UseUnnoticed) {
        return Ok(());
    }
    let idle = match family {
        Family::Mutex | Family::Spin => {
            let held = note(site, addr, Note::Held);
            site.binary(BinOp::Eq, held, constant(0, 32))
        }
        Family::Condition => {
            let waiters = note(site, addr, Note::Waiters);
            site.binary(BinOp::Eq, waiters, constant(0, 32))
        }
        Family::Lock | Family::Barrier => {
            let model = match family {
                Family::Lock => "__selvedge_rwlock_idle",
                _ => "__selvedge_barrier_idle",
            };
            let look = |site: &mut Site| -> Result<(), String> {
                let idle = site.call_with(model, vec![addr])?;
                defined(site, idle, Undefined::ObjectInUse);
                Ok(())
            };
            let is_known = !fresh || family == Family::Lock && site.is_static(addr);
            if is_known {
                return look(site);
            }
            let life = note(site, addr, Note::Life);
            let is_again = site.binary(BinOp::Eq, life, constant(INITIALISED, 32));
            return site.try_when(is_again, look);
        }
        Family::Semaphore => return Ok(()),
    };
    defined(site, idle, Undefined::ObjectInUse);
    Ok(())
}
