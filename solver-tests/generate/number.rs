//! Idioms of floating-point numbers: what a shared one is after operations of several threads, on operands where
//! rounding, underflow, signs of zero and what is not a number show.

use super::Writer;
use super::idiom::Parts;
use crate::program::{Statement, block, line};

/// Operands, as `float`s that are exact or rounded the same way in both types.
const OPERANDS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.1,
    3.0,
    16_777_215.0,
    16_777_216.0,
    1e-45,
    1.2e-38,
    2.9,
    -2.9,
    3.4e38,
    3e9,
    1.000_000_1,
];

impl Writer {
    /// A shared number, changed by all threads, compared with what it is if they come one after the other.
    pub(super) fn numbers(&mut self, workers: usize) -> Parts {
        let ty = *self.random.pick(&["float", "float", "double"]);
        let start = *self.random.pick(&OPERANDS);
        self.add_global(&format!("{ty} z = {}; int whole;", literal(start)));
        let mut expected = rounded(ty, start);
        let mut bodies = Vec::new();
        for how in self.protections(workers) {
            let operand = rounded(ty, *self.random.pick(&OPERANDS));
            let (text, value) = self.operation(ty, expected, operand);
            expected = value;
            bodies.push(vec![self.protect(how, text)]);
        }
        let check = match self.random.below(6) {
            0 => format!("assert(z < {});", literal(expected)),
            1 => format!("assert(1 / z > {});", literal(0.0)),
            2 => "assert(z == z);".to_string(),
            3 => format!("assert(z >= {} || z != z);", literal(expected)),
            _ if expected.is_nan() => "assert(z != z);".to_string(),
            _ => format!("assert(z == {});", literal(expected)),
        };
        (bodies, vec![line(check)])
    }

    /// An operation on the shared number, and what it makes of a value.
    fn operation(&mut self, ty: &str, z: f64, operand: f64) -> (Vec<Statement>, f64) {
        let c = literal(operand);
        let plain = |text: String| vec![line(text)];
        let (text, value) = match self.random.below(9) {
            0 | 1 => (plain(format!("z += {c};")), z + operand),
            2 => (plain(format!("z = z - {c};")), z - operand),
            3 => (plain(format!("z *= {c};")), z * operand),
            4 => (plain(format!("z = {c} / z;")), operand / z),
            5 => (plain("z = -z;".into()), -z),
            6 => {
                let test = block(format!("if (z < {c})"), vec![line(format!("z = {c};"))]);
                (vec![test], if z < operand { operand } else { z })
            }
            7 => {
                let steps = ["whole = (int)z;", "z = whole;"].map(line);
                (steps.to_vec(), z.trunc())
            }
            _ => {
                let steps = [
                    "whole = (__VERIFIER_nondet_int() & 3) | 0x1000000;",
                    "z = whole;",
                ];
                (steps.map(line).to_vec(), 16_777_217.0)
            }
        };
        (text, rounded(ty, value))
    }
}

/// The nearest number of the type. (Sums, products and quotients of `float`s, rounded to `double` first, are
/// rounded to `float` as if they had not been.)
fn rounded(ty: &str, number: f64) -> f64 {
    match ty {
        "float" => f64::from(number as f32),
        _ => number,
    }
}

/// The number in C.
fn literal(number: f64) -> String {
    if number.is_nan() {
        "(0.0 / 0.0)".to_string()
    } else if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("({sign}1.0 / 0.0)")
    } else {
        format!("({number:?})")
    }
}
