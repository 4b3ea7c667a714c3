//! Equations of sums, brought into one form: what stands on both sides cancels.
//!
//! Threads of a chain add the same numbers in other orders. That two such sums are equal is hard to see for a solver of
//! clauses, from about 16 bits on, and trivial modulo a power of two.

use crate::base::sorted::SortedMap;
use crate::term::word::mask;
use crate::term::{Node, Op, TermId, Terms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Summands that an equation may have; beyond, it stays as it is.
const SUMMANDS: usize = 256;
/// Choices of an equation that are resolved.
const LEAVES: usize = 48;
/// Depth to which choices are looked into.
const DEPTH: usize = 12;

/// Normal forms that have been found.
#[derive(Default)]
pub(super) struct NormalForms(HashMap<TermId, TermId, FxBuildHasher>);

/// The condition with every equation (of words of more than one bit) among its nodes in normal form.
pub(super) fn normal(terms: &mut Terms, condition: TermId, known: &mut NormalForms) -> TermId {
    let mut stack = vec![(condition, false)];
    while let Some((term, operands_are_done)) = stack.pop() {
        if known.0.contains_key(&term) {
            continue;
        }
        if !operands_are_done {
            stack.push((term, true));
            let children = terms.children(term);
            stack.extend(children.map(|child| (child, false)));
            continue;
        }
        let children: Vec<TermId> = terms.children(term).collect();
        let operands: Vec<TermId> = children.iter().map(|child| known.0[child]).collect();
        let mut new = if operands == children {
            term
        } else {
            terms.rebuild(term, &operands)
        };
        if let Node::Binary(Op::Eq, a, b) = terms.node(new) {
            new = split(terms, a, b, &mut { LEAVES });
        }
        known.0.insert(term, new);
    }
    known.0[&condition]
}

/// `a == b`, where a side is a choice between sums: for each of them.
fn split(terms: &mut Terms, a: TermId, b: TermId, leaves: &mut usize) -> TermId {
    for (side, other) in [(a, b), (b, a)] {
        if let Node::Ite(c, x, y) = terms.node(side)
            && *leaves > 0
            && chooses_sums(terms, side, DEPTH)
        {
            *leaves -= 1;
            let x = split(terms, x, other, leaves);
            let y = split(terms, y, other, leaves);
            return terms.ite(c, x, y);
        }
    }
    match equation(terms, a, b) {
        Some(equation) => equation,
        None => terms.eq(a, b),
    }
}

/// Sum among choices: true if a term, `depth` choices deep at most, may choose a sum.
fn chooses_sums(terms: &Terms, term: TermId, depth: usize) -> bool {
    match terms.node(term) {
        Node::Ite(_, x, y) if depth > 0 => {
            chooses_sums(terms, x, depth - 1) || chooses_sums(terms, y, depth - 1)
        }
        Node::Binary(Op::Add | Op::Sub, ..) => true,
        _ => false,
    }
}

/// The word and the number that a term multiplies it with; powers of two are written as shifts.
fn multiple(terms: &Terms, term: TermId) -> Option<(TermId, u128)> {
    if let Node::Binary(Op::Mul, a, b) = terms.node(term) {
        let number = |term: TermId| terms.as_constant(term);
        return match (number(a), number(b)) {
            (Some(number), _) => Some((b, number)),
            (_, Some(number)) => Some((a, number)),
            _ => None,
        };
    }
    let Node::Concat(high, low) = terms.node(term) else {
        return None;
    };
    let shift = terms.bits(low);
    match terms.node(high) {
        Node::Extract { from, lo: 0 }
            if terms.as_constant(low) == Some(0) && terms.bits(from) == terms.bits(term) =>
        {
            Some((from, 1 << shift))
        }
        _ => None,
    }
}

/// The word whose low bits a term is, if it is a part of a wider one without what extends that; otherwise the term.
fn low(terms: &Terms, term: TermId) -> TermId {
    match terms.node(term) {
        Node::Extract { from, lo: 0 } => match terms.node(from) {
            Node::ZeroExtend(inner) | Node::SignExtend(inner)
                if terms.bits(inner) >= terms.bits(term) =>
            {
                inner
            }
            _ => from,
        },
        _ => term,
    }
}

/// `a == b` as a sum of positive summands on either side, in order of their ids; `None` if there is nothing to gain.
fn equation(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let bits = terms.bits(a);
    let is_sum = |term: TermId| {
        matches!(terms.op(low(terms, term)), Op::Add | Op::Sub) || multiple(terms, term).is_some()
    };
    if !is_sum(a) && !is_sum(b) {
        return None;
    }
    let mut sum: SortedMap<TermId, u128> = SortedMap::new();
    let mut constant = 0u128;
    let mut todo = vec![(a, 1u128), (b, mask(bits))];
    while let Some((term, factor)) = todo.pop() {
        let minus = (mask(bits) - factor).wrapping_add(1) & mask(bits);
        match terms.node(term) {
            Node::Binary(Op::Add, a, b) => todo.extend([(a, factor), (b, factor)]),
            Node::Binary(Op::Sub, a, b) => todo.extend([(a, factor), (b, minus)]),
            Node::Constant(value) => {
                constant = constant.wrapping_add(value.wrapping_mul(factor)) & mask(bits);
            }
            Node::Concat(..) | Node::Binary(Op::Mul, ..) if multiple(terms, term).is_some() => {
                if let Some((word, number)) = multiple(terms, term) {
                    todo.push((word, factor.wrapping_mul(number) & mask(bits)));
                }
            }
            // The low bits of a sum are the sum of the low bits.
            Node::Extract { from, lo: 0 } if low(terms, term) != term => {
                let inner = match terms.node(from) {
                    Node::ZeroExtend(inner) | Node::SignExtend(inner) => inner,
                    _ => from,
                };
                match terms.node(inner) {
                    Node::Binary(op @ (Op::Add | Op::Sub), a, b) if terms.bits(inner) >= bits => {
                        let (a, b) = (terms.extract(a, 0, bits), terms.extract(b, 0, bits));
                        let second = if op == Op::Add { factor } else { minus };
                        todo.extend([(a, factor), (b, second)]);
                    }
                    _ => {
                        let known = sum.entry(term).or_insert(0);
                        *known = known.wrapping_add(factor) & mask(bits);
                    }
                }
            }
            _ => {
                let known = sum.entry(term).or_insert(0);
                *known = known.wrapping_add(factor) & mask(bits);
            }
        }
        if todo.len() + sum.len() > SUMMANDS {
            return None;
        }
    }
    sum.retain(|_, factor| *factor != 0);
    let half = 1u128 << (bits - 1);
    let (mut left, mut right): (Option<TermId>, Option<TermId>) = (None, None);
    let mut put = |terms: &mut Terms, term: TermId, factor: u128| {
        let negative = factor >= half && bits > 1;
        let size = if negative {
            mask(bits) - factor + 1
        } else {
            factor
        };
        let part = match size {
            1 => term,
            _ => {
                let size = terms.constant(size, bits);
                terms.mul(term, size)
            }
        };
        let side = if negative { &mut right } else { &mut left };
        *side = Some(match *side {
            None => part,
            Some(other) => terms.add(other, part),
        });
    };
    for (term, factor) in &sum {
        put(terms, *term, *factor);
    }
    let zero = terms.constant(0, bits);
    let minus = (mask(bits) - constant).wrapping_add(1) & mask(bits);
    let number = terms.constant(minus, bits);
    let (left, right) = (left.unwrap_or(zero), right.unwrap_or(zero));
    let right = terms.add(right, number);
    Some(terms.eq(left, right))
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::base::id::Id;
    use crate::term::VarId;

    #[test]
    fn equations_keep_their_meaning() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..3).map(|_| terms.fresh("x", 4)).collect();
        let (x, y, z) = (vars[0], vars[1], vars[2]);
        let three = terms.constant(3, 4);
        let left = terms.add(x, y);
        let left = terms.add(left, three);
        let right = terms.sub(z, x);
        let right = terms.add(right, y);
        let equal = terms.eq(left, right);
        let normal = normal(&mut terms, equal, &mut NormalForms::default());
        for value in 0..4096u128 {
            let assignment = |var: VarId| value >> (4 * var.index()) & 15;
            assert_eq!(
                terms.eval(equal, &assignment),
                terms.eval(normal, &assignment),
                "{value}"
            );
        }
    }

    #[test]
    fn low_bits_of_sums_are_sums() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..2).map(|_| terms.fresh("x", 8)).collect();
        let wide: Vec<TermId> = vars.iter().map(|v| terms.zero_extend(*v, 9)).collect();
        let sum = terms.add(wide[0], wide[1]);
        let wide = terms.zero_extend(sum, 32);
        let cut = terms.extract(wide, 0, 8);
        let plain = terms.add(vars[1], vars[0]);
        let equal = terms.eq(cut, plain);
        assert_eq!(
            normal(&mut terms, equal, &mut NormalForms::default()),
            terms.tru()
        );
    }

    #[test]
    fn choices_between_sums_are_resolved() {
        let mut terms = Terms::new();
        let (c, x, y) = (
            terms.fresh("c", 1),
            terms.fresh("x", 8),
            terms.fresh("y", 8),
        );
        let (sum, other) = (terms.add(x, y), terms.sub(x, y));
        let choice = terms.ite(c, sum, other);
        let twice = terms.add(y, y);
        let right = terms.add(other, twice);
        let equal = terms.eq(choice, right);
        let normal = normal(&mut terms, equal, &mut NormalForms::default());
        for value in 0..1u128 << 17 {
            let assignment = |var: VarId| match var.index() {
                0 => value >> 16,
                1 => value >> 8 & 255,
                _ => value & 255,
            };
            assert_eq!(
                terms.eval(equal, &assignment),
                terms.eval(normal, &assignment)
            );
        }
        let assumed = [(terms.var_of(c).unwrap(), terms.tru())]
            .into_iter()
            .collect();
        let met = terms.substitute::<rustc_hash::FxBuildHasher>(
            normal,
            &assumed,
            &mut crate::term::Memo::new(),
        );
        assert_eq!(met, terms.tru());
    }

    #[test]
    fn sums_in_any_order_are_equal() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..4).map(|_| terms.fresh("x", 32)).collect();
        let one = vars.iter().copied().reduce(|a, b| terms.add(a, b)).unwrap();
        let other = vars
            .iter()
            .rev()
            .copied()
            .reduce(|a, b| terms.add(b, a))
            .unwrap();
        let equal = terms.eq(one, other);
        assert_eq!(
            normal(&mut terms, equal, &mut NormalForms::default()),
            terms.tru()
        );
    }
}
