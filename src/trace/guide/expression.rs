//! Expressions of witnesses: what is assumed of variables where a statement begins, and of results of calls.
//!
//! Integer constants, names of scalar variables, parentheses and the operators of C without side effects but casts are known. Whatever else
//! an expression has makes it one of which nothing is known; so do variables without a value.

use crate::base::float::text;
use crate::event::{Origin, ThreadId};
use crate::ir::ty::{Reading, Type, TypeId};
use crate::ir::{AllocKind, GlobalId, InstrKind, Program, RegInfo};
use crate::trace::interpret::Interpreter;
use crate::trace::interpret::memory::Label;
use crate::trace::interpret::state::State;

/// Token of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Number(i128),
    Name(String),
    Sign(&'static str),
}

/// Signs, the longer ones first.
const SIGNS: &[&str] = &[
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "(", ")", "!", "~", "+", "-", "*",
    "/", "%", "&", "|", "^", "?", ":",
];

/// Operators of two operands: how close they bind, and their meaning.
const BINARY: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphanumeric() || first == '_' || first == '\\' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = rest[1..].find(|c| !is_part(c));
            let length = end.map_or(rest.len(), |end| end + 1);
            let word = &rest[..length];
            found.push(match first.is_ascii_digit() {
                true => Token::Number(number(word)?),
                false => Token::Name(word.to_string()),
            });
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Some(found)
}

/// An integer constant of C.
fn number(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return i128::from_str_radix(digits, 16).ok();
    }
    match lower.strip_prefix('0') {
        Some(digits) if !digits.is_empty() => i128::from_str_radix(digits, 8).ok(),
        _ => lower.parse().ok(),
    }
}

/// Integer constants of an expression, as words; those behind a minus are negative.
pub(super) fn numbers(text: &str) -> Vec<u128> {
    let tokens = tokens(text).unwrap_or_default();
    let number = |index: usize| match (&tokens[index], index.checked_sub(1).map(|i| &tokens[i])) {
        (Token::Number(value), Some(Token::Sign("-"))) => {
            Some(value.wrapping_neg().cast_unsigned())
        }
        (Token::Number(value), _) => Some(value.cast_unsigned()),
        _ => None,
    };
    (0..tokens.len()).filter_map(number).collect()
}

/// The value that an expression `\result == VALUE` gives to a register.
pub(super) fn result(expression: &str, info: &RegInfo) -> Option<u128> {
    let (left, right) = expression.split_once("==")?;
    let value = match (left.trim(), right.trim()) {
        ("\\result", value) | (value, "\\result") => value,
        _ => return None,
    };
    if let Reading::Float(format) = info.reading {
        return text::decimal(format, value);
    }
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => (-1, digits.trim_start()),
        None => (1, value),
    };
    number(digits).map(|value| value.wrapping_mul(sign).cast_unsigned())
}

/// Names of the variables of an expression; `None` if it is none that is known here.
pub fn names(text: &str) -> Option<Vec<String>> {
    let tokens = tokens(text)?;
    let mut found = Vec::new();
    let mut reader = Reader {
        tokens: &tokens,
        next: 0,
        value: &mut |name| {
            found.push(name.to_string());
            Some(1)
        },
    };
    // Its value does not matter, and may be none; whether it is read to its end does.
    reader.binary(0);
    let is_whole = reader.next == tokens.len();
    is_whole.then_some(found)
}

/// Truth of an expression where a thread stands; `None` where nothing is known of it.
pub(super) fn holds(
    interpreter: &mut Interpreter,
    (state, thread): (&State, ThreadId),
    text: &str,
) -> Option<bool> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        next: 0,
        value: &mut |name| variable(interpreter, state, thread, name),
    };
    let value = reader.binary(0);
    let is_whole = reader.next == tokens.len();
    value.filter(|_| is_whole).map(|value| value != 0)
}

struct Reader<'r> {
    tokens: &'r [Token],
    next: usize,
    value: &'r mut dyn FnMut(&str) -> Option<i128>,
}

impl Reader<'_> {
    fn sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let Some(Token::Sign(sign)) = self.tokens.get(self.next) else {
            return None;
        };
        signs.contains(sign).then(|| {
            self.next += 1;
            *sign
        })
    }

    fn binary(&mut self, level: usize) -> Option<i128> {
        let Some(signs) = BINARY.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1);
        while let Some(sign) = self.sign(signs) {
            let right = self.binary(level + 1);
            left = apply(sign, left, right);
        }
        left
    }

    fn unary(&mut self) -> Option<i128> {
        if let Some(sign) = self.sign(&["!", "~", "-", "+"]) {
            let value = self.unary()?;
            return Some(match sign {
                "!" => i128::from(value == 0),
                "~" => !value,
                "-" => value.wrapping_neg(),
                _ => value,
            });
        }
        if self.sign(&["("]).is_some() {
            let value = self.binary(0);
            self.sign(&[")"])?;
            return value;
        }
        let token = self.tokens.get(self.next)?;
        self.next += 1;
        match token {
            Token::Number(value) => Some(*value),
            Token::Name(name) => (self.value)(name),
            Token::Sign(_) => None,
        }
    }
}

/// An operation; of `&&` and `||`, one operand may do.
fn apply(sign: &str, left: Option<i128>, right: Option<i128>) -> Option<i128> {
    match (sign, left, right) {
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        ("||", Some(value), _) | ("||", _, Some(value)) if value != 0 => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, right?);
    let is = |holds: bool| Some(i128::from(holds));
    let shift = || u32::try_from(right).ok().filter(|bits| *bits < 128);
    match sign {
        "||" | "&&" => is(sign == "&&"),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => is(left == right),
        "!=" => is(left != right),
        "<" => is(left < right),
        ">" => is(left > right),
        "<=" => is(left <= right),
        ">=" => is(left >= right),
        "<<" => Some(left << shift()?),
        ">>" => Some(left >> shift()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

/// Value of a variable where a thread stands: of its innermost function of the program, or else a global one.
fn variable(
    interpreter: &mut Interpreter,
    state: &State,
    thread: ThreadId,
    name: &str,
) -> Option<i128> {
    let frames = state.thread(thread).frames.iter().rev();
    let mut own =
        frames.filter(|frame| interpreter.function(frame).origin == crate::ir::Origin::Program);
    if let Some(frame) = own.next() {
        let function = interpreter.function(frame);
        let mut named = function.regs.iter_ids();
        let named = named.find(|(_, info)| info.name.as_deref() == Some(name));
        if let Some((reg, info)) = named {
            let word = frame.word(reg);
            let signed = info.reading.is_signed();
            return word
                .is_number()
                .then(|| read(word.value, info.bits, signed));
        }
        let program = interpreter.program;
        for (_, object) in state.memory.iter() {
            let Label::Instruction(place, block, index) = object.label else {
                continue;
            };
            if place != frame.function
                || !matches!(object.origin, Origin::Alloc(by, _) if by == thread)
            {
                continue;
            }
            let instr = &program.functions[place].blocks[block]
                .instrs
                .get(index)?
                .kind;
            if let InstrKind::Alloc {
                kind: AllocKind::Stack { name: own, ty, .. },
                ..
            } = instr
                && own == name
            {
                return scalar(program, *ty, &object.bytes);
            }
        }
    }
    let program = interpreter.program;
    let mut globals = program.globals.iter_ids();
    let (id, global) = globals.find(|(_, global)| global.name == name)?;
    let object = state
        .memory
        .iter()
        .find(|(_, object)| is_global(object.label, id))?
        .1;
    scalar(program, global.ty, &object.bytes)
}

fn is_global(label: Label, id: GlobalId) -> bool {
    label == Label::Static(id)
}

fn scalar(program: &Program, ty: TypeId, bytes: &[Option<u8>]) -> Option<i128> {
    let Type::Int { signed, .. } = program.types[ty] else {
        return None;
    };
    let mut value = 0;
    for byte in bytes.iter().rev() {
        value = value << 8 | u128::from((*byte)?);
    }
    Some(read(value, 8 * bytes.len() as u16, signed))
}

/// A word as a number.
fn read(value: u128, bits: u16, signed: bool) -> i128 {
    if signed && (1..128).contains(&bits) && value >> (bits - 1) & 1 == 1 {
        return (value | u128::MAX << bits).cast_signed();
    }
    value.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<i128> {
        let tokens = tokens(text)?;
        let mut reader = Reader {
            tokens: &tokens,
            next: 0,
            value: &mut |name| (name == "x").then_some(5),
        };
        let value = reader.binary(0);
        (reader.next == tokens.len()).then_some(value).flatten()
    }

    #[test]
    fn expressions_have_values() {
        for (text, expected) in [
            ("1", Some(1)),
            ("x == 5 && !(x < 0x5u)", Some(1)),
            ("x + 2 * 3 == 11", Some(1)),
            ("-x == -5L", Some(1)),
            ("x == 6 || y == 1", None),
            ("x == 6 && y == 1", Some(0)),
            ("x == 5 || y == 1", Some(1)),
            ("x / 0", None),
            ("(x", None),
            ("x x", None),
            ("010", Some(8)),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn results_have_values() {
        let info = RegInfo::temporary(32);
        assert_eq!(result("\\result == 7", &info), Some(7));
        assert_eq!(result("-1 == \\result", &info), Some(u128::MAX));
        assert_eq!(result("\\result < 7", &info), None);
        assert_eq!(numbers("x == -1 && y == 3"), [u128::MAX, 3]);
        let both = Some(vec!["x".to_string(), "y".to_string()]);
        assert_eq!(names("x / 0 == 1 && !(y < 2)"), both);
        assert_eq!(names("main#0 in {3:22}"), None);
    }
}
