//! Joins of two threads that may be alike: nobody joins them, or one thread joins both, with nothing but joins in between.
//!
//! The conditions that the two joins come through are exchanged. What the thread does after the later join needs both, which is one
//! condition and stays as it is. Between them, nobody can tell for which of the two it waits: where it has passed the earlier join
//! and waits at the later one, it waits at the earlier one after the exchange; joins of others in between then do not happen, and nothing that
//! happens depends on them. Where it has passed both, it passes both when the later one comes through. A join is a right mover, so that all of them are of one
//! step ([`relation::mover`](crate::relation::mover)), which stays where it is.
//!
//! An event between the two would tell: it happens where the thread that was joined first has ended, whatever the other one does.

use super::swap::{Swap, alive};
use crate::event::{Event, EventId, EventKind, ThreadId};
use crate::reduce::faults::{self, Fault};
use crate::term::TermId;

/// Joins of the two threads.
#[derive(Default)]
pub(super) struct Joins {
    /// Joins behind the first of the two, up to the second one.
    pub between: Vec<EventId>,
    /// Condition that both joins have come through.
    pub through: Option<TermId>,
}

impl Joins {
    /// Finds them, and exchanges their conditions; `None` if they tell the threads apart.
    pub fn of(swap: &mut Swap) -> Option<Joins> {
        let program = swap.program;
        let (one, other) = (swap.one, swap.other);
        let mut found: Vec<(EventId, ThreadId)> = Vec::new();
        for thread in program.threads.ids() {
            for (id, event) in alive(program, thread) {
                let EventKind::Join { targets, .. } = &event.kind else {
                    continue;
                };
                if targets.iter().any(|to| to.0 == one || to.0 == other) {
                    found.push((id, certain(swap, event)?));
                }
            }
        }
        let (first, second) = match *found.as_slice() {
            [] => return Some(Joins::default()),
            [(first, a), (second, b)] if a != b => (first, second),
            _ => return None,
        };
        let by = program.events[first].thread;
        if program.events[second].thread != by || by == one || by == other {
            return None;
        }
        let mut run = alive(program, by).skip_while(|&(id, _)| id != first);
        let mut through = through(swap, run.next()?.1);
        let mut joins = Joins::default();
        while joins.between.last() != Some(&second) {
            let (id, event) = run.next()?;
            joins.between.push(id);
            if !matches!(event.kind, EventKind::Join { .. }) && faults::on(Fault::JoinsApart) {
                continue;
            }
            certain(swap, event)?;
            let goes_on = [event.guard, event.reached].map(Some) == [through; 2];
            if !goes_on && !faults::on(Fault::JoinsApart) {
                return None;
            }
            through = self::through(swap, event);
        }
        joins.through = through;
        let done = |id: EventId| match program.events[id].kind {
            EventKind::Join { done, .. } => program.terms.var_of(done).map(|_| done),
            _ => None,
        };
        swap.exchange(done(first)?, done(second)?)?;
        Some(joins)
    }
}

/// The thread that an event joins, if it is one whatever happens.
fn certain(swap: &Swap, event: &Event) -> Option<ThreadId> {
    let EventKind::Join { targets, .. } = &event.kind else {
        return None;
    };
    match *targets.as_slice() {
        [(thread, when)] if when == swap.program.terms.tru() => Some(thread),
        _ => None,
    }
}

/// Condition that a join has come through, if there is a term for it.
fn through(swap: &Swap, event: &Event) -> Option<TermId> {
    let terms = &swap.program.terms;
    match event.kind {
        EventKind::Join { done, .. } if event.guard == terms.tru() => Some(done),
        EventKind::Join { done, .. } => terms.known_and(event.guard, done),
        _ => None,
    }
}
