//! Random programs whose threads may block for ever: locks of all kinds in one order or several, conditions with and without a predicate,
//! barriers, semaphores, futexes, what runs once, joins, flags that somebody waits for, nodes of a heap, and ends of the process while others are blocked.
//! About half of them have a deadlock.

mod node;
mod object;
mod thread;

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
    /// Statements of main when it has joined all threads.
    last: Vec<Statement>,
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
        self.last.extend(others.last);
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
        if !parts.joined && self.random.chance(20) {
            parts.last.extend(self.last());
        }
        self.disturb(&mut parts);
        self.assembled(parts)
    }

    fn parts(&mut self) -> Parts {
        match self.random.below(32) {
            0..6 => self.nested(),
            6..10 => self.conditions(),
            10 | 11 => self.meeting(),
            12 | 13 => self.semaphores(),
            14 => self.once(),
            15 | 16 => self.joining(),
            17..23 => self.spinning(),
            23..29 => self.nodes(),
            29 | 30 => self.futexes(),
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

    /// What main does behind its joins.
    fn last(&mut self) -> Vec<Statement> {
        let steps = [
            "while (!x) ;",
            "while (x) { t = x; x = 0; }",
            "x++;",
            "pthread_mutex_lock(&a);",
            "pthread_mutex_lock(&a); pthread_mutex_unlock(&a);",
            "if (pthread_mutex_trylock(&a)) sem_wait(&filled);",
            "while (pthread_mutex_trylock(&a)) ;",
            "sem_wait(&one);",
        ];
        let count = 1 + self.random.below(2);
        (0..count)
            .map(|_| line(*self.random.pick(&steps)))
            .collect()
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
            _ => joins(count).chain(parts.last).collect(),
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
