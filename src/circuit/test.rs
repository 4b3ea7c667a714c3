//! Words of gates against machine arithmetic, random terms against their circuits, circuits against their
//! clauses.

use super::emit::{ClauseSink, Clauses, Emitter};
use super::graph::{Circuit, Gate, Lit};
use super::shifter::Direction;
use super::{Blaster, Formula};
use crate::term::test::{COMPARE, Random, SAME, apply, meaning, random_script};
use crate::term::word::mask;
use crate::term::{TermId, Terms, VarId};

fn inputs(circuit: &mut Circuit, bits: u16) -> Vec<Lit> {
    (0..bits).map(|_| circuit.new_input()).collect()
}

fn constant(value: u128, bits: u16) -> Vec<Lit> {
    (0..bits)
        .map(|i| Lit::constant(value >> i & 1 == 1))
        .collect()
}

fn read(values: &[bool], word: &[Lit]) -> u128 {
    word.iter().enumerate().fold(0, |sum, (i, lit)| {
        sum | u128::from(values[lit.gate()] ^ lit.is_negative()) << i
    })
}

/// Value of every gate, by number, given the values of inputs.
fn simulate(circuit: &Circuit, input: &dyn Fn(Lit) -> bool) -> Vec<bool> {
    let values = circuit.simulate(&|lit| u64::from(input(lit)));
    values.into_iter().map(|value| value & 1 == 1).collect()
}

/// The operator built in gates directly.
fn words(circuit: &mut Circuit, op: &str, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    match op {
        "add" => circuit.add_words(a, b),
        "sub" => circuit.sub_words(a, b),
        "mul" => circuit.mul_words(a, b),
        "udiv" => circuit.divide_words(a, b).0,
        "urem" => circuit.divide_words(a, b).1,
        "shl" => circuit.shift_words(a, b, Direction::Left, Lit::FALSE),
        "lshr" => circuit.shift_words(a, b, Direction::Right, Lit::FALSE),
        "ashr" => circuit.shift_words(a, b, Direction::Right, a[a.len() - 1]),
        "eq" => vec![circuit.equal_words(a, b)],
        "ult" => vec![circuit.less_unsigned(a, b)],
        "slt" => vec![circuit.less_signed(a, b)],
        _ => panic!("unknown operator {op}"),
    }
}

const WORD_OPS: [&str; 11] = [
    "add", "sub", "mul", "udiv", "urem", "shl", "lshr", "ashr", "eq", "ult", "slt",
];

#[test]
fn words_exhaustively_at_few_bits() {
    for op in WORD_OPS {
        for bits in [1, 2, 3, 4] {
            let mut circuit = Circuit::new();
            let (a, b) = (inputs(&mut circuit, bits), inputs(&mut circuit, bits));
            let both = words(&mut circuit, op, &a, &b);
            for x in 0..=mask(bits) {
                let left = words(&mut circuit, op, &constant(x, bits), &b);
                for y in 0..=mask(bits) {
                    let right = words(&mut circuit, op, &a, &constant(y, bits));
                    let fixed = words(&mut circuit, op, &constant(x, bits), &constant(y, bits));
                    let values = simulate(&circuit, &|lit| {
                        let at = |word: &[Lit]| word.iter().position(|&l| l == lit);
                        match (at(&a), at(&b)) {
                            (Some(i), _) => x >> i & 1 == 1,
                            (_, Some(i)) => y >> i & 1 == 1,
                            _ => unreachable!("two words of inputs"),
                        }
                    });
                    for word in [&both, &left, &right, &fixed] {
                        let expected = meaning(op, bits, bits, x, y);
                        assert_eq!(read(&values, word), expected, "{op} {x} {y} at {bits} bits");
                    }
                    assert!(fixed.iter().all(|lit| lit.is_constant()));
                }
            }
        }
    }
}

#[test]
fn words_at_random_when_wide() {
    let mut random = Random(5);
    for op in WORD_OPS {
        for bits in [13, 32, 64, 127, 128] {
            let mut circuit = Circuit::new();
            let (a, b) = (inputs(&mut circuit, bits), inputs(&mut circuit, bits));
            let both = words(&mut circuit, op, &a, &b);
            for _ in 0..12 {
                let (x, y) = (random.word(bits), random.word(bits));
                let y = if random.below(2) == 0 {
                    (y % 140) & mask(bits)
                } else {
                    y
                };
                let values = simulate(&circuit, &|lit| {
                    let i = lit.gate() - 1;
                    let n = usize::from(bits);
                    if i < n {
                        x >> i & 1 == 1
                    } else {
                        y >> (i - n) & 1 == 1
                    }
                });
                assert_eq!(
                    read(&values, &both),
                    meaning(op, bits, bits, x, y),
                    "{op} {x} {y} {bits}"
                );
                let k = words(
                    &mut Circuit::new(),
                    op,
                    &constant(x, bits),
                    &constant(y, bits),
                );
                assert_eq!(
                    read(&[false], &k),
                    meaning(op, bits, bits, x, y),
                    "{op} {x} {y} {bits}"
                );
            }
        }
    }
}

#[test]
fn gates_at_random() {
    // Random gates over five inputs, against truth tables.
    let mut random = Random(6);
    for _ in 0..400 {
        let mut circuit = Circuit::new();
        let mut all: Vec<(Lit, u32)> = vec![(Lit::FALSE, 0)];
        for i in 0..5 {
            let lit = circuit.new_input();
            let table = (0..32)
                .filter(|row| row >> i & 1 == 1)
                .fold(0u32, |t, row| t | 1 << row);
            all.push((lit, table));
        }
        for _ in 0..60 {
            let mut pick = || {
                let (lit, table) = all[random.below(all.len())];
                if random.below(2) == 0 {
                    (!lit, !table)
                } else {
                    (lit, table)
                }
            };
            let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
            all.push(match random.below(5) {
                0 | 1 => (circuit.and(a, b), x & y),
                2 => (circuit.xor(a, b), x ^ y),
                3 => (circuit.ite(a, b, c), x & y | !x & z),
                _ => (circuit.majority(a, b, c), x & y | x & z | y & z),
            });
        }
        for row in 0..32 {
            let values = simulate(&circuit, &|lit| row >> (lit.gate() - 1) & 1 == 1);
            for &(lit, table) in &all {
                assert_eq!(
                    values[lit.gate()] ^ lit.is_negative(),
                    table >> row & 1 == 1
                );
            }
        }
    }
}

#[test]
fn simplifications_leave_no_gate() {
    let mut circuit = Circuit::new();
    let (p, q, r) = (
        circuit.new_input(),
        circuit.new_input(),
        circuit.new_input(),
    );
    let pq = circuit.and(p, q);
    let pr = circuit.and(p, r);
    let not_pr = circuit.and(!p, r);
    let p_not_q = circuit.and(p, !q);
    // Contradiction, idempotence, subsumption, resolution.
    assert_eq!(circuit.and(pq, !p), Lit::FALSE);
    assert_eq!(circuit.and(pq, not_pr), Lit::FALSE);
    assert_eq!(circuit.and(pq, p), pq);
    assert_eq!(circuit.and(!pq, !p), !p);
    assert_eq!(circuit.and(pq, !not_pr), pq);
    assert_eq!(circuit.and(!pq, !p_not_q), !p);
    // Substitution makes one gate.
    assert_eq!(circuit.and(!pq, p), p_not_q);
    let before = circuit.len();
    let substituted = circuit.and(pq, !pr);
    assert_eq!(circuit.gate(substituted), Gate::And(!r, pq).ordered());
    assert_eq!(circuit.len(), before + 1);
    // An exclusive or written as conjunctions.
    let neither = circuit.and(!p, !q);
    let xor = circuit.and(!pq, !neither);
    assert_eq!(xor, circuit.xor(p, q));
    let majority = circuit.majority(p, q, r);
    assert_eq!(circuit.majority(!q, !r, !p), !majority);
    assert_eq!(circuit.majority(p, !p, r), r);
    assert_eq!(circuit.majority(p, Lit::TRUE, r), circuit.or(p, r));
}

impl Gate {
    fn ordered(self) -> Gate {
        match self {
            Gate::And(a, b) => Gate::And(a.min(b), a.max(b)),
            gate => gate,
        }
    }
}

#[test]
fn every_operator_on_four_bits_through_terms_and_gates() {
    for op in SAME.iter().chain(&COMPARE) {
        let bits = 4;
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", bits), terms.fresh("y", bits));
        let mut all: Vec<(TermId, Option<u128>, Option<u128>)> =
            vec![(apply(&mut terms, op, x, y), None, None)];
        for k in 0..16 {
            let constant = terms.constant(k, bits);
            all.push((apply(&mut terms, op, constant, y), Some(k), None));
            all.push((apply(&mut terms, op, x, constant), None, Some(k)));
        }
        let mut formula = Formula::new();
        let word: Vec<Vec<Lit>> = all
            .iter()
            .map(|(t, ..)| formula.bits_of(&terms, *t).to_vec())
            .collect();
        let (xs, ys) = (
            formula.bits_of(&terms, x).to_vec(),
            formula.bits_of(&terms, y).to_vec(),
        );
        for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
            let values = simulate(formula.circuit(), &|lit| {
                let at = |word: &[Lit]| word.iter().position(|&l| l == lit);
                at(&xs).map_or_else(
                    || b >> at(&ys).expect("x or y") & 1 == 1,
                    |i| a >> i & 1 == 1,
                )
            });
            for ((_, ka, kb), word) in all.iter().zip(&word) {
                let (a, b) = (ka.unwrap_or(a), kb.unwrap_or(b));
                assert_eq!(
                    read(&values, word),
                    meaning(op, bits, bits, a, b),
                    "{op} {a} {b}"
                );
            }
        }
    }
}

/// Values of all variables that follow from the assumed ones by unit propagation; `None` on a conflict.
fn propagate(clauses: &Clauses, assumed: &[i32]) -> Option<Vec<i8>> {
    let mut values = vec![0i8; clauses.variables() as usize + 1];
    let value = |values: &[i8], lit: i32| values[lit.unsigned_abs() as usize] * lit.signum() as i8;
    for &lit in assumed {
        values[lit.unsigned_abs() as usize] = lit.signum() as i8;
    }
    loop {
        let mut changed = false;
        for clause in clauses.iter() {
            if clause.iter().any(|&lit| value(&values, lit) > 0) {
                continue;
            }
            let open: Vec<i32> = clause
                .iter()
                .copied()
                .filter(|&lit| value(&values, lit) == 0)
                .collect();
            match open[..] {
                [] => return None,
                [lit] => {
                    values[lit.unsigned_abs() as usize] = lit.signum() as i8;
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(values);
        }
    }
}

/// Random scripts: gates agree with the calls, clauses with the gates, and an asserted condition holds exactly
/// where its clauses are satisfied.
fn random_circuits(
    seed: u64,
    scripts: usize,
    variables: &[u16],
    widths: &[u16],
    clauses_too: bool,
) {
    let mut random = Random(seed);
    for _ in 0..scripts {
        let mut terms = Terms::new();
        let script = random_script(&mut terms, &mut random, variables, widths, 30);
        let mut circuit = Circuit::new();
        let mut blaster = Blaster::new();
        let mut sink = Clauses::new();
        let mut emitter = Emitter::new();
        let mut words: Vec<Vec<Lit>> = Vec::new();
        for &t in &script.terms {
            words.push(blaster.bits(&mut circuit, &terms, t).to_vec());
            // Definitions are asked for while the circuit grows.
            if clauses_too && random.below(3) == 0 {
                let lit = words[words.len() - 1][0];
                emitter.lit(&circuit, lit, &mut sink);
            }
        }
        if clauses_too {
            for word in &words {
                for &lit in word {
                    emitter.lit(&circuit, lit, &mut sink);
                }
            }
        }
        // Another translation, which defines only what one assertion needs.
        let conditions: Vec<usize> = (0..words.len()).filter(|&i| words[i].len() == 1).collect();
        let asserted = conditions[random.below(conditions.len())];
        let (mut small, mut asserter) = (Clauses::new(), Emitter::new());
        if clauses_too {
            asserter.assert(&circuit, words[asserted][0], &mut small);
        }
        for _ in 0..6 {
            let values: Vec<u128> = variables.iter().map(|&bits| random.word(bits)).collect();
            let expected = script.evaluate(&values);
            let mut by_gate = vec![false; circuit.len()];
            for (i, &value) in values.iter().enumerate() {
                if let Some(word) = blaster.variable(&terms, VarId(i as u32)) {
                    for (bit, lit) in word.iter().enumerate() {
                        by_gate[lit.gate()] = value >> bit & 1 == 1;
                    }
                }
            }
            let simulated = simulate(&circuit, &|lit| by_gate[lit.gate()]);
            for (i, word) in words.iter().enumerate() {
                assert_eq!(read(&simulated, word), expected[i], "{:?}", script.calls[i]);
            }
            if !clauses_too {
                continue;
            }
            let assumed = |emitter: &Emitter| -> Vec<i32> {
                let inputs = (0..circuit.len()).map(|gate| Lit((gate as u32) << 1));
                inputs
                    .filter(|&lit| circuit.gate(lit) == Gate::Input)
                    .filter_map(|lit| emitter.get(lit.complement_if(!simulated[lit.gate()])))
                    .collect()
            };
            let model = propagate(&sink, &assumed(&emitter)).expect("definitions exclude no input");
            for (word, expected) in words.iter().zip(&expected) {
                for (bit, &lit) in word.iter().enumerate() {
                    let variable = emitter.get(lit).expect("defined");
                    let value = model[variable.unsigned_abs() as usize] * variable.signum() as i8;
                    assert_eq!(value, if expected >> bit & 1 == 1 { 1 } else { -1 });
                }
            }
            let model = propagate(&small, &assumed(&asserter));
            assert_eq!(model.is_some(), expected[asserted] == 1);
        }
    }
}

#[test]
fn random_narrow_terms_and_their_clauses() {
    random_circuits(21, 700, &[4, 4, 1, 3, 1], &[1, 2, 3, 4, 5, 8], true);
}

#[test]
fn random_wide_terms_and_their_gates() {
    random_circuits(22, 150, &[32, 8, 1, 32, 16], &[1, 8, 16, 32, 64], false);
    random_circuits(
        23,
        60,
        &[128, 64, 1, 127, 1],
        &[1, 2, 63, 64, 65, 127, 128],
        false,
    );
}

#[test]
fn clauses_of_literals_mean_their_disjunction() {
    let mut random = Random(31);
    for _ in 0..300 {
        let mut circuit = Circuit::new();
        let mut lits = vec![Lit::FALSE, Lit::TRUE];
        lits.extend(inputs(&mut circuit, 5));
        for _ in 0..20 {
            let mut pick = || lits[random.below(lits.len())].complement_if(random.below(2) == 0);
            let (a, b, c) = (pick(), pick(), pick());
            lits.push(match random.below(6) {
                0 => circuit.xor(a, b),
                1 => circuit.ite(a, b, c),
                2 => circuit.or(a, b),
                _ => circuit.and(a, b),
            });
        }
        let (mut emitter, mut sink) = (Emitter::new(), Clauses::new());
        let clauses: Vec<Vec<Lit>> = (0..3)
            .map(|_| {
                (0..1 + random.below(3))
                    .map(|_| lits[random.below(lits.len())].complement_if(random.below(2) == 0))
                    .collect()
            })
            .collect();
        for clause in &clauses {
            emitter.clause(&circuit, clause, &mut sink);
        }
        for row in 0..32u32 {
            let values = simulate(&circuit, &|lit| row >> (lit.gate() - 1) & 1 == 1);
            let value = |lit: Lit| values[lit.gate()] ^ lit.is_negative();
            let expected = clauses
                .iter()
                .all(|clause| clause.iter().any(|&lit| value(lit)));
            let assumed: Vec<i32> = (1..6)
                .map(|gate| Lit(gate << 1))
                .filter_map(|lit| emitter.get(lit.complement_if(!value(lit))))
                .collect();
            assert_eq!(propagate(&sink, &assumed).is_some(), expected);
        }
    }
}

#[test]
fn a_formula_numbers_its_variables_and_reads_models() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", 8), terms.fresh("y", 8));
    let sum = terms.add(x, y);
    let (ten, three) = (terms.constant(10, 8), terms.constant(3, 8));
    let (is_ten, is_three) = (terms.eq(sum, ten), terms.eq(x, three));
    let mut formula = Formula::new();
    formula.assert_term(&terms, is_ten);
    let mut solver = Clauses::new();
    formula.flush(&mut solver);
    let flushed = solver.len();
    formula.assert_term(&terms, is_three);
    formula.flush(&mut solver);
    assert!(solver.len() > flushed);
    assert_eq!(formula.clauses(), &solver);
    // Everything follows by propagation here: x is given, and the sum's bits one after the other.
    let model = propagate(&solver, &[]).expect("satisfiable");
    let value = |variable: i32| model[variable as usize] > 0;
    assert_eq!(formula.variable_value(&terms, VarId(0), &value), 3);
    assert_eq!(formula.variable_value(&terms, VarId(1), &value), 7);
    let unused = terms.fresh("z", 8);
    let var = terms.var_of(unused).expect("a variable");
    assert_eq!(formula.variable_value(&terms, var, &value), 0);
}

#[test]
fn contradictions_reach_the_solver() {
    let mut formula = Formula::new();
    formula.assert(Lit::TRUE);
    formula.assert(Lit::FALSE);
    let mut solver = Clauses::new();
    formula.flush(&mut solver);
    assert_eq!(solver.iter().collect::<Vec<_>>(), [&[] as &[i32]]);
    let constant = formula.define(Lit::TRUE);
    formula.flush(&mut solver);
    assert_eq!(solver.iter().last(), Some(&[constant][..]));
    solver.new_var();
}

#[test]
#[ignore = "takes minutes; run after changing a rewrite"]
fn many_random_terms_and_their_clauses() {
    for seed in 1000..1040 {
        random_circuits(seed, 500, &[4, 4, 1, 3, 1], &[1, 2, 3, 4, 5, 8], true);
        random_circuits(seed, 500, &[6, 2, 1, 5, 1], &[1, 2, 4, 5, 6, 7], true);
        random_circuits(seed, 100, &[32, 8, 1, 32, 16], &[1, 8, 16, 32, 64], false);
        random_circuits(
            seed,
            50,
            &[128, 64, 1, 127, 1],
            &[1, 2, 63, 64, 65, 127, 128],
            false,
        );
    }
}
