//! Lockstep: a system in which all threads that are free (`free`) move in every step, each as it likes, and one other thread may.
//!
//! Threads that do the same on data of their own, or count to the same, then are where they are together, and an invariant
//! speaks of few places. Nothing is lost: to each execution of the automata belongs one in lockstep that takes the same bad edge or
//! an earlier one. Let an execution go on from a state that is reached in lockstep, and look at its first move and the next move of
//! each free thread.
//!
//! * The free moves commute with all before them, so they can be made at once; they enter no section, so the first move, if it is
//!   another thread's, can be made with them, and none of them depends on it. The rest of the execution is as it was, and
//!   shorter.
//! * A free thread that moves no more in the execution makes a move nevertheless, if it has one: any, which changes
//!   nothing that the others look at, keeps nobody waiting, and may only be bad itself. That it never waits for a free place to be
//!   left lets threads spin for ever without keeping others from their moves. A thread that stops on its way stops in both.
//!
//! On the other hand, moves that are made together can be made one after the other ([`Lockstep::steps`]), so that no
//! execution comes in addition.
//!
//! Each thread has inputs of its own. What arrays hold is abstracted, and reads of them are inputs. But where nobody changes an array
//! while threads run ([`Automata::fixed`]), moves that read it together read equal values at equal offsets (Ackermann's
//! reduction): executions of the program do, and lockstep has to have these alone.

use super::automaton::{Automata, Key};
use super::exchange::Exchanges;
use super::free::Free;
use super::product::{Bad, Given, Planned, Run, Seen, Step, active, all_after, choice, given};
use super::relation::{Predicate, Read, Relation, Substitution, relation};
use super::vocabulary::Vocabulary;
use crate::base::id::Id;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::pdr::{System, Trace};
use crate::term::{Evaluator, Memo, TermId, Terms, VarId};
use crate::transition::faults::{self, Fault};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A bit-level system in lockstep, and what its bits mean.
pub struct Lockstep {
    pub system: System,
    /// Word of the relation, and bit, of each latch. Predicates are numbered behind all words, and have one bit.
    pub latches: Vec<(usize, u16)>,
    /// Words, and terms over them.
    pub relation: Relation,
    pub predicates: Vec<TermId>,
    /// Clauses over latches that may hold in all reachable states.
    pub candidates: Vec<Vec<i32>>,
    free: Free,
    /// Variable and bit of each input.
    inputs: Vec<(VarId, u16)>,
    /// The variable that chooses the thread that moves besides.
    choice: Option<VarId>,
    /// By thread: inputs of its own, and what the automata call them.
    own: Vec<HashMap<VarId, VarId, FxBuildHasher>>,
}

/// Least number of threads with a loop through free places for which it is worth it.
const LOOPING: usize = 2;

/// Suitability: true if a program has threads that loop independently.
pub fn suits(automata: &Automata, relation: &Relation) -> bool {
    let mut relation = relation.clone();
    let reads = relation.array_reads(automata);
    Free::of(automata, &relation, &reads).looping(automata) >= LOOPING
}

/// Builds the system, in which the vocabulary over words, given their values after a step, is known.
pub fn lockstep(
    automata: &Automata,
    bad: Bad,
    vocabulary: impl FnOnce(&mut Relation, &[TermId]) -> Vocabulary,
) -> Lockstep {
    let mut relation = relation(automata);
    let reads = relation.array_reads(automata);
    // In a family, not all threads move that are free: only some are seen.
    let free = if automata.families.is_empty() {
        Free::of(automata, &relation, &reads)
    } else {
        Free::none(automata)
    };
    let choice = choice(&mut relation, automata.threads.len());
    let mut threads: Vec<Together> = Vec::new();
    for id in automata.threads.ids() {
        threads.push(Together {
            free: free.condition(&mut relation, id),
            chosen: active(&mut relation, id, choice),
            own: own_inputs(automata, &mut relation, id),
            memo: Memo::new(),
        });
    }
    let mut possible = relation.terms.tru();
    let mut before: Vec<Read> = Vec::new();
    for read in reads
        .iter()
        .filter(|read| automata.fixed.contains(&read.slot))
    {
        let is_free = free.is(read.thread, read.from.index());
        let terms = &mut relation.terms;
        let read = threads[read.thread.index()].read(terms, is_free, read);
        for other in &before {
            let agree = agree(terms, other, &read);
            possible = terms.and(possible, agree);
        }
        before.push(read);
    }
    let mut found = relation.terms.fals();
    let mut changes: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); relation.words.len()];
    for step in relation.moves.clone() {
        let edge = &automata.threads[step.thread].edges[step.edge];
        let is_free = free.is(step.thread, edge.from.index());
        let (terms, thread) = (&mut relation.terms, &mut threads[step.thread.index()]);
        let moves = thread.moves(terms, is_free);
        let taken = thread.own(terms, step.taken);
        let taken = terms.and(moves, taken);
        let taken = terms.and(possible, taken);
        if bad.is(&edge.outcome) {
            found = terms.or(found, taken);
        }
        for (word, term) in step.updates {
            let term = thread.own(terms, term);
            changes[word].push((taken, term));
        }
    }
    let next = all_after(&mut relation, &changes);
    let Vocabulary {
        mut predicates,
        candidates,
    } = vocabulary(&mut relation, &next);
    let exchanges = Exchanges::of(automata, &relation);
    exchanges.close(&mut relation, &mut predicates);
    let latches = latches(&mut relation, &next, &predicates);
    let mut named = SortedSet::new();
    let bits = loop {
        let mut bits = relation.bits(&next, found, &[], &named, &latches);
        match exchanges.symmetries(automata, &mut relation, &bits.latches, &predicates) {
            Ok(symmetries) => {
                bits.system.symmetries = symmetries;
                break bits;
            }
            Err(missing) => {
                let known = named.len();
                named.extend(missing);
                assert!(named.len() > known, "equal members have the same latches");
            }
        }
    };
    let literal = |(predicate, value): &(usize, bool)| {
        let literal = bits.literals[*predicate]?;
        Some(if *value { literal } else { -literal })
    };
    let clause = |clause: &Vec<(usize, bool)>| clause.iter().map(literal).collect();
    let candidates: Vec<Option<Vec<i32>>> = candidates.iter().map(clause).collect();
    Lockstep {
        system: bits.system,
        latches: bits.latches,
        predicates,
        candidates: candidates.into_iter().flatten().collect(),
        free,
        inputs: bits.inputs,
        choice: choice.and_then(|term| relation.terms.var_of(term)),
        own: threads.iter().map(|t| t.names(&relation.terms)).collect(),
        relation,
    }
}

/// A thread among those that move together.
struct Together {
    /// It is at a free place.
    free: TermId,
    /// It is chosen.
    chosen: TermId,
    /// Its own inputs.
    own: Substitution,
    memo: Memo,
}

impl Together {
    /// Condition that it moves from a place where it stands.
    fn moves(&self, terms: &mut Terms, is_free: bool) -> TermId {
        if is_free {
            terms.or(self.free, self.chosen)
        } else {
            self.chosen
        }
    }

    /// A term, with its own inputs.
    fn own(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        terms.substitute(term, &self.own, &mut self.memo)
    }

    /// A read, where it moves.
    fn read(&mut self, terms: &mut Terms, is_free: bool, read: &Read) -> Read {
        let moves = self.moves(terms, is_free);
        let when = self.own(terms, read.when);
        Read {
            when: terms.and(moves, when),
            offset: self.own(terms, read.offset),
            value: self.own(terms, read.value),
            ..*read
        }
    }

    /// Names of its inputs in the automata.
    fn names(&self, terms: &Terms) -> HashMap<VarId, VarId, FxBuildHasher> {
        let own = self.own.iter();
        own.filter_map(|(var, term)| Some((terms.var_of(*term)?, *var)))
            .collect()
    }
}

/// Inputs of a thread's own, so that threads which move together choose apart.
fn own_inputs(automata: &Automata, relation: &mut Relation, thread: ThreadId) -> Substitution {
    let mut own = Substitution::default();
    if faults::on(Fault::FreeInputShared) {
        return own;
    }
    let terms = &mut relation.terms;
    let locations = automata.threads[thread].locations.iter();
    for input in locations.flat_map(|location| &location.inputs) {
        if let Some(var) = terms.var_of(input.term) {
            let (bits, fact) = (terms.bits(input.term), terms.fact(input.term));
            own.entry(var)
                .or_insert_with(|| terms.fresh_within("input", bits, fact));
        }
    }
    own
}

/// Condition that reads of two threads that move together, of an array that nobody changes, agree.
fn agree(terms: &mut Terms, a: &Read, b: &Read) -> TermId {
    if a.thread == b.thread || a.slot != b.slot || a.bytes != b.bytes {
        return terms.tru();
    }
    let both = terms.and(a.when, b.when);
    let same = terms.eq(a.offset, b.offset);
    let both = terms.and(both, same);
    let equal = terms.eq(a.value, b.value);
    let differs = terms.not(equal);
    let wrong = terms.and(both, differs);
    terms.not(wrong)
}

/// Predicates as latches.
fn latches(relation: &mut Relation, next: &[TermId], predicates: &[TermId]) -> Vec<Predicate> {
    let mut after = Substitution::default();
    let mut initial = Given::default();
    for (word, next) in relation.words.iter().zip(next) {
        if let Some(var) = relation.terms.var_of(word.term) {
            after.insert(var, *next);
            initial.insert(var, word.initial);
        }
    }
    let mut memo = Memo::new();
    let mut latches = Vec::new();
    for now in predicates {
        let next = if faults::on(Fault::PredicateNext) {
            *now
        } else {
            relation.terms.substitute(*now, &after, &mut memo)
        };
        let assignment = |var: VarId| initial.get(&var).copied().unwrap_or(0);
        latches.push(Predicate {
            now: *now,
            next,
            initial: Evaluator::new(&relation.terms, &assignment).holds(*now),
        });
    }
    latches
}

impl Lockstep {
    /// The steps of a counterexample, one after the other, without those in which nothing happens. `None` if no edge is bad at its end.
    pub fn steps(&self, automata: &Automata, trace: &Trace, bad: Bad) -> Option<Vec<Step>> {
        let mut run = Run::new(automata);
        for inputs in &trace.inputs {
            let given = given(&self.inputs, inputs);
            let chosen = self.choice.and_then(|var| given.get(&var).copied());
            let chosen = ThreadId(chosen.unwrap_or(0) as u32);
            let mut movers: Vec<ThreadId> = automata.threads.ids().collect();
            movers.retain(|thread| *thread == chosen || self.is_free(automata, &run, *thread));
            // Whoever is not free comes last: it may enter a section.
            movers.sort_by_key(|thread| *thread == chosen);
            // All look at the state before the step.
            let planned = movers.iter().filter_map(|thread| {
                let own = self.own[thread.index()].iter();
                let own = own.filter_map(|(var, name)| Some((*name, *given.get(var)?)));
                run.turn(*thread, own.collect())
            });
            let planned: Vec<Planned> = planned.collect();
            if !is_possible(automata, &planned) {
                continue;
            }
            for turn in planned {
                if run.take(turn, bad) {
                    return Some(run.steps);
                }
            }
        }
        None
    }

    fn is_free(&self, automata: &Automata, run: &Run, thread: ThreadId) -> bool {
        let has_begun = |key: &Key| {
            let is_open = automata
                .terms
                .var_of(automata.variables[key].term)
                .is_some();
            !matches!(key, Key::Started(_)) || !is_open || run.value(key) == 1
        };
        let place = run.place(thread);
        place.is_some_and(|at| self.free.is(thread, at.index()))
            && automata.variables.keys().all(has_begun)
            && !run.is_kept_waiting(thread)
    }
}

/// Possibility: true if what threads read together agrees.
fn is_possible(automata: &Automata, planned: &[Planned]) -> bool {
    let differ = |a: &Seen, b: &Seen| {
        let same = (a.slot, a.offset, a.bytes) == (b.slot, b.offset, b.bytes);
        same && a.value != b.value && automata.fixed.contains(&a.slot)
    };
    planned.iter().enumerate().all(|(number, turn)| {
        let others = planned[..number].iter().flat_map(|other| &other.reads);
        let mut pairs = others.flat_map(|a| turn.reads.iter().map(move |b| (a, b)));
        !pairs.any(|(a, b)| differ(a, b))
    })
}
