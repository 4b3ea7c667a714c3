//! Witnesses: what is written of a violation leads the interpreter, which knows nothing else of it, back to it, in either format.
//!
//! `scripts/witnesses` does the same with tasks of the competition.

use crate::command::Folder;
use crate::generate;
use crate::oracle::UNWIND;
use crate::tier;
use selvedge::exchange::{Claim, Format, Kind, Witness};
use selvedge::session::{Options, Request, Session};
use selvedge::{Budget, Check, Checks, Verdict};
use std::path::PathBuf;
use std::time::Duration;

/// Programs with a violation: the check, and the text. `selvedge validate` has to find the same.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "a lost update, with an input",
        "assert",
        r"#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int counter, step;
void *add(void *unused) { counter += step; return unused; }
int main(void) {
    pthread_t one, other;
    step = __VERIFIER_nondet_int();
    if (step < 3 || step > 1000) return 0;
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(counter == 2 * step);
}
",
    ),
    (
        "a switch within a condition, calls and a loop",
        "assert",
        r"#include <pthread.h>
extern void reach_error(void);
int turn, seen[3];
int look(void) { int now = turn; return now + turn; }
void *raise(void *unused) {
    for (int i = 0; i < 3; i++) { seen[i] = turn; turn++; }
    return unused;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, raise, 0);
    if (look() == 1 && turn == 2) if (seen[1] == 1) reach_error();
    pthread_join(one, 0);
}
",
    ),
    (
        "waiting and waking",
        "assert",
        r"#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, wrong;
void *give(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    wrong = 1;
    return unused;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, give, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    assert(!wrong);
}
",
    ),
    (
        "a race with an access in an atomic section",
        "race",
        r"#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *one(void *unused) {
    __VERIFIER_atomic_begin();
    y = 1;
    x = x + 1;
    __VERIFIER_atomic_end();
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    int z = x;
    return z;
}
",
    ),
    (
        "a race in the middle of a statement",
        "race",
        r"#include <pthread.h>
int x, y, z;
void *one(void *unused) { z = x + y; return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    z = 2;
    pthread_join(t, 0);
}
",
    ),
    (
        "an access behind the end of a block",
        "memory",
        r"#include <pthread.h>
#include <stdlib.h>
int *p;
void *one(void *unused) { free(p); return unused; }
int main(void) {
    pthread_t t;
    p = malloc(sizeof(int));
    pthread_create(&t, 0, one, 0);
    *p = 1;
    pthread_join(t, 0);
}
",
    ),
    (
        "a block that is freed twice",
        "memory",
        r"#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int *p = malloc(4);
    if (__VERIFIER_nondet_bool()) free(p);
    free(p);
}
",
    ),
    (
        "the second block is lost",
        "leak",
        r"#include <stdlib.h>
int *kept;
int main(void) {
    kept = malloc(4);
    int *p = malloc(4);
    p = 0;
    return 0;
}
",
    ),
    (
        "a block that is not freed",
        "cleanup",
        "#include <stdlib.h>\nint *kept;\nint main(void) { kept = malloc(4); return 0; }\n",
    ),
    (
        "an overflow",
        "overflow",
        r"extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5) x = x + 1000000;
    return 0;
}
",
    ),
];

const FORMATS: [(Format, &str); 2] = [(Format::GraphMl, "w.graphml"), (Format::Yaml, "w.yml")];

/// The verdict of a run, without what is behind a semicolon.
fn verdict(out: &str) -> &str {
    let last = out.lines().last().unwrap_or_default();
    last.split_once(';')
        .map_or(last, |(first, _)| first)
        .trim_end_matches(')')
}

/// The witness as its format can say it: an edge has no column, and a YAML entry no names of functions.
fn sayable(witness: &Witness, format: Format) -> Witness {
    let mut witness = witness.clone();
    if let Claim::Violation(segments) = &mut witness.claim {
        for one in segments.iter_mut().flat_map(|segment| &mut segment.0) {
            match (format, &mut one.kind) {
                (Format::GraphMl, _) => (one.place.column, one.place.function) = (None, None),
                (Format::Yaml, Kind::Enter(name) | Kind::Return(_, name)) => *name = None,
                (Format::Yaml, _) => {}
            }
        }
    }
    witness
}

#[test]
fn violations_are_found_by_their_witnesses_alone() {
    for (what, check, text) in PROGRAMS {
        let folder = Folder::new(&[("p.c", text)]);
        for (format, file) in FORMATS {
            let found = folder.run(&["p.c", "--check", check, "--first", "--witness", file]);
            assert_eq!(found.code, Some(10), "{what}: {}{}", found.out, found.err);
            let written = std::fs::read_to_string(folder.path(file));
            let written = written.unwrap_or_else(|_| panic!("{what}: {}", found.err));
            let witness = format.read(&written).expect(what);
            assert_eq!(format.write(&witness), written, "{what}");
            let again = folder.run(&["validate", "p.c", "--witness", file]);
            assert_eq!(
                again.code,
                Some(10),
                "{what} {file}: {}{}",
                again.out,
                again.err
            );
            assert_eq!(verdict(&again.out), verdict(&found.out), "{what} {file}");
        }
    }
}

/// The first program, with its witness in each format.
fn first() -> Folder {
    let folder = Folder::new(&[("p.c", PROGRAMS[0].2)]);
    for (_, file) in FORMATS {
        let found = folder.run(&["p.c", "--check", "assert", "--witness", file]);
        assert_eq!(found.code, Some(10), "{}", found.err);
    }
    folder
}

#[test]
fn what_a_witness_says_counts() {
    let folder = first();
    for (format, file) in FORMATS {
        let text = std::fs::read_to_string(folder.path(file)).unwrap();
        let witness = format.read(&text).unwrap();
        let Claim::Violation(segments) = &witness.claim else {
            panic!("it is no violation");
        };
        let input = |segment: &&mut selvedge::exchange::Segment| {
            matches!(segment.0[0].kind, Kind::Return(..))
        };
        // Another input, a statement that is not there, and threads one after the other.
        let mut wrong = vec![segments.clone(); 3];
        let value = wrong[0].iter_mut().find(input).expect("an input");
        value.0[0].kind = Kind::Return("\\result == 1".to_string(), Some("f".to_string()));
        wrong[1][1].0[0].place.line = 2;
        let of = |segment: &selvedge::exchange::Segment| segment.0[0].thread.unwrap_or(0);
        wrong[2].retain(|segment| of(segment) != 2);
        for (index, segments) in wrong.into_iter().enumerate() {
            let claim = Claim::Violation(segments);
            let other = Witness {
                claim,
                ..witness.clone()
            };
            std::fs::write(folder.path(file), format.write(&other)).unwrap();
            let run = folder.run(&["validate", "p.c", "--witness", file]);
            if index == 2 {
                // Who says less is not wrong: the search finds the rest.
                assert_eq!(run.code, Some(10), "{}", run.out);
                continue;
            }
            assert_eq!(run.code, Some(5), "{file} {index}: {}{}", run.out, run.err);
            assert!(
                run.out.contains("UNKNOWN (no execution that the witness"),
                "{}",
                run.out
            );
        }
    }
}

#[test]
fn a_witness_is_about_its_own_program() {
    let folder = first();
    let other = PROGRAMS[0].2.replace("step > 1000", "step > 999");
    std::fs::write(folder.path("p.c"), &other).unwrap();
    for (_, file) in FORMATS {
        let refused = folder.run(&["validate", "p.c", "--witness", file]);
        assert_eq!(refused.code, Some(2), "{}", refused.out);
        assert!(refused.err.contains("SHA-256"), "{}", refused.err);
        let taken = folder.run(&["validate", "p.c", "--witness", file, "--any-hash"]);
        assert_eq!(taken.code, Some(10), "{}", taken.err);
    }
    std::fs::write(folder.path("q.c"), PROGRAMS[7].2).unwrap();
    let run = folder.run(&["validate", "q.c", "--witness", "w.yml", "--any-hash"]);
    assert_eq!(run.code, Some(5), "{}", run.out);
}

#[test]
fn what_is_no_witness_is_refused() {
    let folder = first();
    let run = folder.run(&["p.c", "--witness", "w.xml"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains(".graphml, .yml or .yaml"), "{}", run.err);
    for (file, text, told) in [
        ("x.yml", "- a: 1\n", "violation_sequence"),
        ("x.yml", "a: [", "this is no witness"),
        (
            "x.graphml",
            "<graphml><graph></graph></graphml>",
            "programfile",
        ),
        ("x.graphml", "<graphml>", "it has no graph"),
        ("x.xml", "", ".graphml, .yml or .yaml"),
    ] {
        std::fs::write(folder.path(file), text).unwrap();
        let run = folder.run(&["validate", "p.c", "--witness", file]);
        assert_eq!(run.code, Some(2), "{file} {text}: {}", run.out);
        assert!(run.err.contains(told), "{text}: {}", run.err);
    }
    let run = folder.run(&["validate", "p.c", "--witness", "missing.yml"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
}

#[test]
fn no_stale_witness_stays() {
    let folder = first();
    let correct = "int main(void) { return 0; }\n";
    std::fs::write(folder.path("q.c"), correct).unwrap();
    let run = folder.run(&["q.c", "--check", "assert", "--witness", "w.yml"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(!folder.path("w.yml").exists());
}

#[test]
fn what_has_no_witness_says_why() {
    let text = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }\n";
    let folder = Folder::new(&[("p.c", text)]);
    let run = folder.run(&["p.c", "--check", "deadlock", "--witness", "w.yml"]);
    assert_eq!(run.code, Some(10), "{}", run.err);
    assert!(run.err.contains("--witness: "), "{}", run.err);
    assert!(!folder.path("w.yml").exists());
}

/// Looks whether violations of a program are found by their witnesses; how many there were.
fn found_again(path: PathBuf, check: Check, case: &str) -> usize {
    let checks = Checks::of(&[check]);
    let options = Options {
        checks,
        ..Options::default()
    };
    let session = Session::load(&path, &options);
    let session = session.unwrap_or_else(|error| panic!("{case}: {error}"));
    let request = Request {
        checks,
        first: true,
        unwind: Some(UNWIND),
        ..Request::default()
    };
    let budget = || Budget::unlimited().with_wall_limit(Duration::from_secs(60));
    let answer = session.verify(&request, &budget(), &mut |_| {});
    let answer = answer.unwrap_or_else(|error| panic!("{case}: {error}"));
    let Some(finding) = answer.outcome.findings.first() else {
        return 0;
    };
    let witness = session.witness(finding, &options);
    let witness = witness.unwrap_or_else(|why| panic!("{case}: {why}"));
    for (format, _) in FORMATS {
        let read = format.read(&format.write(&witness)).expect(case);
        assert_eq!(read, sayable(&witness, format), "{case}");
        let again = session.validate(&read, checks, &budget());
        let again = again
            .unwrap_or_else(|error| panic!("{case}: {error}"))
            .outcome;
        assert_eq!(again.verdict, Verdict::Failed, "{case} {format:?}");
        assert_eq!(again.findings[0].property, finding.property, "{case}");
    }
    1
}

#[test]
fn violations_of_random_programs_are_found_by_their_witnesses() {
    let folder = Folder::new(&[]);
    let start = tier::start();
    let mut violated = [0, 0];
    for seed in start..start + tier::programs(30) {
        let path = folder.path(&format!("p{seed}.c"));
        std::fs::write(&path, generate::generate(seed).render()).unwrap();
        violated[0] += found_again(path, Check::Assert, &format!("seed {seed}"));
        let path = folder.path(&format!("r{seed}.c"));
        std::fs::write(&path, generate::race::generate(seed).render()).unwrap();
        violated[1] += found_again(path, Check::Race, &format!("race {seed}"));
    }
    assert!(violated.iter().all(|count| *count > 3), "{violated:?}");
}
