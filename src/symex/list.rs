//! Short lists of the values that a word may have.

use crate::term::TermId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most values of one term.
pub(super) const LISTED: usize = 64;

/// The values of a term; `None` if there is no short list.
pub(super) type Values = Option<Rc<BTreeSet<u128>>>;

/// Lists of terms, as far as they are known.
pub(super) type ValueMemo = HashMap<TermId, Values, FxBuildHasher>;

/// The low bits of a word.
pub(super) fn cut(value: u128, bits: u16) -> u128 {
    match bits {
        128.. => value,
        _ => value & ((1 << bits) - 1),
    }
}

pub(super) fn one(value: u128) -> Values {
    Some(Rc::new(BTreeSet::from([value])))
}

/// Values of a function of two listed words; `None` if one is not listed, or if there are too many.
pub(super) fn pairs(a: &Values, b: &Values, of: impl Fn(u128, u128) -> u128) -> Values {
    let (a, b) = (a.as_ref()?, b.as_ref()?);
    if a.len() * b.len() > 4 * LISTED {
        return None;
    }
    let all: BTreeSet<u128> = a
        .iter()
        .flat_map(|x| b.iter().map(|y| of(*x, *y)).collect::<Vec<_>>())
        .collect();
    (all.len() <= LISTED).then(|| Rc::new(all))
}
