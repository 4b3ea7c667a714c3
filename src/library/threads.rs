//! C11 threads (7.26): the same operations as POSIX under other names and results.

use super::mutex::{lock, try_lock_or, unlock};
use super::pthread::{
    OF_CREATION, claim_and_wait, current, equal, exit, is_self, nothing, spawn, store_unless_null,
    succeed, thread, unsupported,
};
use super::site::{Meaning, Site, constant};
use super::sync::{broadcast, cond_timed_wait, cond_wait, signal};
use crate::ir::BinOp;

/// `thrd_busy`, `thrd_error` and `thrd_timedout` of the bundled header and of the GNU C library; `thrd_success` is 0.
const BUSY: u128 = 1;
const ERROR: u128 = 2;
const TIMED_OUT: u128 = 4;

/// The functions of this family.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "thrd_create" => create,
        "thrd_join" => join,
        "thrd_exit" => exit,
        "thrd_current" => current,
        "thrd_equal" => equal,
        "thrd_yield" => nothing,
        "thrd_sleep" => succeed,
        "mtx_destroy" | "cnd_destroy" => nothing,
        "mtx_lock" => lock,
        "mtx_unlock" => unlock,
        "mtx_trylock" => |site| try_lock_or(site, BUSY),
        "mtx_timedlock" => |site| try_lock_or(site, TIMED_OUT),
        "cnd_init" => succeed,
        "cnd_signal" => signal,
        "cnd_broadcast" => broadcast,
        "cnd_wait" => cond_wait,
        "cnd_timedwait" => |site| cond_timed_wait(site, TIMED_OUT),
        _ if name.starts_with("thrd_") || name.starts_with("mtx_") || name.starts_with("cnd_") => {
            unsupported
        }
        _ => return None,
    })
}

fn create(site: &mut Site) -> Result<(), String> {
    let place = site.arg(0)?;
    let id = spawn(site, 1, None, Some(place))?;
    site.store_as(place, id, OF_CREATION);
    succeed(site)
}

/// A thread's result is an `int`, in the low bits of what it returned.
fn join(site: &mut Site) -> Result<(), String> {
    let thread = thread(site)?;
    let same = is_self(site, thread);
    let status = site.select(same, constant(ERROR, 32), constant(0, 32));
    let others = site.binary(BinOp::Eq, same, constant(0, 1));
    let place = site.arg(1)?;
    site.try_when(others, |site| {
        let result = claim_and_wait(site, thread)?;
        let value = site.resize(result, 32);
        store_unless_null(site, place, value);
        Ok(())
    })?;
    site.result(status);
    Ok(())
}
