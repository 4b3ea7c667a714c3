//! Gates as clauses (Tseitin 1968): a variable for each gate that a clause needs, defined once.
//!
//! Conjunctions that only one conjunction uses are written into that one's clauses, without variables of
//! their own. If they are needed later, they are defined then.

use super::graph::{Circuit, Gate, Lit};

/// Something that takes clauses in the DIMACS convention: variables are 1, 2, …, a literal is a variable or
/// its negative, never 0.
pub trait ClauseSink {
    /// A new variable: 1 at first, then always one more than the last.
    fn new_var(&mut self) -> i32;
    /// Adds a clause; the empty clause is never satisfied.
    fn add_clause(&mut self, lits: &[i32]);
}

/// Clauses in memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Clauses {
    variables: i32,
    lits: Vec<i32>,
    /// End of each clause in `lits`.
    ends: Vec<usize>,
}

impl Clauses {
    /// No variables and no clauses.
    #[cfg(feature = "internals")]
    pub fn new() -> Clauses {
        Clauses::default()
    }

    /// Number of variables.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Clauses from number `from` on, in the order they were added.
    pub fn iter_from(&self, from: usize) -> impl Iterator<Item = &[i32]> {
        let start = |i: usize| i.checked_sub(1).map_or(0, |before| self.ends[before]);
        (from..self.ends.len()).map(move |i| &self.lits[start(i)..self.ends[i]])
    }

    /// All clauses, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        self.iter_from(0)
    }
}

impl ClauseSink for Clauses {
    fn new_var(&mut self) -> i32 {
        self.variables = self
            .variables
            .checked_add(1)
            .expect("fewer than 2^31 variables");
        self.variables
    }

    fn add_clause(&mut self, lits: &[i32]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }
}

/// Variables of gates, as far as they have any, and buffers for writing clauses.
#[derive(Clone, Default, Debug)]
pub struct Emitter {
    /// Variable of each gate, 0 if it has none.
    variables: Vec<i32>,
    /// Operands of the conjunction in progress, kept for its memory.
    leaves: Vec<Lit>,
    clause: Vec<i32>,
    stack: Vec<Lit>,
}

impl Emitter {
    /// No gate has a variable.
    pub fn new() -> Emitter {
        Emitter::default()
    }

    /// The solver's literal for a literal, if its gate has a variable.
    pub fn get(&self, lit: Lit) -> Option<i32> {
        match self.variables.get(lit.gate()).copied().unwrap_or(0) {
            0 => None,
            variable => Some(if lit.is_negative() {
                -variable
            } else {
                variable
            }),
        }
    }

    /// The solver's literal for a literal; writes the definitions it needs. A constant is a variable too, with
    /// a unit clause.
    pub fn lit(&mut self, circuit: &Circuit, lit: Lit, sink: &mut dyn ClauseSink) -> i32 {
        self.variables
            .resize(circuit.len().max(self.variables.len()), 0);
        self.stack.push(lit.positive());
        while let Some(&top) = self.stack.last() {
            if self.variables[top.gate()] != 0 {
                self.stack.pop();
                continue;
            }
            let ready = self.stack.len();
            self.collect(circuit, top);
            for leaf in self.leaves.iter().rev() {
                if self.variables[leaf.gate()] == 0 {
                    self.stack.push(leaf.positive());
                }
            }
            if self.stack.len() == ready {
                self.define(circuit, top, sink);
                self.stack.pop();
            }
        }
        self.get(lit).expect("just defined")
    }

    /// Operands of the gate, through conjunctions that belong to it alone.
    fn collect(&mut self, circuit: &Circuit, top: Lit) {
        self.leaves.clear();
        match circuit.gate(top) {
            Gate::And(..) => self.collect_and(circuit, top),
            _ => self.leaves.extend_from_slice(circuit.operands(top)),
        }
    }

    fn collect_and(&mut self, circuit: &Circuit, top: Lit) {
        let base = self.stack.len();
        self.stack.extend(circuit.operands(top).iter().rev());
        while self.stack.len() > base {
            let lit = self.stack.pop().expect("longer than base");
            let inner = !lit.is_negative()
                && self.variables.get(lit.gate()).copied().unwrap_or(0) == 0
                && circuit.is_used_once(lit)
                && matches!(circuit.gate(lit), Gate::And(..));
            if inner {
                self.stack.extend(circuit.operands(lit).iter().rev());
            } else {
                self.leaves.push(lit);
            }
        }
    }

    /// Writes the definition of a gate whose operands are in `leaves` and have variables.
    fn define(&mut self, circuit: &Circuit, top: Lit, sink: &mut dyn ClauseSink) {
        let out = sink.new_var();
        self.variables[top.gate()] = out;
        let lit = |lit: Lit| {
            let variable = self.variables[lit.gate()];
            if lit.is_negative() {
                -variable
            } else {
                variable
            }
        };
        match circuit.gate(top) {
            Gate::Input => {}
            Gate::False => sink.add_clause(&[-out]),
            Gate::And(..) => {
                self.clause.clear();
                self.clause.push(out);
                for &leaf in &self.leaves {
                    sink.add_clause(&[-out, lit(leaf)]);
                    self.clause.push(-lit(leaf));
                }
                sink.add_clause(&self.clause);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (lit(a), lit(b));
                sink.add_clause(&[-out, a, b]);
                sink.add_clause(&[-out, -a, -b]);
                sink.add_clause(&[out, -a, b]);
                sink.add_clause(&[out, a, -b]);
            }
            Gate::Ite(c, a, b) => {
                let (c, a, b) = (lit(c), lit(a), lit(b));
                sink.add_clause(&[-out, -c, a]);
                sink.add_clause(&[out, -c, -a]);
                sink.add_clause(&[-out, c, b]);
                sink.add_clause(&[out, c, -b]);
                // These follow, but let branches that agree decide before the condition does.
                sink.add_clause(&[-out, a, b]);
                sink.add_clause(&[out, -a, -b]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (lit(a), lit(b), lit(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sink.add_clause(&[-out, x, y]);
                    sink.add_clause(&[out, -x, -y]);
                }
            }
        }
    }

    /// Adds the clause of these literals. Constants, repetitions and disjunctions that belong to the clause
    /// alone are resolved.
    pub fn clause(&mut self, circuit: &Circuit, lits: &[Lit], sink: &mut dyn ClauseSink) {
        let mut parts: Vec<Lit> = Vec::with_capacity(lits.len());
        for &lit in lits {
            let disjunction = lit.is_negative()
                && self.get(lit).is_none()
                && matches!(circuit.gate(lit), Gate::And(..))
                && (lits.len() == 1 || circuit.is_used_once(lit));
            if disjunction {
                self.variables
                    .resize(circuit.len().max(self.variables.len()), 0);
                self.leaves.clear();
                self.collect_and(circuit, lit);
                parts.extend(self.leaves.iter().map(|&leaf| !leaf));
            } else {
                parts.push(lit);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let tautology = parts.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || parts.contains(&Lit::TRUE) {
            return;
        }
        let clause: Vec<i32> = parts
            .into_iter()
            .filter(|&lit| lit != Lit::FALSE)
            .map(|lit| self.lit(circuit, lit, sink))
            .collect();
        sink.add_clause(&clause);
    }

    /// Adds clauses that say that the literal is true, with as few definitions as possible.
    pub fn assert(&mut self, circuit: &Circuit, lit: Lit, sink: &mut dyn ClauseSink) {
        let mut conjuncts = vec![lit];
        while let Some(lit) = conjuncts.pop() {
            if self.get(lit).is_some() {
                self.clause(circuit, &[lit], sink);
                continue;
            }
            let sign = lit.is_negative();
            match circuit.gate(lit) {
                Gate::And(a, b) if !sign => conjuncts.extend([b, a]),
                Gate::Xor(a, b) => {
                    self.clause(circuit, &[a, b.complement_if(sign)], sink);
                    self.clause(circuit, &[!a, !b.complement_if(sign)], sink);
                }
                Gate::Ite(c, a, b) => {
                    self.clause(circuit, &[!c, a.complement_if(sign)], sink);
                    self.clause(circuit, &[c, b.complement_if(sign)], sink);
                }
                _ => self.clause(circuit, &[lit], sink),
            }
        }
    }
}
