//! Addresses within words: tags, packing, xor, bytes, fields, distances, and atomic updates of them.

use super::{Parts, Writer, lines, locked};
use crate::program::{block, line};

impl Writer {
    /// A tagged pointer in a shared word.
    pub(super) fn tagged(&mut self) -> Parts {
        let high = self.wide && self.random.chance(50);
        let (set, clear, tag) = if high {
            ("| (1ul << 48)", "& 0xfffffffffffful", "k0 >> 48")
        } else {
            ("| 1", "& ~(uintptr_t)1", "k0 & 1")
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
    pub(super) fn packed(&mut self) -> Parts {
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

    /// Two addresses in one word.
    pub(super) fn xor(&mut self) -> Parts {
        let (first, second) = *self.random.pick(&[
            ("&s0", "&s1"),
            ("p0", "&s1"),
            ("p0", "p1"),
            ("&n0.value", "p1"),
        ]);
        let both = format!("k0 = (uintptr_t){first} ^ (uintptr_t){second};");
        let start = *self.random.pick(&[first, second]);
        let used = match self.random.below(5) {
            0 => "q = (int *)u; *q = 1;".to_string(),
            1 => "q = (int *)u; t = *q; n = t;".to_string(),
            2 => format!("assert(u == (uintptr_t){second});"),
            3 => format!("assert((k0 & 4080) || (k0 >> 12) || {first} == {second});"),
            _ => format!("q = (int *)u; if (q != {second}) *q = 1;"),
        };
        let change = *self.random.pick(&[
            "n = 1;",
            "free(p0); p0 = malloc(4); *p0 = 2;",
            "s1 = 1;",
            "k0 ^= 4;",
        ]);
        let claim = *self.random.pick(&[
            "assert(s1 == 0);",
            "assert(*p1 == 0);",
            "assert(s0 + s1 + n < 2);",
        ]);
        Parts {
            before: lines(&["p0 = malloc(4); p1 = malloc(4); *p0 = *p1 = 0;", &both]),
            threads: vec![
                lines(&[&format!("u = k0 ^ (uintptr_t){start};"), &used]),
                lines(&[change]),
            ],
            after: lines(&[claim]),
            ..Parts::default()
        }
    }

    /// Pointers that are copied as bytes, while another thread changes them.
    pub(super) fn copied(&mut self) -> Parts {
        let copy = *self.random.pick(&[
            "memcpy(&q, &p0, sizeof q);",
            "memcpy(&u, &p0, sizeof u); q = (int *)u;",
            "q = 0; memcpy(&q, &p0, sizeof q / 2); memcpy((char *)&q + sizeof q / 2, (char *)&p0 + sizeof q / 2, sizeof q / 2);",
            "struct pair { int *x, *y; } a = {p0, p1}, b; memcpy(&b, &a, sizeof b); q = b.x; r = b.y;",
            "union { int *x; uintptr_t y; unsigned char z[sizeof(int *)]; } a; a.x = p0; a.z[0] ^= 4; a.y ^= 4; q = a.x;",
            "memcpy((char *)&q, (char *)&p0, 3); memcpy((char *)&q + 3, (char *)&p0 + 3, sizeof q - 3);",
        ]);
        let change = *self.random.pick(&[
            "p0 = &s1;",
            "p0 = malloc(4); *p0 = 0;",
            "s0 = 1;",
            "free(p1); p1 = 0;",
        ]);
        let used = *self.random.pick(&[
            "assert(*q == 0);",
            "*q = 1;",
            "assert(q == p0);",
            "assert((uintptr_t)q != (uintptr_t)r);",
        ]);
        Parts {
            before: lines(&["p0 = &s0; p1 = malloc(4); *p1 = 0;"]),
            threads: vec![lines(&[copy, used]), lines(&[change])],
            after: lines(&["assert(s0 + s1 < 2);"]),
            ..Parts::default()
        }
    }

    /// Parts of an address that are stored and loaded alone.
    pub(super) fn parts_of_words(&mut self) -> Parts {
        let (half, shift) = if self.wide {
            ("unsigned", 32)
        } else {
            ("unsigned short", 16)
        };
        let object = *self.random.pick(&["p0", "&s0", "p1"]);
        let split = match self.random.below(5) {
            0 => format!(
                "{half} low = ({half})k0, high = ({half})(k0 >> {shift}); v = (uintptr_t)high << {shift} | low;"
            ),
            1 => format!("{half} low = *({half} *)&k0; v = (k0 >> {shift} << {shift}) | low;"),
            2 => "((unsigned char *)&k0)[0] ^= 4; v = k0 ^ 4;".to_string(),
            3 => format!("*({half} *)&v = *({half} *)&k0; (({half} *)&v)[1] = (({half} *)&k0)[1];"),
            _ => format!("v = ({half})k0;"),
        };
        let used = *self.random.pick(&[
            "q = (int *)v; if (v == k0) *q = 1;",
            "assert(v == k0);",
            "q = (int *)v; *q = 1;",
            "assert(v);",
            "if (v != k0) n = 1;",
        ]);
        let change = *self
            .random
            .pick(&["n = 1;", "k0 = (uintptr_t)&s1;", "k0 = (uintptr_t)p1;"]);
        Parts {
            before: lines(&[
                "p0 = malloc(4); p1 = malloc(4); *p0 = *p1 = 0;",
                &format!("k0 = (uintptr_t){object};"),
            ]),
            threads: vec![lines(&[&split, used]), lines(&[change])],
            after: lines(&["assert(s0 == 0);"]),
            ..Parts::default()
        }
    }

    /// A pointer and a tag as bit-fields.
    pub(super) fn fields(&mut self) -> Parts {
        let (low, high) = if self.wide { (48, 16) } else { (30, 2) };
        let object = *self.random.pick(&["&s0", "malloc(4)", "&byte0"]);
        let set =
            *self
                .random
                .pick(&["one.tag = 1;", "one.tag++;", "one.at += 4;", "one.at = k1;"]);
        let used = *self.random.pick(&[
            "q = (int *)(uintptr_t)one.at; *(char *)q = 1;",
            "assert((uintptr_t)one.at == k0);",
            "u = one.at; assert(u - k0 < 4);",
            "assert(one.tag == 0);",
        ]);
        Parts {
            globals: vec![format!(
                "struct tagged {{ uintptr_t at : {low}; uintptr_t tag : {high}; }} one;"
            )],
            before: lines(&[&format!(
                "k0 = (uintptr_t){object}; k1 = (uintptr_t)&s1; one.at = k0;"
            )]),
            threads: vec![
                vec![locked(lines(&[set]))],
                vec![if self.random.chance(50) {
                    locked(lines(&[used]))
                } else {
                    block("", lines(&[used]))
                }],
            ],
            after: lines(&["assert(s0 == 0);"]),
        }
    }

    /// The way from one object to another as a number.
    pub(super) fn distance(&mut self) -> Parts {
        let (first, second) = *self.random.pick(&[
            ("&s0", "&s1"),
            ("p0", "p1"),
            ("&s0", "p1"),
            ("&n0.value", "&n1.value"),
        ]);
        let back = match self.random.below(4) {
            0 => format!("(int *)((uintptr_t){first} + k0)"),
            1 => format!("(int *)((char *){first} + k0)"),
            2 => format!("(int *)(k0 - (0 - (uintptr_t){first}))"),
            _ => format!("(int *)((uintptr_t){second} - k0)"),
        };
        let used = match self.random.below(4) {
            0 => format!("assert(q == {second});"),
            1 => "*q = 1;".to_string(),
            2 => "assert(k0 < 4096 || (intptr_t)k0 < 0);".to_string(),
            _ => "t = *q; n = t;".to_string(),
        };
        let change =
            *self
                .random
                .pick(&["n = 1;", "free(p1); p1 = malloc(4); *p1 = 1;", "s1 = 1;"]);
        Parts {
            before: lines(&[
                "p0 = malloc(4); p1 = malloc(4); *p0 = *p1 = 0;",
                &format!("k0 = (uintptr_t){second} - (uintptr_t){first};"),
            ]),
            threads: vec![lines(&[&format!("q = {back};"), &used]), lines(&[change])],
            after: lines(&["assert(s1 + n + *p1 < 2);"]),
            ..Parts::default()
        }
    }

    /// Atomic updates of words that hold addresses.
    pub(super) fn updates(&mut self) -> Parts {
        let update = |writer: &mut Writer| {
            let all = [
                "u = __atomic_fetch_or(&k0, 1, __ATOMIC_SEQ_CST);",
                "u = __atomic_fetch_xor(&k0, 1, __ATOMIC_SEQ_CST);",
                "u = __atomic_fetch_and(&k0, ~(uintptr_t)3, __ATOMIC_SEQ_CST);",
                "u = __atomic_fetch_add(&k0, 4, __ATOMIC_SEQ_CST);",
                "u = __atomic_fetch_xor(&k0, (uintptr_t)&s1, __ATOMIC_SEQ_CST);",
                "u = __atomic_exchange_n(&k0, (uintptr_t)&s1, __ATOMIC_SEQ_CST);",
                "u = k0; __sync_bool_compare_and_swap(&k0, u & ~(uintptr_t)1, (uintptr_t)p1);",
                "u = __atomic_fetch_sub(&k0, (uintptr_t)&s1, __ATOMIC_SEQ_CST);",
                "u = __atomic_fetch_nand(&k0, 3, __ATOMIC_SEQ_CST);",
            ];
            *writer.random.pick(&all)
        };
        let used = *self.random.pick(&[
            "q = (int *)(k0 & ~(uintptr_t)3); if (q) *q = 1;",
            "assert(u != k0);",
            "if (u == (uintptr_t)p0) n = 1;",
            "assert((k0 & 1) == 0);",
        ]);
        let object = *self.random.pick(&["p0", "&s0", "p1"]);
        let (first, second) = (update(self), update(self));
        Parts {
            before: lines(&[
                "p0 = malloc(4); p1 = malloc(4); *p0 = *p1 = 0;",
                &format!("k0 = (uintptr_t){object};"),
            ]),
            threads: vec![lines(&[first, used]), lines(&[second])],
            after: vec![line(*self.random.pick(&[
                "assert(*p1 == 0);",
                "assert(s1 == 0);",
                "assert(k0 != (uintptr_t)p0);",
            ]))],
            ..Parts::default()
        }
    }
}
