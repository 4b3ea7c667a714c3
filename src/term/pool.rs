//! The pool: nodes, constants, variables and facts, each stored once.

use super::known::Fact;
use super::node::{Node, Op, Stored};
use super::parts::PartSets;
use super::recent::Recent;
use super::word::{mask, signed};
use super::{TermId, VarId};
use crate::base::id::Id;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// All terms of a problem. Ids of one pool mean nothing in another.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Stored>,
    cones: Vec<Cone>,
    /// Ids of nodes, by content.
    table: HashTable<u32>,
    constants: Vec<u128>,
    /// Interned facts; the first stands for "nothing is known", at any width.
    facts: Vec<Fact>,
    fact_table: HashTable<u32>,
    /// Term of each variable.
    variables: Vec<TermId>,
    /// Names of all variables, one after the other, and where each ends.
    names: String,
    name_ends: Vec<usize>,
    /// Parts of conjunctions.
    pub(super) parts: PartSets,
    /// Results of rewrites.
    pub(super) recent: Recent,
    /// Number of times that the bound on the depth has kept a rule from being applied.
    pub(super) refusals: u64,
    /// Levels of rewrites in progress that descend into operands (`Terms::descend`).
    pub(super) depth: u32,
}

/// Data stored of a term beside its node.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// Index of its fact.
    fact: u32,
    variables: VarSet,
}

/// An over-approximation of a set of variables: an interval and a 32-bit Bloom filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VarSet {
    least: u32,
    greatest: u32,
    bloom: u32,
}

impl VarSet {
    /// No variable.
    pub const EMPTY: VarSet = VarSet {
        least: u32::MAX,
        greatest: 0,
        bloom: 0,
    };

    /// One variable.
    pub fn one(var: VarId) -> VarSet {
        // Neighbours are often substituted together, so runs of 4 share a bit.
        VarSet {
            least: var.0,
            greatest: var.0,
            bloom: 1 << ((var.0 >> 2) % 32),
        }
    }

    /// The variable of a set of one.
    pub fn single(self) -> Option<VarId> {
        (self.least == self.greatest).then_some(VarId(self.least))
    }

    /// The union.
    pub fn union(self, other: VarSet) -> VarSet {
        VarSet {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            bloom: self.bloom | other.bloom,
        }
    }

    /// Disjoint sets: true if they certainly have no variable in common.
    pub fn is_disjoint(self, other: VarSet) -> bool {
        self.bloom & other.bloom == 0 || self.greatest < other.least || other.greatest < self.least
    }
}

const TOP: u32 = 0;

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// A pool with the two conditions `false` and `true`.
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            cones: Vec::new(),
            table: HashTable::new(),
            constants: Vec::new(),
            facts: vec![Fact::top(1)],
            fact_table: HashTable::new(),
            variables: Vec::new(),
            names: String::new(),
            name_ends: Vec::new(),
            parts: PartSets::default(),
            recent: Recent::default(),
            refusals: 0,
            depth: 0,
        };
        let (fals, tru) = (terms.constant(0, 1), terms.constant(1, 1));
        debug_assert!(fals == terms.fals() && tru == terms.tru());
        terms
    }

    /// The constant `value` mod 2^`bits`.
    pub fn constant(&mut self, value: u128, bits: u16) -> TermId {
        assert!(
            (1..=128).contains(&bits),
            "a term has 1 to 128 bits, not {bits}"
        );
        let value = value & mask(bits);
        if let Some(known) = self.known_constant(value, bits) {
            return known;
        }
        let hash = hash_constant(value, bits);
        let index = index_after(self.constants.len());
        self.constants.push(value);
        let node = Stored {
            op: Op::Constant,
            bits: bits as u8,
            size: 1,
            args: [index, 0, 0],
        };
        self.insert(
            hash,
            node,
            Cone {
                fact: TOP,
                variables: VarSet::EMPTY,
            },
        )
    }

    /// The constant `value`, which has at most `bits` bits, if there is a term for it.
    pub fn known_constant(&self, value: u128, bits: u16) -> Option<TermId> {
        let found = self.table.find(hash_constant(value, bits), |&id| {
            let node = &self.nodes[id as usize];
            node.op == Op::Constant
                && u16::from(node.bits) == bits
                && self.constants[node.args[0] as usize] == value
        });
        found.map(|&id| TermId(id))
    }

    /// The condition that always holds.
    pub fn tru(&self) -> TermId {
        TermId(1)
    }

    /// The condition that never holds.
    pub fn fals(&self) -> TermId {
        TermId(0)
    }

    /// The constant condition with this value.
    pub fn condition(&self, value: bool) -> TermId {
        TermId(u32::from(value))
    }

    /// A new free variable. Names are for people; they need not differ.
    pub fn fresh(&mut self, name: &str, bits: u16) -> TermId {
        self.fresh_within(name, bits, Fact::top(bits))
    }

    /// A new variable that is known to have a value within `fact`.
    pub fn fresh_within(&mut self, name: &str, bits: u16, fact: Fact) -> TermId {
        assert!(
            (1..=128).contains(&bits),
            "a term has 1 to 128 bits, not {bits}"
        );
        let var = VarId::from_index(self.variables.len());
        self.names.push_str(name);
        self.name_ends.push(self.names.len());
        let node = Stored {
            op: Op::Variable,
            bits: bits as u8,
            size: 0,
            args: [var.0, 0, 0],
        };
        let hash = hash_node(&node);
        let fact = self.intern_fact(fact, bits);
        let variables = VarSet::one(var);
        let term = self.insert(hash, node, Cone { fact, variables });
        self.variables.push(term);
        term
    }

    /// Width of a term, 1..=128.
    pub fn bits(&self, t: TermId) -> u16 {
        u16::from(self.nodes[t.index()].bits)
    }

    /// The value, if the term is a constant.
    pub fn as_constant(&self, t: TermId) -> Option<u128> {
        let node = &self.nodes[t.index()];
        (node.op == Op::Constant).then(|| self.constants[node.args[0] as usize])
    }

    /// The variable, if the term is one.
    pub fn var_of(&self, t: TermId) -> Option<VarId> {
        let node = &self.nodes[t.index()];
        (node.op == Op::Variable).then_some(VarId(node.args[0]))
    }

    /// The term of a variable.
    pub fn variable(&self, var: VarId) -> TermId {
        self.variables[var.index()]
    }

    /// Name of a variable.
    pub fn name(&self, var: VarId) -> &str {
        let from = var
            .index()
            .checked_sub(1)
            .map_or(0, |before| self.name_ends[before]);
        &self.names[from..self.name_ends[var.index()]]
    }

    /// Number of variables; their ids are 0, 1, ….
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// Number of terms; their ids are 0, 1, ….
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Node of the term: its operator and operands.
    pub fn node(&self, t: TermId) -> Node {
        let node = &self.nodes[t.index()];
        let [a, b, c] = node.args;
        match node.op {
            Op::Constant => Node::Constant(self.constants[a as usize]),
            Op::Variable => Node::Variable(VarId(a)),
            Op::Not => Node::Not(TermId(a)),
            Op::Ite => Node::Ite(TermId(a), TermId(b), TermId(c)),
            Op::Concat => Node::Concat(TermId(a), TermId(b)),
            Op::Extract => Node::Extract {
                from: TermId(a),
                lo: b as u16,
            },
            Op::ZeroExtend => Node::ZeroExtend(TermId(a)),
            Op::SignExtend => Node::SignExtend(TermId(a)),
            op => Node::Binary(op, TermId(a), TermId(b)),
        }
    }

    /// Operator of a term.
    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t.index()].op
    }

    /// Operands of a term, first to last.
    #[inline]
    pub fn children(
        &self,
        t: TermId,
    ) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + '_ {
        self.nodes[t.index()]
            .children()
            .iter()
            .map(|&child| TermId(child))
    }

    /// Known bits and range of a term's value.
    pub fn fact(&self, t: TermId) -> Fact {
        let node = &self.nodes[t.index()];
        match (node.op, self.cones[t.index()].fact) {
            (Op::Constant, _) => {
                Fact::constant(self.constants[node.args[0] as usize], u16::from(node.bits))
            }
            (_, TOP) => Fact::top(u16::from(node.bits)),
            (_, fact) => self.facts[fact as usize],
        }
    }

    /// Number of leaves, if the term is a tree of choices between constants (saturating), otherwise 0.
    pub(super) fn leaves(&self, t: TermId) -> u16 {
        let node = &self.nodes[t.index()];
        if node.op == Op::And { 0 } else { node.size }
    }

    /// Number of parts of a conjunction, each as often as it occurs (saturating); 1 for another term.
    pub(super) fn links(&self, t: TermId) -> u16 {
        let node = &self.nodes[t.index()];
        if node.op == Op::And { node.size } else { 1 }
    }

    /// A superset of the variables in the term's cone.
    pub(super) fn var_set(&self, t: TermId) -> VarSet {
        self.cones[t.index()].variables
    }

    /// The term with this operator and these operands as it stands, unless its value is known.
    /// Rewrites end here; nothing else makes nodes.
    pub(super) fn make(&mut self, op: Op, bits: u16, args: [u32; 3]) -> TermId {
        let mut node = Stored {
            op,
            bits: bits as u8,
            size: 0,
            args,
        };
        let hash = hash_node(&node);
        let nodes = &self.nodes;
        let found = self.table.find(hash, |&id| {
            let other = &nodes[id as usize];
            other.op == op && other.bits == node.bits && other.args == args
        });
        if let Some(&id) = found {
            return TermId(id);
        }
        let fact = self.compute_fact(&node);
        if let Some(value) = fact.value() {
            return self.constant(value, bits);
        }
        if op == Op::Ite {
            let (then, other) = (self.leaves(TermId(args[1])), self.leaves(TermId(args[2])));
            if then > 0 && other > 0 {
                node.size = then.saturating_add(other);
            }
        }
        if op == Op::And {
            let (a, b) = (self.links(TermId(args[0])), self.links(TermId(args[1])));
            node.size = a.saturating_add(b);
        }
        let variables = node.children().iter().fold(VarSet::EMPTY, |set, &child| {
            set.union(self.cones[child as usize].variables)
        });
        let fact = self.intern_fact(fact, bits);
        self.insert(hash, node, Cone { fact, variables })
    }

    /// The complement, if there is a term for it.
    pub(super) fn known_complement(&self, t: TermId) -> Option<TermId> {
        let stored = self.nodes[t.index()];
        if stored.op == Op::Not {
            return Some(TermId(stored.args[0]));
        }
        self.known(Op::Not, stored.bits, [t.0, 0, 0])
    }

    /// The term with this operator and these operands, as it stands, if there is one.
    pub(super) fn known(&self, op: Op, bits: u8, args: [u32; 3]) -> Option<TermId> {
        let size = 0;
        let node = Stored {
            op,
            bits,
            size,
            args,
        };
        let found = self.table.find(hash_node(&node), |&id| {
            let other = &self.nodes[id as usize];
            (other.op, other.bits, other.args) == (op, bits, args)
        });
        found.map(|&id| TermId(id))
    }

    /// The conjunction of two conditions, as it stands, if there is a term for it.
    pub fn known_and(&self, a: TermId, b: TermId) -> Option<TermId> {
        let known = |a: TermId, b: TermId| self.known(Op::And, 1, [a.0, b.0, 0]);
        known(a, b).or_else(|| known(b, a))
    }

    /// The node of a term over other operands, if there is a term for it: nothing is made or folded.
    pub fn like(&self, t: TermId, operands: &[TermId]) -> Option<TermId> {
        let Stored {
            op, bits, mut args, ..
        } = self.nodes[t.index()];
        for (arg, operand) in args[..op.arity()].iter_mut().zip(operands) {
            *arg = operand.0;
        }
        self.known(op, bits, args)
    }

    /// [`Terms::make`] for an operator with one operand.
    pub(super) fn make_unary(&mut self, op: Op, bits: u16, a: TermId) -> TermId {
        self.make(op, bits, [a.0, 0, 0])
    }

    /// [`Terms::make`] for an operator with two operands.
    pub(super) fn make_binary(&mut self, op: Op, bits: u16, a: TermId, b: TermId) -> TermId {
        self.make(op, bits, [a.0, b.0, 0])
    }

    fn insert(&mut self, hash: u64, node: Stored, cone: Cone) -> TermId {
        let term = TermId::from_index(self.nodes.len());
        self.nodes.push(node);
        self.cones.push(cone);
        let (nodes, constants) = (&self.nodes, &self.constants);
        self.table.insert_unique(hash, term.0, |&id| {
            let node = &nodes[id as usize];
            match node.op {
                Op::Constant => {
                    hash_constant(constants[node.args[0] as usize], u16::from(node.bits))
                }
                _ => hash_node(node),
            }
        });
        term
    }

    fn compute_fact(&self, node: &Stored) -> Fact {
        self.combine_facts(node, &|t| self.fact(t))
    }

    /// Fact of a term that is no variable, if `operand` holds of its operands.
    pub fn fact_from(&self, t: TermId, operand: &dyn Fn(TermId) -> Fact) -> Fact {
        self.combine_facts(&self.nodes[t.index()], operand)
    }

    fn combine_facts(&self, node: &Stored, fact: &dyn Fn(TermId) -> Fact) -> Fact {
        let bits = u16::from(node.bits);
        let [a, b, c] = node.args.map(TermId);
        match node.op {
            Op::Constant => Fact::constant(self.constants[node.args[0] as usize], bits),
            Op::Variable => Fact::top(bits),
            Op::Not => fact(a).not(bits),
            Op::Ite => match fact(a).value() {
                Some(0) => fact(c),
                Some(_) => fact(b),
                None => fact(b).either(&fact(c), bits),
            },
            Op::Concat => fact(a).concat(&fact(b), self.bits(b), bits),
            Op::Extract => fact(a).extract(node.args[1] as u16, bits),
            Op::ZeroExtend => fact(a).zero_extend(self.bits(a), bits),
            Op::SignExtend => fact(a).sign_extend(self.bits(a), bits),
            op => Fact::binary(op, self.bits(a), &fact(a), &fact(b)),
        }
    }

    fn intern_fact(&mut self, fact: Fact, bits: u16) -> u32 {
        if fact == Fact::top(bits) {
            return TOP;
        }
        let hash = hash_of(&fact);
        let facts = &self.facts;
        if let Some(&index) = self
            .fact_table
            .find(hash, |&index| facts[index as usize] == fact)
        {
            return index;
        }
        let index = index_after(self.facts.len());
        self.facts.push(fact);
        let facts = &self.facts;
        self.fact_table
            .insert_unique(hash, index, |&index| hash_of(&facts[index as usize]));
        index
    }
}

impl Terms {
    /// Value of a node, given the values of its operands in order.
    pub fn apply(&self, t: TermId, values: [u128; 3]) -> u128 {
        let node = &self.nodes[t.index()];
        let bits = u16::from(node.bits);
        let operand_bits = |i: usize| u16::from(self.nodes[node.args[i] as usize].bits);
        let [a, b, c] = values;
        match node.op {
            Op::Constant => self.constants[node.args[0] as usize],
            Op::Variable => unreachable!("a variable has no operands to apply it to"),
            Op::Not => !a & mask(bits),
            Op::Ite => {
                if a != 0 {
                    b
                } else {
                    c
                }
            }
            Op::Concat => (a << operand_bits(1)) | b,
            Op::Extract => (a >> node.args[1]) & mask(bits),
            Op::ZeroExtend => a,
            Op::SignExtend => signed(a, operand_bits(0)) as u128 & mask(bits),
            op => super::word::binary(op, operand_bits(0), a, b).expect("a binary operator"),
        }
    }
}

/// The next index of a table of this length.
fn index_after(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 entities")
}

fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_constant(value: u128, bits: u16) -> u64 {
    hash_of(&(value, bits))
}

fn hash_node(node: &Stored) -> u64 {
    let [a, b, c] = node.args;
    let head = u64::from(node.op as u8) << 40 | u64::from(node.bits) << 32 | u64::from(c);
    hash_of(&(head, u64::from(a) << 32 | u64::from(b)))
}
