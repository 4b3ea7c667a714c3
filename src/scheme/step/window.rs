//! Where blocks may be: positions that are too early or too late for one are never built.

use super::super::faults::{self, Fault};
use super::super::skeleton::{Local, NodeId, StaticOrder};
use super::super::turn::Steps;
use crate::base::IdVec;
use crate::event::{EventId, EventKind, EventProgram, ThreadId};

/// The steps that a block begins with: one, or joins of which nobody sees that one got through and the next did not.
fn beginning<'a>(program: &EventProgram, steps: &Steps, nodes: &'a [NodeId]) -> &'a [NodeId] {
    let skeleton = &steps.skeleton;
    let joins = |&node: &NodeId| {
        let events = &skeleton.nodes[node].events;
        let joins = |&event: &EventId| matches!(program.events[event].kind, EventKind::Join { .. });
        events.iter().all(joins)
    };
    let seen = |&node: &NodeId| {
        let node = &skeleton.nodes[node];
        let here = |local: &Local| local.thread == node.thread && local.after == node.index;
        skeleton.locals.iter().any(here)
    };
    let rest = nodes.iter().skip(1);
    let leading = rest.take_while(|&node| joins(&nodes[0]) && joins(node) && !seen(node));
    &nodes[..1 + leading.count()]
}

/// First and last position of each block: behind what comes before it in every execution, before what comes after it.
///
/// A block may stop within (where it waits for a lock, or for a thread's end), so only what comes before its beginning
/// counts: a join further on has the end before it only if it gets through.
pub fn windows(
    program: &EventProgram,
    steps: &Steps,
    order: &StaticOrder,
    total: usize,
) -> IdVec<ThreadId, Vec<(u32, u32)>> {
    // For each block, how many blocks of each thread come before it.
    let mut seen: IdVec<ThreadId, Vec<Vec<u32>>> = IdVec::new();
    for (thread, list) in steps.all.iter_ids() {
        let mut all = Vec::with_capacity(list.len());
        for (place, nodes) in list.iter().enumerate() {
            let mut before = vec![0u32; steps.all.len()];
            for &node in beginning(program, steps, nodes) {
                for (other, chain) in steps.skeleton.chains.iter_ids() {
                    let nodes = order.clocks[node][other.0 as usize] as usize;
                    if other != thread && nodes > 0 {
                        let last = steps.place_of(chain[nodes - 1]) as u32 + 1;
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
    let mut after: IdVec<ThreadId, Vec<u32>> = steps.all.iter().map(|l| vec![0; l.len()]).collect();
    for (thread, list) in seen.iter_ids() {
        for before in list {
            for (other, &count) in steps.all.ids().zip(before) {
                if other != thread && count > 0 {
                    after[other][count as usize - 1] += 1;
                }
            }
        }
    }
    let mut windows: IdVec<ThreadId, Vec<(u32, u32)>> = IdVec::new();
    for (thread, list) in steps.all.iter_ids() {
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
