//! Random programs whose threads may block for ever: locks of all kinds in one order or several, conditions with and without a predicate,
//! barriers, semaphores, what runs once, joins, flags that somebody waits for, and ends of the process while others are blocked.
//! About half of them have a deadlock.

use super::{PRELUDE, joins, workers};
use crate::program::{Function, Program, Statement, block, guard, line, lines};
use crate::random::Random;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let random = Random::new(seed ^ 0x6465_6164);
    Writer { random }.program()
}

struct Writer {
    random: Random,
}

/// What threads do, and what they need.
#[derive(Default)]
struct Parts {
    globals: String,
    /// Statements of main before it creates threads.
    first: Vec<Statement>,
    threads: Vec<Vec<Statement>>,
    /// Statements of main while they run.
    early: Vec<Statement>,
    /// True if threads join each other, so that main does not.
    joined: bool,
}

impl Parts {
    /// Has each thread go on with what one of others does.
    fn append(&mut self, others: Parts) {
        if others.threads.len() > 2 {
            return;
        }
        self.globals += others.globals.as_str();
        self.first.extend(others.first);
        for (number, thread) in others.threads.into_iter().enumerate() {
            match self.threads.get_mut(number) {
                Some(own) => own.extend(thread),
                None => self.threads.push(thread),
            }
        }
        self.early.extend(others.early);
    }
}

/// A lock: how it is taken, tried and given back.
#[derive(Clone, Copy, PartialEq)]
struct Lock {
    take: &'static str,
    attempt: &'static str,
    give: &'static str,
}

const PLAIN: [Lock; 2] = [
    Lock {
        take: "pthread_mutex_lock(&a);",
        attempt: "pthread_mutex_trylock(&a)",
        give: "pthread_mutex_unlock(&a);",
    },
    Lock {
        take: "pthread_mutex_lock(&b);",
        attempt: "pthread_mutex_trylock(&b)",
        give: "pthread_mutex_unlock(&b);",
    },
];

const OTHERS: [Lock; 9] = [
    Lock {
        take: "pthread_mutex_lock(&c);",
        attempt: "pthread_mutex_trylock(&c)",
        give: "pthread_mutex_unlock(&c);",
    },
    Lock {
        take: "pthread_mutex_lock(&recursive);",
        attempt: "pthread_mutex_trylock(&recursive)",
        give: "pthread_mutex_unlock(&recursive);",
    },
    Lock {
        take: "pthread_mutex_lock(&checked);",
        attempt: "pthread_mutex_trylock(&checked)",
        give: "pthread_mutex_unlock(&checked);",
    },
    Lock {
        take: "pthread_mutex_lock(&robust);",
        attempt: "pthread_mutex_trylock(&robust)",
        give: "pthread_mutex_unlock(&robust);",
    },
    Lock {
        take: "pthread_spin_lock(&spin);",
        attempt: "pthread_spin_trylock(&spin)",
        give: "pthread_spin_unlock(&spin);",
    },
    Lock {
        take: "pthread_rwlock_wrlock(&rw);",
        attempt: "pthread_rwlock_trywrlock(&rw)",
        give: "pthread_rwlock_unlock(&rw);",
    },
    Lock {
        take: "pthread_rwlock_rdlock(&rw);",
        attempt: "pthread_rwlock_tryrdlock(&rw)",
        give: "pthread_rwlock_unlock(&rw);",
    },
    Lock {
        take: "mtx_lock(&mtx);",
        attempt: "mtx_trylock(&mtx)",
        give: "mtx_unlock(&mtx);",
    },
    Lock {
        take: "sem_wait(&one);",
        attempt: "sem_trywait(&one)",
        give: "sem_post(&one);",
    },
];

/// Objects that are declared where the program names them, with what main does first.
const OBJECTS: [(&str, &str, &str); 16] = [
    ("&a", "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;", ""),
    ("&b", "pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;", ""),
    ("&c", "pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;", ""),
    (
        "&gate",
        "pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;",
        "",
    ),
    (
        "&recursive",
        "pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
        "",
    ),
    (
        "&checked",
        "pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;",
        "",
    ),
    (
        "&robust",
        "pthread_mutex_t robust; pthread_mutexattr_t of_robust;",
        "pthread_mutexattr_init(&of_robust); pthread_mutexattr_setrobust(&of_robust, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&robust, &of_robust);",
    ),
    (
        "&spin",
        "pthread_spinlock_t spin;",
        "pthread_spin_init(&spin, 0);",
    ),
    (
        "&rw",
        "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;",
        "",
    ),
    ("&mtx", "mtx_t mtx;", "mtx_init(&mtx, mtx_plain);"),
    ("&one", "sem_t one;", "sem_init(&one, 0, 1);"),
    ("&filled", "sem_t filled;", "sem_init(&filled, 0, 0);"),
    ("&taken", "sem_t taken;", "sem_init(&taken, 0, 0);"),
    ("&con", "pthread_cond_t con = PTHREAD_COND_INITIALIZER;", ""),
    (
        "&other",
        "pthread_cond_t other = PTHREAD_COND_INITIALIZER;",
        "",
    ),
    ("&once", "pthread_once_t once = PTHREAD_ONCE_INIT;", ""),
];

impl Writer {
    fn program(&mut self) -> Program {
        let mut parts = self.parts();
        if parts.threads.len() < 3 && !parts.joined && self.random.chance(10) {
            let others = self.small();
            parts.append(others);
        }
        self.disturb(&mut parts);
        self.assembled(parts)
    }

    fn parts(&mut self) -> Parts {
        match self.random.below(24) {
            0..6 => self.nested(),
            6..10 => self.conditions(),
            10 | 11 => self.meeting(),
            12 | 13 => self.semaphores(),
            14 => self.once(),
            15 | 16 => self.joining(),
            17..23 => self.spinning(),
            _ => self.cancelled(),
        }
    }

    /// Parts that go with others in one program.
    fn small(&mut self) -> Parts {
        match self.random.below(4) {
            0 => self.semaphores(),
            1 => self.spinning(),
            2 => self.conditions(),
            _ => self.nested(),
        }
    }

    fn count(&mut self) -> usize {
        *self.random.pick(&[1, 2, 2, 2, 2, 3])
    }

    fn lock(&mut self) -> Lock {
        if self.random.chance(60) {
            *self.random.pick(&PLAIN)
        } else {
            *self.random.pick(&OTHERS)
        }
    }

    /// Statements that hold a lock; now and then it is only tried, or not given back.
    fn held(&mut self, lock: Lock, body: Vec<Statement>) -> Vec<Statement> {
        match self.random.below(20) {
            0 => vec![line(lock.take)].into_iter().chain(body).collect(),
            1..3 => vec![block(
                format!("if (!{})", lock.attempt),
                [body, vec![line(lock.give)]].concat(),
            )],
            3 => vec![
                block(format!("while ({})", lock.attempt), vec![line(";")]),
                guard("", body, lock.give),
            ],
            _ => vec![guard(lock.take, body, lock.give)],
        }
    }

    fn work(&mut self) -> Statement {
        line(
            *self
                .random
                .pick(&["x++;", "t = x;", "x = 1;", "t++;", "sched_yield();"]),
        )
    }

    /// Locks in locks, in one order or in several.
    fn nested(&mut self) -> Parts {
        let count = self.count();
        let depth = if count < 3 {
            *self.random.pick(&[2, 2, 2, 3])
        } else {
            2
        };
        let mut locks: Vec<Lock> = Vec::new();
        while locks.len() < depth {
            let lock = self.lock();
            if !locks.contains(&lock) || self.random.chance(20) {
                locks.push(lock);
            }
        }
        let in_order = self.random.chance(40);
        let mut threads: Vec<Vec<Statement>> = Vec::new();
        for number in 0..count {
            let mut own = locks.clone();
            if !in_order {
                own.rotate_left(number % depth);
            }
            if count < 3 && depth > 2 || self.random.chance(25) {
                own.truncate(2);
            }
            let backs_off = own.len() == 2 && own[0] != own[1] && self.random.chance(12);
            threads.push(if backs_off {
                self.backing_off(own[0], own[1])
            } else {
                let mut body = vec![self.work()];
                for lock in own.into_iter().rev() {
                    body = self.held(lock, body);
                }
                body
            });
        }
        let mut parts = Parts {
            globals: "int x;".into(),
            threads,
            ..Parts::default()
        };
        if count == 1 || self.random.chance(15) {
            let mut body = vec![self.work()];
            for lock in locks.into_iter().take(2) {
                body = self.held(lock, body);
            }
            parts.early = body;
        }
        parts
    }

    /// Two locks of which the second is tried: whoever fails gives the first back and begins again, or goes on with it.
    fn backing_off(&mut self, first: Lock, second: Lock) -> Vec<Statement> {
        let give = if self.random.chance(75) {
            first.give
        } else {
            ";"
        };
        vec![
            line(first.take),
            block(
                format!("while ({})", second.attempt),
                vec![line(give), line(if give == ";" { ";" } else { first.take })],
            ),
            line("x++;"),
            line(second.give),
            line(first.give),
        ]
    }

    /// Threads that wait on a condition, and others that wake them.
    fn conditions(&mut self) -> Parts {
        let c11 = self.random.chance(12);
        let waiters = *self.random.pick(&[1, 1, 1, 2]);
        let (condition, mutex) = ("&con", "&a");
        let wait = match self.random.below(16) {
            0 => "{ struct timespec until = {0}; pthread_cond_timedwait(&con, &a, &until); }"
                .to_string(),
            1 => "pthread_cond_wait(&other, &a);".to_string(),
            _ => format!("pthread_cond_wait({condition}, {mutex});"),
        };
        let predicate = *self.random.pick(&[
            "!ready",
            "!ready",
            "!ready",
            "ready < 2",
            "ready == 0 && x == 0",
        ]);
        let mut threads: Vec<Vec<Statement>> = Vec::new();
        for _ in 0..waiters {
            let waits = match self.random.below(16) {
                0 => vec![line(&wait)],
                1 | 2 => vec![block(format!("if ({predicate})"), vec![line(&wait)])],
                3 => vec![block(
                    "do",
                    vec![line(&wait), line(format!("}} while ({predicate}); {{"))],
                )],
                _ => vec![block(format!("while ({predicate})"), vec![line(&wait)])],
            };
            let mut body = waits;
            if self.random.chance(25) {
                body.push(line(*self.random.pick(&[
                    "ready = 0;",
                    "ready--;",
                    "pthread_cond_signal(&con);",
                    "x++;",
                ])));
            }
            threads.push(vec![guard(
                "pthread_mutex_lock(&a);",
                body,
                "pthread_mutex_unlock(&a);",
            )]);
        }
        let woken = self.waking();
        let mut parts = Parts {
            globals: "int x, ready;".into(),
            ..Parts::default()
        };
        if waiters == 2 || self.random.chance(40) {
            parts.early = woken;
        } else {
            threads.push(woken);
            if self.random.chance(15) {
                threads.push(self.waking());
            }
        }
        parts.threads = threads;
        if c11 {
            as_c11(&mut parts);
        }
        parts
    }

    /// Sets what waiters wait for, and wakes one or all, in this order or the other, with the mutex or without.
    fn waking(&mut self) -> Vec<Statement> {
        let set = *self.random.pick(&[
            "ready = 1;",
            "ready = 1;",
            "ready++;",
            "ready = 2;",
            "ready = ready + 2;",
            "ready = 1; x = 1;",
            "if (choice) ready = 1;",
        ]);
        let wake = match self.random.below(20) {
            0 => "if (choice) pthread_cond_signal(&con);",
            1 => "pthread_cond_signal(&other);",
            2 => ";",
            3..9 => "pthread_cond_broadcast(&con);",
            _ => "pthread_cond_signal(&con);",
        };
        let locked = |body: &[&str]| {
            guard(
                "pthread_mutex_lock(&a);",
                lines(body),
                "pthread_mutex_unlock(&a);",
            )
        };
        match self.random.below(12) {
            0..4 => vec![locked(&[set, wake])],
            4..7 => vec![locked(&[set]), line(wake)],
            7 | 8 => vec![locked(&[wake, set])],
            9 => vec![line(set), line(wake)],
            10 => vec![line(wake), locked(&[set])],
            _ => vec![line(set), locked(&[wake])],
        }
    }

    /// Threads that meet at a barrier for as many as come, for more or for fewer, once or again.
    fn meeting(&mut self) -> Parts {
        let count = self.count();
        let with_main = count == 1 || self.random.chance(25);
        let all = count + usize::from(with_main);
        let needed = match self.random.below(10) {
            0 | 1 => all + 1,
            2 if all > 1 => all - 1,
            _ => all,
        };
        let rounds = if all < 3 && self.random.chance(40) {
            2
        } else {
            1
        };
        let one = |writer: &mut Writer| {
            let mut body = Vec::new();
            for _ in 0..rounds {
                body.push(writer.work());
                body.push(line(if writer.random.chance(12) {
                    "if (choice) pthread_barrier_wait(&bar);"
                } else {
                    "pthread_barrier_wait(&bar);"
                }));
            }
            if writer.random.chance(15) {
                let lock = writer.lock();
                body = writer.held(lock, body);
            }
            body
        };
        let threads = (0..count).map(|_| one(self)).collect();
        let early = if with_main { one(self) } else { vec![] };
        Parts {
            globals: "pthread_barrier_t bar; int x;".into(),
            first: vec![line(format!("pthread_barrier_init(&bar, 0, {needed});"))],
            threads,
            early,
            joined: false,
        }
    }

    /// Threads that hand each other places of a buffer, and forget to, or take more than there are.
    fn semaphores(&mut self) -> Parts {
        let count = self.count().min(2);
        let mut threads = Vec::new();
        let crossed = self.random.chance(35);
        for number in 0..count {
            let (wait, post) = if (number == 0) != crossed {
                ("sem_wait(&filled);", "sem_post(&taken);")
            } else {
                ("sem_wait(&taken);", "sem_post(&filled);")
            };
            let wait = match self.random.below(12) {
                0 => wait
                    .replace("sem_wait", "while (sem_trywait")
                    .replace(");", ")) ;"),
                1 => wait.replace("sem_wait", "if (choice) sem_wait"),
                _ => wait.to_string(),
            };
            let mut body = vec![line(wait), self.work(), line(post)];
            match self.random.below(10) {
                0 => {
                    body.pop();
                }
                1..4 => body.rotate_left(2),
                _ => {}
            }
            if self.random.chance(20) {
                let lock = self.lock();
                body = self.held(lock, body);
            }
            threads.push(body);
        }
        let early = match self.random.below(4) {
            0 => vec![],
            1 => lines(&["sem_post(&filled);"]),
            2 => lines(&["sem_post(&filled);", "sem_wait(&taken);"]),
            _ => lines(&["sem_post(&taken);"]),
        };
        Parts {
            globals: "int x;".into(),
            threads,
            early,
            ..Parts::default()
        }
    }

    /// A routine that runs once, which may wait itself.
    fn once(&mut self) -> Parts {
        let count = 1 + self.random.below(2);
        let routine = *self.random.pick(&[
            "x++;",
            "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);",
            "pthread_once(&once, run);",
            "sem_wait(&filled);",
            "pthread_once(&again, rerun);",
        ]);
        let rerun = *self.random.pick(&[
            "x++;",
            "pthread_once(&once, run);",
            "pthread_mutex_lock(&a);",
        ]);
        let mut threads = Vec::new();
        for number in 0..count {
            let call = if number == 1 && self.random.chance(40) {
                "pthread_once(&again, rerun);"
            } else {
                "pthread_once(&once, run);"
            };
            let mut body = vec![line(call)];
            if self.random.chance(45) {
                body = vec![guard(
                    "pthread_mutex_lock(&a);",
                    body,
                    "pthread_mutex_unlock(&a);",
                )];
            }
            if self.random.chance(30) {
                body.push(line("sem_post(&filled);"));
            }
            threads.push(body);
        }
        Parts {
            globals:
                "int x; void run(void); void rerun(void); pthread_once_t again = PTHREAD_ONCE_INIT;"
                    .into(),
            first: vec![line("/* routines */"), line(routine), line(rerun)],
            threads,
            early: if self.random.chance(30) {
                lines(&["pthread_once(&once, run);"])
            } else {
                vec![]
            },
            joined: false,
        }
    }

    /// Threads that join each other, themselves or main's, in a ring or in a row, and hold a lock meanwhile.
    fn joining(&mut self) -> Parts {
        let count = 2 + usize::from(self.random.chance(25));
        let ring = self.random.chance(35);
        let mut threads = Vec::new();
        for number in 0..count {
            let joined = if ring {
                (number + 1) % count
            } else {
                number + 1
            };
            let joined = if self.random.chance(8) {
                number
            } else {
                joined
            };
            let join = match joined {
                joined if joined >= count => "x++;".to_string(),
                joined => format!("pthread_join(id[{joined}], 0);"),
            };
            let mut body = vec![line(join)];
            if self.random.chance(45) {
                let lock = if self.random.chance(70) {
                    PLAIN[0]
                } else {
                    self.lock()
                };
                body = self.held(lock, body);
            }
            // Main holds it until everybody has a number.
            body.insert(
                0,
                line("pthread_mutex_lock(&gate); pthread_mutex_unlock(&gate);"),
            );
            threads.push(body);
        }
        let early = if ring {
            vec![]
        } else {
            lines(&["pthread_join(id[0], 0);"])
        };
        let early = if self.random.chance(25) {
            self.held(PLAIN[0], early)
        } else {
            early
        };
        Parts {
            globals: "int x;".into(),
            first: vec![line("pthread_mutex_lock(&gate);")],
            threads,
            early: [vec![line("pthread_mutex_unlock(&gate);")], early].concat(),
            joined: true,
        }
    }

    /// Threads that wait for flags in loops of their own.
    fn spinning(&mut self) -> Parts {
        let count = 1 + self.random.below(2);
        let test = |writer: &mut Writer, flag: &str| {
            let load =
                *writer
                    .random
                    .pick(&["{}", "__atomic_load_n(&{}, 5)", "__atomic_load_n(&{}, 0)"]);
            load.replace("{}", flag)
        };
        let mut threads = Vec::new();
        for number in 0..count {
            let (own, others) = if number == 0 {
                ("go", "done")
            } else {
                ("done", "go")
            };
            let seen = test(self, others);
            let inside = *self.random.pick(&[
                ";",
                ";",
                ";",
                "sched_yield();",
                "t = x;",
                "pthread_mutex_lock(&a); t = x; pthread_mutex_unlock(&a);",
            ]);
            let wait = match self.random.below(10) {
                0 => block(
                    "while (!__sync_bool_compare_and_swap(&go, 1, 0))",
                    vec![line(inside)],
                ),
                1 => block(
                    format!("while ({seen} != {})", 1 + self.random.below(2)),
                    vec![line(inside)],
                ),
                2 => block(
                    "for (;;)",
                    vec![line(inside), line(format!("if ({seen}) break;"))],
                ),
                _ => block(format!("while (!{seen})"), vec![line(inside)]),
            };
            let set = *self.random.pick(&[
                "{} = 1;",
                "{} = 1;",
                "__atomic_store_n(&{}, 1, 5);",
                "if (choice) {} = 1;",
                "{}++;",
            ]);
            let set = line(set.replace("{}", own));
            let mut body = match self.random.below(10) {
                0 => vec![wait],
                1 => vec![set],
                2..5 => vec![wait, set],
                _ => vec![set, wait],
            };
            if self.random.chance(20) {
                let lock = self.lock();
                body = self.held(lock, body);
            }
            threads.push(body);
        }
        let early = match self.random.below(5) {
            0 => lines(&["go = 1;"]),
            1 => lines(&["done = 1;"]),
            2 => lines(&["go = 1;", "done = 1;", "go = 0;"]),
            3 if count == 1 => vec![block("while (!go)", vec![line(";")])],
            _ => vec![],
        };
        Parts {
            globals: "_Atomic int go, done; int x;".into(),
            threads,
            early,
            ..Parts::default()
        }
    }

    /// A thread that is cancelled while it waits, or holds a lock.
    fn cancelled(&mut self) -> Parts {
        let victim = match self.random.below(4) {
            0 => lines(&["sem_wait(&filled);"]),
            1 => vec![guard(
                "pthread_mutex_lock(&a);",
                vec![block(
                    "while (!ready)",
                    lines(&["pthread_cond_wait(&con, &a);"]),
                )],
                "pthread_mutex_unlock(&a);",
            )],
            2 => vec![guard(
                "pthread_mutex_lock(&a);",
                lines(&["pthread_testcancel();"]),
                "pthread_mutex_unlock(&a);",
            )],
            _ => vec![
                line("pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);"),
                line("sem_wait(&filled);"),
            ],
        };
        let other = match self.random.below(3) {
            0 => vec![guard(
                "pthread_mutex_lock(&a);",
                lines(&["ready = 1;"]),
                "pthread_mutex_unlock(&a);",
            )],
            1 => lines(&["pthread_join(id[0], 0);"]),
            _ => lines(&["x++;"]),
        };
        let joined = matches!(&other[0], Statement::Line(text) if text.contains("join"));
        let mut early = vec![line("pthread_cancel(id[0]);")];
        if self.random.chance(25) {
            early = vec![block("if (choice)", early)];
        }
        if !joined {
            early.push(line("pthread_join(id[0], 0);"));
        }
        early.push(line("pthread_join(id[1], 0);"));
        if self.random.chance(25) {
            early.push(guard(
                "pthread_mutex_lock(&a);",
                vec![],
                "pthread_mutex_unlock(&a);",
            ));
        }
        Parts {
            globals: "int x, ready;".into(),
            threads: vec![victim, other],
            early,
            joined: true,
            ..Parts::default()
        }
    }

    /// Other statements here and there, also of another idiom.
    fn disturb(&mut self, parts: &mut Parts) {
        let count = parts.threads.len();
        if self.random.chance(25) {
            let lock = self.lock();
            let work = self.work();
            let made = self.held(lock, vec![work]);
            let number = self.random.below(count);
            let at = self.random.below(parts.threads[number].len() + 1);
            parts.threads[number].splice(at..at, made);
        }
        let number = self.random.below(count);
        let thread = &mut parts.threads[number];
        match self.random.below(24) {
            0 => *thread = vec![block("if (choice)", std::mem::take(thread))],
            1 => thread.insert(0, line("__VERIFIER_assume(choice);")),
            2 => thread.insert(0, line("if (choice) return 0;")),
            3 => thread.insert(0, line("if (choice) pthread_exit(0);")),
            4 => thread.push(line("if (choice) abort();")),
            5 => thread.insert(0, line("assert(!choice || x <= 1);")),
            6 => thread.push(line("pthread_mutex_unlock(&a);")),
            _ => {}
        }
    }

    /// The program of threads' statements, and of main's.
    fn assembled(&mut self, parts: Parts) -> Program {
        let count = parts.threads.len();
        let locals = line("int t = 0;");
        let mut functions = workers(parts.threads, &locals, "0");
        let mut body = vec![locals, line("choice = __VERIFIER_nondet_bool();")];
        let mut first = parts.first;
        if matches!(first.first(), Some(Statement::Line(text)) if text.starts_with("/*")) {
            let routines = first.split_off(1);
            first.clear();
            let heads = ["void run(void)", "void rerun(void)"];
            for (head, routine) in heads.into_iter().zip(routines) {
                let head = head.to_string();
                functions.insert(
                    0,
                    Function {
                        head,
                        body: vec![routine],
                    },
                );
            }
        }
        body.extend(first);
        let attributes = if self.random.chance(8) && !parts.joined {
            body.push(line("pthread_attr_init(&attr); pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);"));
            Some("&attr")
        } else {
            None
        };
        body.extend((0..count).map(|i| {
            let attributes = attributes.unwrap_or("0");
            line(format!(
                "pthread_create(&id[{i}], {attributes}, worker{i}, 0);"
            ))
        }));
        body.extend(parts.early);
        let detached = attributes.is_some();
        let ends = match self.random.below(20) {
            0 => vec![],
            1 => lines(&["exit(0);"]),
            2 => lines(&["if (choice) exit(0);"])
                .into_iter()
                .chain(joins(count).filter(|_| !parts.joined && !detached))
                .collect(),
            3..6 => lines(&["pthread_exit(0);"]),
            _ if parts.joined || detached => lines(&["pthread_exit(0);"]),
            6 => joins(1).collect(),
            _ => joins(count).collect(),
        };
        body.extend(ends);
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        let mut globals = vec![format!(
            "pthread_t id[{count}]; pthread_attr_t attr; _Bool choice;"
        )];
        globals.push(parts.globals);
        let mut program = Program {
            prelude: PRELUDE.to_string() + "#include <sched.h>\n",
            globals,
            functions,
        };
        declare(&mut program);
        program
    }
}

/// Declares and initialises the objects that a program names.
fn declare(program: &mut Program) {
    let text = program.render();
    let ends = [',', ')', ';'];
    let named = |object: &str| {
        ends.iter()
            .any(|end| text.contains(&format!("{object}{end}")))
    };
    let objects = OBJECTS.iter().filter(|(object, ..)| named(object));
    let Some(main) = program.functions.last_mut() else {
        return;
    };
    for (_, declaration, initial) in objects {
        program.globals.push(declaration.to_string());
        if !initial.is_empty() {
            main.body.insert(1, line(*initial));
        }
    }
}

/// The same program with the conditions and mutexes of C11.
fn as_c11(parts: &mut Parts) {
    fn rename(list: &mut [Statement]) {
        let renamed = |text: &str| {
            text.replace(
                "pthread_cond_timedwait(&con, &a,",
                "cnd_timedwait(&con, &a,",
            )
            .replace("pthread_cond_", "cnd_")
            .replace("pthread_mutex_", "mtx_")
            .replace("&a)", "&mtx)")
            .replace("&a,", "&mtx,")
            .replace("&con", "&cnd")
            .replace("&other", "&cnd")
        };
        for statement in list {
            match statement {
                Statement::Line(text) => *text = renamed(text),
                Statement::Block { open, body, close } | Statement::Guard { open, body, close } => {
                    *open = renamed(open);
                    *close = renamed(close);
                    rename(body);
                }
            }
        }
    }
    parts.globals = "int x, ready; cnd_t cnd;".into();
    parts.first.push(line("cnd_init(&cnd);"));
    parts.threads.iter_mut().for_each(|thread| rename(thread));
    rename(&mut parts.early);
}
