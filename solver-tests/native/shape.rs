//! Types of the random programs: integers, arrays, records, and pointers to arrays.

/// An integer type: how it is spelled, and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

/// All integer types on x86-64.
pub const INTS: [Int; 12] = [
    int("_Bool", 1, false),
    int("char", 8, true),
    int("signed char", 8, true),
    int("unsigned char", 8, false),
    int("short", 16, true),
    int("unsigned short", 16, false),
    int("int", 32, true),
    int("unsigned", 32, false),
    int("long", 64, true),
    int("unsigned long", 64, false),
    int("long long int", 64, true),
    int("unsigned long long", 64, false),
];

/// Integer types that GNU C has beyond them.
pub const WIDE: [Int; 2] = [
    int("__int128", 128, true),
    int("unsigned __int128", 128, false),
];

/// The integer type of this name.
pub fn named(name: &str) -> Int {
    *INTS
        .iter()
        .find(|int| int.name == name)
        .expect("a type of the list")
}

impl Int {
    /// Width after the integer promotions.
    pub fn promoted_bits(self) -> u32 {
        self.bits.max(32)
    }
}

/// A type of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Int(Int),
    /// `float` or `double`.
    Float(&'static str),
    Array(Box<Shape>, usize),
    /// Index of a record.
    Record(usize),
    /// To the first of so many elements, which live as long as the pointer is used.
    Pointer(Box<Shape>, usize),
    /// A function from `unsigned long` and `int` to `unsigned long`.
    Function,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for a bit-field that only pads.
    pub name: String,
    pub shape: Shape,
    /// Width of a bit-field.
    pub width: Option<u32>,
    /// Raised alignment, 0 if there is none.
    pub align: u32,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub tag: String,
    /// All members of a union have one size and no padding.
    pub is_union: bool,
    pub fields: Vec<Field>,
    /// Its members may lie anywhere, so that nobody may point to them.
    pub packed: bool,
}

/// Something that can be named.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub shape: Shape,
    /// Must not be assigned.
    pub fixed: bool,
}

/// A function that later code may call.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<Shape>,
    pub result: Shape,
}

/// Declaration of `name`, as text.
pub fn declare(records: &[Record], shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Int(int) => format!("{} {name}", int.name),
        Shape::Float(float) => format!("{float} {name}"),
        Shape::Record(id) => format!("{} {name}", type_name(&records[*id])),
        Shape::Array(element, length) => declare(records, element, &format!("{name}[{length}]")),
        Shape::Pointer(to, _) => match **to {
            Shape::Array(..) | Shape::Function => declare(records, to, &format!("(*{name})")),
            _ => declare(records, to, &format!("*{name}")),
        },
        Shape::Function => format!("unsigned long {name}(unsigned long, int)"),
    }
}

/// `struct tag` or `union tag`.
pub fn type_name(record: &Record) -> String {
    let word = if record.is_union { "union" } else { "struct" };
    format!("{word} {}", record.tag)
}

/// The definition of a record.
pub fn define(records: &[Record], record: &Record, attribute_first: bool) -> String {
    let mut out = String::new();
    let packed = if record.packed {
        "__attribute__((packed)) "
    } else {
        ""
    };
    let (before, after) = if attribute_first {
        (packed, "")
    } else {
        ("", packed)
    };
    let word = if record.is_union { "union" } else { "struct" };
    out.push_str(&format!("{word} {before}{} {{\n", record.tag));
    for field in &record.fields {
        out.push_str("  ");
        out.push_str(&declare(records, &field.shape, &field.name));
        if let Some(width) = field.width {
            out.push_str(&format!(" : {width}"));
        }
        if field.align != 0 {
            out.push_str(&format!(" __attribute__((aligned({})))", field.align));
        }
        out.push_str(";\n");
    }
    out.push_str(&format!("}} {after};\n"));
    out
}
