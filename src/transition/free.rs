//! Free places of threads: those whose moves are independent of all that others may still do.
//!
//! A thread is *free* at a place if its moves from there, whichever is taken, neither change what another thread may still
//! read or change, nor read what another one may still change. They commute with all moves of others, now and later: in an
//! execution, the next move of a thread that stands at a free place may as well be made at once, and if it makes none, one
//! may be added. Sets of such moves are persistent (Godefroid, "Partial-order methods for the verification of concurrent
//! systems", LNCS 1032, 1996). What makes moves dependent:
//!
//! * *Words.* One changes a word that the other reads or changes. Others use a word if some move of theirs does, wherever
//!   it starts; main uses it as far as the thread may run beside it then, which is known for each of main's places.
//! * *Joins.* A move that has the end of a thread among its conjuncts waits for it: it comes behind all that the thread does, and
//!   its result is read behind its end. Whoever looks at an end in another way depends on it.
//! * *Sections.* In an atomic section, a thread keeps the others waiting. No place within one is free, nor one from which a
//!   move leads into one: of two threads that enter sections at once, none could go on.
//! * *Creation.* Nobody is free before all threads are created, so that it need not be known who creates whom when. (Where
//!   threads may start more than once, nobody is free at all.)
//!
//! Array objects: what they hold, but for their cells, is no word: reads give any value that may have been there. Of an array that
//! nobody changes while threads run, reads of the same element give the same value; so a move reads the words that say which
//! element it is, even where nothing else depends on them.

use super::automaton::{Automata, Key, Outcome};
use super::relation::{Move, Name, Read, Relation};
use crate::base::IdVec;
use crate::base::id::Id;
use crate::event::{ThreadId, ThreadSet};
use crate::term::{TermId, VarId};
use crate::transition::faults::{self, Fault};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Free places of threads.
pub(super) struct Free {
    /// By thread and location.
    places: IdVec<ThreadId, Vec<bool>>,
}

/// Words that a move reads and changes.
struct Accesses {
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// Of main: threads beside which it may be made.
    beside: Option<ThreadSet>,
}

/// Users of a word.
#[derive(Clone, Default)]
struct Users {
    /// All but main.
    threads: ThreadSet,
    /// Threads beside which main uses it.
    beside_main: ThreadSet,
}

impl Users {
    fn add(&mut self, thread: ThreadId, beside: Option<&ThreadSet>) {
        match beside {
            Some(beside) => _ = self.beside_main.union(beside),
            None => _ = self.threads.insert(thread),
        }
    }

    /// Others: true if others than a thread may use the word while that one runs.
    fn others(&self, thread: ThreadId) -> bool {
        self.threads.iter().any(|other| other != thread) || self.beside_main.contains(thread)
    }
}

impl Free {
    /// No place is free.
    pub fn none(automata: &Automata) -> Free {
        let threads = automata.threads.iter();
        Free {
            places: threads
                .map(|thread| vec![false; thread.locations.len()])
                .collect(),
        }
    }

    pub fn of(automata: &Automata, relation: &Relation, array_reads: &[Read]) -> Free {
        let words = relation.words.iter().enumerate();
        let words = words.filter_map(|(i, word)| Some((relation.terms.var_of(word.term)?, i)));
        let of_var: HashMap<VarId, usize, FxBuildHasher> = words.collect();
        let moves = relation.moves.iter();
        let accesses: Vec<Accesses> = moves
            .map(|step| accesses(automata, relation, (step, array_reads), &of_var))
            .collect();
        let mut readers = vec![Users::default(); relation.words.len()];
        let mut writers = readers.clone();
        for (step, found) in relation.moves.iter().zip(&accesses) {
            for word in &found.reads {
                readers[*word].add(step.thread, found.beside.as_ref());
            }
            for word in &found.writes {
                writers[*word].add(step.thread, found.beside.as_ref());
            }
        }
        let is_created_once = relation.moves.iter().all(|step| {
            let mut updates = step.updates.iter();
            updates.all(|(word, term)| {
                !matches!(relation.words[*word].name, Name::Variable(Key::Started(_)))
                    || relation.terms.as_constant(*term) == Some(1)
            })
        });
        let mut places: IdVec<ThreadId, Vec<bool>> = IdVec::new();
        for automaton in automata.threads.iter() {
            let locations = automaton.locations.iter();
            let outside = locations.map(|l| is_created_once && !l.place.in_section());
            places.push(outside.collect());
        }
        for (step, found) in relation.moves.iter().zip(&accesses) {
            let (thread, automaton) = (step.thread, &automata.threads[step.thread]);
            let edge = &automaton.edges[step.edge];
            let enters = match edge.outcome {
                Outcome::Goto(to) => automaton.locations[to].place.in_section(),
                _ => false,
            };
            let enters = enters && !faults::on(Fault::FreeSection);
            let conflicts = found.reads.iter().any(|word| writers[*word].others(thread))
                || found
                    .writes
                    .iter()
                    .any(|word| writers[*word].others(thread) || readers[*word].others(thread));
            let conflicts = conflicts && !faults::on(Fault::FreeConflict);
            places[thread][edge.from.index()] &= !conflicts && !enters;
        }
        Free { places }
    }

    /// Free place: true if a thread is free there, once all threads have been created.
    pub fn is(&self, thread: ThreadId, location: usize) -> bool {
        self.places[thread].get(location).copied().unwrap_or(false)
    }

    /// Threads that have a loop through free places.
    pub fn looping(&self, automata: &Automata) -> usize {
        let threads = automata.threads.iter_ids();
        let looping = threads.filter(|(thread, automaton)| {
            let mut next: Vec<Vec<usize>> = vec![Vec::new(); automaton.locations.len()];
            for edge in &automaton.edges {
                if let Outcome::Goto(to) = edge.outcome
                    && self.is(*thread, edge.from.index())
                    && self.is(*thread, to.index())
                {
                    next[edge.from.index()].push(to.index());
                }
            }
            (0..next.len()).any(|place| returns(&next, place))
        });
        looping.count()
    }

    /// Condition that a thread is at a free place, all threads have been created, and none is within an atomic section.
    pub fn condition(&self, relation: &mut Relation, thread: ThreadId) -> TermId {
        let mut here = relation.terms.fals();
        for (location, free) in self.places[thread].iter().enumerate() {
            if *free {
                let at = relation.at(thread, location);
                here = relation.terms.or(here, at);
            }
        }
        for word in &relation.words {
            if let Name::Variable(Key::Started(_)) = word.name {
                here = relation.terms.and(here, word.term);
            }
        }
        for within in relation.sections.iter() {
            let outside = relation.terms.not(*within);
            here = relation.terms.and(here, outside);
        }
        here
    }
}

/// Loop: true if some way leads back to where it starts.
fn returns(next: &[Vec<usize>], start: usize) -> bool {
    let (mut seen, mut stack) = (vec![false; next.len()], next[start].clone());
    while let Some(place) = stack.pop() {
        if place == start {
            return true;
        }
        if !std::mem::replace(&mut seen[place], true) {
            stack.extend(&next[place]);
        }
    }
    false
}

/// Accesses of a move: words that it reads and changes and that others may use.
fn accesses(
    automata: &Automata,
    relation: &Relation,
    (step, array_reads): (&Move, &[Read]),
    of_var: &HashMap<VarId, usize, FxBuildHasher>,
) -> Accesses {
    let edge = &automata.threads[step.thread].edges[step.edge];
    let name = |word: usize| &relation.words[word].name;
    let of_term = |term: TermId| {
        let var = relation.terms.var_of(term)?;
        of_var.get(&var).copied()
    };
    // Threads that have ended when the move is made.
    let mut ended = ThreadSet::new();
    for conjunct in relation.terms.conjuncts(step.taken) {
        if let Some(Name::Variable(Key::Ended(other))) = of_term(conjunct).map(name) {
            ended.insert(ThreadId(*other));
        }
    }
    let updates = step.updates.iter().map(|(_, term)| *term);
    // A replay takes moves one after the other, and has to take the same ways.
    let mut roots: Vec<TermId> = updates.chain([step.taken, edge.count]).collect();
    let mine = array_reads.iter().filter(|read| {
        read.thread == step.thread && read.from == edge.from && automata.fixed.contains(&read.slot)
    });
    if !faults::on(Fault::FreeElement) {
        roots.extend(mine.flat_map(|read| [read.when, read.offset, read.value]));
    }
    let mut reads: Vec<usize> = Vec::new();
    for root in roots {
        let support = relation.terms.support(root);
        reads.extend(support.iter().filter_map(|var| of_var.get(var).copied()));
    }
    reads.sort_unstable();
    reads.dedup();
    let counts = |word: &usize| match name(*word) {
        // Nobody else looks at where a thread stands; sections are looked at by themselves.
        Name::Location(_) | Name::Flag => false,
        // All threads have started.
        Name::Variable(Key::Started(_)) => false,
        Name::Variable(Key::Ended(other) | Key::Result(other)) => !ended.contains(ThreadId(*other)),
        Name::Variable(
            Key::Register { thread, .. }
            | Key::Distance { thread, .. }
            | Key::Within { thread, .. },
        ) => *thread as usize != step.thread.index(),
        Name::Variable(_) => true,
    };
    reads.retain(counts);
    let writes = step.updates.iter().map(|(word, _)| *word);
    let beside = (step.thread.index() == 0).then(|| {
        let mut beside = automata.beside[edge.from].clone();
        if faults::on(Fault::FreeBesideMain) {
            beside = ThreadSet::new();
        }
        ended.iter().for_each(|thread| beside.remove(thread));
        beside
    });
    Accesses {
        reads,
        writes: writes.filter(counts).collect(),
        beside,
    }
}
