//! `selvedge sweep` as a user runs it: table, journal, resumption, limits, interrupts.

use crate::command::{ENDLESS, Folder, LOST};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A loop that is covered from the third unwinding on.
pub const LOOP: &str = "#include <assert.h>
#include <pthread.h>
int hits;
void *visit(void *arg) { for (int i = 0; i < 2; i++) __sync_fetch_and_add(&hits, 1); return 0; }
int main(void) {
    pthread_t a;
    int n = 0;
    extern int __VERIFIER_nondet_int(void);
    pthread_create(&a, 0, visit, 0);
    while (__VERIFIER_nondet_int() && n < 2) n++;
    pthread_join(a, 0);
    assert(hits == 2);
}
";

pub fn records(folder: &Folder, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path(name)).unwrap();
    let parse = |line: &str| serde_json::from_str(line).ok();
    text.lines().filter_map(parse).collect()
}

/// The words of a line of the table.
fn row<'a>(out: &'a str, start: &str) -> Vec<&'a str> {
    let line = out.lines().find(|line| line.starts_with(start));
    line.unwrap_or_else(|| panic!("{start}: {out}"))
        .split_whitespace()
        .collect()
}

#[test]
fn a_grid_becomes_a_table_and_a_journal() {
    let folder = Folder::new(&[("lost.c", LOST), ("loop.c", LOOP)]);
    let arguments =
        "sweep lost.c loop.c --scheme order,lazy --rounds 1..2 --unwind 1..4 --jobs 2 -o t.txt";
    let words: Vec<&str> = arguments.split(' ').collect();
    let run = folder.run(&words);
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    assert_eq!(
        std::fs::read_to_string(folder.path("t.txt")).unwrap(),
        run.out
    );
    assert_eq!(row(&run.out, "file").len(), 10);
    assert_eq!(row(&run.out, "lost.c")[1..3], ["order", "failed"]);
    assert!(run.out.contains("lazy, rounds 2"));
    let last = *row(&run.out, "loop.c").last().unwrap();
    assert_eq!(
        last, "(complete)",
        "three unwindings are enough: {}",
        run.out
    );
    assert!(run.out.ends_with("implied\n"), "{}", run.out);
    assert_eq!(
        run.err.lines().count(),
        24,
        "a line for each cell: {}",
        run.err
    );
    let found = records(&folder, "t.jsonl");
    let failed = found.iter().find(|one| one["verdict"] == "failed").unwrap();
    assert_eq!(
        (&failed["schema"], &failed["file"]),
        (&1.into(), &"lost.c".into())
    );
    // What was not run says by which cell.
    let implied = found.iter().filter(|one| !one["implied_by"].is_null());
    let implied: Vec<&Value> = implied.collect();
    assert!(implied.len() >= 3, "{}", run.out);
    for one in &implied {
        let by = &one["implied_by"];
        let is_by = |other: &&Value| {
            ["scheme", "rounds", "unwind"]
                .iter()
                .all(|axis| other[axis] == by[axis])
                && other["file"] == one["file"]
        };
        let by = found.iter().find(is_by).unwrap();
        assert_eq!(by["verdict"], one["verdict"], "{}", run.out);
    }
    assert_eq!(found.len(), 24);
    // Another process finds everything done, and the table says the same.
    let again = folder.run(&words);
    assert!(
        again
            .err
            .contains("t.jsonl is continued, which has 24 of 24 cells"),
        "{}",
        again.err
    );
    assert_eq!(again.code, Some(10), "{}", again.err);
    assert_eq!(records(&folder, "t.jsonl").len(), found.len());
    let table = |out: &str| out.lines().take(7).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(table(&again.out), table(&run.out));
}

#[test]
fn without_pruning_every_cell_is_run() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&[
        "sweep",
        "lost.c",
        "--scheme",
        "order",
        "--unwind",
        "1..3",
        "--no-prune",
        "-q",
    ]);
    assert_eq!((run.code, run.err.as_str()), (Some(10), ""), "{}", run.out);
    assert!(run.out.ends_with("3 cells: 3 run\n"), "{}", run.out);
    assert_eq!(records(&folder, "sweep.jsonl").len(), 3);
}

#[test]
fn a_journal_is_continued_where_it_has_cells_of_the_sweep() {
    let folder = Folder::new(&[("loop.c", LOOP), ("lost.c", LOST)]);
    let of = |file: &str, more: &[&str]| {
        let words = ["sweep", file, "--scheme", "order", "--unwind", "1..2"];
        folder.run(&[&words[..], more].concat())
    };
    let sweep = |more: &[&str]| of("loop.c", more);
    assert_eq!(sweep(&["-q"]).code, Some(0));
    // A torn last line, as a crash leaves it.
    let path = folder.path("sweep.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 10]).unwrap();
    let run = sweep(&[]);
    for part in [
        "the last line of sweep.jsonl was torn, and is removed",
        "sweep.jsonl is continued, which has 1 of 2 cells",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert!(
        run.out.ends_with("2 cells: 1 run, 1 from the journal\n"),
        "{}",
        run.out
    );
    assert!(sweep(&["--resume"]).out.ends_with("2 from the journal\n"));
    // Another text, or other options, are another question, and so is another program: they take a new journal.
    let run = sweep(&["-DX"]);
    assert!(run.out.ends_with("2 cells: 2 run\n"), "{}", run.out);
    let told = "sweep.jsonl is of another sweep, so the journal is sweep-2.jsonl";
    assert!(run.err.contains(told), "{}", run.err);
    assert!(
        of("lost.c", &[])
            .err
            .contains("the journal is sweep-3.jsonl")
    );
    assert!(of("lost.c", &[]).err.contains("sweep-3.jsonl is continued"));
    // One that is named is appended to, whatever it has.
    let run = of("lost.c", &["--journal", "sweep.jsonl", "--no-prune"]);
    assert!(run.out.ends_with("2 cells: 2 run\n"), "{}", run.out);
    assert_eq!(records(&folder, "sweep.jsonl").len(), 4);
    let run = sweep(&["--fresh"]);
    assert!(run.out.ends_with("2 cells: 2 run\n"), "{}", run.out);
    assert_eq!(records(&folder, "sweep-4.jsonl").len(), 2);
    let changed = LOOP.replace("hits == 2", "hits != 7");
    std::fs::write(folder.path("loop.c"), changed).unwrap();
    let run = sweep(&["--resume"]);
    assert!(run.out.ends_with("2 cells: 2 run\n"), "{}", run.out);
}

/// Ends a process as the system does when memory is short: nothing of it gets a chance to say anything.
#[cfg(unix)]
fn kill(child: &mut std::process::Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Waits until a journal has so many lines.
fn wait_for_lines(folder: &Folder, name: &str, count: usize) {
    let start = Instant::now();
    let lines =
        || std::fs::read_to_string(folder.path(name)).map_or(0, |text| text.lines().count());
    while lines() < count && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The table without times, and without what it depends on whether a cell was run or implied.
pub fn answers(out: &str) -> Vec<String> {
    let is_word = |word: &&str| word.parse::<f64>().is_err() && *word != "s";
    let line = |line: &str| {
        let words = line.split_whitespace().filter(is_word);
        let words = words.map(|word| word.trim_matches(['(', ')']));
        words
            .collect::<Vec<_>>()
            .join(" ")
            .replace("vacuous", "bounded")
    };
    let table = out.lines().filter(|line| !line.contains(" cells: "));
    table.map(line).collect()
}

#[cfg(unix)]
#[test]
fn a_sweep_that_was_killed_ends_with_the_same_table_and_repeats_nothing() {
    let words = "sweep lost.c loop.c --scheme order,lazy,timestamp --rounds 1..2 --unwind 1..3 --jobs 2 --no-prune -q";
    let words: Vec<&str> = words.split(' ').collect();
    let folder = Folder::new(&[("lost.c", LOST), ("loop.c", LOOP)]);
    let undisturbed = folder.run(&[&words[..], &["--journal", "whole.jsonl"]].concat());
    assert_eq!(undisturbed.code, Some(10), "{}", undisturbed.err);
    for lines in [1, 5, 11] {
        let mut command = folder.command(&words);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        wait_for_lines(&folder, "sweep.jsonl", lines);
        kill(&mut child);
        let has = records(&folder, "sweep.jsonl").len();
        assert!(has >= lines, "{has}");
    }
    let run = folder.run(&words);
    assert_eq!(answers(&run.out), answers(&undisturbed.out));
    let found = records(&folder, "sweep.jsonl");
    let cell =
        |one: &Value| ["file", "scheme", "rounds", "unwind"].map(|name| one[name].to_string());
    let mut cells: Vec<_> = found.iter().map(cell).collect();
    cells.sort();
    cells.dedup();
    assert_eq!((cells.len(), found.len()), (24, 24), "each cell once");
}

#[cfg(unix)]
#[test]
fn two_sweeps_on_one_journal_are_refused() {
    let folder = Folder::new(&[("endless.c", ENDLESS), ("lost.c", LOST)]);
    let words = "sweep endless.c --scheme order --unwind 1,100000 --memory 2000 -q";
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = folder
        .command(&words)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_lines(&folder, "sweep.jsonl", 1);
    folder
        .run(&words)
        .refused(2, "another sweep is running on the journal sweep.jsonl");
    // Another sweep takes another journal.
    let run = folder.run(&["sweep", "lost.c", "--scheme", "order", "--unwind", "1"]);
    assert_eq!(run.code, Some(10), "{}", run.err);
    assert!(
        run.err.contains("the journal is sweep-2.jsonl"),
        "{}",
        run.err
    );
    kill(&mut child);
    assert!(folder.path("sweep.jsonl").exists());
    let run = folder.run(&[&words[..4], &["--unwind", "1", "--memory", "2000"]].concat());
    assert!(
        run.out.ends_with("1 from the journal\n"),
        "{}{}",
        run.out,
        run.err
    );
}

#[test]
fn axes_are_rows_and_one_is_the_column() {
    let folder = Folder::new(&[("lost.c", LOST), ("list.set", "# all\n\nlo*.c\n")]);
    let words = "sweep list.set --scheme lazy,order --memory-model sc,tso --queue 3..4 --rounds 1..2 --columns rounds \
        --unwind 1 --check assert,memory+leak --solver varisat --seed 1,2 --no-prune";
    let run = folder.run(&words.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    let first = run.out.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("rounds 1                 rounds 2") || first.contains("rounds 1"),
        "{first}"
    );
    // Of lazy, 2 checks, 2 seeds, and one queue under sc or two under tso, each with two columns; order has one cell a row.
    assert!(run.out.ends_with("32 cells: 32 run\n"), "{}", run.out);
    let found = records(&folder, "sweep.jsonl");
    let count = |axis: &str, value: Value| found.iter().filter(|one| one[axis] == value).count();
    assert_eq!(count("queue", 3.into()), 8);
    assert_eq!(count("memory-model", "tso".into()), 20);
    assert_eq!(count("seed", 2.into()), 16);
    assert_eq!(count("check", "memory+leak".into()), 16);
    assert!(found.iter().all(|one| one["solver"] == "varisat"));
    let failed = |one: &&Value| one["verdict"] == "failed";
    assert!(
        found
            .iter()
            .filter(failed)
            .all(|one| one["check"] == "assert")
    );
}

#[test]
fn an_experiment_is_a_file() {
    let experiment = "files = [\"lost.c\", \"lo*p.c\"]\nscheme = \"lazy\"\nrounds = \"1..2\"\nunwind = [1, 3]\n\
        timeout = 60\njobs = 1\ndefine = [\"X\"]\ncolumns = \"rounds\"\n";
    let folder = Folder::new(&[("lost.c", LOST), ("loop.c", LOOP), ("sub.c", "")]);
    std::fs::create_dir(folder.path("e")).unwrap();
    std::fs::write(folder.path("e/all.toml"), experiment).unwrap();
    folder
        .run(&["sweep", "e/all.toml"])
        .refused(2, "e/all.toml:1: error: no file is called lo*p.c");
    let run = folder.run(&["sweep", "e/all.toml", "--folder", ".", "--unwind", "1"]);
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    assert!(
        run.out.starts_with("file      scheme          rounds 1"),
        "{}",
        run.out
    );
    assert!(run.out.contains("4 cells: "), "{}", run.out);
    let record = &records(&folder, "sweep.jsonl")[0];
    assert_eq!(record["limits"], "--timeout 60");
    folder
        .run(&["sweep", "e/all.toml", "lost.c"])
        .refused(1, "names its files itself");
}

#[test]
fn a_row_that_verification_does_not_take_is_left_out() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let words = "sweep lost.c --scheme mu,order --check race,assert --unwind 1";
    let run = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert!(run.err.contains("no row for mu, check race"), "{}", run.err);
    assert!(run.out.contains("mu, check assert"), "{}", run.out);
    assert!(!run.out.contains("mu, check race"), "{}", run.out);
    assert!(run.out.contains("order, check race"), "{}", run.out);
    // Without loops to unroll, there is one cell, and no bound in the journal.
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["sweep", "lost.c", "--scheme", "modular", "--timeout", "20"]);
    assert!(run.out.contains("1 cell: "), "{}{}", run.out, run.err);
    let report = folder.run(&["report", "sweep.jsonl"]);
    let cell = |text: &str| text.lines().nth(1).map(str::to_string);
    assert_eq!(cell(&report.out), cell(&run.out), "{}", report.err);
    assert!(report.out.contains("modular  failed"), "{}", report.out);
}

#[test]
fn options_arrive_in_every_cell() {
    let guarded = format!(
        "#ifdef SAFE\nint main(void) {{ return sizeof(long) - 4; }}\n#else\n{LOST}\n#endif\n"
    );
    let folder = Folder::new(&[("a.c", &guarded)]);
    let words = ["sweep", "a.c", "--unwind", "1", "--scheme", "order", "-q"];
    let solver = [
        "--solver",
        "varisat",
        "-D",
        "SAFE",
        "--32",
        "--memory",
        "500",
        "--timeout",
        "60",
    ];
    let run = folder.run(&[&words[..], &solver].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let record = &records(&folder, "sweep.jsonl")[0];
    assert_eq!(record["options"], "--check assert --first --32 -D SAFE");
    assert_eq!(record["solver"], "varisat");
    assert_eq!(record["limits"], "--timeout 60 --memory 500");
}

#[test]
fn cells_ask_for_a_part_of_memory_safety_by_its_file() {
    let program = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); }\n";
    let task = "input_files: a.c\nproperties:\n  - property_file: part.prp\n";
    for (part, verdict) in [("free", "failed"), ("deref", "bounded")] {
        let property = format!("CHECK( init(main()), LTL(G valid-{part}) )\n");
        let files = [("a.c", program), ("a.yml", task), ("part.prp", &property)];
        let folder = Folder::new(&files);
        let words = ["sweep", "a.yml", "--unwind", "1", "--scheme", "order", "-q"];
        let run = folder.run(&words);
        let record = &records(&folder, "sweep.jsonl")[0];
        assert_eq!(record["options"], "--64 --property part.prp --first");
        assert!(run.out.contains(verdict), "{}{}", run.out, run.err);
    }
}

#[test]
fn limits_hold_for_every_cell() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    let run = folder.run(&[
        "sweep",
        "endless.c",
        "--scheme",
        "order",
        "--unwind",
        "1,100000",
        "--memory",
        "64",
        "--wall",
        "60",
    ]);
    assert_eq!(run.code, Some(5), "{}{}", run.out, run.err);
    let cells = row(&run.out, "endless.c");
    assert_eq!((cells[2], cells[5]), ("bounded", "memory"), "{}", run.out);
    // One that was ended has its processor time from the system.
    let times = records(&folder, "sweep.jsonl");
    let times = times.iter().map(|record| record["cpu_ms"].as_u64());
    assert!(times.clone().all(|cpu| cpu > Some(0)), "{times:?}");
}

#[test]
fn steps_are_rows() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let arguments = "sweep lost.c --scheme step,auto --steps 2,9..11 --unwind 1 --no-prune";
    let words: Vec<&str> = arguments.split(' ').collect();
    let run = folder.run(&words);
    assert_eq!(run.code, Some(10), "{}{}", run.out, run.err);
    assert_eq!(
        row(&run.out, "lost.c")[1..5],
        ["step,", "steps", "2", "vacuous"]
    );
    assert!(run.out.contains("step, steps 11  failed"), "{}", run.out);
    assert!(run.out.contains("auto            failed"), "{}", run.out);
    let journal = std::fs::read_to_string(folder.path("sweep.jsonl")).unwrap();
    assert!(journal.contains("\"steps\":9,"), "{journal}");
}

#[test]
fn what_makes_no_sense_is_told_before_anything_runs() {
    let folder = Folder::new(&[("lost.c", LOST), ("empty.c", ""), ("odd.c", "\n#odd\n")]);
    for (arguments, code, message) in [
        ("--unwind 4..1 lost.c", 1, "4 is larger than 1"),
        ("--unwind 0.. lost.c", 1, "expected N or A..B"),
        ("--rounds 0..2 lost.c", 1, "expected N or A..B"),
        ("--unwind 1..1000000 lost.c", 1, "at most 100000"),
        (
            "--scheme order --rounds 1..2 lost.c",
            1,
            "not among the schemes",
        ),
        (
            "--scheme lazy --steps 3 lost.c",
            1,
            "--steps bounds the step scheme",
        ),
        (
            "--scheme tree lost.c",
            1,
            "expected auto, order, lazy, timestamp, step, mu or modular",
        ),
        ("--jobs 0 lost.c", 1, "from 1 to 1024"),
        (
            "--journal no/such/folder.jsonl lost.c",
            1,
            "there is no folder",
        ),
        ("", 1, "FILE"),
        ("missing.c lost.c", 2, "missing.c: no such file"),
        ("empty.c", 2, "the file is empty"),
        (
            "lost.c odd.c",
            2,
            "odd.c:2:2: error: there is no directive `#odd`\n 2 | #odd\n",
        ),
        ("lost.c --journal lost.c", 2, "is no journal"),
        (
            "lost.c --scheme mu --check race",
            1,
            "no meaning with --check race",
        ),
        ("lost.c --check assert+rac", 1, "expected memory, assert"),
        (
            "lost.c --columns rounds",
            1,
            "there are no values, which --rounds names",
        ),
        ("lost.c --columns colour", 1, "expected switch-points, "),
        (
            "lost.c --scheme lazy --queue 3",
            1,
            "--queue means nothing for these schemes",
        ),
        ("none.set", 2, "none.set: no such file"),
        ("lost.c --resume --fresh", 1, "cannot be used with"),
    ] {
        let words = std::iter::once("sweep").chain(arguments.split_whitespace());
        folder
            .run(&words.collect::<Vec<_>>())
            .refused(code, message);
    }
    assert!(!folder.path("sweep.jsonl").exists());
}

#[test]
fn a_program_that_cannot_be_read_does_not_stop_the_others() {
    let folder = Folder::new(&[
        ("bad.c", "int main(void) { int x = ; }\n"),
        ("lost.c", LOST),
    ]);
    let run = folder.run(&[
        "sweep", "bad.c", "lost.c", "--scheme", "order", "--unwind", "1..2", "-j", "1",
    ]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert_eq!(row(&run.out, "bad.c")[2..4], ["input", "error"]);
    assert!(
        run.out.contains("(input error)") && run.out.contains("bad.c:1:26: error"),
        "{}",
        run.out
    );
    assert_eq!(row(&run.out, "lost.c")[2], "failed");
}

#[test]
fn a_full_disk_ends_the_sweep() {
    if Path::new("/dev/full").exists() {
        let folder = Folder::new(&[("lost.c", LOST)]);
        let run = folder.run(&["sweep", "lost.c", "--journal", "/dev/full", "--jobs", "1"]);
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(
            run.err.contains("cannot write the journal /dev/full"),
            "{}",
            run.err
        );
        assert_eq!(
            row(&run.out, "lost.c")[2],
            "failed",
            "what was found is shown"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_finished() {
    let folder = Folder::new(&[("endless.c", ENDLESS)]);
    let words = [
        "sweep",
        "endless.c",
        "--scheme",
        "order",
        "--unwind",
        "1,1000000",
        "--memory",
        "4000",
    ];
    let mut command = folder.command(&words);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let finished =
        || std::fs::read(folder.path("sweep.jsonl")).is_ok_and(|text| text.ends_with(b"\n"));
    while !finished() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // SAFETY: signals a process of ours that has not been waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(130), "{out}{err}");
    assert!(err.contains("the same command runs what is left"), "{err}");
    assert_eq!(
        row(&out, "endless.c")[2..],
        ["bounded", row(&out, "endless.c")[3], "s", "-"],
        "{out}"
    );
    assert_eq!(records(&folder, "sweep.jsonl").len(), 1);
}

#[test]
fn what_does_not_know_the_memory_model_is_no_cell() {
    let folder = Folder::new(&[("lost.c", LOST)]);
    let run = folder.run(&["sweep", "lost.c", "--scheme", "order,step", "--mm", "tso"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let told =
        "--scheme step does not know the memory model tso; schemes that do: auto, order, lazy";
    assert!(run.err.contains(told), "{}", run.err);
}
