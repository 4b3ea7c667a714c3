//! The static order: of two steps, which comes first in every execution.

use super::program_order::{ProgramOrder, Step, StepId};
use crate::base::IdVec;
use crate::event::{EventId, EventKind, EventProgram};
use crate::reduce::implication::everything_after_needs;
use crate::relation::faults::{self, Fault};

/// The order of steps that holds in every execution, as vector clocks: program order, creations, and joins
/// that everything after them depends on; transitively closed.
#[derive(Clone, Debug)]
pub struct StaticOrder {
    /// For each step and thread: how many steps of that thread's chain come before the step (in its own
    /// chain: its index).
    pub clocks: IdVec<StepId, Vec<u32>>,
    /// Nodes in one order that agrees with the clocks, and in which every write comes before the later steps of its
    /// thread.
    pub linear: Vec<StepId>,
    /// Join events whose order is part of the clocks. The others need a condition.
    pub joins: Vec<EventId>,
}

impl StaticOrder {
    /// Computes the order. Guards of the program are compared syntactically ([`implies`](crate::reduce::implication::implies)).
    ///
    /// A join gives static order only if whatever can happen after it in its thread implies that it came
    /// through. The join itself then comes after the joined thread, too: where it does not come through,
    /// nothing comes after it, and so its own place does not matter.
    pub fn of(program: &mut EventProgram, po: &ProgramOrder) -> StaticOrder {
        StaticOrder::with(program, po, &[])
    }

    /// The order of those executions that have these first steps of threads in their order, too
    /// ([`symmetry`](super::symmetry)).
    pub fn with(
        program: &mut EventProgram,
        po: &ProgramOrder,
        chosen: &[(StepId, StepId)],
    ) -> StaticOrder {
        let mut edges: Vec<(StepId, StepId)> = Vec::new();
        for (chain, steps) in po.chains.iter_ids() {
            let thread = po.owner[chain];
            if let (Some(create), Some(&first)) =
                (program.threads[thread].created_by, steps.first())
                && let Some(step) = po.step_of[create]
                && !faults::on(Fault::CreateOrder)
            {
                edges.push((step, first));
            }
        }
        let always = po.edges.iter().filter(|edge| edge.when.is_none());
        edges.extend(always.map(|edge| (edge.from, edge.to)));
        edges.extend(chosen);
        let mut order = StaticOrder::close(po, &edges)
            .expect("threads are created by earlier ones, and those that are alike create none");
        for (step, info) in po.steps.iter_ids() {
            for &id in &info.events {
                let EventKind::Join { targets, done } = &program.events[id].kind else {
                    continue;
                };
                let &[(target, when)] = targets.as_slice() else {
                    continue;
                };
                let done = *done;
                let Some(end) = po.end[target].and_then(|end| po.step_of[end]) else {
                    continue;
                };
                let guard = program.events[id].guard;
                let through = program.terms.and(guard, done);
                let certain =
                    when == program.terms.tru() && everything_after_needs(program, id, through);
                if !certain || faults::on(Fault::JoinOrder) {
                    continue;
                }
                edges.push((end, step));
                match StaticOrder::close(po, &edges) {
                    Some(closed) => {
                        let joins = std::mem::take(&mut order.joins);
                        order = StaticOrder { joins, ..closed };
                        order.joins.push(id);
                    }
                    // Threads that wait for each other: leave it to the conditional order.
                    None => {
                        edges.pop();
                    }
                }
            }
        }
        if po.is_buffered() {
            // Every execution in which writes reach memory at once has this order, too.
            edges.extend(&po.issued);
            let at_once = StaticOrder::close(po, &edges);
            order.linear = at_once
                .expect("a thread's steps come in the order of its list")
                .linear;
        }
        order
    }

    /// Vector clocks of program order and `edges`; `None` if there is a cycle. Linear in steps times threads.
    fn close(po: &ProgramOrder, edges: &[(StepId, StepId)]) -> Option<StaticOrder> {
        let count = po.steps.len();
        let mut waiting = vec![0u32; count];
        let mut next: Vec<Vec<StepId>> = vec![Vec::new(); count];
        let chain_edges = po
            .chains
            .iter()
            .flat_map(|chain| chain.windows(2).map(|w| (w[0], w[1])));
        for (from, to) in chain_edges.chain(edges.iter().copied()) {
            next[from.0 as usize].push(to);
            waiting[to.0 as usize] += 1;
        }
        let mut clocks: IdVec<StepId, Vec<u32>> =
            (0..count).map(|_| vec![0; po.chains.len()]).collect();
        let mut ready: Vec<StepId> = po
            .steps
            .ids()
            .rev()
            .filter(|step| waiting[step.0 as usize] == 0)
            .collect();
        let mut linear = Vec::with_capacity(count);
        while let Some(step) = ready.pop() {
            linear.push(step);
            let own = clocks[step].clone();
            let Step { thread, index, .. } = po.steps[step];
            for &to in &next[step.0 as usize] {
                let clock = &mut clocks[to];
                for (a, b) in clock.iter_mut().zip(&own) {
                    *a = (*a).max(*b);
                }
                let seen = &mut clock[thread.0 as usize];
                *seen = (*seen).max(index + 1);
                waiting[to.0 as usize] -= 1;
                if waiting[to.0 as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        (linear.len() == count).then_some(StaticOrder {
            clocks,
            linear,
            joins: Vec::new(),
        })
    }

    /// Static order of two steps: true if `a` comes before `b` in every execution in which both happen.
    pub fn before(&self, po: &ProgramOrder, a: StepId, b: StepId) -> bool {
        let Step { thread, index, .. } = po.steps[a];
        index < self.clocks[b][thread.0 as usize]
    }
}
