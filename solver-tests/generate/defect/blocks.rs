//! Blocks that threads hand over, share, make once, list, lend, let grow, return, and make in loops.

use super::{Parts, Writer, line, lines};

impl Writer {
    /// One slot that holds a block: put, taken, freed.
    pub(super) fn handed_over(&mut self) -> Parts {
        let threads = (0..self.random.between(2, 3))
            .map(|i| {
                let put = self.one(&[
                    "slot = malloc(sizeof *slot); if (slot) *slot = 1;",
                    "int *own = malloc(sizeof *own); if (own) *own = 1; slot = own;",
                    "free(slot); slot = calloc(1, 4);",
                    "if (!slot) slot = calloc(2, 2);",
                    "int *own = malloc(4); if (go) { go = 0; return 0; } free(slot); slot = own;",
                ]);
                let take = self.one(&[
                    "int *own = slot; slot = 0; free(own);",
                    "free(slot); slot = 0;",
                    "free(slot);",
                    "if (slot) { t = *slot; free(slot); slot = 0; }",
                    "int *own = slot; if (own) *own = 4;",
                    "if (slot) t = *slot;",
                    "slot = 0;",
                ]);
                let text = if i == 0 { put } else { take };
                self.guarded(&[text])
            })
            .collect();
        let last = self.one(&[
            "free(slot);",
            "free(slot);",
            "if (slot) { t = *slot; free(slot); }",
            "slot = 0;",
            "",
        ]);
        Parts {
            threads,
            after: lines(&[last]),
            ..Parts::default()
        }
    }

    /// References that are counted: the last one frees.
    pub(super) fn counted(&mut self) -> Parts {
        let drop = self.one(&[
            "if (--n == 0) { free(slot); slot = 0; }",
            "n--; if (n == 0) free(slot);",
            "t = n; n = t - 1; if (t == 1) { free(slot); slot = 0; }",
            "if (__atomic_sub_fetch(&n, 1, 5) == 0) free(slot);",
            "__atomic_fetch_sub(&n, 1, 5); if (__atomic_load_n(&n, 5) == 0) free(slot);",
        ]);
        let look = self.one(&["t = *slot;", "*slot = 2;", ""]);
        let mut parts = Parts {
            before: lines(&["slot = calloc(1, sizeof *slot); if (!slot) return 1; n = 2;"]),
            threads: self.twice(&[look, drop]),
            ..Parts::default()
        };
        // What is done before the lock is taken.
        if self.random.chance(25) {
            parts.threads[0].insert(0, line("t = *slot;"));
        }
        parts
    }

    /// A block that whoever needs it first makes.
    pub(super) fn made_once(&mut self) -> Parts {
        let make = "if (!slot) { int *own = malloc(4); if (own) *own = 1; slot = own; }";
        let mut parts = Parts {
            threads: self.twice(&[make]),
            after: lines(&["free(slot);"]),
            ..Parts::default()
        };
        if self.random.chance(40) {
            parts.threads[1].push(line("if (slot) t = *slot;"));
        }
        if self.random.chance(20) {
            parts.after.clear();
        }
        parts
    }

    /// A list of nodes.
    pub(super) fn listed(&mut self) -> Parts {
        let push = "struct node *own = malloc(sizeof *own); if (!own) return 0; own->value = 1; own->next = head; head = own;";
        let pop = self.one(&[
            "struct node *old = head; if (old) { head = old->next; free(old); }",
            "struct node *old = head; if (old) { free(old); head = old->next; }",
            "if (head) { t = head->value; head = head->next; }",
            "struct node *old = head; head = old->next; free(old);",
        ]);
        let threads = (0..2)
            .map(|_| {
                let text = if self.random.chance(60) { push } else { pop };
                self.guarded(&[text])
            })
            .collect();
        let last = self.one(&[
            "while (head) { struct node *gone = head; head = head->next; free(gone); }",
            "for (struct node *at = head; at; at = at->next) free(at);",
            "free(head);",
            "if (head) { free(head->next); free(head); }",
            "head = 0;",
            "",
        ]);
        Parts {
            before: lines(&[
                "head = malloc(sizeof *head); if (!head) return 1; head->value = 0; head->next = 0;",
            ]),
            threads,
            after: lines(&[last]),
            ..Parts::default()
        }
    }

    /// Objects of a scope, of a function or of a thread that others use.
    pub(super) fn lent(&mut self) -> Parts {
        let lend = self.one(&[
            "{ int mine = 1; slot = &mine; } t = 1;",
            "int mine = 1; slot = &mine; go = 1; while (go) ;",
            "int mine = 1; slot = &mine; slot = 0;",
            "static int mine; slot = &mine;",
            "for (int k = 0; k < 2; k++) { int mine = k; if (k) t = *slot; slot = &mine; }",
        ]);
        let lend = self.guarded(&[lend]);
        let used = self.one(&[
            "if (slot) t = *slot;",
            "if (slot) *slot = 2;",
            "if (go) { t = *slot; go = 0; }",
            "q = slot; if (q) free(q);",
        ]);
        let using = self.guarded(&[used]);
        Parts {
            threads: vec![lend, using],
            after: lines(&[self.one(&["", "if (slot) t = *slot;"])]),
            ..Parts::default()
        }
    }

    /// A block that gets larger and smaller.
    pub(super) fn grown(&mut self) -> Parts {
        let grow = self.one(&[
            "slot = realloc(slot, (n + 1) * sizeof *slot); if (slot) slot[n++] = 1;",
            "int *more = realloc(slot, (n + 1) * sizeof *slot); if (!more) return 0; slot = more; slot[n++] = 1;",
            "int *more = realloc(slot, 8); slot[0] = 1; slot = more;",
            "n++; slot = realloc(slot, n * sizeof *slot); slot[n] = 1;",
        ]);
        let used = self.one(&[
            "if (n) t = slot[0];",
            "if (n) t = slot[n - 1];",
            "q = slot; if (q) *q = 2;",
        ]);
        let mut threads = self.twice(&[grow]);
        if self.random.chance(50) {
            threads[1] = self.guarded(&[used]);
        }
        Parts {
            threads,
            after: lines(&[self.one(&["free(slot);", "free(slot);", "free(slot + 1);", ""])]),
            ..Parts::default()
        }
    }

    /// Blocks that threads return, and that main takes or not.
    pub(super) fn results(&mut self) -> Parts {
        let make = self.one(&[
            "q = malloc(4);",
            "q = go ? malloc(4) : 0;",
            "q = slot; slot = 0;",
            "q = &n;",
        ]);
        let make = self.guarded(&[make]);
        let other = self.guarded(&["q = calloc(1, 4); go = 1;"]);
        let take = self.one(&[
            "void *r = 0, *s = 0; pthread_join(id[0], &r); pthread_join(id[1], &s); free(r); free(s);",
            "void *r = 0; pthread_join(id[0], &r); pthread_join(id[1], &r); free(r);",
            "void *r = 0; pthread_join(id[0], &r); free(r); pthread_join(id[1], &r); if (r) t = *(int *)r; free(r);",
        ]);
        Parts {
            before: lines(&["slot = calloc(1, 4);"]),
            threads: vec![make, other],
            after: lines(&[take]),
            result: Some("q"),
            ..Parts::default()
        }
    }

    /// Loops whose iterations may change nothing but what has been allocated or freed.
    pub(super) fn repeated(&mut self) -> Parts {
        let mut any = || {
            self.one(&[
                "while (__VERIFIER_nondet_bool()) malloc(4);",
                "while (__VERIFIER_nondet_bool()) { int *own = malloc(4); free(own); }",
                "while (__VERIFIER_nondet_bool()) { int *own = malloc(4); if (n) break; free(own); }",
                "while (__VERIFIER_nondet_bool()) { int *own = malloc(4); if (!n) free(own); }",
                "q = malloc(4); while (__VERIFIER_nondet_bool()) q = 0;",
                "q = malloc(4); while (__VERIFIER_nondet_bool()) { if (n) exit(0); q = 0; } free(q);",
                "q = malloc(4); while (__VERIFIER_nondet_bool()) free(q);",
                "while (__VERIFIER_nondet_bool()) { free(q); q = malloc(4); } free(q);",
                "while (__VERIFIER_nondet_bool()) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } n = 1;",
                "while (__VERIFIER_nondet_bool()) if (n) pthread_mutex_unlock(&m);",
                "while (__VERIFIER_nondet_bool()) { int own; if (n) t = own; }",
            ])
        };
        let (before, first, after) = (any(), any(), any());
        Parts {
            before: lines(&[before]),
            threads: vec![lines(&[first]), self.guarded(&["n = 1;"])],
            after: lines(&[after]),
            ..Parts::default()
        }
    }
}
