//! The way that a path takes through a condition: of choices the branch that it takes, of disjunctions a part that holds.
//!
//! The paper's preconditions are those of paths of statements. Here a move contains the branches of all the code between
//! two places, merged, so that the precondition of a move says what every branch needs: `5 <= max(a, max(b, c))`. Of
//! that, `5 <= b && a <= b && c <= b` is what one path needs, and generalisation may find that `5 <= b` alone never holds.

use crate::modular::faults::{self, Fault};
use crate::term::{Evaluator, Node, Op, TermId, Terms, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// Parts of a condition that are looked into.
const PARTS: usize = 4096;

/// A condition without choices that implies this one; where it holds for these values, so does that.
pub(super) fn taken(terms: &mut Terms, condition: TermId, value: &dyn Fn(VarId) -> u128) -> TermId {
    let mut open = terms.conjuncts(condition);
    let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
    let mut all = terms.tru();
    while let Some(part) = open.pop() {
        if !seen.insert(part) {
            continue;
        }
        let chosen = if seen.len() < PARTS {
            chosen(terms, part, value)
        } else {
            Vec::new()
        };
        if chosen.is_empty() {
            all = terms.and(all, part);
        }
        for part in chosen {
            open.extend(terms.conjuncts(part));
        }
    }
    all
}

/// Conditions that together imply one that is no conjunction; none if there is nothing to choose.
fn chosen(terms: &mut Terms, part: TermId, value: &dyn Fn(VarId) -> u128) -> Vec<TermId> {
    let mut evaluator = Evaluator::new(terms, value);
    if !evaluator.holds(part) {
        return Vec::new();
    }
    if let Node::Not(inner) = terms.node(part)
        && let Node::Binary(Op::And, ..) = terms.node(inner)
    {
        let mut fails = terms.conjuncts(inner);
        fails.retain(|part| !evaluator.holds(*part));
        let least = fails
            .into_iter()
            .min_by_key(|part| terms.cone(&[*part]).len());
        return least.map(|part| terms.not(part)).into_iter().collect();
    }
    // Choices on the way, each with the branch that is taken.
    let mut branches: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
    let mut conditions = Vec::new();
    let mut stack = vec![part];
    let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Ite(c, a, b) = terms.node(term) {
            let holds = evaluator.holds(c);
            conditions.push((c, holds));
            let branch = if holds { a } else { b };
            branches.insert(term, branch);
            stack.push(branch);
        } else {
            stack.extend(terms.children(term));
        }
    }
    if branches.is_empty() {
        return Vec::new();
    }
    let mut parts = vec![along(terms, part, &branches)];
    if faults::on(Fault::BranchUnsaid) {
        conditions.clear();
    }
    for (condition, holds) in conditions {
        parts.push(if holds {
            condition
        } else {
            terms.not(condition)
        });
    }
    parts
}

/// The term with branches in the place of choices.
fn along(
    terms: &mut Terms,
    term: TermId,
    branches: &HashMap<TermId, TermId, FxBuildHasher>,
) -> TermId {
    let mut made: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        let needs: Vec<TermId> = match branches.get(&top) {
            Some(branch) => vec![*branch],
            None => terms.children(top).collect(),
        };
        let missing = needs.iter().filter(|term| !made.contains_key(*term));
        let missing: Vec<TermId> = missing.copied().collect();
        if !missing.is_empty() {
            stack.extend(missing);
            continue;
        }
        stack.pop();
        let operands: Vec<TermId> = needs.iter().map(|term| made[term]).collect();
        let new = match (branches.contains_key(&top), operands == needs) {
            (true, _) => operands[0],
            (false, true) => top,
            (false, false) => terms.rebuild(top, &operands),
        };
        made.insert(top, new);
    }
    made[&term]
}
