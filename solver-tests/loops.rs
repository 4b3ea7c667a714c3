//! Loops that count against the unwinding bound, and those that do not, which end.

use crate::command::{Answer, Folder};

const PRELUDE: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
";

#[test]
fn a_test_of_what_create_returned_does_not_unwind_its_loop() {
    let text = "
    int n = 2;
    void *worker(void *arg) { return 0; }
    int main(int argc, char **argv) {
        if (argc != 1) n = __VERIFIER_nondet_int();
        pthread_t t;
        for (int i = 0; i < n; i++)
            if (pthread_create(&t, 0, worker, 0) != 0) abort();
        assert(0);
    }";
    let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
    folder
        .verify(&["--unwind", "3", "a.c"])
        .is(Answer::Violated);
    let events = folder
        .run(&["show", "--stage", "events", "--unwind", "3", "a.c"])
        .out;
    assert_eq!(events.matches("create thread").count(), 3, "{events}");
    assert_eq!(events.matches("cut: Unwind").count(), 1, "{events}");
}

#[test]
fn a_loop_that_waits_does_not_run_for_long() {
    let text = "
    int n_done, go = 1;
    void *worker(void *arg) { while (go) ; return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        go = 0;
        pthread_join(t, 0);
        for (int i = 0; i < 50000; i++) n_done++;
        assert(n_done == 50000);
    }";
    let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
    folder.verify(&["a.c"]).is(Answer::Complete);
}

#[test]
fn an_assertion_that_folds_does_not_unwind_its_loop() {
    let text = "
    int main(void) {
        unsigned n = __VERIFIER_nondet_int();
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = i; k < n; k++)
                if (k < i) goto error;
        if (0) { error: assert(0); }
    }";
    let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
    let found = folder.verify(&["--unwind", "2", "a.c"]);
    found.is(Answer::Bounded);
    assert_eq!(found.reached(), [("unwind", Some(2))]);
}

#[test]
fn a_loop_that_is_left_by_counting_needs_no_bound() {
    let text = "
    int main(void) {
        int i = 0;
        while (__VERIFIER_nondet_int())
            if (++i == 7) break;
        assert(i <= 7);
    }";
    let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
    folder
        .verify(&["--unwind", "1", "a.c"])
        .is(Answer::Complete);
}

/// Loops that count `n` up, and the bound that they reach with `--unwind 2`; `None` if they need none.
const FOLDED: [(&str, &str, Option<u64>); 4] = [
    // The same each time, while others act: it may go on for ever.
    ("flag", "while (run) n++;", Some(2)),
    // Counted to a constant.
    ("counter", "for (int i = 0; i < 10; i++) n++;", None),
    // Left by a flag, that is set after counting to a constant.
    (
        "flag after counting",
        "int go = 1, i = 0; while (go) { n++; if (++i == 10) go = 0; }",
        None,
    ),
    // Pointers that differ.
    (
        "list",
        "for (struct node *p = list; p; p = p->next) n++;",
        None,
    ),
];

#[test]
fn a_test_that_folds_is_free_if_what_the_loop_compares_moves() {
    for (name, body, reach) in FOLDED {
        let text = format!(
            "
    struct node {{ struct node *next; }} *list;
    int run = 1, n;
    void *worker(void *arg) {{ {body} return 0; }}
    int main(void) {{
        for (int i = 0; i < 10; i++) {{
            struct node *p = malloc(sizeof *p);
            if (!p) abort();
            p->next = list;
            list = p;
        }}
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        worker(0);
        pthread_join(t, 0);
        assert(n <= 20);
    }}"
        );
        let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
        let found = folder.verify(&["--unwind", "2", "a.c"]);
        match reach {
            None => {
                found.is(Answer::Complete);
            }
            Some(_) => {
                found.is(Answer::Bounded);
                assert_eq!(found.reached(), [("unwind", reach)], "{name}");
            }
        }
    }
}

/// What a retry loop does with what a failed exchange leaves in `expected`, what is asserted, and the answer.
const RETRIES: [(&str, &str, Answer); 5] = [
    // Restored: it waits.
    (
        "do { e = 5; } while (!atomic_compare_exchange_strong(&x, &e, 7));",
        "x == 7",
        Answer::Complete,
    ),
    // Not restored: the next one may succeed.
    (
        "e = 6; while (!atomic_compare_exchange_strong(&x, &e, 7)) ;",
        "e == 6",
        Answer::Violated,
    ),
    // Counted: each failure is noticed.
    (
        "do { e = 5; n++; } while (!atomic_compare_exchange_strong(&x, &e, 7));",
        "n < 3",
        Answer::Violated,
    ),
    // Restored where others see it in between.
    (
        "do { shared = 5; } while (!atomic_compare_exchange_strong(&x, &shared, 7));",
        "x == 7",
        Answer::Violated,
    ),
    // What is written before is in memory when it has come through, whether it has failed before or not.
    (
        "a = 1; do { e = 5; } while (!atomic_compare_exchange_strong(&x, &e, 7)); assert(b || !late);",
        "1",
        Answer::Complete,
    ),
];

#[test]
fn a_failed_exchange_is_idle_only_if_what_it_expects_is_restored() {
    for (number, (retry, holds, answer)) in RETRIES.iter().enumerate() {
        let text = format!(
            "
    #include <stdatomic.h>
    atomic_int x, late; int a, b, n, shared = 5;
    void *worker(void *arg) {{
        assert(shared == 5);
        b = 1;
        atomic_thread_fence(memory_order_seq_cst);
        if (!a) late = 1;
        x = 5;
        return 0;
    }}
    int main(void) {{
        pthread_t t;
        int e = 0;
        pthread_create(&t, 0, worker, 0);
        {retry}
        assert({holds});
    }}"
        );
        let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
        for model in ["sc", "tso", "pso"] {
            let words = ["--check", "assert", "--mm", model, "--unwind", "3", "a.c"];
            let found = folder.verify(&words);
            println!("{number}, {model}");
            found.is(*answer);
        }
    }
}
