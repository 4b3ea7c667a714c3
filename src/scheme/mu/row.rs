//! Row of a cell: its value after writes, as a word of its own.

use crate::circuit::{Formula, Lit};
use crate::scheme::faults::{self, Fault};
use crate::term::Fact;

/// A word that is `before`, or what the one of the writes stores whose literal is true. It is in a range, if that is
/// known.
pub fn after(
    formula: &mut Formula,
    writes: &[(Lit, &[Lit])],
    before: Vec<Lit>,
    range: Option<&Fact>,
) -> Vec<Lit> {
    if writes.is_empty() {
        return before;
    }
    // Bits that are the same constant whatever happens are that constant.
    let row: Vec<Lit> = before
        .iter()
        .enumerate()
        .map(|(bit, &old)| {
            let same = old.is_constant() && writes.iter().all(|(_, value)| value[bit] == old);
            let known = range.and_then(|range| known_bit(range, bit));
            match known {
                _ if same => old,
                Some(known) => Lit::constant(known),
                None => formula.new_lit(),
            }
        })
        .collect();
    if let Some(range) = range {
        formula.within_if(&[], &row, range);
    }
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

/// A bit of every word in a range.
pub fn known_bit(range: &Fact, bit: usize) -> Option<bool> {
    let bit = 1u128.checked_shl(bit as u32).unwrap_or(0);
    match (range.zeros & bit != 0, range.ones & bit != 0) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}
