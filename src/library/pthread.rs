//! POSIX threads: threads and attributes (IEEE 1003.1). `mutex` and `sync` have the other objects.

use super::Meaning;
use super::site::{Site, constant};
use crate::ir::{BinOp, InstrKind, Operand, Terminator};

/// Errors as Linux numbers them.
pub(super) const EBUSY: u128 = 16;
pub(super) const ETIMEDOUT: u128 = 110;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => join,
        "pthread_exit" => exit,
        "pthread_self" => current,
        "pthread_equal" => equal,
        "pthread_mutex_destroy" | "pthread_spin_destroy" => succeed,
        "pthread_spin_init" => spin_init,
        "pthread_mutexattr_setrobust" | "pthread_mutexattr_setrobust_np" => {
            |site| only(site, 1, 0, "a mutex that is not robust")
        }
        // Scheduling, sharing with other processes and stack sizes change no execution of this model.
        "pthread_detach"
        | "pthread_mutexattr_destroy"
        | "pthread_mutexattr_setpshared"
        | "pthread_mutexattr_setprotocol"
        | "pthread_mutexattr_setprioceiling"
        | "pthread_attr_destroy"
        | "pthread_attr_setstack"
        | "pthread_attr_setstackaddr"
        | "pthread_attr_setaffinity_np"
        | "pthread_setaffinity_np"
        | "pthread_setschedparam"
        | "pthread_setschedprio"
        | "pthread_setconcurrency"
        | "pthread_setname_np"
        | "pthread_yield"
        | "pthread_testcancel" => succeed,
        // Without pthread_cancel, which is refused, these have no effect but the old value.
        "pthread_setcancelstate" | "pthread_setcanceltype" => set_cancel,
        _ if name.starts_with("pthread_mutex") || name.starts_with("pthread_attr") => unsupported,
        "pthread_cancel"
        | "pthread_cleanup_push"
        | "pthread_cleanup_pop"
        | "pthread_kill"
        | "pthread_atfork"
        | "pthread_getattr_np"
        | "pthread_getschedparam" => unsupported,
        _ => return None,
    })
}

/// Returns 0.
pub(super) fn succeed(site: &mut Site) -> Result<(), String> {
    site.result(constant(0, 32));
    Ok(())
}

/// A known function that is not modelled.
pub(super) fn unsupported(site: &mut Site) -> Result<(), String> {
    Err(format!("`{}` is not supported", site.name))
}

/// Requires that an argument is a certain constant: the only supported choice.
fn only(site: &mut Site, index: usize, value: u128, what: &str) -> Result<(), String> {
    match site.constant(index) {
        Some(found) if found == value => succeed(site),
        _ => Err(format!(
            "`{}` with anything but {what} is not supported",
            site.name
        )),
    }
}

/// The id that a thread has is stored where the creator asked for it, after the creation, as an ordinary write; where
/// the null pointer is written there, nowhere (older programs do that, and some libraries allow it).
fn create(site: &mut Site) -> Result<(), String> {
    let place = site.arg(0)?;
    let id = spawn(site, 2)?;
    if site.constant(0) != Some(0) {
        site.store(place, id);
    }
    succeed(site)
}

/// Starts a thread: its routine is the argument of this index, what it gets is the next. The value is its id.
pub(super) fn spawn(site: &mut Site, routine: usize) -> Result<Operand, String> {
    let start = site.arg(routine)?;
    let bits = site.pointer_bits();
    let arg = site.arg_as(routine + 1, bits)?;
    let dst = site.reg(bits);
    site.emit(InstrKind::Spawn { dst, start, arg });
    Ok(Operand::Reg(dst))
}

fn join(site: &mut Site) -> Result<(), String> {
    let (result, place) = (wait(site)?, site.arg(1)?);
    store_unless_null(site, place, result);
    succeed(site)
}

/// Waits for the thread that is the first argument; the value is its result.
pub(super) fn wait(site: &mut Site) -> Result<Operand, String> {
    let bits = site.pointer_bits();
    let thread = site.arg_as(0, bits)?;
    let dst = site.reg(bits);
    site.emit(InstrKind::Join { dst, thread });
    Ok(Operand::Reg(dst))
}

/// Stores a value where a pointer that may be null points to.
pub(super) fn store_unless_null(site: &mut Site, place: Operand, value: Operand) {
    match place {
        Operand::Const { value: 0, .. } => {}
        Operand::GlobalAddr(..) => site.store(place, value),
        _ => {
            let cond = site.non_zero(place);
            site.when(cond, |site| site.store(place, value));
        }
    }
}

pub(super) fn exit(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let value = site.arg_as(0, bits)?;
    site.stop(Terminator::ThreadExit(value));
    Ok(())
}

pub(super) fn current(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let dst = site.reg(bits);
    site.emit(InstrKind::ThreadSelf { dst });
    site.result(Operand::Reg(dst));
    Ok(())
}

pub(super) fn equal(site: &mut Site) -> Result<(), String> {
    let (a, b) = (site.arg(0)?, site.arg(1)?);
    let same = site.binary(BinOp::Eq, a, b);
    site.result(same);
    Ok(())
}

fn spin_init(site: &mut Site) -> Result<(), String> {
    let addr = site.arg(0)?;
    site.emit(InstrKind::MutexInit { addr });
    succeed(site)
}

fn set_cancel(site: &mut Site) -> Result<(), String> {
    let place = site.arg(1)?;
    store_unless_null(site, place, constant(0, 32));
    succeed(site)
}
