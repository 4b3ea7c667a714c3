//! Random statements of which each may be wrong after others.

use super::{Parts, Statement, Writer, line, locked};

const STATEMENTS: [&str; 50] = [
    "slot = malloc(8); if (slot) slot[0] = 1;",
    "slot = calloc(2, 4);",
    "slot = table;",
    "slot = &n;",
    "slot = 0;",
    "free(slot);",
    "if (slot && slot != table && slot != &n) { free(slot); slot = 0; }",
    "if (slot) *slot = 3;",
    "if (slot) n = slot[1];",
    "if (slot) slot++;",
    "q = slot;",
    "q = malloc(4);",
    "q = &t;",
    "free(q); q = 0;",
    "free(q);",
    "if (q) *q = n;",
    "slot = q;",
    "slot = realloc(slot, 8);",
    "head = calloc(1, sizeof *head);",
    "if (head) { head->next = calloc(1, sizeof *head); }",
    "if (head) { free(head->next); head->next = 0; }",
    "if (head) head = head->next;",
    "if (head) head->next = head;",
    "free(head);",
    "free(head); head = 0;",
    "i0++;",
    "i0--;",
    "i0 = n & 3;",
    "table[i0] = n;",
    "if (i0 >= 0 && i0 < 3) table[i0] = 1;",
    "n = table[i0];",
    "n = INT_MAX;",
    "n = -1;",
    "n++;",
    "n = n * 2;",
    "n = 1 << n;",
    "t = n; n = t + 1;",
    "n = 5 / n;",
    "if (n) n = 5 % n;",
    "n = __VERIFIER_nondet_bool();",
    "t = i0 + n;",
    "go = !go;",
    "if (go) return 0;",
    "{ int own; if (go) own = 1; n = own; }",
    "pthread_mutex_lock(&m);",
    "pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m2) == 0) pthread_mutex_unlock(&m2);",
    "memset(table, 0, sizeof table);",
    "if (n == 7) exit(1);",
    "assert(n != 3);",
];

impl Writer {
    /// Random statements in two threads and in main, before and after.
    pub(super) fn soup(&mut self) -> Parts {
        let before = self.list(2);
        let threads = vec![self.list(3), self.list(3)];
        let mut after = self.list(2);
        let last = ["free(slot);", "free(slot); free(head);", "", ""];
        after.push(line(self.one(&last)));
        Parts {
            before,
            threads,
            after,
            ..Parts::default()
        }
    }

    fn list(&mut self, most: i64) -> Vec<Statement> {
        let count = self.random.between(1, most);
        (0..count)
            .map(|_| {
                let statement = self.statement();
                if self.random.chance(40) {
                    locked(vec![statement])
                } else {
                    statement
                }
            })
            .collect()
    }

    /// A random statement.
    pub(super) fn statement(&mut self) -> Statement {
        line(*self.random.pick(&STATEMENTS))
    }
}
