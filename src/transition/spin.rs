//! Spinning: a thread that, run alone, always comes back to the head of a loop with nothing changed.
//!
//! From a loop head on, all ways of the thread are followed edge by edge, as terms over the words at the head, those that meet at a
//! location merged. The thread spins if, whatever it chooses, it is back at the head with all words as they were, at the
//! first or second time. Ways on which it blocks, ends or stops do not come back, nor those on which another thread can go on: who
//! gives a mutex back that others wait for does not spin. What is not known after [`EDGES`] edges counts as
//! coming back: a proof then says nothing of such a state.
//!
//! Only heads are looked at: a thread that comes back to a place within a loop, always with the same state, passes
//! the innermost head around the place each time. There, words may differ by what it has chosen since then, if nobody but
//! itself sees them; so such words count as unchanged. What an object holds that does not live counts for nothing.
//!
//! Automata know nothing of what array objects hold beside their cells, so that changes there go unnoticed: the condition holds in
//! more states than those in which the thread spins.

use super::automaton::{Automata, Key, Location, LocationId, Outcome, SlotOwner};
use super::key::Owner;
use super::quantifier::{Vars, for_all};
use super::relation::{Name, Relation, Substitution};
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::event::ThreadId;
use crate::term::{Memo, TermId};
use crate::transition::faults::{self, Fault};

/// Edges that are followed from a head on, at most.
const EDGES: usize = 64;
/// Times that the thread comes back to the head.
const ROUNDS: usize = 2;
/// Terms that all ways from a head may make.
const TERMS: usize = 200_000;

/// A thread at a location, having come back to the head so often.
type At = (LocationId, usize);

/// Words that a way has changed.
type Changed = SortedMap<usize, TermId>;

/// Spins of one thread.
pub(super) struct Spins<'a> {
    automata: &'a Automata,
    thread: ThreadId,
    /// Moves by location.
    moves: Vec<Vec<usize>>,
    /// By location: where edges lead.
    next: Vec<Vec<LocationId>>,
    /// The others stay where they are, as far as they do not spin.
    stay: TermId,
}

impl<'a> Spins<'a> {
    /// Spins of a thread where a condition holds that says that the others stay where they are, as far as they do not spin.
    pub fn of(
        automata: &'a Automata,
        relation: &Relation,
        thread: ThreadId,
        stay: TermId,
    ) -> Spins<'a> {
        let automaton = &automata.threads[thread];
        let mut moves = vec![Vec::new(); automaton.locations.len()];
        let mut next = vec![Vec::new(); automaton.locations.len()];
        for (number, step) in relation.moves.iter().enumerate() {
            if step.thread != thread {
                continue;
            }
            let edge = &automaton.edges[step.edge];
            if let Outcome::Goto(to) = edge.outcome {
                moves[edge.from.index()].push(number);
                next[edge.from.index()].push(to);
            }
        }
        Spins {
            automata,
            thread,
            moves,
            next,
            stay,
        }
    }

    /// Heads of loops, each with the condition that the thread spins when it is there.
    pub fn heads(&self, relation: &mut Relation) -> Vec<(LocationId, TermId)> {
        if faults::on(Fault::SpinMissed) {
            return Vec::new();
        }
        let locations = self.automata.threads[self.thread].locations.iter_ids();
        let heads = locations.filter(|(_, location)| location.is_head);
        let heads: Vec<LocationId> = heads.map(|(id, _)| id).collect();
        let mut found = Vec::new();
        for head in heads {
            let around = self.around(head);
            if around.is_empty() {
                continue;
            }
            let spins = self.spins(relation, head, &around);
            if relation.terms.as_constant(spins) != Some(0) {
                found.push((head, spins));
            }
        }
        found
    }

    /// Locations that a head leads to and that lead back to it.
    fn around(&self, head: LocationId) -> SortedSet<LocationId> {
        let mut reached = SortedSet::new();
        let mut stack = self.next[head.index()].clone();
        while let Some(location) = stack.pop() {
            if reached.insert(location) {
                stack.extend(&self.next[location.index()]);
            }
        }
        let mut around = SortedSet::new();
        if reached.contains(&head) {
            around.insert(head);
        }
        loop {
            let leads = |location: &&LocationId| {
                let mut next = self.next[location.index()].iter();
                next.any(|to| around.contains(to))
            };
            let more: Vec<LocationId> = reached.iter().filter(leads).copied().collect();
            let before = around.len();
            around.extend(more);
            if around.len() == before {
                return around;
            }
        }
    }

    /// The condition that the thread spins when it is at a head.
    fn spins(
        &self,
        relation: &mut Relation,
        head: LocationId,
        around: &SortedSet<LocationId>,
    ) -> TermId {
        let automaton = &self.automata.threads[self.thread];
        let mut choices = Vars::default();
        let mut back = relation.terms.fals();
        let always = relation.terms.tru();
        let mut frontier: SortedMap<At, (TermId, Changed)> = SortedMap::new();
        frontier.insert((head, 0), (always, Changed::new()));
        let first = relation.terms.len();
        let edges = if faults::on(Fault::SpinOneEdge) {
            1
        } else {
            EDGES
        };
        for _ in 0..edges {
            if frontier.is_empty() || relation.terms.len() - first > TERMS {
                break;
            }
            let mut next: SortedMap<At, (TermId, Changed)> = SortedMap::new();
            for ((from, round), (condition, changed)) in std::mem::take(&mut frontier) {
                let location = &automaton.locations[from];
                let env = self.environment(relation, (from, location), &changed, &mut choices);
                let mut memo = Memo::new();
                for number in &self.moves[from.index()] {
                    let step = relation.moves[*number].clone();
                    let Outcome::Goto(to) = automaton.edges[step.edge].outcome else {
                        continue;
                    };
                    if !around.contains(&to) {
                        continue;
                    }
                    let taken = relation.terms.substitute(step.taken, &env, &mut memo);
                    let mut condition = relation.terms.and(condition, taken);
                    if relation.terms.as_constant(condition) == Some(0) {
                        continue;
                    }
                    let mut changed = changed.clone();
                    for (word, term) in step.updates {
                        if word != self.thread.index() {
                            let term = relation.terms.substitute(term, &env, &mut memo);
                            changed.insert(word, term);
                        }
                    }
                    if !automaton.locations[to].place.in_section() {
                        let stay = self.stay_behind(relation, &changed);
                        condition = relation.terms.and(condition, stay);
                    }
                    if to != head {
                        meet(relation, &mut next, (to, round), condition, changed);
                        continue;
                    }
                    let same = self.same(relation, head, &changed, &choices);
                    let returned = relation.terms.and(condition, same);
                    back = relation.terms.or(back, returned);
                    let differs = relation.terms.not(same);
                    condition = relation.terms.and(condition, differs);
                    if round + 1 < ROUNDS {
                        meet(relation, &mut next, (head, round + 1), condition, changed);
                    }
                }
            }
            frontier = next;
        }
        if !faults::on(Fault::SpinOneEdge) {
            for (condition, _) in frontier.values() {
                back = relation.terms.or(back, *condition);
            }
        }
        for_all(&mut relation.terms, back, &choices)
    }

    /// The condition that the others stay where they are when these words have changed.
    fn stay_behind(&self, relation: &mut Relation, changed: &Changed) -> TermId {
        let mut env = Substitution::default();
        for (word, term) in changed {
            let word = relation.words[*word].term;
            env.extend(relation.terms.var_of(word).map(|var| (var, *term)));
        }
        relation.terms.substitute(self.stay, &env, &mut Memo::new())
    }

    /// What stands for words and inputs where the thread is on its way.
    fn environment(
        &self,
        relation: &mut Relation,
        (number, location): (LocationId, &Location),
        changed: &Changed,
        choices: &mut Vars,
    ) -> Substitution {
        let mut env = Substitution::default();
        let place = relation.words[self.thread.index()].term;
        let here = relation.terms.bits(place);
        let here = relation.terms.constant(number.index() as u128, here);
        env.extend(relation.terms.var_of(place).map(|var| (var, here)));
        for (word, term) in changed {
            let word = relation.words[*word].term;
            env.extend(relation.terms.var_of(word).map(|var| (var, *term)));
        }
        for input in &location.inputs {
            let bits = relation.terms.bits(input.term);
            let fresh = relation.terms.fresh("input", bits);
            if input.is_choice {
                choices.extend(relation.terms.var_of(fresh));
            }
            env.extend(relation.terms.var_of(input.term).map(|var| (var, fresh)));
        }
        env
    }

    /// The condition that nothing is changed that matters at a head.
    fn same(
        &self,
        relation: &mut Relation,
        head: LocationId,
        changed: &Changed,
        choices: &Vars,
    ) -> TermId {
        let mut same = relation.terms.tru();
        for (word, term) in changed {
            let Name::Variable(key) = relation.words[*word].name.clone() else {
                continue;
            };
            let is_own = match &key {
                Key::Register { .. } | Key::Distance { .. } | Key::Within { .. } => {
                    let location = &self.automata.threads[self.thread].locations[head];
                    if !location.registers.iter().any(|(known, _)| *known == key) {
                        continue;
                    }
                    true
                }
                _ => self.is_own(&key),
            };
            if is_own {
                let support = relation.terms.support(*term);
                if support.iter().any(|var| choices.contains(var)) {
                    continue;
                }
            }
            let now = relation.words[*word].term;
            let mut equal = relation.terms.eq(now, *term);
            if let Owner::Slot(slot) = key.owner()
                && let Some(lives) = self.automata.variables.get(&Key::Live(slot))
                && key != Key::Live(slot)
            {
                let dead = relation.terms.not(lives.term);
                equal = relation.terms.or(equal, dead);
            }
            same = relation.terms.and(same, equal);
        }
        same
    }

    /// Own variable: true if it is of an object of the thread's stack.
    fn is_own(&self, key: &Key) -> bool {
        let Owner::Slot(slot) = key.owner() else {
            return false;
        };
        let mut slots = self.automata.slots.iter();
        slots.any(|(owner, known)| {
            *known == slot && matches!(owner, SlotOwner::Stack(of, _) if *of == self.thread)
        })
    }
}

/// Adds a way to those that are at a location.
fn meet(
    relation: &mut Relation,
    all: &mut SortedMap<At, (TermId, Changed)>,
    at: At,
    condition: TermId,
    changed: Changed,
) {
    if relation.terms.as_constant(condition) == Some(0) {
        return;
    }
    let Some((other, before)) = all.remove(&at) else {
        all.insert(at, (condition, changed));
        return;
    };
    let either = relation.terms.or(condition, other);
    let words: SortedSet<usize> = before.keys().chain(changed.keys()).copied().collect();
    let mut merged = Changed::new();
    for word in words {
        let unchanged = relation.words[word].term;
        let [a, b] = [&changed, &before].map(|c| c.get(&word).copied().unwrap_or(unchanged));
        merged.insert(word, relation.terms.ite(condition, a, b));
    }
    all.insert(at, (either, merged));
}
