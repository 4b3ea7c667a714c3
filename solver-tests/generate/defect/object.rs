//! Indices, lengths, pointers beyond their object, values that nobody has set, calls and constants.

use super::{Parts, Writer, line, lines};
use crate::program::{Function, block};

impl Writer {
    /// Indices that threads count up.
    pub(super) fn indexed(&mut self) -> Parts {
        let (open, object) = *self.random.pick(&[
            ("", "table"),
            ("", "table"),
            (
                "slot = calloc(3, sizeof *slot); if (!slot) return 1;",
                "slot",
            ),
            ("int own[3] = {0}; slot = own;", "slot"),
        ]);
        let put = self.one(&[
            "if (i0 < 3) OBJECT[i0++] = 1;",
            "OBJECT[i0++] = 1;",
            "i0++; OBJECT[i0] = 1;",
            "i0 = (i0 + 1) % 3; OBJECT[i0] = 2;",
            "if (i0 <= 3) t = OBJECT[i0];",
            "i0--; if (i0 >= 0) OBJECT[i0] = 1; else i0 = 0;",
        ]);
        let put = put.replace("OBJECT", object);
        let start = self.random.between(0, 2);
        Parts {
            before: lines(&[open, &format!("i0 = {start};")]),
            threads: self.twice(&[&put]),
            after: lines(&[self.one(&[
                "t = table[0];",
                "if (i0 < 3) t = table[i0];",
                "if (slot && slot != table) slot = 0;",
            ])]),
            ..Parts::default()
        }
    }

    /// Lengths of what is filled and copied.
    pub(super) fn filled(&mut self) -> Parts {
        let count = self.guarded(&["n = n + 1;"]);
        let fill = self.one(&[
            "if (n >= 0 && n < 4) memset(table, 0, n * sizeof *table);",
            "memset(table, 1, (n + 2) * sizeof *table);",
            "if (n < 3) memcpy(table, table + 1, n * sizeof *table);",
            "if (n < 3) memmove(table, table + 1, n * sizeof *table);",
            "char text[3]; strcpy(text, n > 3 ? \"abc\" : \"ab\");",
            "char text[4]; memset(text, 'a', n < 4 ? n : 4); t = strlen(text);",
        ]);
        let fill = self.guarded(&[fill]);
        Parts {
            before: lines(&[self.one(&["n = 0;", "n = 1;", "n = 2;"])]),
            threads: vec![count, fill],
            after: lines(&["t = table[0];"]),
            ..Parts::default()
        }
    }

    /// Variables and memory that get a value on some way only.
    pub(super) fn unset(&mut self) -> Parts {
        let look = self.one(&[
            "int own; if (go) own = 1; if (go) n = own;",
            "int own; if (go) own = 1; n = own;",
            "int own[2]; own[go ? 1 : 0] = 1; n = own[1];",
            "int own; q = &own; if (!go) *q = 2; n = own;",
            "struct node own; own.value = 1; if (go) own.next = 0; if (own.next) n = 1;",
            "int own = own; n = own ? 1 : 2;",
            "q = malloc(8); if (!q) return 0; if (go) q[0] = 1; n = q[0]; free(q);",
            "q = malloc(8); if (!q) return 0; q[1] = 0; if (go) q[0] = 1; t = q[1]; free(q);",
            "q = calloc(1, 4); if (q) n = *q; free(q);",
            "int own; switch (go) { case 0: own = 1; break; case 1: own = 2; } n = own;",
        ]);
        let look = self.guarded(&[look]);
        let set = self.one(&["go = 1;", "go = !go;", "go = n;"]);
        let set = self.guarded(&[set]);
        Parts {
            threads: vec![look, set],
            after: lines(&[self.one(&["", "assert(n >= 0);"])]),
            ..Parts::default()
        }
    }

    /// Pointers that leave their object, and differences.
    pub(super) fn beyond(&mut self) -> Parts {
        let step = self.one(&[
            "slot = slot + 1;",
            "if (slot < table + 3) slot++;",
            "slot = slot - 1;",
            "q = table + n;",
            "q = &table[n]; t = q - table;",
            "t = slot - table;",
            "if (slot > table) slot--; n = slot - table;",
        ]);
        let other = self.one(&[
            "n++;",
            "n = 4;",
            "slot = &n;",
            "slot++;",
            "t = slot - table;",
        ]);
        let threads = self.pair(step, other);
        Parts {
            before: lines(&["slot = &table[2];"]),
            threads,
            ..Parts::default()
        }
    }

    /// Calls through pointers, and of functions that do not return what they promise.
    pub(super) fn called(&mut self) -> Parts {
        let function = |head: &str, body: &[&str]| Function {
            head: head.into(),
            body: lines(body),
        };
        let call = self.one(&[
            "t = call(1);",
            "if (call) t = call(n);",
            "int (*own)(int) = call; if (own) t = own(2);",
            "t = half(n);",
            "half(n);",
            "if (n) leave();",
        ]);
        let change = self.one(&[
            "call = 0;",
            "call = (int (*)(int))leave;",
            "call = half;",
            "n = 1;",
            "call = (int (*)(int))other;",
        ]);
        let leave = self.one(&["pthread_exit(0);", "if (!n) pthread_exit(0);"]);
        let threads = self.pair(call, change);
        Parts {
            functions: vec![
                function("int half(int x)", &["if (x < 2) return x;", "n = 2;"]),
                function("_Noreturn void leave(void)", &[leave]),
                function("long other(long x)", &["return x + 1;"]),
                function("int plus(int x)", &["return x + 1;"]),
            ],
            globals: vec![
                "int plus(int), half(int); void leave(void); long other(long); int (*call)(int) = plus;".into(),
            ],
            threads,
            ..Parts::default()
        }
    }

    /// Writes to what is constant.
    pub(super) fn constant(&mut self) -> Parts {
        let write = self.one(&[
            "if (slot) *slot = 1;",
            "if (go) *slot = 1;",
            "char *text = go ? \"a\" : (char *)table; text[0] = 'b';",
            "t = *slot;",
        ]);
        let change = self.one(&["slot = table;", "go = 1;", "slot = (int *)&fixed; go = 1;"]);
        let threads = self.pair(write, change);
        Parts {
            globals: vec!["const int fixed = 3;".into()],
            before: vec![block(
                "if (__VERIFIER_nondet_bool())",
                lines(&["slot = (int *)&fixed;"]),
            )],
            threads,
            after: vec![line("t = fixed;")],
            ..Parts::default()
        }
    }
}
