//! The skeleton of a random program: records, objects with static storage, functions, and the statements in them.
//!
//! Only sequenced side effects occur: a statement changes one thing, or calls one function. Loops are bounded by
//! counters of their own, calls by the order of the functions and by fuel.

use super::expression::has_pointer;
use super::shape::{
    Field, Function, INTS, Record, Shape, Variable, declare, define, named, type_name,
};
use crate::random::Random;

/// A program being written.
pub struct Writer {
    pub random: Random,
    /// In front of every name at file scope.
    pub prefix: String,
    pub records: Vec<Record>,
    pub globals: Vec<Variable>,
    pub functions: Vec<Function>,
    /// Names of the functions with the one signature that is called through pointers.
    pub uniform: Vec<String>,
    /// Definitions of objects with static storage.
    pub static_objects: String,
    /// Text of the function that is being written.
    pub body: String,
    pub locals: Vec<Variable>,
    /// Literals of records around the expression that is being written.
    pub literals: usize,
    names: usize,
    /// Loops around the statement that is being written.
    loops: usize,
    /// Statements that the function may still have.
    room: usize,
}

/// The program of a seed: `unsigned long pSEED_run(void)` computes its value.
pub fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        prefix: format!("p{seed}_"),
        records: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        uniform: Vec::new(),
        static_objects: String::new(),
        body: String::new(),
        locals: Vec::new(),
        literals: 0,
        names: 0,
        loops: 0,
        room: 0,
    };
    writer.whole()
}

impl Writer {
    fn whole(&mut self) -> String {
        let p = self.prefix.clone();
        let mut head = format!(
            "enum {{ {p}E0, {p}E1 = {}, {p}E2, {p}E3 = -{} }};\n\
             static unsigned long {p}sum = 1;\nstatic int {p}fuel = 150;\n\
             static void {p}mix(unsigned long v) {{ {p}sum = {p}sum * 31 + v; {p}sum ^= {p}sum >> 29; }}\n",
            self.random.between(2, 900),
            self.random.between(1, 300)
        );
        for _ in 0..self.random.between(1, 4) {
            self.record(&mut head);
        }
        let count = self.random.between(1, 3);
        for i in 0..count {
            let name = format!("{p}u{i}");
            head.push_str(&format!(
                "static unsigned long {name}(unsigned long, int);\n"
            ));
            self.uniform.push(name);
        }
        for _ in 0..self.random.between(3, 6) {
            self.global();
        }
        let mut functions = String::new();
        for i in 0..count as usize {
            functions.push_str(&self.uniform_function(i));
        }
        for _ in 0..self.random.between(1, 3) {
            functions.push_str(&self.function());
        }
        let run = self.run();
        format!("{head}{}{functions}{run}", self.static_objects)
    }

    /// A new name.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        match stem {
            "g" | "f" => format!("{}{stem}{}", self.prefix, self.names),
            _ => format!("{stem}{}", self.names),
        }
    }

    /// Defines a record.
    fn record(&mut self, out: &mut String) {
        let tag = format!("{}S{}", self.prefix, self.records.len());
        let record = match self.random.chance(25) {
            true => self.union_record(tag),
            false => self.structure(tag),
        };
        let first = self.random.chance(40);
        out.push_str(&define(&self.records, &record, first));
        self.records.push(record);
    }

    /// A union whose members all have eight bytes.
    fn union_record(&mut self, tag: String) -> Record {
        let shapes = [
            ("unsigned long", 1),
            ("long", 1),
            ("unsigned", 2),
            ("short", 4),
            ("unsigned char", 8),
            ("signed char", 8),
        ];
        let mut fields = Vec::new();
        for (i, (name, length)) in shapes.into_iter().enumerate() {
            if i < 2 || self.random.chance(60) {
                let int = Shape::Int(named(name));
                fields.push(Field {
                    name: format!("m{i}"),
                    shape: match length {
                        1 => int,
                        n => Shape::Array(Box::new(int), n),
                    },
                    width: None,
                    align: 0,
                });
            }
        }
        Record {
            tag,
            is_union: true,
            fields,
            packed: false,
        }
    }

    fn structure(&mut self, tag: String) -> Record {
        let packed = self.random.chance(25);
        let mut fields = Vec::new();
        let count = self.random.between(2, 6);
        for i in 0..count {
            let name = format!("m{i}");
            let (shape, width) = match self.random.below(10) {
                0 | 1 => (Shape::Int(self.int()), None),
                2..=5 => {
                    let int = self.int();
                    let width = match int.bits {
                        1 => 1,
                        bits => 1 + self.random.below(bits as usize) as u32,
                    };
                    (Shape::Int(int), Some(width))
                }
                6 => {
                    let length = self.random.between(1, 4) as usize;
                    (Shape::Array(Box::new(Shape::Int(self.int())), length), None)
                }
                7 if !self.records.is_empty() => {
                    (Shape::Record(self.random.below(self.records.len())), None)
                }
                8 => {
                    let to = Shape::Int(self.int());
                    (Shape::Pointer(Box::new(to), 1 + self.random.below(3)), None)
                }
                _ => (Shape::Int(self.int()), None),
            };
            let align = match width.is_none() && self.random.chance(8) {
                true => 1 << self.random.below(5),
                false => 0,
            };
            fields.push(Field {
                name,
                shape,
                width,
                align,
            });
            if self.random.chance(12) {
                let int = self.int();
                fields.push(Field {
                    name: String::new(),
                    shape: Shape::Int(int),
                    width: Some(self.random.below(int.bits.min(8) as usize) as u32),
                    align: 0,
                });
            }
        }
        Record {
            tag,
            is_union: false,
            fields,
            packed,
        }
    }

    /// Some shape of a variable.
    fn shape(&mut self) -> Shape {
        match self.random.below(10) {
            0..=3 => Shape::Int(self.int()),
            4 | 5 => {
                let length = self.random.between(2, 8) as usize;
                Shape::Array(Box::new(Shape::Int(self.int())), length)
            }
            6 => {
                let inner = Shape::Array(Box::new(Shape::Int(self.int())), 3);
                Shape::Array(Box::new(inner), 2)
            }
            7 => {
                let record = Shape::Record(self.random.below(self.records.len()));
                let length = self.random.between(2, 3) as usize;
                Shape::Array(Box::new(record), length)
            }
            _ => Shape::Record(self.random.below(self.records.len())),
        }
    }

    fn global(&mut self) {
        let shape = match self.random.chance(15) {
            true => Shape::Pointer(Box::new(Shape::Int(self.int())), 1 + self.random.below(4)),
            false => self.shape(),
        };
        let name = self.name("g");
        let declaration = declare(&self.records, &shape, &name);
        let init = match has_pointer(self, &shape) || self.random.chance(70) {
            true => format!(" = {}", self.initialiser(&shape, true)),
            false => String::new(),
        };
        self.static_objects
            .push_str(&format!("static {declaration}{init};\n"));
        self.globals.push(Variable {
            name,
            shape,
            fixed: false,
        });
    }

    /// Variables that their names reach, innermost last.
    pub fn visible(&self) -> Vec<Variable> {
        let all = self.globals.iter().chain(&self.locals);
        all.cloned().collect()
    }

    pub fn line(&mut self, text: &str) {
        self.body.push_str("  ");
        self.body.push_str(text);
        self.body.push('\n');
    }

    fn open(&mut self) -> usize {
        self.locals.len()
    }

    fn close(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }

    fn start_function(&mut self, room: usize) {
        self.body.clear();
        self.locals.clear();
        self.loops = 0;
        self.room = room;
        let p = self.prefix.clone();
        self.line(&format!("if ({p}fuel-- <= 0) return 7;"));
    }

    /// A function that pointers may point to.
    fn uniform_function(&mut self, index: usize) -> String {
        self.start_function(4);
        self.locals = vec![
            local("ua", Shape::Int(named("unsigned long"))),
            local("ub", Shape::Int(named("int"))),
        ];
        let callable = std::mem::take(&mut self.functions);
        self.block(2);
        self.functions = callable;
        let value = self.expr(3);
        let name = self.uniform[index].clone();
        format!(
            "static unsigned long {name}(unsigned long ua, int ub) {{\n{}  return {value};\n}}\n",
            self.body
        )
    }

    /// A function with parameters of random types; it may call itself with less depth.
    fn function(&mut self) -> String {
        self.start_function(8);
        let name = self.name("f");
        let mut params = Vec::new();
        for i in 0..self.random.between(1, 4) {
            let shape = match self.random.below(6) {
                0 => Shape::Record(self.random.below(self.records.len())),
                1 => {
                    let to = Shape::Int(self.int());
                    Shape::Pointer(Box::new(to), 1 + self.random.below(4))
                }
                2 => {
                    let to = Shape::Record(self.random.below(self.records.len()));
                    Shape::Pointer(Box::new(to), 1)
                }
                3 => Shape::Pointer(Box::new(Shape::Function), 1),
                _ => Shape::Int(self.int()),
            };
            params.push(local(&format!("a{i}"), shape));
        }
        let result = match self.random.chance(30) {
            true => Shape::Record(self.random.below(self.records.len())),
            false => Shape::Int(self.int()),
        };
        if matches!(result, Shape::Record(_)) {
            self.body.clear();
        }
        self.locals = params.clone();
        self.block(3);
        let text: Vec<String> = params
            .iter()
            .map(|v| declare(&self.records, &v.shape, &v.name))
            .collect();
        let returned = match &result {
            Shape::Record(id) => {
                let init = self.initialiser(&result, false);
                let type_name = type_name(&self.records[*id]);
                format!("({type_name}){init}")
            }
            _ => self.expr(3),
        };
        let shapes: Vec<Shape> = params.into_iter().map(|v| v.shape).collect();
        let head = declare(
            &self.records,
            &result,
            &format!("{name}({})", text.join(", ")),
        );
        let out = format!("static {head} {{\n{}  return {returned};\n}}\n", self.body);
        self.functions.push(Function {
            name,
            params: shapes,
            result,
        });
        out
    }

    /// The function that computes the program's value.
    fn run(&mut self) -> String {
        self.body.clear();
        self.locals.clear();
        self.room = 22;
        let p = self.prefix.clone();
        self.block(3);
        for _ in 0..self.random.between(1, 3) {
            self.idiom();
        }
        for global in self.globals.clone() {
            self.mix_all(&global.name, &global.shape);
        }
        format!(
            "unsigned long {p}run(void) {{\n{}  return {p}sum;\n}}\n",
            self.body
        )
    }

    /// Adds everything in an object to the checksum.
    pub fn mix_all(&mut self, text: &str, shape: &Shape) {
        let p = self.prefix.clone();
        match shape {
            Shape::Int(_) => self.line(&format!("{p}mix({text});")),
            Shape::Array(element, length) => {
                let i = self.name("i");
                self.line(&format!("for (int {i} = 0; {i} < {length}; {i}++) {{"));
                self.mix_all(&format!("{text}[{i}]"), element);
                self.line("}");
            }
            Shape::Record(id) => {
                for field in self.records[*id].fields.clone() {
                    if !field.name.is_empty() {
                        self.mix_all(&format!("{text}.{}", field.name), &field.shape);
                    }
                }
            }
            Shape::Pointer(to, _) if **to != Shape::Function => {
                self.mix_all(&format!("(*{text})"), to)
            }
            Shape::Pointer(..) | Shape::Function => {}
        }
    }

    fn block(&mut self, depth: usize) {
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
            0..=4 => self.assignment(),
            5 | 6 => self.declaration(),
            7 => {
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
        let (name, init) = match hidden {
            true => {
                let name = self.locals[0].name.clone();
                if self.locals.iter().filter(|v| v.name == name).count() > 1 || self.body.is_empty()
                {
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
            }
            false => {
                let init = self.initialiser(&shape, false);
                (self.name("x"), init)
            }
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
                Shape::Pointer(to, length) => self.pointer_value(to, *length, false),
                Shape::Record(id) => self.record_argument(*id),
                _ => "0".to_string(),
            });
        }
        let p = self.prefix.clone();
        let call = format!("{}({})", function.name, args.join(", "));
        match &function.result {
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

    fn record_argument(&mut self, id: usize) -> String {
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

fn local(name: &str, shape: Shape) -> Variable {
    Variable {
        name: name.to_string(),
        shape,
        fixed: false,
    }
}
