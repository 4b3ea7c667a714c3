//! Signals that ask for an end: Ctrl-C, and what batch systems send. The first one ends the search, not the answer;
//! the second one ends the process.

use super::line;
use crate::outcome::exit;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

/// Signals that users and batch systems send.
const ENDS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];
/// Signal that a parent sends to its worker, which may have got its parent's signal as well: it counts as the first
/// one, however often it comes.
pub const FORWARDED: libc::c_int = libc::SIGUSR1;

/// The first signal; 0 if there was none.
static FIRST: AtomicI32 = AtomicI32::new(0);
/// Flag that the first signal sets.
static CANCEL: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Listens from now on, in a worker process to its parent as well. The first signal sets `cancel`.
pub fn listen(cancel: Arc<AtomicBool>, is_worker: bool) {
    if CANCEL.set(cancel).is_err() {
        return;
    }
    let handler: extern "C" fn(libc::c_int) = received;
    let forwarded = is_worker.then_some(FORWARDED);
    for signal in ENDS.into_iter().chain(forwarded) {
        // SAFETY: the handler only does what handlers may do. Without it, the system's default still ends the process.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// In a handler: atomic variables, and the end of the process.
extern "C" fn received(signal: libc::c_int) {
    let before = FIRST.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
    if before.is_err_and(|first| first != FORWARDED && signal != FORWARDED) {
        line::erase();
        // SAFETY: allowed in a handler.
        unsafe { libc::_exit(i32::from(exit::after_signal(signal))) };
    }
    if let Some(cancel) = CANCEL.get() {
        cancel.store(true, Ordering::Relaxed);
    }
}

/// True if the first signal came from the parent of this worker, which knows what it got itself.
pub fn is_forwarded() -> bool {
    FIRST.load(Ordering::Relaxed) == FORWARDED
}

/// The exit code that the first signal asks for, if there was one.
pub fn exit_code() -> Option<u8> {
    match FIRST.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(exit::after_signal(signal)),
    }
}
