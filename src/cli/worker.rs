//! A hard limit of memory. Under `--memory`, the program runs itself again as a child: the parent watches how
//! much memory the child holds and ends it at the limit, and whatever way the child dies in (an allocation that
//! fails, in Rust or in C++, the system's own killer), the last line still is a verdict.
//!
//! The child's address space is limited as well, for the case that it grows faster than it is watched; not to
//! the same figure, because address space also counts what is reserved and never used.

use super::limits::Limits;
use super::line;
use super::signal;
use super::watch::GRACE;
use crate::base::budget::resident_bytes_of;
use crate::outcome::exit;
use crate::report::text::NOTHING;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::os::fd::RawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set for the child, to its parent's process number.
const MARK: &str = "SELVEDGE_WORKER";
/// Set for the child if its parent's standard error is a terminal: the descriptor by which it draws there. What else it writes to
/// standard error comes by way of the parent, and late.
const TERMINAL: &str = "SELVEDGE_TERMINAL";
/// Time between two looks of the parent at its child.
const WATCH_EVERY: Duration = Duration::from_millis(10);
/// Address space beyond the limit: the stacks of the main thread and of lanes, the program, arenas that are reserved only.
const ADDRESS_SPACE_SLACK: u64 = 5 << 30;

/// Reason of an unknown verdict after a signal.
const INTERRUPTED: &str = "interrupted";

/// Worker process: true if this one is the child of another run of this program.
pub fn is_worker() -> bool {
    std::env::var(MARK)
        .is_ok_and(|parent| parent == std::os::unix::process::parent_id().to_string())
}

/// True if somebody may watch standard error.
pub fn is_watched() -> bool {
    terminal_of_parent().is_some() || std::io::stderr().is_terminal()
}

/// In the child: the parent's terminal, if there is one.
pub fn terminal_of_parent() -> Option<RawFd> {
    let descriptor = std::env::var(TERMINAL).ok()?.parse().ok()?;
    // SAFETY: only asks.
    let is_terminal = unsafe { libc::isatty(descriptor) == 1 };
    (is_worker() && is_terminal).then_some(descriptor)
}

/// Another descriptor of the terminal that standard error is, which children inherit.
fn terminal() -> Option<RawFd> {
    let is_terminal = std::io::stderr().is_terminal();
    // SAFETY: makes a descriptor of one that is open; the process ends with its child.
    let descriptor =
        is_terminal.then(|| unsafe { libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD, 3) });
    descriptor.filter(|descriptor| *descriptor >= 0)
}

/// In the child: limits the address space, and makes sure that the child dies with its parent.
pub fn confine(memory_bytes: u64) {
    let bytes = memory_bytes.saturating_add(ADDRESS_SPACE_SLACK);
    let limit = libc::rlimit {
        rlim_cur: bytes as libc::rlim_t,
        rlim_max: bytes as libc::rlim_t,
    };
    // SAFETY: both calls only change limits of this process. Should one fail, the parent still watches.
    unsafe {
        libc::setrlimit(libc::RLIMIT_AS, &limit);
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// In the parent: runs this program again with arguments, within the limits, where it may draw a progress line or not. Returns its exit
/// code.
///
/// # Errors
/// The child cannot be started.
pub fn supervise(
    limits: &Limits,
    memory_bytes: u64,
    arguments: Vec<OsString>,
    draws: bool,
) -> Result<u8, String> {
    let told = |error: std::io::Error| format!("cannot start the worker process: {error}");
    let program = std::env::current_exe().map_err(told)?;
    let terminal = terminal().map(|descriptor| (TERMINAL, descriptor.to_string()));
    line::may_be_drawn(draws && terminal.is_some());
    let mut child = Command::new(program)
        .args(arguments)
        .env(MARK, std::process::id().to_string())
        .envs(terminal)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(told)?;
    let overflowed = Arc::new(AtomicBool::new(false));
    let forward = child.stderr.take().map(|stderr| {
        let overflowed = Arc::clone(&overflowed);
        std::thread::spawn(move || forward_lines(BufReader::new(stderr), &overflowed))
    });
    let end = watch(&mut child, limits, memory_bytes);
    if matches!(&end, End::Exited(status) if status.code().is_some()) {
        // It has erased its line.
        line::may_be_drawn(false);
    }
    line::end();
    if let Some(forward) = forward {
        let _ = forward.join();
    }
    let died_of_memory = "the worker process ran out of memory";
    let code = match end {
        End::Killed(reason) => last_words(reason),
        End::Exited(status) => match (status.code(), status.signal()) {
            (Some(code), _) => u8::try_from(code).unwrap_or(exit::INTERNAL),
            // It was asked to end before it could listen.
            (None, Some(signal::FORWARDED)) => last_words(INTERRUPTED),
            // Failed allocations abort, in Rust and in C++; so does an overflow of the stack.
            (None, Some(libc::SIGABRT)) if !overflowed.load(Ordering::Relaxed) => {
                eprintln!("selvedge: {died_of_memory}");
                last_words("memory")
            }
            // Nobody here sent this: the system ends processes when memory runs out.
            (None, Some(libc::SIGKILL)) => {
                eprintln!("selvedge: {died_of_memory}");
                last_words("memory")
            }
            (None, signal) => {
                eprintln!(
                    "selvedge: internal error: the worker process died (signal {})",
                    signal.unwrap_or(0)
                );
                exit::INTERNAL
            }
        },
    };
    Ok(match code {
        exit::USAGE | exit::INPUT | exit::INTERNAL => code,
        _ => signal::exit_code().unwrap_or(code),
    })
}

/// Says on standard output what the child no longer can.
fn last_words(reason: &str) -> u8 {
    let text = format!("Covered: {NOTHING}\nVERIFICATION UNKNOWN ({reason})\n");
    let _ = std::io::stdout().write_all(text.as_bytes());
    exit::UNKNOWN
}

/// End of a child: its own, or one from here with the reason.
enum End {
    Exited(ExitStatus),
    Killed(&'static str),
}

fn watch(child: &mut Child, limits: &Limits, memory_bytes: u64) -> End {
    let start = Instant::now();
    let process = child.id().to_string();
    let mut told_to_stop: Option<Instant> = None;
    loop {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => return End::Exited(status),
            Err(_) => return kill(child, End::Killed("the worker process was lost")),
        }
        if resident_bytes_of(&process).is_some_and(|bytes| bytes > memory_bytes) {
            return kill(child, End::Killed("memory"));
        }
        if limits
            .wall
            .is_some_and(|wall| start.elapsed() > wall.saturating_add(GRACE * 2))
        {
            return kill(child, End::Killed("wall time"));
        }
        match told_to_stop {
            None if signal::exit_code().is_some() => {
                // A terminal tells the whole group, `kill` only the parent: the child takes both for one.
                if let Ok(process) = libc::pid_t::try_from(child.id()) {
                    // SAFETY: sends a signal to our own child, which has not been waited for yet.
                    unsafe { libc::kill(process, signal::FORWARDED) };
                }
                told_to_stop = Some(Instant::now());
            }
            Some(since) if since.elapsed() > GRACE * 2 => {
                return kill(child, End::Killed(INTERRUPTED));
            }
            _ => {}
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

fn kill(child: &mut Child, end: End) -> End {
    let _ = child.kill();
    let _ = child.wait();
    end
}

/// Copies lines to standard error, and notes whether one of them tells of a stack overflow.
fn forward_lines(mut from: impl BufRead, overflowed: &AtomicBool) {
    let mut line = Vec::new();
    while from
        .read_until(b'\n', &mut line)
        .is_ok_and(|count| count > 0)
    {
        if String::from_utf8_lossy(&line).contains("has overflowed its stack") {
            overflowed.store(true, Ordering::Relaxed);
        }
        let _ = std::io::stderr().write_all(&line);
        line.clear();
    }
}
