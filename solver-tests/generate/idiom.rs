//! Idioms that programs are built around: a few threads and an assertion that depends on their protection.

use super::{Protection, Writer};
use crate::program::{Statement, block, guard, line};

/// The threads' statements, and main's after it has joined them.
pub(super) type Parts = (Vec<Vec<Statement>>, Vec<Statement>);

impl Writer {
    /// A protection, and what a careless author does instead in some thread.
    pub(super) fn protections(&mut self, count: usize) -> Vec<Protection> {
        let kinds = [
            Protection::Lock,
            Protection::Lock,
            Protection::Section,
            Protection::Spin,
        ];
        let kind = *self.random.pick(&kinds);
        if kind == Protection::Spin {
            self.globals.push("int spin;".into());
        }
        let mut all = vec![kind; count];
        if self.random.chance(36) {
            let which = self.random.below(count);
            all[which] = Protection::None;
        }
        all
    }

    /// The threads' parts of an idiom, and what main does after them.
    pub(super) fn idiom(&mut self, workers: usize) -> Parts {
        match self.random.below(106) {
            0 | 1 => self.counter(workers),
            2 => self.exclusion(workers),
            3 | 4 => self.invariant(workers),
            5 => self.message(workers),
            6 => self.dekker(workers),
            7 => self.atomic_counter(workers),
            8 | 54 => self.claim(workers),
            9 => self.cells(workers),
            10 => self.condition_variable(workers),
            11 => self.semaphore(workers),
            12 => self.chosen_join(workers),
            13 => self.results(workers),
            14 => self.publication(workers),
            15 | 16 => self.torn_section(workers),
            17 => self.local_of_main(workers),
            18 => self.thread_local(workers),
            19 => self.c11_lock(workers),
            20 => self.copies(workers),
            21 => self.calls(workers),
            22 => self.late_creation(workers),
            23 => self.nested_creation(workers),
            24 | 52 | 53 => self.given(workers),
            25 | 26 => self.moved_pointer(workers),
            27 => self.cursor(workers),
            28 => self.one_of_two(workers),
            29 => self.shared_function(workers),
            30 => self.two_ways(workers),
            31 => self.identities(workers),
            32 => self.edge(workers),
            33 => self.slot(workers),
            34 | 35 => self.boxed(workers),
            36 => self.stack(workers),
            37 => self.growing_list(workers),
            38 => self.own_objects(workers),
            39 => self.unfilled(workers),
            40 => self.nested_records(workers),
            41 => self.container(workers),
            42 | 43 => self.punned(workers),
            44 | 45 => self.bytes_of_words(workers),
            46 => self.raw_copies(workers),
            47 => self.linked_records(workers),
            48 | 49 => self.counted_waiting(workers),
            50 => self.own_lock(workers),
            51 => self.attempts(workers),
            55..=62 => self.graph_walk(workers),
            63..=66 => self.table(workers),
            67 | 68 => self.own_array(workers),
            69 | 70 => self.unknown_elements(workers),
            71 => self.edge(workers),
            72 | 73 => self.grown_array(workers),
            74 => self.wide_copies(workers),
            76..=97 => self.posix(workers),
            98 | 99 => self.widths(workers),
            100 | 101 => self.atomic_record(workers),
            102..=105 => self.numbers(workers),
            _ => self.free(workers),
        }
    }

    fn counter(&mut self, workers: usize) -> Parts {
        let ty = *self
            .random
            .pick(&["int", "unsigned char", "short", "unsigned"]);
        self.add_global(&format!("{ty} n;"));
        let step = self.random.between(1, 2);
        let times = if workers < 3 && self.random.chance(25) {
            2
        } else {
            1
        };
        let protections = self.protections(workers);
        let bodies = protections
            .into_iter()
            .map(|how| {
                let add = match self.random.below(3) {
                    0 => vec![line(format!("n += {step};"))],
                    1 => vec![line("t = n;"), line(format!("n = t + {step};"))],
                    _ => vec![line(format!("n = n + {step};"))],
                };
                let add = self.protect(how, add);
                match times {
                    1 => vec![add],
                    _ => vec![block(
                        format!("for (int i = 0; i < {times}; i++)"),
                        vec![add],
                    )],
                }
            })
            .collect();
        let total = step * times * workers as i64;
        let relation = if self.random.chance(90) { "==" } else { "<" };
        (bodies, vec![line(format!("assert(n {relation} {total});"))])
    }

    fn exclusion(&mut self, workers: usize) -> Parts {
        self.add_global("int inside;");
        let mut protections = self.protections(workers);
        if self.random.chance(20) {
            protections.fill(Protection::TryLock);
        }
        let bodies = protections
            .into_iter()
            .map(|how| {
                let work = match self.random.below(2) {
                    0 => vec![
                        line("assert(inside == 0);"),
                        line("inside = 1;"),
                        line("inside = 0;"),
                    ],
                    _ => vec![
                        line("inside = 1;"),
                        block("if (inside != 1)", vec![line("reach_error();")]),
                        line("inside = 0;"),
                    ],
                };
                // Two threads that only ever write 1 and 0 notice each other by the 0.
                vec![self.protect(how, work)]
            })
            .collect();
        (bodies, vec![])
    }

    fn invariant(&mut self, workers: usize) -> Parts {
        let declaration = if self.random.chance(50) {
            "int u, v;"
        } else {
            "unsigned char u, v;"
        };
        self.add_global(declaration);
        let protections = self.protections(workers.max(2));
        let bodies = (0..workers)
            .map(|i| {
                let work = if i % 2 == 0 {
                    vec![line("u++;"), line("v++;")]
                } else {
                    vec![line("t = u;"), line("assert(t == v);")]
                };
                vec![self.protect(protections[i], work)]
            })
            .collect();
        let last = self.protect(protections[1], vec![line("assert(u == v);")]);
        (bodies, vec![last])
    }

    fn message(&mut self, workers: usize) -> Parts {
        self.add_global("int data, flag;");
        let value = self.random.between(1, 3);
        let fence = || guard("__atomic_thread_fence(__ATOMIC_SEQ_CST);", vec![], "");
        let mut send = vec![line(format!("data = {value};")), fence(), line("flag = 1;")];
        if self.random.chance(25) {
            send.swap(0, 2);
        }
        let wait = match self.random.below(3) {
            0 => line("while (!flag) ;"),
            1 => line("__VERIFIER_assume(flag);"),
            _ => block("while (flag == 0)", vec![]),
        };
        let check = if self.random.chance(30) {
            vec![block(
                "if (flag)",
                vec![line(format!("assert(data == {value});"))],
            )]
        } else {
            vec![wait, line(format!("assert(data == {value});"))]
        };
        let mut bodies = vec![send];
        for i in 1..workers {
            bodies.push(if i == 1 {
                check.clone()
            } else {
                vec![line("t = data;")]
            });
        }
        (bodies, if workers == 1 { check } else { vec![] })
    }

    fn dekker(&mut self, workers: usize) -> Parts {
        self.add_global("int x, y, r0, r1;");
        let fence = |on: bool| {
            if on {
                vec![guard(
                    "atomic_thread_fence(memory_order_seq_cst);",
                    vec![],
                    "",
                )]
            } else {
                vec![]
            }
        };
        let mut bodies = Vec::new();
        for (mine, other, result) in [("x", "y", "r0"), ("y", "x", "r1")]
            .into_iter()
            .take(workers)
        {
            let mut body = vec![line(format!("{mine} = 1;"))];
            body.extend(fence(self.random.chance(60)));
            body.push(line(format!("{result} = {other};")));
            if self.random.chance(20) {
                body.rotate_left(1);
            }
            bodies.push(body);
        }
        bodies.resize(workers, vec![line("t = r0;")]);
        let wanted = if self.random.chance(85) {
            "r0 + r1 > 0"
        } else {
            "r0 + r1 < 2"
        };
        let last = if workers == 1 {
            vec![]
        } else {
            vec![line(format!("assert({wanted});"))]
        };
        (bodies, last)
    }

    fn atomic_counter(&mut self, workers: usize) -> Parts {
        let declaration = if self.random.chance(50) {
            "_Atomic int k;"
        } else {
            "int k;"
        };
        self.add_global(declaration);
        let atomic = self
            .globals
            .last()
            .is_some_and(|global| global.starts_with("_Atomic"));
        let bodies = (0..workers)
            .map(|_| {
                let text = if atomic {
                    *self.random.pick(&[
                        "k++;",
                        "k += 1;",
                        "atomic_fetch_add(&k, 1);",
                        "k = k + 1;",
                        "t = atomic_load(&k); while (!atomic_compare_exchange_strong(&k, &t, t + 1)) ;",
                    ])
                } else {
                    *self.random.pick(&[
                        "__sync_fetch_and_add(&k, 1);",
                        "__atomic_add_fetch(&k, 1, __ATOMIC_SEQ_CST);",
                        "__atomic_store_n(&k, __atomic_load_n(&k, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);",
                        "t = __atomic_load_n(&k, 5); while (!__sync_bool_compare_and_swap(&k, t, t + 1)) t = k;",
                    ])
                };
                vec![line(text)]
            })
            .collect();
        (bodies, vec![line(format!("assert(k == {workers});"))])
    }

    /// Each thread claims something once; exactly one may win.
    fn claim(&mut self, workers: usize) -> Parts {
        self.add_global("int owner, winners;");
        let protections = self.protections(workers);
        let exchange = self.random.chance(50);
        let own = "(int)(long)arg + 1";
        let claim = match self.random.below(3) {
            0 => vec![block(
                "if (!__sync_lock_test_and_set(&owner, 1))",
                vec![line("winners++;")],
            )],
            1 => vec![block(
                format!("if (__sync_bool_compare_and_swap(&owner, 0, {own}))"),
                vec![line("winners++;"), line(format!("assert(owner == {own});"))],
            )],
            _ => vec![
                block(
                    format!("if (__sync_val_compare_and_swap(&owner, 0, {own}) == 0)"),
                    vec![line("winners++;")],
                ),
                line(format!("if (owner == {own}) t = ++winners;")),
                line("assert(t != 1);"),
            ],
        };
        let bodies = protections
            .into_iter()
            .map(|how| {
                if exchange && how != Protection::None {
                    claim.clone()
                } else {
                    let work = vec![block(
                        "if (owner == 0)",
                        vec![line("owner = 1;"), line("winners++;")],
                    )];
                    vec![self.protect(how, work)]
                }
            })
            .collect();
        (
            bodies,
            vec![line("assert(winners == 1 || winners == 2 && owner > 1);")],
        )
    }

    /// Threads use cells of an array that only their argument or an input tells apart.
    fn cells(&mut self, workers: usize) -> Parts {
        self.add_global("unsigned char cell[4];");
        let clash = self.random.chance(35);
        let body = if clash {
            vec![
                line("t = __VERIFIER_nondet_int();"),
                line("__VERIFIER_assume(t >= 0 && t < 3);"),
                line("cell[t]++;"),
            ]
        } else {
            vec![
                line("t = (int)(long)arg;"),
                line("cell[t]++;"),
                line("cell[t] += 1;"),
            ]
        };
        let total = if clash { workers } else { 2 * workers };
        let sum = "cell[0] + cell[1] + cell[2] + cell[3]";
        (
            vec![body; workers],
            vec![line(format!("assert({sum} == {total});"))],
        )
    }

    /// Nothing but random statements and a random assertion.
    fn free(&mut self, workers: usize) -> Parts {
        self.budget += 3;
        let place = self.random.pick(&self.scalars.clone()).clone();
        let value = self.random.between(0, 3);
        let relation = *self.random.pick(&["!=", "<=", ">=", "!="]);
        (
            vec![vec![]; workers],
            vec![line(format!("assert({place} {relation} {value});"))],
        )
    }
}
