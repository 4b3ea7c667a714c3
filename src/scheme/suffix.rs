//! Where a thread stops: events after which nothing of their thread happens unless they do.
//!
//! If such an event does not happen, nothing does from there to the thread's end, so every execution has an order
//! in which it comes after all that happens elsewhere. Demanding that order makes "it happens, before this read"
//! one literal of the order. (Threads stop where they block for good, at a cut, and where they end early; what a
//! branch guards is no such event. A step that was put together and that waits within for a thread's end has only
//! right movers before that, which nobody sees, so that it can come after everything that happens, too.)

use super::faults::{self, Fault};
use super::implication::implies;
use super::skeleton::Skeleton;
use crate::base::IdVec;
use crate::event::{EventId, EventProgram};
use crate::term::TermId;

/// Conditions of later events that are compared, none of which implies another: more are taken for none that is known.
const BREADTH: usize = 16;

/// Whether no other event of its step, and none after it in its thread, happens unless this one does. `happens` is
/// the condition of each event.
pub fn closed(
    program: &mut EventProgram,
    skeleton: &Skeleton,
    happens: &IdVec<EventId, Option<TermId>>,
) -> IdVec<EventId, bool> {
    let mut closed: IdVec<EventId, bool> = program.events.ids().map(|_| false).collect();
    let terms = &mut program.terms;
    for chain in skeleton.chains.iter() {
        // The weakest conditions from here on: whatever happens implies one of them.
        let mut weakest: Vec<TermId> = Vec::new();
        for &node in chain.iter().rev() {
            let events = &skeleton.nodes[node].events;
            for &event in events {
                let Some(guard) = happens[event] else {
                    continue;
                };
                if weakest.iter().any(|&known| implies(terms, guard, known)) {
                    continue;
                }
                weakest.retain(|&known| !implies(terms, known, guard));
                weakest.push(guard);
            }
            if weakest.len() > BREADTH {
                weakest = vec![terms.tru()];
            }
            if faults::on(Fault::StopBranch) {
                weakest.truncate(1);
            }
            if let &[only] = weakest.as_slice() {
                for &event in events {
                    closed[event] = happens[event] == Some(only) || faults::on(Fault::StopBranch);
                }
            }
        }
    }
    closed
}
