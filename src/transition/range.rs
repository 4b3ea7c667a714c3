//! Ranges of the values that a path leaves behind, from its conditions: counters stay within their tests.

use super::explore::Explorer;
use crate::base::sorted::SortedMap;
use crate::exec::Path;
use crate::term::{Fact, Memo, Node, Op, TermId, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

impl Explorer<'_> {
    /// Value range and known bits of a term where a path's conditions on single variables hold.
    pub fn refined(&mut self, path: &Path, term: TermId) -> Fact {
        let mut ranges: SortedMap<VarId, Fact> = SortedMap::new();
        for conjunct in self.terms.conjuncts(path.term()) {
            if let Some((var, fact)) = self.bound(conjunct) {
                let bits = self.terms.bits(self.terms.variable(var));
                let old = ranges
                    .get(&var)
                    .copied()
                    .unwrap_or_else(|| self.terms.fact(self.terms.variable(var)));
                if old.excludes(&fact) {
                    continue;
                }
                let both = Fact::new(
                    bits,
                    old.zeros | fact.zeros,
                    old.ones | fact.ones,
                    old.lo.max(fact.lo),
                    old.hi.min(fact.hi),
                );
                ranges.insert(var, both);
            }
        }
        if ranges.is_empty() {
            return self.terms.fact(term);
        }
        let mut env: HashMap<VarId, TermId, FxBuildHasher> = HashMap::default();
        for (var, fact) in ranges {
            let bits = self.terms.bits(self.terms.variable(var));
            let narrow = self.variable("narrowed", bits, fact);
            env.insert(var, narrow);
        }
        let narrowed = self.terms.substitute(term, &env, &mut Memo::new());
        self.terms.fact(narrowed)
    }

    /// A range of a variable that a condition implies.
    fn bound(&self, condition: TermId) -> Option<(VarId, Fact)> {
        let (inner, holds) = match self.terms.node(condition) {
            Node::Not(inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Binary(op, a, b) = self.terms.node(inner) else {
            return None;
        };
        let (term, other, left) = match (self.terms.as_constant(a), self.terms.as_constant(b)) {
            (None, Some(b)) => (a, b, true),
            (Some(a), None) => (b, a, false),
            _ => return None,
        };
        let var = self.whole(term)?;
        let width = self.terms.bits(term);
        let bits = self.terms.bits(self.terms.variable(var));
        let half = 1u128 << (width - 1);
        let all = crate::term::word::mask(width);
        // Signed comparisons of what is not negative are unsigned ones.
        let positive = self.terms.fact(term).hi < half && other < half;
        // What is at least a number that is not negative is none.
        let at_least = match (left, holds) {
            (true, false) => other < half,
            (false, true) => other < half - 1 || other == all,
            _ => false,
        };
        let (lo, hi) = match op {
            Op::Eq if holds => (other, other),
            Op::ULt => less(other, left, holds, all)?,
            Op::SLt if at_least && other == all => (0, half - 1),
            Op::SLt if positive || at_least => less(other, left, holds, half - 1)?,
            _ => return None,
        };
        Some((var, Fact::of_range(bits, lo, hi)))
    }

    /// The variable that a term is, but for leading zeros.
    fn whole(&self, term: TermId) -> Option<VarId> {
        match self.terms.node(term) {
            Node::Variable(var) => Some(var),
            Node::ZeroExtend(inner) => self.terms.var_of(inner),
            Node::Extract { from, lo: 0 } => {
                let var = self.terms.var_of(from)?;
                let fits = self.terms.fact(from).hi >> self.terms.bits(term) == 0;
                fits.then_some(var)
            }
            _ => None,
        }
    }
}

/// The range of a word that is less than `other` (if it stands left and the comparison holds), and so on.
fn less(other: u128, left: bool, holds: bool, all: u128) -> Option<(u128, u128)> {
    Some(match (left, holds) {
        (true, true) => (0, other.checked_sub(1)?),
        (true, false) => (other, all),
        (false, true) => (other.checked_add(1)?.min(all), all),
        (false, false) => (0, other),
    })
}
