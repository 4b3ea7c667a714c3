//! Functions with variable arguments of all kinds: read in order, through other functions, from copies, and with
//! the promotions of a call (C11 6.5.2.2, 7.16).

use super::shape::{Shape, type_name};
use super::writer::Writer;

/// A variable argument.
struct Argument {
    /// The type that `va_arg` asks for.
    ty: String,
    /// Statements of the reader on `V`, the value that it gets.
    mixed: String,
    /// Expression of the caller.
    text: String,
}

impl Writer {
    /// A function of its own, called with random arguments.
    pub(super) fn variable_arguments(&mut self) {
        let f = self.name("f");
        let count = self.random.between(1, 8) as usize;
        let all: Vec<Argument> = (0..count).map(|_| self.argument()).collect();
        // Not everything that is there must be read.
        let read = if self.random.chance(80) {
            count
        } else {
            self.random.below(count + 1)
        };
        let split = self.random.below(read + 1);
        let reading = |list: &str, some: &[Argument]| -> String {
            let one = |a: &Argument| {
                let value = format!("__builtin_va_arg({list}, {})", a.ty);
                format!("{{ __typeof__({}) V = {value}; {} }}\n", a.ty, a.mixed)
            };
            some.iter().map(one).collect()
        };
        let (first, rest) = (&all[..split], &all[split..read]);
        let body = match self.random.below(6) {
            0 => {
                self.helper(&format!(
                    "static void {f}rest(va_list list) {{\n{}}}",
                    reading("list", rest)
                ));
                format!("{}{f}rest(list);\n", reading("list", first))
            }
            1 => {
                self.helper(&format!(
                    "static void {f}rest(va_list *list) {{\n{}}}",
                    reading("*list", first)
                ));
                format!("{f}rest(&list);\n{}", reading("list", rest))
            }
            2 => format!(
                "{}va_list copy; __builtin_va_copy(copy, list);\n{}{}__builtin_va_end(copy);\n",
                reading("list", first),
                reading("list", rest),
                reading("copy", rest)
            ),
            3 => format!(
                "{}__builtin_va_end(list); __builtin_va_start(list, last);\n{}",
                reading("list", first),
                reading("list", &all[..read])
            ),
            4 => format!("{}{}", reading("list", first), reading("list", rest)),
            _ => {
                // The kinds are found in a text, as formats have them.
                let kind = |i: usize| char::from(b'a' + i as u8);
                let cases: String = (0..read)
                    .map(|i| {
                        let reads = reading("list", &all[i..=i]);
                        format!("case '{}': {reads} break;\n", kind(i))
                    })
                    .collect();
                let kinds: String = (0..read).map(kind).collect();
                format!(
                    "for (const char *k = \"{kinds}\"; *k; k++) switch (*k) {{\n{cases}default: P_mix(99); }}\n"
                )
            }
        };
        let named_ones = [
            "unsigned char last",
            "int a, double last",
            "char *a, long last",
        ];
        let chosen = self.random.below(3);
        let given = ["7", "1, 2.5", "0, 5"][chosen];
        self.helper(&format!(
            "static unsigned long {f}({}, ...) {{\nva_list list; __builtin_va_start(list, last);\n{body}__builtin_va_end(list); return (unsigned long)last; }}",
            named_ones[chosen]
        ));
        let texts: Vec<&str> = all.iter().map(|a| a.text.as_str()).collect();
        let call = format!("{given}, {}", texts.join(", "));
        if self.random.chance(20) {
            self.line(&format!(
                "unsigned long (*{f}p)({}, ...) = {f};",
                ["unsigned char", "int, double", "char *, long"][chosen]
            ));
            self.add(&format!("P_mix((*{f}p)({call}));"));
        } else {
            self.add(&format!("P_mix({f}({call}));"));
        }
    }

    fn argument(&mut self) -> Argument {
        let plain = |ty: &str, text: String| Argument {
            ty: ty.to_string(),
            mixed: "P_mix(V);".to_string(),
            text,
        };
        match self.random.below(15) {
            0 | 1 => {
                // What is narrower comes as an int.
                let narrow = *self.random.pick(&[
                    "int",
                    "short",
                    "signed char",
                    "unsigned char",
                    "_Bool",
                    "char",
                ]);
                let value = self.expr(1);
                plain("int", format!("({narrow})({value})"))
            }
            2 => {
                // The other sign, of what both types have.
                let value = self.expr(1);
                let (ty, other) = *self.random.pick(&[
                    ("int", "unsigned"),
                    ("unsigned", "int"),
                    ("long", "unsigned long"),
                    ("unsigned long", "long"),
                ]);
                plain(ty, format!("({other})({value}) & ({other})0x7fffffff"))
            }
            3..=5 => {
                let ty = *self.random.pick(&[
                    "unsigned",
                    "long",
                    "unsigned long",
                    "long long int",
                    "unsigned long long",
                ]);
                let value = self.expr(1);
                plain(ty, format!("({ty})({value})"))
            }
            6..=8 => {
                let kind = *self.random.pick(&["float", "double"]);
                let value = self.number(1);
                Argument {
                    ty: "double".to_string(),
                    mixed: "P_mixd(V);".to_string(),
                    text: format!("({kind})({value})"),
                }
            }
            9 => {
                let ty = *self.random.pick(&["__int128", "unsigned __int128"]);
                let value = self.expr(1);
                Argument {
                    ty: ty.to_string(),
                    mixed: "P_mix(V); P_mix((unsigned __int128)V >> 64);".to_string(),
                    text: format!("({ty})({value})"),
                }
            }
            10 => {
                let int = self.int();
                let text = self.pointer_value(&Shape::Int(int), 1, false);
                Argument {
                    ty: format!("{} *", int.name),
                    mixed: "P_mix(*V);".to_string(),
                    text,
                }
            }
            11 => {
                let text = *self
                    .random
                    .pick(&["\"weft\"", "\"\"", "(char *)\"x\\377\""]);
                let ty = *self.random.pick(&["const char *", "void *", "char *"]);
                Argument {
                    ty: ty.to_string(),
                    mixed: "P_mix(strlen(V)); P_mix(*(char *)V);".to_string(),
                    text: text.to_string(),
                }
            }
            12 => {
                let text = self.pointer_value(&Shape::Function, 1, false);
                Argument {
                    ty: "__typeof__(&P_u0)".to_string(),
                    mixed: "P_mix(V(5, 2));".to_string(),
                    text,
                }
            }
            _ => {
                let id = self.random.below(self.records.len());
                let text = self.record_argument(id);
                Argument {
                    ty: type_name(&self.records[id]),
                    mixed: self.mixing("V", &Shape::Record(id)),
                    text,
                }
            }
        }
    }

    /// The statements that add everything in an object to the checksum.
    fn mixing(&mut self, text: &str, shape: &Shape) -> String {
        let body = std::mem::take(&mut self.body);
        self.mix_all(text, shape);
        std::mem::replace(&mut self.body, body)
    }

    /// Formatted output through a function of the program's own.
    pub(super) fn forwarded_format(&mut self) {
        let f = self.name("f");
        self.helper(&format!(
            "static int {f}(char *to, size_t size, const char *format, ...) {{
va_list list, again; __builtin_va_start(list, format); __builtin_va_copy(again, list);
int n = vsnprintf(to, size, format, list); __builtin_va_end(list);
char small[4]; P_mix(vsnprintf(small, sizeof small, format, again)); P_mix(small[0]); return n; }}"
        ));
        let (format, args) = self.format();
        let size = self.random.between(1, 60);
        self.add(&format!(
            "char b[64]; memset(b, 1, sizeof b); int n = {f}(b, {size}, {format}{args});
             P_mix(n); for (int i = 0; i <= n && i < {size}; i++) P_mix(b[i]);"
        ));
    }
}
