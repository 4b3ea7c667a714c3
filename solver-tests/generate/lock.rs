//! Idioms of locks of all kinds: for readers and writers, recursive, error-checking, robust, spinning, with a time.

use super::Writer;
use super::idiom::Parts;
use crate::program::{block, guard, line};

impl Writer {
    /// A lock that many may read under; some thread forgets it, or only tries.
    pub(super) fn readers_and_writers(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int u, v;");
        let forgetful = if self.random.chance(30) {
            self.random.below(workers)
        } else {
            workers
        };
        let bodies = (0..workers)
            .map(|i| {
                let writes = i % 2 == 0 && workers > 1;
                let (kind, work) = if writes {
                    ("wr", vec![line("u++;"), line("v++;")])
                } else {
                    ("rd", vec![line("t = u;"), line("assert(t == v);")])
                };
                // A writer that only reads along.
                let kind = if writes && self.random.chance(12) {
                    "rd"
                } else {
                    kind
                };
                let unlock = "pthread_rwlock_unlock(&l);";
                match self.random.below(4) {
                    _ if i == forgetful => work,
                    0 => {
                        let mut work = work;
                        work.push(line(unlock));
                        vec![block(
                            format!("if (!pthread_rwlock_try{kind}lock(&l))"),
                            work,
                        )]
                    }
                    _ => vec![guard(
                        format!("pthread_rwlock_{kind}lock(&l);"),
                        work,
                        unlock,
                    )],
                }
            })
            .collect();
        let last = match workers {
            1 => vec![guard(
                "pthread_rwlock_wrlock(&l);",
                vec![line("u++;"), line("v++;")],
                "pthread_rwlock_unlock(&l);",
            )],
            _ => vec![line("assert(u == v);")],
        };
        (bodies, last)
    }

    /// Number of readers that are inside at once, and what a try says to whom.
    pub(super) fn reader_count(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_rwlock_t l; int inside;");
        self.initial.push("pthread_rwlock_init(&l, 0);".into());
        let most = self.random.between(1, workers as i64);
        let relation = *self.random.pick(&["<=", "<=", "!="]);
        let status = *self.random.pick(&["EBUSY", "0"]);
        let body = vec![guard(
            "pthread_rwlock_rdlock(&l);",
            vec![
                line("t = __atomic_add_fetch(&inside, 1, 5);"),
                line(format!("assert(t {relation} {most});")),
                line(format!("assert(pthread_rwlock_trywrlock(&l) == {status});")),
                line("__atomic_fetch_sub(&inside, 1, 5);"),
            ],
            "pthread_rwlock_unlock(&l);",
        )];
        let last = vec![
            line("t = pthread_rwlock_trywrlock(&l);"),
            line("assert(t == 0);"),
            line("assert(pthread_rwlock_wrlock(&l) == EDEADLK);"),
        ];
        (vec![body; workers], last)
    }

    /// A recursive lock is released as often as it was taken.
    pub(super) fn nested_locks(&mut self, workers: usize) -> Parts {
        let c11 = self.random.chance(30);
        let (ty, init) = if c11 {
            ("mtx_t r;", "mtx_init(&r, mtx_plain | mtx_recursive);")
        } else {
            (
                "pthread_mutex_t r;",
                "pthread_mutexattr_t ra; pthread_mutexattr_init(&ra); pthread_mutexattr_settype(&ra, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&r, &ra);",
            )
        };
        self.add_global(ty);
        self.add_global("int n;");
        self.initial.push(init.into());
        let family = if c11 { "mtx" } else { "pthread_mutex" };
        let bodies = (0..workers)
            .map(|_| {
                let inner = match self.random.below(3) {
                    0 => format!("if ({family}_trylock(&r) == 0)"),
                    _ => format!("if (!{family}_lock(&r))"),
                };
                let early = if self.random.chance(15) {
                    format!("{family}_unlock(&r);")
                } else {
                    String::new()
                };
                let work = vec![
                    block(inner, vec![line(format!("n++; {family}_unlock(&r);"))]),
                    line(early),
                    line("n++;"),
                ];
                vec![guard(
                    format!("{family}_lock(&r);"),
                    work,
                    format!("{family}_unlock(&r);"),
                )]
            })
            .collect();
        (bodies, vec![line(format!("assert(n == {});", 2 * workers))])
    }

    /// Errors that error-checking mutexes report.
    pub(super) fn reported_errors(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; int n;");
        let bodies = (0..workers)
            .map(|_| {
                let report = match self.random.below(5) {
                    0 => "assert(pthread_mutex_lock(&e) == EDEADLK);",
                    1 => "assert(pthread_mutex_trylock(&e) == EBUSY);",
                    2 => "assert(pthread_mutex_lock(&e) != EPERM);",
                    _ => "t = 0;",
                };
                let after = match self.random.below(3) {
                    0 => "assert(pthread_mutex_unlock(&e) == EPERM);",
                    1 => "pthread_mutex_unlock(&e);",
                    _ => "t = 0;",
                };
                let work = vec![line("n++;"), line(report)];
                vec![
                    guard("pthread_mutex_lock(&e);", work, "pthread_mutex_unlock(&e);"),
                    line(after),
                ]
            })
            .collect();
        (bodies, vec![line(format!("assert(n == {workers});"))])
    }

    /// A thread ends while it holds a robust mutex.
    pub(super) fn dead_owner(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_mutex_t r; int u, v;");
        self.initial.push(
            "pthread_mutexattr_t ra; pthread_mutexattr_init(&ra); pthread_mutexattr_setrobust(&ra, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&r, &ra);".into(),
        );
        let repair = match self.random.below(4) {
            0 => "if (t == EOWNERDEAD) v = u;",
            1 => "if (t == EOWNERDEAD) pthread_mutex_consistent(&r);",
            _ => "if (t == EOWNERDEAD) { v = u; pthread_mutex_consistent(&r); }",
        };
        let dies = self.random.below(workers);
        let bodies = (0..workers)
            .map(|i| {
                let mut body = vec![
                    line("t = pthread_mutex_lock(&r);"),
                    line(repair),
                    line("if (t == ENOTRECOVERABLE) return 0;"),
                    line("u++;"),
                ];
                if i == dies && self.random.chance(80) {
                    body.push(line("if (arg || u) return 0;"));
                }
                body.push(line("v++;"));
                body.push(line("pthread_mutex_unlock(&r);"));
                body
            })
            .collect();
        let claim = match self.random.below(5) {
            0 => "assert(t != ENOTRECOVERABLE);",
            1 => {
                "pthread_mutex_unlock(&r); t = pthread_mutex_lock(&r); assert(t != ENOTRECOVERABLE);"
            }
            2 => "assert(t != EOWNERDEAD);",
            _ => "if (t != ENOTRECOVERABLE) assert(u == v);",
        };
        let last = vec![
            line("t = pthread_mutex_lock(&r);"),
            line(repair),
            line(claim),
        ];
        (bodies, last)
    }

    /// A spin lock, which some thread forgets, or only tries.
    pub(super) fn spinning(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_spinlock_t l; int u, v;");
        let shared = *self
            .random
            .pick(&["PTHREAD_PROCESS_PRIVATE", "PTHREAD_PROCESS_SHARED"]);
        self.initial
            .push(format!("pthread_spin_init(&l, {shared});"));
        let forgetful = if self.random.chance(30) {
            self.random.below(workers)
        } else {
            workers
        };
        let mut tries = false;
        let bodies = (0..workers)
            .map(|i| {
                let status = *self.random.pick(&["EBUSY", "EBUSY", "0"]);
                let mut work = vec![line("u++;"), line("v += u;"), line("assert(v >= u);")];
                if self.random.chance(30) {
                    work.push(line(format!(
                        "assert(pthread_spin_trylock(&l) == {status});"
                    )));
                }
                let unlock = "pthread_spin_unlock(&l);";
                match self.random.below(4) {
                    _ if i == forgetful => work,
                    0 => {
                        tries = true;
                        work.push(line(unlock));
                        vec![block("if (!pthread_spin_trylock(&l))", work)]
                    }
                    1 => vec![guard("while (pthread_spin_trylock(&l)) ;", work, unlock)],
                    _ => vec![guard("pthread_spin_lock(&l);", work, unlock)],
                }
            })
            .collect();
        let total = workers * (workers + 1) / 2;
        let claim = if tries {
            "u >= 1".to_string()
        } else {
            format!("u == {workers} && v == {total}")
        };
        (bodies, vec![line(format!("assert({claim});"))])
    }

    /// Locks that are waited for until some time only: whoever gets them has them alone, or as a reader.
    pub(super) fn waited_for_a_while(&mut self, workers: usize) -> Parts {
        let writers = *self.random.pick(&[
            ("pthread_rwlock_timedwrlock(&l, &until)", "rw"),
            (
                "pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until)",
                "rw",
            ),
            ("pthread_mutex_timedlock(&l, &until)", "mutex"),
        ]);
        let rw = writers.1 == "rw";
        self.add_global(if rw {
            "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int u, v, late;"
        } else {
            "pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER; int u, v, late;"
        });
        self.add_global("struct timespec until = {1, 0};");
        let unlock = if rw {
            "pthread_rwlock_unlock(&l);"
        } else {
            "pthread_mutex_unlock(&l);"
        };
        let bodies = (0..workers)
            .map(|i| {
                let reads = rw && (i % 2 == 1 || self.random.chance(25));
                let lock = match (reads, self.random.chance(70)) {
                    (true, true) => "pthread_rwlock_timedrdlock(&l, &until)",
                    (true, false) => "pthread_rwlock_tryrdlock(&l)",
                    (false, _) => writers.0,
                };
                let mut work = if reads {
                    vec![line("t = u;"), line("assert(t == v);")]
                } else {
                    vec![line("u++;"), line("v++;")]
                };
                if self.random.chance(35) {
                    let status = if !reads && rw {
                        *self.random.pick(&["== EDEADLK", "!= EDEADLK"])
                    } else {
                        "== ETIMEDOUT"
                    };
                    work.push(line(format!("assert({} {status});", writers.0)));
                }
                let careless = self.random.chance(15);
                work.push(line(unlock));
                let head = if careless {
                    format!("{lock}; if (1)")
                } else {
                    format!("if (!{lock})")
                };
                vec![
                    block(head, work),
                    line("if (t == 77) __atomic_fetch_add(&late, 1, 5);"),
                ]
            })
            .collect();
        let claim = match self.random.below(4) {
            0 => format!("u == {workers}"),
            _ => "u == v".to_string(),
        };
        (bodies, vec![line(format!("assert({claim});"))])
    }
}
