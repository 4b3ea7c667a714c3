//! Random programs about linked structures of the heap that threads change by compare-exchange: a list whose last node gets a successor, a queue
//! whose tail is swung from a dummy node on (Michael and Scott 1996), a stack (Treiber 1986), an array of nodes whose
//! index others change, pointers into the middle of a node, pointers kept as numbers and with a tag. Nodes are made one by one or in a loop,
//! not always filled, and freed by a reader, by main when it has joined the others, or never.

use super::super::{PRELUDE, creations, joins, workers};
use crate::program::{Function, Program, Statement, block, line};
use crate::random::Random;

const NODE: &str = "struct node { unsigned char k; struct node *next; };";

/// Kinds of structures.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    List,
    Queue,
    Stack,
    Tagged,
    Word,
    Array,
    Interior,
}

const SHAPES: [Shape; 7] = [
    Shape::List,
    Shape::Queue,
    Shape::Stack,
    Shape::Tagged,
    Shape::Word,
    Shape::Array,
    Shape::Interior,
];

/// The program of a seed.
pub(super) fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x6c69_6e6b_0000);
    let shape = *random.pick(&SHAPES);
    Structure { random, shape }.program()
}

struct Structure {
    random: Random,
    shape: Shape,
}

impl Structure {
    fn pick(&mut self, all: &[&str]) -> String {
        self.random.pick(all).to_string()
    }

    fn globals(&self) -> Vec<String> {
        let own = match self.shape {
            Shape::List => "struct node *first;",
            Shape::Queue => "struct node *head, *tail;",
            Shape::Stack => "struct node *top;",
            Shape::Tagged | Shape::Word => "uintptr_t word;",
            Shape::Array => "struct node *all[2]; unsigned char at;",
            Shape::Interior => "unsigned char *inside; struct node **hook;",
        };
        [
            "#include <stdint.h>",
            "#include <stddef.h>",
            NODE,
            own,
            "unsigned char go;",
        ]
        .map(String::from)
        .to_vec()
    }

    /// What main does before it creates threads.
    fn prepare(&self) -> Vec<Statement> {
        match self.shape {
            Shape::List => vec![line("first = calloc(1, sizeof *first);")],
            Shape::Queue => vec![line("head = tail = calloc(1, sizeof *head);")],
            _ => vec![],
        }
    }

    /// A new node `n`, whose parts may be left as they are.
    fn make(&mut self) -> Vec<Statement> {
        let size = self.pick(&[
            "malloc(sizeof *n)",
            "malloc(sizeof *n)",
            "calloc(1, sizeof *n)",
        ]);
        let mut body = vec![line(format!("struct node *n = {size};"))];
        if self.random.chance(85) {
            let value = self.pick(&["1", "2", "go", "go + 1", "t"]);
            body.push(line(format!("n->k = {value};")));
        }
        if self.random.chance(75) {
            body.push(line("n->next = 0;"));
        }
        body
    }

    /// Ways to let others have the node `n`.
    fn insert(&mut self) -> Vec<Statement> {
        let otherwise = self.pick(&["free(n);", "free(n);", "go = 2;"]);
        match self.shape {
            Shape::List => match self.random.below(3) {
                0 => vec![block(
                    "if (!__sync_bool_compare_and_swap(&first->next, (struct node *)0, n))",
                    vec![line(otherwise)],
                )],
                1 => vec![block(
                    "if (!__sync_bool_compare_and_swap(&first->next, (struct node *)0, n))",
                    vec![line("first->next->next = n;")],
                )],
                _ => vec![
                    line("n->next = first->next;"),
                    block(
                        "if (!__sync_bool_compare_and_swap(&first->next, n->next, n))",
                        vec![line(otherwise)],
                    ),
                ],
            },
            Shape::Queue => vec![
                line("struct node *l = tail, *x = l->next;"),
                block(
                    "if (!x)",
                    vec![block(
                        "if (__sync_bool_compare_and_swap(&l->next, (struct node *)0, n))",
                        vec![line(self.pick(&[
                            "__sync_bool_compare_and_swap(&tail, l, n);",
                            "__sync_bool_compare_and_swap(&tail, l, n);",
                            "tail = n;",
                        ]))],
                    )],
                ),
                line("else __sync_bool_compare_and_swap(&tail, l, x);"),
            ],
            Shape::Stack => match self.random.below(3) {
                0 => vec![line(
                    "do n->next = top; while (!__sync_bool_compare_and_swap(&top, n->next, n));",
                )],
                1 => vec![line("n->next = top;"), line("top = n;")],
                _ => vec![
                    line("n->next = top;"),
                    block(
                        "if (!__sync_bool_compare_and_swap(&top, n->next, n))",
                        vec![line(otherwise)],
                    ),
                ],
            },
            Shape::Tagged => {
                let set = self.pick(&["| (old & 1)", "| 1", "| 0", "+ 1"]);
                // No address has the highest bit.
                let clear = self.pick(&["~(uintptr_t)1", "(UINTPTR_MAX / 2 - 1)"]);
                vec![
                    line("uintptr_t old = word;"),
                    line(format!("n->next = (struct node *)(old & {clear});")),
                    line(format!(
                        "__sync_bool_compare_and_swap(&word, old, (uintptr_t)n {set});"
                    )),
                ]
            }
            Shape::Word => vec![line(self.pick(&[
                "word = (uintptr_t)n;",
                "word = (uintptr_t)&n->k;",
                "if (!word) word = (uintptr_t)(void *)n;",
                "word = (uintptr_t)n + go * 0;",
            ]))],
            Shape::Array => vec![line(self.pick(&[
                "all[at] = n; at ^= 1;",
                "all[at & 1] = n;",
                "all[go & 1] = n;",
                "all[__VERIFIER_nondet_uchar() & 1] = n;",
                "n->next = all[0]; all[1 - at] = n; at = 1;",
            ]))],
            Shape::Interior => vec![line(self.pick(&[
                "inside = &n->k;",
                "hook = &n->next; inside = &n->k;",
                "if (hook) *hook = n; hook = &n->next;",
                "struct node **old = hook; if (!old) hook = &n->next; else *old = n;",
            ]))],
        }
    }

    fn maker(&mut self) -> Vec<Statement> {
        let mut body = self.make();
        body.extend(self.insert());
        if self.random.chance(25) {
            body.push(line(self.pick(&["n->k++;", "t = n->k;", "n->k = 3;"])));
        }
        if self.random.chance(20) {
            return vec![block("for (int i = 0; i < 2; i++)", body)];
        }
        body
    }

    /// What is done with a node `s` that others may have.
    fn used(&mut self) -> Vec<Statement> {
        let value = self.random.between(0, 3);
        let used = match self.random.below(6) {
            0..3 => format!("assert(s->k != {value});"),
            3 => "s->k = 2;".into(),
            4 => format!("if (s->next) assert(s->next->k <= {value});"),
            _ => "t = s->k;".into(),
        };
        let mut all = vec![line(used)];
        if self.random.chance(35) {
            all.push(line("free(s);"));
        }
        all
    }

    fn looker(&mut self) -> Vec<Statement> {
        let used = self.used();
        let walks = self.random.chance(25);
        let (take, asked) = match self.shape {
            Shape::List if walks => {
                return vec![line(
                    "for (struct node *s = first->next; s; s = s->next) assert(s->k != 3);",
                )];
            }
            Shape::List => (
                "struct node *s = first->next;".to_string(),
                self.pick(&[
                    "if (s)",
                    "if (s && __sync_bool_compare_and_swap(&first->next, s, s->next))",
                ]),
            ),
            Shape::Queue => {
                let swing = "if (s && __sync_bool_compare_and_swap(&head, h, s))";
                let used = match self.random.below(3) {
                    0 => vec![line("t = s->k;"), line("free(h);")],
                    _ => used,
                };
                return vec![
                    line("struct node *h = head, *s = h->next;"),
                    block(swing, used),
                ];
            }
            Shape::Stack => (
                "struct node *s = top;".into(),
                self.pick(&[
                    "if (s)",
                    "if (s && __sync_bool_compare_and_swap(&top, s, s->next))",
                    "if (s && __sync_bool_compare_and_swap(&top, s, s->next))",
                ]),
            ),
            Shape::Tagged => {
                if self.random.chance(20) {
                    return vec![line(
                        self.pick(&["word |= 1;", "__sync_fetch_and_or(&word, 1);"]),
                    )];
                }
                (
                    "uintptr_t old = word; struct node *s = (struct node *)(old & ~(uintptr_t)1);"
                        .into(),
                    self.pick(&[
                        "if (s)",
                        "if (s && old & 1)",
                        "if (s && old & (UINTPTR_MAX / 2 + 2))",
                        "if (!(old & (UINTPTR_MAX / 2 + 2)) && __sync_bool_compare_and_swap(&word, old, old + 1))",
                        "if (s && __sync_bool_compare_and_swap(&word, old, (uintptr_t)s->next))",
                    ]),
                )
            }
            Shape::Word => (
                "struct node *s = (struct node *)word;".into(),
                "if (s)".into(),
            ),
            Shape::Array => {
                let index = self.pick(&["at", "go & 1", "1 - at", "__VERIFIER_nondet_uchar() & 1"]);
                (format!("struct node *s = all[{index}];"), "if (s)".into())
            }
            Shape::Interior => {
                return vec![line(self.pick(&[
                    "if (inside) assert(*inside != 1);",
                    "if (inside) *inside = 3;",
                    "if (hook) { struct node *s = *hook; if (s) assert(s->k != 2); }",
                    "if (hook) *hook = 0;",
                    "struct node **w = hook; if (w) { struct node *s = (struct node *)((char *)w - offsetof(struct node, next)); assert(s->k != 2); }",
                    "unsigned char *w = inside; if (w) { struct node *s = (struct node *)w; s->next = 0; free(s); }",
                ]))];
            }
        };
        vec![line(take), block(asked, used)]
    }

    /// What main says and does when it has joined the others.
    fn last(&mut self) -> Vec<Statement> {
        let value = self.random.between(1, 3);
        let (claim, give_back) = match self.shape {
            Shape::List => (
                format!("if (first->next) assert(first->next->k <= {value});"),
                "free(first->next); free(first);",
            ),
            Shape::Queue => (
                "assert(tail == head || head->next);".into(),
                "if (tail != head) free(tail); free(head);",
            ),
            Shape::Stack => (
                format!("if (top && top->next) assert(top->next->k != {value});"),
                "if (top) { free(top->next); free(top); }",
            ),
            Shape::Tagged => (
                format!("if (word & 1) assert(((struct node *)(word - 1))->k <= {value});"),
                "free((struct node *)(word & ~(uintptr_t)1));",
            ),
            Shape::Word => (
                format!("if (word) assert(((struct node *)word)->k != {value});"),
                "free((void *)word);",
            ),
            Shape::Array => (
                format!("if (all[at & 1]) assert(all[at & 1]->k != {value});"),
                "free(all[0]); if (all[1] != all[0]) free(all[1]);",
            ),
            Shape::Interior => (
                format!("if (inside) assert(*inside != {value});"),
                "free(inside);",
            ),
        };
        let mut all = vec![line(claim)];
        if self.random.chance(50) {
            all.push(line(give_back));
        }
        all
    }

    fn program(&mut self) -> Program {
        let count = if self.random.chance(85) { 2 } else { 3 };
        let threads: Vec<Vec<Statement>> = (0..count)
            .map(|i| match (i, self.random.below(8)) {
                (0, _) | (_, 0..3) => self.maker(),
                (_, 3) => vec![line("go = 1;")],
                _ => self.looker(),
            })
            .collect();
        let locals = line("int t = 0;");
        let mut functions = workers(threads, &locals, "0");
        let mut body = vec![locals, line(format!("pthread_t id[{count}];"))];
        body.extend(self.prepare());
        if self.random.chance(25) {
            let mut own = self.make();
            own.extend(self.insert());
            body.push(block("", own));
        }
        let late = self.random.chance(15);
        let between = late.then(|| block("", self.looker()));
        body.extend(creations(count, between));
        if self.random.chance(90) {
            body.extend(joins(count).skip(usize::from(late)));
            body.extend(self.last());
        }
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        Program {
            prelude: PRELUDE.into(),
            globals: self.globals(),
            functions,
        }
    }
}
