//! Random programs that look at machine addresses: reuse of storage, tags, masks, stripes, alignment, order, halves, packing,
//! bytes, and integers that are kept while objects come and go. Half of them are idioms, half random statements.

use super::PRELUDE;
use crate::program::{Function, Program, Statement, block, guard, line};
use crate::random::Random;

/// The program of a seed; every third is for ILP32.
pub fn generate(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x6164_6472_0000),
        wide: !seed.is_multiple_of(3),
    };
    writer.program()
}

/// What says that a program is for ILP32.
const ILP32: &str = "// data model: ILP32";

struct Writer {
    random: Random,
    /// Whether pointers have 64 bits.
    wide: bool,
}

/// Declarations that random statements use.
const GLOBALS: [&str; 6] = [
    "struct node { int value; struct node *next; } n0, n1, *top;",
    "int s0, s1, n, *p0, *p1;",
    "char byte0, byte1;",
    "uintptr_t k0, k1;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};",
    "int held[2];",
];

/// Threads' statements, and main's before and after them.
#[derive(Default)]
struct Parts {
    globals: Vec<String>,
    before: Vec<Statement>,
    threads: Vec<Vec<Statement>>,
    after: Vec<Statement>,
}

fn lines(texts: &[&str]) -> Vec<Statement> {
    texts.iter().map(|text| line(*text)).collect()
}

impl Writer {
    fn program(&mut self) -> Program {
        let mut parts = match self.random.below(24) {
            0 | 1 => self.stack(),
            2 | 3 => self.reuse(),
            4 => self.kept(),
            5 | 6 => self.stripes(),
            7 => self.ordered(),
            8 => self.tagged(),
            9 => self.packed(),
            10 => self.container(),
            20 | 21 => self.moved(),
            22 | 23 => self.blocks(),
            _ => self.soup(),
        };
        if self.random.chance(40) {
            let which = self.random.below(parts.threads.len());
            let list = &mut parts.threads[which];
            let at = self.random.below(list.len() + 1);
            let added = self.statement();
            parts.threads[which].insert(at, added);
        }
        let locals = line("int *q = &s0, *r = &s1, t = 0; uintptr_t u = 0, v = 0;");
        let mut functions: Vec<Function> = Vec::new();
        let count = parts.threads.len();
        for (i, mut body) in parts.threads.into_iter().enumerate() {
            body.insert(0, locals.clone());
            body.push(line("return 0;"));
            functions.push(Function {
                head: format!("void *worker{i}(void *arg)"),
                body,
            });
        }
        let mut body = vec![locals, line(format!("pthread_t id[{count}];"))];
        body.append(&mut parts.before);
        body.extend(
            (0..count).map(|i| line(format!("pthread_create(&id[{i}], 0, worker{i}, 0);"))),
        );
        if self.random.chance(20) {
            body.push(self.statement());
        }
        if self.random.chance(85) {
            body.extend((0..count).map(|i| line(format!("pthread_join(id[{i}], 0);"))));
        }
        body.append(&mut parts.after);
        body.push(line("return 0;"));
        functions.push(Function {
            head: "int main(void)".into(),
            body,
        });
        let model = if self.wide { "" } else { ILP32 };
        let mut globals: Vec<String> = GLOBALS.map(String::from).to_vec();
        globals.append(&mut parts.globals);
        globals.push(match self.wide {
            true => "typedef unsigned __int128 wide;".into(),
            false => "typedef unsigned long long wide;".into(),
        });
        Program {
            prelude: format!("{model}\n#include <stdint.h>\n{PRELUDE}"),
            globals,
            functions,
        }
    }

    /// A stack of nodes that threads pop from and push to, with compare and swap: ABA.
    fn stack(&mut self) -> Parts {
        let pop = [
            "struct node *old = top;",
            "if (old) { struct node *next = old->next; if (__sync_bool_compare_and_swap(&top, old, next)) { t = 1; old->value++; } }",
        ];
        let change = [
            "struct node *a = top; top = a ? a->next : 0; free(a);",
            "struct node *b = top; top = b ? b->next : 0; free(b);",
            "struct node *c = malloc(sizeof *c); c->value = 0; c->next = top; top = c;",
        ];
        let change = match self.random.below(3) {
            0 => change.to_vec(),
            1 => vec![change[0], change[2]],
            _ => vec![change[0], change[1], change[2]],
        };
        let change = match self.random.below(3) {
            0 => guard(
                "__VERIFIER_atomic_begin();",
                lines(&change),
                "__VERIFIER_atomic_end();",
            ),
            1 => guard(
                "pthread_mutex_lock(&m);",
                lines(&change),
                "pthread_mutex_unlock(&m);",
            ),
            _ => block("", lines(&change)),
        };
        let before = vec![
            line("top = malloc(sizeof *top); top->value = 0; top->next = malloc(sizeof *top);"),
            line("top->next->value = 0; top->next->next = 0; struct node *second = top->next;"),
        ];
        let after = *self.random.pick(&[
            "assert(!top || top->value == 0);",
            "assert(top != second);",
            "assert(top);",
            "if (top == second) assert(second->value == 0);",
        ]);
        Parts {
            before,
            threads: vec![lines(&pop), vec![change]],
            after: lines(&[after]),
            ..Parts::default()
        }
    }

    /// Storage that one thread frees and another allocates.
    fn reuse(&mut self) -> Parts {
        let free = *self.random.pick(&[
            "free(p0);",
            "q = p0; k0 = (uintptr_t)q; free(q);",
            "q = __atomic_exchange_n(&p0, (int *)0, __ATOMIC_SEQ_CST); p1 = q; free(q);",
        ]);
        let size = *self.random.pick(&["4", "4", "8", "1", "32"]);
        let make = format!("r = malloc({size});");
        let claim = *self.random.pick(&[
            "assert(r != p0);",
            "assert((uintptr_t)r != k0);",
            "assert((uintptr_t)r >= (uintptr_t)p0);",
            "assert(r != p1);",
            "if (r == p0) assert(n == 1);",
            "assert(k0 - (uintptr_t)r != 16);",
        ]);
        let mut second = vec![line(make), line(claim)];
        if self.random.chance(30) {
            second.insert(1, line("free(r);"));
        }
        if self.random.chance(30) {
            second.insert(0, line("t = n;"));
        }
        Parts {
            before: lines(&["p0 = malloc(4); k0 = (uintptr_t)p0;"]),
            threads: vec![lines(&[free, "n = 1;"]), second],
            ..Parts::default()
        }
    }

    /// Storage that `realloc` leaves where it is or moves, while another thread looks, or allocates.
    fn moved(&mut self) -> Parts {
        let size = *self.random.pick(&["4", "8", "40", "2"]);
        let grow = format!("q = realloc(p0, {size}); k1 = (uintptr_t)q; p0 = q; n = 1;");
        let look = *self.random.pick(&[
            "r = p0;",
            "r = malloc(4);",
            "r = (int *)k0;",
            "t = n; r = malloc(8);",
        ]);
        let claim = *self.random.pick(&[
            "assert(r != p0);",
            "assert((uintptr_t)r != k1);",
            "assert((uintptr_t)r != k0);",
            "if ((uintptr_t)r == k1) assert(n == 1);",
            "if ((uintptr_t)p0 == k0) *r = 1;",
        ]);
        let after = *self.random.pick(&[
            "assert(k1 != k0);",
            "assert(k1 == k0);",
            "assert(k1 - k0 != 16);",
            "if (k1 == k0) { *(short *)k0 = 2; assert(*(short *)p0 != 2); }",
            "assert(*(short *)p0 == 1);",
        ]);
        Parts {
            before: lines(&["p0 = malloc(4); *p0 = 1; k0 = (uintptr_t)p0;"]),
            threads: vec![lines(&[&grow]), lines(&[look, claim])],
            after: lines(&[after]),
            ..Parts::default()
        }
    }

    /// Large blocks of pointers that are copied, filled and cut.
    fn blocks(&mut self) -> Parts {
        let way = *self.random.pick(&[
            "to = from;",
            "memcpy(&to, &from, sizeof to);",
            "memcpy(&to.v[1], &from.v[1], 4096 + 2 * sizeof(int *) - 2);",
            "memset(&to, 0, sizeof to);",
            "memset((int **)((char *)&from.v[1] + 2), 0, 4096);",
            "memmove(&from.v[1], &from.v[0], 4096);",
            "struct wide *own = malloc(sizeof *own); *own = from; to = *own; free(own);",
            "u = (uintptr_t)&to; memcpy((struct wide *)u, &from, sizeof to);",
        ]);
        let other = *self.random.pick(&[
            "q = to.v[1]; if (q) *q = 1;",
            "from.v[2] = &s1;",
            "q = from.v[2]; from.v[2] = 0; free(q); r = malloc(4); p0 = r;",
            "to.v[1] = &s1;",
            "r = malloc(4); from.v[1] = r;",
        ]);
        let after = *self.random.pick(&[
            "assert(to.v[1] == from.v[1]);",
            "assert(!to.v[2] || (uintptr_t)to.v[2] == k0);",
            "if (to.v[2]) { *to.v[2] = 1; assert(!p0 || *p0 != 1); }",
            "assert(!p0 || to.v[2] != p0);",
            "q = to.v[1]; if (q) *q = 2; assert(s0 != 2);",
            "assert((uintptr_t)from.v[1] % 16 == 0);",
        ]);
        Parts {
            globals: vec!["struct wide { int *v[1027]; } from, to;".into()],
            before: lines(&[
                "q = malloc(4); *q = 0; from.v[1] = &s0; from.v[2] = q; k0 = (uintptr_t)q;",
            ]),
            threads: vec![lines(&[way]), lines(&[other])],
            after: lines(&[after]),
        }
    }

    /// An integer that outlives its object, and names the next one there.
    fn kept(&mut self) -> Parts {
        let back = *self
            .random
            .pick(&["(int *)k0", "(int *)(k0 ^ 3)", "(int *)(k0 + 1 - 1)"]);
        let keep = if back.contains("^ 3") {
            "k0 = (uintptr_t)q ^ 3;"
        } else {
            "k0 = (uintptr_t)q;"
        };
        let check = *self
            .random
            .pick(&["if (r == p1)", "if ((uintptr_t)r == (uintptr_t)p1)", ""]);
        let used = *self.random.pick(&[
            "assert(*r == 2);",
            "*r = 3;",
            "assert(*p1 != 2);",
            "t = *r;",
        ]);
        Parts {
            before: lines(&["q = malloc(4); *q = 1;", keep]),
            threads: vec![
                vec![line("free(q);"), line("q = malloc(4); *q = 2; p1 = q;")]
                    .into_iter()
                    .map(|s| match s {
                        Statement::Line(text) if text == "free(q);" => {
                            line("q = (int *)(k0 & ~(uintptr_t)3); free(q);")
                        }
                        other => other,
                    })
                    .collect(),
                vec![line(format!("r = {back};")), block(check, lines(&[used]))],
            ],
            after: lines(&["assert(!p1 || *p1 != 3);"]),
            ..Parts::default()
        }
    }

    /// Locks by address: objects may share one or not.
    fn stripes(&mut self) -> Parts {
        let shift = self.random.between(2, 5);
        let object = *self.random.pick(&["malloc(4)", "malloc(24)", "&s0"]);
        let body = |own: &str| {
            vec![
                line(format!("q = {own}; u = ((uintptr_t)q >> {shift}) & 1;")),
                guard(
                    "pthread_mutex_lock(&stripes[u]);",
                    vec![line("t = n; n = t + 1;")],
                    "pthread_mutex_unlock(&stripes[u]);",
                ),
            ]
        };
        let other = if self.random.chance(30) {
            object
        } else {
            "&s1"
        };
        Parts {
            threads: vec![body(object), body(other)],
            after: lines(&["assert(n == 2);"]),
            ..Parts::default()
        }
    }

    /// Two locks in the order of their addresses.
    fn ordered(&mut self) -> Parts {
        let relation = *self.random.pick(&["<", ">", "<="]);
        let pair = |first: &str, second: &str| {
            vec![
                line(format!(
                    "q = {first}; r = {second}; if (!((uintptr_t)q {relation} (uintptr_t)r)) {{ int *x = q; q = r; r = x; }}"
                )),
                line("*q = *q + 1;"),
                line("t = *r;"),
            ]
        };
        let claim = *self.random.pick(&[
            "assert(s0 + s1 == 2);",
            "assert(s0 == 2 || s1 == 2);",
            "assert(s0 == 2);",
        ]);
        Parts {
            threads: vec![pair("&s0", "&s1"), pair("&s1", "&s0")],
            after: lines(&[claim]),
            ..Parts::default()
        }
    }

    /// A tagged pointer in a shared word.
    fn tagged(&mut self) -> Parts {
        let high = self.wide && self.random.chance(50);
        let (set, clear, tag) = match high {
            true => ("| (1ul << 48)", "& 0xfffffffffffful", "k0 >> 48"),
            false => ("| 1", "& ~(uintptr_t)1", "k0 & 1"),
        };
        let object = *self.random.pick(&["malloc(4)", "&s0", "(int *)&byte0"]);
        let swap = format!("u = k0; __sync_bool_compare_and_swap(&k0, u, u {set});");
        let used = format!("u = k0; q = (int *)(u {clear}); *(char *)q = 1; if ({tag}) n = 1;");
        let claim = *self.random.pick(&[
            "assert(*(char *)(k0 & ~(uintptr_t)1) == 1);",
            "assert(!n);",
            "assert(k0 & 1);",
        ]);
        Parts {
            before: lines(&[&format!("q = {object}; *(char *)q = 0; k0 = (uintptr_t)q;")]),
            threads: vec![lines(&[&swap]), lines(&[&used])],
            after: lines(&[claim]),
            ..Parts::default()
        }
    }

    /// A pointer and a counter in one word.
    fn packed(&mut self) -> Parts {
        let shift = if self.wide { 64 } else { 32 };
        let pack = format!("wide w = (wide)(uintptr_t)q | (wide)n << {shift};");
        let unpack = format!("r = (int *)(uintptr_t)w; t = (int)(w >> {shift});");
        let claim = *self.random.pick(&[
            "assert(r == q);",
            "assert(t == 0);",
            "assert(*r == 0);",
            "*r = 1;",
        ]);
        Parts {
            threads: vec![
                lines(&["q = &s0;", &pack, &unpack, claim]),
                lines(&["n = 1;", "s0 = 1;"]),
            ],
            after: lines(&["assert(s0 == 1);"]),
            ..Parts::default()
        }
    }

    /// From a member to the record around it, through integers.
    fn container(&mut self) -> Parts {
        let back = *self.random.pick(&[
            "(u - (uintptr_t)&((struct node *)0)->next)",
            "(u - sizeof(void *))",
            "(u & ~(uintptr_t)(2 * sizeof(void *) - 1))",
        ]);
        let object = *self.random.pick(&["&n0", "malloc(sizeof(struct node))"]);
        Parts {
            before: lines(&[&format!(
                "top = {object}; top->value = 0; k0 = (uintptr_t)&top->next;"
            )]),
            threads: vec![
                lines(&[&format!(
                    "u = k0; struct node *there = (struct node *){back}; there->value++;"
                )]),
                lines(&["t = top->value; n = t;"]),
            ],
            after: lines(&["assert(top->value == 1);"]),
            ..Parts::default()
        }
    }

    /// Random statements.
    fn soup(&mut self) -> Parts {
        let mut list = |most: i64| -> Vec<Statement> {
            (0..self.random.between(1, most))
                .map(|_| self.statement())
                .collect()
        };
        let before = list(3);
        let threads = vec![list(4), list(4)];
        let mut after = list(2);
        after.push(self.claim());
        Parts {
            before,
            threads,
            after,
            ..Parts::default()
        }
    }

    fn statement(&mut self) -> Statement {
        let object = *self.random.pick(&[
            "malloc(4)",
            "malloc(4)",
            "malloc(16)",
            "&s0",
            "&s1",
            "p0",
            "p1",
            "&n0.value",
        ]);
        let number = *self.random.pick(&[
            "k0",
            "k1",
            "(uintptr_t)q",
            "(uintptr_t)p0",
            "(uintptr_t)&s0",
            "(uintptr_t)&s1",
            "u",
            "v",
        ]);
        let pointer = *self.random.pick(&["q", "r", "p0", "p1"]);
        let edit = *self.random.pick(&[
            "^ 1",
            "| 1",
            "& ~(uintptr_t)1",
            "& ~(uintptr_t)7",
            "+ 4",
            "- 4",
            "* 3",
            ">> 4",
            "& 15",
        ]);
        let word = *self.random.pick(&["u", "u", "v", "k0"]);
        match self.random.below(16) {
            0 | 1 => line(format!("{pointer} = {object};")),
            2 => line(format!("if ({pointer}) free({pointer});")),
            3 | 4 => line(format!("{word} = {number};")),
            5 => line(format!("{word} = {word} {edit};")),
            6 => line(format!("{word} ^= {number};")),
            7 => line(format!("{word} -= {number};")),
            8 => line(format!("{word} += {number};")),
            9 => line(format!("{pointer} = (int *){word};")),
            10 => line(format!("if ({pointer} == {object}) n++;")),
            11 => line(format!("__sync_bool_compare_and_swap(&p0, {pointer}, q);")),
            12 => line(format!("if ({pointer} && !({number} & 3)) *{pointer} = 1;")),
            13 => line(format!("t = (int)(long){number};")),
            14 => line(format!(
                "{word} = ((unsigned char *)&{pointer})[{}];",
                self.random.below(4)
            )),
            _ => self.claim(),
        }
    }

    fn claim(&mut self) -> Statement {
        let number = *self.random.pick(&[
            "k0",
            "u",
            "v",
            "(uintptr_t)p0",
            "(uintptr_t)q",
            "(uintptr_t)&s0",
        ]);
        let other = *self.random.pick(&[
            "k1",
            "u",
            "(uintptr_t)p1",
            "(uintptr_t)r",
            "(uintptr_t)&s1",
            "k0 + 4",
        ]);
        line(match self.random.below(9) {
            0 => format!("assert({number} != {other});"),
            1 => format!("if ({number} && {other}) assert({number} < {other});"),
            2 => format!("assert(({number} & 63) == 0);"),
            3 => format!("assert(({number} >> 4 & 1) == 0);"),
            4 => format!("if ({number}) assert((int)(long){number});"),
            5 => "assert(p0 != p1 || !p0);".into(),
            6 => "assert(q == r || q != p0);".into(),
            7 => "assert(n < 2);".into(),
            _ => format!("assert({number} - {other} != 4);"),
        })
    }
}
