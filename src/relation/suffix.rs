//! Stopping points of threads: events after which nothing of their thread happens unless they do.
//!
//! If such an event does not happen, nothing does from there to the thread's end, so every execution has an order
//! in which it comes after all that happens elsewhere. Demanding that order makes "it happens, before this read"
//! one literal of the order. (Threads stop where they block for good, at a cut, and where they end early; what a
//! branch guards is no such event. A step that was put together and that waits within for a thread's end has only
//! right movers before that, which nobody sees, so that it can come after everything that happens, too.)
//!
//! Under a weak memory model, what comes after the commit of a write is all issued after it (a later commit, a step that
//! drains), so what follows in program order is what is looked at.

use super::program_order::{ProgramOrder, StepId};
use crate::base::IdVec;
use crate::event::{EventId, EventProgram, Thread};
use crate::ir::GoalKinds;
use crate::reduce::implication::implies;
use crate::relation::faults::{self, Fault};
use crate::term::TermId;

/// Conditions of later events that are compared, none of which implies another: more are taken for none that is known.
const BREADTH: usize = 16;

/// Kinds of goals that are preserved: only what does not happen is put last, and no goal is reached there; a thread that
/// has not come to its end is not at any state of the end, either. A thread that waits for ever does nothing more.
pub const PRESERVES: GoalKinds = GoalKinds {
    assertions: true,
    undefined: true,
    races: true,
    ends: true,
    blocks: true,
};

/// Stopping points, by event: true if no other event of its step, and none after it in its thread, happens unless this
/// one does. `happens` is the condition of each event.
pub fn closed(
    program: &mut EventProgram,
    po: &ProgramOrder,
    happens: &IdVec<EventId, Option<TermId>>,
) -> IdVec<EventId, bool> {
    let mut closed: IdVec<EventId, bool> = program.events.ids().map(|_| false).collect();
    if !PRESERVES.contain(program.goals()) {
        return closed;
    }
    let threads = steps(program, po);
    let terms = &mut program.terms;
    for steps in threads {
        // The weakest conditions from here on: whatever happens implies one of them.
        let mut weakest: Vec<TermId> = Vec::new();
        for events in steps.into_iter().rev() {
            for &event in &events {
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
                for event in events {
                    closed[event] = happens[event] == Some(only) || faults::on(Fault::StopBranch);
                }
            }
        }
    }
    closed
}

/// Events of the steps of each thread, in program order. Buffered writes are where they are issued: what follows them
/// follows their commits, too.
fn steps(program: &EventProgram, po: &ProgramOrder) -> Vec<Vec<Vec<EventId>>> {
    if !po.is_buffered() {
        let of_chain = |chain: &Vec<StepId>| {
            let events = chain.iter().map(|&step| po.steps[step].events.clone());
            events.collect()
        };
        return po.chains.iter().map(of_chain).collect();
    }
    let of_thread = |thread: &Thread| {
        let visible: Vec<EventId> = thread
            .events
            .iter()
            .copied()
            .filter(|&event| po.step_of[event].is_some())
            .collect();
        let same = |&a: &EventId, &b: &EventId| {
            let (a, b) = (program.events[a].section, program.events[b].section);
            a.is_some() && a == b
        };
        visible.chunk_by(same).map(<[EventId]>::to_vec).collect()
    };
    program.threads.iter().map(of_thread).collect()
}
