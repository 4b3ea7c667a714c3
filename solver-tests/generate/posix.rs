//! Idioms of POSIX and C11 objects: locks of all kinds, barriers, semaphores, keys, ends of threads, atomics.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, block, guard, line};

impl Writer {
    /// One of them.
    pub(super) fn posix(&mut self, workers: usize) -> Parts {
        match self.random.below(20) {
            0 | 1 => self.readers_and_writers(workers),
            2 => self.reader_count(workers),
            3 | 4 => self.meeting(workers),
            5 => self.sent_by_semaphore(workers),
            6 => self.counted_semaphore(workers),
            7 => self.named_semaphore(workers),
            8 | 9 => self.nested_locks(workers),
            10 => self.reported_errors(workers),
            11 => self.dead_owner(workers),
            12 => self.first_of_all(workers),
            13 | 14 => self.destructors(workers),
            15 => self.handlers(workers),
            16 | 17 => self.cancelled(workers),
            18 => self.detached(workers),
            _ => self.own_values(workers),
        }
    }

    fn function(&mut self, head: &str, body: Vec<Statement>) {
        let head = head.into();
        self.helpers.push(Function { head, body });
    }

    /// A lock that many may read under; some thread forgets it, or only tries.
    fn readers_and_writers(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int u, v;");
        let forgetful = match self.random.chance(30) {
            true => self.random.below(workers),
            false => workers,
        };
        let bodies = (0..workers)
            .map(|i| {
                let writes = i % 2 == 0 && workers > 1;
                let (kind, work) = match writes {
                    true => ("wr", vec![line("u++;"), line("v++;")]),
                    false => ("rd", vec![line("t = u;"), line("assert(t == v);")]),
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

    /// How many may be inside at once, and what a try says to whom.
    fn reader_count(&mut self, workers: usize) -> Parts {
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

    /// Threads meet at a barrier; after it everyone has left what he did before it.
    fn meeting(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_barrier_t b; unsigned char was[4]; int serial;");
        let with_main = workers == 1 || self.random.chance(25);
        let all = workers + usize::from(with_main);
        let needed = match self.random.chance(80) {
            true => all,
            false => 1 + self.random.below(all),
        };
        self.initial
            .push(format!("pthread_barrier_init(&b, 0, {needed});"));
        let twice = workers < 3 && self.random.chance(30);
        let wait = "if (pthread_barrier_wait(&b)) __atomic_fetch_add(&serial, 1, 5);";
        let seen = (0..workers)
            .map(|i| format!("was[{i}] >= 1"))
            .collect::<Vec<_>>()
            .join(" && ");
        let bodies = (0..workers)
            .map(|i| {
                let mut body = vec![line(format!("was[{i}] = 1;")), guard(wait, vec![], "")];
                body.push(line(format!("assert({seen});")));
                if twice {
                    body.push(line(format!("was[{i}] = 2;")));
                    body.push(guard(wait, vec![], ""));
                    body.push(line(format!("assert(was[{}] == 2);", (i + 1) % workers)));
                }
                body
            })
            .collect();
        let rounds = if twice { 2 } else { 1 };
        let last = vec![line(format!("assert(serial == {rounds});"))];
        if with_main {
            self.early = vec![line(wait); rounds];
        }
        (bodies, last)
    }

    /// What was written before a semaphore is posted is there after it has been waited for.
    fn sent_by_semaphore(&mut self, workers: usize) -> Parts {
        self.add_global("sem_t sent; int data;");
        let start = usize::from(self.random.chance(20));
        self.initial
            .push(format!("assert(sem_init(&sent, 0, {start}) == 0);"));
        let value = self.random.between(1, 3);
        let mut send = vec![line(format!("data = {value};")), line("sem_post(&sent);")];
        if self.random.chance(15) {
            send.swap(0, 1);
        }
        let wait = match self.random.below(4) {
            0 => "if (sem_trywait(&sent)) { assert(errno == EAGAIN); pthread_exit(0); }",
            1 => "struct timespec u = {1, 0}; while (sem_timedwait(&sent, &u)) ;",
            _ => "sem_wait(&sent);",
        };
        let receive = vec![
            guard(wait, vec![], ""),
            line(format!("assert(data == {value});")),
        ];
        let mut bodies = vec![send];
        // Only one of several can receive it.
        bodies.extend((1..workers).map(|_| receive.clone()));
        (bodies, if workers == 1 { receive } else { vec![] })
    }

    /// As many as a semaphore says may be inside.
    fn counted_semaphore(&mut self, workers: usize) -> Parts {
        self.add_global("sem_t places; int inside;");
        let places = self.random.between(1, 2);
        self.initial
            .push(format!("sem_init(&places, 0, {places});"));
        let most = if self.random.chance(70) { places } else { 1 };
        let body = vec![guard(
            "sem_wait(&places);",
            vec![
                line("t = __atomic_add_fetch(&inside, 1, 5);"),
                line(format!("assert(t <= {most});")),
                line("__atomic_fetch_sub(&inside, 1, 5);"),
            ],
            "sem_post(&places);",
        )];
        let left = if self.random.chance(85) { places } else { 2 };
        let last = vec![
            line("sem_getvalue(&places, &t);"),
            line(format!("assert(t == {left});")),
        ];
        (vec![body; workers], last)
    }

    /// A semaphore by name is the same for everybody.
    fn named_semaphore(&mut self, workers: usize) -> Parts {
        self.add_global("int n;");
        let start = if self.random.chance(75) { 1 } else { 2 };
        self.initial
            .push(format!("sem_open(\"/n\", O_CREAT, 0600, {start});"));
        let bodies = (0..workers)
            .map(|i| {
                let name = if i > 0 && self.random.chance(15) {
                    "/m"
                } else {
                    "/n"
                };
                vec![
                    line(format!(
                        "sem_t *s = sem_open(\"{name}\", O_CREAT, 0600, 1);"
                    )),
                    guard(
                        "sem_wait(s);",
                        vec![line("t = n;"), line("n = t + 1;")],
                        "sem_post(s);",
                    ),
                ]
            })
            .collect();
        (bodies, vec![line(format!("assert(n == {workers});"))])
    }

    /// A recursive lock is released as often as it was taken.
    fn nested_locks(&mut self, workers: usize) -> Parts {
        let c11 = self.random.chance(30);
        let (ty, init) = match c11 {
            true => ("mtx_t r;", "mtx_init(&r, mtx_plain | mtx_recursive);"),
            false => (
                "pthread_mutex_t r;",
                "pthread_mutexattr_t ra; pthread_mutexattr_init(&ra); pthread_mutexattr_settype(&ra, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&r, &ra);",
            ),
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
                let early = match self.random.chance(15) {
                    true => format!("{family}_unlock(&r);"),
                    false => String::new(),
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

    /// What error-checking mutexes report.
    fn reported_errors(&mut self, workers: usize) -> Parts {
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
    fn dead_owner(&mut self, workers: usize) -> Parts {
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

    /// A routine that is to run once, before anybody goes on.
    fn first_of_all(&mut self, workers: usize) -> Parts {
        let c11 = self.random.chance(40);
        self.add_global(match c11 {
            true => "once_flag once = ONCE_FLAG_INIT; int runs, ready;",
            false => "pthread_once_t once = PTHREAD_ONCE_INIT; int runs, ready;",
        });
        self.function(
            "static void prepare(void)",
            vec![line("runs++;"), line("ready = 1;")],
        );
        let call = match c11 {
            true => "call_once(&once, prepare);",
            false => "pthread_once(&once, prepare);",
        };
        let careless = self.random.chance(25);
        let bodies = (0..workers)
            .map(|i| {
                let call = match careless && i + 1 == workers {
                    true => "if (!ready) prepare();",
                    false => call,
                };
                vec![guard(call, vec![], ""), line("assert(ready == 1);")]
            })
            .collect();
        (bodies, vec![line("assert(runs == 1);")])
    }

    /// Values that threads leave are destroyed.
    fn destructors(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_key_t one, two; int n, left;");
        let how = self.protections(workers)[0];
        let add = self.protect(how, vec![line("n += (int)(long)value;")]);
        let mut destroy = vec![line("int t = 0; t++;"), add];
        if self.random.chance(25) {
            destroy.push(line("if (pthread_getspecific(one)) left++;"));
        }
        let again = self.random.chance(25);
        if again {
            let more = "if ((long)value > 1) pthread_setspecific(one, (void *)((long)value - 1));";
            destroy.push(line(more));
        }
        self.function("static void destroy(void *value)", destroy);
        self.initial
            .push("pthread_key_create(&one, destroy);".into());
        let second = *self.random.pick(&["0", "destroy"]);
        self.initial
            .push(format!("pthread_key_create(&two, {second});"));
        let value = self.random.between(1, 2);
        let body = vec![
            line(format!("pthread_setspecific(one, (void *){value}l);")),
            line("pthread_setspecific(two, (void *)1);"),
            line("t = (long)pthread_getspecific(one);"),
            line(format!("assert(t == {value});")),
        ];
        let each = value + i64::from(second != "0") + i64::from(again && value == 2);
        let total = each * workers as i64;
        let last = vec![
            line("assert(left == 0);"),
            line(format!("assert(n == {total});")),
        ];
        (vec![body; workers], last)
    }

    /// Cleanup handlers run where a thread exits, the newest first.
    fn handlers(&mut self, workers: usize) -> Parts {
        let lock = self.lock_name();
        self.add_global("int n, order;");
        self.function(
            "static void unlock(void *lock)",
            vec![
                line("order = order * 2 + 1;"),
                line("pthread_mutex_unlock(lock);"),
            ],
        );
        self.function(
            "static void note(void *digit)",
            vec![line("order = order * 2 + 2;")],
        );
        let bodies = (0..workers)
            .map(|_| {
                let exit = match self.random.below(4) {
                    0 => "if (n > 1) pthread_exit(0);",
                    1 => "pthread_exit(0);",
                    2 => "if (arg) pthread_exit(0);",
                    _ => "t = n;",
                };
                let (inner, outer) = (self.random.below(2), usize::from(self.random.chance(85)));
                vec![
                    line(format!("pthread_mutex_lock({lock});")),
                    line(format!(
                        "pthread_cleanup_push(unlock, {lock}); pthread_cleanup_push(note, 0); n++; {exit} pthread_cleanup_pop({inner}); pthread_cleanup_pop({outer});"
                    )),
                ]
            })
            .collect();
        let wanted = if self.random.chance(60) {
            "order % 2 == 1"
        } else {
            "order != 5"
        };
        let last = vec![
            line(format!("if (pthread_mutex_trylock({lock})) assert(0);")),
            line(format!("assert(n == {workers} && ({wanted}));")),
        ];
        (bodies, last)
    }

    /// Somebody cancels the first thread, which may listen.
    fn cancelled(&mut self, workers: usize) -> Parts {
        self.add_global("sem_t never; int begun, done, cleaned;");
        self.initial.push("sem_init(&never, 0, 0);".into());
        self.function("static void clean(void *arg)", vec![line("cleaned++;")]);
        self.joins = false;
        let off = "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);";
        let on = "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);";
        let point = match self.random.below(4) {
            0 => "pthread_testcancel();",
            1 => "sem_wait(&never);",
            2 => "sleep(1);",
            _ => {
                "pthread_mutex_lock(&own); pthread_cond_wait(&ready, &own); pthread_mutex_unlock(&own);"
            }
        };
        self.add_global("pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;");
        self.add_global("pthread_cond_t ready = PTHREAD_COND_INITIALIZER;");
        let (off, on) = match self.random.below(4) {
            0 => (off, ""),
            1 => (off, on),
            _ => ("", ""),
        };
        let itself = self.random.chance(45);
        let cancel = if itself {
            "pthread_cancel(pthread_self());"
        } else {
            ""
        };
        let first = vec![
            line(format!(
                "pthread_cleanup_push(clean, 0); begun = 1; {off} {cancel} {point} done = 1; {on} pthread_cleanup_pop(0);"
            )),
            line("pthread_testcancel();"),
        ];
        let mut bodies = vec![vec![]; workers];
        bodies[0] = first;
        if itself {
            self.early = vec![line("sem_post(&never);")];
        } else if workers > 1 && self.random.chance(50) {
            bodies[1] = vec![line("pthread_cancel(id0);"), line("sem_post(&never);")];
        } else {
            self.early = vec![line("pthread_cancel(id0);")];
        }
        self.add_global("pthread_t id0;");
        self.between = vec![line("id0 = id[0];")];
        let claim = match self.random.below(4) {
            _ if itself && self.random.chance(70) => match off.is_empty() {
                true => "!done && r == PTHREAD_CANCELED",
                false => "done",
            },
            0 => "cleaned == (r == PTHREAD_CANCELED && !done)",
            1 => "r == PTHREAD_CANCELED || done",
            2 => "r == PTHREAD_CANCELED",
            _ => "begun || r == PTHREAD_CANCELED",
        };
        let last = vec![
            line("void *r = 0; pthread_join(id[0], &r);"),
            line(format!("assert({claim});")),
        ];
        (bodies, last)
    }

    /// Threads that nobody joins, or that somebody joins nevertheless.
    fn detached(&mut self, workers: usize) -> Parts {
        self.add_global("int n, over;");
        let how = self.protections(workers);
        let by_itself = self.random.chance(40);
        let bodies = how
            .into_iter()
            .map(|how| {
                let mut body = vec![self.protect(how, vec![line("n++;")])];
                if by_itself {
                    body.insert(0, line("pthread_detach(pthread_self());"));
                }
                body.push(line("__atomic_fetch_add(&over, 1, 5);"));
                body
            })
            .collect();
        self.joins = self.random.chance(15);
        let mut last = Vec::new();
        if !by_itself {
            last.extend((0..workers).map(|i| line(format!("pthread_detach(id[{i}]);"))));
        }
        last.push(line(format!(
            "if (over == {workers}) assert(n == {workers});"
        )));
        (bodies, last)
    }

    /// A key of C11, or a thread-local variable of some kind.
    fn own_values(&mut self, workers: usize) -> Parts {
        let (declare, set, get) = match self.random.below(4) {
            0 => ("tss_t key;", "tss_set(key, arg);", "(long)tss_get(key)"),
            1 => (
                "extern _Thread_local long own; _Thread_local long own = 7;",
                "own -= 7; own += (long)arg;",
                "own",
            ),
            2 => (
                "static long *place(void) { static _Thread_local long own; return &own; }",
                "*place() += (long)arg;",
                "*place()",
            ),
            _ => ("long own[1];", "own[0] = (long)arg;", "own[0]"),
        };
        self.add_global(declare);
        if declare.starts_with("tss") {
            self.initial.push("tss_create(&key, 0);".into());
        }
        let body = vec![line(set), line(format!("assert({get} == (long)arg);"))];
        (vec![body; workers], vec![line("t = 0;")])
    }

    /// Atomic operations on objects of some width.
    pub(super) fn widths(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&[
            "char",
            "unsigned char",
            "short",
            "int",
            "long",
            "unsigned long",
            "__int128",
            "_Bool",
        ]);
        let atomic = self.random.chance(50);
        self.add_global(&match atomic {
            true => format!("_Atomic({ty}) k;"),
            false => format!("{ty} k;"),
        });
        let flips = ty == "_Bool";
        let bodies = (0..workers)
            .map(|_| {
                let text = match (atomic, flips) {
                    (true, true) => *self.random.pick(&[
                        "if (atomic_exchange(&k, 1)) atomic_store(&k, 1);",
                        "_Bool e = 0; atomic_compare_exchange_strong(&k, &e, 1);",
                        "k |= 1;",
                        "atomic_store_explicit(&k, 1, memory_order_release);",
                    ]),
                    (false, true) => *self.random.pick(&[
                        "if (__atomic_test_and_set(&k, 5)) t = 1;",
                        "__sync_lock_test_and_set(&k, 1);",
                        "_Bool o = 1; __atomic_store(&k, &o, 5);",
                    ]),
                    (true, false) => *self.random.pick(&[
                        "k++;",
                        "k += 1;",
                        "atomic_fetch_add_explicit(&k, 1, memory_order_relaxed);",
                        "__typeof__(atomic_load(&k)) e = atomic_load(&k); while (!atomic_compare_exchange_weak(&k, &e, e + 1)) ;",
                        "k = k + 1;",
                        "t = atomic_load(&k); atomic_store(&k, t + 1);",
                    ]),
                    (false, false) => *self.random.pick(&[
                        "__atomic_fetch_add(&k, 1, 5);",
                        "__sync_add_and_fetch(&k, 1);",
                        "__atomic_sub_fetch(&k, -1, 0);",
                        "__typeof__(k) e, d; __atomic_load(&k, &e, 5); do d = e + 1; while (!__atomic_compare_exchange(&k, &e, &d, 1, 5, 5));",
                        "__typeof__(k) e = k; while (!__sync_bool_compare_and_swap(&k, e, e + 1)) e = k;",
                        "__typeof__(k) e = k, o; e++; __atomic_exchange(&k, &e, &o, 5);",
                    ]),
                };
                vec![line(text)]
            })
            .collect();
        let total = if flips { 1 } else { workers };
        (bodies, vec![line(format!("assert(k == {total});"))])
    }

    /// A structure that is read and written at once, or member by member.
    pub(super) fn atomic_record(&mut self, workers: usize) -> Parts {
        let (low, high) = *self.random.pick(&[
            ("char", "char"),
            ("int", "int"),
            ("short", "int"),
            ("long", "long"),
        ]);
        let atomic = if self.random.chance(65) {
            "_Atomic "
        } else {
            ""
        };
        self.add_global(&format!(
            "struct two {{ {low} a; {high} b; }}; {atomic}struct two both;"
        ));
        let bodies = (0..workers)
            .map(|i| match i % 2 {
                0 => vec![line("struct two next = {1, 1};"), line("both = next;")],
                _ => vec![
                    line("struct two seen = both;"),
                    line("assert(seen.a == seen.b);"),
                ],
            })
            .collect();
        let last = match workers {
            1 => vec![
                line("struct two seen = both;"),
                line("assert(seen.a == seen.b);"),
            ],
            _ => vec![line("struct two end = both;"), line("assert(end.a == 1);")],
        };
        (bodies, last)
    }
}
