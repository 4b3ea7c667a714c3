//! What memory holds after writes, as a word of its own.

use super::super::faults::{self, Fault};
use crate::circuit::{Formula, Lit};

/// A word that is `before`, or what the one of the writes stores whose literal is true.
pub fn after(formula: &mut Formula, writes: &[(Lit, &[Lit])], before: Vec<Lit>) -> Vec<Lit> {
    if writes.is_empty() {
        return before;
    }
    // Bits that are the same constant whatever happens are that constant.
    let row: Vec<Lit> = before
        .iter()
        .enumerate()
        .map(|(bit, &old)| {
            let same = old.is_constant() && writes.iter().all(|(_, value)| value[bit] == old);
            if same { old } else { formula.new_lit() }
        })
        .collect();
    for &(here, value) in writes {
        formula.equal_if(&[here], &row, value);
    }
    if !faults::on(Fault::RowLost) {
        let all: Vec<Lit> = writes.iter().map(|write| write.0).collect();
        let any = formula.or_all(&all);
        formula.equal_if(&[!any], &row, &before);
    }
    row
}
