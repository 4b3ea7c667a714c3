//! Random programs with data races, and with what keeps threads apart: one or two groups of places (scalars, elements, bytes of
//! structures and unions, bit-fields, blocks of the heap, what pointers lead to) that two or three threads access under one
//! protocol (locks of all kinds, atomic sections and operations, parts of their own, creation and join, messages), with a mistake in
//! half of them.

use super::{PRELUDE, joins, workers};
use crate::program::{Function, Program, Statement, block, guard, line, lines};
use crate::random::Random;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x7261_6365),
    };
    let mut program = writer.program();
    read_an_id(&mut program, &mut Random::new(seed ^ 0x6964));
    program
}

/// Lets a thread of some programs read the id of one: its own, or one that main may just be creating.
fn read_an_id(program: &mut Program, random: &mut Random) {
    let functions = program.functions.iter_mut();
    let mut workers: Vec<&mut Function> = functions
        .filter(|function| function.head.contains("worker"))
        .collect();
    if workers.is_empty() || !random.chance(8) {
        return;
    }
    let (reader, read) = (random.below(workers.len()), random.below(workers.len()));
    let read = line(format!("t = id[{read}] != 0;"));
    workers[reader].body.insert(1, read);
}

struct Writer {
    random: Random,
}

/// Places, and what threads do with them.
struct Group {
    globals: &'static str,
    /// Statement of main before it creates threads.
    first: &'static str,
    /// Plain accesses, of one or several places.
    plain: &'static [&'static str],
    /// Atomic accesses of the same places; there may be none.
    atomic: &'static [&'static str],
    /// Accesses of parts of their own, for up to three threads.
    apart: &'static [&'static [&'static str]],
}

const GROUPS: &[Group] = &[
    Group {
        globals: "int x;",
        first: "x = 1;",
        plain: &[
            "x++;",
            "t = x;",
            "x = t;",
            "if (x == 1) x = 2;",
            "if (t) x = 1;",
        ],
        atomic: &[
            "__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);",
            "t = __atomic_load_n(&x, __ATOMIC_RELAXED);",
            "__atomic_store_n(&x, 1, __ATOMIC_RELEASE);",
            "__sync_bool_compare_and_swap(&x, 1, 2);",
        ],
        apart: &[],
    },
    Group {
        globals: "_Atomic int x; int y;",
        first: "y = 1;",
        plain: &["x++;", "t = x; y = t;", "y++;", "if (x == 1) t = y;"],
        atomic: &[
            "x++;",
            "t = x;",
            "atomic_store(&x, 1);",
            "t = atomic_exchange(&x, 2);",
        ],
        apart: &[],
    },
    Group {
        globals: "int a[3], at;",
        first: "at = __VERIFIER_nondet_uchar() & 1;",
        plain: &[
            "a[1]++;",
            "a[at] = 1;",
            "t = a[at + 1];",
            "a[i] = 2;",
            "t = a[i];",
            "a[i] += a[0];",
        ],
        atomic: &[
            "__atomic_store_n(&a[i], 1, __ATOMIC_RELAXED);",
            "t = __atomic_load_n(a + 1, 5);",
        ],
        apart: &[
            &["a[0] = 1;", "t = a[0];", "if (i == 0) a[i]++;"],
            &["a[1]++;", "if (i == 1) t = a[i];", "a[at * 0 + 1] = 2;"],
            &["a[2] = t;", "t = a[2];", "if (i > 1) a[i] = 3;"],
        ],
    },
    Group {
        globals: "struct pair { char low, high; short wide; } s;",
        first: "s.low = 1;",
        plain: &[
            "s.low = 1;",
            "t = s.high;",
            "s.wide++;",
            "{ struct pair copy = s; t = copy.low; }",
            "s.high = s.low;",
        ],
        atomic: &[
            "__atomic_fetch_or(&s.wide, 1, __ATOMIC_RELAXED);",
            "t = __atomic_load_n(&s.wide, 2);",
        ],
        apart: &[
            &["s.low = 1;", "s.low++;", "t = s.low;"],
            &["s.high = 2;", "t = s.high;", "*(&s.low + 1) = 3;"],
            &["s.wide++;", "t = s.wide;", "((char *)&s)[3] = 1;"],
        ],
    },
    Group {
        globals: "union mix { unsigned word; unsigned char byte[4]; unsigned short half[2]; } u;",
        first: "u.word = 1;",
        plain: &[
            "u.byte[1] = 1;",
            "t = u.word;",
            "u.half[1]++;",
            "t = u.byte[3];",
            "u.byte[i] = 2;",
        ],
        atomic: &[
            "__atomic_store_n(&u.word, 1, 5);",
            "t = __atomic_load_n(&u.word, 5);",
        ],
        apart: &[
            &["u.byte[0] = 1;", "t = u.byte[0];"],
            &["u.byte[1]++;", "t = u.byte[1];"],
            &["u.half[1]++;", "t = u.byte[2 + (i & 1)];"],
        ],
    },
    Group {
        globals: "struct flags { unsigned f : 3; unsigned g : 20; unsigned w : 20; unsigned char h; unsigned k : 4; unsigned : 0; unsigned l : 4; } b;",
        first: "b.f = 1;",
        plain: &[
            "b.f = 1;",
            "t = b.g;",
            "b.h = 2;",
            "b.k++;",
            "b.g = b.f;",
            "b.w = 1;",
            "b.l = 1;",
        ],
        atomic: &[],
        apart: &[
            &["b.f = 1;", "t = b.g;", "b.g++;"],
            &["b.h++;", "t = b.h;", "b.l++;"],
            &["b.k = 1;", "t = b.k;"],
        ],
    },
    Group {
        globals: "int *p;",
        first: "p = malloc(2 * sizeof *p); p[0] = 1; p[1] = 0;",
        plain: &[
            "p[0] = 1;",
            "t = p[1];",
            "p[i & 1]++;",
            "t = *p;",
            "free(p);",
        ],
        atomic: &["__atomic_fetch_add(p, 1, 5);", "t = __atomic_load_n(p, 5);"],
        apart: &[
            &["p[0] = 1;", "t = *p;"],
            &["p[1]++;", "t = p[1];"],
            &["t = p != 0;"],
        ],
    },
    Group {
        globals: "int x, y, *q = &x;",
        first: "y = 1;",
        plain: &[
            "*q = 1;",
            "t = *q;",
            "q = &y;",
            "x = t;",
            "y++;",
            "if (q == &x) y = 2;",
        ],
        atomic: &[
            "__atomic_store_n(&q, &y, 5);",
            "t = __atomic_load_n(&q, 5) == &x;",
        ],
        apart: &[
            &["x = 1;", "t = *q;"],
            &["y++;", "t = y;"],
            &["t = q == &y;"],
        ],
    },
    Group {
        globals: "char from[4], to[6];",
        first: "from[1] = 1;",
        plain: &[
            "memcpy(to, from, 4);",
            "memcpy(to + 1, from, 2);",
            "to[3] = 1;",
            "t = from[0];",
            "memset(to, t, 3);",
            "memmove(to + 1, to, i + 1);",
        ],
        atomic: &[
            "__atomic_store_n(to + 2, 1, 5);",
            "t = __atomic_load_n(to + 2, 5);",
        ],
        apart: &[
            &[
                "memcpy(to, from, 2);",
                "memset(to, 1, i & 1);",
                "t = to[1];",
            ],
            &[
                "memcpy(to + 2, from, 2);",
                "to[2 + (i & 1)] = 1;",
                "t = from[3];",
            ],
            &["memset(to + 4, 0, 2);", "to[5] = from[1];"],
        ],
    },
];

/// What keeps threads apart.
#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Lock,
    Other,
    Section,
    /// A lock that is taken where a condition says so.
    Conditional(&'static str),
    Try,
    Reading,
    Writing,
    Spin,
    Semaphore,
    /// Only atomic operations.
    Atomic,
    /// Parts of their own.
    Apart,
    Bare,
}

use Protocol::*;

const GLOBALS: [&str; 4] = [
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;",
    "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;",
    "sem_t sem;",
    "int spin, on = 1, off, maybe, mine[3];",
];

impl Writer {
    fn program(&mut self) -> Program {
        match self.random.below(10) {
            0 => self.message(),
            1 => self.chain(),
            2 => self.lent(),
            3 => self.counted(),
            _ => self.grouped(),
        }
    }

    /// Threads that access groups of places under a protocol.
    fn grouped(&mut self) -> Program {
        let group = self.random.pick(GROUPS);
        let count = *self.random.pick(&[1, 2, 2, 2, 2, 2, 3]);
        let protocol = self.protocol(group);
        let mut threads: Vec<Vec<Statement>> = Vec::new();
        for number in 0..count {
            let statements = 1 + self.random.below(2);
            let mut body = self.noise(number);
            body.extend(self.part(group, protocol, number, statements));
            threads.push(body);
        }
        if self.random.chance(50) {
            let number = self.random.below(count);
            let wrong = self.mistake(protocol);
            let made = self.part(group, wrong, number, 1);
            let at = self.random.below(threads[number].len() + 1);
            if self.random.chance(50) {
                threads[number] = made;
            } else {
                threads[number].splice(at..at, made);
            }
        }
        let mut early = Vec::new();
        if count == 1 || self.random.chance(20) {
            let own = if count == 3 && protocol == Apart {
                Lock
            } else {
                protocol
            };
            early = self.part(group, own, 2, 1);
        }
        self.assembled(group.globals, group.first, threads, early)
    }

    fn protocol(&mut self, group: &Group) -> Protocol {
        loop {
            let protocol = match self.random.below(14) {
                0..4 => Lock,
                4 | 5 => Section,
                6 if self.random.chance(50) => Conditional("on"),
                6 => Conditional("maybe"),
                7 => Try,
                8 => Writing,
                9 => Spin,
                10 => Semaphore,
                11 => Atomic,
                _ => Apart,
            };
            match protocol {
                Atomic if group.atomic.is_empty() => {}
                Apart if group.apart.is_empty() => {}
                protocol => return protocol,
            }
        }
    }

    /// Another protocol than the others follow.
    fn mistake(&mut self, protocol: Protocol) -> Protocol {
        match self.random.below(10) {
            0..4 => Bare,
            4 => Other,
            5 => Conditional("off"),
            6 => Section,
            7 if protocol == Writing => Reading,
            7 => Lock,
            8 => Conditional("maybe"),
            _ if protocol == Atomic => Lock,
            _ => Reading,
        }
    }

    /// Accesses of a thread under a protocol.
    fn part(
        &mut self,
        group: &Group,
        protocol: Protocol,
        number: usize,
        count: usize,
    ) -> Vec<Statement> {
        let from: &[&str] = match protocol {
            Atomic => group.atomic,
            Apart => group.apart[number % group.apart.len()],
            _ => group.plain,
        };
        let chosen: Vec<&str> = (0..count).map(|_| *self.random.pick(from)).collect();
        if protocol == Section || self.random.chance(50) {
            return self.protected(protocol, lines(&chosen));
        }
        let each = chosen.iter();
        each.flat_map(|text| self.protected(protocol, vec![line(*text)]))
            .collect()
    }

    fn protected(&mut self, protocol: Protocol, body: Vec<Statement>) -> Vec<Statement> {
        let around = |open: &str, close: &str| vec![guard(open, body.clone(), close)];
        match protocol {
            Lock => around("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
            Other => around("pthread_mutex_lock(&m2);", "pthread_mutex_unlock(&m2);"),
            Section => around("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            Conditional(when) => around(
                &format!("if ({when}) pthread_mutex_lock(&m);"),
                &format!("if ({when}) pthread_mutex_unlock(&m);"),
            ),
            Try => vec![block(
                "if (!pthread_mutex_trylock(&m))",
                [body, vec![line("pthread_mutex_unlock(&m);")]].concat(),
            )],
            Reading => around("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
            Writing => around("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
            Spin => around(
                "while (__atomic_exchange_n(&spin, 1, __ATOMIC_ACQUIRE)) ;",
                "__atomic_store_n(&spin, 0, __ATOMIC_RELEASE);",
            ),
            Semaphore => around("sem_wait(&sem);", "sem_post(&sem);"),
            Atomic | Apart | Bare => body,
        }
    }

    /// Statements that nobody else has to do with.
    fn noise(&mut self, number: usize) -> Vec<Statement> {
        if !self.random.chance(30) {
            return vec![];
        }
        vec![line(match self.random.below(4) {
            0 => format!("mine[{number}]++;"),
            1 => "{ int *q = &t; *q = 1; }".to_string(),
            2 => "t = on;".to_string(),
            _ => "{ int *own = malloc(sizeof *own); *own = t; free(own); }".to_string(),
        })]
    }

    /// A message: data, and a flag that says it is there.
    fn message(&mut self) -> Program {
        let is_right = self.random.chance(50);
        let publish = if is_right || self.random.chance(50) {
            "__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);"
        } else {
            "ready = 1;"
        };
        let seen = if is_right || self.random.chance(60) {
            "if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))"
        } else {
            *self
                .random
                .pick(&["if (ready)", "if (!__atomic_load_n(&ready, 5))"])
        };
        let data = *self
            .random
            .pick(&["data = 1;", "data++;", "box = &data; data = 2;"]);
        let mut sender = vec![line(data), line(publish)];
        if !is_right && self.random.chance(40) {
            sender.swap(0, 1);
        }
        let receive = *self
            .random
            .pick(&["t = data;", "data = 3;", "if (box) t = *box;"]);
        let receiver = vec![block(seen, vec![line(receive)])];
        self.assembled(
            "int data, ready, *box;",
            "t = 0;",
            vec![sender, receiver],
            vec![],
        )
    }

    /// Threads that are created when others were joined, or are not.
    fn chain(&mut self) -> Program {
        let group = self.random.pick(GROUPS);
        let threads: Vec<Vec<Statement>> = (0..2).map(|n| self.part(group, Bare, n, 1)).collect();
        let mut program = self.assembled(group.globals, group.first, threads, vec![]);
        let Some(main) = program.functions.last_mut() else {
            return program;
        };
        let create = |text: &Statement| matches!(text, Statement::Line(t) if t.contains("worker1"));
        let join =
            |text: &Statement| matches!(text, Statement::Line(t) if t.contains("join(id[0]"));
        if let (Some(at), Some(from)) = (
            main.body.iter().position(create),
            main.body.iter().position(join),
        ) && self.random.chance(65)
        {
            let joined = main.body.remove(from);
            main.body.insert(at, joined);
        }
        program
    }

    /// What is on the stack of one thread is lent to another.
    fn lent(&mut self) -> Program {
        let access = |writer: &mut Writer| {
            *writer
                .random
                .pick(&["*(int *)arg = 1;", "t = *(int *)arg;", "++*(int *)arg;"])
        };
        let threads: Vec<Vec<Statement>> = (0..2).map(|_| vec![line(access(self))]).collect();
        let places = if self.random.chance(60) {
            ["&own[0]", "&own[1]"]
        } else {
            ["&own[0]", "own"]
        };
        let early = if self.random.chance(25) {
            lines(&["t = own[1];"])
        } else {
            vec![]
        };
        let mut program = self.assembled("", "own[0] = own[1] = 0;", threads, early);
        for statement in program.functions.iter_mut().flat_map(|f| f.body.iter_mut()) {
            if let Statement::Line(text) = statement {
                *text = text
                    .replace("(void *)0l", places[0])
                    .replace("(void *)1l", places[1]);
            }
        }
        program
    }

    /// The last of those who use a block frees it.
    fn counted(&mut self) -> Program {
        let drop = "if (__atomic_sub_fetch(&users, 1, __ATOMIC_ACQ_REL) == 0) free(p);";
        let threads: Vec<Vec<Statement>> = (0..2)
            .map(|_| {
                let access = if self.random.chance(75) {
                    "t = p[0];"
                } else {
                    "p[0] = 1;"
                };
                let mut body = vec![line(access), line(drop)];
                if self.random.chance(25) {
                    body.swap(0, 1);
                }
                body
            })
            .collect();
        let first = "p = malloc(2 * sizeof *p); p[0] = 1; p[1] = 0;";
        self.assembled("int users = 2, *p;", first, threads, vec![])
    }

    /// The program of threads' statements, and of main's before and while they run.
    fn assembled(
        &mut self,
        declared: &str,
        first: &str,
        threads: Vec<Vec<Statement>>,
        early: Vec<Statement>,
    ) -> Program {
        let count = threads.len();
        let locals = line("int t = 0, i = __VERIFIER_nondet_uchar() & 1;");
        let mut functions = workers(threads, &locals, "0");
        let mut body = vec![locals, line("int own[2]; sem_init(&sem, 0, 1);")];
        body.push(line("maybe = __VERIFIER_nondet_bool();"));
        body.push(line(first));
        body.extend((0..count).map(|i| {
            line(format!(
                "pthread_create(&id[{i}], 0, worker{i}, (void *){i}l);"
            ))
        }));
        body.extend(early);
        let joined = if self.random.chance(85) {
            count
        } else {
            self.random.below(count + 1)
        };
        body.extend(joins(joined));
        if joined == count && declared.contains(" x") && self.random.chance(50) {
            body.push(line("t = x;"));
        }
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        let mut globals: Vec<String> = GLOBALS.map(String::from).to_vec();
        globals.push(format!("pthread_t id[{count}];"));
        globals.push(declared.to_string());
        Program {
            prelude: PRELUDE.to_string(),
            globals,
            functions,
        }
    }
}
