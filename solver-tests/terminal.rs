//! What a run shows on a terminal while it works, and that nothing of it is left behind; what `-v` says meanwhile.
#![cfg(unix)]

use super::signals::{fibonacci, send};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Columns of the terminals here.
const COLUMNS: u16 = 100;

/// Arguments of a run that is far from its end after some seconds.
const LONG: [&str; 9] = [
    "--check", "assert", "--scheme", "lazy", "--rounds", "12", "--unwind", "13", "fib.c",
];

/// A new terminal: what is shown there, and the end that programs write to.
fn terminal() -> (File, OwnedFd) {
    let (mut shown, mut end) = (0, 0);
    let mut size = libc::winsize {
        ws_row: 24,
        ws_col: COLUMNS,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the call writes two file descriptors, which nobody else owns, and reads the size.
    unsafe {
        let name = std::ptr::null_mut();
        let status = libc::openpty(
            &mut shown,
            &mut end,
            name,
            std::ptr::null_mut(),
            &raw mut size,
        );
        assert_eq!(status, 0, "there is a terminal");
        (File::from_raw_fd(shown), OwnedFd::from_raw_fd(end))
    }
}

/// A process whose output and errors go to a terminal, and what is shown there.
fn on_terminal(mut command: Command) -> (Child, File) {
    let (shown, end) = terminal();
    command.env("TERM", "xterm");
    command.stdout(end.try_clone().unwrap()).stderr(end);
    (command.spawn().unwrap(), shown)
}

/// Reads on until the text of all that was shown is as wanted, or to the end.
fn read(shown: &mut File, all: &mut String, is_wanted: impl Fn(&str) -> bool) {
    let mut bytes = [0; 4096];
    while !is_wanted(all) {
        // A terminal that nobody writes to any more is an error.
        match shown.read(&mut bytes) {
            Ok(count) if count > 0 => *all += &String::from_utf8_lossy(&bytes[..count]),
            _ => return,
        }
    }
}

/// Lines that are on the screen after all this was written; the last one is that of the cursor.
fn screen(written: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = written;
    while let Some(next) = rest.chars().next() {
        let line = lines.last_mut().unwrap();
        let mut length = next.len_utf8();
        if let Some(erased) = rest.strip_prefix("\r\u{1b}[2K") {
            line.clear();
            length = rest.len() - erased.len();
        } else if next == '\u{1b}' {
            // Colours take no room.
            length = rest.find('m').expect("the end of a colour") + 1;
        } else if next == '\n' {
            lines.push(String::new());
        } else if next != '\r' {
            line.push(next);
            assert!(
                line.starts_with("^") || line.len() < usize::from(COLUMNS) || !is_progress(line),
                "{line}"
            );
        }
        rest = &rest[length..];
    }
    lines
}

/// True if this is, or begins with, a progress line.
fn is_progress(line: &str) -> bool {
    let text = line.trim_start_matches(['-', '\\', '|', '/']);
    let is_drawn = text.len() < line.len() && text.starts_with(' ');
    is_drawn && text[1..].starts_with(|c: char| c.is_ascii_digit()) && line.contains(" s")
}

#[test]
fn a_line_is_drawn_below_what_is_found_and_is_erased() {
    let folder = fibonacci();
    for limits in [&["--wall", "4"][..], &["--wall", "4", "--memory", "4000"]] {
        let (mut child, mut shown) = on_terminal(folder.command(&[&LONG, limits].concat()));
        let mut written = String::new();
        read(&mut shown, &mut written, |_| false);
        assert_eq!(child.wait().unwrap().code(), Some(10), "{written}");
        for part in ["unwind 13, lazy", "solve ", " MB | "] {
            assert!(written.contains(part), "{part}: {written:?}");
        }
        let screen = screen(&written);
        let left: Vec<&String> = screen.iter().filter(|line| is_progress(line)).collect();
        assert!(left.is_empty(), "{left:?}: {written:?}");
        assert!(
            screen[0].starts_with("found: assert assertion at fib.c:7 ("),
            "{screen:#?}"
        );
        let verdict = |line: &String| line.starts_with("VERIFICATION FAILED (");
        assert!(screen.iter().any(verdict), "{screen:#?}");
    }
}

#[test]
fn elsewhere_or_where_it_is_not_wanted_there_is_no_line() {
    let folder = fibonacci();
    let limit = ["--wall", "2"];
    let erases = |text: &str| text.contains("\u{1b}[2K");
    for (options, is_drawn) in [(&["-v"][..], false), (&["--progress", "always"], true)] {
        let words = [&LONG[..], &limit, options].concat();
        let run = folder.run(&words);
        assert_eq!(erases(&run.err), is_drawn, "{options:?}: {:?}", run.err);
        assert!(!erases(&run.out), "{}", run.out);
    }
    for options in [&["--progress", "never"][..], &["-q"]] {
        let words = [&LONG[..], &limit, options].concat();
        let (mut child, mut shown) = on_terminal(folder.command(&words));
        let mut written = String::new();
        read(&mut shown, &mut written, |_| false);
        assert_eq!(child.wait().unwrap().code(), Some(10), "{written}");
        assert!(!erases(&written), "{options:?}: {written:?}");
    }
}

#[test]
fn a_signal_erases_the_line() {
    let folder = fibonacci();
    for (signal, code) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        let (mut child, mut shown) = on_terminal(folder.command(&LONG));
        let mut written = String::new();
        read(&mut shown, &mut written, |all| all.contains("solve 1 s"));
        send(&child, false, signal);
        read(&mut shown, &mut written, |_| false);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{written:?}");
        let screen = screen(&written);
        assert!(!screen.iter().any(|line| is_progress(line)), "{screen:#?}");
        assert_eq!(screen.last().map(String::as_str), Some(""));
    }
}

/// The second signal ends the process where it stands.
#[test]
fn a_second_signal_erases_the_line() {
    let folder = fibonacci();
    for options in [&[][..], &["--memory", "4000"]] {
        let mut command = folder.command(&[options, &["/dev/stdin"]].concat());
        command.stdin(Stdio::piped());
        let (mut child, mut shown) = on_terminal(command);
        let _open = child.stdin.take();
        let mut written = String::new();
        read(&mut shown, &mut written, |all| all.contains("read "));
        send(&child, false, libc::SIGINT);
        std::thread::sleep(Duration::from_millis(100));
        send(&child, false, libc::SIGTERM);
        read(&mut shown, &mut written, |_| false);
        assert_eq!(child.wait().unwrap().code(), Some(143), "{written:?}");
        assert_eq!(screen(&written), [""], "{written:?}");
    }
}

/// Silence of more than two seconds is not what `-v` is for; on a machine that has much else to do, it may be longer.
#[test]
fn verbose_runs_are_not_silent_for_long() {
    let folder = fibonacci();
    let mut command = folder.command(&[&LONG[..], &["-v", "--wall", "7"]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    let mut lines = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        longest = longest.max(last.elapsed());
        last = Instant::now();
        lines.push(line.unwrap());
    }
    child.wait().unwrap();
    assert!(longest < Duration::from_secs(4), "{longest:?}: {lines:#?}");
    let beats = lines
        .iter()
        .filter(|line| line.contains("unwind 13, lazy, rounds 12: solve "));
    assert!(beats.count() >= 2, "{lines:#?}");
}
