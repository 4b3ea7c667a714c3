//! The po of a random program: records, objects with static storage, functions, and the statements in them.
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
    /// Indices around the expression that is being written.
    pub indices: usize,
    names: usize,
    /// Loops around the statement that is being written.
    pub loops: usize,
    /// Statements that the function may still have.
    pub room: usize,
}

/// The program of a seed: `unsigned long pSEED_run(void)` computes its value.
pub fn program(seed: u64) -> String {
    written(seed).0
}

/// The same, and names and types of its static integers (those of few bits first), in some order.
pub fn program_with_inputs(seed: u64) -> (String, Vec<(String, &'static str)>) {
    let (text, mut writer) = written(seed);
    let mut inputs: Vec<(u32, String, &'static str)> = Vec::new();
    for global in std::mem::take(&mut writer.globals) {
        if let Shape::Int(int) = global.shape
            && int.bits <= 64
        {
            inputs.push((int.bits, global.name, int.name));
        }
    }
    inputs.sort();
    let named = inputs.into_iter().map(|(_, name, ty)| (name, ty));
    (text, named.collect())
}

fn written(seed: u64) -> (String, Writer) {
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
        indices: 0,
        names: 0,
        loops: 0,
        room: 0,
    };
    let text = writer.whole();
    (text, writer)
}

impl Writer {
    fn whole(&mut self) -> String {
        let p = self.prefix.clone();
        let mut head = format!(
            "enum {{ {p}E0, {p}E1 = {}, {p}E2, {p}E3 = -{} }};\n\
             static unsigned long {p}sum = 1;\nstatic int {p}fuel = 150;\n\
             static void {p}mix(unsigned long v) {{ {p}sum = {p}sum * 31 + v; {p}sum ^= {p}sum >> 29; }}\n\
             static void {p}mixd(double v) {{ unsigned long u = 7; if (v == v) memcpy(&u, &v, 8); {p}mix(u); }}\n",
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
        let record = if self.random.chance(25) {
            self.union_record(tag)
        } else {
            self.structure(tag)
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
                0 => (Shape::Int(self.int()), None),
                1 => (self.float_shape(), None),
                2..=5 => {
                    let int = *self.random.pick(&INTS);
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
            let align = if width.is_none() && self.random.chance(8) {
                1 << self.random.below(5)
            } else {
                0
            };
            fields.push(Field {
                name,
                shape,
                width,
                align,
            });
            if self.random.chance(12) {
                let int = *self.random.pick(&INTS);
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
    pub fn shape(&mut self) -> Shape {
        match self.random.below(10) {
            0..=2 => Shape::Int(self.int()),
            3 => self.float_shape(),
            4 if self.random.chance(30) => {
                let length = self.random.between(2, 4) as usize;
                Shape::Array(Box::new(self.float_shape()), length)
            }
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
        let shape = if self.random.chance(15) {
            Shape::Pointer(Box::new(Shape::Int(self.int())), 1 + self.random.below(4))
        } else {
            self.shape()
        };
        let name = self.name("g");
        let declaration = declare(&self.records, &shape, &name);
        let init = if has_pointer(self, &shape) || self.random.chance(70) {
            format!(" = {}", self.initialiser(&shape, true))
        } else {
            String::new()
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

    pub fn open(&mut self) -> usize {
        self.locals.len()
    }

    pub fn close(&mut self, mark: usize) {
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
                4 => self.float_shape(),
                _ => Shape::Int(self.int()),
            };
            params.push(local(&format!("a{i}"), shape));
        }
        let result = if self.random.chance(30) {
            Shape::Record(self.random.below(self.records.len()))
        } else if self.random.chance(15) {
            self.float_shape()
        } else {
            Shape::Int(self.int())
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
            Shape::Float(_) => self.number(3),
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
            Shape::Int(int) => {
                self.line(&format!("{p}mix({text});"));
                if int.bits > 64 {
                    self.line(&format!("{p}mix((unsigned __int128){text} >> 64);"));
                }
            }
            Shape::Float(_) => self.line(&format!("{p}mixd({text});")),
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
}

fn local(name: &str, shape: Shape) -> Variable {
    Variable {
        name: name.to_string(),
        shape,
        fixed: false,
    }
}
