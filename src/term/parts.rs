//! Sets of conjuncts: what a conjunction of many parts is the conjunction of, shared between conjunctions that grow out of
//! each other.
//!
//! Nodes of terms stay binary, so that a chain of n links has n nodes and not n²/2 operands. Beside them, a conjunction
//! that others are built on has the sorted set of its conjuncts, as a Patricia trie (Okasaki and Gill, 1998) whose nodes
//! are stored once: equal sets are one number, one more link costs a few nodes, and whether a chain has a part takes as
//! many steps as the trie is deep, however long the chain is. Parts are sorted by *subject*, which is what they are
//! about: the word that a comparison compares with a constant, or else the condition without its complement. So what may
//! imply or exclude a part lies beside it.
//!
//! Budgets keep all this short: a conjunction whose set is not made within its budget is a single part of itself.

use super::TermId;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Steps that making or comparing a set may take.
const STEPS: u32 = 512;

/// A set of parts; equal sets have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Parts(u32);

/// A part with its subject. The order of parts is that of subjects first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Part {
    pub subject: TermId,
    pub term: TermId,
}

/// All sets of a pool.
#[derive(Clone, Debug, Default)]
pub(super) struct PartSets {
    nodes: Vec<Trie>,
    /// Numbers of nodes, by content.
    table: HashTable<u32>,
    /// One more than the set of a conjunction, by its term; 0 where it is not made.
    sets: Vec<u32>,
}

/// A node of a trie: one part, or two subtries that differ first in one bit of their keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trie {
    /// The key of a leaf; of a branch, one of its keys with the bits from `bit` down cleared.
    key: u64,
    /// Subtries without and with the bit.
    sides: [u32; 2],
    /// The bit, as a mask; 0 for a leaf.
    bit: u64,
    /// Number of parts.
    count: u32,
}

impl Part {
    fn key(self) -> u64 {
        u64::from(self.subject.0) << 32 | u64::from(self.term.0)
    }

    fn of_key(key: u64) -> Part {
        Part {
            subject: TermId((key >> 32) as u32),
            term: TermId(key as u32),
        }
    }
}

impl PartSets {
    /// The set of a conjunction, if it is made.
    pub fn get(&self, t: TermId) -> Option<Parts> {
        let set = self.sets.get(t.0 as usize)?.checked_sub(1)?;
        Some(Parts(set))
    }

    /// Keeps the set of a conjunction.
    pub fn keep(&mut self, t: TermId, set: Parts) {
        let index = t.0 as usize;
        if self.sets.len() <= index {
            self.sets.resize(index + 1, 0);
        }
        self.sets[index] = set.0 + 1;
    }

    /// The set of one part.
    pub fn one(&mut self, part: Part) -> Parts {
        let key = part.key();
        Parts(self.node(Trie {
            key,
            sides: [0; 2],
            bit: 0,
            count: 1,
        }))
    }

    /// The union, unless it takes too long.
    pub fn union(&mut self, a: Parts, b: Parts) -> Option<Parts> {
        let mut steps = STEPS;
        self.unite(a.0, b.0, &mut steps).map(Parts)
    }

    fn unite(&mut self, a: u32, b: u32, steps: &mut u32) -> Option<u32> {
        if a == b {
            return Some(a);
        }
        *steps = steps.checked_sub(1)?;
        let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
        // The one that branches higher up is `x`.
        if x.bit < y.bit {
            return self.unite(b, a, steps);
        }
        let differ = (x.key ^ y.key) & above(x.bit);
        if differ != 0 {
            let bit = 1 << differ.ilog2();
            return Some(self.branch(bit, a, b));
        }
        // Different leaves differ.
        let mut sides = x.sides;
        if x.bit == y.bit {
            for (side, other) in sides.iter_mut().zip(y.sides) {
                *side = self.unite(*side, other, steps)?;
            }
        } else {
            let side = &mut sides[usize::from(y.key & x.bit != 0)];
            *side = self.unite(*side, b, steps)?;
        }
        Some(self.branch(x.bit, sides[0], sides[1]))
    }

    /// The set that has a part.
    pub fn has(&self, set: Parts, part: Part) -> bool {
        let key = part.key();
        let mut node = self.nodes[set.0 as usize];
        while node.bit != 0 {
            if (key ^ node.key) & above(node.bit) != 0 {
                return false;
            }
            node = self.nodes[node.sides[usize::from(key & node.bit != 0)] as usize];
        }
        node.key == key
    }

    /// A subset: true if all of `a` is certainly in `b`.
    pub fn is_within(&self, a: Parts, b: Parts) -> bool {
        let mut steps = STEPS;
        let mut waiting = vec![(a.0, b.0)];
        while let Some((a, b)) = waiting.pop() {
            if a == b {
                continue;
            }
            let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
            let apart = (x.key ^ y.key) & above(y.bit) != 0;
            if steps == 0 || x.count >= y.count || x.bit > y.bit || apart {
                return false;
            }
            steps -= 1;
            if x.bit == y.bit {
                waiting.extend(x.sides.into_iter().zip(y.sides));
            } else {
                waiting.push((a, y.sides[usize::from(x.key & y.bit != 0)]));
            }
        }
        true
    }

    /// Parts with this subject, by id; no more than there is room for. Returns how many.
    pub fn about(&self, set: Parts, subject: TermId, room: &mut [TermId]) -> usize {
        let key = u64::from(subject.0) << 32;
        let mut top = set.0;
        loop {
            let node = self.nodes[top as usize];
            let looked_at = above(node.bit) & !u64::from(u32::MAX);
            if (key ^ node.key) & looked_at != 0 {
                return 0;
            }
            if node.bit <= u64::from(u32::MAX) {
                break;
            }
            top = node.sides[usize::from(key & node.bit != 0)];
        }
        let mut count = 0;
        self.list(top, room, &mut count);
        count
    }

    fn list(&self, top: u32, room: &mut [TermId], count: &mut usize) {
        let node = self.nodes[top as usize];
        if *count == room.len() {
            return;
        }
        if node.bit == 0 {
            room[*count] = Part::of_key(node.key).term;
            *count += 1;
            return;
        }
        self.list(node.sides[0], room, count);
        self.list(node.sides[1], room, count);
    }

    /// Two subtries whose keys differ first in `bit`.
    fn branch(&mut self, bit: u64, a: u32, b: u32) -> u32 {
        let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let sides = if x.key & bit == 0 { [a, b] } else { [b, a] };
        let node = Trie {
            key: x.key & above(bit),
            sides,
            bit,
            count: x.count + y.count,
        };
        self.node(node)
    }

    fn node(&mut self, node: Trie) -> u32 {
        let hash = hash(&node);
        let nodes = &self.nodes;
        if let Some(&known) = self.table.find(hash, |&id| nodes[id as usize] == node) {
            return known;
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 sets");
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table
            .insert_unique(hash, id, |&id| self::hash(&nodes[id as usize]));
        id
    }
}

/// The bits above one that is given as a mask; all of them where there is none.
fn above(bit: u64) -> u64 {
    match bit {
        0 => u64::MAX,
        bit => !(bit | (bit - 1)),
    }
}

fn hash(node: &Trie) -> u64 {
    let mut hasher = FxHasher::default();
    (node.key ^ node.bit, node.sides).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod test {
    use super::super::test::Random;
    use super::super::{Evaluator, Terms, VarId};
    use super::*;
    use crate::base::sorted::SortedSet;

    fn part(random: &mut Random) -> Part {
        // Close and far subjects; several parts about one.
        let high = [0, 1 << 20, 1 << 31][random.below(3)];
        Part {
            subject: TermId(high + random.below(6) as u32),
            term: TermId(random.below(4) as u32),
        }
    }

    /// A set, and the same by the standard library.
    fn set(sets: &mut PartSets, random: &mut Random) -> (Parts, SortedSet<Part>) {
        let plain: SortedSet<Part> = (0..1 + random.below(12)).map(|_| part(random)).collect();
        let mut all: Vec<Part> = plain.iter().copied().collect();
        for i in (1..all.len()).rev() {
            all.swap(i, random.below(i + 1));
        }
        let mut set = sets.one(all[0]);
        for part in &all[1..] {
            let one = sets.one(*part);
            set = sets.union(set, one).expect("a small set");
        }
        (set, plain)
    }

    #[test]
    fn sets_are_those_of_the_standard_library() {
        let mut random = Random(28);
        let mut sets = PartSets::default();
        for _ in 0..5_000 {
            let ((a, plain_a), (b, plain_b)) =
                (set(&mut sets, &mut random), set(&mut sets, &mut random));
            assert_eq!(a == b, plain_a == plain_b);
            assert_eq!(sets.is_within(a, b), plain_a.is_subset(&plain_b));
            let both = sets.union(a, b).expect("a small set");
            assert_eq!(sets.union(b, a), Some(both));
            let plain: SortedSet<Part> = plain_a.union(&plain_b).copied().collect();
            assert!(sets.is_within(a, both) && sets.is_within(b, both));
            let asked = part(&mut random);
            assert_eq!(sets.has(both, asked), plain.contains(&asked));
            let mut room = [TermId(0); 8];
            let count = sets.about(both, asked.subject, &mut room);
            let about: Vec<TermId> = plain
                .iter()
                .filter(|part| part.subject == asked.subject)
                .map(|part| part.term)
                .collect();
            assert_eq!(room[..count], about);
        }
    }

    #[test]
    fn one_more_link_of_a_long_chain_is_a_few_nodes() {
        let mut sets = PartSets::default();
        let link = |id: u32| Part {
            subject: TermId(id),
            term: TermId(id),
        };
        let mut chain = sets.one(link(0));
        for id in 1..20_000 {
            let before = sets.nodes.len();
            let one = sets.one(link(id));
            chain = sets.union(chain, one).expect("few steps");
            assert!(sets.nodes.len() - before <= 20);
        }
        assert!(sets.has(chain, link(7)) && !sets.has(chain, link(20_000)));
    }

    #[test]
    fn what_takes_too_long_is_not_done() {
        let mut sets = PartSets::default();
        let mut every = |from: u32| {
            let part = |id: u32| Part {
                subject: TermId(id),
                term: TermId(id),
            };
            let mut set = sets.one(part(from));
            for id in 1..STEPS {
                let one = sets.one(part(from + 2 * id));
                set = sets.union(set, one).expect("few steps");
            }
            set
        };
        let (even, odd) = (every(0), every(1));
        assert_eq!(sets.union(even, odd), None);
    }

    /// Chains that are longer than what rules look at link by link, so that their sets answer.
    #[test]
    fn long_chains_keep_their_meaning() {
        let mut random = Random(281);
        for _ in 0..60 {
            let mut terms = Terms::new();
            let variables: Vec<TermId> = (0..40)
                .map(|i| terms.fresh("", if i < 30 { 1 } else { 4 }))
                .collect();
            // What is built, and what each is built of.
            let mut built: Vec<TermId> = variables[..30].to_vec();
            let mut parts: Vec<(usize, usize, bool)> = Vec::new();
            for _ in 0..30 {
                let word = variables[30 + random.below(10)];
                let constant = terms.constant(random.word(4), 4);
                let compared = match random.below(3) {
                    0 => terms.eq(word, constant),
                    1 => terms.ult(word, constant),
                    _ => terms.ne(word, constant),
                };
                built.push(compared);
            }
            let leaves = built.len();
            for _ in 0..200 {
                // Mostly one more link of a long chain.
                let all = built.len();
                let (near, far) = (all - 1 - random.below(4), random.below(all));
                let a = if random.below(5) > 0 { near } else { far };
                let choices = if random.below(3) > 0 { leaves } else { all };
                let b = random.below(choices);
                let negated = random.below(4) == 0;
                let other = if negated {
                    terms.not(built[b])
                } else {
                    built[b]
                };
                let both = terms.and(built[a], other);
                parts.push((a, b, negated));
                built.push(both);
            }
            for _ in 0..40 {
                // Mostly ones, so that long conjunctions hold now and then.
                let values: Vec<u128> = (0..40)
                    .map(|i| {
                        if i < 30 {
                            u128::from(random.below(12) > 0)
                        } else {
                            random.word(4)
                        }
                    })
                    .collect();
                let assignment = |var: VarId| values[var.0 as usize];
                let mut evaluator = Evaluator::new(&terms, &assignment);
                for (i, &(a, b, negated)) in parts.iter().enumerate() {
                    let meant = evaluator.holds(built[a]) && evaluator.holds(built[b]) != negated;
                    assert_eq!(evaluator.holds(built[leaves + i]), meant);
                }
            }
        }
    }
}
