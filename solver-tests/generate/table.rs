//! Idioms of arrays that are too long to list: indices are inputs, arguments, or come from shared memory.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Statement, line};

impl Writer {
    /// An index into the long array.
    fn table_index(&mut self) -> String {
        let all = [
            "t & 63",
            "(unsigned)t % 60",
            "last",
            "last + 1",
            "(long)arg",
            "(long)arg + last",
            "2",
            "t * 2 & 63",
        ];
        self.random.pick(&all).to_string()
    }

    /// Entries of a long table are written, read, moved and counted.
    pub(super) fn table(&mut self, workers: usize) -> Parts {
        let (declaration, entry) = *self.random.pick(&[
            ("int table[64]", ""),
            ("unsigned char table[64]", ""),
            ("struct entry { short key; int value; } table[64]", ".value"),
            ("struct entry { char key; char value; } table[64]", ".value"),
            ("long table[64]", ""),
        ]);
        self.add_global(&format!("{declaration}; int last;"));
        let record = !entry.is_empty();
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let mut body = Vec::new();
                if self.random.chance(50) {
                    body.push(line("t = __VERIFIER_nondet_int();"));
                    body.push(line("__VERIFIER_assume(t >= 0 && t < 3);"));
                }
                let count = self.random.between(1, 2);
                let work: Vec<Statement> = (0..count)
                    .map(|_| self.table_statement(entry, record))
                    .collect();
                body.push(self.protect(how, work));
                body
            })
            .collect();
        let value = self.random.between(0, 3);
        let last = match self.random.below(6) {
            0 => format!("table[last]{entry} != {value}"),
            1 => format!("table[2]{entry} + table[1]{entry} < {value} + 1"),
            2 => format!("table[0]{entry} == table[last]{entry} || last"),
            3 => format!("last <= {value}"),
            4 => format!("table[1]{entry} != 1 || table[last & 3]{entry} <= {value}"),
            _ => format!("table[t & 3]{entry} <= {workers}"),
        };
        (bodies, vec![line(format!("assert({last});"))])
    }

    /// Elements of a long array that nobody has filled: unknown, but the same whenever they are read.
    pub(super) fn unknown_elements(&mut self, workers: usize) -> Parts {
        self.add_global("unsigned char *shared;");
        let block = *self.random.pick(&[
            "unsigned char block[64];",
            "unsigned char *block = malloc(64);",
            "unsigned char *block = calloc(64, 1);",
        ]);
        let second = *self.random.pick(&["t", "__VERIFIER_nondet_int()"]);
        let condition = *self.random.pick(&["t == u", "t == u", "t <= u"]);
        let mut body = vec![
            line(block),
            line("t = __VERIFIER_nondet_int() & 3;"),
            line(format!("int u = {second} & 3;")),
            line("unsigned char x = block[t] & 1, y = block[u] & 1;"),
            line(format!("if ({condition}) assert(x == y);")),
        ];
        match self.random.below(3) {
            0 => body.insert(1, line("shared = block;")),
            1 => body.insert(1, line("block[1] = 1;")),
            _ => {}
        }
        let mut bodies = vec![body; workers];
        if workers > 1 {
            bodies[workers - 1] = vec![line("if (shared) shared[2] = 0;")];
        }
        (bodies, vec![])
    }

    fn table_statement(&mut self, entry: &str, record: bool) -> Statement {
        let index = self.table_index();
        let other = self.table_index();
        let value = self.random.between(1, 2);
        line(match self.random.below(9) {
            0 | 1 => format!("table[{index}]{entry} = {value};"),
            2 | 3 => format!("table[{index}]{entry}++;"),
            4 => "last++;".into(),
            5 => format!("table[last++ & 63]{entry} = {value};"),
            6 => format!("table[{index}] = table[{other}];"),
            7 if record => format!("table[{index}].key = table[{other}].value;"),
            7 => format!("((unsigned char *)table)[{index}] = {value};"),
            _ => format!("if (table[{index}]{entry}) last = {value};"),
        })
    }
}
