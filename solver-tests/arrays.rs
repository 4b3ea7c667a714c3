//! Objects too large to list, and more threads than one would run: answers within 1 GB of memory, and honest ones.

use crate::command::{Answer, Folder, Found};

const PRELUDE: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int chosen(int n) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= i && i < n); return i; }
";

fn run(text: &str, options: &[&str]) -> Found {
    let folder = Folder::new(&[("a.c", &format!("{PRELUDE}{text}"))]);
    let limits = ["a.c", "--memory", "1000", "--no-trace"];
    folder.verify(&[&limits, options].concat())
}

fn two_workers(cells: usize, claim: &str) -> String {
    format!(
        "int a[{cells}], total; pthread_mutex_t m;
        void *worker(void *arg) {{
            int i = chosen({cells});
            pthread_mutex_lock(&m);
            a[i]++; total++;
            pthread_mutex_unlock(&m);
            return 0;
        }}
        int main(void) {{
            pthread_t t, u;
            pthread_create(&t, 0, worker, 0);
            pthread_create(&u, 0, worker, 0);
            pthread_join(t, 0);
            pthread_join(u, 0);
            int i = chosen({cells});
            assert({claim});
        }}"
    )
}

#[test]
fn shared_elements_at_unknown_indices() {
    for cells in [1_000, 1_000_000] {
        let safe = run(&two_workers(cells, "a[i] <= total"), &[]);
        safe.is(Answer::Complete);
        let wrong = run(&two_workers(cells, "a[i] < 2"), &[]);
        wrong.is(Answer::Violated);
    }
}

#[test]
fn a_table_that_main_fills() {
    let table = |claim: &str| {
        format!(
            "int squares[3000];
            int main(void) {{
                for (int i = 0; i < 3000; i++) squares[i] = i * i;
                int k = chosen(3000);
                assert({claim});
            }}"
        )
    };
    let safe = run(&table("squares[k] >= k"), &[]);
    safe.is(Answer::Complete);
    let wrong = run(&table("squares[k] != 2999 * 2999"), &[]);
    wrong.is(Answer::Violated);
}

#[test]
fn uninitialised_elements_stay_what_they_are() {
    let text = |claim: &str| {
        format!(
            "int main(void) {{
                int *p = malloc(4000);
                int i = chosen(1000), k = chosen(1000), first = p[i];
                assert({claim});
            }}"
        )
    };
    let safe = run(&text("i != k || p[k] == first"), &[]);
    safe.is(Answer::Complete);
    let wrong = run(&text("p[k] == first"), &[]);
    wrong.is(Answer::Violated);
}

#[test]
fn sizes_beyond_what_an_object_can_have_are_a_bound() {
    let text = "int main(void) {
        unsigned n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n < 4000000000u);
        char *p = malloc((size_t)n + 1);
        p[n] = 1;
        assert(p[n] == 1);
    }";
    for (model, most) in [("--32", 65_535), ("--64", 16_777_215)] {
        let found = run(text, &[model]);
        found.is(Answer::Bounded);
        assert_eq!(found.reached(), [("object-size", Some(most))]);
    }
}

#[test]
fn ten_thousand_threads_are_a_bound() {
    let text = |claim: &str| {
        format!(
            "int n; pthread_mutex_t m;
            void *worker(void *arg) {{
                pthread_mutex_lock(&m);
                n++; assert({claim}); n--;
                pthread_mutex_unlock(&m);
                return 0;
            }}
            int main(void) {{
                pthread_t t[10000];
                for (int i = 0; i < 10000; i++) pthread_create(&t[i], 0, worker, 0);
                for (int i = 0; i < 10000; i++) pthread_join(t[i], 0);
            }}"
        )
    };
    let wrong = run(&text("n == 2"), &[]);
    wrong.is(Answer::Violated);
    let safe = run(&text("n == 1"), &["--timeout", "5"]);
    safe.is(Answer::Bounded);
    let reached: Vec<&str> = safe.reached().iter().map(|(name, _)| *name).collect();
    assert_eq!(reached, ["threads-per-site"]);
}
