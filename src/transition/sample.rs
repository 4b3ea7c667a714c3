//! Samples of reachable states: those that random executions of a system pass. Deterministic.

use super::product::Given;
use super::relation::Relation;
use crate::base::mix::Random;
use crate::base::sorted::SortedSet;
use crate::term::word::mask;
use crate::term::{Evaluator, TermId, VarId};

/// Terms that are evaluated in all.
const EVALUATED: usize = 4_000_000;
/// Steps at least and at most.
const STEPS: (usize, usize) = (50, 3000);
/// Steps of one execution, and those in a row in which nothing happens.
const LENGTH: (usize, usize) = (80, 12);

/// Values of words in states that are reached, the initial one first; `next` are their values after a step.
pub(super) fn states(relation: &Relation, next: &[TermId]) -> Vec<Given> {
    let terms = &relation.terms;
    let cone = terms.cone(next);
    let mut inputs: SortedSet<VarId> = cone.iter().filter_map(|term| terms.var_of(*term)).collect();
    let words = relation.words.iter();
    let vars: Vec<Option<VarId>> = words.map(|word| terms.var_of(word.term)).collect();
    for var in vars.iter().flatten() {
        inputs.remove(var);
    }
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let words = relation.words.iter().zip(&vars);
    let initial: Given = words
        .filter_map(|(word, var)| Some(((*var)?, word.initial)))
        .collect();
    let mut states = vec![initial.clone()];
    let mut now = initial.clone();
    let mut still = 0;
    for step in 1..=(EVALUATED / cone.len().max(1)).clamp(STEPS.0, STEPS.1) {
        let mut given = now.clone();
        for var in &inputs {
            let bits = terms.bits(terms.variable(*var));
            let word = vars[random.below(vars.len().max(1))];
            let value = match random.below(8) {
                0..4 => random.below(4) as u128,
                4 => u128::from(random.number()),
                5 => mask(bits).wrapping_sub(random.below(3) as u128),
                // The value of a word.
                _ => word.and_then(|var| now.get(&var).copied()).unwrap_or(0),
            };
            given.insert(*var, value & mask(bits));
        }
        let assignment = |var: VarId| given.get(&var).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(terms, &assignment);
        let pairs = vars.iter().zip(next);
        let after: Given = pairs
            .filter_map(|(var, next)| Some(((*var)?, evaluator.value(*next))))
            .collect();
        if after == now {
            still += 1;
        } else {
            still = 0;
            states.push(after.clone());
        }
        now = after;
        if still > LENGTH.1 || step % LENGTH.0 == 0 {
            (now, still) = (initial.clone(), 0);
        }
    }
    states
}
