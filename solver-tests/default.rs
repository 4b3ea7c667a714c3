//! What is looked for where nobody names checks, and what other options imply.

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
            "Check race: SUCCESSFUL (complete)",
            "Check deadlock: SUCCESSFUL (bounded: undefined behaviour at a.c:6)",
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
        end(&all)[7].starts_with("Check overflow: FAILED"),
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

/// Content of a property file that asks for these parts of memory safety.
fn safety(parts: &[&str]) -> String {
    let line = |part| format!("CHECK( init(main()), LTL(G valid-{part}) )\n");
    parts.iter().map(line).collect()
}

/// What an input chooses: a block that another thread has freed is used, freed again, or moved. Where its pointer is compared
/// with that of a second block, which may have come to its place, machine addresses are known.
const BLOCKS: &str = "#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int *p;
void *other(void *arg) { free(p); return 0; }
int main(void) {
    pthread_t id;
    p = malloc(sizeof *p);
    pthread_create(&id, 0, other, 0);
    pthread_join(id, 0);
    int *q = SECOND;
    switch (__VERIFIER_nondet_int()) {
    case 1: *p = 1; break;
    case 2: free(p); break;
    case 3: p = realloc(p, 8); break;
    }
    free(q);
}
";
/// The second block, and the same at the first one's place.
const SECONDS: [&str; 2] = [
    "malloc(sizeof *q)",
    "malloc(sizeof *q); if (p != q) abort()",
];
/// Line of the access of a block that has ended, and lines where one is freed.
const ACCESSED: &[u64] = &[13];
const FREED: &[u64] = &[14, 15];

#[test]
fn each_part_of_memory_safety_is_asked_alone() {
    let schemes = ["order", "lazy", "step", "timestamp", "mu", "modular"];
    for (second, scheme) in SECONDS
        .iter()
        .flat_map(|s| schemes.map(|scheme| (s, scheme)))
    {
        // Addresses are no numbers there, nor leaks of programs that allocate known.
        let is_modular = scheme == "modular";
        if is_modular && *second != SECONDS[0] {
            continue;
        }
        let program = BLOCKS.replace("SECOND", second);
        let mut files = vec![("a.c", program.as_str())];
        let (free, deref) = (safety(&["free"]), safety(&["deref"]));
        files.extend([("free.prp", free.as_str()), ("deref.prp", deref.as_str())]);
        let folder = Folder::new(&files);
        let line = |run: &Run| -> Option<u64> {
            let place = run.verdict().split_once("a.c:")?.1;
            place.trim_end_matches(')').parse().ok()
        };
        for (file, places) in [("free.prp", FREED), ("deref.prp", ACCESSED)] {
            let run = typed(&folder, &["--property", file, "--scheme", scheme, "a.c"]);
            let found = line(&run).is_some_and(|line| places.contains(&line));
            assert!(found, "{scheme} {file}: {}{}", run.out, run.err);
            assert_eq!(run.code, Some(10));
        }
    }
}

#[test]
fn a_violation_that_is_not_asked_for_ends_executions() {
    let twice = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  free(p);\n  *p = 1;\n}\n";
    let used = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  *p = 1;\n  free(p);\n}\n";
    let [free, deref] = ["free", "deref"].map(|part| safety(&[part]));
    let folder = Folder::new(&[
        ("twice.c", twice),
        ("used.c", used),
        ("free.prp", &free),
        ("deref.prp", &deref),
    ]);
    for scheme in ["auto", "modular"] {
        for (file, own, other) in [
            ("twice.c", "free.prp", "deref.prp"),
            ("used.c", "deref.prp", "free.prp"),
        ] {
            let run =
                |property| typed(&folder, &["--property", property, "--scheme", scheme, file]);
            let asked = run(own);
            let words = if file == "twice.c" {
                "double free"
            } else {
                "use after free"
            };
            asked.ends(10, &format!("VERIFICATION FAILED ({words} at {file}:5)"));
            let unasked = run(other);
            let limit = format!("bounded: undefined behaviour at {file}:5");
            unasked.ends(0, &format!("VERIFICATION SUCCESSFUL ({limit})"));
            let named = format!("undefined behaviour reachable at {file}:5 (");
            assert!(unasked.out.contains(&named), "{}", unasked.out);
            assert!(
                unasked.err.contains("--check memory shows such executions"),
                "{}",
                unasked.err
            );
        }
    }
}

#[test]
fn every_combination_of_memory_safety_is_asked() {
    let lost =
        "#include <stdlib.h>\nint x;\nint main(void) {\n  int *p = malloc(4);\n  free(&x);\n}\n";
    let fine =
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n  free(p);\n}\n";
    let leaks = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n}\n";
    for parts in [
        &["free"][..],
        &["deref"],
        &["memtrack"],
        &["free", "deref"],
        &["free", "memtrack"],
        &["deref", "memtrack"],
        &["free", "deref", "memtrack"],
    ] {
        let property = safety(parts);
        let files = [("lost.c", lost), ("fine.c", fine), ("leaks.c", leaks)];
        let folder = Folder::new(&[&files[..], &[("p.prp", &property)]].concat());
        let run = |file| typed(&folder, &["--property", "p.prp", file]);
        let code = |is_violated| if is_violated { 10 } else { 0 };
        assert_eq!(
            run("fine.c").verdict(),
            "VERIFICATION SUCCESSFUL (complete)"
        );
        // The execution ends before the block is lost.
        assert_eq!(
            run("lost.c").code,
            Some(code(parts.contains(&"free"))),
            "{parts:?}"
        );
        let leaks = run("leaks.c");
        assert_eq!(
            leaks.code,
            Some(code(parts.contains(&"memtrack"))),
            "{parts:?}"
        );
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
