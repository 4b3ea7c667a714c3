//! Programs whose loops never end, asked without any option: proofs come from the search without bounds, violations from
//! whoever is first.

use super::command::{Answer, Folder, Found, asking};
use super::signals;
use crate::beside;
use std::path::PathBuf;

/// The programs of `endless/`, each with a twin that is broken (`-D BROKEN`).
fn files() -> Vec<PathBuf> {
    beside::files("endless", "c")
}

/// A program of `endless/`.
fn program(name: &str) -> String {
    let path = beside::path("endless").join(name);
    path.display().to_string()
}

/// Processor time for each, in seconds; the solver without C++ gets more.
fn limit() -> &'static str {
    match selvedge::SolverKind::DEFAULT {
        selvedge::SolverKind::Varisat => "60",
        _ => "5",
    }
}

fn verify(folder: &Folder, words: &[&str]) -> Found {
    folder.verify(&[words, &["--timeout", limit(), "-q"]].concat())
}

#[test]
fn endless_programs_are_proved_and_their_twins_fail() {
    let folder = Folder::new(&[]);
    for path in files() {
        let path = path.to_str().expect("a name in ASCII");
        verify(&folder, &[path]).is(Answer::Complete);
        verify(&folder, &[path, "-D", "BROKEN"]).is(Answer::Violated);
    }
}

/// The proof of an answer by default says the same as one that was asked for, and is checked like it.
#[test]
fn a_proof_by_default_is_kept_and_checked() {
    let path: &str = &program("handshake.c");
    let folder = Folder::new(&[]);
    let found = verify(&folder, &[path, "--proof-out", "p.json"]);
    let covered = "Covered: sequential consistency; scheme modular (any number of iterations and context switches) \
        with ";
    let out = &found.is(Answer::Complete).run.out;
    let line = out.lines().find(|line| line.starts_with(covered));
    assert!(
        line.is_some_and(|line| line.ends_with("; 3 threads")),
        "{out}"
    );
    assert!(
        found.bounds.is_empty() && found.run.err.is_empty(),
        "{found:?}"
    );
    let complete = "VERIFICATION SUCCESSFUL (complete)";
    folder.run(&["check", "p.json", path]).ends(0, complete);
    let broken = folder.run(&["check", "p.json", path, "-D", "BROKEN"]);
    assert_eq!(broken.code, Some(5), "{}", broken.out);
    assert!(broken.verdict().contains("the proof is rejected"));
}

#[test]
fn a_bound_that_was_asked_for_keeps_the_answer_bounded() {
    let path: &str = &program("handshake.c");
    let folder = Folder::new(&[]);
    for bound in [
        &["--unwind", "3"][..],
        &[
            "--unwindset",
            "sender.0:3,sender.1:3,receiver.0:3,receiver.1:3",
        ],
    ] {
        let words = [&[path, "-v", "--proof-out", "p.json"], bound].concat();
        let found = folder.verify(&words);
        found.is(Answer::Bounded);
        let err = &found.run.err;
        assert!(!err.contains("modular"), "{err}");
        assert!(
            err.contains(
                "a scheme with bounds answered, which has no certificate, so p.json is not written"
            ),
            "{err}"
        );
        assert!(!folder.path("p.json").exists());
    }
}

/// A program that the search without bounds does not model keeps what was found within bounds.
#[test]
fn what_is_refused_without_bounds_is_bounded() {
    // Threads without number that hand on addresses of their own are for bounds alone.
    let text = "#include <assert.h>
#include <pthread.h>
int x, *g;
void *t(void *p) { int own = 1; g = &own; __sync_fetch_and_or(&x, 1); return 0; }
int main(void) { pthread_t id; while (1) { pthread_create(&id, 0, t, 0); assert(x < 2); } }\n";
    let folder = Folder::new(&[("threads.c", text)]);
    let words = [
        "--timeout",
        "600",
        "-v",
        "--proof-out",
        "p.json",
        "threads.c",
    ];
    let command = folder.command(&asking(&words));
    let refused = "modular, all interleavings: not supported";
    let (run, _) = signals::interrupted(command, refused, |child| {
        signals::send(child, false, libc::SIGINT);
    });
    assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
    assert!(run.err.contains("p.json is not written"), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    let [covered, verdict] = lines[..] else {
        panic!("{}", run.out);
    };
    assert!(covered.contains("; scheme order with "), "{covered}");
    assert!(covered.contains(", which cuts executions off"), "{covered}");
    assert!(
        verdict.starts_with("VERIFICATION SUCCESSFUL (bounded: "),
        "{verdict}"
    );
}

/// Progress of the search is told while it goes on.
#[test]
fn progress_without_bounds_is_told() {
    let path: &str = &program("buffer.c");
    let folder = Folder::new(&[]);
    for (words, of_levels) in [(&[path][..], true), (&[path, "--scheme", "modular"], false)] {
        let found = verify(&folder, words);
        assert_eq!(found.is(Answer::Complete).run.err, "");
        let found = folder.verify(&[words, &["--timeout", limit(), "-v"]].concat());
        let err = &found.is(Answer::Complete).run.err;
        let line = |start: &str| err.lines().find(|line| line.starts_with(start));
        assert!(
            line("selvedge: modular, all interleavings: begins").is_some(),
            "{err}"
        );
        let end = line("selvedge: modular, all interleavings: proved, ")
            .unwrap_or_else(|| panic!("{err}"));
        for size in ["frames", "queries", "latches"] {
            assert!(end.contains(size), "{end}");
        }
        assert_eq!(line("selvedge: unwind 1: ").is_some(), of_levels, "{err}");
    }
}
