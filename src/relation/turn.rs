//! Turns of threads, for all schemes that execute threads turn by turn: the steps of a thread that are executed
//! together, and the execution of a model.

use super::mover;
use super::program_order::{Local, ProgramOrder, StepId};
use crate::base::IdVec;
use crate::event::{EventId, EventProgram, ThreadId};
use crate::goal::Model;
use crate::term::TermId;

/// The steps of a program, as they are executed.
///
/// Some are executed together without loss ([`mover`]): in every schedule they can be moved together, to where
/// the one of them is that is no mover. So a schedule needs no more turns.
pub struct Transactions {
    pub po: ProgramOrder,
    /// Of each thread: its steps, of which each is one or more steps.
    pub all: IdVec<ThreadId, Vec<Vec<StepId>>>,
    /// Place of each step among the steps of its thread.
    step_of: IdVec<StepId, usize>,
}

/// A turn: the steps that one thread may execute at one time.
pub struct Turn {
    pub thread: ThreadId,
    /// Place of the step in its thread and condition that it is executed in this turn, in order.
    pub steps: Vec<(usize, TermId)>,
}

impl Transactions {
    /// The steps of a program; linear.
    pub fn of(program: &mut EventProgram) -> Transactions {
        let po = ProgramOrder::of(program);
        let together = mover::together(program, &po);
        Transactions::joined(po, &together)
    }

    /// The steps of a program where nothing is executed together that is not one step; linear.
    pub fn single(program: &EventProgram) -> Transactions {
        let po = ProgramOrder::issued(program);
        let together = po.steps.ids().map(|_| false).collect();
        Transactions::joined(po, &together)
    }

    fn joined(po: ProgramOrder, together: &IdVec<StepId, bool>) -> Transactions {
        let mut all: IdVec<ThreadId, Vec<Vec<StepId>>> = IdVec::new();
        let mut step_of: IdVec<StepId, usize> = po.steps.ids().map(|_| 0).collect();
        for chain in po.chains.iter() {
            let mut steps: Vec<Vec<StepId>> = Vec::new();
            for &step in chain {
                match steps.last_mut() {
                    Some(last) if together[step] => last.push(step),
                    _ => steps.push(vec![step]),
                }
                step_of[step] = steps.len() - 1;
            }
            all.push(steps);
        }
        Transactions { po, all, step_of }
    }

    /// The events of a step, in order.
    pub fn events(&self, thread: ThreadId, place: usize) -> impl Iterator<Item = &EventId> {
        let steps = self.all[thread][place].iter();
        steps.flat_map(|&step| self.po.steps[step].events.iter())
    }

    /// Thread and place of a visible event's step; `None` if it cannot happen.
    pub fn place(&self, event: EventId) -> Option<(ThreadId, usize)> {
        let step = self.po.step_of[event]?;
        Some((self.po.steps[step].thread, self.step_of[step]))
    }

    /// Place of a step's step in its thread.
    pub fn place_of(&self, step: StepId) -> usize {
        self.step_of[step]
    }

    /// The last step of its thread that has begun before an assertion or a cut.
    pub fn before(&self, local: &Local) -> Option<usize> {
        let last = (local.after as usize).checked_sub(1)?;
        Some(self.step_of[self.po.chains[local.thread][last]])
    }

    /// The visible events that happen in a model, in their order, up to a violated assertion or a cut. `take` adds what
    /// a step's event, in the turn of a number, makes of the execution.
    pub fn decode(
        &self,
        program: &EventProgram,
        model: &mut dyn Model,
        target: EventId,
        turns: &[Turn],
        mut take: impl FnMut(&mut dyn Model, usize, EventId, &mut Vec<EventId>),
    ) -> Option<Vec<EventId>> {
        let po = &self.po;
        let local = po.locals.iter().find(|l| l.event == target)?;
        // The last step that the target needs: the one before it, or else its thread's creation.
        let last = match (local.after as usize).checked_sub(1) {
            Some(last) => Some(po.chains[local.thread][last]),
            None => {
                let create = program.threads[local.thread].created_by;
                create.and_then(|create| po.step_of[create])
            }
        };
        let mut order = Vec::new();
        let events = &program.threads[local.thread].events;
        let cut = events.iter().position(|&id| id == target)?;
        // Of a deadlock, all that happens counts.
        let whole = program.events[target].kind.is_rest();
        if last.is_none() && !whole {
            return Some(order);
        }
        for (number, turn) in turns.iter().enumerate() {
            for &(place, here) in &turn.steps {
                if !model.holds(here) {
                    continue;
                }
                for &step in &self.all[turn.thread][place] {
                    for &event in &po.steps[step].events {
                        let own = turn.thread == local.thread;
                        let after = own && !whole && events[cut..].contains(&event);
                        if !after {
                            take(model, number, event, &mut order);
                        }
                    }
                    if Some(step) == last && !whole {
                        return Some(order);
                    }
                }
            }
        }
        whole.then_some(order)
    }
}
