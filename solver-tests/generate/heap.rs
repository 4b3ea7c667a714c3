//! Idioms of the heap: objects that threads pass to each other, lists and stacks of them.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Statement, block, line};

impl Writer {
    /// An object is put into a box by one thread and taken out, used and freed by others.
    pub(super) fn boxed(&mut self, workers: usize) -> Parts {
        self.add_global("int *box;");
        let value = self.random.between(1, 2);
        let ways = [
            format!("int *fresh = malloc(sizeof(int)); *fresh = {value};"),
            format!("int *fresh = calloc(1, sizeof(int)); *fresh += {value};"),
            format!("int *fresh = calloc(1, sizeof *fresh); if (*fresh == 0) *fresh = {value};"),
        ];
        let make = self.random.pick(&ways).clone();
        let take = match self.random.below(3) {
            0 => vec![line(
                "int *mine = __atomic_exchange_n(&box, (int *)0, __ATOMIC_SEQ_CST);",
            )],
            1 => vec![line("int *mine = box;"), line("box = 0;")],
            _ => vec![line("int *mine = box;")],
        };
        let mut used = vec![
            line("*mine += 1;"),
            line(format!("assert(*mine == {});", value + 1)),
        ];
        if self.random.chance(60) {
            used.push(line("free(mine);"));
        }
        let mut receive = take;
        receive.push(block("if (mine)", used));
        let mut send = vec![line(make), line("box = fresh;")];
        match self.random.below(6) {
            0 => send.push(line("free(fresh);")),
            1 => send.push(line(format!("assert(*fresh == {value});"))),
            2 => send.insert(0, line("if (box) t = *box;")),
            _ => {}
        }
        let last = receive.clone();
        let mut bodies = vec![send];
        bodies.extend((1..workers).map(|_| receive.clone()));
        (bodies, if self.random.chance(50) { last } else { vec![] })
    }

    /// Every thread pushes a node of its own; main walks over them.
    pub(super) fn stack(&mut self, workers: usize) -> Parts {
        self.add_global("struct node { int value; struct node *next; } *top;");
        let make = "struct node *fresh = calloc(1, sizeof *fresh);";
        let how = self.protections(workers);
        let swap = self.random.chance(30);
        let pops = self.random.chance(35);
        let bodies = how
            .into_iter()
            .enumerate()
            .map(|(i, how)| {
                if pops && i > 0 {
                    let pop = vec![
                        line("struct node *got = top;"),
                        block(
                            "if (got)",
                            vec![line("top = got->next;"), line("got->value++;")],
                        ),
                    ];
                    return vec![self.protect(how, pop)];
                }
                let fill = line("fresh->value = (int)(long)arg + 1;");
                if swap {
                    let exchange = "while (!__sync_bool_compare_and_swap(&top, fresh->next, fresh)) fresh->next = top;";
                    return vec![line(make), fill, line("fresh->next = top;"), line(exchange)];
                }
                let push = vec![line("fresh->next = top;"), line("top = fresh;")];
                vec![line(make), fill, self.protect(how, push)]
            })
            .collect();
        let walk = "for (struct node *n = top; n; n = n->next) t += n->value;";
        let count = "for (struct node *n = top; n; n = n->next) t++;";
        let last = match (pops, self.random.below(2)) {
            (true, _) => vec![line("if (top) assert(top->value == 1);")],
            (false, 0) => vec![
                line("t = 0;"),
                line(walk),
                line(format!("assert(t == {});", workers * (workers + 1) / 2)),
            ],
            (false, _) => vec![
                line("t = 0;"),
                line(count),
                line(format!("assert(t == {workers});")),
            ],
        };
        (bodies, last)
    }

    /// A reader follows a list that another thread makes longer, by nodes made after the reader has started.
    pub(super) fn growing_list(&mut self, workers: usize) -> Parts {
        self.add_global("struct node { int value; struct node *next; } first, *last = &first;");
        let mut append = vec![
            line("struct node *fresh = malloc(sizeof(struct node));"),
            line("fresh->value = 1;"),
            line("fresh->next = 0;"),
            line("last->next = fresh;"),
            line("last = fresh;"),
        ];
        if self.random.chance(25) {
            append.swap(1, 3);
        }
        let how = self.protections(workers.max(2));
        let read = vec![
            line("struct node *n = first.next;"),
            block(
                "if (n)",
                vec![line("assert(n->value == 1);"), line("t = n->next != 0;")],
            ),
        ];
        let bodies = (0..workers)
            .map(|i| match i {
                1 => read.clone(),
                _ => vec![self.protect(how[i], append.clone())],
            })
            .collect();
        let after = match self.random.below(3) {
            0 => "assert(last->next == 0);",
            1 => "assert(first.next && first.next->value == 1);",
            _ => "assert(last != &first);",
        };
        (bodies, vec![line(after)])
    }

    /// Every thread has an array of its own and uses it where two shared indices say, which differ unless somebody
    /// is just exchanging them.
    pub(super) fn own_array(&mut self, workers: usize) -> Parts {
        self.add_global("int from = 0, to = 1;");
        let zeroed = self.random.chance(50);
        let how = self.protections(workers.max(2));
        let exchange = vec![
            line("int old = from;"),
            line("from = to;"),
            line("to = old;"),
        ];
        let own = if zeroed {
            "int own[3] = {0};"
        } else {
            "int *own = calloc(3, 4);"
        };
        let part = self.random.below(3);
        let bodies = (0..workers)
            .map(|i| {
                let mut use_it = vec![line("own[from] = 5;"), line("t = own[to];")];
                match part {
                    0 => use_it.insert(0, line("own[to] = 4;")),
                    1 => use_it.insert(1, line("own[2 - from] += 1;")),
                    _ => {}
                }
                match i {
                    0 => vec![
                        line(own),
                        self.protect(how[0], use_it),
                        line("assert(t != 5);"),
                    ],
                    _ => vec![self.protect(how[i], exchange.clone())],
                }
            })
            .collect();
        (bodies, vec![line("assert(from != to);")])
    }

    /// Every thread has an object of its own from one place, and looks at the others'.
    pub(super) fn own_objects(&mut self, workers: usize) -> Parts {
        self.add_global("int *mine[3];");
        let size = *self
            .random
            .pick(&["malloc(4)", "calloc(1, 4)", "malloc(sizeof(int))"]);
        let mut body = vec![
            line(format!("int *fresh = {size};")),
            line("*fresh = (int)(long)arg;"),
            line("mine[(long)arg] = fresh;"),
        ];
        let other = format!("mine[((long)arg + 1) % {workers}]");
        match self.random.below(4) {
            0 => body.push(line(format!("if ({other}) *{other} += 4;"))),
            1 => body.push(line(format!(
                "if ({other}) assert({other} != fresh || {workers} == 1);"
            ))),
            2 => body.push(line("free(fresh);")),
            _ => body.push(line("assert(*fresh == (int)(long)arg);")),
        }
        let last = (0..workers)
            .map(|i| line(format!("if (mine[{i}]) assert(*mine[{i}] % 4 == {i});")))
            .collect();
        (vec![body; workers], last)
    }

    /// Memory that was not filled on one path is read all the same.
    pub(super) fn unfilled(&mut self, workers: usize) -> Parts {
        self.add_global("unsigned char *shared, go;");
        let allocate = *self
            .random
            .pick(&["malloc(2)", "malloc(2)", "calloc(2, 1)"]);
        let make = vec![
            line(format!("unsigned char *fresh = {allocate};")),
            block("if (go)", vec![line("fresh[1] = 0;")]),
            line("shared = fresh;"),
        ];
        let look = vec![
            line("unsigned char *got = shared;"),
            line("if (got) assert((got[1] & 1) == 0);"),
        ];
        let mut bodies: Vec<Vec<Statement>> = vec![make];
        bodies.extend((1..workers).map(|i| {
            if i == 1 {
                look.clone()
            } else {
                vec![line("go = 1;")]
            }
        }));
        let mut last = look;
        last.push(line("unsigned char local[2]; if (go) local[0] = 0;"));
        if self.random.chance(30) {
            last.push(line("assert((local[0] & 1) == 0);"));
        }
        (bodies, last)
    }

    /// Threads append to an array that grows with each element, or when it is full, or that they make shorter.
    pub(super) fn grown_array(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&["int", "int", "short", "unsigned char"]);
        let capacity = self.random.chance(30);
        let (n, a) = if self.random.chance(40) {
            self.add_global(&format!("struct list {{ int n; {ty} *a; }} list;"));
            ("list.n", "list.a")
        } else {
            self.add_global(&format!("{ty} *grown; int filled;"));
            ("filled", "grown")
        };
        let size = if capacity {
            self.add_global("int cap;");
            "cap".to_string()
        } else {
            format!("({n} + 1)")
        };
        let grow = line(format!("{a} = realloc({a}, {size} * sizeof *{a});"));
        let slip = self.random.below(8);
        let mut append = if capacity {
            vec![block(
                format!("if ({n} == cap)"),
                vec![line("cap = 2 * cap + 1;"), grow],
            )]
        } else {
            vec![grow]
        };
        let put = match slip {
            0 => format!("{a}[{n} + 1] = (int)(long)arg + 1; {n}++;"),
            1 => format!("{n}++; {a}[{n} - 1] = (int)(long)arg + 1;"),
            _ => format!("{a}[{n}++] = (int)(long)arg + 1;"),
        };
        append.push(line(put));
        if slip == 2 {
            append.insert(0, line(format!("{ty} *old = {a};")));
            append.push(line(format!("if (old && {n} > 1) t = old[0];")));
        }
        let shorter = vec![block(
            format!("if ({n} > 1)"),
            vec![
                line(format!("{n}--;")),
                line(format!("{a} = realloc({a}, {n} * sizeof *{a});")),
                line(format!("t = {a}[0];")),
            ],
        )];
        let shrinks = !capacity && self.random.chance(25);
        let bodies = self
            .protections(workers)
            .into_iter()
            .enumerate()
            .map(|(i, how)| {
                if shrinks && i == 1 {
                    vec![self.protect(how, shorter.clone())]
                } else {
                    vec![self.protect(how, append.clone())]
                }
            })
            .collect();
        let mut last = vec![
            line("t = 0;"),
            line(format!("for (int i = 0; i < {n}; i++) t += {a}[i];")),
        ];
        last.push(line(match self.random.below(3) {
            0 => format!("assert({n} <= {workers});"),
            1 if !shrinks => format!("assert(t == {});", workers * (workers + 1) / 2),
            _ => format!("assert({n} == 0 || {a}[0] > 0);"),
        }));
        if self.random.chance(50) {
            last.push(line(format!("free({a});")));
        }
        (bodies, last)
    }

    /// One thread fills or copies a large structure of which others use two members.
    pub(super) fn wide_copies(&mut self, workers: usize) -> Parts {
        self.add_global("struct wide { long v[513]; } from, to;");
        let (one, two) = (self.random.below(3), 3 + self.random.below(510));
        let way = *self.random.pick(&[
            "to = from;",
            "memcpy(&to, &from, sizeof to);",
            "memset(&to, 1, sizeof to);",
            "memset(&from, 255, sizeof from);",
            "memmove(&to.v[1], &from.v[1], 4096);",
            "memmove(&from.v[1], &from.v[0], 4096);",
            "struct wide own = from; t = own.v[0] != own.v[3]; to.v[3] = own.v[1];",
            "struct wide *own = malloc(sizeof *own); *own = from; own->v[2] = 1; to = *own; free(own);",
        ]);
        let bodies = (0..workers)
            .map(|i| match (i, self.random.below(3)) {
                (0, _) => vec![line(way)],
                (_, 0) => vec![
                    line(format!("from.v[{one}] = 1;")),
                    line(format!("from.v[{two}] = 1;")),
                ],
                (_, 1) => vec![
                    line(format!("t = to.v[{two}] != 0;")),
                    line(format!("assert(!t || to.v[{one}] != 0);")),
                ],
                _ => vec![line(format!("to.v[{two}] = from.v[{one}] + 2;"))],
            })
            .collect();
        let claim = match self.random.below(3) {
            0 => format!("assert(to.v[{two}] == to.v[{one}]);"),
            1 => format!("assert(to.v[{two}] == 0 || to.v[{one}] != 0);"),
            _ => format!("assert(from.v[{two}] != 1 || to.v[{two}] != 3);"),
        };
        (bodies, vec![line(claim)])
    }
}
