//! Walks over the cone of a term, for analyses.

use super::pool::VarSet;
use super::{Node, Op, TermId, Terms, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

impl Terms {
    /// All terms in the cones of `roots`, each once, operands before what is built on them (by id).
    pub fn cone(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = roots.to_vec();
        let mut all = Vec::new();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                all.push(t);
                stack.extend(self.children(t));
            }
        }
        // Ids are a topological order.
        all.sort_unstable();
        all
    }

    /// Variables in the cone of a term, by id.
    pub fn support(&self, t: TermId) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self
            .cone(&[t])
            .into_iter()
            .filter_map(|t| self.var_of(t))
            .collect();
        vars.sort_unstable();
        vars
    }

    /// Variables among some that are in the cones of `roots`. Parts of the cones that are over older or younger variables alone,
    /// as what was built before an iteration is, are not looked at.
    pub fn support_among(
        &self,
        roots: &[TermId],
        among: impl IntoIterator<Item = VarId>,
    ) -> HashSet<VarId> {
        let mut wanted = VarSet::EMPTY;
        let mut open: HashSet<VarId> = HashSet::new();
        for var in among {
            wanted = wanted.union(VarSet::one(var));
            open.insert(var);
        }
        let mut found = HashSet::new();
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            if open.is_empty() {
                break;
            }
            if !self.var_set(t).is_disjoint(wanted) && seen.insert(t) {
                found.extend(self.var_of(t).and_then(|var| open.take(&var)));
                stack.extend(self.children(t));
            }
        }
        found
    }

    /// Operands of a term whose values flow into it: all but the condition of a choice.
    pub fn sources(&self, t: TermId) -> impl Iterator<Item = TermId> + '_ {
        let is_choice = matches!(self.node(t), Node::Ite(..));
        self.children(t).skip(usize::from(is_choice))
    }

    /// True if some variable that flows into a term ([`Terms::sources`]) is as `holds` says. What was found of terms stays in
    /// `memo`, so that terms that share operands are asked about once.
    pub fn takes_variable(
        &self,
        t: TermId,
        memo: &mut HashMap<TermId, bool, FxBuildHasher>,
        holds: impl Fn(VarId) -> bool,
    ) -> bool {
        let mut waiting = vec![t];
        while let Some(&top) = waiting.last() {
            if memo.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let mut found = self.var_of(top).is_some_and(&holds);
            for child in self.sources(top) {
                match memo.get(&child) {
                    Some(known) => found |= known,
                    None => waiting.push(child),
                }
            }
            if found || waiting.len() == before {
                waiting.truncate(before - 1);
                memo.insert(top, found);
            }
        }
        memo[&t]
    }

    /// The variable that a term is over, if it is over exactly one.
    pub fn single_variable(&self, t: TermId) -> Option<VarId> {
        self.var_set(t).single()
    }

    /// Dependence: true if a variable is in the cone of a term.
    pub fn depends_on(&self, t: TermId, variable: VarId) -> bool {
        !self.support_among(&[t], [variable]).is_empty()
    }

    /// The same at a glance: false only if the variable is not in the cone.
    pub fn may_depend_on(&self, t: TermId, variable: VarId) -> bool {
        !self.var_set(t).is_disjoint(VarSet::one(variable))
    }

    /// `Some((a, b))` if the term is stored as `!(a & b)`, which is how a disjunction of the complements of
    /// `a` and `b` is stored.
    pub fn as_negated_and(&self, t: TermId) -> Option<(TermId, TermId)> {
        match self.node(t) {
            Node::Not(inner) => match self.node(inner) {
                Node::Binary(Op::And, a, b) => Some((a, b)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Terms whose conjunction the condition is, in order of their ids; each once.
    pub fn conjuncts(&self, t: TermId) -> Vec<TermId> {
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = vec![t];
        let mut parts = Vec::new();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.node(t) {
                Node::Binary(Op::And, a, b) => stack.extend([a, b]),
                _ => parts.push(t),
            }
        }
        parts.sort_unstable();
        parts
    }
}
