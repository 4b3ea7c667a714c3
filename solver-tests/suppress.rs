//! Fingerprints of findings, and findings that are suppressed by them.

use super::command::{Folder, Run};
use serde_json::Value;
use std::collections::BTreeSet;

/// Two equal statements that may be violated, and one that is called from two places.
const THREE: &str = "#include <assert.h>
#include <pthread.h>
int x;
void see(int y) { assert(y == x); }
void again(void) { if (x) { see(2); } }
void *t(void *a) { x = 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    assert(x == 0);
    assert(x == 0);
    see(0);
    again();
    pthread_join(a, 0);
}
";

/// Runs, and reads the JSON.
fn report(folder: &Folder, arguments: &[&str]) -> (Run, Value) {
    let run = folder.run(&[&["--json", "o.json", "--check", "assert"], arguments].concat());
    let text = std::fs::read_to_string(folder.path("o.json"));
    let text = text.unwrap_or_else(|error| panic!("{error}: {}", run.err));
    (run, serde_json::from_str(&text).unwrap())
}

/// Fingerprints of a list, in its order.
fn fingerprints(report: &Value, list: &str) -> Vec<String> {
    let all = report[list].as_array().unwrap().iter();
    all.map(|one| one["fingerprint"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn a_fingerprint_outlasts_other_changes() {
    let moved = THREE
        .replace(
            "int x;",
            "// Blank lines, other functions.\n\nint x;\nint other(void) { return 0; }\n",
        )
        .replace(
            "    assert(x == 0);\n    see",
            "\tassert( x==0 ); // the second\n    see",
        )
        .replace("if (x) { see(2); }", "if (x) {\n        see(2);\n    }");
    let folder = Folder::new(&[("a.c", THREE), ("moved.c", &moved)]);
    let (run, before) = report(&folder, &["a.c"]);
    let fingerprint = &fingerprints(&before, "findings")[0];
    assert!(
        run.out.contains(&format!("\nFingerprint: {fingerprint}\n")),
        "{}",
        run.out
    );
    let before = fingerprints(&before, "findings");
    assert_eq!(
        before.iter().collect::<BTreeSet<_>>().len(),
        3,
        "{before:?}"
    );
    for options in [
        &[][..],
        &["--seed", "7"],
        &["--scheme", "lazy"],
        &["--solver", "varisat"],
    ] {
        let (_, after) = report(&folder, &[options, &["moved.c"]].concat());
        let after = fingerprints(&after, "findings");
        assert_eq!(after[1..], before[1..], "{options:?}");
    }
    // The search without bounds tells one of them, and calls it the same.
    let (_, alone) = report(&folder, &["--scheme", "modular", "a.c"]);
    assert!(before.contains(&fingerprints(&alone, "findings")[0]));
}

#[test]
fn suppressed_findings_do_not_count_and_leave_no_answer_complete() {
    let folder = Folder::new(&[("a.c", THREE)]);
    let mut known = String::from("# known\n");
    let mut rest = BTreeSet::new();
    // A place may be reached by other calls, which are findings of their own.
    for round in 0..5 {
        std::fs::write(folder.path("known"), &known).unwrap();
        let (run, json) = report(&folder, &["--suppress", "known", "--first", "a.c"]);
        let found = fingerprints(&json, "findings");
        if found.is_empty() {
            assert_eq!(round, 4, "{known}");
            run.ends(
                0,
                "VERIFICATION SUCCESSFUL (bounded: suppressed findings 4)",
            );
            assert_eq!(json["complete"], false);
            let suppressed: BTreeSet<String> =
                fingerprints(&json, "suppressed").into_iter().collect();
            assert_eq!(suppressed, rest);
            assert!(
                run.out
                    .contains("Suppressed (assert): assertion at a.c:4 ("),
                "{}",
                run.out
            );
            let (run, _) = report(
                &folder,
                &["--suppress", "known", "--require-complete", "-q", "a.c"],
            );
            assert_eq!(run.code, Some(5));
            return;
        }
        assert_eq!(run.code, Some(10), "{}", run.out);
        assert!(rest.insert(found[0].clone()), "{} again", found[0]);
        known.push_str(&format!("{} somebody looked at it\n", found[0]));
    }
    panic!("{known}");
}

#[test]
fn every_engine_asks_the_same_findings() {
    let text = "#include <assert.h>\nint main(void) { int x; for (;;) assert(x == 0); }\n";
    let folder = Folder::new(&[("a.c", text)]);
    let (_, json) = report(&folder, &["a.c"]);
    let alone = &fingerprints(&json, "findings")[0];
    std::fs::write(folder.path("known"), format!("{alone}\n")).unwrap();
    let suppress = ["--suppress", "known", "a.c"];
    for options in [
        &["--scheme", "order", "--unwind", "2"][..],
        &["--scheme", "lazy", "--rounds", "1..3", "--unwind", "2"],
        &["--scheme", "mu", "--unwind", "2"],
        &["--scheme", "step", "--unwind", "2"],
        &["--scheme", "timestamp", "--unwind", "2"],
        &["--timeout", "1"],
    ] {
        let (run, json) = report(&folder, &[options, &suppress].concat());
        assert_eq!(run.code, Some(0), "{options:?}: {}", run.out);
        assert_eq!(json["complete"], false);
        assert_eq!(fingerprints(&json, "suppressed").len(), 1, "{options:?}");
    }
    // Rounds, and writes, that rise beyond a suppressed finding.
    let folder = Folder::new(&[("a.c", THREE)]);
    let (_, json) = report(&folder, &["a.c"]);
    let mut known: Vec<String> = fingerprints(&json, "findings");
    for options in [&["--rounds", "1..4"][..], &["--scheme", "mu"]] {
        for _ in 0..4 {
            std::fs::write(folder.path("known"), known.join("\n")).unwrap();
            let (_, json) = report(&folder, &[options, &suppress].concat());
            known.extend(fingerprints(&json, "findings"));
        }
        let (run, json) = report(&folder, &[options, &suppress].concat());
        assert_eq!(run.code, Some(0), "{options:?}: {}{}", run.out, run.err);
        assert_eq!(fingerprints(&json, "suppressed").len(), 4, "{options:?}");
    }
    let folder = Folder::new(&[("a.c", text)]);
    std::fs::write(folder.path("known"), format!("{alone}\n")).unwrap();
    let (run, _) = report(&folder, &[&["--scheme", "modular"], &suppress[..]].concat());
    run.ends(
        5,
        "VERIFICATION UNKNOWN (a suppressed violation ended the search)",
    );
    let arguments = ["sweep", "a.c", "--unwind", "1..2", "--scheme", "order"];
    let run = folder.run(
        &[
            &arguments[..],
            &["--check", "assert", "--suppress", "known"],
        ]
        .concat(),
    );
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

#[test]
fn files_of_fingerprints_are_checked() {
    let folder = Folder::new(&[("a.c", THREE)]);
    let bad = "# comment\n\n0123456789abcdef\nzebra\n";
    std::fs::write(folder.path("bad"), bad).unwrap();
    folder
        .run(&["--suppress", "bad", "a.c"])
        .refused(2, "bad:4: error: expected a fingerprint");
    folder
        .run(&["--suppress", "none", "a.c"])
        .refused(2, "none");
    std::fs::write(folder.path("old"), "0123456789abcdef gone\n").unwrap();
    let run = folder.run(&["--check", "assert", "--suppress", "old", "a.c"]);
    assert_eq!(run.code, Some(10));
    let warning = "old:1: warning: no finding has the fingerprint 0123456789abcdef";
    assert!(run.err.contains(warning), "{}", run.err);
    folder
        .run(&["--suppress", "old", "--json", "old", "a.c"])
        .refused(1, "it is read");
}

#[test]
fn findings_are_told_as_they_come() {
    use selvedge::{Budget, Check, Options, Request, Session};
    let session = Session::parse("a.c", THREE, &Options::default()).unwrap();
    let request = Request {
        checks: [Check::Assert].into_iter().collect(),
        first: false,
        ..Request::default()
    };
    let mut told = Vec::new();
    let mut progress = |progress: &selvedge::Progress| {
        if let Some(finding) = progress.finding {
            let outcome = progress.outcome.expect("with what was found");
            let is_known = |one: &selvedge::Finding| one.fingerprint == finding.fingerprint;
            assert!(outcome.findings.iter().any(is_known));
            told.push(finding.fingerprint);
        }
    };
    let answer = session.verify(&request, &Budget::unlimited(), &mut progress);
    let answer = answer.unwrap_or_else(|error| panic!("{error}"));
    let found = answer.outcome.findings.iter();
    let found: BTreeSet<_> = found.map(|finding| finding.fingerprint).collect();
    assert_eq!(told.len(), 3);
    assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), found);
}
