//! Idioms of loops that wait for another thread, and of what they do meanwhile.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, block, line};

impl Writer {
    /// A thread counts how often it waits, in memory of several kinds.
    pub(super) fn counted_waiting(&mut self, workers: usize) -> Parts {
        self.add_global("int go, tries;");
        let (declare, count) = *self.random.pick(&[
            ("", "tries++;"),
            ("int tries = 0;", "tries++;"),
            ("int tries = 0; int *q = &tries;", "*q = *q + 1;"),
            ("int tries = 0; int *q = &tries; *q = 0;", "q[0]++;"),
            ("", "if (!go) tries++;"),
            ("int tries = 0;", ";"),
        ]);
        let most = self.random.between(0, 4);
        let test = *self
            .random
            .pick(&["go", "go == 1", "__atomic_load_n(&go, 5)"]);
        let mut wait = vec![
            line(declare),
            block(format!("while (!({test}))"), vec![line(count)]),
            line(format!("assert(tries <= {most});")),
        ];
        if self.random.chance(30) {
            wait.push(line("assert(go);"));
        }
        if self.random.chance(30) {
            wait[1] = block(
                "do",
                vec![
                    line(count),
                    line(format!("if ({test}) break;")),
                    line("} while (1); {"),
                ],
            );
        }
        let how = self.protections(workers.max(2));
        let release = match self.random.below(3) {
            0 => vec![line("go = 1;")],
            1 => vec![line("go = 2;"), line("go = 1;")],
            _ => vec![self.protect(how[0], vec![line("go = 1;")])],
        };
        let mut bodies = vec![wait];
        if workers > 1 {
            bodies.push(release);
        } else {
            self.early = release;
        }
        bodies.extend((2..workers).map(|_| vec![line("t = go;")]));
        let last = match declare {
            "" => vec![line(format!("assert(tries <= {most});"))],
            _ => vec![],
        };
        (bodies, last)
    }

    /// Threads take a lock of their own making, which may count who waits.
    pub(super) fn own_lock(&mut self, workers: usize) -> Parts {
        self.add_global("_Atomic int taken; int n, waits;");
        let acquire = match self.random.below(6) {
            0 => vec![line("while (atomic_exchange(&taken, 1)) ;")],
            1 => vec![
                line("int vacant = 0;"),
                line("while (!atomic_compare_exchange_strong(&taken, &vacant, 1)) vacant = 0;"),
            ],
            2 => vec![block(
                "while (atomic_exchange(&taken, 1))",
                vec![line("waits = 1;")],
            )],
            3 => vec![block(
                "for (;;)",
                vec![line(
                    "if (taken == 0 && !atomic_exchange(&taken, 1)) break;",
                )],
            )],
            4 => vec![line("while (taken) ;"), line("taken = 1;")],
            _ => vec![
                line("int spins = 0;"),
                block("while (atomic_exchange(&taken, 1))", vec![line("spins++;")]),
                line("if (spins > 1) waits = 1;"),
            ],
        };
        let bodies = (0..workers)
            .map(|_| {
                let mut body = acquire.clone();
                body.extend([line("t = n;"), line("n = t + 1;"), line("taken = 0;")]);
                body
            })
            .collect();
        let last = match self.random.below(3) {
            0 => "assert(waits == 0);".to_string(),
            _ => format!("assert(n == {workers});"),
        };
        (bodies, vec![line(last)])
    }

    /// A function that waits or gives up, and says which.
    pub(super) fn attempts(&mut self, workers: usize) -> Parts {
        self.add_global("int go, done;");
        let times = self.random.between(1, 2);
        let body = vec![
            block(
                format!("for (int i = 0; i < {times}; i++)"),
                vec![line("if (go) return i + 1;")],
            ),
            line("return x;"),
        ];
        let head = "int attempt(int x)".into();
        self.helpers.push(Function { head, body });
        let how = self.protections(workers.max(2));
        let check = *self.random.pick(&[
            "assert(t != 0 || done <= 1);",
            "if (t) assert(go);",
            "assert(t <= 1);",
            "assert(t == 0 || go == 1);",
        ]);
        let wait: Vec<Statement> =
            vec![line("t = attempt(0);"), line(check), line("if (t) done++;")];
        let mut bodies: Vec<Vec<Statement>> =
            vec![vec![self.protect(how[0], vec![line("go = 1;")])]];
        bodies.extend((1..workers).map(|i| {
            if i == 1 {
                wait.clone()
            } else {
                vec![self.protect(how[1], vec![line("go = 2;")])]
            }
        }));
        let last = if workers > 1 {
            vec![line("assert(done <= 1);")]
        } else {
            wait
        };
        (bodies, last)
    }
}
