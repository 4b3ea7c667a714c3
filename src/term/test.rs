//! Random terms beside a plain record of what was asked for, which is evaluated without the pool.

use super::word::mask;
use super::{Evaluator, TermId, Terms, VarId};

/// SplitMix64, so that tests are the same everywhere.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        crate::base::mix::mix(0, self.0)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn word(&mut self, bits: u16) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        // Small, extreme and sparse words are where carries and signs go wrong.
        let word = match self.below(6) {
            0 => wide & 3,
            1 => !(wide & 3),
            2 => 1 << self.below(bits.into()),
            3 => (1u128 << self.below(bits.into())).wrapping_sub(1),
            4 => mask(bits) >> 1,
            _ => wide,
        };
        word & mask(bits)
    }
}

/// A call of the public interface, over earlier calls by position.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Constant(u128),
    Fresh(usize),
    Unary(&'static str, usize),
    Binary(&'static str, usize, usize),
    Ite(usize, usize, usize),
    Extract(usize, u16),
    /// `zero_extend` or `sign_extend`.
    Extend(usize, bool),
}

pub(crate) const SAME: [&str; 13] = [
    "and", "or", "xor", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr",
];
pub(crate) const COMPARE: [&str; 6] = ["eq", "ne", "ult", "ule", "slt", "sle"];

/// Calls, their widths and the terms that they returned.
#[derive(Default)]
pub(crate) struct Script {
    pub calls: Vec<(Call, u16)>,
    pub terms: Vec<TermId>,
    pub variables: Vec<u16>,
}

pub(crate) fn apply(terms: &mut Terms, op: &str, a: TermId, b: TermId) -> TermId {
    match op {
        "and" => terms.and(a, b),
        "or" => terms.or(a, b),
        "xor" => terms.xor(a, b),
        "add" => terms.add(a, b),
        "sub" => terms.sub(a, b),
        "mul" => terms.mul(a, b),
        "udiv" => terms.udiv(a, b),
        "urem" => terms.urem(a, b),
        "sdiv" => terms.sdiv(a, b),
        "srem" => terms.srem(a, b),
        "shl" => terms.shl(a, b),
        "lshr" => terms.lshr(a, b),
        "ashr" => terms.ashr(a, b),
        "eq" => terms.eq(a, b),
        "ne" => terms.ne(a, b),
        "ult" => terms.ult(a, b),
        "ule" => terms.ule(a, b),
        "slt" => terms.slt(a, b),
        "sle" => terms.sle(a, b),
        "concat" => terms.concat(a, b),
        "implies" => terms.implies(a, b),
        _ => panic!("unknown operator {op}"),
    }
}

/// Meaning of an operator, written without the code under test. `b_bits` is the width of `b`.
pub(crate) fn meaning(op: &str, bits: u16, b_bits: u16, a: u128, b: u128) -> u128 {
    let m = mask(bits);
    // Two's complement by hand: value minus 2^bits if the sign bit is set.
    let signed = |x: u128| {
        if bits == 128 {
            x as i128
        } else if x >> (bits - 1) == 1 {
            (x as i128).wrapping_sub(1i128 << bits)
        } else {
            x as i128
        }
    };
    let (sa, sb) = (signed(a), if bits == b_bits { signed(b) } else { 0 });
    let w = u128::from(bits);
    let truth = u128::from;
    m & match op {
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "add" => a.wrapping_add(b),
        "sub" => a.wrapping_sub(b),
        "mul" => a.wrapping_mul(b),
        "udiv" if b == 0 => m,
        "udiv" => a / b,
        "urem" if b == 0 => a,
        "urem" => a % b,
        "sdiv" if b == 0 => {
            if sa < 0 {
                1
            } else {
                m
            }
        }
        "sdiv" => sa.wrapping_div(sb) as u128,
        "srem" if b == 0 => a,
        "srem" => sa.wrapping_rem(sb) as u128,
        "shl" if b >= w => 0,
        "shl" => a << b,
        "lshr" if b >= w => 0,
        "lshr" => a >> b,
        "ashr" if b >= w => {
            if sa < 0 {
                m
            } else {
                0
            }
        }
        "ashr" => (sa >> b) as u128,
        "eq" => truth(a == b),
        "ne" => truth(a != b),
        "ult" => truth(a < b),
        "ule" => truth(a <= b),
        "slt" => truth(sa < sb),
        "sle" => truth(sa <= sb),
        "implies" => truth(a == 0 || b == 1),
        "concat" => return a << b_bits | b,
        _ => panic!("unknown operator {op}"),
    }
}

impl Script {
    fn push(&mut self, call: Call, bits: u16, term: TermId) -> usize {
        self.calls.push((call, bits));
        self.terms.push(term);
        self.calls.len() - 1
    }

    pub fn fresh(&mut self, terms: &mut Terms, bits: u16) -> usize {
        let term = terms.fresh("x", bits);
        self.variables.push(bits);
        self.push(Call::Fresh(self.variables.len() - 1), bits, term)
    }

    pub fn constant(&mut self, terms: &mut Terms, value: u128, bits: u16) -> usize {
        let term = terms.constant(value, bits);
        self.push(Call::Constant(value & mask(bits)), bits, term)
    }

    pub fn binary(&mut self, terms: &mut Terms, op: &'static str, a: usize, b: usize) -> usize {
        let term = apply(terms, op, self.terms[a], self.terms[b]);
        let bits = match op {
            "concat" => self.calls[a].1 + self.calls[b].1,
            op if COMPARE.contains(&op) => 1,
            _ => self.calls[a].1,
        };
        self.push(Call::Binary(op, a, b), bits, term)
    }

    /// One more random call on earlier ones. Most widths are among `widths`.
    pub fn grow(&mut self, terms: &mut Terms, random: &mut Random, widths: &[u16]) {
        let any = random.below(self.calls.len());
        // Recent terms more often, so that terms get deep.
        let a = any.max(random.below(self.calls.len()));
        let bits = self.calls[a].1;
        let of_width = |script: &Script, random: &mut Random, width: u16| {
            let all: Vec<usize> = (0..script.calls.len())
                .filter(|&i| script.calls[i].1 == width)
                .collect();
            (!all.is_empty()).then(|| all[random.below(all.len())])
        };
        match random.below(20) {
            0 => {
                let width = widths[random.below(widths.len())];
                let value = random.word(width);
                self.constant(terms, value, width);
            }
            1 => {
                let value = random.word(bits);
                let k = self.constant(terms, value, bits);
                let op = SAME[random.below(SAME.len())];
                let (a, b) = if random.below(3) == 0 { (k, a) } else { (a, k) };
                self.binary(terms, op, a, b);
            }
            2 => {
                let term = terms.not(self.terms[a]);
                self.push(Call::Unary("not", a), bits, term);
            }
            3 => {
                let term = terms.neg(self.terms[a]);
                self.push(Call::Unary("neg", a), bits, term);
            }
            4..=9 => {
                let b = of_width(self, random, bits).expect("at least a itself");
                self.binary(terms, SAME[random.below(SAME.len())], a, b);
            }
            10 | 11 => {
                let b = of_width(self, random, bits).expect("at least a itself");
                self.binary(terms, COMPARE[random.below(COMPARE.len())], a, b);
            }
            12 => {
                let value = random.word(bits);
                let b = self.constant(terms, value, bits);
                let (a, b) = if random.below(3) == 0 { (b, a) } else { (a, b) };
                self.binary(terms, COMPARE[random.below(COMPARE.len())], a, b);
            }
            13 | 14 => {
                let Some(c) = of_width(self, random, 1) else {
                    return;
                };
                let mut branch = |script: &mut Script| {
                    if random.below(3) == 0 {
                        let value = random.word(bits);
                        script.constant(terms, value, bits)
                    } else {
                        of_width(script, random, bits).expect("at least a itself")
                    }
                };
                let (b, d) = (branch(self), branch(self));
                let term = terms.ite(self.terms[c], self.terms[b], self.terms[d]);
                self.push(Call::Ite(c, b, d), bits, term);
            }
            15 | 16 => {
                let smaller: Vec<u16> = widths.iter().copied().filter(|&w| w <= bits).collect();
                if smaller.is_empty() {
                    return;
                }
                let width = smaller[random.below(smaller.len())];
                let lo = random.below(usize::from(bits - width) + 1) as u16;
                let term = terms.extract(self.terms[a], lo, width);
                self.push(Call::Extract(a, lo), width, term);
            }
            17 | 18 => {
                let larger: Vec<u16> = widths.iter().copied().filter(|&w| w >= bits).collect();
                if larger.is_empty() {
                    return;
                }
                let width = larger[random.below(larger.len())];
                let sign = random.below(2) == 0;
                let term = if sign {
                    terms.sign_extend(self.terms[a], width)
                } else {
                    terms.zero_extend(self.terms[a], width)
                };
                self.push(Call::Extend(a, sign), width, term);
            }
            _ => {
                let b = random.below(self.calls.len());
                let width = bits + self.calls[b].1;
                if widths.contains(&width) {
                    self.binary(terms, "concat", a, b);
                } else if bits == 1 {
                    let b = of_width(self, random, 1).expect("at least a itself");
                    self.binary(terms, "implies", a, b);
                }
            }
        }
    }

    /// Value of every call, by the meaning of the operators.
    pub fn evaluate(&self, values: &[u128]) -> Vec<u128> {
        let mut results: Vec<u128> = Vec::with_capacity(self.calls.len());
        for (call, bits) in &self.calls {
            let m = mask(*bits);
            results.push(match *call {
                Call::Constant(value) => value,
                Call::Fresh(i) => values[i],
                Call::Unary("not", a) => m - results[a],
                Call::Unary(_, a) => (m - results[a]).wrapping_add(1) & m,
                Call::Binary(op, a, b) => {
                    meaning(op, self.calls[a].1, self.calls[b].1, results[a], results[b])
                }
                Call::Ite(c, a, b) => results[if results[c] == 1 { a } else { b }],
                Call::Extract(a, lo) => results[a] >> lo & m,
                Call::Extend(a, sign) => {
                    let from = self.calls[a].1;
                    let negative = results[a] >> (from - 1) & 1 == 1;
                    if sign && negative {
                        results[a] | (m & !mask(from))
                    } else {
                        results[a]
                    }
                }
            });
        }
        results
    }
}

/// A random script of about `calls` calls over variables of the given widths.
pub(crate) fn random_script(
    terms: &mut Terms,
    random: &mut Random,
    variables: &[u16],
    widths: &[u16],
    calls: usize,
) -> Script {
    let mut script = Script::default();
    for &bits in variables {
        script.fresh(terms, bits);
    }
    for _ in 0..calls {
        script.grow(terms, random, widths);
    }
    script
}

/// Every term of the script has its call's value and satisfies its fact.
pub(crate) fn check(terms: &Terms, script: &Script, values: &[u128]) {
    let expected = script.evaluate(values);
    let assignment = |var: VarId| values[var.0 as usize];
    let mut evaluator = Evaluator::new(terms, &assignment);
    for (i, &term) in script.terms.iter().enumerate() {
        let value = evaluator.value(term);
        assert_eq!(
            terms.bits(term),
            script.calls[i].1,
            "width of call {i} {:?}",
            script.calls[i]
        );
        assert_eq!(
            value,
            expected[i],
            "call {i} {:?} under {values:?}\n{:#?}\n{}",
            script.calls[i],
            script.calls,
            terms.show(term)
        );
        assert!(
            terms.fact(term).admits(value),
            "fact {:?} of {}",
            terms.fact(term),
            terms.show(term)
        );
    }
}

fn random_terms(seed: u64, scripts: usize, variables: &[u16], widths: &[u16]) {
    let mut random = Random(seed);
    for _ in 0..scripts {
        let mut terms = Terms::new();
        let script = random_script(&mut terms, &mut random, variables, widths, 40);
        for _ in 0..24 {
            let values: Vec<u128> = variables.iter().map(|&bits| random.word(bits)).collect();
            check(&terms, &script, &values);
        }
    }
}

#[test]
fn random_narrow_terms_keep_their_meaning() {
    random_terms(1, 1500, &[4, 4, 1, 3, 2], &[1, 2, 3, 4, 5, 8]);
}

#[test]
fn random_wide_terms_keep_their_meaning() {
    random_terms(2, 700, &[32, 8, 1, 32, 16], &[1, 8, 16, 32, 64]);
    random_terms(3, 700, &[128, 64, 1, 127, 1], &[1, 2, 63, 64, 65, 127, 128]);
}

#[test]
fn every_operator_on_four_bits() {
    for op in SAME.iter().chain(&COMPARE).chain(&["concat"]) {
        for bits in [1, 4] {
            let mut terms = Terms::new();
            let (x, y) = (terms.fresh("x", bits), terms.fresh("y", bits));
            let both = apply(&mut terms, op, x, y);
            for a in 0..=mask(bits) {
                let ka = terms.constant(a, bits);
                let left = apply(&mut terms, op, ka, y);
                for b in 0..=mask(bits) {
                    let kb = terms.constant(b, bits);
                    let right = apply(&mut terms, op, x, kb);
                    let constant = apply(&mut terms, op, ka, kb);
                    let expected = meaning(op, bits, bits, a, b);
                    let values = |var: VarId| [a, b][var.0 as usize];
                    for t in [both, left, right, constant] {
                        assert_eq!(
                            terms.eval(t, &values),
                            expected,
                            "{op} {a} {b}: {}",
                            terms.show(t)
                        );
                    }
                    assert_eq!(terms.as_constant(constant), Some(expected));
                }
            }
            let same = apply(&mut terms, op, x, x);
            for a in 0..=mask(bits) {
                assert_eq!(
                    terms.eval(same, &|_| a),
                    meaning(op, bits, bits, a, a),
                    "{op} on itself"
                );
            }
        }
    }
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", 32);
    let mut t = x;
    for i in 0..300_000u32 {
        let y = terms.fresh("", 1);
        let shifted = terms.xor(t, x);
        let next = if i % 2 == 0 {
            terms.mul(shifted, t)
        } else {
            shifted
        };
        t = terms.ite(y, next, t);
    }
    assert_eq!(
        terms.eval(t, &|var| if var.0 == 0 {
            3
        } else {
            u128::from(var.0 % 7 == 0)
        }) >> 32,
        0
    );
    assert!(terms.support(t).len() > 300_000);
    let two = terms.constant(2, 32);
    let env: hashbrown::HashMap<VarId, TermId> = [(VarId(0), two)].into_iter().collect();
    let replaced = terms.substitute(t, &env, &mut super::Memo::new());
    assert_eq!(terms.bits(replaced), 32);
}

#[test]
fn substitution_is_evaluation_under_the_substituted_values() {
    let mut random = Random(11);
    for _ in 0..300 {
        let mut terms = Terms::new();
        let variables = [4, 4, 1, 3, 4, 4];
        let script = random_script(&mut terms, &mut random, &variables, &[1, 2, 3, 4, 8], 30);
        // Replace the first variable by some term over the others, the second by a constant.
        let mut env = hashbrown::HashMap::<VarId, TermId>::new();
        let (p, q) = (terms.variable(VarId(4)), terms.variable(VarId(5)));
        let sum = terms.add(p, q);
        let five = terms.constant(5, 4);
        env.insert(VarId(0), sum);
        env.insert(VarId(1), five);
        let mut memo = super::Memo::new();
        let replaced: Vec<TermId> = script
            .terms
            .iter()
            .map(|&t| terms.substitute(t, &env, &mut memo))
            .collect();
        for _ in 0..10 {
            let mut values: Vec<u128> = variables.iter().map(|&bits| random.word(bits)).collect();
            let after: Vec<u128> = replaced
                .iter()
                .map(|&t| terms.eval(t, &|var| values[var.0 as usize]))
                .collect();
            values[0] = (values[4] + values[5]) & 15;
            values[1] = 5;
            assert_eq!(after, script.evaluate(&values));
        }
        for &t in &replaced {
            assert!(terms.support(t).iter().all(|var| var.0 > 1));
        }
        for &t in script.terms.iter().chain(&replaced) {
            let among = [VarId(1), VarId(3), VarId(4)];
            let mut found = Vec::from_iter(terms.support_among(&[t], among));
            found.sort_unstable();
            let mut all = terms.support(t);
            all.retain(|var| among.contains(var));
            assert_eq!(found, all);
        }
    }
}

#[test]
#[ignore = "takes minutes; run after changing a rewrite"]
fn many_random_terms_keep_their_meaning() {
    for seed in 1000..1040 {
        random_terms(seed, 1000, &[4, 4, 1, 3, 2], &[1, 2, 3, 4, 5, 8]);
        random_terms(seed, 500, &[3, 2, 1, 1, 2], &[1, 2, 3, 4]);
        random_terms(seed, 500, &[32, 8, 1, 32, 16], &[1, 8, 16, 32, 64]);
        random_terms(
            seed,
            500,
            &[128, 64, 1, 127, 1],
            &[1, 2, 63, 64, 65, 127, 128],
        );
    }
}

/// A word, given the values of a variable of 3 bits and of a condition.
type Meaning = fn(u128, u128) -> u128;

/// Operands of 6 bits over a variable of 3 bits, in the shapes that narrowing and slicing look for.
fn shapes(terms: &mut Terms, x: TermId, c: TermId) -> Vec<(TermId, Meaning)> {
    let mut k = |value: u128| terms.constant(value, 6);
    let (one, five, minus, forty, high, seven) = (k(1), k(5), k(63), k(40), k(32), k(7));
    let (zext, sext) = (terms.zero_extend(x, 6), terms.sign_extend(x, 6));
    vec![
        (zext, |x, _| x),
        (sext, |x, _| sign(x)),
        (terms.add(zext, one), |x, _| x + 1),
        (terms.add(zext, minus), |x, _| x + 63),
        (terms.add(sext, five), |x, _| sign(x) + 5),
        (terms.sub(five, zext), |x, _| 64 + 5 - x),
        (terms.neg(sext), |x, _| 64 - sign(x)),
        (terms.not(zext), |x, _| 63 - x),
        (terms.not(sext), |x, _| 63 - sign(x)),
        (terms.or(zext, forty), |x, _| x | 40),
        (terms.xor(sext, seven), |x, _| sign(x) ^ 7),
        (terms.concat(x, x), |x, _| x << 3 | x),
        (terms.and(sext, high), |x, _| x >> 2 << 5),
        (
            terms.ite(c, five, minus),
            |_, c| if c == 1 { 5 } else { 63 },
        ),
        (terms.ite(c, zext, high), |x, c| if c == 1 { x } else { 32 }),
        (
            terms.ite(c, sext, one),
            |x, c| if c == 1 { sign(x) } else { 1 },
        ),
        (minus, |_, _| 63),
        (high, |_, _| 32),
        (seven, |_, _| 7),
    ]
}

fn sign(x: u128) -> u128 {
    if x & 4 != 0 { x | 56 } else { x }
}

#[test]
fn every_operator_on_every_pair_of_shapes() {
    for op in SAME.iter().chain(&COMPARE) {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", 3), terms.fresh("y", 3));
        let (c, d) = (terms.fresh("c", 1), terms.fresh("d", 1));
        let left = shapes(&mut terms, x, c);
        // Over other variables, over one shared, over the same.
        for (y, d) in [(y, d), (y, c), (x, c)] {
            let right = shapes(&mut terms, y, d);
            for (i, (a, value_a)) in left.iter().enumerate() {
                for (j, (b, value_b)) in right.iter().enumerate() {
                    let result = apply(&mut terms, op, *a, *b);
                    for bits in 0..256u128 {
                        let values = [bits & 7, bits >> 3 & 7, bits >> 6 & 1, bits >> 7];
                        let assignment = |var: VarId| values[var.0 as usize];
                        let of =
                            |t: TermId| values[terms.var_of(t).expect("a variable").0 as usize];
                        let p = value_a(of(x), of(c)) & 63;
                        let q = value_b(of(y), of(d)) & 63;
                        let expected = meaning(op, 6, 6, p, q);
                        let value = terms.eval(result, &assignment);
                        assert_eq!(value, expected, "{op} of shapes {i}, {j} on {p}, {q}");
                        assert!(terms.fact(result).admits(value), "{op} of shapes {i}, {j}");
                    }
                }
            }
        }
    }
}
