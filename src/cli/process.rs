//! The process: the stack of the thread that works, and ends that nobody expects.

use super::line;
use super::refusal::told;
use crate::outcome::exit;

/// Stack of the thread that does the work: stages recurse as deep as programs nest.
const STACK_BYTES: usize = 1 << 30;

/// Address space that a heap of the allocator begins with, or grows by.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAP_BYTES: libc::c_int = 16 << 20;

/// Does work on a thread that has room for it, and returns its exit code.
pub fn on_large_stack(work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    match std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(work)
    {
        // The panic hook has spoken already.
        Ok(thread) => thread.join().unwrap_or(exit::INTERNAL),
        Err(error) => told(exit::INTERNAL, &format!("cannot start a thread: {error}")),
    }
}

/// Heaps of the C library's allocator: each thread has its own, and by default it grows page by page, with a system call each time. Here it
/// begins with [`HEAP_BYTES`], which take no memory before they are used, and only large blocks have mappings of their own.
pub fn set_up_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (parameter, bytes) in [
        (libc::M_TOP_PAD, HEAP_BYTES),
        (libc::M_TRIM_THRESHOLD, 4 * HEAP_BYTES),
        (libc::M_MMAP_THRESHOLD, HEAP_BYTES / 4),
    ] {
        // SAFETY: no other thread is there yet. A parameter that is refused stays as it was.
        unsafe { libc::mallopt(parameter, bytes) };
    }
}

/// A panic is a bug of ours, on whichever thread: say so, and end with the exit code for it.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        line::end();
        let place = panic
            .location()
            .map_or(String::new(), |location| format!(" at {location}"));
        let payload = panic.payload();
        let what = payload
            .downcast_ref::<&str>()
            .map(|text| text.to_string())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        eprintln!(
            "selvedge {}: internal error{place}: {what}",
            env!("CARGO_PKG_VERSION")
        );
        eprintln!(
            "This is a bug in Selvedge; please report it together with the input and the command line."
        );
        std::process::exit(i32::from(exit::INTERNAL));
    }));
}

/// The run-time library aborts where the stack or the memory is exhausted; that, too, ends with our exit code.
/// (A worker process aborts as usual: its parent tells the cases apart.)
pub fn install_abort_handler() {
    extern "C" fn aborted(_signal: libc::c_int) {
        let text = b"selvedge: internal error: aborted, the stack or the memory is exhausted\n";
        line::erase();
        // SAFETY: both calls are allowed in a signal handler.
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
            libc::_exit(i32::from(exit::INTERNAL));
        }
    }
    let handler: extern "C" fn(libc::c_int) = aborted;
    // SAFETY: the handler only does what handlers may do.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}
