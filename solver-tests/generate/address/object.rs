//! Places of objects: stripes, order, neighbours, tables, alignment, functions and literals.

use super::{Parts, Writer, lines, locked};
use crate::program::{block, guard, line};

impl Writer {
    /// Locks by address: objects may share one or not.
    pub(super) fn stripes(&mut self) -> Parts {
        let shift = self.random.between(2, 5);
        let mask = *self.random.pick(&[1, 3]);
        let object = *self.random.pick(&["malloc(4)", "malloc(24)", "&s0"]);
        let body = |own: &str| {
            vec![
                line(format!(
                    "q = {own}; u = ((uintptr_t)q >> {shift}) & {mask};"
                )),
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
    pub(super) fn ordered(&mut self) -> Parts {
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

    /// From a member to the record around it, through integers.
    pub(super) fn container(&mut self) -> Parts {
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

    /// One past an object, where another one may begin.
    pub(super) fn neighbours(&mut self) -> Parts {
        let (first, second) =
            *self
                .random
                .pick(&[("a0", "b0"), ("p0", "p1"), ("(&s0)", "(&s1)"), ("a0", "p1")]);
        let meets = match self.random.below(4) {
            0 => format!("if ({first} + 1 == {second})"),
            1 => format!("if ((uintptr_t)({first} + 1) == (uintptr_t){second})"),
            2 => format!("if ((uintptr_t){second} - (uintptr_t){first} == 4)"),
            _ => format!("u = (uintptr_t){first} + 4; if (u == (uintptr_t){second})"),
        };
        let used = match self.random.below(5) {
            0 => format!("assert({first} != {second});"),
            1 => "assert(0);".to_string(),
            2 => format!("q = (int *)((uintptr_t){first} + 4); *q = 1; assert(*{second} == 1);"),
            3 => format!("u = (uintptr_t)({first} + 1); q = (int *)u; if (q == {second}) *q = 1;"),
            _ => format!("r = (int *)((uintptr_t){second} - 4); *r = 1; n = 1;"),
        };
        Parts {
            globals: vec!["int a0[1], b0[1];".into()],
            before: lines(&["p0 = malloc(4); p1 = malloc(4); *p0 = *p1 = 0;"]),
            threads: vec![vec![block(meets, lines(&[&used]))], lines(&["t = n;"])],
            after: lines(&["assert(!n || *p0 == 1 || a0[0] == 1 || s0 == 1);"]),
        }
    }

    /// A table of pointers, with the next place for those that meet.
    pub(super) fn hash_table(&mut self) -> Parts {
        let shift = self.random.between(2, 5);
        let mask = *self.random.pick(&[1, 1, 3]);
        let index = match self.random.below(3) {
            0 => format!("% {}", mask + 1),
            _ => format!("& {mask}"),
        };
        let insert = |object: &str| {
            vec![locked(lines(&[
                &format!("u = ((uintptr_t){object} >> {shift}) {index};"),
                &format!("if (table[u]) u = (u + 1) {index};"),
                &format!("table[u] = {object};"),
            ]))]
        };
        let (first, second) =
            *self
                .random
                .pick(&[("p0", "p1"), ("p0", "(&s1)"), ("(&s0)", "(&s1)")]);
        let home = format!("(((uintptr_t){first} >> {shift}) {index})");
        let claim = match self.random.below(4) {
            0 => format!("assert(table[{home}] == {first});"),
            1 => format!("assert(table[{home}]);"),
            2 => format!(
                "assert(table[{home}] == {first} || table[({home} + 1) {index}] == {first});"
            ),
            _ => "assert(!table[0] || !table[1]);".into(),
        };
        Parts {
            globals: vec!["int *table[4];".into()],
            before: lines(&["p0 = malloc(4); p1 = malloc(24);"]),
            threads: vec![insert(first), insert(second)],
            after: lines(&[&claim]),
        }
    }

    /// Addresses of functions: kept as integers, tagged, compared, called.
    pub(super) fn functions(&mut self) -> Parts {
        let keep = *self.random.pick(&[
            "k0 = (uintptr_t)f0;",
            "k0 = (uintptr_t)f0 ^ 0x5a5a;",
            "k0 = (uintptr_t)f0 | 1;",
            "k0 = n ? (uintptr_t)f0 : (uintptr_t)f1;",
        ]);
        let back = if keep.contains("0x5a5a") {
            "(k0 ^ 0x5a5a)"
        } else {
            *self
                .random
                .pick(&["k0", "(k0 & ~(uintptr_t)1)", "(k0 + 2 - 2)"])
        };
        let used = match self.random.below(5) {
            0 => format!("if (k0) {{ t = ((int (*)(void)){back})(); assert(t != 1); }}"),
            1 => format!("if (k0) assert({back} == (uintptr_t)f0);"),
            2 => "assert((uintptr_t)f0 < (uintptr_t)f1);".into(),
            3 => "assert(((uintptr_t)f0 & 1) == 0);".into(),
            _ => {
                "fun = t ? f0 : f1; if ((uintptr_t)fun == k0) n = fun(); assert(fun != f0);".into()
            }
        };
        Parts {
            globals: vec![
                "int f0(void) { return 0; }".into(),
                "int f1(void) { return 1; }".into(),
                "int (*fun)(void);".into(),
            ],
            threads: vec![lines(&[keep]), lines(&["t = n;", &used])],
            after: lines(&["assert(n < 1);"]),
            ..Parts::default()
        }
    }

    /// String literals, of which one may lie at the end of another.
    pub(super) fn literals(&mut self) -> Parts {
        let (x, y) = *self.random.pick(&[
            ("\"ab\"", "\"b\""),
            ("\"ab\"", "\"ab\""),
            ("\"ab\"", "\"cb\""),
            ("\"aba\"", "\"ba\""),
            ("\"\"", "\"b\""),
        ]);
        let claim = *self.random.pick(&[
            "assert(x + 1 != y);",
            "assert(x != y);",
            "assert((uintptr_t)x + 1 != (uintptr_t)y);",
            "if ((uintptr_t)y - (uintptr_t)x < 4) assert(*y == 'b');",
            "assert((uintptr_t)x < (uintptr_t)y || (uintptr_t)x > (uintptr_t)y + 1);",
            "u = (uintptr_t)y - 1; if (u == (uintptr_t)x) { t = *(char *)u; assert(t == 'a'); }",
        ]);
        Parts {
            globals: vec!["const char *x, *y;".into()],
            before: lines(&[&format!("x = y = {x};")]),
            threads: vec![lines(&[&format!("y = {y};")]), lines(&[claim])],
            after: lines(&[claim]).split_off(usize::from(self.random.chance(50))),
        }
    }

    /// Alignment, and what it says of low bits.
    pub(super) fn aligned(&mut self) -> Parts {
        let object = *self.random.pick(&[
            "&wide_one",
            "aligned_alloc(32, 32)",
            "malloc(64)",
            "malloc(1)",
            "&s0",
            "&byte0",
            "&n0.next",
        ]);
        let bits = *self.random.pick(&[1, 3, 4, 7, 8, 15, 16, 31, 32, 63]);
        let used = match self.random.below(4) {
            0 => format!("assert((k0 & {bits}) == 0);"),
            1 => format!("if (k0 & {bits}) n = 1; assert(!n);"),
            2 => format!(
                "if (k0) {{ q = (int *)(k0 & ~(uintptr_t){bits}); assert((uintptr_t)q == k0); }}"
            ),
            _ => format!("u = k0 | {bits}; if (k0) assert(u != k0);"),
        };
        Parts {
            globals: vec!["_Alignas(32) char wide_one;".into()],
            threads: vec![
                lines(&[&format!("k0 = (uintptr_t){object};")]),
                lines(&[&used]),
            ],
            ..Parts::default()
        }
    }

    /// A copy of a variable for each thread.
    pub(super) fn thread_local(&mut self) -> Parts {
        let claim = *self.random.pick(&[
            "assert((uintptr_t)&own != k0);",
            "assert((uintptr_t)&own > k0);",
            "if (p0) assert(&own != p0);",
            "if (k0) { q = (int *)k0; *q = 1; } assert(own == 0);",
            "assert(((uintptr_t)&own & 7) == 0);",
        ]);
        Parts {
            globals: vec!["_Thread_local int own;".into()],
            threads: vec![
                lines(&["k0 = (uintptr_t)&own;", "p0 = &own;"]),
                lines(&[claim]),
            ],
            ..Parts::default()
        }
    }
}
