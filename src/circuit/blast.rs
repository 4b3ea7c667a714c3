//! Terms as words of literals, built when they are asked for.

use super::graph::{Circuit, Lit};
use super::shifter::Direction;
use crate::base::id::Id;
use crate::term::{Node, Op, TermId, Terms, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Quotient and remainder.
type Division = (Vec<Lit>, Vec<Lit>);

/// Words of literals (lowest bit first) of the terms of one pool in one circuit.
#[derive(Clone, Default, Debug)]
pub struct Blaster {
    /// All words, one after the other.
    lits: Vec<Lit>,
    /// Start of each term's word, plus one; 0 if it has none yet.
    starts: Vec<u32>,
    /// Quotient and remainder, which one divider gives, by dividend and divisor.
    quotients: HashMap<(TermId, TermId), Division, FxBuildHasher>,
}

impl Blaster {
    /// No words yet.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// The word of a term. Variables get new inputs.
    pub fn bits(&mut self, circuit: &mut Circuit, terms: &Terms, t: TermId) -> &[Lit] {
        self.starts.resize(terms.len().max(self.starts.len()), 0);
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.starts[top.index()] != 0 {
                stack.pop();
                continue;
            }
            let ready = stack.len();
            stack.extend(
                terms
                    .children(top)
                    .filter(|child| self.starts[child.index()] == 0),
            );
            if stack.len() > ready {
                // The first operand first, so that inputs are numbered in reading order.
                stack[ready..].reverse();
                continue;
            }
            let mut word = self.build(circuit, terms, top);
            let fact = terms.fact(top);
            for (i, lit) in word.iter_mut().enumerate() {
                // Facts about the term may say more than the gates show.
                if fact.ones >> i & 1 != 0 {
                    *lit = Lit::TRUE;
                } else if fact.zeros >> i & 1 != 0 {
                    *lit = Lit::FALSE;
                }
            }
            self.store(top, &word);
            stack.pop();
        }
        self.word(terms, t)
    }

    /// The literal of a condition.
    pub fn bit(&mut self, circuit: &mut Circuit, terms: &Terms, t: TermId) -> Lit {
        debug_assert_eq!(terms.bits(t), 1, "a condition has one bit");
        self.bits(circuit, terms, t)[0]
    }

    /// The word of a variable, if it has been asked for.
    pub fn variable(&self, terms: &Terms, var: VarId) -> Option<&[Lit]> {
        let t = terms.variable(var);
        (self.starts.get(t.index()).copied().unwrap_or(0) != 0).then(|| self.word(terms, t))
    }

    fn store(&mut self, t: TermId, word: &[Lit]) {
        let start = u32::try_from(self.lits.len() + 1).expect("fewer than 2^32 literals of words");
        self.starts[t.index()] = start;
        self.lits.extend_from_slice(word);
    }

    fn word(&self, terms: &Terms, t: TermId) -> &[Lit] {
        let start = self.starts[t.index()] as usize - 1;
        &self.lits[start..start + usize::from(terms.bits(t))]
    }

    /// The word of a term whose operands have theirs.
    fn build(&mut self, circuit: &mut Circuit, terms: &Terms, t: TermId) -> Vec<Lit> {
        let bits = usize::from(terms.bits(t));
        match terms.node(t) {
            Node::Constant(value) => (0..bits)
                .map(|i| Lit::constant(value >> i & 1 != 0))
                .collect(),
            Node::Variable(_) => (0..bits).map(|_| circuit.new_input()).collect(),
            Node::Not(a) => self.word(terms, a).iter().map(|&lit| !lit).collect(),
            Node::Ite(c, a, b) => {
                let c = self.word(terms, c)[0];
                circuit.choose_words(c, self.word(terms, a), self.word(terms, b))
            }
            Node::Concat(high, low) => [self.word(terms, low), self.word(terms, high)].concat(),
            Node::Extract { from, lo } => {
                let lo = usize::from(lo);
                self.word(terms, from)[lo..lo + bits].to_vec()
            }
            Node::ZeroExtend(a) => self.extend(terms, a, bits, Lit::FALSE),
            Node::SignExtend(a) => {
                let sign = *self.word(terms, a).last().expect("a word has bits");
                self.extend(terms, a, bits, sign)
            }
            Node::Binary(op @ (Op::UDiv | Op::URem), a, b) => {
                if !self.quotients.contains_key(&(a, b)) {
                    let result = circuit.divide_words(self.word(terms, a), self.word(terms, b));
                    self.quotients.insert((a, b), result);
                }
                let (quotient, remainder) = &self.quotients[&(a, b)];
                if op == Op::UDiv {
                    quotient.clone()
                } else {
                    remainder.clone()
                }
            }
            Node::Binary(op, a, b) => binary(circuit, op, self.word(terms, a), self.word(terms, b)),
        }
    }

    fn extend(&self, terms: &Terms, a: TermId, bits: usize, with: Lit) -> Vec<Lit> {
        let mut word = self.word(terms, a).to_vec();
        word.resize(bits, with);
        word
    }
}

fn binary(circuit: &mut Circuit, op: Op, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let zip = || a.iter().zip(b);
    match op {
        Op::And => zip().map(|(&a, &b)| circuit.and(a, b)).collect(),
        Op::Xor => zip().map(|(&a, &b)| circuit.xor(a, b)).collect(),
        Op::Add => circuit.add_words(a, b),
        Op::Sub => circuit.sub_words(a, b),
        Op::Mul => circuit.mul_words(a, b),
        Op::Shl => circuit.shift_words(a, b, Direction::Left, Lit::FALSE),
        Op::LShr => circuit.shift_words(a, b, Direction::Right, Lit::FALSE),
        Op::AShr => {
            let sign = *a.last().expect("a word has bits");
            circuit.shift_words(a, b, Direction::Right, sign)
        }
        Op::Eq => vec![circuit.equal_words(a, b)],
        Op::ULt => vec![circuit.less_unsigned(a, b)],
        Op::SLt => vec![circuit.less_signed(a, b)],
        _ => unreachable!("not a binary operator of words: {op:?}"),
    }
}
