//! Exchanges of members of families: which latches of a system are whose, and to which ones they correspond.

use super::automaton::Automata;
use super::family::Family;
use super::relation::{Name, Relation, Substitution};
use crate::base::sorted::{SortedMap, SortedSet};
use crate::pdr::Symmetry;
use crate::term::{Memo, TermId};
use hashbrown::HashMap;

/// Two members of a family with each other's words.
struct Exchange {
    /// By word: the one that takes its place.
    words: Vec<usize>,
    terms: Substitution,
}

/// Exchanges of neighbours in each family, by family.
pub(super) struct Exchanges {
    families: Vec<Vec<Exchange>>,
}

impl Exchanges {
    pub fn of(automata: &Automata, relation: &Relation) -> Exchanges {
        let words = relation.words.iter().enumerate();
        let numbers: SortedMap<&Name, usize> = words.map(|(i, word)| (&word.name, i)).collect();
        let exchange = |family: &Family, a: usize, b: usize| {
            let mut exchange = Exchange {
                words: (0..relation.words.len()).collect(),
                terms: Substitution::default(),
            };
            for (number, word) in relation.words.iter().enumerate() {
                let to = match member_of(family, &word.name) {
                    Some(member) if member == a => b,
                    Some(member) if member == b => a,
                    _ => continue,
                };
                if let Some(other) = numbers.get(&word_of(family, &word.name, to)) {
                    exchange.words[number] = *other;
                    let var = relation.terms.var_of(word.term);
                    let term = relation.words[*other].term;
                    exchange.terms.extend(var.map(|var| (var, term)));
                }
            }
            exchange
        };
        let families = automata.families.iter().map(|family| {
            let neighbours = 1..family.members.len();
            neighbours
                .map(|member| exchange(family, member - 1, member))
                .collect()
        });
        Exchanges {
            families: families.collect(),
        }
    }

    /// Adds what predicates are with members exchanged, until all of that is there.
    pub fn close(&self, relation: &mut Relation, predicates: &mut Vec<TermId>) {
        let mut next = 0;
        while let Some(predicate) = predicates.get(next).copied() {
            next += 1;
            for exchange in self.families.iter().flatten() {
                let image = exchange.term(relation, predicate);
                if !predicates.contains(&image) && relation.terms.as_constant(image).is_none() {
                    predicates.push(image);
                }
            }
        }
    }

    /// The symmetries of a system with these latches: bits of words or, behind all words, predicates.
    ///
    /// # Errors
    /// Bits of words that correspond to latches and are none.
    pub fn symmetries(
        &self,
        automata: &Automata,
        relation: &mut Relation,
        latches: &[(usize, u16)],
        predicates: &[TermId],
    ) -> Result<Vec<Symmetry>, Vec<(usize, u16)>> {
        let count = relation.words.len();
        let numbers: HashMap<(usize, u16), usize> = latches.iter().copied().zip(0..).collect();
        let of_term: HashMap<TermId, usize> = predicates.iter().copied().zip(count..).collect();
        let mut missing = Vec::new();
        let mut symmetries = Vec::new();
        for (family, exchanges) in automata.families.iter().zip(&self.families) {
            let members = latches.iter().map(|(number, _)| {
                let words = match number.checked_sub(count) {
                    None => vec![*number],
                    Some(predicate) => relation.words_in(predicates[predicate]),
                };
                let members = words.into_iter();
                members
                    .filter_map(|word| member_of(family, &relation.words[word].name))
                    .collect()
            });
            let mut members: Vec<SortedSet<usize>> = members.collect();
            let mut images = Vec::new();
            for exchange in exchanges {
                let mut image = Vec::new();
                for (latch, (number, bit)) in latches.iter().enumerate() {
                    let to = match number.checked_sub(count) {
                        None => Some(exchange.words[*number]),
                        Some(predicate) => {
                            let term = exchange.term(relation, predicates[predicate]);
                            of_term.get(&term).copied()
                        }
                    };
                    match to.map(|to| (to, numbers.get(&(to, *bit)))) {
                        Some((_, Some(other))) => image.push(*other),
                        Some((to, None)) if to < count => missing.push((to, *bit)),
                        // Nothing general is said with it.
                        _ => {
                            members[latch] = (0..family.members.len()).collect();
                            image.push(latch);
                        }
                    }
                }
                images.push(image);
            }
            symmetries.push(Symmetry {
                count: family.members.len(),
                members,
                exchanges: images,
            });
        }
        if missing.is_empty() {
            Ok(symmetries)
        } else {
            Err(missing)
        }
    }
}

impl Exchange {
    fn term(&self, relation: &mut Relation, term: TermId) -> TermId {
        let mut memo = Memo::new();
        relation.terms.substitute(term, &self.terms, &mut memo)
    }
}

/// Member of a family that a word belongs to: its number among those told apart.
fn member_of(family: &Family, name: &Name) -> Option<usize> {
    match name {
        Name::Location(thread) => family.of_thread(*thread),
        Name::Variable(key) => family.member(key),
        Name::Flag => None,
    }
}

/// The word of another member that corresponds to a word of one.
fn word_of(family: &Family, name: &Name, to: usize) -> Name {
    match name {
        Name::Variable(key) => Name::Variable(family.renamed(key, to)),
        _ => Name::Location(family.members[to]),
    }
}
