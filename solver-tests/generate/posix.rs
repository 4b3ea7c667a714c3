//! Idioms of POSIX and C11 objects that threads meet at or keep values in: barriers, semaphores, what runs once,
//! thread-local storage.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, guard, line};

impl Writer {
    /// One of them.
    pub(super) fn posix(&mut self, workers: usize) -> Parts {
        match self.random.below(23) {
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
            19 => self.spinning(workers),
            20 => self.waited_for_a_while(workers),
            21 => self.cancelled_holder(workers),
            _ => self.own_values(workers),
        }
    }

    pub(super) fn function(&mut self, head: &str, body: Vec<Statement>) {
        let head = head.into();
        self.helpers.push(Function { head, body });
    }

    /// Threads meet at a barrier; after it everyone has left what he did before it.
    fn meeting(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_barrier_t b; unsigned char was[4]; int serial;");
        let with_main = workers == 1 || self.random.chance(25);
        let all = workers + usize::from(with_main);
        let needed = if self.random.chance(80) {
            all
        } else {
            1 + self.random.below(all)
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

    /// Message through a semaphore: what was written before it is posted is there after it has been waited for.
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

    /// A routine that is to run once, before anybody goes on.
    fn first_of_all(&mut self, workers: usize) -> Parts {
        let c11 = self.random.chance(40);
        self.add_global(if c11 {
            "once_flag once = ONCE_FLAG_INIT; int runs, ready;"
        } else {
            "pthread_once_t once = PTHREAD_ONCE_INIT; int runs, ready;"
        });
        self.function(
            "static void prepare(void)",
            vec![line("runs++;"), line("ready = 1;")],
        );
        let call = if c11 {
            "call_once(&once, prepare);"
        } else {
            "pthread_once(&once, prepare);"
        };
        let careless = self.random.chance(25);
        let bodies = (0..workers)
            .map(|i| {
                let call = if careless && i + 1 == workers {
                    "if (!ready) prepare();"
                } else {
                    call
                };
                vec![guard(call, vec![], ""), line("assert(ready == 1);")]
            })
            .collect();
        (bodies, vec![line("assert(runs == 1);")])
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
}
