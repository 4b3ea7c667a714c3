//! Floating-point operations, as gates, against the machine: operands that are difficult and operands that are
//! random, many at a time.
//!
//! The quick test runs every operation on some thousand operands. The long one
//! (`cargo test --release --test solver-tests floats::long -- --ignored --nocapture`) runs it on
//! `SELVEDGE_OPERANDS` of them (10,000,000 if that is not set) and prints a table; `SELVEDGE_OPERATIONS` chooses
//! operations by parts of their names.

mod operands;
mod simulate;

use operands::Operands;
use selvedge::base::float::{Format, Operation, Rounding, native};
use selvedge::circuit::{Blaster, Circuit, Lit};
use selvedge::term::{TermId, Terms};
use simulate::{LANES, Simulator};
use std::time::Instant;

/// All operations, with the format of their operands or, for those from integers, of their result.
fn operations() -> Vec<(Operation, Format)> {
    let mut all = Vec::new();
    for format in Format::ALL {
        let other = match format {
            Format::Single => Format::Double,
            Format::Double => Format::Single,
        };
        let plain = [
            Operation::Add,
            Operation::Sub,
            Operation::Mul,
            Operation::Div,
            Operation::SquareRoot,
            Operation::MultiplyAdd,
            Operation::Remainder,
            Operation::Equal,
            Operation::Less,
            Operation::LessEqual,
            Operation::Convert(other),
            Operation::Convert(format),
        ];
        let roundings = [
            Rounding::NearestEven,
            Rounding::NearestAway,
            Rounding::Zero,
            Rounding::Up,
            Rounding::Down,
        ];
        let widths = [8, 16, 32, 64, 128];
        let integers = widths
            .iter()
            .flat_map(|bits| [(*bits, true), (*bits, false)]);
        let integers = integers.flat_map(|(bits, signed)| {
            [
                Operation::FromInteger { bits, signed },
                Operation::ToInteger { bits, signed },
            ]
        });
        let roundings = roundings.into_iter().map(Operation::Integral);
        let chained = plain.into_iter().chain(roundings).chain(integers);
        all.extend(chained.map(|op| (op, format)));
    }
    all
}

fn name(op: Operation, format: Format) -> String {
    format!("{}.{}", format.name(), op.name())
}

/// An operation as gates.
struct Gates {
    operation: Operation,
    format: Format,
    circuit: Circuit,
    inputs: Vec<Vec<Lit>>,
    outputs: Vec<Lit>,
}

/// `fixed` operands are constants of these values.
fn gates(operation: Operation, format: Format, fixed: &[Option<u128>]) -> Gates {
    let mut terms = Terms::new();
    let bits = operation.operand_bits(format);
    let operands: Vec<TermId> = (0..operation.arity())
        .map(|i| match fixed.get(i).copied().flatten() {
            Some(word) => terms.constant(word, bits),
            None => terms.fresh("operand", bits),
        })
        .collect();
    let result = terms.float(operation, format, &operands);
    let (mut circuit, mut blaster) = (Circuit::new(), Blaster::new());
    let inputs = operands
        .iter()
        .map(|operand| blaster.bits(&mut circuit, &terms, *operand).to_vec())
        .collect();
    let outputs = blaster.bits(&mut circuit, &terms, result).to_vec();
    Gates {
        operation,
        format,
        circuit,
        inputs,
        outputs,
    }
}

/// Defined results: true if an operation says what its result is.
fn is_defined(operation: Operation, format: Format, operands: &[u128]) -> bool {
    let Operation::ToInteger { bits, signed } = operation else {
        return true;
    };
    let number = match format {
        Format::Single => f64::from(f32::from_bits(operands[0] as u32)),
        Format::Double => f64::from_bits(operands[0] as u64),
    };
    let least = if signed {
        -2f64.powi(i32::from(bits) - 1)
    } else {
        0.0
    };
    let end = 2f64.powi(i32::from(bits) - i32::from(signed));
    number.trunc() >= least && number.trunc() < end
}

/// Compares gates with the machine on at least `count` operands.
fn compare(gates: &Gates, count: usize, seed: u64, fixed: &[Option<u128>]) -> Result<(), String> {
    let Gates {
        operation, format, ..
    } = *gates;
    let mut simulator = Simulator::new(&gates.circuit, &gates.inputs, &gates.outputs);
    let mut source = Operands::new(operation, format, seed);
    for _ in 0..count.div_ceil(LANES) {
        let mut tuples = Vec::with_capacity(LANES);
        for _ in 0..LANES {
            let mut tuple = source.next();
            for (word, fixed) in tuple.iter_mut().zip(fixed) {
                *word = fixed.unwrap_or(*word);
            }
            tuples.push(tuple);
        }
        let results = simulator.run(&tuples);
        for (tuple, found) in tuples.iter().zip(results) {
            let operands = &tuple[..operation.arity()];
            let expected = native::apply(operation, format, operands);
            if found != expected && is_defined(operation, format, operands) {
                return Err(format!(
                    "{}: {operands:x?} gives {found:x} and not {expected:x}",
                    name(operation, format)
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn operations_agree_with_the_machine() {
    for (operation, format) in operations() {
        // A remainder of doubles has a row for each of two thousand places.
        let count = match (operation, format) {
            (Operation::Remainder, Format::Double) => 2_000,
            _ => 20_000,
        };
        let gates = gates(operation, format, &[]);
        if let Err(difference) = compare(&gates, count, 1, &[]) {
            panic!("{difference}");
        }
    }
}

/// Constant operands, to which other rewrites apply.
#[test]
fn operations_with_a_constant_agree_with_the_machine() {
    let binary = [
        Operation::Add,
        Operation::Mul,
        Operation::Div,
        Operation::Remainder,
        Operation::Less,
        Operation::MultiplyAdd,
    ];
    for operation in binary {
        for format in Format::ALL {
            let mut values = Operands::new(operation, format, 7);
            for round in 0..12 {
                let word = match round {
                    0 => format.one(),
                    1 => format.power_of_two(3),
                    2 => 1,
                    _ => values.next()[0],
                };
                let position = round % 2;
                let mut fixed = [None; 3];
                fixed[position] = Some(word);
                if (operation, format) == (Operation::Remainder, Format::Double) && round > 3 {
                    continue;
                }
                let gates = gates(operation, format, &fixed);
                if let Err(difference) = compare(&gates, 2_000, round as u64, &fixed) {
                    panic!("{difference}");
                }
            }
        }
    }
}

/// Constants fold to what the gates compute.
#[test]
fn constants_fold() {
    for (operation, format) in operations() {
        let mut source = Operands::new(operation, format, 3);
        let mut terms = Terms::new();
        let count = if operation == Operation::Remainder {
            30
        } else {
            300
        };
        for _ in 0..count {
            let tuple = source.next();
            let operands = &tuple[..operation.arity()];
            let bits = operation.operand_bits(format);
            let words: Vec<TermId> = operands.iter().map(|w| terms.constant(*w, bits)).collect();
            let result = terms.float(operation, format, &words);
            let expected = native::apply(operation, format, operands);
            if is_defined(operation, format, operands) {
                let what = name(operation, format);
                assert_eq!(
                    terms.as_constant(result),
                    Some(expected),
                    "{what} {operands:x?}"
                );
            }
        }
    }
}

/// Deliberate errors show in operations, or in a program with a conversion out of range, which ends the execution.
#[cfg(feature = "faults")]
#[test]
fn every_fault_is_caught() {
    use selvedge::base::faults::record::Campaign;
    use selvedge::ir::DataModel;
    use selvedge::outcome::Verdict;
    use selvedge::source::Source;
    use selvedge::verify::{Request, verify};

    let mut cheap = operations();
    cheap.retain(|(operation, _)| *operation != Operation::Remainder);
    let names = cheap.iter().map(|(op, format)| name(*op, *format));
    let campaign = Campaign {
        name: "floats",
        faults: crate::campaigns::of_kind("FLOAT", ()),
        programs: names.chain(["out-of-range".to_string()]).collect(),
    };
    let text = "extern void reach_error(void); extern double __VERIFIER_nondet_double(void);\n\
        int main(void) { double x = __VERIFIER_nondet_double(); int i = (int)x;\n\
        if (x > 3e9 || x != x || (int)x != i) reach_error(); }";
    let holds = || {
        let unit = selvedge::syntax::parse(&Source::from_text("range.c", text)).ok()?;
        let program = selvedge::library::read(
            &[selvedge::ir::lower::Unit::alone(&unit)],
            DataModel::Lp64,
            &Default::default(),
        )
        .ok()?;
        let budget = selvedge::base::Budget::unlimited();
        let verified = verify(
            &program.into(),
            None,
            &Request::assertions(),
            &budget,
            &mut |_| (),
        );
        let is_safe =
            verified.is_ok_and(|v| matches!(v.outcome.verdict, Verdict::Successful { .. }));
        Some(is_safe)
    };
    campaign.run(|_, (), number| match cheap.get(number) {
        Some((operation, format)) => {
            Some(compare(&gates(*operation, *format, &[]), 20_000, 1, &[]).is_ok())
        }
        None => holds(),
    });
}

#[test]
#[ignore = "takes half an hour; see the top of this file"]
fn long() {
    let count = std::env::var("SELVEDGE_OPERANDS").ok();
    let count = count
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000_000);
    let chosen = std::env::var("SELVEDGE_OPERATIONS").unwrap_or_default();
    println!(
        "{:<16}{:>10}{:>12}{:>9}",
        "operation", "gates", "operands", "seconds"
    );
    let mut differences = Vec::new();
    for (operation, format) in operations() {
        let what = name(operation, format);
        if !chosen.split(',').any(|part| what.contains(part)) {
            continue;
        }
        let start = Instant::now();
        let gates = gates(operation, format, &[]);
        let outcome = compare(&gates, count, 12345, &[]);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{what:<16}{:>10}{count:>12}{seconds:>9.1}",
            gates.circuit.len()
        );
        differences.extend(outcome.err());
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
