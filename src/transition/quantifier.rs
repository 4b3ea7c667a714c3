//! Universal quantifiers over words, by their expansion bit by bit: comparisons with few operands stay small, and what does not is
//! left open.

use crate::term::{Memo, TermId, Terms, VarId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// Variables.
pub(super) type Vars = HashSet<VarId, FxBuildHasher>;

/// Terms that the expansion of one condition may make.
const LIMIT: usize = 100_000;

/// A condition that holds wherever one does for all values of these variables. It is equivalent to that, or, if that is too
/// large, speaks of some of their bits.
pub(super) fn for_all(terms: &mut Terms, condition: TermId, vars: &Vars) -> TermId {
    let support = terms.support(condition).into_iter();
    let open: Vec<VarId> = support.filter(|var| vars.contains(var)).collect();
    if open.is_empty() {
        return condition;
    }
    let mut env: HashMap<VarId, TermId, FxBuildHasher> = HashMap::default();
    let mut bits: Vec<VarId> = Vec::new();
    for var in open {
        let width = terms.bits(terms.variable(var));
        let mut word: Option<TermId> = None;
        for _ in 0..width {
            let bit = terms.fresh("bit", 1);
            bits.extend(terms.var_of(bit));
            word = Some(match word {
                None => bit,
                Some(low) => terms.concat(bit, low),
            });
        }
        env.extend(word.map(|word| (var, word)));
    }
    let start = terms.len();
    let mut condition = terms.substitute(condition, &env, &mut Memo::new());
    for bit in bits {
        if terms.len() - start > LIMIT {
            break;
        }
        let mut both = terms.tru();
        for value in [0, 1] {
            let value = terms.constant(value, 1);
            let env: HashMap<VarId, TermId, FxBuildHasher> = [(bit, value)].into_iter().collect();
            let case = terms.substitute(condition, &env, &mut Memo::new());
            both = terms.and(both, case);
        }
        condition = both;
    }
    condition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_some_value_contradicts_is_false_and_the_rest_stays() {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", 32), terms.fresh("y", 1));
        let vars: Vars = terms.var_of(x).into_iter().collect();
        let (zero, ten) = (terms.constant(0, 32), terms.constant(10, 32));
        let is_zero = terms.eq(x, zero);
        let either = terms.or(is_zero, y);
        assert_eq!(for_all(&mut terms, either, &vars), y);
        let small = terms.ult(x, ten);
        assert_eq!(for_all(&mut terms, small, &vars), terms.fals());
        let not = terms.not(small);
        let any = terms.or(small, not);
        assert_eq!(for_all(&mut terms, any, &vars), terms.tru());
        assert_eq!(for_all(&mut terms, y, &vars), y);
    }
}
