//! Idioms of atomic operations on objects of all widths, and on structures.

use super::Writer;
use super::idiom::Parts;
use crate::program::line;

impl Writer {
    /// Atomic operations on objects of some width.
    pub(super) fn widths(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&[
            "char",
            "unsigned char",
            "short",
            "int",
            "long",
            "unsigned long",
            "__int128",
            "_Bool",
        ]);
        let atomic = self.random.chance(50);
        self.add_global(&if atomic {
            format!("_Atomic({ty}) k;")
        } else {
            format!("{ty} k;")
        });
        let flips = ty == "_Bool";
        let bodies = (0..workers)
            .map(|_| {
                let text = match (atomic, flips) {
                    (true, true) => *self.random.pick(&[
                        "if (atomic_exchange(&k, 1)) atomic_store(&k, 1);",
                        "_Bool e = 0; atomic_compare_exchange_strong(&k, &e, 1);",
                        "k |= 1;",
                        "atomic_store_explicit(&k, 1, memory_order_release);",
                    ]),
                    (false, true) => *self.random.pick(&[
                        "if (__atomic_test_and_set(&k, 5)) t = 1;",
                        "__sync_lock_test_and_set(&k, 1);",
                        "_Bool o = 1; __atomic_store(&k, &o, 5);",
                    ]),
                    (true, false) => *self.random.pick(&[
                        "k++;",
                        "k += 1;",
                        "atomic_fetch_add_explicit(&k, 1, memory_order_relaxed);",
                        "__typeof__(atomic_load(&k)) e = atomic_load(&k); while (!atomic_compare_exchange_weak(&k, &e, e + 1)) ;",
                        "k = k + 1;",
                        "t = atomic_load(&k); atomic_store(&k, t + 1);",
                    ]),
                    (false, false) => *self.random.pick(&[
                        "__atomic_fetch_add(&k, 1, 5);",
                        "__sync_add_and_fetch(&k, 1);",
                        "__atomic_sub_fetch(&k, -1, 0);",
                        "__typeof__(k) e, d; __atomic_load(&k, &e, 5); do d = e + 1; while (!__atomic_compare_exchange(&k, &e, &d, 1, 5, 5));",
                        "__typeof__(k) e = k; while (!__sync_bool_compare_and_swap(&k, e, e + 1)) e = k;",
                        "__typeof__(k) e = k, o; e++; __atomic_exchange(&k, &e, &o, 5);",
                    ]),
                };
                vec![line(text)]
            })
            .collect();
        let total = if flips { 1 } else { workers };
        (bodies, vec![line(format!("assert(k == {total});"))])
    }

    /// A structure that is read and written at once, or member by member.
    pub(super) fn atomic_record(&mut self, workers: usize) -> Parts {
        let (low, high) = *self.random.pick(&[
            ("char", "char"),
            ("int", "int"),
            ("short", "int"),
            ("long", "long"),
        ]);
        let atomic = if self.random.chance(65) {
            "_Atomic "
        } else {
            ""
        };
        self.add_global(&format!(
            "struct two {{ {low} a; {high} b; }}; {atomic}struct two both;"
        ));
        let bodies = (0..workers)
            .map(|i| match i % 2 {
                0 => vec![line("struct two next = {1, 1};"), line("both = next;")],
                _ => vec![
                    line("struct two seen = both;"),
                    line("assert(seen.a == seen.b);"),
                ],
            })
            .collect();
        let last = match workers {
            1 => vec![
                line("struct two seen = both;"),
                line("assert(seen.a == seen.b);"),
            ],
            _ => vec![line("struct two end = both;"), line("assert(end.a == 1);")],
        };
        (bodies, last)
    }
}
