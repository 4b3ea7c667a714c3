//! Symmetry of threads: pairs of threads that can be exchanged in every execution, so that of executions that differ in
//! nothing but who of them was first, one is kept ([`relation::symmetry`](crate::relation::symmetry) says which).
//!
//! Two threads that one thread creates are *alike* if there is a bijection that makes of the event program the same program:
//!
//! * The k-th event of one thread becomes the k-th event of the other, and the other way round: the same kind, place, calls, section and
//!   order. Their variables (what is read, chosen, joined) are exchanged, and so are the cells that only one of them has at the same
//!   place as the other (its result, its copy of a thread-local variable).
//! * Under this renaming, guards, values, conditions, addresses, initial values and facts of all events become each other, those of
//!   other threads become themselves. Terms are compared, nothing is argued about the source: a thread whose argument, number
//!   or handle matters has other terms.
//! * Words of owners: where both threads write constants that differ to the same cell (a mutex holds the number of who has taken
//!   it), the two constants are exchanged in that cell. That is a bijection if whoever reads the cell only compares it with constants, and all
//!   that is written there are constants.
//! * Nobody joins them, or one thread joins both, with nothing but joins in between (`join.rs` has the argument).
//!
//! So where both exist, each of the two can do what the other does. What results is an execution with the same values (but for exchanged
//! names), and whatever happens in it happens at the same place of the program, for the same reason: a violation, a cut. What is found by
//! place and reason is found all the same; of an event alone, nothing may be said to other schemes or other bounds.
//!
//! Slices and ranges are about all executions, and so they are right for those that are kept. The pairs are found before them, since what
//! is left of a program need not show what was alike.
//!
//! Not under weak memory: chains of commits would have to be exchanged as well. Not where races are asked for: of two threads, only
//! one looks at the other's announcements. Nor where machine addresses are observed.

mod check;
mod image;
mod join;
mod swap;

use crate::event::{EventId, EventKind, EventProgram, ThreadId};
use crate::ir::GoalKinds;
use check::is_automorphism;
use image::Images;
use join::Joins;
use swap::{Swap, is_alive};

/// Terms and events that are looked at for all pairs together; threads beyond that are not compared.
const MOST: usize = 20_000_000;

/// Kinds of goals that are preserved: each is an event, the image of which is an event of the same kind at the same place. Races and
/// deadlocks are not: announcements and rests tell threads apart by their numbers.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: false,
    ends: true,
    blocks: false,
};

/// Finds the pairs of threads that are alike, the one that is created first in front; each thread is compared with the
/// last one before it that its creator started at the same routine.
pub fn find(program: &mut EventProgram) {
    program.alike.clear();
    let goals = program.events.iter().filter(|one| is_alive(program, one));
    let goals = goals
        .filter_map(|event| event.kind.property())
        .map(|property| GoalKinds::of(crate::ir::Check::of(property)));
    let goals = goals.fold(GoalKinds::NONE, GoalKinds::or);
    if !PRESERVES.contain(goals) || program.memory.is_weak() || !program.bases.is_empty() {
        return;
    }
    let mut left = MOST;
    let mut alike = Vec::new();
    for (one, other) in candidates(program) {
        let work = program.terms.len() + program.events.len();
        if left < work {
            break;
        }
        let Some(swap) = Swap::of(program, one, other) else {
            continue;
        };
        left -= work;
        if are_alike(swap).is_some() {
            alike.push((one, other));
        }
    }
    program.alike = alike;
}

fn are_alike(mut swap: Swap) -> Option<()> {
    let joins = Joins::of(&mut swap)?;
    swap.exchange_others()?;
    let images = Images::of(&swap, joins.through)?;
    is_automorphism(&swap, &joins, &images).then_some(())
}

/// Pairs of threads with one creator, routine, number of events and guard, in the order of creation.
fn candidates(program: &EventProgram) -> Vec<(ThreadId, ThreadId)> {
    let guard = |by: Option<EventId>| by.map(|by| program.events[by].guard);
    let mut pairs = Vec::new();
    for thread in program.threads.iter() {
        let mut known: Vec<ThreadId> = Vec::new();
        for &event in &thread.events {
            let EventKind::Create { child } = program.events[event].kind else {
                continue;
            };
            if !is_alive(program, &program.events[event]) {
                continue;
            }
            let like = |&other: &ThreadId| {
                let (a, b) = (&program.threads[other], &program.threads[child]);
                a.function == b.function
                    && a.events.len() == b.events.len()
                    && guard(a.created_by) == guard(b.created_by)
            };
            match known.iter().position(like) {
                Some(place) => {
                    pairs.push((known[place], child));
                    known[place] = child;
                }
                None => known.push(child),
            }
        }
    }
    pairs
}
