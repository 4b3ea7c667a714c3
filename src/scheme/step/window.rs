//! Windows of blocks: the positions where they may be. Those too early or too late for a block are never built.

use crate::base::IdVec;
use crate::event::{EventId, EventKind, EventProgram, ThreadId};
use crate::relation::program_order::{Local, StepId};
use crate::relation::static_order::StaticOrder;
use crate::relation::turn::Transactions;
use crate::scheme::faults::{self, Fault};

/// The steps that a block begins with: one, or joins of which nobody sees that one got through and the next did not.
fn beginning<'a>(
    program: &EventProgram,
    transactions: &Transactions,
    steps: &'a [StepId],
) -> &'a [StepId] {
    let po = &transactions.po;
    let joins = |&step: &StepId| {
        let events = &po.steps[step].events;
        let joins = |&event: &EventId| matches!(program.events[event].kind, EventKind::Join { .. });
        events.iter().all(joins)
    };
    let seen = |&step: &StepId| {
        let step = &po.steps[step];
        let here = |local: &Local| local.thread == step.thread && local.after == step.index;
        po.locals.iter().any(here)
    };
    let rest = steps.iter().skip(1);
    let leading = rest.take_while(|&step| joins(&steps[0]) && joins(step) && !seen(step));
    &steps[..1 + leading.count()]
}

/// First and last position of each block: behind what comes before it in every execution, before what comes after it.
///
/// A block may stop within (where it waits for a lock, or for a thread's end), so only what comes before its beginning
/// counts: a join further on has the end before it only if it gets through.
pub fn windows(
    program: &EventProgram,
    transactions: &Transactions,
    order: &StaticOrder,
    total: usize,
) -> IdVec<ThreadId, Vec<(u32, u32)>> {
    // For each block, how many blocks of each thread come before it.
    let mut seen: IdVec<ThreadId, Vec<Vec<u32>>> = IdVec::new();
    for (thread, list) in transactions.all.iter_ids() {
        let mut all = Vec::with_capacity(list.len());
        for (place, steps) in list.iter().enumerate() {
            let mut before = vec![0u32; transactions.all.len()];
            for &step in beginning(program, transactions, steps) {
                for (other, chain) in transactions.po.chains.iter_ids() {
                    let steps = order.clocks[step][other.0 as usize] as usize;
                    if other != thread && steps > 0 {
                        let last = transactions.place_of(chain[steps - 1]) as u32 + 1;
                        let most = &mut before[other.0 as usize];
                        *most = (*most).max(last);
                    }
                }
            }
            before[thread.0 as usize] = place as u32;
            all.push(before);
        }
        seen.push(all);
    }
    let mut after: IdVec<ThreadId, Vec<u32>> =
        transactions.all.iter().map(|l| vec![0; l.len()]).collect();
    for (thread, list) in seen.iter_ids() {
        for before in list {
            for (other, &count) in transactions.all.ids().zip(before) {
                if other != thread && count > 0 {
                    after[other][count as usize - 1] += 1;
                }
            }
        }
    }
    let mut windows: IdVec<ThreadId, Vec<(u32, u32)>> = IdVec::new();
    for (thread, list) in transactions.all.iter_ids() {
        let mut behind = 0;
        let mut all = vec![(0, 0); list.len()];
        for place in (0..list.len()).rev() {
            // Blocks of others after a block come after those before it, too.
            behind += after[thread][place];
            let own = (list.len() - 1 - place) as u32;
            let first = seen[thread][place].iter().sum::<u32>() + 1;
            let first = first + u32::from(faults::on(Fault::WindowLate));
            let last = total as u32 - own - behind;
            all[place] = (first, last - u32::from(faults::on(Fault::WindowEarly)));
        }
        windows.push(all);
    }
    windows
}
