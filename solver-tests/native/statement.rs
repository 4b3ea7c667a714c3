//! Statements: each changes one thing, or calls one function.

use super::expression::has_pointer;
use super::shape::{INTS, Shape, Variable, declare, named, type_name};
use super::writer::Writer;

impl Writer {
    pub fn block(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 5) {
            if self.room == 0 {
                return;
            }
            self.room -= 1;
            self.statement(depth);
        }
    }

    /// A block of its own scope, in braces.
    fn braces(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        let mark = self.open();
        self.block(depth);
        self.close(mark);
        self.line("}");
    }

    fn statement(&mut self, depth: usize) {
        let p = self.prefix.clone();
        match self.random.below(if depth == 0 { 12 } else { 24 }) {
            0 if self.random.chance(70) => self.number_assignment(),
            0..=4 => self.assignment(),
            5 | 6 => self.declaration(),
            7 => {
                if self.random.chance(30) {
                    return self.mix_number(3);
                }
                let value = self.expr(3);
                self.line(&format!("{p}mix({value});"));
            }
            8 | 9 => self.call(),
            10 => self.pointer_statement(),
            11 => self.increment(),
            12..=14 => {
                let condition = self.condition();
                self.braces(&format!("if ({condition})"), depth - 1);
                if self.random.chance(50) {
                    self.braces("else", depth - 1);
                }
            }
            15..=17 => self.loop_statement(depth - 1),
            18 | 19 => self.switch(depth - 1),
            20 => self.goto(depth - 1),
            21 => self.braces("", depth - 1),
            _ => self.idiom(),
        }
    }

    fn assignment(&mut self) {
        let Some(target) = self.target() else { return };
        let wide_field = target.width.is_some_and(|w| w >= 32);
        let value = self.expr(3);
        let text = target.text;
        match self.random.below(9) {
            0..=3 => self.line(&format!("{text} = {value};")),
            4 | 5 => {
                let op = *self.random.pick(&["+=", "-=", "^=", "|=", "&=", "*="]);
                self.line(&format!("{text} {op} {value};"));
            }
            6 if !wide_field => {
                let op = *self.random.pick(&["<<=", ">>="]);
                let bits = match target.width {
                    Some(_) => 32,
                    None => target.int.promoted_bits(),
                };
                self.line(&format!("{text} {op} ({value}) & {};", bits - 1));
            }
            7 if !wide_field => {
                let op = *self.random.pick(&["/=", "%="]);
                self.line(&format!("{text} {op} (({value}) & 7) + 1;"));
            }
            _ => {
                // The value of an assignment is that of its left side afterwards.
                let p = self.prefix.clone();
                let name = target.int.name;
                self.line(&format!("{p}mix(({name})({text} = {value}));"));
            }
        }
    }

    fn increment(&mut self) {
        let Some(target) = self.target() else { return };
        let p = self.prefix.clone();
        let (text, name) = (target.text, target.int.name);
        let op = *self.random.pick(&["++", "--"]);
        match self.random.below(3) {
            0 => self.line(&format!("{op}{text};")),
            1 => self.line(&format!("{p}mix(({name}){text}{op});")),
            _ => self.line(&format!("{p}mix(({name})({op}{text}));")),
        }
    }

    fn declaration(&mut self) {
        let shape = self.shape();
        // A name of an outer scope may be hidden, by something that does not read it.
        let hidden = self.random.chance(10) && self.locals.len() > 1;
        let (name, init) = if hidden {
            let name = self.locals[0].name.clone();
            if self.locals.iter().filter(|v| v.name == name).count() > 1 || self.body.is_empty() {
                return;
            }
            let int = self.int();
            let (value, inner) = (self.small_constant(), self.small_constant());
            let p = self.prefix.clone();
            self.line(&format!(
                "{{ {} {name} = {value}; {name} += {inner}; {p}mix({name}); }}",
                int.name
            ));
            return;
        } else {
            let init = self.initialiser(&shape, false);
            (self.name("x"), init)
        };
        let constant = self.random.chance(10) && !has_pointer(self, &shape);
        let word = match self.random.below(12) {
            0 if constant => "const ",
            1 => "volatile ",
            2 if self.loops == 0 => "register ",
            _ => "",
        };
        // What is in a register has no address, and its elements no index.
        let word = match (word, &shape) {
            ("register ", shape) if !matches!(shape, Shape::Int(_)) => "",
            (word, _) => word,
        };
        if self.random.chance(12) && word.is_empty() {
            let init = self.initialiser(&shape, true);
            let declaration = declare(&self.records, &shape, &name);
            self.line(&format!("static {declaration} = {init};"));
        } else {
            let declaration = declare(&self.records, &shape, &name);
            self.line(&format!("{word}{declaration} = {init};"));
        }
        self.locals.push(Variable {
            name,
            shape,
            fixed: word == "const ",
        });
    }

    /// A call, its value added to the checksum or stored.
    fn call(&mut self) {
        if self.functions.is_empty() {
            return;
        }
        let function = self.random.pick(&self.functions).clone();
        let mut args = Vec::new();
        for param in &function.params {
            args.push(match param {
                Shape::Int(_) => self.expr(2),
                Shape::Float(_) => self.number(2),
                Shape::Pointer(to, length) => self.pointer_value(to, *length, false),
                Shape::Record(id) => self.record_argument(*id),
                _ => "0".to_string(),
            });
        }
        let p = self.prefix.clone();
        let call = format!("{}({})", function.name, args.join(", "));
        match &function.result {
            Shape::Float(_) => self.line(&format!("{p}mixd({call});")),
            Shape::Record(id) => {
                let name = self.name("r");
                let type_name = type_name(&self.records[*id]);
                self.line(&format!("{{ {type_name} {name} = {call};"));
                self.mix_all(&name, &function.result);
                self.line("}");
            }
            _ => match self.random.below(4) {
                0 => {
                    let Some(target) = self.target() else { return };
                    // The place is chosen by what the call does not change.
                    let value = self.name("v");
                    self.line(&format!("unsigned long {value} = {call};"));
                    self.line(&format!("{} = {value};", target.text));
                }
                1 => {
                    let condition = self.condition();
                    self.line(&format!("{p}mix(({condition}) && {call});"));
                }
                2 => {
                    let (condition, other) = (self.condition(), self.expr(1));
                    self.line(&format!("{p}mix(({condition}) ? {call} : {other});"));
                }
                _ => self.line(&format!("{p}mix({call});")),
            },
        }
    }

    pub(super) fn record_argument(&mut self, id: usize) -> String {
        let wanted = Shape::Record(id);
        let visible = self.visible();
        let same: Vec<_> = visible.iter().filter(|v| v.shape == wanted).collect();
        if !same.is_empty() && self.random.chance(60) {
            return self.random.pick(&same).name.clone();
        }
        let init = self.initialiser(&wanted, false);
        format!("({}){init}", type_name(&self.records[id]))
    }

    /// Pointers to places in arrays: moved, compared, subtracted, followed.
    fn pointer_statement(&mut self) {
        let arrays: Vec<(String, Shape, usize, bool)> = self
            .visible()
            .into_iter()
            .filter_map(|v| match v.shape {
                Shape::Array(element, length) => Some((v.name, *element, length, v.fixed)),
                _ => None,
            })
            .collect();
        if arrays.is_empty() {
            return;
        }
        let (array, element, length, fixed) = self.random.pick(&arrays).clone();
        let p = self.prefix.clone();
        let (a, b) = (self.name("p"), self.name("q"));
        let to = declare(&self.records, &element, "");
        let pointer = |name: &str| match &element {
            Shape::Array(..) => format!("__typeof__(&{array}[0]) {name}"),
            _ => format!("__typeof__({to}) *{name}"),
        };
        let quals = if fixed { "const " } else { "volatile " };
        let (i, j) = (self.random.below(length), self.random.below(length + 1));
        let by = self.expr(0);
        self.line("{");
        self.line(&format!(
            "{}{} = &{array}[{i}];",
            if matches!(element, Shape::Array(..)) {
                ""
            } else {
                quals
            },
            pointer(&a)
        ));
        self.line(&format!(
            "{}{} = {array} + {j};",
            if matches!(element, Shape::Array(..)) {
                ""
            } else {
                quals
            },
            pointer(&b)
        ));
        self.line(&format!(
            "{p}mix({b} - {a}); {p}mix({a} < {b}); {p}mix({a} == {b}); {p}mix(({a} <= {b}) + 2 * ({a} != {b}));"
        ));
        self.line(&format!(
            "{p}mix((char *){b} - (char *){a}); {p}mix((unsigned long){b} - (unsigned long){a});"
        ));
        self.line(&format!(
            "{a} = {array} + (unsigned)({by}) % {length}; {p}mix({a} - {array}); if ({a} > {array}) {a}--; {p}mix({a}++ - {array}); {a} -= 1;"
        ));
        if let Shape::Int(int) = element {
            let value = self.expr(1);
            if !fixed {
                self.line(&format!("*{a} = {value}; *{a} ^= 1;"));
            }
            self.line(&format!(
                "{p}mix(*{a}); {p}mix(((unsigned char *){a})[sizeof({}) - 1]);",
                int.name
            ));
        }
        self.line("}");
    }

    fn loop_statement(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.assignment();
        }
        let i = self.name("i");
        let count = self.random.between(1, 5);
        let exits = |writer: &mut Writer| {
            if writer.random.chance(35) {
                let condition = writer.condition();
                let word = *writer.random.pick(&["break", "continue"]);
                writer.line(&format!("if ({condition}) {word};"));
            }
        };
        let kind = self.random.below(4);
        let int = *self
            .random
            .pick(&["int", "unsigned", "signed char", "unsigned long", "short"]);
        self.line("{");
        self.line(&match kind {
            0 => format!("for ({int} {i} = 0; {i} < {count}; {i}++) {{"),
            1 => format!("for ({int} {i} = {count}; {i} > 0; --{i}) {{"),
            2 => format!("{int} {i} = 0; while ({i}++ < {count}) {{"),
            _ => format!("{int} {i} = 0; do {{"),
        });
        let mark = self.open();
        self.locals.push(Variable {
            name: i.clone(),
            shape: Shape::Int(named("int")),
            fixed: true,
        });
        self.loops += 1;
        exits(self);
        self.block(depth);
        exits(self);
        self.loops -= 1;
        self.close(mark);
        self.line(&match kind {
            3 => format!("}} while (++{i} < {count});"),
            _ => "}".to_string(),
        });
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expr(2);
        let int = *self.random.pick(&INTS[1..]);
        let head = match self.random.below(3) {
            0 => format!("({value}) & 7"),
            1 => format!("(unsigned)({value}) % 6"),
            _ => format!("({})({value})", int.name),
        };
        self.line(&format!("switch ({head}) {{"));
        let mut cases: Vec<String> = ["0", "1", "2", "3 ... 5", "'A'", "7", "100 ... 125"]
            .map(str::to_string)
            .to_vec();
        let middle = self.random.below(cases.len());
        let keep = self.random.between(2, cases.len() as i64) as usize;
        cases.truncate(keep);
        for (i, case) in cases.iter().enumerate() {
            if i == middle {
                self.braces("default:", depth);
                if self.random.chance(50) {
                    self.line("break;");
                }
            }
            self.braces(&format!("case {case}:"), depth);
            if self.random.chance(60) {
                self.line("break;");
            }
        }
        self.line("}");
    }

    fn goto(&mut self, depth: usize) {
        let label = self.name("l");
        let condition = self.condition();
        match self.random.below(3) {
            0 => {
                self.line(&format!("if ({condition}) goto {label};"));
                self.braces("", depth);
                self.line(&format!("{label}: ;"));
            }
            1 => {
                let n = self.name("n");
                self.line(&format!("{{ int {n} = 0; {label}:"));
                self.braces("", depth);
                self.line(&format!("if (++{n} < 3 && ({condition})) goto {label}; }}"));
            }
            _ => {
                // Into a loop.
                let n = self.name("n");
                self.line(&format!("{{ int {n} = 1; if ({condition}) goto {label};"));
                self.line(&format!("for ({n} = 0; {n} < 3; {n}++) {{"));
                let target = self.target().map(|t| t.text);
                if let Some(target) = &target {
                    self.line(&format!("{target} += {n};"));
                }
                self.line(&format!("{label}:"));
                self.braces("", 0);
                self.line("} }");
            }
        }
    }
}
