//! Primitives that models in C are made of: the library's own objects, ends of threads, and ways to say that something
//! is undefined or not modelled.

use std::borrow::Cow;

use super::globals::{LibraryObject, Shape};
use super::preference::WRITERS_FIRST;
use super::site::{Meaning, Site, constant};
use crate::ir::{
    AwaitedLock, Check, HANDLE_USES, InstrKind, LockHolders, Note, Operand, Terminator, Undefined,
};

/// Threads whose handles, ends and cancellation are known one by one (`THREADS` of the models).
const THREADS: u64 = 32;
/// Keys that a program may create (`KEYS` of the models).
const KEYS: u64 = 16;
/// Signals that a program may handle (`SIGNALS` of the models).
const SIGNALS: u64 = 64;
/// Robust mutexes that a thread may hold at once where deadlocks are asked for (`EACH_HELD` of the models).
const ROBUST_HELD: u64 = 4;

macro_rules! objects {
    ($($name:literal = $shown:expr, $shape:expr, $thread_local:literal;)*) => {
        /// The objects, by the function that gives their address.
        fn object(name: &str) -> Option<&'static LibraryObject> {
            match name {
                $($name => {
                    const OBJECT: &LibraryObject =
                        &LibraryObject { name: Cow::Borrowed($shown), shape: $shape, thread_local: $thread_local };
                    Some(OBJECT)
                })*
                _ => None,
            }
        }
    };
}

objects! {
    "__selvedge_handles" = HANDLE_USES, Shape::Words(THREADS), false;
    "__selvedge_own_handle" = "handle of the thread", Shape::Pointers(1), true;
    "__selvedge_main_handle" = "handle of main", Shape::Pointers(3), false;
    "__selvedge_ended" = "threads ended", Shape::Words(THREADS), false;
    "__selvedge_pending" = "threads cancelled", Shape::Words(THREADS), false;
    "__selvedge_disabled" = "cancellation disabled", Shape::Words(1), true;
    "__selvedge_cancel_type" = "type of cancellation", Shape::Words(1), true;
    "__selvedge_blocked" = "threads blocked on conditions", Shape::Words(THREADS), false;
    "__selvedge_woken" = "threads woken at conditions", Shape::Words(1), false;
    "__selvedge_queue" = "words that threads wait for", Shape::Pointers(THREADS), false;
    "__selvedge_results" = "results that C leaves open", Shape::Words(64), false;
    "__selvedge_results_known" = "how many of them", Shape::Words(1), false;
    "__selvedge_tids" = "numbers of threads", Shape::Words(THREADS), false;
    "__selvedge_robust" = "robust mutexes held", Shape::Pointers(ROBUST_HELD), true;
    "__selvedge_numbers" = "mutexes with numbers", Shape::Words(1), false;
    "__selvedge_deleted" = "keys deleted", Shape::Words(KEYS), false;
    "__selvedge_keys" = "keys created", Shape::Words(1), false;
    "__selvedge_destructors" = "destructors of keys", Shape::Pointers(KEYS), false;
    "__selvedge_values" = "values of keys", Shape::Pointers(KEYS), true;
    "__selvedge_handlers" = "cleanup handlers", Shape::Pointers(1), true;
    "__selvedge_registered" = "places of cleanup", Shape::Words(1), true;
    "__selvedge_actions" = "actions of signals", Shape::Pointers(SIGNALS), false;
    "__selvedge_concurrency" = "level of concurrency", Shape::Words(1), false;
    "__selvedge_date" = "date that threads share", Shape::Words(16), false;
    "__errno_location" = "errno", Shape::Words(1), true;
}

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    if object(name).is_some() {
        return Some(|site| {
            if let Some(object) = object(&site.name) {
                let place = site.object(object);
                site.result(place);
            }
            Ok(())
        });
    }
    Some(match name {
        "__selvedge_end" => |site| {
            let result = site.arg(0)?;
            site.stop(Terminator::ThreadExit(result));
            Ok(())
        },
        "__selvedge_thread" => super::pthread::number_of_self,
        "__selvedge_thread_of" => |site| {
            let thread = super::pthread::thread(site)?;
            site.result(thread);
            Ok(())
        },
        "__selvedge_wait" => |site| {
            let arg = site.arg(0)?;
            let cond = site.non_zero(arg);
            site.emit(InstrKind::Wait { cond, lock: None });
            Ok(())
        },
        "__selvedge_look" | "__selvedge_looked" => |site| {
            if site.checks.contains(Check::Deadlock) {
                site.emit(match &*site.name {
                    "__selvedge_look" => InstrKind::AtomicBegin { drains: false },
                    _ => InstrKind::AtomicEnd,
                });
            }
            Ok(())
        },
        "__selvedge_is_cancelled" => |site| {
            let cancelled = if site.uses().cancels {
                site.call_with("__selvedge_leaves", vec![])?
            } else {
                constant(0, 32)
            };
            site.result(cancelled);
            Ok(())
        },
        "__selvedge_end_cancelled" => |site| {
            if site.uses().cancels {
                site.call_with("__selvedge_cancelled", vec![])?;
            }
            Ok(())
        },
        "__selvedge_give_up" => |site| {
            if site.uses().robust {
                site.call_with("__selvedge_robust_end", vec![])?;
            }
            Ok(())
        },
        "__selvedge_queues" => |site| {
            let queues = site.uses().queues();
            site.result(constant(u128::from(queues), 32));
            Ok(())
        },
        "__selvedge_stays_unless" => |site| {
            if site.checks.contains(Check::Leak) || site.checks.contains(Check::Cleanup) {
                let arg = site.arg(0)?;
                let cond = site.non_zero(arg);
                site.emit(InstrKind::Wait { cond, lock: None });
            }
            Ok(())
        },
        "__selvedge_conditions_last" => |site| {
            let last = site.uses().conditions_last;
            site.result(constant(u128::from(last), 32));
            Ok(())
        },
        "__selvedge_writers_first" => |site| {
            let place = site.object(&WRITERS_FIRST);
            site.result(place);
            Ok(())
        },
        "__selvedge_wait_for" => |site| wait_for(site, LockHolders::All),
        "__selvedge_wait_to_share" => |site| wait_for(site, LockHolders::Alone),
        "__selvedge_wait_for_self" => |site| wait_for(site, LockHolders::Own),
        "__selvedge_wait_for_others" => |site| wait_for(site, LockHolders::Others),
        "__selvedge_holds" => |site| note(site, Note::Own),
        "__selvedge_set_holds" => |site| set_note(site, Note::Own),
        "__selvedge_over" => |site| {
            if site.uses().handles {
                site.call_with("__selvedge_handle_over", vec![]).map(|_| ())
            } else {
                Ok(())
            }
        },
        "__selvedge_defined_handle" => |site| defined(site, Undefined::ThreadHandle),
        "__selvedge_defined_unlock" => |site| defined(site, Undefined::LockNotHeld),
        "__selvedge_waiters" => |site| note(site, Note::Waiters),
        "__selvedge_set_waiters" => |site| set_note(site, Note::Waiters),
        "__selvedge_mutex_number" => |site| note(site, Note::Number),
        "__selvedge_set_mutex_number" => |site| set_note(site, Note::Number),
        "__selvedge_too_many_keys" => {
            |_| Err(format!("more than {KEYS} keys of thread-specific values"))
        }
        "__selvedge_too_many_threads" => |_| {
            Err(format!(
                "following the ends and cancellation of more than {THREADS} threads"
            ))
        },
        "__selvedge_too_many_robust" => |_| {
            Err(format!(
                "a thread that holds more than {ROBUST_HELD} robust mutexes where deadlocks are asked for"
            ))
        },
        "__selvedge_unknown_futex" => |_| {
            Err("an operation of `futex` other than to wait, to wake and to requeue after a comparison".into())
        },
        "__selvedge_unknown_handlers" => |_| {
            Err("the end of a thread within `pthread_cleanup_push` of the C library's headers (the bundled ones have no such limit)".into())
        },
        "__selvedge_asynchronous" => |site| {
            if site.uses().cancels {
                Err("asynchronous cancellation".into())
            } else {
                Ok(())
            }
        },
        _ => return None,
    })
}

/// Undefined behaviour unless the argument is not zero.
fn defined(site: &mut Site, why: Undefined) -> Result<(), String> {
    let arg = site.arg(0)?;
    let cond = site.non_zero(arg);
    site.emit(InstrKind::Defined { cond, why });
    Ok(())
}

/// Waits until the first argument is not zero for the lock whose address is the second, which these hold.
fn wait_for(site: &mut Site, of: LockHolders) -> Result<(), String> {
    let (arg, addr) = (site.arg(0)?, site.arg(1)?);
    let cond = site.non_zero(arg);
    let lock = Some(AwaitedLock { addr, of });
    site.emit(InstrKind::Wait { cond, lock });
    Ok(())
}

/// The note on the object whose address is the argument.
fn note(site: &mut Site, what: Note) -> Result<(), String> {
    let (addr, dst) = (site.arg(0)?, site.reg(32));
    site.emit(InstrKind::Note { dst, addr, what });
    site.result(Operand::Reg(dst));
    Ok(())
}

/// Changes it to the second argument.
fn set_note(site: &mut Site, what: Note) -> Result<(), String> {
    let (addr, value) = (site.arg(0)?, site.arg_as(1, 32)?);
    site.emit(InstrKind::SetNote { addr, what, value });
    Ok(())
}
