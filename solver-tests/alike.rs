//! Symmetry of threads: which are alike, and that leaving out executions that differ in nothing but their numbers changes no answer.

use crate::generate::alike::generate;
use crate::oracle::{Subject, Truth, compare, read};
use crate::tier::{programs, start};
use rayon::prelude::*;
use selvedge::base::Budget;
use selvedge::question::choice::ORDER;
use selvedge::reduce::symmetry;
use selvedge::symex::{Bounds, Unroller};

/// Pairs of threads that are alike in a program.
fn pairs(text: &str) -> Vec<(u32, u32)> {
    let program = read(text).unwrap_or_else(|fault| panic!("{}\n{text}", fault.details));
    let mut unroller = Unroller::new(&program).expect("a program");
    let events = unroller.unroll(&Bounds::default(), &Budget::unlimited());
    let mut events = events.expect("it is small");
    symmetry::find(&mut events);
    events
        .alike
        .iter()
        .map(|(one, other)| (one.0, other.0))
        .collect()
}

/// Threads of this body, which main creates and joins in this way.
fn with(body: &str, main: &str) -> Vec<(u32, u32)> {
    pairs(&format!(
        "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n\
         _Bool __VERIFIER_nondet_bool(void);\n\
         int x, y; _Thread_local int own; pthread_t a, b, c; void *r;\n\
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         void *v(void *arg);\n\
         void *w(void *arg) {{ {body} return 0; }}\n\
         void *v(void *arg) {{ assert(x != 7); return 0; }}\n\
         int main(void) {{ {main} return 0; }}"
    ))
}

const BODY: &str = "int t = x; x = t + 1; assert(t != 9);";
const CREATE: &str = "pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);";
const JOIN: &str = "pthread_join(a, 0); pthread_join(b, 0); assert(x != 5);";

#[test]
fn equal_threads_are_alike() {
    let both = format!("{CREATE} {JOIN}");
    let alike = vec![(1, 2)];
    for body in [
        BODY,
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
        "own = x; x = own + 1;",
        "if (__VERIFIER_nondet_bool()) x = 1; y = x;",
        "if (__VERIFIER_nondet_bool()) return 0; y = x;",
        "for (int i = 0; i < x; i++) y++;",
        "char *p = malloc(1); *p = x; x = *p; free(p);",
    ] {
        assert_eq!(with(body, &both), alike, "{body}");
    }
    let joined = "pthread_join(b, 0); pthread_join(a, 0);";
    assert_eq!(with(BODY, &format!("{CREATE} {joined}")), alike);
    assert_eq!(with(BODY, &format!("{CREATE} assert(x != 5);")), alike);
    let three = format!("{CREATE} pthread_create(&c, 0, w, 0); {JOIN} pthread_join(c, 0);");
    // The assertion stands before the last join.
    assert_eq!(with(BODY, &three), alike);
    let apart = format!("pthread_create(&a, 0, w, 0); x = 1; pthread_create(&b, 0, w, 0); {JOIN}");
    assert_eq!(with(BODY, &apart), alike);
}

#[test]
fn threads_that_somebody_tells_apart_are_not_alike() {
    let both = format!("{CREATE} {JOIN}");
    for body in [
        "if (pthread_equal(pthread_self(), a)) x = 1; y = x;",
        "pthread_t own; pthread_create(&own, 0, v, 0); x++;",
        "static int *first; if (!first) first = &own; x = first == &own; y = x;",
    ] {
        assert!(with(body, &both).is_empty(), "{body}");
    }
    let numbers = "pthread_create(&a, 0, w, (void *)1); pthread_create(&b, 0, w, (void *)2);";
    let numbered = format!("{numbers} {JOIN}");
    assert!(with("x = (long)arg; assert(x != 1);", &numbered).is_empty());
    assert!(with("x = (long)arg; y = x;", &numbered).is_empty());
    // Whoever looks takes both numbers for the same.
    assert_eq!(with("x = (long)arg; assert(x != 3);", &numbered), [(1, 2)]);
    for main in [
        "pthread_join(a, 0); assert(x != 5);",
        "pthread_join(a, 0); assert(x != 5); pthread_join(b, 0);",
        "pthread_join(a, 0); x = 2; pthread_join(b, 0);",
        "pthread_join(a, 0); if (x) pthread_join(b, 0);",
    ] {
        assert!(with(BODY, &format!("{CREATE} {main}")).is_empty(), "{main}");
    }
    let asked = "if (x) return (void *)1; x = 1;";
    let result = "pthread_join(a, &r); pthread_join(b, 0); assert(!r);";
    assert!(with(asked, &format!("{CREATE} {result}")).is_empty());
    let one = "pthread_create(&a, 0, w, 0); if (x) pthread_create(&b, 0, w, 0);";
    assert!(with(BODY, one).is_empty());
    let cancelled = format!("{CREATE} pthread_cancel(b); {JOIN}");
    assert!(with("x = 1; pthread_testcancel(); x = 2;", &cancelled).is_empty());
}

#[test]
fn equal_threads_agree_with_the_enumeration() {
    let count = programs(300);
    let order = Subject::new(ORDER);
    let arrays = Subject {
        arrays: true,
        ..order
    };
    let one = |seed: u64| {
        let text = generate(seed).render();
        let said = compare(&text, &[order, arrays]).unwrap_or_else(|fault| {
            panic!("seed {seed}: {}: {}\n{text}", fault.kind, fault.details)
        });
        (said.ok(), !pairs(&text).is_empty())
    };
    let all: Vec<_> = (start()..start() + count)
        .into_par_iter()
        .map(one)
        .collect();
    let of = |truth, alike| {
        all.iter()
            .filter(|one| **one == (Some(truth), alike))
            .count()
    };
    let [safe, dangerous] =
        [Truth::Safe, Truth::Unsafe].map(|truth| (of(truth, true), of(truth, false)));
    println!(
        "of {count}: safe {safe:?}, unsafe {dangerous:?} with and without threads that are alike"
    );
    assert!(10 * safe.0 as u64 >= count && 10 * dangerous.0 as u64 >= count);
}
