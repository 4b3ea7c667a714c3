//! Random statements over a small graph of records: pointers that all threads move, nodes that they allocate,
//! copy and free, members that they reach by several ways.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Function, Statement, block, line};

const CELLS: &str = "\
struct cell { short kind; int value; struct cell *next; };
struct cell c1, c2 = { 1, 1, &c1 }, cs[2];
struct cell *cur = &c1, *alt = &c2, **wp = &cur;
int *vp = &c1.value;";

impl Writer {
    /// Declares the graph, once.
    pub(super) fn declare_graph(&mut self) {
        if self.graph {
            return;
        }
        self.graph = true;
        self.add_global(CELLS);
        self.scalars
            .extend(["cur->value", "c2.value", "*vp"].map(String::from));
        if self.random.chance(30) {
            self.add_global("void mark(struct cell *c); void (*visit)(struct cell *) = mark;");
            let mark = vec![line("c->value = 2;")];
            let reset = vec![line("if (c->next) c->next->value--;")];
            for (name, body) in [("mark", mark), ("reset", reset)] {
                let head = format!("void {name}(struct cell *c)");
                self.helpers.push(Function { head, body });
            }
            self.visits = true;
        }
    }

    /// Nothing but statements over the graph, and an assertion about it.
    pub(super) fn graph_walk(&mut self, workers: usize) -> Parts {
        self.declare_graph();
        let most = if workers >= 3 { 2 } else { 3 };
        let how = self.protections(workers);
        let bodies = how
            .into_iter()
            .map(|how| {
                let count = self.random.between(1, most);
                let body: Vec<Statement> =
                    (0..count).flat_map(|_| self.graph_statement()).collect();
                match self.random.below(3) {
                    0 => vec![self.protect(how, body)],
                    _ => body,
                }
            })
            .collect();
        let assertion = self.graph_condition();
        (bodies, vec![line(format!("assert({assertion});"))])
    }

    /// An address of a cell: most of the time one that has an object.
    fn cell_address(&mut self) -> String {
        let all = [
            "&c1",
            "&c2",
            "cur",
            "alt",
            "cur->next",
            "c2.next",
            "*wp",
            "&cs[t & 1]",
            "cs + 1",
        ];
        self.random.pick(&all).to_string()
    }

    /// A pointer to a cell that can be assigned.
    fn cell_pointer(&mut self) -> &'static str {
        let all = ["cur", "cur", "alt", "alt", "cur->next", "c1.next", "(*wp)"];
        all[self.random.below(all.len())]
    }

    /// A condition over the graph.
    pub(super) fn graph_condition(&mut self) -> String {
        let value = self.random.between(0, 3);
        match self.random.below(9) {
            0 => "cur != alt".into(),
            1 => format!("cur->value != {value}"),
            2 => format!("c1.value + c2.value <= {value}"),
            3 => "!alt || alt->value >= 0".into(),
            4 => "cur->next != cur".into(),
            5 => format!("*vp != {value}"),
            6 => "vp == &cur->value || alt == 0".into(),
            7 => format!("cs[0].value + cs[1].kind < {value} + 1"),
            _ => format!("!c1.next || c1.next->value != {value}"),
        }
    }

    /// A statement over the graph.
    pub(super) fn graph_statement(&mut self) -> Vec<Statement> {
        let value = self.random.between(0, 3);
        let target = self.cell_pointer();
        let source = self.cell_address();
        let text = match self.random.below(22) {
            0..=2 => format!("{target} = {source};"),
            3 => format!("{target} = 0;"),
            4 => format!("cur->value = {value};"),
            5 => "alt->value++;".into(),
            6 => format!("vp = &{target}->value;"),
            7 => format!("*vp += {value};"),
            8 => "c1 = c2;".into(),
            9 => format!("*cur = {};", self.random.pick(&["*alt", "c2", "cs[1]"])),
            10 => format!("cs[t & 1] = *{target};"),
            11 => format!(
                "wp = {};",
                self.random
                    .pick(&["&cur", "&alt", "&cur->next", "&c1.next"])
            ),
            12 => "alt = __atomic_exchange_n(&cur, alt, __ATOMIC_SEQ_CST);".into(),
            13 => format!("__sync_bool_compare_and_swap(&cur, &c1, {source});"),
            14 => format!(
                "((unsigned char *)&cur->value)[{}] = {value};",
                self.random.below(4)
            ),
            15 => format!("*(short *)vp = {value};"),
            16 => format!("*(long *)&alt = *(long *)&{target};"),
            17 => {
                let next = self.cell_address();
                let make = *self.random.pick(&["malloc", "malloc", "calloc"]);
                let size = if make == "malloc" {
                    "sizeof *fresh"
                } else {
                    "1, sizeof *fresh"
                };
                let fill = if make == "malloc" || self.random.chance(50) {
                    format!("fresh->value = {value}; fresh->next = {next}; fresh->kind = 1;")
                } else {
                    String::new()
                };
                return vec![block(
                    "",
                    vec![
                        line(format!("struct cell *fresh = {make}({size}); {fill}")),
                        line(format!("{target} = fresh;")),
                    ],
                )];
            }
            18 => {
                return vec![block(
                    "",
                    vec![
                        line(format!("struct cell *old = {target};")),
                        line(
                            "if (old && old != &c1 && old != &c2 && old != cs && old != cs + 1) free(old);",
                        ),
                    ],
                )];
            }
            19 => {
                let condition = self.graph_condition();
                return vec![block(
                    "",
                    vec![
                        line(format!("struct cell *q = {condition} ? {source} : &cs[1];")),
                        line(format!("if (q) q->value = q->kind + {value};")),
                    ],
                )];
            }
            20 => {
                let change =
                    *self
                        .random
                        .pick(&["copy.value++;", "copy.next = cur;", "t = copy.value;"]);
                return vec![block(
                    "",
                    vec![
                        line(format!("struct cell copy = *{target};")),
                        line(change),
                        line(format!("*{target} = copy;")),
                    ],
                )];
            }
            _ if self.visits => {
                let call = self.random.pick(&[
                    "visit(cur);",
                    "visit = reset;",
                    "if (alt) (*visit)(alt);",
                    "visit = mark;",
                ]);
                call.to_string()
            }
            _ => {
                // A node that ends with its block, or with its thread.
                return vec![block(
                    "",
                    vec![
                        line(format!("struct cell here = {{ 1, {value}, cur }};")),
                        line(format!("{target} = &here;")),
                        line("here.value++;"),
                        line(if self.random.chance(50) {
                            format!("{target} = &c1;")
                        } else {
                            format!("if ({target} == &here) t = 1;")
                        }),
                    ],
                )];
            }
        };
        let statement = line(text);
        match self.random.below(6) {
            0 => {
                let condition = self.graph_condition();
                vec![block(format!("if ({condition})"), vec![statement])]
            }
            _ => vec![statement],
        }
    }
}
