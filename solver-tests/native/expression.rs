//! Expressions without side effects, defined for all values of what they read.

use super::shape::{INTS, Int, Shape, WIDE, declare, named, type_name};
use super::writer::Writer;

/// A part of a variable that is an integer.
pub struct Leaf {
    pub text: String,
    pub int: Int,
    /// Width of a bit-field.
    pub width: Option<u32>,
    pub fixed: bool,
}

impl Writer {
    /// An expression of some integer type; `depth` bounds its height.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(10) {
            return match self.random.below(10) {
                0..=2 => self.literal(),
                _ => self.read(),
            };
        }
        let d = depth - 1;
        match self.random.below(30) {
            26 | 27 => self.of_number(d),
            28 => format!(
                "(unsigned long)((unsigned __int128)({}) >> 64)",
                self.expr(d)
            ),
            29 => format!(
                "((__int128){} << 64 | (unsigned long)({}))",
                self.expr(0),
                self.expr(d)
            ),
            0..=5 => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            6 => self.division(d),
            7 | 8 => self.shift(d),
            9 | 10 => {
                let op = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            11 => {
                let op = *self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            12 | 13 => {
                let op = *self.random.pick(&["-", "~", "!", "+", "!!", "- -"]);
                format!("({op}{})", self.expr(d))
            }
            14..=16 => format!("(({}){})", self.int().name, self.expr(d)),
            17 | 18 => format!("({} ? {} : {})", self.expr(d), self.expr(d), self.expr(d)),
            19 => format!("((void){}, {})", self.read(), self.expr(d)),
            20 => self.type_question(d),
            21 => {
                let length = self.random.between(2, 5) as usize;
                let values: Vec<String> = (0..length).map(|_| self.expr(0)).collect();
                format!(
                    "(({}[]){{ {} }})[(unsigned)({}) % {length}]",
                    self.int().name,
                    values.join(", "),
                    self.expr(d)
                )
            }
            22 => {
                let text = *self.random.pick(&[
                    "\"selvedge\"",
                    "\"a\\x7f\\377z\"",
                    "\"ab\" \"cd\"",
                    "\"\\n\\t\\\\\\\"\"",
                ]);
                format!("{text}[(unsigned)({}) % sizeof({text})]", self.expr(d))
            }
            23 => self.builtin(d),
            24 => {
                let (int, name) = (self.int(), self.name("t"));
                let op = *self.random.pick(&["+=", "-=", "^=", "*=", "|="]);
                format!(
                    "({{ {} {name} = {}; {name} {op} {}; {name}; }})",
                    int.name,
                    self.expr(d),
                    self.expr(d)
                )
            }
            _ if self.literals == 0 => {
                self.literals += 1;
                let value = self.record_value(d);
                self.literals -= 1;
                value
            }
            _ => self.read(),
        }
    }

    /// A condition that is neither always true nor always false, as far as one can tell.
    pub fn condition(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("({} & {})", self.expr(1), 1 << self.random.below(4)),
            1 => format!("{} % 3 == 1", self.expr(1)),
            _ => self.expr(2),
        }
    }

    fn division(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(d), self.expr(d));
        let op = *self.random.pick(&["/", "%"]);
        match self.random.below(4) {
            0 => format!("({a} {op} (({b} & 15) + 1))"),
            // Never −1, so that the quotient fits.
            1 => format!("({a} {op} (-(int)({b} & 31) - 2))"),
            2 => {
                let int = *self.random.pick(&[
                    named("unsigned"),
                    named("unsigned long"),
                    named("unsigned long long"),
                ]);
                format!("({a} {op} (({}){b} | 1))", int.name)
            }
            _ => format!("({a} {op} {})", self.random.between(2, 300)),
        }
    }

    fn shift(&mut self, d: usize) -> String {
        let int = self.int();
        let op = *self.random.pick(&["<<", ">>"]);
        let mask = int.promoted_bits() - 1;
        let (a, b) = (self.expr(d), self.expr(d));
        if self.random.chance(60) {
            format!("((({}){a}) {op} ({b} & {mask}))", int.name)
        } else {
            let by = self.random.below(int.promoted_bits() as usize);
            format!("((({}){a}) {op} {by})", int.name)
        }
    }

    /// Type of an expression, as a number.
    fn type_question(&mut self, d: usize) -> String {
        match self.random.below(4) {
            // `+` because a bit-field has no size.
            0 => format!("sizeof(+({}))", self.expr(d)),
            1 => format!(
                "_Generic(+({}), int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, __int128: 7, unsigned __int128: 8)",
                self.expr(d)
            ),
            2 => {
                let int = self.int();
                let word = *self.random.pick(&["sizeof", "_Alignof"]);
                format!("{word}({})", int.name)
            }
            _ => {
                if self.records.is_empty() {
                    "sizeof(void *)".to_string()
                } else {
                    self.layout_question()
                }
            }
        }
    }

    /// Size, alignment or an offset of a record.
    fn layout_question(&mut self) -> String {
        let record = self.random.pick(&self.records).clone();
        let name = type_name(&record);
        let plain: Vec<&str> = record
            .fields
            .iter()
            .filter(|f| f.width.is_none() && !f.name.is_empty())
            .map(|f| f.name.as_str())
            .collect();
        match self.random.below(3) {
            0 => format!("sizeof({name})"),
            1 => format!("_Alignof({name})"),
            _ if plain.is_empty() => format!("sizeof({name})"),
            _ => format!("__builtin_offsetof({name}, {})", self.random.pick(&plain)),
        }
    }

    fn builtin(&mut self, d: usize) -> String {
        let value = self.expr(d);
        match self.random.below(9) {
            0 => format!("__builtin_popcount({value})"),
            1 => format!("__builtin_popcountl({value})"),
            2 => format!("__builtin_clz((unsigned){value} | 1)"),
            3 => format!("__builtin_ctzl({value} | 256)"),
            4 => format!("__builtin_bswap32({value})"),
            5 => format!("__builtin_bswap64({value})"),
            6 => format!("__builtin_parity({value})"),
            7 => format!("__builtin_ffs({value})"),
            _ => format!("__builtin_expect({value}, 1)"),
        }
    }

    /// A member of a record that is made for this expression.
    fn record_value(&mut self, d: usize) -> String {
        let candidates: Vec<usize> = (0..self.records.len()).collect();
        let Some(&id) = candidates.get(self.random.below(candidates.len().max(1))) else {
            return self.expr(d);
        };
        let text = format!(
            "(({}){})",
            type_name(&self.records[id]),
            self.initialiser(&Shape::Record(id), false)
        );
        match self.leaf_of(text, Shape::Record(id), true) {
            Some(leaf) => value_of(&leaf),
            None => self.read(),
        }
    }

    /// The value of an integer that is in scope.
    pub fn read(&mut self) -> String {
        match self.leaf() {
            Some(leaf) => value_of(&leaf),
            None => self.literal(),
        }
    }

    /// An integer that is in scope.
    pub fn leaf(&mut self) -> Option<Leaf> {
        let variables = self.visible();
        if variables.is_empty() {
            return None;
        }
        for _ in 0..8 {
            let variable = self.random.pick(&variables).clone();
            let found = self.leaf_of(variable.name, variable.shape, variable.fixed);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// An integer that may be assigned.
    pub fn target(&mut self) -> Option<Leaf> {
        (0..8).filter_map(|_| self.leaf()).find(|leaf| !leaf.fixed)
    }

    /// An integer somewhere in an object.
    fn leaf_of(&mut self, text: String, shape: Shape, fixed: bool) -> Option<Leaf> {
        match shape {
            Shape::Int(int) => Some(Leaf {
                text,
                int,
                width: None,
                fixed,
            }),
            Shape::Array(element, length) => {
                let text = format!("{text}[{}]", self.index(length));
                self.leaf_of(text, *element, fixed)
            }
            Shape::Pointer(to, length) => {
                if *to == Shape::Function {
                    return None;
                }
                let text = match self.random.below(4) {
                    0 => format!("(*{text})"),
                    1 => format!("(*({text} + {}))", self.index(length)),
                    2 => format!("({text} + {length})[-(int){} - 1]", self.index(length)),
                    _ => format!("{text}[{}]", self.index(length)),
                };
                self.leaf_of(text, *to, false)
            }
            Shape::Record(id) => {
                let record = self.records[id].clone();
                let named: Vec<_> = record
                    .fields
                    .iter()
                    .filter(|f| !f.name.is_empty())
                    .collect();
                let field = (*self.random.pick(&named)).clone();
                // `(*p).f` is `p->f`.
                let text = match text.strip_prefix("(*") {
                    Some(pointer)
                        if !pointer.contains(['(', ')'].as_slice()) || is_name(pointer) =>
                    {
                        format!("{}->{}", pointer.trim_end_matches(')'), field.name)
                    }
                    _ => format!("{text}.{}", field.name),
                };
                let mut leaf = self.leaf_of(text, field.shape, fixed)?;
                leaf.width = leaf.width.or(field.width);
                Some(leaf)
            }
            Shape::Float(_) | Shape::Function => None,
        }
    }

    /// A number below `length`.
    pub fn index(&mut self, length: usize) -> String {
        // An index may be an element, whose index may be one.
        if self.indices >= 3 {
            return self.random.below(length).to_string();
        }
        self.indices += 1;
        let text = self.index_within(length);
        self.indices -= 1;
        text
    }

    fn index_within(&mut self, length: usize) -> String {
        match self.random.below(3) {
            0 => format!("(int)((unsigned)({}) % {length})", self.expr(0)),
            1 if length.is_power_of_two() => format!("({} & {})", self.expr(0), length - 1),
            _ => self.random.below(length).to_string(),
        }
    }

    /// A constant, spelled in one of many ways.
    pub fn literal(&mut self) -> String {
        let value = match self.random.below(5) {
            0 => self.random.below(4) as u64,
            1 => 1 << self.random.below(63),
            2 => (1 << self.random.below(63)) - 1,
            3 => self.random.bits() >> (1 + self.random.below(62)),
            _ => self.random.below(1000) as u64,
        };
        match self.random.below(12) {
            0 => format!("{value:#x}"),
            1 => format!("0{value:o}"),
            2 => format!("0b{value:b}"),
            3 => format!("{value}u"),
            4 => format!("{value:#X}L").replace("0X", "0x"),
            5 => format!("{value}uLL"),
            6 => {
                let texts = [
                    "'a'", "'\\0'", "'\\377'", "'\\n'", "'\\x41'", "'\\''", "'ab'",
                ];
                self.random.pick(&texts).to_string()
            }
            7 => {
                let prefix = self.prefix.clone();
                format!("{prefix}E{}", self.random.below(4))
            }
            8 => format!("(-{value})"),
            9 => format!("{value}l"),
            _ => value.to_string(),
        }
    }

    /// A constant expression that fits `int`.
    pub fn small_constant(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("(int)sizeof({})", self.int().name),
            1 => format!("({} - {})", self.random.below(50), self.random.below(50)),
            2 => format!("({} << {})", self.random.below(9), self.random.below(9)),
            3 => format!("'{}'", *self.random.pick(&['x', 'Q', '7'])),
            4 => {
                let prefix = self.prefix.clone();
                format!("{prefix}E{}", self.random.below(4))
            }
            _ => self.random.between(-200, 200).to_string(),
        }
    }

    /// An integer type.
    pub fn int(&mut self) -> Int {
        if self.random.chance(5) {
            *self.random.pick(&WIDE)
        } else {
            *self.random.pick(&INTS)
        }
    }

    /// An initialiser, made of constants if `constant`.
    pub fn initialiser(&mut self, shape: &Shape, constant: bool) -> String {
        match shape {
            Shape::Int(_) if constant => self.small_constant(),
            Shape::Int(_) => self.expr(1),
            Shape::Float(_) if constant => self.number_literal(),
            Shape::Float(_) => self.number(1),
            Shape::Array(element, length) => {
                let mut parts = Vec::new();
                // A pointer is never left null: whoever follows it does not ask.
                let whole = has_pointer(self, element);
                let designated = !whole && self.random.chance(40);
                for i in 0..*length {
                    let value = self.initialiser(element, constant);
                    match self.random.below(8) {
                        0 if designated => {}
                        1 | 2 if designated => parts.push(format!("[{i}] = {value}")),
                        3 if designated
                            && i + 1 < *length
                            && matches!(**element, Shape::Int(_)) =>
                        {
                            parts.push(format!("[{i} ... {}] = {value}", i + 1))
                        }
                        4 if !designated && !whole => break,
                        _ if designated => parts.push(format!("[{i}] = {value}")),
                        _ => parts.push(value),
                    }
                }
                if parts.is_empty() {
                    parts.push(match **element {
                        Shape::Int(_) | Shape::Float(_) => "0".to_string(),
                        _ => self.initialiser(element, constant),
                    });
                }
                format!("{{ {} }}", parts.join(", "))
            }
            Shape::Record(id) => self.record_initialiser(*id, constant),
            Shape::Pointer(to, length) => self.pointer_value(to, *length, constant),
            Shape::Function => "0".to_string(),
        }
    }

    fn record_initialiser(&mut self, id: usize, constant: bool) -> String {
        let record = self.records[id].clone();
        let named: Vec<_> = record
            .fields
            .iter()
            .filter(|f| !f.name.is_empty())
            .collect();
        let mut parts = Vec::new();
        if record.is_union {
            let field = *self.random.pick(&named);
            let value = self.initialiser(&field.shape, constant);
            return format!("{{ .{} = {value} }}", field.name);
        }
        let designated = self.random.chance(50);
        let mut order: Vec<usize> = (0..named.len()).collect();
        if designated && self.random.chance(30) {
            order.reverse();
        }
        for i in order {
            let field = named[i];
            let needed = has_pointer(self, &field.shape);
            if !needed && designated && self.random.chance(25) {
                continue;
            }
            let value = self.initialiser(&field.shape, constant);
            if designated {
                parts.push(format!(".{} = {value}", field.name))
            } else {
                parts.push(value)
            }
        }
        if parts.is_empty() {
            parts.push(format!(
                ".{} = {}",
                named[0].name,
                self.initialiser(&named[0].shape, constant)
            ));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    /// A pointer to the first of at least `length` elements of static storage.
    pub fn pointer_value(&mut self, to: &Shape, length: usize, constant: bool) -> String {
        if *to == Shape::Function {
            let uniform = self.uniform.clone();
            let name = self.random.pick(&uniform);
            return if self.random.chance(50) {
                format!("&{name}")
            } else {
                name.clone()
            };
        }
        let mut candidates: Vec<String> = Vec::new();
        for variable in self.globals.clone() {
            match &variable.shape {
                Shape::Array(element, n) if **element == *to && *n >= length => {
                    candidates.push(match n - length {
                        0 => variable.name.clone(),
                        more => format!("&{}[{}]", variable.name, self.random.below(more + 1)),
                    });
                }
                shape if shape == to && length == 1 => {
                    candidates.push(format!("&{}", variable.name));
                }
                _ => {}
            }
        }
        if !constant {
            for variable in self.visible() {
                if matches!(&variable.shape, Shape::Pointer(t, n) if **t == *to && *n >= length) {
                    candidates.push(variable.name.clone());
                }
            }
        }
        if candidates.is_empty() {
            // Made for this place.
            let name = self.name("g");
            let shape = Shape::Array(Box::new(to.clone()), length);
            let declaration = declare(&self.records, &shape, &name);
            let init = if has_pointer(self, &shape) {
                format!(" = {}", self.initialiser(&shape, true))
            } else {
                String::new()
            };
            self.static_objects
                .push_str(&format!("static {declaration}{init};\n"));
            self.globals.push(super::shape::Variable {
                name: name.clone(),
                shape,
                fixed: false,
            });
            return name;
        }
        self.random.pick(&candidates).clone()
    }
}

/// True if a value of this shape contains a pointer.
pub fn has_pointer(writer: &Writer, shape: &Shape) -> bool {
    match shape {
        Shape::Int(_) | Shape::Float(_) | Shape::Function => false,
        Shape::Pointer(..) => true,
        Shape::Array(element, _) => has_pointer(writer, element),
        Shape::Record(id) => writer.records[*id]
            .fields
            .iter()
            .any(|field| has_pointer(writer, &field.shape)),
    }
}

fn is_name(text: &str) -> bool {
    text.trim_end_matches(')')
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Expression that reads an integer. The type of a bit-field of 32 bits and more is the compiler's choice: it is cast.
fn value_of(leaf: &Leaf) -> String {
    match leaf.width {
        Some(32..) => format!("({}){}", leaf.int.name, leaf.text),
        _ => leaf.text.clone(),
    }
}
