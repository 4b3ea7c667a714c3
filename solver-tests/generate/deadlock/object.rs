//! Programs whose threads wait for each other at objects: conditions, barriers, semaphores, futexes, what runs once.

use super::{Parts, Writer, as_c11};
use crate::program::{Statement, block, guard, line, lines};

impl Writer {
    /// Threads that wait on a condition, and others that wake them.
    pub(super) fn conditions(&mut self) -> Parts {
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
    pub(super) fn meeting(&mut self) -> Parts {
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
            ..Parts::default()
        }
    }

    /// Threads that hand each other places of a buffer, and forget to, or take more than there are.
    pub(super) fn semaphores(&mut self) -> Parts {
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

    /// Threads that wait for a word, with a test of it or without, and others that change it, wake some, or have them wait elsewhere.
    pub(super) fn futexes(&mut self) -> Parts {
        let futex = |word: &str, op: u32, value: u32, rest: &str| {
            format!("syscall(202L, &{word}, {op}, {value}, {rest})")
        };
        let waiters = *self.random.pick(&[1, 1, 2]);
        let mut threads: Vec<Vec<Statement>> = Vec::new();
        for _ in 0..waiters {
            let wait = match self.random.below(12) {
                0 => format!(
                    "{{ struct timespec until = {{0}}; {}; }}",
                    futex("word", 0, 0, "&until, 0, 0")
                ),
                1 => futex("word", 0, 1, "0, 0, 0") + ";",
                2 => futex("word", 128 | 9, 0, "0, 0, -1") + ";",
                _ => futex("word", 128, 0, "0, 0, 0") + ";",
            };
            let head = *self
                .random
                .pick(&["while", "while", "while", "if", "if", ""]);
            let test = "__atomic_load_n(&word, 5) == 0";
            threads.push(match head {
                "" => vec![line(wait)],
                _ => vec![block(format!("{head} ({test})"), vec![line(wait)])],
            });
        }
        let change = *self.random.pick(&[
            "__atomic_store_n(&word, 1, 5);",
            "__atomic_store_n(&word, 1, 5);",
            "__atomic_fetch_add(&word, 1, 5);",
            "if (choice) __atomic_store_n(&word, 1, 5);",
        ]);
        let wake = match self.random.below(10) {
            0 => format!("t = {}; assert(t < 2);", futex("word", 1, 2, "0, 0, 0")),
            1 => format!(
                "{}; {};",
                futex("word", 4, 0, "(void *)1L, &elsewhere, 0"),
                futex("elsewhere", 1, 1, "0, 0, 0")
            ),
            2 => futex("elsewhere", 1, 1, "0, 0, 0") + ";",
            3..6 => futex("word", 129, 0x7fff_ffff, "0, 0, 0") + ";",
            _ => futex("word", 1, 1, "0, 0, 0") + ";",
        };
        let mut steps = lines(&[change, &wake]);
        if self.random.chance(25) {
            steps.reverse();
        }
        let mut parts = Parts {
            globals: "int x, word, elsewhere; extern long syscall(long, ...);".into(),
            threads,
            ..Parts::default()
        };
        if waiters == 2 || self.random.chance(50) {
            parts.early = steps;
        } else {
            parts.threads.push(steps);
        }
        parts
    }

    /// A routine that runs once, which may wait itself.
    pub(super) fn once(&mut self) -> Parts {
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
            ..Parts::default()
        }
    }
}
