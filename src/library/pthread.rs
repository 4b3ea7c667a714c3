//! POSIX threads: threads and attributes (IEEE 1003.1). `mutex` and `sync` have the other objects.

use super::name::plain_name;
use super::owner;
use super::site::{Meaning, Site, constant};
pub(super) use crate::ir::EBUSY;
use crate::ir::{Access, BinOp, InstrKind, Operand, Terminator, Undefined};
use crate::library::faults::{self, Fault};

/// Errors as Linux numbers them.
pub(super) const EINVAL: u128 = 22;
pub(super) const EDEADLK: u128 = 35;
pub(super) const ETIMEDOUT: u128 = 110;
/// Access that stores the id of a new thread.
pub(super) const OF_CREATION: Access = Access {
    of_creation: true,
    ..Access::PLAIN
};
/// Use of a handle by a join (`models/handle.c`).
const JOINED: u128 = 1;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => join,
        "pthread_tryjoin_np" => |site| try_join(site, EBUSY),
        "pthread_timedjoin_np" | "pthread_clockjoin_np" => |site| try_join(site, ETIMEDOUT),
        "pthread_exit" => exit,
        "pthread_self" => current,
        "pthread_equal" => equal,
        "pthread_testcancel" => test_cancel,
        "pthread_mutex_destroy" | "pthread_spin_destroy" => succeed,
        "pthread_spin_init" => spin_init,
        // Signal 0 is none.
        "pthread_kill" => |site| match site.constant(1) {
            Some(0) => {
                if site.uses().handles {
                    thread(site)?;
                }
                succeed(site)
            }
            _ => unsupported(site),
        },
        // Affinity, scheduling and names of threads change no execution of this model.
        "pthread_attr_setaffinity_np"
        | "pthread_setaffinity_np"
        | "pthread_setschedparam"
        | "pthread_setschedprio"
        | "pthread_setname_np"
        | "pthread_yield" => succeed,
        // They are called at `fork`, which is not supported.
        "pthread_atfork" => succeed,
        _ if name.starts_with("pthread_mutex") || name.starts_with("pthread_attr") => unsupported,
        "pthread_cleanup_push"
        | "pthread_cleanup_pop"
        | "pthread_cleanup_push_defer_np"
        | "pthread_cleanup_pop_restore_np"
        | "pthread_sigqueue" => unsupported,
        _ => return None,
    })
}

/// Cancellation points: true if a call ends the thread if somebody has cancelled it. Waiting on a condition variable is
/// one, too, but has to lock its mutex before (`sync`).
pub(super) fn is_cancellation_point(name: &str) -> bool {
    matches!(
        name,
        "pthread_join"
            | "pthread_timedjoin_np"
            | "pthread_clockjoin_np"
            | "sem_wait"
            | "sem_timedwait"
            | "sem_clockwait"
            | "sleep"
            | "usleep"
            | "nanosleep"
            | "clock_nanosleep"
            | "thrd_sleep"
            | "pause"
            | "read"
            | "write"
            | "open"
            | "close"
            | "fsync"
            | "poll"
            | "select"
            | "getrandom"
    )
}

/// Returns 0.
pub(super) fn succeed(site: &mut Site) -> Result<(), String> {
    site.result(constant(0, 32));
    Ok(())
}

/// A known function that is not modelled.
pub(super) fn unsupported(site: &mut Site) -> Result<(), String> {
    Err(format!("`{}`", site.name))
}

/// Has no effect and no result.
pub(super) fn nothing(_: &mut Site) -> Result<(), String> {
    Ok(())
}

/// The id that a thread has is stored where the creator asked for it, after the creation, as an ordinary write (but see
/// [`InstrKind::Spawn`] for data races); where the null pointer is written there, nowhere (older programs do that, and some
/// libraries allow it).
fn create(site: &mut Site) -> Result<(), String> {
    let place = site.arg(0)?;
    let attributes = if site.uses().detaches && site.constant(1) != Some(0) {
        Some(site.arg(1)?)
    } else {
        None
    };
    let id_at = (site.constant(0) != Some(0)).then_some(place);
    let id = spawn(site, 2, attributes, id_at)?;
    if let Some(attributes) = attributes.filter(|_| !site.uses().handles) {
        site.call_with("__selvedge_created", vec![id, attributes])?;
    }
    if let Some(place) = id_at {
        site.store_as(place, id, OF_CREATION);
    }
    succeed(site)
}

/// Starts a thread: its routine is the argument of this index, what it gets is the next. The value is its handle, which the
/// caller stores at `id_at`.
pub(super) fn spawn(
    site: &mut Site,
    routine: usize,
    attributes: Option<Operand>,
    id_at: Option<Operand>,
) -> Result<Operand, String> {
    let start = site.arg(routine)?;
    let bits = site.pointer_bits();
    let mut arg = site.arg_as(routine + 1, bits)?;
    let handles = site.uses().handles;
    if handles {
        let detached = match attributes {
            Some(attributes) => site.call_with("__selvedge_is_detached", vec![attributes])?,
            None => constant(0, 32),
        };
        arg = site.call_with("__selvedge_handle_new", vec![arg, detached])?;
    }
    let dst = site.reg(bits);
    site.emit(InstrKind::Spawn {
        dst,
        start,
        arg,
        id_at,
    });
    Ok(if handles { arg } else { Operand::Reg(dst) })
}

/// The number of the thread whose handle is the first argument.
pub(super) fn thread(site: &mut Site) -> Result<Operand, String> {
    let bits = site.pointer_bits();
    let handle = site.arg_as(0, bits)?;
    if site.uses().handles {
        site.call_with("__selvedge_handle_thread", vec![handle])
    } else {
        Ok(handle)
    }
}

/// The number of the running thread.
pub(super) fn number_of_self(site: &mut Site) -> Result<(), String> {
    let bits = site.pointer_bits();
    let dst = site.reg(bits);
    site.emit(InstrKind::ThreadSelf { dst });
    site.result(Operand::Reg(dst));
    Ok(())
}

/// A thread does not wait for itself.
fn join(site: &mut Site) -> Result<(), String> {
    let thread = thread(site)?;
    let same = is_self(site, thread);
    if site.uses().misuse.asked && !faults::on(Fault::JoinsItself) {
        let cond = site.binary(BinOp::Eq, same, constant(0, 1));
        let why = Undefined::JoinOfItself;
        site.emit(InstrKind::Defined { cond, why });
    }
    let status = site.select(same, constant(EDEADLK, 32), constant(0, 32));
    let others = site.binary(BinOp::Eq, same, constant(0, 1));
    site.try_when(others, |site| join_claimed(site, thread))?;
    site.result(status);
    Ok(())
}

fn join_claimed(site: &mut Site, thread: Operand) -> Result<(), String> {
    let (result, place) = (claim_and_wait(site, thread)?, site.arg(1)?);
    store_unless_null(site, place, result);
    Ok(())
}

/// Joins a thread that has ended; otherwise the result is `busy`.
fn try_join(site: &mut Site, busy: u128) -> Result<(), String> {
    let thread = thread(site)?;
    let args = vec![thread, constant(busy, 32)];
    let status = site.call_with("__selvedge_may_join", args)?;
    let ended = site.binary(BinOp::Eq, status, constant(0, 32));
    site.try_when(ended, |site| join_claimed(site, thread))?;
    site.result(status);
    Ok(())
}

/// Comparison with the running thread's number: one bit.
pub(super) fn is_self(site: &mut Site, thread: Operand) -> Operand {
    let me = site.reg(site.pointer_bits());
    site.emit(InstrKind::ThreadSelf { dst: me });
    site.binary(BinOp::Eq, thread, Operand::Reg(me))
}

/// Uses up the handle that is the first argument and waits for its thread; the value is the thread's result.
pub(super) fn claim_and_wait(site: &mut Site, thread: Operand) -> Result<Operand, String> {
    let bits = site.pointer_bits();
    let handle = site.arg_as(0, bits)?;
    let uses = site.uses();
    if uses.deadlocks && uses.cancels && is_cancellation_point(plain_name(&site.name)) {
        // Who is cancelled while it waits has not used up the handle.
        let leaves = site.call_with("__selvedge_await_end", vec![thread])?;
        let leaves = site.non_zero(leaves);
        site.try_when(leaves, |site| {
            site.call_with("__selvedge_cancelled", vec![]).map(|_| ())
        })?;
    }
    let handles = uses.handles;
    if handles {
        site.call_with(
            "__selvedge_handle_claim",
            vec![handle, constant(JOINED, 32)],
        )?
    } else {
        site.call_with("__selvedge_claim", vec![handle])?
    };
    let dst = site.reg(bits);
    site.emit(InstrKind::Join { dst, thread });
    if handles {
        site.emit(InstrKind::Free { addr: handle });
    }
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
    if site.uses().ends {
        site.call_with("__selvedge_exit", vec![value])?;
    }
    site.stop(Terminator::ThreadExit(value));
    Ok(())
}

fn test_cancel(site: &mut Site) -> Result<(), String> {
    if site.uses().cancels {
        site.call_with("__selvedge_testcancel", vec![])?;
    }
    Ok(())
}

pub(super) fn current(site: &mut Site) -> Result<(), String> {
    if site.uses().handles {
        let handle = site.call_with("__selvedge_handle_self", vec![])?;
        site.result(handle);
        return Ok(());
    }
    number_of_self(site)
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
    owner::reset(site, addr);
    succeed(site)
}
