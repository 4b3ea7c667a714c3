//! Condition variables of POSIX and C11, and named semaphores. Unnamed semaphores, read-write locks, barriers and
//! one-time initialisation are models in C (`models/`): each keeps its state in its own first bytes, which static
//! initialisers and `*_init` set in our headers and in those of the GNU C library alike, and each operation is an
//! atomic section: one that cannot proceed has not run, which is what blocking means (ARCHITECTURE.md, "What an execution is").
//!
//! Memory order of these operations (IEEE 1003.1, XBD 4.12; C11 7.17, 7.26). Loads are executed in order under every
//! memory model that is known, so that what counts is which operations drain store buffers:
//!
//! | operation | drains at | and so passes on to |
//! |---|---|---|
//! | mutex, `mtx_t`, spin lock: lock, unlock, try or timed lock that succeeds | the change of the synchronisation word | who locks next |
//! | recursive and error-checking mutex: a further lock, an inner unlock, an error | nothing: owner and depth are the owner's own | |
//! | robust mutex | the change of its owner | who locks next; of an owner that has ended, by the store that says so |
//! | read-write lock: lock, unlock | the change of its first word | who locks next, reader or writer |
//! | semaphore: post, wait | the change of its value | who sees the value, or finds the semaphore by its name |
//! | barrier | every arrival | who leaves after it |
//! | `pthread_once`, `call_once` | before and behind the routine | who finds that it has run; that in itself drains nothing |
//! | waiting on a condition variable | unlock and lock of the mutex | as the mutex |
//! | signal, broadcast | nothing | nobody: who wakes knows nothing but what the mutex protects |
//! | creation, end of a thread | both | the new thread; who joins, or takes a robust mutex of it |
//! | join | the use of its handle | |
//! | `pthread_cancel` | nothing: a release store | the thread that finds itself cancelled |
//! | `pthread_key_create`, `pthread_detach`, `atexit` | the change of the library's object, as implementations do (POSIX does not ask for it) | |
//! | an operation that fails (busy, timed out, …) | nothing: POSIX leaves it open | |
//! | initialisation, destruction, attributes, thread-specific values, `sem_getvalue`, yielding | nothing | |
//!
//! `solver-tests/ordering.rs` has a program for each. A model's section drains with its first store
//! ([`InstrKind::AtomicBegin`]).
//!
//! Waiting on a condition variable unlocks the mutex and locks it again: waiters may wake for nothing, so whether a
//! signal was sent makes no difference to what is reachable. It does make one to who waits for ever: where deadlocks are asked for,
//! a waiter waits between the two for a signal or a broadcast, or wakes for nothing (`models/condition.c`).

use std::borrow::Cow;

use super::globals::{LibraryObject, Shape};
use super::misuse;
use super::mutex::{lock_at, unlock_at};
use super::owner;
use super::pthread::{ETIMEDOUT, succeed, unsupported};
use super::site::{Meaning, Site, constant};
use crate::ir::{BinOp, Check, InstrKind, NondetSource, Note, Operand, Rvalue};

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_cond_init" | "pthread_cond_destroy" => succeed,
        "pthread_cond_signal" => signal,
        "pthread_cond_broadcast" => broadcast,
        "pthread_cond_wait" => cond_wait,
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            |site| cond_timed_wait(site, ETIMEDOUT)
        }
        "sem_open" => sem_open,
        "sem_unlink" => sem_unlink,
        _ if name.starts_with("pthread_rwlock")
            || name.starts_with("pthread_cond")
            || name.starts_with("pthread_barrier")
            || name.starts_with("sem_") =>
        {
            unsupported
        }
        _ => return None,
    })
}

pub(super) fn cond_wait(site: &mut Site) -> Result<(), String> {
    let status = released(site, true)?;
    site.result(status);
    Ok(())
}

/// The same; the result is 0 or `timeout`, unless the mutex says otherwise.
pub(super) fn cond_timed_wait(site: &mut Site, timeout: u128) -> Result<(), String> {
    let status = released(site, false)?;
    let timed_out = site.reg(1);
    site.emit(InstrKind::Nondet {
        dst: timed_out,
        source: NondetSource::External,
    });
    let value = site.select(Operand::Reg(timed_out), constant(timeout, 32), status);
    let failed = site.non_zero(status);
    let value = match failed {
        Operand::Const { value: 0, .. } => value,
        failed => site.select(failed, status, value),
    };
    site.result(value);
    Ok(())
}

/// Unlocks and locks the mutex that is argument 1; what these say. A thread that is cancelled meanwhile ends after
/// it has locked the mutex. If it waits `for_good`, nobody may wake it: it may also wake without a cause, but need not.
fn released(site: &mut Site, for_good: bool) -> Result<Operand, String> {
    let again = |site: &mut Site| {
        let leaves = if site.uses().cancels {
            Some(site.call_with("__selvedge_leaves", vec![])?)
        } else {
            None
        };
        let status = lock_at(site, 1)?;
        if let Some(leaves) = leaves {
            let leaves = site.non_zero(leaves);
            site.try_when(leaves, |site| {
                site.call_with("__selvedge_cancelled", vec![]).map(|_| ())
            })?;
        }
        Ok(status)
    };
    misuse::blocks(site)?;
    join(site)?;
    let unlocked = unlock_at(site, 1)?;
    misuse::unblocks(site)?;
    if for_good && (site.checks.contains(Check::Leak) || site.checks.contains(Check::Cleanup)) {
        let woken = site.reg(1);
        site.emit(InstrKind::Nondet {
            dst: woken,
            source: NondetSource::External,
        });
        site.emit(InstrKind::Wait {
            cond: Operand::Reg(woken),
            lock: None,
        });
    }
    if let Operand::Const { .. } = unlocked {
        leave(site, for_good)?;
        return again(site);
    }
    // A thread that does not own the mutex does not wait.
    let status = site.reg(32);
    site.emit(InstrKind::Assign {
        dst: status,
        value: Rvalue::Use(unlocked),
    });
    let owned = site.binary(BinOp::Eq, unlocked, constant(0, 32));
    site.try_when(owned, |site| {
        leave(site, for_good)?;
        let locked = again(site)?;
        site.emit(InstrKind::Assign {
            dst: status,
            value: Rvalue::Use(locked),
        });
        Ok(())
    })?;
    Ok(Operand::Reg(status))
}

/// Becomes a waiter of the condition variable that is argument 0, where deadlocks are asked for, if the thread has the mutex.
fn join(site: &mut Site) -> Result<(), String> {
    if !site.uses().deadlocks {
        return Ok(());
    }
    let (condition, mutex) = (site.arg(0)?, site.arg(1)?);
    let joins = |site: &mut Site| {
        let joined = site.call_with("__selvedge_condition_join", vec![condition]);
        joined.map(|_| ())
    };
    if site.uses().kinds {
        let own = owner::note(site, mutex, Note::Own);
        let has = site.non_zero(own);
        site.try_when(has, joins)
    } else {
        // The release ends the execution of a thread that has not.
        joins(site)
    }
}

/// Waits until others have taken it out of the waiters, or takes itself out: at any time, unless it waits `for_good` and does not wake
/// for no cause.
fn leave(site: &mut Site, for_good: bool) -> Result<(), String> {
    if !site.uses().deadlocks {
        return Ok(());
    }
    let condition = site.arg(0)?;
    let wakes = if for_good {
        let wakes = site.reg(1);
        site.emit(InstrKind::Nondet {
            dst: wakes,
            source: NondetSource::External,
        });
        site.resize(Operand::Reg(wakes), 32)
    } else {
        constant(1, 32)
    };
    let left = site.call_with("__selvedge_condition_leave", vec![condition, wakes]);
    left.map(|_| ())
}

/// Wakes a thread that waits on a condition variable.
pub(super) fn signal(site: &mut Site) -> Result<(), String> {
    wake(site, "__selvedge_condition_signal")
}

/// Wakes all of them.
pub(super) fn broadcast(site: &mut Site) -> Result<(), String> {
    wake(site, "__selvedge_condition_broadcast")
}

fn wake(site: &mut Site, model: &str) -> Result<(), String> {
    if site.uses().deadlocks && site.uses().waits {
        let condition = site.arg(0)?;
        site.call_with(model, vec![condition])?;
    }
    succeed(site)
}

/// Address of the library's place for the semaphore whose name is argument 0. No semaphore has a name when the program
/// starts.
fn place_of_name(site: &mut Site) -> Result<Operand, String> {
    let Some(name) = site.literal(0) else {
        return Err("a semaphore whose name is no literal".into());
    };
    let name = String::from_utf8_lossy(&name);
    Ok(site.object(&LibraryObject {
        name: Cow::Owned(format!("semaphore {name}")),
        shape: Shape::Pointers(1),
        thread_local: false,
    }))
}

fn sem_open(site: &mut Site) -> Result<(), String> {
    let place = place_of_name(site)?;
    let flags = site.arg_as(1, 32)?;
    let value = match site.arg(3) {
        Ok(_) => site.arg_as(3, 32)?,
        Err(_) => constant(0, 32),
    };
    let found = site.call_with("__selvedge_sem_open", vec![place, flags, value])?;
    misuse::named(site, found);
    site.result(found);
    Ok(())
}

fn sem_unlink(site: &mut Site) -> Result<(), String> {
    let place = place_of_name(site)?;
    let status = site.call_with("__selvedge_sem_unlink", vec![place])?;
    site.result(status);
    Ok(())
}
