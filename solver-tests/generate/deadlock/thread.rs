//! Programs whose threads wait for threads: for their ends, for their flags, or although they are cancelled.

use super::{PLAIN, Parts, Writer};
use crate::program::{Statement, block, guard, line, lines};

impl Writer {
    /// Threads that join each other, themselves or main's, in a ring or in a row, and hold a lock meanwhile.
    pub(super) fn joining(&mut self) -> Parts {
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
            ..Parts::default()
        }
    }

    /// Threads that wait for flags in loops of their own.
    pub(super) fn spinning(&mut self) -> Parts {
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
            let inside = self.meanwhile();
            let wait = match self.random.below(10) {
                0 => block("while (!__sync_bool_compare_and_swap(&go, 1, 0))", inside),
                1 => block(
                    format!("while ({seen} != {})", 1 + self.random.below(2)),
                    inside,
                ),
                2 => {
                    let leave = line(format!("if ({seen}) break;"));
                    block("for (;;)", [inside, vec![leave]].concat())
                }
                _ => block(format!("while (!{seen})"), inside),
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

    /// What a loop does that waits for a flag: often nothing, or something that changes memory for a while, or once.
    pub(super) fn meanwhile(&mut self) -> Vec<Statement> {
        match self.random.below(12) {
            0..5 => lines(&[";"]),
            5 => lines(&["sched_yield();"]),
            6 => lines(&["t = x;"]),
            7 => lines(&["pthread_mutex_lock(&a); t = x; pthread_mutex_unlock(&a);"]),
            8 => lines(
                self.random
                    .pick(&[
                        ["x = 1;", "x = 0;"],
                        ["x++;", "x--;"],
                        ["x = 1;", ";"],
                        ["x ^= 1;", ";"],
                        ["pthread_cond_signal(&con);", "pthread_cond_signal(&con);"],
                        ["sem_post(&one);", "sem_wait(&one);"],
                    ])
                    .as_slice(),
            ),
            9 => {
                let lock = self.lock();
                let other = self.lock();
                let inner = self.held(other, lines(&["t = x;"]));
                self.held(lock, inner)
            }
            _ => {
                let mut all = Vec::new();
                for _ in 0..1 + self.random.below(2) {
                    let lock = self.lock();
                    let work = self.work();
                    all.extend(self.held(lock, vec![work]));
                }
                all
            }
        }
    }

    /// A thread that is cancelled while it waits, or holds a lock.
    pub(super) fn cancelled(&mut self) -> Parts {
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
}
