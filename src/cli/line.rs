//! The progress line: one line at the end of standard error, which is drawn anew while a run goes on and erased at its end. Whoever
//! writes to standard error meanwhile does so by [`say`], above it.
//!
//! There is one in a process, and it is known everywhere: a panic and a signal erase it, too.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::fs::File;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{BorrowedFd, FromRawFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use terminal_size::{Width, terminal_size, terminal_size_of};

/// Escape sequence that erases the line that the cursor is in.
const ERASE: &str = "\r\u{1b}[2K";
/// Columns that stay free, for what the terminal echoes of a key (`^C`) and the cursor behind it.
const MARGIN: u16 = 3;
/// Columns where nobody knows how many there are.
const COLUMNS: u16 = 80;
/// Longest wait for a writer that may never come back, as where the terminal is held.
const PATIENCE: Duration = Duration::from_millis(200);

static LINE: Mutex<Line> = Mutex::new(Line {
    bar: None,
    said: None,
});
/// Descriptor of the terminal that it is drawn on.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(libc::STDERR_FILENO);
/// Set when nothing may be drawn any more.
static IS_OVER: AtomicBool = AtomicBool::new(false);
/// True while the line is on the screen.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

struct Line {
    /// Bar that draws it, if it was drawn.
    bar: Option<ProgressBar>,
    /// Time of the last line that was said.
    said: Option<Instant>,
}

fn locked() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws the line, as much of it as there is room for.
pub fn draw(text: &str) {
    let mut line = locked();
    if !IS_OVER.load(Ordering::Relaxed) {
        let bar = line.bar.get_or_insert_with(bar);
        bar.set_message(text.to_string());
        bar.tick();
    }
}

/// Writes a line to standard error, above the progress line.
pub fn say(text: &str) {
    let write = || write(&format!("{text}\n"));
    let mut line = locked();
    line.said = Some(Instant::now());
    match &line.bar {
        Some(bar) if !IS_OVER.load(Ordering::Relaxed) => bar.suspend(write),
        _ => write(),
    }
}

/// Time since the last line that was said, if there was one.
pub fn silence() -> Option<Duration> {
    locked().said.map(|said| said.elapsed())
}

/// True when the run has ended, as far as the line is concerned.
pub fn is_over() -> bool {
    IS_OVER.load(Ordering::Relaxed)
}

/// Erases the line for good.
pub fn end() {
    IS_OVER.store(true, Ordering::Relaxed);
    let since = Instant::now();
    loop {
        match LINE.try_lock() {
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(1));
            }
            // Who holds it is not waited for any longer.
            _ => return erase(),
        }
    }
}

/// Tells whether the line may be on the screen, for a process whose child draws it.
pub fn may_be_drawn(may_be: bool) {
    IS_DRAWN.store(may_be, Ordering::Relaxed);
}

/// From now on, the line and what stands above it are written to a descriptor that stays open.
pub fn write_to(descriptor: RawFd) {
    DESCRIPTOR.store(descriptor, Ordering::Relaxed);
}

/// Writes text. Whoever does not listen need not.
fn write(text: &str) {
    // SAFETY: the descriptor is standard error, or stays open; it is not closed here.
    let file = unsafe { File::from_raw_fd(DESCRIPTOR.load(Ordering::Relaxed)) };
    let _ = ManuallyDrop::new(file).write_all(text.as_bytes());
}

/// Erases the line if it is on the screen; allowed in a signal handler.
pub fn erase() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        // SAFETY: writes bytes that are there; allowed in a handler.
        unsafe {
            libc::write(
                DESCRIPTOR.load(Ordering::Relaxed),
                ERASE.as_ptr().cast(),
                ERASE.len(),
            )
        };
    }
}

/// Bar that draws the line.
fn bar() -> ProgressBar {
    let target = ProgressDrawTarget::term_like(Box::<Screen>::default());
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(style.tick_chars("-\\|/-"));
    bar
}

/// Standard error as a screen. What is drawn at once is written at once.
#[derive(Default, Debug)]
struct Screen(Mutex<String>);

impl Screen {
    fn add(&self, text: &str) -> io::Result<()> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += text;
        Ok(())
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        // SAFETY: it is standard error, or stays open.
        let terminal = unsafe { BorrowedFd::borrow_raw(DESCRIPTOR.load(Ordering::Relaxed)) };
        let size = terminal_size_of(terminal).or_else(terminal_size);
        let columns = size.map_or(COLUMNS, |(Width(columns), _)| columns);
        columns.saturating_sub(MARGIN).max(1)
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add(ERASE)
    }

    fn flush(&self) -> io::Result<()> {
        let text = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = text.trim_end_matches(' ');
        // Before it is there, so that a handler erases too much rather than too little.
        IS_DRAWN.store(!text.ends_with(ERASE), Ordering::Relaxed);
        write(text);
        Ok(())
    }
}
