//! The graph of gates.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Not;

/// An output of a gate, possibly complemented: twice the gate's number, plus one if complemented (the AIGER
/// convention). Gate 0 is the constant, so 0 is false and 1 is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(pub u32);

impl Lit {
    /// The literal that is never true.
    pub const FALSE: Lit = Lit(0);
    /// The literal that is always true.
    pub const TRUE: Lit = Lit(1);

    /// The constant with this value.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// Constants: true of the two constant literals.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Sign: true if the literal is the complement of its gate.
    pub fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    /// Number of its gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The literal without complement.
    pub fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// The literal, complemented if `sign` holds.
    pub fn complement_if(self, sign: bool) -> Lit {
        Lit(self.0 ^ u32::from(sign))
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Gate 0.
    False,
    /// A free value.
    Input,
    /// Both; operands in order.
    And(Lit, Lit),
    /// Exactly one; operands positive and in order.
    Xor(Lit, Lit),
    /// The second if the first holds, otherwise the third; the first two positive.
    Ite(Lit, Lit, Lit),
    /// At least two of three; operands in order, the first positive.
    Majority(Lit, Lit, Lit),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
enum Kind {
    False,
    Input,
    And,
    Xor,
    Ite,
    Majority,
}

/// Gates, each once; the operands of a gate have smaller numbers.
#[derive(Clone, Debug)]
pub struct Circuit {
    kinds: Vec<Kind>,
    operands: Vec<[Lit; 3]>,
    /// Number of gates that use a gate, saturating.
    fanouts: Vec<u8>,
    table: HashTable<u32>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self::new()
    }
}

impl Circuit {
    /// The circuit that has the constant only.
    pub fn new() -> Circuit {
        Circuit {
            kinds: vec![Kind::False],
            operands: vec![[Lit::FALSE; 3]],
            fanouts: vec![0],
            table: HashTable::new(),
        }
    }

    /// A new free value.
    pub fn new_input(&mut self) -> Lit {
        self.push(Kind::Input, [Lit::FALSE; 3])
    }

    /// Number of gates, the constant and inputs included.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The gate of a literal.
    pub fn gate(&self, lit: Lit) -> Gate {
        let [a, b, c] = self.operands[lit.gate()];
        match self.kinds[lit.gate()] {
            Kind::False => Gate::False,
            Kind::Input => Gate::Input,
            Kind::And => Gate::And(a, b),
            Kind::Xor => Gate::Xor(a, b),
            Kind::Ite => Gate::Ite(a, b, c),
            Kind::Majority => Gate::Majority(a, b, c),
        }
    }

    /// Operands of the gate of a literal.
    pub fn operands(&self, lit: Lit) -> &[Lit] {
        let arity = match self.kinds[lit.gate()] {
            Kind::False | Kind::Input => 0,
            Kind::And | Kind::Xor => 2,
            Kind::Ite | Kind::Majority => 3,
        };
        &self.operands[lit.gate()][..arity]
    }

    /// Single use: true if at most one gate uses the gate of the literal.
    pub fn is_used_once(&self, lit: Lit) -> bool {
        self.fanouts[lit.gate()] <= 1
    }

    /// The gate as it stands; simplifications come before.
    pub(super) fn make(&mut self, gate: Gate) -> Lit {
        let (kind, operands) = match gate {
            Gate::False => return Lit::FALSE,
            Gate::Input => return self.new_input(),
            Gate::And(a, b) => (Kind::And, [a, b, Lit::FALSE]),
            Gate::Xor(a, b) => (Kind::Xor, [a, b, Lit::FALSE]),
            Gate::Ite(a, b, c) => (Kind::Ite, [a, b, c]),
            Gate::Majority(a, b, c) => (Kind::Majority, [a, b, c]),
        };
        let hash = hash(kind, &operands);
        let (kinds, all) = (&self.kinds, &self.operands);
        let found = self.table.find(hash, |&id| {
            kinds[id as usize] == kind && all[id as usize] == operands
        });
        if let Some(&id) = found {
            return Lit(id << 1);
        }
        for operand in operands {
            let fanout = &mut self.fanouts[operand.gate()];
            *fanout = fanout.saturating_add(1);
        }
        let lit = self.push(kind, operands);
        let (kinds, all) = (&self.kinds, &self.operands);
        self.table.insert_unique(hash, lit.0 >> 1, |&id| {
            self::hash(kinds[id as usize], &all[id as usize])
        });
        lit
    }

    fn push(&mut self, kind: Kind, operands: [Lit; 3]) -> Lit {
        let id = u32::try_from(self.kinds.len())
            .ok()
            .filter(|id| *id < 1 << 31);
        let id = id.expect("fewer than 2^31 gates");
        self.kinds.push(kind);
        self.operands.push(operands);
        self.fanouts.push(0);
        Lit(id << 1)
    }

    /// Values of every gate, by number, given those of inputs: 64 valuations at once, one for each bit.
    pub fn simulate(&self, input: &dyn Fn(Lit) -> u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(self.len());
        for id in 0..self.len() {
            let lit = Lit((id as u32) << 1);
            let value = |lit: Lit| values[lit.gate()] ^ u64::from(lit.is_negative()).wrapping_neg();
            values.push(match self.gate(lit) {
                Gate::False => 0,
                Gate::Input => input(lit),
                Gate::And(a, b) => value(a) & value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
                Gate::Ite(c, a, b) => value(b) ^ value(c) & (value(a) ^ value(b)),
                Gate::Majority(a, b, c) => {
                    let (a, b, c) = (value(a), value(b), value(c));
                    a & b | c & (a | b)
                }
            });
        }
        values
    }
}

fn hash(kind: Kind, operands: &[Lit; 3]) -> u64 {
    let mut hasher = FxHasher::default();
    let [a, b, c] = operands.map(|lit| u64::from(lit.0));
    (a << 32 | b, c << 8 | kind as u64).hash(&mut hasher);
    hasher.finish()
}
