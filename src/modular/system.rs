//! The same programs as `unroll` executes, as bit-level systems for property-directed reachability: where executions have no
//! end.
//!
//! One step of the system is one level: others move, then the thread. If what others did is not possible, or the thread has no
//! move, nothing changes at all. A flag of its own, behind all words, says whether a query has started; a query that says
//! nothing of the state before asks about every state, and needs none.

use super::lemma::{Lemma, Query, Sequential};
use super::threads::Threads;
use crate::base::sorted::SortedSet;
use crate::event::ThreadId;
use crate::event::ThreadSet;
use crate::modular::faults::{self, Fault};
use crate::term::{Memo, TermId, Terms};
use crate::transition::product::{Bad, after};
use crate::transition::relation::{Bits, Name, Substitution, Word};

/// The system of a program. A state of `promises` is as bad as what is asked for. The bits of words that are `named` are
/// part of it, whether what is bad depends on them or not.
pub(super) fn system(
    threads: &Threads,
    program: &Sequential,
    promises: &[TermId],
    lemmas: &[Lemma],
    named: &SortedSet<(usize, u16)>,
) -> Bits {
    let mut relation = threads.relation.clone();
    let main = program.thread;
    let words: Vec<TermId> = relation.words.iter().map(|word| word.term).collect();
    let inside = relation.sections[main];
    let terms = &mut relation.terms;
    let begun = threads.begun;
    let outside = terms.not(inside);
    let free = terms.and(begun, outside);

    // Before the start, everybody else; then, the environment.
    let everywhere = program.query.as_ref().is_some_and(Query::is_of_states);
    let flag = (program.query.is_some() && !everywhere).then(|| terms.fresh("start", 1));
    let others = ThreadSet::first(threads.count()).without(main);
    let (mut before, mut started) = (words.clone(), terms.tru());
    let mut environment = program.environment.clone();
    if everywhere {
        before = threads.havoc(terms, &words, &threads.written(&others), free);
        environment = ThreadSet::new();
    }
    if let (Some(flag), Some(query)) = (flag, &program.query) {
        let idle = terms.not(flag);
        let may = terms.and(idle, free);
        before = threads.havoc(terms, &words, &threads.written(&others), may);
        let env = threads.standing_for(&before);
        let mut starts = terms.fresh("activate", 1);
        starts = terms.and(starts, begun);
        let mut memo = Memo::new();
        for conjunct in &query.before {
            let holds = terms.substitute(*conjunct, &env, &mut memo);
            starts = terms.and(starts, holds);
        }
        started = terms.or(flag, starts);
    }
    let may = terms.and(started, free);
    let moved = threads.havoc(terms, &before, &threads.written(&environment), may);
    let (from, to) = (threads.standing_for(&before), threads.standing_for(&moved));

    // What is known of states and of others' moves.
    let (mut first, mut here, mut there) = (Memo::new(), Memo::new(), Memo::new());
    let origin = threads.standing_for(&words);
    let prologue = terms.not(begun);
    let (mut possible, mut allowed) = (terms.tru(), terms.tru());
    for lemma in lemmas {
        if program.query.is_some() && lemma.covers(&others) {
            let met = lemma_met(terms, lemma, (&origin, &mut first), (&from, &mut there));
            let kept = kept(threads, terms, lemma, &words, &before);
            let met = terms.or(met, kept);
            possible = terms.and(possible, met);
        }
        if !everywhere && lemma.covers(&environment) {
            let met = lemma_met(terms, lemma, (&from, &mut there), (&to, &mut here));
            let kept = kept(threads, terms, lemma, &before, &moved);
            let met = terms.or(met, kept);
            allowed = terms.and(allowed, met);
        }
    }
    possible = terms.or(possible, prologue);
    allowed = terms.or(allowed, prologue);
    allowed = terms.and(allowed, possible);

    // What is bad.
    let running = terms.and(started, begun);
    let mut bad = terms.fals();
    if let Some(query) = &program.query {
        let mut found = terms.and(running, allowed);
        for conjunct in &query.after {
            let holds = terms.substitute(*conjunct, &to, &mut here);
            found = terms.and(found, holds);
        }
        bad = terms.or(bad, found);
    }
    let (promised_in, memo) = if faults::on(Fault::PromiseAfterMove) {
        (&to, &mut here)
    } else {
        (&from, &mut there)
    };
    for promise in promises {
        let found = terms.substitute(*promise, promised_in, memo);
        let found = terms.and(found, running);
        let found = terms.and(found, possible);
        bad = terms.or(bad, found);
    }

    // The move of the thread, or of main in the prologue.
    let mut changes: Vec<Vec<(TermId, TermId)>> = vec![Vec::new(); words.len()];
    let mut happens = terms.fals();
    let movers: &[ThreadId] = match main {
        ThreadId(0) => &[ThreadId(0)],
        _ => &[ThreadId(0), main],
    };
    for &mover in movers {
        let turn = if main == ThreadId(0) {
            terms.tru()
        } else if mover == main {
            begun
        } else {
            prologue
        };
        for index in threads.moves_of(mover) {
            let enabled = terms.substitute(threads.enabled[index], &to, &mut here);
            let taken = terms.and(enabled, turn);
            let taken = terms.and(taken, allowed);
            if program.query.is_none() && mover == main && Bad::ALL.is(threads.outcome(index)) {
                bad = terms.or(bad, taken);
            }
            if threads.is_idle(index) {
                continue;
            }
            happens = terms.or(happens, taken);
            for (word, term) in &threads.relation.moves[index].updates {
                let term = terms.substitute(*term, &to, &mut here);
                changes[*word].push((taken, term));
            }
        }
    }
    let mut next: Vec<TermId> = Vec::new();
    for (number, changes) in changes.iter().enumerate() {
        let made = after(terms, moved[number], changes);
        next.push(terms.ite(happens, made, words[number]));
    }
    if let Some(flag) = flag {
        next.push(terms.ite(happens, started, flag));
        relation.words.push(Word {
            name: Name::Flag,
            term: flag,
            initial: 0,
        });
    }
    relation.bits(&next, bad, &[], named, &[])
}

/// Condition that a step between two states is as a lemma says.
fn lemma_met(
    terms: &mut Terms,
    lemma: &Lemma,
    (from, there): (&Substitution, &mut Memo),
    (to, here): (&Substitution, &mut Memo),
) -> TermId {
    let mut both = terms.tru();
    if !faults::on(Fault::AssumptionAlways) {
        for conjunct in &lemma.query.before {
            let holds = terms.substitute(*conjunct, from, there);
            both = terms.and(both, holds);
        }
    }
    for conjunct in &lemma.query.after {
        let holds = terms.substitute(*conjunct, to, here);
        both = terms.and(both, holds);
    }
    terms.not(both)
}

/// Condition that no word is changed that a lemma says is not; false if it says so of none.
fn kept(
    threads: &Threads,
    terms: &mut Terms,
    lemma: &Lemma,
    before: &[TermId],
    after: &[TermId],
) -> TermId {
    let pairs = lemma.query.changed.iter();
    let changed = threads.differ(terms, pairs.map(|word| (before[*word], after[*word])));
    terms.not(changed)
}
