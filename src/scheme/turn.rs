//! What schemes share that execute threads turn by turn: which of a thread's steps are executed together, and the
//! execution of a model.

use super::Model;
use super::skeleton::{Local, NodeId, Skeleton};
use super::transaction;
use crate::base::IdVec;
use crate::event::{EventId, EventProgram, ThreadId};
use crate::term::TermId;

/// The steps of a program, as they are executed.
///
/// Some are executed together without loss ([`transaction`]): in every schedule they can be moved together, to where
/// the one of them is that is no mover. So a schedule needs no more turns.
pub struct Steps {
    pub skeleton: Skeleton,
    /// Of each thread: its steps, of which each is one or more nodes.
    pub all: IdVec<ThreadId, Vec<Vec<NodeId>>>,
    /// Place of each node among the steps of its thread.
    step_of: IdVec<NodeId, usize>,
}

/// What one thread may execute at one time.
pub struct Turn {
    pub thread: ThreadId,
    /// Place of the step in its thread and condition that it is executed in this turn, in order.
    pub steps: Vec<(usize, TermId)>,
}

impl Steps {
    /// The steps of a program; linear.
    pub fn of(program: &mut EventProgram) -> Steps {
        let skeleton = Skeleton::of(program);
        let together = transaction::together(program, &skeleton);
        Steps::joined(skeleton, &together)
    }

    /// The steps of a program where nothing is executed together that is not one step; linear.
    pub fn single(program: &EventProgram) -> Steps {
        let skeleton = Skeleton::issued(program);
        let together = skeleton.nodes.ids().map(|_| false).collect();
        Steps::joined(skeleton, &together)
    }

    fn joined(skeleton: Skeleton, together: &IdVec<NodeId, bool>) -> Steps {
        let mut all: IdVec<ThreadId, Vec<Vec<NodeId>>> = IdVec::new();
        let mut step_of: IdVec<NodeId, usize> = skeleton.nodes.ids().map(|_| 0).collect();
        for chain in skeleton.chains.iter() {
            let mut steps: Vec<Vec<NodeId>> = Vec::new();
            for &node in chain {
                match steps.last_mut() {
                    Some(last) if together[node] => last.push(node),
                    _ => steps.push(vec![node]),
                }
                step_of[node] = steps.len() - 1;
            }
            all.push(steps);
        }
        Steps {
            skeleton,
            all,
            step_of,
        }
    }

    /// The events of a step, in order.
    pub fn events(&self, thread: ThreadId, place: usize) -> impl Iterator<Item = &EventId> {
        let nodes = self.all[thread][place].iter();
        nodes.flat_map(|&node| self.skeleton.nodes[node].events.iter())
    }

    /// Thread and place of a visible event's step; `None` if it cannot happen.
    pub fn place(&self, event: EventId) -> Option<(ThreadId, usize)> {
        let node = self.skeleton.node_of[event]?;
        Some((self.skeleton.nodes[node].thread, self.step_of[node]))
    }

    /// Place of a node's step in its thread.
    pub fn place_of(&self, node: NodeId) -> usize {
        self.step_of[node]
    }

    /// The last step of its thread that has begun before an assertion or a cut.
    pub fn before(&self, local: &Local) -> Option<usize> {
        let last = (local.after as usize).checked_sub(1)?;
        Some(self.step_of[self.skeleton.chains[local.thread][last]])
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
        let skeleton = &self.skeleton;
        let local = skeleton.locals.iter().find(|l| l.event == target)?;
        // The last step that the target needs: the one before it, or else its thread's creation.
        let last = match (local.after as usize).checked_sub(1) {
            Some(last) => Some(skeleton.chains[local.thread][last]),
            None => {
                let create = program.threads[local.thread].created_by;
                create.and_then(|create| skeleton.node_of[create])
            }
        };
        let mut order = Vec::new();
        let events = &program.threads[local.thread].events;
        let cut = events.iter().position(|&id| id == target)?;
        if last.is_none() {
            return Some(order);
        }
        for (number, turn) in turns.iter().enumerate() {
            for &(place, here) in &turn.steps {
                if !model.holds(here) {
                    continue;
                }
                for &node in &self.all[turn.thread][place] {
                    for &event in &skeleton.nodes[node].events {
                        let own = turn.thread == local.thread;
                        let after = own && events[cut..].contains(&event);
                        if !after {
                            take(model, number, event, &mut order);
                        }
                    }
                    if Some(node) == last {
                        return Some(order);
                    }
                }
            }
        }
        None
    }
}
