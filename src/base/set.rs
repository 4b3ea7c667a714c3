//! Sets of ids, as bits.

use super::id::Id;
use std::marker::PhantomData;

/// A set of ids. As long as all are below 64, it is one word and nothing is allocated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IdSet<I> {
    low: u64,
    /// Ids from 64 on, 64 in each word; the last word is not 0.
    high: Vec<u64>,
    kind: PhantomData<fn() -> I>,
}

impl<I: Id> IdSet<I> {
    /// The empty set.
    pub fn new() -> Self {
        IdSet {
            low: 0,
            high: Vec::new(),
            kind: PhantomData,
        }
    }

    /// The first `count` ids.
    pub fn first(count: usize) -> Self {
        (0..count).map(I::from_index).collect()
    }

    /// Membership: true if the id is in the set.
    pub fn contains(&self, id: I) -> bool {
        let (word, bit) = place(id);
        self.word(word) & bit != 0
    }

    /// Adds an id; true if it was not there.
    pub fn insert(&mut self, id: I) -> bool {
        let (word, bit) = place(id);
        let held = match word.checked_sub(1) {
            None => &mut self.low,
            Some(at) => {
                let words = self.high.len().max(word);
                self.high.resize(words, 0);
                &mut self.high[at]
            }
        };
        let is_new = *held & bit == 0;
        *held |= bit;
        is_new
    }

    /// Takes an id away.
    pub fn remove(&mut self, id: I) {
        let (word, bit) = place(id);
        match word.checked_sub(1) {
            None => self.low &= !bit,
            Some(at) => {
                if let Some(held) = self.high.get_mut(at) {
                    *held &= !bit;
                }
                while self.high.last() == Some(&0) {
                    self.high.pop();
                }
            }
        }
    }

    /// The set without an id.
    #[must_use]
    pub fn without(&self, id: I) -> Self {
        let mut rest = self.clone();
        rest.remove(id);
        rest
    }

    /// Adds all of `other`; true if one of them was not there.
    pub fn union(&mut self, other: &Self) -> bool {
        let mut grows = other.low & !self.low != 0;
        self.low |= other.low;
        if self.high.len() < other.high.len() {
            self.high.resize(other.high.len(), 0);
        }
        for (mine, theirs) in self.high.iter_mut().zip(&other.high) {
            grows |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grows
    }

    /// Common ids: true if there are any.
    pub fn meets(&self, other: &Self) -> bool {
        let mut high = self.high.iter().zip(&other.high);
        self.low & other.low != 0 || high.any(|(a, b)| a & b != 0)
    }

    /// Subset: true if all ids are in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        (0..=self.high.len()).all(|at| self.word(at) & !other.word(at) == 0)
    }

    /// Emptiness: true if there is no id.
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        let words = (0..=self.high.len()).map(|at| self.word(at).count_ones() as usize);
        words.sum()
    }

    /// The ids, ascending.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        (0..=self.high.len()).flat_map(|at| {
            let mut rest = self.word(at);
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(I::from_index(at * 64 + bit))
            })
        })
    }

    fn word(&self, at: usize) -> u64 {
        match at.checked_sub(1) {
            None => self.low,
            Some(at) => self.high.get(at).copied().unwrap_or(0),
        }
    }
}

/// Word of an id, and its bit there.
fn place<I: Id>(id: I) -> (usize, u64) {
    (id.index() / 64, 1 << (id.index() % 64))
}

impl<I: Id> Default for IdSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(ids: It) -> Self {
        let mut set = IdSet::new();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::sorted::SortedSet;

    crate::ids! {
        /// Members of the sets.
        Number;
    }

    fn both(numbers: &[u32]) -> (IdSet<Number>, SortedSet<Number>) {
        let numbers = numbers.iter().copied().map(Number);
        (numbers.clone().collect(), numbers.collect())
    }

    #[test]
    fn it_is_a_set_of_any_size() {
        let lists: [&[u32]; 6] = [
            &[],
            &[0],
            &[0, 63],
            &[64],
            &[3, 63, 64, 300],
            &[3, 127, 128, 300, 1000],
        ];
        for first in lists {
            for second in lists {
                let ((a, x), (b, y)) = (both(first), both(second));
                assert_eq!(a == b, x == y);
                assert_eq!(a.is_within(&b), x.is_subset(&y));
                assert_eq!(a.meets(&b), !x.is_disjoint(&y));
                assert!(a.iter().eq(x.iter().copied()));
                assert_eq!((a.len(), a.is_empty()), (x.len(), x.is_empty()));
                let mut all = a.clone();
                assert_eq!(all.union(&b), !y.is_subset(&x));
                assert!(all.iter().eq(x.union(&y).copied()));
                for id in b.iter() {
                    assert!(all.contains(id) && !all.insert(id));
                    all.remove(id);
                    assert!(!all.contains(id));
                }
                let (rest, _): (Vec<Number>, Vec<Number>) = x.iter().partition(|n| !y.contains(*n));
                // Equal as a whole: nothing is left of what was taken away.
                assert_eq!(all, rest.into_iter().collect());
            }
        }
        assert_eq!(IdSet::<Number>::first(70).len(), 70);
    }
}
