//! Bounds that the user left open rise as long as they cut something and time is left.

use super::command::{Answer, Folder};

const THREADS: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *p) { pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); return 0; }
";

/// Nothing but the number of threads is in the way: it alone rises.
#[test]
fn many_threads_from_one_place() {
    let main = "int main(void) { pthread_t ts[40];
        for (int i = 0; i < 40; i++) pthread_create(&ts[i], 0, t, 0);
        for (int i = 0; i < 40; i++) pthread_join(ts[i], 0);
        assert(count != 40); }\n";
    let folder = Folder::new(&[("forty.c", &format!("{THREADS}{main}"))]);
    let found = folder.verify(&["--timeout", "60", "--no-trace", "forty.c"]);
    found.is(Answer::Violated);
    let mut bounds = found.bounds.iter();
    let unwind = bounds.find(|bound| bound.name == "unwind");
    assert_eq!(unwind.and_then(|bound| bound.value), Some(1), "{found:?}");
}

/// So do both where the loop that creates them has no bound.
#[test]
fn threads_from_a_loop_without_bound() {
    let main = "int main(void) { pthread_t id; int n = __VERIFIER_nondet_int();
        for (int i = 0; i < n; i++) pthread_create(&id, 0, t, 0);
        assert(count < 15); }\n";
    let folder = Folder::new(&[("any.c", &format!("{THREADS}{main}"))]);
    folder
        .verify(&["--timeout", "60", "--no-trace", "any.c"])
        .is(Answer::Violated);
}

/// Bounds that the user has set do not rise.
#[test]
fn a_bound_that_was_asked_for_stays() {
    let main = "int main(void) { pthread_t id;
        for (int i = 0; i < 40; i++) pthread_create(&id, 0, t, 0);
        assert(count < 40); }\n";
    let folder = Folder::new(&[("forty.c", &format!("{THREADS}{main}"))]);
    let found = folder.verify(&["--threads", "3", "forty.c"]);
    found.is(Answer::Bounded);
    assert_eq!(found.reached(), [("threads", Some(3))]);
}
