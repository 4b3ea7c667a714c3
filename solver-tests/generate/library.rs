//! Idioms of the library and of pointers: conditions, semaphores, results, the heap, sections that may not
//! come to their end.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, block, guard, line};

impl Writer {
    /// Someone waits for a condition, or looks only once.
    pub(super) fn condition_variable(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_cond_t ready = PTHREAD_COND_INITIALIZER;");
        self.add_global("int data, flag;");
        let lock = self.lock_name();
        let value = self.random.between(1, 3);
        let wake = *self.random.pick(&[
            "pthread_cond_signal(&ready);",
            "pthread_cond_broadcast(&ready);",
        ]);
        let critical = |body: Vec<Statement>| {
            let (open, close) = (
                format!("pthread_mutex_lock({lock});"),
                format!("pthread_mutex_unlock({lock});"),
            );
            guard(open, body, close)
        };
        let mut send = vec![
            line(format!("data = {value};")),
            line("flag = 1;"),
            line(wake),
        ];
        if self.random.chance(20) {
            send.swap(0, 1);
        }
        let send = if self.random.chance(80) {
            vec![critical(send)]
        } else {
            send
        };
        let test = if self.random.chance(75) {
            "while"
        } else {
            "if"
        };
        let wait = format!("{test} (!flag) pthread_cond_wait(&ready, {lock});");
        let receive = vec![critical(vec![
            line(wait),
            line(format!("assert(data == {value});")),
        ])];
        let mut bodies = vec![send];
        bodies.extend((1..workers).map(|i| {
            if i == 1 {
                receive.clone()
            } else {
                vec![line("t = data;")]
            }
        }));
        (bodies, if workers == 1 { receive } else { vec![] })
    }

    /// A semaphore as a lock, or as a message.
    pub(super) fn semaphore(&mut self, workers: usize) -> Parts {
        self.add_global("sem_t sem; int n;");
        let start = if self.random.chance(75) { 1 } else { 2 };
        self.initial.push(format!("sem_init(&sem, 0, {start});"));
        let bodies = (0..workers)
            .map(|_| {
                let work = vec![line("t = n;"), line("n = t + 1;")];
                vec![guard("sem_wait(&sem);", work, "sem_post(&sem);")]
            })
            .collect();
        (bodies, vec![line(format!("assert(n == {workers});"))])
    }

    /// Main waits for one thread, which only an input names, and looks at what some thread left.
    pub(super) fn chosen_join(&mut self, workers: usize) -> Parts {
        self.add_global("unsigned char done[4];");
        self.joins = false;
        let looks_at = if self.random.chance(70) {
            "t".to_string()
        } else {
            format!("{}", workers - 1)
        };
        let last = vec![
            line("t = __VERIFIER_nondet_int();"),
            line(format!("__VERIFIER_assume(t >= 0 && t < {workers});")),
            line("pthread_join(id[t], 0);"),
            line(format!("assert(done[{looks_at}] == 1);")),
        ];
        (vec![vec![line("done[(long)arg] = 1;")]; workers], last)
    }

    /// Threads return what main adds up.
    pub(super) fn results(&mut self, workers: usize) -> Parts {
        self.add_global("int seen;");
        self.joins = false;
        self.result = Some("(void *)((long)arg + 1 + (t & 1))".into());
        let mut bodies = vec![vec![]; workers];
        if self.random.chance(60) {
            bodies[0] = vec![line("seen = 1;")];
            bodies[workers - 1].push(line("t = seen;"));
        }
        let mut last = vec![line("void *r = 0; long sum = 0;")];
        last.extend(
            (0..workers).map(|i| line(format!("pthread_join(id[{i}], &r); sum += (long)r;"))),
        );
        let total = workers * (workers + 1) / 2;
        let relation = *self.random.pick(&["==", "<=", ">="]);
        last.push(line(format!("assert(sum {relation} {total});")));
        (bodies, last)
    }

    /// A node of the heap is published before or after it is filled.
    pub(super) fn publication(&mut self, workers: usize) -> Parts {
        self.add_global("struct node { int value; struct node *next; } *head;");
        let value = self.random.between(1, 3);
        let fence = guard("__atomic_thread_fence(__ATOMIC_RELEASE);", vec![], "");
        let new = line("struct node *fresh = calloc(1, sizeof *fresh);");
        let clear = line("fresh->next = 0;");
        let fill = line(format!("fresh->value = {value};"));
        let publish = line("head = fresh;");
        let mut send = vec![new, clear, fill, fence, publish];
        if self.random.chance(25) {
            send.swap(2, 4);
        }
        if self.random.chance(15) {
            send.push(line("free(fresh);"));
        }
        let receive = vec![
            line("struct node *got = head;"),
            block(
                "if (got)",
                vec![
                    line(format!("assert(got->value == {value});")),
                    line("t = got->next == 0;"),
                ],
            ),
        ];
        let mut bodies = vec![send];
        bodies.extend((1..workers).map(|_| receive.clone()));
        (bodies, if workers == 1 { receive } else { vec![] })
    }

    /// A section that may block, be cut or end the program within; others must see all of it or nothing.
    pub(super) fn torn_section(&mut self, workers: usize) -> Parts {
        self.add_global("int u, v, go;");
        let obstacle = match self.random.below(8) {
            0 => line("__VERIFIER_assume(go);"),
            1 => line("while (!go) ;"),
            2 => line(format!(
                "pthread_mutex_lock({0}); pthread_mutex_unlock({0});",
                self.lock_name()
            )),
            3 => line("if (!go) abort();"),
            4 => line("t = 4 / go;"),
            5 => line("if (!go) t = *(int *)0;"),
            6 => line("if (!go) pthread_exit(0);"),
            _ => line("t = go;"),
        };
        let section = guard(
            "__VERIFIER_atomic_begin();",
            vec![line("u = 1;"), obstacle, line("v = 1;")],
            "__VERIFIER_atomic_end();",
        );
        let look = guard(
            "__VERIFIER_atomic_begin();",
            match self.random.below(3) {
                0 => vec![line("t = 1 / (1 - (u ^ v));")],
                1 => vec![line("assert(u == v);")],
                _ => vec![line("t = u;"), line("assert(t == v);")],
            },
            "__VERIFIER_atomic_end();",
        );
        let mut bodies = vec![vec![section]];
        if workers > 1 {
            bodies.push(vec![look.clone()]);
        }
        if workers > 2 {
            bodies.push(vec![line("go = 1;")]);
        }
        let mut last = vec![look];
        if workers < 3 && self.random.chance(60) {
            // Before the joins, so that the section may come later.
            self.early = vec![line("go = 1;")];
        }
        if self.random.chance(30) {
            last.push(line("assert(u == 0);"));
        }
        // What blocks must not keep main from looking.
        self.joins = self.random.chance(30);
        (bodies, last)
    }

    /// A thread works through a pointer to a local of main.
    pub(super) fn local_of_main(&mut self, workers: usize) -> Parts {
        self.argument = Some("&shared".into());
        self.initial.push("int shared = 0;".into());
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let work = vec![line("*(int *)arg += 1;")];
                vec![self.protect(how, work)]
            })
            .collect();
        (bodies, vec![line(format!("assert(shared == {workers});"))])
    }

    /// Every thread has its own copy, or believes so.
    pub(super) fn thread_local(&mut self, workers: usize) -> Parts {
        let keyword = *self.random.pick(&["_Thread_local ", "__thread ", ""]);
        self.add_global(&format!("{keyword}int own;"));
        let body = vec![
            line("own = (int)(long)arg;"),
            line("own += 2;"),
            line("assert(own == (int)(long)arg + 2);"),
        ];
        (vec![body; workers], vec![line("t = own;")])
    }

    /// C11's names for the same things.
    pub(super) fn c11_lock(&mut self, workers: usize) -> Parts {
        self.add_global("mtx_t guard; int n;");
        self.initial.push("mtx_init(&guard, mtx_plain);".into());
        let kind = self.random.below(2);
        let bodies = (0..workers)
            .map(|_| {
                let work = vec![line("n++;")];
                match kind {
                    0 => vec![guard("mtx_lock(&guard);", work, "mtx_unlock(&guard);")],
                    _ => vec![block(
                        "if (mtx_trylock(&guard) == thrd_success)",
                        vec![line("n++;"), line("mtx_unlock(&guard);")],
                    )],
                }
            })
            .collect();
        let wanted = if kind == 0 || self.random.chance(50) {
            workers
        } else {
            1
        };
        (bodies, vec![line(format!("assert(n >= {wanted});"))])
    }

    /// A structure is copied field by field.
    pub(super) fn copies(&mut self, workers: usize) -> Parts {
        self.add_global("struct both { short a; int b; } one, two;");
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .enumerate()
            .map(|(i, how)| {
                let work = match i % 2 {
                    0 => vec![line("struct both next = {1, 1};"), line("one = next;")],
                    _ => vec![line("two = one;")],
                };
                vec![self.protect(how, work)]
            })
            .collect();
        let last = if workers > 1 {
            "assert(two.a == two.b);"
        } else {
            "assert(one.a == one.b);"
        };
        (bodies, vec![line(last)])
    }

    /// Functions by pointer and by recursion.
    pub(super) fn calls(&mut self, workers: usize) -> Parts {
        self.add_global("int n;");
        self.add_global("int twice(int x); int count(int x);");
        self.add_global("int twice(int x) { n += x; return x + x; }");
        self.add_global(
            "int count(int x) { if (x > 0) { n++; return count(x - 1) + 1; } return 0; }",
        );
        self.add_global("int (*table[2])(int) = { twice, count };");
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let work = match self.random.below(3) {
                    0 => vec![line("t = table[n & 1](2);")],
                    1 => vec![line("t = count(2);"), line("assert(t == 2);")],
                    _ => vec![
                        line("int (*f)(int) = (long)arg ? count : twice;"),
                        line("t = f(2);"),
                    ],
                };
                vec![self.protect(how, work)]
            })
            .collect();
        let total = 2 * workers;
        (bodies, vec![line(format!("assert(n == {total});"))])
    }

    /// Creation orders: statements of main between two creations come before those of the second thread.
    pub(super) fn late_creation(&mut self, workers: usize) -> Parts {
        self.add_global("int stage;");
        if workers > 1 && self.random.chance(35) {
            return self.passed_on(workers);
        }
        self.between = vec![line("stage = 1;")];
        let mut bodies = vec![vec![line("t = stage;")]; workers];
        if self.random.chance(30) {
            bodies[0] = vec![line("stage = 2;")];
        }
        for body in bodies.iter_mut().skip(1) {
            *body = vec![line("assert(stage == 1);")];
        }
        (bodies, vec![line("assert(stage == 1);")])
    }

    /// Order that is passed on: what main has seen of the first thread comes before threads that it creates later.
    fn passed_on(&mut self, workers: usize) -> Parts {
        self.add_global("int said, seen;");
        self.between = if self.random.chance(75) {
            vec![line("seen = said;")]
        } else {
            vec![line("seen = 1;")]
        };
        let mut bodies = vec![vec![line("assert(!seen || said == 1);")]; workers];
        bodies[0] = vec![line("said = 1;")];
        if self.random.chance(20) {
            bodies[0].push(line("said = 2;"));
        }
        (bodies, vec![line("assert(said == 1);")])
    }

    /// A thread creates another one and waits for it.
    pub(super) fn nested_creation(&mut self, workers: usize) -> Parts {
        self.add_global("int stage, n;");
        let check = vec![line("assert(stage == 1);"), line("n++;"), line("return 0;")];
        let head = "void *nested(void *arg)".into();
        self.helpers.push(Function { head, body: check });
        let mut create = vec![
            line("pthread_t inner;"),
            line("stage = 1;"),
            line("pthread_create(&inner, 0, nested, 0);"),
        ];
        if self.random.chance(25) {
            create.push(line("stage = 2;"));
        }
        if self.random.chance(80) {
            create.push(line("pthread_join(inner, 0);"));
        }
        create.push(line("assert(n == 1);"));
        let mut bodies = vec![vec![line("t = n;")]; workers];
        bodies[0] = create;
        (bodies, vec![line("assert(n == 1);")])
    }

    /// Assumption of main about an input, before anything happens.
    pub(super) fn given(&mut self, workers: usize) -> Parts {
        self.add_global("int bound, n;");
        self.initial.push("bound = __VERIFIER_nondet_int();".into());
        let known = *self.random.pick(&[
            "__VERIFIER_assume(bound >= 1 && bound <= 2);",
            "if (bound < 1 || bound > 2) abort();",
            "if (bound < 1) abort(); if (bound > 1) __VERIFIER_assume(bound == 2);",
            "if (__VERIFIER_nondet_bool()) __VERIFIER_assume(bound == 1); else __VERIFIER_assume(bound == 2);",
            "assume_abort_if_not(bound > 0); __VERIFIER_assume(bound != 3 && bound < 4);",
        ]);
        self.initial.push(known.into());
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let work = vec![line("n += bound;")];
                vec![self.protect(how, work)]
            })
            .collect();
        let wanted = match self.random.below(5) {
            0 => format!("n >= {workers}"),
            1 => format!("n == {workers} * bound"),
            2 => format!("n > {workers}"),
            3 => format!("n != {}", 2 * workers),
            _ => format!("n <= {}", 2 * workers),
        };
        (bodies, vec![line(format!("assert({wanted});"))])
    }
}
