//! The interpreter against the system's C compiler, on random programs of one thread.
//!
//! The programs have no undefined behaviour but for overflow, which wraps on both sides (`-fwrapv`): shift
//! amounts and indices are masked, divisors are positive, expressions have no side effects.

use crate::oracle::{on_a_deep_stack, read};
use crate::random::Random;
use selvedge::event::ThreadId;
use selvedge::ir::Program;
use selvedge::trace::interpret::state::Status;
use selvedge::trace::interpret::{Bounds, Effect, Interpreter, Zeros};
use std::fmt::Write;
use std::process::Command;

/// Programs per test run; `SELVEDGE_PROGRAMS` changes it.
const PROGRAMS: u64 = 80;
/// Instructions after which a program counts as endless.
const INSTRUCTIONS: u64 = 2_000_000;

const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "unsigned long long",
];

/// Writes one program.
struct Writer {
    random: Random,
    /// What can be read and assigned.
    places: Vec<String>,
    text: String,
    loops: usize,
    /// Statements around the one that is being written.
    depth: usize,
}

/// The program of a seed. Its function `main` returns a checksum of all variables.
fn generate(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x5e9_0e1a1),
        places: Vec::new(),
        text: String::new(),
        loops: 0,
        depth: 0,
    };
    writer.program();
    writer.text
}

impl Writer {
    fn write(&mut self, text: std::fmt::Arguments) {
        self.text.write_fmt(text).expect("strings grow");
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.random.below(TYPES.len())]
    }

    fn operator(&mut self, all: &[&'static str]) -> &'static str {
        all[self.random.below(all.len())]
    }

    fn constant(&mut self) -> String {
        match self.random.below(8) {
            0 => "-1".into(),
            1 => "255u".into(),
            2 => "-2147483647".into(),
            3 => "4294967295ul".into(),
            4 => "'\\xe9'".into(),
            5 => format!("{}ull", self.random.bits() >> self.random.below(64)),
            _ => format!("{}", self.random.between(-9, 9)),
        }
    }

    /// An expression without side effects.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.constant(),
                _ => self.place(),
            };
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        let ty = self.ty();
        match self.random.below(16) {
            0..=4 => format!(
                "({a} {} {b})",
                self.operator(&["+", "-", "*", "&", "|", "^"])
            ),
            5 => format!("({a} {} (({b} & 7) + 1))", self.operator(&["/", "%"])),
            6 => format!("({a} {} ({b} & 7))", self.operator(&["<<", ">>"])),
            7 | 8 => format!(
                "({a} {} {b})",
                self.operator(&["<", "<=", "==", "!=", ">", ">="])
            ),
            9 => format!("({a} {} {b})", self.operator(&["&&", "||"])),
            10 => format!("({}({a}))", self.operator(&["-", "~", "!", "+"])),
            11 | 12 => format!("(({ty}){a})"),
            13 => format!("({a} ? {b} : {})", self.place()),
            14 => format!("mixed({a}, {b})"),
            _ => format!("((long)sizeof(({ty}){b}) + {a})"),
        }
    }

    fn place(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("a[{} & 3]", self.simple()),
            1 => format!("m[{} & 1][{} & 1]", self.simple(), self.simple()),
            2 => format!("p[{} & 1]", self.simple()),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> String {
        self.places[self.random.below(self.places.len())].clone()
    }

    fn leaf(&mut self) -> String {
        match self.random.below(2) {
            0 => self.constant(),
            _ => self.simple(),
        }
    }

    fn declarations(&mut self) {
        self.text.push_str("#include <string.h>\n");
        for i in 0..6 {
            let (ty, value) = (self.ty(), self.constant());
            let storage = self.operator(&["", "static ", "volatile "]);
            self.write(format_args!("{storage}{ty} g{i} = ({ty}){value};\n"));
            self.places.push(format!("g{i}"));
        }
        let (array, matrix) = (self.ty(), self.ty());
        let (x, y, z) = (self.ty(), self.ty(), self.ty());
        self.write(format_args!(
            "{array} a[4] = {{ 1, [2] = 7 }};\n\
             {matrix} m[2][2] = {{ {{ 3 }}, {{ 4, 5 }} }};\n\
             {array} *p = a + 1;\n\
             struct bits {{ int low : 3; unsigned mid : 5; signed char whole; unsigned long high : 33; }};\n\
             struct all {{ {x} x; {y} y; struct bits bits; {z} z[2]; }} s = {{ .y = 1 }}, t;\n\
             union view {{ unsigned int word; unsigned short half[2]; signed char bytes[4]; }} u;\n"
        ));
        let parts = "s.x s.y s.bits.low s.bits.mid s.bits.whole s.bits.high s.z[1] t.x t.bits.low u.word u.half[1] \
                     u.bytes[2]";
        self.places.extend(parts.split(' ').map(String::from));
        let (first, second, result) = (self.ty(), self.ty(), self.ty());
        let places = std::mem::replace(&mut self.places, vec!["x".into(), "y".into()]);
        let (test, value) = (self.leaf(), self.leaf());
        self.places = places;
        self.write(format_args!(
            "{result} mixed({first} x, {second} y) {{\n  static int calls;\n  calls++;\n  \
             if ({test} > {value}) return x;\n  return y + calls % 2;\n}}\n"
        ));
    }

    fn program(&mut self) {
        self.declarations();
        self.text.push_str("int main(void) {\n");
        for i in 0..3 {
            let (ty, value) = (self.ty(), self.constant());
            self.write(format_args!("  {ty} l{i} = ({ty}){value};\n"));
            self.places.push(format!("l{i}"));
        }
        for _ in 0..self.random.between(8, 16) {
            self.statement();
        }
        self.text.push_str("  unsigned long sum = 5381;\n");
        let mut all = self.places.clone();
        all.extend(
            "a[0] a[1] a[2] a[3] m[0][1] m[1][0] p[0]"
                .split(' ')
                .map(String::from),
        );
        for place in all {
            self.write(format_args!("  sum = sum * 33 ^ (unsigned long){place};\n"));
        }
        self.text.push_str("  return (int)(sum ^ sum >> 32);\n}\n");
    }

    fn statement(&mut self) {
        let indent = "  ".repeat(self.depth + 1);
        let place = self.place();
        let kind = self.random.below(if self.depth < 2 { 13 } else { 8 });
        let value = self.expression(2);
        match kind {
            0..=2 => self.write(format_args!("{indent}{place} = {value};\n")),
            3 => {
                let op = self.operator(&["+=", "-=", "*=", "&=", "|=", "^="]);
                self.write(format_args!("{indent}{place} {op} {value};\n"));
            }
            4 => {
                let op = self.operator(&["/=", "%=", "<<=", ">>="]);
                self.write(format_args!("{indent}{place} {op} ({value} & 6) + 1;\n"));
            }
            5 => match self.random.below(2) {
                0 => self.write(format_args!("{indent}{place}++;\n")),
                _ => self.write(format_args!("{indent}--{place};\n")),
            },
            6 => {
                let copy = self.operator(&[
                    "t = s;",
                    "s = t;",
                    "p = a + (l0 & 1);",
                    "memcpy(&u, &g0, sizeof g0 < 4 ? sizeof g0 : 4);",
                ]);
                self.write(format_args!("{indent}{copy}\n"));
            }
            7 => self.write(format_args!("{indent}l1 = ({place} = {value});\n")),
            8 => {
                self.nested(&format!("if ({value})"), "");
                if self.random.chance(50) {
                    self.nested("else", "");
                }
            }
            9 | 10 => {
                self.loops += 1;
                let (number, count) = (self.loops, self.random.between(1, 4));
                let exit = self.operator(&["", "if (l2 == 3) break;", "if (g1 & 1) continue;"]);
                let open = format!("for (int i{number} = 0; i{number} < {count}; i{number}++)");
                self.nested(&open, exit);
            }
            11 => {
                self.loops += 1;
                let (number, count) = (self.loops, self.random.between(0, 3));
                self.write(format_args!(
                    "{indent}{{ unsigned char i{number} = {count}; do\n"
                ));
                self.nested("", "");
                self.write(format_args!("{indent}while (i{number}--); }}\n"));
            }
            _ => {
                self.write(format_args!("{indent}switch ((int){value} & 3) {{\n"));
                for case in ["case 0:", "case 2:", "default:"] {
                    self.write(format_args!("{indent}{case}\n"));
                    self.nested("", "");
                    if self.random.chance(60) {
                        self.write(format_args!("{indent}break;\n"));
                    }
                }
                self.write(format_args!("{indent}case 1: {place} = 1; }}\n"));
            }
        }
    }

    fn nested(&mut self, open: &str, first: &str) {
        let indent = "  ".repeat(self.depth + 1);
        self.write(format_args!("{indent}{open} {{ {first}\n"));
        self.depth += 1;
        for _ in 0..self.random.between(1, 2) {
            self.statement();
        }
        self.depth -= 1;
        self.write(format_args!("{indent}}}\n"));
    }
}

/// What `main` returns.
fn interpret(program: &Program) -> Result<i32, String> {
    let main = ThreadId(0);
    let mut interpreter = Interpreter::new(program, Bounds::default()).map_err(|(_, why)| why)?;
    let mut state = interpreter.start(&mut Zeros);
    for _ in 0..INSTRUCTIONS {
        match interpreter.execute(&mut state, main, &mut Zeros) {
            Effect::End => break,
            effect @ (Effect::Cut(_) | Effect::Stopped | Effect::Blocked) => {
                return Err(format!("{effect:?}"));
            }
            _ => {}
        }
    }
    match state.thread(main).status {
        Status::Ended(value) => Ok(value as i32),
        status => Err(format!("{status:?}")),
    }
}

/// Compiles the programs into one binary and runs it: what each `main` returns.
fn compiled(texts: &[String]) -> Vec<i32> {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = folder.path().join("program");
    let mut command = Command::new("cc");
    command
        .args(["-std=gnu11", "-fwrapv", "-w", "-O1", "-o"])
        .arg(&binary);
    let names = "g0 g1 g2 g3 g4 g5 a m p s t u bits all view mixed main";
    let mut whole = String::new();
    let mut driver = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    for (i, text) in texts.iter().enumerate() {
        // Names get the number of their program while it is read.
        whole.extend(
            names
                .split(' ')
                .map(|name| format!("#define {name} {name}_{i}\n")),
        );
        whole.push_str(text);
        whole.extend(names.split(' ').map(|name| format!("#undef {name}\n")));
        driver.push_str(&format!("int main_{i}(void);\n"));
        calls.push_str(&format!("  printf(\"%d\\n\", main_{i}());\n"));
    }
    driver.push_str(&format!("int main(void) {{\n{calls}  return 0;\n}}\n"));
    for (name, text) in [("all.c", whole), ("driver.c", driver)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
        command.arg(folder.path().join(name));
    }
    let output = command.output().expect("a compiler");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = Command::new(binary).output().expect("the program");
    let printed = String::from_utf8_lossy(&output.stdout);
    printed
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect()
}

#[test]
fn random_programs_compute_what_they_compute_compiled() {
    if Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let count = std::env::var("SELVEDGE_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(PROGRAMS);
    let texts: Vec<String> = (0..count).map(generate).collect();
    let expected = compiled(&texts);
    assert_eq!(expected.len(), texts.len());
    on_a_deep_stack(|| {
        for (text, expected) in texts.iter().zip(expected) {
            let program = read(text).unwrap_or_else(|fault| panic!("{}\n{text}", fault.details));
            assert_eq!(interpret(&program), Ok(expected), "{text}");
        }
    });
}
