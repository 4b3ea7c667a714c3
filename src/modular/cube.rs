//! Sets of states of invariants: some bits of some words have certain values.

use super::name::Names;
use crate::base::sorted::SortedMap;
use crate::pdr::Invariant;
use crate::transition::relation::Relation;

/// A conjunction: values of bits, by word and bit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Cube(pub SortedMap<(usize, u16), bool>);

/// Blocked cubes: states that are never reached, the complement of an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    pub cubes: Vec<Cube>,
    /// Depth of the invariant, see [`Invariant`].
    pub depth: usize,
}

impl Blocked {
    /// The states that an invariant over these latches, bits of words, excludes.
    pub fn of(latches: &[(usize, u16)], invariant: &Invariant) -> Blocked {
        let clauses = invariant.clauses.iter();
        let cube = |clause: &Vec<i32>| {
            let bits = clause.iter();
            let bits = bits.map(|l| (latches[l.unsigned_abs() as usize - 1], *l < 0));
            Cube(bits.collect())
        };
        Blocked {
            cubes: clauses.map(cube).collect(),
            depth: invariant.depth,
        }
    }

    /// The invariant over these latches; `None` if the states are about other bits.
    pub fn invariant(&self, latches: &[(usize, u16)]) -> Option<Invariant> {
        let numbers: SortedMap<(usize, u16), i32> = latches.iter().copied().zip(1..).collect();
        let clause = |cube: &Cube| {
            let mut clause = Vec::new();
            for (bit, value) in &cube.0 {
                let number = *numbers.get(bit)?;
                clause.push(if *value { -number } else { number });
            }
            Some(clause)
        };
        let clauses: Option<Vec<Vec<i32>>> = self.cubes.iter().map(clause).collect();
        Some(Invariant {
            clauses: clauses?,
            depth: self.depth,
        })
    }
}

impl Cube {
    /// Words that occur, ascending.
    fn words(&self) -> Vec<usize> {
        let mut words: Vec<usize> = self.0.keys().map(|(word, _)| *word).collect();
        words.dedup();
        words
    }

    /// Comparisons in C, as far as C has words for it, one for each word.
    pub fn in_c(&self, names: &Names, relation: &Relation) -> Vec<String> {
        let literal = |number: usize| {
            let (mut chosen, mut value) = (0u128, 0u128);
            for ((_, bit), set) in self.0.range((number, 0)..=(number, u16::MAX)) {
                chosen |= 1 << bit;
                value |= u128::from(*set) << bit;
            }
            names.literal(relation, number, chosen, value)
        };
        self.words().into_iter().map(literal).collect()
    }
}
