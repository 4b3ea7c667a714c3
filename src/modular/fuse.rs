//! Moves made simpler: without updates that change nothing, and with the moves after them that nobody else can tell.

use crate::base::id::Id;
use crate::base::sorted::SortedMap;
use crate::event::ThreadId;
use crate::modular::faults::{self, Fault as Seeded};
use crate::term::{Memo, TermId, VarId};
use crate::transition::relation::{Name, Relation, Substitution};
use crate::transition::{Automata, Key, Outcome, Point};

/// Leaves out updates that give a register the constant that it has at the place anyway: who waits behind an
/// assignment waits, and does not assign again and again.
pub(super) fn settle(automata: &Automata, relation: &mut Relation) {
    for (id, automaton) in automata.threads.iter_ids() {
        let own: Vec<usize> = (0..relation.moves.len())
            .filter(|index| relation.moves[*index].thread == id)
            .collect();
        let registers: Vec<usize> = (0..relation.words.len())
            .filter(|word| is_register_of(relation, *word, id))
            .collect();
        let from = |relation: &Relation, index: usize| {
            automaton.edges[relation.moves[index].edge].from.index()
        };
        // What each register is at a place; `None` if not always the same.
        let initial = registers.iter();
        let initial = initial.map(|word| Some(relation.words[*word].initial));
        let mut known: SortedMap<usize, Vec<Option<u128>>> = SortedMap::new();
        known.insert(0, initial.collect());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &index in &own {
                let Some(here) = known.get(&from(relation, index)) else {
                    continue;
                };
                let mut there = here.clone();
                for (word, term) in &relation.moves[index].updates {
                    if let Ok(number) = registers.binary_search(word) {
                        there[number] = relation.terms.as_constant(*term);
                    }
                }
                let Some(to) = destination(relation, index) else {
                    continue;
                };
                let old = known.entry(to).or_insert_with(|| {
                    changed = true;
                    there.clone()
                });
                for (old, new) in old.iter_mut().zip(there) {
                    let differs = old.is_some() && *old != new;
                    if differs && !faults::on(Seeded::SettleOneWay) {
                        *old = None;
                        changed = true;
                    }
                }
            }
        }
        for index in own {
            let Some(here) = known.get(&from(relation, index)) else {
                continue;
            };
            let Relation { moves, terms, .. } = relation;
            moves[index].updates.retain(|(word, term)| {
                let number = registers.binary_search(word);
                let settled = number.ok().and_then(|number| here[number]);
                settled.is_none() || settled != terms.as_constant(*term)
            });
        }
    }
}

fn is_register_of(relation: &Relation, word: usize, id: ThreadId) -> bool {
    let name = &relation.words[word].name;
    matches!(
        name,
        Name::Variable(
            Key::Register { thread, .. } | Key::Distance { thread, .. } | Key::Within { thread, .. }
        ) if *thread == id.0
    )
}

/// Lets every move go on along edges that are always taken and only compute registers from what nobody else changes: loop
/// heads are places only because loops must be cut somewhere. By move, how many edges it now has besides its own.
pub(super) fn fuse(automata: &Automata, relation: &mut Relation) -> Vec<usize> {
    let mut silent = vec![0; relation.moves.len()];
    for (id, automaton) in automata.threads.iter_ids() {
        let place = id.index();
        let foreign = relation.written(&|thread| thread != id);
        let own: Vec<usize> = (0..relation.moves.len())
            .filter(|index| relation.moves[*index].thread == id)
            .collect();
        // The only way on from each place, if nobody else can tell when it is taken.
        let mut ways: SortedMap<usize, (usize, usize)> = SortedMap::new();
        for (from, location) in automaton.locations.iter_ids() {
            let mut here = own
                .iter()
                .copied()
                .filter(|index| automaton.edges[relation.moves[*index].edge].from == from);
            let (Some(index), None) = (here.next(), here.next()) else {
                continue;
            };
            let step = relation.moves[index].clone();
            let Outcome::Goto(to) = automaton.edges[step.edge].outcome else {
                continue;
            };
            let at = relation.at(id, from.index());
            let section = automaton.locations[to].place.in_section();
            let stays = location.place.in_section() == section;
            let vars: Vec<VarId> = relation
                .words
                .iter()
                .enumerate()
                .filter_map(|(number, word)| {
                    (foreign.binary_search(&number).is_err())
                        .then(|| relation.terms.var_of(word.term))?
                })
                .collect();
            let is_local = step.updates.iter().all(|(word, term)| {
                let register = matches!(
                    relation.words[*word].name,
                    Name::Variable(
                        Key::Register { .. } | Key::Distance { .. } | Key::Within { .. }
                    )
                );
                let support = relation.terms.support(*term);
                let unseen = support.iter().all(|var| vars.contains(var));
                (*word == place || register) && (unseen || faults::on(Seeded::FuseShared))
            });
            let code = matches!(automaton.locations[to].place, Point::Code(..));
            if from.index() > 0 && at == step.taken && stays && is_local && code {
                ways.insert(from.index(), (index, to.index()));
            }
        }
        for index in own {
            let mut seen = Vec::new();
            while let Some(to) = destination(relation, index)
                && let Some((next, _)) = ways.get(&to)
                && *next != index
                && !seen.contains(&to)
            {
                seen.push(to);
                let (step, next) = (relation.moves[index].clone(), relation.moves[*next].clone());
                let mut env = Substitution::default();
                for (word, term) in &step.updates {
                    if let Some(var) = relation.terms.var_of(relation.words[*word].term) {
                        env.insert(var, *term);
                    }
                }
                let mut updates: SortedMap<usize, TermId> = step.updates.into_iter().collect();
                let mut memo = Memo::new();
                for (word, term) in next.updates {
                    let term = relation.terms.substitute(term, &env, &mut memo);
                    updates.insert(word, term);
                }
                relation.moves[index].updates = updates.into_iter().collect();
                silent[index] += 1;
            }
        }
    }
    silent
}

/// The place that a move leads to.
pub(super) fn destination(relation: &Relation, index: usize) -> Option<usize> {
    let step = &relation.moves[index];
    let place = step.thread.index();
    let (_, term) = step.updates.iter().find(|(word, _)| *word == place)?;
    Some(relation.terms.as_constant(*term)? as usize)
}
