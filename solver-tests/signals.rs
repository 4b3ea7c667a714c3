//! Signals end the search, not the answer.
#![cfg(unix)]

use super::command::{ENDLESS, Folder, LOST, Run, asking};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Sends a signal to a process, or to its group.
pub fn send(child: &Child, group: bool, signal: libc::c_int) {
    let process = child.id() as libc::pid_t;
    let whom = if group { -process } else { process };
    // SAFETY: signals processes of ours that have not been waited for.
    unsafe { libc::kill(whom, signal) };
}

/// End of a process that was told to end: exit code, standard output, and the time that it took.
fn ended(mut child: Child) -> (Option<i32>, String, Duration) {
    let start = Instant::now();
    let status = child.wait().unwrap();
    let mut out = String::new();
    let stdout = child.stdout.take();
    stdout.unwrap().read_to_string(&mut out).unwrap();
    (status.code(), out, start.elapsed())
}

/// End of a run in its own group that is interrupted when its standard error has a line with this text, and the time that
/// it took from there.
pub fn interrupted(
    mut command: Command,
    text: &str,
    signal: impl FnOnce(&Child),
) -> (Run, Duration) {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.process_group(0).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut err = String::new();
    let mut next = || lines.next().map(Result::unwrap);
    loop {
        let line = next().unwrap_or_else(|| panic!("no line has \"{text}\": {err}"));
        err += &format!("{line}\n");
        if line.contains(text) {
            break;
        }
    }
    let rest =
        std::thread::spawn(move || lines.map(|line| line.unwrap() + "\n").collect::<String>());
    signal(&child);
    let (code, out, took) = ended(child);
    err += &rest.join().unwrap();
    (Run { code, out, err }, took)
}

/// Verdict of a run that a signal ends: what was finished, in all files; what an earlier run has left is gone.
#[test]
fn a_signal_ends_the_search_and_not_the_answer() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    for (signal, code) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        // Without a formula to be kept, the search without bounds goes on beside the levels.
        for (options, group) in [
            (&["--dimacs", "o.cnf"][..], false),
            (&["--dimacs", "o.cnf", "--memory", "4000"], false),
            (&["--dimacs", "o.cnf", "--memory", "4000"], true),
            (&[], false),
            (&["--memory", "4000"], true),
        ] {
            let reports = ["o.json", "o.sarif", "o.xml"];
            for stale in reports.iter().chain(&["o.cnf"]) {
                std::fs::write(folder.path(stale), "stale").unwrap();
            }
            let line = match options {
                ["--dimacs", ..] => "no violation so far",
                _ => "modular, all interleavings: ",
            };
            let others = ["--json", "o.json", "--sarif", "o.sarif", "--junit", "o.xml"];
            let words = [options, &others, &["-v", "endless.c"]].concat();
            let command = folder.command(&asking(&words));
            let (run, took) = interrupted(command, line, |child| {
                assert!(!reports.iter().any(|name| folder.path(name).exists()));
                let keeps = options.contains(&"--dimacs");
                assert_eq!(folder.path("o.cnf").exists(), !keeps);
                send(child, group, signal);
            });
            let out = &run.out;
            let last: Vec<&str> = out.lines().collect();
            assert_eq!(run.code, Some(code), "{options:?} {group}: {out}");
            assert!(
                last[0].starts_with("Covered: sequential consistency"),
                "{out}"
            );
            assert!(
                last[1].starts_with("VERIFICATION SUCCESSFUL (bounded: unwind"),
                "{out}"
            );
            assert!(took < Duration::from_secs(10), "{took:?}");
            let json = std::fs::read_to_string(folder.path("o.json")).unwrap();
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert_eq!(json["verdict"], "successful");
            let sarif = std::fs::read_to_string(folder.path("o.sarif")).unwrap();
            let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
            let told = &sarif["runs"][0]["invocations"][0]["exitCode"];
            // An end by force has a report that was made before.
            assert!(told.is_null() || *told == code, "{told}");
            let junit = std::fs::read_to_string(folder.path("o.xml")).unwrap();
            assert!(junit.ends_with("</testsuites>\n"), "{junit}");
            // Where the second before an end by force was over, it is not there.
            let formula = std::fs::read_to_string(folder.path("o.cnf"));
            if options.contains(&"--dimacs")
                && let Ok(formula) = formula
            {
                selvedge::sat::dimacs::parse(&formula).unwrap();
            }
        }
    }
}

/// A process that waits for its program, with its standard input.
fn waiting(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(&asking(
        &[arguments, &["--json", "o.json", "/dev/stdin"]].concat(),
    ));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    child
}

#[test]
fn a_signal_before_anything_is_found() {
    let folder = Folder::new(&[]);
    for arguments in [&[][..], &["--memory", "4000"]] {
        let mut child = waiting(&folder, arguments);
        let _open = child.stdin.take();
        send(&child, false, libc::SIGTERM);
        let (code, out, took) = ended(child);
        assert_eq!(code, Some(143), "{arguments:?}: {out}");
        assert_eq!(
            out.lines().last(),
            Some("VERIFICATION UNKNOWN (interrupted)")
        );
        assert!(took < Duration::from_secs(10), "{took:?}");
        let json = std::fs::read_to_string(folder.path("o.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["verdict"], "unknown");
        std::fs::remove_file(folder.path("o.json")).unwrap();
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let folder = Folder::new(&[]);
    for arguments in [&[][..], &["--memory", "4000"]] {
        let mut child = waiting(&folder, arguments);
        let _open = child.stdin.take();
        send(&child, false, libc::SIGINT);
        std::thread::sleep(Duration::from_millis(100));
        send(&child, false, libc::SIGTERM);
        let (code, out, took) = ended(child);
        assert_eq!((code, out.as_str()), (Some(143), ""), "{arguments:?}");
        assert!(took < Duration::from_millis(700), "{took:?}");
        assert!(!folder.path("o.json").exists());
    }
}

#[test]
fn a_program_that_comes_through_a_pipe_is_verified() {
    use std::io::Write;
    let folder = Folder::new(&[]);
    let mut child = waiting(&folder, &["--memory", "4000"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(LOST.as_bytes()).unwrap();
    drop(stdin);
    let (code, out, _) = ended(child);
    assert_eq!(code, Some(10));
    let verdict = "VERIFICATION FAILED (assertion at /dev/stdin:11)";
    assert_eq!(out.lines().last(), Some(verdict));
}

#[test]
fn a_sweep_ends_with_its_table() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    std::fs::write(folder.path("table.txt"), "stale").unwrap();
    let words = [
        "sweep",
        "endless.c",
        "--scheme",
        "order",
        "--unwind",
        "1,1000000",
        "--output",
        "table.txt",
    ];
    let mut command = folder.command(&words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("[1/2]")));
    assert!(!folder.path("table.txt").exists());
    send(&child, false, libc::SIGTERM);
    let (code, out, took) = ended(child);
    assert_eq!(code, Some(143), "{out}");
    assert!(
        out.contains("bounded") && out.contains("1 not run"),
        "{out}"
    );
    assert!(took < Duration::from_secs(10), "{took:?}");
    let table = std::fs::read_to_string(folder.path("table.txt")).unwrap();
    assert_eq!(table, out);
    let journal = std::fs::read_to_string(folder.path("table.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1, "{journal}");
}

/// Two threads that add up Fibonacci numbers: one assertion fails soon, the other one takes long to be proved.
pub fn fibonacci() -> Folder {
    let rounds = "for (int k = 0; k < 12; k++)";
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\nint i = 1, j = 1;\n\
         void *one(void *a) {{ {rounds} i = i + j; return 0; }}\n\
         void *other(void *a) {{ {rounds} j = j + i; return 0; }}\n\
         int main(void) {{ pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, other, 0);\n\
         assert(i < 3);\n\
         pthread_join(a, 0); pthread_join(b, 0); assert(i <= 46368 && j <= 46368); }}\n"
    );
    Folder::new(&[("fib.c", &text)])
}

/// What was found is the answer where others are still looked for.
#[test]
fn a_signal_keeps_what_was_found() {
    let folder = fibonacci();
    let bounds = ["--scheme", "lazy", "--rounds", "12", "--unwind", "13"];
    let others = ["--check", "assert", "-v", "--json", "o.json", "fib.c"];
    let mut command = folder.command(&[&bounds[..], &others].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let found = "found: assert assertion at fib.c:7 (";
    assert!(lines.any(|line| line.unwrap().starts_with(found)));
    let rest = std::thread::spawn(move || lines.for_each(drop));
    send(&child, false, libc::SIGINT);
    let (code, out, _) = ended(child);
    rest.join().unwrap();
    assert_eq!(code, Some(130), "{out}");
    let last = out.lines().last();
    assert_eq!(last, Some("VERIFICATION FAILED (assertion at fib.c:7)"));
    assert!(
        out.contains("Violated: assertion at fib.c:7, in main"),
        "{out}"
    );
    let json = std::fs::read_to_string(folder.path("o.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(1));
}
