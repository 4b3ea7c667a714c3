//! Copies of synchronisation objects: that one is used is undefined, however it was made and whatever it is; that one is
//! made, or initialised and used, is not.

#[cfg(test)]
mod tests {
    use crate::command::Folder;
    use crate::oracle::{
        Skip, Subject, Truth, compare_models, compare_prepared, on_a_deep_stack, prepare,
    };
    use rayon::prelude::*;
    use selvedge::event::Cut;
    use selvedge::ir::Undefined;

    const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
        #include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n\
        struct s { int x; pthread_mutex_t m; };\n\
        struct s a = { 1, PTHREAD_MUTEX_INITIALIZER }, b, array[3];\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2;\n\
        extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n\
        static void none(void) {}\n";

    /// Declarations, and what `main` does.
    type Row = (&'static str, &'static str);

    /// A copy is used.
    const USED: &[Row] = &[
        (
            "",
            "pthread_mutex_lock(&a.m); struct s c = a; pthread_mutex_lock(&c.m);",
        ),
        ("", "b = a; pthread_mutex_lock(&b.m);"),
        ("", "m2 = m; pthread_mutex_trylock(&m2);"),
        ("", "b.m = a.m; pthread_mutex_unlock(&b.m);"),
        ("", "b.m = m; pthread_mutex_destroy(&b.m);"),
        ("void f(struct s c) { pthread_mutex_lock(&c.m); }", "f(a);"),
        (
            "struct s f(void) { return a; }",
            "struct s c = f(); pthread_mutex_lock(&c.m);",
        ),
        ("", "memcpy(&b, &a, sizeof a); pthread_mutex_lock(&b.m);"),
        ("", "memmove(&b, &a, sizeof a); pthread_mutex_lock(&b.m);"),
        ("", "array[1] = array[0]; pthread_mutex_lock(&array[1].m);"),
        (
            "",
            "memmove(array, array + 1, 2 * sizeof *array); pthread_mutex_lock(&array[1].m);",
        ),
        (
            "void copy(void *to, const void *from) { memcpy(to, from, sizeof a); }",
            "copy(&b, &a); pthread_mutex_lock(&b.m);",
        ),
        (
            "",
            "int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 3); \
             array[i] = a; pthread_mutex_lock(&array[1].m);",
        ),
        (
            "",
            "int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 3); \
             array[1] = a; pthread_mutex_lock(&array[i].m);",
        ),
        ("", "b = a; a = b; pthread_mutex_lock(&a.m);"),
        (
            "",
            "b = a; pthread_mutex_init(&b.m, 0); pthread_mutex_lock(&b.m); b = a; pthread_mutex_lock(&b.m);",
        ),
        (
            "void *f(void *p) { pthread_mutex_lock(&b.m); pthread_mutex_unlock(&b.m); return 0; }",
            "pthread_t t; b = a; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&b.m);",
        ),
        (
            "void *f(void *p) { b = a; return 0; }",
            "pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&b.m); pthread_mutex_unlock(&b.m);",
        ),
        (
            "struct t { sem_t s; } p, q;",
            "sem_init(&p.s, 0, 1); q = p; sem_wait(&q.s);",
        ),
        (
            "sem_t p, q;",
            "sem_init(&p, 0, 1); memcpy(&q, &p, sizeof p); sem_post(&q);",
        ),
        (
            "pthread_cond_t p = PTHREAD_COND_INITIALIZER, q;",
            "q = p; pthread_cond_signal(&q);",
        ),
        (
            "pthread_cond_t p = PTHREAD_COND_INITIALIZER;",
            "m2 = m; pthread_mutex_lock(&m); pthread_cond_wait(&p, &m2);",
        ),
        (
            "pthread_rwlock_t p = PTHREAD_RWLOCK_INITIALIZER, q;",
            "q = p; pthread_rwlock_rdlock(&q);",
        ),
        (
            "pthread_barrier_t p, q;",
            "pthread_barrier_init(&p, 0, 1); q = p; pthread_barrier_wait(&q);",
        ),
        (
            "struct t { pthread_spinlock_t l; } p, q;",
            "pthread_spin_init(&p.l, 0); q = p; pthread_spin_lock(&q.l);",
        ),
        (
            "struct t { pthread_once_t o; } p, q;",
            "q = p; pthread_once(&q.o, none);",
        ),
        (
            "struct t { mtx_t m; cnd_t c; } p, q;",
            "mtx_init(&p.m, mtx_plain); q = p; mtx_lock(&q.m);",
        ),
        (
            "struct t { mtx_t m; cnd_t c; } p, q;",
            "cnd_init(&p.c); q = p; cnd_signal(&q.c);",
        ),
        (
            "union u { pthread_mutex_t m; long word[4]; } p, q;",
            "q = p; pthread_mutex_lock(&q.m);",
        ),
    ];

    /// No copy is used.
    const UNUSED: &[Row] = &[
        (
            "",
            "pthread_mutex_lock(&a.m); struct s c = a; pthread_mutex_unlock(&a.m);",
        ),
        (
            "",
            "b = a; pthread_mutex_init(&b.m, 0); pthread_mutex_lock(&b.m);",
        ),
        (
            "",
            "b = a; b.m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&b.m);",
        ),
        (
            "",
            "m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);",
        ),
        (
            "",
            "b = (struct s){ 2, PTHREAD_MUTEX_INITIALIZER }; pthread_mutex_lock(&b.m);",
        ),
        (
            "",
            "struct s c = { 2, PTHREAD_MUTEX_INITIALIZER }; pthread_mutex_lock(&c.m);",
        ),
        (
            "",
            "pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&c);",
        ),
        (
            "",
            "b = a; memset(&b, 0, sizeof b); pthread_mutex_lock(&b.m);",
        ),
        (
            "",
            "array[1] = a; pthread_mutex_lock(&array[0].m); pthread_mutex_lock(&array[2].m);",
        ),
        ("", "b.x = a.x; pthread_mutex_lock(&b.m);"),
        (
            "struct t { int x; struct s s; } p, q; ",
            "p.x = q.x; pthread_mutex_lock(&p.s.m); memcpy(&p.x, &q.x, sizeof p.x); pthread_mutex_unlock(&p.s.m);",
        ),
        (
            "sem_t p, q;",
            "sem_init(&p, 0, 1); q = p; sem_init(&q, 0, 1); sem_wait(&q);",
        ),
        (
            "struct t { int *to; } p, q; pthread_once_t o;",
            "q = p; pthread_once(&o, none);",
        ),
        (
            "void *f(void *p) { b = a; pthread_mutex_init(&b.m, 0); return 0; }",
            "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_mutex_lock(&b.m);",
        ),
    ];

    fn program((globals, body): &Row) -> String {
        format!("{HEADERS}{globals}\nint main(void) {{ {body} return 0; }}\n")
    }

    /// Use of a copy: true if it is reached, as every scheme and the enumeration say; an error if they differ.
    fn uses_copy(text: &str) -> Result<bool, String> {
        let prepared = match prepare(text) {
            Ok(Ok(prepared)) => prepared,
            other => return Err(format!("{:?}", other.map(|skipped| skipped.err()))),
        };
        let copied = |why: &Cut| *why == Cut::Undefined(Undefined::CopiedObject);
        if let Some(other) = prepared.cuts().find(|why| !copied(why)) {
            return Err(format!("{other:?}"));
        }
        let models = compare_models(text, &Subject::weak(text.len() as u64));
        // A copy of many bytes has many orders under PSO.
        let wrong =
            |said: &Result<Truth, Skip>| !matches!(said, Ok(Truth::Safe) | Err(Skip::TooLarge));
        if !matches!(&models, Ok(all) if !all.iter().any(wrong)) {
            return Err(format!("{models:?}"));
        }
        match compare_prepared(&prepared, &Subject::all()) {
            Ok(Ok(Truth::Safe)) => Ok(prepared.cuts().any(copied)),
            other => Err(format!("{other:?}")),
        }
    }

    fn check(rows: &[Row], expected: bool) {
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build();
        let one = |row: &Row| {
            let text = program(row);
            let said = on_a_deep_stack(|| uses_copy(&text));
            (said != Ok(expected)).then(|| format!("{said:?}: {} {}", row.0, row.1))
        };
        let wrong: Vec<String> = pool
            .expect("threads can be started")
            .install(|| rows.par_iter().filter_map(one).collect());
        assert!(
            wrong.is_empty(),
            "{} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }

    #[test]
    fn using_a_copy_is_undefined() {
        check(USED, true);
    }

    #[test]
    fn copying_and_initialising_is_not() {
        check(UNUSED, false);
    }

    /// Copies that are loops, as a user sees them.
    #[test]
    fn a_verdict_names_the_use_of_a_copy() {
        let program = |row: &Row| program(row);
        let folder = Folder::new(&[
            (
                "large.c",
                &program(&(
                    "struct large { int room[3000]; pthread_mutex_t m; } p, q;",
                    "q = p; pthread_mutex_lock(&q.m);",
                )),
            ),
            (
                "any.c",
                &program(&(
                    "void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }",
                    "copy(&b, &a, sizeof a); pthread_mutex_lock(&b.m);",
                )),
            ),
        ]);
        for file in ["large.c", "any.c"] {
            for scheme in [
                "auto",
                "order",
                "lazy",
                "timestamp",
                "step",
                "mu",
                "modular",
            ] {
                let run = folder.run(&["--scheme", scheme, file]);
                // An array that `modular` does not follow comes first.
                let early = scheme == "modular" && file == "large.c";
                let said = early || run.out.contains("copied synchronisation object");
                assert!(
                    said && !run.verdict().contains("complete"),
                    "{file} {scheme}: {}{}",
                    run.out,
                    run.err
                );
            }
        }
    }
}
