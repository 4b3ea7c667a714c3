//! Executions are prefixes: what blocks or stops in one thread never hides a violation in another.

use crate::oracle::read;
use selvedge::base::Budget;
use selvedge::outcome::Verdict;
use selvedge::scheme::{Scheme, lazy};
use selvedge::verify::{Engine, Request, verify};
use std::sync::Arc;

/// The verdict of each scheme on a program.
fn check(text: &str, violated: bool) {
    let program = Arc::new(read(text).unwrap());
    for mut scheme in Scheme::all() {
        if let Scheme::Lazy(own) = &mut scheme {
            *own = lazy::Settings::rounds(3);
        }
        let request = Request {
            engine: Engine::Scheme(scheme),
            unwind: Some(2),
            ..Request::assertions()
        };
        let verified = verify(&program, None, &request, &Budget::unlimited(), &mut |_| ()).unwrap();
        let failed = matches!(verified.outcome.verdict, Verdict::Failed);
        assert_eq!(
            failed, violated,
            "{scheme:?}: {:?}",
            verified.outcome.verdict
        );
    }
}

const PRELUDE: &str = "
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { assert(0); }
pthread_mutex_t m, n;
int x, y;
";

/// Two threads with these bodies; main joins both if `join`.
fn two(first: &str, second: &str, join: bool) -> String {
    let join = if join {
        "pthread_join(a, 0); pthread_join(b, 0);"
    } else {
        ""
    };
    format!(
        "{PRELUDE}
void *one(void *arg) {{ {first} return 0; }}
void *two(void *arg) {{ {second} return 0; }}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  {join}
  return 0;
}}"
    )
}

#[test]
fn a_thread_that_waits_for_a_lock_for_ever_hides_nothing() {
    check(
        &two(
            "pthread_mutex_lock(&m); reach_error();",
            "pthread_mutex_lock(&m);",
            false,
        ),
        true,
    );
    check(
        &two(
            "pthread_mutex_lock(&m); reach_error();",
            "pthread_mutex_lock(&m);",
            true,
        ),
        true,
    );
}

#[test]
fn a_failing_assumption_hides_nothing_elsewhere() {
    check(&two("__VERIFIER_assume(0);", "reach_error();", true), true);
    check(
        &two(
            "x = 1; __VERIFIER_assume(y == 1);",
            "if (x == 1) reach_error();",
            true,
        ),
        true,
    );
    check(
        &two("__VERIFIER_assume(0); reach_error();", "x = 1;", true),
        false,
    );
}

#[test]
fn a_bug_before_a_deadlock_is_found() {
    let first = "pthread_mutex_lock(&m); x = 1; pthread_mutex_lock(&n);";
    let second = "pthread_mutex_lock(&n); if (x == 1) reach_error(); pthread_mutex_lock(&m);";
    check(&two(first, second, true), true);
}

#[test]
fn a_bug_beside_or_after_a_thread_that_never_ends_is_found() {
    check(&two("while (1) ;", "reach_error();", true), true);
    check(
        &two("while (1) x++;", "if (x == 2) reach_error();", true),
        true,
    );
    check(
        &two("x = 1; while (1) ;", "if (x == 1) reach_error();", false),
        true,
    );
}

#[test]
fn a_join_waits_for_a_thread_that_blocks() {
    let program = format!(
        "{PRELUDE}
void *one(void *arg) {{ __VERIFIER_assume(x); return 0; }}
int main(void) {{
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  pthread_join(a, 0);
  reach_error();
}}"
    );
    check(&program, false);
}

#[test]
fn an_atomic_section_that_blocks_has_not_run() {
    let blocks =
        "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(y == 1); __VERIFIER_atomic_end();";
    check(&two(blocks, "if (x == 1) reach_error();", false), false);
    check(
        &two(blocks, "y = 1; if (x == 1) reach_error();", false),
        true,
    );
    let aborts =
        "__VERIFIER_atomic_begin(); x = 1; if (y == 0) abort(); x = 0; __VERIFIER_atomic_end();";
    check(&two(aborts, "if (x == 1) reach_error();", false), false);
}

#[test]
fn a_violation_inside_a_section_counts_before_what_blocks_it() {
    let inside = "__VERIFIER_atomic_begin(); x = 1; if (y == 1) reach_error(); __VERIFIER_assume(0); __VERIFIER_atomic_end();";
    check(&two(inside, "y = 1;", false), true);
    check(
        &two(inside, "y = 2; if (x == 1) reach_error();", false),
        false,
    );
}

#[test]
fn the_end_of_the_program_comes_after_what_others_could_do() {
    let program = format!(
        "{PRELUDE}
void *one(void *arg) {{ reach_error(); return 0; }}
int main(void) {{
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  return 0;
}}"
    );
    check(&program, true);
}

/// Two threads whose ids others may read; main says when it has created them.
fn known(first: &str) -> String {
    format!(
        "{PRELUDE}
pthread_t a, b;
void *one(void *arg) {{ __VERIFIER_assume(x); {first} return 0; }}
void *two(void *arg) {{ __VERIFIER_assume(x); pthread_join(a, 0); reach_error(); return 0; }}
int main(void) {{ pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); x = 1; return 0; }}"
    )
}

#[test]
fn two_threads_that_wait_for_each_others_end_wait_for_ever() {
    check(&known("pthread_join(b, 0);"), false);
    check(&known("y = 1;"), true);
}
