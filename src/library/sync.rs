//! Condition variables, semaphores, read-write locks, barriers and one-time initialisation of POSIX.
//!
//! Except for condition variables, each object keeps its state in its own first bytes (which static initialisers
//! and `*_init` set, in our headers and in those of the GNU C library alike: zero is the initial state of a
//! read-write lock and of a once-control, the value that of a semaphore) and each operation is an atomic section:
//! one that cannot proceed has not run, which is what blocking means (`semantics.md`, Steps).
//!
//! Waiting on a condition variable unlocks the mutex and locks it again: waiters may wake for nothing, so whether a
//! signal was sent makes no difference to what is reachable.

use super::Meaning;
use super::mutex::{acquire, release};
use super::pthread::{EBUSY, ETIMEDOUT, succeed, unsupported};
use super::site::{Site, constant};
use crate::ir::{BinOp, InstrKind, NondetSource, Operand};

/// State of a read-write lock that a writer holds; otherwise it is the number of readers.
const WRITER: u128 = 0xffff_ffff;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_condattr_init"
        | "pthread_condattr_destroy"
        | "pthread_condattr_setclock"
        | "pthread_condattr_setpshared" => succeed,
        "pthread_cond_wait" => cond_wait,
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            |site| cond_timed_wait(site, ETIMEDOUT)
        }

        "sem_init" => sem_init,
        "sem_destroy" => succeed,
        "sem_wait" => sem_wait,
        "sem_post" => sem_post,
        "sem_trywait" | "sem_timedwait" => sem_try_wait,
        "sem_getvalue" => sem_get_value,

        "pthread_rwlock_init" => |site| init(site, constant(0, 32)),
        "pthread_rwlock_destroy"
        | "pthread_rwlockattr_init"
        | "pthread_rwlockattr_destroy"
        | "pthread_rwlockattr_setpshared"
        | "pthread_rwlockattr_setkind_np" => succeed,
        "pthread_rwlock_rdlock" => |site| rwlock(site, Mode::Read),
        "pthread_rwlock_wrlock" => |site| rwlock(site, Mode::Write),
        "pthread_rwlock_tryrdlock" => |site| try_rwlock(site, Mode::Read, EBUSY),
        "pthread_rwlock_trywrlock" => |site| try_rwlock(site, Mode::Write, EBUSY),
        "pthread_rwlock_timedrdlock" => |site| try_rwlock(site, Mode::Read, ETIMEDOUT),
        "pthread_rwlock_timedwrlock" => |site| try_rwlock(site, Mode::Write, ETIMEDOUT),
        "pthread_rwlock_unlock" => rwlock_unlock,

        "pthread_barrier_init" => barrier_init,
        "pthread_barrier_destroy"
        | "pthread_barrierattr_init"
        | "pthread_barrierattr_destroy"
        | "pthread_barrierattr_setpshared" => succeed,
        "pthread_barrier_wait" => barrier_wait,

        "pthread_once" => once,
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

/// Unlocks and locks the mutex that is argument 1.
pub(super) fn cond_wait(site: &mut Site) -> Result<(), String> {
    release(site, 1)?;
    acquire(site, 1)?;
    succeed(site)
}

/// The same; the result is 0 or `timeout`.
pub(super) fn cond_timed_wait(site: &mut Site, timeout: u128) -> Result<(), String> {
    cond_wait(site)?;
    let timed_out = site.reg(1);
    site.emit(InstrKind::Nondet {
        dst: timed_out,
        source: NondetSource::External,
    });
    let value = site.select(
        Operand::Reg(timed_out),
        constant(timeout, 32),
        constant(0, 32),
    );
    site.result(value);
    Ok(())
}

/// Stores the initial state.
fn init(site: &mut Site, state: Operand) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.store(addr, state);
    succeed(site)
}

fn sem_init(site: &mut Site) -> Result<(), String> {
    let value = site.arg_as(2, 32)?;
    init(site, value)
}

fn sem_wait(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let value = site.load(addr, 32);
    let cond = site.non_zero(value);
    site.emit(InstrKind::Assume { cond });
    let less = site.binary(BinOp::Sub, value, constant(1, 32));
    site.store(addr, less);
    site.emit(InstrKind::AtomicEnd);
    succeed(site)
}

fn sem_post(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let value = site.load(addr, 32);
    let more = site.binary(BinOp::Add, value, constant(1, 32));
    site.store(addr, more);
    site.emit(InstrKind::AtomicEnd);
    succeed(site)
}

/// Result −1 if the semaphore was zero.
fn sem_try_wait(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let value = site.load(addr, 32);
    let taken = site.non_zero(value);
    let less = site.binary(BinOp::Sub, value, constant(1, 32));
    let next = site.select(taken, less, value);
    site.store(addr, next);
    site.emit(InstrKind::AtomicEnd);
    let result = site.select(taken, constant(0, 32), constant(u128::MAX, 32));
    site.result(result);
    Ok(())
}

fn sem_get_value(site: &mut Site) -> Result<(), String> {
    let (addr, to) = (site.arg(0)?, site.arg(1)?);
    let value = site.load(addr, 32);
    site.store(to, value);
    succeed(site)
}

/// How a read-write lock is taken.
#[derive(Clone, Copy)]
enum Mode {
    Read,
    Write,
}

/// Whether a lock in this state can be taken, and the state after that.
fn rwlock_step(site: &mut Site, mode: Mode, state: Operand) -> (Operand, Operand) {
    match mode {
        Mode::Read => {
            let free = site.binary(BinOp::Ne, state, constant(WRITER, 32));
            (free, site.binary(BinOp::Add, state, constant(1, 32)))
        }
        Mode::Write => (
            site.binary(BinOp::Eq, state, constant(0, 32)),
            constant(WRITER, 32),
        ),
    }
}

fn rwlock(site: &mut Site, mode: Mode) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let state = site.load(addr, 32);
    let (free, next) = rwlock_step(site, mode, state);
    site.emit(InstrKind::Assume { cond: free });
    site.store(addr, next);
    site.emit(InstrKind::AtomicEnd);
    succeed(site)
}

fn try_rwlock(site: &mut Site, mode: Mode, busy: u128) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let state = site.load(addr, 32);
    let (free, taken) = rwlock_step(site, mode, state);
    let next = site.select(free, taken, state);
    site.store(addr, next);
    site.emit(InstrKind::AtomicEnd);
    let result = site.select(free, constant(0, 32), constant(busy, 32));
    site.result(result);
    Ok(())
}

fn rwlock_unlock(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::AtomicBegin);
    let state = site.load(addr, 32);
    let written = site.binary(BinOp::Eq, state, constant(WRITER, 32));
    let less = site.binary(BinOp::Sub, state, constant(1, 32));
    let next = site.select(written, constant(0, 32), less);
    site.store(addr, next);
    site.emit(InstrKind::AtomicEnd);
    succeed(site)
}

/// A barrier is three words: how many threads it waits for, how many have arrived, and how often it has opened.
fn barrier_init(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    let needed = site.arg_as(2, 32)?;
    site.store(addr, needed);
    for bytes in [4, 8] {
        let word = site.offset(addr, bytes);
        site.store(word, constant(0, 32));
    }
    succeed(site)
}

fn barrier_wait(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    let arrived_at = site.offset(addr, 4);
    let phase_at = site.offset(addr, 8);
    site.emit(InstrKind::AtomicBegin);
    let needed = site.load(addr, 32);
    let before = site.load(arrived_at, 32);
    let phase = site.load(phase_at, 32);
    let arrived = site.binary(BinOp::Add, before, constant(1, 32));
    let last = site.binary(BinOp::Eq, arrived, needed);
    let next_phase = site.binary(BinOp::Add, phase, constant(1, 32));
    let arrived = site.select(last, constant(0, 32), arrived);
    let new_phase = site.select(last, next_phase, phase);
    site.store(arrived_at, arrived);
    site.store(phase_at, new_phase);
    site.emit(InstrKind::AtomicEnd);
    let waits = site.binary(BinOp::Eq, last, constant(0, 1));
    site.when(waits, |site| {
        // A section of its own, so that it runs when the barrier has opened.
        site.emit(InstrKind::AtomicBegin);
        let now = site.load(phase_at, 32);
        let cond = site.binary(BinOp::Ne, now, phase);
        site.emit(InstrKind::Assume { cond });
        site.emit(InstrKind::AtomicEnd);
    });
    // PTHREAD_BARRIER_SERIAL_THREAD is −1.
    let result = site.select(last, constant(u128::MAX, 32), constant(0, 32));
    site.result(result);
    Ok(())
}

/// The control is 0 before, 1 while the routine runs, 2 after; who comes meanwhile waits.
pub(super) fn once(site: &mut Site) -> Result<(), String> {
    let (addr, routine) = (site.arg(0)?, site.arg(1)?);
    site.emit(InstrKind::AtomicBegin);
    let state = site.load(addr, 32);
    let cond = site.binary(BinOp::Ne, state, constant(1, 32));
    site.emit(InstrKind::Assume { cond });
    let first = site.binary(BinOp::Eq, state, constant(0, 32));
    let next = site.select(first, constant(1, 32), state);
    site.store(addr, next);
    site.emit(InstrKind::AtomicEnd);
    site.when(first, |site| {
        site.call(routine, vec![]);
        site.emit(InstrKind::AtomicBegin);
        site.store(addr, constant(2, 32));
        site.emit(InstrKind::AtomicEnd);
    });
    succeed(site)
}
