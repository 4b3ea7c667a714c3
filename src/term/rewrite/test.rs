//! One line for each rule: what is built, and what must come out.
//!
//! `a`–`d` are conditions, `s`–`u` words of 4 bits, `v` one of 16, `w`–`z` of 8; `5:8` is a constant.

use crate::term::test::apply;
use crate::term::{TermId, Terms};

struct Builder {
    terms: Terms,
    variables: Vec<(String, TermId)>,
}

impl Builder {
    fn new() -> Builder {
        let mut terms = Terms::new();
        let widths = [("abcd", 1), ("stu", 4), ("v", 16), ("wxyz", 8)];
        let mut variables = Vec::new();
        for (names, bits) in widths {
            for name in names.chars() {
                let name = name.to_string();
                variables.push((name.clone(), terms.fresh(&name, bits)));
            }
        }
        Builder { terms, variables }
    }

    fn parse(&mut self, text: &str) -> TermId {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut tokens = spaced.split_whitespace();
        let term = self.term(&mut tokens);
        assert_eq!(tokens.next(), None, "end of {text}");
        term
    }

    fn term<'a>(&mut self, tokens: &mut impl Iterator<Item = &'a str>) -> TermId {
        let token = tokens.next().expect("a term");
        match token {
            "(" => {}
            "true" => return self.terms.tru(),
            "false" => return self.terms.fals(),
            _ => {
                if let Some((value, bits)) = token.split_once(':') {
                    let value: i128 = value.parse().expect("a number");
                    return self
                        .terms
                        .constant(value as u128, bits.parse().expect("a width"));
                }
                let found = self.variables.iter().find(|(name, _)| name == token);
                return found.expect("a variable").1;
            }
        }
        let op = tokens.next().expect("an operator");
        let mut number = || {
            tokens
                .next()
                .expect("a number")
                .parse::<u16>()
                .expect("a number")
        };
        let numbers = match op {
            "extract" => [number(), number()],
            "zext" | "sext" => [number(), 0],
            _ => [0, 0],
        };
        let mut operands = Vec::new();
        let mut rest = tokens.peekable();
        // The recursion takes tokens one term at a time, so look ahead by hand.
        loop {
            if rest.peek() == Some(&")") {
                rest.next();
                break;
            }
            let mut one = Vec::new();
            let mut depth = 0;
            loop {
                let token = rest.next().expect("a closing parenthesis");
                depth += i32::from(token == "(") - i32::from(token == ")");
                one.push(token);
                if depth == 0 {
                    break;
                }
            }
            operands.push(self.parse(&one.join(" ")));
        }
        let terms = &mut self.terms;
        match (op, &operands[..]) {
            ("not", &[x]) => terms.not(x),
            ("neg", &[x]) => terms.neg(x),
            ("ite", &[c, x, y]) => terms.ite(c, x, y),
            ("extract", &[x]) => terms.extract(x, numbers[0], numbers[1]),
            ("zext", &[x]) => terms.zero_extend(x, numbers[0]),
            ("sext", &[x]) => terms.sign_extend(x, numbers[0]),
            ("all", _) => terms.and_all(&operands),
            ("any", _) => terms.or_all(&operands),
            (op, &[x, y]) => apply(terms, op, x, y),
            _ => panic!("{op} of {} operands", operands.len()),
        }
    }
}

fn check(rules: &[(&str, &str)]) {
    for (input, expect) in rules {
        let mut builder = Builder::new();
        // The expected term is built first, so that its ids do not depend on the rule.
        let expected = builder.parse(expect);
        let built = builder.parse(input);
        let (built_text, expected_text) = (builder.terms.show(built), builder.terms.show(expected));
        assert_eq!(
            built, expected,
            "{input} is {built_text} and not {expected_text}"
        );
    }
}

#[test]
fn complements() {
    check(&[
        ("(not (not x))", "x"),
        ("(not 5:8)", "250:8"),
        ("(not (xor x 5:8))", "(xor x 250:8)"),
        ("(not (ite a 1:8 2:8))", "(ite a 254:8 253:8)"),
    ]);
}

#[test]
fn conjunctions() {
    check(&[
        ("(and 12:8 10:8)", "8:8"),
        ("(and x 0:8)", "0:8"),
        ("(and x 255:8)", "x"),
        ("(and x x)", "x"),
        ("(and x y)", "(and y x)"),
        ("(and x (not x))", "0:8"),
        ("(and (and x 181:8) 87:8)", "(and x 21:8)"),
        ("(and x 15:8)", "(zext 8 (extract 0 4 x))"),
        ("(and x 24:8)", "(concat 0:3 (concat (extract 3 2 x) 0:3))"),
        ("(and (zext 8 s) 143:8)", "(zext 8 s)"),
        ("(and (ite a 3:8 6:8) 5:8)", "(ite a 1:8 4:8)"),
        ("(and a (ite a b c))", "(and a b)"),
        ("(and (not a) (ite a b c))", "(and (not a) c)"),
    ]);
}

#[test]
fn chains_of_conjunctions() {
    check(&[
        ("(and (and a b) (not a))", "false"),
        ("(and (and (and a b) c) (not a))", "false"),
        ("(and (and (and a b) c) b)", "(and (and a b) c)"),
        ("(and (and a b) (and c (not b)))", "false"),
        ("(and (and a b) (and b c))", "(and (and a b) c)"),
        ("(and (and a b) (not (and b c)))", "(and (and a b) (not c))"),
        ("(and a (or a b))", "a"),
        ("(or a (and a b))", "a"),
        ("(and (and a b) (or c (or d b)))", "(and a b)"),
        ("(or (and a b) (and a (not b)))", "a"),
        (
            "(or (and (and a b) c) (and (and a b) (not c)))",
            "(and a b)",
        ),
        ("(and (eq x 3:8) (eq x 4:8))", "false"),
        ("(and (eq x 3:8) (ne x 4:8))", "(eq x 3:8)"),
        ("(and (and (eq x 3:8) a) (eq x 4:8))", "false"),
        ("(and (ult x 3:8) (ult x 4:8))", "(ult x 3:8)"),
        ("(and (ult x 3:8) (ult 3:8 x))", "false"),
        ("(and (ule 3:8 x) (ult x 3:8))", "false"),
        ("(and (slt x 3:8) (slt 3:8 x))", "false"),
        ("(and (slt x -3:8) (eq x 4:8))", "false"),
        ("(and (slt 3:8 x) (eq x 4:8))", "(eq x 4:8)"),
        ("(and (slt 3:8 x) (ult x 4:8))", "false"),
    ]);
}

#[test]
fn disjunctions() {
    check(&[
        ("(or x 0:8)", "x"),
        ("(or x 255:8)", "255:8"),
        ("(or x x)", "x"),
        ("(or x (not x))", "255:8"),
        ("(or x 15:8)", "(concat (extract 4 4 x) 15:4)"),
        ("(or (zext 8 s) (shl (zext 8 t) 4:8))", "(concat t s)"),
        ("(or (shl (zext 16 x) 8:16) (zext 16 y))", "(concat x y)"),
        ("(implies a b)", "(or (not a) b)"),
        ("(implies a a)", "true"),
        ("(all c a b)", "(all a b c)"),
        ("(all a b (not a))", "false"),
        ("(any a b (not a))", "true"),
        ("(any)", "false"),
        ("(all)", "true"),
    ]);
}

#[test]
fn exclusive_ors() {
    check(&[
        ("(xor x x)", "0:8"),
        ("(xor x 0:8)", "x"),
        ("(xor x 255:8)", "(not x)"),
        ("(xor x (not x))", "255:8"),
        ("(xor (not x) y)", "(not (xor x y))"),
        ("(xor (xor x 5:8) 3:8)", "(xor x 6:8)"),
        ("(xor (not x) 3:8)", "(xor x 252:8)"),
        ("(xor (xor x y) y)", "x"),
        ("(xor (xor x 3:8) y)", "(xor (xor x y) 3:8)"),
        ("(xor (zext 8 s) (shl (zext 8 t) 4:8))", "(concat t s)"),
    ]);
}

#[test]
fn choices() {
    check(&[
        ("(ite true x y)", "x"),
        ("(ite false x y)", "y"),
        ("(ite a x x)", "x"),
        ("(ite (not a) x y)", "(ite a y x)"),
        ("(ite a true b)", "(or a b)"),
        ("(ite a a b)", "(or a b)"),
        ("(ite a false b)", "(and (not a) b)"),
        ("(ite a b true)", "(implies a b)"),
        ("(ite a b false)", "(and a b)"),
        ("(ite a b (not b))", "(eq a b)"),
        ("(ite a (not b) c)", "(not (ite a b (not c)))"),
        ("(ite a (ite a x y) z)", "(ite a x z)"),
        ("(ite a z (ite a x y))", "(ite a z y)"),
        ("(ite a (ite b x z) z)", "(ite (and a b) x z)"),
        ("(ite a (ite b z x) z)", "(ite (and a (not b)) x z)"),
        ("(ite a z (ite b z x))", "(ite (or a b) z x)"),
        ("(ite a z (ite b x z))", "(ite (and (not a) b) x z)"),
        ("(ite (eq x y) x y)", "y"),
        ("(ite (eq x 3:8) 3:8 x)", "x"),
        ("(ite a (add x 1:8) x)", "(add x (ite a 1:8 0:8))"),
        ("(ite a (add x 1:8) (add x 2:8))", "(add x (ite a 1:8 2:8))"),
        ("(ite a (zext 8 s) (zext 8 t))", "(zext 8 (ite a s t))"),
        ("(ite a (zext 8 s) 3:8)", "(zext 8 (ite a s 3:4))"),
        (
            "(ite a (concat s t) (concat s u))",
            "(concat s (ite a t u))",
        ),
        ("(ite a (concat 7:4 t) 115:8)", "(concat 7:4 (ite a t 3:4))"),
    ]);
}

#[test]
fn sums() {
    check(&[
        ("(add x 0:8)", "x"),
        ("(add 250:8 10:8)", "4:8"),
        ("(add (add x 3:8) 4:8)", "(add x 7:8)"),
        ("(add (sub 3:8 x) 4:8)", "(sub 7:8 x)"),
        ("(add (not x) 1:8)", "(neg x)"),
        ("(add x x)", "(concat (extract 0 7 x) false)"),
        ("(add x (not x))", "255:8"),
        ("(add (sub x y) y)", "x"),
        ("(add x (neg y))", "(sub x y)"),
        ("(add (ite a 1:8 2:8) 3:8)", "(ite a 4:8 5:8)"),
        (
            "(add (zext 8 s) (zext 8 t))",
            "(zext 8 (add (zext 5 s) (zext 5 t)))",
        ),
        (
            "(add (sext 8 s) (sext 8 t))",
            "(sext 8 (add (sext 5 s) (sext 5 t)))",
        ),
        ("(add 32:8 (zext 8 s))", "(concat 2:4 s)"),
        (
            "(add (add (zext 16 s) 1:16) 2:16)",
            "(add (zext 16 s) 3:16)",
        ),
        ("(add a b)", "(xor a b)"),
    ]);
}

#[test]
fn differences() {
    check(&[
        ("(sub x x)", "0:8"),
        ("(sub x 3:8)", "(add x 253:8)"),
        ("(sub 255:8 x)", "(not x)"),
        ("(sub 3:8 (not x))", "(add x 4:8)"),
        ("(sub (add x 3:8) (add y 1:8))", "(add (sub x y) 2:8)"),
        ("(sub (add x 3:8) (add x 1:8))", "2:8"),
        ("(sub x (sub x y))", "y"),
        ("(sub x (neg y))", "(add x y)"),
        ("(neg (sub x y))", "(sub y x)"),
        ("(neg (neg x))", "x"),
        ("(sub (add x y) y)", "x"),
        ("(sub (sub x y) x)", "(neg y)"),
        (
            "(sub (zext 8 s) (zext 8 t))",
            "(sext 8 (sub (zext 5 s) (zext 5 t)))",
        ),
    ]);
}

#[test]
fn products() {
    check(&[
        ("(mul x 0:8)", "0:8"),
        ("(mul x 1:8)", "x"),
        ("(mul x 255:8)", "(neg x)"),
        ("(mul x 4:8)", "(concat (extract 0 6 x) 0:2)"),
        ("(mul (mul x 3:8) 5:8)", "(mul x 15:8)"),
        ("(mul (ite a 1:8 0:8) x)", "(ite a x 0:8)"),
        (
            "(mul (zext 16 x) (zext 16 s))",
            "(zext 16 (mul (zext 12 x) (zext 12 s)))",
        ),
        ("(mul a b)", "(and a b)"),
    ]);
}

#[test]
fn quotients_and_remainders() {
    check(&[
        ("(udiv x 0:8)", "255:8"),
        ("(udiv x 1:8)", "x"),
        ("(udiv x 8:8)", "(lshr x 3:8)"),
        ("(udiv (zext 8 s) 17:8)", "0:8"),
        ("(udiv (zext 8 s) 3:8)", "(zext 8 (udiv s 3:4))"),
        (
            "(udiv (zext 8 s) (zext 8 t))",
            "(ite (eq t 0:4) 255:8 (zext 8 (udiv s t)))",
        ),
        ("(urem x 0:8)", "x"),
        ("(urem x x)", "0:8"),
        ("(urem x 8:8)", "(zext 8 (extract 0 3 x))"),
        ("(urem (zext 8 s) 17:8)", "(zext 8 s)"),
        ("(urem (zext 8 s) (zext 8 t))", "(zext 8 (urem s t))"),
        ("(sdiv (zext 8 s) 3:8)", "(zext 8 (udiv s 3:4))"),
        ("(srem (zext 8 s) 3:8)", "(zext 8 (urem s 3:4))"),
        ("(udiv a b)", "(or a (not b))"),
        ("(urem a b)", "(and a (not b))"),
    ]);
}

#[test]
fn shifts() {
    check(&[
        ("(shl x 0:8)", "x"),
        ("(shl x 3:8)", "(concat (extract 0 5 x) 0:3)"),
        ("(shl x 8:8)", "0:8"),
        ("(lshr x 3:8)", "(zext 8 (extract 3 5 x))"),
        ("(lshr x (or y 8:8))", "0:8"),
        ("(ashr x 3:8)", "(sext 8 (extract 3 5 x))"),
        ("(ashr x 200:8)", "(ite (extract 7 1 x) 255:8 0:8)"),
        ("(ashr (zext 8 s) y)", "(lshr (zext 8 s) y)"),
        ("(lshr (shl x 3:8) 3:8)", "(zext 8 (extract 0 5 x))"),
    ]);
}

#[test]
fn equalities() {
    check(&[
        ("(eq x x)", "true"),
        ("(eq a b)", "(not (xor a b))"),
        ("(eq a true)", "a"),
        ("(eq a false)", "(not a)"),
        ("(eq x (not x))", "false"),
        ("(eq (zext 8 s) 16:8)", "false"),
        ("(eq (zext 8 s) 5:8)", "(eq s 5:4)"),
        ("(eq (sext 8 s) 255:8)", "(eq s 15:4)"),
        ("(eq (sext 8 s) (sext 8 t))", "(eq s t)"),
        ("(eq (not x) 3:8)", "(eq x 252:8)"),
        ("(eq (not x) (not y))", "(eq x y)"),
        ("(eq (add x 3:8) 5:8)", "(eq x 2:8)"),
        ("(eq (sub 3:8 x) 5:8)", "(eq x 254:8)"),
        ("(eq (sub x y) 0:8)", "(eq x y)"),
        ("(eq (xor x 3:8) 5:8)", "(eq x 6:8)"),
        ("(eq (xor x y) 0:8)", "(eq x y)"),
        ("(eq (concat s t) 35:8)", "(and (eq s 2:4) (eq t 3:4))"),
        ("(eq (concat s t) (concat u t))", "(eq s u)"),
        ("(eq (add x 1:8) x)", "false"),
        ("(eq (add x 1:8) (add x 2:8))", "false"),
        ("(eq (add x 1:8) (add y 1:8))", "(eq x y)"),
        ("(eq (add x y) x)", "(eq y 0:8)"),
        ("(eq (add x y) (add z x))", "(eq y z)"),
        ("(eq (sub x y) x)", "(eq y 0:8)"),
        ("(eq (ite a 1:8 2:8) 1:8)", "a"),
        ("(eq (ite a 1:8 2:8) 2:8)", "(not a)"),
        ("(eq (ite a 1:8 2:8) 3:8)", "false"),
        ("(eq (ite a 1:8 (ite b 2:8 3:8)) 2:8)", "(and (not a) b)"),
        ("(eq (ite a 1:8 2:8) (ite b 1:8 3:8))", "(and a b)"),
        ("(eq (ite a 1:8 x) 1:8)", "(or a (eq x 1:8))"),
        ("(eq (ite a 1:8 x) 2:8)", "(and (not a) (eq x 2:8))"),
        ("(eq (ite a x y) x)", "(or a (eq x y))"),
        ("(eq (zext 8 a) 0:8)", "(not a)"),
    ]);
}

#[test]
fn orders() {
    check(&[
        ("(ult x x)", "false"),
        ("(ult x 0:8)", "false"),
        ("(ult x 1:8)", "(eq x 0:8)"),
        ("(ult 0:8 x)", "(ne x 0:8)"),
        ("(ult x 255:8)", "(ne x 255:8)"),
        ("(ult 254:8 x)", "(eq x 255:8)"),
        ("(ult (zext 8 s) 16:8)", "true"),
        ("(ult (zext 8 s) 9:8)", "(ult s 9:4)"),
        ("(ult (not x) (not y))", "(ult y x)"),
        ("(ult (not x) 3:8)", "(ult 252:8 x)"),
        ("(ult (concat s t) (concat s u))", "(ult t u)"),
        ("(ult (ite a 1:8 7:8) 5:8)", "a"),
        ("(ult (ite a 1:8 x) 5:8)", "(or a (ult x 5:8))"),
        ("(ult a b)", "(and (not a) b)"),
        ("(ule x y)", "(not (ult y x))"),
        ("(slt x x)", "false"),
        ("(slt x 0:8)", "(extract 7 1 x)"),
        ("(slt -1:8 x)", "(not (extract 7 1 x))"),
        ("(slt x -128:8)", "false"),
        ("(slt 127:8 x)", "false"),
        ("(slt -128:8 x)", "(ne x -128:8)"),
        ("(slt x 127:8)", "(ne x 127:8)"),
        ("(slt x -127:8)", "(eq x -128:8)"),
        ("(slt 126:8 x)", "(eq x 127:8)"),
        ("(slt (zext 8 s) (zext 8 t))", "(ult s t)"),
        ("(slt (sext 8 s) (sext 8 t))", "(slt s t)"),
        ("(slt (sext 8 s) 3:8)", "(slt s 3:4)"),
        ("(slt (sext 8 s) 9:8)", "true"),
        ("(slt (sext 8 s) -9:8)", "false"),
        ("(slt a b)", "(and a (not b))"),
        ("(sle x y)", "(not (slt y x))"),
    ]);
}

#[test]
fn slices() {
    check(&[
        ("(extract 0 8 x)", "x"),
        ("(extract 1 2 (extract 2 4 x))", "(extract 3 2 x)"),
        ("(extract 0 4 (concat s t))", "t"),
        ("(extract 4 4 (concat s t))", "s"),
        (
            "(extract 2 4 (concat s t))",
            "(concat (extract 0 2 s) (extract 2 2 t))",
        ),
        ("(extract 4 4 (zext 8 s))", "0:4"),
        ("(extract 2 4 (zext 8 s))", "(zext 4 (extract 2 2 s))"),
        ("(extract 0 6 (sext 8 s))", "(sext 6 s)"),
        ("(extract 0 4 (not x))", "(not (extract 0 4 x))"),
        ("(extract 0 4 (add x 17:8))", "(add (extract 0 4 x) 1:4)"),
        ("(extract 0 4 (add (zext 8 s) (zext 8 t)))", "(add s t)"),
        ("(extract 4 4 (and x 165:8))", "(and (extract 4 4 x) 10:4)"),
        ("(extract 0 4 (ite a x 3:8))", "(ite a (extract 0 4 x) 3:4)"),
        ("(extract 0 1 (ite a 1:8 0:8))", "a"),
        ("(extract 4 4 (ite a 16:8 32:8))", "(ite a 1:4 2:4)"),
    ]);
}

#[test]
fn concatenations_and_extensions() {
    check(&[
        ("(concat 0:4 s)", "(zext 8 s)"),
        ("(concat (extract 4 4 x) (extract 0 4 x))", "x"),
        (
            "(concat (not (extract 4 4 x)) (not (extract 0 4 x)))",
            "(not x)",
        ),
        ("(concat (concat s t) x)", "(concat s (concat t x))"),
        ("(concat 5:4 (concat 3:4 x))", "(concat 83:8 x)"),
        ("(concat (zext 8 s) t)", "(zext 12 (concat s t))"),
        ("(concat 5:4 (zext 8 s))", "(concat 80:8 s)"),
        ("(concat 5:4 (ite a 1:4 2:4))", "(ite a 81:8 82:8)"),
        ("(zext 16 (zext 8 s))", "(zext 16 s)"),
        ("(zext 8 a)", "(ite a 1:8 0:8)"),
        ("(zext 16 (extract 0 4 (and v 13:16)))", "(and v 13:16)"),
        ("(sext 16 (sext 8 s))", "(sext 16 s)"),
        ("(sext 8 a)", "(ite a 255:8 0:8)"),
        ("(sext 16 (zext 8 s))", "(zext 16 s)"),
        ("(sext 16 (or x 128:8))", "(concat 255:8 (or x 128:8))"),
    ]);
}

#[test]
fn a_counter_costs_the_bits_of_its_range() {
    let mut terms = Terms::new();
    let mut counter = terms.constant(0, 32);
    for _ in 0..20 {
        let (c, one) = (terms.fresh("c", 1), terms.constant(1, 32));
        let next = terms.add(counter, one);
        counter = terms.ite(c, next, counter);
    }
    let fact = terms.fact(counter);
    assert_eq!((fact.lo, fact.hi), (0, 20));
    let limit = terms.constant(20, 32);
    let within = terms.ule(counter, limit);
    assert_eq!(within, terms.tru());
}

#[test]
fn shared_cones_are_not_walked_path_by_path() {
    // Sums of the last two, choices and slices: exponentially many paths, few terms.
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", 4), terms.fresh("y", 4));
    let (mut a, mut b) = (terms.zero_extend(x, 64), terms.zero_extend(y, 64));
    for i in 0..200 {
        let c = terms.fresh("c", 1);
        let sum = terms.add(a, b);
        let next = terms.ite(c, sum, b);
        (a, b) = (b, next);
        let low = terms.extract(b, 0, 7);
        let k = terms.constant(i, 64);
        let below = terms.ult(b, k);
        let equal = terms.eq(a, sum);
        terms.and(below, equal);
        terms.zero_extend(low, 64);
    }
    assert!(terms.len() < 100_000, "{} terms", terms.len());
}
