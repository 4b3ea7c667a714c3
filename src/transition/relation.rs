//! The automata's edges as moves over words that all threads have in common: what systems are built of.
//!
//! A word is a variable, a register (one word, whatever it is called in which location), or where a thread stands. What is
//! known of a location's registers is written into the moves from there, so that it need not be found out again.

use super::automaton::{Automata, Key, Location, LocationId, Outcome, Point};
use super::request::{Kind, Request};
use crate::base::IdVec;
use crate::base::id::Id;
use crate::base::sorted::{SortedMap, SortedSet};
use crate::circuit::{Blaster, Circuit, Lit};
use crate::event::ThreadId;
use crate::ir::address::Slot;
use crate::pdr::{Latch, System};
use crate::term::{Fact, Memo, TermId, Terms, VarId};
use crate::transition::faults::{self, Fault};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Words replaced by terms.
pub type Substitution = HashMap<VarId, TermId, FxBuildHasher>;

/// Name of a word: what it stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Name {
    /// Place of a thread: the number of its location, or the number of all its locations if it was stopped on its way.
    Location(ThreadId),
    /// A variable or register.
    Variable(Key),
    /// Something that a system needs besides.
    Flag,
}

/// A word.
#[derive(Clone, Debug)]
pub struct Word {
    pub name: Name,
    /// The variable that stands for it.
    pub term: TermId,
    pub initial: u128,
}

/// An edge of an automaton.
#[derive(Clone, Debug)]
pub struct Move {
    pub thread: ThreadId,
    /// Index of the edge.
    pub edge: usize,
    /// The thread is where the edge starts, and its guard holds.
    pub taken: TermId,
    /// New values of words, by number.
    pub updates: Vec<(usize, TermId)>,
}

/// A read of an array object by moves of a thread from a place, of what was there before the move.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub thread: ThreadId,
    pub from: LocationId,
    pub slot: Slot,
    pub offset: TermId,
    pub bytes: u32,
    /// The thread is there, and reads.
    pub when: TermId,
    pub value: TermId,
}

/// A condition on words that a search may speak of besides their bits: a latch that others determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    pub now: TermId,
    /// Its value after a step.
    pub next: TermId,
    pub initial: bool,
}

/// All moves of all threads.
#[derive(Clone)]
pub struct Relation {
    pub terms: Terms,
    pub words: Vec<Word>,
    pub moves: Vec<Move>,
    /// Conditions that threads are within atomic sections.
    pub sections: IdVec<ThreadId, TermId>,
    /// What holds each register.
    registers: SortedMap<Key, TermId>,
}

/// A bit-level system, and what its bits mean.
pub struct Bits {
    pub system: System,
    /// Variable and bit of each input.
    pub inputs: Vec<(VarId, u16)>,
    /// Word and bit of each latch. Predicates are numbered behind all words, and have one bit.
    pub latches: Vec<(usize, u16)>,
    /// By predicate: the latch that it is, or the complement of which it is, numbered as in clauses; `None` if it is over other words than latches, or constant.
    pub literals: Vec<Option<i32>>,
}

/// Bits that a word may vary in and be taken for control, not data.
const SMALL: usize = 3;

/// The relation of a program.
pub fn relation(automata: &Automata) -> Relation {
    let mut terms = automata.terms.clone();
    let registers = words(automata, &mut terms);
    let mut all: Vec<Word> = Vec::new();
    for (id, automaton) in automata.threads.iter_ids() {
        // One number more: stopped.
        let last = automaton.locations.len() as u128;
        let bits = (128 - last.leading_zeros()).max(1) as u16;
        all.push(Word {
            name: Name::Location(id),
            term: terms.fresh_within("location", bits, Fact::of_range(bits, 0, last)),
            initial: 0,
        });
    }
    let variables = automata.variables.iter();
    let variables = variables.filter(|(key, _)| !registers.contains_key(key));
    let variables = variables.map(|(key, variable)| (key, variable.term, variable.initial));
    let held = registers
        .iter()
        .map(|(key, word)| (key, *word, terms.fact(*word).ones));
    for (key, term, initial) in variables.chain(held) {
        if terms.var_of(term).is_some() {
            all.push(Word {
                name: Name::Variable(key.clone()),
                term,
                initial,
            });
        }
    }
    let mut relation = Relation {
        terms,
        words: all,
        moves: Vec::new(),
        sections: IdVec::new(),
        registers,
    };
    let numbers: SortedMap<Key, usize> = relation
        .words
        .iter()
        .enumerate()
        .filter_map(|(i, word)| match &word.name {
            Name::Variable(key) => Some((key.clone(), i)),
            _ => None,
        })
        .collect();
    for id in automata.threads.ids() {
        relation.thread(automata, id, &numbers);
    }
    relation
}

/// Words that hold registers: the bits that vary in some location.
fn words(automata: &Automata, terms: &mut Terms) -> SortedMap<Key, TermId> {
    let mut known: SortedMap<Key, (u16, u128, u128)> = SortedMap::new();
    let locations = automata.threads.iter().flat_map(|a| a.locations.iter());
    for (key, var) in locations.flat_map(|l| &l.registers) {
        let term = terms.variable(*var);
        let fact = terms.fact(term);
        let bits = terms.bits(term);
        let (_, zeros, ones) = known
            .entry(key.clone())
            .or_insert((bits, fact.zeros, fact.ones));
        *zeros &= fact.zeros;
        *ones &= fact.ones;
    }
    let mut words = SortedMap::new();
    for (key, (bits, zeros, ones)) in known {
        let fact = Fact::of_bits(bits, zeros, ones);
        words.insert(key, terms.fresh_within("register", bits, fact));
    }
    words
}

impl Relation {
    /// The condition that a thread is in a location.
    pub fn at(&mut self, thread: ThreadId, number: usize) -> TermId {
        let place = self.words[thread.index()].term;
        let bits = self.terms.bits(place);
        let number = self.terms.constant(number as u128, bits);
        self.terms.eq(place, number)
    }

    fn thread(&mut self, automata: &Automata, thread: ThreadId, numbers: &SortedMap<Key, usize>) {
        let automaton = &automata.threads[thread];
        let mut within = self.terms.fals();
        let mut envs: Vec<(Substitution, Memo)> = Vec::new();
        for (id, location) in automaton.locations.iter_ids() {
            if location.place.in_section() {
                let here = self.at(thread, id.index());
                within = self.terms.or(within, here);
            }
            envs.push((self.registers_at(location), Memo::new()));
        }
        self.sections.push(within);
        for (index, edge) in automaton.edges.iter().enumerate() {
            let from = &automaton.locations[edge.from].place;
            let to = match &edge.outcome {
                Outcome::Goto(to)
                    if faults::on(Fault::ProductStops)
                        && automaton.locations[*to].place == Point::Stopped =>
                {
                    continue;
                }
                Outcome::Goto(to) => to.index(),
                // A section that cannot end has not run: nobody sees what it did.
                _ if from.in_section() => edge.from.index(),
                _ => automaton.locations.len(),
            };
            let (env, memo) = &mut envs[edge.from.index()];
            let guard = self.terms.substitute(edge.guard, env, memo);
            let here = self.at(thread, edge.from.index());
            let taken = self.terms.and(here, guard);
            let bits = self.terms.bits(self.words[thread.index()].term);
            let mut updates = vec![(thread.index(), self.terms.constant(to as u128, bits))];
            for (key, term) in &edge.updates {
                if let Some(number) = numbers.get(key) {
                    updates.push((*number, self.terms.substitute(*term, env, memo)));
                }
            }
            self.moves.push(Move {
                thread,
                edge: index,
                taken,
                updates,
            });
        }
    }

    /// What stands for the registers of a location.
    pub(super) fn registers_at(&mut self, location: &Location) -> Substitution {
        let mut env = Substitution::default();
        for (key, var) in &location.registers {
            let word = self.registers[key];
            let fact = self.terms.fact(self.terms.variable(*var));
            let bits = self.terms.bits(word);
            let open = self.terms.constant(!fact.zeros, bits);
            let ones = self.terms.constant(fact.ones, bits);
            let word = self.terms.and(word, open);
            env.insert(*var, self.terms.or(word, ones));
        }
        env
    }

    /// Reads of array objects.
    pub fn array_reads(&mut self, automata: &Automata) -> Vec<Read> {
        let mut reads = Vec::new();
        for (thread, automaton) in automata.threads.iter_ids() {
            for (from, location) in automaton.locations.iter_ids() {
                let (env, mut memo) = (self.registers_at(location), Memo::new());
                for read in &location.reads {
                    let here = self.at(thread, from.index());
                    let mut term = |term| self.terms.substitute(term, &env, &mut memo);
                    let [when, offset, value] = [read.when, read.offset, read.value].map(&mut term);
                    reads.push(Read {
                        thread,
                        from,
                        slot: read.slot,
                        offset,
                        bytes: read.bytes,
                        when: self.terms.and(here, when),
                        value,
                    });
                }
            }
        }
        reads
    }

    /// Accesses that a thread attempts, with the conditions that it is there.
    pub fn attempts(
        &mut self,
        automata: &Automata,
        thread: ThreadId,
    ) -> Vec<(LocationId, TermId, Request, Kind)> {
        let mut attempts = Vec::new();
        for (from, location) in automata.threads[thread].locations.iter_ids() {
            if location.attempts.is_empty() {
                continue;
            }
            let (env, mut memo) = (self.registers_at(location), Memo::new());
            let here = self.at(thread, from.index());
            for attempt in &location.attempts {
                let mut term = |term| self.terms.substitute(term, &env, &mut memo);
                let when = term(attempt.when);
                let request = attempt.request.map(&mut term);
                attempts.push((from, self.terms.and(here, when), request, attempt.kind));
            }
        }
        attempts
    }

    /// Numbers of the words that a term speaks of.
    pub fn words_in(&self, term: TermId) -> Vec<usize> {
        let support = self.terms.support(term);
        let words = self.words.iter().enumerate();
        let is_in = |word: &Word| {
            self.terms
                .var_of(word.term)
                .is_some_and(|var| support.contains(&var))
        };
        words
            .filter(|(_, word)| is_in(word))
            .map(|(number, _)| number)
            .collect()
    }

    /// Words that some of the threads' moves change.
    pub fn written(&self, by: &dyn Fn(ThreadId) -> bool) -> Vec<usize> {
        let moves = self.moves.iter().filter(|m| by(m.thread));
        let mut all: Vec<usize> = moves
            .flat_map(|m| &m.updates)
            .map(|(word, _)| *word)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The system whose words have these values after a step. Latches that neither `bad` nor `named` ones depend on are left out.
    /// A bit of a word that stands beside an input in `beside` becomes a latch if the input is one. Predicates over latches, which are
    /// none themselves, become latches, too.
    pub fn bits(
        &self,
        next: &[TermId],
        bad: TermId,
        beside: &[(usize, VarId)],
        named: &SortedSet<(usize, u16)>,
        predicates: &[Predicate],
    ) -> Bits {
        let (mut circuit, mut blaster) = (Circuit::new(), Blaster::new());
        let bad = blaster.bit(&mut circuit, &self.terms, bad);
        let mut latches: Vec<(Latch, (usize, u16))> = Vec::new();
        for (number, (word, next)) in self.words.iter().zip(next).enumerate() {
            let next = blaster.bits(&mut circuit, &self.terms, *next).to_vec();
            let state = blaster.bits(&mut circuit, &self.terms, word.term).to_vec();
            let open = state.iter().filter(|bit| !bit.is_constant()).count();
            let is_data = open > SMALL && !matches!(word.name, Name::Location(_));
            for (i, (state, next)) in state.into_iter().zip(next).enumerate() {
                if !state.is_constant() {
                    let initial = Some(word.initial >> i & 1 == 1);
                    let latch = Latch {
                        state,
                        next,
                        initial,
                        is_data,
                    };
                    latches.push((latch, (number, i as u16)));
                }
            }
        }
        let mut seen = vec![false; circuit.len()];
        cone(&circuit, bad, &mut seen);
        let mut chosen = vec![false; latches.len()];
        let input_of = |meaning: &(usize, u16)| {
            let (_, var) = beside.iter().find(|(word, _)| *word == meaning.0)?;
            let lit = *blaster
                .variable(&self.terms, *var)?
                .get(usize::from(meaning.1))?;
            (!lit.is_constant()).then_some(lit)
        };
        let besides: Vec<Option<Lit>> = latches.iter().map(|(_, m)| input_of(m)).collect();
        loop {
            let needed = |i: &usize| {
                let (latch, meaning) = &latches[*i];
                !chosen[*i]
                    && (seen[latch.state.gate()]
                        || named.contains(meaning)
                        || besides[*i].is_some_and(|lit| seen[lit.gate()]))
            };
            let new: Vec<usize> = (0..latches.len()).filter(needed).collect();
            if new.is_empty() {
                break;
            }
            for i in new {
                chosen[i] = true;
                cone(&circuit, latches[i].0.next, &mut seen);
            }
        }
        let mut is_state = vec![false; circuit.len()];
        let mut is_left_out = vec![false; circuit.len()];
        for ((latch, _), chosen) in latches.iter().zip(&chosen) {
            is_state[latch.state.gate()] = true;
            is_left_out[latch.state.gate()] = !chosen;
        }
        let chosen = latches
            .into_iter()
            .zip(chosen)
            .filter(|(_, chosen)| *chosen);
        let (mut latches, mut meanings): (Vec<Latch>, Vec<(usize, u16)>) =
            chosen.map(|(latch, _)| latch).unzip();
        let mut literals = Vec::new();
        for (number, predicate) in predicates.iter().enumerate() {
            let state = blaster.bit(&mut circuit, &self.terms, predicate.now);
            let next = blaster.bit(&mut circuit, &self.terms, predicate.next);
            let known = latches.iter().position(|l| l.state.gate() == state.gate());
            let mut support = vec![false; circuit.len()];
            cone(&circuit, state, &mut support);
            let is_over_latches = !support.iter().zip(&is_left_out).any(|(a, b)| *a && *b);
            if known.is_some() || state.is_constant() || !is_over_latches {
                literals.push(known.map(|known| {
                    let literal = known as i32 + 1;
                    let same = latches[known].state == state;
                    if same { literal } else { -literal }
                }));
                continue;
            }
            literals.push(Some(latches.len() as i32 + 1));
            seen.resize(circuit.len(), false);
            cone(&circuit, next, &mut seen);
            latches.push(Latch {
                state,
                next,
                initial: Some(predicate.initial),
                is_data: false,
            });
            meanings.push((self.words.len() + number, 0));
        }
        is_state.resize(circuit.len(), false);
        seen.resize(circuit.len(), false);
        let (mut inputs, mut names) = (Vec::new(), Vec::new());
        for index in 0..self.terms.variables() {
            let var = VarId(index as u32);
            for (i, lit) in blaster
                .variable(&self.terms, var)
                .into_iter()
                .flatten()
                .enumerate()
            {
                if !lit.is_constant() && seen[lit.gate()] && !is_state[lit.gate()] {
                    inputs.push(*lit);
                    names.push((var, i as u16));
                }
            }
        }
        Bits {
            system: System {
                circuit,
                latches,
                inputs,
                bad,
                symmetries: Vec::new(),
            },
            inputs: names,
            latches: meanings,
            literals,
        }
    }
}

/// Marks the gates that a gate depends on.
fn cone(circuit: &Circuit, root: Lit, seen: &mut [bool]) {
    let mut stack = vec![root];
    while let Some(lit) = stack.pop() {
        if !std::mem::replace(&mut seen[lit.gate()], true) {
            stack.extend(circuit.operands(lit));
        }
    }
}
