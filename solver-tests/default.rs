//! What is looked for where nobody names checks, and what other options imply; the program that the README begins with.

use super::beside::{path, text};
use super::command::{Folder, Run};

/// A run as it is typed.
fn typed(folder: &Folder, arguments: &[&str]) -> Run {
    Run::from(folder.command(arguments).output().unwrap())
}

/// An assertion that fails, a division by zero, and an overflow.
const SUMS: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    x = 10 / x;
    assert(x != 5);
    x = 2147483647;
    x++;
}
";

/// The last lines, from the first check on.
fn end(run: &Run) -> Vec<&str> {
    let is_end = |line: &&str| line.starts_with("Check ") || line.starts_with("VERIFICATION ");
    run.out.lines().filter(is_end).collect()
}

#[test]
fn all_checks_but_leaks_and_overflow_are_asked_and_all_findings_told() {
    let folder = Folder::new(&[("a.c", SUMS)]);
    let bare = typed(&folder, &["a.c"]);
    assert_eq!(
        end(&bare),
        [
            "Check memory: SUCCESSFUL (bounded: undefined behaviour at a.c:6)",
            "Check assert: FAILED (assertion at a.c:5; 1 more)",
            "Check undefined: FAILED (division by zero at a.c:6)",
            "Check misuse: SUCCESSFUL (bounded: undefined behaviour at a.c:6)",
            "VERIFICATION FAILED (assertion at a.c:5; 2 more)",
        ]
    );
    assert_eq!(bare.code, Some(10));
    assert!(!bare.err.contains("--check"), "{}", bare.err);
    assert_eq!(typed(&folder, &["--check", "default", "a.c"]).out, bare.out);
    let all = typed(&folder, &["--check", "all", "a.c"]);
    assert!(
        end(&all)[5].starts_with("Check overflow: FAILED"),
        "{}",
        all.out
    );
    let both = typed(&folder, &["--check", "default,leak,overflow", "a.c"]);
    assert_eq!(both.out, all.out);
}

#[test]
fn a_property_says_what_is_asked() {
    let task =
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: reach.prp\n";
    let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let folder = Folder::new(&[("a.c", SUMS), ("reach.prp", reach), ("a.yml", task)]);
    let reach = typed(&folder, &["--property", "reach", "a.c"]);
    assert_eq!(reach.out, typed(&folder, &["--check", "assert", "a.c"]).out);
    assert_eq!(
        end(&reach),
        ["VERIFICATION FAILED (assertion at a.c:5; 1 more)"]
    );
    for arguments in [&["--property", "reach.prp", "a.c"][..], &["a.yml"]] {
        let first = typed(&folder, arguments);
        assert_eq!(end(&first).len(), 1, "{}", first.out);
        assert!(!first.verdict().contains("more"), "{}", first.out);
    }
}

#[test]
fn what_is_not_asked_for_is_pointed_to() {
    let text =
        "#include <assert.h>\nint x, *p;\nint main(void) { if (x) *p = 1 / x; x = 1 / x; }\n";
    let folder = Folder::new(&[("a.c", text)]);
    let run = typed(&folder, &["--check", "assert", "a.c"]);
    run.ends(
        0,
        "VERIFICATION SUCCESSFUL (bounded: undefined behaviour at a.c:3)",
    );
    let hint = "selvedge: executions end at undefined behaviour; --check undefined shows such executions\n";
    assert!(run.err.ends_with(hint), "{}", run.err);
    assert_eq!(typed(&folder, &["--check", "assert", "-q", "a.c"]).err, "");
    let run = typed(&folder, &["--check", "undefined", "a.c"]);
    run.ends(10, "VERIFICATION FAILED (division by zero at a.c:3)");
}

#[test]
fn a_formula_is_about_assertions() {
    let folder = Folder::new(&[("a.c", SUMS)]);
    let run = typed(&folder, &["--dimacs", "o.cnf", "a.c"]);
    run.ends(10, "VERIFICATION FAILED (assertion at a.c:5; 1 more)");
    let note = "selvedge: --dimacs is about assertions: it implies --check assert";
    assert!(run.err.contains(note), "{}", run.err);
    assert!(folder.path("o.cnf").exists());
    let run = typed(&folder, &["--dimacs", "o.cnf", "--check", "default", "a.c"]);
    run.refused(1, "--dimacs writes a formula about assertions");
}

#[test]
fn a_lock_in_memory_that_is_freed_is_found() {
    let program = text(&path("checks/memory-free-while-worker-unlocks_bad.c"));
    let folder = Folder::new(&[("pool.c", &program)]);
    let run = typed(&folder, &["pool.c"]);
    assert_eq!(run.code, Some(10));
    assert!(
        run.out
            .contains("Violated: use after free at pool.c:18, in worker"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("allocated at pool.c:27 by main, freed at pool.c:"),
        "{}",
        run.out
    );
}

/// Every line that the README shows of the program's output is there, in this order, as is the program.
#[test]
fn the_readme_shows_a_run() {
    let readme = text(&path("../README.md"));
    let block = |start: &str| {
        let rest = readme.split_once(start).expect(start).1;
        rest.split_once("\n```").expect("an end").0
    };
    let program = text(&path("../benchmarks/three_bugs.c"));
    assert_eq!(block("```c\n"), program.trim_end());
    let folder = Folder::new(&[]);
    std::fs::create_dir(folder.path("benchmarks")).unwrap();
    std::fs::write(folder.path("benchmarks/three_bugs.c"), &program).unwrap();
    let command = block("```sh\n");
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let out = typed(&folder, &words).out;
    let mut lines = out.lines();
    for shown in block("```text\n").lines().filter(|line| *line != "…") {
        assert!(lines.any(|line| line == shown), "{shown}\nis not in\n{out}");
    }
    assert_eq!(lines.next(), None);
}
