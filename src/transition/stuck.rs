//! Deadlocks: states that some threads never leave.
//!
//! *Cycle*: threads each of which waits for another one of them, or for what a thread holds that has ended. It is the greatest such
//! set: at first it has all that wait for anybody, and then those stay, round by round, that wait for one who is still in it.
//!
//! *Final*: every thread that was created has ended, is blocked, or spins (`spin`), and not all have ended. Who has been stopped
//! on the way, by an assumption, by undefined behaviour or because it ends the process, is in neither; so nothing is
//! final then. (A cycle beside one that has ended the process was there before it did, too: who ends the process changes nothing.)
//!
//! A thread is *blocked* at a location if its next step is, whatever it chooses. The conditions hold wherever a thread is
//! stuck: automata have a location there (`wait`), and the condition is exact but for what they do not know, which it
//! may choose, and what `spin` leaves open.
//!
//! Reductions: bits that no bad step depends on are no latches, and stuck states are bad steps like others, so that all
//! stays that they speak of. Who has been joined has ended. Places are merged only where no step may block. Lockstep, families and
//! threads one by one are not asked.

use super::automaton::{Automata, Key, LocationId, Point};
use super::quantifier::{Vars, for_all};
use super::relation::{Relation, Substitution};
use super::spin::Spins;
use crate::base::IdVec;
use crate::base::id::Id;
use crate::event::ThreadId;
use crate::term::{Memo, TermId};
use crate::transition::faults::{self, Fault};

/// What is stuck in a state, as conditions over words and inputs.
pub(super) struct Stuck {
    /// By thread: it is in a cycle.
    pub in_cycle: Vec<TermId>,
    /// By thread and location: it is there and blocked.
    pub blocked: IdVec<ThreadId, Vec<(LocationId, TermId)>>,
    /// By thread and head of a loop: it is there and spins.
    pub spins: IdVec<ThreadId, Vec<(LocationId, TermId)>>,
    /// Something is stuck.
    pub any: TermId,
}

/// A thread that waits for another one.
struct Wait {
    on: ThreadId,
    when: TermId,
    is_join: bool,
}

/// The stuck states.
pub(super) fn stuck(automata: &Automata, relation: &mut Relation) -> Stuck {
    let mut blocked = IdVec::new();
    let mut spins = IdVec::new();
    let mut waits: Vec<Vec<Wait>> = Vec::new();
    for thread in automata.threads.ids() {
        let (here, of_thread) = blocked_at(automata, relation, thread);
        blocked.push(here);
        waits.push(of_thread);
    }
    for thread in automata.threads.ids() {
        let stay = others_stay(automata, relation, &blocked, thread);
        let heads = Spins::of(automata, relation, thread, stay).heads(relation);
        let heads = heads.into_iter().map(|(head, spins)| {
            let at = relation.at(thread, head.index());
            (head, relation.terms.and(at, spins))
        });
        spins.push(heads.collect());
    }
    let in_cycle = cycle(automata, relation, &waits);
    let mut any = last(automata, relation, &blocked, &spins);
    for member in &in_cycle {
        any = relation.terms.or(any, *member);
    }
    Stuck {
        in_cycle,
        blocked,
        spins,
        any,
    }
}

/// The condition that all threads but one stay where they are, or are at the head of a loop.
fn others_stay(
    automata: &Automata,
    relation: &mut Relation,
    blocked: &IdVec<ThreadId, Vec<(LocationId, TermId)>>,
    thread: ThreadId,
) -> TermId {
    let mut all = relation.terms.tru();
    for (other, automaton) in automata.threads.iter_ids() {
        if other == thread {
            continue;
        }
        // Where it can go on, it is at a place that is none of these.
        let mut goes_on = relation.terms.fals();
        for (location, when) in &blocked[other] {
            if !automaton.locations[*location].is_head {
                let here = relation.at(other, location.index());
                let free = relation.terms.not(*when);
                let leaves = relation.terms.and(here, free);
                goes_on = relation.terms.or(goes_on, leaves);
            }
        }
        let stays = relation.terms.not(goes_on);
        all = relation.terms.and(all, stays);
    }
    all
}

/// Locations at which a thread is blocked, with the conditions for that, and for whom it waits.
fn blocked_at(
    automata: &Automata,
    relation: &mut Relation,
    thread: ThreadId,
) -> (Vec<(LocationId, TermId)>, Vec<Wait>) {
    let (mut found, mut waits) = (Vec::new(), Vec::new());
    for (from, location) in automata.threads[thread].locations.iter_ids() {
        if location.stalls.is_empty() {
            continue;
        }
        let mut env = relation.registers_at(location);
        let choices = own_inputs(relation, location, &mut env);
        let mut memo = Memo::new();
        let here = relation.at(thread, from.index());
        let mut blocked = relation.terms.fals();
        let mut of_stalls = Vec::new();
        for stall in &location.stalls {
            let when = relation.terms.substitute(stall.when, &env, &mut memo);
            blocked = relation.terms.or(blocked, when);
            for (on, condition) in &stall.on {
                let condition = relation.terms.substitute(*condition, &env, &mut memo);
                let both = relation.terms.and(when, condition);
                of_stalls.push((*on, both, stall.is_join));
            }
        }
        let blocked = for_all(&mut relation.terms, blocked, &choices);
        let blocked = relation.terms.and(here, blocked);
        for (on, when, is_join) in of_stalls {
            let when = relation.terms.and(blocked, when);
            waits.push(Wait { on, when, is_join });
        }
        found.push((from, blocked));
    }
    (found, waits)
}

/// Gives the inputs of a location names of their own, as others share theirs; those that the program leaves open.
fn own_inputs(
    relation: &mut Relation,
    location: &super::automaton::Location,
    env: &mut Substitution,
) -> Vars {
    let mut choices = Vars::default();
    for input in &location.inputs {
        let bits = relation.terms.bits(input.term);
        let fresh = relation.terms.fresh("input", bits);
        if input.is_choice {
            choices.extend(relation.terms.var_of(fresh));
        }
        env.extend(relation.terms.var_of(input.term).map(|var| (var, fresh)));
    }
    choices
}

/// By thread, the condition that it waits for one that waits for it, or for one that has ended, or for one that does so for ever.
fn cycle(automata: &Automata, relation: &mut Relation, waits: &[Vec<Wait>]) -> Vec<TermId> {
    let always = relation.terms.tru();
    let mut members = vec![always; waits.len()];
    for _ in 0..=waits.len() {
        let before = members.clone();
        for (member, waits) in members.iter_mut().zip(waits) {
            let mut stays = relation.terms.fals();
            for wait in waits {
                let mut never = before[wait.on.index()];
                if !wait.is_join && !faults::on(Fault::StuckEndedOwner) {
                    let ended = has_ended(automata, relation, wait.on);
                    never = relation.terms.or(never, ended);
                }
                let waits = relation.terms.and(wait.when, never);
                stays = relation.terms.or(stays, waits);
            }
            *member = stays;
        }
        if members == before {
            break;
        }
    }
    members
}

fn has_ended(automata: &Automata, relation: &mut Relation, thread: ThreadId) -> TermId {
    let mut ended = relation.terms.fals();
    for (number, location) in automata.threads[thread].locations.iter_ids() {
        if location.place == Point::Ended {
            let here = relation.at(thread, number.index());
            ended = relation.terms.or(ended, here);
        }
    }
    ended
}

/// The condition that nobody moves any more, but for those who spin.
fn last(
    automata: &Automata,
    relation: &mut Relation,
    blocked: &IdVec<ThreadId, Vec<(LocationId, TermId)>>,
    spins: &IdVec<ThreadId, Vec<(LocationId, TermId)>>,
) -> TermId {
    let mut all = relation.terms.tru();
    let mut some = relation.terms.fals();
    let mut diverges = relation.terms.fals();
    for thread in automata.threads.ids() {
        let mut stuck = relation.terms.fals();
        for (_, when) in &blocked[thread] {
            stuck = relation.terms.or(stuck, *when);
        }
        for (head, when) in &spins[thread] {
            let place = &automata.threads[thread].locations[*head].place;
            // While it is within a section, nobody else moves.
            let kind = if place.in_section() {
                &mut diverges
            } else {
                &mut stuck
            };
            *kind = relation.terms.or(*kind, *when);
        }
        some = relation.terms.or(some, stuck);
        let ended = has_ended(automata, relation, thread);
        let mut stays = relation.terms.or(stuck, ended);
        if thread.index() > 0 && !faults::on(Fault::StuckAbsent) {
            let started = automata.variables.get(&Key::Started(thread.0));
            let started = started.map_or(relation.terms.fals(), |variable| variable.term);
            let absent = relation.terms.not(started);
            stays = relation.terms.or(stays, absent);
        }
        all = relation.terms.and(all, stays);
    }
    let last = relation.terms.and(all, some);
    relation.terms.or(last, diverges)
}
