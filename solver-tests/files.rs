//! Files that are read and written: what is no input, and what an earlier run has left.

use super::command::{Folder, LOST};
use std::time::{Duration, Instant};

/// A pipe with a name, which nobody writes to.
#[cfg(unix)]
fn pipe(folder: &Folder, name: &str) {
    let path = std::ffi::CString::new(folder.path(name).to_str().unwrap()).unwrap();
    // SAFETY: the call reads a text that ends in a zero byte.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
}

/// Each is refused at once, whatever it is read as.
#[cfg(unix)]
#[test]
fn what_may_never_end_is_no_input() {
    let header = "#include \"pipe.h\"\nint main(void) { return 0; }\n";
    let device = "#include \"/dev/zero\"\nint main(void) { return 0; }\n";
    let marker = "# 1 \"/dev/zero\"\nint main(void) { return x; }\n";
    let folder = Folder::new(&[
        ("lost.c", LOST),
        ("header.c", header),
        ("device.c", device),
        ("marker.i", marker),
        ("device.yml", "input_files: /dev/zero\n"),
        ("pipe-in.yml", "input_files: pipe.c\n"),
    ]);
    for name in [
        "pipe.c",
        "pipe.i",
        "pipe.h",
        "pipe.yml",
        "pipe.prp",
        "pipe.json",
    ] {
        pipe(&folder, name);
    }
    std::fs::create_dir(folder.path("folder.yml")).unwrap();
    for (words, message) in [
        ("pipe.c", "pipe.c: is a pipe, expected a regular file"),
        ("pipe.i", "pipe.i: is a pipe"),
        ("--cpp cc pipe.c", "pipe.c: is a pipe"),
        ("--memory 4000 pipe.c", "pipe.c: is a pipe"),
        ("show --stage ir pipe.c", "pipe.c: is a pipe"),
        ("sweep pipe.c", "pipe.c: is a pipe"),
        ("pipe.yml", "pipe.yml: is a pipe"),
        ("pipe-in.yml", "pipe.c: is a pipe"),
        ("--property pipe.prp lost.c", "pipe.prp: is a pipe"),
        ("check pipe.json lost.c", "pipe.json: is a pipe"),
        ("header.c", "header.c:1:10: error: pipe.h: is a pipe"),
        ("/dev/zero", "/dev/zero: is a device"),
        ("/dev/full", "/dev/full: is a device"),
        ("device.yml", "/dev/zero: is a device"),
        ("device.c", "device.c:1:10: error: /dev/zero: is a device"),
        ("check /dev/zero lost.c", "/dev/zero: is a device"),
        ("marker.i", "`x` is not declared"),
        (".", ".: is a folder"),
        ("folder.yml", "folder.yml: is a folder"),
        ("check . lost.c", ".: is a folder"),
        ("--property folder.prp lost.c", "folder.prp: no such file"),
        ("sweep .", ".: is a folder"),
        ("sweep /dev/stdin", "/dev/stdin: is a"),
    ] {
        let start = Instant::now();
        let words: Vec<&str> = words.split(' ').collect();
        let run = folder.run(&words);
        assert_eq!(run.code, Some(2), "{words:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
        assert!(start.elapsed() < Duration::from_secs(10), "{words:?}");
    }
}

/// A file is of this run or is not there, and nothing that is read is removed.
#[test]
fn files_of_earlier_runs_are_removed() {
    let folder = Folder::new(&[
        ("lost.c", LOST),
        ("broken.c", "int main(void) { return x; }\n"),
    ]);
    let stale = ["o.json", "o.sarif", "o.xml", "o.cnf", "o.proof"];
    let reports = "--json o.json --sarif o.sarif --junit o.xml".split(' ');
    let reports: Vec<&str> = reports.collect();
    let all = || stale.map(|name| folder.path(name).exists());
    let make = || stale.map(|name| std::fs::write(folder.path(name), "stale").unwrap());
    make();
    let run = folder.run(&[&reports[..], &["--dimacs", "o.cnf", "broken.c"]].concat());
    assert_eq!(
        (run.code, all()),
        (Some(2), [false, false, false, false, true]),
        "{}",
        run.err
    );
    make();
    let run = folder.run(&[&reports[..], &["--proof-out", "o.proof", "lost.c"]].concat());
    assert_eq!(
        (run.code, all()),
        (Some(10), [true, true, true, true, false]),
        "{}",
        run.err
    );
    assert_ne!(std::fs::read(folder.path("o.json")).unwrap(), b"stale");
    for (words, message) in [
        ("--json lost.c lost.c", "cannot write lost.c: it is read"),
        (
            "--dimacs ./lost.c lost.c",
            "cannot write ./lost.c: it is read",
        ),
        (
            "check --json o.cnf o.cnf lost.c",
            "cannot write o.cnf: it is read",
        ),
        (
            "--json o --dimacs o lost.c",
            "cannot write o: it is another output",
        ),
        (
            "sweep --output lost.c lost.c",
            "cannot write lost.c: it is read",
        ),
        (
            "sweep --journal t --output t lost.c",
            "cannot write t: it is read",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        folder.run(&words).refused(1, message);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path("lost.c")).unwrap(),
        LOST
    );
}
