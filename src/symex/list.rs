//! Short lists of the values that a word may have.

use crate::base::sorted::SortedSet;
use crate::term::{TermId, VarId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// Most values of one term.
pub(super) const LISTED: usize = 64;

/// List of what a word may be.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct List {
    /// Values that somebody has chosen.
    pub values: SortedSet<u128>,
    /// It may also be a number that nobody has chosen, as it was left in memory: any number, but no address.
    pub left: bool,
}

impl List {
    /// The list of values that somebody has chosen.
    pub fn chosen(values: impl IntoIterator<Item = u128>) -> List {
        List {
            values: values.into_iter().collect(),
            left: false,
        }
    }

    /// Adds what is in another list.
    pub fn add(&mut self, more: &List) {
        self.values.extend(more.values.iter().copied());
        self.left |= more.left;
    }

    /// Intersection of two lists.
    pub fn both(&self, other: &List) -> List {
        List {
            values: self.values.intersection(&other.values).copied().collect(),
            left: self.left && other.left,
        }
    }

    /// Results of an operation, which makes such a number of such a number; `None` if there are too many.
    pub fn of(a: &List, b: &List, of: impl Fn(u128, u128) -> u128) -> Option<List> {
        Some(List {
            values: results(&a.values, &b.values, of)?,
            left: a.left || b.left,
        })
    }
}

/// Lists of terms, as far as they are known; `None` if there is no short one.
pub(super) type ListMemo = HashMap<TermId, Option<Rc<List>>, FxBuildHasher>;

/// Lists of terms over some words that are shorter on a path than elsewhere.
pub(super) struct Narrowed {
    pub words: Vec<VarId>,
    pub lists: ListMemo,
}

/// The low bits of a word.
pub(super) fn cut(value: u128, bits: u16) -> u128 {
    match bits {
        128.. => value,
        _ => value & ((1 << bits) - 1),
    }
}

/// Results of an operation on all pairs of values; `None` if there are too many.
fn results(
    a: &SortedSet<u128>,
    b: &SortedSet<u128>,
    of: impl Fn(u128, u128) -> u128,
) -> Option<SortedSet<u128>> {
    if a.len() * b.len() > 4 * LISTED {
        return None;
    }
    let of = &of;
    let all: SortedSet<u128> = (a.iter().flat_map(|x| b.iter().map(move |y| of(*x, *y)))).collect();
    (all.len() <= LISTED).then_some(all)
}
