//! Conditions as they are written: nodes of terms, one a line, operands before what is built on them; the last line lists
//! the conjuncts.

use crate::term::word::mask;
use crate::term::{Node as Term, Op, TermId, VarId};
use crate::transition::relation::Relation;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The nodes of a conjunction.
#[derive(Default)]
pub struct Nodes {
    pub all: Vec<Node>,
    /// Numbers of nodes of one bit.
    pub conjuncts: Vec<usize>,
}

/// A node.
pub struct Node {
    pub op: Op,
    pub bits: u16,
    /// A constant's value, a variable's word, or the lowest bit of an extract.
    pub number: u128,
    /// Numbers of nodes before it.
    pub operands: Vec<usize>,
}

impl Nodes {
    /// The nodes of terms over words.
    pub fn of(
        relation: &Relation,
        word_of: &dyn Fn(VarId) -> Option<usize>,
        conjuncts: &[TermId],
    ) -> Nodes {
        let terms = &relation.terms;
        let cone = terms.cone(conjuncts);
        let numbers: HashMap<TermId, usize, FxBuildHasher> =
            cone.iter().enumerate().map(|(i, t)| (*t, i)).collect();
        let node = |&term: &TermId| Node {
            op: terms.op(term),
            bits: terms.bits(term),
            number: match terms.node(term) {
                Term::Constant(value) => value,
                // Other variables than words are in no lemma; there is no word of this number.
                Term::Variable(var) => {
                    let words = relation.words.len();
                    word_of(var).unwrap_or(words) as u128
                }
                Term::Extract { lo, .. } => u128::from(lo),
                _ => 0,
            },
            operands: terms.children(term).map(|c| numbers[&c]).collect(),
        };
        Nodes {
            all: cone.iter().map(node).collect(),
            conjuncts: conjuncts.iter().map(|c| numbers[c]).collect(),
        }
    }

    /// Adds the conjuncts of others, or the complement of each.
    pub fn add(&mut self, other: &Nodes, value: bool) {
        let base = self.all.len();
        let shifted = other.all.iter().map(|node| Node {
            operands: node.operands.iter().map(|n| n + base).collect(),
            ..*node
        });
        self.all.extend(shifted);
        for conjunct in &other.conjuncts {
            let mut conjunct = conjunct + base;
            if !value {
                self.all.push(Node {
                    op: Op::Not,
                    bits: 1,
                    number: 0,
                    operands: vec![conjunct],
                });
                conjunct = self.all.len() - 1;
            }
            self.conjuncts.push(conjunct);
        }
    }

    /// The lines that say them.
    pub fn lines(&self) -> Vec<String> {
        let list = |numbers: &[usize]| {
            let numbers = numbers.iter().map(|number| format!(" {number}"));
            numbers.collect::<String>()
        };
        let line = |node: &Node| {
            let Node {
                op, bits, number, ..
            } = node;
            let operands = list(&node.operands);
            match op {
                Op::Constant => format!("{number}:{bits}"),
                Op::Variable => format!("w{number}"),
                Op::Extract => format!("{}{operands} {number} {bits}", op.name()),
                Op::ZeroExtend | Op::SignExtend => format!("{}{operands} {bits}", op.name()),
                _ => format!("{}{operands}", op.name()),
            }
        };
        let mut lines: Vec<String> = self.all.iter().map(line).collect();
        lines.push(format!("all{}", list(&self.conjuncts)));
        lines
    }

    /// The nodes that lines say; `None` if they say none, or say them in another way than [`Nodes::lines`], or some that
    /// nothing is built on.
    pub fn read(relation: &Relation, lines: &[String]) -> Option<Nodes> {
        let (last, before) = lines.split_last()?;
        let mut nodes = Nodes {
            all: Vec::new(),
            conjuncts: Vec::new(),
        };
        for line in before {
            let node = nodes.node(relation, line)?;
            nodes.all.push(node);
        }
        for number in last.strip_prefix("all")?.split_whitespace() {
            let number: usize = number.parse().ok()?;
            if nodes.all.get(number)?.bits != 1 {
                return None;
            }
            nodes.conjuncts.push(number);
        }
        let mut used = vec![false; nodes.all.len()];
        let operands = nodes.all.iter().flat_map(|node| &node.operands);
        for number in operands.chain(&nodes.conjuncts) {
            used[*number] = true;
        }
        (used.iter().all(|used| *used) && nodes.lines() == lines).then_some(nodes)
    }

    /// The node that a line says.
    fn node(&self, relation: &Relation, line: &str) -> Option<Node> {
        let leaf = |op, bits, number| Node {
            op,
            bits,
            number,
            operands: Vec::new(),
        };
        if let Some(word) = line.strip_prefix('w') {
            let number: usize = word.parse().ok()?;
            let bits = relation.terms.bits(relation.words.get(number)?.term);
            return Some(leaf(Op::Variable, bits, number as u128));
        }
        if let Some((value, bits)) = line.split_once(':') {
            let (value, bits): (u128, u16) = (value.parse().ok()?, bits.parse().ok()?);
            let fits = (1..=128).contains(&bits) && value & !mask(bits) == 0;
            return fits.then(|| leaf(Op::Constant, bits, value));
        }
        let mut parts = line.split(' ');
        let name = parts.next()?;
        let op = Op::ALL.into_iter().find(|op| op.name() == name)?;
        let numbers: Option<Vec<usize>> = parts.map(|part| part.parse().ok()).collect();
        let mut operands = numbers?;
        let rest = operands.split_off(op.arity().min(operands.len()));
        let bits: Option<Vec<u16>> = operands
            .iter()
            .map(|n| self.all.get(*n).map(|node| node.bits))
            .collect();
        let (bits, number) = shape(op, &bits?, &rest)?;
        Some(Node {
            op,
            bits,
            number,
            operands,
        })
    }

    /// The conjuncts as terms.
    pub fn terms(&self, relation: &mut Relation) -> Vec<TermId> {
        let mut made: Vec<TermId> = Vec::new();
        for node in &self.all {
            let (bits, number) = (node.bits, node.number);
            let operands: Vec<TermId> = node.operands.iter().map(|n| made[*n]).collect();
            let terms = &mut relation.terms;
            made.push(match (node.op, &operands[..]) {
                (Op::Variable, _) => relation.words[number as usize].term,
                (Op::Not, &[a]) => terms.not(a),
                (Op::Extract, &[a]) => terms.extract(a, number as u16, bits),
                (Op::ZeroExtend, &[a]) => terms.zero_extend(a, bits),
                (Op::SignExtend, &[a]) => terms.sign_extend(a, bits),
                (Op::And, &[a, b]) => terms.and(a, b),
                (Op::Xor, &[a, b]) => terms.xor(a, b),
                (Op::Add, &[a, b]) => terms.add(a, b),
                (Op::Sub, &[a, b]) => terms.sub(a, b),
                (Op::Mul, &[a, b]) => terms.mul(a, b),
                (Op::UDiv, &[a, b]) => terms.udiv(a, b),
                (Op::URem, &[a, b]) => terms.urem(a, b),
                (Op::Shl, &[a, b]) => terms.shl(a, b),
                (Op::LShr, &[a, b]) => terms.lshr(a, b),
                (Op::AShr, &[a, b]) => terms.ashr(a, b),
                (Op::Eq, &[a, b]) => terms.eq(a, b),
                (Op::ULt, &[a, b]) => terms.ult(a, b),
                (Op::SLt, &[a, b]) => terms.slt(a, b),
                (Op::Concat, &[a, b]) => terms.concat(a, b),
                (Op::Ite, &[c, a, b]) => terms.ite(c, a, b),
                // A constant, for the numbers of operands have been looked at.
                _ => terms.constant(number, bits),
            });
        }
        self.conjuncts.iter().map(|n| made[*n]).collect()
    }
}

/// Width and number of a node with operands of these widths, followed by these numbers; `None` if there is no such node.
fn shape(op: Op, operands: &[u16], rest: &[usize]) -> Option<(u16, u128)> {
    let width = |bits: usize| (1..=128).contains(&bits).then_some(bits as u16);
    let plain = |bits: u16| Some((bits, 0));
    match (op, operands, rest) {
        (Op::Constant | Op::Variable, ..) => None,
        (Op::Extract, &[a], &[lo, bits]) => {
            let fits = lo.checked_add(bits)? <= usize::from(a);
            fits.then_some((width(bits)?, lo as u128))
        }
        (Op::ZeroExtend | Op::SignExtend, &[a], &[bits]) if bits >= usize::from(a) => {
            plain(width(bits)?)
        }
        (Op::Not, &[a], []) => plain(a),
        (Op::Ite, &[1, a, b], []) if a == b => plain(a),
        (Op::Concat, &[a, b], []) => plain(width(usize::from(a + b))?),
        (Op::Eq | Op::ULt | Op::SLt, &[a, b], []) if a == b => plain(1),
        (
            Op::And
            | Op::Xor
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::UDiv
            | Op::URem
            | Op::Shl
            | Op::LShr
            | Op::AShr,
            &[a, b],
            [],
        ) if a == b => plain(a),
        _ => None,
    }
}
