//! Signed overflow (`--check overflow`): every operator on pairs of numbers at the borders of every type, against exact arithmetic.

use selvedge::{Budget, Check, Options, Request, Session};
use std::collections::BTreeSet;

/// A signed type: its name, its width, and the width that its operands are promoted to.
const TYPES: [(&str, u32, u32); 5] = [
    ("signed char", 8, 32),
    ("short", 16, 32),
    ("int", 32, 32),
    ("long", 64, 64),
    ("__int128", 128, 128),
];

/// Numbers of so many bits that matter.
fn numbers(bits: u32) -> Vec<i128> {
    let most = i128::MAX >> (128 - bits);
    let root = 1_i128 << (bits / 2);
    vec![
        -most - 1,
        -most,
        -root,
        -1,
        0,
        1,
        2,
        root - 1,
        root,
        most - 1,
        most,
    ]
}

/// A number as an expression of any width.
fn written(value: i128) -> String {
    let (high, low) = ((value >> 64) as u64, value as u64);
    format!("(__int128)((unsigned __int128){high:#x}ul << 64 | {low:#x}ul)")
}

/// Overflow of an operation at a width; `None` where something else is undefined.
fn overflows(op: &str, x: i128, y: i128, bits: u32) -> Option<bool> {
    let exact = match op {
        "+" => x.checked_add(y),
        "-" => x.checked_sub(y),
        "*" => x.checked_mul(y),
        "/" | "%" if y == 0 => return None,
        // The remainder is defined if the quotient is.
        "/" | "%" => x.checked_div(y),
        _ => {
            let amount = u32::try_from(y).ok().filter(|amount| *amount < bits)?;
            let back = x.checked_shl(amount).map(|moved| moved >> amount);
            x.checked_shl(amount).filter(|_| back == Some(x))
        }
    };
    let most = i128::MAX >> (128 - bits);
    Some(exact.is_none_or(|exact| exact < -most - 1 || exact > most))
}

/// Lines of a program in which signed numbers overflow, for each of its choices one line.
fn lines(choices: &[String]) -> BTreeSet<u32> {
    let mut text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n".to_string();
    text.push_str("int c = __VERIFIER_nondet_int();\n");
    for (number, choice) in choices.iter().enumerate() {
        text.push_str(&format!("if (c == {number}) {{ {choice} }}\n"));
    }
    text.push_str("}\n");
    let overflow = [Check::Overflow].into_iter().collect();
    let (found, _) = crate::checks::findings("overflow.c", &text, overflow, &Budget::unlimited());
    let first = found.iter().filter_map(|(_, lines)| lines.first());
    first.map(|line| *line as u32 - 4).collect()
}

#[test]
fn overflow_is_what_exact_arithmetic_says() {
    for (name, bits, promoted) in TYPES {
        for op in ["+", "-", "*", "/", "%", "<<"] {
            let mut choices = Vec::new();
            let mut expected = BTreeSet::new();
            for x in numbers(bits) {
                let amounts = vec![0, 1, 7, 30, i128::from(promoted) - 1];
                let others = if op == "<<" { amounts } else { numbers(bits) };
                for y in others {
                    let Some(overflows) = overflows(op, x, y, promoted) else {
                        continue;
                    };
                    if overflows {
                        expected.insert(choices.len() as u32);
                    }
                    let (x, y) = (written(x), written(y));
                    choices.push(format!("{name} x = {x}, y = {y}; x {op} y;"));
                }
            }
            assert_eq!(lines(&choices), expected, "{name} {op}");
        }
    }
}

#[test]
fn other_operators_overflow_as_these() {
    let least = "int x = -2147483647 - 1;";
    let most = "int x = 2147483647;";
    let choices = [
        (true, format!("{least} -x;")),
        (false, format!("{most} -x;")),
        (true, format!("{most} x++;")),
        (true, format!("{most} ++x;")),
        (true, format!("{least} x--;")),
        (true, format!("{least} --x;")),
        (true, format!("{most} x += 1;")),
        (true, format!("{most} x *= 2;")),
        (true, format!("{least} x /= -1;")),
        (true, "1 << 31;".to_string()),
        (true, "2147483647 + 1;".to_string()),
        // Promoted, and then converted.
        (false, "signed char x = 127; x++;".to_string()),
        (false, "short x = 32767; x += 1;".to_string()),
        (false, "signed char x = 300;".to_string()),
        (true, "unsigned short x = 65535; x * x;".to_string()),
        // Unsigned numbers wrap, and so do atomic operations.
        (
            false,
            "unsigned x = 4294967295u; x++; x * x; -x;".to_string(),
        ),
        (false, format!("_Atomic {most} x++;")),
        (false, format!("{most} __atomic_fetch_add(&x, 1, 5);")),
        (
            false,
            format!("{most} int y; __builtin_add_overflow(x, 1, &y);"),
        ),
    ];
    let expected = choices
        .iter()
        .enumerate()
        .filter(|(_, (overflows, _))| *overflows);
    let expected: BTreeSet<u32> = expected.map(|(number, _)| number as u32).collect();
    let choices: Vec<String> = choices.iter().map(|(_, choice)| choice.clone()).collect();
    assert_eq!(lines(&choices), expected);
}

#[test]
fn signed_numbers_wrap_where_nobody_asks() {
    let text = "int main(void) { int x = 2147483647; x++; }";
    let session =
        Session::parse("wrap.c", text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let answer = session.verify(&Request::default(), &Budget::unlimited(), &mut |_| ());
    assert!(answer.is_ok_and(|answer| answer.outcome.verdict.is_complete()));
    let request = Request {
        checks: [Check::Overflow].into_iter().collect(),
        first: false,
        ..Request::default()
    };
    assert!(
        session
            .verify(&request, &Budget::unlimited(), &mut |_| ())
            .is_err()
    );
}
