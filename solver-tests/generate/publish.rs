//! Random programs that prepare objects and publish them: a node with a part of its own, filled with what was read or is constant, shown to
//! others at once, on a condition, by a compare-exchange or in one of two places, changed before and behind that, and given back by
//! threads or by main when it has joined them. Every second program is about a linked structure (`publish/structure.rs`).

mod structure;

use super::{PRELUDE, creations, joins, locked, workers};
use crate::program::{Function, Program, Statement, block, line};
use crate::random::Random;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    if seed % 2 == 1 {
        return structure::generate(seed);
    }
    let mut writer = Writer {
        random: Random::new(seed ^ 0x7075_626c_0000),
        leaves_next: Random::new(seed ^ 0x6e65_7874_0000).chance(20),
        by_number: Random::new(seed ^ 0x726f_7700_0000).chance(25),
        counts: Random::new(seed ^ 0x636f_756e_7400).chance(40),
    };
    writer.program()
}

const GLOBALS: [&str; 5] = [
    "struct part { unsigned char v; };",
    "struct node { unsigned char k; struct part *p; struct node *next; } *shown, *also;",
    "unsigned char go, at;",
    "struct node *row[2];",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
];

struct Writer {
    random: Random,
    /// A new node's successor is what memory holds.
    leaves_next: bool,
    /// Nodes are shown in a row as well, at a number that threads choose.
    by_number: bool,
    /// Threads count that number up where they use it.
    counts: bool,
}

impl Writer {
    fn pick(&mut self, all: &[&str]) -> String {
        self.random.pick(all).to_string()
    }

    /// A value to store: constant, or read from memory that others change.
    fn value(&mut self) -> String {
        self.pick(&["1", "2", "go", "go + 1", "t"])
    }

    /// A step that changes the node or its part before others can see it, or asks them.
    fn touch(&mut self) -> Statement {
        let value = self.value();
        match self.random.below(7) {
            0 => line(format!("n->k = {value};")),
            1 => line(format!("n->p->v = {value};")),
            2 => block("if (go)", vec![line("n->k = 3;")]),
            3 => block("if (go)", vec![line(format!("q->v = {value};"))]),
            4 => line("n->p->v++;"),
            5 => line("n->next = shown;"),
            _ => line("t = n->k;"),
        }
    }

    /// Ways to show a node to others.
    fn publish(&mut self) -> Vec<Statement> {
        let given_back = vec![line("free(n->p);"), line("free(n);"), line("return 0;")];
        match self.random.below(9) {
            0 | 1 => vec![line("shown = n;")],
            2 => vec![block("if (go)", vec![line("shown = n;")])],
            3 => vec![
                block("if (go)", vec![line("shown = n;")]),
                block("if (!go)", vec![line("also = n;")]),
            ],
            4 => vec![line("__sync_bool_compare_and_swap(&shown, 0, n);")],
            5 => vec![block(
                "if (!__sync_bool_compare_and_swap(&shown, (struct node *)0, n))",
                given_back,
            )],
            6 => vec![
                line("n->next = shown;"),
                line("if (!__sync_bool_compare_and_swap(&shown, n->next, n)) also = n;"),
            ],
            7 => vec![locked(vec![line("also = shown;"), line("shown = n;")])],
            _ => vec![line("if (shown) shown->next = n; else shown = n;")],
        }
    }

    fn maker(&mut self) -> Vec<Statement> {
        let make = self.pick(&[
            "malloc(sizeof *n)",
            "malloc(sizeof *n)",
            "calloc(1, sizeof *n)",
        ]);
        let zeroed = make.starts_with("calloc");
        let mut body = vec![
            line(format!("n = {make};")),
            line(if zeroed {
                "q = calloc(1, sizeof *q);"
            } else {
                "q = malloc(sizeof *q);"
            }),
            line("n->p = q;"),
        ];
        for to in ["q->v", "n->k"] {
            let set = line(format!("{to} = {};", self.value()));
            let perhaps = zeroed && self.random.chance(40);
            let cond = self.pick(&["if (go)", "if (shown)", "if (also)"]);
            body.push(if perhaps {
                block(&cond, vec![set])
            } else {
                set
            });
        }
        if !self.leaves_next {
            body.push(line("n->next = 0;"));
        }
        let mut rest = Vec::new();
        for _ in 0..self.random.below(2) {
            rest.push(self.touch());
        }
        if self.by_number && self.random.chance(60) {
            rest.push(self.at_number("@ = n;"));
        }
        rest.extend(self.publish());
        if self.random.chance(50) {
            rest.push(self.touch());
        }
        let mut all = vec![line("struct node *n = 0;"), line("struct part *q = 0;")];
        if self.random.chance(20) {
            // It is made on one of two ways that meet.
            let cond = self.pick(&["if (go)", "if (!go)", "if (shown)", "if (t == go)"]);
            all.extend([block(&cond, body), block("if (n)", rest)]);
        } else {
            all.extend(body);
            all.extend(rest);
        }
        all
    }

    /// A statement about the entry of a row that a number says; beyond it, there is another one.
    fn at_number(&mut self, used: &str) -> Statement {
        let test = self.pick(&["i < 2", "i < 2", "i != 2 && i < 3", "i + 1 <= 2"]);
        let at = self.pick(&["i", "i", "1 - i"]);
        let used = used.replace("@", &format!("row[{at}]"));
        let number = match self.counts {
            true => "__sync_fetch_and_add(&at, 1)",
            false => "at",
        };
        block(
            "",
            vec![
                line(format!("unsigned char i = {number};")),
                line(format!("if ({test}) {used}")),
            ],
        )
    }

    fn looker(&mut self) -> Vec<Statement> {
        let from = self.pick(&["shown", "shown", "also", "shown ? shown->next : 0"]);
        if self.by_number && self.random.chance(60) {
            let value = self.random.between(0, 3);
            let used = self.pick(&[
                "if (@) assert(@->k != #);",
                "if (@ && @->p) assert(@->p->v != #);",
                "also = @;",
            ]);
            let used = used.replace('#', &value.to_string());
            return vec![self.at_number(&used)];
        }
        let value = self.random.between(0, 3);
        let used = match self.random.below(7) {
            0 | 1 => line(format!("assert(s->p->v != {value});")),
            2 => line(format!("assert(s->k != {value});")),
            3 => line("s->k++;"),
            4 => line("s->p->v = 0;"),
            5 => line("struct part *p = s->p; s->p = 0; free(p);"),
            _ => line("assert(s->k == s->p->v);"),
        };
        vec![
            line(format!("struct node *s = {from};")),
            block("if (s)", vec![used]),
        ]
    }

    /// What main says and does when it has joined the others.
    fn last(&mut self) -> Vec<Statement> {
        let value = self.random.between(0, 3);
        let claim = match self.random.below(6) {
            0 => format!("if (shown) assert(shown->k != {value});"),
            1 => format!("if (shown && shown->p) assert(shown->p->v <= {value});"),
            2 => "assert(!shown || shown != also);".into(),
            3 => format!("if (also) assert(also->k <= {value});"),
            4 => "if (shown) { shown->k = 1; assert(shown->k == 1); }".into(),
            _ => "if (shown && shown->next) assert(shown->next != shown);".into(),
        };
        let mut all = vec![line(claim)];
        if self.random.chance(50) {
            all.push(line("if (also && also != shown) free(also);"));
            all.push(line("if (shown) { free(shown->p); free(shown); }"));
            if self.random.chance(30) {
                all.push(line(
                    "struct node *n = malloc(sizeof *n); assert(n != shown);",
                ));
            }
        }
        all
    }

    fn program(&mut self) -> Program {
        let count = self.random.between(2, 3) as usize;
        let threads: Vec<Vec<Statement>> = (0..count)
            .map(|i| match (i, self.random.below(4)) {
                (0, _) | (_, 0) => self.maker(),
                (_, 1) if self.by_number => {
                    vec![
                        line("go = 1;"),
                        line(format!("at = {};", self.random.between(1, 3))),
                    ]
                }
                (_, 1) => vec![line("go = 1;")],
                _ => self.looker(),
            })
            .collect();
        let locals = line("int t = 0;");
        let mut functions = workers(threads, &locals, "0");
        let mut body = vec![locals, line(format!("pthread_t id[{count}];"))];
        if self.random.chance(15) {
            body.push(block("", self.maker()));
        }
        let late = self.random.chance(15);
        let between = late.then(|| line("if (shown) shown->k = 2;"));
        body.extend(creations(count, between));
        let joined = self.random.chance(85);
        if joined {
            body.extend(joins(count).skip(usize::from(late)));
        }
        body.extend(self.last());
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        Program {
            prelude: PRELUDE.into(),
            globals: GLOBALS.map(String::from).to_vec(),
            functions,
        }
    }
}
