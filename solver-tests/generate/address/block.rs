//! Blocks: storage that `realloc` moves or not, and large copies of pointers.

use super::{Parts, Writer, lines};

impl Writer {
    /// Storage that `realloc` leaves where it is or moves, while another thread looks, or allocates.
    pub(super) fn moved(&mut self) -> Parts {
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
    pub(super) fn blocks(&mut self) -> Parts {
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
}
