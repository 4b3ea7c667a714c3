//! Storage that comes back: ABA, kept integers, scopes, `realloc`.

use super::{Parts, Writer, lines, locked};
use crate::program::{Statement, block, guard, line};

impl Writer {
    /// A stack of nodes that threads pop from and push to, with compare and swap: ABA.
    pub(super) fn stack(&mut self) -> Parts {
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
    pub(super) fn reuse(&mut self) -> Parts {
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
            after: vec![],
            ..Parts::default()
        }
    }

    /// An integer that outlives its object, and names the next one there.
    pub(super) fn kept(&mut self) -> Parts {
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
        // A cast exposes the new object, whatever becomes of the integer.
        let cast =
            *self
                .random
                .pick(&["", "", "if ((uintptr_t)q > 5) n = 1;", "k1 = (uintptr_t)q;"]);
        let used = *self.random.pick(&[
            "assert(*r == 2);",
            "*r = 3;",
            "assert(*p1 != 2);",
            "t = *r;",
        ]);
        Parts {
            before: lines(&["q = malloc(4); *q = 1;", keep]),
            threads: vec![
                vec![
                    line("free(q);"),
                    line(format!("q = malloc(4); *q = 2; {cast} p1 = q;")),
                ]
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

    /// Storage of a block or a call after its end.
    fn ended_scope(&mut self) -> (&'static str, &'static str) {
        *self.random.pick(&[
            ("{ int x = 1; k0 = (uintptr_t)&x; }", "{ int y = 2; "),
            ("{ int x[2]; p1 = x; k0 = (uintptr_t)x; }", "{ int y = 2; "),
            (
                "{ char x = 1; k0 = (uintptr_t)&x + 3; }",
                "{ int y[2] = {2, 2}; ",
            ),
        ])
    }

    pub(super) fn scope(&mut self) -> Parts {
        let (first, second) = self.ended_scope();
        let used = *self.random.pick(&[
            "assert((uintptr_t)&y != k0); }",
            "if ((uintptr_t)&y == k0) assert(*(int *)k0 != 2); }",
            "if ((uintptr_t)&y == k0) { q = (int *)k0; *q = 3; } assert(y == 2 || y == 3); }",
            "assert((uintptr_t)&y < k0 || (uintptr_t)&y > k0); }",
            "assert(p1 != (int *)&y); }",
            "assert(((uintptr_t)&y ^ k0) != 4); }",
        ]);
        let second = if second.contains("y[2]") {
            format!("{second}{}", used.replace("y ==", "y[0] =="))
        } else {
            format!("{second}{used}")
        };
        if self.random.chance(50) {
            return Parts {
                threads: vec![lines(&[first, &second]), lines(&["n = k0 != 0;"])],
                ..Parts::default()
            };
        }
        // The first thread's storage is free once it has ended.
        let wait = *self.random.pick(&[
            "pthread_t other; pthread_create(&other, 0, worker0, 0); pthread_join(other, 0);",
            "",
        ]);
        Parts {
            threads: vec![lines(&[first]), lines(&[wait, &second])],
            ..Parts::default()
        }
    }

    /// `realloc`, which may return the old address. (It copies byte by byte, in a loop: few bytes are enough.)
    pub(super) fn resized(&mut self) -> Parts {
        let size = *self.random.pick(&["8", "2", "1", "n + 2"]);
        let claim = *self.random.pick(&[
            "assert(r != p1);",
            "assert((uintptr_t)r == k0);",
            "assert((uintptr_t)r != k0);",
            "assert(*(char *)r == 1);",
            "if (r == p1) assert(n);",
        ]);
        let grown = format!("r = realloc(p0, {size});");
        Parts {
            before: lines(&["p0 = p1 = malloc(2); *(char *)p0 = 1; k0 = (uintptr_t)p0;"]),
            threads: vec![
                lines(&[&grown, claim]),
                if self.random.chance(50) {
                    lines(&[
                        "q = malloc(2); *(char *)q = 2;",
                        "if ((uintptr_t)q == k0) n = 1;",
                    ])
                } else {
                    lines(&["n = 1;"])
                },
            ],
            ..Parts::default()
        }
    }

    /// A number that leads to an object until another thread exchanges that for one that may be at its place.
    pub(super) fn guarded(&mut self) -> Parts {
        let (hide, back) = *self.random.pick(&[
            (
                "k0 = (uintptr_t)p0 ^ (uintptr_t)&s1;",
                "(k0 ^ (uintptr_t)&s1)",
            ),
            ("k0 = (uintptr_t)p0 * 3;", "(k0 / 3)"),
            ("k0 = ~(uintptr_t)p0;", "~k0"),
        ]);
        let before = *self.random.pick(&["!n", "!n", "n", "n < 2"]);
        let used = *self.random.pick(&[
            "assert(*q == 1);",
            "*q = 1; assert(*p0 < 2);",
            "free(q); n = 2;",
        ]);
        let use_it = format!("if ({before}) {{ q = (int *){back}; {used} }}");
        let guarded = |body: &str| vec![locked(lines(&[body]))];
        Parts {
            before: lines(&["p0 = malloc(4); *p0 = 1;", hide]),
            threads: vec![
                guarded(&use_it),
                guarded("if (n != 2) { n = 1; free(p0); p0 = malloc(4); *p0 = 2; }"),
            ],
            after: lines(&["assert(n == 2 || *p0 == 2);"]),
            ..Parts::default()
        }
    }

    /// A stack with versions in spare bits of the pointer to its top.
    pub(super) fn versions(&mut self) -> Parts {
        let high = self.wide && self.random.chance(50);
        let (plain, next) = if high {
            ("& 0xfffffffffffful", "+ (1ul << 48)")
        } else {
            ("& ~(uintptr_t)3", "^ 1")
        };
        let (up, keep) = if self.random.chance(50) {
            (next, "")
        } else {
            ("", "forgotten")
        };
        let pop = format!(
            "u = k0; struct node *old = (struct node *)(u {plain}); v = (uintptr_t)n0.next {up}; if (__sync_bool_compare_and_swap(&k0, u, v)) {{ t = 1; n = old != &n0; }}"
        );
        let churn = format!(
            "free((void *)(k0 {plain})); q = malloc(sizeof(struct node)); k0 = (uintptr_t)q{};",
            match (high, keep) {
                (true, "") => " | (1ul << 48)",
                (false, "") => " | 1",
                _ => "",
            }
        );
        let claim = *self.random.pick(&[
            "assert(!t);",
            "assert(v != u);",
            "if (t) assert((uintptr_t)old == u);",
        ]);
        Parts {
            before: lines(&["top = malloc(sizeof *top); k0 = (uintptr_t)top;"]),
            threads: vec![lines(&[&pop, claim]), vec![locked(lines(&[&churn]))]],
            after: lines(&["assert(n);"]).split_off(usize::from(self.random.chance(70))),
            ..Parts::default()
        }
    }
}
