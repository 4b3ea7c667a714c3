//! From a model's order of steps to an execution.
//!
//! A scheme says which steps happen and which of them must come before which; here they are put in one line,
//! and what a target does not need is left out.

use super::program_order::{ProgramOrder, Step, StepId};
use super::static_order::StaticOrder;
use crate::base::IdVec;
use crate::event::{EventId, EventProgram, ThreadId};

/// An access of a cell in a model: its step, and whether it writes.
pub type Touch = (StepId, bool);

/// Precedence graph of a model: the steps that happen in it, and which of them come before which.
pub struct Precedence {
    happens: Vec<bool>,
    /// For each step, those that come after it.
    next: Vec<Vec<StepId>>,
    /// Time of each step, to order those that the graph leaves open; all the same if that does not matter.
    times: Vec<Time>,
}

/// Time at which a step is executed in a model; steps that come before others do so at no later time.
pub type Time = (u64, u64);

impl Precedence {
    /// The order that holds in every execution, of the steps that happen. Quadratic in threads, linear in steps.
    pub fn new(po: &ProgramOrder, order: &StaticOrder, happens: Vec<bool>) -> Precedence {
        let mut next: Vec<Vec<StepId>> = vec![Vec::new(); happens.len()];
        for chain in po.chains.iter() {
            let happening: Vec<StepId> = chain
                .iter()
                .copied()
                .filter(|n| happens[n.0 as usize])
                .collect();
            for pair in happening.windows(2) {
                next[pair[0].0 as usize].push(pair[1]);
            }
        }
        // The static order: for each step, the newest happening step of each thread that comes before it.
        for (id, step) in po.steps.iter_ids().filter(|(id, _)| happens[id.0 as usize]) {
            for (thread, chain) in po.chains.iter_ids().filter(|(t, _)| *t != step.thread) {
                let seen = &chain[..order.clocks[id][thread.0 as usize] as usize];
                if let Some(&last) = seen.iter().rev().find(|n| happens[n.0 as usize]) {
                    next[last.0 as usize].push(id);
                }
            }
        }
        let times = vec![(0, 0); happens.len()];
        Precedence {
            happens,
            next,
            times,
        }
    }

    /// Of steps whose order is open, earlier ones come first.
    pub fn set_times(&mut self, times: Vec<Time>) {
        self.times = times;
    }

    /// One step comes before another, and so do what comes before it on its chain and what comes after the other:
    /// whether these two happen or not.
    pub fn add_between(&mut self, po: &ProgramOrder, first: StepId, second: StepId) {
        let happens = |step: &&StepId| self.happens[step.0 as usize];
        let Step { thread, index, .. } = po.steps[first];
        let first = po.chains[thread][..=index as usize]
            .iter()
            .rev()
            .find(happens);
        let Step { thread, index, .. } = po.steps[second];
        let second = po.chains[thread][index as usize..].iter().find(happens);
        if let (Some(&first), Some(&second)) = (first, second) {
            self.add(first, second);
        }
    }

    /// One step comes before another.
    pub fn add(&mut self, first: StepId, second: StepId) {
        self.next[first.0 as usize].push(second);
    }

    /// Accesses of one cell that conflict come in the order that `before` gives.
    pub fn add_conflicts(
        &mut self,
        po: &ProgramOrder,
        touches: &[Touch],
        mut before: impl FnMut(StepId, StepId) -> bool,
    ) {
        for (i, &(x, x_writes)) in touches.iter().enumerate() {
            for &(y, y_writes) in &touches[i + 1..] {
                if po.is_own(x, y) || !(x_writes || y_writes) {
                    continue;
                }
                if before(x, y) {
                    self.add(x, y);
                } else {
                    self.add(y, x);
                }
            }
        }
    }

    /// The steps that happen in one line; `None` if there is a cycle.
    pub fn line(&self, po: &ProgramOrder) -> Option<Vec<StepId>> {
        let mut waiting = vec![0usize; self.next.len()];
        for list in &self.next {
            for to in list {
                waiting[to.0 as usize] += 1;
            }
        }
        // Stay in one thread as long as possible: fewer switches are easier to read.
        let total = self.happens.iter().filter(|h| **h).count();
        let mut heads: IdVec<ThreadId, usize> = po.chains.iter().map(|_| 0).collect();
        let mut current = ThreadId(0);
        let mut line = Vec::with_capacity(total);
        let skip = |thread: ThreadId, head: &mut usize| {
            let chain = &po.chains[thread];
            while chain
                .get(*head)
                .is_some_and(|n| !self.happens[n.0 as usize])
            {
                *head += 1;
            }
            chain.get(*head).copied()
        };
        while line.len() < total {
            let others = po.chains.ids().filter(|&t| t != current);
            let ready = std::iter::once(current).chain(others).filter_map(|thread| {
                let step = skip(thread, &mut heads[thread])?;
                (waiting[step.0 as usize] == 0).then_some((thread, step))
            });
            let (thread, step) = ready.min_by_key(|(_, step)| self.times[step.0 as usize])?;
            current = thread;
            heads[thread] += 1;
            line.push(step);
            for to in &self.next[step.0 as usize] {
                waiting[to.0 as usize] -= 1;
            }
        }
        Some(line)
    }

    /// The visible events that happen up to a violated assertion or a cut, in one order: only what must come
    /// before it. `None` if there is no such order, or no such target.
    pub fn execution(
        &self,
        program: &EventProgram,
        po: &ProgramOrder,
        target: EventId,
        mut happens: impl FnMut(EventId) -> bool,
    ) -> Option<Vec<EventId>> {
        let line = self.line(po)?;
        let local = po.locals.iter().find(|l| l.event == target)?;
        // Of a deadlock, all that happens counts.
        let whole = program.events[target].kind.is_rest();
        let mut needed = vec![whole; po.steps.len()];
        for &step in &po.chains[local.thread][..local.after as usize] {
            needed[step.0 as usize] = true;
        }
        if let Some(create) = program.threads[local.thread].created_by
            && let Some(step) = po.step_of[create]
        {
            needed[step.0 as usize] = true;
        }
        for &step in line.iter().rev() {
            let wanted = self.next[step.0 as usize]
                .iter()
                .any(|to| needed[to.0 as usize]);
            needed[step.0 as usize] |= wanted;
        }
        let events = &program.threads[local.thread].events;
        let cut = events.iter().position(|&id| id == target)?;
        let mut order = Vec::new();
        for &step in line.iter().filter(|step| needed[step.0 as usize]) {
            for &event in &po.steps[step].events {
                if !happens(event) {
                    continue;
                }
                let own = po.owner[po.steps[step].thread] == local.thread;
                if own && !whole && events[cut..].contains(&event) {
                    continue;
                }
                order.push(event);
            }
        }
        Some(order)
    }
}
