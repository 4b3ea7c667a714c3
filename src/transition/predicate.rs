//! Conditions over several words that proofs are likely to need.
//!
//! An invariant that relates words, such as `a + b == c`, takes very many clauses over their bits. So comparisons become
//! latches of their own (Cimatti et al., "IC3 modulo theories via implicit predicate abstraction", TACAS 2014, adds
//! them to a system of words; here the bits stay, and predicates are gates over them). Which ones: the comparisons in
//! the conditions of bad moves, and their preconditions under all moves, small ones first. Equal addends on both sides of
//! an equation are left out, so that what a loop adds to both sides does not make new ones.

use super::Automata;
use super::product::Bad;
use super::relation::{Environment, Relation};
use crate::term::{Memo, Node, Op, TermId, Terms, VarId};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most predicates of a system.
const PREDICATES: usize = 48;
/// Most terms that a predicate is made of.
const TERMS: usize = 60;
/// Words of so many bits or fewer are compared by their bits.
const NARROW: u16 = 2;
/// Most ways that the choices within one predicate may go.
const WAYS: usize = 16;

/// Predicates over words for the question whether a bad move can be made.
pub fn relevant(relation: &mut Relation, automata: &Automata, bad: Bad) -> Vec<TermId> {
    let words: HashSet<VarId, FxBuildHasher> = relation
        .words
        .iter()
        .filter_map(|word| relation.terms.var_of(word.term))
        .collect();
    let mut queue: BinaryHeap<Reverse<(usize, usize, TermId)>> = BinaryHeap::new();
    let mut known: HashSet<TermId, FxBuildHasher> = HashSet::default();
    let mut found = Vec::new();
    for step in &relation.moves {
        if bad.is(&automata.threads[step.thread].edges[step.edge].outcome) {
            let found = comparisons(&mut relation.terms, step.taken, &words);
            queue.extend(found.into_iter().map(|term| rank(&relation.terms, term)));
        }
    }
    let envs: Vec<Environment> = relation
        .moves
        .iter()
        .map(|step| {
            let updates = step.updates.iter();
            let of_word = |(word, term): &(usize, TermId)| {
                Some((relation.terms.var_of(relation.words[*word].term)?, *term))
            };
            updates.filter_map(of_word).collect()
        })
        .collect();
    while let Some(Reverse((_, _, predicate))) = queue.pop() {
        if !known.insert(predicate) {
            continue;
        }
        found.push(predicate);
        if found.len() == PREDICATES {
            break;
        }
        for env in &envs {
            let before = relation.terms.substitute(predicate, env, &mut Memo::new());
            if before != predicate {
                let found = comparisons(&mut relation.terms, before, &words);
                queue.extend(found.into_iter().map(|term| rank(&relation.terms, term)));
            }
        }
    }
    found
}

/// The fewer words and terms, the sooner it is taken.
fn rank(terms: &Terms, term: TermId) -> Reverse<(usize, usize, TermId)> {
    Reverse((terms.support(term).len(), terms.cone(&[term]).len(), term))
}

/// The comparisons of several words that a condition is made of. Choices within them are taken apart.
fn comparisons(
    terms: &mut Terms,
    condition: TermId,
    words: &HashSet<VarId, FxBuildHasher>,
) -> Vec<TermId> {
    let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
    let mut stack = vec![condition];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Not(inner) => stack.push(inner),
            Node::Ite(c, a, b) => stack.extend([c, a, b]),
            Node::Binary(Op::Eq | Op::ULt | Op::SLt, a, _) if terms.bits(a) > 1 => {
                found.extend(alternatives(terms, term));
            }
            Node::Binary(Op::And | Op::Xor | Op::Eq, a, b) => stack.extend([a, b]),
            _ => {}
        }
    }
    found.retain(|term| {
        let of = terms.support(*term);
        let wide = |var: &&VarId| terms.bits(terms.variable(**var)) > NARROW;
        of.iter().filter(wide).count() > 1
            && of.iter().all(|var| words.contains(var))
            && terms.cone(&[*term]).len() <= TERMS
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// What a term is, whichever way its choices go; itself if there are too many ways.
fn alternatives(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    match terms.node(term) {
        Node::Ite(_, a, b) => {
            let mut all = alternatives(terms, a);
            all.extend(alternatives(terms, b));
            all
        }
        Node::Binary(op @ (Op::Add | Op::Sub | Op::Eq | Op::ULt | Op::SLt), a, b) => {
            let (left, right) = (alternatives(terms, a), alternatives(terms, b));
            if left.len() * right.len() > WAYS {
                return vec![term];
            }
            let mut all = Vec::new();
            for a in &left {
                for b in &right {
                    all.push(match op {
                        Op::Add => terms.add(*a, *b),
                        Op::Sub => terms.sub(*a, *b),
                        Op::Eq => balanced(terms, *a, *b),
                        Op::ULt => terms.ult(*a, *b),
                        _ => terms.slt(*a, *b),
                    });
                }
            }
            all
        }
        _ => vec![term],
    }
}

/// An equation of sums without addends that both sides have.
fn balanced(terms: &mut Terms, left: TermId, right: TermId) -> TermId {
    let (mut left, mut right) = (addends(terms, left), addends(terms, right));
    let bits = terms.bits(left[0]);
    left.sort_unstable();
    right.sort_unstable();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        match (left.get(i), right.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), Some(b)) if a > b => {
                other.push(*b);
                j += 1;
            }
            (None, Some(b)) => {
                other.push(*b);
                j += 1;
            }
            (Some(a), _) => {
                one.push(*a);
                i += 1;
            }
            (None, None) => {}
        }
    }
    let mut sum = |addends: Vec<TermId>| {
        let zero = terms.constant(0, bits);
        addends
            .into_iter()
            .fold(zero, |sum, next| terms.add(sum, next))
    };
    let (one, other) = (sum(one), sum(other));
    terms.eq(one, other)
}

/// The addends of a sum; the term itself if it is none.
fn addends(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut stack = vec![term];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::Binary(Op::Add, a, b) => stack.extend([a, b]),
            _ => found.push(term),
        }
    }
    found
}
