//! Idioms of structures and unions, and of narrow and wide accesses to the same bytes.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Statement, block, line};

impl Writer {
    /// Nested structures and arrays of them, copied whole or by parts.
    pub(super) fn nested_records(&mut self, workers: usize) -> Parts {
        self.add_global("struct inner { char tag; short value; };");
        self.add_global("struct outer { struct inner in[2]; char sum; } all, copy;");
        let write = match self.random.below(3) {
            0 => vec![
                line("struct outer next = { { { 1, 1 }, { 1, 1 } }, 2 };"),
                line("all = next;"),
            ],
            1 => vec![
                line("struct inner one = { 1, 1 };"),
                line("all.in[0] = one;"),
                line("all.in[1] = all.in[0];"),
                line("all.sum = 2;"),
            ],
            _ => vec![
                line("all.in[t & 1].value = 1;"),
                line("all.in[(t & 1) ^ 1].value++;"),
                line("all.sum = 2;"),
            ],
        };
        let read = match self.random.below(3) {
            0 => vec![
                line("struct outer seen = all;"),
                line("assert(seen.in[0].value + seen.in[1].value == seen.sum);"),
            ],
            1 => vec![
                line("copy = all;"),
                line("assert(copy.in[1].value * 2 == copy.sum);"),
            ],
            _ => vec![
                line("struct inner *i = &all.in[1];"),
                line("assert(i->value == i[-1].value);"),
            ],
        };
        self.writer_and_readers(workers, write, read)
    }

    fn writer_and_readers(
        &mut self,
        workers: usize,
        write: Vec<Statement>,
        read: Vec<Statement>,
    ) -> Parts {
        let how = self.protections(workers.max(2));
        let bodies = (0..workers)
            .map(|i| {
                let work = if i == 0 { write.clone() } else { read.clone() };
                vec![self.protect(how[i], work)]
            })
            .collect();
        let last = if self.random.chance(70) { read } else { vec![] };
        (bodies, last)
    }

    /// From a member's address back to the structure.
    pub(super) fn container(&mut self, workers: usize) -> Parts {
        self.add_global("struct item { short key; int chain; } items[2];");
        self.add_global("int *chain = &items[0].chain;");
        let back = *self.random.pick(&[
            "(struct item *)((char *)chain - __builtin_offsetof(struct item, chain))",
            "(struct item *)((char *)chain - (unsigned long)&((struct item *)0)->chain)",
        ]);
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .enumerate()
            .map(|(i, how)| {
                let work = match i % 2 {
                    0 => vec![
                        line(format!("struct item *own = {back};")),
                        line("own->key++;"),
                    ],
                    _ => vec![line("chain = &items[1].chain;"), line("*chain = 1;")],
                };
                vec![self.protect(how, work)]
            })
            .collect();
        let writers = workers.div_ceil(2);
        let wanted = match self.random.below(3) {
            0 => format!("items[0].key + items[1].key == {writers}"),
            1 => "items[1].key == 0".to_string(),
            _ => format!("items[0].key <= {writers} && items[1].chain <= 1"),
        };
        (bodies, vec![line(format!("assert({wanted});"))])
    }

    /// A word, and its bytes by another name.
    pub(super) fn punned(&mut self, workers: usize) -> Parts {
        let declaration = *self.random.pick(&[
            "union view { unsigned word; unsigned short half[2]; unsigned char byte[4]; } view;",
            "union view { unsigned word; struct { unsigned short half[2]; }; unsigned char byte[4]; } view;",
        ]);
        self.add_global(declaration);
        let write = match self.random.below(5) {
            0 => vec![line("view.word = 0x01010101;")],
            1 => vec![
                line("view.half[0] = 0x0101;"),
                line("view.half[1] = 0x0101;"),
            ],
            2 => vec![line("view.word += 0x01010101;")],
            3 => vec![line(
                "__atomic_fetch_add(&view.word, 0x01010101, __ATOMIC_SEQ_CST);",
            )],
            _ => vec![
                line("view.byte[t & 3] = 1;"),
                line("view.word = 0x01010101;"),
            ],
        };
        let read = match self.random.below(5) {
            0 => vec![line("assert(view.byte[0] == view.byte[3]);")],
            1 => vec![
                line("t = view.half[1];"),
                line("assert(t == 0 || t == 0x0101);"),
            ],
            2 => vec![line("assert(view.half[0] == (view.word & 0xffff));")],
            3 => vec![
                line("unsigned w = view.word;"),
                line("assert(w == 0 || w == 0x01010101);"),
            ],
            _ => vec![
                line("view.byte[1] = 1;"),
                line("assert((view.word & 0xff00) == 0x100);"),
            ],
        };
        self.writer_and_readers(workers, write, read)
    }

    /// Bytes of an integer are written one by one, the integer is read whole, or the other way round.
    pub(super) fn bytes_of_words(&mut self, workers: usize) -> Parts {
        let (ty, size) = *self
            .random
            .pick(&[("int", 4), ("unsigned short", 2), ("long", 8)]);
        self.add_global(&format!(
            "{ty} word; unsigned char *bytes = (unsigned char *)&word;"
        ));
        let top = size - 1;
        let write = match self.random.below(4) {
            0 => vec![line("bytes[0] = 1;"), line("bytes[1] = 2;")],
            1 => vec![line("*(unsigned short *)&word = 0x0201;")],
            2 => vec![line("word = 0x0201;")],
            _ => vec![line("*(1 + bytes) = 2;"), line("((char *)&word)[0] = 1;")],
        };
        let read = match self.random.below(4) {
            0 => vec![
                line(format!("{ty} seen = word;")),
                line("assert(seen == 0 || seen == 0x0201);"),
            ],
            1 => vec![
                line("t = bytes[1];"),
                line("assert(t == 0 || bytes[0] == 1);"),
            ],
            2 => vec![
                line(format!("bytes[{top}] = 0;")),
                line("assert(word <= 0x0201);"),
            ],
            _ => vec![
                line("t = bytes[0];"),
                line("assert(t == 0 || (word & 0xff) == 1);"),
            ],
        };
        self.writer_and_readers(workers, write, read)
    }

    /// A structure is filled and copied as bytes.
    pub(super) fn raw_copies(&mut self, workers: usize) -> Parts {
        self.add_global("struct raw { unsigned char x, y; };");
        self.add_global("_Alignas(4) struct raw one, two;");
        let write = match self.random.below(4) {
            0 => vec![line("memset(&one, 1, sizeof one);")],
            1 => vec![
                line("struct raw next = { 1, 1 };"),
                line("memcpy(&one, &next, sizeof one);"),
            ],
            2 => vec![line("*(unsigned short *)&one = 0x0101;")],
            _ => vec![line("one.x = 1;"), line("one.y = one.x;")],
        };
        let read = match self.random.below(3) {
            0 => vec![
                line("memcpy(&two, &one, 2);"),
                line("assert(two.x == two.y);"),
            ],
            1 => vec![line("assert(*(unsigned short *)&one % 0x101 == 0);")],
            _ => vec![
                line("struct raw seen = one;"),
                line("assert(seen.x == seen.y);"),
            ],
        };
        self.writer_and_readers(workers, write, read)
    }

    /// Structures of pointers: one thread changes what another reaches through two steps.
    pub(super) fn linked_records(&mut self, workers: usize) -> Parts {
        self.add_global("struct end { int low, high; } ends[2] = { { 0, 0 }, { 1, 1 } };");
        self.add_global("struct root { int use; struct end *end; } root = { 0, &ends[0] };");
        let how = self.protections(workers.max(2));
        let write = match self.random.below(3) {
            0 => vec![line("root.end = &ends[1];"), line("root.use = 1;")],
            1 => vec![line("root.end->low++;"), line("root.end->high++;")],
            _ => vec![
                line("struct root next = { 1, &ends[1] };"),
                line("root = next;"),
            ],
        };
        let read = match self.random.below(3) {
            0 => vec![
                line("struct end *e = root.end;"),
                line("assert(e->low == e->high);"),
            ],
            1 => vec![block(
                "if (root.use)",
                vec![line("assert(root.end == ends + 1 || root.end->low);")],
            )],
            _ => vec![
                line("struct root seen = root;"),
                line("assert(seen.end->high == seen.end->low);"),
                line("assert(!seen.use || seen.end != ends);"),
            ],
        };
        let bodies = (0..workers)
            .map(|i| {
                let work = if i == 0 { write.clone() } else { read.clone() };
                vec![self.protect(how[i], work)]
            })
            .collect();
        (bodies, read)
    }
}
