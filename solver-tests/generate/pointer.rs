//! Idioms of pointers: in shared memory, to functions, to one of several objects, within arrays.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, block, guard, line};

impl Writer {
    /// A pointer is moved to another variable, which is filled before or after.
    pub(super) fn moved_pointer(&mut self, workers: usize) -> Parts {
        self.add_global("int x = 1, y; int *to = &x; int **way = &to;");
        let value = self.random.between(1, 2);
        let place = *self.random.pick(&["to", "*way"]);
        let how = self.protections(workers.max(2));
        let mut send = vec![
            line(format!("y = {value};")),
            line(format!("{place} = &y;")),
        ];
        let safe = self.random.chance(70);
        if !safe {
            send.swap(0, 1);
        }
        let look = match self.random.below(4) {
            0 => vec![line("assert(*to > 0);")],
            1 => vec![
                line("int *q = *way;"),
                line(format!("if (q == &y) assert(*q == {value});")),
            ],
            2 => vec![line("*to += 1;"), line("assert(x > 1 || y > 1);")],
            _ => vec![line("t = **way;"), line("assert(t != 0);")],
        };
        let bodies = (0..workers)
            .map(|i| {
                let work = if i == 0 { send.clone() } else { look.clone() };
                if safe && self.random.chance(60) {
                    work
                } else {
                    vec![self.protect(how[i], work)]
                }
            })
            .collect();
        (bodies, vec![line(format!("assert(y >= {value});"))])
    }

    /// Threads append to an array through a pointer that all of them move.
    pub(super) fn cursor(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&["int", "unsigned char", "short"]);
        let length = workers + usize::from(self.random.chance(60));
        self.add_global(&format!("{ty} buffer[{length}]; {ty} *next = buffer;"));
        let append = *self.random.pick(&[
            "*next = 1; next++;",
            "*next++ = 1;",
            "next[0] = 1; next = &next[1];",
            "*(buffer + (next - buffer)) = 1; next += 1;",
        ]);
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let mut work = Vec::new();
                if self.random.chance(30) {
                    work.push(line(format!("if (next < buffer + {workers}) t = 1;")));
                }
                work.push(line(append));
                vec![self.protect(how, work)]
            })
            .collect();
        let last = match self.random.below(3) {
            0 => format!("assert(next - buffer == {workers});"),
            1 => format!("assert(next >= &buffer[{workers}]);"),
            _ => format!("assert(buffer[{}] == 1);", workers - 1),
        };
        (bodies, vec![line(last)])
    }

    /// A store goes to one of two variables; the other keeps its value.
    pub(super) fn one_of_two(&mut self, workers: usize) -> Parts {
        self.add_global("int x = 1, y = 2;");
        let both = *self.random.pick(&["&x : &y", "&u : &v", "&x : &u"]);
        let choice = *self
            .random
            .pick(&["__VERIFIER_nondet_bool()", "arg", "x == 1", "y > 2"]);
        let how = self.protections(workers);
        let body = |how| {
            vec![
                line("int u = 1, v = 2;"),
                line(format!("int *q = {choice} ? {both};")),
                how,
                line("assert(u + v >= 3 && u + v <= 4);"),
            ]
        };
        let bodies = how
            .into_iter()
            .map(|how| {
                let work = vec![line("t = *q;"), line("*q = t + 1;")];
                let work = self.protect(how, work);
                body(work)
            })
            .collect();
        let wanted = match both {
            "&x : &y" => format!("x + y == {}", 3 + workers),
            "&x : &u" => format!("x + y <= {}", 2 + workers),
            _ => "x + y == 3".to_string(),
        };
        (bodies, vec![line(format!("assert({wanted});"))])
    }

    /// A function is chosen by one thread and called by another.
    pub(super) fn shared_function(&mut self, workers: usize) -> Parts {
        self.add_global("int n;");
        self.add_global("int up(int x); int down(int x);");
        self.add_global("int up(int x) { n = n + x; return 1; }");
        self.add_global("int down(int x) { n = n - x; return 2; }");
        let initial = *self.random.pick(&["up", "up", "0"]);
        self.add_global(&format!("int (*operation)(int) = {initial};"));
        let how = self.protections(workers.max(2));
        let call = match self.random.below(3) {
            0 => vec![line("operation(1);")],
            1 => vec![line("int (*f)(int) = operation;"), line("if (f) t = f(1);")],
            _ => vec![
                line("t = (*operation)(1);"),
                line("assert(t == 1 || n <= 0);"),
            ],
        };
        let choose = *self
            .random
            .pick(&["operation = down;", "operation = down; operation = up;"]);
        let bodies = (0..workers)
            .map(|i| {
                let work = if i == 0 {
                    vec![line(choose)]
                } else {
                    call.clone()
                };
                vec![self.protect(how[i], work)]
            })
            .collect();
        let last = self
            .random
            .pick(&["n >= 0", "n <= 1", "n != 2"])
            .to_string();
        (bodies, vec![line(format!("assert({last});"))])
    }

    /// Main creates a thread on either of two paths, with different memory.
    pub(super) fn two_ways(&mut self, workers: usize) -> Parts {
        self.add_global("int stage, way; pthread_t extra;");
        let check = *self
            .random
            .pick(&["stage == way", "stage != 1", "way != 2"]);
        let head = "void *nested(void *arg)".into();
        let body = vec![line(format!("assert({check});")), line("return 0;")];
        self.helpers.push(Function { head, body });
        let create = "pthread_create(&extra, 0, nested, 0);";
        self.initial.push(format!(
            "if (__VERIFIER_nondet_bool()) {{ stage = 1; way = 1; {create} }} else {{ stage = 2; way = 2; {create} }}"
        ));
        let mut bodies = vec![vec![line("t = way;")]; workers];
        if self.random.chance(50) {
            bodies[0] = vec![line("stage++;")];
        }
        (bodies, vec![line("assert(stage == way);")])
    }

    /// Threads leave who they are.
    pub(super) fn identities(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_t who[4];");
        let index = if self.random.chance(75) {
            "(long)arg"
        } else {
            "0"
        };
        let body = vec![line(format!("who[{index}] = pthread_self();"))];
        let last = (0..workers)
            .map(|i| line(format!("assert(pthread_equal(who[{i}], id[{i}]));")))
            .collect();
        (vec![body; workers], last)
    }

    /// An index that may be one too large, into an array in shared memory.
    pub(super) fn edge(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&["int", "short", "unsigned char"]);
        let index = *self.random.pick(&["int", "unsigned", "unsigned long"]);
        self.add_global(&format!("{ty} row[2]; {index} at;"));
        let relation = *self.random.pick(&["<", "<="]);
        let how = self.protections(workers.max(2));
        let bodies = (0..workers)
            .map(|i| {
                let work = if i == 0 {
                    vec![line("at = at + 1;"), line("at = at + 1;")]
                } else {
                    vec![block(
                        format!("if (at {relation} 2)"),
                        vec![line("row[at] = 1;"), line("t = row[at];")],
                    )]
                };
                vec![self.protect(how[i], work)]
            })
            .collect();
        let last = self
            .random
            .pick(&["row[1] == 0", "row[0] + row[1] <= 1"])
            .to_string();
        (bodies, vec![line(format!("assert({last});"))])
    }

    /// Room for one: producers and consumers wait for each other.
    pub(super) fn slot(&mut self, workers: usize) -> Parts {
        self.add_global("pthread_cond_t changed = PTHREAD_COND_INITIALIZER;");
        self.add_global("int full, item, taken;");
        let lock = self.lock_name();
        let test = if self.random.chance(70) {
            "while"
        } else {
            "if"
        };
        let wake = *self.random.pick(&[
            "pthread_cond_signal(&changed);",
            "pthread_cond_broadcast(&changed);",
        ]);
        let wait = |cond: &str| {
            line(format!(
                "{test} ({cond}) pthread_cond_wait(&changed, {lock});"
            ))
        };
        let put = vec![
            wait("full"),
            line("assert(!full);"),
            line("item = item + 1;"),
            line("full = 1;"),
            line(wake),
        ];
        let take = vec![
            wait("!full"),
            line("assert(full);"),
            line("taken = item;"),
            line("full = 0;"),
            line(wake),
        ];
        let critical = |body: Vec<Statement>| {
            guard(
                format!("pthread_mutex_lock({lock});"),
                body,
                format!("pthread_mutex_unlock({lock});"),
            )
        };
        let bodies = (0..workers)
            .map(|i| {
                vec![critical(if i % 2 == 0 {
                    put.clone()
                } else {
                    take.clone()
                })]
            })
            .collect();
        (bodies, vec![line("assert(taken <= item);")])
    }
}
